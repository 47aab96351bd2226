"""The part of a message that asks: without greetings and thanks before it, and from after a phrase that changes the topic."""

import re

BEGINNING = 400
"""Code points of a message in which such phrases are looked for: further in, they are somebody's text."""

_END = r"(?=\s*(?:[.,;:!?\n)…—–-]|$)|\s+(?:and|but|so|now|then|i|what|how|why|who|when|where|which|can|could|is|are|do|does|tell|explain|please)\b)"
_THAT = r"(?:it|this|that|these|those|them|everything|all\s+(?:of\s+)?(?:that|this)|what\s+(?:i|we)\s+\w+)"
_SOME = r"(?:\w[\w'’-]*\s+){0,5}?\w[\w'’-]*"
_CLEAN = r"(?:total|complete|entire|slight|whol)ly\s+"
_TOPIC = r"(?:topics?|subjects?|questions?|things?|notes?|matters?|gears?|tack)"

_HARD = (
    rf"forget\s+(?:about\s+)?{_THAT}{_END}",
    rf"forget\s+(?:about\s+)?(?:the|my|our|about)\s+{_SOME}(?=\s*[.,;:!\n…—–])",
    rf"(?:never\s?mind|nvm)(?:\s+(?:about\s+)?(?:{_THAT}|the\s+{_SOME}|{_SOME}(?=\s*[.,;:!\n…—–])))?{_END}",
    rf"(?:scratch|scrap|drop|skip|ignore|disregard)\s+(?:{_THAT}|(?:my|the)\s+(?:last|previous|earlier|above)(?:\s+\w+)?){_END}",
    rf"(?:to\s+)?(?:switch|chang)(?:e|es|ed|ing)?\s+(?:of\s+|the\s+|to\s+(?:a|an)\s+(?:new|other|different)\s+)?{_TOPIC}(?:\s+(?:completely|entirely|now|here))?{_END}",
    rf"(?:to\s+)?(?:switch|chang)(?:e|es|ed|ing)?\s+to\s+something\s+(?:{_CLEAN})?(?:else|different|new|unrelated){_END}",
    rf"(?:(?:a|an|my|i\s+have\s+an?|here(?:'s|\s+is)\s+an?|this\s+is\s+an?|next)\s+)?(?:{_CLEAN})?(?:new|next|different|separate|unrelated|fresh)\s+{_TOPIC}{_END}",
    rf"(?:this\s+is\s+)?(?:{_CLEAN})?unrelated(?:ly)?(?:\s+to\s+(?:{_THAT}|the\s+\w+))?{_END}",
    rf"on\s+(?:a|an|to\s+an?)\s*(?:{_CLEAN})?(?:other|different|separate|unrelated|new)\s+{_TOPIC}{_END}",
    rf"on\s+another\s+{_TOPIC}{_END}",
    rf"(?:leav|putt|sett|lay|park|shelv)ing\s+{_SOME}\s+(?:aside|to\s+one\s+side|behind|for\s+(?:a\s+moment|now|later)){_END}",
    rf"(?:let(?:'|’)?s|i(?:'|’)ll)\s+leave\s+{_SOME}(?=\s*[.;:!\n…—–])|not\s+(?:about|on)\s+{_SOME}\s*(?=[.;:!\n…—–])",
    rf"(?:{_THAT}|all\s+{_THAT})\s+aside{_END}",
    rf"leave\s+{_THAT}\s+(?:there|be|alone|at\s+that){_END}|no\s+more\s+(?:of|about|on)\s+{_THAT}(?:\s+please)?{_END}",
    rf"(?:this\s+(?:is|has)\s+)?(?:not(?:hing)?|un)\s*(?:related|to\s+do)\s+(?:to|with)\s+(?:{_THAT}|the\s+\w+)(?:\s+(?:at\s+all|though|but))?{_END}",
    rf"(?:(?:let(?:'|’)?s|let\s+us|we\s+can|time\s+to)\s+)?mov(?:e|ing)\s+(?:\w+ly\s+)?on(?:\s+from\s+(?:{_THAT}|{_SOME}(?=\s*[.,;:!\n…—–])))?(?=\s+to\b|\s*[.,;:!?\n…—–-]|$)",
    rf"(?:(?:let(?:'|’)?s|can\s+we|could\s+we|i\s+want\s+to|i(?:'|’)d\s+like\s+to|let\s+me|i(?:'|’)ll|may\s+i|can\s+i)\s+)?(?:talk\s+about|do|discuss|ask(?:\s+you)?(?:\s+about)?|now\s+for)?\s*something\s+(?:{_CLEAN})?(?:else|different|unrelated)(?:\s+(?:now|entirely|instead))?{_END}",
    rf"(?:that(?:'|’)?s\s+)?enough\s+(?:of|about|on|with)\s+(?:{_THAT}|{_SOME}(?=\s*[.,;:!\n…—–])){_END}",
    rf"(?:let(?:'|’)?s\s+)?start(?:ing)?\s+(?:over|afresh|fresh){_END}",
    # German, French, Spanish, Italian, Dutch, Portuguese
    r"vergiss\s+(?:das|es)|lassen?\s+wir\s+das|(?:ein\s+)?anderes\s+thema|themenwechsel|(?:eine\s+)?(?:ganz\s+)?andere\s+frage|etwas\s+(?:ganz\s+)?anderes",
    r"oublie[zr]?\s+(?:ça|cela)|laisse[zr]?\s+tomber|chang(?:eons|er|ement)\s+de\s+sujet|(?:une\s+)?autre\s+(?:sujet|question)|rien\s+à\s+voir|passons\s+à\s+autre\s+chose",
    r"olvid(?:a|e|emos)\s+eso|olvídalo|cambi(?:ando|emos|o)\s+de\s+tema|otr[ao]\s+(?:tema|pregunta|cosa)|dejando\s+eso\s+(?:de\s+lado|aparte)",
    r"lascia(?:mo)?\s+(?:perdere|stare)|dimentica(?:lo)?(?:\s+(?:questo|quello))?(?=\s*[.,;:!])|cambi(?:ando|amo|o)\s+(?:argomento|discorso)|un['’]?\s*altr[ao]\s+(?:argomento|domanda|cosa)",
    r"vergeet\s+(?:dat|het)|laat\s+maar|(?:een\s+)?ander\s+onderwerp|(?:een\s+)?andere\s+vraag|iets\s+(?:heel\s+)?anders",
    r"esquec(?:e|a)\s+(?:isso|isto)|deixa\s+(?:isso|para\s+lá|pra\s+lá)|mud(?:ando|emos|ar)\s+de\s+assunto|outr[ao]\s+(?:assunto|pergunta|coisa)",
)  # fmt: skip
_SOFT = (
    r"by\s+the\s+way|btw|incidentally|(?:just\s+)?(?:a\s+)?quick\s+question|(?:i\s+have\s+)?(?:another|one\s+more)\s+(?:quick\s+)?(?:question|thing)"
    r"|out\s+of\s+curiosity|übrigens|nebenbei|au\s+fait|por\s+cierto|a\s+propósito|a\s+proposito|trouwens|aliás"
)

