"""Replies of models into judgements. A reply that is no judgement of what was asked raises Malformed; nothing in it is then used."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import orjson

from loom.core.claims.judging.asked import WAYS, Axis, Inquiry, Value
from loom.core.claims.judging.given import VERDICTS, Drawn, Extract, Filed, Inferred, Opinion, Passed, Placed, Proposal, Way
from loom.core.values import Json

LONGEST = 4000
"""Characters of a proposition, precondition or definition."""
MOST = 400
"""Things that one reply may hold."""


class Malformed(Exception):
    """A reply that is not what was asked for; says why."""


def object_of(text: str) -> Mapping[str, Json]:
    """The JSON object of a reply, which may stand in a code fence or among words."""
    start, end = text.find("{"), text.rfind("}")
    try:
        found = orjson.loads(text[start : end + 1]) if 0 <= start < end else None
    except orjson.JSONDecodeError as error:
        raise Malformed("it is no JSON") from error
    if not isinstance(found, dict):
        raise Malformed("it is no JSON object")
    return found


def member(of: Any, name: str, kind: type | tuple[type, ...]) -> Any:
    value = of.get(name) if isinstance(of, dict) else None
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        raise Malformed(f"`{name}` is missing or of another type")
    return value


def listed(of: Any, name: str) -> list[Any]:
    found: list[Any] = member(of, name, list)
    if len(found) > MOST:
        raise Malformed(f"`{name}` has more than {MOST} members")
    return found


def worded(of: Any, name: str) -> str:
    """A text that is there, as one line."""
    text = " ".join(str(member(of, name, str)).split())
    if not text or len(text) > LONGEST:
        raise Malformed(f"`{name}` is empty or longer than {LONGEST} characters")
    return text


def share(of: Any, name: str) -> float:
    number = float(member(of, name, (int, float)))
    if not 0 <= number <= 1:
        raise Malformed(f"`{name}` is not from 0 to 1")
    return round(number, 6)


def answers(reply: Mapping[str, Json], count: int) -> list[Any]:
    """The answers to `count` items in their order; each has exactly one."""
    given = listed(reply, "answers")
    ids = [member(each, "id", int) for each in given]
    if sorted(ids) != list(range(1, count + 1)):
        raise Malformed(f"its answers are not those to items 1 to {count}")
    return [given[ids.index(number)] for number in range(1, count + 1)]


def truths(reply: Mapping[str, Json], count: int) -> list[bool]:
    return [member(each, "entailed", bool) for each in answers(reply, count)]


def opinions(reply: Mapping[str, Json], count: int) -> list[Opinion]:
    found = []
    for each in answers(reply, count):
        verdict = member(each, "verdict", str)
        if verdict not in VERDICTS:
            raise Malformed(f"{verdict[:40]!r} is no verdict")
        found.append(Opinion(verdict, "model"))
    return found


_WORD = re.compile(r"\w+")


def extract(reply: Mapping[str, Json], text: str, offset: int) -> Extract:
    """Signals of a piece of an entry that begins at `offset`. A quote is looked up by its words; one that is not there is passed over,
    so that no span is ever made up."""
    words = [(each.group().casefold(), each.start(), each.end()) for each in _WORD.finditer(text)]
    forms = [form for form, _, _ in words]
    drawn: dict[tuple[int, int, str], Drawn] = {}
    passed: list[Passed] = []
    for each in listed(reply, "signals"):
        quote, proposition = worded(each, "quote"), worded(each, "proposition")
        place = _place([word.casefold() for word in _WORD.findall(quote)], forms)
        if place is None:
            passed.append(Passed(offset, offset, "misquoted"))
            continue
        start, end = words[place[0]][1], words[place[1] - 1][2]
        end += len(stop[0]) if (stop := re.match(r"[.!?…]+", text[end:])) else 0
        drawn[start, end, proposition] = Drawn(offset + start, offset + end, proposition)
    return Extract(tuple(drawn[key] for key in sorted(drawn)), tuple(passed))


def _place(wanted: Sequence[str], forms: Sequence[str]) -> tuple[int, int] | None:
    size = len(wanted)
    for at in range(len(forms) - size + 1 if size else 0):
        if forms[at] == wanted[0] and list(forms[at : at + size]) == list(wanted):
            return at, at + size
    return None


def inferred(reply: Mapping[str, Json], asked: Inquiry) -> list[Inferred]:
    """Derived propositions; one that rests on anything but the evidence given makes the whole reply malformed."""
    ids = {each.id for each in asked.evidence}
    found = []
    for each in listed(reply, "propositions"):
        antecedents = tuple(dict.fromkeys(listed(each, "antecedents")))
        if not antecedents or not all(isinstance(id, str) and id in ids for id in antecedents):
            raise Malformed("a proposition rests on evidence that was not given")
        assumed = [worded({"precondition": one}, "precondition") for one in listed(each, "preconditions")]
        found.append(Inferred(worded(each, "proposition"), antecedents, tuple(dict.fromkeys(assumed))))
    return found


def placed(reply: Mapping[str, Json], axis: Axis) -> Placed:
    """A position: a value of the axis, or None where it does not concern it."""
    value, relevance = reply.get("value"), share(reply, "relevance")
    if value is None:
        return Placed(None, relevance)
    return Placed(_value(value, axis), relevance)


def _value(value: Json, axis: Axis) -> Value:
    if axis.space == "scalar":
        number = float(member({"value": value}, "value", (int, float)))
        if not axis.low <= number <= axis.high:
            raise Malformed(f"{number:g} is outside {axis.low:g} to {axis.high:g}")
        return number
    named = str(value).lower() if isinstance(value, bool) else value
    if named not in axis.names:
        raise Malformed(f"{str(value)[:40]!r} is no value of {axis.name}")
    return named == "true" if axis.space == "binary" else str(named)


def filed(
    reply: Mapping[str, Json], count: int, domains: Sequence[str], thresholds: Mapping[str, float], least: float
) -> list[Filed]:
    found = []
    for each in answers(reply, count):
        told = dict.fromkeys(domains, 0.0)
        for one in listed(each, "domains"):
            if (domain := member(one, "domain", str)) not in told:
                raise Malformed(f"{domain[:40]!r} is no domain that was given")
            told[domain] = share(one, "probability")
        kept = [domain for domain in told if told[domain] >= thresholds.get(domain, least)]
        found.append(Filed(tuple(sorted(kept, key=lambda domain: (-told[domain], domain))), tuple(told.items())))
    return found


def ways(reply: Mapping[str, Json], count: int) -> list[Way]:
    found = []
    for each in answers(reply, count):
        told = [share(member(each, "probabilities", dict), way) for way in WAYS]
        if not sum(told):
            raise Malformed("its probabilities are all 0")
        shares = [round(one / sum(told), 6) for one in told]
        found.append(Way(WAYS[shares.index(max(shares))], tuple(zip(WAYS, shares, strict=True))))
    return found


def proposals(reply: Mapping[str, Json]) -> list[Proposal]:
    found = []
    for each in listed(reply, "axes"):
        space = member(each, "space", str)
        if space not in ("ordinal", "scalar", "binary", "category"):
            raise Malformed(f"{space[:40]!r} is no value space")
        prototypes = tuple((worded(one, "value"), worded(one, "example")) for one in listed(each, "prototypes"))
        values = tuple(dict.fromkeys(worded({"value": one}, "value") for one in listed(each, "values")))
        low, high = (float(member(each, name, (int, float))) for name in ("low", "high"))
        axis = Axis(worded(each, "name"), worded(each, "definition"), space, values, low, high, prototypes)
        found.append(Proposal(axis, worded(each, "why")))
    return found


def passage_of(reply: Mapping[str, Json]) -> str:
    return worded(reply, "passage")


def text_of(reply: Mapping[str, Json]) -> str:
    text = str(member(reply, "text", str)).strip()
    if not text:
        raise Malformed("`text` is empty")
    return text
