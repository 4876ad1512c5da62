"""Until: a simulation that ends when the edge of a wager is known closely enough."""

from __future__ import annotations

import re
from fractions import Fraction
from math import ceil

import msgspec

from baccarat.law.error import hint
from baccarat.law.rulebook import Rulebook
from baccarat.law.wager_name import BY_NAME
from baccarat.play.wager import WagerKind
from baccarat.sim.estimate import SIGMAS_95, detail_needed, exact_price, has_detail
from baccarat.sim.job import book_of
from baccarat.sim.plan import Detail
from baccarat.sim.stream import SHOES
from baccarat.sim.tally import Tally
from baccarat.values import expect

_FORM = re.compile(r"\s*(?P<wager>[a-z][a-z0-9_ -]*?)\s+edge\s*(?:±|\+/?-)\s*(?P<width>[0-9.,]+)\s*%\s*", re.IGNORECASE)
FORM = 'such as "banker edge ±0.001%"'

CHECKS = 64
"""About how often a run checks whether the end is reached."""
ROUNDS_A_SHOE = 64
LEAST, MOST = 1 << 10, 1 << 30
MOST_ROUNDS = ROUNDS_A_SHOE * SHOES
"""About how many rounds all shoes of a seed have."""


class Until(msgspec.Struct, frozen=True, kw_only=True):
    """A wager, and half of the interval of 95 % within which its edge is to be known."""

    on: WagerKind
    half_width: Fraction
    rounds: int
    """How many rounds make the interval this narrow: it follows from the exact deviation of the wager."""

    @property
    def grain(self) -> int:
        """The end is checked only at multiples of this many shoes, which are the same for every engine.

        A power of two, so that a run ends with the same shoe however its work was divided.
        """
        shoes = self.rounds // ROUNDS_A_SHOE // CHECKS
        return max(LEAST, min(MOST, 1 << max(shoes, 1).bit_length() - 1))

    def is_met(self, tally: Tally) -> bool:
        """Whether a tally of shoes up to the end of a grain has enough rounds."""
        end = tally.ranges[-1].end if tally.ranges else 0
        return end % self.grain == 0 and tally.rounds >= self.rounds

    def is_reached(self, tally: Tally) -> bool:
        """Whether the edge is known closely enough, wherever the shoes ended."""
        return tally.rounds >= self.rounds

    def __str__(self) -> str:
        return f"{self.on.word} edge ±{_decimal_text(100 * self.half_width)}%"


def _decimal_text(number: Fraction) -> str:
    """A number with all of its decimals; as a ratio if they do not end."""
    twos_and_fives = number.denominator
    for factor in (2, 5):
        while twos_and_fives % factor == 0:
            twos_and_fives //= factor
    if twos_and_fives != 1:
        return str(number)
    places = 0
    while 10**places % number.denominator:
        places += 1
    digits = str(int(number * 10**places)).rjust(places + 1, "0")
    return f"{digits[:-places]}.{digits[-places:]}" if places else digits


def parse_until(text: str, rules: Rulebook, *, detail: Detail, stake: int | None = None) -> Until:
    """The end that a person has asked for; anything else is a `ValueError` that says what was expected."""
    book = book_of(rules)
    found = _FORM.fullmatch(expect(text, str, f"an end as text, {FORM}"))
    if found is None:
        raise ValueError(f"{text!r}: expected a wager, the word edge, and a width, {FORM}")
    word = found["wager"].lower().replace("-", "_").replace(" ", "_")
    if word not in BY_NAME:
        raise ValueError(f"{text!r}: no wager {word!r}{hint(word, [kind.word for kind in book.kinds])}")
    on = BY_NAME[word]
    try:
        width = Fraction(found["width"]) / 100
    except ValueError:  # a comma may separate thousands or decimals: we do not guess
        raise ValueError(f"{text!r}: {found['width']!r} is not a number") from None
    if width <= 0:
        raise ValueError(f"{text!r}: no simulation ends at a width of zero")
    price = exact_price(rules, on, stake)
    needed = detail_needed(book, on)
    if not has_detail(detail, needed):
        raise ValueError(f"{text!r}: {price.name} needs detail {needed!r}, and {detail!r} is asked for")
    rounds = max(1, ceil(Fraction(SIGMAS_95) ** 2 * price.variance / width**2))
    if rounds > MOST_ROUNDS:
        raise ValueError(f"{text!r}: so narrow a width takes more rounds than there are shoes for")
    return Until(on=on, half_width=width, rounds=rounds)
