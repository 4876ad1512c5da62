"""A table on record from its first cards to the end of a shoe, act by act, with whoever does each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from msgspec.structs import replace

from baccarat.table.actor import Actor
from baccarat.table.automation import actor_for, command_for
from baccarat.table.base import Command
from baccarat.table.state import TableState
from baccarat.table.step.curating import AnswerShoe
from baccarat.table.step.cutting import AnswerCut
from baccarat.table.table_cards import TableCards
from card_scenes import BANKER_WINS
from table_driver import Game, new_game, seated

BANKER_WINS_ON_SIX = "2S 2H 3D KC KH 5C"
REST = "2C 3C 4C 5C 6C 7C 8C 9C TC"


class ActAtTable(NamedTuple):
    """An act that is due, before it is done: who does it, and how the table stands."""

    state: TableState
    command: Command
    actor: Actor


def walked(edition: str, **elections: Any) -> Iterator[ActAtTable]:
    """Every act from the first cards to the end of the shoe; participant 3 cuts, and takes the shoe if offered."""
    cards, end = f"{BANKER_WINS_ON_SIX} {BANKER_WINS}", f"{BANKER_WINS} {REST}"
    game = seated(new_game(edition, cards, end=end, vig_collection="deferred", **elections), [1, 3])
    game.table.state = replace(game.state, cards=TableCards.REAL)
    yield from _until(game, "wager")
    for last in (False, True):
        game.wager("1 p 2500", "3 b 10000", "1 t 500")
        yield from _round(game)
        if not last:
            game.skip(left=13, cover_out=True)
    while game.step != "offer_cut":
        yield from _act(game)


def _round(game: Game) -> Iterator[ActAtTable]:
    number = game.state.round.number
    while game.state.round.number == number and not game.state.round.void:
        yield from _act(game)


def _until(game: Game, step: str) -> Iterator[ActAtTable]:
    while game.step != step:
        yield from _act(game)


def _act(game: Game) -> Iterator[ActAtTable]:
    command = command_for(game.table, game.next_act(), game.source)
    if isinstance(command, AnswerCut | AnswerShoe):
        command = replace(command, accept=command.seat == 3)
    actor = actor_for(game.table, command)
    yield ActAtTable(game.state, command, actor)
    second = actor.approvals[0].who if actor.approvals else ""
    game.do(command, who=actor.who, second=second)
