"""Words around statistics and positions, in five languages: what ranks, counts several, reaches to an end, or asks for what nobody
computes. None of them belongs to a subject (R1)."""

from collections.abc import Mapping

SUPERLATIVE: Mapping[str, frozenset[str]] = {
    "max": frozenset("top most meisten".split()),
    "min": frozenset("least fewest bottom wenigsten".split()),
}
"""Words that ask for a statistic only right before a metric."""
ENDS: Mapping[str, tuple[str, ...]] = {
    "first": (
        *(
            "at the start",
            "at the beginning",
            "at the outset",
            "all inizio",
            "am anfang",
            "zu beginn",
            "au début",
            "al principio",
        ),
        *("al inicio", "al comienzo"),
    ),
    "last": ("at the end", "at the close", "alla fine", "am ende", "am schluss", "à la fin", "al final"),
}
"""What asks for the first or last value of a metric."""
COUNTED = frozenset(
    "readings reading values value measurements measurement rows entries samples letture lettura valori misure misurazioni righe "
    "messwerte werte messungen zeilen valeurs mesures lignes relevés valores medidas mediciones filas lecturas".split()
)
"""What a number of rows is asked by, behind a metric."""
FIRST = frozenset(
    "first opening initial primo prima primi prime erste ersten premier première premiers premières primer primera primeros primeras".split()
)
LAST = frozenset(
    "last final closing ultimo ultima ultimi ultime letzte letzten dernier dernière derniers dernières último última últimos últimas".split()
)
"""Words before a stretch at an end."""
HALF = frozenset("half mezzo mezza halbe halben demi demie medio media".split())
RANKS = (
    *("secon", "third", "fourth", "fifth", "2nd", "3rd", "4th", "5th", "next", "terzo", "terza", "quarto", "quarta", "zweit"),
    *("dritt", "viert", "deuxi", "troisi", "quatri", "segund", "tercer", "cuart"),
)
"""How words begin that ask, before a statistic, for another value than it."""
NUMBERED = frozenset("highest lowest largest smallest biggest greatest top bottom first last latest final".split())
"""Words before a number of values: of several, none is computed."""
BEHIND: Mapping[str, frozenset[str]] = {"mean": frozenset("media medio medie medi moyenne moyen".split())}
"""Words that ask for a statistic only right behind a metric."""
SHARES = frozenset("percent percentage per points prozent pour por punti punkte puntos".split())
"""What is no row, where "how many" stands before it."""
OFFSETS = frozenset("after before later earlier following dopo prima nach vor après avant después antes".split())
"""Words between a length and what it is counted from."""
BEFORE = frozenset("before prior prima vor avant antes".split())
UNTIL_ONLY = frozenset("until till fino bis jusqu hasta".split())
AFTER = frozenset("after since beyond past dopo nach seit ab après depuis después desde".split())
FROM = frozenset("from dal dalla da dai ab desde".split())
ONWARDS = frozenset("on onwards onward forward poi an avant adelante".split())
"""Words that make a position the end or the beginning of a window without another end."""
TO_THEM = frozenset("a di del della dello de du d la le il lo el the den dem der die das al alla alle à".split())
"""Small words between these and a position."""
GRADES = frozenset("più plus más am".split())
RANKED = (
    "zweithöchste",
    "zweithöchsten",
    "zweithöchster",
    "zweitniedrigste",
    "zweitniedrigsten",
    "dritthöchste",
    "dritthöchsten",
)
UNCOMPUTED = (
    *("total", "in total", "sum", "sum of", "altogether", "combined", "added up", "median", "standard deviation", "variance"),
    *("percentile", "totale", "in totale", "somma", "in tutto", "complessivo", "complessiva", "complessivamente", "mediana"),
    *("deviazione standard", "varianza", "insgesamt", "summe", "gesamt", "zusammen", "standardabweichung", "varianz", "somme"),
    *("au total", "médiane", "écart type", "suma", "en total", "en conjunto", "desviación estándar", "varianza"),
)
"""Statistics that nobody computes."""
