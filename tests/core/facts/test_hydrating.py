"""What a reply asks for: any text is read, names are looked up, and nothing but the named files is touched."""

import random
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache

import pytest
from hypothesis import strategies as st
from support import fact_worlds
from support import held_bases as tv
from support.fact_worlds import World, packed, source_of
from support.recorded_held import RecordedHeld
from support.trying import CASES, QUICK, every_world, many

from loom.core.facts.asked import Ask, Route
from loom.core.facts.assembling import CONTEXTS, CONTRACT, HYDRATE, RULES, SKELETON, Ways, assemble, size_of
from loom.core.facts.choosing import Chosen, choose
from loom.core.facts.fetching import covered, fetch, hydrated, offers, room_beside
from loom.core.facts.hydrating import MOST, PREFIX, Fetch, contract_line, fetches
from loom.core.facts.inventory import Inventory, inventory
from loom.core.facts.labels import LANGUAGES
from loom.core.facts.memory_held import MemoryHeld
from loom.core.facts.values import Attribute, Base, SourceFile, Span
from loom.core.values import Evidence, Tier
from loom.lab.battery import corpus
from loom.lab.battery.directives import replies

PLENTY = 100_000


@dataclass(frozen=True, slots=True)
class Here:
    """A world with what is made of it, made once."""

    world: World
    held: MemoryHeld
    stock: Inventory

    @property
    def ask(self) -> Ask:
        return self.world.ask

    @property
    def route(self) -> Route:
        return self.world.route

    @property
    def spans(self) -> tuple[Span, ...]:
        return self.world.spans


@lru_cache(CASES)
def world(seed: int) -> Here:
    made = fact_worlds.world(seed)
    return Here(made, made.held, made.stock)


HELD = MemoryHeld([tv.base()], tv.facts(), tv.spans(), tv.readings(), tv.rows())
STOCK = inventory([tv.base()])


def asked(text: str, held: MemoryHeld = HELD, routed: Sequence[str] = ()) -> list[tuple[str, str | None, str | None]]:
    """Fetches as (file name, start, end)."""
    stock = inventory(held.bases)
    return [
        (stock.sources[one.source].name, *(None if at is None else f"{at.normalize():f}" for at in (one.start, one.end)))
        for one in fetches(text, held, routed)
    ]


WHOLE = ("a-talk.txt", None, None)


@pytest.mark.parametrize(
    "written",
    [
        "a-talk.txt", "A-TALK.TXT", ' "a-talk.txt" ', "`a-talk.txt`", "“a-talk.txt”", "a-talk.txt.", "./a-talk.txt", "**a-talk.txt**",
        "Maple Street", "maple  street", "Via degli Aceri", "«via degli aceri»", "tv/a-talk.txt", "TV:a-talk.txt", "tv a-talk.txt",
        "a-talk.txt (tv)", "Television/a-talk.txt", "[source: a-talk.txt]", "source: a-talk.txt", "urn:kb:tv:source/a-talk.txt",
        "a-talk.txt - the scene on the quay", "a-talk.txt (what Rosa finds)", "a talk.txt", "ａ-talk.txt", "a-\u200btalk.txt", "<a-talk.txt>",
        "a-talk.txt, a-talk.txt",
    ],
)  # fmt: skip
def test_a_file_is_named_in_many_ways(written: str) -> None:
    assert asked(f"HYDRATE: {written}") == [WHOLE]


@pytest.mark.parametrize(
    "written",
    [
        "", "b-talk.txt", "a-talk", "talk.txt", "/a-talk.txt", "../a-talk.txt", "x/../a-talk.txt", "..\\a-talk.txt", "~/a-talk.txt",
        "file:///a-talk.txt", "C:\\a-talk.txt", "/etc/passwd", "other/a-talk.txt", "a-talk.txt.bak", "a-talk.txt/x", "*", "a-talk.*", "\x00", "Maple",
    ],
)  # fmt: skip
def test_what_nobody_declares_is_dropped(written: str) -> None:
    assert asked(f"HYDRATE: {written}") == []


