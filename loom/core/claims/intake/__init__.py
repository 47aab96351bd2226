"""Entries from outside, the pure parts: what a file's text says of itself, and what of it is its author's.

- `ids`: ids that follow from content, so that the same entry read twice is one entry
- `document`: front matter, days in file names; `mail`: quoted replies; `transcript`: cues as lines of speakers
- `lines`: JSON lines; `remarks`: what can be wrong with a file, in one table
"""
