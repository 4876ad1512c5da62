"""Deferred vigorish in the studies: marked, owed and collected to the cent as the table does it, or never collected."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from baccarat import BANKER, PLAYER, TIE, WagerKind, rulebook
from baccarat.law.edition import load_edition
from baccarat.law.rulebook import Rulebook, from_record
from baccarat.play.shoe import burn, rounds
from baccarat.sim.stream import shoe
from baccarat.sim.study import strategy as play
from baccarat.sim.study.house_study import study_house
from baccarat.sim.study.patrons import study_patrons
from baccarat.sim.study.strategy import BadStrategy, Strategy
from baccarat.sim.study.vigorish import study_vigorish
from baccarat.table.exception_report import ReportException
from baccarat.table.seating_acts import Leave, Left
from baccarat.table.vigorish_debt import DocumentVigorish
from baccarat.table.vigorish_form import ComplimentaryForm, ReceiveForms
from reckoned_patron import Ended, reckoned, summed, sums_of
from strategies import EDITIONS
from table_driver import Game, seated

RULES = {
    (name, collection, str(change)): rulebook(name, vig_collection=collection, **change)
    for name, changes in (("ma-midi-4", [{}, {"vig_rounding": False}]), ("nj-punto-banco", [{}, {"vig_rate": 4}]))
    for change in changes
    for collection in ("at_payout", "deferred")
}
MA, NJ = (rulebook(name, vig_collection="deferred") for name in ("ma-midi-4", "nj-punto-banco"))
STRATEGIES = [
    play.flat(BANKER, 2_500),
    play.flat(BANKER, 10_300),
    play.mix({BANKER: 5_100, TIE: 700, WagerKind.DRAGON_BANKER: 500}),
    play.martingale(BANKER, 2_500, 6),
    play.dalembert(BANKER, 2_700),
    play.paroli(BANKER, 3_300, 4),
    play.flat(PLAYER, 2_500),
]


@pytest.mark.slow
@given(
    name=st.sampled_from(list(RULES)), strategy=st.sampled_from(STRATEGIES), seed=st.integers(0, 2**64 - 1),
    purse=st.integers(2_500, 80_000), goal=st.one_of(st.none(), st.integers(1, 30_000)), shoes=st.integers(1, 3),
)  # fmt: skip
def test_sessions_are_to_the_cent_what_the_settlement_of_the_table_marks_and_collects(
    name: tuple[str, str, str], strategy: Strategy, seed: int, purse: int, goal: int | None, shoes: int
) -> None:
    rules, aim = RULES[name], None if goal is None else purse + goal
    found = study_patrons(rules, [strategy], purse=purse, goal=aim, seed=seed, sessions=2, shoes=shoes)
    slowly = [
        reckoned(rules, strategy, purse=purse, goal=aim, seed=seed, shoes=shoes, first=shoes * k) for k in range(2)
    ]
    assert sums_of(found.seats[0]) == summed(slowly)
    assert (found.seats[0].vigorish is None) == (name[1] == "at_payout")


@pytest.mark.slow
@pytest.mark.parametrize(("rules", "becomes"), [(MA, "receivable"), (NJ, "complimentary")], ids=str)
def test_every_way_in_which_a_session_can_end_is_among_those_compared(rules: Rulebook, becomes: str) -> None:
    """Ruin with and without a debt, a goal, chips that do not cover the debt; in New Jersey one who plays on then."""
    strategy, purse, goal, seed, number = play.flat(BANKER, 10_300), 31_000, 130_000, 13, 200
    slowly = [reckoned(rules, strategy, purse=purse, goal=goal, seed=seed, shoes=2, first=2 * k) for k in range(number)]
    ruins = {(each.uncollected > 0, each.collected > 0) for each in slowly if each.ruined}
    assert ruins == {(False, False), (False, True), (True, False), (True, True)}
    assert any(0 < each.purse < each.uncollected for each in slowly), "a debt is collected whole, or not at all"
    plays_on = any(each.uncollected > each.peak for each in slowly)
    assert plays_on == (rules is NJ), "who could not pay plays on, and owes again, only where a form waives the debt"
    assert any(each.purse >= goal for each in slowly)
    seat = study_patrons(rules, [strategy], purse=purse, goal=goal, seed=seed, sessions=number, shoes=2).seats[0]
    assert sums_of(seat) == summed(slowly)
    assert seat.reached == sum(each.purse >= goal for each in slowly) / number
    assert seat.vigorish is not None
    assert seat.vigorish.becomes == becomes
    assert 0 < seat.vigorish.missed < seat.ruined


def at_the_table(rules: Rulebook, stake: int, *, purse: int, seed: int, shoes: int) -> Ended:
    """A session at the real table, on Banker in every round; the dealer and the floor do what is due."""
    cards = [shoe(rules, seed, number) for number in range(shoes)]
    dealt = sum(1 for each in cards for _ in rounds(rules, each, position=len(burn(rules, each).cards)))
    game = seated(Game(rules, lambda number: cards[number]), [3], chips=purse)
    since = peak = 0
    # a debt that was reported lets the next shoe begin, without the patron who owes it
    while since < dealt and game.go("wager").chips(3) >= stake and not game.state.money.receivables:
        game.play(f"3 banker {stake}")
        since, peak = since + 1, max(peak, game.state.money.markers.get(3, 0))
    owed = game.state.money.markers.get(3, 0)
    if owed > game.chips(3):
        write_off(game, owed)
    game.do(Leave(seat=3))
    money, chips = game.state.money, game.last(Left).chips
    missed = money.complimentary + sum(money.receivables.values())
    return Ended(chips, since, since * stake, since < dealt, money.vigorish_earned - missed, peak, missed)


def write_off(game: Game, owed: int) -> None:
    """The patron cannot pay: nobody leaves before that is on paper, as the document has it."""
    game.refused(Leave(seat=3), "vigorish_owed")
    if game.rules.edition.vigorish_form is None:
        game.do(ReportException(seat=3, reason="no chips"), who="F. Loor", second="S. Upervisor")
        return
    if not game.state.money.next_form <= game.state.money.last_form:
        game.do(ReceiveForms(first=1, last=1))
    form = ComplimentaryForm(
        serial=game.state.money.next_form, amount=owed, patron="participant 3", dealer="D. Ealer", pit_boss="B. Oss",
        pit_clerk="C. Lerk", patron_signed=True,
    )  # fmt: skip
    game.do(DocumentVigorish(seat=3, form=form), who="C. Lerk", second="B. Oss")


@pytest.mark.slow
@pytest.mark.clause("MA:12(d)(2)(i)", "NJ:3.3(c)4")
@pytest.mark.parametrize("edition", EDITIONS)
def test_sessions_at_the_real_table_end_as_the_study_says(edition: str) -> None:
    """Seed 33 leaves a debt at the end of the first shoe: in New Jersey it plays on, and owes again when ruined."""
    rules, ends = rulebook(edition, vig_collection="deferred"), set()
    for seed, purse, shoes in ((11, 90_000, 1), (33, 31_000, 2), (13, 31_000, 2), (14, 200_000, 1), (15, 20_000, 1)):
        table = at_the_table(rules, 10_300, purse=purse, seed=seed, shoes=shoes)
        assert table == reckoned(rules, play.flat(BANKER, 10_300), purse=purse, goal=None, seed=seed, shoes=shoes)
        seat = study_patrons(rules, [play.flat(BANKER, 10_300)], purse=purse, seed=seed, sessions=1, shoes=shoes)
        assert sums_of(seat.seats[0]) == summed([table])
        ends.add((table.ruined, table.uncollected > 0))
    assert ends >= {(True, True), (True, False), (False, False)}


LAST_OF_THE_FIRST_SHOE = {"purse": 31_000, "seed": 33, "sessions": 1}
"""Flat $103 on Banker, of whom the first shoe's end finds more owed than the purse holds."""


