"""The report of discretion: every act that is left to somebody's judgement, by person, with reason and worth."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import count as numbers
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import UNSET
from msgspec.structs import replace

import forked
from baccarat.audit.discretion import (
    NO_ROUND,
    NOT_SEALED,
    THE_HOUSE,
    UNFINISHED,
    DiscretionaryAct,
    DiscretionReport,
)
from baccarat.audit.discretion_worth import worth_of
from baccarat.audit.journal import audit_journals
from baccarat.cards import Card
from baccarat.engine.journaled_table import JournaledTable
from baccarat.house.cage_act import CountDrop, CountTray
from baccarat.house.coupon_book import CancelCoupons, CountCoupons, IssueCoupons
from baccarat.house.filed_rules import file_rules
from baccarat.house.inventory import Inventory
from baccarat.house.link_event import SetNextTerms
from baccarat.house.option_change import ChangeOptions
from baccarat.house.pit import latest
from baccarat.house.registry import book_of
from baccarat.house.stream import CAGE_STREAM, COUPON_STREAM, Stream
from baccarat.house.table_opening import OpenTable
from baccarat.law.rulebook import rulebook
from baccarat.money import MICRO
from baccarat.play.hand import Side
from baccarat.play.wager import WagerKind
from baccarat.record.journal_file import JournalFile
from baccarat.table.actor import Actor, Origin
from baccarat.table.automation import run_until
from baccarat.table.base import Accepted
from baccarat.table.due_settlement import ReportUncollected
from baccarat.table.exception_report import ReportException
from baccarat.table.foul_card import ConfirmCard
from baccarat.table.gate import GateFault
from baccarat.table.goodwill import PayGoodwill
from baccarat.table.irregularity.error_card import ReportErrorCard
from baccarat.table.irregularity.exposed import ReportExposedCard
from baccarat.table.irregularity.face_up import ReportFaceUp
from baccarat.table.meters import MeterCorrected
from baccarat.table.payment_correction import CorrectPayment
from baccarat.table.registry import COMMANDS
from baccarat.table.role import Role
from baccarat.table.rules_adoption import AdoptRules
from baccarat.table.seating_acts import BuyIn, Leave, Sit
from baccarat.table.source import SealedShoe
from baccarat.table.state import TableState
from baccarat.table.step.abandoning import AbandonShoe
from baccarat.table.step.clearing import ClearTable
from baccarat.table.step.closing import CollectVigorish
from baccarat.table.step.curating import AnswerShoe, OrderPass
from baccarat.table.step.cutting import AnswerCut, GiveUpCut, OrderRecut
from baccarat.table.step.free_hand import RequestFreeHand
from baccarat.table.step.loading import PlaceCoverCard
from baccarat.table.step.must_hit import EndRound
from baccarat.table.step.relinquishing import AnswerTurn, OrderRelinquish, Relinquish
from baccarat.table.step.revealing import ReportLostSeed
from baccarat.table.step.sealing import FailShoe
from baccarat.table.step.settlement import Paid
from baccarat.table.step.spoken_wager import SpeakWager
from baccarat.table.step.wagering import PlaceWager
from baccarat.table.table_cards import TableCards
from baccarat.table.vigorish_debt import DocumentVigorish
from baccarat.table.vigorish_form import ComplimentaryForm, ReceiveForms
from book_acts import in_link, in_pit
from correction_scenes import PERSONS, set_right
from electronic_table import OrderOneShoe, Witnesses, seed_of
from house_books import (
    ADMIN_AND_CASHIER,
    ADMIN_AND_SUPERVISOR,
    PIT_NAME,
    TWO_COUNTERS,
    actor,
    open_table,
    opened_house,
    stacks,
    taken,
)
from journaled_house import JournaledHouse
from kept import TABLE
from linked_floor import LINK_NAME, RANGE, Floor
from odds_slow import rounds_by_rank
from paths import ROOT
from strategies import NEW_JERSEY
from table_driver import Game, new_game, seated
from triggers import FirstWager

MOMENT = 1_700_000_000_000_000
BANKER_WINS, REST = "7S 9D TH KC", "2C 3C 4C 5C 6C 7C 8C 9C"
RANKS = "A23456789TJQK"


BOOKS = ("house", "pit A", "cage", "forms", "coupons", "players", "link L", "day")


def held(stream: str) -> Any:
    """The book of a stream."""
    book = book_of(Stream(stream))
    assert book is not None
    return book


class Journaled:
    """A game at a table that keeps its journal in a file."""

    def __init__(self, folder: Path) -> None:
        self.path, self.file = folder / "journal.jsonl", JournalFile(folder / "journal.jsonl", sync=False)
        assert not list(self.file.open())

    def open(self, edition: str, cards: str = f"{BANKER_WINS} {REST}", *, chips: int = 10_000_000, **more: Any) -> Game:
        """A table with three people, to which nothing has happened yet."""
        game, moments = new_game(edition, cards, **more), numbers(MOMENT, 1_000_000)
        game.table = JournaledTable.begin(game.rules, self.file, TABLE, clock=lambda: next(moments))
        return seated(game, (1, 3, 5), chips=chips)

    def electronic(self, edition: str, kind: type[SealedShoe] = SealedShoe, *names: str) -> Game:
        """The same with an electronic shoe, and witnesses of these names."""
        game = self.open(edition, "", cover_card_depth=300)
        shares = Witnesses(*names, table="1") if names else None
        game.source = kind(game.rules, seed_of, table="1", triggers=FirstWager(game.rules), shares=shares)
        return game

    def report(self) -> DiscretionReport:
        """What an audit of the journal lists; nothing in it is a fault of the table's decisions."""
        found = audit_journals([self.path], discretion=True)
        assert not {each.kind for each in found.findings} - {"share_for_another_record", "false_gate_fault", "owed"}
        assert found.discretion is not UNSET
        return found.discretion

    def only(self) -> DiscretionaryAct:
        """The one act that it lists."""
        (found,) = self.report().acts
        return found


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[Journaled]:
    made = Journaled(tmp_path)
    yield made
    made.file.close()


