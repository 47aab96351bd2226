"""What a source said later stands in the place of what it said before, in whatever order the two come in, go and come back."""

from itertools import permutations
from random import Random

import pytest
from support.claims_desk import Desk

from loom.claims.asks import Derive, TakeIn, Wish, Withdraw, ask_of
from loom.core.claims.intake.ids import entry
from loom.core.claims.records import Entry
from loom.core.claims.standing import Standing
from loom.core.claims.stored import Wanted

SAID = ("The pump depends on the valve.", "The pump no longer depends on the valve.")


def memo(day: int, denies: bool) -> Entry:
    return entry("memo", SAID[denies], observed_at=f"2026-05-{day:02}", id=f"memo-{day}")


async def counting(desk: Desk) -> set[str]:
    """The entries whose signal counts."""
    signals = await desk.store.look(lambda view: view.list_signals(Wanted(limit=500)))
    return {each.signal.entry for each in signals if each.supported}


@pytest.mark.parametrize("order", list(permutations(range(3))))
async def test_what_was_said_last_counts_in_whatever_order_it_comes_in(order: tuple[int, ...]) -> None:
    desk = Desk()
    said = [memo(1, False), memo(2, True), memo(3, True)]
    for at in order:
        await desk.do(TakeIn(said[at]))
    assert await counting(desk) == {"memo-2", "memo-3"}
    await desk.do(Withdraw("memo-2", "anna"))
    assert await counting(desk) == {"memo-3"}, "what the third memo says still stands against the first"
    await desk.do(Withdraw("memo-3", "anna"))
    assert await counting(desk) == {"memo-1"}


async def test_what_was_withdrawn_comes_back_behind_what_was_said_since() -> None:
    desk = Desk()
    await desk.do(TakeIn(memo(1, False)), TakeIn(entry("other", "The boiler depends on the pump.")))
    await desk.do(Derive("What does the boiler depend on?"))
    await desk.do(Withdraw("memo-1", "anna"))
    await desk.do(TakeIn(memo(2, True)))
    await desk.do(Withdraw("memo-1", "anna", back=True))
    assert await counting(desk) == {"memo-2", (await _other(desk))}
    assert await desk.standings() == {"The boiler depends on the valve.": Standing.RETRACTED}


async def _other(desk: Desk) -> str:
    (found,) = await desk.store.look(lambda view: view.list_entries("other"))
    return str(found.id)


@pytest.mark.parametrize("seed", range(25))
async def test_nothing_counts_that_a_later_memo_denies_and_the_last_one_does(seed: int) -> None:
    draw, desk = Random(seed), Desk()
    said = {day: draw.random() < 0.5 for day in range(1, 8)}
    waiting, gone = draw.sample(sorted(said), len(said)), set[int]()
    here: set[int] = set()
    for step in range(12):
        wishes: list[Wish] = []
        for _ in range(draw.randint(1, 3)):
            if waiting and (draw.random() < 0.5 or not here):
                day = waiting.pop()
                wishes.append(TakeIn(memo(day, said[day])))
                here.add(day)
            elif here:
                day = draw.choice(sorted(here))
                wishes.append(Withdraw(f"memo-{day}", "anna", back=day in gone))
                gone ^= {day}
        at = f"{desk.now.isoformat()}-{step}"
        await desk.store.enqueue([ask_of(each, at, once=f"{step}-{number}") for number, each in enumerate(wishes)])
        assert not [each for each in (await desk.slow.flush(desk.now)).said.values() if "refused" in each]
        counts = {int(each.removeprefix("memo-")) for each in await counting(desk)}
        live = sorted(here - gone)
        assert counts <= set(live)
        if live:
            assert live[-1] in counts
            assert {said[day] for day in counts} == {said[live[-1]]}


async def test_a_subject_of_several_words_is_one_before_any_verb() -> None:
    desk = Desk()
    await desk.do(TakeIn(entry("memo", "The old feed pump depends on the valve.", observed_at="2026-05-01", id="first")))
    await desk.do(
        TakeIn(entry("memo", "The old feed pump no longer depends on the valve.", observed_at="2026-05-02", id="second"))
    )
    assert await counting(desk) == {"second"}
