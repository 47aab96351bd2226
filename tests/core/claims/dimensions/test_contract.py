"""The contract: closed sets, what is read from JSON, what does not go together, and the schema that says the same."""

import json
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import strategies as st
from support.claims_axes import FEASIBLE, SPACES, contract
from support.sources import ROOT
from support.trying import many

from loom.core.claims.dimensions.contract import Contract, Criterion, Procedure, Prototype, Validation
from loom.core.claims.dimensions.matching import checked, mismatches
from loom.core.claims.dimensions.proposals import plain
from loom.core.claims.dimensions.reading import read, read_proposal, written
from loom.core.claims.dimensions.registry import METRICS, NORMALIZERS, SYSTEMS
from loom.core.claims.dimensions.registry import SPACES as SPACES_BY_NAME
from loom.core.claims.dimensions.schema import contract_schema, proposal_schema
from loom.core.claims.dimensions.spaces import Binary, Category, Ordinal, Scalar, Space
from loom.core.errors import BadInput

SCALAR, SIDES = Scalar(0, 10), Category(("for", "against", "neither"))
PLAIN = Procedure("judged")
WORDS = Procedure("words", tuple((each, (each, f"more {each}")) for each in FEASIBLE))


def test_the_example_of_the_paper_goes_together() -> None:
    assert mismatches(contract()) == ()
    assert checked(contract()) == contract()


@pytest.mark.parametrize("space", [SCALAR, SIDES, Binary()], ids=lambda each: each.kind)
def test_each_kind_of_space_has_parts_that_go_together(space: Space) -> None:
    assert mismatches(contract(space)) == ()


ENDS = (Prototype(0.0, "none"), Prototype(10.0, "all"))
UNFIT: list[tuple[Contract, str, str]] = [
    (contract(SCALAR, metric="rank"), "metric", "counts steps along an ordered list"),
    (contract(SIDES, metric="rank", normalizer="steps"), "metric", "these are category"),
    (contract(metric="difference"), "metric", "a difference is taken of numbers"),
    (contract(SCALAR, metric="match"), "metric", "equal by chance only"),
    (contract(metric="cosine"), "metric", "'cosine' is none of rank, difference, match"),
    (contract(normalizer="sqrt"), "normalizer", "'sqrt' is none of"),
    (contract(normalizer="identity"), "normalizer", "3 apart, outside [0, 1]"),
    (contract(SCALAR, normalizer="identity"), "normalizer", "10 apart, outside [0, 1]"),
    (contract(Scalar(0, 0.25), normalizer="identity"), "normalizer", "0.25 apart, which is not the 1"),
    (contract(SIDES, normalizer="steps"), "normalizer", "0.5 apart, which is not the 1"),
    (contract(SCALAR, normalizer="steps"), "normalizer", "needs a list of values, which scalar values do not have"),
    (contract(normalizer="range"), "normalizer", "which ordinal values do not have"),
    (contract(prototypes=contract().prototypes[1:]), "prototypes", "'blocked' has no prototype"),
    (contract(prototypes=(*contract().prototypes, Prototype("done", "x"))), "prototypes", "'done' is no value"),
    (contract(SCALAR, prototypes=(Prototype(11.0, "x"),)), "prototypes", "11.0 is no value"),
    (contract(SCALAR, prototypes=(Prototype("high", "x"),)), "prototypes", "'high' is no value"),
    (contract(SIDES, prototypes=(), procedure=Procedure("nearest")), "prototypes", "'for' has no prototype"),
    (contract(SCALAR, procedure=Procedure("between"), prototypes=ENDS[:1]), "prototypes", "10 has no prototype"),
    (contract(SCALAR, procedure=Procedure("words")), "projection", "these are scalar"),
    (contract(procedure=Procedure("between")), "projection", "assigns scalar values, but these are ordinal"),
    (contract(procedure=Procedure("oracle")), "projection", "'oracle' is none of"),
    (contract(procedure=Procedure("words", WORDS.words[1:])), "projection", "'blocked' has no words"),
    (contract(procedure=Procedure("judged", WORDS.words)), "projection", "read by the system words only"),
    (contract(procedure=Procedure("words", (*WORDS.words, ("done", ("x",))))), "projection", "'done', which is no value"),
    (contract(procedure=Procedure("words", (*WORDS.words, ("ready", ("Blocked",))))), "projection", "for both"),
]


@pytest.mark.parametrize(("unfit", "field", "why"), UNFIT, ids=str)
def test_what_does_not_go_together_is_named(unfit: Contract, field: str, why: str) -> None:
    assert any(each.field == field and why in each.why for each in mismatches(unfit))
    with pytest.raises(BadInput, match="parts go together"):
        checked(unfit)


def test_a_name_is_once_in_a_domain() -> None:
    (found,) = mismatches(contract(), ["Implementation  Feasibility"])
    assert found.field == "name" and mismatches(contract(), ["feasibility"]) == ()


@pytest.mark.parametrize(
    "made",
    [
        lambda: Ordinal(("one",)), lambda: Ordinal(("a", "a")), lambda: Category(("a", " ")), lambda: Binary(("a", "b", "c")),
        lambda: Scalar(1, 1), lambda: Scalar(2, 1), lambda: Scalar(0, float("inf")), lambda: Scalar(float("nan"), 1),
        lambda: Scalar(-1.7e308, 1.7e308), lambda: contract(name=" "), lambda: contract(definition=""), lambda: Prototype("a", " "),
    ],
)  # fmt: skip
def test_parts_that_are_none(made: Callable[[], object]) -> None:
    with pytest.raises(BadInput):
        made()


