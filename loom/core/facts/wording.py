"""Words of questions in five languages: what asks, joins, compares and points back. None of them belongs to a subject (R1).

Metrics, units and positions are named by what producers declare, never here.
"""

from collections.abc import Iterable, Mapping

LANGUAGES = ("en", "it", "de", "fr", "es")

FUNCTION: Mapping[str, frozenset[str]] = {
    "en": frozenset(
        "a an and or the of in on at to from by for with about into over under between as than then that this these those it its he "
        "she they them their his her there here is are was were be been being do does did done has have had can could will would "
        "should may might must not no yes i you we me my your our us what when where which who whom whose why how much also if so "
        "but just please tell show give list describe explain report summarise summarize find get say let compare during after "
        "before while until till any all some each every both one only other same vs versus according".split()
    ),
    "it": frozenset(
        "il lo la i gli le l un una uno e ed o di a da in con su per tra fra del dello della dei degli delle dell al allo alla ai agli "
        "alle all dal dallo dalla dai dagli dalle dall nel nello nella nei negli nelle nell sul sullo sulla sui sugli sulle sull col è "
        "era erano sono stato stata stati state essere ha hanno aveva fu che chi cosa cos qual quale quali quando dove come perché "
        "quanto quanta non si ci ne se anche ma mi ti questo questa questi queste quello quella quelli quelle suo sua dimmi mostra "
        "mostrami elenca descrivi spiega riporta confronta dammi durante dopo mentre ogni tutti tutte tutto più meno rispetto".split()
    ),
    "de": frozenset(
        "der die das den dem des ein eine einen einem einer eines und oder von vom in im an am auf aus bei beim mit nach zu zum zur für "
        "um über unter ist sind war waren wird wurde wurden sein hat haben hatte was wann wo wer wen wem wie warum welche welcher "
        "welches welchen es er sie ihr ihre sein seine nicht auch aber wenn als dass man ich du wir zeige zeig nenne beschreibe erkläre "
        "vergleiche gib liste während bis seit jede jeder alle dieser diese dieses diesem diesen".split()
    ),
    "fr": frozenset(
        "le la les l un une des du de d et ou à au aux en dans sur sous par pour avec entre est sont était étaient été être a ont avait "
        "que qu qui quoi quel quelle quels quelles quand où comment pourquoi ce cet cette ces il elle ils elles son sa ses leur leurs "
        "ne pas se s y n c j je tu nous vous montre donne décris explique compare liste pendant après avant chaque tous toutes plus "
        "moins quelle".split()
    ),
    "es": frozenset(
        "el la los las un una unos unas y e o de del en con por para sobre entre a al es son era eran fue fueron ser ha han había que "
        "qué quién quiénes cuál cuáles cuándo dónde cómo por porqué no se su sus lo le les este esta estos estas ese esa esos esas "
        "muestra dime describe explica compara lista durante después antes cada todos todas más menos".split()
    ),
}
ALL_FUNCTION = frozenset().union(*FUNCTION.values()) - {"ai"}
"""Small words of any language; one that is an abbreviation in all others stays a word that may corroborate."""

LINKING = frozenset(
    "and e und et y & of in on at the a an for to with di del della dei con da per il la lo le gli i un una ".split()
) | (
    frozenset(
        "der die das den dem von im am und zu du de des la le les l à au aux en sur el los las y por para d dell delle degli dello ed "
        "vom zum zur".split()
    )
)
"""Small words that stand inside names."""

PLACING = frozenset(
    "in at on from during within nel nella nello nei negli nelle nell im aus bei dans chez en durante su".split()
)
"""Words that put somebody into a named thing."""

