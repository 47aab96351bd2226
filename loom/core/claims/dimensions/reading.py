"""A contract from JSON or TOML, and back. What is read has the shape of `schema`; whether its parts go together is `matching`."""

from collections.abc import Mapping
from typing import Any

from loom.core.claims.dimensions.contract import Contract, Criterion, Procedure, Prototype, Validation
from loom.core.claims.dimensions.registry import METRICS, NORMALIZERS, SPACES, SYSTEMS
from loom.core.claims.dimensions.spaces import Scalar, Space
from loom.core.errors import BadInput

FIELDS = ("name", "definition", "values", "projection", "metric", "normalizer", "prototypes")


def read(given: object) -> Contract:
    """The contract that is written here. Raises BadInput with a sentence where the shape is another."""
    made = _table(given, "a dimension", FIELDS, optional=("validation",))
    validation = made.get("validation")
    return Contract(
        name=_text(made["name"], "name"),
        definition=_text(made["definition"], "definition"),
        space=_space(made["values"]),
        procedure=_procedure(made["projection"]),
        metric=_one_of(made["metric"], "metric", METRICS),
        normalizer=_one_of(made["normalizer"], "normalizer", NORMALIZERS),
        prototypes=tuple(_prototype(each) for each in _list(made["prototypes"], "prototypes")),
        validation=None if validation is None else _validation(validation),
    )


def read_proposal(given: object) -> Contract:
    """A contract that somebody composed. Raises BadInput, also where it brings a validation record: that is measured, never stated."""
    if isinstance(given, Mapping) and "validation" in given:
        raise BadInput("Expected a proposal without a validation record, which only measuring gives.", param="validation")
    return read(given)


def written(contract: Contract) -> dict[str, Any]:
    """The contract as JSON; `read` gives it back."""
    space, procedure = contract.space, contract.procedure
    values: dict[str, Any] = {"kind": space.kind}
    if isinstance(space, Scalar):
        values |= {"low": space.low, "high": space.high}
    else:
        values["values"] = list(space.values)
    projection: dict[str, Any] = {"system": procedure.system}
    if procedure.words:
        projection["words"] = [{"value": value, "words": list(words)} for value, words in procedure.words]
    made: dict[str, Any] = {
        "name": contract.name,
        "definition": contract.definition,
        "values": values,
        "projection": projection,
        "metric": contract.metric,
        "normalizer": contract.normalizer,
        "prototypes": [{"value": each.value, "text": each.text} for each in contract.prototypes],
    }
    if contract.validation is not None:
        made["validation"] = validation_written(contract.validation)
    return made


def validation_written(validation: Validation) -> dict[str, Any]:
    return {
        "version": validation.version,
        "sample": validation.sample,
        "criteria": [
            {"name": each.name, "figure": each.figure, "bar": each.bar, "met": each.met, "said": each.said}
            for each in validation.criteria
        ],
        "projectors": list(validation.projectors),
        "at": validation.at,
    }


def _space(given: object) -> Space:
    kind = _one_of(_table(given, "values", ("kind",), more=True)["kind"], "values.kind", SPACES)
    if kind == "scalar":
        bounds = _table(given, "scalar values", ("kind", "low", "high"))
        return Scalar(_number(bounds["low"], "values.low"), _number(bounds["high"], "values.high"))
    listed = _table(given, f"{kind} values", ("kind", "values"))
    values = tuple(_text(each, "values") for each in _list(listed["values"], "values"))
    found: Space = SPACES[kind](values)  # type: ignore[arg-type]
    return found


def _procedure(given: object) -> Procedure:
    made = _table(given, "a projection system", ("system",), optional=("words",))
    rows = [_table(each, "the words of a value", ("value", "words")) for each in _list(made.get("words", []), "words")]
    return Procedure(
        _one_of(made["system"], "projection.system", SYSTEMS),
        tuple(
            (_text(row["value"], "words.value"), tuple(_text(each, "words") for each in _list(row["words"], "words")))
            for row in rows
        ),
    )


def _prototype(given: object) -> Prototype:
    made = _table(given, "a prototype", ("value", "text"))
    value = made["value"]
    return Prototype(
        value if isinstance(value, str) else _number(value, "prototypes.value"), _text(made["text"], "prototypes.text")
    )


def _validation(given: object) -> Validation:
    made = _table(given, "a validation record", ("version", "sample", "criteria"), optional=("projectors", "at"))
    return Validation(
        version=_count(made["version"], "validation.version"),
        sample=_count(made["sample"], "validation.sample"),
        criteria=tuple(_criterion(each) for each in _list(made["criteria"], "validation.criteria")),
        projectors=tuple(_text(each, "projectors") for each in _list(made.get("projectors", []), "validation.projectors")),
        at=_text(made.get("at", ""), "validation.at"),
    )


def _criterion(given: object) -> Criterion:
    made = _table(given, "a criterion", ("name", "figure", "bar", "met"), optional=("said",))
    figure, met = made["figure"], made["met"]
    if not isinstance(met, bool):
        raise BadInput(f"Expected criteria.met to be true or false, but got {met!r}.", param="criteria.met")
    return Criterion(
        name=_text(made["name"], "criteria.name"),
        figure=None if figure is None else _number(figure, "criteria.figure"),
        bar=_number(made["bar"], "criteria.bar"),
        met=met,
        said=_text(made.get("said", ""), "criteria.said"),
    )


def _table(
    given: object, what: str, needed: tuple[str, ...], *, optional: tuple[str, ...] = (), more: bool = False
) -> Mapping[str, Any]:
    if not isinstance(given, Mapping):
        raise BadInput(f"Expected {what} as an object with {', '.join(needed)}, but got {_said(given)}.", param=what)
    for name in needed:
        if name not in given:
            raise BadInput(f"Expected {what} with {', '.join(needed)}, but {name} is missing.", param=name)
    for name in given:
        if not more and name not in needed and name not in optional:
            raise BadInput(
                f"Expected {what} with {', '.join(needed + optional)} alone, but got {name!r}, too.", param=str(name)
            )
    return given


def _list(given: object, what: str) -> list[Any] | tuple[Any, ...]:
    if not isinstance(given, list | tuple):
        raise BadInput(f"Expected {what} as a list, but got {_said(given)}.", param=what)
    return given


def _text(given: object, what: str) -> str:
    if not isinstance(given, str):
        raise BadInput(f"Expected {what} as a text, but got {_said(given)}.", param=what)
    return given


def _number(given: object, what: str) -> float:
    if isinstance(given, bool) or not isinstance(given, int | float):
        raise BadInput(f"Expected {what} as a number, but got {_said(given)}.", param=what)
    try:
        return float(given)
    except OverflowError:
        raise BadInput(
            f"Expected {what} as a number of ordinary size, but it has {len(str(given))} digits.", param=what
        ) from None


def _count(given: object, what: str) -> int:
    if isinstance(given, bool) or not isinstance(given, int) or given < 0:
        raise BadInput(f"Expected {what} as a whole number from 0, but got {_said(given)}.", param=what)
    return given


def _one_of(given: object, what: str, names: Mapping[str, object]) -> str:
    name = _text(given, what)
    if name not in names:
        raise BadInput(f"Expected {what} to be one of {', '.join(names)}, but got {name!r}.", param=what)
    return name


def _said(given: object) -> str:
    said = repr(given)
    return said if len(said) <= 60 else f"{said[:60]}…"
