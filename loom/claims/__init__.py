"""The claims layer at work (seed 001 §§3, 7, 8): what is written slowly, and read fast.

- `judges`: who judges, in one value
- `asks`: what may be asked of the slow path, and how it waits in the queue
- `slow`: `SlowPath`; one `flush` turns what waits into one version: intake, derivation, projection, checks, propagation, commit
- `drafting`: what a batch has gathered so far; `intake`, `checking`, `deriving`, `projecting`: its stages

The network lives in the slow path alone; everybody else reads a version from the store.
"""
