"""Sources from whole columns against sources to which entries and nodes were added one by one."""

from random import Random

import numpy as np
from support.trying import every_world

from loom.core.claims.graph import END
from loom.core.claims.sources import Sources
from loom.core.claims.spreading import grouped


@every_world
def test_columns_are_as_if_added_one_by_one(seed: int, draw: Random) -> None:
    count = draw.randrange(6)
    names, source = [f"e{n}" for n in range(count)], [draw.choice("ab") for _ in range(count)]
    withdrawn = [draw.random() < 0.3 for _ in range(count)]
    entry = [draw.randrange(-1, count) for _ in range(draw.randrange(20))]
    one = Sources()
    for row in zip(names, source, withdrawn, strict=True):
        one.add_entry(row[0], row[1], withdrawn=row[2])
    for each in entry:
        one.add_node(each)
    whole = Sources.of(names, source, np.array(withdrawn, np.bool_), np.array(entry, np.int32))
    for made in (one, whole):  # it goes on as it began
        made.add_entry("late", "b")
        for each in (0, count, END):
            made.add_node(each)
    assert (whole.entries, whole.source, whole.withdrawn, whole.entry) == (one.entries, one.source, one.withdrawn, one.entry)
    assert [list(whole.signals(each)) for each in range(count + 1)] == [list(one.signals(each)) for each in range(count + 1)]
    signals = [node for node, each in enumerate(one.entry) if each != END]
    assert [whole.supports(node) for node in signals] == [one.supports(node) for node in signals]


@every_world
def test_positions_come_by_key_and_in_their_order(seed: int, draw: Random) -> None:
    keys = [draw.randrange(9) for _ in range(draw.randrange(40))]
    start, order = grouped(np.array(keys, np.int32), 10)
    found = [order[start[key] : start[key + 1]].tolist() for key in range(10)]
    assert found == [[at for at, each in enumerate(keys) if each == key] for key in range(10)]
