"""A workspace in which nobody has described a domain."""

from support.claims_desk import Desk

from loom.claims.asks import Derive, Describe
from loom.core.claims.standing import Standing
from loom.core.claims.stored import Wanted


async def test_without_domains_contradictions_are_found_all_the_same() -> None:
    desk = Desk()
    await desk.read("The boiler depends on the pump.", "The pump depends on the valve.")
    await desk.do(Derive("What does the boiler depend on?"))
    await desk.read("The boiler no longer depends on the valve.", source="letter", at="2026-05-03")
    assert await desk.standings() == {"The boiler depends on the valve.": Standing.CONTESTED}


async def test_signals_leave_the_general_domain_for_the_first_one_described() -> None:
    desk = Desk()
    await desk.read("The boiler depends on the pump.", "The choir sings in June.")
    made = await desk.do(Describe("plant", "Plant", "boiler pump", "anna"))
    assert made.refiled == 2
    signals = await desk.store.look(lambda view: view.list_signals(Wanted()))
    assert [sorted(each.signal.domains) for each in signals] == [["plant"], []]
