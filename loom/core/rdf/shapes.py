"""What does not fit the shapes that a corpus is held to."""

from typing import NamedTuple

from loom.core.values import Iri

SEVERITIES = {"Violation": "error", "Warning": "warning", "Info": "info"}


class Violation(NamedTuple):
    """One node that does not fit: how grave that is (error, warning, info), what the shape says, and at which property."""

    node: Iri
    severity: str
    message: str
    path: str = ""
