"""WhatsApp's exported chats: text, a message a line, its further lines below it.

Whether the day or the month comes first is the telephone's choice. A number above 12 tells it; where no line has one, messages come in
the order of their times; where that says nothing either, a time of twelve hours says that the month comes first, else the day does.
"""

import re
from datetime import datetime
from itertools import pairwise
from pathlib import PurePath

from loom.core.memory.imported import Imported, Talk
from loom_adapters.memory.imports.values import said

_HEAD = re.compile(
    r"^[\u200e\u200f\ufeff]*\[?(?P<a>\d{1,4})[./-]\s?(?P<b>\d{1,2})[./-]\s?(?P<c>\d{2,4})\.?[,،]?\s+(?:(?:à|at|um|alle|a\s+las)\s+)?(?P<hour>\d{1,2})[:.](?P<minute>\d\d)(?:[:.]\d\d)?"
    r"\s*(?P<half>[AaPp]\.?\s?[Mm]\.?)?(?:\]\s*|\s+[-–]\s+)(?P<rest>.*)$"
)
_SPOKEN = re.compile(r"^[\u200e\u200f]*(?P<speaker>[^:]{1,200}?):(?:\s(?P<text>.*))?$", re.DOTALL)
_LEFT_OUT = re.compile(
    r"^[\u200e\u200f]*(?:<(?:Media|Medien|Médias|Multimedia)[^>]*>|(?:image|video|audio|sticker|GIF|document|Contact card) omitted|"
    r"<[^<>\n]{3,60}>|This message was deleted\.?|You deleted this message\.?|Diese Nachricht wurde gelöscht\.?"
    r"|Du hast diese Nachricht gelöscht\.?|Ce message a été supprimé\.?|Vous avez supprimé ce message\.?|Se eliminó este mensaje\.?"
    r"|Eliminaste este mensaje\.?|Questo messaggio è stato eliminato\.?|Hai eliminato questo messaggio\.?|Dit bericht is verwijderd\.?"
    r"|Esta mensagem foi apagada\.?|null)$",
    re.IGNORECASE,
)
_EDITED = re.compile(
    r"\s*(?:[\u200e\u200f]+<[^<>\n]{3,60}>|<This message was edited>|<Diese Nachricht wurde bearbeitet\.>)\s*$"
)
# A file is named in the first line, in whichever language ("cat.jpg (file attached)"); what one wrote with it is below.
_ATTACHED = re.compile(r"^[\u200e\u200f]*(?P<file>[^\n]{1,200}\.\w{2,5}) \([^()\n]{3,40}\)(?:\n|$)")
# What WhatsApp itself puts into a message begins with a mark of the direction of writing.
_ITS_OWN = re.compile(r"^[\u200e\u200f](?!.*\n)")
_MARKS = "\u200e\u200f\u202a\u202b\u202c\u2066\u2067\u2068\u2069 ~"


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
        text, caption = _EDITED.sub("", spoken["text"] or "").strip(), ""
        if attached := _ATTACHED.match(text):
            text, caption = text[attached.end() :].strip(), PurePath(attached["file"].strip()).name
        if not (text or caption) or _LEFT_OUT.match(text) or _ITS_OWN.match(text):
            continue
        speaker = spoken["speaker"].strip(_MARKS)
        key = (speaker, date, text or caption)
        seen[key] = seen.get(key, 0) + 1
        turn = said(speaker, text, date, "", caption)
        talk.turns.append(turn if seen[key] == 1 else said(speaker, text, date, f"{turn.id}-{seen[key]}", caption))
    found.talks.append(talk)
    return found


def _months_first(heads: list[re.Match[str]]) -> bool:
    first, second = (max((int(head[name]) for head in heads if int(head["a"]) < 32), default=0) for name in "ab")
    if first > 12 or second > 12:
        return second > 12 >= first
    steps = {
        order: sum(after < before for before, after in pairwise(_date(head, months_first=order) for head in heads))
        for order in (True, False)
    }
    return steps[True] < steps[False] or (steps[True] == steps[False] and any(head["half"] for head in heads))


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
    try:
        return datetime(year, month, day, hour, int(head["minute"])).isoformat(timespec="minutes")
    except ValueError:
        return ""
