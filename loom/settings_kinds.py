"""The kinds of value a setting may have, and how each is read from the text of an environment variable, a flag or TOML."""

import json
from typing import Annotated, Any

from pydantic import BeforeValidator

ON = frozenset({"1", "true", "yes", "on"})
OFF = frozenset({"0", "false", "no", "off"})


def read_switch(value: Any) -> Any:
    """A boolean; text is one of 1/0, true/false, yes/no, on/off in any case. Anything else raises ValueError."""
    if isinstance(value, bool):
        return value
    text = str(value).strip().lower() if isinstance(value, str | int) else ""
    if text in ON:
        return True
    if text in OFF:
        return False
    raise ValueError("not a switch")


def read_whole(value: Any) -> Any:
    """A whole number; a boolean or a fraction raises ValueError."""
    if isinstance(value, bool | float):
        raise ValueError("not a whole number")
    return int(value.strip()) if isinstance(value, str) else value


def read_number(value: Any) -> Any:
    """A finite number; a boolean raises ValueError."""
    if isinstance(value, bool):
        raise ValueError("not a number")
    return float(value.strip()) if isinstance(value, str) else value


def read_text(value: Any) -> Any:
    """Text, with the blanks around it removed."""
    return value.strip() if isinstance(value, str) else value


def read_names(value: Any) -> Any:
    """Names separated by commas, or a TOML array of them."""
    if isinstance(value, str):
        return tuple(name.strip() for name in value.split(",") if name.strip())
    return tuple(value) if isinstance(value, list | tuple) else value


def _pairs(text: str, between: str, inside: str) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for item in filter(None, (piece.strip() for piece in text.split(between))):
        name, sign, value = item.partition(inside)
        if not sign or not name.strip() or not value.strip() or name.strip() in pairs:
            raise ValueError("not pairs")
        pairs[name.strip()] = value.strip()
    return pairs


def read_aliases(value: Any) -> Any:
    """`public=upstream, …`, or a TOML table. A name given twice raises ValueError."""
    return _pairs(value, ",", "=") if isinstance(value, str) else value


def read_headers(value: Any) -> Any:
    """`Name: value; …`, or a TOML table. A header given twice, or a line break in one, raises ValueError."""
    pairs = _pairs(value, ";", ":") if isinstance(value, str) else value
    if isinstance(pairs, dict) and any(mark in str(part) for item in pairs.items() for part in item for mark in "\r\n\0"):
        raise ValueError("a line break in a header")
    return pairs


Switch = Annotated[bool, BeforeValidator(read_switch)]
Whole = Annotated[int, BeforeValidator(read_whole)]
Number = Annotated[float, BeforeValidator(read_number)]
Text = Annotated[str, BeforeValidator(read_text)]
Names = Annotated[tuple[str, ...], BeforeValidator(read_names)]
Aliases = Annotated[dict[str, str], BeforeValidator(read_aliases)]
Headers = Annotated[dict[str, str], BeforeValidator(read_headers)]


def shown(value: Any) -> str:
    """A value as `loom config` prints it, in the form in which it could be given again."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False, sort_keys=True) if value else ""
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)
