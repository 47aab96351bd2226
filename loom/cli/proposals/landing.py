"""`loom proposals extract|land`: assertions out of documents without a model, and onto the ledger."""

import argparse
from collections.abc import Iterable
from pathlib import Path

from loom.cli.progress import tracked
from loom.cli.proposals.common import corpus, desk_for, flags, print_json, say
from loom.core.errors import BadInput
from loom.core.proposals.assertion import Assertion
from loom.core.proposals.sentences import extracted, said_in
from loom.lab.extraction.transcripts import SUFFIXES, read
from loom.lab.files import write_lines
from loom.proposals.intake import Documents, assertions_in, compared


def add(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = subparsers.add_parser(
        "extract",
        help="take the sentences of documents that name concepts of the corpus, without a model",
        description="Write every statement of the documents that names a concept of the corpus as an assertion, in the source's own words. "
        "`loom lab extract` asks a model instead; `land` takes what either writes.",
    )
    parser.add_argument(
        "documents", nargs="+", type=Path, metavar="DOCUMENT", help=f"documents: {', '.join(SUFFIXES)}, or folders of them"
    )
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="write the assertions, as JSON lines")
    parser.add_argument("--all", action="store_true", help="also statements that name nothing but terms without a concept")
    flags(parser, "generations")
    parser.set_defaults(run=extract)
    parser = subparsers.add_parser(
        "land",
        help="put assertions on the ledger pages of their sources",
        description="Put assertions on the ledger: a page of the vault for each source, which is only added to and which no build reads. "
        "What is delivered again is known by its fingerprint. A file is JSON lines of assertions (text and source must be there; tier, "
        "span, confidence, terms, iris, verified may), or what `loom lab extract` or `loom proposals extract` wrote. Exit code 1 where a "
        "line of a ledger page was found damaged.",
    )
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="files of assertions")
    parser.add_argument(
        "--documents",
        type=Path,
        metavar="FOLDER",
        help="the documents: an assertion is verified where its span stands in its own",
    )
    parser.add_argument("--arm", metavar="NAME", help="the arm of an extraction (default: grounded, where there is one)")
    flags(parser, "vault", "store", "generations")
    parser.set_defaults(run=land)


def extract(arguments: argparse.Namespace) -> int:
    documents = list(_documents(arguments.documents))
    with corpus(arguments) as served:
        found: list[Assertion] = []
        for path in tracked(documents, "documents", len(documents), plain=not arguments.json):
            text = read(path).text
            if path.suffix.lower() == ".md":
                text = said_in(text)
            found += extracted(text, path.name, served.named, strict=not arguments.all)
    write_lines(arguments.out, (each.as_json() for each in found))
    open_terms = sum(len(each.unresolved) for each in found)
    if arguments.json:
        print_json({"documents": len(documents), "assertions": len(found), "open_terms": open_terms, "out": str(arguments.out)})
    else:
        say(
            f"{len(found):,} assertions of {len(documents):,} documents in {arguments.out}; {open_terms:,} terms without a concept"
        )
    return 0


def _documents(paths: Iterable[Path]) -> list[Path]:
    found: list[Path] = []
    for path in paths:
        files = sorted(each for each in path.iterdir() if each.suffix.lower() in SUFFIXES) if path.is_dir() else [path]
        if not files:
            raise BadInput(f"Expected documents in {path} ({', '.join(SUFFIXES)}), but there are none.", param="documents")
        found += files
    names = [each.name for each in found]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise BadInput(
            f"Expected every document to have its own name, but {twice!r} comes twice: it names the source.", param="documents"
        )
    return found


def land(arguments: argparse.Namespace) -> int:
    desk = desk_for(arguments)
    delivered = [each for path in arguments.files for each in assertions_in(path, arguments.arm)]
    if arguments.documents is not None:
        delivered = list(compared(delivered, Documents(arguments.documents)))
    if not delivered:
        raise BadInput("Expected at least one assertion, but the files hold none.", param="files")
    sources = len({each.source for each in delivered})
    with corpus(arguments) as served:
        shown = iter(tracked(range(sources), "sources", sources, plain=False))
        result = desk.land(delivered, served, lambda _: next(shown, None))
        next(shown, None)
    unverified = sum(not each.verified for each in delivered)
    if arguments.json:
        print_json({**result.as_json(), "delivered": len(delivered), "unverified": unverified})
    else:
        say(f"{len(delivered):,} assertions of {sources:,} sources: {result.new:,} new, {result.known:,} known")
        if unverified:
            say(
                f"{unverified:,} of them were not compared with their source, and count for no candidate (--documents compares them)"
            )
        for source, page in result.pages.items():
            say(f"  {source}: {page}")
    for fault in result.faults:
        say(f"loom proposals land: {fault}", to_error=True)
    return 1 if result.faults else 0