@pytest.mark.parametrize("by", ["data", pytest.param("function", marks=pytest.mark.slow)])
def test_who_cannot_pay_at_the_end_of_a_shoe_leaves_where_the_next_shoe_waits_for_it(by: str) -> None:
    """MA 12(d)(2)(i), reading A-38; in New Jersey a form waives the debt for any reason, and the patron plays on."""

    def always(_table: Any, _own: Any, stakes: Any) -> None:
        stakes[1] = 10_300

    strategy = play.flat(BANKER, 10_300) if by == "data" else play.by_function("always", always)
    for rules, plays_on in ((MA, False), (NJ, True)):
        one, two = (
            study_patrons(rules, [strategy], shoes=shoes, **LAST_OF_THE_FIRST_SHOE).seats[0] for shoes in (1, 2)
        )
        assert one.vigorish is not None
        assert one.vigorish.uncollected > one.purse + one.result > 10_300, "the next stake is covered, the debt is not"
        assert one.ruined == 0, "the session is over, and nobody waits"
        assert (two.stayed > one.stayed) is plays_on
        assert plays_on or (two.ruined, two.result, two.vigorish) == (1, one.result, one.vigorish)


@pytest.mark.slow
def test_a_function_is_told_what_it_owes() -> None:
    def modest(_table: Any, own: Any, stakes: Any) -> None:
        if own[4] < 1_000:
            stakes[1] = 10_000

    def flat(_table: Any, own: Any, stakes: Any) -> None:
        stakes[1] = 10_000
        if own[1] > 0 and own[1] != 9_500:
            raise ValueError("a gain is less its vigorish, collected or marked")

    company = [play.by_function("modest", modest), play.by_function("flat", flat), play.flat(BANKER, 10_000)]
    found = study_vigorish(MA, company, purse=200_000, goal=300_000, seed=4, sessions=50, shoes=2)
    one, two, three = found.deferred.seats
    assert one.vigorish is not None
    assert 900 < one.vigorish.peak <= 1_000
    assert one.staked < two.staked
    assert sums_of(two) == sums_of(three)
    assert two.fan == three.fan
    one, two, three = found.at_payout.seats
    assert (one.vigorish, one.staked) == (None, one.stayed * 10_000), "nothing is ever owed"
    assert sums_of(two) == sums_of(three)


