"""What each judge is told, and the JSON schema that its reply has to fit."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from loom.core.claims.judging.asked import WAYS, Axis
from loom.core.claims.judging.calls import Component
from loom.core.claims.judging.given import VERDICTS
from loom.core.values import Json


@dataclass(frozen=True, slots=True)
class Task:
    """One request to a model: who asks, what it is told, the data, the schema of the reply, the tokens that it may take, how often it
    is asked where the reply is malformed."""

    component: Component
    told: str
    data: Mapping[str, Json]
    schema: Mapping[str, Json]
    allowance: int
    tries: int = 2


def an_object(**members: Json) -> dict[str, Json]:
    """The schema of an object that has these members and no others."""
    return {"type": "object", "properties": members, "required": list(members), "additionalProperties": False}


def a_list(of: Json) -> dict[str, Json]:
    return {"type": "array", "items": of}


TEXT: dict[str, Json] = {"type": "string"}
NUMBER: dict[str, Json] = {"type": "number"}
WHOLE: dict[str, Json] = {"type": "integer"}
TRUTH: dict[str, Json] = {"type": "boolean"}

EXTRACTION = (
    "Take the atomic propositions out of the entry. Each states one thing that can be judged true or false without the rest of the "
    'entry: put names for pronouns and dates for words such as "yesterday". `quote` is the passage of the entry, to the letter, '
    "that alone says it. Leave out questions, greetings and whatever is only quoted from others."
)
EXTRACTED = an_object(signals=a_list(an_object(quote=TEXT, proposition=TEXT)))

ENTAILMENT = (
    "For each item say whether the premise alone entails the proposition: whoever takes the premise to be true has to take the "
    "proposition to be true. `names` are what pronouns in the premise stand for. Answer each item by its id."
)
ENTAILED = an_object(answers=a_list(an_object(id=WHOLE, entailed=TRUTH)))

VERDICT = (
    "For each item say how the new statement bears on the claim. supports: if the new statement is true, the claim is true, or "
    "clearly likelier. contradicts: both cannot be true of the same thing at the same time. unrelated: anything else, also where "
    "both speak of one subject and are compatible, or of another time, place or thing. Answer each item by its id."
)
JUDGED = an_object(answers=a_list(an_object(id=WHOLE, verdict={"type": "string", "enum": list(VERDICTS)})))

DERIVATION = (
    "Derive propositions that bear on the question and that follow from two or more pieces of the evidence together, where no "
    "single piece says them already. `antecedents` are the ids of all evidence that a proposition rests on. `preconditions` are "
    "assumptions that it needs and that no evidence states. Where nothing follows give an empty list."
)
DERIVED = an_object(propositions=a_list(an_object(proposition=TEXT, antecedents=a_list(TEXT), preconditions=a_list(TEXT))))

PROJECTION = (
    "Say where the proposition lies on the axis. `relevance`, from 0 to 1, is how strongly it concerns the axis at all; `value` is "
    "one of the axis, or null where it does not concern it."
)

FILING = (
    "Say of each text which domains it falls under, by their descriptions: several, one, or none. Give every domain's probability "
    "from 0 to 1. Answer each text by its id."
)

ROUTING = (
    "Say what each request wants. retrieve: stored items answer it. reason: it asks for analysis or judgement without a document. "
    "author: it asks for a document. Give the probability of each from 0 to 1. Answer each request by its id."
)
ROUTED = an_object(answers=a_list(an_object(id=WHOLE, probabilities=an_object(**dict.fromkeys(WAYS, NUMBER)))))

PROPOSING = (
    "Propose axes on which propositions of this domain can be compared, that it has not yet. `space` is ordinal (`values` in order), "
    "binary, category (`values` without order) or scalar (between `low` and `high`). Give an example sentence for each value in "
    "`prototypes`. Only axes on which many of the propositions differ; first of all such as tell the pairs of `unexplained` apart, which "
    "are worded alike and were not wanted by the same questions."
)
PROPOSED = an_object(
    axes=a_list(
        an_object(
            name=TEXT,
            definition=TEXT,
            space={"type": "string", "enum": ["ordinal", "scalar", "binary", "category"]},
            values=a_list(TEXT),
            low=NUMBER,
            high=NUMBER,
            prototypes=a_list(an_object(value=TEXT, example=TEXT)),
            why=TEXT,
        )
    )
)

RENDERING = (
    "Write what is requested for the audience, in the register named. State nothing but what the sources state, and cite each with "
    "its number in square brackets, as in [2]. Beside whatever you cite print each of its `notes` to the letter. Plain text or markdown."
)
RENDERED = an_object(text=TEXT)

SUPPOSING = (
    "Write the passage that answers the question, as it might stand in a document of this organisation: two or three plain "
    "sentences that state things and ask nothing. It is used to search by and never shown, so that it may suppose what it needs."
)
SUPPOSED = an_object(passage=TEXT)


def placed(axis: Axis) -> dict[str, Json]:
    """The schema of a position on an axis."""
    value: dict[str, Json] = (
        {"type": ["number", "null"]} if axis.space == "scalar" else {"type": ["string", "null"], "enum": [*axis.names, None]}
    )
    return an_object(value=value, relevance=NUMBER)


DECIDING = (
    "Say of each request two things. First what it wants. retrieve: stored items answer it. reason: it asks for analysis or judgement "
    "without a document. author: it asks for a document. Give the probability of each from 0 to 1. Then which domains it falls under, "
    "by their descriptions: several, one, or none. Give every domain's probability from 0 to 1. Answer each request by its id."
)


def decided(domains: Sequence[str]) -> dict[str, Json]:
    """The schema of requests that are routed and filed under domains of these ids."""
    member = an_object(domain={"type": "string", "enum": list(domains)}, probability=NUMBER)
    answer = an_object(id=WHOLE, probabilities=an_object(**dict.fromkeys(WAYS, NUMBER)), domains=a_list(member))
    return an_object(answers=a_list(answer))


def filed(domains: Sequence[str]) -> dict[str, Json]:
    """The schema of texts filed under domains of these ids."""
    member = an_object(domain={"type": "string", "enum": list(domains)}, probability=NUMBER)
    return an_object(answers=a_list(an_object(id=WHOLE, domains=a_list(member))))
