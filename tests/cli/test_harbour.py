"""Harbour, an edition that was written from the documentation alone, goes through every verb; no Python is in it.

What is expected was computed by hand, or by a few lines apart from the program: see tests/data/outsider/README.md.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from baccarat.cli import app
from baccarat.law.edition import forget
from baccarat.law.error import RulesError
from baccarat.play import record
from paths import DATA, ROOT

NAME = "harbour-1"
HARBOUR = Path(DATA) / "outsider"
EDITION, HOUSE = str(HARBOUR / "harbour.toml"), str(HARBOUR / "harbour-house.toml")


@pytest.fixture(autouse=True)
def _fresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Every verb finds the edition by its option alone; the script names its Submission from the project's folder."""
    monkeypatch.chdir(ROOT)
    yield
    forget(NAME)
    record.forget()


def cli(*words: str, status: int = 0, edition: bool = True) -> Result:
    """What a verb answers, by default with the edition's file."""
    done = CliRunner().invoke(app, [*words, *(["--edition", EDITION] if edition else [])])
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    assert done.exit_code == status, done.output
    return done


def test_it_is_checked() -> None:
    assert f"valid under {NAME}" in cli("rules", "check", HOUSE).stdout
    changes = [word for change in ("vig_rate=5", "tie_odds=7", "lighthouse_table=east") for word in ("--set", change)]
    faults = cli("rules", "check", HOUSE, *changes, status=1).stdout
    assert "lighthouse_table: 'east' is not among the choices; allowed: one of north, south [harbour-1 §H.2]" in faults
    assert "tie_odds: 7 to 1 is below the floor; allowed: at least 8 to 1 [harbour-1 §12(b)]" in faults
    assert "vig_rate: 5 is not allowed; allowed: shall be 3 [harbour-1 §12(c)]" in faults


def test_every_clause_is_accounted_for() -> None:
    assert "0 unaccounted, 0 pending" in cli("rules", "coverage", NAME, "--state", "unaccounted").stdout
    assert "Lighthouse" in cli("rules", "show", NAME, "H.1").stdout
    compared = cli("rules", "diff", "ma-midi-4", EDITION).stdout
    assert "pays.dragon7" in compared
    assert "40 to 1" in compared
    assert "30 to 1" in compared


def test_without_its_file_the_edition_is_unknown_and_the_message_says_how_it_is_named() -> None:
    for words in (("rules", "check", HOUSE), ("rules", "show", NAME)):
        with pytest.raises(RulesError, match=r"unknown edition 'harbour-1'; known: ma-midi-1.*--edition FILE"):
            cli(*words, edition=False)
    answer = json.loads(cli("settle", str(HARBOUR / "records.jsonl"), status=2, edition=False).stdout.splitlines()[0])
    assert "--edition FILE" in answer["unreadable"]


def test_the_draft_of_a_submission_ends_with_a_command_that_works(tmp_path: Path) -> None:
    path = tmp_path / "new house.toml"
    cli("rules", "new", NAME, "--to", str(path))
    (line,) = [each for each in path.read_text(encoding="utf-8").splitlines() if each.startswith("# Then run: ")]
    program, *words = shlex.split(line.removeprefix("# Then run: "))
    forget(NAME)
    assert program == "baccarat"
    assert f"valid under {NAME}" in cli(*words, edition=False).stdout


def test_it_is_dealt() -> None:
    words = shlex.split("2s 6h Kd Kc 5c 3s -w 3:banker:103 -w 3:lighthouse:10 -w 5:dragon7:5")
    said = cli("deal", HOUSE, *words).stdout
    assert "Banker draws on 6 against a 5  harbour-1 §10(c)(2)(iii)" in said
    assert "“ebb tide”" in said
    assert "vigorish $3.15, net $99.85" in said
    assert "win (ebb tide) at 14 to 1, net $140.00  harbour-1 §H.1, §H.2" in said
    steps = ["Seat 3 is paid $243.00", "Vigorish of $3.15 is collected at seat 3", "Losing wagers are collected at 5"]
    assert [said.index(step) for step in steps] == sorted(said.index(step) for step in steps)
    cli("deal", HOUSE, *shlex.split("2s 6h Kd Kc 4c 3s -w 3:banker:25"), status=1)


def test_its_records_come_to_what_was_computed_by_hand() -> None:
    answers = [json.loads(line) for line in cli("settle", str(HARBOUR / "records.jsonl")).stdout.splitlines()]
    records = [json.loads(line) for line in (HARBOUR / "records.jsonl").read_text(encoding="utf-8").splitlines()]
    assert len(answers) == len(records) == 10
    assert all(len(each["expected"]) >= 3 for each in records), "each says what it must come to"
    assert not [answer["id"] for answer in answers if {"differs", "refused", "unreadable"} & set(answer)]


