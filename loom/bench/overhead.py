"""What the node adds to a call: the same questions to a scripted model directly and through the node, turn by turn.

One client. Direct and through take turns request by request, so that whatever else the machine does falls on both; the figures
are medians over rounds of each round's medians.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext

from loom.bench.chat import CHAT, bodies, unasked
from loom.bench.figures import Bar, Figure, median, quantile
from loom.bench.matching import engaging
from loom.bench.processes import NotStarted, node, scripted_model, settled
from loom.bench.setup import Setup
from loom.bench.wire import Answer, Connection, request, target_of

WARM = 30
EACH = 100
"""Requests of each kind in a round."""

AGAIN = 10
"""How many questions are asked over and over for the figures of questions asked again."""

WAYS = ("plain", "streamed")


def overhead(setup: Setup) -> list[Figure]:
    questions = engaging(setup)
    each = (setup.rounds + 1) * EACH
    fresh = unasked(questions, -(-each * len(WAYS) // len(questions)))
    with upstream(setup) as url, node(setup.generations, model_url=url) as served:
        settled(served)
        direct, through = Connection(target_of(url)), Connection(target_of(served.url))
        figures: list[Figure] = []
        try:
            for number, way in enumerate(WAYS):
                first_time = fresh[number * each : (number + 1) * each]
                for label, asked in ((way, first_time), (f"{way}, asked again", first_time[-AGAIN:])):
                    pairs = [
                        (request(target_of(url), "POST", CHAT, body), request(target_of(served.url), "POST", CHAT, body))
                        for body in bodies(asked, streamed=way == "streamed")
                    ]
                    figures += _figures(label, _rounds(direct, through, pairs, setup.rounds))
        finally:
            direct.close()
            through.close()
        return figures


@contextmanager
def upstream(setup: Setup) -> Iterator[str]:
    """The model of this run: the one that was named, or a scripted one."""
    with nullcontext(setup.upstream) if setup.upstream else scripted_model() as url:
        yield url


Round = list[tuple[Answer, Answer]]


def _rounds(direct: Connection, through: Connection, pairs: Sequence[tuple[bytes, bytes]], count: int) -> list[Round]:
    rounds: list[Round] = []
    for number in range(count + 1):
        answers = []
        for turn in range(EACH if number else WARM):
            plain, grounded = pairs[(number * EACH + turn) % len(pairs)]
            if turn % 2:
                second = _called(through, grounded)
                first = _called(direct, plain)
            else:
                first = _called(direct, plain)
                second = _called(through, grounded)
            answers.append((first, second))
        if number:
            rounds.append(answers)
    return rounds


def _called(connection: Connection, data: bytes) -> Answer:
    answer = connection.call(data)
    if not answer.complete:
        raise NotStarted(f"Expected a complete answer while measuring, but got status {answer.status}: {answer.body[:300]!r}.")
    return answer


def _figures(way: str, rounds: Sequence[Round]) -> list[Figure]:
    def milliseconds(round: Round, side: int, time: str, part: float = 0.5) -> float:
        return quantile([getattr(pair[side], time) for pair in round], part) * 1000

    def added(time: str, part: float = 0.5) -> float:
        return median([milliseconds(each, 1, time, part) - milliseconds(each, 0, time, part) for each in rounds])

    bar = Bar(1.0) if way in WAYS else None
    figures = [
        Figure("overhead", f"{way}, direct p50", median([milliseconds(each, 0, "last") for each in rounds]), "ms"),
        Figure("overhead", f"{way}, through the node p50", median([milliseconds(each, 1, "last") for each in rounds]), "ms"),
        Figure("overhead", f"{way}, added p50", added("last"), "ms", bar),
        Figure("overhead", f"{way}, added p95", added("last", 0.95), "ms"),
        Figure(
            "overhead",
            f"{way}, through / direct",
            median([milliseconds(each, 1, "last") / milliseconds(each, 0, "last") for each in rounds]),
            "times",
        ),
    ]
    if way.startswith("streamed"):
        figures.append(Figure("overhead", f"{way}, first chunk delayed p50", added("first"), "ms", bar))
    return figures
