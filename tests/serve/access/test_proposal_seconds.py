"""In which capacity each act of two persons is approved, and that the house takes what was approved."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from access_house import allowed, code_of
from baccarat import rulebook
from baccarat.house.book import HouseCommand
from baccarat.house.cage_act import BringBankroll, FillTray, OpenTray
from baccarat.house.filed_rules import FiledRules, file_rules
from baccarat.house.house import House
from baccarat.house.house_book import AddPit
from baccarat.house.inventory import Inventory
from baccarat.house.option_change import ChangeOptions
from baccarat.house.registry import book_of
from baccarat.house.state import Decision
from baccarat.house.stream import Stream
from baccarat.house.table_opening import OpenTable
from baccarat.play.refusal import Refused
from baccarat.serve.access.proposal import (
    ApprovedCommand,
)
from baccarat.table.actor import Actor, Approval
from baccarat.table.registry import HANDLERS
from baccarat.table.role import Role
from baccarat.table.rules_adoption import AdoptRules
from baccarat.table.table_cards import TableCards
from proposing import ADMIN, BOSS, CAGE, CLERK, FILL, D, F, P, S, Scene


@pytest.fixture
def scene() -> Iterator[Scene]:
    made = Scene()
    yield made
    made.house.close()


SUPERVISORS = {F, S, BOSS}
SECONDS: dict[str, dict[Role, set[Role]]] = {
    # at the table: dealer and floorperson correct together; whoever watches over games confirms the rest
    "correct_card": {D: {F}, F: {D}}, "correct_payment": {D: {F}, F: {D}},
    "correct_meter": {D: {CAGE, ADMIN}, F: {CAGE, ADMIN}},
    "report_exception": {F: {S}, S: {F}}, "report_uncollected": {F: {S}, S: {F}},
    "pay_goodwill": {F: {CAGE, ADMIN}, S: {CAGE, ADMIN}},
    "report_lost_seed": {F: SUPERVISORS, S: SUPERVISORS}, "abandon_shoe": {F: SUPERVISORS, S: SUPERVISORS},
    "confirm_card": {F: SUPERVISORS},
    "order_recut": {S: SUPERVISORS | {D}}, "end_round": {D: SUPERVISORS}, "join_link": {S: SUPERVISORS | {ADMIN}},
    "adopt_witnesses": {S: {S, BOSS, ADMIN}}, "adopt_kind": {S: {S, BOSS, ADMIN}},
    "document_vigorish": {CLERK: {BOSS}}, "void_form": {CLERK: {BOSS}}, "miss_form": {CLERK: {BOSS, S}},
    # the house, as docs/house.md lists it
    "change_witnesses": {by: {S, BOSS, ADMIN} for by in (S, BOSS, ADMIN)},
    "state_table_kind": {by: {S, BOSS, ADMIN} for by in (S, BOSS, ADMIN)},
    "link_tables": {ADMIN: {S, ADMIN}}, "bring_bankroll": {ADMIN: {CAGE}},
    **{name: {by: {CAGE} for by in (F, S, BOSS, CLERK)} for name in ("open_tray", "fill_tray", "credit_tray")},
    **{name: {by: {F, S, BOSS, CLERK} for by in (D, F, S, BOSS, CLERK)} for name in ("count_tray", "close_tray")},
    "count_drop": {by: {S, CAGE, ADMIN} for by in (S, CAGE, ADMIN)},
    **{name: {by: {CAGE} for by in (S, ADMIN)} for name in ("issue_coupons", "cancel_coupons")},
    "count_coupons": {by: {S, CAGE, ADMIN} for by in (S, CAGE, ADMIN)},
    "elect_protection": {ADMIN: {S, ADMIN}},
    "report_missing": {by: {S, BOSS} for by in (CLERK, BOSS)},
    "set_next_terms": {by: {S, ADMIN} for by in (S, ADMIN)},
}  # fmt: skip
FILED = FiledRules(ruleset="ma-midi-4", stated={}, hash="0" * 64)
NOTHING_FILED: dict[str, Any] = {"filed": FILED, "changes": {}}
"""Required fields on which it depends who approves an act, such that nobody has to."""


def test_in_which_capacity_each_act_is_approved() -> None:
    """Written by hand from docs/house.md, reading A-88 and the clauses of the forms; nobody else approves anything."""
    kinds: list[type[Any]] = [*HANDLERS]
    for stream in ("house", "pit A", "cage", "forms", "coupons", "players", "link L", "day"):
        book = book_of(Stream(stream))
        assert book is not None
        kinds += book.handlers
    for kind in kinds:
        bare = {field.name: NOTHING_FILED.get(field.name) for field in msgspec.structs.fields(kind) if field.required}
        command, name = kind(**bare), kind.__struct_config__.tag
        for role in kind.ROLES:
            expected = SECONDS.get(name, {}).get(role, set())
            assert command.seconds(role) == expected, (name, role)
            assert not expected & {P, Role.SURVEILLANCE, Role.REGULATOR, Role.PUBLIC}
    assert set(SECONDS) <= {kind.__struct_config__.tag for kind in kinds}


def test_a_goodwill_limit_is_approved_by_somebody_outside_the_pit() -> None:
    limit = {"goodwill_limit": 100_000}
    filed = msgspec.structs.replace(FILED, stated=limit)
    for command in (OpenTable(table="1", filed=filed, effective=0), ChangeOptions(changes=limit, effective=0)):
        for role in command.ROLES:
            assert command.seconds(role) == {CAGE, ADMIN}, (command, role)


def in_house(command: HouseCommand, stream: Stream, approved: ApprovedCommand | None, actor: Actor | None) -> House:
    """A house with a table and money in its cage, in which something was done."""
    rules = rulebook("ma-midi-4")
    house = House(rules)
    boss = Actor(who="a", role=ADMIN, approvals=(Approval("c", CAGE),))
    pit = Actor(who="b", role=BOSS)
    for each, by, where in (
        (AddPit(name="A"), boss, "house"),
        (BringBankroll(amount=100_000_00), boss, "cage"),
        (OpenTable(table="T1", filed=file_rules(rules), effective=0, cards=TableCards.REAL), pit, "pit A"),
        (OpenTray(table="T1", chips=Inventory({5_00: 200})), Actor(
            who="f", role=F, approvals=(Approval("c", CAGE),)
        ), "cage"),
    ):  # fmt: skip
        assert isinstance(house.do(each, by, stream=Stream(where)), Decision)
    found = house.do(command, approved.envelope.actor if approved else actor or pit, stream=stream)
    assert isinstance(found, Decision), found
    return house


def test_what_was_approved_is_taken_by_the_house_itself(scene: Scene) -> None:
    approved = allowed(scene.approve(scene.propose()))
    assert isinstance(approved.command, FillTray)
    house = in_house(approved.command, approved.stream, approved, None)
    last = house.logs[Stream("cage")][-1]
    assert (last.requester, last.approver) == (scene.flo.id, scene.cas.id)


def test_without_the_second_person_the_house_refuses_it(scene: Scene) -> None:
    alone = scene.floor.actor()
    house = in_house(FILL, Stream("cage"), allowed(scene.approve(scene.propose())), None)
    assert isinstance(house.do(FILL, alone, stream=Stream("cage")), Refused)


def test_a_rulebook_is_not_proposed_because_the_floor_adopts_it_alone(scene: Scene) -> None:
    command = AdoptRules(submission={"ruleset": "ma-midi-4"})
    assert code_of(scene.try_propose(command=command, stream=Stream("table T1"))) == "one_person"
