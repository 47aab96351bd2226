"""Judgements without a model: the deterministic default of every step of the claims layer that wants one (specs/claims.md §11).

- `calls`, `asked`, `given`: what a judgement costs, what it is asked, what it gives; the values of the ports in `loom.ports`
- `extracting`: an entry into signals (`layout`, `resolving`); `entailing`: whether a span says what a signal says
- `verdicts`: supports, contradicts or unrelated (`statement`, `lexicon`, `opposing`)
- `deriving`, `projecting`, `rendering`: rule templates, rubrics, plain text with citations
- `filing`, `routing`: domains and ways by words, or by regression over vectors (`regression`, `calibrating`)
- `replacing`: which earlier signals of the same source a new one may replace

All of it is a function of its input: no clock, no model, no draw.
"""
