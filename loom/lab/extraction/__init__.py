"""Extraction (§11): tiered, source-attributed assertions from transcripts, grounded and bare, and where their terms land."""

from loom.lab.extraction.artefacts import Artefact, Artefacts
from loom.lab.extraction.asking import ARMS, Extracted, extract
from loom.lab.extraction.assertions import Assertion, assertions_of
from loom.lab.extraction.counted import counted, queue
from loom.lab.extraction.terms import Terms
from loom.lab.extraction.transcripts import Transcript, read

__all__ = [
    "ARMS",
    "Artefact",
    "Artefacts",
    "Assertion",
    "Extracted",
    "Terms",
    "Transcript",
    "assertions_of",
    "counted",
    "extract",
    "queue",
    "read",
]
