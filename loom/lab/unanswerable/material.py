"""What people of the conversations do, and to what: acts, themes, and what a conversation may tell of somebody's family and taste.

Written before anything was measured on it, and not after any ranking.
"""

from dataclasses import dataclass

WHERE, WHO, PRICE, WHY = "where", "who", "price", "why"


@dataclass(frozen=True, slots=True)
class Act:
    """Something one does to a thing. `told` are sentences, with {I} for who did it, {it} for the thing, {rest} for the detail and the
    time. Acts of one `family` may be told in words that fit each other, so that one is never a wrong relation for another."""

    base: str
    past: str
    told: tuple[str, ...]
    details: tuple[str, ...]
    family: str = ""


def _act(base: str, past: str, told: str, details: str = "where who why", family: str = "") -> Act:
    return Act(base, past, tuple(each.strip() for each in told.split("|")), tuple(details.split()), family or base)


ACTS = {
    act.base: act
    for act in (
        _act("buy", "bought", "{I} bought {it}{rest}|{I} ended up buying {it}{rest}|{I} picked up {it}{rest}", "where price who why", "get"),
        _act("rent", "rented", "{I} rented {it}{rest}|{I} decided to rent {it}{rest}", "where price why", "get"),
        _act("borrow", "borrowed", "{I} borrowed {it}{rest}|{I} managed to borrow {it}{rest}", "where why", "get"),
        _act("find", "found", "{I} found {it}{rest}|{I} came across {it}{rest}|Guess what, {I} found {it}{rest}", "where who", "get"),
        _act("sell", "sold", "{I} sold {it}{rest}|{I} finally sold {it}{rest}|{I} let {it} go{rest}", "where price why", "part"),
        _act("donate", "donated", "{I} donated {it}{rest}|{I} decided to donate {it}{rest}", "where why", "part"),
        _act("lose", "lost", "{I} lost {it}{rest}|{I} somehow lost {it}{rest}|{I} left {it} behind{rest}", "where why", "part"),
        _act("break", "broke", "{I} broke {it}{rest}|{I} dropped {it}{rest} and it broke", "where why", "harm"),
        _act("scratch", "scratched", "{I} scratched {it}{rest}|{I} left an ugly scratch on {it}{rest}", "where why", "harm"),
        _act("repair", "repaired", "{I} repaired {it}{rest}|{I} fixed {it}{rest}|{I} spent hours repairing {it}{rest}", family="mend"),
        _act("restore", "restored", "{I} restored {it}{rest}|{I} brought {it} back to its old glory{rest}", family="mend"),
        _act("paint", "painted", "{I} painted {it}{rest}|{I} gave {it} a coat of paint{rest}"),
        _act("clean", "cleaned", "{I} cleaned {it}{rest}|{I} scrubbed {it} until it shone{rest}"),
        _act("build", "built", "{I} built {it}{rest}|{I} put {it} together{rest}", family="make"),
        _act("design", "designed", "{I} designed {it}{rest}|{I} drew up the plans for {it}{rest}", family="make"),
        _act("carry", "carried", "{I} carried {it}{rest}|{I} hauled {it} along{rest}", "where who why", "move"),
        _act("store", "stored", "{I} stored {it}{rest}|{I} put {it} away{rest}", "where why", "move"),
        _act("hide", "hid", "{I} hid {it}{rest}|{I} kept {it} hidden{rest}", "where why", "move"),
        _act("photograph", "photographed", "{I} photographed {it}{rest}|{I} took a dozen pictures of {it}{rest}"),
        _act("sketch", "sketched", "{I} sketched {it}{rest}|{I} made a sketch of {it}{rest}"),
        _act("test", "tested", "{I} tested {it}{rest}|{I} gave {it} a first try{rest}"),
        _act("show", "showed", "{I} showed {it} to everybody{rest}|{I} got to show {it} around{rest}", "where why"),
        _act("bake", "baked", "{I} baked {it}{rest}|{I} had {it} in the oven{rest}", family="cook"),
        _act("cook", "cooked", "{I} cooked {it}{rest}|{I} made {it} from scratch{rest}", family="cook"),
        _act("taste", "tasted", "{I} tasted {it}{rest}|{I} tried {it} for the first time{rest}", family="eat"),
        _act("order", "ordered", "{I} ordered {it}{rest}|{I} asked the waiter for {it}{rest}", "where who why"),
        _act("burn", "burnt", "{I} burnt {it}{rest}|{I} let {it} turn black{rest}", "where why", "harm"),
        _act("serve", "served", "{I} served {it}{rest}|{I} put {it} on the table for all guests{rest}"),
        _act("plant", "planted", "{I} planted {it}{rest}|{I} dug a hole and put {it} in{rest}"),
        _act("prune", "pruned", "{I} pruned {it}{rest}|{I} cut {it} back hard{rest}", family="cut"),
        _act("water", "watered", "{I} watered {it}{rest}|{I} gave {it} plenty of water{rest}"),
        _act("harvest", "harvested", "{I} harvested {it}{rest}|{I} brought in {it}{rest}"),
        _act("rehearse", "rehearsed", "{I} rehearsed {it}{rest}|{I} ran through {it} all evening{rest}", family="practise"),
        _act("perform", "performed", "{I} performed {it}{rest}|{I} got to play {it} in front of people{rest}"),
        _act("record", "recorded", "{I} recorded {it}{rest}|{I} made a recording of {it}{rest}"),
        _act("compose", "composed", "{I} composed {it}{rest}|{I} wrote {it}{rest}", family="make"),
        _act("visit", "visited", "{I} visited {it}{rest}|{I} went to see {it}{rest}", "who why", "go"),
        _act("climb", "climbed", "{I} climbed {it}{rest}|{I} made it up {it}{rest}", "who why", "go"),
        _act("cross", "crossed", "{I} crossed {it}{rest}|{I} walked right across {it}{rest}", "who why", "go"),
        _act("describe", "described", "{I} described {it}{rest}|{I} told people all about {it}{rest}", "where why"),
        _act("miss", "missed", "{I} missed {it}{rest}|{I} skipped {it}{rest}", "why"),
        _act("attend", "attended", "{I} attended {it}{rest}|{I} sat through {it}{rest}", "where who why", "go"),
        _act("teach", "taught", "{I} taught {it}{rest}|{I} gave {it} for beginners{rest}"),
        _act("organise", "organised", "{I} organised {it}{rest}|{I} set up {it}{rest}", family="make"),
        _act("cancel", "cancelled", "{I} cancelled {it}{rest}|{I} had to call off {it}{rest}", "why"),
    )
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Theme:
    """What a conversation turns on: things, what is done to them, places and reasons, and small talk that tells nothing of them."""

    name: str
    things: tuple[str, ...]
    acts: tuple[Act, ...]
    places: tuple[str, ...]
    reasons: tuple[str, ...]
    talk: tuple[str, ...]


def _parts(text: str) -> tuple[str, ...]:
    return tuple(" ".join(each.split()) for each in text.split("|"))


def _theme(name: str, things: str, acts: str, places: str, reasons: str, talk: str) -> Theme:
    return Theme(
        name, _parts(things), tuple(ACTS[each] for each in acts.split()), _parts(places), _parts(reasons), _parts(talk)
    )


THEMES = (
    _theme(
        "river",
        "canoe|anchor|rudder|jetty|paddle|tent|lantern|compass|kayak|raft|hammock|lifebelt|dinghy|telescope|oar|sail",
        "buy rent borrow find sell lose break repair paint clean build carry store photograph test",
        "at the marina in Lelystad|behind the old boathouse|near the weir in Bernburg|at the flea market in Dessau|under the bridge"
        "|in my uncle's barn|at the camping ground|on the island in the lake|at the sluice in Goole",
        "because the current was far too strong|since the club needed one for the regatta|because the old one leaked"
        "|because there was no room left in the shed|since the season was about to begin|because a storm had been announced",
        "The water was like glass this morning.|Did you see the herons by the reeds?|I could sit by the shore all day."
        "|The ferry was late again.|Somebody should count the swans.|Rain all week, and the meadows are flooded."
        "|The captain of the club is impossible.|I never get seasick, luckily.|The fish were not biting at all.",
    ),
    _theme(
        "kitchen",
        "lasagne|strudel|goulash|chutney|marmalade|dumplings|paella|cheesecake|ratatouille|gingerbread|risotto|pickles|quiche"
        "|focaccia|borscht|meringue",
        "bake cook taste order burn serve photograph describe sell donate",
        "at the street fair in Graz|in the church hall|at my godmother's place|on the terrace of the hotel|at the cookery school"
        "|in a tiny inn near Bologna|at the office party|in the community kitchen|by the harbour in Split",
        "because the recipe came from my grandfather|since half of the guests eat no meat|because the oven ran too hot"
        "|because it was the only thing left in the pantry|since everybody had asked for it|because of a lost bet",
        "My knives need sharpening.|The market was so crowded today.|Do you prefer gas or induction?|I have run out of flour again."
        "|Nobody washes up in this house.|The new plates look great.|A pinch of salt goes a long way."
        "|The smell of fresh basil is the best.|I ate far too much at noon.",
    ),
    _theme(
        "garden",
        "hedge|trellis|pergola|beehive|greenhouse|pumpkins|rosebush|quince|lavender|rhubarb|scarecrow|birdbath|wisteria|gooseberries"
        "|compost|magnolia",
        "buy plant prune water harvest build paint photograph sketch sell clean show donate",
        "behind the garage|along the southern wall|at the allotment in Brno|at the nursery in Tilburg|next to the gate"
        "|on the slope above the creek|in the school yard|in front of the porch|at the botanical garden",
        "because the slugs had eaten everything else|since the neighbours had complained|because the frost came early"
        "|since the soil there is so sandy|because the bees like it|because the judges were coming",
        "The ground is still frozen here.|Mowing takes me two hours.|Have you seen so many butterflies before?|I hate weeds."
        "|The wheelbarrow has a flat tyre.|We had hail on Sunday.|My back hurts from all the digging.|Worms are a good sign."
        "|The robins are nesting in the letter box.",
    ),
    _theme(
        "workshop",
        "bicycle|dresser|typewriter|lathe|accordion|gramophone|bookcase|scooter|barometer|chandelier|cradle|mirror|radio|sewing"
        "|toolbox|sledge",
        "buy borrow find sell donate lose break scratch repair restore paint clean design build store hide",
        "in the cellar|at the repair café in Leuven|at the auction house|in the attic of the town hall|at the scrapyard near Turku"
        "|in the garage of my landlord|at the night market|behind the stage of the theatre|at the fair in Poznań",
        "because the hinges had rusted|since nobody else wanted it|because a screw was missing|because the museum asked for it"
        "|since it was meant as a present|because the varnish smelled so bad",
        "Sawdust everywhere, as usual.|My glue dried up.|Measure twice, cut once, they say.|The drill makes a terrible noise."
        "|I need new gloves.|Does anybody have a spirit level?|The light in here is poor.|Splinters, every single time."
        "|The radio plays the same song all day.",
    ),
    _theme(
        "stage",
        "sonata|duet|monologue|lullaby|overture|sketch|waltz|ballad|puppet play|madrigal|tango|musical|cantata|pantomime|anthem"
        "|nocturne",
        "rehearse perform record compose describe attend cancel miss organise show teach",
        "at the opera house in Riga|in the chapel|at the youth centre|on the square in front of the station|in the studio of a friend"
        "|at the summer festival|in a cellar bar in Kraków|at the conservatory|in the retirement home",
        "because the conductor had fallen ill|since the tickets were sold out|because of the broken heating"
        "|since the choir had asked for it|because the director had always dreamt of it|because nobody knew the words",
        "The curtain got stuck.|My voice is hoarse.|What a picky audience that was.|I always get stage fright."
        "|The costumes itch.|The piano is out of tune.|Our tenor moved abroad.|Applause is the best medicine."
        "|They changed the lights again.",
    ),
    _theme(
        "road",
        "glacier|cathedral|canyon|lighthouse|waterfall|monastery|vineyard|volcano|aqueduct|fortress|observatory|peninsula|gorge"
        "|windmill|catacombs|rainforest",
        "visit climb cross photograph sketch describe miss",
        "on the way to Porto|from the northern side|near the border|at sunrise above the village|during a stop in Ljubljana"
        "|from the deck of the ferry|at the end of the coastal path|by the ranger's hut",
        "because the train was cancelled|since the guide had recommended it|because the pass was closed"
        "|since it was on the way anyway|because of a wrong turn|because my passport had been stolen",
        "My suitcase is still damp.|The hostel was full of students.|I speak ten words of Portuguese.|Jet lag is the worst."
        "|We ate olives for breakfast.|The map was useless.|I collect tickets of trams.|Customs took forever."
        "|So many stairs everywhere.",
    ),
    _theme(
        "school",
        "seminar|thesis|debate|excursion|workshop|questionnaire|lecture|exam|reunion|quiz|laboratory|scholarship|mural|newsletter"
        "|library tour|experiment",
        "attend miss organise cancel describe teach photograph design",
        "in the main building|at the university of Lund|in the gym|at the partner school in Metz|in the basement of the library"
        "|at the planetarium|on the lawn behind the canteen|in the old auditorium",
        "because the professor was on leave|since too few had signed up|because the bus broke down|because it counts for the grade"
        "|since the dean insisted|because of a fire drill",
        "The canteen has new chairs.|I slept four hours.|Group work is a nightmare.|The printer is jammed."
        "|Parking on campus is hopeless.|My notes are a mess.|The bell rang too early.|Who took my highlighter?"
        "|Coffee is two euros now.",
    ),
)  # fmt: skip

PRICES = _parts(
    "for forty euros|for next to nothing|for twelve pounds|for eighty-five euros|for three hundred crowns|for six euros"
)

KIN = _parts("sister|brother|aunt|uncle|niece|nephew|grandmother|godfather|stepmother|landlady|roommate|cousin")
KIN_ACTS = (
    Act("live", "lives", ("{my} {kin} lives {rest}", "{my} {kin} has lived {rest} for ages"), (WHERE,), "home"),
    Act("work", "works", ("{my} {kin} works {rest}", "{my} {kin} has a job {rest}"), (WHERE,), "job"),
    Act("study", "studies", ("{my} {kin} studies {rest}", "{my} {kin} is studying {rest}"), (WHERE,), "job"),
    Act(
        "volunteer", "volunteers", ("{my} {kin} volunteers {rest}", "{my} {kin} started to volunteer {rest}"), (WHERE,), "help"
    ),
    Act("swim", "swims", ("{my} {kin} swims {rest} every week", "{my} {kin} goes swimming {rest}"), (WHERE,), "sport"),
    Act("sing", "sings", ("{my} {kin} sings {rest}", "{my} {kin} loves to sing {rest}"), (WHERE,), "music"),
)
KIN_PLACES = _parts(
    "in Ghent|in Tartu|at the hospital in Olomouc|near the airport of Faro|in a village by the Danube|at the animal shelter"
    "|at the technical college|on the island of Texel|in the town hall of Malmö|in the port of Gdynia"
)

TASTES = ("favourite", "first", "worst")
"""What something may be to somebody; a question on one is not answered by another."""
TASTED = {
    "poem": _parts("a long one on winter|the one about the fox|some verses by a sailor"),
    "holiday": _parts("a week of fog in Brittany|two weeks on a farm|that trip to the dunes"),
    "teacher": _parts("an old man with a limp|Madame Perrin|the one who taught chess"),
    "nickname": _parts("Sparrow|Captain|Button"),
    "haircut": _parts("a mohawk|a bowl cut|the one for the wedding"),
    "movie": _parts("a silent comedy|that western with the blind judge|a cartoon on whales"),
    "sandwich": _parts("cheese and plums|one with herring|peanut butter and onions"),
    "job": _parts("delivering papers|folding boxes|guarding a parking lot"),
    "perfume": _parts("something with cedar|a French one in a blue bottle|the one that smelled of soap"),
    "colour": _parts("turquoise|ochre|a dark plum"),
    "pet": _parts("a tortoise|a grumpy parrot|two goldfish"),
    "novel": _parts("a crime story from Iceland|the one on the lost twins|a book of eight hundred pages"),
}

SPEAKERS = _parts(
    "Anneke|Bogdan|Chiara|Dilan|Elif|Fabian|Greta|Hamid|Ingrid|Jorge|Katya|Lorenz|Mirela|Nuno|Oksana|Pavel|Quentin|Rosalie|Stefan"
    "|Tamar|Ulrich|Valeria|Wendel|Xenia|Yusuf|Zoltan|Aurelia|Bastian|Cosima|Dario|Edita|Florin|Gaia|Henrik|Ilse|Joaquim|Kerstin"
    "|Laszlo|Milena|Norbert|Olga|Pierre|Ramona|Selma|Tobias|Urska|Vincent|Wanda|Yara|Zdenek"
)
OUTSIDERS = _parts("Agnes|Bruno|Celine|Dennis|Erna|Frederik|Gunda|Horst|Irma|Jakob|Klara|Ludwig|Margit|Nils|Ottilie|Philipp")
COMPANY = _parts(
    "my cousin {name}|my neighbour {name}|{name} from work|my old friend {name}|{name} and the twins|a guy called {name}"
)
