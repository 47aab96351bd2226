"""Judges whose answers are a table: the fake of every port of judgement. It counts each call as a model would be paid for it."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256

import orjson

from loom.core.claims.judging.asked import Brief, Inference, Inquiry, Pair, Placing, Request, Sample
from loom.core.claims.judging.calls import Call, Component, Judged, Outcome
from loom.core.claims.judging.given import (
    Artifact,
    Decided,
    Drawn,
    Extract,
    Filed,
    Inferred,
    Opinion,
    Placed,
    Proposal,
    Verdict,
    Way,
)
from loom.core.claims.judging.rendering import render
from loom.core.claims.records import Domain, Entry
from loom.core.values import Json, tokens_of


@dataclass(slots=True)
class FakeJudges:
    """What each judge says, by what it is asked; what is not in a table gets the answer that writes nothing.

    `propositions` are texts within an entry by its id, `holds` are (premise, proposition) that are entailed beside equal ones,
    `opinions` verdicts by (new, candidate), `inferred` by question, `values` by (axis, proposition), `filed` domains by text, `ways`
    by request, `proposals` by domain, `passages` by question,
    `fitting` scores by (question, text). One call an item; the same item again is `cached` and free. Tokens are counted as the node counts
    them, at `price` a million in and out. `counts` are the calls by component, cached ones not among them; `malformed` are components of
    which every reply is refused.
    """

    propositions: Mapping[str, Sequence[str]] = field(default_factory=dict)
    holds: frozenset[tuple[str, str]] = frozenset()
    opinions: Mapping[tuple[str, str], Verdict] = field(default_factory=dict)
    inferred: Mapping[str, Sequence[Inferred]] = field(default_factory=dict)
    values: Mapping[tuple[str, str], Placed] = field(default_factory=dict)
    filed: Mapping[str, Sequence[str]] = field(default_factory=dict)
    ways: Mapping[str, str] = field(default_factory=dict)
    proposals: Mapping[str, Sequence[Proposal]] = field(default_factory=dict)
    passages: Mapping[str, str] = field(default_factory=dict)
    fitting: Mapping[tuple[str, str], float] = field(default_factory=dict)
    malformed: frozenset[str] = frozenset()
    model: str = "scripted"
    tier: str = "small"
    price: tuple[float, float] = (0.0, 0.0)
    counts: Counter[str] = field(default_factory=Counter)
    log: list[Call] = field(default_factory=list)
    _kept: set[str] = field(default_factory=set)

    async def extract(self, entries: Sequence[Entry]) -> Judged[Sequence[Extract]]:
        calls = self._calls("extraction", [[each.id, each.text] for each in entries])
        refused = "extraction" in self.malformed
        return Judged([Extract(() if refused else tuple(self._drawn(each))) for each in entries], calls)

    def _drawn(self, entry: Entry) -> Iterable[Drawn]:
        for text in self.propositions.get(entry.id, ()):
            at = entry.text.find(text)
            if at >= 0:
                yield Drawn(at, at + len(text), text)

    async def entailed(self, asked: Sequence[Inference]) -> Judged[Sequence[bool]]:
        calls = self._calls("entailment", [[each.premise, each.proposition] for each in asked])
        refused = "entailment" in self.malformed
        held = [each.premise == each.proposition or (each.premise, each.proposition) in self.holds for each in asked]
        return Judged([each and not refused for each in held], calls)

    async def verdicts(self, pairs: Sequence[Pair]) -> Judged[Sequence[Opinion]]:
        keys = [(each.new.text, each.candidate.text) for each in pairs]
        calls = self._calls("verdicts", keys)
        if "verdicts" in self.malformed:
            return Judged([Opinion("unrelated", "refused", 0.0) for _ in keys], calls)
        return Judged([Opinion(self.opinions.get(key, "unrelated"), "scripted") for key in keys], calls)

    async def derive(self, asked: Inquiry) -> Judged[Sequence[Inferred]]:
        calls = self._calls("derivation", [[asked.question, [each.id for each in asked.evidence]]])
        ids = {each.id for each in asked.evidence}
        found = () if "derivation" in self.malformed else self.inferred.get(asked.question, ())
        return Judged([each for each in found if set(each.antecedents) <= ids], calls)

    async def project(self, asked: Sequence[Placing]) -> Judged[Sequence[Placed]]:
        keys = [(each.axis.name, each.proposition) for each in asked]
        calls = self._calls("projecting", keys)
        refused = "projecting" in self.malformed
        return Judged([Placed(None, 0.0) if refused else self.values.get(key, Placed(None, 0.0)) for key in keys], calls)

    async def file(self, texts: Sequence[str], domains: Sequence[Domain]) -> Judged[Sequence[Filed]]:
        known = [domain.id for domain in domains]
        calls = self._calls("filing", [[text, known] for text in texts])
        return Judged([self._filed(text, known, "filing") for text in texts], calls)

    def _filed(self, text: str, known: Sequence[str], component: Component) -> Filed:
        held = () if component in self.malformed else tuple(each for each in self.filed.get(text, ()) if each in known)
        return Filed(held, tuple((each, float(each in held)) for each in known))

    async def route(self, requests: Sequence[Request]) -> Judged[Sequence[Way]]:
        calls = self._calls("routing", [[each.text, each.before, each.artifact] for each in requests])
        return Judged([self._way(each.text, "routing") for each in requests], calls)

    def _way(self, text: str, component: Component) -> Way:
        way = "reason" if component in self.malformed else self.ways.get(text, "retrieve")
        return Way(way, tuple((each, float(each == way)) for each in ("retrieve", "reason", "author")))

    async def decide(self, requests: Sequence[Request], domains: Sequence[Domain]) -> Judged[Sequence[Decided]]:
        known = [domain.id for domain in domains]
        calls = self._calls("deciding", [[each.text, each.before, each.artifact, known] for each in requests])
        made = [Decided(self._way(each.text, "deciding"), self._filed(each.text, known, "deciding")) for each in requests]
        return Judged(made, calls)

    async def propose(self, asked: Sample) -> Judged[Sequence[Proposal]]:
        calls = self._calls("proposing", [[asked.domain, asked.propositions]])
        return Judged(() if "proposing" in self.malformed else tuple(self.proposals.get(asked.domain, ())), calls)

    async def render(self, asked: Brief) -> Judged[Artifact]:
        calls = self._calls("rendering", [[asked.request, asked.audience, asked.register, [each.id for each in asked.cited]]])
        return Judged(render(asked), calls)

    async def suppose(self, questions: Sequence[str]) -> Judged[Sequence[str]]:
        calls = self._calls("supposing", [[each] for each in questions])
        return Judged(["" if "supposing" in self.malformed else self.passages.get(each, "") for each in questions], calls)

    async def rerank(self, question: str, texts: Sequence[str]) -> Judged[Sequence[float]]:
        calls = self._calls("reranking", [[question, list(texts)]] if texts else [])
        refused = "reranking" in self.malformed
        return Judged([] if refused else [self.fitting.get((question, text), 0.0) for text in texts], calls)

    def _calls(self, component: Component, asked: Sequence[Json]) -> tuple[Call, ...]:
        made = []
        outcome: Outcome = "malformed" if component in self.malformed else "used"
        for each in asked:
            text = orjson.dumps(each).decode()
            key = sha256(f"{self.model}\n{component}\n{text}".encode()).hexdigest()
            cached = key in self._kept
            self._kept.add(key)
            self.counts[component] += not cached
            tokens = 0 if cached else tokens_of(text)
            price = 0.0 if cached else (tokens * self.price[0] + self.price[1]) / 1e6
            made.append(Call(component, self.model, self.tier, tokens, int(not cached), price, cached, key, outcome))
        self.log += made
        return tuple(made)
