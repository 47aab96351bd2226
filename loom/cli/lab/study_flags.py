"""The study that a command line means: a file, or a few flags in its place; and a part of it, where only that is wanted."""

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import orjson

from loom import __version__, compose
from loom.answer.plan import Pin
from loom.cli.lab.common import names_in
from loom.cli.lab.models import behind, named, study_at
from loom.cli.lab.planning import ground
from loom.core.concepts import Concepts
from loom.core.errors import BadInput
from loom.core.values import Json
from loom.lab.arms import ARMS
from loom.lab.ground import Ground
from loom.lab.question import LabQuestion
from loom.lab.question import read as read_questions
from loom.lab.questions import generate
from loom.lab.study import READER, Member, Study, arms_of
from loom.lab.study.table import Table


def study_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("study", nargs="?", type=Path, metavar="STUDY", help="the study, a TOML file")
    parser.add_argument(
        "--questions-file",
        type=Path,
        metavar="FILE",
        help="in place of a study, a question set (a JSON object a line): raw against scaffold",
    )
    further = parser.add_argument_group("a further model, beside those of the study")
    further.add_argument("--model-url", metavar="URL", help="an OpenAI-compatible API, such as http://127.0.0.1:8081/v1")
    further.add_argument("--model", metavar="NAME", help="the model's name there")
    further.add_argument("--key-env", default="", metavar="NAME", help="the environment variable that holds its key")
    part = parser.add_argument_group("a part of the study")
    part.add_argument("--models", metavar="NAMES", help="only these models, with commas between")
    part.add_argument("--arms", metavar="NAMES", help="only these arms, with commas between")
    part.add_argument("--questions", type=int, metavar="N", help="only the first N questions")


def study_of(arguments: argparse.Namespace) -> Study:
    """The study that is meant. Raises BadInput."""
    further = _further(arguments)
    if arguments.study is not None:
        if arguments.questions_file:
            raise BadInput("Expected a study or --questions-file, not both: a study names its questions.", param="study")
        study = study_at(arguments.study)
        if further is not None:
            if further.name in {member.name for member in study.members}:
                raise BadInput(
                    f"Expected --model to be another than those of {arguments.study.name}, but it has {further.name!r} already.",
                    param="model",
                )
            study = replace(study, models=(*study.models, further))
    elif arguments.questions_file is None:
        raise BadInput(
            "Expected a study, a TOML file, or --questions-file with a question set; there is neither.", param="study"
        )
    else:
        path: Path = arguments.questions_file
        if not path.is_file():
            raise BadInput(f"Expected a file of questions at {path}, but there is none.", param="questions")
        study = Study(path.stem, path, ("raw", "scaffold"), (further or READER,), folder=path.with_name(f"{path.stem}-study"))
    return _part(study, arguments)


def _further(arguments: argparse.Namespace) -> Member | None:
    """The model that flags name. Raises BadInput."""
    if arguments.model_url is None:
        if arguments.model:
            raise BadInput("Expected --model-url where --model is given: the reader needs no name.", param="model")
        return None
    if not arguments.model:
        raise BadInput("Expected --model with the name of the model behind --model-url; there is none.", param="model")
    return behind(arguments.model_url, arguments.model, flag="--model-url", key_env=arguments.key_env)


def _part(study: Study, arguments: argparse.Namespace) -> Study:
    if arguments.questions is not None and arguments.questions < 1:
        raise BadInput(f"Expected --questions to be 1 or more, but got {arguments.questions}.", param="questions")
    if arguments.models is not None:
        wanted = named(study.models, names_in(arguments.models, "--models"), "--models")
        study = replace(study, models=tuple(member for member in study.models if member in wanted))
    if arguments.arms is not None:
        quick = arguments.study is None
        arms = arms_of(names_in(arguments.arms, "--arms"), ARMS if quick else study.arms, "--arms")
        study = with_arms(study, arms if quick else tuple(arm for arm in study.arms if arm in arms))
    return study


def with_arms(study: Study, arms: Sequence[str]) -> Study:
    """A study with no more than these arms: contrasts and judging of others go with them."""
    families = []
    for family in study.families:
        left = tuple(each for each in family.contrasts if each.a in arms and each.b in arms)
        families += [replace(family, contrasts=left)] if left else []
    judged = study.judging.arms
    judging = replace(study.judging, arms=None if judged is None else tuple(arm for arm in judged if arm in arms))
    return replace(study, arms=tuple(arms), families=tuple(families), judging=judging)


def questions_of(study: Study, pin: Pin, first: int | None) -> tuple[LabQuestion, ...]:
    """The questions of a study, from its file or generated. Raises BadInput."""
    if isinstance(study.questions, Path):
        found = read_questions(study.questions)
    else:
        concepts = pin.generation.part(Concepts)
        if concepts is None:
            raise BadInput("Expected a generation with concepts, but this one has none.", param="generation")
        found = generate(concepts, **_generated(study.questions, study.seed)).questions
        if not found:
            raise BadInput(
                "Expected questions from the generation, but there is nothing to ask; loosen [questions], or give a file.",
                param="questions",
            )
    return found[:first]


def _generated(asked: Mapping[str, Json], seed: int) -> dict[str, Json]:
    table = Table(asked, "[questions]")
    whole = ("per_domain", "min_domain", "min_definition", "per_subject", "fewest", "most")
    stated: dict[str, Json] = {"seed": table.whole("seed", seed, least=0)}
    stated |= {name: table.whole(name, None, least=0) for name in whole}
    stated["min_quality"] = table.number("min_quality", 0.6, most=1.0) if table.has("min_quality") else None
    stated |= {name: table.texts(name) for name in ("templates", "relations")}
    stated["set"] = table.text("set") or None
    table.take("min_quality")  # known, where it is not stated
    table.end()
    return {name: value for name, value in stated.items() if value is not None}


def settled(study: Study, node: compose.Node, pin: Pin, questions: Sequence[LabQuestion]) -> tuple[Study, Ground]:
    """The study with all that the node decides, and what it grounds by."""
    using = ground(node, pin, policy=study.policy, wrapper=study.wrapper, budget=study.budget)
    digest = sha256()
    for question in questions:
        digest.update(orjson.dumps(question.as_json(), option=orjson.OPT_APPEND_NEWLINE))
    facts: Mapping[str, Json] = {
        "generation": pin.generation.id,
        "version": __version__,
        "questions": len(questions),
        "questions_sha256": digest.hexdigest(),
    }
    made = replace(study, policy=using.policy, wrapper=using.wrapper, budget=using.budget, facts=facts)
    return made, using
