"""Who wrote the answers of a file of rows, and who judges them, as a study states both."""

from collections.abc import Mapping
from pathlib import Path

from loom.core.values import Json
from loom.lab.judging.families import Judge, Writer
from loom.lab.row import Row, read_rows
from loom.lab.study.member import Member

VERDICT = 400
"""Completion tokens of a verdict of a model that does not reason; one that does has its own allowance."""


def family_of(kind: Json, model: str, stated: Json) -> str:
    """The family that is stated; a model in this process is its own."""
    return str(stated or (f"{kind} {model}" if kind in ("script", "reader") else ""))


def writer_of(row: Row, families: Mapping[str, str]) -> Writer:
    """The model of a row: its name in the study, what was asked for and what answered. `families` wins over what a row states."""
    about = row.study.get("model")
    about = about if isinstance(about, Mapping) else {}
    requested = str(about.get("requested") or "")
    family = families.get(row.model) or family_of(about.get("kind"), requested, about.get("family"))
    return Writer(row.model, requested, str(row.said.get("model_reported") or ""), family)


def writers_of(rows: Path, families: Mapping[str, str]) -> frozenset[Writer]:
    """All who wrote in a file."""
    return frozenset(writer_of(row, families) for row in read_rows(rows) if row.answer.strip())


def judge_of(member: Member, families: Mapping[str, str]) -> Judge:
    """A member of a study as a judge."""
    family = families.get(member.name) or family_of(member.kind, member.model, member.family)
    return Judge(member.name, member.model, family=family, allowance=member.allowance if member.reasoning else VERDICT)
