"""Per template and per domain: questions, ceiling, and each model's gain over copy, shaded by how far it is from zero."""

from collections.abc import Mapping

from loom.core.values import Json
from loom.lab.report.figure import Figure, Results
from loom.lab.report.results import bare, grounded, models, objects
from loom.lab.report.table import Column, folded, table, words_column
from loom.lab.report.words import count, finite, name, number, signed

SHOWN = 100
STEPS = (0.005, 0.05, 0.15, 0.3)
"""Differences from which a cell is shaded, one shade more at each."""


def templates(results: Results) -> Figure | None:
    return _figure(results, "templates", "Template by template", "template")


def domains(results: Results) -> Figure | None:
    return _figure(results, "domains", "Domain by domain", "domain")


def _figure(results: Results, member: str, title: str, word: str) -> Figure | None:
    lead = grounded(results)
    stated = [each for each in objects(results, member) if each.get("arm") == lead]
    if not stated:
        return None
    groups: dict[str, dict[str, Mapping[str, Json]]] = {}
    for each in stated:
        groups.setdefault(str(each.get("group") or ""), {})[str(each.get("model"))] = each
    ordered = sorted(groups.items(), key=lambda group: (-_questions(group[1]), group[0]))
    without = {
        (str(each.get("group") or ""), str(each.get("model"))): each
        for each in objects(results, member)
        if each.get("arm") == bare(results)
    }
    cut = len(ordered) - SHOWN
    caption = f"Gain over copy in the {lead} arm for each {word}, beside what could be copied; the further from zero, the deeper the shade."
    if cut > 0:
        caption += f" The {SHOWN} largest of {len(ordered)}; all are in results.json."
    return Figure(
        member,
        f"{word.capitalize()}s",
        title,
        caption,
        f"A {word} with few questions swings widely: these means carry no interval.",
        _gains(title, word, ordered[:SHOWN], models(results)),
        (member,),
        folded("Recall, bare and grounded", _recalls(word, ordered[:SHOWN], models(results), without)),
    )


def _questions(by_model: Mapping[str, Mapping[str, Json]]) -> float:
    return max((finite(each.get("n")) or 0.0 for each in by_model.values()), default=0.0)


def _ceiling(by_model: Mapping[str, Mapping[str, Json]]) -> str:
    return number(next((each.get("ceiling") for each in by_model.values() if finite(each.get("ceiling")) is not None), None), 2)


def _gains(title: str, word: str, groups: list[tuple[str, dict[str, Mapping[str, Json]]]], order: list[str]) -> str:
    columns = [words_column(word.capitalize()), Column("Questions"), Column("Ceiling"), *(Column(model) for model in order)]
    return table(
        f"{title}: gain over copy",
        columns,
        (
            (
                name(group) if group else "none stated",
                count(_questions(by_model)),
                _ceiling(by_model),
                *(_shaded(by_model.get(model, {}).get("gain")) for model in order),
            )
            for group, by_model in groups
        ),
    )


def _recalls(
    word: str,
    groups: list[tuple[str, dict[str, Mapping[str, Json]]]],
    order: list[str],
    without: Mapping[tuple[str, str], Mapping[str, Json]],
) -> str:
    columns = [words_column(word.capitalize()), *(Column(model, about="bare → grounded") for model in order)]
    return table(
        f"Recall by {word}, bare → grounded",
        columns,
        (
            (
                name(group) if group else "none stated",
                *(
                    f"{number(without.get((group, model), {}).get('recall'), 2)} → {number(by_model.get(model, {}).get('recall'), 2)}"
                    for model in order
                ),
            )
            for group, by_model in groups
        ),
    )


def _shaded(gain: Json) -> str:
    known = finite(gain)
    if known is None:
        return number(None)
    shade = sum(abs(known) >= step for step in STEPS)
    kind = f"{'down' if known < 0 else 'up'}{shade}" if shade else "level"
    return f'<span class="shade {kind}">{signed(known, 2)}</span>'
