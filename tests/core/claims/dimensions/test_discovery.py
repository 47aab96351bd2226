"""Where candidates come from; none of it reads a standing (I13)."""

import random
from collections.abc import Mapping

import numpy as np
import pytest
from support.claims_made import ANN, claim, commit, just, made, signal
from support.trying import every_world

from loom.core.claims import checks
from loom.core.claims import writes as w
from loom.core.claims.dimensions.contract import Contract
from loom.core.claims.dimensions.directions import directions
from loom.core.claims.dimensions.discovery import Material, Residual, claims_of, material, residuals
from loom.core.claims.dimensions.matching import mismatches
from loom.core.claims.dimensions.placing import placed
from loom.core.claims.dimensions.reading import read, written
from loom.core.claims.network import Network
from loom.core.claims.records import Claim
from loom.core.claims.standing import Standing
from loom.core.errors import BadInput

LOW = "drought ruined the harvest of maize near lake {}"
HIGH = "the grant pays for wells and a budget of year {}"
MIDDLE = "officials met in town hall number {}"


def _unit(rows: np.ndarray) -> np.ndarray:
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), np.float32)


def _planted(size: int = 60, seed: int = 0) -> Material:
    """A domain whose claims lie along one line from drought to grants, with noise around it."""
    rng = np.random.default_rng(seed)
    along = np.linspace(-1, 1, size)
    vectors = rng.normal(0, 0.05, (size, 12))
    vectors[:, 0] += 1.0
    vectors[:, 1] += along
    texts = [(LOW if at < -0.4 else HIGH if at > 0.4 else MIDDLE).format(number) for number, at in enumerate(along)]
    return Material(tuple(f"claim:{at:03}" for at in range(size)), tuple(texts), _unit(vectors))


def test_the_main_direction_is_named_by_its_ends() -> None:
    given = _planted()
    (found, *_) = directions(given)
    assert mismatches(found) == () and read(written(found)) == found
    ends = {frozenset(("drought", "harvest", "lake")), frozenset(("budget", "grant", "pays"))}
    named = found.definition.removeprefix("Where a claim is between ").split(" (0) and ")
    assert {frozenset(each.removesuffix(" (1).").split(", ")) for each in named} == ends
    by_value = {value: [each.text for each in found.prototypes if each.value == value] for value in (0.0, 1.0)}
    assert all(len(texts) == 3 for texts in by_value.values())


def test_positions_along_it_follow_the_line() -> None:
    given = _planted()
    (found, *_) = directions(given)
    rows = [given.texts.index(each.text) for each in found.prototypes]
    codes, relevance = placed(found, given.vectors[rows], given.vectors)
    order = np.corrcoef(codes, np.arange(60))[0, 1]
    assert abs(order) > 0.95 and ((relevance >= 0) & (relevance <= 1)).all()


def test_too_few_claims_nothing_to_name_and_names_that_are_taken() -> None:
    given = _planted(29)
    assert directions(given) == ()
    silent = Material(given.claims * 1, tuple("it is" for _ in given.claims), given.vectors)
    assert directions(silent) == ()
    wide = _planted()
    alike = Material(wide.claims, tuple("the same words everywhere" for _ in wide.claims), wide.vectors)
    flat = Material(wide.claims, wide.texts, np.tile(wide.vectors[:1], (60, 1)))
    assert directions(alike) == () == directions(flat)
    (found, *_) = directions(wide)
    assert found.name not in [each.name for each in directions(wide, [found.name.upper()])]
    assert len(directions(wide, count=1)) == 1


def test_directions_are_the_same_in_any_order_of_claims() -> None:
    given = _planted()
    first = directions(given)
    turned = Material(given.claims[::-1], given.texts[::-1], given.vectors[::-1])
    assert directions(turned) == first == directions(given)


