"""What questions cost a reader of a large store, in a process of its own: `python claims_big_reader.py PLACE` prints seconds of the first
searches, which read what there is (`processor`: of the processor), those of the processor for later ones (the median), and the memory. `PLACE` was filled by `claims_big_store.py`."""

import asyncio
import json
import sys
from statistics import median
from time import perf_counter, process_time

from support.claims_big_store import store

from loom.bench.peak import peak
from loom.core.claims.view import ClaimView

ASKED = ("Is claim 1700123 the case?", "signal 12345", "what is the case with claim 1000777 and signal 77?")
TIMES = 5


def searched(view: ClaimView, text: str, domains: tuple[str, ...]) -> int:
    """What a read asks of a version, but for vectors: both searches by words, and the records of what they find."""
    found = 0
    for kind in ("signal", "claim"):
        ids = [each.id for each in view.words(kind, text, 50, domains)]
        found += len(view.claims(ids)) + len(view.signals(ids))
    return found


async def measured(place: str) -> dict[str, float]:
    claims = store(place)
    clock, busy = perf_counter(), process_time()
    found = await claims.look(lambda view: searched(view, ASKED[0], ()))
    first, first_busy = perf_counter() - clock, process_time() - busy
    times: dict[str, list[float]] = {"everywhere": [], "in a domain": []}
    for where, domains in (("everywhere", ()), ("in a domain", ("domain 7",))):
        for turn in range(TIMES * len(ASKED)):
            start = process_time()
            text = ASKED[turn % len(ASKED)]
            found += await claims.look(lambda view, t=text, d=domains: searched(view, t, d))  # type: ignore[misc]
            times[where].append(process_time() - start)
    await claims.aclose()
    later = {where: median(each) for where, each in times.items()}
    return {"found": found, "first": first, "processor": first_busy, **later, "megabytes": peak() / (1 << 20)}


if __name__ == "__main__":
    sys.stdout.write(json.dumps(asyncio.run(measured(sys.argv[1]))))
