"""Claims: interpretations that are kept, justified, and revised when evidence changes (seed 001 §§2–3; specs/claims.md §§1–4).

The network holds what decides a standing, and nothing else: which signals are supported, which antecedents justify which claim,
which claims conflict, which overrides were written. Texts and vectors are the store's.

- `records`: entries, signals, claims, justifications, preconditions as frozen values
- `standing`: the five standings, and the one function that decides among them
- `writes`: what may be done to a network, and a batch of it
- `network`: `Network`; `commit(batch)` gives a `Change`, whole; `view` reads
- `relabel`: every label from scratch; `checks`: the invariants I1–I13 as functions that return what broke
- `history`: standing moves, and what they replay to
"""