def unseen_ranks(state: TableState, decks: int) -> list[int]:
    """How many cards of each rank nobody has seen, ace to king."""
    left = [4 * decks] * 13
    for card, times in state.shoe.seen.items():
        left[RANKS.index(card[0].upper())] -= times
    return left


def expected_on_banker(ranks: list[int], stake: int) -> Fraction:
    """What a stake on the Banker gains on average, with five per cent of vigorish; derived a second way."""
    gained, deals = Fraction(0), 0
    for opened in rounds_by_rank(ranks):
        for (player, banker, _, _), ways in opened.ends.items():
            won = Fraction(95, 100) if banker > player else -1 if banker < player else 0
            gained, deals = gained + opened.ways * ways * won, deals + opened.ways * ways
    return stake * gained / deals


def test_an_honest_round_leaves_nothing_to_anybody(kept: Journaled) -> None:
    kept.open("ma-midi-4").go("wager").play("1 p 2500", "3 b 2500")
    assert kept.report() == DiscretionReport()


def test_an_honest_electronic_shoe_leaves_nothing_to_anybody(kept: Journaled) -> None:
    game = kept.electronic("ma-midi-4", SealedShoe, "one").go("wager")
    while game.state.shoe.number == 0:
        if game.step == "wager" and not game.state.round.wagers:
            game.wager("1 t 500")
        else:
            game.act()
    assert kept.report() == DiscretionReport()


def test_without_the_option_an_audit_does_not_list_it(kept: Journaled) -> None:
    kept.open("ma-midi-4").go("wager").do(AbandonShoe(reason="why not"))
    assert audit_journals([kept.path]).discretion is UNSET


# ----------------------------------------------------------------------------------------------- shoes


@pytest.mark.slow
@pytest.mark.parametrize("edition", ["ma-midi-4", NEW_JERSEY])
def test_a_shoe_that_is_given_up_is_worth_the_last_wagers_by_the_unseen_cards(edition: str, kept: Journaled) -> None:
    game = kept.open(edition).go("wager")
    game.play("3 b 10000")
    game.go("wager")
    state = game.state
    game.do(AbandonShoe(reason="the count favours the players"), who="F. Loor")
    found = kept.only()
    assert (found.act, found.who, found.role) == ("abandon_shoe", "F. Loor", "floorperson")
    assert found.reason == "the count favours the players"
    assert (found.stream, found.shoe, found.round) == ("table 1", 1, 2)
    assert found.at >= MOMENT
    assert found.clauses == game.table.log[-2].cites
    ranks = unseen_ranks(state, game.rules.elections.decks or 0)
    assert Fraction(found.worth) == -expected_on_banker(ranks, 10_000) > 0, "the Banker loses by the odds"
    assert found.best == "banker"
    assert Fraction(found.best_gain) == expected_on_banker(ranks, 1)
    assert not found.known
    assert found.by_order is None, "nobody knows the order of real cards"


def to_wager_or_close(game: Game) -> str:
    """Do what is due until wagers are taken or the shoe is to be closed."""
    while game.step not in ("wager", "close"):
        game.act()
    return game.step


@pytest.mark.parametrize("names", [(), ("one", "two")])
def test_an_electronic_shoe_that_is_given_up_is_also_valued_by_its_order(
    names: tuple[str, ...], kept: Journaled
) -> None:
    """The same shoe, dealt to its end at a second table with the same wagers, wins or loses as much."""
    game = kept.electronic("ma-midi-4", SealedShoe, *names).go("wager")
    game.play("1 p 2500", "3 b 2500")
    game.go("wager")
    game.do(AbandonShoe(reason="the table closes"), who="F. Loor")
    game.go_to_act("close_shoe")
    found = kept.only()
    other = new_game("ma-midi-4", "", cover_card_depth=300)
    shares = Witnesses(*names, table="1") if names else None
    other.source = SealedShoe(other.rules, seed_of, table="1", triggers=FirstWager(other.rules), shares=shares)
    seated(other, (1, 3, 5)).go("wager").play("1 p 2500", "3 b 2500")
    before, rounds = sum(map(other.chips, (1, 3, 5))), 0
    while to_wager_or_close(other) == "wager":
        other.play("1 p 2500", "3 b 2500")
        rounds += 1
    assert (found.by_order, found.rounds) == (sum(map(other.chips, (1, 3, 5))) - before, rounds)
    assert rounds > 3
    assert found.known
    assert "order known to the house" in found.worth_words
    assert f"in {rounds} rounds" in found.worth_words
    assert found.stage == ""


def test_a_closing_without_a_seal_and_a_seal_without_a_round_are_listed(kept: Journaled) -> None:
    game = kept.electronic("ma-midi-4", SealedShoe, "one")
    game.go_to_act("give_share")
    (open_closing,) = kept.report().acts
    assert (open_closing.act, open_closing.who, open_closing.stage) == (UNFINISHED, THE_HOUSE, NOT_SEALED)
    assert not open_closing.known, "the witness has not opened its share"
    game.go_to_act("seal_order").act()
    (open_seal,) = kept.report().acts
    assert (open_seal.stage, open_seal.known) == (NO_ROUND, True)
    game.go("wager").do(AbandonShoe(reason="another shoe is wanted"), who="F. Loor")
    (given_up,) = kept.report().acts
    assert (given_up.act, given_up.who, given_up.stage) == ("abandon_shoe", "F. Loor", NO_ROUND)
    assert given_up.worth == "", "nobody has wagered at this table, so no wager is usual"
    assert given_up.best, "a unit on the best wager is worth something all the same"


def test_a_failed_shoe_is_listed_as_its_own_act_with_the_fault(kept: Journaled) -> None:
    game = kept.electronic("ma-midi-4", SealedShoe, "one").go_to_act("seal_order")
    game.do(FailShoe(why=GateFault.NOT_SHUFFLED))
    found = kept.only()
    assert (found.act, found.reason) == ("fail_shoe", "its cards lie as they come from their boxes")
    assert (found.stage, found.known, found.role) == (NOT_SEALED, True, "card source")


