"""`baccarat price --shoes`: edges of many shoes from CSV or JSON lines, in their order, bad lines by their number."""

from __future__ import annotations

import csv
import io
import itertools
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from baccarat.cli import app, price_shoes
from baccarat.cli.price_show import OutputFormat
from baccarat.law.rulebook import rulebook
from baccarat.odds import ShoeCounts, engine, odds
from baccarat.play.wager import WagerKind

pytestmark = pytest.mark.slow

MA = "ma-midi-4"
BY_VALUE = (96, 30, 31, 32, 28, 30, 29, 32, 25, 27)
BY_RANK = (30, 31, 32, 28, 30, 29, 32, 25, 27, 24, 24, 24, 24)
"""The same shoe."""


def said(*words: str, text: str = "") -> Result:
    """What the program says to these words."""
    return CliRunner().invoke(app, ["price", MA, *words], input=text)


def answers(text: str, *words: str, status: int = 0) -> list[dict[str, Any]]:
    """The JSON lines that answer these lines."""
    done = said(*words, "--shoes", "-", "--json", text=text)
    assert done.exit_code == status, done.output
    return [json.loads(line) for line in done.stdout.splitlines()]


def words_of(counts: tuple[int, ...]) -> str:
    return ",".join(map(str, counts))


def test_every_form_of_a_line_gives_the_exact_edges() -> None:
    cards = ShoeCounts.full(8).without("5s 5h Kd")
    lines = [
        words_of(BY_VALUE),
        " " + "  ".join(map(str, BY_RANK)),
        json.dumps(BY_RANK),
        words_of(cards.left),
        "",
        json.dumps({"id": "evening", "left": BY_VALUE}),
        json.dumps({"id": 7, "without": "5s 5h Kd"}),
    ]
    found = answers("\ufeff" + "\n".join(lines))
    assert [each["line"] for each in found] == [1, 2, 3, 4, 6, 7]
    assert [each.get("id") for each in found] == [None, None, None, None, "evening", 7]
    known = ShoeCounts.of(BY_RANK, decks=8)
    for each, shoe in zip(found, [known, known, known, cards, known, cards], strict=True):
        prices = odds(rulebook(MA), shoe)
        assert each["cards"] == shoe.size
        assert list(each["edges"]) == ["player", "banker", "tie", "dragon_player", "dragon_banker"]
        for word, edge in each["edges"].items():
            assert edge == pytest.approx(float(prices[WagerKind(word)].edge), abs=1e-14)


