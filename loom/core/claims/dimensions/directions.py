"""Candidates without a model: the main directions of a domain's claim vectors, named by the terms of their two ends (seed §5.4, after
Alshaikh, Bouraoui and Schockaert 2020; principal components stand in for their disentanglement).

A direction becomes a scalar from 0 to 1 with the claims at its ends as prototypes, and positions between them: a composition of the
closed sets like any other, which validation and the screen then judge.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from math import log

import numpy as np

from loom.core.claims.dimensions.contract import Contract, Procedure, Prototype
from loom.core.claims.dimensions.discovery import Material
from loom.core.claims.dimensions.matching import mismatches
from loom.core.claims.dimensions.registry import Floats
from loom.core.claims.dimensions.rules import DEFAULT, Rules
from loom.core.claims.dimensions.spaces import Scalar
from loom.core.retrieval.stem import pieces, term

END = 0.1
"""The share of claims that make one end of a direction."""
SHOWN = 3
"""Prototypes at each end, and terms that name it."""
LEAST = 0.01
"""The share of variance under which a direction says nothing."""


def directions(given: Material, taken: Iterable[str] = (), *, count: int = 4, rules: Rules = DEFAULT) -> tuple[Contract, ...]:
    """At most `count` contracts, the widest direction first; none from fewer claims than validation needs.

    A direction whose ends have no terms of their own has no name, and is left out, as is one whose name is taken."""
    size = len(given.claims)
    if size < rules.minimum:
        return ()
    words = [_words(text) for text in given.texts]
    spread = Counter(each for said in words for each in said)
    names, found = list(taken), list[Contract]()
    for along in _principal(np.asarray(given.vectors, np.float64)):
        if len(found) == count:
            break
        order = sorted(range(size), key=lambda at: (along[at], given.claims[at]))
        share = max(SHOWN, round(size * END))
        low, high = order[:share], order[-share:][::-1]
        named = _ends(words, low, high, spread)
        if not all(named):
            continue
        contract = _contract(given, low[:SHOWN], high[:SHOWN], *named)
        if not mismatches(contract, names):
            names.append(contract.name)
            found.append(contract)
    return tuple(found)


def _principal(vectors: Floats) -> list[Floats]:
    """Where each claim is along each direction, the widest direction first; the sign is such that the longer tail is high."""
    centred = vectors - vectors.mean(axis=0)
    size, turned = np.linalg.eigh(centred.T @ centred)
    total = float(size.sum())
    found = []
    for at in range(len(size) - 1, -1, -1):
        if total <= 0 or size[at] < LEAST * total:
            break
        along = centred @ turned[:, at]
        found.append(np.round(along if float((along**3).sum()) >= 0 else -along, 9))
    return found


def _words(text: str) -> dict[str, str]:
    """The terms of a text, and the first word that each was."""
    found: dict[str, str] = {}
    for piece in pieces(text):
        if len(piece) > 1 and not piece.isdigit() and (stem := term(piece)):
            found.setdefault(stem, piece)
    return found


def _ends(
    words: Sequence[dict[str, str]], low: Sequence[int], high: Sequence[int], spread: Counter[str]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The terms that tell each end from the other, the most telling first: by the shares of claims that have one, and its rarity."""
    counts = [Counter(each for at in end for each in words[at]) for end in (low, high)]
    return _telling(words, low, counts[0], counts[1], spread), _telling(words, high, counts[1], counts[0], spread)


def _telling(
    words: Sequence[dict[str, str]], end: Sequence[int], here: Counter[str], there: Counter[str], spread: Counter[str]
) -> tuple[str, ...]:
    worth = {
        each: (here[each] - there[each]) * log(1 + len(words) / spread[each])
        for each in here
        if here[each] > 1 and here[each] > there[each]
    }
    best = sorted(worth, key=lambda each: (-worth[each], each))[:SHOWN]
    return tuple(_said(words, end, each) for each in best)


def _said(words: Sequence[dict[str, str]], end: Sequence[int], stem: str) -> str:
    """The word that a term most often was, ties by the alphabet."""
    forms = Counter(words[at][stem] for at in end if stem in words[at])
    return min(forms, key=lambda each: (-forms[each], each))


def _contract(
    given: Material, low: Sequence[int], high: Sequence[int], low_terms: tuple[str, ...], high_terms: tuple[str, ...]
) -> Contract:
    prototypes = [Prototype(0.0, given.texts[at]) for at in low if given.texts[at].strip()]
    prototypes += [Prototype(1.0, given.texts[at]) for at in high if given.texts[at].strip()]
    return Contract(
        name=f"{low_terms[0]} to {high_terms[0]}",
        definition=f"Where a claim is between {', '.join(low_terms)} (0) and {', '.join(high_terms)} (1).",
        space=Scalar(0.0, 1.0),
        procedure=Procedure("between"),
        metric="difference",
        normalizer="range",
        prototypes=tuple(prototypes),
    )
