"""What may be computed between two facts of a metric, where it is declared (R23): exact, in decimals, never in floats.

Rounding, wherever a quotient does not end: half to even, at two decimals for a change in percent, and for a mean at two decimals
more than the finest of its values has. A quotient that ends earlier is given with no zeros that its values do not have.
"""

from decimal import Decimal

from loom.core.facts.numerals import EXACT, ROUNDING, plain

MORE_PLACES = 2


def difference(first: Decimal, second: Decimal) -> str:
    """`first` less `second`, with the decimals of the finer of the two: 37.5 and 36.5 give "1.0"."""
    return plain(EXACT.subtract(first, second))


def percent_change(before: Decimal, after: Decimal) -> str | None:
    """The change from `before` to `after` in percent of `before`'s size, to two decimals; None where `before` is zero."""
    if not before:
        return None
    change = EXACT.multiply(EXACT.subtract(after, before), Decimal(100))
    return _rounded(change, abs(before), MORE_PLACES, 0)


def mean_of(total: Decimal, count: int, finest: int) -> str:
    """The mean of `count` values with the exact sum `total`, of which the finest has `finest` decimals."""
    return _rounded(total, Decimal(count), finest + MORE_PLACES, finest)


def _rounded(dividend: Decimal, divisor: Decimal, most: int, least: int) -> str:
    """The quotient half to even at `most` decimals; zeros at its end are cut down to `least` decimals.

    It is taken in whole numbers, so that nothing is rounded twice."""
    top, bottom = dividend.as_integer_ratio()
    under, over = divisor.as_integer_ratio()
    numerator, denominator = top * over * 10**most, bottom * under
    whole, rest = divmod(abs(numerator), denominator)
    if 2 * rest > denominator or (2 * rest == denominator and whole % 2):
        whole += 1
    quotient = ROUNDING.scaleb(Decimal(-whole if numerator < 0 else whole), -most)
    text = plain(quotient) if whole else plain(abs(quotient))
    if rest == 0 and most > least and "." in text:
        kept = text.rstrip("0")
        decimals = max(least, len(kept) - kept.index(".") - 1)
        text = text[: text.index(".") + 1 + decimals].rstrip(".")
    return text
