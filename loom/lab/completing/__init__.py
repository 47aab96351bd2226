"""Completeness of a proposed block: its copy ceiling, and whether its names stand in anything that says something of them."""

from loom.lab.completing.completeness import FLAGGED, INCOMPLETE, PASS, Completeness, complete

__all__ = ["FLAGGED", "INCOMPLETE", "PASS", "Completeness", "complete"]
