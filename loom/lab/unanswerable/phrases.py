"""How things are said in the conversations, and asked."""

from loom.lab.unanswerable.material import PRICE, WHERE, WHO, WHY

OPENERS = (
    "", "", "", "Big news: ", "You won't believe it. ", "Oh, before I forget: ", "So, ", "Well, ", "By the way, ", "Good to hear from you! ",
    "It has been a long week. ", "{other}, listen. ", "Hey {other}! ",
)  # fmt: skip
TAILS = (
    "", "", "", "It took most of the day.", "I am quite proud of it.", "I would do it again.", "What a mess that was!", "Never again.",
    "My arms still hurt.", "Nobody believed me at first.", "I laughed the whole way home.", "It was about time.",
)  # fmt: skip
REACTIONS = (
    "That sounds lovely, {person}.", "Really? Good for you!", "Ha, that is so you, {person}.", "Oh dear. And are you alright?",
    "I wish I had been there.", "Not bad at all!", "You are full of surprises.", "I am glad to hear that.", "Wow, I would never dare.",
    "Sounds like a good day to me.", "You have to tell me more next time.", "Great! And what else is new?", "How nice.",
)  # fmt: skip
GREETINGS = (
    "Hi {other}, how have you been?", "Good evening, everyone!", "Long time no see, {other}!", "Morning! Did you sleep well?",
    "Hello hello, is anybody here?", "Hey {other}, got a minute?",
)  # fmt: skip
ANSWERS = (
    "Fine, thanks. A bit tired, though.", "All good here, {other}.", "Busy as always.", "Can't complain.", "Much better than last time!",
)  # fmt: skip
SMALL = (
    "I really need a holiday.", "The weather has been so odd lately.", "My phone is nearly empty.", "Did you vote already?",
    "I am trying to drink less coffee.", "The neighbours are loud again.", "Have you read the paper?", "I started jogging, can you believe it?",
    "My inbox is a disaster.", "We should meet in person some time.", "The heating is off again.", "I dreamt of my old school.",
    "That new café is always packed.", "I can't find my glasses.", "Do you still have my umbrella?", "Traffic was awful.",
    "I have been thinking about you.", "It gets dark so early now.", "I could use a nap.", "What are you up to at the weekend?",
)  # fmt: skip

FOLLOW = {
    WHERE: ("Oh, where was that?", "Where exactly?", "Nice! Whereabouts?"),
    WHO: ("All alone, or with somebody?", "Who came along?", "Did you have company?"),
    PRICE: ("What did that cost?", "For how much?", "Was it expensive?"),
    WHY: ("How come?", "But why?", "What made you do that?"),
}
"""What another asks on hearing of an act without this detail."""

ASKS = {
    WHERE: (
        "Where did {person} {base} {it}{when}?",
        "Do you know where {person} {past} {it}{when}?",
        "At which place did {person} {base} {it}{when}?",
    ),
    WHO: (
        "Who did {person} {base} {it} with{when}?",
        "With whom did {person} {base} {it}{when}?",
        "Who was there when {person} {past} {it}{when}?",
    ),
    PRICE: (
        "For how much did {person} {base} {it}{when}?",
        "What was the price when {person} {past} {it}{when}?",
        "How many euros was it when {person} {past} {it}{when}?",
    ),
    WHY: (
        "Why did {person} {base} {it}{when}?",
        "What was the reason that {person} {past} {it}{when}?",
        "What made {person} {base} {it}{when}?",
    ),
}
DIRECT = {
    WHERE: "{person}, where did you {base} {it}{when}?",
    WHO: "{person}, who did you {base} {it} with{when}?",
    PRICE: "{person}, for how much did you {base} {it}{when}?",
    WHY: "{person}, why did you {base} {it}{when}?",
}
"""What another asks of whoever acted, whose answer names the detail alone."""
KIN_ASKS = (
    "Where does {person}'s {kin} {base}?",
    "In which place does {person}'s {kin} {base}?",
    "Do you know where {person}'s {kin} {past}?",
)
TASTE_ASKS = (
    "What {verb} {person}'s {taste} {thing}?",
    "What did {person} say {verb} the {taste} {thing}?",
    "Which {thing} {verb} {person}'s {taste} one?",
)
TASTE_TOLD = (
    "{my} {taste} {thing} {verb} {answer}",
    "{my} {taste} {thing}? That {verb} {answer}",
    "If you ask about {my} {taste} {thing}, it {verb} {answer}",
)

QUOTES = ('{person} told me, "{told}."', '{person} said: "{told}." I was surprised.', '"{told}," said {person} when we met.')
REPORTS = ("Did you hear? {told}.", "I saw it myself: {told}.", "For those who missed it, {told}.", "{told}, by the way.")
REMINDERS = (
    "{person}, I remember that {told}.",
    "{person}, you mentioned once that {told}.",
    "I still can't believe that {told}, {person}.",
)
CONFIRMED = ("That is right!", "Exactly, that is how it was.", "Ha, you have a good memory.", "Yes, true.")
DENIALS = (
    "No, I never {past} {it}, whatever people say.",
    "I didn't {base} {it} in the end.",
    "For the record, I would never {base} {it}.",
)
HEARSAY = (
    "{name}, whom you have not met, {past} {it} {detail}.",
    "My colleague {name} {past} {it} {detail}.",
    'A friend of mine, {name}, said "I {past} {it} {detail}".',
)
"""What somebody who takes no part did."""