@pytest.mark.slow
def test_a_free_hand_is_worth_the_round_that_is_not_wagered_on(kept: Journaled) -> None:
    game = kept.open("ma-midi-4").go("wager")
    game.play("3 b 10000")
    game.go("wager")
    ranks = unseen_ranks(game.state, 8)
    game.do(RequestFreeHand(seat=5), who="participant 5")
    found = kept.only()
    assert (found.act, found.who, found.role) == ("request_free_hand", "participant 5", "participant")
    assert Fraction(found.worth) == -expected_on_banker(ranks, 10_000)


def test_somebody_who_sits_down_after_the_order_was_fixed_is_listed(kept: Journaled) -> None:
    game = kept.electronic("ma-midi-4").go("wager")
    game.play("1 t 500")
    game.do(Sit(seat=7, person="a friend"), by=Role.PARTICIPANT, who="a friend")
    found = kept.only()
    assert (found.act, found.who, found.known, found.worth) == ("sit", "a friend", True, "0/1")


def test_a_lost_seed_is_listed(kept: Journaled) -> None:
    game = kept.electronic("ma-midi-4", OrderOneShoe).go("wager")
    game.play("1 t 500")
    game.go("wager").do(AbandonShoe(reason="the table closes"), who="F. Loor")
    game.do(ReportLostSeed(reason="the disk broke"), who="F. Loor", second="P. Boss", second_role=Role.PIT_BOSS)
    given_up, lost = kept.report().acts
    assert (lost.act, lost.who, lost.seconds, lost.reason) == (
        "report_lost_seed",
        "F. Loor",
        ("P. Boss",),
        "the disk broke",
    )
    assert given_up.by_order is None, "without the seed nobody can derive the order"


# -------------------------------------------------------------------------------- orders, cards and rounds


def test_a_new_cut_is_worth_nothing_as_long_as_nobody_has_seen_a_card(kept: Journaled) -> None:
    game = kept.open("ma-midi-4").go("burn")
    game.do(OrderRecut(reason="the cut card was seen"), second="D. Ealer", who="S. Upervisor")
    found = kept.only()
    assert (found.act, found.who, found.reason) == ("order_recut", "S. Upervisor", "the cut card was seen")
    assert (found.measure, found.worth) == ("order", "0/1")


def test_a_new_cut_after_the_closing_is_a_shoe_given_up(kept: Journaled) -> None:
    game = kept.electronic("ma-midi-4").go("burn")
    game.do(OrderRecut(reason="the cut card was seen"), second="D. Ealer", who="S. Upervisor")
    found = kept.only()
    assert (found.act, found.measure, found.stage, found.known) == ("order_recut", "shoe", NO_ROUND, True)


def test_rights_that_are_taken_are_listed_and_worth_nothing(kept: Journaled) -> None:
    game = kept.open("ma-midi-4")
    game.go("wager").wager("1 p 2500", "3 b 2500").go("turn_player")
    game.do(OrderRelinquish(reason="he delays the game"), who="F. Loor", by=Role.FLOORPERSON)
    found = kept.only()
    assert (found.act, found.who, found.reason) == ("order_relinquish", "F. Loor", "he delays the game")
    assert (found.measure, found.worth, found.worth_words) == ("nothing", "0/1", "no card and no sum depends on it")


def test_a_shoe_that_is_taken_from_its_curator_is_listed(kept: Journaled) -> None:
    game = kept.open(NEW_JERSEY)
    while game.step != "wager":
        game.act(accept=game.next_act().act == "answer_shoe")
    game.do(OrderPass(reason="he slides the cards too fast"), who="F. Loor")
    found = kept.only()
    assert (found.act, found.who, found.worth) == ("order_pass", "F. Loor", "0/1")
    assert found.reason == "he slides the cards too fast"


def test_a_cut_that_the_dealer_declines_or_gives_up_for_somebody_is_listed(kept: Journaled) -> None:
    """The dealer said of everybody that they were away, and cut himself."""
    game = kept.open(NEW_JERSEY).go("offer_cut")
    game.do(AnswerCut(seat=5, accept=False), who="participant 5")
    assert kept.report() == DiscretionReport(), "he decides himself"
    game.do(AnswerCut(seat=3, accept=False), by=Role.DEALER, who="D. Ealer")
    declined = kept.only()
    assert (declined.act, declined.who, declined.measure, declined.worth) == ("answer_cut", "D. Ealer", "order", "0/1")
    game.do(AnswerCut(seat=1, accept=True), who="participant 1")
    game.do(GiveUpCut(seat=1), by=Role.DEALER, who="D. Ealer")
    assert [(each.act, each.who) for each in kept.report().acts] == [
        ("answer_cut", "D. Ealer"),
        ("give_up_cut", "D. Ealer"),
    ]


def test_a_right_that_the_dealer_declines_for_somebody_is_listed(kept: Journaled) -> None:
    game = kept.open("ma-midi-4")
    game.go("wager").wager("1 p 2500", "3 b 2500").go("turn_player")
    game.do(Relinquish(seat=1))
    while game.state.round.offering is not None:
        game.do(AnswerTurn(seat=game.next_act().seat, accept=False), by=Role.DEALER, who="D. Ealer")
    found = kept.report().acts
    assert {(each.act, each.who, each.measure) for each in found} == {("answer_turn", "D. Ealer", "nothing")}
    assert len(found) == 2


