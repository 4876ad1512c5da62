"""`baccarat price` and `compare`: exact figures in the terminal, for programs and from recorded shoes; bad input."""

from __future__ import annotations

import csv
import io
import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from baccarat import BANKER
from baccarat.cli import app
from baccarat.law.rulebook import read_submission, rulebook, shipped_submissions
from baccarat.odds import ShoeCounts, odds
from baccarat.odds.show import percent
from house_journal import house_journal
from paths import ROOT

pytestmark = pytest.mark.slow


def said(*words: str, text: str = "") -> Result:
    """What the program says to these words."""
    return CliRunner().invoke(app, list(words), input=text)


def told(*words: str) -> Any:
    """What it tells a program."""
    done = said(*words, "--json")
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def exact(value: dict[str, Any]) -> Fraction:
    """An exact figure of JSON."""
    return Fraction(value["exact"])


@pytest.mark.parametrize("name", shipped_submissions())
def test_every_wager_of_every_submission_is_priced_and_shown(name: str) -> None:
    prices = odds(rulebook(name))
    done = said("price", name)
    assert done.exit_code == 0, done.output
    for price in prices:
        assert percent(price.edge) in done.stdout
    answer = told("price", name)
    assert answer["hash"] == rulebook(name).hash
    assert list(answer["wagers"]) == [price.on.word for price in prices]
    for price in prices:
        one = answer["wagers"][price.on.word]
        assert exact(one["edge"]) == price.edge
        assert sum(line["combinations"] for line in one["lines"]) == answer["deals"] == price.deals
        assert sum(exact(line["return"]) for line in one["lines"]) == -price.edge
        assert len(one["bands"]) == 15


def test_one_wager_in_full_and_at_a_stake() -> None:
    text = said("price", "ma-midi-4", "banker").stdout
    for figure in (
        "2,292,252,566,437,888",
        "4,998,398,275,503,360",
        "1.05791 %",
        "$103.00",
        "+0.04452 %",
    ):
        assert figure in text
    at = told("price", "ma-midi-4", "banker", "--stake", "$103")
    assert (at["stake"], percent(exact(at["edge"]))) == (10_300, "1.10243 %")
    assert percent(exact(told("price", "ma-midi-4", "dragon-player")["edge"])) == "2.65167 %"


def test_what_belongs_to_some_wagers_is_shown_with_them() -> None:
    assert "23.97210 %" in said("price", "ma-midi-4", "house_money").stdout
    assert "1.72936 %" in said("price", "nj-punto-banco-exempt").stdout
    chairs = said("price", "ma-midi-4-royal9", "royal9", "--meters", "star=$4,629,302.83").stdout
    assert "Royal 9 by chair" in chairs
    assert "$4,629,302.83" in chairs
    assert "74.988¢" in said("price", "ma-midi-4-royal9").stdout


def test_csv_holds_every_line_exactly() -> None:
    rows = list(csv.DictReader(io.StringIO(said("price", "ma-midi-4", "--csv").stdout)))
    for price in odds(rulebook("ma-midi-4")):
        mine = [row for row in rows if row["wager"] == price.on.word]
        assert sum(int(row["combinations"]) * Fraction(row["gain"]) for row in mine) / price.deals == price.expected


def test_an_option_and_an_edition_cost_what_they_cost() -> None:
    answer = told("compare", "ma-midi-4", "--set", "ez=true")
    edges = [odds(rules)[BANKER].edge for rules in (rulebook("ma-midi-4"), rulebook("ma-midi-4", ez=True))]
    assert exact(answer["wagers"]["banker"]["change"]) == edges[1] - edges[0]
    assert answer["wagers"]["dragon7"]["a"] is None
    text = said("compare", "ma-midi-4", "nj-punto-banco").stdout
    assert "not offered" in text
    assert said("rules", "diff", "ma-midi-4", "nj-punto-banco", "--price").stdout == text
    assert "−0.03961 %" in said("compare", "ma-midi-4", "--set", "ez=true").stdout


