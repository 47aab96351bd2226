"""The write path into a corpus: assertions land on a ledger, sections are drafted from it, two instruments measure them, a person
decides, and what was approved is written into the pages (seed 000 §§11–14; specs/writepath.md).

It is handed its vault and records, and imports the lab, whose instruments are its pre-filter; nothing of it serves a question.

- `served`: what of a generation the write path reads
- `intake`: assertions from files; `desk`: landing, topics, dossiers, decisions, regeneration
- `drafting`: a section for a topic, by rule or by a model; `prefilter`: the two halves
"""
