"""What every store of conversations does: one suite over the in-memory fake, SQLite and, where there is a server, PostgreSQL."""

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from support.memory_stores import needs_postgres, opened, running
from support.postgres_server import Server
from support.remembering import DIALOGUE, HERE, TERMS, read, shown

from loom.core.errors import BadInput
from loom.core.memory.memory_view import MemoryView
from loom.core.memory.values import Reading, Said, Scope, Size, View
from loom.ports import Kept, Memories
from loom_adapters.memory.kept import FakeMemories


@pytest.fixture(scope="module")
def server() -> Iterator[Server | None]:
    with running() as found:
        yield found


@pytest.fixture(params=["fake", "sqlite", pytest.param("postgres", marks=needs_postgres)])
async def memories(request: pytest.FixtureRequest, tmp_path: Path, server: Server | None) -> AsyncIterator[Memories]:
    made = opened(request.param, tmp_path, server)
    yield made
    await made.aclose()


async def seen(memories: Memories, scope: Scope = HERE, terms: tuple[str, ...] = TERMS) -> dict[str, object]:
    return await memories.look(scope, lambda view: shown(view, terms))


async def exported(memories: Memories, scope: Scope = HERE) -> list[bytes]:
    return [line async for line in memories.export(scope)]


def expected(*turns: Said | None) -> MemoryView:
    """The view of the lab over the same turns; None stands for one that was deleted."""
    view = MemoryView()
    for said in turns:
        if said is None:
            view.next += 1
        else:
            view.add(said, read(view, view.next, said))
    return view


async def test_what_was_kept_is_seen_as_the_lab_sees_it(memories: Memories) -> None:
    kept = await memories.append(HERE, DIALOGUE[:2], read)
    assert list(kept) == [Kept(0, "new"), Kept(1, "new")]
    for said in DIALOGUE[2:]:
        await memories.append(HERE, [said], read)
    found = await seen(memories)
    assert found == shown(expected(*DIALOGUE))
    assert found["postings"]["kiln"][0] == (1, "", 1, 0, 6, 6)  # type: ignore[index]


async def test_a_batch_is_read_as_single_turns_are(memories: Memories) -> None:
    looked: list[object] = []

    def reading(view: View, turn: int, said: Said) -> Reading:
        looked.append(shown(view))
        return read(view, turn, said)

    await memories.append(HERE, DIALOGUE, reading)
    assert looked == [shown(expected(*DIALOGUE[:number])) for number in range(len(DIALOGUE))]
    assert await seen(memories) == shown(expected(*DIALOGUE))


async def test_a_long_conversation_is_the_same_at_every_length(memories: Memories) -> None:
    """Stores put postings together every so many turns, which nobody may notice."""
    turns = [
        Said(("Anna", "Ben")[at % 2], f"I have tea {at}. Ben likes pottery? Clara kiln.", id=f"t{at}") for at in range(130)
    ]
    view = expected()
    for at, said in enumerate(turns):
        await memories.append(HERE, [said], read)
        view.add(said, read(view, at, said))
        if at % 9 == 0 or at > 120:
            assert await seen(memories) == shown(view)
    await memories.forget(HERE, ["t3", "t60", "t129"])
    for turn in (3, 60, 129):
        view.delete(turn)
    assert await seen(memories) == shown(view)


async def test_nobody_known_is_an_empty_conversation(memories: Memories) -> None:
    found = await seen(memories)
    assert found["size"] == Size() and not found["said"] and not found["people"] and not found["postings"]
    assert await memories.forget_conversation(HERE) == await memories.forget(HERE, ["t1"]) == 0
    assert await memories.forget_caller("alice") == await memories.forget_subject(HERE, "anna", read) == 0
    assert await exported(memories) == [] and list(await memories.conversations("alice")) == []


async def test_the_same_turn_again_changes_nothing(memories: Memories) -> None:
    await memories.append(HERE, DIALOGUE[:3], read)
    before = await seen(memories)
    again = await memories.append(HERE, [*DIALOGUE[:3], DIALOGUE[1]], read)
    assert [each.state for each in again] == ["known"] * 4 and [each.turn for each in again] == [0, 1, 2, 1]
    assert await seen(memories) == before