STATISTIC: Mapping[str, tuple[str, ...]] = {
    "max": (
        *("peak", "peaks", "peaked", "peaking", "highest", "maximum", "max", "largest", "greatest", "biggest"),
        *("picco", "picchi", "massimo", "massima", "massimi", "massime", "più alto", "più alta", "più alti", "più alte"),
        *(
            "maggiore",
            "höchste",
            "höchster",
            "höchsten",
            "höchstes",
            "höchstwert",
            "spitzenwert",
            "spitze",
            "maximal",
            "maximale",
        ),
        *("maximalwert", "am höchsten", "pic", "maximaux", "plus élevé", "plus élevée", "plus haut", "plus haute", "culminé"),
        *("pico", "máximo", "máxima", "más alto", "más alta", "mayor"),
    ),
    "min": (
        *(
            "lowest",
            "minimum",
            "smallest",
            "trough",
            "bottomed",
            "minimo",
            "minima",
            "minimi",
            "minime",
            "più basso",
            "più bassa",
        ),
        *(
            "più bassi",
            "niedrigste",
            "niedrigster",
            "niedrigsten",
            "niedrigstes",
            "tiefste",
            "tiefster",
            "tiefsten",
            "tiefstwert",
        ),
        *(
            "kleinste",
            "kleinster",
            "kleinsten",
            "minimal",
            "minimale",
            "minimalwert",
            "am niedrigsten",
            "plus bas",
            "plus basse",
        ),
        *("plus faible", "mínimo", "mínima", "más bajo", "más baja"),
    ),
    "first": (
        *("first", "initial", "primo", "iniziale", "prima lettura", "prima misura", "prima riga", "erste", "erster", "ersten"),
        *("erstes", "anfangswert", "premier", "première", "initiale", "primer", "primero", "primera", "inicial"),
    ),
    "last": (
        *("last", "final", "latest", "ultimo", "ultima", "finale", "letzte", "letzter", "letzten", "letztes", "endwert"),
        *("dernier", "dernière", "último", "última"),
    ),
    "count": (
        *("how many", "number of", "count", "quanti", "quante", "numero di", "wie viele", "anzahl", "combien", "nombre de"),
        *("cuántos", "cuántas", "número de"),
    ),
    "mean": (
        *(
            "average",
            "averaged",
            "on average",
            "the mean",
            "mean of",
            "mean value",
            "in media",
            "la media",
            "media di",
            "media del",
        ),
        *("medio", "durchschnitt", "durchschnittlich", "durchschnittliche", "durchschnittlichen", "mittelwert", "im mittel"),
        *("moyenne", "moyen", "en moyenne", "promedio", "media de", "medio"),
    ),
}
"""Generic words of statistics, never of metrics."""