def test_its_records_are_really_compared(tmp_path: Path) -> None:
    text = (HARBOUR / "records.jsonl").read_text(encoding="utf-8").splitlines()[0]
    assert '"net_by_seat"' in text
    value = json.loads(text)
    value["expected"]["net_by_seat"] = {seat: net + 1 for seat, net in value["expected"]["net_by_seat"].items()}
    (tmp_path / "off.jsonl").write_text(json.dumps(value) + "\n", encoding="utf-8")
    (answer,) = map(json.loads, cli("settle", str(tmp_path / "off.jsonl"), status=1).stdout.splitlines())
    assert answer["differs"]


def test_what_its_law_forbids_is_refused() -> None:
    done = cli("settle", str(HARBOUR / "refused.jsonl"), status=1)
    answers = [json.loads(line)["refused"] for line in done.stdout.splitlines()]
    assert [answer["code"] for answer in answers] == ["no_base_wager", "surplus_cards"]
    assert answers[0]["cites"] == ["harbour-1 §H.1"]


@pytest.mark.slow
def test_its_prices_are_those_of_an_enumeration_apart_from_the_program() -> None:
    priced = json.loads(cli("price", HOUSE, "--json").stdout)["wagers"]
    apart = {
        "lighthouse": 4.4623387, "player": 1.1708060, "banker": 0.2042952, "dragon7": 29.5597559, "panda8": 27.6823103,
        "dragon_player": 1.5114030, "dragon_banker": 8.9743940,
    }  # fmt: skip
    for name, edge in apart.items():
        assert 100 * priced[name]["edge"]["decimal"] == pytest.approx(edge, abs=1e-6), name
    assert "0.23100 %" in cli("price", HOUSE, "banker", "--stake", "103").stdout
    assert "3.11867 %" in cli("compare", HOUSE, "--set", "lighthouse_table=south").stdout


@pytest.mark.slow
def test_its_report_refers_to_the_readings_that_it_leans_on(tmp_path: Path) -> None:
    cli("price", HOUSE, "--html", str(tmp_path / "report.html"))
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "vigorish of 3 % is raised to the next multiple of $0.15" in text
    assert "A-20" not in text, "Harbour says itself how vigorish is rounded"
    assert "reading A-23" in text, "it leans on this one"


def test_it_is_played() -> None:
    script = "banker 103; lighthouse 10; help; deal; why; quit"
    said = cli("play", HOUSE, "--seat", "3", "--seed", "harbour lights", "--script", script).stdout
    assert "lighthouse $10.00" in said
    spots = {line.strip() for line in said.splitlines() if line.strip().startswith("spots: ")}
    assert spots == {
        "spots: player, banker, tie, dragon_player, dragon_banker, dragon7, panda8, house_money, lighthouse"
    }, "royal9 is not elected"
    assert "harbour-1 §" in said


def test_it_is_run_and_told(tmp_path: Path) -> None:
    journal = tmp_path / "journal.jsonl"
    done = cli("run", str(HARBOUR / "evening.jsonl"), status=1)
    journal.write_text(done.stdout, encoding="utf-8")
    refused = [json.loads(line)["refused"] for line in done.stdout.splitlines() if '"refused"' in line]
    assert [each["code"] for each in refused] == ["out_of_order"] * 3
    told = cli("transcript", str(journal)).stdout
    order = [
        "The dealer shuffles the cards with a device.",
        "The burned card 1 is the king of hearts: 4 more follow.",
        "Card 6 goes to the discards, and with it card 7, face down and not shown.",
        "“ebb tide”",
        "Seat 2 is paid $243.00.",
        "Seat 6 is paid $33.00.",
        "Vigorish of $3.15 is collected from seat 2.",
        "Vigorish of $1.05 is collected from seat 6.",
        "Losing wagers are collected: seat 6 $5.00.",
        "Card 14 goes to the discards, and with it cards 15, 16, 17 and 18, which are now shown.",
        "Seat 2 leaves with $1,239.85.",
    ]
    assert [told.index(sentence) for sentence in order] == sorted(told.index(sentence) for sentence in order)


def test_a_mistyped_wager_is_told_with_the_wagers_of_the_edition(tmp_path: Path) -> None:
    script = [{"submission": HOUSE}, {"do": "place_wager", "seat": 2, "on": "light_house", "stake": "$10"}]
    (tmp_path / "script.jsonl").write_text("\n".join(map(json.dumps, script)), encoding="utf-8")
    said = json.loads(cli("run", str(tmp_path / "script.jsonl"), status=2).stdout.splitlines()[-1])["unreadable"]
    assert said.startswith("place_wager: on: unknown wager 'light_house'; did you mean 'lighthouse'? Known: banker,")
    assert "total4" not in said, "which is a wager of another document"