async def test_another_text_under_an_id_is_refused_and_nothing_of_its_batch_kept(memories: Memories) -> None:
    await memories.append(HERE, DIALOGUE[:2], read)
    before = await seen(memories)
    with pytest.raises(
        BadInput, match="Expected the turn 't1' as it was kept, but it says something else; give a changed turn"
    ):
        await memories.append(HERE, [DIALOGUE[3], Said("Anna", "I never did.", id="t1")], read)
    assert await seen(memories) == before
    with pytest.raises(BadInput, match="says something else"):
        await memories.append(HERE, [Said("A", "x", id="new"), Said("A", "y", id="new")], read)
    assert await seen(memories) == before


async def test_a_reader_that_fails_leaves_nothing(memories: Memories) -> None:
    def failing(view: View, turn: int, said: Said) -> Reading:
        if turn == 2:
            raise RuntimeError("no")
        return read(view, turn, said)

    with pytest.raises(RuntimeError):
        await memories.append(HERE, DIALOGUE, failing)
    assert (await seen(memories))["size"] == Size()
    await memories.append(HERE, DIALOGUE, read)
    assert await seen(memories) == shown(expected(*DIALOGUE))


async def test_a_turn_without_an_id_is_refused(memories: Memories) -> None:
    with pytest.raises(BadInput, match="Expected an id for each turn"):
        await memories.append(HERE, [Said("Anna", "Hello.")], read)


async def test_text_that_is_no_unicode_is_refused(memories: Memories) -> None:
    with pytest.raises(BadInput, match="cannot be written as UTF-8"):
        await memories.append(HERE, [Said("Anna", "half \ud800 a pair", id="x")], read)


BAD_SCOPES = [
    SimpleNamespace(caller="alice", conversation=None),
    SimpleNamespace(caller="", conversation="holidays"),
    SimpleNamespace(caller="  ", conversation="holidays"),
    SimpleNamespace(caller=None, conversation="holidays"),
    SimpleNamespace(caller="alice", conversation=""),
    SimpleNamespace(caller="alice"),
    SimpleNamespace(caller=b"alice", conversation="holidays"),
    None,
]


@pytest.mark.parametrize("scope", BAD_SCOPES)
async def test_without_a_whole_scope_nothing_is_done(memories: Memories, scope: Any) -> None:
    await memories.append(HERE, DIALOGUE, read)
    before = await seen(memories)
    doing = [
        lambda: memories.append(scope, DIALOGUE, read),
        lambda: memories.append(scope, [], read),
        lambda: memories.look(scope, shown),
        lambda: memories.forget(scope, ["t1"]),
        lambda: memories.forget_subject(scope, "anna", read),
        lambda: memories.forget_conversation(scope),
        lambda: exported(memories, scope),
    ]
    for each in doing:
        with pytest.raises(BadInput, match=r"Expected a (caller|conversation) for a memory"):
            await each()
    assert await seen(memories) == before


@pytest.mark.parametrize("caller", ["", " \t", None, 5])
async def test_without_a_caller_nothing_is_done(memories: Memories, caller: Any) -> None:
    await memories.append(HERE, DIALOGUE, read)
    lines = await exported(memories)
    for each in (memories.conversations, memories.forget_caller, lambda caller: memories.restore(caller, lines)):
        with pytest.raises(BadInput, match="Expected a caller for a memory"):
            await each(caller)
    assert (await seen(memories))["size"] == expected(*DIALOGUE).size()


async def test_callers_and_conversations_of_like_names_are_apart(memories: Memories) -> None:
    scopes = [Scope(caller, name) for caller in ("a", "A", "a ", "a\0b", "á", "a%", "*") for name in ("b", "ab", "b ", "c'--")]
    for number, scope in enumerate(scopes):
        await memories.append(scope, [Said("Anna", f"I keep secret{number}.", id="t1")], read)
    for number, scope in enumerate(scopes):
        found = await seen(memories, scope, tuple(f"secret{each}" for each in range(len(scopes))))
        assert list(found["postings"]) == [f"secret{number}"]  # type: ignore[call-overload]
    assert list(await memories.conversations("a")) == ["b", "ab", "b ", "c'--"]
    assert await memories.forget_caller("a") == 4
    assert list(await memories.conversations("a")) == [] and len(await memories.conversations("A")) == 4


