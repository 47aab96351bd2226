"""The keeper: one process a node, single-threaded. It passes a query to an idle child, watches its deadline, and follows swaps.

It holds no triples and runs no query itself, so nothing that a query does can reach it.
"""

import os
import selectors
import signal
import socket
import time
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from loom.core.errors import LoomError
from loom.core.sparql.errors import Busy, DeadlinePassed, NotLoaded, NoTriples, QueryDied
from loom.core.sparql.limits import Limits
from loom.core.values import Json
from loom.ports import GenerationStore
from loom_adapters.sparql.held import Child, Held
from loom_adapters.sparql.wire import QUERY, STATE, dumped

LOOK_EVERY = 0.5
RETRY_AFTER = 10.0
"""Seconds after which a generation whose triples could not be loaded is tried again."""

GRACE = 0.05
"""Seconds that a child has to say that it is done, once whoever asked has closed the connection."""

GROWN_MOST = 64 * 1024 * 1024
QUERIES_MOST = 2000
"""A child that has grown by so much, or answered so many, makes room for a fresh one."""


@dataclass(eq=False, slots=True)
class Caller:
    """One query that waits or runs: the connection it came by, the socket its answer goes to, and until when. `over` is set when
    it has been answered or refused."""

    line: socket.socket
    data: socket.socket | None
    until: float
    child: Child | None = None
    why: LoomError | None = None
    over: bool = False


