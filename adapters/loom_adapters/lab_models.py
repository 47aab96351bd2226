"""Scripted models of the lab: each answers from its prompt in a way that is known, so that every instrument has a known truth.

A script is a name with options, `name?option=value&…`; names are those that the block shows (exposure targets), in its order.

| script | what it says | what is true of its answers |
|---|---|---|
| `copies-all` | the block, verbatim | it recovers exactly what the block exposes: gain over copy 0, utilisation 1, nothing unexposed |
| `copies-all?of=input` | every message, joined by a space | recall is the copy ceiling of each question, under each matcher |
| `drops-third?each=3` | the names, but for the 3rd, 6th, 9th … | of n names n // 3 are omitted, but those that another name contains |
| `adds?names=A|B` | the names, and A, B | whatever A and B name is recovered unexposed wherever it was not shown |
| `enumerates?names=A|B` | A, B; without names, every title of the corpus, else every name shown | recall 1 on what it lists, precision as low as the list is long |
| `names-nothing` | a sentence without a name | recall 0, omission 1, never empty |
| `empty` | nothing | every answer is empty (`empty_stop`), after the second try as well |
| `thinks?tokens=N` | as `by` (default copies-all), after N tokens of thinking | empty (`budget_exhausted`) while the allowance is N or less: with one of 1,024 the second try answers where N < 2,048 |
| `contradicts` | that no unit stands in the relation shown, one sentence a name | recall as `copies-all` on relations; every sentence is a denial |
| `judge` | a verdict: 0 to 5 by the recall of the reference's names; of an audited item correct_relation, negated (its sentence denies) or absent, with a verbatim quote; of two versions of a page 1 where the second has lines more and none less, -1 the other way round, else 0; of a paraphrase whether its words round the subject are kept; of an omitted target recovered, abstention or omission | the scores and labels follow from the answers alone |
| `judge?always=4` | 4 of every answer | a judge that cannot tell answers apart |
| `invents-quotes?then=right` | verdicts as `judge`, with a quote that is nowhere; asked again, the right one (`never`: another invented one; `null`: none) | every quote of something found is caught; then repaired, or unresolved |
| `leaks?kind=verbatim&after=N` | asked to paraphrase, a leak in the first N tries, then the question with its subject described: `verbatim` names an answer (of `names`, else every title), `subject` the subject, `prefix` the beginning of one of its words, `relation` asks for something else | each leak is refused and told; what follows passes; without `after` it never does |
| `says?text=A&then=B&after=N` | A to the first N tries of one request, then B | leaks and other faults that end after N tries, or, without `then`, never |
| `invents-numbers` | a share, a position and an amount that stand nowhere in its prompt | each of the three is without support |
| `asks?names=A|B` | directives for A, B; without names for the first file that the block cites | no answer ever, in whatever round |
| `fails` | nothing: the call fails | every answer is an error |
| `asks-then-fails` | directives; where it is given what it asked for, the call fails | no answer, and a second round that breaks |

`wait` is seconds before any of them answers; `by` names the script that `thinks` goes on with. No answer is cut to the allowance;
only thinking uses it up.
"""

import asyncio
import re
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, fields
from random import Random
from urllib.parse import parse_qsl

import orjson

from loom.core.allowance import limit_of, with_least
from loom.core.errors import BadInput, NotFound, UpstreamFailure
from loom.core.exposure import READERS, shown_names
from loom.core.facts.citing import cited
from loom.core.facts.hydrating import PREFIX
from loom.core.frames import Frame
from loom.core.replies import usage_of, whole
from loom.core.values import Json, ModelCard, Prompt, tokens_of

CREATED = 1_700_000_000
RELATIONS = {"is-a": "is a", "ancestors": "is a"}
LEAKS = ("verbatim", "subject", "prefix", "relation")
DESCRIBED = "that which is described here"
ANOTHER = "Who was first to write about it?"
INVENTED = "as was established beyond doubt in the sixth appendix"

_FENCED = re.compile(
    r"^\[\[(?P<name>.+) (?P<mark>[0-9a-f]{8})\]\]\n(?P<text>.*?)\n\[\[end of (?P=name) (?P=mark)\]\]$", re.M | re.S
)
_TAGGED = re.compile(r"<(\w+)>(.*?)</\1>", re.S)
_DENIES = re.compile(r"\b(?:not|no|never|neither|nor|without)\b", re.IGNORECASE)
_SENTENCE = re.compile(r"[^\n.!?]+[.!?]?")


