"""`loom lab paraphrase`: a question set in other words, through the gate; or a ready set, checked."""

import argparse
import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from loom import compose
from loom.cli.lab.asker import asked_of, book_path, model_flags, with_asker
from loom.cli.lab.common import generation_flags, json_flag, show
from loom.core.concepts import Concepts
from loom.core.errors import BadInput
from loom.core.values import Json
from loom.lab import question
from loom.lab.asking import Asker
from loom.lab.paraphrasing import TRIES, Paraphrased, Subject, leaks, paraphrase, subject_of, tally
from loom.lab.paraphrasing.gate import REASONS
from loom.lab.paraphrasing.subjects import by_slug
from loom.lab.question import LabQuestion

Subjects = Callable[[LabQuestion], Subject]


def add(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = subparsers.add_parser(
        "paraphrase",
        help="rewrite a question set so that it names neither its subject nor its answers",
        description="Rewrite each question by a model. A candidate passes when it names no gold title, uses no content word of the "
        "subject's names, and asks for the same relation, as a model adjudicates. Refused ones are tried again, with the reason.",
    )
    parser.add_argument("questions", type=Path, metavar="FILE", help="questions with gold, as JSON lines")
    parser.add_argument("--out", type=Path, metavar="FILE", help="write the new set here")
    parser.add_argument(
        "--check", action="store_true", help="no model: say which questions of the file leak, as a ready set of paraphrases"
    )
    parser.add_argument("--judge", metavar="NAME", help="the model that adjudicates the relation (default: the writer)")
    parser.add_argument("--tries", type=int, default=TRIES, metavar="N", help=f"candidates for each question ({TRIES})")
    parser.add_argument("--seed", type=int, default=42, help="seed that models are asked with (42)")
    generation_flags(parser)
    model_flags(parser, needed_for="unless --check is given")
    json_flag(parser)
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> int:
    asked = question.read(arguments.questions)
    if not (arguments.generations or arguments.generation):
        return _with(arguments, asked, subject_of, None)
    with compose.opened(arguments.generations, arguments.generation) as (_, pin):
        concepts = pin.generation.part(Concepts)
        rows = by_slug(concepts) if concepts is not None else {}
        return _with(arguments, asked, lambda each: subject_of(each, concepts, rows), pin.generation.id)


def _with(arguments: argparse.Namespace, asked: tuple[LabQuestion, ...], subjects: Subjects, generation: str | None) -> int:
    without = [each.id for each in asked if not subjects(each).names]
    if without:
        raise BadInput(
            f"Expected every question to say what it is about (class_slugs or subject_title), but {len(without)} do not, "
            f"{without[0]!r} first.",
            param="questions",
        )
    return _check(arguments, asked, subjects, generation) if arguments.check else _write(arguments, asked, subjects, generation)


def _check(arguments: argparse.Namespace, asked: tuple[LabQuestion, ...], subjects: Subjects, generation: str | None) -> int:
    refused: list[dict[str, Json]] = []
    counts = dict.fromkeys(REASONS[:-1], 0)
    for each in asked:
        # A ready set keeps the original beside; without it nothing tells whether a question was changed at all.
        original = each.more.get("original_prompt")
        against = replace(each, prompt=original if isinstance(original, str) else "")
        found = leaks(each.prompt, against, subjects(each))
        if found:
            counts[found[0].reason] += 1
            refused.append({"id": each.id, "prompt": each.prompt, "refused": [refusal.as_json() for refusal in found]})
    result: dict[str, Json] = {
        "questions": len(asked),
        "passed": len(asked) - len(refused),
        "refused": counts,
        "leaking": refused,
    }

    def table() -> None:
        print(f"{result['passed']} of {len(asked)} pass; " + ", ".join(f"{name} {n}" for name, n in counts.items()))
        for row in refused:
            told = "; ".join(f"{each['reason']} {each['what']!r} ({each['found']})" for each in row["refused"])
            print(f"  {row['id']}: {told}")

    return show(arguments, result, table, generation=generation, rows=arguments.questions)


def _write(arguments: argparse.Namespace, asked: tuple[LabQuestion, ...], subjects: Subjects, generation: str | None) -> int:
    if arguments.out is None:
        raise BadInput("Expected --out with the file of the new set, or --check; there is neither.", param="out")
    if arguments.tries < 1:
        raise BadInput(f"Expected --tries to be 1 or more, but got {arguments.tries}.", param="tries")
    if arguments.judge and arguments.model:
        arguments.model = [*arguments.model, arguments.judge]
    models = asked_of(arguments)
    writer, judge = models.chosen[0], arguments.judge or models.chosen[0]

    async def all_of(asker: Asker) -> list[Paraphrased]:
        return await asyncio.gather(
            *(
                paraphrase(asker, writer, judge, each, subjects(each), tries=arguments.tries, seed=arguments.seed)
                for each in asked
            )
        )

    done = with_asker(
        models,
        book_path(arguments, arguments.out),
        all_of,
        label="paraphrase",
        total=2 * len(asked),
        quiet=arguments.json,
    )
    question.write(arguments.out, (each.asked(writer, judge) for each in done if each.text is not None))
    result = tally(done)

    def table() -> None:
        refused = ", ".join(f"{name} {n}" for name, n in result["refused"].items() if n) or "none"
        mean = f"{result['mean_tries']:.3f}" if result["mean_tries"] is not None else "-"
        print(f"{result['passed']} of {result['questions']} pass, {mean} tries each; refused: {refused}")
        for row in result["unresolved"]:
            print(f"  unresolved: {row['id']}: {row['error'] or row['prompt']}")

    return show(arguments, result, table, generation=generation, seeds={"paraphrase": arguments.seed}, rows=arguments.questions)
