"""API keys: made once, stored as salted hashes, each with scopes.

A key reads `loom-<id>-<secret>`; the id finds its line, the secret (256 random bits) is compared with a salted SHA-256 in
constant time. A slow hash would protect guessable passwords; these cannot be guessed.
"""

import hashlib
import hmac
import json
import os
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from loom.core.errors import BadInput, BadSettings, NotFound

SCOPES = ("chat", "read", "write", "admin")
DEFAULT_SCOPES = ("chat", "read")
FORMAT = 1


@dataclass(frozen=True, slots=True)
class Key:
    """One key as it is stored. `admin` covers every scope; `rate_limit` (requests a minute) replaces the node's when set."""

    id: str
    name: str
    scopes: tuple[str, ...]
    salt: str
    sha256: str
    created: str
    rate_limit: int | None = None

    def covers(self, scope: str) -> bool:
        return scope in self.scopes or "admin" in self.scopes


def _hash(salt: str, secret: str) -> str:
    return hashlib.sha256(f"{salt}:{secret}".encode()).hexdigest()


def new_key(name: str, scopes: Sequence[str], created: str, rate_limit: int | None = None) -> tuple[Key, str]:
    """A key and the text that its owner sends; the text is known only now. Raises BadInput for unknown scopes."""
    unknown = [scope for scope in scopes if scope not in SCOPES]
    if unknown or not scopes:
        raise BadInput(f"Expected scopes out of {', '.join(SCOPES)}, not {', '.join(unknown) or 'none'}.", param="scopes")
    if not name.strip():
        raise BadInput("Expected a name that tells what the key is for; it is empty.", param="name")
    key_id, secret, salt = secrets.token_hex(4), secrets.token_urlsafe(32), secrets.token_hex(16)
    key = Key(key_id, name, tuple(scopes), salt, _hash(salt, secret), created, rate_limit)
    return key, f"loom-{key_id}-{secret}"


def read_keys(path: Path) -> dict[str, Key]:
    """The keys of a file, by id; raises BadSettings when it cannot be understood."""
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
        if stored["format"] != FORMAT:
            raise BadSettings(f"The key file {path} has format {stored['format']}; this version reads format {FORMAT}.")
        keys = [Key(**{**line, "scopes": tuple(line["scopes"])}) for line in stored["keys"]]
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise BadSettings(f"The key file {path} cannot be read ({error}); make it with `loom keys add`.") from error
    return {key.id: key for key in keys}


def write_keys(path: Path, keys: Mapping[str, Key]) -> None:
    """Replace the file at once, readable by its owner only."""
    text = json.dumps({"format": FORMAT, "keys": [asdict(key) for key in keys.values()]}, indent=2, ensure_ascii=False)
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
        file.write(text + "\n")
        file.flush()
        os.fsync(file.fileno())
    os.replace(draft, path)


def revoke(path: Path, wanted: str) -> Key:
    """Remove the key of this id, or of this name if only one has it; raises NotFound or BadInput."""
    keys = read_keys(path)
    found = [key for key in keys.values() if wanted in (key.id, key.name)]
    if not found:
        raise NotFound(f"No key in {path} has the id or name {wanted!r}; `loom keys list` shows them.")
    if len(found) > 1:
        raise BadInput(f"{len(found)} keys have the name {wanted!r}; name one by its id: {', '.join(k.id for k in found)}.")
    write_keys(path, {key.id: key for key in keys.values() if key.id != found[0].id})
    return found[0]


class KeyRing:
    """The keys that a serving process accepts. A changed file is taken up by `refresh`; a broken one leaves the old keys."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._stamp = self._stamp_now()
        self._keys = read_keys(path)

    def _stamp_now(self) -> tuple[int, int, int]:
        facts = self._path.stat()
        return facts.st_ino, facts.st_mtime_ns, facts.st_size

    def refresh(self) -> bool:
        """Whether changed keys were taken up; raises BadSettings once for each change that cannot be read."""
        try:
            stamp = self._stamp_now()
        except OSError:
            stamp = (0, 0, 0)
        if stamp == self._stamp:
            return False
        self._stamp = stamp
        self._keys = read_keys(self._path)
        return True

    def find(self, text: str) -> Key | None:
        """The key that a caller sent, if it is one of ours."""
        prefix, _, rest = text.partition("-")
        key_id, _, secret = rest.partition("-")
        key = self._keys.get(key_id) if prefix == "loom" else None
        if key is None or not hmac.compare_digest(key.sha256, _hash(key.salt, secret)):
            return None
        return key
