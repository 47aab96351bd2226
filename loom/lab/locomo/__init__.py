"""LoCoMo: does a conversation's memory find what was said, and keep silent where nothing was (seed 004, specs/memory.md)?"""
