"""Other people's logs: nothing is found in clean rounds, every planted fault at its row and under its clause."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from baccarat.audit.rounds import Findings, LogAudit, LogOptions, audit_log
from baccarat.audit.rounds.auditor import RoundAuditor
from baccarat.audit.rounds.column import find_columns
from baccarat.law.rulebook import rulebook
from foreign_logs import (
    COLUMNS,
    DECK,
    OF_A_ROW,
    STYLES,
    LogRow,
    Plant,
    Planted,
    cells,
    clean,
    duplicated,
    left_out,
    naive_kinds,
    overfull,
    paragraph_in,
    plant_in_rows,
    swapped,
    with_wagers,
    with_wrong_sums,
    write,
)
from paths import ROOT

sys.path.insert(0, str(ROOT / "tools"))

from audit_logs import clean_failures, planted_failures

pytestmark = pytest.mark.slow

EDITIONS = ["ma-midi-1", "ma-midi-2", "ma-midi-3", "ma-midi-4", "nj-punto-banco"]


def audited(path: Path, submission: str = "ma-midi-4", **options: object) -> LogAudit:
    return audit_log(rulebook(submission), path, Findings(keep=10**6), options=LogOptions(**options))  # type: ignore[arg-type]


def found(audit: LogAudit) -> set[tuple[int, str, str | None]]:
    return {(fault.row, fault.kind.value, fault.clause) for fault in audit.findings.kept}


def expected(planted: list[Planted], edition: str) -> set[tuple[int, str, str | None]]:
    return {(each.row, each.kind, paragraph_in(edition, each.paragraph)) for each in planted}


# ------------------------------------------------------------------------------------ clean rounds


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("submission", EDITIONS)
def test_nothing_is_found_in_clean_rounds(submission: str, style: str, tmp_path: Path) -> None:
    path = write(tmp_path / "clean.csv", list(clean(1_500, seed=EDITIONS.index(submission))), style=style)
    audit = audited(path, submission)
    assert (audit.rounds, audit.rows, audit.findings.kept) == (1_500, 1_500, [])


@pytest.mark.parametrize(
    ("submission", "ruleset", "options"),
    [
        ("ma-midi-1", "ma-midi-1", {}),
        ("ma-midi-4", "ma-midi-4", {}),
        ("ma-midi-4-ez", "ma-midi-4", {"ez": True}),
        ("nj-punto-banco", "nj-punto-banco", {}),
        ("nj-punto-banco-six-half", "nj-punto-banco", {"no_commission": "six_half"}),
    ],
)
def test_wagers_paid_as_the_second_settlement_has_it_are_right(
    submission: str, ruleset: str, options: dict[str, object], tmp_path: Path
) -> None:
    rows = with_wagers(list(clean(400, seed=5)), ruleset, options, seed=6)
    audit = audited(write(tmp_path / "wagers.csv", rows), submission)
    assert (audit.rounds, audit.rows, audit.findings.kept) == (400, len(rows), [])
    assert len(rows) > 800, "several wagers a round, each in a row of its own"


# ---------------------------------------------------------------------------------- planted faults


@pytest.mark.parametrize("edition", ["ma-midi-4", "nj-punto-banco"])
@pytest.mark.parametrize("plant", OF_A_ROW, ids=lambda plant: plant.__name__)
def test_a_planted_fault_is_found_at_its_row_and_clause(plant: Plant, edition: str, tmp_path: Path) -> None:
    rows, planted = plant_in_rows(plant, 20, seed=11)
    audit = audited(write(tmp_path / "planted.csv", rows), edition)
    assert expected(planted, edition) <= found(audit)
    assert {fault.row for fault in audit.findings.kept} == {each.row for each in planted}, "and no other row"


@pytest.mark.parametrize("rearrange", [duplicated, left_out, swapped], ids=lambda each: each.__name__)
def test_rounds_twice_left_out_and_before_their_time_are_found(
    rearrange: Callable[..., tuple[list[LogRow], list[Planted]]], tmp_path: Path
) -> None:
    rows, planted = rearrange(20, seed=3)
    audit = audited(write(tmp_path / "order.csv", rows))
    kind = planted[0].kind
    assert {row for row, each, _ in found(audit) if each == kind} == {each.row for each in planted}
    others = {each for _, each, _ in found(audit)} - {kind}
    assert others <= ({"round_missing"} if kind == "round_out_of_order" else set()), (
        "a round before its time leaves a gap"
    )


@pytest.mark.parametrize("style", STYLES)
def test_a_card_that_the_decks_do_not_hold_is_found_where_it_is_dealt(style: str, tmp_path: Path) -> None:
    rows, planted = overfull(20, seed=8, style=style)
    audit = audited(write(tmp_path / "full.csv", rows, style=style))
    assert found(audit) == expected(planted, "ma-midi-4")


@pytest.mark.parametrize("column", ["paid", "vigorish", "net"])
@pytest.mark.parametrize("edition", ["ma-midi-4", "nj-punto-banco"])
def test_a_wrong_sum_is_found_at_its_wager(edition: str, column: str, tmp_path: Path) -> None:
    rows, planted = with_wrong_sums(column, 20, edition, seed=4)
    audit = audited(write(tmp_path / "sums.csv", rows), edition)
    kind = "wrong_vigorish" if column == "vigorish" else "wrong_payment"
    assert [(fault.row, fault.kind.value, fault.column) for fault in audit.findings.kept] == [
        (row, kind, column) for row in sorted(each.row for each in planted)
    ]
    main = {
        "ma-midi-4": ("ma-midi-4 §7(a)", "ma-midi-4 §12"),
        "nj-punto-banco": ("nj-punto-banco §3.2(a)", "nj-punto-banco §3.3"),
    }
    assert all((fault.clause or "").startswith(main[edition]) for fault in audit.findings.kept)


# ------------------------------------------------------------------------- against a naive checker


def _spoiled(chance: random.Random, row: LogRow) -> LogRow:
    """A row with cards, totals or winner changed at random; many are right again by chance."""
    for hand in (row.player, row.banker):
        what = chance.random()
        if what < 0.2 and hand:
            hand.pop()
        elif what < 0.4:
            hand.append(chance.choice(DECK))
        elif what < 0.5:
            hand[:] = chance.sample(DECK, chance.choice((0, 1, 2, 3, 4, 5)))
    if chance.random() < 0.6:
        row.reckon()
    if chance.random() < 0.2:
        row.banker_total = chance.randrange(12)
    if chance.random() < 0.2:
        row.winner = chance.choice(("player", "banker", "tie"))
    return row


@pytest.mark.parametrize("style", STYLES)
def test_a_naive_checker_written_from_the_documents_agrees_on_random_rows(style: str, tmp_path: Path) -> None:
    chance = random.Random(17)
    rows = [_spoiled(chance, row) for row in clean(4_000, seed=17)]
    audit = audited(write(tmp_path / "random.csv", rows, style=style))
    by_row: dict[int, set[str]] = {}
    for fault in audit.findings.kept:
        if fault.kind.value != "too_many_of_a_card":
            by_row.setdefault(fault.row, set()).add(fault.kind.value)
    wrong = [
        (number, row, by_row.get(number), naive_kinds(row))
        for number, row in enumerate(rows, 1)
        if by_row.get(number, set()) != naive_kinds(row)
    ]
    assert wrong == []
    assert len({kind for kinds in by_row.values() for kind in kinds}) == 13, "every kind that a row can have occurred"


def test_the_shortcut_finds_what_looking_closely_finds(tmp_path: Path) -> None:
    """A row in which all is as expected is passed by what is known of others; nothing is passed wrongly."""
    chance = random.Random(23)
    rows = [_spoiled(chance, row) if chance.random() < 0.3 else row for row in clean(3_000, seed=23)]
    for _ in range(100):
        at = chance.randrange(len(rows))
        rows.insert(chance.randrange(len(rows)), rows[at])
    table = [cells(row) for row in rows]
    columns, answers = find_columns(COLUMNS, mapped={}, kinds=()), []
    for shortcut in (True, False):
        auditor = RoundAuditor(rulebook("ma-midi-4"), columns, Findings(keep=10**6), shortcut=shortcut)
        for start in range(0, len(table), 700):
            auditor.feed([[*row] for row in table[start : start + 700]])
        auditor.finish()
        answers.append((auditor.rows, auditor.rounds, auditor.findings.kept))
    assert answers[0] == answers[1]
    assert len(answers[0][2]) > 500


@pytest.mark.slow
@pytest.mark.parametrize("edition", ["ma-midi-2", "nj-punto-banco"])
def test_the_long_campaign_in_short(edition: str, tmp_path: Path) -> None:
    assert list(clean_failures(tmp_path, edition, 4_000)) == []
    assert list(planted_failures(tmp_path, edition, 20, seed=31)) == []
