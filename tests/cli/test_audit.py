"""`baccarat audit` at the keyboard: text, JSON, page, exit status, messages; nothing else on disk is touched."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any, BinaryIO

import pytest

import forked
from foreign_logs import OF_A_ROW, clean, plant_in_rows, write
from golden_journals import names, path_of
from paths import ROOT
from terminal import in_terminal

pytestmark = pytest.mark.slow

EXAMPLES = ROOT / "docs" / "examples"
FAULTY = EXAMPLES / "faulty.csv"


def run(*words: str, given: bytes | BinaryIO | None = None) -> subprocess.CompletedProcess[str]:
    done = forked.run("audit", *words, given=given)
    assert b"Traceback" not in done.stderr
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


def answer(*words: str) -> dict[str, Any]:
    answered: dict[str, Any] = json.loads(run(*words, "--json").stdout)
    return answered


def test_every_fault_is_told_with_its_row_clause_expected_and_found() -> None:
    done = run(str(FAULTY), "--submission", "ma-midi-4", "--json")
    assert done.returncode == 1
    found = json.loads(done.stdout)
    assert (found["rounds"], found["listed"], found["left_out"]) == (12, 7, 0)
    assert [(fault["row"], fault["kind"], fault["clause"]) for fault in found["faults"]] == [
        (4, "banker_drew_twice", "ma-midi-4 §10(c)(2)(iii)"),
        (5, "natural_stale_card", "ma-midi-4 §10(a)"),
        (7, "banker_stayed", "ma-midi-4 §10(c)(2)(i)"),
        (9, "banker_stale_card", "ma-midi-4 §10(c)(2)(iii)"),
        (10, "duplicate_round", None),
        (11, "wrong_total", "ma-midi-4 §6(b)"),
        (12, "wrong_winner", "ma-midi-4 §11(a)"),
    ]
    first = found["faults"][0]
    assert (first["expected"], first["found"]) == (
        "Banker draws one card on 4 against a third card worth 2", "4 cards: 4c Kc Ks 9h",
    )  # fmt: skip
    assert found["summary"]["by_kind"]["wrong_total"] == 1
    assert {"kind": "wrong_total", "clause": "ma-midi-4 §6(b)", "count": 1} in found["summary"]["by_clause"]


def test_exit_status_says_whether_anything_was_found_or_could_not_be_read(tmp_path: Path) -> None:
    assert run(str(EXAMPLES / "rounds.csv"), "-s", "ma-midi-4").returncode == 0
    assert run(str(FAULTY), "-s", "ma-midi-4").returncode == 1
    spoiled = tmp_path / "spoiled.csv"
    spoiled.write_text(FAULTY.read_text(encoding="utf-8").replace("8c 5d Qh", "Joker 5d Qh"), encoding="utf-8")
    assert run(str(spoiled), "-s", "ma-midi-4").returncode == 2


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("none.csv", "-s", "ma-midi-4"), "none.csv: cannot be read: No such file"),
        ((str(EXAMPLES), "-s", "ma-midi-4"), "cannot be read: Is a directory"),
        ((str(FAULTY), "-s", "ma-midi-9"), "ma-midi-9"),
        ((str(FAULTY), "-s", "ma-midi-4", "--column", "player"), "expected FIELD=NAME, such as player=P_hand"),
        ((str(FAULTY), "-s", "ma-midi-4", "--column", "playr=banker"), "did you mean 'player'"),
        ((str(FAULTY), "-s", "ma-midi-4", "--column", "player=a", "--column", "player=b"), "already has a column"),
        ((str(FAULTY), "-s", "ma-midi-4", "--column", "player=Hand"), "no such column"),
        ((str(FAULTY), "-s", "ma-midi-4", "--delimiter", "::"), "expected one character"),
        ((str(FAULTY), "-s", "ma-midi-4", "--delimiter", ";"), "no column 'player'"),
        ((str(FAULTY), "-s", "ma-midi-4", "--limit", "-1"), None),
        ((str(FAULTY), "-s", "ma-midi-4", "--html", "/none/report.html"), "cannot be written"),
        ((str(EXAMPLES / "dispute.jsonl"), "-s", "ma-midi-4"), "a journal names its own rules"),
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_said_with_status_2(words: tuple[str, ...], says: str | None) -> None:
    done = run(*words)
    assert (done.returncode, done.stdout) == (2, "")
    assert says is None or says in done.stderr


def test_a_journal_is_told_from_a_log(tmp_path: Path) -> None:
    journal = tmp_path / "table.jsonl"
    words = ["play", "ma-midi-4", "--script", "deal;quit", "--seed", "rain", "--journal", str(journal)]
    assert forked.run(*words).returncode == 0
    before = journal.read_bytes()
    done = run(str(journal), "-s", "ma-midi-4")
    assert (done.returncode, "a journal names its own rules" in done.stderr) == (2, True)
    assert journal.read_bytes() == before


def test_standard_input_is_a_log_too() -> None:
    assert run("-", "-s", "ma-midi-4", given=FAULTY.read_bytes()).returncode == 1
    empty = run("-", "-s", "ma-midi-4", given=b"")
    assert (empty.returncode, "standard input: the file is empty" in empty.stderr) == (2, True)


def test_json_lists_all_faults_unless_a_limit_is_given_and_says_what_was_left_out(tmp_path: Path) -> None:
    rows, planted = plant_in_rows(OF_A_ROW[3], 300, seed=2)
    path = str(write(tmp_path / "many.csv", rows))
    everything = answer(path, "-s", "ma-midi-4")
    assert [fault["row"] for fault in everything["faults"]] == [each.row for each in planted]
    some = answer(path, "-s", "ma-midi-4", "--limit", "7")
    assert some["faults"] == everything["faults"][:7]
    assert (some["listed"], some["left_out"], some["summary"]) == (7, 293, everything["summary"])
    none = answer(path, "-s", "ma-midi-4", "--limit", "0")
    assert (none["faults"], none["left_out"]) == ([], 300)


def test_text_lists_the_first_faults_and_says_how_many_more_there_are(tmp_path: Path) -> None:
    rows, planted = plant_in_rows(OF_A_ROW[3], 30, seed=2)
    path = str(write(tmp_path / "many.csv", rows))
    shown = run(path, "-s", "ma-midi-4").stdout
    listed = [int(row) for row in re.findall(r"^row (\d+)", shown, flags=re.MULTILINE)]
    assert listed == [each.row for each in planted[:10]]
    assert "and 20 more" in shown
    assert "and 27 more" in run(path, "-s", "ma-midi-4", "--limit", "3").stdout
    assert "more:" not in run(path, "-s", "ma-midi-4", "--limit", "30").stdout


def test_the_strip_shows_where_the_faults_lie(tmp_path: Path) -> None:
    rows = list(clean(4_000, seed=1))
    for row in rows[1_000:1_050]:
        row.winner = {"player": "tie", "tie": "banker", "banker": "player"}[row.winner]
    shown = run(str(write(tmp_path / "log.csv", rows)), "-s", "ma-midi-4").stdout
    (strip,) = re.findall(r"^wrong_winner +([·▁▂▃▄▅▆▇█]+)$", shown, flags=re.MULTILINE)
    marked = [index / len(strip) for index, sign in enumerate(strip) if sign != "·"]
    assert marked
    assert all(0.24 <= each <= 0.27 for each in marked)


def test_options_and_editions_change_what_is_right(tmp_path: Path) -> None:
    path = tmp_path / "tie.csv"
    path.write_text("player,banker,wager,stake,paid\n7c Qd,7h Ks,tie,10,90\n", encoding="utf-8")
    assert run(str(path), "-s", "ma-midi-4").returncode == 1
    assert run(str(path), "-s", "ma-midi-4", "--set", "tie_odds=9").returncode == 0


# ----------------------------------------------------------------------------------------- the page


def test_the_page_has_both_themes_fits_a_phone_and_asks_for_nothing(tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    done = run(str(FAULTY), "-s", "ma-midi-4", "--html", str(path))
    assert done.returncode == 1
    assert f"written: {path}" in done.stdout
    page = path.read_text(encoding="utf-8")
    assert "prefers-color-scheme: dark" in page
    assert "width=device-width" in page
    assert not re.search(r'(?:src|href)="https?:', page)
    assert page.count("<rect") == 7, "a mark for each fault"
    for fault in answer(str(FAULTY), "-s", "ma-midi-4")["faults"]:
        assert fault["found"] in page
    colours = set(re.findall(r'(?:fill|stroke)="(#[0-9a-f]{6})"', page))
    dark = page.partition("prefers-color-scheme: dark")[2].partition("box-sizing")[0]
    assert [each for each in colours if each not in dark] == [], "every colour of the picture has one for the dark"


def test_a_page_of_a_clean_log_says_so_and_names_escape_markup(tmp_path: Path) -> None:
    log = tmp_path / "<b>.csv"
    log.write_text((EXAMPLES / "rounds.csv").read_text(encoding="utf-8"), encoding="utf-8")
    run(str(log), "-s", "ma-midi-4", "--html", str(tmp_path / "report.html"))
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "No fault was found." in page
    assert "<b>" not in page


def test_cells_cannot_steer_the_terminal(tmp_path: Path) -> None:
    path = tmp_path / "evil.csv"
    rows = "a,6c 3h,7h Ks\n" * 40
    path.write_text(f"shoe,player,banker\n{rows}\x1b[31mred,7c \x1b[2J,7h Ks\n", encoding="utf-8")
    done = run(str(path), "-s", "ma-midi-4", "--html", str(tmp_path / "report.html"))
    assert done.returncode == 2
    assert "\x1b" not in done.stdout + done.stderr + (tmp_path / "report.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("columns", [40, 80, 132])
def test_no_line_is_wider_than_the_terminal(columns: int, tmp_path: Path) -> None:
    shown = in_terminal("audit", str(EXAMPLES / "rounds.csv"), "-s", "ma-midi-4", columns=columns)
    rows, _ = plant_in_rows(OF_A_ROW[3], 30, seed=2)
    shown += in_terminal("audit", str(write(tmp_path / "m.csv", rows)), "-s", "ma-midi-4", columns=columns, status=1)
    assert any((line.startswith("banker_drew") and "▁" <= line[-1] <= "█") or line.endswith("·") for line in shown)
    assert [line for line in shown if len(line) > columns] == []


# ------------------------------------------------------------------------------------- through pipes


def _through_fifo(path: Path, file: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """The audit of a file that somebody sends through a named pipe, as `<(cat file)` does."""
    os.mkfifo(path)
    with subprocess.Popen(["/bin/sh", "-c", 'cat "$0" > "$1"', str(file), str(path)]) as writer:
        try:
            return run(str(path), *words)
        finally:
            writer.kill()


JOURNAL = path_of(names()[0])


def test_a_journal_or_a_log_through_a_pipe_is_read_once_and_whole(tmp_path: Path) -> None:
    journal = _through_fifo(tmp_path / "journal", JOURNAL)
    assert (journal.returncode, journal.stderr) == (3, "")
    assert journal.stdout.replace(f"in {tmp_path / 'journal'}", f"in {JOURNAL.name}") == run(str(JOURNAL)).stdout
    log = _through_fifo(tmp_path / "log", FAULTY, "-s", "ma-midi-4", "--json")
    assert json.loads(log.stdout) == answer(str(FAULTY), "-s", "ma-midi-4")


def test_a_journal_may_come_from_standard_input() -> None:
    done = run("-", given=JOURNAL.read_bytes())
    assert (done.returncode, done.stderr) == (3, "")
    assert "nothing found; not all of it is covered in standard input" in done.stdout
    with JOURNAL.open("rb") as file:
        redirected = run("-", given=file)
    assert redirected.stdout == done.stdout
    spoiled = JOURNAL.read_bytes().splitlines(keepends=True)
    del spoiled[3]
    wrong = run("-", given=b"".join(spoiled))
    assert (wrong.returncode, "standard input line 4" in wrong.stdout) == (1, True)


def test_standard_input_can_be_named_once_only() -> None:
    done = run("-", "-", given=JOURNAL.read_bytes())
    assert (done.returncode, "can be read only once" in done.stderr) == (2, True)


# ------------------------------------------------------------------------------------------- plural


def test_one_of_anything_is_not_a_plural(tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    words = ["play", "ma-midi-4", "--script", "deal;quit", "--seed", "rain", "--journal", str(tmp_path / "t.jsonl")]
    assert forked.run(*words).returncode == 0
    shown = run(str(tmp_path / "t.jsonl"), "--html", str(page)).stdout + page.read_text(encoding="utf-8")
    assert "1 round" in shown
    plural = re.findall(r"\b1 (?:times|rounds|shoes|records|events|findings|faults|rows|wagers|entries)\b", shown)
    assert plural == []
