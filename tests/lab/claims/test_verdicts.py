"""Verdicts: from figures alone, and nothing on what rests on a part that is gone."""

from dataclasses import replace

from loom.lab.claims.retrieval import Retrieval
from loom.lab.claims.routing import Router
from loom.lab.claims.tested import Gain, share
from loom.lab.claims.verdicts import Found, thesis, verdicts

GOOD, NONE = Gain(100, 0.1, 0.05, 0.0), Gain(100, 0.0, -0.02, 0.5)
CONTRASTS = dict.fromkeys(("dimensions", "positions", "standing", "claims in index", "system", "scoping", "graph"), GOOD)
RETRIEVAL = Retrieval(
    {}, {}, {}, CONTRASTS, dict.fromkeys(("system", "scoping", "graph", "standing"), 0.0), 0.0, 0.2, (), (), 0, 40, 60, 1.0
)  # fmt: skip


def ranked(**changes: Gain) -> Retrieval:
    contrasts = {**CONTRASTS, **changes}
    return replace(RETRIEVAL, contrasts=contrasts, holm={name: contrasts[name].p for name in RETRIEVAL.holm})


def outcomes(found: Found) -> dict[str, str]:
    return {each.part: each.outcome for each in verdicts(found)}


def test_nothing_is_said_of_what_was_not_measured() -> None:
    assert set(outcomes(Found()).values()) == {"not judged"}
    assert thesis(Found(), verdicts(Found())).holds is None


def test_each_gain_has_its_part() -> None:
    for name, part in (("system", "claims"), ("scoping", "scope"), ("standing", "penalty"), ("dimensions", "dimensions")):
        found = outcomes(Found(retrieval=ranked(**{name: NONE})))
        assert [each for each, outcome in found.items() if outcome == "dropped"] == [part]


def test_what_rests_on_claims_is_not_judged_without_them() -> None:
    found = outcomes(Found(retrieval=ranked(system=NONE, dimensions=NONE, standing=NONE)))
    assert found["claims"] == "dropped" and found["dimensions"] == found["penalty"] == found["positions"] == "not judged"


def test_a_gain_that_shuffling_keeps_is_none_of_positions() -> None:
    assert outcomes(Found(retrieval=replace(RETRIEVAL, kept=0.06)))["dimensions"] == "dropped"
    assert outcomes(Found(retrieval=replace(RETRIEVAL, kept=0.05)))["dimensions"] == "kept"
    assert outcomes(Found(retrieval=ranked(positions=NONE)))["dimensions"] == "dropped"


def test_a_router_gives_way_to_what_clears_its_bar() -> None:
    bad, good = share(140, 200, 0.85, 0.90), share(190, 200, 0.85, 0.90)
    few = share(1, 200, 0.10, 0.05)
    for baseline, setting in ((good, "embedding"), (bad, "user")):
        (made,) = [
            each
            for each in verdicts(Found(router=Router(bad, baseline, 0.6, 1.0, few, 0.1, 0.02, True)))
            if each.part == "router"
        ]
        assert (made.outcome, made.settings) == ("dropped", {"router": setting})


def test_an_oracle_that_does_not_win_is_a_defect() -> None:
    found = Found(retrieval=replace(RETRIEVAL, oracle=0.0))
    told = thesis(found, verdicts(found))
    assert told.defects and told.holds is False