COMPARING = (
    *(
        "compare",
        "compared",
        "comparison",
        "versus",
        "vs",
        "difference",
        "higher",
        "lower",
        "greater",
        "bigger",
        "smaller",
        "than",
    ),
    *("more than", "less than", "confronta", "confronto", "rispetto", "differenza", "superiore", "inferiore", "più alto di"),
    *(
        "più alta di",
        "più basso di",
        "più bassa di",
        "vergleiche",
        "vergleich",
        "verglichen",
        "unterschied",
        "höher",
        "niedriger",
    ),
    *("differenz", "comparer", "comparez", "comparaison", "différence", "supérieur", "inférieur", "par rapport", "plus que"),
    *("comparar", "compara", "comparación", "diferencia", "frente a", "superior", "inferior", "más que", "menos que"),
)
RELATING = (
    *("correlation", "correlate", "correlates", "correlated", "relationship", "related", "linked", "link between", "affect"),
    *("affects", "affected", "influence", "influenced", "correlazione", "correlato", "correlata", "legame", "relazione"),
    *("influenza", "influisce", "korrelation", "zusammenhang", "beeinflusst", "corrélation", "lien entre", "correlación"),
    *("relación", "influye", "relation entre"),
)
PASSAGE = (
    *(
        "happen",
        "happens",
        "happened",
        "happening",
        "going on",
        "say",
        "says",
        "said",
        "quote",
        "quoted",
        "verbatim",
        "dialogue",
    ),
    *("wording", "words", "line", "lines", "describe", "told", "tells", "mention", "mentions", "mentioned"),
    *(
        "succede",
        "succedeva",
        "successo",
        "succede",
        "accade",
        "accadeva",
        "accaduto",
        "succedendo",
        "accadendo",
        "dice",
        "dicono",
        "disse",
        "detto",
    ),
    *("parole", "dialogo", "battuta", "battute", "citazione", "letteralmente", "descrivi", "racconta"),
    *(
        "passiert",
        "passierte",
        "geschah",
        "geschieht",
        "sagt",
        "sagte",
        "gesagt",
        "wortlaut",
        "wörtlich",
        "zitat",
        "beschreibe",
    ),
    *("passe", "passait", "passé", "arrive", "arrivait", "dit", "disait", "citation", "mot à mot", "décris", "dialogues"),
    *("pasa", "pasaba", "pasó", "ocurre", "ocurría", "ocurrió", "dijo", "dicen", "cita", "textualmente", "diálogo"),
)
MEASURING = frozenset(
    "reach reached reaches hit hits touch touched high low much great large small value values amount level record recorded measure "
    "measured report reported stand stood whose still time moment point toccato toccata raggiunto raggiunta avuto avuta valeva vale "
    "quanto alto alta basso bassa arrivato arrivata registrato registrata misurato misurata momento punto erreicht erreichte lag "
    "betrug gemessen hoch niedrig zeitpunkt gehabt atteint atteignait eu haut bas mesuré moment valait alcanzó alcanzado alcanzada "
    "tuvo tenido valía alto bajo medido momento llegó get got gets make made makes draw drew attain attained raggiunge raggiungeva "
    "tocca ottenuto ottenuta ottiene fa fece erreichen erzielt erzielte fait obtient obtenu tiene obtuvo obtenido alcanza word parola wort mot palabra".split()
)
"""Words that go with asking for a value, or for wording; they find no passage."""
WHENEVER = frozenset(
    "today tonight yesterday tomorrow now again ever overall altogether please exactly live oggi ieri stasera domani ancora complessivo "
    "complessiva esattamente intero intera heute gestern abend morgen insgesamt genau bitte aujourd hier soir demain exactement hoy ayer "
    "noche exactamente altogether really actually davvero wirklich vraiment realmente".split()
)
"""Words that say when or how much, and name nothing."""
NOUNS: Mapping[str, frozenset[str]] = {
    "stato": frozenset("lo uno dello allo sullo nello quale che".split()),
    "report": frozenset("the a this of".split()),
    "list": frozenset("the a this of".split()),
    "will": frozenset("the a last his her".split()),
    "liste": frozenset("la une die eine der".split()),
    "lista": frozenset("la una della nella".split()),
    "été": frozenset(("l",)),
    "son": frozenset(("le", "du")),
}
"""Small words that are nouns behind these."""
CALENDAR = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october "
    "november december lunedì martedì mercoledì giovedì venerdì sabato domenica gennaio febbraio marzo aprile maggio giugno luglio "
    "agosto settembre ottobre novembre dicembre montag dienstag mittwoch donnerstag freitag samstag sonntag januar februar märz mai "
    "juni juli oktober dezember".split()
)
"""Words that are capitalised beside a name and are no part of it."""
SAYING = frozenset(
    "say says said saying dice dicono disse dicendo sagt sagte dit disent dijo dicen quote quotes words line phrase".split()
)

KIND_WORDS = frozenset(
    "programme program programmes programs show shows film films movie movies file files source sources episode broadcast "
    "programma programmi documento documenti sorgente fonte episodio puntata trasmissione sendung sendungen datei quelle folge "
    "programm dokument émission fichier épisode película programa archivo fuente episodio emisión serie série series reihe programms "
    "dokuments filmes documentario pellicola rubrica documentaire documental".split()
)
"""Words before which a name is looked for, beside the kinds and attributes that manifests declare."""

BEFORE_KIND = frozenset(
    "the this that a an il lo la i gli le l un una uno del dello della dell dei degli delle nel nello nella nell al allo alla all dal "
    "dallo dalla sul sullo sulla der die das dem den des ein eine einer eines einem im vom zum zur beim du au une el los las".split()
)
"""Articles, by themselves or in a preposition, before a word for a kind of source."""
CALLED = frozenset(
    "called named titled entitled chiamato chiamata intitolato intitolata titolato denominato denominata namens genannt betitelt appelé "
    "appelée intitulé intitulée nommé nommée llamado llamada titulado titulada denominado".split()
)
"""Words between a kind of source and its name."""
WHOSE = frozenset("of for di del dello della dell dei degli delle d per von vom der des für de du pour para".split())
"""Words that say whose a value is."""

