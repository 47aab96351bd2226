"""Generated workspaces whose truth is known: what is evidence of what, where claims lie, what contradicts them, what answers a query.

- `recipe`: how large a world is, and how often each thing in it goes well
- `words`: the words that its texts are made of, and which of them mean the same
- `likeness`: an embedder that knows those meanings
- `planted`, `making`: the world as values, and how it is drawn from a seed
- `tables`: what scripted judges say in it
"""

from loom.lab.claims.worlds.likeness import WorldLikeness
from loom.lab.claims.worlds.making import made
from loom.lab.claims.worlds.planted import World
from loom.lab.claims.worlds.recipe import WORLDS, Recipe
from loom.lab.claims.worlds.tables import Tables, tables

__all__ = ["WORLDS", "Recipe", "Tables", "World", "WorldLikeness", "made", "tables"]
