"""The digests by which things are found, so that no key holds text."""

from hashlib import blake2b


def digest(text: str | bytes) -> bytes:
    """Sixteen bytes that stand for a name or an id: no two are taken for one another. Any string has one."""
    return blake2b(text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text, digest_size=16).digest()


def term_key(term: str) -> int:
    """A whole number of 64 bits, signed, that stands for a term."""
    return int.from_bytes(blake2b(term.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big", signed=True)
