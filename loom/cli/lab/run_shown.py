"""What `loom lab run` prints: what would be sent, and what was."""

from collections.abc import Mapping

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from loom.cli.lab.report_shown import headline
from loom.core.values import Json
from loom.lab.report import Made


def dry_table(result: Mapping[str, Json]) -> None:
    """The plan of a study, by arm, and what each model would be sent."""
    console = Console()
    flow = _table(f"Plan of {result['study']} ({result['questions']:,} questions)", "arm", "planned", "no donor", "no block")
    for arm, counts in result["planned"].items():
        flow.add_row(arm, *(f"{counts.get(status, 0):,}" for status in ("planned", "no_donor", "no_block")))
    console.print(flow)
    calls = _table("To send, in tokens at most", "model", "rows", "calls", "kept", "to send", "in", "out", "price")
    again = 0
    for each in result["models"]:
        calls.add_row(
            escape(each["model"]),
            *(f"{each[name]:,}" for name in ("rows", "calls", "kept", "to_send", "prompt_tokens", "completion_tokens_at_most")),
            _price(each["price_at_most"]),
        )
        again += each["if_all_are_empty"]["calls"]
    console.print(calls)
    if again:
        _say(console, f"An empty answer is asked for once more, at twice the allowance: {again:,} calls more if all are empty.")
    if result["judges"]:
        _say(console, f"Judges ({', '.join(result['judges'])}) are asked about the answers; their calls are not counted here.")
    console.print("Nothing was sent.")


def run_table(result: Mapping[str, Json], made: Made) -> None:
    """What became of a study's rows, and what it cost."""
    console = Console()
    rows = _table(f"Rows of {result['study']}", "model", "answered", "empty", "errors", "no donor", "no block")
    for model, counts in result["statuses"].items():
        rows.add_row(
            escape(model), *(f"{counts[status]:,}" for status in ("answered", "empty", "error", "no_donor", "no_block"))
        )
    console.print(rows)
    calls = _table("All calls so far, in tokens", "model", "for", "calls", "failed", "repeated", "in", "out", "price")
    for each in result["calls"]:
        calls.add_row(
            escape(each["model"]),
            each["purpose"],
            *(f"{each[name]:,}" for name in ("calls", "failed", "repeated", "prompt_tokens", "completion_tokens")),
            _price(each["price"]),
        )
    console.print(calls)
    _say(console, f"{result['rows']:,} rows in {result['folder']}")
    headline(made, console)


def _table(title: str, first: str, *names: str) -> Table:
    table = Table(title=escape(title))
    table.add_column(first, overflow="fold")
    for name in names:
        table.add_column(name, justify="left" if name == "for" else "right")
    return table


def _say(console: Console, text: str) -> None:
    console.print(text, highlight=False, markup=False, soft_wrap=True)


def _price(price: float | None) -> str:
    return "unknown" if price is None else f"{price:.4f}"
