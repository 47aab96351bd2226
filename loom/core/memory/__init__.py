"""Conversation memory: who said what of whom, filed by its subject, and knowing when nothing was said (seed 004)."""