def test_what_the_axes_leave_unexplained() -> None:
    """The first two claims nearly coincide, and every query puts them at the two ends."""
    vectors = _unit(np.vstack(([1, 0.0, 0], [1, 0.01, 0], [0, 1, 0], [0, 0, 1], [0, 1, 1.0])))
    given = Material(tuple("abcde"), tuple("abcde"), vectors)
    scores = np.array([[9, 1, 5, 4, 3.0], [8, 2, 5, 4, 3], [np.nan, 1, 2, np.nan, np.nan]])
    assert residuals(given, scores) == (Residual("a", "b", pytest.approx(1.0, abs=1e-3), 1.0),)
    (best, *_) = residuals(given, scores, near=0.0)
    assert (best.first, best.second, best.apart) == ("a", "b", 1.0)
    assert len(residuals(given, scores, near=0.0, count=4)) == 4
    assert residuals(given, np.full((2, 5), np.nan)) == () == residuals(_planted(1), np.zeros((3, 1)))
    with pytest.raises(BadInput, match="scores"):
        residuals(given, scores[:, :4])


def test_material_is_whole() -> None:
    with pytest.raises(BadInput, match="vector of the claim b"):
        material(["a", "b"], {"a": "x", "b": "y"}, {"a": np.ones(2)})
    with pytest.raises(BadInput, match="for each of 2 claims"):
        Material(("a", "b"), ("x",), np.ones((2, 2)))
    assert material([], {}, {}).claims == ()


def _network(draw: random.Random) -> Network:
    """Claims of two domains, one of them lifted, with whatever happened to them."""
    network = made(signal("s", "one", "climate"), signal("t", "two", "energy"), signal("u", "three", "climate"))
    for at in range(40):
        commit(network, claim(f"c{at:02}", draw.choice(("s", "t", "s t"))))
    commit(network, w.Contradict("u", "c00"))
    return network


def _happened(network: Network, draw: random.Random) -> Mapping[str, Standing]:
    names = [each for each in network.claims() if each.startswith("c")]
    for _ in range(draw.randrange(1, 30)):
        one, other = draw.sample(names, 2)
        write = draw.choice(
            (w.Accept(one, ANN), w.Reject(one, ANN), w.Readmit(one, ANN), w.Contradict(one, other), w.Supersede(one, other),
             w.WithdrawEntry("entry-s"), w.RestoreEntry("entry-s"))
        )  # fmt: skip
        commit(network, write)
    return {each: network.standing(each) for each in names}


@every_world
def test_discovery_reads_no_standing(seed: int, draw: random.Random) -> None:
    rng = np.random.default_rng(seed)
    network = _network(draw)
    names = [f"c{at:02}" for at in range(40)]
    texts = {name: draw.choice((LOW, HIGH, MIDDLE)).format(at) for at, name in enumerate(names)}
    vectors = dict(zip(names, _unit(rng.normal(size=(40, 6)) + 2 * (np.arange(6) == seed % 6)), strict=True))
    scores = rng.random((5, 40))

    def found(_: Mapping[str, Standing]) -> tuple[tuple[str, ...], tuple[Contract, ...], tuple[Residual, ...]]:
        inside = claims_of(network, "climate")
        given = material(inside, texts, vectors)
        kept = [names.index(each) for each in inside]
        return inside, directions(given), residuals(given, scores[:, kept])

    before = _happened(network, draw)
    first = found(before)
    assert checks.indifferent(found, before, [_happened(network, draw)]) == ()
    assert first == found({})
    assert "u" not in first[0] and all(network.home(each) >= {"climate"} for each in first[0])


def test_claims_of_a_domain_leave_lifted_ones_out() -> None:
    network = _network(random.Random(1))
    assert {each for each in network.claims()} - {f"c{at:02}" for at in range(40)} != set()
    commit(network, w.AddClaim(Claim("zz", (just("t"),))))
    inside = claims_of(network, "climate")
    assert all(each.startswith("c") for each in inside) and inside == tuple(sorted(inside))
    assert "zz" in claims_of(network, "energy") and claims_of(network, "space") == ()
