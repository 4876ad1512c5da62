"""Void rounds: how it affects the figures that a round for which the shoe lacks cards is counted in none of them.

How many cards are left for a round is independent of how many it needs, so a round of six cards lacks some more often
than one of four. The finished rounds are therefore a biased selection with too many short ones. This is censoring,
not the cut-card effect, which goes the other way and is about a tenth as large.

*How large it is.* Rounds follow each other as in a renewal process. If the shoe is dealt to its end, the round that
runs out of cards is the one that covers a given point, and is chosen with probability proportional to its length.
With a cover card of depth d, the round in which it comes out reaches m cards beyond the card before it, m uniform
from 1 to its length; either it lacks cards itself, or one more round begins with d - m cards. So the lengths of void
rounds follow from the exact chances of a full shoe; how many there were is counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

import msgspec

from baccarat.law.fact import COUNTS, finish_index
from baccarat.law.rulebook import Rulebook
from baccarat.odds.gain import unit_gain, wager_name
from baccarat.play.book import open_book
from baccarat.play.wager import WagerKind
from baccarat.sim.agreement import finish_chances
from baccarat.sim.stream import CARDS_A_ROUND, source_of

LENGTHS = range(4, CARDS_A_ROUND + 1)
"""The cards that a round may take."""
_BY_LENGTH = {
    length: [finish_index(*finish) for finish in product(COUNTS, COUNTS, (2, 3), (2, 3)) if sum(finish[2:]) == length]
    for length in LENGTHS
}
"""The finishes of rounds, by number of cards."""


class Censored(msgspec.Struct, frozen=True, kw_only=True):
    """About how much the figures of finished rounds are shifted because void ones are not among them."""

    shares: dict[int, float]
    """By number of cards: how much too large its share of the rounds is."""
    edges: dict[WagerKind, float]
    """By wager, of those that a finish decides: how much too large its house edge is, per unit."""


def void_effect(rules: Rulebook, *, rounds: int, void: int, to_cover: bool) -> Censored:
    """The effect of `void` void rounds among `rounds` finished ones, dealt to the cover card or to the shoe's end."""
    book, chances = open_book(rules), finish_chances(rules)
    lengths = _lengths(chances)
    among = void_lengths(lengths, source_of(book).depth if to_cover else 0)
    ever, part = sum(among.values()), Fraction(void, rounds)
    shares = {each: part * (lengths[each] - among[each] / ever) if ever else Fraction(0) for each in LENGTHS}
    edges = {}
    for on in book.kinds:
        if on not in book.verdicts:
            continue
        moved = Fraction(0)
        for each in LENGTHS:
            verdicts = ((book.verdicts[on][at], chances[at]) for at in _BY_LENGTH[each])
            gains = sum((chance * unit_gain(book, verdict) for verdict, chance in verdicts if verdict is not None),
                        start=Fraction(0))  # fmt: skip
            moved -= shares[each] * gains / lengths[each] if lengths[each] else 0
        edges[on] = float(moved)
    return Censored(shares={each: float(share) for each, share in shares.items()}, edges=edges)


def void_lengths(lengths: dict[int, Fraction], depth: int) -> dict[int, Fraction]:
    """By number of cards: how many rounds that need that many are void in a shoe, given the chances of each number.

    A depth of zero means dealt to the end. It does not use the cards of a real shoe, so it is right for a long one.
    """
    mean = sum(length * chance for length, chance in lengths.items())
    found = {}
    for length, chance in lengths.items():
        itself = chance * max(0, length - depth)
        after = sum(
            (sum(other for size, other in lengths.items() if size >= beyond) * chance
             for beyond in range(1, min(CARDS_A_ROUND, depth) + 1) if length > depth - beyond),
            start=Fraction(0),
        )  # fmt: skip
        found[length] = (itself + after) / mean
    return found


def void_note(rules: Rulebook, *, rounds: int, void: int, to_cover: bool) -> str | None:
    """What to know about the figures if rounds were void; None if none was."""
    if not void:
        return None
    many = f"{void:,} round{'s' if void > 1 else ''}"
    if not rounds:
        return f"{many} lacked cards: void, and in no figure; none was finished"
    found = void_effect(rules, rounds=rounds, void=void, to_cover=to_cover)
    four, six = (_signed_text(100 * found.shares[length]) for length in (LENGTHS[0], LENGTHS[-1]))
    most = max(found.edges, key=lambda on: abs(found.edges[on]))
    return (
        f"{many}, {100 * void / (rounds + void):.2g} % of those begun, lacked cards: void, and in no figure. Long "
        f"rounds lack cards most often, so too many of those that were finished have four cards, about {four} % of all "
        f"rounds, and too few have six, about {six} %. House edges move with that, most that of "
        f"{wager_name(open_book(rules), most)}, by about {_signed_text(100 * found.edges[most])} %; "
        f"the cut-card effect "
        "goes the other way and is smaller. The exact edge and z are those of a full shoe, and do not allow for it"
    )


def deep_cover_note(rules: Rulebook) -> str | None:
    """What to know about rounds dealt to a cover card behind which a round may lack cards; None if none can."""
    depth = source_of(open_book(rules)).depth
    void = float(sum(void_lengths(_lengths(finish_chances(rules)), depth).values()))
    if not void:
        return None
    return (
        f"the cover card lies {depth} card{'s' if depth != 1 else ''} from the end: in about {100 * void:.0f} % of "
        "shoes the last round lacks cards; it is void, wagers go back, and it is in no figure. Long rounds lack cards "
        "most often, so those that are finished are shorter than the exact odds of a full shoe say"
    )


def _signed_text(value: float) -> str:
    """Two digits, with a typographic minus."""
    return f"{value:+.2g}".replace("-", "−")


def _lengths(chances: Sequence[Fraction]) -> dict[int, Fraction]:
    """By number of cards, from the chances of finishes."""
    return {length: sum((chances[at] for at in _BY_LENGTH[length]), start=Fraction(0)) for length in LENGTHS}
