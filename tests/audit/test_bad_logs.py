"""Logs that nobody should have written: a clear message with the row and the column, and the rest goes on."""

from __future__ import annotations

import io
import random
import resource
from pathlib import Path

import pytest

from baccarat.audit.rounds import Findings, LogAudit, LogOptions, UnreadableLog, audit_log, text_lines
from baccarat.law.rulebook import rulebook
from foreign_logs import clean, write

HEADER = "shoe,round,player,banker,player_total,banker_total,winner"
FIRST, SECOND, THIRD = "1,1,8c 7c 9d,8c 5d Qh,4,3,player", "1,2,Kd Kd 3s,Qs 6h,3,6,banker", "1,3,6c 3h,Ac 7h,9,8,player"


def audited(text: str | bytes, **options: object) -> LogAudit:
    raw = text.encode() if isinstance(text, str) else text
    stream = io.BufferedReader(io.BytesIO(raw))
    return audit_log(rulebook("ma-midi-4"), stream, Findings(keep=1000), options=LogOptions(**options))  # type: ignore[arg-type]


def faults(text: str | bytes, **options: object) -> list[tuple[int, str, str]]:
    return [(fault.row, fault.kind.value, fault.column) for fault in audited(text, **options).findings.kept]


def log(*rows: str, header: str = HEADER, end: str = "\n") -> str:
    return end.join([header, *rows]) + end


# ------------------------------------------------------------------------------ unreadable as a whole


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "the file is empty; expected a header"),
        ("\n\n  \n", "the file is empty"),
        (HEADER + "\n", "there is a header and no round after it"),
        ("a,b,c,d\n1,2,3,4\n", "no column 'player'"),
        ("shoe,round,player,winner\n1,1,7c 8d,player\n", "no column 'banker', which holds the cards of a hand"),
        (b"\x00\x01\x02\x03binary\x00\n\x00", "not a text file"),
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "not a text file"),
        (b"\x1f\x8b\x08\x00junk", "a gzip file: unpack it first"),
        (b"PK\x03\x04junk", "save it as CSV first"),
        ("[1, 2]\n", "expected a JSON object"),
        ('{"a": 1\n', "expected one JSON object a line"),
        ("x" * 200_000, "no header: expected a line of at most 65,536 characters"),
        (",".join(f"c{number}" for number in range(2_000)) + "\n", "2,000 columns"),
        ("player,banker,result,outcome\n7c 8d,7c 8d,tie,tie\n", "'result' and 'outcome' could both be the winner"),
        ("player,player,banker\n7c 8d,7c 8d,7c\n", "could both be the player"),
        (b"PAR1 and then nothing", "cannot be read from a pipe"),
    ],
)  # fmt: skip
def test_a_file_that_is_no_log_is_refused_with_a_sentence(text: str | bytes, says: str) -> None:
    with pytest.raises(UnreadableLog) as error:
        audited(text)
    assert says in str(error.value)


@pytest.mark.parametrize(
    ("columns", "says"),
    [
        ({"player": "P hand"}, "--column player=P hand: no such column; there are 'shoe', 'round', 'player'"),
        ({"player": "playr"}, "did you mean 'player'?"),
    ],
)
def test_a_column_that_is_not_there_is_named(columns: dict[str, str], says: str) -> None:
    with pytest.raises(UnreadableLog) as error:
        audited(log(FIRST), columns=columns)
    assert says in str(error.value)


# ---------------------------------------------------------------------------------- unreadable rows


@pytest.mark.parametrize(
    ("row", "column", "says"),
    [
        ("1,2,1s Kd,Qs 6h,3,6,banker", "player", "found: '1s' in '1s Kd'"),
        ("1,2,11h Kd,Qs 6h,3,6,banker", "player", "found: '11h'"),
        ("1,2,Kd Joker,Qs 6h,3,6,banker", "player", "found: 'Joker'"),
        ("1,2,703,Qs 6h,3,6,banker", "player", "found: '703'"),
        ("1,2,Kd Kd 3s,Qs 6h,-3,6,banker", "player_total", "expected: a total from 0 to 9; found: '-3'"),
        ("1,2,Kd Kd 3s,Qs 6h,NaN,6,banker", "player_total", "found: 'NaN'"),
        ("1,2,Kd Kd 3s,Qs 6h,3,,banker", "banker_total", "found: ''"),
        ("1,2,Kd Kd 3s,Qs 6h,3,6,house", "winner", "expected: player, banker, tie or void, or P, B, T; found: 'house'"),
        ("1,2,Kd Kd 3s,Qs 6h", "", "expected: 7 cells, as in the header; found: 4 cells"),
        ("1,2,Kd Kd 3s,Qs 6h,3,6,banker,more", "", "found: 8 cells"),
        ("1,2,Kd\0Kd,Qs 6h,3,6,banker", "player", "Kd\\x00Kd"),
        ('1,2,"Kd Kd 3s,Qs 6h,3,6,banker', "", "expected: a closing quotation mark"),
        ("1,2,Kd Kd 3s" + " 2c" * 10 + ",Qs 6h,3,6,banker", "player", "found: 13 cards"),
        ("1,2," + "K" * 100_000 + ",Qs 6h,3,6,banker", "player", "found: 100000 cards"),
        ("x" * 2_000_000, "", "a line of at most 65,536 characters"),
    ],
)  # fmt: skip
def test_an_unreadable_row_is_told_and_the_others_go_on(row: str, column: str, says: str) -> None:
    audit = audited(log(FIRST, row, THIRD, THIRD.replace("1,3", "1,4").replace("9,8", "9,7")))
    first, *others = audit.findings.kept
    assert (first.row, first.kind.value, first.column) == (2, "unreadable", column)
    assert says in str(first)
    assert [(fault.row, fault.kind.value) for fault in others] == [(4, "wrong_total")]
    assert audit.rounds == 4


