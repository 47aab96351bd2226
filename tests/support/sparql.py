"""Asking a running node SPARQL queries."""

import time
from collections.abc import Mapping
from urllib.parse import urlencode

from support.installed import Answer, Node


def ask(node: Node, query: str, headers: Mapping[str, str] | None = None, **fields: str) -> Answer:
    """A query by GET."""
    return node.call("/sparql?" + urlencode({"query": query, **fields}), headers=headers)


def ready(node: Node, seconds: float = 30) -> None:
    """Wait until the node answers queries."""
    until = time.monotonic() + seconds
    while (answer := ask(node, "ASK {}")).status == 503:
        assert time.monotonic() < until, answer.body
        time.sleep(0.05)
    assert answer.status == 200, answer.body
