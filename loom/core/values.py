"""The shared vocabulary of the node: frozen values that every room speaks in.

Nothing here does I/O. Text reaches a model only along `Evidence` → `Block` → `Prompt`; each of those three is constructed in
one module (`core.mint.make`, `core.policy.packing`, `core.policy.merge`), and a test over the syntax tree holds that wall.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

Iri = str
Row = int
Json = Any


def tokens_of(text: str) -> int:
    """Tokens of a text as every budget counts them: a quarter of its code points, rounded up."""
    return (len(text) + 3) // 4


class Tier(IntEnum):
    """How a piece of evidence was selected; packing fills the tiers in this order."""

    COMPUTED = 0
    ADDRESSED = 1
    STRUCTURE = 2
    DISCOVERED = 3


@dataclass(frozen=True, slots=True)
class Where:
    """A place in a source: file relative to the source's root, and a line counted from 1 (0: the whole file)."""

    file: str
    line: int = 0

    def __str__(self) -> str:
        return f"{self.file}:{self.line}" if self.line else self.file


@dataclass(frozen=True, slots=True)
class Ref:
    """A reference to a concept as a source states it; `label` is what the source calls it, "" where it does not say."""

    iri: Iri
    label: str = ""


@dataclass(frozen=True, slots=True)
class Concept:
    """One reviewed concept as a source states it: the record from which a unit is minted.

    `definition` is the short form (the reference format cuts it at 400 code points); `full` is the whole definition, stated
    only where it differs; `prose` is the page's free text. `ancestors` is None until the closure has been computed, unless
    the source states it. Relations keep the source's order of targets. A deprecated concept is kept for those who hold its
    address, never proposed by a matcher.
    """

    iri: Iri
    title: str
    definition: str = ""
    full: str = ""
    prose: str = ""
    aliases: tuple[str, ...] = ()
    domain: str = ""
    maturity: str = ""
    quality: float | None = None
    parents: tuple[Ref, ...] = ()
    ancestors: tuple[Ref, ...] | None = None
    relations: tuple[tuple[str, tuple[Ref, ...]], ...] = ()
    backlinks: tuple[Iri, ...] = ()
    links: tuple[Ref, ...] = ()
    where: Where = Where("")
    deprecated: bool = False
    replaced_by: tuple[Iri, ...] = ()


@dataclass(frozen=True, slots=True)
class Scope:
    """Whose request this is. Memory is partitioned by it, so it is never optional in a signature."""

    caller: str
    conversation: str | None = None


REMEMBERED = ("user", "all")
"""What may be kept of a request: what the user said, or the answer, too."""


@dataclass(frozen=True, slots=True)
class Remembering:
    """How one request uses the memory of a conversation. `remember` is what is kept of it, one of REMEMBERED, "" nothing; `speaker`
    is whose words the user's are, `date` the ISO day on which they are said, "" today."""

    conversation: str
    remember: str = ""
    speaker: str = "User"
    date: str = ""


CONTEXTS = ("full", "skeleton", "hydrate")
"""What a question over knowledge bases is given: everything; no prose; no prose, and a way to ask for it."""
READOUTS = ("full", "core-only", "off")
"""How much of what is searched for is shown."""


@dataclass(frozen=True, slots=True)
class Options:
    """What one request asks of the node, already validated; None means the node's own setting."""

    budget: int | None = None
    policy: str | None = None
    wrapper: str | None = None
    gold: tuple[str, ...] | None = None
    off: bool = False
    verbatim: bool | None = None
    max_units: int | None = None
    hops: int | None = None
    prose: bool | None = None
    context: str | None = None
    readout: str | None = None
    memory: Remembering | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """What was said earlier in a conversation, in words: `role` is user or assistant; blocks that the node put in are taken out."""

    role: str
    text: str


@dataclass(frozen=True, slots=True)
class Question:
    """One question to the node.

    `text` is what retrieval reads, and of `before`, the turns of the conversation up to it, oldest first, what
    `core.retrieval.follow.query` takes for it; `shape` is plain, lookup, side_call, tools or schema; `body` is the client's
    request without the node's own keys (empty where no model is asked); `deadline` is seconds left for the finders together.
    `fetch` is what a model asked for in a first round, as it wrote it; "" in a first round.
    """

    text: str
    scope: Scope
    body: Mapping[str, Json] = field(default_factory=dict)
    shape: str = "plain"
    options: Options = Options()
    deadline: float = 2.0
    before: tuple[Turn, ...] = ()
    fetch: str = ""


@dataclass(frozen=True, slots=True)
class Candidate:
    """An address that a finder proposes. It has no text: only the core turns an address into something a model may read."""

    iri: Iri
    score: float
    retriever: str
    why: str = ""
    home: Iri = ""


@dataclass(frozen=True, slots=True)
class Contract:
    """What a source allows the model to ask for in a first round, and how each line of such a directive begins.

    `offered` says whether the block tells the model so; a reply of directives alone is taken for one either way.
    """

    source: str
    prefix: str
    offered: bool = False


