"""The numbers of callers and conversations. Whoever is not known has none, and nothing is found without both.

A number is looked up by the digest of the name, and only together: a conversation's number belongs to its caller.
"""

from loom.core.errors import BadInput
from loom.core.memory.values import Scope
from loom_adapters.memory.keys import digest
from loom_adapters.memory.session import Session

Numbers = tuple[int, int]

_FIND = """select callers.seq, callers.body, conversations.seq, conversations.body from callers
join conversations on conversations.caller = callers.seq where callers.digest = ? and conversations.digest = ?"""
_CALLER = "select seq, body from callers where digest = ?"
_CONVERSATIONS = "select seq, body from conversations where caller = ? order by seq"


def strict(scope: Scope) -> Scope:
    """The scope. Raises BadInput for anything that does not name both a caller and a conversation."""
    for name in ("caller", "conversation"):
        named(name, getattr(scope, name, None))
    return scope


def named(what: str, name: object) -> str:
    """The name of a caller or conversation. Raises BadInput where it is none: memory is never asked of everybody."""
    if not isinstance(name, str) or not name.strip():
        raise BadInput(f"Expected a {what} for a memory, but got {name!r:.80}; name one.", param=what)
    return name


def find(session: Session, scope: Scope) -> Numbers | None:
    """Caller and conversation, None where nothing was ever kept for them."""
    strict(scope)
    rows = session.all(_FIND, (digest(scope.caller), digest(scope.conversation)))
    for caller, caller_name, conversation, name in rows:
        if (bytes(caller_name), bytes(name)) == (_bytes(scope.caller), _bytes(scope.conversation)):
            return int(caller), int(conversation)
    return None


def make(session: Session, scope: Scope) -> Numbers:
    """Caller and conversation, written down where they are new. The caller of a new one stays until the transaction has ended: a
    deletion that takes the last conversation, and the caller with it, waits for this one."""
    found = find(session, scope)
    if found is not None:
        return found
    caller_key, caller_name = digest(scope.caller), _bytes(scope.caller)
    while not (held := session.all(_CALLER + session.holding, (caller_key,))):
        session.many("insert into callers (digest, body) values (?, ?) on conflict do nothing", [(caller_key, caller_name)])
    ((caller, _),) = held
    session.many(
        "insert into conversations (caller, digest, body) values (?, ?, ?) on conflict do nothing",
        [(caller, digest(scope.conversation), _bytes(scope.conversation))],
    )
    found = find(session, scope)
    assert found is not None
    session.many(
        "insert into counts (caller, conversation, next, names, turns, pieces, length, width) values (?, ?, 0, 1, 0, 0, 0, 0) "
        "on conflict do nothing",
        [found],
    )
    return found


def closed(session: Session, caller: str) -> None:
    """Let nobody begin a conversation of a caller until the transaction has ended: what is there now is all there is."""
    session.all(_CALLER + session.locking, (digest(named("caller", caller)),))


def conversations(session: Session, caller: str) -> list[tuple[int, int, str]]:
    """Caller, conversation and name of each conversation, oldest first."""
    found = []
    for number, name in session.all(_CALLER, (digest(named("caller", caller)),)):
        if bytes(name) == _bytes(caller):
            rows = session.all(_CONVERSATIONS, (number,))
            found += [(int(number), int(each), bytes(body).decode("utf-8", "surrogatepass")) for each, body in rows]
    return found


def _bytes(name: str) -> bytes:
    return name.encode("utf-8", "surrogatepass")
