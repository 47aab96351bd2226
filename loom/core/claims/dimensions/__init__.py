"""Dimensions: named axes on which claims of a domain are compared (seed 001 §§5–6; specs/claims.md §§6, 7, 13).

An axis is a contract of seven fields, each from a closed set or checked against one; a model composes contracts and writes no formula.

- `spaces`, `registry`, `contract`: value spaces; projection systems, metrics and normalizers; the seven fields as a value
- `reading`, `schema`, `matching`: a contract from and to JSON, its published schema, and what of it does not go together
- `rules`: every threshold, as one value
- `distance`, `placing`: how far apart two positions are; where prototypes put a vector
- `dimension`, `states`, `cycle`, `kept`: a contract with version and state; what moves a state; the end of an evaluation cycle;
  a dimension as a store keeps it
- `projection`, `gate`: positions of claims, which are stale, which are asked for, and what they cost
- `agreement`, `validation`, `distilling`: whether an axis can be measured, and whether a small projector will do
- `positions`, `rerank`: positions as columns, and the score that reads them
- `judged`, `fit`, `gain`, `screen`, `controls`: weights from graded labels, and whether they earn their place
- `discovery`, `directions`, `proposals`: where candidates come from; none of it reads a standing
- `judging`: dimensions as the judges of the claims layer read and propose them
"""
