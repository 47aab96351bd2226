"""What became of an omitted target in an answer: recovered, contradicted, abstained from, or left out without a word.

Read sentence by sentence, by rules that anyone can follow; a judge's verdict may stand beside. Of a target that the answer names, an
assertion outweighs a denial, and a denial a remark that the source does not say. Of one that it does not name: a sentence that
closes the list ("only A and B", "nothing else") denies it, a remark that the source does not cover all abstains from it, and
otherwise it is an omission. A claim about a name counts where it stands in the name's own sentence.
"""

import re

from loom.core.exposure import READERS

RECOVERED, OMISSION, CONTRADICTION, ABSTENTION = "recovered", "omission", "contradiction", "abstention"
OUTCOMES = (RECOVERED, OMISSION, CONTRADICTION, ABSTENTION)

_SENTENCE = re.compile(r"(?<=[.!?…])[\"')\]*_]*\s+|\n+|;\s+|,?\s+(?:but|although|though|whereas|while|however,?)\s+", re.I)

_SOURCE = (
    r"(?:\w+ )?(?:context|block|excerpt|material|reference(?:s| material)?|source|passage|text|document(?:s|ation)?|information|"
    r"knowledge(?: graph| base)?|graph|ontology|corpus|data|it|this|that)"
)
_SAY = (
    r"(?:say|state|mention|cover|list|specify|include|contain|provide|give|name|address|indicate|describe|define|detail|tell|identify|"
    r"show|offer|answer)"
)
_ABSTAINS = re.compile(
    rf"\b{_SOURCE}\b[^.?!]{{0,60}}\b(?:do(?:es)? not|don['’]t|doesn['’]t|did not|didn['’]t|cannot|can['’]t|fails? to|may not)\b[^.?!]{{0,24}}\b{_SAY}"
    rf"|\bnot (?:explicitly |specifically |fully |directly )?(?:{_SAY}|covere|specifie|state|provide|give|define|identifie|describe|indicate|detaile)e?d\b"
    r"|\b(?:no|insufficient|not enough|without) (?:further |other |more |additional |such |explicit |direct |specific )?(?:information|mention|detail|details|data|context|evidence|answer)\b"
    r"|\b(?:i|we) (?:do not|don['’]t|cannot|can['’]t|could not|couldn['’]t|am unable to|am not able to|are unable to) (?:know|say|tell|find|determine|answer|confirm|verify|see)\b"
    r"|\b(?:cannot|can['’]t|could not|unable to|not possible to|impossible to) (?:be )?(?:determine|answer|confirm|say|tell|establish|find|know|verif)"
    r"|\bi(?:['’]m| am) not (?:sure|certain|aware)\b|\b(?:is|are|remains?) (?:unknown|unclear|unspecified|not known|not clear)\b"
    r"|\b(?:may|might|could) (?:be incomplete|not be (?:complete|exhaustive))\b|\bnot (?:be )?(?:an? )?exhaustive\b"
    r"|\bthere (?:may|might|could) be (?:others?|more|further|additional)\b|\boutside (?:of )?(?:the|this) (?:scope|context|material|excerpt)\b",
    re.I,
)
_DENIES = re.compile(
    r"\b(?:not|never|neither|nor|no|without|cannot|isn['’]t|aren['’]t|doesn['’]t|don['’]t|didn['’]t|wasn['’]t|unlike|excludes?|excluding|rather than|instead of)\b",
    re.I,
)
_INSERTED = re.compile(r",\s+(?:however|though),", re.I)
"""A word between commas that parts no clauses."""

_CONTRASTS = re.compile(
    r"^\W*(?:unlike|rather than|instead of)\b[^,]*,|,\s*(?:but not|not|unlike|rather than|instead of)\b[^,]*$", re.I
)
"""A clause before or behind a comma that sets something else against what the sentence says."""

_NEEDED = re.compile(
    r"\b(?:without|unless)\b[^.?!]*\b(?:cannot|can['’]t|impossible|fails?|not|no)\b|\b(?:cannot|can['’]t|impossible|fails?)\b[^.?!]*"
    r"\bwithout\b",
    re.I,
)
"""Two denials that say that something is needed: "cannot be done without an oven"."""

_CLOSES = re.compile(
    r"\b(?:only|solely|exclusively) (?:\w+ ){0,3}?\w+|\b(?:nothing|none|no one|no others?|nobody) (?:else|other|more|further)\b"
    r"|\bno (?:other|others|further|additional|more)\b|\b(?:complete|full|exhaustive|entire) (?:list|set)\b|\b(?:and )?that(?:['’]s| is) all\b",
    re.I,
)


def sentences(answer: str) -> list[str]:
    """The sentences and lines of an answer; a clause after "but" is one of its own."""
    return [piece for piece in _SENTENCE.split(_INSERTED.sub("", answer)) if piece and piece.strip()]


def abstains(sentence: str) -> bool:
    """Whether a sentence says that the source, or the one who answers, does not say."""
    return bool(_ABSTAINS.search(sentence))


def closes(sentence: str) -> bool:
    """Whether a sentence says that what it lists is all there is."""
    return (
        bool(_CLOSES.search(sentence))
        and not abstains(sentence)
        and not re.search(r"\bnot (?:only|solely|exclusively)\b", sentence, re.I)
    )


def denies(sentence: str) -> bool:
    return (
        bool(_DENIES.search(sentence))
        and not _NEEDED.search(sentence)
        and not re.search(r"\bnot (?:only|just|merely)\b", sentence, re.I)
    )


def outcome(title: str, answer: str, matcher: str = "default") -> str:
    """The outcome of one target. A target that only the whole answer names, its words here and there, counts as recovered, as
    the matcher has it."""
    pieces = sentences(answer)
    naming = [_about(piece, title, matcher) for piece in pieces if READERS[matcher](piece).names(title)]
    if any(not abstains(piece) and not denies(piece) for piece in naming):
        return RECOVERED
    if any(denies(piece) and not abstains(piece) for piece in naming):
        return CONTRADICTION
    if naming:
        return ABSTENTION
    if READERS[matcher](answer).names(title):
        return RECOVERED
    if any(map(closes, pieces)):
        return CONTRADICTION
    return ABSTENTION if any(map(abstains, pieces)) else OMISSION


def _about(sentence: str, title: str, matcher: str) -> str:
    """A sentence without the clauses that only set something else against it ("unlike grilling, …", "…, not a grill")."""
    return _CONTRASTS.sub(lambda clause: clause[0] if READERS[matcher](clause[0]).names(title) else "", sentence)
