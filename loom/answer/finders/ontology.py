"""Finds concepts: by their names, by their texts, and where those disagree by their meanings."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from weakref import WeakKeyDictionary

from loom.answer.finders import by_reference, uncalibrated
from loom.answer.finders.addresses import address
from loom.answer.finders.switches import ALL, Switches
from loom.answer.plan import Pin
from loom.core.concepts import Concepts
from loom.core.errors import EmbedderFailure, Unreachable
from loom.core.matching.default import DefaultLexicon
from loom.core.policy.policy import Policy
from loom.core.retrieval import choose
from loom.core.retrieval.choose import Proposed
from loom.core.retrieval.confidence import Calibration, Model
from loom.core.retrieval.follow import Leans, Query, query
from loom.core.retrieval.look import NEAREST, SEMANTIC, Look, Near, Views, blended, features, look, near_of, standings
from loom.core.retrieval.text import TextIndex
from loom.core.values import Candidate, Evidence, Finding, Question, Row
from loom.ports import Semantics

AMBIGUOUS, WEAK = "ambiguous", "weak"


@dataclass(frozen=True, slots=True)
class Reading:
    """What the retrievers make of one text: the ranking, what it is trusted, and how it was come by."""

    seen: Look
    order: dict[Row, float]
    near: Near | None
    confidence: float
    bands: tuple[float, float]
    alone: bool
    agreement: float
    failure: str | None = None


class OntologyFinder:
    """Concepts of the pinned generation. Waits for nothing but the embedding of a question on which names and texts disagree."""

    name = "ontology"
    waits = False

    def __init__(
        self,
        *,
        max_units: int = 4,
        max_described: int = 8,
        hops: int = 1,
        prose: bool = False,
        patience: float = 0.5,
        switches: Switches = ALL,
    ) -> None:
        """`patience` is how many seconds an embedding and a search of vectors may take together."""
        self.switches = switches
        self._max_units = max_units
        self._max_described = max_described
        self._hops = hops
        self._prose = prose
        self._patience = patience
        self._models: WeakKeyDictionary[Semantics, Model | None] = WeakKeyDictionary()

    async def find(self, question: Question, pin: Pin, policy: Policy) -> Finding:
        concepts = pin.generation.part(Concepts)
        if concepts is None:
            return Finding(self.name)
        few = self._max_units if question.options.max_units is None else question.options.max_units
        if policy.matcher == "reference":
            return by_reference.find(self.name, pin, concepts, question.text, few)
        lexicon = pin.generation.part(DefaultLexicon)
        index, calibration = pin.generation.part(TextIndex), pin.generation.part(Calibration)
        if lexicon is None:
            return Finding(self.name)
        model = calibration.lexical if calibration is not None and self.switches.calibrated else None
        if index is None or model is None:
            return uncalibrated.find(self.name, concepts, lexicon, index, question.text, few)
        views = Views(lexicon, concepts.quality, index, concepts.title, self.switches.surface, self.switches.text)
        asked = query(question.text, question.before if self.switches.conversation else ())
        reading = await self._reading(views, pin, model, asked)
        if reading is None:
            return Finding(self.name)
        many = few if question.options.max_units is not None or not self.switches.breadth else max(few, self._max_described)
        return self._finding(concepts, reading, few, many)

    async def _reading(self, views: Views, pin: Pin, model: Model, asked: Query) -> Reading | None:
        """The text by itself, or with its topic where it leans on one."""
        own = await self._read(views, pin, model, asked.text)
        if asked.leans is Leans.NOT or not asked.topics or (own is not None and _self_contained(own, asked)):
            return own
        return await self._with_topic(views, pin, model, asked, own)

    async def _read(self, views: Views, pin: Pin, model: Model, text: str) -> Reading | None:
        """None for a text that says nothing."""
        seen = look(views, text)
        if not seen.words:
            return None
        order = standings(seen)
        measured = features(views, seen, list(order))
        confidence, bands = model.probability(measured), model.bands(measured)
        agreement = choose.agreement(seen)
        needed = bands[1] if choose.sole(seen) else choose.SURE if agreement >= choose.AGREED else NEVER
        if choose.whole(seen):
            confidence = needed = max(confidence, bands[1])
        alone = confidence >= needed
        reading = Reading(seen, order, None, confidence, bands, alone, agreement)
        if reading.alone or pin.semantics is None or not self.switches.semantic:
            return reading
        return await self._with_meaning(views, pin.semantics, model, reading, text)

    async def _with_meaning(self, views: Views, semantics: Semantics, lexical: Model, reading: Reading, text: str) -> Reading:
        """The reading with vectors; as it was, and saying why, where they cannot be had in time."""
        try:
            async with asyncio.timeout(self._patience):
                vector = await semantics.vector(text)
                rows, cosines = await semantics.search(vector, NEAREST)
        except (EmbedderFailure, Unreachable) as error:
            return replace(reading, failure=error.message)
        except TimeoutError:
            return replace(reading, failure=f"no embedding within {self._patience:g} s")
        seen = reading.seen
        nearest = list(zip(rows.tolist(), cosines.tolist(), strict=True))
        near = near_of(seen, nearest, lambda asked: semantics.cosines(vector, asked))
        order = standings(seen, near)
        model = self._model(semantics)
        measured = features(views, seen, list(order), near if model else None)
        model = model or lexical
        return replace(reading, order=order, near=near, confidence=model.probability(measured), bands=model.bands(measured))

    def _model(self, semantics: Semantics) -> Model | None:
        """The model that reads vectors too, where the attachment has one."""
        if semantics not in self._models:
            stated = semantics.calibration.get("semantic")
            self._models[semantics] = Model.read(stated, SEMANTIC) if stated else None
        return self._models[semantics]

    async def _with_topic(self, views: Views, pin: Pin, model: Model, asked: Query, own: Reading | None) -> Reading | None:
        """A message that leans: its own ranking beside those of what it may lean on, trusted as far as the best of them."""
        read = [(1.0, own)] if own is not None else []
        for text, weight in asked.topics:
            found = await self._read(views, pin, model, text)
            if found is not None:
                read.append((weight, found))
        both = " ".join((asked.text, *(text for text, _ in reversed(asked.topics))))
        if len(read) > 1 and (found := await self._read(views, pin, model, both)) is not None:
            read.append((TOGETHER, found))
        if not read:
            return None
        order = blended([(weight * _trust(each), each.order) for weight, each in read])
        best = max((each for weight, each in read if weight >= HALF or each is own), key=_margin)
        return replace(best, order=order, alone=False)

    def _finding(self, concepts: Concepts, reading: Reading, few: int, many: int) -> Finding:
        proposed = self._proposed(reading, few, many)
        seen = reading.seen
        meant = bool(proposed) and proposed[0].retriever == "lexical" and proposed[0].why != "words"
        unsure = bool(seen.names) and not seen.names[0].several
        return Finding(
            self.name,
            tuple(address(concepts, each.row, each.worth, each.retriever, each.why) for each in proposed),
            confidence=reading.confidence,
            named=meant and reading.confidence >= reading.bands[0],
            reason=choose.reason(proposed),
            agreement=reading.agreement,
            failure=reading.failure,
            bands=reading.bands,
            quiet=AMBIGUOUS if unsure else WEAK,
            path="lexical" if reading.alone else "text" if reading.near is None else "fused",
        )

    def _proposed(self, reading: Reading, few: int, many: int) -> list[Proposed]:
        seen = reading.seen
        if reading.alone:
            return choose.by_names(seen, few)
        if self.switches.fusion:
            return choose.fused(seen, reading.order, reading.near, few, many)
        return choose.by_names(seen, few) or [
            Proposed(row, score, "text", "text") for row, score in list(seen.scores.items())[:many]
        ]

    async def mint(self, question: Question, pin: Pin, policy: Policy, admitted: Sequence[Candidate]) -> Sequence[Evidence]:
        concepts = pin.generation.part(Concepts)
        if concepts is None:
            return ()
        rows = [(row, candidate) for candidate in admitted if (row := concepts.row(candidate.iri)) is not None]
        options = question.options
        asked = (
            query(question.text, question.before if self.switches.conversation else ()).asked
            if policy.follows
            else question.text
        )
        return policy.mint(
            concepts,
            rows,
            asked if self.switches.asked else "",
            hops=self._hops if options.hops is None else options.hops,
            prose=self._prose if options.prose is None else options.prose,
        )


NEVER = 2.0
HALF, TOGETHER = 0.5, 0.6
"""What a text must weigh for its confidence to count, and what message and topics weigh when they are read as one."""


def _trust(reading: Reading) -> float:
    """A ranking counts by what it is trusted, so that a message that says little of its own does not drown its topic."""
    return 0.1 + reading.confidence


def _margin(reading: Reading) -> float:
    return reading.confidence - reading.bands[0]


def _self_contained(own: Reading, asked: Query) -> bool:
    """Whether a message that may lean on others names its own topic before the word that would point at another."""
    if asked.leans is Leans.FULLY or not choose.sole(own.seen) or own.confidence < own.bands[1]:
        return False
    return asked.first < 0 or own.seen.names[0].match.start < asked.first
