"""What the questions of the battery share: how values and names are looked for, and what must not be beside them."""

from collections.abc import Iterable, Mapping
from decimal import Decimal

from loom.core.values import Json
from loom.lab.battery.question import BatteryQuestion, Needle
from loom.lab.battery.truth import Point, SeriesTruth, Subject, Truth

SHOWS = ("broadcast-it", "broadcast-uk")


def ask(
    id: str,
    kind: str,
    language: str,
    prompt: str,
    *,
    before: tuple[tuple[str, str], ...] = (),
    needle: Iterable[Needle] = (),
    aligned: Iterable[tuple[Needle, ...]] = (),
    forbidden: Iterable[str] = (),
    unsaid: Iterable[str] = (),
    above: Iterable[tuple[str, str]] = (),
    within: tuple[str, ...] = (),
    bases: Iterable[str] = (),
    sources: Iterable[str] = (),
    same_as: str = "",
    same: str = "",
    more: Mapping[str, Json] | None = None,
) -> BatteryQuestion:
    """A question whose battery id is what its id begins with; `before` are earlier messages as role and content."""
    messages = (*before, ("user", prompt))
    return BatteryQuestion(
        id,
        id.partition("-")[0],
        kind,
        language,
        tuple({"role": role, "content": content} for role, content in messages),
        tuple(needle),
        tuple(aligned),
        tuple(dict.fromkeys(forbidden)),
        tuple(dict.fromkeys(unsaid)),
        tuple(above),
        within,
        tuple(dict.fromkeys(bases)),
        tuple(dict.fromkeys(sources)),
        same_as,
        same,
        more or {},
    )


def shows(truth: Truth) -> list[Subject]:
    """The four programmes, Italian ones first."""
    return [one for base in SHOWS for one in truth.of(base)]


def share(truth: Truth, one: Subject) -> SeriesTruth:
    return truth.line(one.base, one.id, "share")


def source(of: SeriesTruth) -> str:
    return f"{of.base}/{of.path}"


def told(point: Point) -> tuple[Needle, ...]:
    """A value as its file writes it, and its position in any of its forms."""
    return (point.value,), point.positions


def called(one: Subject) -> Needle:
    return tuple(dict.fromkeys(one.names.values()))


def marks(value: str) -> tuple[str, ...]:
    """A number with either decimal mark."""
    return tuple(dict.fromkeys((value, value.replace(",", "."), value.replace(".", ","))))


def extremes(truth: Truth, *, but: Iterable[Subject] = ()) -> list[str]:
    """The largest and smallest shares of every programme and match but some: values that stand nowhere else."""
    kept = {(one.base, one.id) for one in but}
    return [
        mark
        for series in truth.series
        if series.metric == "share" and (series.base, series.entity) not in kept
        for point in (series.max, series.min)
        for mark in marks(point.value)
    ]


def beside(truth: Truth, second: str, *, but: Iterable[Subject]) -> list[str]:
    """What the other series have at one second."""
    kept = {(one.base, one.id) for one in but}
    return [
        mark
        for series in truth.series
        if (series.base, series.entity) not in kept and second in series.at_peaks
        for mark in marks(series.at_peaks[second])
    ]


def difference(one: Point, other: Point) -> Needle:
    return marks(str(abs(Decimal(one.number) - Decimal(other.number))))
