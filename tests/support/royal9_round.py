"""Rounds with Royal 9 wagers, for the tests of its clauses."""

from __future__ import annotations

from typing import Any

import pytest

from strategies import CHAIRS, EARLY, LATE, line, played, royal9

each = pytest.mark.parametrize("edition", [*EARLY, *LATE])


clause = pytest.mark.clause


NOTHING = "4S 5D 2H 2C"


def opened(player: str, banker: str) -> str:
    """Cards that give these two opening hands, with third cards to spare."""
    (one, three), (two, four) = player.split(), banker.split()
    return f"{one} {two} {three} {four} 2S 3S"


def all_bet(seats: int) -> list[str]:
    """A Tie wager and a Royal 9 wager at every seat."""
    return [text for seat in range(1, seats + 1) for text in (f"{seat} tie 100", f"{seat} royal9 500")]


def rows(edition: str, player: str, banker: str, **options: Any) -> dict[int, tuple[str, int]]:
    """Row and winnings of each seat, with every seat in the bet."""
    seats = 9 if edition in EARLY else 7
    elected = {"royal9": royal9(edition), **options}
    told = played(edition, opened(player, banker), *all_bet(seats), **elected)
    return {each["seat"]: (each["row"], each["win"]) for each in told["wagers"] if each["type"] == "royal9"}


def one(edition: str, player: str, banker: str, seat: int = 1, **options: Any) -> dict[str, Any]:
    """The Royal 9 line of one seat alone in the bet, meters at their seeds unless given."""
    options.setdefault("royal9", royal9(edition))
    told = played(edition, opened(player, banker), f"{seat} tie 100", f"{seat} royal9 500", **options)
    return line(told, "royal9", seat)


def combination(chair: int, court: str = "K") -> str:
    """A combination of a chair."""
    suits = CHAIRS[str(chair)]
    return f"{court}{suits[0]} 9{suits[1]}"
