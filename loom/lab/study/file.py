"""A study read from its TOML file. Every fault is one sentence: what was expected, where, and what came."""

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from loom.core.errors import BadInput
from loom.core.policy.wrappers import WRAPPERS
from loom.core.values import Json
from loom.lab.study.member import ALLOWANCE, REASONING_ALLOWANCE, Member, member_of
from loom.lab.study.study import CLUSTERS, MATCHERS, Contrast, Family, Judging, Statistics, Study
from loom.lab.study.table import Table

LARGEST = 1 << 20


def _nobody(model: str) -> bool:
    return False


def read(path: Path, arms: Sequence[str], *, reasons: Callable[[str], bool] = _nobody) -> Study:
    """The study of a file. `arms` are the known ones, in order; `reasons` tells by a model's name whether it thinks before it
    answers. Raises BadInput."""
    top = Table(_toml(path), path.name)
    beside = path.resolve().parent
    allowances = top.table("allowance")
    least = allowances.whole("completion", ALLOWANCE) or ALLOWANCE
    thinking = allowances.whole("reasoning", REASONING_ALLOWANCE) or REASONING_ALLOWANCE
    allowances.end()
    taken: dict[str, str] = {}
    models = _members(top, "models", least, thinking, reasons, taken)
    if not models:
        raise BadInput(f"Expected at least one model, under [[models]], in {path.name}; there is none.", param="models")
    judges = _members(top, "judges", least, thinking, reasons, taken)
    chosen = arms_of(top.take("arms"), arms, f"arms of {path.name}")
    generations = top.text("generations")
    study = Study(
        name=top.text("name", path.stem),
        questions=_questions(top, beside),
        arms=chosen,
        models=models,
        generations=beside / generations if generations else None,
        generation=top.text("generation", "current"),
        seed=top.whole("seed", 42, least=0) or 0,
        matcher=top.text("matcher", "default", among=MATCHERS),
        policy=top.text("policy") or None,
        wrapper=top.text("wrapper", among=tuple(WRAPPERS)) or None,
        budget=top.whole("budget", None),
        concurrency=top.whole("concurrency", 4) or 4,
        patience=top.number("patience", 300.0),
        statistics=_statistics(top.table("statistics")),
        families=_families(top.tables("family"), chosen),
        judges=judges,
        judging=_judging(top.table("judging"), chosen),
        folder=path.with_suffix(""),
    )
    top.end()
    if study.judging.audit and not judges:
        raise BadInput(
            f"Expected a judge, under [[judges]], in {path.name}, since audit is asked for; there is none.", param="judges"
        )
    if study.generations is not None and not study.generations.is_dir():
        raise BadInput(
            f"Expected a folder of generations at {study.generations}, but there is none; build one with `loom build`."
        )
    return study


def _toml(path: Path) -> dict[str, Json]:
    try:
        if path.is_dir():
            raise BadInput(f"Expected a study, a TOML file, but {path} is a folder.", param="study")
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
    except OSError as error:
        raise BadInput(f"Expected a study, a TOML file, but {path} cannot be read: {error.strerror}.", param="study") from error
    if len(data) > LARGEST:
        raise BadInput(f"Expected a study of at most 1 MB, but {path} is larger.", param="study")
    try:
        return tomllib.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise BadInput(f"Expected a study in UTF-8, but {path} is not.", param="study") from None
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise BadInput(f"Expected a study in TOML, but {path} cannot be read: {error}.", param="study") from None


def arms_of(value: Json, known: Sequence[str], where: str) -> tuple[str, ...]:
    """The arms that are named, in the order given; all where it says so or nothing. Raises BadInput."""
    if value is None or value == "all" or value == ["all"]:
        return tuple(known)
    if not isinstance(value, list) or not value or not all(isinstance(each, str) for each in value):
        raise BadInput(f'Expected {where} to be a list of names, or "all", but got {str(value)[:60]!r}.', param="arms")
    for number, arm in enumerate(value):
        if arm not in known:
            raise BadInput(f"Expected {where} to be among {', '.join(known)}, but got {arm!r}.", param="arms")
        if arm in value[:number]:
            raise BadInput(f"Expected each of {where} once, but {arm!r} comes twice.", param="arms")
    return tuple(value)


def _members(
    top: Table, name: str, least: int, thinking: int, reasons: Callable[[str], bool], taken: dict[str, str]
) -> tuple[Member, ...]:
    found = []
    for table in top.tables(name):
        member = member_of(table, allowance=least, reasoning_allowance=thinking, reasons=reasons, taken=taken)
        taken[member.name] = table.where
        found.append(member)
    return tuple(found)


def _questions(top: Table, beside: Path) -> Path | Mapping[str, Json]:
    stated = top.take("questions")
    if isinstance(stated, Mapping):
        return dict(stated)
    if not isinstance(stated, str) or not stated:
        raise top.wrong("questions", "a file of questions, or a table, [questions], of what they are generated by", stated)
    path = beside / stated
    if not path.is_file():
        raise BadInput(f"Expected a file of questions at {path}, but there is none.", param="questions")
    return path


def _statistics(table: Table) -> Statistics:
    made = Statistics(
        resamples=table.whole("resamples", 10_000, least=100) or 10_000,
        cluster=table.text("cluster", "domain", among=CLUSTERS),
        margin=table.number("margin", 0.25),
    )
    table.end()
    return made


def _judging(table: Table, arms: Sequence[str]) -> Judging:
    made = Judging(
        quality=table.flag("quality", True) is True,
        audit=table.flag("audit", False) is True,
        arms=arms_of(table.take("arms"), arms, f"arms of {table.where}") if table.has("arms") else None,
        second_share=table.number("second_share", 1.0, most=1.0),
        allow_same_family=table.flag("allow_same_family", False) is True,
    )
    if table.has("sizes"):
        sizes = table.table("sizes")
        made = replace(made, sizes={cell: sizes.whole(cell, 0, least=0) or 0 for cell in made.sizes})
        sizes.end()
    table.take("sizes")
    table.end()
    return made


def _families(tables: Sequence[Table], arms: Sequence[str]) -> tuple[Family, ...]:
    found: list[Family] = []
    for table in tables:
        name = table.needed("name")
        if name in {family.name for family in found}:
            raise table.wrong("name", "a name that no family before it has", name)
        stated = table.texts("contrasts")
        if stated is None:
            raise table.wrong("contrasts", 'a list such as ["scaffold - raw"]', stated)
        table.end()
        found.append(Family(name, tuple(contrast_of(each, arms, table.where) for each in stated)))
    return tuple(found)


def contrast_of(text: str, arms: Sequence[str], where: str) -> Contrast:
    """A contrast from `a - b`. Raises BadInput where either is no arm of the study."""
    a, dash, b = (part.strip() for part in text.partition(" - "))
    if not dash or not a or not b:
        raise BadInput(f"Expected a contrast such as scaffold - raw in {where}, but got {text!r}.", param="contrasts")
    for arm in (a, b):
        if arm not in arms:
            raise BadInput(
                f"Expected contrasts of {where} to name arms of the study ({', '.join(arms)}), but got {arm!r} in {text!r}.",
                param="contrasts",
            )
    if a == b:
        raise BadInput(f"Expected a contrast of two arms in {where}, but got {text!r}.", param="contrasts")
    return Contrast(a, b)
