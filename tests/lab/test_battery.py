"""The battery's corpus: the same for a seed, other for another, and as true as its files say."""

import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest
from support import battery_oracle as oracle

from loom.core.facts.checks import KINDS
from loom.core.facts.content import BaseContent
from loom.core.facts.iris import entity_iri, fact_iri, source_iri
from loom.core.report import Report
from loom.lab.battery import BATTERY, BatteryQuestion, Corpus, corpus, questions, scored, write
from loom.lab.battery.scoring import holds
from loom_adapters.kb.folder import BaseFolder

SEEDS = range(20)
QUICK = 2
"""Seeds that are tried in every run; the others take the better part of a minute."""
DIGEST = """
import hashlib, orjson
from loom.lab.battery import corpus, questions
made = corpus(7)
said = hashlib.sha256()
for base in made.bases:
    for path, text in base.contents().items():
        said.update(f"{base.id}/{path}\\0{text}\\0".encode())
said.update(orjson.dumps(made.truth.as_json()))
for question in questions(made.truth):
    said.update(orjson.dumps(question.as_json()))
print(said.hexdigest())
"""


@pytest.fixture(
    scope="module", params=[pytest.param(seed, marks=[pytest.mark.slow] if seed >= QUICK else []) for seed in SEEDS]
)
def made(request: pytest.FixtureRequest) -> Corpus:
    return corpus(request.param)