@pytest.mark.parametrize(
    ("written", "start", "end"),
    [
        ("10-40", "10", "40"), (" 10 – 40 ", "10", "40"), ("0:10-0:40", "10", "40"), ("[00:10]-[00:40]", "10", "40"), ("10..40", "10", "40"),
        ("10.5-20", "10.5", "20"), ("10 to 40", "10", "40"), ("second 10-40", "10", "40"), ("10s-40s", "10", "40"), ("minute 1-2", "60", "120"),
        ("1-2 minutes", None, None), ("1-2 minute", "60", "120"), ("1:02:03-1:02:04,5", "3723", "3724.5"), ("10", "10", None), ("0:30", "30", None), ("7-7", "7", None),
        ("40-10", None, None), ("-", None, None), ("", None, None), ("abc", None, None), ("1e9-2", None, None), ("-5-20", None, None),
        ("0-99999999999999999999", None, None), ("10-40-70", None, None), ("NaN-inf", None, None), ("10-", None, None), ("scene 3-4", None, None),
    ],
)  # fmt: skip
def test_a_range_is_read_in_the_units_of_its_file_or_means_the_whole(written: str, start: str | None, end: str | None) -> None:
    assert asked(f"HYDRATE: a-talk.txt@{written}") == [("a-talk.txt", start, end)]


def test_whole_things_are_counted_up_to_the_end_of_the_last() -> None:
    sections = replace(tv.base(), attributes=(Attribute("scene", "", (("chapter", "1"),)),))
    base = replace(
        sections, sources=tuple(replace(one, attribute="scene" if one.attribute else "") for one in sections.sources)
    )
    held = MemoryHeld([base], (), tv.spans())
    assert asked("HYDRATE: a-talk.txt@3-5", held) == [("a-talk.txt", "3", "6")]
    assert asked("HYDRATE: a-talk.txt@scene 3", held) == [("a-talk.txt", "3", None)]
    assert asked("HYDRATE: a-talk.txt@chapter 3 - chapter 3", held) == [("a-talk.txt", "3", "4")]
    assert asked("HYDRATE: a-talk.txt@2:00-3:00", held) == [WHOLE]


def test_at_most_so_many_count_and_none_twice() -> None:
    text = "\n".join(f"HYDRATE: a-talk.txt@{at * 10}-{at * 10 + 5}" for at in range(9))
    assert len(asked(text)) == MOST
    assert asked("HYDRATE: a-talk.txt@0-10\nHYDRATE: nobody.txt\nHYDRATE: maple street@5-20") == [("a-talk.txt", "0", "20")]
    assert asked("HYDRATE: a-talk.txt@0-10\nHYDRATE: b-talk.srt\nhydrate: A-TALK.TXT") == [WHOLE, ("b-talk.srt", None, None)]
    assert asked("HYDRATE: a-talk.txt\nHYDRATE: a-talk.txt@0-10") == [WHOLE]
    assert asked("HYDRATE: a-talk.txt, b-talk.srt; packages.csv HYDRATE: a-ratings.csv") == [
        WHOLE, ("b-talk.srt", None, None), ("packages.csv", None, None), ("a-ratings.csv", None, None)
    ]  # fmt: skip
    assert asked("Let me see:\nHYDRATE: a-talk.txt\nso that I can answer.") == [WHOLE]


def test_the_same_path_in_two_bases_is_told_apart() -> None:
    one, other = (
        Base(
            f"urn:{name}:",
            name,
            name.title(),
            sources=(SourceFile(f"urn:{name}:notes", f"urn:{name}:", "notes.md", "Notes", "text"),),
        )
        for name in ("left", "right")
    )
    held = MemoryHeld([one, other])

    def sources(text: str, *routed: str) -> list[str]:
        return [fetch.source for fetch in fetches(text, held, routed)]

    assert sources("HYDRATE: notes.md") == ["urn:left:notes", "urn:right:notes"]
    assert sources("HYDRATE: notes.md", "urn:right:") == ["urn:right:notes"]
    assert sources("HYDRATE: left/notes.md", "urn:right:") == ["urn:left:notes"]
    assert sources("HYDRATE: Right: notes.md") == ["urn:right:notes"]
    assert sources("HYDRATE: notes.md [left]") == ["urn:left:notes"]
    assert contract_line(inventory([one, other]), ["urn:right:notes"], LANGUAGES["en"]).count("right/notes.md") == 1