@dataclass(frozen=True, slots=True)
class Finding:
    """What one finder says about one question.

    `confidence` is P(this is what the question is about), None where the policy has no such scale; `named` means an exact name
    or address was used, which no similarity may veto; `only` bounds the homes from which any source may add discovered evidence.
    `bands` are the confidences from which it is shown in part and in full (None: the policy's own), `quiet` why nothing of it is
    shown below them, `agreement` how far its retrievers agreed (0 to 1), `path` which of them decided. One that `yields` is shown
    only where no other is; `told` is what a watch may say of it, shown or not.
    """

    source: str
    candidates: tuple[Candidate, ...] = ()
    confidence: float | None = None
    named: bool = False
    reason: str = "off_topic"
    agreement: float | None = None
    only: frozenset[Iri] | None = None
    contract: Contract | None = None
    failure: str | None = None
    bands: tuple[float, float] | None = None
    quiet: str = "weak"
    path: str | None = None
    yields: bool = False
    told: Mapping[str, Json] | None = None


@dataclass(frozen=True, slots=True)
class Decision:
    """Whether, why and with how many tokens the request is grounded, and which addresses were admitted, by source.

    `only` bounds the homes of discovered evidence; what was computed or addressed is not bound by it. `path` is that of the finding
    that names the decision, `band` full, part or silent. `told` is what findings tell of themselves, by source.
    """

    engaged: bool
    reason: str
    budget: int = 0
    confidence: float | None = None
    agreement: float | None = None
    admitted: tuple[tuple[str, tuple[Candidate, ...]], ...] = ()
    failures: tuple[str, ...] = ()
    only: frozenset[Iri] | None = None
    path: str | None = None
    band: str = "silent"
    told: tuple[tuple[str, Mapping[str, Json]], ...] = ()

    def of(self, source: str) -> tuple[Candidate, ...]:
        return next((candidates for name, candidates in self.admitted if name == source), ())


class Role(IntEnum):
    """What a line does for the question that it is shown for."""

    BESIDE = 0
    """It stands beside what was asked for."""
    HEADING = 1
    """It says what the lines under it are."""
    FOUND = 2
    """It was searched for, and may state what was asked."""
    ANSWER = 3
    """It states what was asked for."""
    ABSENT = 4
    """It says that something that was asked for is not there."""
    GUIDE = 5
    """It says how the rest is to be read or asked for, and states nothing itself."""


@dataclass(frozen=True, slots=True)
class Stated:
    """What one line of evidence states, and where anybody may look it up.

    `iri` is the address of what it states, `source` that of its file, `file` the file's name, `row` or `line` the place there, from 1
    (0: none). `value`, `unit` and `position` are to the letter; `start` and `end` bound a stretch of positions as plain decimals.
    """

    iri: Iri
    role: Role = Role.BESIDE
    source: Iri = ""
    file: str = ""
    row: int = 0
    line: int = 0
    metric: Iri = ""
    statistic: str = ""
    value: str = ""
    unit: str = ""
    position: str = ""
    start: str = ""
    end: str = ""


LEAD = 2
"""Lines without which evidence says nothing yet: a heading, and what stands under it."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """The only value that carries text towards a model. Made only by the core's mint functions.

    `lines` is the text, in an order in which a prefix still reads well; `names` holds, line by line, the names that the line
    shows: the exposure targets; `must` means whole or `BudgetError`; `weight` is its share inside its tier; `lead` is how many
    first lines carry what must not be missing (of a unit: heading, definition and what was asked for), which is shown of all
    evidence before the rest of any; `spare` is how many last lines are shown only where everything else is; `found` is the
    candidate that led here, if one did. `stated` says of each line what it states; () where the kind of evidence does not say.
    `reply` is all that is to be answered where nothing but such evidence is shown; "" where that follows from its lines.
    """

    iri: Iri
    home: Iri
    title: str
    tier: Tier
    lines: tuple[str, ...]
    names: tuple[tuple[str, ...], ...]
    must: bool = False
    weight: float = 1.0
    lead: int = LEAD
    spare: int = 0
    source: Where = Where("")
    found: Candidate | None = None
    stated: tuple[Stated | None, ...] = ()
    reply: str = ""

    @property
    def guides(self) -> bool:
        """Whether it says nothing but how other evidence is to be read or asked for."""
        return bool(self.stated) and all(one is not None and one.role is Role.GUIDE for one in self.stated)


@dataclass(frozen=True, slots=True)
class Served:
    """What a block holds of one piece of evidence: the lines shown and their names, tokens, whether lines were left out."""

    evidence: Evidence
    lines: tuple[str, ...]
    names: tuple[str, ...]
    tokens: int
    cut: bool


@dataclass(frozen=True, slots=True)
class Block:
    """The injected text and its receipt in one value. `dropped` is evidence of which nothing was shown."""

    text: str
    served: tuple[Served, ...]
    dropped: tuple[Evidence, ...]
    tokens: int


@dataclass(frozen=True, slots=True)
class Prompt:
    """A request that may go to a model. Made only by `merge`; the only thing that a model backend accepts.

    `tempered` says whether its temperature is the node's and not the client's.
    """

    body: Mapping[str, Json]
    block: Block
    question: Question
    injected_tokens: int = 0
    tempered: bool = False


@dataclass(frozen=True, slots=True)
class ModelCard:
    """One model as an upstream lists it."""

    id: str
    owned_by: str = ""
    created: int = 0


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens that the upstream says it billed."""

    prompt: int | None = None
    completion: int | None = None
    reasoning: int | None = None
    cached: int | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What is known after the last byte: the class of the completion, the answer's text, who answered, what it cost. `instead` says
    whether the node answered something else than the model did."""

    completion: str
    text: str
    reasoning: str = ""
    finish: str | None = None
    model_reported: str | None = None
    usage: Usage = Usage()
    attempts: int = 1
    seconds: float = 0.0
    first_token_seconds: float | None = None
    instead: bool = False
