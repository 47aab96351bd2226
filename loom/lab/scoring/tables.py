"""Tables of scoring for people: one line a group."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from loom.core.exposure.ceiling import Ceilings, figure
from loom.lab.columns import columns
from loom.lab.scoring.attribution import Attribution
from loom.lab.scoring.figures import Estimate, Figures

if TYPE_CHECKING:
    from loom.lab.scoring.decomposition import Decomposition

HEAD = (
    "group",
    "n",
    "n11",
    "n10",
    "n01",
    "n00",
    "ceiling",
    "recall",
    "gain",
    "95 %",
    "used",
    "omitted",
    "names",
    "right",
    "empty",
)

CITED = ("citations", "cited", "of no unit", "cut units", "hold the names", "named units cited")


def interval(estimate: Estimate) -> str:
    """The wider of what is known: the interval of clusters, else of rows."""
    bounds = estimate.ci_clustered or estimate.ci95
    return "" if bounds is None else f"[{bounds[0]:+.3f}, {bounds[1]:+.3f}]"


def name_of(of: Figures) -> str:
    return " · ".join(word for _, word in of.group) + (" *" if of.flow.lower_confidence else "")


def attribution_line(name: str, of: Attribution) -> tuple[str, ...]:
    shares = of.as_json()
    numbers = (of.cited, of.unknown, of.cut)
    return name, *(f"{number:,}" for number in numbers), figure(shares["accuracy"]), figure(shares["named_cited_share"])


def line(of: Figures) -> tuple[str, ...]:
    counts, flow = of.counts, of.flow
    name = name_of(of)
    gain = of.gain.mean
    return (
        name,
        f"{of.n:,}",
        *(f"{number:,}" for number in (counts.n11, counts.n10, counts.n01, counts.n00)),
        figure(of.symmetric),
        figure(of.recall),
        "—" if gain is None else f"{gain:+.4f}",
        interval(of.gain),
        figure(counts.utilisation),
        figure(of.micro.without_compliant),
        figure(of.names, 1),
        figure(of.precision, 3),
        f"{flow.empty:,}",
    )


def decomposition_lines(made: "Decomposition", groups: Iterable[str] = ("pooled", "cells")) -> list[str]:
    """The decomposition as text."""
    drawn = "rows" if made.cluster == "none" else f"whole {made.cluster}s"
    how = f"intervals of {drawn}, {made.resamples:,} resamples, seed {made.seed}" if made.resamples else "without intervals"
    lines = [f"matcher {made.matcher}; macro ceiling, recall and gain under the symmetric scorer; {how}"]
    marked = False
    for group in groups:
        found: Sequence[Figures] = getattr(made, group)
        if found:
            lines += ["", *columns([HEAD, *map(line, found)])]
            marked |= any(each.flow.lower_confidence for each in found)
    if cited := [(name_of(each), each.attribution) for each in made.cells if each.attribution]:
        lines += ["", *columns([CITED, *(attribution_line(*each) for each in cited)])]
    lines += [
        "",
        "used: n11/(n11+n10); omitted: n10/(n11+n10) without alternatives that were not needed; empty answers are left out",
    ]
    if marked:
        lines += ["* lower confidence: more than 2 % of the answers were cut at their allowance"]
    return lines


def ceiling_lines(made: Ceilings) -> list[str]:
    """Ceilings as text: the whole, then each template and domain."""
    head = ("group", "n", "names", "exposed", "macro", "symmetric", "micro", "tokens")
    rows = [("all", made)]
    rows += [(f"template {name or '(none)'}", group) for name, group in made.by("template").items()]
    rows += [(f"domain {name or '(none)'}", group) for name, group in made.by("domain").items()]
    return columns(
        [
            head,
            *(
                (
                    name,
                    f"{len(of.items):,}",
                    f"{of.n_gold:,}",
                    f"{of.exposed:,}",
                    figure(of.macro),
                    figure(of.symmetric),
                    figure(of.micro),
                    figure(of.tokens, 0),
                )
                for name, of in rows
            ),
        ]
    )
