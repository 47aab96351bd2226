"""From what a node gave to figures: one function a set, and the bars that the project set itself."""

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from loom.answer.replay import key_of
from loom.bench.figures import Bar
from loom.bench.retrieval.counting import Share, auc, mean, share
from loom.bench.retrieval.nodes import Answered
from loom.core.values import Json

BARS = {
    "in-title.ceiling": Bar(0.995, at_least=True),
    "in-title.tokens": Bar(1300),
    "in-title.T-REL": Bar(0.99, at_least=True),
    "rephrased.ceiling": Bar(0.70, at_least=True),
    "rephrased.most-tokens": Bar(1500),
    "rephrased.served": Bar(0.80, at_least=True),
    "rephrased.first": Bar(0.55, at_least=True),
    "gate.off-domain": Bar(0.04),
    "gate.in-domain": Bar(0.97, at_least=True),
    "gate.auc": Bar(0.98, at_least=True),
    "gate.everyday": Bar(0.06),
    "gate.adjacent": Bar(0.90, at_least=True),
    "gate.beside": Bar(0),
    "surface.first": Bar(0.95, at_least=True),
    "follow-ups.served": Bar(0.90, at_least=True),
    "follow-ups.dragged": Bar(0),
    "follow-ups.unmoved": Bar(1, at_least=True),
    "calibration.ece": Bar(0.05),
    "calibration.ece-mass": Bar(0.05),
    "cost.lexical.p50": Bar(0.3),
    "cost.semantic.p50": Bar(5),
}


@dataclass(frozen=True, slots=True)
class Score:
    """One figure. `share` is there where the figure counts rows; `unit` is "" for a number from 0 to 1."""

    key: str
    name: str
    value: float
    unit: str = ""
    share: Share | None = None

    @property
    def bar(self) -> Bar | None:
        return BARS.get(self.key)

    @property
    def met(self) -> bool | None:
        return None if self.bar is None or math.isnan(self.value) else self.bar.met(self.value)

    def as_json(self) -> dict[str, Json]:
        found: dict[str, Json] = {"key": self.key, "name": self.name, "unit": self.unit}
        found["value"] = None if math.isnan(self.value) else round(self.value, 6)
        if self.share is not None:
            low, high = self.share.interval
            found |= {"hits": self.share.hits, "of": self.share.total, "low": round(low, 6), "high": round(high, 6)}
        return found | {"bar": str(self.bar) if self.bar else None, "met": self.met}


def _share(key: str, name: str, outcomes: Iterable[bool]) -> Score:
    counted = share(outcomes)
    return Score(key, name, counted.value, share=counted)


def _ceiling(rows: Sequence[Answered]) -> float:
    return mean([each.given.ceiling for each in rows if each.given.ceiling is not None])


def _tokens(rows: Sequence[Answered]) -> list[float]:
    return [float(each.given.tokens) for each in rows]


def in_title(rows: Sequence[Answered]) -> list[Score]:
    """Questions in the corpus's own titles: what the blocks show of the gold, and what they cost."""
    scores = [
        Score("in-title.ceiling", "mean copy ceiling", _ceiling(rows)),
        Score("in-title.tokens", "mean tokens", mean(_tokens(rows)), "tokens"),
        _share("in-title.engaged", "questions that get a block", [each.given.engaged for each in rows]),
    ]
    for template, those in grouped(rows, "template").items():
        scores.append(Score(f"in-title.{template}", f"mean copy ceiling, {template} ({len(those)})", _ceiling(those)))
    return scores


SUBJECT = ("subject_slug", "alt_subject_slugs")


def rephrased(rows: Sequence[Answered], key: str = "rephrased") -> list[Score]:
    """Questions that describe what they ask about without naming it."""
    tokens = _tokens(rows)
    return [
        Score(f"{key}.ceiling", "mean copy ceiling", _ceiling(rows)),
        _share(f"{key}.served", "wanted subject among the units", [each.serves(*SUBJECT) for each in rows]),
        _share(f"{key}.first", "wanted subject first", [each.begins_with(*SUBJECT) for each in rows]),
        _share(f"{key}.engaged", "questions that get a block", [each.given.engaged for each in rows]),
        Score(f"{key}.tokens", "mean tokens", mean(tokens), "tokens"),
        Score(f"{key}.most-tokens", "most tokens", max(tokens, default=math.nan), "tokens"),
    ]


def everyday(each: Answered) -> bool:
    """Whether the row uses a title of the corpus as an everyday word."""
    return bool(each.asked.row.get("ambiguous_word") or each.asked.row.get("ambiguous_words"))


def wants(each: Answered) -> list[bool]:
    """For each group of slugs that the row wants, whether one of it is served."""
    groups = each.asked.row.get("slug_groups") or [each.asked.row.get("slugs") or []]
    return [any(key_of(slug) in each.given.keys for slug in group) for group in groups]


