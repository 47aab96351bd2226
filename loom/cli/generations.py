"""`loom generations`: see, check, switch, compare, remove and write out the versions of a corpus.

Exit codes: 0 done (also with differences, unless `--exit-code`), 1 differences under `--exit-code`, 3 more questions worse off than
`--fail-over` allows, 4 a broken generation; refused arguments end as every command's do.
"""

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import TextIO

from loom.answer.export import Keys, prose_index_v1, scaffold_index_v1
from loom.cli import drift
from loom.cli.progress import tracked
from loom.core.concepts import Concepts
from loom.core.diff import Change, Summary, changes
from loom.core.errors import BadInput, BrokenGeneration, LoomError, NoGeneration, NotFound
from loom.core.generation import Generation
from loom.core.values import Json
from loom.ports import GenerationKeeper

DIFFERENT, BROKEN = 1, 4
SHORT = 12
FORMATS = {"scaffold-index-v1": scaffold_index_v1, "prose-index-v1": prose_index_v1}

Store = GenerationKeeper
Command = Callable[[argparse.Namespace, Store, TextIO], int]


def add(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    family = subparsers.add_parser(
        "generations",
        help="list, show, verify, use, rollback, diff, prune and export versions of the corpus",
        description="An ID is `current`, `previous`, or the beginning of a generation's id that no other shares.",
    )
    commands = family.add_subparsers(dest="action", required=True, metavar="ACTION")

    def command(name: str, run: Command, help: str) -> argparse.ArgumentParser:
        parser = commands.add_parser(name, help=help, description=help[0].upper() + help[1:] + ".")
        parser.add_argument(
            "--store",
            "--generations",
            dest="store",
            type=Path,
            metavar="PATH",
            help="folder of generations (default: LOOM_GENERATIONS)",
        )
        parser.add_argument("--json", action="store_true", help="print JSON")
        parser.set_defaults(run=_run, act=run)
        return parser

    command("list", list_, "list generations, oldest first")
    command("show", show, "show what one generation holds").add_argument("id", nargs="?", default="current")
    command(
        "verify", verify, "hash every file of a generation and of what serves beside it; exit 4 if one is not what was sealed"
    ).add_argument("id", nargs="?", default="current")
    command("use", use, "verify a generation and make it current").add_argument("id")
    command("rollback", rollback, "make the previous generation current; twice brings the first back")
    parser = command("diff", diff, "show what changed between two generations, concept by concept")
    parser.add_argument("before")
    parser.add_argument("after", nargs="?", default="current")
    parser.add_argument("--summary", action="store_true", help="print the counts only")
    parser.add_argument("--exit-code", action="store_true", help="exit 1 if the generations differ")
    drift.add_flags(parser)
    parser = command("prune", prune, "remove all but the newest generations; never current, previous or one in use")
    parser.add_argument("--keep", type=int, required=True, metavar="N", help="how many of the newest to keep")
    parser.add_argument("--dry-run", action="store_true", help="say what would be removed and remove nothing")
    parser = command("export", export, "write a generation as version 1 index files")
    parser.add_argument("id", nargs="?", default="current")
    parser.add_argument("--format", choices=FORMATS, default="scaffold-index-v1")
    parser.add_argument("--out", type=Path, metavar="FILE", help="file to write (default: standard output)")
    parser.add_argument("--generated", metavar="STAMP", help="the `generated` stamp to write (default: when it was built)")


def _run(arguments: argparse.Namespace) -> int:
    act: Command = arguments.act
    try:
        return act(arguments, _store(arguments.store), sys.stdout)
    except BrokenGeneration as broken:
        print(f"loom generations {arguments.action}: {broken.message}", file=sys.stderr)
        return BROKEN


def _store(path: Path | None) -> Store:
    from loom import compose, settings

    return compose.store(path or settings.load().node.generations)


# -- commands -----------------------------------------------------------------------------------------------------------------


def list_(arguments: argparse.Namespace, store: Store, out: TextIO) -> int:
    rows = [_row(manifest, store) for manifest in store.list()]
    if arguments.json:
        return _print(rows, out)
    if not rows:
        print("There are no generations here; `loom build SOURCE --out GENERATIONS` makes one.", file=out)
    for row in rows:
        concepts = f"{row['concepts']:,}" if row["concepts"] is not None else "?"
        state = f"  BROKEN: {row['broken']}" if row["broken"] else ""
        state += "".join(f"  + {each['what']}" for each in row["attachments"][:1])
        print(
            f"{row['mark'] or '-':<8}  {_short(row['id'])}  {row['built_at'] or 'unknown':<20}  "
            f"{concepts:>9} concepts  {_size(row['bytes']):>9}{state}",
            file=out,
        )
    return 0


def show(arguments: argparse.Namespace, store: Store, out: TextIO) -> int:
    id = _resolve(store, arguments.id)
    manifest = next((manifest for manifest in store.list() if manifest["id"] == id), None)
    if manifest is None:
        raise NotFound(f"The folder of {_short(id)} is gone; `loom generations list` shows those there are.")
    row = _row(manifest, store)
    document = {
        **row,
        "notes": manifest.get("notes", {}),
        "about": manifest.get("about", {}),
        "parts": manifest.get("parts", {}),
    }
    if arguments.json:
        return _print(document, out)
    print(f"{id}{'  (' + row['mark'] + ')' if row['mark'] else ''}", file=out)
    if row["broken"]:
        print(f"broken: {row['broken']}", file=out)
    for heading in ("about", "notes"):
        for key, value in sorted(document[heading].items()):
            print(f"{heading}.{key}: {value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)}", file=out)
    for part, files in sorted(document["parts"].items()):
        print(f"part {part}: {len(files)} files, {_size(sum(file['bytes'] for file in files.values()))}", file=out)
    for number, each in enumerate(row["attachments"]):
        serves = "" if number else ", serves"
        state = f"  BROKEN: {each['broken']}" if each["broken"] else serves
        print(f"attachment {_short(each['id'])}: {each['what']}, {_size(each['bytes'])}{state}", file=out)
    return 0


def verify(arguments: argparse.Namespace, store: Store, out: TextIO) -> int:
    id = _resolve(store, arguments.id)
    reason = _fault(store, id) or _fault_beside(store, id)
    if arguments.json:
        _print({"id": id, "ok": reason is None, "reason": reason}, out)
    else:
        print(f"{_short(id)} is whole." if reason is None else f"{_short(id)} is broken: {reason}", file=out)
    return 0 if reason is None else BROKEN


def use(arguments: argparse.Namespace, store: Store, out: TextIO) -> int:
    id = _resolve(store, arguments.id)
    reason = _fault(store, id)
    if reason is not None:
        if arguments.json:
            _print({"id": id, "ok": False, "reason": reason, "current": store.current()}, out)
        else:
            print(f"{_short(id)} is broken and was not made current: {reason}", file=out)
        return BROKEN
    store.point(id)
    return _pointed(arguments, store, out)


def rollback(arguments: argparse.Namespace, store: Store, out: TextIO) -> int:
    previous = store.previous()
    if previous is not None and (reason := _fault(store, previous)) is not None:
        if arguments.json:
            _print({"id": previous, "ok": False, "reason": reason, "current": store.current()}, out)
        else:
            print(f"The previous generation {_short(previous)} is broken, nothing was changed: {reason}", file=out)
        return BROKEN
    store.rollback()
    return _pointed(arguments, store, out)


def diff(arguments: argparse.Namespace, store: Store, out: TextIO) -> int:
    drift.checked(arguments)
    before, after = _resolve(store, arguments.before), _resolve(store, arguments.after)
    if arguments.retrieval:
        return drift.diff(arguments, before, after, out)
    summary, shown = Summary(), []
    with closing(store.open(before)) as old, closing(store.open(after)) as new:
        rows = _concepts(old), _concepts(new)
        new_lines = tracked(_lines(rows[1]), "concepts compared", rows[1].count)
        for change in changes(_lines(rows[0]), new_lines):
            summary.count(change)
            if arguments.json and not arguments.summary:
                shown.append(change.as_json())
            elif not arguments.json and not arguments.summary:
                print(_sentence(change), file=out)
    if arguments.json:
        document: dict[str, Json] = {"before": before, "after": after, "summary": summary.as_json()}
        _print(document if arguments.summary else {**document, "changes": shown}, out)
    else:
        fields = ", ".join(f"{name} {count}" for name, count in sorted(summary.fields.items()))
        print(
            f"{_short(before)} → {_short(after)}: {summary.added} added, {summary.removed} removed, {summary.changed} changed, "
            f"{summary.renamed} of them renamed{f' ({fields})' if fields else ''}",
            file=out,
        )
    return DIFFERENT if arguments.exit_code and summary.differs else 0


def prune(arguments: argparse.Namespace, store: Store, out: TextIO) -> int:
    if arguments.keep < 0:
        raise BadInput(f"--keep takes 0 or more, not {arguments.keep}.", param="keep")
    removed, kept = [], {}
    for id in surplus([manifest["id"] for manifest in store.list()], arguments.keep, (store.current(), store.previous())):
        try:
            if not arguments.dry_run:
                store.remove(id)
            removed.append(id)
        except LoomError as refusal:
            kept[id] = refusal.message
    if arguments.json:
        return _print({"dry_run": arguments.dry_run, "removed": removed, "refused": kept}, out)
    for id in removed:
        print(f"{'would remove' if arguments.dry_run else 'removed'} {_short(id)}", file=out)
    for id, reason in kept.items():
        print(f"kept {_short(id)}: {reason}", file=out)
    if not removed and not kept:
        print("Nothing to remove.", file=out)
    return 0


def surplus(oldest_first: Sequence[str], keep: int, never: Iterable[str | None]) -> list[str]:
    """The ids that go when the newest `keep` stay; what is named in `never` stays as well, and counts among the newest."""
    newest = set(oldest_first[max(0, len(oldest_first) - keep) :]) | set(never)
    return [id for id in oldest_first if id not in newest]


def export(arguments: argparse.Namespace, store: Store, out: TextIO) -> int:
    id = _resolve(store, arguments.id)
    with closing(store.open(id)) as generation:
        concepts = _concepts(generation)
        stamp = arguments.generated if arguments.generated is not None else str(store.about(id).get("built_at", ""))
        pieces = tracked(FORMATS[arguments.format](concepts, stamp), "concepts written", concepts.count, plain=False)
        if changed := Keys(concepts).changed:
            examples = ", ".join(f"{iri} as {key}" for iri, key in list(changed.items())[:3])
            print(f"{len(changed)} concepts have another key than the end of their IRI: {examples}, …", file=sys.stderr)
        if arguments.out is None:
            out.writelines(pieces)
            return 0
        size = _write(arguments.out, pieces)
    document = {"id": id, "format": arguments.format, "out": str(arguments.out), "bytes": size, "generated": stamp}
    return _print(document, out) if arguments.json else _print_line(f"{_short(id)} → {arguments.out}, {_size(size)}", out)


# -- details ------------------------------------------------------------------------------------------------------------------


def _write(path: Path, pieces: Iterable[str]) -> int:
    """Write through a neighbour file, so that a reader sees the old content or the whole new one. Returns bytes."""
    try:
        handle, beside = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)
    except OSError as error:
        raise BadInput(
            f"{path} cannot be written ({error.strerror}); give a file in a folder that exists.", param="out"
        ) from error
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.writelines(pieces)
        os.chmod(beside, 0o644)
        os.replace(beside, path)
    except BaseException:
        Path(beside).unlink(missing_ok=True)
        raise
    return path.stat().st_size


