"""`loom kb`: knowledge bases in folders, their manifests proposed and checked."""

import argparse
import json
import sys
from collections.abc import Mapping
from pathlib import Path

from loom.core.errors import BadInput
from loom.core.facts.checks import KINDS
from loom.core.facts.layout import Manifest
from loom.core.report import SEVERITIES, Report
from loom.core.values import Json, Where

MOST = 1_000
"""Remarks of one kind that are printed; all are counted."""
NOWHERE = Where("")


def add(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    family = subparsers.add_parser(
        "kb",
        help="propose or check the manifest of a knowledge base",
        description="Knowledge bases in folders, declared in kb.toml.",
    )
    commands = family.add_subparsers(dest="action", metavar="COMMAND", required=True)
    init = commands.add_parser(
        "init",
        help="propose a manifest for a folder",
        description="Write a kb.toml from what a folder holds: columns told by their names and values, transcripts by their first "
        "lines, entities by what file names share. A manifest that is there is left as it is.",
    )
    init.add_argument("folder", type=Path, metavar="FOLDER", help="the folder with the files")
    init.add_argument("--print", action="store_true", dest="printed", help="print it; write nothing")
    init.set_defaults(run=_init)
    check = commands.add_parser(
        "check",
        help="explain every fault of a knowledge base",
        description="Read the manifest and the files of a knowledge base, and explain every fault by file and line: what was expected, "
        "what came, what to do. Stated values that contradict one another are among them. Exit code 1 where there are errors.",
    )
    check.add_argument("folder", type=Path, metavar="FOLDER", help="the folder with kb.toml")
    check.add_argument("--json", action="store_true", help="print JSON")
    check.set_defaults(run=_check)


class Listing(Report):
    """A report that keeps its remarks as they are, up to a bound for each kind."""

    def __init__(self) -> None:
        super().__init__(KINDS)
        self.remarks: list[tuple[Where, str, str]] = []

    def note(self, kind: str, message: str, where: Where = NOWHERE) -> None:
        super().note(kind, message, where)
        if self.count(kind) <= MOST:
            self.remarks.append((where, kind, message))

    def in_order(self) -> list[tuple[Where, str, str]]:
        """By file and line, the manifest first."""
        return sorted(self.remarks, key=lambda one: (one[0].file != "kb.toml", one[0].file, one[0].line, one[1:]))


def _init(arguments: argparse.Namespace) -> int:
    from loom import compose
    from loom.lab.files import write_bytes

    path = arguments.folder / "kb.toml"
    if not arguments.printed and path.exists():
        raise BadInput(f"{path} is there already and was left as it is; --print shows what would be proposed.")
    text = compose.proposed_base(arguments.folder)
    if arguments.printed:
        print(text, end="")
        return 0
    write_bytes(path, [text.encode()])
    print(f"wrote {_plain(str(path))}; complete its names and words, then run: loom kb check {_plain(str(arguments.folder))}")
    return 0


def _check(arguments: argparse.Namespace) -> int:
    from loom import compose

    listing = Listing()
    manifest = compose.knowledge_base(arguments.folder, listing)
    errors, warnings, infos = (sum(listing.of(severity).values()) for severity in SEVERITIES)
    if arguments.json:
        document = {**_counts(manifest), "errors": errors, "warnings": warnings, "infos": infos, "remarks": _remarks(listing)}
        print(json.dumps(document, ensure_ascii=False, indent=2))
        return 1 if errors else 0
    for where, kind, message in listing.in_order():
        print(_plain(f"{where}: {KINDS[kind].severity} {kind}: {message}"))
    for kind, count in listing.counts().items():
        if count > MOST:
            print(f"{kind}: {count - MOST:,} more")
    said = f"{manifest.base.id}: {_told(_counts(manifest))}; " if manifest else ""
    print(said + _told({"errors": errors, "warnings": warnings}))
    return 1 if errors else 0


def _counts(manifest: Manifest | None) -> dict[str, Json]:
    """What the manifest declares, as far as it is sound."""
    if manifest is None:
        return {"base": None, "files": 0, "entities": 0, "metrics": 0}
    base = manifest.base
    return {"base": base.id, "files": len(base.sources), "entities": len(base.entities), "metrics": len(base.metrics)}


def _told(counts: Mapping[str, Json]) -> str:
    names = {"entities": "entity"}
    return ", ".join(
        f"{count:,} {names.get(name, name.removesuffix('s')) if count == 1 else name}"
        for name, count in counts.items()
        if name != "base"
    )


def _remarks(listing: Listing) -> list[Json]:
    return [
        {
            "kind": kind,
            "severity": KINDS[kind].severity,
            "file": where.file,
            "line": where.line or None,
            "message": message,
            "meaning": KINDS[kind].meaning,
        }
        for where, kind, message in listing.in_order()
    ]


def _plain(text: str) -> str:
    """What a terminal would act on is shown as U+FFFD."""
    shown = "".join(c if c.isprintable() else "\ufffd" for c in text)
    return shown.encode(sys.stdout.encoding or "utf-8", "replace").decode(sys.stdout.encoding or "utf-8")