async def _interleaved(memories: Memories, queries: int) -> int:
    """Leaks over so many looks: ten callers, who use the same names for conversations, people and turns, write and look in turn."""
    draw, written = random.Random(7), dict.fromkeys(range(10), 0)
    canaries = tuple(f"canary{caller}" for caller in range(10))
    leaks = 0

    async def one(caller: int) -> int:
        scope = Scope(f"caller {caller}", f"talk {draw.randrange(3)}")
        if draw.random() < 0.03:
            written[caller] += 1
            said = Said("Anna", f"I hold canary{caller} and tea. Ben too.", id=f"t{written[caller]}")
            await memories.append(scope, [said], read)

        def look(view: View) -> int:
            wrong = sum(name != f"canary{caller}" for name in view.postings(canaries))
            wrong += sum(number > 0 and name != f"canary{caller}" for name, number in view.frequency(canaries).items())
            texts = view.said(range(8)).values()
            pieces = view.pieces([(turn, who) for turn in range(8) for who in ("anna", "ben", "")]).values()
            terms = {term for piece in pieces for term in piece.own if term.startswith("canary")}
            return wrong + sum(f"canary{caller} " not in said.text for said in texts) + len(terms - {f"canary{caller}"})

        return await memories.look(scope, look)

    for at in range(0, queries, 100):
        leaks += sum(await asyncio.gather(*(one(draw.randrange(10)) for _ in range(min(100, queries - at)))))
    assert all(written.values()), "every caller has something to be leaked"
    return leaks


async def test_ten_callers_never_see_one_another(memories: Memories) -> None:
    assert await _interleaved(memories, 2000) == 0


@pytest.mark.slow
@pytest.mark.timeout(900)
async def test_ten_callers_never_see_one_another_in_a_hundred_thousand_queries(memories: Memories) -> None:
    """A fifth of them in PostgreSQL, which is ten times as slow."""
    assert await _interleaved(memories, 20_000 if type(memories).__name__ == "PostgresMemories" else 100_000) == 0


async def test_deleted_turns_leave_what_is_left_had_they_never_been_said(memories: Memories) -> None:
    await memories.append(HERE, DIALOGUE, read)
    assert await memories.forget(HERE, ["t2", "nothing", "t2"]) == 1
    assert await seen(memories) == shown(expected(DIALOGUE[0], None, *DIALOGUE[2:]))
    assert await memories.forget(HERE, ["t5", "t1", "t2"]) == 2
    assert await seen(memories) == shown(expected(None, None, *DIALOGUE[2:4]))


async def test_a_deleted_turn_does_not_come_back_when_it_is_sent_again(memories: Memories) -> None:
    await memories.append(HERE, DIALOGUE, read)
    await memories.forget(HERE, ["t2"])
    before = await seen(memories)
    assert [each.state for each in await memories.append(HERE, DIALOGUE, read)] == ["known", "gone", "known", "known", "known"]
    assert await seen(memories) == before
    (kept,) = await memories.append(HERE, [Said("Ben", "I came back.", id="t6")], read)
    assert kept == Kept(5, "new"), "a number is never given twice"


async def test_a_forgotten_subject_is_nowhere(memories: Memories) -> None:
    await memories.append(HERE, DIALOGUE, read)
    assert await memories.forget_subject(HERE, "anna", read) == 4
    found = await seen(memories)
    assert "anna" not in str(found).lower()
    said: dict[int, Said] = found["said"]  # type: ignore[assignment]
    assert {turn: each.text for turn, each in said.items()} == {
        1: "I bought a canoe.",
        3: "I live in Lisbon. My sister Dora paints.",
        4: "Nothing else.",
    }
    assert {person.key for person in found["people"]} == {"ben", "clara", "dora"}  # type: ignore[attr-defined]
    assert [each.state for each in await memories.append(HERE, DIALOGUE, read)] == ["gone", "known", "gone", "known", "known"]
    assert await seen(memories) == found