def _resolve(store: Store, name: str) -> str:
    if name in ("current", "previous"):
        found = store.current() if name == "current" else store.previous()
        if found is None:
            raise NoGeneration(f"There is no {name} generation in this store; `loom generations list` shows those there are.")
        return found
    return store.resolve(name)


def _fault(store: Store, id: str) -> str | None:
    try:
        store.verify(id)
    except BrokenGeneration as broken:
        return broken.message
    return None


def _fault_beside(store: Store, id: str) -> str | None:
    """What is wrong with the attachment that serves."""
    try:
        store.attachment(id, whole=True)
    except BrokenGeneration as broken:
        return broken.message
    return None


def _concepts(generation: Generation) -> Concepts:
    concepts = generation.part(Concepts)
    if concepts is None:
        raise NotFound(f"{_short(generation.id)} holds no concepts, so there is nothing to compare or write.")
    return concepts


def _lines(concepts: Concepts) -> Iterator[tuple[str, bytes]]:
    return ((concepts.iri(row), concepts.line(row)) for row in range(concepts.count))


def _row(manifest: Mapping[str, Json], store: Store) -> dict[str, Json]:
    marks = {store.previous(): "previous", store.current(): "current"}
    counts = manifest.get("notes", {}).get("counts", {})
    return {
        "id": manifest["id"],
        "mark": marks.get(manifest["id"]),
        "built_at": manifest.get("about", {}).get("built_at"),
        "concepts": counts.get("concepts"),
        "bytes": sum(file["bytes"] for files in manifest.get("parts", {}).values() for file in files.values()),
        "broken": manifest.get("broken"),
        "attachments": [_attached(each) for each in store.attached(manifest["id"])],
    }


