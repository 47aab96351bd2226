"""Names that speech recognition misspelled and a model took over: "Opus 48", "GPT55" (§11). Found by rule, without a model.

`known`    letters and digits as in a known name with a number, but another number: "GPT55" where GPT-5.5 is known, "IEEE 80211" where
           802.11 is. Hyphens, blanks and case may differ, for a number stays the same number ("GPT 5.5").
`family`   one of the families below, then two or three digits and no point, whether or not a name of it is known: "Opus 48",
           "Sonnet 45". Not where letters or a unit follow ("Llama 70B", "Qwen 72 billion"), nor where that very name is known.
`spoken`   such a family, or the letters of a known name, then a version in words: "Opus four point eight", "GPT 5 point 5".
`listed`   whatever a list says that the user gives, one a line, at word boundaries in any case.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from loom.core.text import fold
from loom.core.values import Json

FAMILIES = (
    "claude deepseek falcon flux gemini gemma glm gpt granite grok haiku kimi llama minimax mistral mixtral nemotron nova opus phi "
    "qwen sonnet whisper yi"
).split()
"""Families of models whose versions have a point, so that two digits in a row have lost theirs."""

LONGEST = 8
"""Runs of letters or digits in the longest name."""

_RUNS = re.compile(r"[^\W\d_]+|\d+(?:\.\d+)*")
_GAP = re.compile(r"[ \t\-‐‑_.’']?|-[ \t]|[ \t]-")
_SAID = r"(?:\d+|zero|oh|one|two|three|four|five|six|seven|eight|nine|ten)"
_UNIT = re.compile(
    r"\s*(?:%|(?:billion|million|bn|b|m|k|percent|per cent|tokens?|parameters?|gb|mb|hours?|minutes?|days?|weeks?|years?|times|people)\b)",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Artefact:
    """What was found: the text, the rule, and the known name that it garbles, "" where the rule knows none."""

    text: str
    rule: str
    name: str = ""

    def as_json(self) -> dict[str, Json]:
        return {"text": self.text, "rule": self.rule, "name": self.name}


class Artefacts:
    """The detector over known names (those of a corpus, or of a list) and a list of artefacts."""

    def __init__(self, known: Iterable[str] = (), listed: Iterable[str] = ()) -> None:
        self._known: dict[str, dict[tuple[str, ...], str]] = {}
        letters = set(FAMILIES)
        for name in known:
            runs = _RUNS.findall(fold(name))
            numbers = _numbers(runs)
            if numbers and len(runs) > len(numbers):
                self._known.setdefault(_key(runs), {}).setdefault(numbers, name)
                if any("." in number for number in numbers) and len(runs) == 2 and len(runs[0]) > 1:
                    letters.add(runs[0])
        families = "|".join(map(re.escape, FAMILIES))
        self._family = re.compile(rf"\b({families})[ \t-]?(\d{{2,3}})(?![\w.]*\d)(?!\w)", re.I)
        heads = "|".join(sorted(map(re.escape, letters)))
        self._spoken = re.compile(rf"\b(?:{heads})[ \t-]+{_SAID}[ \t]+point[ \t]+{_SAID}\b", re.I)
        given = sorted({item.strip() for item in listed if item.strip()}, key=lambda item: (-len(item), item))
        self._listed = re.compile(r"(?<!\w)(?:" + "|".join(map(re.escape, given)) + r")(?!\w)", re.I) if given else None

    def find(self, text: str) -> list[Artefact]:
        """The artefacts in a text, in order; none overlaps another, and a listed one comes before what the rules say."""
        found: list[tuple[int, int, Artefact]] = []
        for start, end, artefact in [*self._by_list(text), *self._by_name(text), *self._by_pattern(text)]:
            if all(end <= other or start >= last for other, last, _ in found):
                found.append((start, end, artefact))
        return [artefact for _, _, artefact in sorted(found, key=lambda each: each[:2])]

    def _by_list(self, text: str) -> Iterator[tuple[int, int, Artefact]]:
        if self._listed is not None:
            for match in self._listed.finditer(text):
                yield match.start(), match.end(), Artefact(match[0], "listed")

    def _by_name(self, text: str) -> Iterator[tuple[int, int, Artefact]]:
        runs = list(_RUNS.finditer(text))
        at = 0
        while at < len(runs):
            span = self._longest(text, runs, at)
            if span is None:
                at += 1
                continue
            last, name = span
            start, end = runs[at].start(), runs[last].end()
            if name:
                yield start, end, Artefact(text[start:end], "known", name)
            at = last + 1

    def _longest(self, text: str, runs: list[re.Match[str]], at: int) -> tuple[int, str] | None:
        """The last run of the longest span from a run that has the letters and digits of a known name, and that name where the
        span garbles it ("" where it is the name itself); None for none."""
        if at and runs[at - 1].end() == runs[at].start():
            return None
        pieces: list[str] = []
        found: tuple[int, str] | None = None
        for last in range(at, min(at + LONGEST, len(runs))):
            if last > at and not _GAP.fullmatch(text, runs[last - 1].end(), runs[last].start()):
                break
            pieces.append(fold(runs[last][0]))
            if last + 1 < len(runs) and runs[last + 1].start() == runs[last].end():
                continue
            if named := self._known.get(_key(pieces)):
                numbers = _numbers(pieces)
                found = last, "" if numbers in named else next(iter(named.values()))
        return found

    def _by_pattern(self, text: str) -> Iterator[tuple[int, int, Artefact]]:
        for match in self._spoken.finditer(text):
            yield match.start(), match.end(), Artefact(match[0], "spoken")
        for match in self._family.finditer(text):
            runs = [fold(match[1]), match[2]]
            if not _UNIT.match(text, match.end()) and _numbers(runs) not in self._known.get(_key(runs), {}):
                yield match.start(), match.end(), Artefact(match[0], "family")


def _key(runs: Iterable[str]) -> str:
    return "".join(runs).replace(".", "")


def _numbers(runs: Iterable[str]) -> tuple[str, ...]:
    return tuple(run for run in runs if run[0].isdigit())
