"""The figures of the report, in the order of the page: ceilings before anything that a model said."""

from collections.abc import Sequence

from loom.lab.report.figure import Draw, Figure, Results
from loom.lab.report.figures import (
    beside,
    ceilings,
    chains,
    contingency,
    contrasts,
    exposure,
    flow,
    gain,
    groups,
    headline,
    histogram,
    judging,
    omitted,
    regression,
    wrappers,
)

DRAWN: Sequence[Draw] = (
    headline.draw,
    ceilings.draw,
    contingency.draw,
    gain.draw,
    contrasts.draw,
    contrasts.common,
    exposure.draw,
    histogram.draw,
    flow.draw,
    beside.draw,
    omitted.draw,
    regression.draw,
    judging.reliability,
    judging.audit,
    groups.templates,
    groups.domains,
    wrappers.draw,
    chains.draw,
)


def figures(results: Results) -> list[Figure]:
    """Those that the results have something for."""
    return [figure for draw in DRAWN if (figure := draw(results)) is not None]
