"""Every label from scratch, with the history as input: what the labels kept by following changes must equal (I3)."""

import numpy as np

from loom.core.claims.disputes import Disputes
from loom.core.claims.graph import Graph, seen
from loom.core.claims.labels import Labels
from loom.core.claims.sources import Sources
from loom.core.claims.spreading import Flags, spread
from loom.core.claims.standing import Standing


def supports(graph: Graph, sources: Sources, disputes: Disputes) -> Flags:
    """Support of every node as a least fixpoint: what rests on a cycle alone is never reached, so support is well-founded (I1)."""
    count = len(graph)
    barred = np.zeros(count, np.bool_)
    barred[sorted(disputes.rejected | disputes.superseders.keys())] = True
    reached = _signals(graph, sources)
    spread(tails=seen(graph.edge_node), groups=seen(graph.edge_just), reaches=seen(graph.owner), reached=reached, barred=barred)
    return reached


def _signals(graph: Graph, sources: Sources) -> Flags:
    entry = seen(sources.entry)
    standing = np.frombuffer(bytes(sources.withdrawn), np.bool_) == 0
    reached: Flags = np.frombuffer(bytes(graph.claim), np.bool_) == 0
    reached[reached] = standing[entry[reached]]
    # Whatever a signal of an entry that stands replaced, along however many others, gives way to it.
    waiting = [signal for signal in sources.earlier if reached[signal]]
    gone: set[int] = set()
    while waiting:
        for old in sources.earlier.get(waiting.pop(), ()):
            if old not in gone:
                gone.add(old)
                waiting.append(old)
    reached[sorted(gone)] = False
    return reached


def relabel(graph: Graph, sources: Sources, disputes: Disputes, history: Labels) -> Labels:
    """New labels; of `history` only `settled` and `fallen` are read."""
    supported = supports(graph, sources, disputes)
    claim = np.frombuffer(bytes(graph.claim), np.bool_)
    settled = np.frombuffer(bytes(history.settled), np.bool_)
    standing = np.where(settled, np.uint8(Standing.ACCEPTED), np.uint8(Standing.PROPOSED))
    pairs = np.array(list(disputes.conflicts()), np.int64).reshape(-1, 2)
    for one, other in ((0, 1), (1, 0)):
        standing[pairs[supported[pairs[:, other]], one]] = Standing.CONTESTED
    standing[~supported] = Standing.RETRACTED
    standing[sorted(disputes.superseders)] = Standing.SUPERSEDED
    standing[sorted(disputes.rejected)] = Standing.RETRACTED
    standing[~claim] = Standing.NONE
    return Labels(
        bytearray(supported.tobytes()),
        bytearray(standing.astype(np.uint8).tobytes()),
        bytearray(history.settled),
        bytearray(history.fallen),
    )
