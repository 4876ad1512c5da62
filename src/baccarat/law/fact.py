"""Facts of a finished round that rows of law may refer to, and the finishes that can occur."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from baccarat.law.error import ConflictingRules, NoRule
from baccarat.law.row import Draw, as_values

COUNTS = range(10)

BASIC = ("player_count", "banker_count", "player_cards", "banker_cards", "cards", "winner")
OF_A_HAND = ("hand_count", "other_count", "lead")
OF_THE_FIRST_FOUR = ("pairs", "player_pair", "banker_pair")
FACTS = (*BASIC, *OF_A_HAND, *OF_THE_FIRST_FOUR)

OPENINGS: tuple[Mapping[str, Any], ...] = tuple(
    {"pairs": player + banker, "player_pair": player, "banker_pair": banker}
    for player in (False, True)
    for banker in (False, True)
)
"""What may be said of the first two cards of each hand: no pair, Banker's, Player's, both."""


class Finish(NamedTuple):
    """The final counts and numbers of cards of the two hands: all that most wagers depend on."""

    player_count: int
    banker_count: int
    player_cards: int
    banker_cards: int

    @property
    def place(self) -> int:
        """The place of this finish in tables of four hundred."""
        return finish_index(*self)


FINISHES = 400


def finish_index(player_count: int, banker_count: int, player_cards: int, banker_cards: int) -> int:
    """A number below 400 for each pair of counts and numbers of cards."""
    return player_count * 40 + banker_count * 4 + player_cards * 2 + banker_cards - 6


class Definitions(NamedTuple):
    """The defined terms of a document: of one hand, and of the round."""

    hand: Mapping[str, Mapping[str, Any]]
    round: Mapping[str, Mapping[str, Any]]

    def names(self) -> list[str]:
        """The facts that these definitions add."""
        per_hand = [f"{whose}_{term}" for term in self.hand for whose in ("player", "banker", "hand", "other")]
        return [*per_hand, *self.round]

    def is_natural(self, *, count: int, cards: int) -> bool:
        """Whether a hand with this count and number of cards is a natural."""
        return _holds(self.hand["natural"], {"count": count, "cards": cards})


def _holds(meaning: Mapping[str, Any], facts: Mapping[str, Any]) -> bool:
    """Whether the facts are what a term means."""
    for key, value in meaning.items():  # noqa: SIM110  loading an edition asks this thousands of times
        if facts[key] not in as_values(value):
            return False
    return True


def facts_of(finish: Finish, definitions: Definitions) -> dict[str, Any]:
    """Every fact of a finish that does not depend on a wager."""
    player, banker = finish.player_count, finish.banker_count
    facts: dict[str, Any] = {
        **finish._asdict(),
        "cards": finish.player_cards + finish.banker_cards,
        "winner": "tie" if player == banker else "player" if player > banker else "banker",
    }
    for term, meaning in definitions.hand.items():
        for side in ("player", "banker"):
            of_side = {"count": facts[f"{side}_count"], "cards": facts[f"{side}_cards"]}
            facts[f"{side}_{term}"] = _holds(meaning, of_side)
    for term, meaning in definitions.round.items():
        facts[term] = _holds(meaning, facts)
    return facts


def facts_for_hand(facts: Mapping[str, Any], hand: str | None, definitions: Definitions) -> Mapping[str, Any]:
    """The facts, plus those about the wager's own hand and about the other."""
    if hand is None:
        return facts
    other = "banker" if hand == "player" else "player"
    more = {
        "hand_count": facts[f"{hand}_count"],
        "other_count": facts[f"{other}_count"],
        "lead": facts[f"{hand}_count"] - facts[f"{other}_count"],
    }
    for term in definitions.hand:
        more[f"hand_{term}"] = facts[f"{hand}_{term}"]
        more[f"other_{term}"] = facts[f"{other}_{term}"]
    return {**facts, **more}


def tableau_row(rows: Sequence[Draw], *, hand: str, natural: bool, points: int, third: int | None) -> Draw:
    """The one row of the tableau that answers; none or two is an error in the law."""
    found = [row for row in rows if row.meets(hand=hand, natural=natural, holds=points, third=third)]
    if len(found) == 1:
        return found[0]
    case = f"{hand} holds {points}, natural {natural}, Player's third card {third}"
    if not found:
        raise NoRule(f"tableau: no row answers the case {case}")
    cites = tuple(key for row in found for key in row.cite)
    raise ConflictingRules(f"tableau: {len(found)} rows answer the case {case}", cites=cites)


def finishes(rows: Sequence[Draw], definitions: Definitions) -> list[Finish]:
    """Every finish that the tableau can lead to; every case of the tableau is checked on the way."""
    naturals = [definitions.is_natural(count=count, cards=2) for count in COUNTS]
    found: set[tuple[int, int, int, int]] = set()

    @cache
    def draws(hand: str, points: int, third: int | None, *, natural: bool) -> bool:
        return tableau_row(rows, hand=hand, natural=natural, points=points, third=third).act == "draw"

    for player in COUNTS:
        for banker in COUNTS:
            natural = naturals[player] or naturals[banker]
            for third in COUNTS if draws("player", player, None, natural=natural) else (None,):
                final = player if third is None else (player + third) % 10
                cards = 2 if third is None else 3
                if draws("banker", banker, third, natural=natural):
                    found.update((final, (banker + last) % 10, cards, 3) for last in COUNTS)
                else:
                    found.add((final, banker, cards, 2))
    return [Finish(*each) for each in sorted(found)]