def test_the_house_earns_the_same_and_sees_what_is_owed() -> None:
    company = [play.flat(BANKER, 10_000), play.flat(BANKER, 2_500), play.flat(PLAYER, 2_500)]
    how: dict[str, Any] = {"seed": 5, "tables": 3, "days": 20, "shoes": 2}
    at_once = study_house(rulebook("ma-midi-4"), company, buy_in=10**8, **how)
    later = study_house(MA, company, buy_in=10**8, **how)
    assert later.day.win == at_once.day.win, "nobody is short of money: the same rounds, the same vigorish"
    assert at_once.day.vigorish is None
    owed = later.day.vigorish
    assert owed is not None
    patrons = study_patrons(MA, company, purse=10**8, seed=5, sessions=60, shoes=2).seats
    assert owed.collected == pytest.approx(sum(seat.vigorish.collected for seat in patrons if seat.vigorish))
    assert owed.uncollected == 0
    # both of the Banker's patrons win together, so their peaks come together
    assert owed.peak == pytest.approx(sum(seat.vigorish.peak for seat in patrons if seat.vigorish))
    assert owed.peak <= owed.highest


def test_a_patron_of_the_house_pays_from_a_new_buy_in_but_leaves_owing() -> None:
    how: dict[str, Any] = {"seed": 6, "tables": 4, "days": 60, "buy_in": 11_000}
    found = study_house(NJ, [play.flat(BANKER, 10_000)], shoes=1, **how).day
    assert found.vigorish is not None
    assert 0 < found.vigorish.missed < 1
    assert found.vigorish.becomes == "complimentary"
    assert found.vigorish.uncollected > 0
    longer = study_house(NJ, [play.flat(BANKER, 10_000)], shoes=6, **how).day.vigorish
    assert longer is not None
    assert longer.missed < 2 * found.vigorish.missed, "only the last shoe of a day leaves a debt, not all six"
    assert longer.collected > 4 * found.vigorish.collected