def test_a_shoe_that_the_dealer_declines_for_somebody_is_listed_and_so_is_a_curator_said_to_have_left(
    kept: Journaled,
) -> None:
    game = kept.open(NEW_JERSEY).go("offer_shoe")
    game.do(AnswerShoe(seat=1, accept=False), by=Role.DEALER, who="D. Ealer")
    game.do(AnswerShoe(seat=3, accept=True), who="participant 3")
    declined = kept.only()
    assert (declined.act, declined.who, declined.measure) == ("answer_shoe", "D. Ealer", "nothing")
    game.do(Leave(seat=3), who="F. Loor", by=Role.FLOORPERSON)
    game.do(Leave(seat=5), who="F. Loor", by=Role.FLOORPERSON)
    left = kept.report().acts[1:]  # seat 5 was offered the shoe, which seat 3 had
    assert [(each.act, each.who, each.measure, each.worth, each.what) for each in left] == [
        ("leave", "F. Loor", "wagers", "0/1", f"leave at seat {seat}") for seat in (3, 5)
    ]


@pytest.mark.parametrize("edition", ["ma-midi-1", NEW_JERSEY])
def test_somebody_whom_staff_say_has_left_before_he_answers_an_offer_is_listed(edition: str, kept: Journaled) -> None:
    """The dealer sent home who was offered the cut, in place of declining for him, and seated him again."""
    game = kept.open(edition).go("offer_cut")
    game.do(Leave(seat=5), by=Role.DEALER, who="D. Ealer")
    found = kept.only()
    assert (found.act, found.who, found.measure, found.worth) == ("leave", "D. Ealer", "wagers", "0/1")


def test_a_right_to_turn_cards_that_somebody_is_offered_goes_with_him_and_is_listed(kept: Journaled) -> None:
    game = kept.open("ma-midi-4").go("wager").wager("1 p 2500").go("turn_player")
    game.do(Relinquish(seat=1))
    game.do(Leave(seat=game.next_act().seat), by=Role.FLOORPERSON, who="F. Loor")
    assert [each.act for each in kept.report().acts] == ["leave"]


def test_a_spoken_wager_and_a_free_hand_that_go_with_somebody_are_listed(kept: Journaled) -> None:
    game = kept.open("ma-midi-4").go("wager")
    game.do(RequestFreeHand(seat=1))
    game.do(Leave(seat=1), by=Role.DEALER, who="D. Ealer")
    game.do(SpeakWager(seat=3, on=WagerKind.PLAYER, stake=2_500, cash=True))
    game.do(Leave(seat=3), by=Role.DEALER, who="D. Ealer")
    game.do(Leave(seat=5), by=Role.DEALER, who="D. Ealer")
    assert [each.what for each in kept.report().acts if each.act == "leave"] == ["leave at seat 1", "leave at seat 3"]


def test_chips_that_stand_in_the_books_alone_do_not_leave_unlisted(tmp_path: Path) -> None:
    """Staff said that a patron of an automated table had left; a cashier redeemed his chips for somebody else."""
    rules, path = rulebook("ma-midi-4"), tmp_path / "journal.jsonl"
    with JournalFile(path, sync=False) as file:
        assert not list(file.open())
        table = JournaledTable.begin(rules, file, TABLE, cards=TableCards.AUTOMATED)
        dealer = actor(Role.DEALER, "D. Ealer")
        for seat in (1, 3):
            assert isinstance(table.do(Sit(seat=seat), actor(Role.PARTICIPANT, f"p{seat}")), Accepted)
        assert isinstance(table.do(BuyIn(seat=1, amount=50_000), dealer), Accepted)
        for seat in (1, 3):
            assert isinstance(table.do(Leave(seat=seat), dealer), Accepted)
    found = audit_journals([path], discretion=True).discretion
    assert found is not UNSET
    assert [each.what for each in found.acts] == ["leave at seat 1, with chips of $500.00"]


def test_other_odds_at_a_table_are_listed_when_they_are_filed_and_when_they_are_adopted(tmp_path: Path) -> None:
    """One supervisor filed a Tie at 1,000 to 1 and adopted it, a friend wagered, and no report said so."""
    rules, path = rulebook("ma-midi-4"), tmp_path / "journal.jsonl"
    with JournalFile(path, sync=False) as file:
        assert not list(file.open())
        house = opened_house(rules, house=JournaledHouse.begin(rules, file))
        table, alone = open_table(house, rules), actor(Role.CASINO_SUPERVISOR, "S. Uper")
        taken(in_pit(house, PIT_NAME, ChangeOptions(changes={"tie_odds": 1_000}, effective=0), alone))
        filed = latest(house.state.pits[PIT_NAME], table.name).filed
        adopt = AdoptRules(submission={"ruleset": filed.ruleset, **filed.stated})
        assert isinstance(table.do(adopt, alone), Accepted)
        for name, odds in (("T2", 1_000), ("T3", 999), ("T4", 8)):  # the first and the last as T1 has had them
            coming = file_rules(rulebook("ma-midi-4", tie_odds=odds))
            opening = OpenTable(table=name, filed=coming, effective=0, cards=TableCards.REAL)
            taken(in_pit(house, PIT_NAME, opening, alone))
    found = audit_journals([path], discretion=True)
    assert not found.findings
    assert found.discretion is not UNSET
    changed, opened, adopted = found.discretion.acts
    assert (changed.act, changed.who, changed.measure, changed.worth) == ("change_options", "S. Uper", "terms", "")
    assert changed.what == "change options at every table: tie_odds 1000"
    assert changed.worth_words == "what it is worth depends on the wagers to come"
    assert (opened.act, opened.measure) == ("open_table", "terms")
    assert opened.what.startswith("open T3 under other rules than its pit has: ma-midi-4, rulebook ")
    assert (adopted.act, adopted.what) == ("adopt_rules", f"adopt rules: ma-midi-4, rulebook {filed.hash[:12]}")


