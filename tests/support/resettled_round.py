"""Rounds that are settled again, for the tests of that."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from baccarat.audit.resettle import JournalRounds, ResettleReport, resettle
from baccarat.law.rulebook import Rulebook
from baccarat.table.base import Event
from table_driver import Game, game_at

MASSACHUSETTS, EZ, NEW_JERSEY = "ma-midi-4", "ma-midi-4-ez", "nj-punto-banco"


BANKER_8 = "2S 6H TD 2C"
"""Player 2, Banker 8, a natural."""


BANKER_NATURAL = "7S 9D TH KC"


def rounds_of(rules: Rulebook, log: Iterable[Event]) -> JournalRounds:
    """The rounds of a log that began under these rules."""
    played = JournalRounds(rules)
    played.add_events(1, log)
    return played


def under(game: Game, other: Rulebook) -> ResettleReport:
    """What the rounds of a game come to under other rules."""
    return resettle(rounds_of(game.rules, game.table.log), other)


def net(report: ResettleReport) -> dict[str, tuple[int, int]]:
    """By seat, what was won or lost, and would have been."""
    return {share.who.removeprefix("participant "): (share.net, share.other_net) for share in report.patrons}


def kinds(report: ResettleReport) -> list[str]:
    """The kinds of everything that is said."""
    return [reason.kind for each in report.reported for reason in each.reasons]


def one_round(cards: str, *wagers: str, edition: str = MASSACHUSETTS, **elections: Any) -> Game:
    """A table at which one round was played from these cards."""
    game = game_at(edition, cards, **elections)
    game.play(*wagers)
    return game


# -------------------------------------------------------------------------------------- the same rules


def nothing_differs(rules: Rulebook, log: Iterable[Event]) -> ResettleReport:
    """Under the rules that hold at the end, a log that began with these has no differences."""
    return same_on_both_sides(resettle(rounds_of(rules, log), rules))


def same_on_both_sides(report: ResettleReport) -> ResettleReport:
    """A report that finds no difference for anybody."""
    assert report.differing_rounds == report.unresolved_rounds == report.faults == 0, report.reported
    assert all(share.difference == 0 for share in report.patrons)
    assert all(share.wagered == share.other_wagered for share in report.patrons)
    assert all(share.vigorish == share.other_vigorish for share in report.patrons)
    assert report.house.difference == 0
    return report