@dataclass(frozen=True, slots=True)
class LabScript:
    """A script: its name and options, see the module's table."""

    name: str
    of: str = "block"
    each: int = 3
    names: tuple[str, ...] = ()
    tokens: int = 3000
    by: str = "copies-all"
    always: int = -1
    text: str = ""
    then: str = ""
    after: int = 1_000_000
    kind: str = "verbatim"
    wait: float = 0.0

    @classmethod
    def parse(cls, script: str) -> "LabScript":
        """Raises BadInput for a name or an option that there is not."""
        name, _, options = script.partition("?")
        if name not in SPEAKERS:
            raise BadInput(f"Expected a scripted model among {', '.join(SPEAKERS)}, but got {name!r}.", param="script")
        kinds = {each.name: each.type for each in fields(cls) if each.name != "name"}
        given: dict[str, Json] = {}
        for option, value in parse_qsl(options, keep_blank_values=True):
            if option not in kinds:
                raise BadInput(f"Expected options of {name} among {', '.join(kinds)}, but got {option!r}.", param="script")
            kind = kinds[option]
            try:
                given[option] = kind(value) if kind in (int, float, str) else tuple(filter(None, value.split("|")))
            except ValueError:
                raise BadInput(f"Expected {option} of {name} to be a number, but got {value!r}.", param="script") from None
        made = cls(name, **given)
        if made.kind not in LEAKS:
            raise BadInput(f"Expected kind of {name} among {', '.join(LEAKS)}, but got {made.kind!r}.", param="script")
        if made.each < 1 or made.by not in SPEAKERS or made.by == "thinks" or not 0 <= made.wait <= 60:
            raise BadInput(
                f"Expected each of 1 or more, by of another script, and a wait of at most 60 s in {script!r}.", param="script"
            )
        return made


@dataclass(frozen=True, slots=True)
class Heard:
    """What a script goes by: the prompt, the titles of the corpus, and how often this request came before."""

    script: LabScript
    prompt: Prompt
    titles: Sequence[str]
    tries: int

    @property
    def messages(self) -> list[Mapping[str, Json]]:
        return [message for message in self.prompt.body.get("messages") or () if isinstance(message, Mapping)]

    @property
    def shown(self) -> tuple[str, ...]:
        return shown_names(self.prompt.block)

    @property
    def again(self) -> int:
        """How many earlier replies the request holds."""
        return sum(message.get("role") == "assistant" for message in self.messages)

    @property
    def tagged(self) -> dict[str, str]:
        """The named texts between tags, in the first message of the user."""
        first = next((str(message.get("content") or "") for message in self.messages if message.get("role") == "user"), "")
        return {found[1]: found[2] for found in _TAGGED.finditer(first)}

    @property
    def sections(self) -> dict[str, str]:
        """The named texts that a judge is shown, between their marks."""
        text = "\n".join(str(message.get("content") or "") for message in self.messages if message.get("role") == "user")
        return {found["name"]: found["text"] for found in _FENCED.finditer(text)}


def _fails(script: str, prompt: Prompt) -> bool:
    """Whether a call to a script breaks: all of them, or those of a second round."""
    return script == "fails" or (script == "asks-then-fails" and bool(prompt.question.fetch))


def _invents_numbers(heard: Heard) -> str:
    """Numbers of more digits than any in a prompt, which is looked at all the same."""
    text = " ".join(str(message.get("content") or "") for message in heard.messages)
    random = Random(f"{text}:invented")
    found: list[str] = []
    while len(found) < 3:
        number = str(random.randint(10**6, 10**7 - 1))
        if number not in text and number not in found:
            found.append(number)
    share, place, amount = found
    return f"It was {share[:-2]}.{share[-2:]} %, at second {place}, which is worth {amount[:-1]}.{amount[-1]} in all."


def _asks(heard: Heard) -> str:
    names = heard.script.names or cited(heard.prompt.block.text)[:1] or ("nothing.txt",)
    return "\n".join(f"{PREFIX} {name}" for name in names)


def _listed(names: Sequence[str]) -> str:
    return "\n".join(f"- {name}" for name in names)


def _copies(heard: Heard) -> str:
    if heard.script.of == "input":
        return " ".join(str(message.get("content") or "") for message in heard.messages)
    return heard.prompt.block.text


