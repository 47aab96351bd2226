"""Quality of an answer against a reference, 0 to 5 (lab spec, "Judging"; seed 000 §9): blind to arm and model, at temperature 0."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from loom.core.errors import BadInput
from loom.core.values import Json
from loom.lab.asking import Asker
from loom.lab.judging.book import Book, Key
from loom.lab.judging.consulting import consult, signed
from loom.lab.judging.families import Judge, Writer
from loom.lab.judging.fences import DATA, LONGEST, digest, messages, prompt_digest
from loom.lab.judging.references import reference_of
from loom.lab.judging.replies import scored
from loom.lab.judging.working import Job, Step, Worked, share, work
from loom.lab.judging.writers import writer_of
from loom.lab.row import ANSWERED, Row, read_rows

KIND = "quality"
MEMBERS = ("set", "id", "arm", "model", "judge")
LOW, HIGH = 0, 5

RUBRIC = f"""You grade one answer to a question against a reference, with a whole number from 0 to 5.
5: fully correct, and complete against the reference.
4: correct, with a minor omission.
3: partly correct, without a serious error.
2: mostly wrong or missing, with at least one right point.
1: on the topic, without anything that is correct.
0: wrong, beside the question, or invented.
Grade what is said, never how: wording, order, length and layout count for nothing, and a paraphrase is as good as the reference's \
own words. Correct matter that the reference lacks costs nothing. What contradicts the reference, or the answer itself, does.
{DATA}
Reply with one JSON object and nothing else: {{"score": a whole number from 0 to 5, "why": "one sentence"}}"""

CORRECTION = (
    'That reply has no usable score. Reply with one JSON object and nothing else: {"score": a whole number from 0 to 5, "why": '
    '"one sentence"}. Half points and numbers outside 0 to 5 are not on the scale.'
)
RUBRIC_DIGEST = digest(RUBRIC, CORRECTION)


@dataclass(slots=True)
class Judged:
    """What came of a judging: how the work went, and the answers that were not judged, by reason."""

    worked: Worked
    skipped: dict[str, int] = field(default_factory=dict)
    stale: int = 0
    sha256: str = ""

    def as_json(self) -> dict[str, Json]:
        return {**self.worked.as_json(), "skipped": self.skipped, "judged_again": self.stale}


def prompt_of(row: Row) -> list[dict[str, Json]]:
    """What a judge is sent about a row: nothing in it tells arm, model or study."""
    return messages(
        RUBRIC, [("question", row.question.prompt), ("reference", reference_of(row.question)), ("answer", row.answer)]
    )


def why_not(row: Row) -> str | None:
    """Why a row is not judged, None where it is. Empty answers never are (reference §9.7)."""
    if row.status != ANSWERED or not row.answer.strip():
        return row.status if row.status != ANSWERED else "empty"
    return None if reference_of(row.question) else "no_reference"


def key_of(row: Row, judge: Judge) -> Key:
    return (row.question.set, row.question.id, row.arm, row.model, judge.name)


async def judge(
    rows: Path,
    out: Path,
    asker: Asker,
    judges: Sequence[Judge],
    *,
    seed: int = 42,
    second_share: float = 1.0,
    concurrency: int = 4,
    families: Mapping[str, str] | None = None,
    wanted: Callable[[Row], bool] = lambda row: True,
    kept: Step = lambda: None,
    only: bool = False,
) -> Judged:
    """Judge the answers of a file of rows and leave the verdicts in `out`, in the order of rows and judges.

    The first judge judges all, each further one a seeded share of the questions, in all arms, so that contrasts stay paired. Only
    answers that are still to be judged are held in memory, since the order of judging is not the file's. `families` states the
    family of models by their name in the study; `kept` is called for each verdict that is there already. With `only` the file
    ends with what is wanted here, else further verdicts that lie there stay. Raises BadInput.
    """
    families = families or {}
    questions: dict[Key, None] = {}
    for row in read_rows(rows):
        if wanted(row) and why_not(row) is None:
            questions[(row.question.set, row.question.id)] = None
    second = share(list(questions), second_share, seed, "second")
    judged = Judged(Worked())
    order: dict[Key, None] = {}
    with Book(out, KIND, MEMBERS).open() as book:
        jobs: list[Job] = []
        for row in read_rows(rows):
            if not wanted(row):
                continue
            if reason := why_not(row):
                judged.skipped[reason] = judged.skipped.get(reason, 0) + 1
                continue
            again = (row.question.set, row.question.id) in second
            for each in judges if again else judges[:1]:
                key = key_of(row, each)
                if key in order:
                    raise BadInput(
                        f"Expected one row per question, arm and model in {rows}, but {' / '.join(key[:4])} comes twice.",
                        param="rows",
                    )
                order[key] = None
                prompt = prompt_digest(prompt_of(row))
                if book.has(key, prompt):
                    judged.worked.kept += 1
                    kept()
                else:
                    jobs.append(Job(key, prompt, _getting(asker, each, row, writer_of(row, families), seed)))
        there, judged.worked = judged.worked.kept, await work(jobs, book, seed, concurrency)
        judged.worked.kept += there
        judged.stale = book.stale
        if only:
            book.rows = {key: book.rows[key] for key in order if key in book.rows}
        judged.sha256 = book.settle(order)
    judged.skipped = dict(sorted(judged.skipped.items()))
    return judged


def _getting(asker: Asker, judge: Judge, row: Row, writer: Writer, seed: int) -> Callable[[], Awaitable[dict[str, Json] | str]]:
    async def get() -> dict[str, Json] | str:
        consulted = await consult(
            asker, judge, prompt_of(row), lambda text: scored(text, LOW, HIGH), CORRECTION, purpose="judge", writer=writer
        )
        if consulted.error is not None:
            return consulted.error
        score, why = consulted.read or (None, "")
        return {
            "kind": KIND,
            "set": row.question.set,
            "id": row.question.id,
            "arm": row.arm,
            "model": row.model,
            **signed(judge, RUBRIC_DIGEST, consulted, writer),
            "status": "scored" if consulted.read else "unresolved",
            "score": score,
            "why": why,
            "answer_sha256": sha256(row.answer.encode("utf-8", "surrogatepass")).hexdigest(),
            "cut": len(row.answer) > LONGEST,
            "seed": seed,
        }

    return get
