"""Usual ways to keep a log that must raise no alarm, and faults that must not hide one another."""

from __future__ import annotations

import pytest

from baccarat.audit.rounds import text_line
from foreign_logs import clean
from log_text import FIRST, HEADER, audited, faults, log

TENS = "1,{number},{ten} {ten} {ten},{ten} {ten} {ten},0,0,tie"


def _written(ten: str, rounds: int = 400) -> list[str]:
    """Lawful rounds of whole shoes, every card worth nothing written in one way, an ace as A."""
    words = dict.fromkeys("TJQK", ten)
    rows = []
    for row in clean(rounds, seed=5):
        hands = (" ".join(words.get(card[0], card[0]) for card in hand) for hand in (row.player, row.banker))
        rows.append(f"{row.shoe},{row.round},{','.join(hands)},{row.player_total},{row.banker_total},{row.winner}")
    return rows


def _tens(first: int, rounds: int, ten: str = "10") -> list[str]:
    """Rounds of six tens each."""
    return [TENS.format(number=number, ten=ten) for number in range(first, first + rounds)]


def _found(*rows: str, header: str = HEADER) -> list[str]:
    return [fault.found for fault in audited(log(*rows, header=header)).findings.kept]


# ---------------------------------------------------------------------------------- ten as a value


@pytest.mark.parametrize("ten", ["10", "T", "t", "Ten"])
def test_ten_may_stand_for_every_card_worth_nothing_beside_an_ace(ten: str) -> None:
    assert faults(log(*_written(ten))) == []


@pytest.mark.parametrize("ten", ["10", "T"])
def test_tens_as_values_are_counted_as_values(ten: str) -> None:
    ace = f"1,1,A 8,{ten} 7,9,7,player"
    assert faults(log(ace, *_tens(2, 21, ten))) == [], "127 of 128 cards worth 0"
    assert faults(log(ace, *_tens(2, 22, ten))) == [(23, "too_many_of_a_card", "")]


@pytest.mark.parametrize("court", ["J", "Qd", "k", "Queen"])
def test_a_court_card_in_the_shoe_shows_that_ten_is_a_rank(court: str) -> None:
    shown = f"1,1,{court} 9,A 7,9,8,player"
    assert faults(log(shown, *_tens(2, 5))) == [], "30 of 32 tens"
    assert faults(log(shown, *_tens(2, 6))) == [(7, "too_many_of_a_card", "")]


def test_tens_before_the_first_court_card_are_counted_once_it_has_come() -> None:
    shown = "1,5,K 9,A 7,9,8,player"
    assert faults(log(*_tens(1, 4), shown, *_tens(6, 2))) == [(7, "too_many_of_a_card", "")]


def test_more_tens_than_ranks_allow_before_any_court_card_were_values() -> None:
    shown = "1,7,K 9,A 7,9,8,player"
    assert faults(log(*_tens(1, 6), shown, *_tens(8, 3))) == []


def test_each_shoe_shows_for_itself_what_its_tens_are() -> None:
    first = "1,1,K 9,A 7,9,8,player"
    second = [row.replace("1,", "2,", 1) for row in _tens(1, 10)]
    assert faults(log(first, *second)) == []


@pytest.mark.parametrize("court", [False, True])
def test_two_tens_are_a_pair_only_where_court_cards_are_written(court: bool) -> None:
    header = f"{HEADER},house_money_stake,house_money_paid"
    rows = ["1,1,10 10 3,10 6,3,6,banker,5,0", f"1,2,{'K' if court else '10'} 9,A 7,9,8,player,,"]
    assert faults(log(*rows, header=header)) == ([(1, "wrong_payment", "house_money_paid")] if court else [])


def test_a_court_card_that_comes_late_in_a_log_shows_what_later_tens_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_line, "BLOCK", 100)
    header = f"{HEADER},house_money_stake,house_money_paid"
    pair = "{number},1,10 10 3,10 6,3,6,banker,5,0"
    rows = [pair.format(number=number) for number in range(1, 6)]
    found = faults(log(*rows, "6,1,K 9,A 7,9,8,player,,", pair.format(number=7), header=header))
    assert found == [(7, "wrong_payment", "house_money_paid")]


# ------------------------------------------------------------------------------------- void rounds


@pytest.mark.parametrize("row", ["1,2,2c 3c,Kd,,,void", "1,2,,,,,void", "1,2,2c 3c,Kd,5,,V", "1,2,Kd Kd,Qs 6h,,,void"])
def test_a_void_round_needs_no_totals(row: str) -> None:
    assert faults(log(FIRST, row)) == []


def test_a_finished_round_called_void_is_no_void_round_and_its_blank_totals_are_no_second_fault() -> None:
    assert faults(log(FIRST, "1,2,6c 3h,Ac 7h,,,void")) == [(2, "wrong_winner", "winner")]


def test_a_total_of_a_void_round_that_is_no_number_is_unreadable() -> None:
    assert faults(log(FIRST, "1,2,2c 3c,Kd,five,,void")) == [(2, "unreadable", "player_total")]


# ------------------------------------------------------------------------- nothing hides the rest


def test_a_blank_total_does_not_hide_what_else_is_wrong_in_its_row() -> None:
    assert faults(log("1,1,9c 9d Kd,Kd Kd 5c 5c,,5,banker")) == [
        (1, "unreadable", "player_total"),
        (1, "natural_ignored", "player"),
        (1, "natural_ignored", "banker"),
        (1, "wrong_total", "banker_total"),
        (1, "wrong_winner", "winner"),
    ]


