"""Loom: a serving node that answers from knowledge an organisation maintains, and says what each answer owes to it."""

__version__ = "0.1.0"
