"""The write path into a corpus (seed 000 §§11, 11.1, 12, 14; specs/writepath.md): what is said lands, what is good is promoted.

Pure values and functions; pages and records are kept behind ports, and the room `loom.proposals` works with them.

- `assertion`: what was said by a source, and its fingerprint
- `ledger`: the pages on which assertions land, one a source document
- `topics`: what the ledger holds of each topic and of each unresolved term
- `sections`: parts of a page that are put in, made anew and taken out without touching another byte
- `anchors`: where in a page a section may stand; `lines`: what each line of it stands in
- `rendering`: the text of a section; `dossier`: what a person decides on, and the decisions
- `sentences`: assertions that are sentences with names of the corpus in them, without a model
"""