def test_a_name_may_hold_what_parts_it_from_a_range() -> None:
    base = replace(tv.base(), sources=(replace(tv.base().sources[1], name="us@home.txt", title="Team @ work"),))
    held = MemoryHeld([base], (), tv.spans())
    assert asked("HYDRATE: us@home.txt", held) == [("us@home.txt", None, None)]
    assert asked("HYDRATE: us@home.txt@10-20", held) == [("us@home.txt", "10", "20")]
    assert asked("HYDRATE: Team @ work @ 10 - 20", held) == [("us@home.txt", "10", "20")]


_OPENED: list[str] | None = None


def _hear(event: str, arguments: tuple[object, ...]) -> None:
    if _OPENED is not None and event in ("open", "os.listdir", "os.scandir", "socket.connect", "subprocess.Popen"):
        _OPENED.append(f"{event} {arguments[0]!r}")


sys.addaudithook(_hear)


@contextmanager
def nothing_opened() -> Iterator[None]:
    """The interpreter itself says whether anything was opened."""
    global _OPENED
    _OPENED = []
    try:
        yield
        assert _OPENED == []
    finally:
        _OPENED = None


@lru_cache
def battery(seed: int) -> tuple[MemoryHeld, dict[str, str]]:
    """The inventory of a corpus of the battery, and its sources by base and path."""
    bases = [
        Base(
            f"urn:{base}:", base, base.title(),
            sources=tuple(SourceFile(f"urn:{base}:{path}", f"urn:{base}:", path, title, "text") for path, title in sources.items()),
        )
        for base, sources in corpus(seed).truth.sources.items()
    ]  # fmt: skip
    named = {source.iri: f"{base.id}/{source.name}" for base in bases for source in base.sources}
    spans = [Span(f"{iri}#1", iri, iri, Decimal(0), None, "", "text") for iri in named]
    return MemoryHeld(bases, (), spans), named


@pytest.mark.parametrize("seed", range(1, 11))
def test_ten_thousand_malformed_replies_fetch_inventory_files_alone(seed: int) -> None:
    """H1: nothing raises, nothing is opened, nothing is fetched but what is named; what is well formed is."""
    held, named = battery(seed)
    stock, given = inventory(held.bases), replies(corpus(seed).truth, 1000)
    assert len(given) == 1000
    fetches(given[0].text, held)
    with nothing_opened():
        for reply in given:
            found = fetches(reply.text, held)
            sources = [named[one.source] for one in found]
            assert set(sources) <= set(reply.may), reply
            assert len(found) <= MOST
            if reply.must is not None:
                assert sources == list(reply.must), reply
            recorded = RecordedHeld(held)
            got = fetch(recorded, stock, Ask("text"), found)
            assert recorded.asked <= {one.source for one in found}
            assert {passage.source for passage in got.passages} == {one.source for one in found}


NAMES = (
    "0-0.txt", "0-0.csv", "1-0.txt", "0-1.TXT", "0/0-0.txt", "Shelf 0/0-0.txt", "amber file", "/etc/passwd", "../0-0.txt", "", "2-1.tsv",
    "0-0.tsv",
)  # fmt: skip
RANGES = ("", "@0-10", "@5", "@10-5", "@-", "@0-9999999999999", "@1:00-2:00", "@NaN", "@@", "@ 3 - 9 ", "@tick 2-8")
LINES = st.builds(
    "{}{}{}{}{}".format,
    st.sampled_from(["", "- ", "> ", "`", "\u200b", "1. ", "text "]),
    st.sampled_from(["HYDRATE:", "hydrate :", "HYDRATE", "HYDRATE::", "FETCH:"]),
    st.sampled_from(NAMES),
    st.sampled_from(RANGES),
    st.sampled_from(["", '"', "`", " ", "\x00", " HYDRATE: 0-0.txt"]),
)
REPLIES = st.one_of(st.text(max_size=80), st.lists(st.one_of(LINES, LINES, st.text(max_size=20)), max_size=7).map("\n".join))


