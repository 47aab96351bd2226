"""Subtitles: SubRip (.srt) and WebVTT (.vtt). Each cue is one unit at the times that it states; gaps between cues stay gaps."""

import html
import re
from collections.abc import Iterator
from decimal import Decimal

from loom_adapters.kb.units import Fault, Read, Unit, clock_label, in_order
from loom_adapters.kb.wording import sentence, shown

_TIME = r"(?:(\d{1,4}):)?([0-5]?\d):([0-5]\d)[.,](\d{1,9})"
_FORM = "00:01:02,500 --> 00:01:04,000"
_TIMES = re.compile(rf"\s*{_TIME}\s*-->\s*{_TIME}(?:\s.*)?", re.ASCII)
_VOICE = re.compile(r"<v(?:\.[^\s>]*)?\s+([^>]+)>")
_TAG = re.compile(r"</?(?:[biu]|font|c|v|ruby|rt|lang)\b[^>]*>|<\d[\d:.]*>|\{\\[^}]*\}")
_NO_CUE = ("NOTE", "STYLE", "REGION", "WEBVTT")


def read_cues(text: str, vtt: bool) -> Read:
    """The units of a subtitle file; a cue whose times cannot be read is left out, and so is an empty one. Cues with the same times, as
    two who speak at once have, are one unit."""
    units: dict[tuple[Decimal, Decimal], Unit] = {}
    faults: list[Fault] = []
    for line, block in _blocks(text):
        if vtt and block[0].startswith(_NO_CUE) and "-->" not in block[0]:
            continue
        at = next((number for number, one in enumerate(block[:2]) if "-->" in one), None)
        times = _TIMES.fullmatch(block[at]) if at is not None else None
        if at is None or times is None:
            told = block[0 if at is None else at].strip()
            said = sentence(f"times such as {_FORM}", f"this cue has {shown(told)}", "correct them, or take the cue away")
            faults.append(Fault("kb-cue", said, line + (at or 0)))
            continue
        found = times.groups()
        start, end = _seconds(*found[:4]), _seconds(*found[4:])
        if not start < end:
            came = f"this one, from {clock_label(start)}, ends at {clock_label(end)}"
            faults.append(Fault("kb-cue", sentence("a cue that ends after it begins", came, "correct its times"), line + at))
            continue
        said = _said("\n".join(block[at + 1 :]), vtt)
        if not said:
            continue
        there = units.get((start, end))
        joined = Unit(start, end, clock_label(start), said, line + at)
        units[start, end] = joined if there is None else there._replace(text=f"{there.text}\n{said}")
    return in_order(list(units.values()), faults)


def _blocks(text: str) -> Iterator[tuple[int, list[str]]]:
    """Runs of lines that are not empty, each with the number of its first. Times within one begin another: the empty line before them,
    or before their cue's number, is missing."""
    block: list[str] = []
    begun = 0
    for number, line in enumerate((*text.split("\n"), ""), 1):
        if "-->" in line and _TIMES.fullmatch(line) and any("-->" in one for one in block):
            last = 1 if len(block) > 2 and block[-1].strip().isdigit() else 0
            yield begun, block[: len(block) - last]
            block, begun = block[len(block) - last :], number - last
        if line.strip():
            begun = begun if block else number
            block.append(line)
        elif block:
            yield begun, block
            block = []


def _seconds(hours: str | None, minutes: str, seconds: str, part: str) -> Decimal:
    whole = int(hours or 0) * 3600 + int(minutes) * 60 + int(seconds)
    part = part.rstrip("0")
    return Decimal(f"{whole}.{part}") if part else Decimal(whole)


def _said(text: str, vtt: bool) -> str:
    """The words of a cue without its markup; who speaks stands before them."""
    text = _TAG.sub("", _VOICE.sub(lambda voice: f"{voice[1].strip()}: ", text))
    return (html.unescape(text) if vtt else text).strip()
