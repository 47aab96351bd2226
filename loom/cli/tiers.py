"""A context on the terminal: its units tier by tier, each line group with the receipt that says where it stands."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

SHORT = 16
"""Digits of a digest that are printed."""


def lines_of(context: Mapping[str, Any]) -> Iterator[str]:
    """The lines to print of what `POST /loom/context` answers."""
    route = context["route"]
    for base in route["bases"]:
        yield f"route {base['iri']} {base['score']:.2f}{' committed' if route['committed'] else ''}"
    for tier in context["tiers"]:
        yield f"{tier['tier']}: {_count(len(tier['units']), 'unit')}, {_count(tier['tokens'], 'token')}"
        for unit in tier["units"]:
            why = f" ({unit['why']})" if unit["why"] else ""
            yield f"  [{unit['number']}] {unit['title']}{why}{', cut' if unit['cut'] else ''}"
            for receipt in context["receipts"]:
                if receipt["number"] == unit["number"]:
                    yield from _receipt(receipt, unit["lines"])
    for one in context["dropped"]:
        yield f"dropped: {one['title']} <{one['iri']}>"
    yield f"generation {context['pin']['generation']}, context sha256 {context['sha256']}"


def _receipt(receipt: Mapping[str, Any], lines: Sequence[str]) -> Iterator[str]:
    first, end = receipt["lines"]
    yield from (f"      {line}" for line in lines[first:end])
    role = receipt.get("role", "")
    told = [role if role not in ("", "beside") else "", _place(receipt), receipt["iri"], f"sha256 {receipt['sha256'][:SHORT]}…"]
    yield f"        {' · '.join(filter(None, told))}"


def _place(receipt: Mapping[str, Any]) -> str:
    if "file" not in receipt:
        return ""
    line = f":{receipt['line']}" if "line" in receipt else ""
    row = f" row {receipt['row']}" if "row" in receipt else ""
    at = receipt.get("at", {})
    window = f" at {at['start']}" + (f"-{at['end']}" if "end" in at else "") if at else ""
    return f"{receipt['file']}{line}{row}{window}"


def _count(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"
