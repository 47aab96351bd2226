"""Paraphrases (§8): questions in other words, each through a gate of three parts before it enters a set."""

from loom.lab.paraphrasing.gate import REASONS, Refusal, leaks
from loom.lab.paraphrasing.rewriting import TRIES, Paraphrased, paraphrase
from loom.lab.paraphrasing.subjects import Subject, subject_of
from loom.lab.paraphrasing.tally import tally

__all__ = ["REASONS", "TRIES", "Paraphrased", "Refusal", "Subject", "leaks", "paraphrase", "subject_of", "tally"]
