"""Company: automated participants, who wager at random within the limits and hold nobody up.

These functions have no effects: each says which commands the company would give, and the caller gives them. Chance
comes in from outside (`CompanyChance`, such as `random.Random` of a seed).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol, TypeVar

from baccarat.law.rulebook import Rulebook
from baccarat.play.admission import admit
from baccarat.play.book import open_book
from baccarat.play.hand import Side
from baccarat.play.wager import Wager, WagerKind
from baccarat.table.base import Command, Due
from baccarat.table.offer import decline_offer, is_offer
from baccarat.table.round_state import WAGERED
from baccarat.table.seating_acts import BuyIn, Leave
from baccarat.table.state import TableState
from baccarat.table.step.dealing import DrawCard
from baccarat.table.step.turning import ReturnCards
from baccarat.table.step.wagering import WAGER, PlaceWager

T = TypeVar("T")


class CompanyChance(Protocol):
    """Where the company's random choices come from."""

    def randrange(self, stop: int, /) -> int:
        """A whole number from 0 up to, but not including, a limit."""

    def choice(self, options: Sequence[T], /) -> T:
        """One of some options."""


def lowest_wagers(rules: Rulebook) -> dict[WagerKind, int]:
    """The least stake of every wager that may stand alone, in cents."""
    book, limits = open_book(rules), rules.elections.limits or {}
    least = {kind: limits[kind.value].min for kind in book.kinds if kind.value in limits}
    return {
        kind: stake for kind, stake in least.items() if admit(book, [Wager(seat=1, on=kind, stake=stake)]) is None
    }  # fmt: skip


def main_wagers(rules: Rulebook) -> list[WagerKind]:
    """The main wagers: on each hand, and the others that need no other wager, such as Tie."""
    return [kind for kind in open_book(rules).kinds if rules.edition.wagers[kind.word].law.main]


def top_up_commands(rules: Rulebook, state: TableState, seats: Iterable[int], *, purse: int) -> list[BuyIn | Leave]:
    """A participant with too few chips for any wager buys in again, or leaves if that would not help."""
    least = lowest_wagers(rules)
    lowest = min((least[kind] for kind in main_wagers(rules) if kind in least), default=None)
    found: list[BuyIn | Leave] = []
    for seat in seats:
        person = state.at(seat)
        if person is None or lowest is None or person.chips >= lowest:
            continue
        found.append(BuyIn(seat=seat, amount=purse) if purse >= lowest else Leave(seat=seat))
    return found


def wagers_of(rules: Rulebook, state: TableState, seats: Iterable[int], chance: CompanyChance) -> list[PlaceWager]:
    """Wagers of these seats: each may stake on a hand, or on another main wager with what is left.

    If all of them pass and no wager lies yet, the first who can wager does: the round cannot go on without a wager.
    """
    seats = list(seats)
    offers = [_wager_of_seat(rules, state, seat, chance, may_pass=True) for seat in seats]
    found = [wager for wager in offers if wager is not None]
    if found or not needs_wager(state):
        return found
    first = (_wager_of_seat(rules, state, seat, chance, may_pass=False) for seat in seats)
    return [wager for wager in first if wager is not None][:1]


def needs_wager(state: TableState) -> bool:
    """Whether the dealer cannot go on before somebody wagers."""
    return state.step == WAGER and not state.round.wagers and state.round.kind is WAGERED


def _wager_of_seat(
    rules: Rulebook, state: TableState, seat: int, chance: CompanyChance, *, may_pass: bool
) -> PlaceWager | None:
    """What a seat wagers; nothing if it cannot, or passes."""
    limits, hands = rules.elections.limits or {}, open_book(rules).main
    others = [kind for kind in main_wagers(rules) if kind not in hands.values()]
    person = state.at(seat)
    chips = person.chips if person is not None else 0
    kind = chance.choice([hands[Side.PLAYER], hands[Side.BANKER], hands[Side.BANKER]])
    limit = limits.get(kind.value)
    if others and (limit is None or chips < limit.min):
        kind, limit = others[0], limits.get(others[0].value)
    if limit is None or chips < limit.min or (may_pass and chance.randrange(10) == 0):
        return None
    more = min(chance.randrange(8), (chips - limit.min) // limit.increment)
    return PlaceWager(seat=seat, on=kind, stake=min(limit.min + limit.increment * more, limit.max))


def prompt_answer(due: Due) -> Command | None:
    """What somebody of the company does without delay when an act of his is due: he declines what is offered."""
    match due.act:
        case "return_cards":
            return ReturnCards(seat=due.seat)
        case "draw_card":
            return DrawCard(seat=due.seat)
    return decline_offer(due) if is_offer(due) else None
