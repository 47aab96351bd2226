"""Transcripts as people have them: text and Markdown, WebVTT and SubRip cues, and the JSON of transcribers."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import unescape
from pathlib import Path

import orjson

from loom.core.errors import BadInput
from loom.core.values import Json
from loom.lab.text_files import text_of

SUFFIXES = (".txt", ".md", ".json", ".vtt", ".srt")
CHUNK = 24_000
"""Characters that one request holds at most; longer transcripts are parted between lines."""

_TIME = re.compile(r"^\s*(?:\d+:)?\d{1,2}:\d{2}[.,]\d{1,3}\s+-->\s+\S+.*$")
_VOICE = re.compile(r"<v(?:\.[\w.]+)?\s+([^>]+)>")
_TAG = re.compile(r"</?[a-z][^<>]*>|<\d[\d:.]*>", re.I)
_HEAD = re.compile(r"^(?:WEBVTT|NOTE|STYLE|REGION)\b")


@dataclass(frozen=True, slots=True)
class Transcript:
    """A transcript: its name (of the file), and its text, a turn or cue a line, the speaker before a colon where one is known."""

    name: str
    text: str

    def chunks(self, most: int = CHUNK) -> list[str]:
        """The text in pieces of at most so many characters, parted between lines where that can be."""
        pieces: list[str] = []
        held = ""
        for line in self.text.splitlines(keepends=True):
            while len(line) > most:
                pieces += [piece for piece in (held, line[:most]) if piece]
                held, line = "", line[most:]
            if len(held) + len(line) > most:
                pieces.append(held)
                held = ""
            held += line
        return [piece for piece in (*pieces, held) if piece.strip()]


def read(path: Path) -> Transcript:
    """The transcript in a file, by its suffix. Raises BadInput."""
    suffix = path.suffix.lower()
    if not path.exists():
        raise BadInput(f"Expected a transcript at {path}, but there is nothing; check the path.", param="transcripts")
    if suffix not in SUFFIXES:
        raise BadInput(
            f"Expected a transcript as {', '.join(SUFFIXES)}, but got {path.name!r}; save it as one of these.",
            param="transcripts",
        )
    text = text_of(path, "transcripts")
    if suffix == ".json":
        lines: Sequence[str] = list(_of_json(_loaded(text, path)))
    elif suffix in (".vtt", ".srt"):
        lines = list(_cues(text))
    else:
        lines = [line.rstrip() for line in text.splitlines()]
    joined = "\n".join(lines).strip()
    if not joined:
        raise BadInput(f"Expected words in {path}, but there are none.", param="transcripts")
    return Transcript(path.name, joined + "\n")


def _cues(text: str) -> Iterator[str]:
    """The words of cues. Numbers, times, notes and markup are left out; a cue that repeats the one before is given once."""
    last = ""
    for cue in re.split(r"\n[ \t]*\n", text.replace("\r\n", "\n")):
        lines = cue.strip().split("\n")
        at = next((number for number, line in enumerate(lines) if _TIME.match(line)), None)
        if at is None and (_HEAD.match(lines[0]) or lines[0].strip().isdigit()):
            continue
        words = []
        for line in lines[0 if at is None else at + 1 :]:
            voice = _VOICE.search(line)
            said = unescape(_TAG.sub("", line)).strip()
            words.append(f"{voice[1].strip()}: {said}" if voice and said else said)
        spoken = " ".join(word for word in words if word)
        if spoken and spoken != last:
            yield spoken
        last = spoken or last


def _loaded(text: str, path: Path) -> Json:
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise BadInput(f"Expected JSON in {path}; {error}.", param="transcripts") from None


def _of_json(value: Json) -> Iterator[str]:
    """Lines of a transcriber's JSON: segments, utterances, turns or cues with text and speaker, or one text."""
    if isinstance(value, str):
        yield from value.splitlines()
    elif isinstance(value, list):
        for each in value:
            yield from _of_json(each)
    elif isinstance(value, dict):
        inner = next((value[name] for name in _LISTS if isinstance(value.get(name), list)), None)
        text = next((value[name] for name in _TEXTS if isinstance(value.get(name), str)), None)
        best, elements = value.get("alternatives"), value.get("elements")
        if text is None and isinstance(elements, list):
            text = "".join(str(each.get("value", "")) for each in elements if isinstance(each, dict))
        if inner is not None:
            yield from _of_json(inner)
        elif isinstance(best, list):
            yield from _of_json(best[:1])
        elif text is not None:
            speaker = next((value[name] for name in _SPEAKERS if isinstance(value.get(name), str | int)), "")
            spoken = " ".join(text.split())
            yield f"{speaker}: {spoken}" if speaker != "" else spoken
        else:
            for name in ("transcript", "results", "result", "data"):
                if isinstance(value.get(name), dict):
                    yield from _of_json(value[name])


_LISTS = (
    "segments",
    "utterances",
    "turns",
    "cues",
    "messages",
    "transcript",
    "monologues",
    "paragraphs",
    "results",
    "transcripts",
    "channels",
)
_TEXTS = ("text", "content", "transcript", "utterance", "sentence")
_SPEAKERS = ("speaker", "speaker_name", "speaker_label", "speaker_id", "role", "name")
