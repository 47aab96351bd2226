"""Teaches the gate of a generation, from questions that the generation gives rise to and from general ones."""
