"""What came of a completion: a transcript gathered from its frames, and the class that it falls in."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from loom.core.thinking import TagReader
from loom.core.values import Json, Usage

CLASSES = (
    "answered",
    "empty_stop",
    "reasoning_only",
    "budget_exhausted",
    "truncated",
    "tool_calls",
    "refused",
    "interrupted",
)
TOOL_FINISHES = frozenset({"tool_calls", "function_call"})


def classify(
    *,
    text: str = "",
    reasoned: bool = False,
    finishes: Collection[str] = (),
    tools: bool = False,
    refused: bool = False,
    ended: bool = True,
) -> str:
    """The class of a completion, one of `CLASSES`.

    `text` is the answer without reasoning; `reasoned` whether any reasoning was seen or billed; `finishes` the finish reasons
    of all choices; `tools` and `refused` whether a tool call or a refusal came; `ended` whether the answer came to its end.
    Tool calls count as such whatever the finish reason says, since some servers finish them with "stop".
    """
    if not ended:
        return "interrupted"
    if tools or not TOOL_FINISHES.isdisjoint(finishes):
        return "tool_calls"
    if refused or "content_filter" in finishes:
        return "refused"
    if text.strip():
        return "truncated" if "length" in finishes else "answered"
    if "length" in finishes:
        return "budget_exhausted"
    return "reasoning_only" if reasoned else "empty_stop"


def usage_of(usage: Json) -> Usage:
    """The counts of an OpenAI usage object; what is absent or no count is None."""
    if not isinstance(usage, Mapping):
        return Usage()

    def count(holder: Json, key: str) -> int | None:
        value = holder.get(key) if isinstance(holder, Mapping) else None
        return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None

    return Usage(
        prompt=count(usage, "prompt_tokens"),
        completion=count(usage, "completion_tokens"),
        reasoning=count(usage.get("completion_tokens_details"), "reasoning_tokens"),
        cached=count(usage.get("prompt_tokens_details"), "cached_tokens"),
    )


def _parts(content: Json) -> Iterable[tuple[str, bool]]:
    """The texts of a content list, each with whether it is reasoning."""
    for part in content if isinstance(content, list) else ():
        if not isinstance(part, Mapping):
            continue
        if isinstance(part.get("text"), str):
            yield part["text"], False
        elif isinstance(part.get("thinking"), str):
            yield part["thinking"], True
        elif isinstance(part.get("thinking"), list):
            yield from ((text, True) for text, _ in _parts(part["thinking"]))


@dataclass(slots=True)
class Choice:
    """What one choice of a completion has said so far."""

    text: list[str] = field(default_factory=list)
    reasoning: list[str] = field(default_factory=list)
    finish: str | None = None
    tags: TagReader = field(default_factory=TagReader)

    def take(self, content: Json) -> str:
        """Take in a content value (text, or a list of parts); gives the answer text that it adds."""
        if isinstance(content, str):
            answer, reasoning = self.tags.feed(content)
        else:
            parts = list(_parts(content))
            answer = "".join(text for text, thought in parts if not thought)
            reasoning = "".join(text for text, thought in parts if thought)
        return self.keep(answer, reasoning)

    def keep(self, answer: str, reasoning: str) -> str:
        if answer:
            self.text.append(answer)
        if reasoning:
            self.reasoning.append(reasoning)
        return answer


@dataclass(slots=True)
class Transcript:
    """Everything that a completion said, gathered chunk by chunk; a whole body is one chunk.

    `ended` is set by whoever reads the frames, when the answer came to its end.
    """

    choices: dict[int, Choice] = field(default_factory=dict)
    tools: bool = False
    refused: bool = False
    usage: Usage = field(default_factory=Usage)
    model: str | None = None
    ended: bool = False

    def add(self, payload: Mapping[str, Json]) -> str:
        """Take in one chunk or body; gives the answer text that it adds to the first choice."""
        added = ""
        choices = payload.get("choices")
        for said in choices if isinstance(choices, list) else ():
            if not isinstance(said, dict):
                continue
            index = said.get("index")
            if not isinstance(index, int):
                index = 0
            choice = self.choices.get(index)
            if choice is None:
                choice = self.choices[index] = Choice()
            if said.get("finish_reason"):
                choice.finish = str(said["finish_reason"])
            delta = said.get("delta") or said.get("message")
            if not isinstance(delta, dict):
                continue
            content = delta.get("content")
            if content:
                text = choice.take(content)
                if index == 0:
                    added += text
            for key in ("reasoning_content", "reasoning"):
                if isinstance(delta.get(key), str) and delta[key]:
                    choice.reasoning.append(delta[key])
                    break
            if delta.get("tool_calls") or delta.get("function_call"):
                self.tools = True
            if delta.get("refusal"):
                self.refused = True
        if payload.get("usage"):
            self.usage = usage_of(payload["usage"])
        if self.model is None and isinstance(payload.get("model"), str):
            self.model = payload["model"]
        return added

    def close(self) -> str:
        """Settle what the tag readers still hold; gives the text that this adds to the first choice."""
        added = {index: choice.keep(*choice.tags.close()) for index, choice in self.choices.items()}
        return added.get(0, "")

    @property
    def text(self) -> str:
        """The answers of all choices, in order of their index, a blank line between them."""
        return "\n\n".join("".join(self.choices[index].text) for index in sorted(self.choices))

    @property
    def reasoning(self) -> str:
        return "\n\n".join(filter(None, ("".join(self.choices[index].reasoning) for index in sorted(self.choices))))

    @property
    def answering(self) -> bool:
        """Whether anything that a reader is meant to read, or a tool is meant to run, has been said."""
        return self.tools or self.refused or any(part.strip() for choice in self.choices.values() for part in choice.text)

    @property
    def reasoned(self) -> bool:
        """Whether reasoning was seen, or billed."""
        return bool(self.usage.reasoning) or any(choice.reasoning for choice in self.choices.values())

    @property
    def finishes(self) -> list[str]:
        return [choice.finish for choice in self.choices.values() if choice.finish]

    def completion(self) -> str:
        """The class of this completion."""
        return classify(
            text=self.text,
            reasoned=self.reasoned,
            finishes=self.finishes,
            tools=self.tools,
            refused=self.refused,
            ended=self.ended,
        )
