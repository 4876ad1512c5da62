"""Timers: how long an automated table waits for whom, and what the clock brings then; the time is given in."""

from __future__ import annotations

from itertools import pairwise

import pytest
from msgspec.structs import asdict, replace

from baccarat.play.refusal import Refused
from baccarat.play.wager import WagerKind as On
from baccarat.serve.automation.timer import CLOCK, MOST_IN_ROUND, PATIENCE_SHARE, RETRY, TimerKind, Timers, WaitTimes
from baccarat.serve.job.table_loop import wait_times
from baccarat.serve.setting import LONGEST_WAIT, Setting, SettingFault, read_setting
from baccarat.table.actor import Origin
from baccarat.table.base import Accepted, Command
from baccarat.table.seating_acts import Leave, Sit
from baccarat.table.step.calling import CallNoMoreBets
from baccarat.table.step.curating import AnswerShoe, OrderPass
from baccarat.table.step.cutting import AnswerCut, GiveUpCut
from baccarat.table.step.house_money import PressHouseMoney
from baccarat.table.step.relinquishing import AnswerTurn, OrderRelinquish, Relinquish
from baccarat.table.step.turning import ReturnCards
from baccarat.table.step.wagering import WithdrawWager
from table_driver import Game, game_at, new_game, seated
from table_walk import sealed

TIMES = WaitTimes(
    betting=15.0, squeeze=15.0, answer=8.0, cut=12.0, deal=8.0, press=5.0, contribute=5.0, patience=3000.0
)
"""Patience without end, so that a test sees the times themselves."""


