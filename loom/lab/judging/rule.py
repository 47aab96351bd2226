"""The decision rule of a judged integration: a file that is written before anything is judged, and that verdicts are bound to."""

import tomllib
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from loom.core.errors import BadInput
from loom.core.values import Json

BOUNDS = ("mean", "lower")
INTEGRATE, REJECT, UNDECIDED = "integrate", "reject", "undecided"


@dataclass(frozen=True, slots=True)
class Rule:
    """When an arm's pages may be changed: the mean improvement, or the lower end of its interval, is above `threshold`, over at
    least `minimum` pairs; where a `subgroup` (a member of the pairs) is named, the same holds in each of its values that has
    `subgroup_minimum` pairs, above `subgroup_threshold`."""

    threshold: float
    minimum: int
    bound: str = "lower"
    subgroup: str = ""
    subgroup_threshold: float = 0.0
    subgroup_minimum: int = 1
    sha256: str = ""

    def as_json(self) -> dict[str, Json]:
        return {
            "threshold": self.threshold,
            "minimum": self.minimum,
            "bound": self.bound,
            "subgroup": self.subgroup or None,
            "subgroup_threshold": self.subgroup_threshold if self.subgroup else None,
            "subgroup_minimum": self.subgroup_minimum if self.subgroup else None,
            "sha256": self.sha256,
        }


EXAMPLE = 'threshold = 0.0, minimum = 20, bound = "lower", subgroup = "maturity"'


def read_rule(path: Path) -> Rule:
    """The rule of a TOML file. Raises BadInput."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise BadInput(
            f"Expected a decision rule, but {path} cannot be read ({error.strerror}); write it before anything is judged, by "
            f"`loom proposals rule --out {path}`, or with for example {EXAMPLE}.",
            param="rule",
        ) from error
    try:
        stated = tomllib.loads(raw.decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadInput(f"Expected a TOML file, but {path} is none: {error}.", param="rule") from None
    known = {"threshold", "minimum", "bound", "subgroup", "subgroup_threshold", "subgroup_minimum", "note"}
    if unknown := sorted(set(stated) - known):
        raise BadInput(f"Expected only {', '.join(sorted(known))} in {path}, but got {', '.join(unknown)}.", param="rule")
    threshold = _number(stated, "threshold", path)
    return Rule(
        threshold,
        _whole(stated, "minimum", path),
        _bound(stated.get("bound", "lower"), path),
        _text(stated.get("subgroup", ""), path),
        _number(stated, "subgroup_threshold", path, threshold),
        _whole(stated, "subgroup_minimum", path, 1),
        sha256(raw).hexdigest(),
    )


def _number(stated: dict[str, Json], name: str, path: Path, default: float | None = None) -> float:
    value = stated.get(name, default)
    if isinstance(value, bool) or not isinstance(value, int | float) or not -2 <= value <= 2:
        raise BadInput(f"Expected {name} to be a number from -2 to 2 in {path}, but got {value!r}.", param="rule")
    return float(value)


def _whole(stated: dict[str, Json], name: str, path: Path, default: int | None = None) -> int:
    value = stated.get(name, default)
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise BadInput(f"Expected {name} to be a number of pairs, at least 1, in {path}, but got {value!r}.", param="rule")
    return value


def _bound(value: Json, path: Path) -> str:
    if value not in BOUNDS:
        raise BadInput(f"Expected bound to be {' or '.join(BOUNDS)} in {path}, but got {value!r}.", param="rule")
    return str(value)


def _text(value: Json, path: Path) -> str:
    if not isinstance(value, str):
        raise BadInput(f"Expected subgroup to be the name of a member of the pairs in {path}, but got {value!r}.", param="rule")
    return value
