"""How people put questions: frames for a name, for two, for a name beside other words, and for a description.

`{a}` and `{b}` are names, `{w}` is somebody, `{c}` are words that belong to the name, `{d}` is a description.
"""

SOMEBODY = (
    "a product manager|my grandmother|a hospital|schools|a small bank|farmers|the finance team|a ten-year-old|our customers|a lawyer|"
    "city councils|journalists|a factory|museums|my flatmate|game studios|nurses|a charity|the police|students|an airline|"
    "shop owners|my boss|a start-up|local government|the press"
).split("|")

NAMED = (
    "What is {a}?|what's {a}|Explain {a}|Can you explain {a} to {w}?|what does {a} need|What does {a} require?|What is {a} used for?|"
    "how does {a} work|Why would {w} use {a}?|Who uses {a} in practice?|Is {a} worth it for {w}?|What are the main parts of {a}?|"
    "what can go wrong with {a}|Give me a short introduction to {a}|When should {w} choose {a}?|what kind of thing is {a}|"
    "Tell me about {a} please|How does {a} help {w}?|Where does {a} come from and who looks after it?|what do people get out of {a}|"
    "I keep hearing about {a}, what is it good for|Does {a} have any alternatives?|In two sentences, what is {a}|"
    "how expensive is {a} to run|Which standards apply to {a}?|Why is {a} so hard to explain?|"
    "What's the point of {a} if nobody asks for it?|List what {a} depends on|what are the risks of {a}|"
    "{w} asked me about {a}. What should I say?|How far has {a} got since last year?|could {w} use {a} to save time|Is {a} safe?|"
    "Why do some people not trust {a}?"
).split("|")

BESIDE = (
    "How does {a} help with {c}?|why does {a} matter for {c}|What has {a} got to do with {c}?|Can {a} deal with {c}?|"
    "when {c} is involved, is {a} the right choice?|does {a} change anything about {c}"
).split("|")

PAIRED = (
    "What is the difference between {a} and {b}?|How is {a} related to {b}?|{a} or {b}: which one is easier to start with?|"
    "Do I need {b} if I already have {a}?|how does {a} compare with {b}|Can {w} use {a} and {b} together?"
).split("|")

DESCRIBED = (
    "{d}: what is that called|what do you call {d}|Is there a name for {d}?|{d}, what does that need?|{d}. What is it a kind of?|"
    "what does {d} make possible|I mean {d}, what are its parts?|the thing with {d}, what does it depend on|"
    "{d} - which category is that|how would you describe {d} and what uses it"
).split("|")

SYLLABLES = "ka zo ri ven mol tex dar qui lum bra fen sor ty gle nax pho ul mer cad wix".split()
"""What names are made of that nobody has."""
