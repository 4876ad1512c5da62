"""Logs as people write them: separators, encodings, notations, names of columns, wagers, JSON lines, Parquet."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

from baccarat.audit.rounds import Findings, UnreadableLog, audit_log
from baccarat.law.rulebook import rulebook
from log_text import FIRST, HEADER, SECOND, THIRD, audited, faults, log

# --------------------------------------------------------------------------- ways in which people write


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("start", ["", "\ufeff", "\n\n"])
def test_separators_line_ends_and_marks_at_the_beginning(delimiter: str, end: str, start: str) -> None:
    text = (start + log(FIRST, SECOND, "", THIRD, end=end)).replace(",", delimiter)
    assert faults(text) == []
    assert faults(text.replace(f"4{delimiter}3", f"5{delimiter}3")) == [(1, "wrong_total", "player_total")]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig"])
def test_encodings_that_say_what_they_are(encoding: str) -> None:
    assert faults(log(FIRST, SECOND).encode(encoding)) == []


def test_a_first_line_that_names_the_separator_is_heard() -> None:
    assert faults("sep=;\n" + log(FIRST, SECOND).replace(",", ";")) == []


def test_the_separator_may_be_said() -> None:
    assert faults(log(FIRST, SECOND).replace(",", "~"), delimiter="~") == []


@pytest.mark.parametrize(
    "player",
    [
        "8c 7c 9d", '"8c,7c,9d"', "8C-7C-9D", "8♣ 7♣ 9♦", "8c7c9d", "8 7 9", '"[8, 7, 9]"', "8c 7 9d",
        "['8c' '7c' '9d']", "8c/7c/9d",
    ],
)  # fmt: skip
def test_hands_are_read_however_they_are_written(player: str) -> None:
    assert faults(log(FIRST.replace("8c 7c 9d", player), SECOND)) == []


@pytest.mark.parametrize("word", ["P", "p", "Player", "PLAYER", " player ", "punto", "Player wins", "player_win", "闲"])
def test_winners_are_read_however_they_are_written(word: str) -> None:
    assert faults(log(FIRST.replace("player", word), SECOND)) == []


@pytest.mark.parametrize("tens", ["T", "10", "t"])
def test_tens_are_read_however_they_are_written(tens: str) -> None:
    rows = [f"1,1,{tens} 7,K {tens} 2,7,2,P", f"1,2,{tens}c 7h,Kd {tens}s 2c,7,2,P"]
    assert faults(log(*rows)) == []


def test_a_bare_ten_is_any_card_worth_nothing_unless_the_log_writes_ranks() -> None:
    values = [f"1,{number},10 10 10,10 10 10,0,0,T" for number in range(1, 22)]
    assert faults(log(*values)) == [], "126 of 128 cards worth 0"
    assert faults(log(*values, "1,22,10 10 10,10 10 10,0,0,T")) == [(22, "too_many_of_a_card", "")]
    assert faults(log("1,0,J Q 6,K 7,6,7,B", *values[:5])) == [], "30 of 32 tens"
    assert faults(log("1,0,J Q 6,K 7,6,7,B", *values[:6])) == [(7, "too_many_of_a_card", "")]


def test_columns_are_found_by_usual_other_names_and_whatever_their_order() -> None:
    header = "Game No.,Outcome,Banker Score,Player Score,Bank Hand,Player Hand,Shoe ID"
    assert faults(log("1,Banker,6,3,Qs 6h,Kd Kd 3s,7", "2,Banker,6,4,Qs 6h,Kd Kd 3s,7", header=header)) == [
        (2, "wrong_total", "Player Score")
    ]


def test_a_column_for_each_card() -> None:
    header = "shoe,round,P1,P2,P3,B1,B2,B3,winner"
    rows = ["1,1,8c,7c,9d,8c,5d,Qh,P", "1,2,Kd,Kd,3s,Qs,6h,,B", "1,3,6c,3h,nan,Ac,7h,-,P", "1,4,6c,3h,,Ac,7h,2c,P"]
    assert faults(log(*rows, header=header)) == [(4, "natural_ignored", "B1+B2+B3")]
    named = log(*rows, header=header.replace("P", "a").replace("B", "z"))
    assert faults(named, columns={"player": "a1+a2+a3", "banker": "z1+z2+z3"}) == [(4, "natural_ignored", "z1+z2+z3")]


def test_columns_that_are_missing_are_not_checked_and_said_so() -> None:
    right, wrong = "Kd Kd 3s,Qs 6h", "Kd Kd 3s,Qs 6h 2c"
    audit = audited(log(right, right, right, wrong, right, header="player,banker"))
    assert [(fault.row, fault.kind.value) for fault in audit.findings.kept] == [(4, "banker_drew")]
    said = " ".join(audit.unchecked)
    assert all(
        each in said for each in ("no column shoe", "no column round", "no column winner", "no columns with wagers")
    )


# ----------------------------------------------------------------------------------------- wagers


WAGERED = "1,1,8c 7c 9d,8c 5d Qh,4,3,player"


@pytest.mark.parametrize(
    ("header", "cells", "found"),
    [
        ("bet,stake,paid", "player,100,100", []),
        ("bet,stake,paid", "P,$100.00,100.0", []),
        ("bet,stake,paid", "banker,100,", []),
        ("bet,stake,net", "banker,100,-100", []),
        ("bet,stake,returned", "player,100,200.00", []),
        ("bet,stake,returned", "tie,100,0", []),
        ("bet,stake,paid", "player,100,95", [(1, "wrong_payment", "paid")]),
        ("bet,stake,paid", "player,10.25,10.249999999999", [(1, "wrong_payment", "paid")]),
        ("bet,stake,paid", "banker,100,100", [(1, "wrong_payment", "paid")]),
        ("player_stake,player_paid,tie_stake,tie_paid", "25,25,,", []),
        (
            "player_stake,player_paid,tie_stake,tie_paid", "25,20,5,40",
            [(1, "wrong_payment", "player_paid"), (1, "wrong_payment", "tie_paid")],
        ),
        ("bet,stake,paid", "dragon 7,5,200", [(1, "wager_not_offered", "bet")]),
        ("bet,stake,paid", "moon,5,200", [(1, "unreadable", "bet")]),
        ("bet,stake,paid", "player,five,200", [(1, "unreadable", "stake")]),
        ("bet,stake,paid", "player,-5,5", [(1, "unreadable", "stake")]),
        ("bet,stake,paid", "player,5,lots", [(1, "unreadable", "paid")]),
        ("bet,stake,paid", ",,", []),
        ("bet,stake,paid", "house_money,5,0", []),
    ],
)  # fmt: skip
def test_wagers_however_they_are_kept(header: str, cells: str, found: list[tuple[int, str, str]]) -> None:
    assert faults(log(f"{WAGERED},{cells}", header=f"{HEADER},{header}")) == found


def test_vigorish_is_compared_to_the_cent() -> None:
    row = "1,1,Kd Kd 3s,Qs 6h,3,6,banker,3,banker,103.00,103.00"
    header = f"{HEADER},seat,wager,stake,paid,vigorish"
    assert faults(log(f"{row},5.25", header=header)) == []
    (fault,) = audited(log(f"{row},5.15", header=header)).findings.kept
    assert (fault.kind.value, fault.expected, fault.found) == (
        "wrong_vigorish", "$5.25: banker at seat 3 for $103.00, win", "$5.15",
    )  # fmt: skip
    assert fault.clause == "ma-midi-4 §12(c)"


def test_sums_in_cents() -> None:
    header = f"{HEADER},wager,stake,paid"
    assert faults(log(f"{WAGERED},player,2500,2500", header=header), in_cents=True) == []
    assert faults(log(f"{WAGERED},player,2500,25.00", header=header), in_cents=True) == [(1, "wrong_payment", "paid")]
    assert faults(log(f"{WAGERED},player,2500,$25.00", header=header), in_cents=True) == []


def test_a_wager_in_a_row_twice_is_a_round_twice() -> None:
    header = f"{HEADER},seat,wager,stake,paid"
    one, two = f"{WAGERED},1,player,25,25", f"{WAGERED},2,player,25,25"
    assert faults(log(one, two, header=header)) == []
    assert audited(log(one, two, header=header)).rounds == 1
    assert faults(log(one, two, one, header=header)) == [(3, "duplicate_round", "round")]


def test_wagers_of_a_round_with_illegal_hands_are_not_settled_and_said_so() -> None:
    audit = audited(log("1,1,Kd Kd 3s,Qs 6h 2c,3,8,banker,banker,25,25", header=f"{HEADER},bet,stake,paid"))
    assert [fault.kind.value for fault in audit.findings.kept] == ["banker_drew"]
    assert "the wagers of 1 round in" in " ".join(audit.unchecked)


def test_pairs_that_values_do_not_tell_are_not_settled_and_said_so() -> None:
    header = f"{HEADER},house_money_stake,house_money_paid"
    assert faults(log("1,1,K K 3,Q 6,3,6,B,5,15", header=header)) == []
    assert faults(log("1,1,K K 3,Q 6,3,6,B,5,0", header=header)) == [(1, "wrong_payment", "house_money_paid")]
    values = audited(log("1,1,0 0 3,0 6,3,6,B,5,15", header=header))
    assert values.findings.kept == []
    assert "1 wager on house_money" in " ".join(values.unchecked)


# ------------------------------------------------------------------------------------- JSON lines


def test_json_lines_with_lists_and_numbers() -> None:
    text = (
        '{"shoe": 1, "round": 1, "player": ["8c", "7c", "9d"], "banker": [8, 5, 0], "player_total": 4, '
        '"banker_total": 3.0, "winner": "player", "wagers": [{"seat": 1, "type": "player", "amount": 25, "win": 25}]}\n'
        "\n"
        '{"shoe": 1, "round": 2, "player": "Kd Kd 3s", "banker": "Qs 6h", "player_total": 3, "banker_total": 6, '
        '"winner": "B", "wagers": [{"seat": 1, "type": "banker", "amount": 100, "win": 100, "vigorish": 4.75}]}\n'
        "{half\n[1]\n"
        '{"shoe": 1, "round": 5, "player": null, "banker": {"a": 1}, "winner": true}\n'
    )
    assert faults(text) == [
        (2, "wrong_vigorish", "wagers[1].vigorish"), (3, "unreadable", ""), (4, "unreadable", ""),
        (5, "unreadable", "banker"), (5, "unreadable", "winner"), (5, "unreadable", "player_total"),
        (5, "unreadable", "banker_total"),
    ]  # fmt: skip


# --------------------------------------------------------------------------------------- Parquet


def test_without_pyarrow_a_parquet_file_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from baccarat.report.optional_library import MissingExtra  # noqa: PLC0415

    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    monkeypatch.setitem(__import__("sys").modules, "pyarrow.parquet", None)
    path = tmp_path / "log.parquet"
    path.write_bytes(b"PAR1junk")
    with pytest.raises(MissingExtra, match=r'pip install "baccarat\[audit\]"'):
        audit_log(rulebook("ma-midi-4"), path, Findings(keep=1))


def test_parquet_columns_of_texts_numbers_and_lists(tmp_path: Path) -> None:
    arrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    table = arrow.table({
        "shoe": [1, 1, 1], "round": [1, 2, 3], "player": [["8c", "7c", "9d"], ["Kd", "Kd", "3s"], ["6c", "3h"]],
        "banker": ["8c 5d Qh", "Qs 6h", "Ac 7h 2c"], "player_total": [4.0, 3.0, 9.0], "banker_total": [3, 6, 8],
        "winner": ["player", "B", "P"],
    })  # fmt: skip
    path = tmp_path / "log.parquet"
    parquet.write_table(table, path)
    audit = audit_log(rulebook("ma-midi-4"), path, Findings(keep=9), progress=lambda *_: None)
    assert [(fault.row, fault.kind.value) for fault in audit.findings.kept] == [(3, "natural_stale_card")]
    path.write_bytes(path.read_bytes()[:100])
    with pytest.raises(UnreadableLog, match="not a readable Parquet file"):
        audit_log(rulebook("ma-midi-4"), path, Findings(keep=1))
