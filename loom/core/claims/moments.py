"""Which of two observations was made before the other: by moment where both have one, whatever zone each was written in, else by day."""

import re

import numpy as np

from loom.core.memory.calendar import day_of

_TIME = re.compile(r".{10}[T ](\d\d):(\d\d)(?::(\d\d)([.,]\d+)?)?\s*(?:Z|([+-])(\d\d):?(\d\d))?\s*\Z", re.IGNORECASE)


def moment(text: str) -> float | None:
    """Seconds since 1970 in UTC, in which a time without a zone is taken to be; None where a text has no day, or no time."""
    day, found = day_of(text), _TIME.match(text)
    if not day or not found:
        return None
    hours, minutes, seconds, fraction, sign, ahead, beside = found.groups()
    offset = (int(ahead) * 3600 + int(beside) * 60) * (-1 if sign == "-" else 1) if sign else 0
    part = float(f"0.{fraction[1:]}") if fraction else 0.0
    days = int(np.datetime64(day, "D").astype(np.int64))
    return days * 86400 + int(hours) * 3600 + int(minutes) * 60 + int(seconds or 0) + part - offset


def earlier(one: str, other: str) -> bool:
    """Whether `one` was surely before `other`. On one day, what has no time is neither before nor behind what has one; where either
    has no day, nothing is sure."""
    first, second = moment(one), moment(other)
    if first is not None and second is not None:
        return first < second
    days = day_of(one), day_of(other)
    return all(days) and days[0] < days[1]
