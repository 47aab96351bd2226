"""Text files that people hand in: UTF-8, of a size that fits."""

from pathlib import Path

from loom.core.errors import BadInput

MOST_BYTES = 64 << 20


def text_of(path: Path, param: str) -> str:
    """The text of a file, without a byte order mark. Raises BadInput where it cannot be read, is too large or is not UTF-8."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise BadInput(f"Expected a text of at most {MOST_BYTES >> 20} MB, but {path} is larger; split it.", param=param)
        data = path.read_bytes()
    except OSError as error:
        raise BadInput(f"Expected a text file, but {path} cannot be read: {error.strerror}.", param=param) from error
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadInput(f"Expected {path} to be UTF-8, but byte {error.start} is not; save it as UTF-8.", param=param) from None
