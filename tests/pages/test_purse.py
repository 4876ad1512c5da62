"""What the rail of a table says of somebody's money, after every frame of a shoe: the books of the house say the same.

The frames are those that a socket sends. Node follows them with the scripts of the page; the house, which posts every
event in double entry, says what belongs to whom.
"""

from __future__ import annotations

import json
import random
from typing import Any

import msgspec
import pytest

from baccarat.law.rulebook import Rulebook, rulebook
from baccarat.ledger import Place
from baccarat.money import MICRO
from baccarat.play.refusal import Refused
from baccarat.play.wager import WagerKind
from baccarat.table.actor import Actor
from baccarat.table.automation import run_until
from baccarat.table.base import Accepted, Command
from baccarat.table.patch import patches
from baccarat.table.role import Role
from baccarat.table.step.house_money import PressHouseMoney, SettleHouseMoney
from baccarat.table.step.wagering import PlaceWager
from baccarat.table.view import Viewer, moment, view_moment
from house_books import Books, seated, stacks, wagering
from page_script import run_page_script

SEATS = (1, 3, 5)
TABLES: dict[str, dict[str, Any]] = {
    "ma-midi-4": {"vig_collection": "at_payout"},
    "ma-midi-1": {"vig_collection": "deferred", "match_play": True},
    "ma-midi-4-ez": {},
    "ma-midi-4-royal9": {},
    "nj-punto-banco": {"match_play": True},
    "nj-punto-banco-six-half": {},
}
"""Vigorish at once and deferred, EZ with House Money, a ladder of awards, coupons, no vigorish at all."""
FOLLOW = """
const { applyPatch } = await import("/page/js/table_socket.js");
const { purseOf } = await import("/page/js/table/purse.js");
const follow = ({ seat, view, frames }) => frames.map((frame) => {
  if (frame.state) view = frame;
  else applyPatch(view, frame);
  return purseOf(view.state, seat);
});
const found = %s.map(follow);
"""


class Followed(Books):
    """A table of a house, with the frames that each seat is sent and what the house's books say after each of them."""

    def __init__(self, rules: Rulebook) -> None:
        super().__init__(rules)
        self.told: dict[int, dict[str, Any]] = {}
        self.owned: dict[int, list[dict[str, int]]] = {seat: [] for seat in SEATS}
        self.now = moment(rules, self.state)

    def begin(self) -> None:
        """From now on everybody who sits there is sent frames."""
        self.now = moment(self.rules, self.state)
        for seat in SEATS:
            self.told[seat] = {"seat": seat, "view": whole(self, seat), "frames": []}

    def do(self, command: Command, actor: Actor | None = None) -> Accepted | Refused:
        """Do a command: everybody gets the frame of it, or a whole view where the seat is another's by now."""
        if isinstance(command, PlaceWager) and not command.coupon and self.rules.elections.match_play:
            command = self.with_coupon(command)
        if (
            isinstance(command, SettleHouseMoney)
            and command.seat % 2
            and not self.state.round.presses.get(command.seat)
        ):
            self.do(PressHouseMoney(seat=command.seat, onto=WagerKind.BANKER))
        outcome = super().do(command, actor)
        if isinstance(outcome, Refused) or not self.told:
            return outcome
        before, self.now = self.now, moment(self.rules, self.state)
        viewers = [Viewer(Role.PARTICIPANT, seat) for seat in SEATS]
        sent = patches(before, self.now, outcome.events, viewers)
        for viewer in viewers:
            seat = viewer.seat
            person, past = self.state.at(seat), before.state.at(seat)
            if (person and person.who) != (past and past.who):
                self.told[seat]["frames"].append(whole(self, seat))
            elif viewer in sent:
                self.told[seat]["frames"].append(msgspec.json.decode(sent[viewer]))
            else:
                continue
            self.owned[seat].append(self.owned_by(seat))
        return outcome

    def with_coupon(self, command: PlaceWager) -> PlaceWager:
        """The first wager of a seat on a hand comes with a coupon on paper, now and then."""
        is_main = command.on in (WagerKind.PLAYER, WagerKind.BANKER)
        if not is_main or command.stake % 300:
            return command
        return PlaceWager(seat=command.seat, on=command.on, stake=command.stake, coupon=command.stake)

    def owned_by(self, seat: int) -> dict[str, int]:
        """What the books of the house say: chips, what lies on the layout, what is to be paid, what is owed."""
        chips, lying, due, owed = (
            self.at(place, seat) // MICRO for place in (Place.CHIPS, Place.LAYOUT, Place.PAYABLE, Place.DEBT)
        )
        return {"chips": chips, "lying": lying, "due": due, "total": chips + lying + due, "marked": -owed}


def whole(table: Followed, seat: int) -> Any:
    """The whole view of a seat, as JSON has it."""
    view = view_moment(moment(table.rules, table.state), Viewer(Role.PARTICIPANT, seat))
    return msgspec.json.decode(msgspec.json.encode(view))


def a_shoe(name: str) -> Followed:
    """A whole shoe of a table at which everybody wagers on several things."""
    rules = rulebook(name, cover_card_depth=200, **TABLES[name])
    table, chance = Followed(rules), random.Random(name)
    seated(table, SEATS)
    table.begin()
    run_until(table, stacks(rules, name), stop=lambda t: t.state.shoe.number == 1, wagers=wagering(chance))
    return table


@pytest.mark.slow
def test_after_every_frame_chips_and_table_and_dues_are_that_persons_money() -> None:
    tables = {name: a_shoe(name) for name in TABLES}
    follow = FOLLOW % json.dumps([told for table in tables.values() for told in table.told.values()])
    seen = iter(run_page_script(follow))
    kinds = dict.fromkeys(("lying", "due", "marked"), 0)
    for name, table in tables.items():
        for seat in SEATS:
            frames = next(seen)
            assert len(frames) > 150, "a whole shoe was followed"
            for number, (shown, owned) in enumerate(zip(frames, table.owned[seat], strict=True)):
                assert shown == owned, f"{name}, seat {seat}, frame {number}: {table.told[seat]['frames'][number]}"
                for kind in kinds:
                    kinds[kind] += owned[kind] > 0
    assert min(kinds.values()) > 50, f"money was everywhere: {kinds}"