def test_two_submissions_under_one_edition_are_told_apart_by_their_names() -> None:
    answer = told("compare", "ma-midi-4", "ma-midi-4-ez")
    assert (answer["a"]["submission"], answer["b"]["submission"]) == ("ma-midi-4", "ma-midi-4-ez")
    assert answer["a"]["edition"] == answer["b"]["edition"]
    first, second, *_ = said("compare", "ma-midi-4", "ma-midi-4-ez").stdout.splitlines()
    assert first.startswith("a ma-midi-4  rulebook 6dbbecb5d266d451")
    assert second.startswith("b ma-midi-4-ez  rulebook b10815bdf414823f")
    changed = said("compare", "ma-midi-4", "--set", "tie_odds=9").stdout.splitlines()[1]
    assert changed.startswith("b ma-midi-4 with tie_odds=9  rulebook ")
    assert "ma-midi-4-ez" in said("price", "ma-midi-4-ez").stdout.splitlines()[0]
    assert told("price", "ma-midi-4-ez", "banker")["submission"] == "ma-midi-4-ez"
    assert told("price", "ma-midi-4", "--set", "tie_odds=9")["submission"] is None
    assert "a Submission under ma-midi-4" in said("price", "ma-midi-4", "--set", "tie_odds=9").stdout.splitlines()[0]


def test_from_any_shoe() -> None:
    some = ShoeCounts.full(8).without("5s 5h 5d 5c")
    wanted = {price.on.word: price.edge for price in odds(rulebook("ma-midi-4"), some)}
    found = told("price", "ma-midi-4", "--without", "5s 5h 5d 5c")
    assert {word: exact(one["edge"]) for word, one in found["wagers"].items()} == wanted
    by_rank = told("price", "ma-midi-4", "--left", " ".join(map(str, some.by_rank)))
    assert {word: exact(one["edge"]) for word, one in by_rank["wagers"].items()} == wanted
    by_value = told("price", "ma-midi-4", "--left", ",".join(map(str, some.by_value)))
    assert exact(by_value["wagers"]["tie"]["edge"]) == wanted["tie"]
    assert "needs the ranks" in by_value["missing"]["house_money"]


def test_the_effect_of_removal() -> None:
    found = told("price", "ma-midi-4", "--removal")
    assert set(found["banker"]) == set("A23456789TJQK")
    assert exact(found["banker"]["5"]) > 0 > exact(found["banker"]["4"])
    table = said("price", "ma-midi-4", "--removal").stdout
    assert "1.132" in table
    assert said("price", "ma-midi-4", "--removal", "--csv").stdout.startswith("wager,A,2,3")


def test_a_recorded_shoe_is_priced_before_every_round(tmp_path: Path) -> None:
    shoe = tmp_path / "shoe.txt"
    shoe.write_text("# a short one\nburn: 5s 9h\n7S 9D TH KC\n2S,3D,AH,KC,4C,5C # six cards\n", encoding="utf-8")
    first, second = told("price", "ma-midi-4", "--shoe", str(shoe))
    assert (first["unseen"], second["unseen"]) == (414, 410)
    before = ShoeCounts.full(8).without("5s 9h 7s 9d Th Kc")
    wanted = {price.on.word: price.edge for price in odds(rulebook("ma-midi-4"), before)}
    assert {word: exact(edge) for word, edge in second["edges"].items()} == wanted
    assert len(said("price", "ma-midi-4", "--shoe", str(shoe), "--csv").stdout.splitlines()) == 3