class Keeper:
    """Serves `listener` until `parent` closes, and only then ends: signals to the whole group are for the node to follow. `only` keeps to one generation instead of following the current one; `say` is told
    events and their facts, for the log."""

    def __init__(
        self,
        store: GenerationStore,
        listener: socket.socket,
        parent: socket.socket | int,
        limits: Limits,
        say: Callable[..., None],
        *,
        only: str | None = None,
    ) -> None:
        self._store = store
        self._listener = listener
        self._parent = parent
        self._limits = limits
        self._only = only
        self._say = say
        self._selector = selectors.DefaultSelector()
        self._serving: Held | None = None
        self._loading: Held | None = None
        self._retired: list[Held] = []
        self._lines: dict[socket.socket, Caller | None] = {}
        self._waiting: deque[Caller] = deque()
        self._running: dict[Child, Caller] = {}
        self._look_at = 0.0
        self._refused: dict[str, tuple[str, str, float]] = {}

    # -- the loop -----------------------------------------------------------------------------------------------------------

    def run(self) -> None:
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_IGN)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        self._listener.setblocking(False)
        self._selector.register(self._listener, selectors.EVENT_READ, self._accept)
        self._selector.register(self._parent, selectors.EVENT_READ, None)
        while True:
            self._tick(time.monotonic())
            for key, _ in self._selector.select(self._patience(time.monotonic())):
                if key.data is None:
                    return
                key.data()

    def _patience(self, now: float) -> float:
        times = [self._look_at, *(caller.until for caller in self._running.values())]
        if self._waiting:
            times.append(self._waiting[0].until)
        return max(0.0, min(times) - now)

    def _tick(self, now: float) -> None:
        for child, caller in list(self._running.items()):
            if now >= caller.until and not child.killed:
                if caller.why is None:
                    caller.why = DeadlinePassed(
                        f"The query ran longer than {self._limits.seconds:g} seconds (LOOM_SPARQL_DEADLINE) and was stopped; ask for less."
                    )
                child.kill()
                caller.until = float("inf")
        while self._waiting and now >= self._waiting[0].until:
            self._refuse(self._waiting.popleft(), self._busy())
        if now >= self._look_at:
            self._look_at = now + LOOK_EVERY
            self._look(now)
        self._dispatch(now)

    # -- callers ------------------------------------------------------------------------------------------------------------

    def _accept(self) -> None:
        for _ in range(64):
            try:
                line, _ = self._listener.accept()
            except OSError:
                return
            line.setblocking(False)
            self._lines[line] = None
            self._selector.register(line, selectors.EVENT_READ, lambda line=line: self._heard(line))
            self._heard(line)

    def _heard(self, line: socket.socket) -> None:
        """What a caller says: a query with the socket for its answer, one after the other, or a question for the state."""
        try:
            said, handles, *_ = socket.recv_fds(line, 1, 1)
        except BlockingIOError:
            return
        except OSError:
            said, handles = b"", []
        if said == QUERY and handles:
            caller = Caller(line, socket.socket(fileno=handles[0]), time.monotonic() + self._limits.seconds)
            self._lines[line] = caller
            self._take(caller)
            return
        for handle in handles:
            os.close(handle)
        if said == STATE:
            self._tell(line, self.state())
        last = self._lines.get(line)
        self._hang_up(line)
        if last is not None and not last.over:
            self._left(last)

    def _take(self, caller: Caller) -> None:
        if self._serving is None:
            self._refuse(caller, self._nothing())
        elif len(self._waiting) >= self._limits.waiting:
            self._refuse(caller, self._busy())
        else:
            self._waiting.append(caller)

    def _busy(self) -> Busy:
        return Busy(
            f"This node runs {self._limits.running} queries at once and {len(self._waiting)} are waiting; try again shortly."
        )

    def _left(self, caller: Caller) -> None:
        """The caller's connection has closed: after its answer, or because nobody wants one any more."""
        if caller.child is None:
            with suppress(ValueError):
                self._waiting.remove(caller)
            self._drop(caller)
        elif not caller.child.killed:
            caller.until = min(caller.until, time.monotonic() + GRACE)
            caller.why = Busy("The caller has left.")

    def _refuse(self, caller: Caller, error: LoomError) -> None:
        caller.over = True
        if self._lines.get(caller.line) is caller:
            self._tell(caller.line, {"code": error.code, "message": error.message})
            self._hang_up(caller.line)
        self._drop(caller)

    def _tell(self, line: socket.socket, value: Mapping[str, Json]) -> None:
        with suppress(OSError):
            line.sendall(dumped(value))

    def _hang_up(self, line: socket.socket) -> None:
        with suppress(KeyError, ValueError):
            self._selector.unregister(line)
        self._lines.pop(line, None)
        line.close()

    def _drop(self, caller: Caller) -> None:
        if caller.data is not None:
            caller.data.close()
            caller.data = None

    # -- children -----------------------------------------------------------------------------------------------------------

    def _dispatch(self, now: float) -> None:
        serving = self._serving
        while serving and self._waiting and serving.idle and len(self._running) < self._limits.running:
            caller, child = self._waiting.popleft(), serving.idle.pop()
            if child.give(caller.data):
                caller.child, caller.until = child, now + self._limits.seconds
                self._running[child] = caller
                self._drop(caller)
            else:
                self._waiting.appendleft(caller)

    def _said(self, child: Child) -> None:
        """A child is done, or has ended; how it ended its holder will say."""
        grown = child.done()
        if grown is None:
            self._silence(child)
            return
        caller = self._running.pop(child, None)
        if caller is not None:
            caller.over = True
        if child.home is not self._serving or grown > GROWN_MOST or child.answered >= QUERIES_MOST:
            child.kill()
        elif not child.killed:
            child.home.idle.append(child)
        self._sweep()

    def _silence(self, child: Child) -> None:
        child.killed = True
        with suppress(KeyError, ValueError):
            self._selector.unregister(child.line)
        child.line.close()
        with suppress(ValueError):
            child.home.idle.remove(child)

    def _sweep(self) -> None:
        """Let go of retired generations whose last query has ended."""
        busy = {child.home for child in self._running}
        for held in [held for held in self._retired if held not in busy]:
            self._retired.remove(held)
            self._release(held)

    def _ended(self, held: Held, child: Child, status: int) -> None:
        """A child has ended: tell whoever waited for it how, and have another one."""
        self._silence(child)
        caller = self._running.pop(child, None)
        if caller is not None:
            self._refuse(caller, caller.why or QueryDied(_last_words(os.waitstatus_to_exitcode(status))))
        if held is self._serving:
            held.fork()
        self._sweep()

    # -- generations --------------------------------------------------------------------------------------------------------

    def _look(self, now: float) -> None:
        """Start loading the current generation where it is another than the one that is served or loading."""
        wanted = self._wanted(now)
        if wanted is None or wanted in {held.id for held in (self._serving, self._loading) if held}:
            if self._loading and wanted is not None and self._serving and wanted == self._serving.id:
                self._release(self._loading)
                self._loading = None
            return
        if self._loading:
            self._release(self._loading)
        self._loading = Held.start(self._store, wanted, self._limits, self._close_ours)
        held = self._loading
        self._selector.register(held.line, selectors.EVENT_READ, lambda: self._from_holder(held))

    def _wanted(self, now: float) -> str | None:
        if self._only:
            wanted: str | None = self._only
        else:
            try:
                wanted = self._store.current()
            except LoomError:
                return None
        state, _, at = self._refused.get(wanted or "", ("", "", now))
        return None if state == "absent" or (state and now - at < RETRY_AFTER) else wanted

    def _from_holder(self, held: Held) -> None:
        for kind, number, status, value in held.heard():
            if kind == b"J":
                self._loaded(held, value)
            elif kind == b"C":
                child = held.children[number]
                self._selector.register(child.line, selectors.EVENT_READ, lambda child=child: self._said(child))
                held.idle.append(child)
            elif kind == b"G":
                self._ended(held, held.children.pop(number), status)
            else:
                self._lost(held)
                return

    def _loaded(self, held: Held, value: Mapping[str, Json]) -> None:
        state = value["state"]
        if state != "ready":
            self._refused = {held.id: (str(state), str(value["reason"]), time.monotonic())}
            self._say(f"triples_{state}", generation=held.id, reason=value["reason"])
            if held is self._loading:
                self._loading = None
                if state == "absent" and self._serving:
                    self._retire(self._serving)
                    self._serving = None
            self._release(held)
            return
        held.graphs, held.seconds = dict(value["graphs"]), float(value["seconds"])
        if held is not self._loading:
            return
        before, self._serving, self._loading = self._serving, held, None
        self._refused = {}
        self._say("triples_loaded", generation=held.id, triples=sum(held.graphs.values()), seconds=held.seconds)
        for _ in range(self._limits.running + 1):
            held.fork()
        if before is not None:
            self._retire(before)

    def _retire(self, held: Held) -> None:
        self._retired.append(held)
        self._sweep()

    def _lost(self, held: Held) -> None:
        """A holder ended by itself: while loading that is a refusal, later it is loaded anew."""
        if held is self._loading:
            self._refused = {
                held.id: ("failed", "The process that loads the triples ended; is there enough memory?", time.monotonic())
            }
            self._loading = None
        if held is self._serving:
            self._serving = None
            self._look_at = 0.0
        if held in self._retired:
            self._retired.remove(held)
        for child in [child for child in self._running if child.home is held]:
            self._refuse(self._running.pop(child), QueryDied(_last_words(-signal.SIGKILL)))
        self._release(held)

    def _release(self, held: Held) -> None:
        with suppress(KeyError, ValueError):
            self._selector.unregister(held.line)
        for child in held.children.values():
            self._silence(child)
        held.end()

    def _close_ours(self) -> None:
        """In a new holder: let go of everything that is the keeper's."""
        for key in list(self._selector.get_map().values()):
            if isinstance(key.fileobj, socket.socket):
                key.fileobj.close()
            elif isinstance(key.fileobj, int):
                os.close(key.fileobj)
        for caller in [*self._waiting, *self._running.values()]:
            self._drop(caller)
        self._selector.close()

    # -- saying -------------------------------------------------------------------------------------------------------------

    def _nothing(self) -> LoomError:
        if self._loading:
            return NotLoaded("The triples of this generation are being loaded; try again in a moment.")
        for _, reason, _ in self._refused.values():
            return NoTriples(reason)
        return NoTriples("There is no generation to query yet; build one with `loom build SOURCE --out GENERATIONS`.")

    def state(self) -> dict[str, Json]:
        """What `/health` says of it."""
        serving = self._serving
        refused = next(iter(self._refused.values()), None)
        state = "ready" if serving else refused[0] if refused else "loading" if self._loading else "empty"
        return {
            "state": state,
            "reason": refused[1] if refused else None if serving else self._nothing().message,
            "generation": serving.id if serving else None,
            "graphs": serving.graphs if serving else {},
            "loaded_seconds": serving.seconds if serving else None,
            "loading": self._loading.id if self._loading else None,
            "running": len(self._running),
            "waiting": len(self._waiting),
        }


def _last_words(code: int) -> str:
    if code in (-signal.SIGABRT, -signal.SIGKILL):
        return (
            "The query needed more memory than one query may have (LOOM_SPARQL_MEMORY) and was stopped; ask for less at once."
        )
    return "The query broke the engine, which has been replaced; ask in another way."


def listen(path: Path) -> socket.socket:
    """A listening socket at a path."""
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind(str(path))
    os.chmod(path, 0o600)
    listener.listen(512)
    return listener