@many(st.integers(0, CASES - 1), REPLIES)
def test_any_reply_is_read(seed: int, reply: str) -> None:
    """R26: total, bounded, of the inventory alone, and the same each time."""
    here = world(seed)
    held = here.held
    found = fetches(reply, held)
    assert len(found) <= MOST
    assert len(set(found)) == len(found)
    assert all(one.source in here.stock.sources for one in found)
    assert all(one.start is not None or one.end is None for one in found)
    assert all(one.end is None or (one.start is not None and one.start < one.end) for one in found)
    assert fetches(reply, MemoryHeld(here.world.shuffled(seed).bases)) == found
    assert fetches(reply + "\n" + reply, held) == found


@many(st.integers(0, CASES - 1), REPLIES, st.integers(0, 3000))
def test_only_the_named_files_are_read_and_up_to_a_size(seed: int, reply: str, cap: int) -> None:
    """R27."""
    here = world(seed)
    found = fetches(reply, here.held)
    recorded = RecordedHeld(here.held)
    got = fetch(recorded, here.stock, here.ask, found, cap)
    named = {one.source for one in found}
    assert recorded.asked <= named
    assert {passage.source for passage in got.passages} | {
        one.source for one in (*got.facts, *got.readings, *got.rows)
    } <= named
    spans = {span.iri: span for span in here.spans}
    told = [span for passage in got.passages for span in passage.spans]
    assert sum(len(span.text) for span in told) <= max(cap, len(found))
    assert len({span.iri for span in told}) == len(told)
    assert all(span.text in spans[span.iri].text for span in told)
    for passage in got.passages:
        assert all(one.end == other.start for one, other in zip(passage.spans, passage.spans[1:], strict=False))
    if cap >= 2000:
        assert {span.source for span in here.spans} & named == {passage.source for passage in got.passages}
        for one in found:
            if one.start is not None and one.end is not None and (within := here.held.window(one.source, one.start, one.end)):
                assert {span.iri for span in within} <= {span.iri for span in told}


def evidence_of(here: Here, chosen: Chosen, context: str, **more: object) -> list[Evidence]:
    return assemble(here.held, here.stock, here.ask, chosen, Ways(PLENTY, context=context), **more)  # type: ignore[arg-type]


@every_world
def test_a_second_round_is_the_skeleton_with_what_was_asked_for(seed: int, draw: random.Random) -> None:
    """R27, R28: addressed, marked, of named files and the address alone; nothing that was searched for; the same each time."""
    reply = "\n".join(f"HYDRATE: {draw.choice(NAMES)}{draw.choice(RANGES)}" for _ in range(draw.randint(0, 6)))
    budget = draw.randint(150, 3000)
    here = world(seed)
    chosen = choose(here.held, here.stock, here.ask, here.route, "off")
    filled = hydrated(here.held, here.stock, here.ask, chosen, reply, budget)
    found = fetches(reply, here.held, [base for base, _ in chosen.bases])
    if filled is None:
        assert not [one for one in fetch(here.held, here.stock, here.ask, found).passages if one]
        return
    evidence = evidence_of(here, filled, HYDRATE, fetched=True)
    assert evidence == evidence_of(here, filled, HYDRATE, fetched=True)
    addressed = [each for each in evidence if each.tier is Tier.ADDRESSED]
    named = {one.source for one in found} | {passage.source for passage in chosen.passages}
    assert {source_of(each, here.world) for each in addressed} <= named
    assert all(each.tier is not Tier.DISCOVERED or not each.iri.startswith("urn:kb:") for each in evidence)
    marks = [words.authoritative for words in LANGUAGES.values()]
    assert all(any(f", {mark} [source:" in each.lines[0] for mark in marks) for each in addressed)
    before = [each for each in evidence_of(here, chosen, HYDRATE) if each.must and each.iri != RULES]
    first = assemble(here.held, here.stock, here.ask, chosen, Ways(budget, context=HYDRATE))
    second = assemble(here.held, here.stock, here.ask, filled, Ways(budget, context=HYDRATE), fetched=True)
    if sum(map(size_of, (each for each in first if each.must))) <= budget * 4 - 60:
        assert packed(second, budget).tokens <= budget, "a second round refuses no budget that a first one fits"
    after = {each.iri: each.lines for each in evidence if each.must}
    assert all(set(each.lines) <= set(after.get(each.iri, ())) for each in before)
    if sum(sum(map(len, each.lines)) + len(each.lines) + 1 for each in evidence if each.must) + 80 < budget * 4:
        assert packed(evidence, budget).tokens <= budget


