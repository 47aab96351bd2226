"""Transcripts: lines of made-up dialogue with times, a gap, events at given seconds, and one scene that is asked for verbatim."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random

from loom.lab.battery.corpus_lines import LINES
from loom.lab.battery.corpus_series import clock
from loom.lab.battery.truth import SERIES_LENGTH, Scene, TranscriptTruth, UnitTruth

GAP = (-4, 14)
"""Where a gap begins and ends, from the second that is set for it."""
SCENE_AT = (8, 556)


class Talk:
    """Lines of one language, none of them given twice."""

    def __init__(self, language: str, random: Random) -> None:
        self.lines = LINES[language]
        self._random = random
        self._events = list(self.lines.events)
        self._scenes = list(self.lines.scenes)
        combined = [
            line.format(thing=thing, place=place)
            for line in self.lines.talk
            for thing in self.lines.things
            for place in self.lines.places
        ]
        for each in (self._events, self._scenes, combined):
            random.shuffle(each)
        self._talk: Iterator[str] = iter(combined)

    def line(self, who: str) -> str:
        return f"{who.upper()}: {next(self._talk)}"

    def event(self, who: str) -> str:
        return self._events.pop().format(who=who)

    def scene(self, people: tuple[str, str]) -> tuple[Scene, tuple[str, ...]]:
        place, *quotes, callback = self._scenes.pop()
        one, two = people
        lines = (
            f"{one.upper()} ({self.lines.inside.format(place=place)}): {quotes[0]}",
            f"{two.upper()}: {quotes[1]}",
        )
        return Scene(place, people, tuple(quotes), callback), (*lines, f"{one.upper()}: {callback}")


def transcript(
    base: str,
    path: str,
    title: str,
    entity: str,
    talk: Talk,
    people: Sequence[str],
    events: Sequence[int],
    gap: int,
    random: Random,
) -> TranscriptTruth:
    """A transcript of one programme. The unit at each of `events` has something happen to somebody; `people` begin with the two
    of the scene; nothing is said in the gap."""
    begins, ends = gap + GAP[0], gap + GAP[1]
    starts = _starts(begins, ends, random)
    scene, (opened, answered, callback) = talk.scene((people[0], people[1]))
    opens = random.choice(SCENE_AT)
    scene_at = next(at for at, start in enumerate(starts) if start >= opens)
    happening = {max(at for at, start in enumerate(starts) if start <= second) for second in events}
    units = []
    for at, start in enumerate(starts):
        following = starts[at + 1] if at + 1 < len(starts) else None
        end = begins if following == ends else following
        if at == scene_at:
            text = opened
        elif at == scene_at + 1:
            text = answered
        elif following is None:
            text = callback
        elif at in happening:
            text = talk.event(people[random.randrange(len(people))])
        else:
            text = talk.line(people[random.randrange(len(people))])
        units.append(UnitTruth(start, end, f"[{clock(start)}]", text))
    return TranscriptTruth(base, path, title, entity, tuple(units), (begins, ends), scene)


def _starts(begins: int, ends: int, random: Random) -> list[int]:
    """Where units begin, none of them inside of the gap. Units are shorter than any two events are apart."""
    starts = [0]
    while starts[-1] < SERIES_LENGTH - 12:
        following = starts[-1] + random.randint(7, 10)
        starts.append(ends if begins - 4 <= following < ends else following)
    return starts


def written(transcript: TranscriptTruth) -> str:
    """As lines that begin with a time; one with nothing behind it ends the unit before."""
    gap = transcript.gap
    lines = []
    for unit in transcript.units:
        lines.append(f"{unit.label} {unit.text}\n")
        if gap is not None and unit.end == gap[0]:
            lines.append(f"[{clock(gap[0])}]\n")
    return "".join(lines)


def closed(transcript: TranscriptTruth) -> TranscriptTruth:
    """The same with an end to its last unit, since a cue states one."""
    *units, last = transcript.units
    return replace(transcript, units=(*units, replace(last, end=SERIES_LENGTH)))


def subtitles(transcript: TranscriptTruth) -> str:
    """As WebVTT; every unit has an end."""
    cues = (f"{_stamp(unit.start)} --> {_stamp(unit.end or 0)}\n{unit.text}\n" for unit in transcript.units)
    return "WEBVTT\n\n" + "\n".join(cues)


def _stamp(second: int) -> str:
    return f"00:{clock(second)}.000"