@pytest.fixture(autouse=True)
def endless(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a round too, except where a test is about that."""
    if "d5" not in request.node.name:
        monkeypatch.setattr("baccarat.serve.automation.timer.MOST_IN_ROUND", 3000.0)


def timers(
    game: Game, now: float, before: Timers | None = None, *, acted: int = 0, away: tuple[int, ...] = ()
) -> Timers:
    """The times that run at a table as it stands."""
    names = frozenset(f"participant {seat}" for seat in away)
    return (before or Timers(times=TIMES)).for_state(
        game.rules, game.state, game.table.expected, now, acted=f"participant {acted}" if acted else "", away=names
    )


def only(found: Timers, now: float) -> Command:
    """The one command that the clock brings."""
    ((command, actor),) = found.expired_commands(now)
    assert actor is CLOCK
    assert actor.origin is Origin.CLOCK
    return command


def taken(game: Game, command: Command) -> None:
    """The table takes what the clock brings."""
    outcome = game.table.do(command, CLOCK)
    assert isinstance(outcome, Accepted), outcome


# --------------------------------------------------------------------------------------- each kind of wait


def test_the_betting_window_begins_with_the_first_wager_and_no_other_prolongs_it() -> None:
    game = game_at("ma-midi-4")
    running = timers(game, 0)
    assert running.next_at is None
    game.wager("1 p 2500")
    running = timers(game, 10, running, acted=1)
    assert running.next_at == 10 + TIMES.betting
    game.wager("3 b 2500")
    running = timers(game, 20, running, acted=3)
    assert running.next_at == 10 + TIMES.betting
    assert running.expired_commands(24.9) == []
    assert only(running, 25) == CallNoMoreBets()
    taken(game, CallNoMoreBets())
    assert timers(game, 25, running.without_expired(25)).running == ()


def test_a_window_with_nothing_left_in_it_begins_anew() -> None:
    game = game_at("ma-midi-4").wager("1 p 2500")
    running = timers(game, 0)
    game.do(WithdrawWager(seat=1, on=On.PLAYER))
    running = timers(game, 5, running, acted=1)
    assert running.next_at is None
    game.wager("1 p 2500")
    assert timers(game, 14, running, acted=1).next_at == 14 + TIMES.betting


@pytest.mark.parametrize("edition", ["ma-midi-1", "ma-midi-4", "nj-punto-banco"])
def test_whoever_is_offered_the_cut_or_has_taken_it_has_his_time(edition: str) -> None:
    game = game_at(edition, step="offer_cut")
    running = timers(game, 0)
    assert running.next_at == TIMES.answer
    assert only(running, 8) == AnswerCut(seat=5, accept=False)
    game.do(AnswerCut(seat=5, accept=True))
    running = timers(game, 3, running, acted=5)
    assert running.next_at == 3 + TIMES.cut
    assert only(running, 15) == GiveUpCut(seat=5)
    taken(game, only(running, 15))
    running = timers(game, 15, running.without_expired(15))
    assert [timer.kind for timer in running.running] == [TimerKind.ANSWER]
    assert running.running[0].seat != 5


def test_whoever_is_offered_the_shoe_or_deals_from_it_has_his_time() -> None:
    game = game_at("nj-punto-banco", "7S 9D TH KC", step="offer_shoe")
    assert only(timers(game, 0), 8) == AnswerShoe(seat=1, accept=False)
    game = game_at("nj-punto-banco", "7S 9D TH KC", curator=3).wager("1 p 2500").go("deal")
    running = timers(game, 0)
    for card in range(4):
        assert running.next_at == 7 * card + TIMES.deal, "every card has its own time"
        if card == 3:
            break
        game.act()
        running = timers(game, 7 * (card + 1), running, acted=3)
    assert only(running, 29) == OrderPass(seat=3, reason="time is over")
    taken(game, only(running, 29))
    assert game.step == "offer_shoe"


def test_whoever_holds_cards_has_his_time_and_then_each_who_is_offered_them() -> None:
    game = game_at("ma-midi-4", "7S 9D TH KC").wager("1 p 2500", "3 b 5000").go_to_act("hand_cards")
    assert timers(game, 0).next_at is None
    game.act()
    running = timers(game, 0)
    assert running.next_at == TIMES.squeeze
    assert only(running, 15) == OrderRelinquish(seat=1, reason="time is over")
    taken(game, only(running, 15))
    running = timers(game, 15, running.without_expired(15))
    for at in (23, 31):
        assert running.next_at == at
        seat = running.running[0].seat
        assert only(running, at) == AnswerTurn(seat=seat, accept=False)
        taken(game, only(running, at))
        running = timers(game, at, running.without_expired(at))
    assert running.running == ()
    assert game.next_act().act == "turn_card"


def test_the_same_holder_of_both_hands_and_their_third_cards_is_waited_for_each_time() -> None:
    game = game_at("ma-midi-4", "2S 3D TH KC 2H 3H", seats=[1]).wager("1 p 2500", "1 b 2500")
    moments: set[tuple[int, ...]] = set()
    running = Timers(times=TIMES)
    while game.state.round.closed or not moments:
        running = timers(game, 0, running)
        moments |= {timer.moment for timer in running.running if timer.kind is TimerKind.SQUEEZE}
        game.act()
    assert len(moments) == 4


def test_house_money_is_held_back_until_its_winner_has_chosen() -> None:
    game = game_at("ma-midi-4", "8S 9D 8H KC").wager("1 p 2500", "1 house_money 1000", "3 t 500", "3 house_money 1000")
    game.go("house_money")
    assert game.next_act().seat == 3, "the sweep begins at the highest seat"
    assert timers(game, 0).held_acts == frozenset(), "with no wager on a hand there is nothing to choose"
    game.act()
    running = timers(game, 0)
    assert running.held_acts == {"settle_house_money"}
    assert running.next_at == TIMES.press
    assert running.expired_commands(5) == [], "the dealer pays, not the clock"
    rung = timers(game, 5, running.without_expired(5))
    assert rung.held_acts == frozenset()
    assert rung.next_at is None
    assert rung.silent == frozenset(), "whoever does not press has chosen too"
    game.do(PressHouseMoney(seat=1, onto=On.PLAYER))
    assert timers(game, 2, running, acted=1).held_acts == frozenset()


def test_an_electronic_shoe_closes_its_inputs_when_its_time_for_contributions_is_over() -> None:
    game = new_game("ma-midi-4")
    game.source = sealed(game.rules, 1)
    seated(game, [1, 3])
    assert timers(game, 0).held_acts == frozenset()
    game.act()
    running = timers(game, 0)
    assert running.held_acts == {"close_inputs"}
    assert running.next_at == TIMES.contribute
    assert timers(game, 0, away=(1, 3)).next_at == 0, "nobody is there"
    game.go("offer_cut")
    assert timers(game, 4, running).held_acts == {"close_inputs"}, "one time for all, from the commitment on"
    assert timers(game, 5, timers(game, 4, running).without_expired(5)).held_acts == frozenset()


# ------------------------------------------------------------------------------------- who is away or silent


def test_whoever_lets_a_time_run_out_is_waited_for_briefly_until_he_acts_again() -> None:
    game = game_at("ma-midi-4", "2S 3D TH KC 2H 3H", seats=[1, 5]).wager("1 p 5000", "1 b 2500", "5 p 2500")
    game.go_to_act("return_cards")
    running = timers(game, 0).without_expired(15)
    taken(game, OrderRelinquish(seat=1, reason="time is over"))
    taken(game, AnswerTurn(seat=5, accept=False))
    game.go_to_act("return_cards")
    running = timers(game, 20, running)
    assert running.silent == {"participant 1"}
    assert running.next_at == 20 + TIMES.away
    running = timers(game, 21, running, acted=1)
    assert running.silent == frozenset()
    game.do(ReturnCards(seat=1))
    assert timers(game, 22, running, acted=1).running == ()


def test_a_time_is_cut_short_when_somebody_goes_away_and_is_whole_again_when_he_is_back() -> None:
    game = game_at("ma-midi-4", "2S 3D TH KC", seats=[1, 5]).wager("1 p 2500").go_to_act("return_cards")
    running = timers(game, 0)
    running = timers(game, 4, running, away=(1,))
    assert running.next_at == 4 + TIMES.away
    assert timers(game, 5, running, away=(1,)).next_at == 4 + TIMES.away
    back = timers(game, 5, running)
    assert back.next_at == TIMES.squeeze, "the rest of the time, and no more"
    assert timers(game, 6, timers(game, 5.5, back, away=(1,))).next_at == TIMES.squeeze
    gone = timers(game, 5, running, away=(1,)).without_expired(4 + TIMES.away)
    assert timers(game, 4 + TIMES.away, gone).next_at == 4 + TIMES.away + RETRY, "a time that was over stays so"
    late = timers(game, 14.5, timers(game, 0), away=(1,))
    assert late.next_at == TIMES.squeeze


def test_who_was_away_when_it_began_has_the_whole_time_once_he_is_back_and_who_was_silent_has_not() -> None:
    game = game_at("ma-midi-4", "2S 3D TH KC", seats=[1, 5]).wager("1 p 2500").go_to_act("return_cards")
    running = timers(game, 0, away=(1,))
    assert running.next_at == TIMES.away
    assert timers(game, 1, running).next_at == TIMES.squeeze
    silent = timers(game, 0, Timers(times=TIMES, silent=frozenset({"participant 1"})), away=(1,))
    assert timers(game, 1, silent).next_at == TIMES.away


def test_another_person_at_the_seat_has_a_time_of_his_own() -> None:
    game = game_at("nj-punto-banco", step="offer_shoe", seats=[1, 3])
    running = timers(game, 0).without_expired(8)
    assert running.silent == {"participant 1"}
    game.do(Leave(seat=1))
    game.do(Sit(seat=1, person="somebody else"))
    running = timers(game, 9, running)
    assert running.silent == frozenset()
    assert running.next_at == 9 + TIMES.answer


def test_d5_all_waits_between_two_acts_of_persons_are_within_the_patience_of_the_table() -> None:
    game = game_at("nj-punto-banco", step="offer_shoe", seats=range(1, 15))
    running, now, waits = Timers(times=replace(TIMES, patience=20.0)), 100.0, []
    running = timers(game, now, running)
    while game.step == "offer_shoe":
        at = running.next_at
        assert at is not None
        waits.append(at - now)
        now = at
        command = only(running, now)
        running = running.without_expired(now)
        taken(game, command)
        running = timers(game, now, running)
    assert len(waits) == 14
    assert waits[0] == TIMES.answer
    assert all(wait > 0 for wait in waits), "everybody is asked"
    assert sum(waits) <= 20
    assert waits[3] == pytest.approx((20 - sum(waits[:3])) * PATIENCE_SHARE)


def test_an_act_of_a_person_gives_the_table_its_patience_back() -> None:
    """In a round the dealer's own time counts as well: nine of ten seconds are gone when the cards are handed over."""
    game = game_at("ma-midi-4", "2S 3D TH KC", seats=[1, 3, 5]).wager("1 p 2500").go("deal")
    tired = timers(game, 0, Timers(times=replace(TIMES, patience=10.0)))
    game.go_to_act("return_cards")
    assert timers(game, 9, tired).next_at == pytest.approx(9 + PATIENCE_SHARE)
    assert timers(game, 9, tired, acted=3).next_at == pytest.approx(9 + 10 * PATIENCE_SHARE)


def test_d5_no_setting_makes_a_round_wait_longer_for_people_who_do_not_act() -> None:
    game = game_at("ma-midi-4", "2S 3D TH KC", seats=[1]).wager("1 p 2500").go_to_act("return_cards")
    wait = timers(game, 0, Timers(times=WaitTimes(squeeze=500, patience=1000))).next_at
    assert wait == pytest.approx(MOST_IN_ROUND * PATIENCE_SHARE)


def test_two_who_hand_a_right_to_and_fro_do_not_hold_a_round_for_ever() -> None:
    """They take what they are offered and let the time run out, and again; the dealer turns the cards after all."""
    game = game_at("ma-midi-4", "2S 3D TH KC", seats=[1, 3]).wager("1 p 5000").go_to_act("return_cards")
    running, now, taken_up = timers(game, 0), 0.0, 0
    while game.next_act().act != "turn_card":
        due = game.next_act()
        if due.act == "hand_cards":
            game.act()
            running = timers(game, now, running)
            continue
        at = running.next_at
        assert at is not None
        if due.act == "answer_turn" and at > now:
            game.do(AnswerTurn(seat=due.seat, accept=True))
            running = timers(game, now, running, acted=due.seat)
            taken_up += 1
            assert taken_up < 5
            continue
        now = at
        command = only(running, now)
        running = running.without_expired(now)
        taken(game, command)
        running = timers(game, now, running)
    assert taken_up == 1
    assert now == 2 * TIMES.squeeze


def test_two_who_hand_the_shoe_to_and_fro_do_not_hold_a_round_for_ever() -> None:
    game = game_at("nj-punto-banco", "2S 3D TH KC", seats=[1, 3], curator=3).wager("1 p 5000").go("deal")
    running, now, taken_up = timers(game, 0), 0.0, 0
    while game.state.seats.curator != 0:
        at, due = running.next_at, game.next_act()
        assert at is not None
        if due.act == "answer_shoe" and at > now:
            game.do(AnswerShoe(seat=due.seat, accept=True))
            running = timers(game, now, running, acted=due.seat)
            taken_up += 1
            assert taken_up < 5
            continue
        now = at
        command = only(running, now)
        running = running.without_expired(now)
        taken(game, command)
        running = timers(game, now, running)
    assert taken_up == 1
    assert now == 2 * TIMES.deal


def test_two_who_give_a_right_up_to_each_other_do_not_hold_a_round_for_ever() -> None:
    """Each of them acts promptly, so that no time of theirs runs out; the round's own time does."""
    game = game_at("ma-midi-4", "2S 3D TH KC", seats=[1, 3]).wager("1 p 5000").go("turn_player")
    running, now, taken_up = timers(game, 0), 0.0, 0
    while game.next_act().act != "turn_card":
        due = game.next_act()
        if due.act == "hand_cards":
            seat = due.seat
            game.do(Relinquish(seat=seat))
        elif running.next_at is not None and running.next_at > now:
            now, seat = now + 3, due.seat
            game.do(AnswerTurn(seat=seat, accept=True))
            taken_up += 1
            assert taken_up < 50
        else:
            seat = 0
            taken(game, only(running, now))
            running = running.without_expired(now)
        running = timers(game, now, running, acted=seat)
    assert taken_up == TIMES.round / 3


def test_in_the_next_round_whoever_stalled_is_asked_again() -> None:
    game = game_at("nj-punto-banco", step="offer_shoe", seats=[1, 3])
    running = timers(game, 0).without_expired(8)
    assert running.stalled == {"participant 1"}
    taken(game, AnswerShoe(seat=1, accept=False))
    game.do(AnswerShoe(seat=3, accept=True))
    game.play("3 b 5000")
    assert timers(game, 9, running).stalled == frozenset()


def test_after_a_restart_everybody_has_his_time_again() -> None:
    game = game_at("ma-midi-4", "2S 3D TH KC", seats=[1]).wager("1 p 2500").go_to_act("return_cards")
    assert timers(game, 1e6, Timers()).next_at == 1e6 + WaitTimes().squeeze


# ------------------------------------------------------------------------------------------- late and early


def test_what_the_clock_brings_after_the_act_was_done_anyway_is_refused_and_changes_nothing() -> None:
    game = game_at("ma-midi-4", "7S 9D TH KC").wager("1 p 2500", "3 b 5000").go_to_act("return_cards")
    late = only(timers(game, 0), 15)
    game.do(ReturnCards(seat=1))
    before = game.state
    assert isinstance(game.table.do(late, CLOCK), Refused)
    assert game.state is before
    game.go_to_act("return_cards")
    assert game.next_act().seat == 3, "whose time is not over"
    assert isinstance(game.table.do(late, CLOCK), Refused)
    game = game_at("ma-midi-4").wager("1 p 2500")
    late = only(timers(game, 0), 15)
    game.act()
    assert isinstance(game.table.do(late, CLOCK), Refused)


def test_what_was_refused_while_the_table_still_waits_comes_again_a_little_later() -> None:
    game = game_at("ma-midi-4").wager("1 p 2500")
    running = timers(game, 0).without_expired(15)
    assert running.expired_commands(15) == [], "not at once: nobody would get a word in"
    assert running.next_at == 15 + RETRY
    assert only(timers(game, 15, running), 16) == CallNoMoreBets()


@pytest.mark.parametrize("now", [-1e9, -3.0, 0.0])
def test_a_clock_that_goes_back_ends_nothing_early_and_breaks_nothing(now: float) -> None:
    game = game_at("ma-midi-4", "7S 9D TH KC").wager("1 p 2500", "3 b 5000").go_to_act("return_cards")
    running = timers(game, 100)
    assert timers(game, now, running).expired_commands(now) == []
    assert timers(game, now, running).next_at == 100 + TIMES.squeeze
    game.do(ReturnCards(seat=1))
    back = timers(game, now, running)
    assert back.spent == 0
    game.go_to_act("return_cards")
    again = timers(game, now + 1, back).next_at
    assert again is not None
    assert 0 < again - (now + 1) <= TIMES.squeeze


def test_a_clock_that_leaps_ahead_ends_each_time_once() -> None:
    game = game_at("ma-midi-4").wager("1 p 2500")
    running = timers(game, 0)
    leapt = 1e9
    assert only(running, leapt) == CallNoMoreBets()
    running = running.without_expired(leapt)
    assert running.expired_commands(leapt) == []
    taken(game, CallNoMoreBets())
    assert timers(game, leapt, running).expired_commands(leapt) == []


# ------------------------------------------------------------------------------------------------ settings


def test_a_house_with_the_usual_settings_waits_as_the_usual_times_say() -> None:
    assert wait_times(Setting()) == WaitTimes()


@pytest.mark.parametrize("name", ["betting_seconds", "squeeze_seconds", "answer_seconds"])
def test_a_longer_time_makes_no_other_shorter(name: str) -> None:
    steps = [wait_times(read_setting({name: seconds}, {})) for seconds in (0.0, 0.5, 3.0, 8.0, 12.0, LONGEST_WAIT)]
    for shorter, longer in pairwise(map(asdict, steps)):
        assert longer[name.removesuffix("_seconds")] > shorter[name.removesuffix("_seconds")]
        assert all(longer[field] >= seconds for field, seconds in shorter.items())


@pytest.mark.parametrize("seconds", [3.0, 10.0, LONGEST_WAIT])
def test_d5_every_time_that_can_be_set_is_waited_for(seconds: float) -> None:
    setting = read_setting({"squeeze_seconds": seconds, "answer_seconds": seconds, "betting_seconds": 3600.0}, {})
    fresh = Timers(times=wait_times(setting))
    game = game_at("ma-midi-4", "2S 3D TH KC", seats=[1]).wager("1 p 2500")
    assert timers(game, 0, fresh).next_at == 3600.0
    game.go_to_act("return_cards")
    assert timers(game, 0, fresh).next_at == pytest.approx(seconds)
    game = game_at("nj-punto-banco", step="offer_shoe", seats=range(1, 15))
    assert timers(game, 0, fresh).next_at == pytest.approx(seconds)


@pytest.mark.parametrize("name", ["squeeze_seconds", "answer_seconds"])
def test_a_time_that_no_round_waits_for_cannot_be_set(name: str) -> None:
    assert LONGEST_WAIT <= MOST_IN_ROUND * PATIENCE_SHARE
    with pytest.raises(SettingFault, match=f"--{name.replace('_', '-')}: expected seconds, from 0 to 15, not 15.5"):
        read_setting({name: 15.5}, {})