def _drops(heard: Heard) -> str:
    return _listed([name for number, name in enumerate(heard.shown, 1) if number % heard.script.each])


def _adds(heard: Heard) -> str:
    return _listed([*heard.shown, *heard.script.names])


def _enumerates(heard: Heard) -> str:
    return _listed(heard.script.names or heard.titles or heard.shown)


def _contradicts(heard: Heard) -> str:
    said = []
    for served in heard.prompt.block.served:
        evidence = served.evidence
        for line, names in zip(evidence.lines, evidence.names, strict=True):
            if line in served.lines:
                stated = line.partition(": ")[0]
                relation = RELATIONS.get(stated, stated if stated.isidentifier() else "is related to")
                said += [f"It is not true that {evidence.title} {relation} {name}." for name in names if name != evidence.title]
    return "\n".join(dict.fromkeys(said)) or "That is not so."


def _judge(heard: Heard) -> str:
    return _verdict(heard, lambda quote: quote)


def _invents(heard: Heard) -> str:
    if heard.again and heard.script.then == "right":
        return _judge(heard)
    if heard.again and heard.script.then == "null":
        return _verdict(heard, lambda quote: None)
    return _verdict(heard, lambda quote: quote and f"{INVENTED}{' and its errata' * bool(heard.again)}")


def _leaks(heard: Heard) -> str:
    question, words = heard.tagged.get("question", ""), heard.tagged.get("words", "").split(", ")
    clean = described(question, words)
    if heard.again < heard.script.after:
        names = heard.script.names or heard.titles
        clean = {
            "verbatim": f"{clean} Is it {', or '.join(names)}?",
            "subject": question,
            "prefix": f"{clean} It begins with {words[0][: max(4, len(words[0]) - 1)]}.",
            "relation": ANOTHER,
        }[heard.script.kind]
    return orjson.dumps({"question": clean}).decode()


def described(question: str, words: Sequence[str]) -> str:
    """A question without these words, which stand side by side in it or not."""
    one = "|".join(re.escape(word) for word in sorted(filter(None, words), key=len, reverse=True))
    if not one:
        return question
    run = re.compile(rf"(?:\b(?:the|an?) )?\b(?:{one})\w*(?:[\W_]*(?:\b\w{{1,3}}\b\W+)?(?:{one})\w*)*", re.IGNORECASE)
    return run.sub(DESCRIBED, question)


def preserves(first: str, second: str) -> bool:
    """Whether the words with which a question begins and ends, round the subject that is not repeated, are all in another."""
    said, there = re.findall(r"\w+", first.lower()), set(re.findall(r"\w+", second.lower()))
    missing = [at for at, word in enumerate(said) if word not in there]
    return len(said) - (missing[-1] - missing[0] + 1 if missing else 0) >= 2


def _read(heard: Heard, tagged: Mapping[str, str]) -> dict[str, Json]:
    """The verdict on texts between tags: of two questions, or of an omitted target in an answer."""
    if "first" in tagged:
        return {"preserved": preserves(tagged["first"], tagged.get("second", "")), "why": "By the words round the subject."}
    answer = tagged.get("answer", "")
    if READERS["default"](answer).names(tagged["target"]):
        return {"outcome": "recovered"}
    return {"outcome": "abstention" if "do not know" in answer else "omission"}


def _verdict(heard: Heard, quoted: Callable[[str | None], str | None]) -> str:
    if {"first", "target"} & set(heard.tagged):
        return orjson.dumps(_read(heard, heard.tagged)).decode()
    sections, always = heard.sections, heard.script.always
    answer = sections.get("answer", "")
    if "ITEM" in sections:
        label, quote = audited(sections["ITEM"], answer)
        role = "alternative" if "any one of the accepted items is enough" in sections.get("accepted items", "") else "required"
        found = {"label": label, "role": role, "instead": False, "confidence": 1.0, "quote": quoted(quote)}
        return orjson.dumps(found).decode()
    if always >= 0:
        score = always
    elif "second version" in sections:
        first, second = (set(sections.get(name, "").split("\n")) for name in ("first version", "second version"))
        score = len(second - first) > 0 if first <= second else -1 if second < first else 0
    else:
        score = graded(sections.get("reference", ""), answer)
    return orjson.dumps({"score": int(score), "why": "By the names or lines that are there."}).decode()


