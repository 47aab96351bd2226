"""The pre-filter of proposals: two instruments of the lab, each of which can stop one alone (seed 000 §§12, 14).

The judged half compares the page before and after, blind, in both orders, by every judge, under a rule that was written before. The
half of names asks whether the text names what it should, and whether the names are merely stuffed in. The first sees a text that
dilutes a page; the second, one that is made of its keywords.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from math import fsum
from pathlib import Path

from loom.core.errors import BadInput
from loom.core.exposure.names import DefaultText
from loom.core.proposals.dossier import COMPLETE, JUDGED, Dossier
from loom.core.proposals.topics import about
from loom.core.values import Json
from loom.lab.asking import Asker
from loom.lab.completing import FLAGGED, PASS, complete
from loom.lab.completing.about import subjects
from loom.lab.completing.stuffing import Sign
from loom.lab.judging.families import Judge
from loom.lab.judging.integration import judge
from loom.lab.judging.integration_result import read_raw, result_of
from loom.lab.judging.pairs import Pair, mirrored
from loom.lab.judging.rule import INTEGRATE, REJECT, Rule
from loom.lab.judging.working import Worked
from loom.lab.question import LabQuestion, Target
from loom.proposals.drafting import Draft
from loom.proposals.served import Served

ARM = "ledger"
JUDGES, ORDERS = 2, 2
"""How many judges there are at least, and pairs of a proposal."""

RESAMPLES = 1_000

FOREIGN = 3
"""Names beyond its assertions that a text may not reach, where they are the greater part of its names. A writer needs a common noun or two
that happen to be titles."""

RULE = """# When the judged half of the pre-filter lets a proposal pass. Written before anything is judged: every verdict holds its digest.
# Each judge sees each page in both orders. His mean must be above the threshold, and so must it be in each order by itself.
threshold = 0.0
minimum = 2
bound = "mean"
subgroup = "order"
subgroup_threshold = 0.0
subgroup_minimum = 1
"""


def pairs_of(draft: Draft) -> tuple[Pair, Pair]:
    """The page before and after, in one order and in the other."""
    first = Pair(f"{draft.dossier.id}:forward", ARM, draft.before, draft.after, draft.dossier.writer, {"order": "forward"})
    return first, mirrored(first, f"{draft.dossier.id}:mirrored", {"order": "mirrored"})


def checked_rule(rule: Rule, judges: Sequence[Judge]) -> None:
    """Raises BadInput where a rule can never be met by one proposal, or where there are too few judges."""
    if rule.minimum > ORDERS:
        raise BadInput(
            f"Expected a rule with a minimum of at most {ORDERS}, the two orders of one page, but it wants {rule.minimum}; change it "
            "before anything is judged.",
            param="rule",
        )
    if len(judges) < JUDGES:
        raise BadInput(f"Expected {JUDGES} judges, of different families, but got {len(judges)}; name another.", param="judge")


async def judged(
    drafts: Sequence[Draft],
    verdicts: Path,
    rule: Rule,
    asker: Asker,
    judges: Sequence[Judge],
    *,
    seed: int = 42,
    concurrency: int = 4,
    families: Mapping[str, str] | None = None,
    kept: Callable[[], object] = lambda: None,
) -> tuple[dict[str, dict[str, Json]], Worked]:
    """What every judge says of every draft, by the id of its dossier; the verdicts are kept in a file. Raises BadInput."""
    checked_rule(rule, judges)
    pairs = [pair for draft in drafts for pair in pairs_of(draft)]
    worked, _ = await judge(
        pairs,
        verdicts,
        rule,
        asker,
        judges,
        seed=seed,
        second_share=1.0,
        concurrency=concurrency,
        families=families,
        kept=kept,
    )
    marks = read_raw(verdicts, pairs, rule, seed) if worked.given or worked.kept else {}
    names = [each.name for each in judges]
    return {draft.dossier.id: _told(marks, pairs_of(draft), rule, names, seed) for draft in drafts}, worked


def _told(
    marks: Mapping[str, Mapping[tuple[str, str], int | None]],
    pairs: Sequence[Pair],
    rule: Rule,
    judges: Sequence[str],
    seed: int,
) -> dict[str, Json]:
    """What one proposal comes to: it passes where every judge lets it pass."""
    by_judge: dict[str, Json] = {}
    for name in judges:
        found = result_of({name: marks.get(name, {})}, pairs, rule, [name], seed=seed, resamples=RESAMPLES)["arms"][ARM]
        orders = {order: group["mean"] for order, group in found["subgroups"].items()}
        by_judge[name] = {"mean": found["mean"], "orders": orders, "outcome": found["outcome"], "why": found["why"]}
    means = [each["mean"] for each in by_judge.values() if each["mean"] is not None]
    outcomes = [each["outcome"] for each in by_judge.values()]
    against = next((f"{name}: {each['why']}" for name, each in by_judge.items() if each["outcome"] != INTEGRATE), "")
    return {
        "outcome": INTEGRATE if set(outcomes) == {INTEGRATE} else REJECT if REJECT in outcomes else "undecided",
        "why": against or "every judge found the page better in both orders",
        "mean": fsum(means) / len(means) if means else None,
        "judges": by_judge,
        "rule": rule.as_json(),
        "seed": seed,
    }


ELSEWHERE = "names that the corpus has and this text writes"
"""The subject of a question that is asked of no text: its gold counts among the names that a text may be stuffed with."""


def questions_of(draft: Draft, given: Sequence[LabQuestion] = ()) -> list[LabQuestion]:
    """The questions that a section should answer: those of a file whose subject is its topic; else one, for every concept that its
    assertions are about."""
    dossier = draft.dossier
    title = DefaultText(dossier.title)
    own = [each for each in given if each.gold and any(map(title.holds, subjects(each)))]
    if own:
        return own
    gold = tuple(map(Target, draft.about)) or (Target(dossier.title),)
    asked = f"What is reported of {dossier.title}, and what has it to do with?"
    return [LabQuestion(f"{dossier.id}:names", asked, gold, more={"subject_title": dossier.title})]


def completed(
    draft: Draft, served: Served, given: Sequence[LabQuestion], enough: float, *, matcher: str = "default"
) -> dict[str, Json]:
    """Whether the text of a draft names what it should, and whether names are stuffed in: those that are asked for, and every other
    name of the corpus that it writes."""
    written = tuple(Target(served.title(iri)) for _, iri in served.named(draft.dossier.text) if iri != draft.dossier.topic)
    asked = questions_of(draft, given)
    further = [LabQuestion(f"{draft.dossier.id}:written", "?", written, more={"subject_title": ELSEWHERE})] if written else []
    found = complete(draft.block, [*asked, *further], matcher=matcher, enough=enough, relations=served.relations).as_json()
    if foreign := unfounded(draft.dossier, served):
        why = f"{len(foreign)} names of the corpus are in no assertion that the text rests on"
        found["reasons"] = [*found["reasons"], Sign("unfounded", why, foreign).as_json()]
        found["verdict"] = FLAGGED
    return {"outcome": found.pop("verdict"), "enough": enough, **found}


def unfounded(dossier: Dossier, served: Served) -> tuple[str, ...]:
    """The names of the corpus that a text writes, and that no assertion of it is about or writes, where they are too many: however well
    they stand in sentences and relations, they are there for their own sake."""
    founded = {dossier.topic} | {iri for each in dossier.assertions for iri in about(each, served.resolve)}
    founded |= {iri for each in dossier.assertions for _, iri in served.named(f"{each.text} {each.span.text}")}
    written = {iri for _, iri in served.named(dossier.text)}
    foreign = tuple(sorted(served.title(iri) for iri in written - founded))
    return foreign if len(foreign) >= FOREIGN and len(foreign) > len(written & founded) else ()


def scored(draft: Draft, judging: Mapping[str, Json], completeness: Mapping[str, Json]) -> Dossier:
    """The dossier with what both halves found; either one stops it."""
    stopped = [JUDGED] if judging["outcome"] != INTEGRATE else []
    stopped += [COMPLETE] if completeness["outcome"] != PASS else []
    return replace(draft.dossier, judged=judging, complete=completeness, stopped=tuple(stopped))
