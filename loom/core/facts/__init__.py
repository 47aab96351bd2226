"""Deterministic facts: declared, computed at build, addressed by position, rendered verbatim (seed 003)."""