_STATISTIC_WORDS = (word for words in STATISTIC.values() for phrase in words for word in phrase.split())
GENERIC = (
    frozenset(word for phrase in (*COMPARING, *RELATING, *PASSAGE) for word in phrase.split())
    | frozenset(_STATISTIC_WORDS)
    | KIND_WORDS
    | frozenset(
        "value values figure figures reading readings data number numbers valore valori dato dati wert werte zahl zahlen".split()
    )
    | frozenset(
        "valeur valeurs chiffre chiffres données valor valores cifra cifras datos everything anything something known".split()
    )
)
"""Words that never name one of several things."""

ANAPHORA: Mapping[str, frozenset[str]] = {
    "en": frozenset("it its they them their theirs this these those he him his she her hers".split()),
    "it": frozenset(
        "esso essa essi esse questo questa questi queste quello quella quelli quelle suo sua suoi sue loro ciò lui lei stesso "
        "stessa quel quei quegli".split()
    ),
    "de": frozenset(
        "dies diese dieser dieses diesem diesen jene jener jenes jenem jenen davon darin dabei dazu dafür damit daraus deren dessen "
        "er sie es ihn ihm ihr ihre ihrer ihrem seine seiner seinem".split()
    ),
    "fr": frozenset(
        "il elle ils elles celui celle ceux celles ce cet cette ces ceci cela ça son sa ses leur leurs lui".split()
    ),
    "es": frozenset(
        "este esta estos estas ese esa esos esas aquel aquella aquellos aquellas esto eso ello él ella ellos ellas su sus".split()
    ),
}
"""Pronouns and demonstratives, which mean what was spoken of before."""
THAT_AFTER = frozenset("of in from about at with for than is was does did to on by after before during".split())
"""Words after which an English "that" points back; elsewhere it joins clauses."""
OPENING: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "en": (("and",), ("what", "about"), ("how", "about"), ("same", "for"), ("or",)),
    "it": (("e",), ("ed",), ("e", "per"), ("invece",)),
    "de": (("und",), ("wie", "sieht", "es"), ("oder",)),
    "fr": (("et",), ("qu", "en", "est"), ("ou",)),
    "es": (("y",), ("qué", "hay", "de"), ("o",)),
}
"""How a follow-up begins that leaves out what it is about."""

AROUND = (
    *("around", "about", "approximately", "roughly", "circa", "ca", "near", "close to"),
    *(
        "intorno a",
        "intorno al",
        "intorno alle",
        "intorno alla",
        "attorno a",
        "attorno al",
        "attorno alle",
        "attorno alla",
        "verso",
    ),
    *("verso il", "verso le", "verso la", "circa al", "circa alle", "ungefähr", "etwa", "gegen", "rund um", "nahe"),
    *("vers", "autour de", "environ", "aux alentours de", "alrededor de", "hacia", "cerca de", "aproximadamente"),
)
BETWEEN = frozenset("between tra fra zwischen entre".split())
AND = frozenset("and e ed und et y".split())
UNTIL = frozenset("to until till through al alle alla a fino bis à au jusqu hasta".split())
ARTICLES = frozenset("the il lo la i gli le l der die das den dem zum zur el los las a al alle alla o'clock il".split())
LASTING = frozenset(
    "for every each per within lasting how many next previous ogni per entro ultimi ultime prossimi primi prime für alle jede jeder binnen "
    "letzten ersten nächsten pendant chaque cada dernières derniers premières premiers últimos primeros durante first last".split()
)
"""Words before a number that make it a length, not a place."""


def language_of(words: Iterable[str]) -> str:
    """The language whose small words a question holds most of; "" where there are none. Ties go by the order of LANGUAGES."""
    held = list(words)
    counts = [
        (sum(word in FUNCTION[language] for word in held), -number, language) for number, language in enumerate(LANGUAGES)
    ]
    best = max(counts)
    return best[2] if best[0] else ""


def phrase_at(words: tuple[str, ...], start: int, phrase: str) -> bool:
    """Whether a phrase of the tables stands at a place of the words."""
    parts = tuple(phrase.split())
    return words[start : start + len(parts)] == parts


def holds(words: tuple[str, ...], phrases: Iterable[str]) -> bool:
    """Whether one of the phrases stands anywhere among the words."""
    joined = f" {' '.join(words)} "
    return any(f" {phrase} " in joined for phrase in phrases)