async def test_a_short_form_of_a_name_is_forgotten_with_it(memories: Memories) -> None:
    await memories.append(HERE, [*DIALOGUE, Said("Ben", "I met Ann at noon. I ate soup.", id="t6")], read)
    await memories.forget_subject(HERE, "anna", read)
    found = await memories.look(HERE, lambda view: view.said([5])[5])
    assert found.text == "I ate soup."


async def test_a_name_that_is_a_word_is_forgotten_however_it_is_written(memories: Memories) -> None:
    turns = [Said("Mark Lind", "I swim.", id="m1"), Said("Ben", "i met mark at noon. I ate soup.", id="m2")]
    await memories.append(HERE, turns, read)
    await memories.forget_subject(HERE, "mark lind", read)
    assert (await memories.look(HERE, lambda view: view.said([1])[1])).text == "I ate soup."


async def test_somebody_who_was_only_spoken_of_is_forgotten_too(memories: Memories) -> None:
    await memories.append(HERE, DIALOGUE, read)
    assert await memories.forget_subject(HERE, "dora", read) == 1
    found = await seen(memories)
    assert "dora" not in str(found).lower() and found["said"][3].text == "I live in Lisbon."  # type: ignore[index]
    assert await memories.forget_subject(HERE, "dora", read) == 0


@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(2, 8))])
async def test_whatever_is_done_in_whatever_order_every_store_is_the_same(memories: Memories, seed: int) -> None:
    draw, fake, number = random.Random(seed), FakeMemories(), 0
    words = "pottery kiln canoe glazes Lisbon friends Dora Clara Anna Ben Zoë tea".split()
    asked = tuple(word.lower() for word in words)

    async def both(do: Callable[[Memories], Awaitable[object]]) -> None:
        assert await do(memories) == await do(fake)

    for _ in range(20):
        scope = Scope(draw.choice("xy"), draw.choice("uv"))
        made = []
        for _ in range(draw.randrange(1, 5)):
            number += 1
            text = " ".join(" ".join(draw.choices(words, k=4)) + draw.choice(".?") for _ in range(draw.randrange(1, 4)))
            made.append(
                Said(draw.choice(["Anna", "Ben", "Clara"]), text, "2024-05-01", f"t{number}", draw.choice(["", "Dora"]))
            )
        await both(lambda each, scope=scope, made=made: each.append(scope, made, read))  # type: ignore[misc]
        ids = [f"t{each}" for each in range(1, number + 1) if draw.random() < 0.1]
        who, kind = draw.choice(["anna", "dora", "zoe", "clara"]), draw.random()
        if kind < 0.5:
            await both(lambda each, scope=scope, ids=ids: each.forget(scope, ids))  # type: ignore[misc]
        elif kind < 0.8:
            await both(lambda each, scope=scope, who=who: each.forget_subject(scope, who, read))  # type: ignore[misc]
        elif kind < 0.9:
            await both(lambda each, scope=scope: each.forget_conversation(scope))  # type: ignore[misc]
        await both(lambda each, scope=scope: seen(each, scope, asked))  # type: ignore[misc]
    for scope in (Scope(caller, name) for caller in "xy" for name in "uv"):
        await both(lambda each, scope=scope: seen(each, scope, asked))  # type: ignore[misc]
        await both(lambda each, scope=scope: exported(each, scope))  # type: ignore[misc]


