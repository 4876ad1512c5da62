"""Every pair of persons that a clause names, from tests/data/persons_named.csv: nobody is both (reading A-101)."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from functools import cache
from itertools import combinations
from typing import NamedTuple

import pytest
from msgspec.structs import replace

from baccarat.house.registry import BOOKS
from baccarat.law.clause import Clause, catalogue
from baccarat.law.coverage import clause_tests
from baccarat.play.refusal import Refused
from baccarat.play.wager import WagerKind
from baccarat.table.actor import Actor, Approval
from baccarat.table.base import Command
from baccarat.table.machine import decide
from baccarat.table.registry import HANDLERS
from baccarat.table.role import Role
from baccarat.table.step.curating import OrderPass
from baccarat.table.step.house_money import SettleHouseMoney
from baccarat.table.step.relinquishing import OrderRelinquish
from baccarat.table.step.spoken_wager import ConfirmWager, SpeakWager, WagerConfirmed
from baccarat.table.table_cards import TableCards
from baccarat.table.vigorish_debt import DocumentVigorish
from baccarat.table.vigorish_form import ComplimentaryForm, ReceiveForms
from card_scenes import BANKER_WINS
from house_walk import ActAtTable, walked
from paths import DATA, TESTS
from strategies import EDITIONS, NEW_JERSEY
from table_driver import Game, game_at

clause = pytest.mark.clause
each_edition = pytest.mark.parametrize("edition", EDITIONS)
HERE = "tests/table/test_persons_named.py::"
WALK = HERE + "test_nobody_does_the_houses_work_at_a_table_where_he_sits"
SEATED = "participant 3"


class NamedPair(NamedTuple):
    """Two persons whom a clause names for one matter, what they do, and the test that one alone is refused."""

    clause: str
    persons: str
    acts: str
    shown_by: str

    @property
    def is_tested(self) -> bool:
        """Whether a test is named, and not a reason why none can be."""
        return self.shown_by.startswith("tests/")


def _listed() -> list[NamedPair]:
    with (DATA / "persons_named.csv").open(encoding="utf-8", newline="") as file:
        return [NamedPair(**row) for row in csv.DictReader(file)]


LISTED = _listed()
NOT_PERSONS = {"licensee", "rules engine", "IEB"}
PERSONS = re.compile(
    r"\b(dealer|floorperson|floorman|casino supervisor|pit boss|pit clerk|surveillance|Commission|accounting|patron"
    r"|player|participant|curator)s?\b"
)
SAME = {
    "players": "participant", "player": "participant", "first players": "participant", "patron": "participant",
    "dealers": "dealer", "floorman": "floorperson",
}  # fmt: skip


def pairs_of(each: Clause) -> set[str]:
    """The pairs of persons that a clause names, as who acts in it or in its words."""
    named = {SAME.get(actor, actor) for actor in each.actors if actor not in NOT_PERSONS}
    named |= {SAME.get(word, word) for word in PERSONS.findall(each.requirement)}
    several = {"dealer, dealer"} if "three dealers" in each.requirement else set()
    return {", ".join(pair) for pair in combinations(sorted(named), 2)} | several


# --------------------------------------------------------------------------------------------- the list


def test_every_pair_that_a_clause_names_is_in_the_list_once_and_no_other() -> None:
    named = [(each.id, pair) for each in catalogue() for pair in sorted(pairs_of(each))]
    assert [(each.clause, each.persons) for each in LISTED] == named


def test_what_has_no_test_says_why() -> None:
    reasons = [each.shown_by for each in LISTED if not each.is_tested]
    assert [each for each in reasons if not re.fullmatch(r"(either alone|no person|one person): .{10,}", each)] == []


def test_a_test_that_is_named_exists() -> None:
    for where in {each.shown_by for each in LISTED if each.is_tested}:
        path, _, name = where.partition("::")
        assert f"\ndef {name}(" in (TESTS.parent / path).read_text(encoding="utf-8"), where


def test_what_is_done_are_commands() -> None:
    of_the_house = [kind for held in BOOKS.values() for kind in held.book.handlers]
    known = {kind.__struct_config__.tag for kind in (*HANDLERS, *of_the_house)}
    assert {act for each in LISTED for act in each.acts.split()} <= known
    assert all(each.acts for each in LISTED if each.is_tested)


def test_a_pair_of_the_house_is_shown_by_a_test_that_bears_its_clause() -> None:
    of_the_house = [each for each in LISTED if each.is_tested and "participant" not in each.persons]
    bears = clause_tests()
    assert [each for each in of_the_house if each.shown_by not in (*bears[each.clause], WALK)] == []


# ---------------------------------------------------------------------------- the house and a participant


@cache
def acts_of(edition: str) -> tuple[ActAtTable, ...]:
    """Every act of a shoe, and acts that are not due by themselves: what the house orders, confirms and settles."""
    walk = tuple(walked(edition))
    state = next(each.state for each in walk if each.state.step == "wager")
    others: list[Command] = [
        OrderRelinquish(reason="delay"),
        ConfirmWager(seat=3, on=WagerKind.BANKER),
        *([OrderPass(reason="delay")] if edition == NEW_JERSEY else [SettleHouseMoney(seat=3)]),
    ]
    return (*walk, *(ActAtTable(state, command, Actor(who="dealer")) for command in others))


def spellings(who: str) -> Iterator[str]:
    """A name as it was given, and as somebody might write it who does not want to be recognized."""
    yield from (who, f" {who.upper()}".replace(" ", "  "))


@pytest.mark.slow
@clause("MA:4(b).2", "MA:8(d).1", "NJ:3.4(b)", "NJ:3.11(a)2", "NJ:3.7(b).2", "NJ:3.8(b)")
@each_edition
def test_nobody_does_the_houses_work_at_a_table_where_he_sits(edition: str) -> None:
    """Act by act over a shoe: not in any of the capacities that may do it, and not as the second person of it."""
    rules = game_at(edition).rules
    seen = set()
    for state, command, actor in acts_of(edition):
        for role in command.ROLES - {Role.PARTICIPANT}:
            for who in spellings(SEATED):
                alone = decide(rules, state, command, replace(actor, who=who, role=role))
                assert isinstance(alone, Refused), (command, role)
                assert (alone.code.value, alone.what) == ("same_person", "sits_at_this_table"), (command, alone)
                assert alone.cites
        for second in actor.approvals:
            approved = replace(actor, approvals=(replace(second, who=SEATED),))
            both = decide(rules, state, command, approved)
            assert isinstance(both, Refused), command
            assert both.code.value == "same_person"
        if actor.role is Role.PARTICIPANT:
            for dealer in state.seats.dealers:
                stranger = decide(rules, state, command, replace(actor, who=dealer))
                assert isinstance(stranger, Refused), command
                assert stranger.code.value in ("not_entitled", "same_person"), (command, stranger)
        seen.add(command.name)
    clauses = {each.id for each in catalogue() if edition in each.editions}
    listed = {act for each in LISTED if each.clause in clauses and each.shown_by == WALK for act in each.acts.split()}
    assert listed - seen == set(), "every act of the list is tried"


# ------------------------------------------------------------------------------- who confirms, and who signs


@clause("MA:7(b).2", "NJ:3.2(c).2")
@each_edition
def test_nobody_confirms_the_wager_that_he_has_spoken(edition: str) -> None:
    game = game_at(edition, verbal_wagers=True)
    game.table.state = replace(game.state, cards=TableCards.REAL)
    game.do(SpeakWager(seat=3, on=WagerKind.BANKER, stake=2_500, cash=True))
    confirm = ConfirmWager(seat=3, on=WagerKind.BANKER)
    for role in (Role.DEALER, Role.CASINO_SUPERVISOR):
        for who in spellings(SEATED):
            game.refused(confirm, "same_person", by=role, who=who)
    assert not game.of(WagerConfirmed)
    game.do(confirm, by=Role.DEALER)


FORM = ComplimentaryForm(
    serial=1, amount=500, patron=SEATED, dealer="D. Ealer", pit_boss="B. Oss", pit_clerk="C. Lerk", patron_signed=True
)


def owing() -> Game:
    """Seat 3 owes $5.00 of marked vigorish, and forms lie ready."""
    game = game_at(NEW_JERSEY, BANKER_WINS, vig_collection="deferred")
    game.play("3 b 10000")
    game.do(ReceiveForms(first=1, last=9))
    return game


@clause("NJ:3.3(c)3i.1", "NJ:3.3(c)3i.2", "NJ:3.3(c)3iii")
@pytest.mark.parametrize("pair", [*combinations(("dealer", "pit_boss", "pit_clerk", "patron"), 2)])
def test_3_3_c_3_those_whom_a_form_names_are_four_people(pair: tuple[str, str]) -> None:
    """Who prepares and signs it, who drops the original, who watches, and whose debt it waives."""
    one, other = pair
    for said in spellings(getattr(FORM, other)):
        form, game = replace(FORM, **{one: said}), owing()
        approval = Approval(form.pit_boss, Role.PIT_BOSS, "document_vigorish")
        actor = Actor(who=form.pit_clerk, role=Role.PIT_CLERK, approvals=(approval,))
        refused = game.table.do(DocumentVigorish(seat=3, form=form), actor)
        assert isinstance(refused, Refused), pair
        assert refused.code.value == "same_person", refused
        assert [cite.paragraph for cite in refused.cites] == ["3.3(c)3i"]
    game = owing()
    game.do(DocumentVigorish(seat=3, form=FORM), who=FORM.pit_clerk, second=FORM.pit_boss)