def test_other_terms_of_a_shared_meter_are_listed(tmp_path: Path) -> None:
    """Two persons let the next jackpot begin at a thousand times its filed seed: no limit of goodwill bounds that."""
    rules, path = rulebook("ma-midi-4-royal9"), tmp_path / "journal.jsonl"
    with JournalFile(path, sync=False) as file:
        assert not list(file.open())
        floor = Floor.opened(rules, 5, house=JournaledHouse.begin(rules, file))
        terms = replace(floor.linked.royal9.meters["spade"].terms, seed=35_000_000 * MICRO)
        command = SetNextTerms(meter="spade", terms=terms)
        taken(in_link(floor.house, LINK_NAME, command, ADMIN_AND_SUPERVISOR))
    found = audit_journals([path], discretion=True).discretion
    assert found is not UNSET
    (listed,) = found.acts
    assert (listed.act, listed.who, listed.seconds) == ("set_next_terms", "admin", ("supervisor",))
    assert listed.what == "the next jackpot of spade begins at $350,000.00 and takes $0.25 a wager"
    assert (listed.measure, listed.worth) == ("terms", "")


@pytest.mark.parametrize("edition", ["ma-midi-4", NEW_JERSEY])
def test_a_cover_card_at_another_depth_than_filed_is_listed(edition: str, kept: Journaled) -> None:
    """One person ended a shoe after a round or two, by putting nearly all cards behind the cover card."""
    game = kept.open(edition).go("cover_card")
    game.do(PlaceCoverCard(behind=390), who="D. Ealer")
    found = kept.only()
    assert (found.act, found.who, found.measure, found.worth) == ("place_cover_card", "D. Ealer", "order", "0/1")
    assert found.what == "place cover card: 390 cards behind it, 14 filed"


def test_a_cover_card_placed_when_the_order_was_known_says_so(kept: Journaled) -> None:
    game = kept.electronic("ma-midi-4", SealedShoe, "one").go("cover_card")
    game.do(PlaceCoverCard(behind=14), who="D. Ealer")
    assert [(each.act, each.known) for each in kept.report().acts if each.who == "D. Ealer"] == [
        ("place_cover_card", True)
    ]


def test_what_the_clock_does_is_nobodys_judgement(kept: Journaled) -> None:
    game = kept.open("ma-midi-4")
    game.go("wager").wager("1 p 2500", "3 b 2500").go("turn_player")
    game.go_to_act("return_cards")
    outcome = game.table.do(OrderRelinquish(seat=1, reason="time is over"), Actor(who="clock", origin=Origin.CLOCK))
    assert isinstance(outcome, Accepted)
    assert kept.report() == DiscretionReport()


def test_a_card_drawn_in_error_is_listed_whether_it_was_seen_or_not(kept: Journaled) -> None:
    game = kept.open("ma-midi-4", "2D 2S 4S 4C 8C 5D 5C 4D KS 6C 7C 8D 8H 3H 9S").go("wager").wager("1 p 2500")
    while set(game.state.round.counted) != set(Side):
        game.act()
    game.do(ReportErrorCard(card=Card.parse("8C")), who="D. Ealer")
    game.do(ReportErrorCard(), who="D. Ealer")
    seen, unseen = kept.report().acts
    assert (seen.act, seen.who, seen.measure) == ("report_error_card", "D. Ealer", "seen")
    assert (unseen.act, unseen.who, unseen.measure, unseen.worth) == ("report_error_card", "D. Ealer", "order", "0/1")


@pytest.mark.slow
def test_a_card_drawn_in_error_and_seen_is_listed_with_the_wagers_that_it_sends_back(kept: Journaled) -> None:
    """One person says so; the wagers go back, and other cards come."""
    game = kept.open("ma-midi-4", f"9C {BANKER_WINS} {REST}").go("wager").wager("3 b 10000")
    ranks = unseen_ranks(game.state, 8)
    game.do(ReportErrorCard(card=Card.parse("9C")), who="D. Ealer")
    assert not game.state.round.wagers
    found = kept.only()
    assert (found.act, found.who, found.measure) == ("report_error_card", "D. Ealer", "seen")
    assert Fraction(found.worth) == -expected_on_banker(ranks, 10_000)


@pytest.mark.slow
def test_a_confirmed_card_that_voids_a_round_is_worth_its_wagers_given_the_cards(kept: Journaled) -> None:
    game = kept.open("ma-midi-4", "6S 6S 6S 6S 6S 6S 9D 2D 3D 4D 5D", decks=6).go("wager")
    game.play("1 t 500")
    game.go("wager").wager("3 b 10000").go_to_act("turn_card")
    game.act()
    turned = {place: str(card) for place, card in game.state.round.turned.items()}
    ranks, first = unseen_ranks(game.state, 6), game.state.round.player[0]
    assert list(turned) == [first]
    position = game.next_act().position
    assert position is not None
    game.do(ConfirmCard(position=position, card=Card.parse("6S")), who="F. Loor")
    found = kept.only()
    assert (found.act, found.who) == ("confirm_card", "F. Loor")
    assert Fraction(found.worth) == -_banker_after_first(ranks, RANKS.index(turned[first][0].upper()), 10_000)


def _banker_after_first(ranks: list[int], first: int, stake: int) -> Fraction:
    """What the Banker's stake gains if the Player's first card is known: from all deals in which that card comes first.

    Derived by adding the card back and counting only the openings of the Player that begin with it.
    """
    whole = list(ranks)
    whole[first] += 1
    gained, deals = Fraction(0), Fraction(0)
    for opened in rounds_by_rank(whole):
        if first not in opened.player:
            continue
        share = Fraction(1) if opened.player[0] == opened.player[1] else Fraction(1, 2)
        for (player, banker, _, _), ways in opened.ends.items():
            won = Fraction(95, 100) if banker > player else -1 if banker < player else 0
            gained += share * opened.ways * ways * won
            deals += share * opened.ways * ways
    return stake * gained / deals


# ------------------------------------------------------------------------------------------------ money


def settled(game: Game, *wagers: str) -> Game:
    """A round with every chip moved."""
    game.go("wager").wager(*wagers).go("settle")
    while game.step == "settle":
        game.act()
    return game


