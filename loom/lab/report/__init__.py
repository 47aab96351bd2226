"""The report of a study: one page to look at, and the JSON and manifest behind it."""

from loom.lab.report.making import Made, Source, make, source_of
from loom.lab.report.page import page

__all__ = ["Made", "Source", "make", "page", "source_of"]
