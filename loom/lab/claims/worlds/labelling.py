"""What people labelled in a world: requests by what they want, signals by domain, entailments; and what its log says of use."""

from random import Random

from loom.core.claims.judging.asked import WAYS
from loom.lab.claims.worlds.planted import Boundary, Labelled
from loom.lab.claims.worlds.recipe import Recipe
from loom.lab.claims.worlds.words import ASPECTS, CUES, TELLING, Fillers, entity

DOMAINS = ("d-procurement", "d-operations")
SHARE = (0.6, 0.25, 0.15)
SESSIONS = 24


def requests(recipe: Recipe, random: Random, fill: Fillers) -> list[Labelled]:
    """Requests of which three in four have a word that tells what they want; of the others only whoever knows the workspace does."""
    found = []
    for at in range(recipe.requests):
        label = random.choices(WAYS, SHARE)[0]
        word = random.choice(TELLING[label]) if random.random() < 0.75 else random.choice(TELLING[random.choice(WAYS)])
        text = f"{word} {ASPECTS[random.randrange(len(ASPECTS))][0][0]} {fill()} {fill()}"
        found.append(Labelled(f"r{at}", text, label, f"asked-{at // 4}"))
    return found


def filings(recipe: Recipe, random: Random, fill: Fillers) -> list[Labelled]:
    """Signals of two domains; half of them have a word of their domain."""
    found = []
    for at in range(recipe.filings):
        number, aspect = random.randrange(recipe.entities), random.randrange(len(ASPECTS))
        domain = DOMAINS[(number + aspect) % 2]
        cue = [CUES[DOMAINS.index(domain)]] if random.random() < 0.5 else []
        text = f"{entity(number)} {ASPECTS[aspect][0][0]} {' '.join(cue)} {fill()} {fill()}."
        found.append(Labelled(f"f{at}", text, domain, f"entry-{at // 2}"))
    return found


def boundary(recipe: Recipe, random: Random, fill: Fillers) -> list[Boundary]:
    """Spans that mostly say what was taken from them, derivations that mostly go beyond each antecedent."""
    found = []
    for kind, share in (("span", 0.6), ("derivation", 0.35)):
        for _ in range(recipe.boundary):
            found.append(Boundary(f"{fill()} {fill()}.", f"{fill()} {fill()}.", kind, random.random() < share))
    return found


def usage(recipe: Recipe, random: Random) -> tuple[dict[str, int], dict[str, int], dict[str, list[float]]]:
    """Reads and slow-path requests of each session of the log, and thirty timings of each action of a person."""
    writes = {f"log-{at}": random.randint(1, 4) for at in range(SESSIONS)}
    reads = {session: max(0, round(many * recipe.reads * random.uniform(0.8, 1.2))) for session, many in writes.items()}
    timings = {
        action: [round(random.uniform(0.6, 1.4) * minutes, 3) for _ in range(30)]
        for action, minutes in (("accept", 0.15), ("resolve", 0.5), ("describe", 3.0), ("review", 1.0))
    }
    return reads, writes, timings
