"""Logs that nobody should have written: a clear message with the row and the column, and the rest goes on."""

from __future__ import annotations

import io
import random
import resource
from pathlib import Path

import pytest

from baccarat.audit.rounds import Findings, UnreadableLog, audit_log, auditor, hand_text, text_line
from baccarat.audit.rounds.page import audit_report
from baccarat.law.rulebook import rulebook
from baccarat.report.model import TableBlock
from foreign_logs import clean, write
from log_text import FIRST, HEADER, SECOND, THIRD, audited, faults, log

pytestmark = pytest.mark.slow

# ------------------------------------------------------------------------------ unreadable as a whole


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "the file is empty; expected a header"),
        ("\n\n  \n", "the file is empty"),
        (HEADER + "\n", "there is a header, but no round after it"),
        ("a,b,c,d\n1,2,3,4\n", "no column 'player'"),
        ("shoe,round,player,winner\n1,1,7c 8d,player\n", "no column 'banker', which holds the cards of a hand"),
        (b"\x00\x01\x02\x03binary\x00\n\x00", "not a text file"),
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "not a text file"),
        (b"\x1f\x8b\x08\x00junk", "a gzip file: unpack it first"),
        (b"PK\x03\x04junk", "save it as CSV first"),
        ("[1, 2]\n", "expected a JSON object"),
        ('{"a": 1\n', "expected one JSON object per line"),
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
        ("1,2," + "K" * 100_000 + ",Qs 6h,3,6,banker", "player", "at most 200 characters; found: 100,000"),
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


def test_a_line_that_is_too_long_does_not_hide_the_unclosed_quotation_before_it() -> None:
    rows = (FIRST, '1,2,"Kd Kd 3s,Qs 6h,3,6,banker', "x" * 2_000_000, THIRD.replace("9,8", "9,7"))
    found = audited(log(*rows)).findings.kept
    assert [(fault.row, fault.kind.value) for fault in found] == [
        (2, "unreadable"),
        (3, "unreadable"),
        (4, "wrong_total"),
    ]
    assert [fault.expected for fault in found[:2]] == [
        "a closing quotation mark",
        "a line of at most 65,536 characters",
    ]


def test_a_fault_names_its_column_and_its_clauses_where_it_has_them() -> None:
    cells, total = audited(log(FIRST, "1,2,Kd Kd 3s,Qs 6h", THIRD.replace("9,8", "9,7"))).findings.kept
    assert str(cells) == "row 2, unreadable: expected: 7 cells, as in the header; found: 4 cells"
    assert str(total) == (
        "row 3 (shoe 1, round 3), column banker_total, wrong_total: expected: 8; found: 7  [ma-midi-4 §6(b)]"
    )


def test_the_report_lists_each_fault_with_its_clauses_or_none() -> None:
    audit = audited(log(FIRST, "1,2,Kd Kd 3s,Qs 6h", THIRD.replace("9,8", "9,7")))
    section = next(each for each in audit_report(audit, name="log.csv").sections if each.title == "The faults")
    (table,) = (block for block in section.blocks if isinstance(block, TableBlock))
    assert [(row[0], row[2], row[-1]) for row in table.rows] == [
        ("2", "unreadable", "none"),
        ("3", "wrong total", "ma-midi-4 §6(b)"),
    ]


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


def test_lines_are_the_same_whatever_the_size_of_a_block(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "a\n\nbb\n" + "c" * 50 + "\n" + "d" * 300 + "\nee\nf"
    monkeypatch.setattr(text_line, "LONGEST_LINE", 100)
    for block in (1, 2, 3, 7, 64, 1000):
        monkeypatch.setattr(text_line, "BLOCK", block)
        lines = [
            line if isinstance(line, str) else None
            for lines in text_line.blocks_of_lines(io.StringIO(text))
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


def test_an_unreadable_row_excuses_only_the_row_after_it() -> None:
    rows = [f"1,{number},K K 3,Q 6,3,6,banker" for number in (1, 2, 3, 6)]
    assert faults(log(rows[0], "1,2", *rows[1:])) == [(2, "unreadable", ""), (5, "round_missing", "round")]
    assert faults(log(rows[0], "1,2", *rows[2:])) == [(2, "unreadable", ""), (4, "round_missing", "round")]


def test_what_is_kept_of_strange_hands_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(auditor, "MOST_DRAWINGS", 50)
    monkeypatch.setattr(hand_text, "MOST_KEPT", 40)
    chance = random.Random(1)
    rows = [
        f"{number},1,{' '.join(chance.choices('0123456789', k=chance.randrange(9)))},7 1,1,8,B" for number in range(400)
    ]
    kinds = [(row, kind) for row, kind, _ in faults(log(*rows))]
    monkeypatch.undo()
    assert kinds == [(row, kind) for row, kind, _ in faults(log(*rows))], "what is forgotten is found out again"


def test_a_long_cell_is_unreadable_and_not_shown_whole() -> None:
    blanks = " " * 50_000
    audit = audited(
        log(
            f"1,1,K K 3{blanks},Q 6,3,6,banker", f"{blanks}1,2,K K 3,Q 6,3,6,banker",
            f"1,3,K K 3,Q 6,3,6,{blanks}B,{'9' * 100}",
        )
    )  # fmt: skip
    assert [(fault.row, fault.column) for fault in audit.findings.kept] == [(1, "player"), (2, "shoe"), (3, "")]
    long = log(f"{FIRST},player,{'9' * 100},25", header=f"{HEADER},wager,stake,paid")
    assert faults(long) == [(1, "unreadable", "stake")]
    assert all(len(str(fault)) < 300 for fault in [*audit.findings.kept, *audited(long).findings.kept])


def test_a_round_of_endless_wagers_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(auditor, "MOST_WAGERS", 5)
    rows = [f"1,1,8c 7c 9d,8c 5d Qh,4,3,player,{seat},player,25,25" for seat in range(7)]
    found = faults(log(*rows, header=f"{HEADER},seat,wager,stake,paid"))
    assert found == [(6, "duplicate_round", "round")]
