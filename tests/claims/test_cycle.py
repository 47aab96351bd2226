"""Evaluation cycles: candidates are validated, axes screened and weighed on graded queries, and reads use what came out."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from support.claims_desk import Desk, judges

from loom.claims.asks import Act, Cycle, Describe, Shape, State
from loom.claims.axes import active, dimensions_of
from loom.claims.drafting import Draft
from loom.claims.fast import FastPath, Wants
from loom.claims.judges import Judges
from loom.claims.projecting import project_again
from loom.claims.slow import SlowPath
from loom.core.claims.dimensions.contract import Contract, Criterion, Procedure, Prototype, Validation
from loom.core.claims.dimensions.fitted import fits_of
from loom.core.claims.dimensions.grades import Grade, read_grades
from loom.core.claims.dimensions.reading import written
from loom.core.claims.dimensions.spaces import Ordinal
from loom.core.claims.judging.asked import Sample
from loom.core.claims.judging.calls import Judged
from loom.core.claims.judging.given import Proposal
from loom.core.claims.judging.rephrasing import rephrased
from loom.core.claims.parts import Parts
from loom.core.claims.stored import Wanted
from loom.core.errors import BadInput

WORDS = {"blocked": ("refused", "halted"), "started": ("begun", "underway"), "ready": ("finished", "delivered")}
PLACES = (
    "harbour mill quarry tower bridge orchard tunnel station archive market library garden foundry chapel theatre depot laundry "
    "bakery cannery brewery shipyard granary kiln smithy tannery"
).split()


def contract(**parts: object) -> Contract:
    made: dict[str, object] = {
        "name": "progress", "definition": "How far the work has come.", "space": Ordinal(tuple(WORDS)),
        "procedure": Procedure("words", tuple(WORDS.items())), "metric": "rank", "normalizer": "steps",
        "prototypes": tuple(Prototype(value, f"The work is {words[0]}.") for value, words in WORDS.items()),
    }  # fmt: skip
    return Contract(**(made | parts))  # type: ignore[arg-type]


@pytest.fixture
async def desk() -> Desk:
    """Three claims a place, one a value, and the axis as a candidate."""
    made = Desk()
    made.slow = SlowPath(made.store, asking(), "test")
    await made.do(Describe("works", "Works", "work roof wall of the place", "anna"))
    said = [
        State(f"The {place} work on the {part} is {words[0]}.", "anna", domains=("works",))
        for place in PLACES
        for part, words in zip(("roof", "wall", "floor"), WORDS.values(), strict=True)
    ]
    await made.do(*said)
    await made.do(Shape("progress", "anna", "works", written(contract())))
    return made


async def grades(desk: Desk, *, shuffled: bool = False) -> tuple[Grade, ...]:
    """Of questions for each place and value, in a word that no claim has: whatever of the place is at that value is right."""
    claims = await desk.store.look(lambda view: view.list_claims(Wanted(limit=500)))
    texts = {each.claim.proposition: each.claim.id for each in claims}
    values = [words[0] for words in WORDS.values()]
    other = dict(WORDS.values())
    rng = np.random.default_rng(7)
    found = []
    for place in PLACES:
        for value in values:
            meant = str(rng.choice(values)) if shuffled else value
            for text, id in texts.items():
                if f"The {place} " in text and text.endswith(f"{meant}."):
                    found.append(Grade(f"Which {place} work is {other[value]}?", "works", id, 3.0))
    return tuple(found)


async def test_a_cycle_validates_screens_weighs_and_reads_use_it(desk: Desk) -> None:
    made = await desk.do(Cycle("anna", await grades(desk)))
    (said,) = made.said.values()
    told = said["domains"]["works"]  # type: ignore[call-overload, index]
    assert all(each["met"] for each in told["validated"]["progress"].values()), told["validated"]
    assert told["distilled"]["progress"]["met"] and told["screened"]["progress"]["useful"], told
    assert [(each["from"], each["to"]) for each in told["shifts"]] == [("validated", "active")]
    rows = await desk.store.look(lambda view: view.dimensions())
    (axis,) = dimensions_of(rows)
    assert axis.active and axis.distilled and axis.contract.validation is not None
    fit = fits_of(rows)["works"]
    assert fit.weights["progress"] > 0 and fit.residual < 1e-6 and not fit.unfit
    await desk.slow.flush(desk.now, spare=1000)
    text = "Which quarry work is delivered?"
    on = await FastPath(desk.store, asking(), parts=Parts()).read(Wants(text, 3, ("works",), signals=False))
    off = await FastPath(desk.store, asking(), parts=Parts(dimensions=False)).read(Wants(text, 3, ("works",), signals=False))
    assert on.hits[0].text == "The quarry work on the floor is finished."
    assert off.hits[0].score == off.hits[0].base and on.hits[0].score > on.hits[0].base


async def test_upkeep_looks_at_a_stretch_of_the_claims_at_a_time_and_each_has_its_turn(desk: Desk) -> None:
    await desk.do(Shape("progress", "anna", state="pin"))
    axes = active(await desk.store.look(lambda view: view.dimensions()))

    async def placed(behind: dict[str, str], looked: int) -> list[str]:
        draft = Draft(1, "2026-01-01", "run")
        await project_again(draft, desk.store, asking(), axes, behind=behind, looked=looked)
        return [each.claim for each in draft.projections]

    every = await placed({}, 1_000)
    assert len(every) > 40
    behind: dict[str, str] = {}
    turns: list[list[str]] = []
    for _ in range(8):
        some = await placed(behind, 10)
        assert len(some) <= 10
        turns.append(some)
    assert [id for some in turns for id in some] == every and not behind
    assert await placed(behind, 10) == turns[0]


def asking() -> Judges:
    """The rules, for questions too."""
    made = judges()
    return replace(made, queries=made.projecting)


async def test_grades_that_say_nothing_earn_no_weight_on_held_out_queries(desk: Desk) -> None:
    told = (await desk.do(Cycle("anna", await grades(desk, shuffled=True)))).said
    (said,) = told.values()
    screened = said["domains"]["works"]["screened"]["progress"]  # type: ignore[call-overload, index]
    assert not screened["useful"]
    (axis,) = dimensions_of(await desk.store.look(lambda view: view.dimensions()))
    assert axis.state == "validated" and axis.failures == 1


async def test_too_few_queries_leave_a_domain_unfit_and_the_stated_penalty(desk: Desk) -> None:
    few = (await grades(desk))[:20]
    await desk.do(Cycle("anna", few))
    rows = await desk.store.look(lambda view: view.dimensions())
    assert fits_of(rows)["works"].unfit and not [each for each in dimensions_of(rows) if each.active]


async def test_an_axis_that_tells_nothing_apart_stays_a_candidate(desk: Desk) -> None:
    await desk.do(Shape("flat", "anna", "works", written(contract(name="flat", procedure=Procedure("words", tuple(
        (value, (word,)) for value, word in zip(WORDS, ("work", "zzz", "yyy"), strict=True)
    ))))))  # fmt: skip
    await desk.do(Cycle("anna", await grades(desk)))
    held = {each.id: each for each in dimensions_of(await desk.store.look(lambda view: view.dimensions()))}
    assert held["flat"].state == "candidate" and held["progress"].active


async def test_a_workspace_with_its_fits_goes_out_and_in_whole(desk: Desk) -> None:
    graded = await grades(desk)
    first = (await desk.do(Cycle("anna", graded))).said
    other = Desk()
    lines = [line async for line in desk.store.export()]
    assert first and len(lines) > 500, "more than one round of the export"
    await other.store.restore(lines)
    again = [line async for line in other.store.export()]
    assert again == lines


async def test_a_dimension_is_of_a_domain_that_is_there(desk: Desk) -> None:
    for id in ("progress", "other"):
        made = await desk.do(Shape(id, "anna", "nope", written(contract(name=id, definition="How far it is."))))
        assert "There is no domain nope" in str(made.said)
    rows = await desk.store.look(lambda view: view.dimensions())
    assert [(each.id, each.domain, each.version) for each in rows] == [("progress", "works", 1)]
    sent = Describe("late", "Late", "late", "anna"), Shape("mood", "anna", "late", written(contract(name="mood")))
    assert "refused" not in str((await desk.do(*sent)).said)
    assert "refused" not in str((await desk.do(Shape("tone", "anna", "general", written(contract(name="tone"))))).said)


async def test_ids_of_fits_are_not_for_dimensions(desk: Desk) -> None:
    made = await desk.do(Shape("fit:works", "anna", "works", written(contract(name="other"))))
    assert "fit:" in str(made.said)


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("no json", "Line 1: expected JSON"),
        ("[1]", "with query, domain, claim, grade"),
        ('{"query": "", "domain": "d", "claim": "c", "grade": 1}', "query as a text"),
        ('{"query": "q", "domain": "d", "claim": "c", "grade": 4}', "grade from 0 to 3"),
        ('{"query": "q", "domain": "d", "claim": "c", "grade": true}', "grade from 0 to 3"),
    ],
)
def test_a_wrong_grade_is_named_with_its_line(line: str, sentence: str) -> None:
    with pytest.raises(BadInput, match=sentence):
        read_grades(line)


def test_a_claim_is_graded_once_a_query() -> None:
    line = '{"query": "q", "domain": "d", "claim": "c", "grade": 1}'
    assert read_grades(f"{line}\n\n") == (Grade("q", "d", "c", 1.0),)
    with pytest.raises(BadInput, match="Line 3: c is graded twice"):
        read_grades(f"{line}\n\n{line}")


def test_other_words_keep_the_words_that_matter() -> None:
    for text in ("The work isn't finished because the roof leaks.", "Anna's kiln costs 40 EUR."):
        made = rephrased(text)
        assert made != text and made == rephrased(text)
    assert "is not finished" in rephrased("The work isn't finished because the roof leaks.")
    assert "40 EUR" in rephrased("Anna's kiln costs 40 EUR.")


async def test_a_record_of_validation_is_measured_and_never_stated(desk: Desk) -> None:
    stated = written(
        contract(name="stage", validation=Validation(1, 9, (Criterion("stable", 1.0, 0.8, True),), ("m",), "2026"))
    )
    (said,) = (await desk.do(Shape("stage", "anna", "works", stated))).said.values()
    assert "only measuring gives" in said["refused"][0]  # type: ignore[call-overload, index]
    assert [each.id for each in dimensions_of(await desk.store.look(lambda view: view.dimensions()))] == ["progress"]


class Proposer:
    """Proposes nothing, and keeps what it was asked."""

    def __init__(self) -> None:
        self.asked: list[Sample] = []

    async def propose(self, asked: Sample) -> Judged[Sequence[Proposal]]:
        self.asked.append(asked)
        return Judged(())


async def test_discovery_proposes_by_the_claims_and_never_by_their_standing(desk: Desk) -> None:
    """The same claims, of which in one workspace every third was rejected, give the same candidates, and a judge the same pairs that
    are worded alike and ranked apart."""
    found, proposer, graded = [], Proposer(), await grades(desk)
    lines = [line async for line in desk.store.export()]
    for rejects in (False, True):
        other = Desk()
        other.now = desk.now
        await other.store.restore(lines)
        judging = replace(asking(), proposing=proposer)
        other.slow = SlowPath(other.store, judging, "test", parts=Parts(discovery=True))
        if rejects:
            claims = await other.store.look(lambda view: view.list_claims(Wanted(limit=500)))
            await other.do(*(Act("reject", each.claim.id, "anna") for each in claims[::3]))
        (said,) = (await other.do(Cycle("anna", graded))).said.values()
        rows = await other.store.look(lambda view: view.dimensions())
        proposed = {each.id: each for each in dimensions_of(rows) if each.proposed_by == "directions"}
        assert set(said["domains"]["works"]["proposed"]) == set(proposed)  # type: ignore[call-overload, index]
        found.append({id: written(replace(each.contract, validation=None)) for id, each in proposed.items()})
    assert found[0] and found[0] == found[1]
    first, second = proposer.asked
    assert first == second and first.unexplained
    for pair in first.unexplained:
        assert set(pair) <= set(first.propositions) and len(set(pair)) == 2
    apart = [{text.split()[1] for text in pair} for pair in first.unexplained]
    assert sum(len(places) == 2 for places in apart) > len(apart) / 2, (
        "questions ask for a place: other places are ranked apart"
    )
