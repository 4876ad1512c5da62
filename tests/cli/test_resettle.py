"""`baccarat resettle`: what it prints, writes and answers, and what it says to journals that are wrong."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from baccarat.cli import app
from baccarat.law.error import InvalidSubmission, RulesError
from baccarat.law.rulebook import rulebook
from golden_journals import ORDER_2, names, path_of
from kept import rehashed
from paths import ROOT

pytestmark = pytest.mark.slow

DISPUTE = ROOT / "docs" / "examples" / "dispute.jsonl"
GOLDEN = path_of("ma-midi-4")


def cli(*words: str | Path, text: str | bytes | None = None) -> Result:
    """What a verb answers; a trace is a failure."""
    done = CliRunner().invoke(app, list(map(str, words)), input=text)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done


def kept(tmp_path: Path, lines: list[bytes]) -> Path:
    """A journal of these lines."""
    path = tmp_path / "journal.jsonl"
    path.write_bytes(b"".join(lines))
    return path


def golden_lines() -> list[bytes]:
    """The lines of a golden journal."""
    return GOLDEN.read_bytes().splitlines(keepends=True)


@pytest.mark.parametrize("name", names())
def test_its_own_submission_gives_what_the_journal_has(name: str) -> None:
    done = cli("resettle", path_of(name), "--submission", name.removesuffix(ORDER_2), "--json")
    assert done.exit_code == 0
    report = json.loads(done.stdout)
    assert (report["differing"], report["cannot_be_told"], report["not_as_settled"]) == (0, 0, 0)
    assert {each["difference"] for each in report["patrons"]} == {0}
    assert report["house"]["win"] == report["house"]["other_win"] != 0
    assert (report["reported"], report["corrected"]) == ([], 0), "what was corrected comes to what the rules give"


def test_text_names_everybody_the_house_and_each_round_that_differs() -> None:
    done = cli("resettle", GOLDEN, "-s", "ma-midi-4", "--set", "tie_odds=9", "--set", "vig_rounding=false")
    assert done.exit_code == 0
    lines = done.stdout.splitlines()
    assert lines[0].startswith("Played under ma-midi-4  rulebook 6dbbecb5d266d451")
    assert lines[1].startswith("Settled under ma-midi-4 with tie_odds=9, vig_rounding=false  rulebook ")
    for name in ("participant 1", "participant 3", "participant 5", "the house wins", "Hold, of $300,000.00 bought in"):
        assert any(line.startswith(name) for line in lines), name
    few = cli("resettle", GOLDEN, "-s", "ma-midi-4-ez", "--limit", "1").stdout
    assert few.count("\nshoe 1 round") == 1, "the table is named only where there are several"
    assert "more; --limit shows them" in few
    assert few.splitlines()[1].startswith("Settled under ma-midi-4-ez  rulebook b10815bdf414823f")


def test_the_submissions_are_named_which_an_edition_alone_does_not_tell_apart(tmp_path: Path) -> None:
    report = json.loads(cli("resettle", GOLDEN, "-s", "ma-midi-4-ez", "--json").stdout)
    assert (report["submissions"], report["other_submission"]) == (["ma-midi-4"], "ma-midi-4-ez")
    assert report["editions"] == ["ma-midi-4"]
    own = dict(rulebook("ma-midi-4", tie_odds=9).submission)
    script = "\n".join([json.dumps({"submission": own}), *DISPUTE.read_text().splitlines()[1:]])
    answers = kept(tmp_path, [cli("run", "-", text=script).stdout.encode()])
    told = cli("resettle", answers, "-s", "ma-midi-4").stdout
    assert told.startswith("Played under a Submission under ma-midi-4  rulebook ")
    assert json.loads(cli("resettle", answers, "-s", "ma-midi-4", "--json").stdout)["submissions"] == [None]


def test_another_submission_and_an_option_that_is_set_count() -> None:
    ez = json.loads(cli("resettle", GOLDEN, "-s", "ma-midi-4-ez", "--json").stdout)
    assert ez["house"]["other_vigorish"] == 0 != ez["house"]["vigorish"]
    reasons = [reason for each in ez["reported"] for reason in each["reasons"]]
    assert {reason["kind"] for reason in reasons} == {"other_payment"}
    assert all(reason["clauses"] for reason in reasons)
    assert ez["house"]["difference"] == -sum(each["difference"] for each in ez["patrons"])
    limited = cli("resettle", GOLDEN, "-s", "ma-midi-4", "--set", "dragon_bonus=false", "--json")
    kinds = {reason["kind"] for each in json.loads(limited.stdout)["reported"] for reason in each["reasons"]}
    assert "not_taken" in kinds


def test_rounds_as_csv_sum_up_to_the_report(tmp_path: Path) -> None:
    path = tmp_path / "rounds.csv"
    done = cli("resettle", GOLDEN, "-s", "ma-midi-4-ez", "--csv", path, "--json")
    report = json.loads(done.stdout)
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len({(row["shoe"], row["round"]) for row in rows}) == report["rounds"] == 8
    for each in report["patrons"]:
        own = [row for row in rows if row["who"] == each["who"]]
        for name in ("wagered", "net", "vigorish", "other_wagered", "other_net", "other_vigorish", "difference"):
            assert sum(int(row[name]) for row in own) == each[name]
    assert cli("resettle", GOLDEN, "-s", "ma-midi-4", "--csv", tmp_path).exit_code == 2


def test_the_answers_of_a_script_are_resettled_too() -> None:
    answers = cli("run", DISPUTE).stdout
    done = cli("resettle", "-", "-s", "ma-midi-4-ez", "--json", text=answers)
    assert done.exit_code == 0
    assert json.loads(done.stdout)["rounds"] >= 1


# ------------------------------------------------------------------------------------- wrong journals


def test_what_stands_before_a_line_that_cannot_have_happened_is_settled(tmp_path: Path) -> None:
    lines = golden_lines()
    index = max(at for at, line in enumerate(lines) if b'"event":"paid"' in line)
    forged = lines[index].replace(b'"win":', b'"win":1')
    done = cli(
        "resettle", kept(tmp_path, rehashed([*lines[:index], forged, *lines[index + 1 :]])), "-s", "ma-midi-4", "--json"
    )
    report = json.loads(done.stdout)
    assert done.exit_code == 1
    assert report["rounds"] == 7, "all but the last one"
    assert f"line {index + 1} cannot have happened" in report["wrong"]
    assert any("is not over" in say for say in report["assumed"])


def test_a_changed_byte_is_named_with_its_line(tmp_path: Path) -> None:
    lines = golden_lines()
    lines[100] = lines[100].replace(b'"seq":100', b'"seq":101')
    done = cli("resettle", kept(tmp_path, lines), "-s", "ma-midi-4")
    assert done.exit_code == 2
    assert "line 101" in done.stderr
    assert "the house wins" in done.stdout


@pytest.mark.parametrize("data", [b"", b"\x00\xff\x00", b"{}\n", b'{"hash":"00","record":{}}\n', b"[1]\n"])
def test_what_is_no_journal_is_refused(data: bytes, tmp_path: Path) -> None:
    done = cli("resettle", kept(tmp_path, [data]), "-s", "ma-midi-4")
    assert done.exit_code == 2
    assert done.stdout == ""
    assert done.stderr


def test_other_rules_that_are_not_valid_or_not_there() -> None:
    with pytest.raises(InvalidSubmission, match="tie_odds"):
        cli("resettle", GOLDEN, "-s", "ma-midi-4", "--set", "tie_odds=nonsense")
    with pytest.raises(RulesError, match="no-such-submission"):
        cli("resettle", GOLDEN, "-s", "no-such-submission")
    assert cli("resettle", "no-such-file.jsonl", "-s", "ma-midi-4").exit_code == 2
