"""What the second set's dialogues are made of."""

PAIRS = (
    ("Petra", "Osman"), ("Ines", "Bo"), ("Tilde", "Marek"), ("Yara", "Colm"), ("Signe", "Rafa"), ("Anouk", "Dmitri"),
    ("Leila", "Jonas"), ("Fenna", "Pavel"), ("Mira", "Tariq"), ("Greta", "Hugo"),
)  # fmt: skip
COUSINS = ("Vera", "Nadia", "Otto", "Runa", "Silas", "Edda", "Kaspar", "Linnea", "Bruno", "Thea")
KIN = ("cousin", "sister", "brother", "aunt", "uncle", "niece")
VERBS = (
    ("paint", "painted"), ("repair", "repaired"), ("order", "ordered"), ("borrow", "borrowed"), ("polish", "polished"),
    ("measure", "measured"), ("wrap", "wrapped"), ("rent", "rented"), ("return", "returned"), ("display", "displayed"),
    ("collect", "collected"), ("inspect", "inspected"),
)  # fmt: skip
LOOKS = "striped wooden copper velvet crooked antique purple speckled folding silver marble woven".split()
THINGS = """
    canoe accordion telescope kettle wardrobe lantern tricycle violin barometer hammock typewriter cradle compass chandelier anvil
    loom carpet saddle easel globe trunk bellows mandolin sundial wheelbarrow tapestry kayak microscope harp pendulum armchair sled
    gramophone birdcage sextant quilt samovar tripod weathervane fountain bookcase parasol xylophone ladder mirror bench stove urn
    flute rocket sculpture drum anchor barrel doormat trampoline chessboard scarecrow umbrella toboggan aquarium thermos piano
""".split()
PLACES = """
    Lisbon Ghent Tallinn Bergen Porto Krakow Utrecht Galway Turin Malmo Bruges Riga Aarhus Split Basel Graz Leipzig Bilbao Gdansk
    Trieste Nantes Cork Varna Tampere Seville Delft Lucerne Bologna Odense Zagreb Antwerp Vilnius Girona Verona Lille Salzburg
    Coimbra Stavanger Toledo Ljubljana
""".split()
OPENERS = (
    "I {past} a {look} {thing} in {place}.",
    "Guess what, I {past} a {look} {thing} in {place}!",
    "This week I finally {past} a {look} {thing} over in {place}.",
    "I was in {place} and {past} a {look} {thing} there.",
    "It was a long day, but I {past} the {look} {thing} in {place}.",
)
KIN_OPENERS = (
    "My {kin} {name} {past} a {look} {thing} in {place}.",
    "Guess what, my {kin} {name} {past} a {look} {thing} in {place}!",
    "You know my {kin} {name}, who {past} a {look} {thing} over in {place}.",
)
PROMPTS = ("What have you been up to?", "Anything new on your side?", "How was your week?", "What did you do since we spoke?")
REPLIES = (
    "Wow, a {look} {thing}, that sounds wonderful!",
    "I would love to see that {thing} of yours.",
    "You always find such things, {name}.",
    "Was the {thing} heavy to carry?",
    "I have never been to {place}, is it nice there?",
)
SMALL_TALK = (
    "The weather has been dreadful here.", "I slept badly again.", "My train was late this morning.", "Work keeps me busy.",
    "I watched an old film last night.", "The neighbours are noisy.", "I baked a loaf of rye bread.", "My knee still hurts.",
)  # fmt: skip