_LEAD_IN = (
    r"(?:(?:ok(?:ay)?|actually|well|so|and|but|right|now|anyway|please|just|no|oh|hm+|ah|thanks|ta|cheers|great|cool|yes|yeah|also|alors|bon|bueno"
    r"|bene|gut|nun|nou|bem|can\s+we|could\s+we|i(?:'|’)d\s+like\s+to|i\s+want\s+to|let(?:'|’)?s|let\s+us)\b[\s,.!…—–-]*+){0,6}"
)
_AT = r"(?:^|(?<=[.,;:!?(\n…—–])|(?<=\s-))\s*+" + _LEAD_IN
_SWITCH = re.compile(rf"{_AT}(?:(?P<hard>{'|'.join(_HARD)})|(?:{_SOFT})(?=\s*[.,;:!?\n…—–-]|\s))", re.IGNORECASE)
_HINTS = (
    "forget mind nvm scratch scrap related more drop skip ignore disregard switch chang topic subject question unrelated note park shelv leav not side behind moving move "
    "something enough start way btw incidentally thing curiosity vergiss lass them frage etwas übrigens nebenbei oublie sujet rien "
    "passons fait olv tema otr dejando cierto prop lasci dimentica altr vergeet laat onderwerp vraag iets trouwens esquec deixa mud outr aliás"
).split()  # fmt: skip
"""A beginning without any of these, in lower case, holds no such phrase."""