def test_a_journal_is_priced_before_every_round(tmp_path: Path) -> None:
    journal = tmp_path / "journal.jsonl"
    journal.write_text(said("run", str(ROOT / "docs" / "examples" / "dispute.jsonl")).stdout, encoding="utf-8")
    first, second = told("price", "ma-midi-4", "--journal", str(journal))
    assert (first["unseen"], second["unseen"]) == (415, 410), "one burned card was seen, then five of the round"
    assert (second["shoe"], second["round"]) == (1, 2)
    other = said("price", "ma-midi-3", "--journal", str(journal))
    assert other.exit_code == 2
    assert "was played under" in other.stderr


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("price", "ma-midi-4", "--stake", "$0.01"), "no wager takes this stake"),
        (("price", "ma-midi-4", "banker", "--stake", "$1"), "minimum"),
        (("price", "ma-midi-4", "banker", "--stake", "-$25"), "more than zero"),
        (("price", "ma-midi-4", "banker", "--stake", "NaN"), "NaN"),
        (("price", "ma-midi-4", "bunker"), "did you mean 'banker'?"),
        (("price", "ma-midi-4", "dragon7"), "not offered"),
        (("price", "ma-midi-4", "--meters", "star=$5"), "Royal 9 is not offered"),
        (("price", "ma-midi-4-royal9", "--meters", "moon=$5"), "no meter 'moon'"),
        (("price", "ma-midi-4-royal9", "--meters", "star=-$5"), "star"),
        (("price", "ma-midi-4-royal9", "--meters", "star"), "NAME=SUM"),
        (("price", "ma-midi-4-royal9", "--meters", "star=$5", "--meters", "star=$6"), "twice"),
        (("price", "ma-midi-4", "--left", "1 2 3"), "52 counts by card, 13 by rank or 10 by value"),
        (("price", "ma-midi-4", "--left", "x"), "whole numbers"),
        (("price", "ma-midi-4", "--left", "129 0 0 0 0 0 0 0 0 0"), "no more than 128"),
        (("price", "ma-midi-4", "--left", "-1 9 9 9 9 9 9 9 9 9"), "-1"),
        (("price", "ma-midi-4", "--left", "5 0 0 0 0 0 0 0 0 0"), "a price needs 6"),
        (("price", "ma-midi-4", "--without", "5s 5s 5s 5s 5s 5s 5s 5s 5s"), "cannot have left"),
        (("price", "ma-midi-4", "--without", "5x"), "5x"),
        (("price", "ma-midi-4", "--shoe", "nowhere.txt"), "nowhere.txt"),
        (("price", "ma-midi-4", "--shoe", "a", "--journal", "b"), "not both"),
        (("compare", "ma-midi-4"), "a second Submission"),
        (("compare", "ma-midi-4", "nj-punto-banco", "--stake", "$0.01"), "no wager takes this stake"),
    ],
)
def test_bad_input_gets_a_clear_message(words: tuple[str, ...], says: str) -> None:
    done = said(*words)
    assert done.exit_code == 2, done.output
    assert says in done.stderr
    assert "Traceback" not in done.stderr


def test_a_faulty_shoe_file_names_its_line(tmp_path: Path) -> None:
    shoe = tmp_path / "shoe.txt"
    shoe.write_text("7S 9D TH KC\n7S 9D 1H KC\n", encoding="utf-8")
    assert "line 2" in said("price", "ma-midi-4", "--shoe", str(shoe)).stderr
    shoe.write_text("\n", encoding="utf-8")
    assert "no round" in said("price", "ma-midi-4", "--shoe", str(shoe)).stderr
    shoe.write_text("7S 7S 7S 7S 7S 7S\n7S 7S 7S\n", encoding="utf-8")
    assert "round 2" in said("price", "ma-midi-4", "--shoe", str(shoe)).stderr


