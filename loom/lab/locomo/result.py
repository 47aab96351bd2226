"""All that one run of the benchmark finds, as the value that is printed."""

from collections.abc import Callable, Iterable, Sequence

from loom.core.values import Json
from loom.lab.locomo.arms import ARMS, Arm
from loom.lab.locomo.bench import UNBOUNDED, Bench, Outcome
from loom.lab.locomo.choosing import SILENCE, chosen
from loom.lab.locomo.controls import controls, empty_graph
from loom.lab.locomo.dataset import PUBLISHED, Dataset
from loom.lab.locomo.dense import DENSE, Vectors, rank_dense
from loom.lab.locomo.extraction import extraction
from loom.lab.locomo.figures import figures
from loom.lab.locomo.intervals import differences, factorial
from loom.lab.locomo.model_spans import Extracted
from loom.lab.locomo.model_views import MODEL_ARMS, rank_model, views
from loom.lab.locomo.published import verdicts
from loom.lab.locomo.read_result import Reader, read_by
from loom.lab.locomo.sweeps import BANDS, CROSSING, HITS, PARTS, SPANS, lists, matched_table, realised, swept
from loom.lab.unanswerable.measuring import measured as told_apart
from loom.lab.unanswerable.sets import Made

OURS = "ours"
Watch = Callable[[Sequence[Arm]], Iterable[Arm]]


def measured(
    data: Dataset,
    arms: Sequence[Arm],
    *,
    sweeps: bool = True,
    second: Made | None = None,
    vectors: Vectors | None = None,
    spans: Extracted | None = None,
    reader: Reader | None = None,
    watch: Watch = iter,
) -> dict[str, Json]:
    """Arms, then all that is computed from them. Without `sweeps` only what needs no other setting of any arm; with `second`
    the set of conversations written here (`loom.lab.unanswerable`), with `vectors` the dense arms, with `spans` those of a
    model's spans, too. A `reader` reads for all arms."""
    bench = Bench(data)
    if spans is not None:
        talks = views(data, spans)
        for arm in MODEL_ARMS:
            rank_model(bench, arm, talks)
        arms = [*arms, *MODEL_ARMS]
    if vectors is not None:
        for arm in DENSE:
            rank_dense(bench, arm, vectors)
        arms = [*arms, *DENSE]
    outcomes: dict[str, Outcome] = {}
    result: dict[str, Json] = {"dataset": _dataset(bench.data)}
    for arm in watch(arms):
        outcomes[arm.name], more = _outcome(bench, arm)
        result.update(more)
    result["arms"] = {name: figures(bench, outcome) for name, outcome in outcomes.items()}
    result["unbounded"] = {
        arm.name: figures(bench, bench.outcome(arm, k=UNBOUNDED, floor=0.0))["reach"] for arm in arms if arm.name in outcomes
    }
    result["differences"] = differences(bench, outcomes)
    result["factorial"] = factorial(bench, outcomes)
    result["realised"] = {name: realised(bench, outcome) for name, outcome in outcomes.items()}
    result["published"] = verdicts(result)
    if spans is not None:
        result["extraction"] = extraction(bench, spans)
    if reader is not None:
        chosen_for = {OURS: result["ours"]["choices"]} if OURS in outcomes else {}
        result.update(read_by(bench, [arm for arm in arms if arm.name in outcomes], outcomes, reader, chosen_for))
    if sweeps:
        result.update(_swept(bench, outcomes))
    if second:
        result["second"] = told_apart(second)
    return result


def _dataset(data: Dataset) -> dict[str, Json]:
    return {
        "sha256": data.sha256,
        "published": data.sha256 == PUBLISHED,
        "conversations": len(data.talks),
        "sessions": sum(talk.sessions for talk in data.talks),
        "turns": sum(len(talk.turns) for talk in data.talks),
        "questions": len(data.questions),
        "answerable": sum(question.answerable for question in data.questions),
    }


def _outcome(bench: Bench, arm: Arm) -> tuple[Outcome, dict[str, Json]]:
    """An arm as it stands; ours as it is chosen without the conversation that it is measured on."""
    if arm.name != OURS:
        return bench.outcome(arm), {}
    choices, left_out, on_all = chosen(bench, arm)
    return left_out, {
        "ours": {
            "silence aimed at": SILENCE,
            "choices": [choice.as_json() for choice in choices],
            "left out": figures(bench, left_out),
            "on all": figures(bench, on_all),
            "as served": figures(bench, bench.outcome(arm)),
        }
    }


def _swept(bench: Bench, outcomes: dict[str, Outcome]) -> dict[str, Json]:
    found: dict[str, Json] = {"controls": controls(bench, outcomes, ARMS[OURS])}
    if "graph" in outcomes:
        graph = ARMS["graph"]
        found["controls"].insert(0, empty_graph(bench))
        found["reader"] = {
            name: swept(bench, graph, name, values) for name, values in (("span", SPANS), ("band", BANDS), ("parts", PARTS))
        }
    several = [ARMS[name] for name in ("vector", "scoped", "span", "graph", OURS) if name in outcomes]
    found["hits"] = {arm.name: swept(bench, arm, "k", HITS) for arm in several}
    found["lists"] = {arm.name: lists(bench, arm) for arm in [*several, *_oracle(outcomes)]}
    pair = [arm for arm in several if arm.name in ("vector", "graph", OURS)]
    found["matched"] = matched_table(bench, pair)
    found["crossing"] = matched_table(bench, pair, (CROSSING,))
    return found


def _oracle(outcomes: dict[str, Outcome]) -> list[Arm]:
    return [ARMS["oracle"]] if "oracle" in outcomes else []
