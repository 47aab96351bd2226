"""Names that a corpus draws from: all of them made up for it."""

from dataclasses import dataclass
from random import Random

ITALIAN = (
    ("Vento di Maestrale", "Mistral Wind"),
    ("La Casa del Faro", "The Lighthouse Keepers"),
    ("Notte a Trieste", "Trieste Nights"),
    ("Il Giardino di Vetro", "The Glass Garden"),
    ("Le Strade del Sale", "The Salt Roads"),
    ("Terra di Lucciole", "Firefly Country"),
    ("L'Ultima Vendemmia", "The Last Vintage"),
    ("Cielo di Rame", "Copper Skies"),
)
"""Programmes, each with its declared name in English."""
BRITISH = (
    ("Harbour Lane", "Il vicolo dei pescatori"),
    ("The Tidewater Files", "I fascicoli della marea"),
    ("Bramble Court", "Corte dei Rovi"),
    ("Northgate Surgery", "L'ambulatorio della porta nord"),
    ("The Kestrel Inquiry", "L'inchiesta del gheppio"),
    ("Millstone Row", "La fila delle macine"),
)
"""Programmes, each with a name in Italian, which only the first of two declares."""
ABSENT_ITALIAN = ("Cucina con Lanterna", "Il Mercante di Nebbia", "Sette Cortili", "Domani Forse Nevica")
ABSENT_ENGLISH = ("Winterbourne Kitchen", "The Paper Orchard", "Saltmarsh Nine", "Uncle Ferdie's Almanac")
SHARED = ("Livia", "Irene", "Marta", "Celia", "Bianca", "Nora")
"""People that a programme in either language may have."""
ITALIANS = ("Bruno", "Tullio", "Ornella", "Saverio", "Ginevra", "Fausto", "Nevio", "Amalia")
BRITONS = ("Gareth", "Imogen", "Douglas", "Priya", "Rowan", "Mabel", "Clement", "Winifred")
PLAYERS = ("Okoro", "Lindqvist", "Marchetti", "Deschamps", "Albanov", "Trevelyan")
MATCHES = ("Rovere v Calder", "Stonebridge v Ilvara", "Merrow v Castelpino", "Dunmoor v Fontalba", "Aldwick v Serravento")
CASES = ("Juniper", "Larkspur", "Tansy", "Yarrow", "Sorrel", "Comfrey")
PACKAGES = ("Onyx", "Topaz", "Jasper", "Beryl", "Garnet", "Opaline", "Agate", "Zircon")
PROJECTS = ("Heron", "Curlew", "Plover", "Dunlin", "Avocet", "Bittern", "Turnstone", "Wigeon")
COMPANIES = ("Ardenvale Media", "Corvara Broadcasting Group", "Tolland Pictures", "Lanterna Sud Holding")
SEGMENTS = ("harvest", "lighthouse", "glacier", "orchestra", "beekeeping", "railway")
METRICS = ("humidity", "pollen count", "ticket revenue", "reverberation time")
"""Metrics that nobody declares."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """The names of one corpus. Programmes and matches are (name, name in the other language)."""

    italian: tuple[tuple[str, str], ...]
    british: tuple[tuple[str, str], ...]
    matches: tuple[str, ...]
    shared: str
    italians: tuple[str, ...]
    britons: tuple[str, ...]
    players: tuple[str, ...]
    cases: tuple[str, ...]
    packages: tuple[str, ...]
    projects: tuple[str, ...]
    company: str
    segment: str
    absent: dict[str, str]
    metric: str


def drawn(seed: int) -> Drawn:
    draw = Random(f"{seed}:names:battery")
    return Drawn(
        italian=tuple(draw.sample(ITALIAN, 2)),
        british=tuple(draw.sample(BRITISH, 2)),
        matches=tuple(draw.sample(MATCHES, 2)),
        shared=draw.choice(SHARED),
        italians=tuple(draw.sample(ITALIANS, 5)),
        britons=tuple(draw.sample(BRITONS, 5)),
        players=tuple(draw.sample(PLAYERS, 2)),
        cases=tuple(draw.sample(CASES, 2)),
        packages=tuple(draw.sample(PACKAGES, 4)),
        projects=tuple(draw.sample(PROJECTS, 5)),
        company=draw.choice(COMPANIES),
        segment=draw.choice(SEGMENTS),
        absent={"it": draw.choice(ABSENT_ITALIAN), "en": draw.choice(ABSENT_ENGLISH)},
        metric=draw.choice(METRICS),
    )