def on_topic(each: Answered) -> bool:
    """Whether a unit that is served speaks of one of the row's topic words."""
    topics = each.asked.row.get("topic") or ()
    words = [rf"(?<!\w){re.escape(str(topic).casefold())}s?(?!\w)" for topic in topics]
    return any(re.search(word, text.casefold()) for word in words for text in each.unit_texts)


def gate(rows: Sequence[Answered]) -> list[Score]:
    """When the node speaks and when it is silent. A row without a confidence counts as 0, unless none has one."""
    of = grouped(rows, "label")
    inside, beside, outside = (of.get(label, []) for label in ("in_domain", "adjacent", "off_domain"))
    return [
        _share("gate.off-domain", "off-domain: engaged", [each.given.engaged for each in outside]),
        _share("gate.in-domain", "in-domain: engaged", [each.given.engaged for each in inside]),
        _share("gate.in-domain-right", "in-domain: a wanted unit served", [any(wants(each)) for each in inside]),
        _share("gate.in-domain-all", "in-domain: one of every wanted group served", [all(wants(each)) for each in inside]),
        Score("gate.auc", "AUC of confidence, in-domain against off-domain", separation(inside, outside)),
        _share("gate.everyday", "everyday words that are titles: engaged", [e.given.engaged for e in outside if everyday(e)]),
        _share("gate.beside", "side calls, chit-chat, errands: engaged", [e.given.engaged for e in outside if not everyday(e)]),
        _share("gate.adjacent", "adjacent: silent, or a unit that is right", [silent_or_right(each) for each in beside]),
        _share("gate.adjacent-engaged", "adjacent: engaged", [each.given.engaged for each in beside]),
    ]


def silent_or_right(each: Answered) -> bool:
    return not each.given.engaged or on_topic(each)


def separation(inside: Sequence[Answered], outside: Sequence[Answered]) -> float:
    """AUC of the confidence; nan for a policy that has none."""
    if all(each.given.confidence is None for each in (*inside, *outside)):
        return math.nan
    return auc([each.given.confidence or 0.0 for each in inside], [each.given.confidence or 0.0 for each in outside])


WANTED = ("slug", "alt_slugs")


def surface(rows: Sequence[Answered]) -> list[Score]:
    """Names in other forms than the corpus writes."""
    scores = [
        _share("surface.first", "expected unit first", [each.begins_with(*WANTED) for each in rows]),
        _share("surface.served", "expected unit among the units", [each.serves(*WANTED) for each in rows]),
    ]
    return scores + [
        _share(f"surface.first.{kind}", f"expected unit first, {kind}", [each.begins_with(*WANTED) for each in those])
        for kind, those in grouped(rows, "kind").items()
    ]


def follow_ups(rows: Sequence[Answered]) -> list[Score]:
    """Conversations: what the last turn is about is served, what it left behind is not."""
    follows = [each for each in rows if each.asked.row.get("kind") == "followup"]
    switched = [each for each in rows if each.asked.row.get("not_slugs")]
    onward = [each for each in switched if each.asked.row.get("slugs")]
    away = [each for each in switched if not each.asked.row.get("slugs")]
    return [
        _share("follow-ups.served", "expected unit among the units", [each.serves("slugs") for each in follows]),
        _share("follow-ups.first", "expected unit first", [each.begins_with("slugs") for each in follows]),
        _share("follow-ups.dragged", "topic changed: the old one served", [each.serves("not_slugs") for each in switched]),
        _share("follow-ups.onward", "topic changed: the new one served", [each.serves("slugs") for each in onward]),
        _share("follow-ups.away", "topic left the corpus: engaged", [each.given.engaged for each in away]),
    ]


def grouped(rows: Sequence[Answered], member: str) -> dict[str, list[Answered]]:
    """Rows by a member, groups in order of their names; rows without it are left out."""
    groups: dict[str, list[Answered]] = {}
    for each in rows:
        if each.asked.row.get(member):
            groups.setdefault(str(each.asked.row[member]), []).append(each)
    return dict(sorted(groups.items()))


SCORERS: Mapping[str, Callable[[Sequence[Answered]], list[Score]]] = {
    "in-title": in_title,
    "rephrased": rephrased,
    "gate": gate,
    "surface": surface,
    "follow-ups": follow_ups,
}


def scored(rows: Mapping[str, Sequence[Answered]]) -> list[Score]:
    """The figures of every set that has rows."""
    return [score for name, scorer in SCORERS.items() if rows.get(name) for score in scorer(rows[name])]


def right(name: str, each: Answered) -> bool:
    """Whether the units served hold one that the row of a set is about: what a confidence predicts."""
    if name == "in-title":
        return each.serves("class_slugs", "iris")
    if name == "rephrased":
        return each.serves(*SUBJECT)
    if name == "gate":
        label = each.asked.row.get("label")
        return any(wants(each)) if label == "in_domain" else label == "adjacent" and on_topic(each)
    return each.serves(*WANTED, "slugs")