async def test_what_was_on_its_way_is_not_kept_once_something_was_deleted(memories: Memories) -> None:
    more = [Said("Ben", "More tea.", id="more")]
    deletions: list[Callable[[], Awaitable[int]]] = [
        lambda: memories.forget(HERE, ["t5"]),
        lambda: memories.forget_subject(HERE, "dora", read),  # one turn is cut, none is taken out
        lambda: memories.forget_conversation(HERE),
        lambda: memories.forget_caller(HERE.caller),
    ]
    for delete in deletions:
        await memories.forget_caller(HERE.caller)
        await memories.append(HERE, DIALOGUE, read)
        since = await memories.since(HERE)
        assert [each.state for each in await memories.append(HERE, more, read, since)] == ["new"], "nothing was deleted yet"
        assert await delete() >= 1
        after = await exported(memories)
        assert list(await memories.append(HERE, [Said("Ben", "Late tea.", id="late")], read, since)) == []
        assert await exported(memories) == after
        await memories.append(HERE, DIALOGUE, read)
        assert list(await memories.append(HERE, [Said("Ben", "Late tea.", id="late")], read, since)) == []
        now = await memories.since(HERE)
        assert [each.state for each in await memories.append(HERE, [Said("Ben", "Tea.", id="now")], read, now)] == ["new"]


async def test_a_conversation_that_begins_meanwhile_is_no_deletion(memories: Memories) -> None:
    since = await memories.since(HERE)
    await memories.append(HERE, DIALOGUE, read)
    await memories.forget(Scope(HERE.caller, "another"), ["t1"])
    assert [each.state for each in await memories.append(HERE, [Said("Ben", "Tea.", id="t6")], read, since)] == ["new"]
    await memories.forget(HERE, ["t1"])
    assert list(await memories.append(HERE, [Said("Ben", "More.", id="t7")], read, since)) == []


async def test_appends_and_deletions_side_by_side_fail_never(memories: Memories) -> None:
    """A conversation may be gone between finding its number and writing to it: then it begins anew."""

    async def one(number: int) -> None:
        if number % 3:
            await memories.append(HERE, [Said("Anna", f"I have tea {number}.", id=f"t{number}")], read)
        elif number % 2:
            await memories.forget_subject(HERE, "anna", read)
        else:
            await memories.forget_conversation(HERE)

    await asyncio.gather(*map(one, range(60)))
    await memories.forget_caller(HERE.caller)
    assert (await seen(memories))["size"] == Size() and await exported(memories) == []


async def test_a_caller_whose_last_conversation_goes_loses_no_other_that_begins(memories: Memories) -> None:
    """Each has a conversation of its own, which begins and ends again and again while those of the others do."""

    async def one(name: str) -> None:
        scope = Scope("alice", name)
        for number in range(8):
            await memories.append(scope, [Said("Anna", f"I have tea {number}.", id=f"t{number}")], read)
            assert await memories.look(scope, lambda view: view.size().turns) == 1, "what was acknowledged is there"
            assert await memories.forget_conversation(scope) == 1

    await asyncio.gather(*(one(f"c{number}") for number in range(8)))
    assert list(await memories.conversations("alice")) == []


async def test_a_deleted_conversation_begins_anew(memories: Memories) -> None:
    other = Scope("alice", "work")
    await memories.append(HERE, DIALOGUE, read)
    await memories.append(other, DIALOGUE[:1], read)
    assert await memories.forget_conversation(HERE) == 5
    assert (await seen(memories))["size"] == Size() and list(await memories.conversations("alice")) == ["work"]
    assert [each.state for each in await memories.append(HERE, DIALOGUE, read)] == ["new"] * 5
    assert await seen(memories) == shown(expected(*DIALOGUE))
    assert await seen(memories, other) == shown(expected(*DIALOGUE[:1]))


async def test_an_export_gives_the_same_view_elsewhere(memories: Memories) -> None:
    await memories.append(HERE, DIALOGUE, read)
    await memories.forget(HERE, ["t2"])
    await memories.forget_subject(HERE, "dora", read)
    lines = await exported(memories)
    assert list(await memories.restore("bob", lines)) == ["holidays"]
    there = Scope("bob", "holidays")
    assert await seen(memories, there) == await seen(memories)
    assert await exported(memories, there) == lines
    assert [each.state for each in await memories.append(there, DIALOGUE, read)] == ["known", "gone", "known", "known", "known"]
    (kept,) = await memories.append(there, [Said("Ben", "More.", id="t6")], read)
    assert kept.turn == 6, "deleting somebody leaves a number out"


