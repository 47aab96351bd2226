"""`loom proposals rule|propose`: the rule that is written before, and candidates drafted, measured and kept as dossiers."""

import argparse
import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path

from loom.cli.lab.judges import bench, families_of, judge_flags
from loom.cli.lab.models import PATIENCE, asking, behind
from loom.cli.progress import tracked
from loom.cli.proposals.common import corpus, desk_for, flags, print_json, say, settings_for
from loom.cli.proposals.looking import line_of
from loom.core.errors import BadInput, LoomError
from loom.core.names import fold_name
from loom.core.proposals.errors import Conflicting
from loom.core.proposals.rendering import Edit
from loom.core.proposals.topics import Topic, apart
from loom.core.values import Json
from loom.lab.files import write_bytes
from loom.lab.judging.families import Writer, check
from loom.lab.judging.rule import Rule, read_rule
from loom.lab.question import LabQuestion
from loom.lab.question import read as read_questions
from loom.lab.study import Member
from loom.proposals.desk import Desk, Standing
from loom.proposals.drafting import Draft, drafted, edits_in, written
from loom.proposals.prefilter import RULE, completed, judged, scored
from loom.proposals.served import Served

RULE_FILE = "rule.toml"


def add(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = subparsers.add_parser(
        "rule",
        help="write the usual decision rule of the judged half, where there is none yet",
        description="Write the rule by which the judged half of the pre-filter decides, to be read and changed before anything is judged. "
        "Its digest goes into every verdict.",
    )
    parser.add_argument("--out", type=Path, metavar="FILE", help=f"where it goes (default: {RULE_FILE} in the store)")
    flags(parser, "store")
    parser.set_defaults(run=rule)
    parser = subparsers.add_parser(
        "propose",
        help="draft sections for the candidates, measure them, and keep them as dossiers",
        description="Draft a section for every candidate, by rule, by a model or from a file of edits; compare each page before and after, "
        "blind, in both orders, by two judges; tell whether the text names what it should and is not stuffed. Either half stops a "
        "proposal. What passes waits for a person. No page changes.",
    )
    parser.add_argument(
        "--topic", action="append", default=[], metavar="NAME", help="only this candidate, a title or IRI; may be repeated"
    )
    parser.add_argument("--most", type=int, metavar="N", help="at most so many candidates")
    parser.add_argument("--again", action="store_true", help="also what was rejected or withdrawn")
    parser.add_argument(
        "--unverified", action="store_true", help="count assertions that nobody compared with their source, too"
    )
    parser.add_argument("--rule", type=Path, metavar="FILE", help=f"the decision rule (default: {RULE_FILE} in the store)")
    parser.add_argument(
        "--questions", type=Path, metavar="FILE", help="questions that the texts should answer, as JSON lines with gold"
    )
    who = parser.add_argument_group("who writes (default: the assertions as a list, without a model)")
    who.add_argument("--edits", type=Path, metavar="FILE", help="edits as JSON lines of topic, text and anchor")
    who.add_argument("--writer-url", metavar="URL", help="an OpenAI-compatible API whose model writes the edits")
    who.add_argument("--writer-model", metavar="NAME", help="the model there")
    who.add_argument("--writer-key-env", default="", metavar="NAME", help="the environment variable that holds its key")
    who.add_argument("--writer-script", metavar="SCRIPT", help="a scripted writer, to try things out")
    parser.add_argument(
        "--seed", type=int, default=42, metavar="N", help="which version is first in the first order (default: 42)"
    )
    parser.add_argument("--quiet", action="store_true", help="show no progress")
    judge_flags(parser, None)
    flags(parser, "vault", "store", "generations", "fingerprints", "sources", "thin", "enough")
    parser.set_defaults(run=propose)


def rule(arguments: argparse.Namespace) -> int:
    path = arguments.out or settings_for(arguments).proposals.store / RULE_FILE
    if path.exists():
        raise BadInput(
            f"Expected no rule at {path}, but there is one; change it as long as nothing was judged under it.", param="rule"
        )
    write_bytes(path, [RULE.encode()])
    found = read_rule(path)
    if arguments.json:
        print_json({"rule": str(path), **found.as_json()})
    else:
        say(f"{path} ({found.sha256[:12]}…)")
    return 0


def propose(arguments: argparse.Namespace) -> int:
    """Exit code 1 where verdicts are missing, or a candidate could not be drafted."""
    settings = settings_for(arguments)
    desk, store = desk_for(arguments), settings.proposals.store
    found_rule = read_rule(arguments.rule or store / RULE_FILE)
    questions = read_questions(arguments.questions) if arguments.questions else ()
    edits = edits_in(arguments.edits) if arguments.edits else None
    writer = _writer(arguments)
    if edits is not None and writer is not None:
        raise BadInput("Expected --edits or a writer, not both.", param="edits")
    with corpus(arguments) as served:
        chosen = _chosen(arguments, apart(desk.topics(served, again=arguments.again), desk.bars), served, edits)
        drafts, refused = asyncio.run(_drafts(arguments, desk, served, chosen, edits, writer, store))
        enough = settings.proposals.enough
        standing: list[Standing] = []
        if drafts:
            standing = asyncio.run(_measured(arguments, desk, served, drafts, found_rule, questions, store, enough, refused))
    return _shown(arguments, standing, refused)


def _writer(arguments: argparse.Namespace) -> Member | None:
    if arguments.writer_script:
        return Member(arguments.writer_script, "script", arguments.writer_script, script=arguments.writer_script)
    if bool(arguments.writer_url) != bool(arguments.writer_model):
        raise BadInput("Expected --writer-url and --writer-model together.", param="writer_url")
    if arguments.writer_url:
        return behind(arguments.writer_url, arguments.writer_model, flag="--writer-url", key_env=arguments.writer_key_env)
    return None


def _chosen(
    arguments: argparse.Namespace, candidates: Sequence[Topic], served: Served, edits: Mapping[str, Edit] | None
) -> list[Topic]:
    """The candidates that are meant. Raises BadInput for a topic that is none."""
    wanted = [*arguments.topic, *(edits or ())]
    if arguments.most is not None and arguments.most < 1:
        raise BadInput(f"Expected --most to be 1 or more, but got {arguments.most}.", param="most")
    if not wanted:
        return list(candidates)[: arguments.most]
    by_name = {key: each for each in candidates for key in (each.iri, fold_name(served.title(each.iri)))}
    found: dict[str, Topic] = {}
    for name in wanted:
        topic = by_name.get(name) or by_name.get(fold_name(name))
        if topic is None:
            raise BadInput(
                f"Expected a candidate, but {name!r} is none; `loom proposals candidates` lists them.", param="topic"
            )
        found[topic.iri] = topic
    return list(found.values())[: arguments.most]


async def _drafts(
    arguments: argparse.Namespace,
    desk: Desk,
    served: Served,
    chosen: Sequence[Topic],
    edits: Mapping[str, Edit] | None,
    writer: Member | None,
    store: Path,
) -> tuple[list[Draft], list[str]]:
    """The drafts, and why others could not be made: a page with no one place for a section is left alone."""
    texts: dict[str, Edit | None] = {topic.iri: _edit(topic, served, edits) for topic in chosen}
    refused: list[str] = []
    if writer is not None:
        async with asking([writer], store / "answers.sqlite", concurrency=1, patience=PATIENCE) as (asker, _, _):
            for topic in tracked(chosen, "writing", len(chosen), plain=not arguments.quiet):
                try:
                    texts[topic.iri] = await written(asker, writer.name, desk.pages, served, topic)
                except BadInput as error:
                    refused.append(f"{served.title(topic.iri)}: {error.message}")
                    del texts[topic.iri]
    drafts: list[Draft] = []
    for topic in chosen:
        if topic.iri in texts:
            try:
                drafts.append(drafted(desk, served, topic, texts[topic.iri], writer.name if writer else ""))
            except LoomError as error:
                refused.append(f"{served.title(topic.iri)}: {error.message}")
    return drafts, refused


def _edit(topic: Topic, served: Served, edits: Mapping[str, Edit] | None) -> Edit | None:
    if edits is None:
        return None
    title = fold_name(served.title(topic.iri))
    return next((edit for name, edit in edits.items() if name == topic.iri or fold_name(name) == title), None)


async def _measured(
    arguments: argparse.Namespace,
    desk: Desk,
    served: Served,
    drafts: Sequence[Draft],
    found_rule: Rule,
    questions: Sequence[LabQuestion],
    store: Path,
    enough: float,
    refused: list[str],
) -> list[Standing]:
    verdicts = store / f"verdicts-{found_rule.sha256[:12]}-{arguments.seed}.jsonl"
    families = families_of(arguments)
    async with bench(arguments, verdicts) as found:
        writers = {
            Writer(each.dossier.writer, family=families.get(each.dossier.writer, "")) for each in drafts if each.dossier.writer
        }
        for warning in check(found.judges, writers, allow_same=arguments.allow_same_family):
            say(f"loom proposals propose: warning: {warning}", to_error=True)
        async with found.shown.live("judging", 2 * len(drafts) * len(found.judges)):
            judging, worked = await judged(
                drafts,
                verdicts,
                found_rule,
                found.asker,
                found.judges,
                seed=arguments.seed,
                concurrency=arguments.concurrency,
                families=families,
                kept=found.shown.kept,
            )
    missing = len(worked.failed) + worked.left
    if missing:
        why = worked.failed[0] if worked.failed else ""
        refused.append(f"{missing} verdicts are missing: {why} Run the same command again: what is there is kept.")
    kept: list[Standing] = []
    for draft in drafts:
        told = judging[draft.dossier.id]
        if missing and any(each["outcome"] == "undecided" for each in told["judges"].values()):
            refused.append(f"{draft.dossier.title}: verdicts are missing, so nothing was kept of it.")
            continue
        names: dict[str, Json] = completed(draft, served, questions, enough)
        dossier = scored(draft, told, names)
        dossier = desk.anew(dossier) if arguments.again else dossier
        try:
            desk.file(dossier)
        except Conflicting as error:
            refused.append(f"{dossier.title}: {error.message}")
            continue
        kept.append(desk.proposal(dossier.id))
    return kept


def _shown(arguments: argparse.Namespace, standing: Sequence[Standing], refused: Sequence[str]) -> int:
    if arguments.json:
        print_json({"proposals": [each.brief() for each in standing], "refused": list(refused)})
    else:
        for each in standing:
            say(line_of(each))
        for why in refused:
            say(f"loom proposals propose: {why}", to_error=True)
        say(f"{len(standing):,} drafted, {sum(each.state == 'proposed' for each in standing):,} wait for a person")
    return 1 if refused else 0
