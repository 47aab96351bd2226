"""What people say in made-up transcripts: sentences with room for things, places and names."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Lines:
    """What people say in one language. Lines have {thing} and {place}; an event happens to {who}; a scene has quotes of two people
    in turn, and a line that comes back to it."""

    talk: Sequence[str]
    things: Sequence[str]
    places: Sequence[str]
    events: Sequence[str]
    scenes: Sequence[tuple[str, str, str, str]]
    inside: str


ITALIAN = Lines(
    talk=(
        "Ho lasciato {thing} {place}, e nessuno se n'è accorto.",
        "Chi ha spostato {thing} {place} prima dell'alba?",
        "Domani riporto {thing} {place}, lo prometto.",
        "Non mi fido di chi nasconde {thing} {place}.",
        "Mio zio cercava {thing} {place} da vent'anni.",
        "Se trovi {thing} {place}, non dirlo a nessuno.",
        "Hanno venduto {thing} {place} per due spiccioli.",
        "Credevo che {thing} {place} fosse un sogno.",
    ),
    things=(
        "la valigia verde", "il registro dei battelli", "la lettera senza data", "il violino scordato", "la bussola rotta",
        "il cappotto di velluto", "la scatola dei bottoni", "il quaderno a righe", "la lanterna piccola", "il ritratto storto",
        "la mappa delle cisterne", "il campanello d'ottone",
    ),
    places=(
        "dietro il pozzo", "sotto la scala", "vicino al molo", "in soffitta", "accanto alla fontana", "nel vecchio mulino",
        "davanti alla dogana", "oltre il ponte", "tra le reti", "sul davanzale",
    ),
    events=(
        "Si spengono le luci del molo e {who} accende l'ultima candela.",
        "La campana suona da sola mentre {who} attraversa il cortile.",
        "{who} strappa il contratto e lo getta nella stufa.",
        "Una barca vuota tocca la riva e {who} riconosce la cima.",
        "{who} apre la cassaforte e la trova piena di conchiglie.",
        "Il treno parte senza passeggeri, {who} resta sul binario.",
        "{who} confessa davanti a tutti di aver scritto la lettera.",
        "Crolla il muro dell'orto e {who} scopre una seconda porta.",
    ),
    scenes=(
        ("serra", "Se la chiave gira due volte, la porta l'ha aperta qualcun altro.",
         "Allora contiamo le impronte prima che il pavimento si asciughi.", "Ti ricordi la chiave che girava due volte?"),
        ("lavanderia", "Questo lenzuolo porta le iniziali di una casa che non esiste più.",
         "Le case spariscono, il filo rosso no: guarda l'orlo.", "Il filo rosso dell'orlo portava davvero a quella casa."),
        ("officina", "Il motore canta in si bemolle soltanto quando mente.",
         "Fallo cantare ancora, e stavolta scrivo ogni nota.", "Le note del motore erano un indirizzo, te l'avevo detto."),
        ("cantina", "Tredici bottiglie e dodici etichette: chi ha bevuto senza firmare?",
         "Nessuno firma il vino che vuole dimenticare.", "La tredicesima bottiglia aveva aspettato fino a oggi."),
    ),
    inside="in {place}",
)  # fmt: skip
ENGLISH = Lines(
    talk=(
        "I left {thing} {place}, and nobody said a word.",
        "Who carried {thing} {place} before the milk came?",
        "You will find {thing} {place} once the tide turns.",
        "Never trust a man who keeps {thing} {place}.",
        "My aunt lost {thing} {place} the year of the frost.",
        "They traded {thing} {place} for a basket of pears.",
        "There was {thing} {place}, I would swear to it.",
        "Nobody insures {thing} {place} without a reason.",
    ),
    things=(
        "the tin whistle", "the ferryman's ledger", "the unsigned letter", "the cracked teapot", "the brass compass",
        "the moth-eaten coat", "the button jar", "the ruled notebook", "the smallest lantern", "the crooked portrait",
        "the map of cisterns", "the doctor's umbrella",
    ),
    places=(
        "behind the well", "under the stairs", "by the slipway", "in the loft", "beside the horse trough", "inside the old mill",
        "outside the customs house", "across the footbridge", "among the nets", "on the window ledge",
    ),
    events=(
        "Every lamp on the quay goes out and {who} strikes the last match.",
        "The church bell rings by itself while {who} crosses the yard.",
        "{who} tears up the lease and feeds it to the stove.",
        "An empty boat drifts ashore and {who} knows the rope.",
        "{who} opens the safe and finds nothing but seashells.",
        "The night train leaves without a soul, {who} stays on the platform.",
        "{who} owns up to the letter in front of the whole street.",
        "The garden wall falls and {who} sees a second door.",
    ),
    scenes=(
        ("greenhouse", "Somebody watered the orchids with sea water, and on purpose.",
         "Then somebody wanted us to count the pots.", "Eleven pots, you said, and the orchids never lied."),
        ("laundry", "This collar was starched by a left-handed stranger.",
         "Strangers do not hum our grandmother's tune.", "That tune again, from the left-handed stranger."),
        ("workshop", "The clock only loses time when you are in the room.",
         "Then stop winding it with my key.", "Your key still fits the clock that lost our time."),
        ("cellar", "Count the barrels aloud, the echo is one barrel short.",
         "An echo cannot drink, but a lodger can.", "The lodger and the echo agreed on the barrels after all."),
    ),
    inside="in the {place}",
)  # fmt: skip
COMMENTARY = Lines(
    talk=(
        "The captain waves {thing} {place}, and play goes on.",
        "A long ball over {thing} {place}, and it comes to nothing.",
        "The keeper points at {thing} {place} and shakes his head.",
        "The bench is still arguing about {thing} {place}.",
        "Another throw, taken near {thing} {place}.",
    ),
    things=("the torn flag", "the spare ball", "the linesman", "the drummer", "the groundsman", "the substitute", "the loose boot"),
    places=(
        "at the far post", "by the tunnel", "on the halfway line", "below the scoreboard", "in the centre circle",
        "along the near touchline", "behind the goal",
    ),
    events=(
        "{who} scores from the corner flag and the floodlights flicker.",
        "{who} is carried off, and the drums stop.",
        "A dog runs onto the pitch and {who} catches it.",
        "The referee gives a penalty, and {who} puts it over the bar.",
        "{who} saves with the face, and the crowd sings.",
        "The ball bursts on the crossbar, {who} asks for another.",
        "{who} changes shirts in the middle of the pitch.",
        "Hail begins, and {who} keeps on running.",
    ),
    scenes=(
        ("dressing room", "Nobody laces the left boot first on a night like this.",
         "Then we all play in slippers.", "Left boot or slippers, they are back on the pitch."),
        ("tunnel", "The whistle in my pocket is older than this stadium.",
         "Then blow it only if we win.", "That old whistle stayed in the pocket after all."),
    ),
    inside="in the {place}",
)  # fmt: skip
LINES = {"it": ITALIAN, "en": ENGLISH, "commentary": COMMENTARY}
