"""Does a page get better? A blind comparison before and after, from -2 to 2 (lab spec, "Judging"; seed 000 §11.1)."""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from pathlib import Path

from loom.core.errors import BadInput
from loom.core.values import Json
from loom.lab.asking import Asker
from loom.lab.judging.book import Book, Key
from loom.lab.judging.consulting import consult, signed
from loom.lab.judging.families import Judge, Writer
from loom.lab.judging.fences import DATA, LONGEST, digest, messages, prompt_digest
from loom.lab.judging.pairs import Pair
from loom.lab.judging.replies import scored
from loom.lab.judging.rule import Rule
from loom.lab.judging.working import Job, Step, Worked, share, work

KIND = "integration"
MEMBERS = ("id", "arm", "judge")
LOW, HIGH = -2, 2

RUBRIC = f"""You compare two versions of one page of reference material and say how the SECOND stands to the FIRST.
2: the second is clearly better. 1: somewhat better. 0: neither is better. -1: somewhat worse. -2: clearly worse.
A better page tells its reader more that is right and to the point, is well placed and ordered, and says nothing twice. New matter \
makes a page better only where it belongs there: narrow detail that dilutes the page makes it worse. Length is no merit, nor is a \
text that calls itself improved. You are not told how either version came about.
{DATA}
Reply with one JSON object and nothing else: {{"score": a whole number from -2 to 2, "why": "one sentence"}}"""

CORRECTION = (
    'That reply has no usable score. Reply with one JSON object and nothing else: {"score": -2, -1, 0, 1 or 2, for the second '
    'version against the first, "why": "one sentence"}.'
)
RUBRIC_DIGEST = digest(RUBRIC, CORRECTION)


def prompt_of(pair: Pair, seed: int) -> list[dict[str, Json]]:
    first, second = pair.shown(seed)
    return messages(RUBRIC, [("first version", first), ("second version", second)])


async def judge(
    pairs: Sequence[Pair],
    out: Path,
    rule: Rule,
    asker: Asker,
    judges: Sequence[Judge],
    *,
    seed: int = 42,
    second_share: float = 0.2,
    concurrency: int = 4,
    families: Mapping[str, str] | None = None,
    kept: Step = lambda: None,
) -> tuple[Worked, str]:
    """Judge pairs and leave the verdicts in `out`, each with the digest of the rule. A verdict is the judge's number for the second
    version shown; which one that was is worked out at analysis only. Raises BadInput where verdicts were given under another rule.
    """
    with Book(out, KIND, MEMBERS).open() as book:
        bound(book.rows.values(), rule, seed, out)
        again = share([pair.key for pair in pairs], second_share, seed, "second")
        jobs = [
            Job(
                (*pair.key, each.name),
                prompt_digest(prompt_of(pair, seed)),
                _getting(asker, each, pair, rule, seed, families or {}),
            )
            for pair in pairs
            for each in (judges if pair.key in again else judges[:1])
        ]
        worked = await work(jobs, book, seed, concurrency, kept)
        order: list[Key] = [job.key for job in jobs]
        return worked, book.settle(order)


def bound(rows: Iterable[Mapping[str, Json]], rule: Rule, seed: int, path: Path) -> None:
    """Raises BadInput where a verdict was given under another rule or seed."""
    for row in rows:
        if row.get("rule") != rule.sha256:
            raise BadInput(
                f"Expected the rule that was there when {path} was judged (sha256 {str(row.get('rule'))[:12]}…), but this one is "
                f"{rule.sha256[:12]}…: a rule is not changed once there are verdicts. Restore it, or judge anew into another --out.",
                param="rule",
            )
        if row.get("seed") != seed:
            raise BadInput(
                f"Expected seed {row.get('seed')}, under which {path} was judged, but got {seed}: it says which version was first.",
                param="seed",
            )


def _getting(
    asker: Asker, judge: Judge, pair: Pair, rule: Rule, seed: int, families: Mapping[str, str]
) -> Callable[[], Awaitable[dict[str, Json] | str]]:
    writer = Writer(pair.model, family=families.get(pair.model, "")) if pair.model else None

    async def get() -> dict[str, Json] | str:
        consulted = await consult(
            asker,
            judge,
            prompt_of(pair, seed),
            lambda text: scored(text, LOW, HIGH),
            CORRECTION,
            purpose="integrate",
            writer=writer,
        )
        if consulted.error is not None:
            return consulted.error
        score, why = consulted.read or (None, "")
        return {
            "kind": KIND,
            "id": pair.id,
            "arm": pair.arm,
            **signed(judge, RUBRIC_DIGEST, consulted, writer),
            "status": "scored" if consulted.read else "unresolved",
            "raw": score,
            "why": why,
            "pair_sha256": pair.digest,
            "cut": max(len(pair.before), len(pair.after)) > LONGEST,
            "rule": rule.sha256,
            "seed": seed,
        }

    return get
