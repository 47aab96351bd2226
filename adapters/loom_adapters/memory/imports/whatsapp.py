"""WhatsApp's exported chats: text, a message a line, its further lines below it.

Whether the day or the month comes first is the telephone's choice. A number above 12 tells it; where no line has one, a time of twelve
hours says that the month comes first, else the day does.
"""

import re

from loom.core.memory.imported import Imported, Talk
from loom_adapters.memory.imports.values import said

_HEAD = re.compile(
    r"^[\u200e\u200f\ufeff]*\[?(?P<a>\d{1,4})[./-](?P<b>\d{1,2})[./-](?P<c>\d{2,4}),?\s+(?P<hour>\d{1,2})[:.](?P<minute>\d\d)(?:[:.]\d\d)?"
    r"\s*(?P<half>[AaPp]\.?\s?[Mm]\.?)?(?:\]\s*|\s+[-–]\s+)(?P<rest>.*)$"
)
_SPOKEN = re.compile(r"^[\u200e\u200f]*(?P<speaker>[^:]{1,200}?):(?:\s(?P<text>.*))?$", re.DOTALL)
_LEFT_OUT = re.compile(
    r"^[\u200e\u200f]*(?:<(?:Media|Medien|Médias|Multimedia)[^>]*>|(?:image|video|audio|sticker|GIF|document|Contact card) omitted|"
    r"This message was deleted\.?|You deleted this message\.?|null)$",
    re.IGNORECASE,
)
_EDITED = re.compile(r"\s*[\u200e\u200f]*<This message was edited>\s*$")
_ATTACHED = re.compile(r"^[\u200e\u200f]*<attached: [^>]*>$")


def is_whatsapp(text: str) -> bool:
    """Whether one of the first lines is the head of a message, and nothing comes before it."""
    lines = [line for line in text[:4000].splitlines() if line.strip()]
    return bool(lines) and bool(_HEAD.match(lines[0]))


def read(text: str) -> Imported:
    found = Imported("whatsapp")
    talk = Talk("")
    heads: list[tuple[int, re.Match[str], list[str]]] = []
    for number, line in enumerate(text.replace("\u202f", " ").replace("\xa0", " ").split("\n"), 1):
        line = line.rstrip("\r")
        if match := _HEAD.match(line):
            heads.append((number, match, [match["rest"]]))
        elif heads:
            heads[-1][2].append(line)
        elif line.strip():
            found.fault(f"line {number}", "Expected a date, a time and a message; export the chat again, without changing it.")
    months_first = _months_first([match for _, match, _ in heads])
    seen: dict[tuple[str, str, str], int] = {}
    for number, match, lines in heads:
        date = _date(match, months_first=months_first)
        if not date:
            found.fault(
                f"line {number}", f"Expected a date, but {match[0][:24]!r} is none; mend the line, or export the chat again."
            )
            continue
        spoken = _SPOKEN.match("\n".join(lines))
        if spoken is None:
            continue  # what WhatsApp itself says: that somebody joined, or that messages are encrypted
        text = _EDITED.sub("", spoken["text"] or "").strip()
        if not text or _LEFT_OUT.match(text) or _ATTACHED.match(text):
            continue
        speaker = spoken["speaker"].strip("\u200e\u200f ~")
        key = (speaker, date, text)
        seen[key] = seen.get(key, 0) + 1
        turn = said(speaker, text, date, "")
        talk.turns.append(turn if seen[key] == 1 else said(speaker, text, date, f"{turn.id}-{seen[key]}"))
    found.talks.append(talk)
    return found


def _months_first(heads: list[re.Match[str]]) -> bool:
    first, second = (max((int(head[name]) for head in heads if int(head["a"]) < 32), default=0) for name in "ab")
    if first > 12 or second > 12:
        return second > 12 >= first
    return any(head["half"] for head in heads)


def _date(head: re.Match[str], *, months_first: bool) -> str:
    a, b, c = (int(head[name]) for name in "abc")
    if a > 31:
        year, month, day = a, b, c
    else:
        month, day = (a, b) if months_first else (b, a)
        year = c + 2000 if c < 100 else c
    hour = int(head["hour"])
    if head["half"]:
        hour = hour % 12 + (12 if head["half"][0] in "pP" else 0)
    if not (1 <= month <= 12 and 1 <= day <= 31 and hour < 24 and int(head["minute"]) < 60):
        return ""
    return f"{year:04}-{month:02}-{day:02}T{hour:02}:{head['minute']}"
