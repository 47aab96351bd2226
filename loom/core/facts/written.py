"""Numerals as prose writes them: any grouping and decimal mark, exponents, and what their digits may mean.

Unlike a table, whose decimal mark is declared, a sentence may be in any locale: "1,000" has two values, and both are kept.
"""

import re
import unicodedata
from decimal import Decimal

LONGEST = 60
"""Characters of a numeral; a longer run of digits is no number."""

_SPACES = " \u00a0\u2007\u2009\u202f"
_VULGAR = "½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅐⅛⅜⅝⅞⅑⅒"

NUMERAL = re.compile(
    rf"""
    (?P<sign>(?<![\w.,%)\]])[-–−+])?
    (?P<body>
        \d{{1,3}}(?P<group>[{_SPACES}'’.,])\d{{3}}(?!\d)(?:(?P=group)\d{{3}}(?!\d))*(?:[.,]\d+)*
      | \d+(?:[.,]\d+)*
      | (?<![\w.,])[.,]\d+
      | (?=[{_VULGAR}])
    )
    (?P<vulgar>[{_VULGAR}])?
    (?P<power>[eE][-+−]?\d{{1,3}}(?!\w)|[ ]?(?:[×x*·]|\\times)[ ]?10(?:\^\{{?[-+−]?\d{{1,3}}\}}?|[⁻⁰¹²³⁴-⁹]{{1,4}}))?
    """,
    re.VERBOSE,
)
_SIGNS = {ord(sign): plain for signs, plain in (("．٫", "."), ("，", ","), ("٬＇", "'"), ("％٪﹪", "%"), ("：", ":"), ("－﹣", "-"), ("＋", "+"))
          for sign in signs}  # fmt: skip
_RAISED = re.compile(r"(?<=\d)[·‧](?=\d)(?!10(?:\^|[⁻⁰¹²³⁴-⁹]))")
"""A point between digits that is set higher, and no multiplication by a power of ten."""
_UNGROUPED = re.compile(r"[\s'’]")
_INDIAN = re.compile(r"\d{1,2}(?:,\d\d)+,\d{3}(?:\.\d+)?")


def plainly(text: str) -> str:
    """A text with the digits and marks of other scripts and widths as plain ones; every place stays where it is."""
    if not text.isascii():
        signs = _SIGNS | {ord(one): str(unicodedata.decimal(one)) for one in set(text) if one > "\x7f" and one.isdecimal()}
        text = _RAISED.sub(".", text.translate(signs))
    return text


def values_of(body: str, mark: str = "") -> tuple[Decimal, ...]:
    """The values that digits with separators may have; () where they are no single number (a version, a list).

    `mark` is the decimal mark where it is known: "1.234" has two values only where it is not.
    """
    if len(body) > LONGEST:
        return ()
    if _INDIAN.fullmatch(body):
        return (Decimal(body.replace(",", "")),)
    spaced = _UNGROUPED.sub("", body)
    marks = [one for one in spaced if one in ".,"]
    if not marks:
        return (Decimal(spaced),)
    last, pieces = marks[-1], re.split(r"[.,]", spaced)
    if len(marks) == 1:
        point = Decimal(f"{pieces[0] or '0'}.{pieces[1]}")
        if spaced != body or not _grouped(pieces):
            return (point,)
        whole = Decimal("".join(pieces))
        return (point,) if mark == last else (whole,) if mark else (point, whole)
    if len(set(marks)) == 1:
        return (Decimal("".join(pieces)),) if spaced == body and _grouped(pieces) else ()
    if marks.count(last) == 1 and len(set(marks[:-1])) == 1 and spaced == body and _grouped(pieces[:-1]):
        return (Decimal(f"{''.join(pieces[:-1])}.{pieces[-1]}"),)
    return ()


def _grouped(pieces: list[str]) -> bool:
    """Whether digits are in groups of three."""
    return 1 <= len(pieces[0]) <= 3 and pieces[0][0] != "0" and all(len(piece) == 3 for piece in pieces[1:])


def mark_of(bodies: list[str]) -> str:
    """The decimal mark that some numerals leave no doubt about, where all such agree; else ""."""
    sure = set()
    for body in bodies:
        marks = [one for one in body if one in ".,"]
        if not marks:
            continue
        if len(set(marks)) == 1 and len(marks) > 1:
            if len(values_of(body)) == 1 and not _INDIAN.fullmatch(body):
                sure.add("," if marks[0] == "." else ".")
        elif len(values_of(body)) == 1:
            sure.add(marks[-1])
    return sure.pop() if len(sure) == 1 else ""


def vulgar_of(sign: str | None) -> Decimal:
    """The value of ½ and its like; 0 where there is none."""
    return Decimal(str(unicodedata.numeric(sign))) if sign else Decimal(0)


def power_of(text: str | None) -> int:
    """The power of ten that `e3`, `×10^3` and `× 10³` say; 0 where there is none."""
    if not text:
        return 0
    digits = text[1:] if text[0] in "eE" else unicodedata.normalize("NFKC", text.rpartition("10")[2]).strip("^{}")
    return int(digits.replace("−", "-"))