def test_pricing_never_needs_more_than_the_base_install() -> None:
    import subprocess  # noqa: PLC0415
    import sys  # noqa: PLC0415

    probe = (
        "import sys; from typer.testing import CliRunner; from baccarat.cli import app; "
        "done = CliRunner().invoke(app, ['price', 'ma-midi-4-royal9']); assert done.exit_code == 0, done.output; "
        "print([name for name in ('numpy', 'numba', 'altair', 'typst', 'xlsxwriter') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_example_notebook_runs() -> None:
    book = json.loads((ROOT / "examples" / "prices.ipynb").read_text(encoding="utf-8"))
    names: dict[str, Any] = {}
    shown = []
    for cell in book["cells"]:
        if cell["cell_type"] != "code":
            continue
        assert cell["outputs"] == [], "a notebook is kept without what it gave"
        *lines, last = "".join(cell["source"]).rstrip().splitlines()
        exec("\n".join(lines), names)
        shown.append(eval(last, names))
    assert any("House Money" in value._repr_html_() for value in shown if hasattr(value, "_repr_html_"))
    assert "38.92007 %" in shown[-2]._repr_html_()


def test_what_has_no_place_beside_something_else_is_said() -> None:
    for words, says in (
        (("price", "ma-midi-4", "bunker", "--removal"), "did you mean 'banker'?"),
        (("price", "ma-midi-4", "--removal", "--stake", "$25"), "cannot be combined with"),
        (
            ("price", "ma-midi-4-royal9", "--removal", "--meters", "star=$9"),
            "--meters cannot be combined with --removal",
        ),
        (("price", "ma-midi-4", "--removal", "--decisions"), "not both"),
        (("price", "ma-midi-4", "--csv", "--json"), "not both"),
        (("price", "ma-midi-4", "tie", "--decisions"), "House Money"),
        (("price", "ma-midi-4", "banker", "--beside", "$25"), "--beside"),
        (("price", "ma-midi-4", "--beside", "$25"), "--beside"),
        (("price", "ma-midi-4", "banker", "--html", "x.html"), "covers all wagers"),
        (("price", "ma-midi-4", "--json", "--html", "x.html"), "covers all wagers"),
        (("price", "ma-midi-4", "--html", "x.html", "--pdf", "./x.html"), "the same file name"),
        (("price", "ma-midi-4", "--meters", "must_hit=$1,500"), "no Must Hit"),
        (("price", "ma-midi-4-royal9", "--meters", "must_hit=$99,999"), "9999900"),
        (("rules", "diff", "ma-midi-4", "atlantis", "--price"), "no Submission is shipped for it"),
    ):
        done = said(*words)
        assert (done.exit_code, says in done.stderr) == (2, True), (words, done.stderr)


FEW_WAGERS = ("--set", "house_money=false", "--set", "dragon_bonus=false")
"""Half the wagers: enough for a report of which a test asks only whether it is written, and twice as quick."""


def test_a_report_that_cannot_be_set_leaves_nothing_behind(tmp_path: Path) -> None:
    names = [str(tmp_path / name) for name in ("par.xlsx", "lab.html", "lab.pdf")]
    words = ("price", "ma-midi-4", *FEW_WAGERS, "--set", 'layout_approval="百家樂"')
    done = said(*words, "--xlsx", names[0], "--html", names[1], "--pdf", names[2])
    assert done.exit_code == 2
    assert "cannot be set as a PDF" in done.stderr
    assert list(tmp_path.iterdir()) == []
    assert said(*words, "--html", names[1]).exit_code == 0


def test_a_report_names_the_shoe_and_the_stake_so_that_it_can_be_made_again(tmp_path: Path) -> None:
    page = tmp_path / "lab.html"
    words = ("price", "ma-midi-4", *FEW_WAGERS, "--without", "9s 9h", "--stake", "$103")
    assert said(*words, "--html", str(page)).exit_code == 0
    text = page.read_text(encoding="utf-8")
    counts = ShoeCounts.full(8).without("9s 9h").left
    assert f"left by cards: {' '.join(map(str, counts))}" in text
    assert "$103.00" in text
    assert "decks = 6" not in text, "what other decks would have left is not known"


def test_the_press_at_a_stake_is_told_to_programs_too() -> None:
    unit = told("price", "ma-midi-4", "house_money")["press"]["banker"]
    at = told("price", "ma-midi-4", "house_money", "--stake", "$7", "--beside", "$25")["press"]["banker"]
    assert (at["stake"], at["beside"], unit["stake"]) == (700, 2_500, None)
    assert percent(exact(at["best"])) == "24.49668 %"
    assert exact(at["best"]) != exact(unit["best"])


def test_a_journal_that_cannot_have_happened_is_not_priced(tmp_path: Path) -> None:
    journal = tmp_path / "journal.jsonl"
    lines = said("run", str(ROOT / "docs" / "examples" / "dispute.jsonl")).stdout.splitlines()
    second = [index for index, line in enumerate(lines) if '"do"' in line][1]
    journal.write_text("\n".join([lines[0], *lines[second:]]), encoding="utf-8")
    done = said("price", "ma-midi-4", "--journal", str(journal))
    assert done.exit_code == 2
    assert "line 3 cannot have happened" in done.stderr


def test_a_table_of_a_house_is_not_priced_from_its_own_stream_alone(tmp_path: Path) -> None:
    """Its meters come from a link, and who linked it stands in another stream."""
    lines = [line for line in house_journal() if b'"stream":"table T1"' in line]
    (journal := tmp_path / "T1.jsonl").write_bytes(b"".join(lines))
    (filed := tmp_path / "filed.json").write_text(json.dumps(json.loads(lines[0])["record"]["submission"]))
    done = said("price", str(filed), "--journal", str(journal))
    assert (done.exit_code, done.stdout) == (2, "")
    assert "of link main is in the place of entry 0: an entry is missing" in done.stderr


def test_one_wager_of_a_series_or_of_the_removals(tmp_path: Path) -> None:
    assert list(told("price", "ma-midi-4", "tie", "--removal")) == ["tie"]
    shoe = tmp_path / "shoe.txt"
    shoe.write_text("7S 9D TH KC\nburn 5s\n", encoding="utf-8")
    assert "before the first round" in said("price", "ma-midi-4", "--shoe", str(shoe)).stderr
    shoe.write_text("burn 5s\n7S 9D TH KC\n", encoding="utf-8")
    (row,) = told("price", "ma-midi-4", "tie", "--shoe", str(shoe))
    assert list(row["edges"]) == ["tie"]


def test_json_tells_what_the_terminal_shows() -> None:
    answer = told("price", "ma-midi-4-royal9", "--meters", "must_hit=$1,999")
    assert percent(exact(answer["press"]["player"]["best"])) == "23.97210 %"
    assert answer["royal9"]["chairs"]["1"]["break_even"]["star"] == 462_930_283
    assert percent(exact(answer["royal9"]["chairs"]["1"]["long_run"])) == "19.92748 %"
    assert exact(answer["must_hit"]["cost"]) == Fraction(answer["must_hit"]["cost"]["exact"])
    assert answer["must_hit"]["seat"]["meter"] == 199_900
    assert any(line["award"] for line in answer["wagers"]["royal9"]["lines"])
    assert answer["wagers"]["banker"]["lines"][0]["vigorish"] is True
    exempt = told("price", "nj-punto-banco-exempt")
    assert percent(exact(exempt["exempt_beside"]["total6"])) == "1.72936 %"


def test_decisions_are_told_by_opening() -> None:
    rows = list(csv.DictReader(io.StringIO(said("price", "ma-midi-4", "house_money", "--decisions", "--csv").stdout)))
    assert len(rows) == 2197
    first = rows[0]
    assert (first["player"], first["banker"], first["press_onto"]) == ("AA", "AA", "neither")
    assert "press onto" in said("price", "ma-midi-4", "--decisions").stdout
    assert len(told("price", "ma-midi-4", "--decisions")) == 2197


def test_a_price_at_a_stake_is_not_compared_with_one_by_the_unit() -> None:
    limits = dict(read_submission("ma-midi-4")["limits"])
    limits["banker"] = {"min": "$200.00", "max": "$5,000.00", "increment": "$1.00"}
    words = ("compare", "ma-midi-4", "--stake", "$103", "--set", f"limits={toml(limits)}")
    answer = told(*words)["wagers"]["banker"]
    assert (answer["stake_a"], answer["stake_b"], answer["change"]) == (10_300, None, None)
    text = said(*words).stdout
    assert "at $103.00 1.10243 %" in text
    assert "b: Banker is priced by the unit" in text


def toml(limits: dict[str, Any]) -> str:
    """Limits as an inline table."""
    rows = {
        key: ", ".join(f"{name} = {json.dumps(value)}" for name, value in row.items()) for key, row in limits.items()
    }
    return "{" + ", ".join(f"{key} = {{{row}}}" for key, row in rows.items()) + "}"


@pytest.mark.parametrize("columns", ["40", "60", "200"])
def test_no_figure_is_broken_whatever_the_width(columns: str) -> None:
    done = CliRunner().invoke(app, ["price", "ma-midi-4", "banker"], env={"COLUMNS": columns})
    assert "2,292,252,566,437,888" in done.stdout


def test_paper_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    words = ("price", "ma-midi-4", *FEW_WAGERS)
    done = said(*words, "--xlsx", str(tmp_path / "par.xlsx"), "--html", str(tmp_path / "lab.html"))
    assert done.exit_code == 0, done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["lab.html", "par.xlsx"]
    bad = said(*words, "--html", str(tmp_path / "other.html"), "--pdf", str(tmp_path / "no" / "lab.pdf"))
    assert (bad.exit_code, "does not exist" in bad.stderr) == (2, True)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["lab.html", "par.xlsx"], (
        "found out before anything is made"
    )