def test_codes_are_values_and_back() -> None:
    for space in (Ordinal(FEASIBLE), SIDES, Binary()):
        assert [space.value(space.code(each)) for each in space.values] == list(space.values)
    assert SCALAR.value(SCALAR.code(2.5)) == 2.5
    for space, value in ((SCALAR, 10.1), (SCALAR, "2"), (SIDES, 1.0), (SIDES, "both"), (SCALAR, float("nan")), (SCALAR, True)):
        with pytest.raises(BadInput):
            space.code(value)


PROCEDURES = st.builds(
    Procedure,
    st.sampled_from(sorted(SYSTEMS)),
    st.lists(
        st.tuples(st.sampled_from(FEASIBLE), st.lists(st.text("xyz", min_size=1), min_size=1, max_size=2).map(tuple)), min_size=2,
        max_size=4,
    ).map(tuple),
)  # fmt: skip
PROTOTYPES = st.builds(
    Prototype, st.one_of(st.sampled_from(FEASIBLE), st.floats(-5, 15)), st.text("xyz", min_size=1, max_size=5)
)
CONTRACTS = st.builds(
    contract,
    SPACES,
    st.text("abc", min_size=1),
    metric=st.sampled_from(sorted(METRICS)),
    normalizer=st.sampled_from(sorted(NORMALIZERS)),
    procedure=PROCEDURES.map(lambda each: each if each.system == "words" else Procedure(each.system)),
    prototypes=st.lists(PROTOTYPES, max_size=5).map(tuple),
)


@many(CONTRACTS)
def test_json_gives_a_contract_back_and_has_the_schema(given: Contract) -> None:
    there = json.loads(json.dumps(written(given)))
    assert read(there) == given
    assert read_proposal(there) == given
    jsonschema.Draft202012Validator(proposal_schema()).validate(there)


def test_a_contract_with_its_record_has_the_schema() -> None:
    record = Validation(
        2, 40, (Criterion("stable", None, 0.8, False, "few"), Criterion("relevant", 0.5, 0.1, True)), ("m",), "2026"
    )
    there = written(contract(validation=record))
    jsonschema.Draft202012Validator(contract_schema()).validate(there)
    assert read(there).validation == record
    with pytest.raises(BadInput, match="only measuring gives"):
        read_proposal(there)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(proposal_schema()).validate(there)


def _changed(path: tuple[Any, ...], value: object) -> dict[str, Any]:
    made = json.loads(json.dumps(written(contract(procedure=WORDS))))
    at = made
    for each in path[:-1]:
        at = at[each]
    at[path[-1]] = value
    return dict(made)


ODD = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=3), st.lists(st.integers(), max_size=2))
PATHS: list[tuple[Any, ...]] = [
    ("name",), ("definition",), ("values",), ("values", "kind"), ("values", "values"), ("values", "values", 0), ("projection",),
    ("projection", "system"), ("projection", "words"), ("projection", "words", 0), ("projection", "words", 0, "words"), ("metric",),
    ("normalizer",), ("prototypes",), ("prototypes", 0), ("prototypes", 0, "value"), ("formula",), ("values", "code"),
]  # fmt: skip


@many(st.sampled_from(PATHS), ODD)
def test_what_is_read_is_a_contract_or_a_sentence(path: tuple[Any, ...], odd: object) -> None:
    try:
        found = read(_changed(path, odd))
    except BadInput as error:
        assert error.message.startswith("Expected")
    else:
        assert isinstance(found, Contract)
        mismatches(found)


def test_nothing_is_read_beside_the_fields() -> None:
    for path in (("formula",), ("projection", "code"), ("values", "low"), ("prototypes", 0, "weight")):
        with pytest.raises(BadInput, match="alone, but got"):
            read(_changed(path, "x**2"))
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.Draft202012Validator(proposal_schema()).validate(_changed(path, "x**2"))
    for gone in written(contract()):
        with pytest.raises(BadInput, match=f"{gone} is missing"):
            read({name: value for name, value in written(contract()).items() if name != gone})


def _objects(schema: object) -> list[dict[str, Any]]:
    if isinstance(schema, list):
        return [found for each in schema for found in _objects(each)]
    if not isinstance(schema, dict):
        return []
    here = [schema] if schema.get("type") == "object" else []
    return here + [found for each in schema.values() for found in _objects(each)]


def test_the_schema_is_strict() -> None:
    """What servers ask of a strict response format: all members required, none added, an object outside."""
    assert proposal_schema()["type"] == "object"
    found = _objects(proposal_schema())
    assert len(found) > 5
    for each in found:
        assert each["required"] == list(each["properties"]) and each["additionalProperties"] is False


def test_the_published_schema_is_this_one() -> None:
    there = Path(ROOT, "docs/claims/dimension.schema.json").read_text(encoding="utf-8")
    assert there == json.dumps(contract_schema(), indent=2) + "\n"


def test_a_model_writes_no_patterns() -> None:
    pattern = contract(procedure=Procedure("words", (("blocked", ("/a+/",)), *WORDS.words[1:])))
    assert mismatches(read(written(pattern))) == ()
    with pytest.raises(BadInput, match="'/a\\+/' is a pattern"):
        plain(pattern)


def test_the_contract_in_the_documentation_goes_together() -> None:
    page = Path(ROOT, "docs/claims/dimensions.md").read_text(encoding="utf-8")
    found = checked(read(tomllib.loads(page.split("```toml\n")[1].split("```")[0])))
    assert found.space == Ordinal(FEASIBLE) and len(found.prototypes) == 4
    for name in (*METRICS, *NORMALIZERS, *SYSTEMS, *SPACES_BY_NAME):
        assert f"`{name}`" in page