def test_both_ways_of_collecting_are_compared_over_the_same_shoes() -> None:
    company = [play.flat(BANKER, 10_000), play.flat(PLAYER, 10_000)]
    how: dict[str, Any] = {"purse": 100_000, "seed": 2, "sessions": 700, "shoes": 2}
    both = study_vigorish(MA, company, **how)
    assert both == study_vigorish(rulebook("ma-midi-4"), company, **how, threads=1), "whatever is elected"
    assert both.at_payout == study_patrons(rulebook("ma-midi-4"), company, **how)
    assert both.deferred == study_patrons(MA, company, **how)
    banker, player = both.changes
    at_once, later = both.at_payout.seats[0], both.deferred.seats[0]
    for name in ("result", "ruined", "stayed", "staked"):
        assert getattr(banker, name).mean == pytest.approx(getattr(later, name) - getattr(at_once, name), abs=1e-6)
        change = getattr(player, name)
        assert (change.mean, change.error) == (0, None), "without vigorish nothing changes"
    assert banker.result.error is not None
    assert at_once.error is not None
    assert banker.ruined.error is not None
    assert 0 < banker.result.error < at_once.error, "over the same shoes the difference is known better than either"
    assert banker.ruined.mean < -4 * banker.ruined.error


@pytest.mark.clause("MA:2(b)(4)", "NJ:3.3(c)2.3")
@pytest.mark.parametrize("edition", EDITIONS)
def test_no_comparison_where_the_layout_has_no_spaces_to_mark_vigorish_in(edition: str) -> None:
    """The Submission as it is filed could not elect to defer: no study says what that would change."""
    bare = rulebook(edition, layout_numbered_areas=False)
    clause = "3.3(c)2" if edition.startswith("nj") else "2(b)(4)"
    with pytest.raises(BadStrategy) as refused:
        study_vigorish(bare, [play.flat(BANKER, 10_000)], purse=100_000, seed=1, sessions=2)
    assert str(refused.value) == (
        "vigorish cannot be deferred under this Submission: layout_numbered_areas: cannot be false: vig_collection "
        f"is deferred; allowed: true [{bare.edition.name} §{clause}]"
    )
    study_patrons(bare, [play.flat(BANKER, 10_000)], purse=100_000, seed=1, sessions=2)


@pytest.mark.clause("MA:12(c).2", "NJ:3.3(e)")
@pytest.mark.parametrize(
    ("name", "because"),
    [("ma-midi-4-ez", "ez is true.* §12\\(d\\)"), ("nj-punto-banco-six-half", "six_half.* §3.3\\(c\\)2")],
)
def test_no_comparison_where_no_vigorish_is_taken(name: str, because: str) -> None:
    with pytest.raises(BadStrategy, match=f"no vigorish is taken under this Submission.*{because}"):
        study_vigorish(rulebook(name), [play.flat(BANKER, 10_000)], purse=100_000, seed=1, sessions=2)


def test_a_rulebook_that_a_round_record_implies_is_asked_only_about_vigorish() -> None:
    """It states nothing of the felt, which is no reason to refuse."""
    rules = from_record(load_edition("ma-midi-4"), {"decks": 8})
    how: dict[str, Any] = {"purse": 100_000, "seed": 1, "sessions": 2}
    found = study_vigorish(rules, [play.flat(BANKER, 10_000)], **how)
    assert found.deferred.seats[0].vigorish is not None
    with pytest.raises(ValueError, match="how many decks the shoe holds is not stated"):
        study_vigorish(from_record(load_edition("ma-midi-4"), {}), [play.flat(BANKER, 10_000)], **how)