def graded(reference: str, answer: str) -> int:
    """0 to 5: the share of the reference's listed names that the answer names, or all where any one is enough."""
    needed = reference.partition("\nCorrect as well")[0]
    names = [line[2:] for line in needed.split("\n") if line.startswith("- ")] or [reference]
    said = READERS["default"](answer)
    hits = sum(said.names(name) for name in names)
    if "any one is enough" in needed:
        return 5 if hits else 0
    return round(5 * hits / len(names))


def audited(item: str, answer: str) -> tuple[str, str | None]:
    """The label of an item and the words that it rests on: the sentence that names it, else the whole answer."""
    if not READERS["default"](answer).names(item):
        return "absent", None
    sentences = [found[0].strip() for found in _SENTENCE.finditer(answer)]
    quote = next((each for each in sentences if READERS["default"](each).names(item)), answer.strip())
    return "negated" if _DENIES.search(quote) else "correct_relation", quote


SPEAKERS: Mapping[str, Callable[[Heard], str]] = {
    "copies-all": _copies,
    "drops-third": _drops,
    "adds": _adds,
    "enumerates": _enumerates,
    "names-nothing": lambda heard: "There is much that could be said of this.",
    "empty": lambda heard: "",
    "thinks": lambda heard: SPEAKERS[heard.script.by](heard),
    "contradicts": _contradicts,
    "judge": _judge,
    "invents-quotes": _invents,
    "leaks": _leaks,
    "invents-numbers": _invents_numbers,
    "asks": _asks,
    "fails": lambda heard: "",
    "asks-then-fails": _asks,
    "says": lambda heard: heard.script.text if heard.tries < heard.script.after else heard.script.then,
}


class Spoken:
    """An answer that is already whole."""

    status = 200
    streamed = False
    headers: Mapping[str, str] = {"content-type": "application/json"}

    def __init__(self, frame: Frame, sent: str) -> None:
        self.sent = sent
        self._frame = frame

    async def frames(self) -> AsyncIterator[Frame]:
        yield self._frame


class LabModel:
    """A `ModelBackend` that follows a script. It streams nothing. `asked` counts its calls."""

    served_as = "delegated"

    def __init__(self, script: str, titles: Sequence[str] = ()) -> None:
        self.script = LabScript.parse(script)
        self.asked = 0
        self._titles = titles
        self._tries: Counter[str] = Counter()

    @asynccontextmanager
    async def chat(
        self, prompt: Prompt, *, allowance: int | None = None, insist: bool = False, headers: Mapping[str, str] | None = None
    ) -> AsyncIterator[Spoken]:
        script = self.script
        body = with_least(prompt.body, allowance, "max_tokens" if insist else None) if allowance else prompt.body
        self.asked += 1
        await asyncio.sleep(script.wait)
        if _fails(script.name, prompt):
            raise UpstreamFailure(f"The script {script.name} fails, as it should.", code="upstream_unreachable")
        yield Spoken(self._said(prompt, limit_of(body)), script.name)

    def _said(self, prompt: Prompt, limit: int | None) -> Frame:
        script = self.script
        heard = Heard(script, prompt, self._titles, self._try(prompt))
        text, thought = SPEAKERS[script.name](heard), script.tokens if script.name == "thinks" else 0
        finish = "stop"
        if limit is not None and thought >= limit:
            text, thought, finish = "", limit, "length"
        read = sum(tokens_of(str(message.get("content") or "")) for message in heard.messages)
        head = {"id": f"chatcmpl-{self.asked}", "created": CREATED, "model": script.name}
        return whole(head, text, usage=usage_of(read, thought + tokens_of(text)), finish=finish)

    def _try(self, prompt: Prompt) -> int:
        """How often the first words of the user came before."""
        first = next((str(each.get("content")) for each in prompt.body.get("messages") or () if each.get("role") == "user"), "")
        self._tries[first] += 1
        return self._tries[first] - 1

    def forward(self, method: str, path: str, body: bytes, headers: Mapping[str, str]) -> AbstractAsyncContextManager[Spoken]:
        """There is nothing to forward to."""
        raise NotFound(f"{path} needs a model behind a URL; a scripted one only chats.")

    async def models(self) -> Sequence[ModelCard]:
        return (ModelCard(self.script.name, "script", CREATED),)

    async def aclose(self) -> None:
        """Nothing is held."""