def test_a_heading_names_the_columns_in_their_order() -> None:
    ranks = "A,2,3,4,5,6,7,8,9,10,J,Q,K"
    named, plain = answers(f'id,{ranks}\n"evening, late",{words_of(BY_RANK)}\n{json.dumps(BY_RANK)}\n')
    assert (named["id"], named["line"], plain["line"]) == ("evening, late", 2, 3)
    assert named["edges"] == plain["edges"] == answers(f"{ranks.lower()}\n{words_of(BY_RANK)}\n")[0]["edges"]
    for wrong in ("A,K,Q", "2,A,3,4,5,6,7,8,9,10,J,Q,K", "shoe,0,1,2,3,4,5,6,7,8,9", "id"):
        done = said("--shoes", "-", text=f"{wrong}\n{words_of(BY_RANK)}\n")
        assert done.exit_code == 2
        assert "line 1: neither counts nor a heading; expected 10 counts by value (0 to 9), 13 by rank" in done.stderr


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("1,2,3", "3 counts; expected 10 counts by value (0 to 9), 13 by rank (ace to king) or 52 by card"),
        ("[]", "0 counts; expected"),
        ("1,2,x,4,5,6,7,8,9,10", "'x' is not a whole number; expected 10 counts"),
        ("1_0,2,3,4,5,6,7,8,9,10", "'1_0' is not a whole number"),
        ("9999999999,2,3,4,5,6,7,8,9,10", "cards worth 0: 9999999999 left; 8 decks hold no more than 128"),
        ("9999999999 2 3 4 5 6 7 8 9 10", "'9999999999' is not a whole number"),
        ("1],[2", "'1]' is not a whole number"),
        ("1,2,,4,5,6,7,8,9,10", "'' is not a whole number"),
        ("[1, 2", "truncated; expected 10 counts"),
        pytest.param("[" * 100_000, "expected 10 counts", id="nested too deeply"),
        ("[1.5, 0, 0, 0, 0, 0, 0, 0, 0, 9]", "Expected `int`, got `float`"),
        ("[true, 0, 0, 0, 0, 0, 0, 0, 0, 9]", "Expected `int`, got `bool`"),
        ('{"left": [1], "shoe": 3}', "unknown field `shoe`; expected"),
        ("{}", '"left" or "without", one of them'),
        ('{"left": [1], "without": "5s"}', '"left" or "without", one of them'),
        ('{"without": "5s 5x"}', "5x"),
        ('{"without": "5s 5s 5s 5s 5s 5s 5s 5s 5s"}', "9 times 5s cannot have left this shoe"),
        ("129,0,0,0,0,0,0,0,0,0", "cards worth 0: 129 left; 8 decks hold no more than 128"),
        ("[10000000000000000000000, 0, 0, 0, 0, 0, 0, 0, 0, 0]", "8 decks hold no more than 128"),
        ("10,-1,0,0,0,0,0,0,0,0", "cards worth 1: -1 left; a count is not negative"),
        ("5,0,0,0,0,0,0,0,0,0", "5 cards are left; a price needs 6"),
    ],
)
def test_a_bad_line_is_refused_by_its_number_and_the_others_are_priced(line: str, why: str) -> None:
    good = words_of(BY_VALUE)
    first, bad, last = answers(f"{good}\n{line}\n{good}\n", status=2)
    assert first["edges"] == last["edges"]
    assert bad["line"] == 2
    assert why in bad["unreadable"]
    done = said("--shoes", "-", text=f"{good}\n{line}\n{good}\n")
    assert done.exit_code == 2
    assert "standard input: line 2: " in done.stderr
    assert len(done.stdout.splitlines()) == 4


def test_text_and_csv(tmp_path: Path) -> None:
    path = tmp_path / "shoes.csv"
    path.write_text(
        f"id,0,1,2,3,4,5,6,7,8,9\nfull,{words_of(ShoeCounts.full(8).by_value)}\nred\x1b[31m,{words_of(BY_VALUE)}\n"
    )
    above, heading, full, red = said("--shoes", str(path)).stdout.splitlines()
    assert above.split() == ["dragon", "dragon"]
    assert heading.split() == ["line", "cards", "player", "banker", "tie", "player", "banker", "id"]
    assert full.split()[:6] == ["2", "416", "1.23508", "%", "1.05791", "%"]
    assert full.endswith("  full")
    assert "\x1b" not in red
    rows = [*csv.reader(io.StringIO(said("--shoes", str(path), "--csv").stdout))]
    assert rows[0] == ["line", "id", "cards", "player", "banker", "tie", "dragon_player", "dragon_banker"]
    assert rows[1][:3] == ["2", "full", "416"]
    assert float(rows[1][3]) == pytest.approx(0.0123508, abs=1e-7)
    assert said("player", "--shoes", str(path), "--csv").stdout.startswith("line,id,cards,player\n2,full,416,0.0123")


def test_rows_fit_a_terminal_and_are_whole_in_a_pipe() -> None:
    kinds = [
        WagerKind.PLAYER,
        WagerKind.BANKER,
        WagerKind.TIE,
        WagerKind.TOTAL4,
        WagerKind.TOTAL5,
        WagerKind.TOTAL6,
        WagerKind.DRAGON_PLAYER,
    ]
    for width, rows in ((None, 1), (200, 1), (80, 2), (41, 4), (10, 7)):
        writer = price_shoes.EdgeWriter(kinds, OutputFormat.TEXT, width=width)
        heading = writer.gathered.getvalue().splitlines()
        writer.write_edges(price_shoes.PricedShoe(7, None, [32] * 13), [0.0123456789, -0.1, -1e-9, 0.5, 1.0, -1.0, 0.0])
        shown = writer.gathered.getvalue().splitlines()[len(heading) :]
        assert len(shown) == rows
        assert all(len(row) <= max(width or 200, 28) for row in shown + heading)
        words = "7 416 1.23457 % −10.00000 % 0.00000 % 50.00000 % 100.00000 % −100.00000 % 0.00000 %"
        assert " ".join(shown).split() == words.split()
        assert " ".join(heading).split().count("dragon") == 1


