"""Where the six audience series of one evening have their planted rows: no two at one second, no planted value twice.

Positions and values are drawn for all of them together, so that a value of one that turns up beside another can only come from the
wrong source.
"""

from dataclasses import dataclass
from random import Random

from loom.lab.battery.corpus_series import Plan, Planted, draw
from loom.lab.battery.truth import SERIES_LENGTH

FIRST, LAST, APART = 3, 27, 20
NOISE = (195, 335)
"""Tenths of a per cent that rows of programmes have, peaks and minima aside."""
SPORTS_NOISE = (40, 110)


@dataclass(frozen=True, slots=True)
class Slot:
    """One series: its rows, and the seconds that questions ask about. `gap` begins a gap of its transcript; `said` and `rumoured`
    are tenths near the peak that prose states."""

    key: str
    drawn: Planted
    asked: int
    gap: int
    said: int
    rumoured: int

    @property
    def events(self) -> tuple[int, int, int]:
        return self.drawn.plan.peak_at, self.drawn.plan.dip_at, self.asked


def slots(programmes: tuple[str, ...], matches: tuple[str, ...], random: Random) -> dict[str, Slot]:
    """The series by key, programmes first. The first programme of all has its peak twice."""
    keys = (*programmes, *matches)
    seconds = [APART * slot + random.randint(0, 9) for slot in range(FIRST, LAST + 1)]
    random.shuffle(seconds)
    events = {key: tuple(seconds[3 * number : 3 * number + 3]) for number, key in enumerate(keys)}
    spare = seconds[3 * len(keys) :]
    peaks = dict(
        zip(keys, (*_apart(random, 342, 396, len(programmes)), *_apart(random, 122, 139, len(matches), 5)), strict=True)
    )
    dips = dict(
        zip(
            keys,
            (*random.sample(range(141, 190, 4), len(programmes)), *random.sample(range(21, 36, 4), len(matches))),
            strict=True,
        )
    )
    free = {True: list(range(*SPORTS_NOISE)), False: list(range(*NOISE))}
    for values in free.values():
        random.shuffle(values)
    fixed: dict[str, dict[int, int]] = {}
    for key in keys:
        own = [second for other in keys for second in (events[other][0], events[other][2])]
        own = [second for second in own if second != events[key][0]] + [0, SERIES_LENGTH - 1]
        fixed[key] = {second: free[key in matches].pop() for second in own}
    taken = {value for values in fixed.values() for value in values.values()}
    taken |= {value + off for value in (*peaks.values(), *dips.values()) for off in (-1, 0, 1, 2)}
    found = {}
    for number, key in enumerate(keys):
        peak_at, dip_at, asked = events[key]
        near_at = _off(random, events, peak_at)
        low, high = SPORTS_NOISE if key in matches else NOISE
        plan = Plan(
            0,
            SERIES_LENGTH,
            low,
            high,
            peak_at,
            peaks[key],
            dip_at,
            dips[key],
            {**fixed[key], near_at: peaks[key] - 1},
            _off(random, events, peak_at, near_at, after=peak_at) if number == 0 else None,
            random.randint(3, 12),
        )
        gap = spare[number % len(spare)] // APART * APART
        found[key] = Slot(key, draw(plan, taken, random), asked, gap, peaks[key] + 1, peaks[key] + 2)
    return found


def _apart(random: Random, low: int, high: int, count: int, step: int = 4) -> list[int]:
    """Values whose differences are no whole numbers of units, so that a difference can be told from a count."""
    while True:
        drawn = random.sample(range(low, high, step), count)
        if all((a - b) % 10 for at, a in enumerate(drawn) for b in drawn[:at]):
            return drawn


def _off(random: Random, events: dict[str, tuple[int, ...]], *others: int, after: int = 0) -> int:
    """A second that is away from every event, and later than `after`."""
    held = {second + off for one in events.values() for second in one for off in range(-2, 3)}
    held |= {second + off for second in others for off in range(-2, 3)} | {0, SERIES_LENGTH - 1}
    return random.choice([second for second in range(after + 1, SERIES_LENGTH) if second not in held])
