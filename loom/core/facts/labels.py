"""The words around values, by language: a small table. Names of metrics, attributes and units are the producer's own.

A context is written in one language; a language that is not in the table is answered in English.
"""

from dataclasses import dataclass

DEFAULT = "en"


@dataclass(frozen=True, slots=True)
class Labels:
    """One language. `at` puts an attribute and a position behind a value; `ends` and `nearest` say which rows of many are given; names
    in braces are filled in."""

    statistics: tuple[tuple[str, str], ...]
    at: str
    at_written: str
    ties: str
    skipped: str
    row: str
    header: str
    rivals: str
    passage: str
    rows: str
    ends: str
    nearest: str
    outside: str
    difference: str
    change: str
    highest: str
    lowest: str
    base: str
    files: str
    about: str
    positions: str
    shown: str
    layers: tuple[tuple[str, str], ...]
    provenance: str
    selection: str
    addressed: str
    cut: str
    sources: str
    contract: str
    authoritative: str
    final: str

    def statistic(self, name: str) -> str:
        return dict(self.statistics).get(name, name)

    def layer(self, name: str) -> str:
        return dict(self.layers).get(name, name)


_ENGLISH = Labels(
    statistics=(
        *(("max", "maximum"), ("min", "minimum"), ("first", "first value"), ("last", "last value")),
        *(("count", "number of values"), ("mean", "mean"), ("stated", "stated value")),
    ),
    at="at {attribute} {position}",
    at_written="at {written} ({attribute} {position})",
    ties="{count} further with the same value, the lowest position is given",
    skipped="{count} rows without a readable value are not counted",
    row="row {row}",
    header="columns",
    rivals="These sources contradict one another on {what}; both stated values are given",
    passage="{attribute} {start} to {end}",
    rows="rows: {count}",
    ends="the first and the last of them",
    nearest="the nearest of them",
    outside="outside the address",
    difference="difference {value}",
    change="change from {first} to {second}: {value} %",
    highest="highest: {names}",
    lowest="lowest: {names}",
    base="Knowledge base {title}",
    files="{count} files",
    about="about {names}",
    positions="positions in {attribute}",
    shown="This context holds {layers}.",
    layers=(
        *(("facts", "computed facts"), ("tables", "stated table rows"), ("spans", "the passages asked for")),
        *(("structure", "an outline of the sources"), ("fill", "passages that were searched for")),
        ("notes", "notes on what is absent"),
    ),
    provenance="Every line names its source; never give a value of one source as that of another.",
    selection="Give the value of exactly the metric, statistic and source that are asked for, as it is written here; calculate nothing.",
    addressed="Give positions only as they are written here.",
    cut="{count} further facts are not shown here for want of room.",
    sources="Sources asked for: {names}",
    contract=(
        "If the answer needs text that is not here, reply with nothing but up to four lines {form} (the range is optional), "
        "and it will be shown. Files: {names}"
    ),
    authoritative="authoritative",
    final="The passages are what was asked for, and authoritative: answer from them and from the facts now, and ask for nothing further.",
)
_ITALIAN = Labels(
    statistics=(
        *(("max", "massimo"), ("min", "minimo"), ("first", "primo valore"), ("last", "ultimo valore")),
        *(("count", "numero di valori"), ("mean", "media"), ("stated", "valore dichiarato")),
    ),
    at="a {attribute} {position}",
    at_written="a {written} ({attribute} {position})",
    ties="altri {count} con lo stesso valore, è data la posizione più bassa",
    skipped="{count} righe senza un valore leggibile non sono contate",
    row="riga {row}",
    header="colonne",
    rivals="Queste fonti si contraddicono su {what}; sono dati entrambi i valori dichiarati",
    passage="{attribute} da {start} a {end}",
    rows="righe: {count}",
    ends="le prime e le ultime",
    nearest="le più vicine",
    outside="fuori dall'indirizzo",
    difference="differenza {value}",
    change="variazione da {first} a {second}: {value} %",
    highest="più alto: {names}",
    lowest="più basso: {names}",
    base="Base di conoscenza {title}",
    files="{count} file",
    about="su {names}",
    positions="posizioni in {attribute}",
    shown="Questo contesto contiene {layers}.",
    layers=(
        *(("facts", "fatti calcolati"), ("tables", "righe di tabelle dichiarate"), ("spans", "i passi chiesti")),
        *(("structure", "uno schema delle fonti"), ("fill", "passi trovati cercando")),
        ("notes", "note su ciò che manca"),
    ),
    provenance="Ogni riga nomina la sua fonte; non dare mai il valore di una fonte come quello di un'altra.",
    selection="Dai il valore esattamente della metrica, della statistica e della fonte chieste, come è scritto qui; non calcolare nulla.",
    addressed="Dai le posizioni solo come sono scritte qui.",
    cut="Altri {count} fatti non sono mostrati per mancanza di spazio.",
    sources="Fonti chieste: {names}",
    contract=(
        "Se per rispondere serve un testo che qui manca, scrivi soltanto, fino a quattro, righe {form} (l'intervallo è facoltativo), "
        "e sarà mostrato. File: {names}"
    ),
    authoritative="autorevole",
    final="I passi sono quelli chiesti e fanno fede: rispondi ora con essi e con i fatti, e non chiedere altro.",
)
_GERMAN = Labels(
    statistics=(
        *(("max", "Höchstwert"), ("min", "Tiefstwert"), ("first", "erster Wert"), ("last", "letzter Wert")),
        *(("count", "Anzahl der Werte"), ("mean", "Mittelwert"), ("stated", "angegebener Wert")),
    ),
    at="bei {attribute} {position}",
    at_written="bei {written} ({attribute} {position})",
    ties="{count} weitere mit demselben Wert, genannt ist die niedrigste Position",
    skipped="{count} Zeilen ohne lesbaren Wert sind nicht gezählt",
    row="Zeile {row}",
    header="Spalten",
    rivals="Diese Quellen widersprechen einander bei {what}; beide angegebenen Werte sind genannt",
    passage="{attribute} {start} bis {end}",
    rows="Zeilen: {count}",
    ends="die ersten und die letzten davon",
    nearest="die nächsten davon",
    outside="außerhalb der Adresse",
    difference="Differenz {value}",
    change="Veränderung von {first} zu {second}: {value} %",
    highest="am höchsten: {names}",
    lowest="am niedrigsten: {names}",
    base="Wissensbasis {title}",
    files="{count} Dateien",
    about="über {names}",
    positions="Positionen in {attribute}",
    shown="Dieser Kontext enthält {layers}.",
    layers=(
        *(
            ("facts", "berechnete Fakten"),
            ("tables", "angegebene Tabellenzeilen"),
            ("spans", "die gefragten Passagen"),
        ),
        *(("structure", "einen Umriss der Quellen"), ("fill", "gesuchte Passagen")),
        ("notes", "Hinweise auf Fehlendes"),
    ),
    provenance="Jede Zeile nennt ihre Quelle; gib nie den Wert einer Quelle als den einer anderen an.",
    selection="Gib den Wert genau der gefragten Größe, Statistik und Quelle an, wie er hier steht; rechne nichts aus.",
    addressed="Gib Positionen nur an, wie sie hier stehen.",
    cut="{count} weitere Fakten sind aus Platzmangel nicht gezeigt.",
    sources="Gefragte Quellen: {names}",
    contract=(
        "Fehlt hier Text, den die Antwort braucht, so schreibe nur bis zu vier Zeilen {form} (der Bereich darf fehlen), "
        "und er wird gezeigt. Dateien: {names}"
    ),
    authoritative="maßgeblich",
    final="Die Passagen sind die gefragten und maßgeblich: antworte jetzt aus ihnen und den Fakten, und frage nach nichts weiter.",
)
_FRENCH = Labels(
    statistics=(
        *(("max", "maximum"), ("min", "minimum"), ("first", "première valeur"), ("last", "dernière valeur")),
        *(("count", "nombre de valeurs"), ("mean", "moyenne"), ("stated", "valeur déclarée")),
    ),
    at="à {attribute} {position}",
    at_written="à {written} ({attribute} {position})",
    ties="{count} autres avec la même valeur, la position la plus basse est donnée",
    skipped="{count} lignes sans valeur lisible ne sont pas comptées",
    row="ligne {row}",
    header="colonnes",
    rivals="Ces sources se contredisent sur {what} ; les deux valeurs déclarées sont données",
    passage="{attribute} de {start} à {end}",
    rows="lignes : {count}",
    ends="les premières et les dernières",
    nearest="les plus proches",
    outside="hors de l'adresse",
    difference="différence {value}",
    change="variation de {first} à {second} : {value} %",
    highest="le plus haut : {names}",
    lowest="le plus bas : {names}",
    base="Base de connaissances {title}",
    files="{count} fichiers",
    about="sur {names}",
    positions="positions en {attribute}",
    shown="Ce contexte contient {layers}.",
    layers=(
        *(("facts", "des faits calculés"), ("tables", "des lignes de tableaux déclarés")),
        *(("spans", "les passages demandés"), ("structure", "un plan des sources")),
        *(("fill", "des passages cherchés"), ("notes", "des notes sur ce qui manque")),
    ),
    provenance="Chaque ligne nomme sa source ; ne donne jamais la valeur d'une source comme celle d'une autre.",
    selection="Donne la valeur exactement de la mesure, de la statistique et de la source demandées, comme elle est écrite ici ; ne calcule rien.",
    addressed="Ne donne les positions que comme elles sont écrites ici.",
    cut="{count} autres faits ne sont pas montrés, faute de place.",
    sources="Sources demandées : {names}",
    contract=(
        "S'il manque ici un texte dont la réponse a besoin, écris seulement jusqu'à quatre lignes {form} (l'intervalle est facultatif), "
        "et il sera montré. Fichiers : {names}"
    ),
    authoritative="fait foi",
    final="Les passages sont ceux qui ont été demandés et font foi : réponds maintenant d'après eux et les faits, sans rien demander d'autre.",
)
_SPANISH = Labels(
    statistics=(
        *(("max", "máximo"), ("min", "mínimo"), ("first", "primer valor"), ("last", "último valor")),
        *(("count", "número de valores"), ("mean", "media"), ("stated", "valor declarado")),
    ),
    at="en {attribute} {position}",
    at_written="en {written} ({attribute} {position})",
    ties="otros {count} con el mismo valor, se da la posición más baja",
    skipped="{count} filas sin un valor legible no se cuentan",
    row="fila {row}",
    header="columnas",
    rivals="Estas fuentes se contradicen sobre {what}; se dan ambos valores declarados",
    passage="{attribute} de {start} a {end}",
    rows="filas: {count}",
    ends="las primeras y las últimas",
    nearest="las más cercanas",
    outside="fuera de la dirección",
    difference="diferencia {value}",
    change="variación de {first} a {second}: {value} %",
    highest="más alto: {names}",
    lowest="más bajo: {names}",
    base="Base de conocimiento {title}",
    files="{count} archivos",
    about="sobre {names}",
    positions="posiciones en {attribute}",
    shown="Este contexto contiene {layers}.",
    layers=(
        *(("facts", "hechos calculados"), ("tables", "filas de tablas declaradas")),
        *(("spans", "los pasajes pedidos"), ("structure", "un esquema de las fuentes")),
        *(("fill", "pasajes que se buscaron"), ("notes", "notas sobre lo que falta")),
    ),
    provenance="Cada línea nombra su fuente; no des nunca el valor de una fuente como el de otra.",
    selection="Da el valor exactamente de la medida, la estadística y la fuente pedidas, como está escrito aquí; no calcules nada.",
    addressed="Da las posiciones solo como están escritas aquí.",
    cut="Otros {count} hechos no se muestran por falta de espacio.",
    sources="Fuentes pedidas: {names}",
    contract=(
        "Si falta aquí un texto que la respuesta necesita, escribe solo hasta cuatro líneas {form} (el intervalo es opcional), "
        "y se mostrará. Archivos: {names}"
    ),
    authoritative="fehaciente",
    final="Los pasajes son los pedidos y dan fe: responde ahora con ellos y con los hechos, y no pidas nada más.",
)

LANGUAGES = {"de": _GERMAN, "en": _ENGLISH, "es": _SPANISH, "fr": _FRENCH, "it": _ITALIAN}


def labels(language: str) -> Labels:
    """The words of a language by its code, region and case aside."""
    return LANGUAGES.get(language.replace("_", "-").partition("-")[0].lower(), LANGUAGES[DEFAULT])
