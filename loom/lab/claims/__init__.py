"""The experiments of the claims layer (seed 001 §10; specs/claims.md §§9, 10, 13): does it pay to keep interpretations?

- `ledger`: what each part of the work costs, and from how many reads on the layer pays
- `bound`: the upper bound of that number, from what was measured
"""