_POLITE = re.compile(
    r"""\s*(?:
        (?:thank\s*(?:s|you)|cheers|ta|merci|danke|gracias|grazie|bedankt|obrigad[oa])\b(?!\s+(?:to|giving)\b)[^.!?,;:\n—–]{0,60}(?:[.!,;:\n—–]+|$)
      | (?:hi|hello|hey|hiya|thanks|ok(?:ay)?|hm+|oh|ah|um+|uh|yeah|yep|yup|gotcha|got\s+it|i\s+see|wow|anyway|actually|hallo|bonjour|salut|hola|ciao|olá)
          (?:\s+(?:there|again|all|everyone))?\b(?![-'’])[\s,.!;:…—–-]*
      | (?:good\s+(?:morning|afternoon|evening)|great|cool|nice|good|perfect|awesome|brilliant|excellent|lovely|right|al(?:l\s+)?right|well|yes|no|nope|sure|fine
          |interesting|understood|fair\s+enough|makes\s+sense|(?:that|this)(?:['’]s|\s+is|\s+was)?\s+(?:(?:very|really|so|super)\s+)?(?:helps?|helpful|useful|great|good|clear|interesting|nice|cool|makes\s+sense)
          |(?:that|this)(?:['’]s|\s+is|['’]ll\s+be|\s+was)\s+(?:(?:all|everything|it|right|true|what\s+i\s+(?:need|want|mean|thought)\w*)\b[^.!?]*(?=[.!]|\Z))
          |how(?:['’]s|\s+is|\s+are)\s+(?:it\s+going|things|life|you(?:\s+doing|\s+today)?)|what(?:['’]s|\s+is)\s+(?:up|new)
          |haha|lol|(?:good|great|nice)\s+(?:job|work)|well\s+done|(?:very|really|super)\s+(?:helpful|useful|clear|interesting)|gut|alles\s+klar|d['’]accord|vale|va\s+bene|oké|goed|certo)
          (?:\s+(?:stuff|one|answer|explanation|thanks|thank\s+you))?\s*(?:[,.!?;:…\n—–-]+\s*|$)
    )""",
    re.IGNORECASE | re.VERBOSE,
)  # fmt: skip
_OF_SOMETHING = re.compile(
    r"\b(?:for|about|on|of|explaining|with)\s+(?!(?:that|this|it|all|your|you|now|the\s+(?:help|info\w*|answer|explanation|reply))\b)\w",
    re.IGNORECASE,
)
"""Thanks for something said by its name: which is not what is asked about."""
_JOINT = re.compile(r"[\s,.;:!?)…—–-]*(?:(?:and|but|so|then|instead|und|et|y|e|en)\b[\s,:]*)?", re.IGNORECASE)


def without_courtesies(text: str) -> str:
    """The text without greetings, thanks and assent at its beginning; "" where nothing else was said."""
    text = text.strip()
    at = 0
    while (found := _POLITE.match(text, at)) and found.end() > at:
        at = found.end()
    return text[at:].lstrip()


def part_that_asks(text: str) -> tuple[str, bool, bool]:
    """What a message asks; whether it leaves the topic; whether it only makes a turn ("by the way"), which may or may not leave it."""
    beginning = text[:BEGINNING]
    lowered = beginning.lower()
    last = None
    for hint in _HINTS:
        if hint in lowered:
            last = next(reversed([*_SWITCH.finditer(beginning)]), None)
            break
    if last is None:
        own = without_courtesies(text)
        return own, False, 0 < len(own) < len(text) and _OF_SOMETHING.search(text, 0, len(text) - len(own)) is not None
    hard = last["hard"] is not None
    rest = text[last.end() :]
    joint = _JOINT.match(rest)
    own = without_courtesies(rest[joint.end() if joint else 0 :])
    if not own:
        own = without_courtesies(text[: last.start()]).rstrip(" \t\n(,;:-—–")
    return own, hard, not hard