def test_a_card_corrected_after_the_payment_is_worth_what_it_changes_and_the_payment_nothing_more(
    kept: Journaled,
) -> None:
    game = settled(kept.open("ma-midi-4"), "1 b 2500")
    set_right(game, game.state.round.banker[0], "7D", "a seven, not a nine: the hands were equal")
    paid = max(at for at, event in enumerate(game.table.log) if isinstance(event, Paid))
    game.do(CorrectPayment(corrects=paid, seat=1, amount=125 - 2500, reason="a tie pays nothing"), **PERSONS)
    card, payment = kept.report().acts
    assert (card.act, card.who, card.seconds, card.reason) == (
        "correct_card", "D. Ealer", ("F. Loor",), "a seven, not a nine: the hands were equal",
    )  # fmt: skip
    assert Fraction(card.worth) == 125 - 2500
    assert (payment.act, payment.reason, payment.worth) == ("correct_payment", "a tie pays nothing", "0/1")
    assert payment.worth_words == "worth nothing beyond what the cards owe"
    assert [(each.who, each.acts, each.approved, each.worth) for each in kept.report().persons] == [
        ("D. Ealer", 2, 0, "-2375/1"),
        ("F. Loor", 0, 2, "0/1"),
    ]


@pytest.mark.slow
def test_a_card_corrected_in_an_open_round_is_worth_the_difference_of_the_odds(kept: Journaled) -> None:
    game = kept.open("ma-midi-4", f"{BANKER_WINS} {REST}").go("wager").wager("1 b 2500").go("turn_banker")
    before, ranks = game.state, unseen_ranks(game.state, 8)
    player = [RANKS.index(str(before.round.turned[place])[0].upper()) for place in before.round.player]
    assert [RANKS[each] for each in player] == ["7", "T"]
    set_right(game, before.round.player[0], "6S", "a six, not a seven")
    after = unseen_ranks(game.state, 8)
    found = kept.only()
    six, ten = RANKS.index("6"), RANKS.index("T")
    expected = _banker_after_hand(after, (six, ten), 2500) - _banker_after_hand(ranks, (player[0], ten), 2500)
    assert Fraction(found.worth) == expected != 0


def _banker_after_hand(ranks: list[int], hand: tuple[int, int], stake: int) -> Fraction:
    """What the Banker's stake gains against a known opening hand of the Player."""
    whole = list(ranks)
    for rank in hand:
        whole[rank] += 1
    rounds = [each for each in rounds_by_rank(whole) if sorted(each.player) == sorted(hand)]
    gained, deals = Fraction(0), 0
    for opened in rounds:
        for (player, banker, _, _), ways in opened.ends.items():
            won = Fraction(95, 100) if banker > player else -1 if banker < player else 0
            gained, deals = gained + opened.ways * ways * won, deals + opened.ways * ways
    return stake * gained / deals


def test_goodwill_is_worth_its_sum(kept: Journaled) -> None:
    game = settled(kept.open("ma-midi-4", goodwill_limit="$100.00"), "1 b 2500")
    gift = PayGoodwill(seat=1, amount=7000, reason="an apology")
    game.do(gift, who="F. Loor", second="A. Dmin", second_role=Role.ADMINISTRATOR)
    found = kept.only()
    assert (found.act, found.who, found.seconds, found.reason) == (
        "pay_goodwill",
        "F. Loor",
        ("A. Dmin",),
        "an apology",
    )
    assert (found.worth, found.worth_words) == ("7000/1", "worth +$70.00 to the participants")


@pytest.mark.parametrize("edition", ["ma-midi-4", "nj-punto-banco"])
def test_a_coupon_on_paper_is_listed_with_its_value(edition: str, kept: Journaled) -> None:
    """Only the dealer sees the paper: with a confederate among the patrons he could pay coupons that nobody issued."""
    game = kept.open(edition, match_play=True).go("wager")
    game.do(PlaceWager(seat=1, on=WagerKind.BANKER, stake=2500, coupon=2500))
    game.do(PlaceWager(seat=3, on=WagerKind.BANKER, stake=2500))
    found = kept.only()
    assert (found.act, found.role, found.worth) == ("place_wager", "participant", "2500/1")
    assert found.what == "place wager at seat 1, $25.00 on banker, with a coupon of $25.00 on paper"


def test_what_cannot_be_collected_is_worth_its_sum(kept: Journaled) -> None:
    """A debt of an earlier round was collected out of a payment that the cards did not owe: $5.00 of it are gone."""
    cards = f"{BANKER_WINS} 9S 7D TH KC {REST}"
    game = kept.open("ma-midi-4", cards, chips=10_000, vig_collection="deferred").go("wager")
    game.play("3 b 10000")
    game.go("wager").wager("3 p 20000").go("clear")
    game.do(CollectVigorish(seat=3))
    set_right(game, game.state.round.player[0], "6S", "a six, upside down")
    assert [(due.act, due.seat, due.amount) for due in game.table.expected] == [("report_uncollected", 3, 40_000)]
    game.refused(ClearTable(), "out_of_order")
    game.do(ReportUncollected(seat=3, reason="cannot pay"), who="F. Loor", second="S. Uper")
    assert (game.chips(3), game.state.money.receivables) == (0, {"participant 3": 500})
    game.finish_round()
    found = next(each for each in kept.report().acts if each.act == "report_uncollected")
    assert (found.who, found.seconds, found.reason) == ("F. Loor", ("S. Uper",), "cannot pay")
    assert found.worth == "500/1"


def test_an_exception_is_worth_the_debt(kept: Journaled) -> None:
    cards = f"{BANKER_WINS} {BANKER_WINS} {REST}"
    game = kept.open("ma-midi-4", cards, chips=10_000, vig_collection="deferred").go("wager")
    game.play("3 b 10000")
    game.go("wager").play("3 p 20000")
    game.do(ReportException(seat=3, reason="walked away"), who="F. Loor", second="S. Upervisor")
    found = kept.only()
    assert (found.act, found.who, found.seconds) == ("report_exception", "F. Loor", ("S. Upervisor",))
    assert (found.reason, found.worth) == ("walked away", "500/1")


