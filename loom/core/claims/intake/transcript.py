"""A transcript as one text: a line for each turn, who speaks before it where the cues say so."""

import re
from collections.abc import Iterable

_DASH = re.compile(r"^[ \t]*[-–—][ \t]*(?=\S)", re.MULTILINE)
"""What begins a turn where one cue has those of two people."""
_SPEAKER = re.compile(r"[ \t]*([A-Z][\w.'’-]*(?:[ \t]+[A-Z][\w.'’-]*){0,3})(?:[ \t]*\([^()]{1,60}\))?:[ \t]+(\S.*)", re.DOTALL)


def turns(cues: Iterable[str]) -> str:
    """Cues joined into turns: a cue that names no speaker goes on with the turn before it."""
    lines: list[list[str]] = []
    for text in (" ".join(part.split()) for cue in cues for part in _DASH.split(cue)):
        if not text:
            continue
        found = _SPEAKER.fullmatch(text)
        said = found[2] if found else text
        speaker = found[1] if found else ""
        if lines and (not speaker or lines[-1][0] == speaker):
            lines[-1].append(said)
        else:
            lines.append([speaker, said])
    return "\n".join(f"{speaker}: {' '.join(said)}" if speaker else " ".join(said) for speaker, *said in lines)
