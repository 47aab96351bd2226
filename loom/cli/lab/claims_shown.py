"""The experiments on claims as tables."""

from collections.abc import Mapping
from pathlib import Path

from loom.core.values import Json

_SAID = {True: "holds", False: "fails", None: "is open"}


def print_study(result: Mapping[str, Json]) -> None:
    experiments = result["experiments"]
    ranked = experiments["retrieval"]
    print("nDCG@10   " + "  ".join(f"{arm} {value:.3f}" for arm, value in ranked["ndcg@10"].items()))
    for name, each in ranked["contrasts"].items():
        print(f"  {name:<16}{each['mean']:+.3f}, from {each['low']:+.3f}, p {each['p']:.2g} (n {each['n']})")
    found = experiments["contradiction"]
    for branch in ("signal", "claim"):
        told = found[branch]
        cells = [f"{name.replace('_', ' ')} {_share(told[name])}" for name in ("candidate_recall", "recall", "precision")]
        print(f"{branch:<10}{', '.join(cells)}, {told['calls']:.1f} pairs judged for each")
    print(f"shown though retracted or superseded: {found['retracted_or_superseded_in_results']}")
    print("replay    " + "  ".join(f"{at} {value:.3f}" for at, value in experiments["replay"]["ndcg@10"].items()))
    for each in experiments["spending"]["ledgers"]:
        reads = "none" if each["break_even"] is None else f"{each['break_even']:.1f}"
        upper = "none" if each["upper_bound"] is None else f"{each['upper_bound']:.1f}"
        print(f"  break-even {reads}, at most {upper}, observed {each['observed_reads_a_request']:.1f}: {each['name']}")
    print()
    print_verdicts(result, None)


def print_verdicts(result: Mapping[str, Json], applied: Path | None) -> None:
    for each in result["verdicts"]:
        settings = ", ".join(f"{name} = {str(value).lower()}" for name, value in each["settings"].items())
        print(f"{each['part']:<12}{each['outcome']:<12}{each['why']}" + (f" → {settings}" if settings else ""))
    thesis = result.get("thesis")
    if isinstance(thesis, Mapping):
        print(
            f"the thesis {_SAID[thesis['holds']]}: quality {_SAID[thesis['quality']]}, cost {_SAID[thesis['cost']]}"
            + (", stale faster than it is kept" if thesis["fails_in_the_weaker_sense"] else "")
        )
        for defect in thesis["defects"]:
            print(f"broken: {defect}")
    if applied:
        parts = ", ".join(result["parts"]) or "nothing, since no part is dropped"
        print(f"set in {applied}: {parts}")


def print_bar(row: Mapping[str, Json]) -> None:
    told = ", ".join(row["dropped"]) or "nothing"
    print(
        f"{'holds' if row['exact'] else 'FAILS'}  {row['world']:<12} seed {row['seed']}: dropped {told}; expected {', '.join(row['expected']) or 'nothing'}",
        flush=True,
    )


def print_ledger(result: Mapping[str, Json]) -> None:
    for name, reads in result["reads"].items():
        print(f"{name:<30}{'none' if reads is None else f'{reads:.1f} reads a request'}")
    print(f"\n{'large model ×':>14}{'wage ×':>8}{'signals ×':>11}{'reads':>9}")
    for row in result["grid"]:
        reads = "none" if row["reads"] is None else f"{row['reads']:.1f}"
        print(f"{row['frontier']:>14g}{row['wage']:>8g}{row['signals']:>11g}{reads:>9}")


def print_logged(result: Mapping[str, Json]) -> None:
    print(f"{result['requests']:,} slow-path requests\n{'line':<12}{'calls':>8}{'price':>12}")
    for line, each in result["lines"].items():
        print(f"{line:<12}{each['calls']:>8,}{each['price']:>12.4f}")
    print(f"\n{'action':<12}{'done':>8}{'timed':>8}{'median':>10}{'minutes':>10}")
    for name, each in result["people"].items():
        times = (f"{each[of]:.2f}" if each[of] is not None else "not timed" for of in ("median_minutes", "minutes"))
        print(f"{name:<12}{each['done']:>8,}{each['timed']:>8,}" + "".join(f"{time:>10}" for time in times))
    print(f"people: {result['minutes']:.2f} minutes, {result['price_of_people']:.2f} at {result['wage']:g} an hour")
    if "break_even" in result:
        reads = "none" if result["break_even"] is None else f"{result['break_even']:.1f} reads a request"
        print(f"break-even: {reads}; {result['observed_reads_a_request']:.1f} were observed")


def print_rules(result: Mapping[str, Json]) -> None:
    print(f"{'contradiction':<15}{'recall':>8}{'false alarms':>14}")
    for kind, recall in result["recall"].items():
        print(f"{kind:<15}{recall:>8.3f}{result['false_alarms'][kind]:>14.3f}")
    precision = "none" if result["precision"] is None else f"{result['precision']:.3f}"
    print(f"precision {precision} over {result['pairs']} contradictions and as many distractors")


def _share(each: Mapping[str, Json]) -> str:
    return "-" if each["share"] is None else f"{each['share']:.3f} of {each['n']}"
