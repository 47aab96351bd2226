"""The analysis of saved rows: everything that the report draws, computed without a model."""

from loom.lab.analysis.analysing import analyse

__all__ = ["analyse"]
