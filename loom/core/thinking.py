"""Reasoning that a model writes into its content, between tags, told apart from the answer as it streams."""

TAGS = (
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<thought>", "</thought>"),
    ("<reasoning>", "</reasoning>"),
    ("[THINK]", "[/THINK]"),
    ("◁think▷", "◁/think▷"),
)


class TagReader:
    """Separates a leading tagged block of reasoning from the answer, in any chunking.

    Only a block at the very start (white space aside) is reasoning: a tag further on may be something the answer is about.
    """

    def __init__(self) -> None:
        self._held = ""
        self._end: str | None = None
        self._settled = False

    def feed(self, text: str) -> tuple[str, str]:
        """`text` split into (answer, reasoning), as far as it can be told yet; the rest is held for the next call."""
        if self._settled:
            return text, ""
        self._held += text
        if self._end is None:
            start = self._held.lstrip()
            opened = next(((begin, end) for begin, end in TAGS if start.startswith(begin)), None)
            if opened is None:
                if any(begin.startswith(start) for begin, _ in TAGS):
                    return "", ""
                return self._settle(self._held), ""
            self._end = opened[1]
            self._held = start[len(opened[0]) :]
        reasoning, found, answer = self._held.partition(self._end)
        if found:
            return self._settle(answer), reasoning
        kept = next((n for n in range(len(self._end) - 1, 0, -1) if self._held.endswith(self._end[:n])), 0)
        cut = len(self._held) - kept
        self._held, reasoning = self._held[cut:], self._held[:cut]
        return "", reasoning

    def close(self) -> tuple[str, str]:
        """What was held when the text ended: the start of an unfinished tag, as (answer, reasoning)."""
        held, self._held = self._held, ""
        return ("", held) if self._end is not None else (held, "")

    def _settle(self, answer: str) -> str:
        self._settled, self._held = True, ""
        return answer
