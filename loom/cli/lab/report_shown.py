"""What is printed of a report: its first screen, in a table."""

import sys
import webbrowser
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from loom.lab.report import Made
from loom.lab.report.results import cells_of, grounded, part
from loom.lab.report.words import interval, number, signed


def opened(page: Path) -> None:
    """Open a page in a browser, or say that there is none."""
    if not webbrowser.open(page.resolve().as_uri()):
        print(f"loom lab: no browser could be opened here; the page is {page.resolve()}", file=sys.stderr)


def headline(made: Made, console: Console | None = None) -> None:
    """What a report begins with, what to read with care, and where the page is."""
    results, console = made.results, console or Console()
    lead = grounded(results)
    table = Table(title=escape(f"{lead or 'no arm'}: recall, copy ceiling, gain over copy (95 %)"))
    for head in ("model", "n", "ceiling", "recall", "gain", "interval"):
        table.add_column(
            head, justify="left" if head == "model" else "right", overflow="fold" if head == "model" else "ellipsis"
        )
    for each in cells_of(results, lead):
        gain = part(each, "gain", "symmetric")
        table.add_row(
            escape(str(each["model"])) + (" †" if each.get("lower_confidence") else ""),
            str(each["n"]),
            number(part(each, "ceiling", "symmetric")),
            number(part(each, "recall", "macro")),
            signed(part(gain, "mean")),
            escape(interval(part(gain, "ci_clustered") or part(gain, "ci95"))),
        )
    console.print(table)
    for warning in results["warnings"]:
        console.print(f"! {warning['text']}", markup=False, soft_wrap=True)
    console.print(f"{len(made.figures)} figures in {made.report}", markup=False, soft_wrap=True)
