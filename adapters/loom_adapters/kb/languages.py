"""Language codes that names may be stated under: ISO 639-1, with a region or script behind it; three letters where there are no two."""

import re

TWO_LETTERS = frozenset(
    "aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo es et eu fa ff "
    "fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks "
    "ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps "
    "pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz "
    "ve vi vo wa wo xh yi yo za zh zu".split()
)
OTHERWISE = {
    "en": "eng english",
    "it": "ita italian italiano",
    "de": "deu ger german deutsch",
    "fr": "fra fre french français",
    "es": "spa spanish español",
    "pt": "por portuguese português",
    "nl": "nld dut dutch nederlands",
    "pl": "pol polish polski",
    "ru": "rus russian",
    "ja": "jpn japanese jp",
    "zh": "zho chi chinese cn",
    "ko": "kor korean kr",
    "ar": "ara arabic",
    "el": "ell gre greek gr",
    "sv": "swe swedish",
    "da": "dan danish dk",
    "cs": "ces cze czech cz",
    "uk": "ukr ukrainian ua",
    "en-GB": "gb",
}
"""Codes that are often written otherwise, and how."""

_TAG = re.compile(r"([a-z]{2,3})((?:-[A-Za-z0-9]{2,8})*)", re.IGNORECASE)
_MEANT = {other: code for code, others in OTHERWISE.items() for other in others.split()}


def known(tag: str) -> bool:
    found = _TAG.fullmatch(tag)
    return found is not None and (found[1].lower() in TWO_LETTERS or (len(found[1]) == 3 and found[1].lower() not in _MEANT))


def meant(tag: str) -> str:
    """The code that was probably meant; "en" where nothing tells."""
    lowered = tag.strip().lower().replace("_", "-")
    if known(lowered):
        return lowered
    return _MEANT.get(lowered) or (lowered[:2] if lowered[:2] in TWO_LETTERS and not lowered.isalpha() else "en")