@pytest.fixture(scope="module")
def folder(made: Corpus, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("battery")
    write(made, out)
    return out


def test_the_same_seed_gives_the_same_bytes_under_any_hash_seed() -> None:
    said = {
        subprocess.run(
            [sys.executable, "-c", DIGEST], env={"PYTHONHASHSEED": seed}, capture_output=True, check=True, text=True
        ).stdout
        for seed in ("0", "1", "4242")
    }
    assert len(said) == 1


def test_every_seed_gives_another_corpus() -> None:
    texts = [tuple(text for base in corpus(seed).bases for text in base.contents().values()) for seed in SEEDS]
    assert len(set(texts)) == len(SEEDS)
    assert len({questions(corpus(seed).truth)[0].aligned for seed in SEEDS}) == len(SEEDS)


def test_series_are_as_planted(made: Corpus, folder: Path) -> None:
    for one in made.truth.series:
        declared = oracle.manifest(folder / one.base)
        (file,) = (file for file in declared["file"] if file["path"] == one.path)
        found = oracle.recomputed(folder / one.base, file, file["values"][one.metric])
        for name in ("max", "min", "first", "last"):
            point = getattr(one, name)
            expected = (point.value, Decimal(point.number), point.position, int(point.at), point.row, point.ties)
            assert found[name] == expected, (one.path, name)
        assert (found["count"], found["skipped"]) == (one.count, one.skipped)
        rows = {
            oracle.seconds(row[file["position"]]): row[file["values"][one.metric]]
            for row in oracle.rows_of(folder / one.base, file)
        }
        if one.asked is not None:
            assert rows[int(one.asked.at)] == one.asked.value
            assert one.beside == (rows[int(one.asked.at) - 1], rows[int(one.asked.at) + 1])
            assert one.asked.value not in one.beside
        assert {second: rows[int(second)] for second in one.at_peaks} == dict(one.at_peaks)
        mark = file.get("decimal", ".")
        if one.metric == "share":
            assert [second for second in one.holes if oracle.number(rows[int(second)], mark) is not None] == []
            assert len(one.holes) == one.skipped >= 3
            ranked = sorted({oracle.number(value, mark) or Decimal(0) for value in rows.values()}, reverse=True)
            assert oracle.number(one.near, mark) == ranked[1]


def test_something_is_planted_of_each_kind(made: Corpus, folder: Path) -> None:
    series = made.truth.series
    assert any(one.max.ties for one in series if one.metric == "share")
    assert any("," in one.max.value for one in series) and any("e" in one.max.value for one in series)
    assert any(":" in one.max.position for one in series)
    for one in (*made.truth.of("broadcast-it"), *made.truth.of("broadcast-uk")):
        peak = made.truth.line(one.base, one.id, "share").max.number
        assert Decimal(one.said.replace(",", ".")) - Decimal(peak) == Decimal("0.1")
        sheets = [text for path, text in _texts(folder, one.base) if path.suffix == ".md" and holds(text, one.said)]
        assert len(sheets) == 1
        press = [text for _, text in _texts(folder, "press") if one.rumoured in text.replace(",", ".")]
        assert len(press) == 1
    acronyms = Counter(base for base, path, _ in made.truth.segments if "ai-" in path)
    assert len(acronyms) == 5
    both = [one for one in made.truth.subjects if made.truth.names.shared in one.people]
    assert [one.base for one in both] == ["broadcast-it", "broadcast-uk"]
    for base in ("broadcast-it", "broadcast-uk"):
        people = [name for one in made.truth.of(base) for name in one.people]
        assert len(set(people)) == len(people) == 6


def test_nothing_owns_an_absent_name(made: Corpus, folder: Path) -> None:
    absent = (*made.truth.names.absent.values(), made.truth.names.untranslated, made.truth.names.absent_metric)
    for base in made.bases:
        for _, text in _texts(folder, base.id):
            assert [name for name in absent if name.casefold() in text.casefold()] == []


def test_planted_shares_stand_in_their_own_series_alone(made: Corpus) -> None:
    shares = [one for one in made.truth.series if one.metric == "share"]
    planted = [point.number for one in shares for point in one.points]
    planted += [one.asked.number for one in shares if one.asked]
    planted += [value.replace(",", ".") for one in shares for value in one.at_peaks.values()]
    own = {(one.asked.number, one.path) for one in shares if one.asked}
    repeated = {value for value, count in Counter(planted).items() if count > 1}
    assert repeated == set()
    assert len(own) == len(shares)


def test_transcripts_are_as_planted(made: Corpus, folder: Path) -> None:
    for tape in made.truth.transcripts:
        units = oracle.units_of(folder / tape.base, tape.path)
        assert units == [(unit.start, unit.end, unit.text) for unit in tape.units]
        assert len({text for *_, text in units}) == len(units)
        assert tape.gap is not None
        for second in range(600):
            over = [text for start, end, text in units if start <= second and (end is None or second < end)]
            here = tape.at(second)
            assert over == ([here.text] if here else [])
            assert (here is None) == (tape.gap[0] <= second < tape.gap[1])


def test_the_reader_takes_every_base_and_computes_what_was_planted(made: Corpus, folder: Path) -> None:
    held: dict[str, BaseContent] = {}
    for base in made.bases:
        report = Report(KINDS)
        reader = BaseFolder(folder / base.id)
        assert list(reader.read(report)) == []
        planted = {"kb-contradiction"} if base.id == "rights" else set()
        assert planted <= set(report.counts()) <= planted | {"kb-skipped-row"}, report.as_json()
        content = reader.content()
        assert content is not None
        assert {source.name: source.title for source in content.base.sources} == made.truth.sources[base.id]
        held[base.id] = content
    for one in made.truth.series:
        content = held[one.base]
        iri = content.base.iri
        facts = {fact.iri: fact for fact in content.facts}
        for name in ("max", "min", "first", "last"):
            point = getattr(one, name)
            fact = facts[fact_iri(iri, one.path, one.metric, name)]
            assert (fact.value, fact.position, fact.row, fact.ties) == (point.value, point.position, point.row, point.ties)
            assert (Decimal(fact.number), Decimal(fact.at)) == (Decimal(point.number), Decimal(point.at))
            assert (fact.entity, fact.skipped) == (entity_iri(iri, one.entity), one.skipped)
        assert facts[fact_iri(iri, one.path, one.metric, "count")].value == str(one.count)
    for tape in made.truth.transcripts:
        source = source_iri(held[tape.base].base.iri, tape.path)
        spans = [span for span in held[tape.base].spans if span.source == source]
        assert [(span.start, span.end, span.label, span.text) for span in spans] == [
            (unit.start, unit.end, unit.label, unit.text) for unit in tape.units
        ]


def test_questions_have_every_id_of_the_battery(made: Corpus) -> None:
    asked = questions(made.truth)
    assert list(dict.fromkeys(question.battery for question in asked)) == list(BATTERY)
    known = {question.id: question for question in asked}
    assert len(known) == len(asked)
    for question in asked:
        assert question.prompt.strip() and question.messages[-1]["role"] == "user"
        assert question.same in ("", "facts", "context") and bool(question.same) == bool(question.same_as)
        assert not question.same_as or known[question.same_as].needle == question.needle
        assert not question.same_as or known[question.same_as].aligned == question.aligned
        assert {source.partition("/")[0] for source in question.sources} <= {base.id for base in made.bases}
        for source in question.sources:
            base, _, path = source.partition("/")
            assert path in made.truth.sources[base]


def test_what_holds_the_needles_passes_and_nothing_forbidden_is_asked_for(made: Corpus) -> None:
    for question in questions(made.truth):
        score = scored(gold(question), question)
        assert score.passed, score
        bare = (question.needle, question.aligned)
        assert scored("", question).passed == (bare == ((), ()))


def test_what_is_asked_for_stands_in_its_files_and_what_is_forbidden_does_not(made: Corpus, folder: Path) -> None:
    for question in questions(made.truth):
        text = "\n".join(apart(folder / source) for source in question.sources)
        if not text:
            continue
        assert [one for one in question.forbidden if holds(text, one)] == [], question.id
        if question.battery in ("S1", "S3", "R1q", "R5q", "S5", "U3", "V1", "P1", "X1", "X3", "X4", "A1"):
            wanted = [alternatives for group in (question.needle, *question.aligned) for alternatives in group]
            assert [one for one in wanted if not any(holds(text, way) for way in one)] == [], question.id


def apart(path: Path) -> str:
    """The text of a file, cells of a table with room between them: "146,38" is one number to whoever reads it as text."""
    text = path.read_text(encoding="utf-8")
    return text.replace(",", " | ") if path.suffix == ".csv" and ";" not in text else text


def gold(question: BatteryQuestion) -> str:
    lines = [" ".join(needle[0] for needle in group) for group in question.aligned]
    return "\n".join([*(first for first, _ in question.above), *lines, *(needle[-1] for needle in question.needle)])


def _texts(folder: Path, base: str) -> Iterator[tuple[Path, str]]:
    for path in sorted((folder / base).rglob("*")):
        if path.is_file():
            yield path, path.read_text(encoding="utf-8")
