"""Which remarks of a build are fatal."""

import difflib
from collections.abc import Collection

from loom.build.checks import KINDS
from loom.core.errors import BadInput
from loom.core.report import Report

ALL = "all"


def fatal_kinds(text: str | None) -> frozenset[str]:
    """The kinds that `--strict` names, separated by commas; `all` is every error, None is nothing."""
    if text is None:
        return frozenset()
    kinds: set[str] = set()
    for name in filter(None, (piece.strip() for piece in text.split(","))):
        if name == ALL:
            kinds |= {kind.name for kind in KINDS.values() if kind.severity == "error"}
        elif name in ("error", "warning", "info"):
            kinds |= {kind.name for kind in KINDS.values() if kind.severity == name}
        elif name in KINDS:
            kinds.add(name)
        else:
            raise BadInput(f"--strict expects kinds of remarks, but {name!r} is none{_near(name, KINDS)}.", param="strict")
    return frozenset(kinds)


def violations(report: Report, fatal: Collection[str]) -> dict[str, int]:
    """Fatal kinds of which there are remarks, with their counts."""
    return {kind: count for kind, count in report.counts().items() if kind in fatal}


def _near(name: str, known: Collection[str]) -> str:
    close = difflib.get_close_matches(name, sorted(known), n=1)
    return f"; did you mean {close[0]!r}?" if close else "; `loom build --help` says where they are listed"
