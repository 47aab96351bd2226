"""The findings of `loom lab locomo` as tables."""

from collections.abc import Mapping

from loom.cli.lab.unanswerable import table as unanswerable
from loom.core.values import Json


def table(result: Mapping[str, Json]) -> None:
    _arms(result)
    _differences(result)
    _published(result)
    _ours(result)
    _controls(result)
    _matched(result)
    _second(result)
    _extraction(result)
    _read(result)


def _arms(result: Mapping[str, Json]) -> None:
    print(f"{'arm':<14}{'answerable':>11}{'adversarial':>12}{'AUC':>7}{'silence':>15}{'reach':>15}{'all reach':>15}")
    for name, row in result["arms"].items():
        cells = [_pair(row["silence"]), _pair(row["reach"]), _pair(result["unbounded"][name])]
        print(
            f"{name:<14}{_n(row['answerable']):>11}{_n(row['adversarial']):>12}{_n(row['auc']):>7}"
            + "".join(f"{cell:>15}" for cell in cells)
        )
    discounted = ", ".join(f"{name} {_n(row['overall'])}" for name, row in result["arms"].items())
    print(f"overall (to be discounted: constant silence passes what has to find its evidence): {discounted}")


def _differences(result: Mapping[str, Json]) -> None:
    if result["differences"]:
        print(
            "\ndifference              adversarial                  answerable       (exact 95 % intervals over conversations)"
        )
    for row in result["differences"]:
        print(f"{row['of']} − {row['against']}".ljust(22) + f"  {_gap(row['adversarial']):<27}  {_gap(row['answerable'])}")
    if result["factorial"]:
        for half, effects in result["factorial"].items():
            print(f"factorial, {half}: " + ", ".join(f"{name} {value:+.3f}" for name, value in effects.items()))


def _published(result: Mapping[str, Json]) -> None:
    rows = result["published"]
    off = [row for row in rows if not row["within"]]
    if rows:
        print(f"\npublished figures within their tolerances: {len(rows) - len(off)} of {len(rows)}")
    for row in off:
        print(f"  {row['figure']}: published {row['published']:.3f}, came {row['came']:.4f} (tolerance {row['tolerance']})")


def _ours(result: Mapping[str, Json]) -> None:
    if "ours" not in result:
        return
    print("\nours           answerable adversarial    AUC  silence")
    for name in ("left out", "on all", "as served"):
        row = result["ours"][name]
        print(
            f"{name:<14}{_n(row['answerable']):>11}{_n(row['adversarial']):>12}{_n(row['auc']):>7}{_n(row['silence']['all']):>9}"
        )


def _controls(result: Mapping[str, Json]) -> None:
    if result.get("controls"):
        print("\ncontrol                        against         adversarial                  answerable")
    for row in result.get("controls", ()):
        if "identical" in row:
            said = "every reply identical" if row["identical"] else "replies differ"
            print(f"{row['control']:<31}{row['against']:<16}{said} ({row['facts']:,} facts, {row['derived']} derived)")
        else:
            gap = row["difference"]
            print(f"{row['control']:<31}{row['against']:<16}{_gap(gap['adversarial']):<29}{_gap(gap['answerable'])}")


def _matched(result: Mapping[str, Json]) -> None:
    for row in (*result.get("matched", ()), *result.get("crossing", ())):
        arms = ", ".join(
            f"{name} {_n(each['answerable'])}/{_n(each['adversarial'])} at {_n(each['silence'])}"
            for name, each in row["arms"].items()
        )
        print(f"matched at {row['silence']:.0%} silence: {arms}")


def _second(result: Mapping[str, Json]) -> None:
    if "second" in result:
        print("\nsecond set (loom lab unanswerable)")
        unanswerable(result["second"])


def _extraction(result: Mapping[str, Json]) -> None:
    found = result.get("extraction")
    if not found:
        return
    counts = ", ".join(
        f"{name} {found[name]:,}" for name in ("turns", "read", "malformed", "flood", "error", "spans", "dropped")
    )
    print(f"\nspans by {found['model']}: {counts}")
    print("reach               at k        all hits")
    for arm in found["reach"]["k"]:
        print(f"{arm:<14}{_pair(found['reach']['k'][arm]):>15}{_pair(found['reach']['all'][arm]):>15}")
    for name, gap in found["model-graph − graph"].items():
        print(f"model-graph − graph, {name}: {_gap(gap['answerable'])}   {_gap(gap['adversarial'])}")
    print(found["verdict"])


def _read(result: Mapping[str, Json]) -> None:
    if "read" not in result:
        return
    reading = result["reading"]
    print(
        f"\nread by {reading['model']}: {reading['questions']:,} questions, {reading['answerable']:,} of them answerable, "
        f"{reading['left out']:,} left out; answerable/adversarial/silence"
    )
    print(f"{'arm':<14}{'with its floor':>20}{'without a floor':>20}{'reach':>15}")
    for name, row in result["read"].items():
        halves = [
            "/".join(_n(each) for each in (one["answerable"], one["adversarial"], one["silence"]["all"]))
            for one in (row, row["without a floor"])
        ]
        print(f"{name:<14}{halves[0]:>20}{halves[1]:>20}{_pair(row['reach']):>15}")
    for row in reading["differences"]:
        print(f"{row['of']} − {row['against']}".ljust(26) + f"  {_gap(row['adversarial']):<27}  {_gap(row['answerable'])}")


def _n(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"


def _pair(halves: Mapping[str, float | None]) -> str:
    return f"{_n(halves['answerable'])}/{_n(halves['adversarial'])}"


def _gap(half: Mapping[str, Json] | None) -> str:
    if half is None:
        return ""
    ends = half["ci"]
    return f"{half['difference']:+.3f}" + (f" [{ends[0]:+.3f}, {ends[1]:+.3f}]" if ends else "")
