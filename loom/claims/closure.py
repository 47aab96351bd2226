"""What claims rest on as statements for the closure of a generation, so that SPARQL can ask for it (specs/claims.md §13)."""

from collections import Counter
from collections.abc import Callable

from loom.claims.prov import whole
from loom.claims.prov_triples import statements
from loom.core.claims.view import ClaimView
from loom.core.values import Json

COUNTED = {"loom:Entry": "entries", "loom:Signal": "signals", "loom:Claim": "claims"}


def poured(view: ClaimView, take: Callable[[str], None]) -> dict[str, Json]:
    """Tells every statement on one version, a line of N-Triples each, and gives the version with how much of what it has."""
    many: Counter[str] = Counter()
    for document in whole(view):
        many.update(each["prov:type"]["$"] for each in document["entity"].values())
        for line in statements(document):
            take(line)
    return {"version": view.version, **{name: many[kind] for kind, name in COUNTED.items()}}