@every_world
def test_a_context_to_be_hydrated_has_no_prose_but_what_is_addressed(seed: int, draw: random.Random) -> None:
    """R25: of what a full context shows beside it, only the rest of the rules differs."""
    here = world(seed)
    chosen = choose(here.held, here.stock, here.ask, here.route)
    full, kept, bare = (evidence_of(here, chosen, context) for context in (*CONTEXTS[:1], HYDRATE, SKELETON))

    def of(evidence: list[Evidence], *tiers: Tier) -> list[Evidence]:
        return [each for each in evidence if each.tier in tiers and each.iri != RULES]

    fixed = (Tier.COMPUTED, Tier.ADDRESSED, Tier.STRUCTURE)
    assert of(full, *fixed) == of(kept, *fixed)
    assert of(kept, Tier.COMPUTED, Tier.STRUCTURE) == of(bare, Tier.COMPUTED, Tier.STRUCTURE)
    addressed = {span.text for passage in chosen.passages for span in passage.spans}
    for evidence, shown in ((kept, addressed), (bare, set[str]())):
        together = "\n".join(line for each in evidence for line in each.lines)
        hidden = {span.text for span in here.spans} - shown
        assert not [text for text in hidden if text in together and not any(text in one for one in shown)]
        assert not [each for each in of(evidence, Tier.DISCOVERED) if each.iri.startswith("urn:kb:")]


@every_world
def test_what_may_be_asked_for_is_said_only_while_there_is_something_to_ask(seed: int, draw: random.Random) -> None:
    """R30: covered questions need no second call; files that are offered are those of the routed bases, and give something."""
    here = world(seed)
    chosen = choose(here.held, here.stock, here.ask, here.route, "off")
    files = offers(here.held, here.stock, chosen)
    assert {here.stock.owner(file) for file in files} <= {base for base, _ in chosen.bases} | {
        here.stock.owner(s) for s in chosen.within
    }
    for file in files:
        assert fetch(here.held, here.stock, here.ask, [Fetch(file)]).anything
        assert Fetch(file) in fetches(f"{PREFIX} {here.stock.sources[file].name}", here.held)
    line = contract_line(here.stock, files, LANGUAGES["en"])
    assert bool(line) == bool(files)
    shown = evidence_of(here, chosen, HYDRATE, offers=files)
    assert bool([each for each in shown if each.iri == CONTRACT]) == bool(files and chosen.anything)
    if covered(here.ask, chosen):
        assert (
            chosen.facts or chosen.more or chosen.readings or chosen.rows or chosen.more_rows or chosen.passages or chosen.notes
        )


def test_no_room_for_the_contract_leaves_it_out() -> None:
    draw = random.Random(1)
    for _ in range(300):
        here = world(draw.randrange(QUICK))
        chosen = choose(here.held, here.stock, here.ask, here.route, "off")
        files = offers(here.held, here.stock, chosen)
        budget = draw.randint(40, 300)
        evidence = assemble(here.held, here.stock, here.ask, chosen, Ways(budget, context=HYDRATE), offers=files)
        must = sum(sum(map(len, each.lines)) + len(each.lines) + 1 for each in evidence if each.must)
        if must + 60 <= budget * 4:
            block = packed(evidence, budget)
            assert all(each.tier is Tier.ADDRESSED for each in block.dropped)


