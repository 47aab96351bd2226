"""SELECT queries over the triples of one generation in this process, for commands that ask many and trust them: nothing can stop
one. A node asks through its keeper instead."""

from collections.abc import Callable

import pyoxigraph as ox

from loom.core.errors import LoomError
from loom.core.sparql.errors import BadQuery
from loom.core.sparql.limits import Limits
from loom.core.sparql.part import Triples
from loom_adapters.sparql.engine import Engine

Rows = Callable[[str], list[dict[str, str]]]


def rows_of(triples: Triples, generation: str) -> Rows:
    """Loads the triples, and gives what asks of them: rows as IRIs and texts by the names of their variables.

    Graphs are read as one. Raises BadQuery for what is no SELECT query.
    """
    engine = Engine.load(triples, generation, Limits())

    def rows(query: str) -> list[dict[str, str]]:
        try:
            found = engine.store.query(query, prefixes=dict(engine.prefixes), use_default_graph_as_union=True)
            if not isinstance(found, ox.QuerySolutions):
                raise BadQuery("Expected a SELECT query.", param="query")
            names = [variable.value for variable in found.variables]
            return [
                {name: value.value for name in names if isinstance(value := solution[name], ox.NamedNode | ox.Literal)}
                for solution in found
            ]
        except LoomError:
            raise
        except (SyntaxError, RuntimeError, ValueError, OSError) as error:
            raise BadQuery(f"The query cannot be answered: {error}.", param="query") from error

    return rows
