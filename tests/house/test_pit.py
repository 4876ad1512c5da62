"""The pit: options that must be the same at all its tables, and the notices without which none changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from baccarat import InvalidSubmission
from baccarat.house.book import Context
from baccarat.house.filed_rules import check_filed, file_rules, read_rules
from baccarat.house.notice import Notice
from baccarat.house.notice import changes as changes_between
from baccarat.house.option_change import ChangeOptions
from baccarat.house.pit import Pit, latest, rules_at
from baccarat.house.pit_book import PIT, GiveNotice
from baccarat.house.reason import HouseReason
from baccarat.house.table_opening import OpenTable, TableOpened
from baccarat.law.edition import load_edition
from baccarat.law.error import RulesError
from baccarat.law.rulebook import Rulebook, rulebook, shipped_submissions
from baccarat.play.refusal import Refused
from baccarat.table.role import Role
from baccarat.table.table_cards import TableCards
from edited_edition import own, rules_under
from house_books import BOSS, actor, decided
from strategies import MASSACHUSETTS, NEW_JERSEY

clause = pytest.mark.clause
BOTH = ("surveillance", "commission")
NOON = 12 * 3600


def notices_of(
    option: str,
    value: Any,
    *,
    to: Sequence[str] = BOTH,
    minutes: int = 30,
    at: int = NOON,
    written: bool = True,
    pit: str = "A",
) -> list[Notice]:
    """Notices of an election, so many minutes before it takes effect."""
    return [
        Notice(to=whom, pit=pit, option=option, value=value, sent=at - 60 * minutes, written=written) for whom in to
    ]


def act(pit: Pit, rules: Rulebook, command: Any) -> Any:
    return decided(PIT, Context(rules=rules, actor=BOSS), pit, command)


def given(pit: Pit, rules: Rulebook, notices: Sequence[Notice]) -> Pit:
    """The pit after notices that it can be given; those of another pit or already on record change nothing."""
    for notice in notices:
        outcome = act(pit, rules, GiveNotice(notice=notice))
        pit = outcome if isinstance(outcome, Pit) else pit
    return pit


def open_table(pit: Pit, *, table: str, rules: Rulebook, notices: Sequence[Notice] = (), effective: int) -> Any:
    return act(
        given(pit, rules, notices),
        rules,
        OpenTable(table=table, filed=file_rules(rules), effective=effective, cards=TableCards.REAL),
    )


def opened(*rules: Rulebook) -> Pit:
    """A pit with a table for each rulebook, opened at time 0 and announced long before."""
    pit = Pit(name="A")
    for number, each in enumerate(rules, start=1):
        before = rules[0] if number > 1 else None
        notices = [
            notice
            for law, needed in changes_between(before, each, opening=True)
            for notice in notices_of(needed.option, needed.after, to=law.to, minutes=999 + number, at=0)
        ]
        outcome = open_table(pit, table=f"T{number}", rules=each, notices=notices, effective=0)
        assert isinstance(outcome, Pit), outcome
        pit = outcome
    return pit


def change(pit: Pit, notices: Sequence[Notice], *, at: int = NOON, tables: Any = None, **changes: Any) -> Any:
    rules = latest(pit, "T1").rules
    command = ChangeOptions(changes=changes, effective=at, tables=tables)
    return act(given(pit, rules, notices), rules, command)


def refused(outcome: object, code: HouseReason, *paragraphs: str) -> None:
    assert isinstance(outcome, Refused), outcome
    assert (outcome.code, [cite.paragraph for cite in outcome.cites]) == (code, list(paragraphs))


def reshuffle(edition: str) -> tuple[str, str]:
    """The paragraphs on notice of the further shuffle, and on one way of shuffling in a pit."""
    return ("3.5(a)1ii", "3.5(b)") if edition == NEW_JERSEY else ("5(a)(2)", "5(b)")


each_edition = pytest.mark.parametrize("edition", [*MASSACHUSETTS, NEW_JERSEY])
RESHUFFLE = ("MA:5(a)(2)", "NJ:3.5(a)1ii")

# ----------------------------------------------------------------------------- the further shuffle, P124, P125


@clause(*RESHUFFLE)
@each_edition
def test_p124_5_a_2_thirty_minutes_of_written_notice_to_both_begin_or_end_the_further_shuffle(edition: str) -> None:
    pit = opened(rulebook(edition), rulebook(edition))
    begun = change(pit, notices_of("reshuffle_after_lace", "all"), reshuffle_after_lace="all")
    assert isinstance(begun, Pit)
    assert [len(held) for held in begun.tables.values()] == [2, 2]
    context = Context(rules=latest(pit, "T1").rules, actor=BOSS)
    announced = given(pit, context.rules, notices_of("reshuffle_after_lace", "all"))
    changed = PIT.decide(context, announced, ChangeOptions(changes={"reshuffle_after_lace": "all"}, effective=NOON))
    assert not isinstance(changed, Refused)
    assert [cite.split("§")[1] for cite in changed.events[0].cites][:2] == [*reversed(reshuffle(edition))]
    later = NOON + 3600
    ended = change(begun, notices_of("reshuffle_after_lace", "none", at=later), at=later, reshuffle_after_lace="none")
    assert isinstance(ended, Pit)
    held = [rules_at(ended, "T2", time).elects("reshuffle_after_lace") for time in (0, NOON - 1, NOON, later)]
    assert held == ["none", "none", "all", "none"]


@clause(*RESHUFFLE)
@each_edition
def test_5_a_2_a_table_that_opens_within_the_half_hour_does_not_begin_it_earlier(edition: str) -> None:
    """The pit had announced it for later: that counted as having it, and a second table began at once."""
    pit = change(opened(rulebook(edition)), notices_of("reshuffle_after_lace", "all"), reshuffle_after_lace="all")
    assert isinstance(pit, Pit)
    rules = rulebook(edition, reshuffle_after_lace="all")
    refused(open_table(pit, table="T2", rules=rules, effective=NOON - 1), HouseReason.NO_NOTICE, reshuffle(edition)[0])
    assert isinstance(open_table(pit, table="T2", rules=rules, effective=NOON), Pit)
    opening = OpenTable(table="T2", filed=file_rules(rules), effective=NOON - 1, cards=TableCards.REAL)
    older = PIT.decide(Context(rules=rules, actor=BOSS, behaviour=2), pit, opening)
    assert not isinstance(older, Refused)


@clause(*RESHUFFLE)
@each_edition
def test_p125_5_a_2_twenty_nine_minutes_are_too_few(edition: str) -> None:
    pit, (where, _) = opened(rulebook(edition)), reshuffle(edition)
    wanted: dict[str, Any] = {"reshuffle_after_lace": "some"}
    refused(change(pit, notices_of("reshuffle_after_lace", "some", minutes=29), **wanted), HouseReason.TOO_LATE, where)
    one_late = [
        *notices_of("reshuffle_after_lace", "some", to=BOTH[:1], minutes=90),
        *notices_of("reshuffle_after_lace", "some", to=BOTH[1:], minutes=30, at=NOON + 1),
    ]
    refused(change(pit, one_late, **wanted), HouseReason.TOO_LATE, where)
    assert isinstance(change(pit, one_late, at=NOON + 1, **wanted), Pit), "30 minutes from the later of the two"


@clause(*RESHUFFLE)
@each_edition
def test_5_a_2_both_are_told_and_in_writing(edition: str) -> None:
    pit, (where, _) = opened(rulebook(edition)), reshuffle(edition)
    wanted: dict[str, Any] = {"reshuffle_after_lace": "all"}
    refused(change(pit, [], **wanted), HouseReason.NO_NOTICE, where)
    for whom in BOTH:
        one = notices_of("reshuffle_after_lace", "all", to=(whom,), minutes=60)
        refused(change(pit, one, **wanted), HouseReason.NO_NOTICE, where)
    spoken = notices_of("reshuffle_after_lace", "all", minutes=60, written=False)
    refused(change(pit, spoken, **wanted), HouseReason.NOT_WRITTEN, where)
    refused(change(pit, notices_of("reshuffle_after_lace", "all", pit="B"), **wanted), HouseReason.NO_NOTICE, where)
    refused(change(pit, notices_of("reshuffle_after_lace", "some"), **wanted), HouseReason.NO_NOTICE, where)
    refused(change(pit, notices_of("cover_card_depth", "all"), **wanted), HouseReason.NO_NOTICE, where)


@clause(*RESHUFFLE)
@each_edition
def test_5_a_2_more_or_less_of_it_neither_begins_nor_ends_it(edition: str) -> None:
    pit = opened(rulebook(edition, reshuffle_after_lace="some"))
    assert isinstance(change(pit, [], reshuffle_after_lace="all"), Pit)
    where, _ = reshuffle(edition)
    refused(change(pit, [], reshuffle_after_lace="none"), HouseReason.NO_NOTICE, where)


@clause(*RESHUFFLE)
@each_edition
def test_5_a_2_a_table_that_opens_with_it_begins_it_unless_the_pit_has_it_already(edition: str) -> None:
    rules, (where, _) = rulebook(edition, reshuffle_after_lace="all"), reshuffle(edition)
    others = notices_of("settlement_option", rules.elects("settlement_option"))
    alone = open_table(Pit(name="A"), table="T1", rules=rules, notices=others, effective=NOON)
    refused(alone, HouseReason.NO_NOTICE, where)
    notices = [*others, *notices_of("reshuffle_after_lace", "all")]
    first = open_table(Pit(name="A"), table="T1", rules=rules, notices=notices, effective=NOON)
    assert isinstance(first, Pit)
    assert isinstance(open_table(first, table="T2", rules=rules, effective=NOON), Pit)


@clause("NJ:3.5(a)1ii")
def test_3_5_a_1_ii_the_three_dealers_method_ends_it_too() -> None:
    pit = opened(rulebook(NEW_JERSEY, reshuffle_after_lace="all"))
    refused(change(pit, [], shuffle_method=2), HouseReason.NO_NOTICE, "3.5(a)1ii")
    assert isinstance(change(pit, notices_of("reshuffle_after_lace", "none"), shuffle_method=2), Pit)


def test_a_notice_serves_once() -> None:
    notices = notices_of("reshuffle_after_lace", "all")
    begun = change(opened(rulebook("ma-midi-4")), notices, reshuffle_after_lace="all")
    ended = change(begun, notices_of("reshuffle_after_lace", "none"), reshuffle_after_lace="none")
    assert isinstance(ended, Pit)
    refused(change(ended, notices, reshuffle_after_lace="all"), HouseReason.NO_NOTICE, "5(a)(2)")


# ------------------------------------------------------------------------------------ the same in a pit


@clause("MA:5(b)", "NJ:3.5(b)")
@each_edition
def test_5_b_the_option_is_used_at_all_tables_of_the_pit(edition: str) -> None:
    pit, (_, where) = opened(rulebook(edition), rulebook(edition)), reshuffle(edition)
    notices = notices_of("reshuffle_after_lace", "all")
    one = change(pit, notices, tables=("T1",), reshuffle_after_lace="all")
    refused(one, HouseReason.NOT_UNIFORM, where)
    other = rulebook(edition, reshuffle_after_lace="all")
    refused(open_table(pit, table="T3", rules=other, notices=notices, effective=NOON), HouseReason.NOT_UNIFORM, where)
    assert isinstance(change(pit, notices, tables=("T2", "T1"), reshuffle_after_lace="all"), Pit)


@clause("MA:5(b)", "NJ:3.5(b)")
@each_edition
def test_5_b_a_pit_may_have_tables_with_a_device_and_tables_without(edition: str) -> None:
    """Reading A-97: a device is a means and no option of (a); so is an electronic shoe next to real cards."""
    device = {"batch_shuffler": True, "batch_shuffler_procedure": "internal controls 7"}
    known = {key: value for key, value in device.items() if key in load_edition(edition).options}
    assert known or edition == NEW_JERSEY, "where the document knows a device"
    pit = opened(rulebook(edition), rulebook(edition, **known))
    assert [latest(pit, table).rules.elects("batch_shuffler") for table in ("T1", "T2")] == [
        rulebook(edition).elects("batch_shuffler"), known.get("batch_shuffler")
    ]  # fmt: skip
    rules = rulebook(edition)
    for table, cards in (("T3", TableCards.ELECTRONIC), ("T4", TableCards.REAL)):
        command = OpenTable(table=table, filed=file_rules(rules), effective=NOON, cards=cards)
        outcome = act(given(pit, rules, ()), rules, command)
        assert isinstance(outcome, Pit), outcome
        pit = outcome
    other = rulebook(edition, reshuffle_after_lace="all", **known)
    notices, where = notices_of("reshuffle_after_lace", "all"), reshuffle(edition)[1]
    refused(open_table(pit, table="T5", rules=other, notices=notices, effective=NOON), HouseReason.NOT_UNIFORM, where)


@clause("MA:5(d)", "NJ:3.5(d)")
@each_edition
def test_5_d_where_no_electronic_shoe_is_filed_no_table_opens_with_one(edition: str) -> None:
    """Reading A-96 is to be filed, and so is it where no such shoe is used."""
    pit, rules = opened(rulebook(edition)), rulebook(edition, electronic_cut="not_used")
    for cards in TableCards:
        outcome = act(pit, rules, OpenTable(table="T2", filed=file_rules(rules), effective=NOON, cards=cards))
        if cards is TableCards.REAL:
            assert isinstance(outcome, Pit), outcome
        else:
            where = "3.5(d)" if edition == NEW_JERSEY else "5(d)"
            refused(outcome, HouseReason.NOT_OFFERED, where)


@clause("NJ:3.5(b)")
def test_3_5_b_the_shuffle_method_is_one_in_a_pit() -> None:
    pit = opened(rulebook(NEW_JERSEY), rulebook(NEW_JERSEY))
    refused(change(pit, [], tables=("T2",), shuffle_method=2), HouseReason.NOT_UNIFORM, "3.5(b)")
    assert isinstance(change(pit, [], shuffle_method=2), Pit), "which the text wants no notice of"


@clause("NJ:3.10(c)1")
def test_3_10_c_1_one_order_of_settlement_in_a_pit() -> None:
    pit = opened(rulebook(NEW_JERSEY), rulebook(NEW_JERSEY))
    notices = notices_of("settlement_option", 2)
    refused(change(pit, notices, tables=("T1",), settlement_option=2), HouseReason.NOT_UNIFORM, "3.10(c)1")
    outcome = change(pit, notices, settlement_option=2)
    assert isinstance(outcome, Pit)
    assert [rules_at(outcome, table, NOON).elects("settlement_option") for table in ("T1", "T2")] == [2, 2]


# ---------------------------------------------------------------------------------- settlement, vigorish


@clause("NJ:3.10(c)2")
def test_p127_3_10_c_2_the_order_changes_after_half_an_hour_of_written_notice_to_both() -> None:
    pit = opened(rulebook(NEW_JERSEY))
    wanted: dict[str, Any] = {"settlement_option": 2}
    for minutes in (45, 30):
        assert isinstance(change(pit, notices_of("settlement_option", 2, minutes=minutes), **wanted), Pit)
    refused(change(pit, notices_of("settlement_option", 2, minutes=29), **wanted), HouseReason.TOO_LATE, "3.10(c)2")
    for whom in BOTH:
        refused(
            change(pit, notices_of("settlement_option", 2, to=(whom,)), **wanted), HouseReason.NO_NOTICE, "3.10(c)2"
        )
    spoken = notices_of("settlement_option", 2, written=False)
    refused(change(pit, spoken, **wanted), HouseReason.NOT_WRITTEN, "3.10(c)2")


@clause("NJ:3.10(c)2")
def test_3_10_c_2_an_order_is_announced_before_it_is_implemented() -> None:
    rules = rulebook(NEW_JERSEY)
    outcome = open_table(Pit(name="A"), table="T1", rules=rules, effective=NOON)
    refused(outcome, HouseReason.NO_NOTICE, "3.10(c)2")
    notices = notices_of("settlement_option", 4)
    assert isinstance(open_table(Pit(name="A"), table="T1", rules=rules, notices=notices, effective=NOON), Pit)


@clause("NJ:3.3(d).1")
def test_3_3_d_1_a_higher_vigorish_is_announced_at_the_table_a_lower_one_need_not_be() -> None:
    pit = opened(rulebook(NEW_JERSEY, vig_rate=4), rulebook(NEW_JERSEY, vig_rate=5))
    wanted: dict[str, Any] = {"vig_rate": 5, "tables": ("T1",)}
    refused(change(pit, [], **wanted), HouseReason.NO_NOTICE, "3.3(d)")
    refused(change(pit, notices_of("vig_rate", 5, to=("table",), minutes=29), **wanted), HouseReason.TOO_LATE, "3.3(d)")
    assert isinstance(change(pit, notices_of("vig_rate", 5, to=("table",)), **wanted), Pit)
    assert isinstance(change(pit, [], vig_rate=4, tables=("T2",)), Pit)


@clause("NJ:3.3(d).1")
def test_3_3_d_1_how_long_is_filed_and_not_shortened_by_the_change_itself() -> None:
    assert rulebook(NEW_JERSEY).elects("notice_minutes") == 30, "an assumption (A-62)"
    pit = opened(rulebook(NEW_JERSEY, vig_rate=4, notice_minutes=120))
    notices = notices_of("vig_rate", 5, to=("table",), minutes=119)
    refused(change(pit, notices, vig_rate=5), HouseReason.TOO_LATE, "3.3(d)")
    refused(change(pit, notices, vig_rate=5, notice_minutes=0), HouseReason.TOO_LATE, "3.3(d)")
    assert isinstance(change(pit, notices_of("vig_rate", 5, to=("table",), minutes=120), vig_rate=5), Pit)
    assert rulebook(NEW_JERSEY, notice_minutes=0).elects("notice_minutes") == 0
    with pytest.raises(InvalidSubmission, match="notice_minutes"):
        rulebook(NEW_JERSEY, notice_minutes=-1)


@clause("NJ:3.3(d).1")
def test_3_3_d_1_a_table_that_opens_has_raised_nothing() -> None:
    notices = notices_of("settlement_option", 4)
    for rate in (4, 5):
        rules = rulebook(NEW_JERSEY, vig_rate=rate)
        assert isinstance(open_table(Pit(name="A"), table="T1", rules=rules, notices=notices, effective=NOON), Pit)


@clause("NJ:3.3(e)")
@pytest.mark.parametrize("way", ["six_half", "total_card_exempt"])
def test_3_3_e_a_way_without_vigorish_is_announced_when_it_begins_and_when_it_ends(way: str) -> None:
    pit = opened(rulebook(NEW_JERSEY))
    refused(change(pit, [], no_commission=way), HouseReason.NO_NOTICE, "3.3(e)")
    late = notices_of("no_commission", way, to=("table",), minutes=29)
    refused(change(pit, late, no_commission=way), HouseReason.TOO_LATE, "3.3(e)")
    begun = change(pit, notices_of("no_commission", way, to=("table",)), no_commission=way)
    assert isinstance(begun, Pit)
    back: dict[str, Any] = {"no_commission": None, "vig_rate": 5, "vig_rounding": True, "vig_collection": "at_payout"}
    later = NOON + 3600
    ended = notices_of("no_commission", None, to=("table",), at=later)
    where = "3.3(d)" if way == "six_half" else "3.3(e)"
    refused(change(begun, ended[:0], at=later, **back), HouseReason.NO_NOTICE, where)
    both = [*ended, *notices_of("vig_rate", 5, to=("table",), at=later)]
    assert isinstance(change(begun, both, at=later, **back), Pit)


@clause("NJ:3.3(e)")
def test_3_3_e_a_table_that_opens_without_vigorish_is_announced() -> None:
    rules, notices = rulebook("nj-punto-banco-six-half"), notices_of("settlement_option", 4)
    outcome = open_table(Pit(name="A"), table="T1", rules=rules, notices=notices, effective=NOON)
    refused(outcome, HouseReason.NO_NOTICE, "3.3(e)")


# ------------------------------------------------------------------------------------------ bad input


def test_what_cannot_be_changed_is_refused_with_a_clause() -> None:
    pit = opened(rulebook("ma-midi-4"), rulebook("ma-midi-4"))
    refused(change(pit, [], tables=("T9",), tie_odds=9), HouseReason.NO_SUCH_TABLE, "5(b)")
    refused(change(pit, [], tables=(), tie_odds=9), HouseReason.NO_SUCH_TABLE, "5(b)")
    refused(change(pit, [], shuffle_method=2), HouseReason.NO_SUCH_OPTION, "5(b)")
    refused(change(pit, []), HouseReason.NO_SUCH_OPTION, "5(b)")
    refused(change(pit, [], tie_odds=8), HouseReason.NOTHING_CHANGES, "5(b)")
    refused(change(pit, [], tie_odds=7), HouseReason.INVALID_SUBMISSION, "12(b)")
    refused(change(pit, [], at=-1, tie_odds=9), HouseReason.OUT_OF_ORDER, "12(b)")
    refused(open_table(pit, table="T1", rules=rulebook("ma-midi-4"), effective=NOON), HouseReason.TWICE, "5(b)")


def test_a_document_that_wants_nothing_uniform_is_cited_by_its_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    table = own("ma-midi-4")
    del table["uniform"]
    pit = opened(rules_under(table, "ma-midi-4", monkeypatch))
    refused(change(pit, [], tie_odds=8), HouseReason.NOTHING_CHANGES, "8(a)", "8(c)")


def test_the_books_of_a_pit_tell_which_rulebook_a_table_opens_under() -> None:
    filed = file_rules(rulebook("ma-midi-4"))
    told = PIT.tell(TableOpened(table="T1", filed=filed, since=60, served=()))
    assert told == f"T1 opens under ma-midi-4 {filed.hash[:12]}, from 60 seconds."


def test_an_option_that_need_be_neither_announced_nor_uniform_changes_where_it_is_wanted() -> None:
    pit = opened(rulebook("ma-midi-4"), rulebook("ma-midi-4"))
    outcome = change(pit, [], tables=("T2",), tie_odds=9)
    assert isinstance(outcome, Pit)
    assert [rules_at(outcome, table, NOON).elects("tie_odds") for table in ("T1", "T2")] == [8, 9]
    both = change(outcome, [], tie_odds=9)
    assert isinstance(both, Pit)
    assert {table: len(held) for table, held in both.tables.items()} == {"T1": 2, "T2": 2}, "the other has it already"


def test_a_refused_change_leaves_the_pit_alone() -> None:
    pit = opened(rulebook("ma-midi-4"))
    before = dict(pit.tables)
    change(pit, [], reshuffle_after_lace="all")
    assert pit.tables == before


def test_a_notice_is_given_to_its_pit_once_and_of_an_option_that_there_is() -> None:
    rules, pit = rulebook("ma-midi-4"), Pit(name="A")
    (notice,) = notices_of("reshuffle_after_lace", "all", to=("surveillance",))
    held = act(pit, rules, GiveNotice(notice=notice))
    assert held.notices == (notice,)
    refused(act(held, rules, GiveNotice(notice=notice)), HouseReason.TWICE, "5(b)")
    (elsewhere,) = notices_of("reshuffle_after_lace", "all", to=("surveillance",), pit="B")
    refused(act(pit, rules, GiveNotice(notice=elsewhere)), HouseReason.NO_SUCH_TABLE, "5(b)")
    (unknown,) = notices_of("moon", "all", to=("surveillance",))
    refused(act(pit, rules, GiveNotice(notice=unknown)), HouseReason.NO_SUCH_OPTION, "5(b)")
    stranger = Context(rules=rules, actor=actor(Role.DEALER))
    outcome: Any = decided(PIT, stranger, pit, GiveNotice(notice=notice))
    refused(outcome, HouseReason.WRONG_ROLE, "5(b)")


@clause(*RESHUFFLE)
def test_5_a_2_the_first_notice_counts_though_another_followed_too_late() -> None:
    pit = opened(rulebook("ma-midi-4"))
    early, late = (notices_of("reshuffle_after_lace", "all", minutes=minutes) for minutes in (31, 29))
    for notices in ([*early, *late], [*late, *early]):
        assert isinstance(change(pit, notices, reshuffle_after_lace="all"), Pit)
    unwritten = notices_of("reshuffle_after_lace", "all", minutes=90, written=False)
    refused(change(pit, [*unwritten, *late], reshuffle_after_lace="all"), HouseReason.TOO_LATE, "5(a)(2)")


def test_a_filed_rulebook_reads_back_as_it_was() -> None:
    for name in shipped_submissions():
        rules = rulebook(name)
        read = read_rules(file_rules(rules))
        assert (read.hash, read.edition) == (rules.hash, rules.edition)
        assert all(read.elects(key) == rules.elects(key) for key in rules.edition.options)


def test_a_filing_with_another_hash_is_refused_with_the_beginnings_of_both() -> None:
    rules = rulebook("ma-midi-4")
    with pytest.raises(RulesError) as wrong:
        check_filed(replace(file_rules(rules), hash="0123456789abcdef" * 4))
    assert str(wrong.value) == f"ma-midi-4: the hash of what is filed is {rules.hash[:12]}…, not 0123456789ab…"


def test_what_holds_at_a_table_holds_from_its_time_on() -> None:
    pit = opened(rulebook("ma-midi-4"))
    changed = change(pit, [], tie_odds=9)
    assert [rules_at(changed, "T1", time).elects("tie_odds") for time in (NOON - 1, NOON, NOON + 1)] == [8, 9, 9]
    with pytest.raises(AssertionError, match="not open then"):
        rules_at(changed, "T1", -1)
    empty = act(Pit(name="A"), rulebook("ma-midi-4"), ChangeOptions(changes={"tie_odds": 9}, effective=0))
    assert isinstance(empty, Refused)
