"""`loom proposals ledger|terms|candidates|list|show`: what has landed, what waits, and what is proposed."""

import argparse

from loom.cli.proposals.common import corpus, cut, desk_for, flags, print_json, say
from loom.core.proposals.dossier import STATES
from loom.core.values import Json
from loom.proposals.desk import Standing


def add(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = subparsers.add_parser(
        "ledger",
        help="list the pages of the ledger, and read every line of them",
        description="The pages of the ledger with their assertions. Exit code 1 where a line was changed or cannot be read.",
    )
    flags(parser, "vault", "store")
    parser.set_defaults(run=ledger)
    parser = subparsers.add_parser(
        "terms",
        help="list the terms that no page answers to, most frequent first",
        description="The queue of page proposals: terms of landed assertions that resolved to no concept, with how often and where they came, "
        "and what was said with them. A term whose page has been written since stands last, with its concept.",
    )
    flags(parser, "vault", "store", "generations")
    parser.set_defaults(run=terms)
    parser = subparsers.add_parser(
        "candidates",
        help="list the topics of which the ledger holds enough",
        description="The topics of the ledger: candidates, then the others with what they hold so far. What a proposal has does not count.",
    )
    parser.add_argument(
        "--unverified", action="store_true", help="count assertions that nobody compared with their source, too"
    )
    parser.add_argument("--again", action="store_true", help="count what was rejected or withdrawn, too")
    flags(parser, "vault", "store", "generations", "fingerprints", "sources", "thin")
    parser.set_defaults(run=candidates)
    parser = subparsers.add_parser(
        "list", help="list proposals, newest decisions last", description="Every proposal and how it stands."
    )
    parser.add_argument("--state", choices=STATES, help="only those that stand so")
    flags(parser, "vault", "store")
    parser.set_defaults(run=list_)
    parser = subparsers.add_parser(
        "show",
        help="show a dossier: scores, provenance, diff",
        description="What a person decides on: the scores of both halves of the pre-filter, the assertions behind every line, the diff.",
    )
    parser.add_argument("id", metavar="ID", help="a proposal, or the beginning of its id")
    flags(parser, "vault", "store")
    parser.set_defaults(run=show)


def ledger(arguments: argparse.Namespace) -> int:
    pages = list(desk_for(arguments).ledger())
    faults = [message for _, page in pages for _, message in page.faults]
    if arguments.json:
        told = [{"page": name, "source": page.source, "assertions": len(page.assertions)} for name, page in pages]
        print_json({"pages": told, "faults": faults})
    else:
        for name, page in pages:
            say(f"{len(page.assertions):>6,}  {page.source}  ({name})")
        say(f"{sum(len(page.assertions) for _, page in pages):,} assertions of {len(pages):,} sources")
    for fault in faults:
        say(f"loom proposals ledger: {fault}", to_error=True)
    return 1 if faults else 0


def terms(arguments: argparse.Namespace) -> int:
    desk = desk_for(arguments)
    with corpus(arguments) as served:
        found = desk.open_terms(served)
    if arguments.json:
        print_json({"terms": [each.as_json() for each in found]})
        return 0
    for each in found:
        near = f", a page since: {each.iri}" if each.iri else f", nearest: {', '.join(each.nearest)}" if each.nearest else ""
        say(f"{each.count:>5,}  {each.term} ({len(each.sources):,} sources{near})")
        for example in each.examples[:2]:
            say(f"         {cut(example)}")
    say(f"{sum(not each.iri for each in found):,} terms without a page")
    return 0


def candidates(arguments: argparse.Namespace) -> int:
    desk = desk_for(arguments)
    with corpus(arguments) as served:
        found = desk.topics(served, again=arguments.again)
        if arguments.json:
            told = [{**each.as_json(), "title": served.title(each.iri), "words": each.words} for each in found]
            print_json({"topics": told, "candidates": sum(bool(each.reason) for each in found)})
            return 0
        for each in found:
            said = f"{len(each.assertions):,} assertions of {len(each.sources):,} sources"
            say(f"{each.reason or '-':9} {served.title(each.iri)}: {said}, page of {each.words:,} words")
    say(f"{sum(bool(each.reason) for each in found):,} candidates among {len(found):,} topics")
    return 0


def list_(arguments: argparse.Namespace) -> int:
    found = [each for each in desk_for(arguments).proposals() if arguments.state in (None, each.state)]
    found.sort(key=lambda each: (max((one.number for one in each.decisions), default=0), each.dossier.id))
    if arguments.json:
        print_json({"proposals": [each.brief() for each in found]})
        return 0
    for each in found:
        say(line_of(each))
    say(f"{len(found):,} proposals")
    return 0


def line_of(standing: Standing) -> str:
    """A proposal on one line."""
    told = standing.brief()
    mean, ceiling = told["mean"], told["ceiling"]
    scores = f"judged {mean:+.2f}" if mean is not None else "not judged"
    scores += f", ceiling {ceiling:.2f}" if ceiling is not None else ""
    stopped = f", stopped by {' and '.join(told['stopped'])}" if told["stopped"] else ""
    return f"{told['state']:9} {told['id']}  {told['topic']['title']} ({told['fingerprints']} assertions of {told['sources']} sources; {scores}{stopped})"


def show(arguments: argparse.Namespace) -> int:
    standing = desk_for(arguments).proposal(arguments.id)
    if arguments.json:
        print_json(standing.as_json())
        return 0
    made = standing.dossier
    say(line_of(standing))
    say(f"page {made.page}" + (f", under {made.anchor!r}" if made.anchor else ", behind everything else") + f"; {made.reason}")
    for judge, told in made.judged.get("judges", {}).items():
        say(f"judged by {judge}: {told['outcome']}: {told['why']} ({_orders(told['orders'])})")
    signs = "; ".join(each["reason"] for each in made.complete.get("reasons", ()))
    missing = ", ".join(made.complete.get("missing", ()))
    say(
        f"names: {made.complete.get('outcome', 'not measured')}{f': {signs}' if signs else ''}{f'; missing: {missing}' if missing else ''}"
    )
    for each in made.assertions:
        say(f"  {each.fingerprint[:12]}  {each.source}, tier {each.tier or '-'}: {cut(each.text)}")
    for decision in standing.decisions:
        say(f"{decision.state} by {decision.by}, {decision.at}: {decision.reason}")
    say(made.diff)
    return 0


def _orders(orders: Json) -> str:
    return ", ".join(f"{order} {mean:+.0f}" for order, mean in orders.items() if mean is not None) or "no verdict"
