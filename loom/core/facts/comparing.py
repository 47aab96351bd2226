"""Values of several sources side by side (R23): one line, and only where one metric and one statistic are asked of two or more.

What is computed between them is exact, in decimals, and only what the metric declares.
"""

from collections.abc import Sequence
from decimal import Decimal

from loom.core.facts.asked import Ask
from loom.core.facts.deriving import difference, percent_change
from loom.core.facts.inventory import Inventory
from loom.core.facts.labels import Labels
from loom.core.facts.minting import Line, amount, cite, key_of, metric_name, place, subject, words_of
from loom.core.facts.values import Fact
from loom.core.values import Role, Stated

COMPARED = "urn:loom:facts:compared"
"""The address of a comparison, which stands in no file."""
TOLD = 12
"""Values that a line holds; of more, only the highest and the lowest are told."""


def compared(stock: Inventory, facts: Sequence[Fact], ask: Ask) -> tuple[Fact, ...]:
    """The facts that stand beside one another, one a subject, in a fixed order; () where the question asks for no one comparison."""
    if len(set(ask.statistics)) != 1 or ask.windowed:
        return ()
    wanted = [fact for fact in facts if fact.metric in ask.metrics and fact.statistic == ask.statistics[0]]
    # The words of a question mean one metric of each base; of two in one base, or of two units, none is meant alone.
    if len({fact.metric for fact in wanted}) != len({fact.base for fact in wanted}) or len({fact.unit for fact in wanted}) > 1:
        return ()
    found = sorted(wanted, key=lambda fact: (key_of(stock, fact), fact.source, fact.iri))
    return tuple(found) if len({(fact.source, fact.entity) for fact in found}) > 1 else ()


def comparison(stock: Inventory, facts: Sequence[Fact], ask: Ask, role: Role = Role.ANSWER) -> Line | None:
    """The line: of two, both values and what is declared between them; of more, all values with the highest and the lowest."""
    found = compared(stock, facts, ask)
    if not found:
        return None
    words = words_of(stock, found[0].base)
    told = [_one(stock, fact) for fact in found] if len(found) <= TOLD else []
    numbers = [Decimal(fact.number) for fact in found if fact.number]
    if len(numbers) == len(found) and len(found) == 2:
        told += _derived(stock, words, found, numbers)
    elif len(numbers) == len(found):
        for label, extreme in ((words.highest, max(numbers)), (words.lowest, min(numbers))):
            those = (_one(stock, fact) for fact, number in zip(found, numbers, strict=True) if number == extreme)
            told.append(label.format(names=", ".join(those)))
    names = tuple(name for fact in found for name in (subject(stock, fact), amount(fact.value, fact.unit)))
    head = f"{metric_name(stock, found[0].metric)}, {words.statistic(found[0].statistic)}"
    first = found[0]
    stated = Stated(COMPARED, role, metric=first.metric, statistic=first.statistic, unit=first.unit)
    return f"{head}: {'; '.join(told)}", names if len(found) <= TOLD else (), stated


def _one(stock: Inventory, fact: Fact) -> str:
    where = place(stock, fact.source, fact.position, fact.at)
    return " ".join(filter(None, (subject(stock, fact), amount(fact.value, fact.unit), where, cite(stock, fact.source))))


def _derived(stock: Inventory, words: Labels, facts: Sequence[Fact], numbers: Sequence[Decimal]) -> list[str]:
    declared = set.intersection(*(set(stock.metrics[fact.metric].derived) for fact in facts if fact.metric in stock.metrics))
    comma = all("," in fact.value and fact.value.replace(",", ".") == fact.number for fact in facts)

    def written(number: str) -> str:
        return number.replace(".", ",") if comma else number

    told = []
    if "difference" in declared:
        told.append(words.difference.format(value=written(difference(max(numbers), min(numbers)))))
    if "percent_change" in declared:
        change = percent_change(*numbers)
        if change is not None:
            first, second = (subject(stock, fact) for fact in facts)
            told.append(words.change.format(first=first, second=second, value=written(change)))
    return told
