"""Provenance of whatever texts and ids there are: statements that parse to exactly them, each thing under an address of its own."""

from typing import Any, cast

import pyoxigraph as ox
from hypothesis import strategies as st
from support.trying import many

from loom.claims.closure import poured
from loom.claims.prov import PROV
from loom.core.claims.history import Move
from loom.core.claims.records import Agent, Claim, Derivation, Entry, Justification, Precondition, Signal
from loom.core.claims.standing import Standing
from loom.core.claims.stored import StoredClaim, StoredSignal
from loom.core.claims.view import ClaimView
from loom.core.rdf.vocab import TYPE
from loom.core.represent import LOOM

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
NAMED = TEXT.filter(lambda text: text != "")
CLAIM, SIGNAL = "claim:0011223344556677", "signal:8899aabbccddeeff"


class View:
    """One entry, its signal and a claim on it, as a version that holds no more."""

    version, at = 7, "2026-05-01T10:00:00+00:00"

    def __init__(self, entry: Entry, signal: StoredSignal, claim: StoredClaim) -> None:
        self._held = (entry, signal, claim)

    def list_entries(self, source: str = "", after: str = "", limit: int = 50) -> list[Entry]:
        return [] if after else [self._held[0]]

    def list_signals(self, wanted: Any) -> list[StoredSignal]:
        return [] if wanted.after else [self._held[1]]

    def list_claims(self, wanted: Any) -> list[StoredClaim]:
        return [] if wanted.after else [self._held[2]]

    def conflicts(self, claim: str) -> list[Any]:
        return []

    def claims(self, ids: Any) -> dict[str, Any]:
        return {}

    signals = claims

    def history(self, claim: str) -> list[Move]:
        return [Move(4, "2026-05-01T09:00:00Z", claim, Standing.PROPOSED, self._held[2].standing, "support")]


STANDINGS = st.sampled_from([each for each in Standing if each is not Standing.NONE])


@many(
    st.one_of(NAMED, st.sampled_from([CLAIM, SIGNAL, "entry:1", "graph:claims"])), NAMED, TEXT, TEXT, STANDINGS, st.booleans()
)
def test_what_is_said_is_what_is_parsed(id: str, source: str, text: str, who: str, standing: Standing, gone: bool) -> None:
    entry = Entry(id, source, text, who, who, text, text, "2026-05-02" if gone else "")
    signal = StoredSignal(Signal(SIGNAL, id, text, (0, 3), text, who), source, not gone)
    just = Justification((SIGNAL,), Derivation("user", Agent("person", who), "2026-05-01", text))
    claim = StoredClaim(Claim(CLAIM, (just,), text, (Precondition("a", text),)), standing, True, frozenset({source}))
    lines: list[str] = []
    told = poured(cast(ClaimView, View(entry, signal, claim)), lines.append)
    assert told == {"version": 7, "entries": 1, "signals": 1, "claims": 1}
    parsed = [quad.triple for line in lines for quad in ox.parse(f"{line}\n".encode(), ox.RdfFormat.N_TRIPLES)]
    assert len(parsed) == len(lines), "a line is a statement"

    def said(subject: str, predicate: str) -> set[str]:
        return {each.object.value for each in parsed if (each.subject.value, each.predicate.value) == (subject, predicate)}

    (at,) = {each.subject.value for each in parsed if each.object == ox.NamedNode(LOOM + "Entry")}
    of_claim, of_signal = f"urn:loom:{CLAIM}", f"urn:loom:{SIGNAL}"
    assert said(at, LOOM + "id") == {id} and said(at, LOOM + "source") == {source}
    assert said(of_claim, PROV + "value") == said(of_signal, PROV + "value") == ({text} if text else set())
    assert said(of_claim, TYPE) == {PROV + "Entity", LOOM + "Claim"}, "nothing else is at the address of a claim"
    assert said(of_claim, LOOM + "domain") == {source} and said(of_signal, PROV + "wasQuotedFrom") == {at}
    counts = standing not in (Standing.RETRACTED, Standing.SUPERSEDED)
    assert counts is not bool(said(of_claim, PROV + "wasInvalidatedBy"))
    assert gone is bool(said(at, PROV + "wasInvalidatedBy")) is bool(said(of_signal, PROV + "wasInvalidatedBy"))