def test_waived_vigorish_is_worth_its_form(kept: Journaled) -> None:
    game = kept.open(NEW_JERSEY, vig_collection="deferred").go("wager")
    game.play("3 b 10000")
    game.do(ReceiveForms(first=1, last=50), who="C. Lerk")
    form = ComplimentaryForm(
        serial=1, amount=500, patron="participant 3", dealer="D. Ealer", pit_boss="B. Oss", pit_clerk="C. Lerk",
        why_not_signed="he has left", stated_by="B. Oss",
    )  # fmt: skip
    game.do(DocumentVigorish(seat=3, form=form), who="C. Lerk", second="B. Oss")
    found = kept.only()
    assert (found.act, found.who, found.seconds) == ("document_vigorish", "C. Lerk", ("B. Oss",))
    assert (found.reason, found.worth) == ("he has left", "500/1")


def test_a_meter_that_is_raised_is_worth_what_is_put_into_it() -> None:
    event = MeterCorrected(
        corrects=1, meter="major", amount=2_500_000, reason="a mistake", requester="D. Ealer", approver="F. Loor"
    )
    state = TableState(step="wager")
    assert worth_of("sum", rulebook("ma-midi-4"), before=state, after=state, events=[event], usual=()) == Fraction(5, 2)


@pytest.mark.slow
def test_a_card_reported_face_up_is_listed_with_the_wagers_that_it_sends_back(kept: Journaled) -> None:
    """Nobody but staff has seen it, and the wagers are returned: they lose what they were worth."""
    game = kept.open("ma-midi-4", f"9C {BANKER_WINS} {REST}").go("wager").wager("3 b 10000")
    game.go_to_act("call_no_more_bets")
    ranks = unseen_ranks(game.state, 8)
    game.do(ReportFaceUp(card=Card.parse("9C")), who="D. Ealer")
    assert not game.state.round.wagers
    found = kept.only()
    assert (found.act, found.who, found.measure) == ("report_face_up", "D. Ealer", "seen")
    assert Fraction(found.worth) == -expected_on_banker(ranks, 10_000)


@pytest.mark.slow
def test_a_card_that_was_seen_before_its_turn_is_listed_by_what_it_changes(kept: Journaled) -> None:
    game = kept.open("ma-midi-4").go("wager").wager("3 b 10000").go_to_act("turn_card")
    first, ranks = game.state.round.player[0], unseen_ranks(game.state, 8)
    game.do(ReportExposedCard(position=first, card=Card.parse("7S")), who="F. Loor", by=Role.FLOORPERSON)
    found = kept.only()
    assert (found.act, found.who, found.measure) == ("report_exposed_card", "F. Loor", "seen")
    after = _banker_after_first(unseen_ranks(game.state, 8), RANKS.index("7"), 10_000)
    assert Fraction(found.worth) == after - expected_on_banker(ranks, 10_000)


def test_a_card_found_face_up_without_wagers_changes_nothing(kept: Journaled) -> None:
    game = kept.open("ma-midi-4", f"9C {BANKER_WINS} {REST}").go("wager")
    game.do(ReportFaceUp(card=Card.parse("9C")), who="D. Ealer")
    assert (kept.only().act, kept.only().worth) == ("report_face_up", "0/1")


def test_a_trigger_that_nobody_can_open_is_listed_and_one_that_is_shown_is_not(kept: Journaled) -> None:
    game = kept.open("ma-midi-4-royal9", must_hit=RANGE).go("wager")
    game.play("3 t 500", "3 royal9 500")
    assert kept.report() == DiscretionReport()
    game.go("wager").wager("3 t 500", "3 royal9 500").go("must_hit").do(
        EndRound(lost="the key is gone"), who="D. Ealer", second="S. Uper"
    )
    found = kept.only()
    assert (found.act, found.who, found.seconds, found.measure) == ("end_round", "D. Ealer", ("S. Uper",), "trigger")
    assert (found.worth, found.worth_words) == ("", "its worth is unknown: nobody can open the trigger")


def test_acts_in_the_books_of_a_house_are_listed(tmp_path: Path) -> None:
    """Coupons that are cancelled take their value from the patron; those missing at the count, and forms, are told."""
    rules, path = rulebook("ma-midi-4", match_play=True), tmp_path / "journal.jsonl"
    with JournalFile(path, sync=False) as file:
        assert not list(file.open())
        house = opened_house(rules, house=JournaledHouse(rules, file))
        table = open_table(house, rules)
        issue = IssueCoupons(first=101, last=104, value=2_500, patron="p1")
        taken(house.do(issue, ADMIN_AND_CASHIER, stream=COUPON_STREAM))
        cancel = CancelCoupons(first=103, last=104, reason="he is barred")
        taken(house.do(cancel, ADMIN_AND_CASHIER, stream=COUPON_STREAM))
        assert isinstance(table.do(Sit(seat=1, person="p1")), Accepted)
        assert isinstance(table.do(BuyIn(seat=1, amount=10**7)), Accepted)
        wagered = WagerKind.PLAYER
        for number in (101, 102):
            run_until(table, stacks(rules, "c"), stop=lambda t: t.state.step == "wager", wagers=lambda _: None)
            wager = PlaceWager(seat=1, on=wagered, stake=2_500, coupon=2_500, coupon_number=number)
            assert isinstance(table.do(wager), Accepted)
            run_until(table, stacks(rules, "c"), stop=lambda t: not t.state.round.wagers, wagers=lambda _: None)
        there = house.state.coupons.taken_at(table.name)
        count = CountCoupons(table=table.name, numbers=(*there[:1], 104))
        taken(house.do(count, TWO_COUNTERS, stream=COUPON_STREAM))
    found = audit_journals([path], discretion=True).discretion
    assert found is not UNSET
    listed = {each.act: each for each in found.acts}
    issued = listed["issue_coupons"]  # no limit is filed for them, as there is for goodwill
    assert (issued.worth, issued.worth_words) == ("10000/1", "worth +$100.00 to the participants")
    assert issued.what == "issue coupons 101 to 104 of $25.00 to p1"
    assert (issued.who, issued.seconds) == ("admin", ("cashier",))
    cancelled = listed["cancel_coupons"]
    assert (cancelled.worth, cancelled.reason, cancelled.stream) == ("-5000/1", "he is barred", "coupons")
    assert cancelled.seconds
    assert cancelled.what == "cancel coupons 103 to 104"
    counted = listed["count_coupons"]
    missing = f"missing: {there[1]}; " if len(there) > 1 else ""
    assert counted.what == f"count coupons of {table.name}, {missing}not taken there: 104"
    assert counted.worth_words == "no card and no sum depends on it"