async def test_an_export_is_the_same_whatever_the_store(memories: Memories) -> None:
    fake = FakeMemories()
    for each in (memories, fake):
        await each.append(HERE, DIALOGUE, read)
        await each.forget(HERE, ["t4"])
    assert await exported(memories) == await exported(fake)


async def test_a_caller_is_exported_one_conversation_after_another(memories: Memories) -> None:
    for name in ("one", "two"):
        await memories.append(Scope("alice", name), DIALOGUE, read)
    lines = [line for name in await memories.conversations("alice") async for line in memories.export(Scope("alice", name))]
    assert list(await memories.restore("bob", lines)) == ["one", "two"]
    assert await seen(memories, Scope("bob", "two")) == shown(expected(*DIALOGUE))


async def test_an_import_does_not_mix_with_what_is_there(memories: Memories) -> None:
    await memories.append(HERE, DIALOGUE, read)
    with pytest.raises(BadInput, match="Expected a conversation that is not there yet, but 'holidays' is; delete it first"):
        await memories.restore("alice", await exported(memories))


HEAD = b'{"loom_memory":1,"conversation":"holidays","next":9}'
TURN = b'{"turn":0,"id":"t","speaker":"A","text":"hi","date":"","caption":"","pieces":[],"people":[]}'


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        ([], "it is empty"),
        ([TURN], "an export begins with a line"),
        ([b"{"], "Line 1 is not"),
        ([b"[]"], "it is no object"),
        ([HEAD.replace(b":1,", b":2,")], "expected format 1"),
        ([HEAD.replace(b"holidays", b" ")], "Expected a conversation"),
        ([HEAD, TURN, TURN], "turn 0 comes after turn 0"),
        ([HEAD, TURN, TURN.replace(b":0,", b":1,")], "no id of its own|ids of their own"),
        ([HEAD, TURN.replace(b'"t"', b'""')], "no id of its own|ids of their own"),
        ([HEAD, TURN.replace(b'"hi"', b"7")], "expected text, but got 7"),
        ([HEAD, TURN.replace(b'"pieces":[]', b'"pieces":[{"subject":"a","sentences":[[0,9,false,"",[]]],"own":{},"beside":{}}]')], "outside"),
        ([HEAD, TURN.replace(b'"pieces":[]', b'"pieces":[{"subject":"a","sentences":[],"own":{"x":-1},"beside":{}}]')], "whole number"),
        ([HEAD, b'{"turn":0,"gone":"00"}'], "16 bytes"),
        ([HEAD, TURN, b'{"turn":1}'], "Line 3 is not"),
    ],
)  # fmt: skip
async def test_an_import_that_is_none_keeps_nothing(memories: Memories, lines: list[bytes], why: str) -> None:
    with pytest.raises(BadInput, match=why):
        await memories.restore("alice", lines)
    assert list(await memories.conversations("alice")) == []


async def test_many_at_once_are_all_kept(memories: Memories) -> None:
    scopes = [Scope("alice", f"c{number % 4}") for number in range(200)]
    turns = [Said("Anna", f"I have tea {number}.", id=f"t{number}") for number in range(200)]
    await asyncio.gather(*(memories.append(scope, [said], read) for scope, said in zip(scopes, turns, strict=True)))
    for number in range(4):
        found = await seen(memories, Scope("alice", f"c{number}"), ("tea",))
        assert found["size"].turns == found["frequency"]["tea"] == 50  # type: ignore[attr-defined,index]


async def test_waiting_for_the_store_keeps_nobody_waiting(memories: Memories) -> None:
    ticks = 0

    async def ticking() -> None:
        nonlocal ticks
        while True:
            await asyncio.sleep(0.001)
            ticks += 1

    clock = asyncio.create_task(ticking())
    turns = [Said("Anna", f"I have tea {number}. Ben has {number} cups.", id=f"t{number}") for number in range(400)]
    await memories.append(HERE, turns, read)
    clock.cancel()
    assert ticks > 0 or isinstance(memories, FakeMemories)
