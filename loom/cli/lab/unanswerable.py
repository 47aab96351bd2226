"""`loom lab unanswerable`: whether a conversation's memory knows what was not said, on conversations written here."""

import argparse
from collections.abc import Mapping
from pathlib import Path

from loom.cli.lab.common import json_flag, show
from loom.cli.progress import tracked
from loom.core.values import Json
from loom.lab.unanswerable.measuring import measured
from loom.lab.unanswerable.questions import KINDS
from loom.lab.unanswerable.sets import CONVERSATIONS, SEED, made, write


def add(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = subparsers.add_parser(
        "unanswerable",
        help="measure whether conversation memory knows what was not said: topic, person, time, relation",
        description="Conversations are written from a seed, and of each fact questions that nothing answers: of a topic that never came "
        "up, of the wrong person, time or relation, each beside an answerable twin in nearly the same words.",
    )
    parser.add_argument("--seed", type=int, default=SEED, help="of the conversations and questions (default: %(default)s)")
    parser.add_argument(
        "--conversations", type=int, default=CONVERSATIONS, metavar="N", help="how many are written (default: %(default)s)"
    )
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="also write set.json (LoCoMo's shape) and pairs.jsonl there")
    json_flag(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    whole = made(arguments.seed, arguments.conversations)
    files = write(whole, arguments.out) if arguments.out else None
    result = measured(whole, watch=lambda arms: tracked(arms, "arms", len(arms), plain=False))
    if files:
        result["files"] = files
    return show(arguments, result, lambda: table(result), seeds={"set": arguments.seed})


def table(result: Mapping[str, Json]) -> None:
    about = result["set"]
    print(f"{about['conversations']} conversations, {about['turns']:,} turns, pairs: ", end="")
    print(", ".join(f"{kind} {many}" for kind, many in about["pairs"].items()))
    print(f"{'AUC [95 %]':<12}" + "".join(f"{kind:>24}" for kind in KINDS))
    for name, kinds in result["arms"].items():
        cells = [f"{kinds[kind]['auc']:.3f} [{kinds[kind]['ci'][0]:.3f}, {kinds[kind]['ci'][1]:.3f}]" for kind in KINDS]
        print(f"{name:<12}" + "".join(f"{cell:>24}" for cell in cells))
    gaps = [result["over flat"][kind] for kind in KINDS]
    cells = [f"{gap['difference']:+.3f} [{gap['ci'][0]:+.3f}, {gap['ci'][1]:+.3f}]" for gap in gaps]
    print(f"{'ours − flat':<12}" + "".join(f"{cell:>24}" for cell in cells))
    print("\ndeclined without an answer / of the twins, at the floor of each arm")
    for name, kinds in result["arms"].items():
        cells = [f"{kinds[kind]['declined']:.3f} / {kinds[kind]['over-abstention']:.3f}" for kind in KINDS]
        print(f"{name:<12}" + "".join(f"{cell:>24}" for cell in cells))
    print("\nours at other floors")
    for row in result["floors"]:
        cells = [f"{row['declined'][kind]:.3f}" for kind in KINDS]
        print(f"{row['floor']:<12}" + "".join(f"{cell:>24}" for cell in cells) + f"   twins {row['over-abstention']:.3f}")
    _inversion(result["inversion"])
    print("\nbars")
    for row in result["bars"]:
        print(f"{'holds' if row['holds'] else 'FAILS'}  {row['bar']}: {row['came']:.3f} {row['sign']} {row['least']:.3f}")


def _inversion(found: Mapping[str, Json]) -> None:
    print("\nhanded the evidence, or having to find it (reach / answerable / declined / AUC)")
    for name, row in found["arms"].items():
        print(f"{name:<12}{row['reach']:.3f} / {row['answerable']:.3f} / {row['declined']:.3f} / {row['auc']:.3f}")
    better = ", ".join(found["tell better than the oracle"]) or "none"
    print(f"arms that tell the two apart better than the oracle: {better}; inverted: {'yes' if found['inverted'] else 'no'}")
