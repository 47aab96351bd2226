"""`loom claims`: a workspace of claims, without a node.

- `flags`: the commands and what they take
- `doing`: what changes a workspace; `looking`: what shows it; `provenance`: what it rests on, as W3C PROV
- `shown`: claims, readings and batches as text
"""

from loom.cli.claims.flags import add

__all__ = ["add"]
