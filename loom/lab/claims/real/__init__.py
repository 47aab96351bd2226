"""Experiments that a real workspace takes beside those that it shares with generated ones: its log, its requests and its people.

- `ground`: copies of the workspace, whole or with its signals alone
- `replay`: the requests of its log run again, with the same reads at five checkpoints
- `reading`: what the alternative spends on a read, and whether it is as good
- `rendering`: artifacts of every arm, with their citations checked, and what raters preferred
- `listening`: judges whose calls are heard
- `labelled`: labels in the shape that the experiments read
- `pricing`: what calls cost at the prices of a file
- `accounts`: the ledger
"""
