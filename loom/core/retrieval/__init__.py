"""Retrieval beyond names: what a unit says, not only what it is called."""