# ------------------------------------------------------------------------------------------- declarations


def test_counts_that_differ_from_the_books_are_listed_and_those_that_agree_are_not(tmp_path: Path) -> None:
    """Two persons say what was there: nobody else has seen it."""
    rules, path = rulebook("ma-midi-4"), tmp_path / "journal.jsonl"
    with JournalFile(path, sync=False) as file:
        assert not list(file.open())
        house = opened_house(rules, house=JournaledHouse(rules, file))
        table = open_table(house, rules)
        pit = actor(Role.DEALER, "D. Ealer", ("F. Loor", Role.FLOORPERSON))
        for chips in ({10_000_000: 100}, {10_000_000: 99, 10_000: 999}):
            counted = CountTray(table=table.name, counted=Inventory(chips))
            taken(house.do(counted, pit, stream=CAGE_STREAM))
        assert isinstance(table.do(Sit(seat=1, person="p1")), Accepted)
        assert isinstance(table.do(BuyIn(seat=1, amount=50_000)), Accepted)
        taken(house.do(CountDrop(table=table.name, counted=50_100), TWO_COUNTERS, stream=CAGE_STREAM))
    found = audit_journals([path], discretion=True).discretion
    assert found is not UNSET
    listed = {each.act: each for each in found.acts}
    assert len(found.acts) == len(listed) == 2
    tray, drop = listed["count_tray"], listed["count_drop"]
    assert (tray.who, tray.seconds, tray.measure) == ("D. Ealer", ("F. Loor",), "count")
    assert tray.what == f"count the tray of {table.name}: $100.00 short"
    assert tray.worth_words == "the cards owe nobody what is missing"
    assert drop.what == f"count the drop box of {table.name}: $1.00 over"


@pytest.mark.slow
def test_a_patron_with_wagers_whom_staff_say_has_left_is_listed_with_what_they_were_worth(kept: Journaled) -> None:
    game = kept.open("ma-midi-4").go("wager").wager("1 p 5000", "3 b 10000")
    ranks = unseen_ranks(game.state, 8)
    game.do(Leave(seat=1))
    assert kept.report() == DiscretionReport(), "he decides himself"
    game.do(Leave(seat=3), who="F. Loor", by=Role.FLOORPERSON)
    found = kept.only()
    assert (found.act, found.who, found.measure) == ("leave", "F. Loor", "wagers")
    assert Fraction(found.worth) == -expected_on_banker(ranks, 10_000)


def test_acts_in_books_are_declared_by_their_cards() -> None:
    kinds = [kind for stream in BOOKS for kind in held(stream).handlers]
    declared = {str(kind.__struct_config__.tag) for kind in kinds if kind.CARD.discretion}
    assert declared == {
        "cancel_coupons", "change_options", "close_tray", "count_coupons", "count_drop", "count_tray", "issue_coupons",
        "open_table",
        "report_missing",
        "set_next_terms",
    }  # fmt: skip


def test_every_act_that_is_left_to_judgement_is_declared_by_its_card() -> None:
    declared = {name for name, kind in COMMANDS.items() if kind.CARD.discretion}
    assert declared == {
        "abandon_shoe", "adopt_rules", "answer_cut", "answer_shoe", "answer_turn", "confirm_card", "correct_card",
        "correct_meter",
        "correct_payment", "document_vigorish", "end_round", "fail_shoe", "give_up_cut", "leave", "miss_form",
        "order_pass", "order_recut", "order_relinquish", "pay_goodwill", "place_cover_card", "place_wager",
        "report_error_card", "report_exception", "report_exposed_card", "report_face_up", "report_lost_seed",
        "report_uncollected", "request_free_hand", "sit",
    }  # fmt: skip


# -------------------------------------------------------------------------------------------- the program


def run(*words: str) -> tuple[int, str, str]:
    """An audit by the program: its status, and what it prints."""
    done = forked.run("audit", *words)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def test_the_program_prints_it_as_text_json_and_page(kept: Journaled, tmp_path: Path) -> None:
    game = kept.open("ma-midi-4").go("wager")
    game.play("3 b 10000")
    game.go("wager").do(AbandonShoe(reason="the count favours the players"), who="F. Loor")
    page = tmp_path / "page.html"
    text = run(str(kept.path), "--discretion", "--html", str(page))[1]
    assert "left to somebody's judgement: 1 act" in text
    assert "F. Loor (floorperson): abandon shoe (the count favours the players)\n    entry " in text
    assert ", shoe 1 round 2" in text
    assert "F. Loor: 1 act, 0 of others approved" in text
    shown = page.read_text()
    assert "Totals by person" in shown
    assert "the count favours the players" in shown
    found = msgspec.json.decode(run(str(kept.path), "--discretion", "--json")[1])["discretion"]
    assert [each["act"] for each in found["acts"]] == ["abandon_shoe"]
    assert found["persons"][0]["who"] == "F. Loor"
    assert "discretion" not in msgspec.json.decode(run(str(kept.path), "--json")[1])
    log = run(str(ROOT / "docs" / "examples" / "rounds.csv"), "-s", "ma-midi-4", "--discretion")
    assert (log[0], "--discretion are for journals" in log[2]) == (2, True)