def test_an_unreadable_winner_does_not_hide_a_wrong_total() -> None:
    assert faults(log("1,1,8c 7c 9d,8c 5d Qh,5,x,house")) == [
        (1, "unreadable", "winner"), (1, "unreadable", "banker_total"), (1, "wrong_total", "player_total"),
    ]  # fmt: skip


def test_every_unreadable_cell_of_a_row_is_said_and_readable_cards_are_counted() -> None:
    assert faults(log("1,1,Joker 7c,Fool 5d,x,3,house")) == [
        (1, "unreadable", "player"), (1, "unreadable", "banker"), (1, "unreadable", "winner"),
        (1, "unreadable", "player_total"),
    ]  # fmt: skip
    eights = [f"1,{number},Joker,8c 8c,0,6,banker" for number in range(1, 6)]
    assert faults(log(*eights))[-2:] == [(5, "unreadable", "player"), (5, "too_many_of_a_card", "")]


def test_an_unreadable_total_does_not_keep_wagers_from_being_settled() -> None:
    header = f"{HEADER},wager,stake,paid"
    assert faults(log("1,1,8c 7c 9d,8c 5d Qh,,3,player,player,25,50", header=header)) == [
        (1, "unreadable", "player_total"), (1, "wrong_payment", "paid"),
    ]  # fmt: skip


def test_an_unreadable_wager_does_not_hide_another_of_its_round() -> None:
    rows = [f"{FIRST},3,player,25,much", f"{FIRST},4,player,25,50"]
    assert faults(log(*rows, header=f"{HEADER},seat,wager,stake,paid")) == [
        (1, "unreadable", "paid"), (2, "wrong_payment", "paid"),
    ]  # fmt: skip


# ------------------------------------------------------------------------------------------ words


@pytest.mark.parametrize(
    "hand",
    [
        "Ace King 8", "ace queen 8", "Jack of Clubs Ace of Spades 8 of hearts", '"Ten of clubs, Ace of Spades, 8♥"',
        '"10 of clubs; A of spades; Eight of hearts"', "T A 8", "10 A 8", "ACE JACK EIGHT", "King of hearts-As-8♥",
    ],
)  # fmt: skip
def test_cards_may_be_written_as_words(hand: str) -> None:
    assert faults(log(f"1,1,{hand},4 2,9,6,player")) == []
    wrong = audited(log(f"1,1,{hand},4 2,8,6,player")).findings.kept
    assert [(fault.kind.value, fault.expected) for fault in wrong] == [("wrong_total", "9")]


def test_cards_written_as_words_are_counted_as_cards() -> None:
    rows = [f"1,{number},Ace of Spades 8,7 2,9,9,tie" for number in range(1, 10)]
    assert _found(*rows) == ["number 9 of As in shoe 1"]


@pytest.mark.parametrize("word", ["X", "x", "Kings", "Acer", "Knight", "King of cups"])
def test_a_word_that_may_mean_something_else_is_unreadable(word: str) -> None:
    assert (1, "unreadable", "player") in faults(log(f"1,1,{word} 9,7 K,9,7,player"))


# --------------------------------------------------------------------------------------- messages


@pytest.mark.parametrize("cell", ["NaN", "nan"])
def test_a_sum_that_is_not_a_number_is_unreadable(cell: str) -> None:
    audit = audited(log(f"{FIRST},player,25,{cell}", header=f"{HEADER},wager,stake,paid"))
    assert [(fault.kind.value, fault.found) for fault in audit.findings.kept] == [("unreadable", repr(cell))]


@pytest.mark.parametrize("cell", ["25,00", "1.250,00", "25,5", "€25,00"])
def test_a_decimal_comma_is_unreadable_with_a_hint(cell: str) -> None:
    (fault,) = audited(log(f'{FIRST},player,25,"{cell}"', header=f"{HEADER},wager,stake,paid")).findings.kept
    assert fault.kind.value == "unreadable"
    assert "a point before the cents, a comma only between thousands" in fault.expected


def test_a_sum_that_is_unreadable_for_another_reason_has_no_such_hint() -> None:
    (fault,) = audited(log(f"{FIRST},player,25,much", header=f"{HEADER},wager,stake,paid")).findings.kept
    assert "comma" not in fault.expected


def test_a_shoe_without_a_name_is_called_so() -> None:
    hands = "6c 3h,Ac 7h,9,8,player"
    again = f"1,1,{hands}", f",1,{hands}", f",2,{hands}", f"1,2,{hands}"
    assert _found(*again) == ["shoe 1 after a shoe without a name"]
    assert _found(f",1,{hands}", f"2,1,{hands}", f"2,2,{hands}", f",1,{hands}") == [
        "round 1 of a shoe without a name again"
    ]
    many = [f",{number},8c A,A 7,9,8,player" for number in range(1, 10)]
    assert _found(*many) == ["number 9 of 8c in a shoe without a name"]


def test_the_first_card_too_many_is_named_where_one_row_has_several() -> None:
    rows = [f"1,{number},8c Kh,7d Kd,8,7,player" for number in range(1, 8)]
    assert "number 9 of 8c in shoe 1" in _found(*rows, "1,8,8c Ks,8c 8c,8,6,player")
