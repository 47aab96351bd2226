"""What is true of a generated corpus: known when it is planted, handed on as values, never read back from the files."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field

from loom.core.values import Json

SERIES_LENGTH = 600


@dataclass(frozen=True, slots=True)
class Point:
    """A value and where it stands, both as the file writes them; `number` and `at` are the same as plain decimals. `row` is the
    row of data from 1, `ties` how many later positions have the same value."""

    value: str
    number: str
    position: str
    at: str
    row: int
    ties: int = 0

    @property
    def positions(self) -> tuple[str, ...]:
        """The ways to write the position."""
        seconds = int(self.at)
        minutes, rest = divmod(seconds, 60)
        return tuple(dict.fromkeys((self.position, self.at, f"{minutes:02d}:{rest:02d}", f"{minutes}:{rest:02d}")))


@dataclass(frozen=True, slots=True)
class SeriesTruth:
    """One metric of one file. `asked` is a row that a question names, `near` the value next to the largest."""

    base: str
    path: str
    title: str
    entity: str
    metric: str
    unit: str
    max: Point
    min: Point
    first: Point
    last: Point
    count: int
    skipped: int
    asked: Point | None = None
    beside: tuple[str, ...] = ()
    near: str = ""
    holes: tuple[str, ...] = ()
    """Positions whose row has no number."""
    at_peaks: Mapping[str, str] = field(default_factory=dict)
    """The values here at the positions where others peak or are asked for, by position."""

    @property
    def points(self) -> tuple[Point, ...]:
        return self.max, self.min, self.first, self.last


@dataclass(frozen=True, slots=True)
class UnitTruth:
    """A unit of a transcript at [start, end) seconds; `end` is None for the last."""

    start: int
    end: int | None
    label: str
    text: str

    def holds(self, second: int) -> bool:
        return self.start <= second and (self.end is None or second < self.end)


@dataclass(frozen=True, slots=True)
class Scene:
    """A scene that is told apart by its place and two people; `quotes` are what they say, `callback` a later line about it."""

    place: str
    people: tuple[str, str]
    quotes: tuple[str, ...]
    callback: str


@dataclass(frozen=True, slots=True)
class TranscriptTruth:
    base: str
    path: str
    title: str
    entity: str
    units: tuple[UnitTruth, ...]
    gap: tuple[int, int] | None = None
    scene: Scene | None = None

    def at(self, second: int) -> UnitTruth | None:
        return next((unit for unit in self.units if unit.holds(second)), None)


@dataclass(frozen=True, slots=True)
class Subject:
    """Something that files are about. `names` are its names by language; a language without one has no alias."""

    id: str
    base: str
    names: Mapping[str, str]
    people: tuple[str, ...] = ()
    said: str = ""
    """A number in prose that contradicts the largest value of its series."""
    rumoured: str = ""
    """A number near it in another base."""

    def name(self, language: str) -> str:
        return self.names.get(language) or next(iter(self.names.values()))


@dataclass(frozen=True, slots=True)
class TableTruth:
    """A stated table: its cells verbatim; `values` is the column of values, `counts` one that invites a product."""

    base: str
    path: str
    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    values: int
    counts: int


@dataclass(frozen=True, slots=True)
class ProjectTruth:
    id: str
    name: str
    status: str
    progress: str
    package: str


@dataclass(frozen=True, slots=True)
class Names:
    """Names that questions need beside those of subjects. `absent` and `untranslated` own nothing anywhere."""

    absent: Mapping[str, str]
    untranslated: str
    absent_metric: str
    shared: str
    segment: str


@dataclass(frozen=True, slots=True)
class Truth:
    """`titles` are titles of bases by id and language; `segments` are lines by title of the files whose names share an acronym,
    the one that owns the segment first."""

    seed: int
    titles: Mapping[str, Mapping[str, str]]
    sources: Mapping[str, Mapping[str, str]]
    """Titles of files by base and path."""
    subjects: tuple[Subject, ...]
    series: tuple[SeriesTruth, ...]
    transcripts: tuple[TranscriptTruth, ...]
    tables: tuple[TableTruth, ...]
    projects: tuple[ProjectTruth, ...]
    segments: tuple[tuple[str, str, str], ...]
    """(base, path, line) of files whose names hold one acronym."""
    names: Names
    held: Mapping[str, str]
    """Programme by package."""

    def of(self, base: str) -> tuple[Subject, ...]:
        return tuple(subject for subject in self.subjects if subject.base == base)

    def line(self, base: str, entity: str, metric: str) -> SeriesTruth:
        return next(one for one in self.series if (one.base, one.entity, one.metric) == (base, entity, metric))

    def tape(self, base: str, entity: str) -> TranscriptTruth:
        return next(one for one in self.transcripts if (one.base, one.entity) == (base, entity))

    def table(self, base: str) -> TableTruth:
        return next(one for one in self.tables if one.base == base)

    def as_json(self) -> dict[str, Json]:
        return asdict(self)