def test_a_name_for_which_a_row_has_no_room_stands_below() -> None:
    writer = price_shoes.EdgeWriter([WagerKind.PLAYER], OutputFormat.TEXT, width=40)
    for name in ("short", "a name of thirty letters or more"):
        writer.write_edges(price_shoes.PricedShoe(7, name, [32] * 13), [0.5])
    rows = writer.gathered.getvalue().splitlines()[1:]
    assert [row.strip() for row in rows] == [
        "7   416   50.00000 %  short", "7   416   50.00000 %", "a name of thirty letters or more"
    ]  # fmt: skip


def test_wagers_that_are_not_priced_in_bulk_are_named() -> None:
    for words in ((), ("--json",), ("--csv",)):
        done = said("--shoes", "-", *words, text=words_of(BY_RANK))
        assert done.exit_code == 0
        assert "not priced here: House Money; --left prices them for one shoe" in done.stderr
        assert "house_money" not in done.stdout
    assert said("player", "--shoes", "-", text=words_of(BY_RANK)).stderr == ""


def test_the_same_shoe_has_the_same_answer_wherever_it_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also after so many shoes that engines are measured, and another is taken."""
    monkeypatch.setattr(price_shoes, "AT_ONCE", 500)
    monkeypatch.setattr(engine, "MEASURED_FROM", 1_500)
    monkeypatch.setattr(engine, "fastest_engine", lambda _ways, _sample: "numba")
    asked = engine.EngineUsage()
    monkeypatch.setattr(engine, "engine_usage", lambda _book, _kinds: asked)
    chance = random.Random(1)
    lines = [words_of(tuple(chance.randint(0, most) for most in (128, *[32] * 9))) for _ in range(300)]
    found = [each["edges"] for each in answers("\n".join(lines * 10), "banker")]
    assert len(found) == 3_000
    for index, edges in enumerate(found):
        assert edges == found[index % 300]


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--shoes", "nowhere.csv"), "nowhere.csv: cannot be read"),
        (("--shoes", "-", "--left", "1"), "--shoes has one shoe per line: leave out --left"),
        (("--shoes", "-", "--without", "5s"), "leave out --left, --without"),
        (("--shoes", "-", "--meters", "star=1"), "--meters"),
        (("--shoes", "-", "--shoe", "a"), "not both"),
        (("--shoes", "-", "--stake", "25"), "a stake or a report cannot be combined with --shoes"),
        (("house_money", "--shoes", "-"), "house_money is not priced in bulk here; these are: banker, player, tie"),
        (("--shoes", "-", "--json", "--csv"), "--csv or --json, not both"),
        (("--shoes", "-"), "standard input: no shoes; expected 10 counts"),
    ],
)
def test_what_cannot_be_priced_is_said(words: tuple[str, ...], why: str) -> None:
    done = said(*words)
    assert done.exit_code == 2
    assert why in done.stderr


def test_without_numpy_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(price_shoes, "find_spec", lambda _name: None)
    done = said("--shoes", "-", text=words_of(BY_VALUE))
    assert done.exit_code == 2
    assert 'pip install "baccarat[odds]"' in done.stderr


def test_lines_are_answered_part_by_part(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """No more than a part is read ahead of its answers: memory stays flat, however long the file is."""
    monkeypatch.setattr(price_shoes, "AT_ONCE", 10)
    ahead: list[int] = []
    answered = 0

    def endless(_source: str) -> Iterator[tuple[int, bytes]]:
        nonlocal answered
        for number in range(1, 36):
            answered += len(capsys.readouterr().out.splitlines())
            ahead.append(number - answered)
            yield number, words_of(BY_VALUE).encode()

    monkeypatch.setattr(price_shoes, "lines", endless)
    status = price_shoes.show(rulebook(MA), "-", only=None, form=OutputFormat.JSON)
    assert status == 0
    assert ahead == [*itertools.chain(*([range(1, 11)] * 3), range(1, 6))]
