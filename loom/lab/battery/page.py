"""The results of the battery as a page: tables in Markdown, for a terminal and for a file."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from loom.core.values import Json
from loom.lab.battery.columned import count, figure, share, smaller, table
from loom.lab.battery.groups import GROUPS
from loom.lab.battery.model_page import model_lines

LISTED, FEW = 30, 2
"""Faults that a page lists, and texts of each."""


def page(result: Mapping[str, Json], models: Mapping[str, Json], timings: Mapping[str, Json]) -> str:
    """All of it; figures of time come from `timings`."""
    parts = (
        _head(result),
        _contexts(result, timings),
        _passed(result),
        _sizes(result),
        _answers(result),
        model_lines(models, timings),
        _same(result),
        _faults(result),
    )
    return "\n".join([*chain.from_iterable(parts), ""])


def brief(result: Mapping[str, Json], models: Mapping[str, Json], timings: Mapping[str, Json]) -> str:
    """What a terminal shows of it."""
    parts = (
        _head(result),
        _contexts(result, timings),
        _sizes(result),
        _answers(result),
        model_lines(models, timings),
        _same(result),
    )
    return "\n".join(chain.from_iterable(parts))


def _head(result: Mapping[str, Json]) -> Iterator[str]:
    run = result["run"]
    yield from ("# Battery of deterministic facts", "")
    yield (
        f"{len(run['seeds'])} seeds from {run['seeds'][0]}, {run['questions']:,} questions each, contexts of {run['budget']:,} tokens, "
        f"outlines of {run['outline']:,} characters."
    )
    yield from ("", "## Verdicts", "")
    yield from (f"- {'met' if one['met'] else '**missed**'}: {one['bar']}: {one['found']}" for one in result["verdicts"])


def _contexts(result: Mapping[str, Json], timings: Mapping[str, Json]) -> Iterator[str]:
    yield from ("", "## Contexts", "")
    yield from table(
        ["arm", "passed", "needles", "forbidden", "refused", "starved", "links", "tokens", "p50 ms", "p95 ms", "held"],
        [_arm(name, arm, timings) for name, arm in result["arms"].items()],
    )
    for name, why in result["unavailable"].items():
        yield from ("", f"{name} was not run: {why}.")


def _passed(result: Mapping[str, Json]) -> Iterator[str]:
    arms = result["arms"]
    groups = [name for name in GROUPS if any(name in arm["groups"] for arm in arms.values())]
    yield from ("", "### Passed, by group", "")
    yield from table(
        ["arm", *groups], [[name, *(share(arm["groups"].get(group)) for group in groups)] for name, arm in arms.items()]
    )
    ids = list(dict.fromkeys(id for arm in arms.values() for id in arm["ids"]))
    yield from ("", "### Passed, by id", "")
    yield from table(["id", *arms], [[id, *(count(arm["ids"].get(id)) for arm in arms.values())] for id in ids])


def _sizes(result: Mapping[str, Json]) -> Iterator[str]:
    if result["sizes"]:
        yield from ("", "## Sizes", "")
        yield from _sized(result["sizes"])
    wide = result["wide"]
    if wide["questions"]:
        yield from ("", "### Routes of many bases", "")
        yield (
            f"{wide['questions']} questions that name nothing, routed to {wide['routed']['mean']} bases on average, {wide['routed']['least']} "
            f"at least. Bases without a line: {listed(wide['without_a_line'])}; of the best score: {listed(wide['starved'])}."
        )
        yield ""
        yield from _sized(wide["sizes"])


def _sized(rows: Sequence[Mapping[str, Json]]) -> Iterator[str]:
    parts = ("block", "prompt", "outlines")
    yield from table(
        ["what", "questions", *parts],
        [[one["name"], one["questions"], *(smaller(one[part][2]) for part in parts)] for one in rows],
    )


def listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counts.items())


def _answers(result: Mapping[str, Json]) -> Iterator[str]:
    rows = result["answers"]
    if not rows:
        return
    groups = [name for name in GROUPS if any(name in one["groups"] for one in rows)]
    yield from ("", "## Answers of the reader and of adversaries", "")
    head = ["model", "arm", "as it has to be", "errors told", "escaped", "second rounds", "numbers", "without support", *groups]
    yield from table(
        head,
        [
            [
                one["model"],
                one["arm"],
                count([one["passed"], one["answers"]]),
                one["errors"],
                one["escaped"],
                one["second_rounds"],
                f"{one['numbers']:,}",
                f"{one['unsupported']:,}",
                *(share(one["groups"].get(group)) for group in groups),
            ]
            for one in rows
        ],
    )


def _same(result: Mapping[str, Json]) -> Iterator[str]:
    determinism, at_once = result["determinism"], result["concurrent"]
    alike = at_once["assemblies"] - at_once["different"]
    yield from ("", "## Determinism", "")
    yield f"- {determinism['same']} of {determinism['repeated']} seeds made again in another order gave the same bytes"
    yield f"- {alike:,} of {at_once['assemblies']:,} assemblies at once gave the bytes of each alone"
    yield f"- SHA-256 of all contexts: `{determinism['contexts_sha256']}`"


def _arm(name: str, arm: Mapping[str, Json], timings: Mapping[str, Json]) -> list[str]:
    seconds = timings.get("assembly_ms", {}).get(name, {})
    return [
        name,
        share([arm["passed"], arm["questions"]]),
        share([arm["needles"], arm["questions"]]),
        str(arm["forbidden"]),
        str(arm["refused"]),
        str(arm["starved"]),
        share(arm["bridges"]),
        figure(arm["tokens"]["mean"]),
        figure(seconds.get("p50"), 2),
        figure(seconds.get("p95"), 2),
        ("yes" + (f", but {', '.join(arm['spared'])}" if arm["spared"] else "")) if arm["held"] else "no",
    ]


def _faults(result: Mapping[str, Json]) -> Iterator[str]:
    """What is wrong, each with the arms and seeds that have it: what is wrong in one is often so in all."""
    found: dict[tuple[str, str], dict[str, list[str]]] = {}
    for name, arm in result["arms"].items():
        for fault in arm["faults"]:
            found.setdefault((fault["id"], wrong(fault)), {}).setdefault(name, []).append(str(fault["seed"]))
    if found:
        yield from ("", "## Faults", "")
    for (id, said), where in list(found.items())[:LISTED]:
        seeds = dict.fromkeys(seed for of in where.values() for seed in of)
        yield f"- {id}: {said} (seed {', '.join(seeds)}; {', '.join(where)})"
    if len(found) > LISTED:
        yield f"- and {len(found) - LISTED} more, in rows.jsonl"


def wrong(fault: Mapping[str, Json]) -> str:
    """What is wrong with a context, in few words."""
    lacking = [ways[0] for ways in fault["missing"]]
    lacking += [" with ".join(ways[0] for ways in group) for group in fault["apart"]]
    said = [_few("lacks", lacking), _few("holds", [*fault["found"], *fault["foreign"]])]
    said += [f"{second} before {first}" for first, second in fault["below"]] + list(fault["wrong"])
    return "; ".join(filter(None, [*said, fault["refused"] or ""]))


def _few(verb: str, names: Sequence[str]) -> str:
    more = f" and {len(names) - FEW} more" if len(names) > FEW else ""
    return f"{verb} {', '.join(names[:FEW])}{more}" if names else ""