def test_bytes_that_are_no_text_are_unreadable_in_their_row_only() -> None:
    raw = log(FIRST, SECOND, THIRD).encode().replace(b"Kd Kd", b"K\xff\xfe")
    assert faults(raw) == [(2, "unreadable", "player")]


def test_a_half_written_last_line_is_one_unreadable_row() -> None:
    whole = log(FIRST, SECOND, THIRD)
    for cut in range(len(whole) - len(THIRD) + 1, len(whole) - len("player\n")):
        found = faults(whole[:cut])
        assert found[0][:2] == (3, "unreadable") if len(found) == 1 else found == [], whole[:cut]
    assert faults(whole[: -len("ayer\n")]) == [(3, "unreadable", "winner")]
    assert faults(whole.rstrip("\n")) == []


def test_a_quotation_that_never_ends_costs_its_own_row_only() -> None:
    rows = [f"{number},1,8c 7c 9d,8c 5d Qh,4,{2 if number in (12, 700) else 3},player" for number in range(1, 900)]
    rows[10] = rows[10].replace("8c 7c", '"8c 7c')
    wrong = [(row, "wrong_total", "banker_total") for row in (12, 700)]
    assert faults(log(*rows)) == [(11, "unreadable", ""), *wrong]
    quoted = [",".join(f'"{cell}"' for cell in row.replace('"', "").split(",")) for row in rows]
    quoted[10] = quoted[10].replace('7c 9d"', "7c 9d")
    assert faults(log(*quoted)) == [(11, "unreadable", ""), *wrong]


def test_a_line_of_a_gigabyte_is_not_kept_in_memory() -> None:
    class Endless(io.RawIOBase):
        """A header, a row, and then a line without an end, many times as long as the reader may hold."""

        left = 300 << 20

        def __init__(self) -> None:
            self.head = log(FIRST).encode()

        def readable(self) -> bool:
            return True

        def readinto(self, buffer: object) -> int:
            view = memoryview(buffer)  # type: ignore[arg-type]
            part = self.head[: len(view)] or b"7" * min(len(view), self.left)
            if self.head:
                self.head = self.head[len(part) :]
            else:
                self.left -= len(part)
            view[: len(part)] = part
            return len(part)

    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    audit = audit_log(rulebook("ma-midi-4"), io.BufferedReader(Endless()), Findings(keep=9))
    assert [(fault.row, fault.kind.value) for fault in audit.findings.kept] == [(2, "unreadable")]
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 40_000, "kilobytes"


def test_any_bytes_at_all_end_with_a_finding_or_a_sentence() -> None:
    chance = random.Random(5)
    whole = log(*[FIRST, SECOND, THIRD] * 20).encode()
    for _ in range(400):
        raw = bytearray(whole)
        for _ in range(chance.choice((1, 3, 40))):
            at = chance.randrange(len(raw))
            raw[at : at + chance.choice((0, 1, 5))] = bytes(chance.choices(range(256), k=chance.choice((0, 1, 3))))
        try:
            rounds = audited(bytes(raw)).rounds
        except UnreadableLog:
            continue
        assert rounds > 0


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
    audit = audited(log("Kd Kd 3s,Qs 6h", "Kd Kd 3s,Qs 6h 2c", header="player,banker"))
    assert [(fault.row, fault.kind.value) for fault in audit.findings.kept] == [(2, "banker_drew")]
    said = " ".join(audit.unchecked)
    assert all(
        each in said for each in ("no column shoe", "no column round", "no column winner", "no columns with wagers")
    )


# ---------------------------------------------------------------------------------------- order


