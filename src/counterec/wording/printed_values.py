"""Printed values: with how many digits a value is shown, and which value a shown number stands for.

Values made from opinions lie on a ladder (…, 2.0757…, 3, 3.9242…, …). One is shown as “2.1” and typed again as 2.1:
then the value of the ladder is meant, not the number beside it.
"""

from __future__ import annotations

from counterec.core.opinions import Ladder
from counterec.core.space import AspectSpace

MOST_DIGITS = 9
"""Nine digits tell any two numbers of single precision apart."""


def meant_value(space: AspectSpace, value: float, item: int = 0, aspect: int = 0) -> float:
    """The value of the ladder that a shown number stands for: the nearest, if it is shown like this.

    By Eq. 1 the ladder is the same for every aspect of every item; by shares of praise it is theirs.

    A number that stands for none, such as 2.5 or the 0 of an absent aspect, is taken as it is, and so is every number
    in a space without a ladder.
    """
    ladder = space.ladder_of(item, aspect)
    if ladder is None:
        return value
    nearest = _nearest(ladder, value)
    return nearest if round(nearest, _decimals(value)) == value else value


def telling_digits(ladder: Ladder, value: float) -> int:
    """The fewest digits, at least 1, with which a value of the ladder is shown and read again as itself."""
    for digits in range(1, MOST_DIGITS):
        if _nearest(ladder, round(value, digits)) == value:
            return digits
    return MOST_DIGITS


def _nearest(ladder: Ladder, value: float) -> float:
    return float(ladder.values[ladder.nearest([value])[0]])


def _decimals(value: float) -> int:
    """How many digits a number has after the point, written as briefly as possible."""
    mantissa, _, exponent = repr(float(value)).partition("e")
    return max(0, len(mantissa.partition(".")[2]) - int(exponent or 0))