def test_a_large_file_gives_what_the_question_asks_for_with_what_follows() -> None:
    spans = [
        tv.span(number, str(number * 10), str(number * 10 + 10), f"Nothing happens in unit {number}.") for number in range(3000)
    ]
    spans[2000] = replace(spans[2000], text="Rosa finds the ledger under the pier.")
    held = MemoryHeld([tv.base()], (), spans)
    ask = Ask("Where does Rosa find the ledger in Maple Street?", "en", passage=True)

    def texts(reply: str, cap: int = 500) -> list[str]:
        return [span.text for passage in fetch(held, STOCK, ask, fetches(reply, held), cap).passages for span in passage.spans]

    assert texts("HYDRATE: a-talk.txt") == [spans[number].text for number in (2000, 2001, 2002)]
    assert texts("HYDRATE: a-talk.txt@0-30000") == texts("HYDRATE: a-talk.txt@0-99999999999") == texts("HYDRATE: a-talk.txt")
    assert texts("HYDRATE: a-talk.txt@100-120") == [spans[10].text, spans[11].text]
    assert texts("HYDRATE: a-talk.txt@500000-600000") == texts("HYDRATE: a-talk.txt")
    nothing = Ask("zzz qqq", "en")
    got = fetch(held, STOCK, nothing, fetches("HYDRATE: a-talk.txt", held), 320)
    assert [span.text for passage in got.passages for span in passage.spans] == [spans[0].text, spans[1].text, spans[2].text]


def test_of_a_unit_that_is_too_long_the_sentence_asked_for_is_shown() -> None:
    long = " ".join(f"Sentence {number} says nothing." for number in range(400))
    text = f"{long} Rosa finds the ledger under the pier. {long}"
    held = MemoryHeld([tv.base()], (), [replace(tv.spans()[0], text=text)])
    ask = Ask("Where does Rosa find the ledger in Maple Street?", "en", passage=True)
    (passage,) = fetch(held, STOCK, ask, [Fetch(tv.TALK)], 400).passages
    (span,) = passage.spans
    assert span.text.startswith("Rosa finds the ledger under the pier.")
    assert span.text in text
    assert len(span.text) <= 400
    (bare,) = fetch(held, STOCK, Ask("zzz"), [Fetch(tv.TALK)], 400).passages
    assert bare.spans[0].text.startswith("Sentence 0 says nothing.")


def test_what_is_fetched_leaves_room_for_what_the_address_gave() -> None:
    for seed in range(QUICK):
        here = world(seed)
        for budget in (600, 1500):
            chosen = choose(here.held, here.stock, here.ask, here.route, "off")
            room = room_beside(here.held, here.stock, here.ask, chosen, budget)
            reply = "HYDRATE: 0-0.txt\nHYDRATE: 1-0.txt\nHYDRATE: 0-1.txt\nHYDRATE: 2-0.txt"
            filled = hydrated(here.held, here.stock, here.ask, chosen, reply, budget)
            if filled is not None and room > budget:
                ways = Ways(budget, context=HYDRATE)
                block = packed(assemble(here.held, here.stock, here.ask, filled, ways, fetched=True), budget)
                assert not [each for each in block.dropped if each.tier is Tier.ADDRESSED]
                assert not [served for served in block.served if served.cut and served.evidence.tier is Tier.ADDRESSED]


def test_a_series_gives_its_facts_and_a_table_its_rows() -> None:
    got = fetch(
        HELD, STOCK, Ask("x"), fetches("HYDRATE: a-ratings.csv@12\nHYDRATE: packages.csv\nHYDRATE: a-ratings.csv", HELD)
    )
    assert {fact.statistic for fact in got.facts} == {"max", "min", "count"}
    assert [row.cells[0] for row in got.rows] == ["Gold", "Silver"]
    assert not got.passages
    point = fetch(HELD, STOCK, Ask("x"), [Fetch(tv.RATINGS, Decimal(12))])
    assert [reading.value for reading in point.readings] == ["19.20"]