def _attached(manifest: Mapping[str, Json]) -> dict[str, Json]:
    """What the list says of an attachment; the one that serves stands first."""
    facts = manifest["facts"]
    contract = facts.get("contract")
    model = contract.get("model") if isinstance(contract, Mapping) else None
    return {
        "id": manifest["id"],
        "what": f"{facts.get('purpose', 'files')}{f' by {model}' if model else ''}",
        "bytes": sum(file["bytes"] for file in manifest["files"].values()),
        "broken": manifest.get("broken"),
    }


def _sentence(change: Change) -> str:
    if change.kind != "changed":
        return f"{'+' if change.kind == 'added' else '-'} {change.title}  <{change.iri}>"
    renamed = f"{change.was['title']} → " if change.renamed else ""
    return f"~ {renamed}{change.title}  <{change.iri}>  {', '.join(change.fields)}"


def _pointed(arguments: argparse.Namespace, store: Store, out: TextIO) -> int:
    current, previous = store.current(), store.previous()
    if arguments.json:
        return _print({"ok": True, "current": current, "previous": previous}, out)
    before = f"; previous is {_short(previous)}" if previous else ""
    return _print_line(f"{_short(current or '')} is current{before}.", out)


def _short(id: str) -> str:
    return id.removeprefix("sha256:")[:SHORT]


def _size(count: int) -> str:
    return f"{count / 1e6:.1f} MB" if count >= 100_000 else f"{count / 1e3:.1f} kB"


def _print(document: Json, out: TextIO) -> int:
    json.dump(document, out, ensure_ascii=False, indent=2)
    return _print_line("", out)


def _print_line(line: str, out: TextIO) -> int:
    print(line, file=out)
    return 0
