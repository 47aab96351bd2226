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
    _print_ledgers(experiments)
    print()
    print_verdicts(result, None)


def print_measured(result: Mapping[str, Json]) -> None:
    """What was measured on a real workspace, and the verdicts."""
    experiments = result["experiments"]
    if ranked := experiments.get("retrieval"):
        print("nDCG@10     " + "  ".join(f"{arm} {value:.3f}" for arm, value in ranked["ndcg@10"].items()))
    if found := experiments.get("contradiction"):
        for branch in ("signal", "claim"):
            told = found[branch]
            cells = [f"{name.replace('_', ' ')} {_share(told[name])}" for name in ("candidate_recall", "recall", "precision")]
            print(f"{branch + ' branch':<14}{', '.join(cells)}")
    if made := experiments.get("artifacts"):
        cells = [
            f"{arm} {made['citation_precision'][arm]:.3f}/{made['citation_recall'][arm]:.3f}" for arm in made["citation_recall"]
        ]
        print(f"artifacts   {made['requests']} requests, citation precision/recall {', '.join(cells)}")
        print(
            f"            preconditions printed {made['preconditions_printed']:.2f} of {made['claims_with_preconditions_cited']} claims cited"
        )
    if replay := experiments.get("replay"):
        print("replay      " + "  ".join(f"{at} {value:.3f}" for at, value in replay["ndcg@10"].items()))
        points = [f"{each['at']:g} {each['stale']} of {each['probes']}" for each in replay["injected"]]
        print(f"stale probes {', '.join(points)}; {len(replay['ungraded'])} claims found that nobody graded")
    if arms := result.get("read_arms"):
        print("reads       " + "  ".join(f"{arm} {value:.3f}" for arm, value in arms["ndcg"].items()))
    if log := result.get("log"):
        for line, row in log["lines"].items():
            print(
                f"log         {line:<9}{row['calls']:>6} calls  {row['tokens_in']:>9} in {row['tokens_out']:>8} out  ${row['dollars']:.6f}"
            )
        print(f"log         ${log['total']:.6f} in all")
    _print_ledgers(experiments)
    print()
    print_verdicts(result, None)


def _print_ledgers(experiments: Mapping[str, Json]) -> None:
    for each in (experiments.get("spending") or {}).get("ledgers", ()):
        reads = "none" if each["break_even"] is None else f"{each['break_even']:.1f}"
        upper = "none" if each["upper_bound"] is None else f"{each['upper_bound']:.1f}"
        print(f"  break-even {reads}, at most {upper}, observed {each['observed_reads_a_request']:.1f}: {each['name']}")


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