@pytest.mark.parametrize(
    ("numbers", "found"),
    [
        ([(1, 1), (1, 2), (1, 3), (2, 1), (2, 2)], []),
        ([(1, 0), (1, 1), (2, 0), (2, 1)], []),
        ([(1, 1), (1, 2), (2, 3), (2, 4)], []),
        ([(7, 41), (7, 42), (8, 1)], []),
        ([("a", 1), ("a", 2), ("c", 1), ("b", 1)], []),
        ([(1, "x"), (1, "y"), (2, "x")], []),
        ([(1, "1.0"), (1, "2.0"), (2, "1.0")], []),
        ([(1, "01"), (1, "02"), (1, "03")], []),
        ([(1, 1), (1, 1), (1, 2)], [(2, "duplicate_round")]),
        ([(1, "x"), (1, "y"), (1, "x")], [(3, "duplicate_round")]),
        ([(1, 1), (1, 2), (1, 4), (1, 5)], [(3, "round_missing")]),
        (
            [(1, 1), (1, 2), (1, 4), (1, 3), (1, 5), (1, 3)],
            [(3, "round_missing"), (4, "round_out_of_order"), (6, "duplicate_round")],
        ),
        ([(1, 5), (1, 4), (1, 4), (1, 6)], [(2, "round_out_of_order"), (3, "duplicate_round")]),
        ([(1, 1), (1, 2), (2, 5), (2, 6)], [(3, "round_missing")]),
        ([(1, 1), (3, 1), (2, 1)], [(3, "shoe_out_of_order")]),
        ([(1, 1), (1, 2), (2, 1), (2, 2), (1, 2), (2, 3)], [(5, "duplicate_round")]),
        ([(1, 1), (1, 2), (2, 1), (2, 2), (1, 3), (2, 3)], [(5, "shoe_out_of_order")]),
        ([(1, 1), (9, 2), (1, 2), (1, 3)], [(3, "shoe_out_of_order")]),
    ],
)  # fmt: skip
def test_the_order_of_shoes_and_rounds(numbers: list[tuple[object, object]], found: list[tuple[int, str]]) -> None:
    rows = [f"{shoe},{number},K K 3,Q 6,3,6,banker" for shoe, number in numbers]
    assert [(row, kind) for row, kind, _ in faults(log(*rows))] == found


def test_rounds_without_a_shoe_begin_again_at_one() -> None:
    rows = [f"{number},Kd Kd 3s,Qs 6h,6" for number in (1, 2, 3, 1, 2, 2, 3)]
    assert faults(log(*rows, header="round,player,banker,banker_total")) == [(6, "duplicate_round", "round")]


def test_a_round_that_the_shoe_could_not_finish_is_void() -> None:
    assert faults(log(FIRST, "1,2,Kd Kd,Qs 6h,0,6,void")) == []
    assert faults(log(FIRST, "1,2,Kd,Qs,0,0,void")) == []
    assert faults(log(FIRST, "1,2,Kd Kd,Qs 6h,0,6,banker")) == [(2, "player_stayed", "player")]


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
    assert "the wagers of 1 rounds" in " ".join(audit.unchecked)


def test_pairs_that_values_do_not_tell_are_not_settled_and_said_so() -> None:
    header = f"{HEADER},house_money_stake,house_money_paid"
    assert faults(log("1,1,K K 3,Q 6,3,6,B,5,15", header=header)) == []
    assert faults(log("1,1,K K 3,Q 6,3,6,B,5,0", header=header)) == [(1, "wrong_payment", "house_money_paid")]
    values = audited(log("1,1,0 0 3,0 6,3,6,B,5,15", header=header))
    assert values.findings.kept == []
    assert "1 wagers on house_money" in " ".join(values.unchecked)


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
        (5, "unreadable", "banker"),
    ]  # fmt: skip


# --------------------------------------------------------------------------------------- Parquet


def test_without_pyarrow_a_parquet_file_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from baccarat.report.need import MissingExtra  # noqa: PLC0415

    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    monkeypatch.setitem(__import__("sys").modules, "pyarrow.parquet", None)
    path = tmp_path / "log.parquet"
    path.write_bytes(b"PAR1junk")
    with pytest.raises(MissingExtra, match=r'pip install "baccarat\[audit\]"'):
        audit_log(rulebook("ma-midi-4"), path, Findings(keep=1))


def test_parquet_columns_of_texts_numbers_and_lists(tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
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
    with pytest.raises(UnreadableLog, match="not a Parquet file that can be read"):
        audit_log(rulebook("ma-midi-4"), path, Findings(keep=1))


def test_lines_are_the_same_whatever_the_size_of_a_block(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "a\n\nbb\n" + "c" * 50 + "\n" + "d" * 300 + "\nee\nf"
    monkeypatch.setattr(text_lines, "LONGEST", 100)
    for block in (1, 2, 3, 7, 64, 1000):
        monkeypatch.setattr(text_lines, "BLOCK", block)
        lines = [
            line if isinstance(line, str) else None
            for lines in text_lines.blocks_of_lines(io.StringIO(text))
            for line in lines
        ]
        long = [None] if block < 200 else ["d" * 300]
        assert lines == ["a", "", "bb", "c" * 50, *long, "ee", "f"], block


def test_memory_does_not_grow_with_the_log(tmp_path: Path) -> None:
    rows = list(clean(6_000, seed=3))
    for row in rows:
        row.winner = "player"  # half of them wrong, so that faults are many
    path = write(tmp_path / "log.csv", rows)
    text = path.read_bytes()
    header, _, body = text.partition(b"\n")
    path.write_bytes(header + b"\n" + body * 3)
    audit_log(rulebook("ma-midi-4"), path, Findings(keep=10))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    path.write_bytes(header + b"\n" + body * 20)
    audit = audit_log(rulebook("ma-midi-4"), path, Findings(keep=10))
    assert audit.findings.total > 50_000
    assert len(audit.findings.kept) == 10
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 15_000, "kilobytes"
