"""The PAR workbook: recalculated by LibreOffice it gives the exact figures; whole numbers stay whole."""

from __future__ import annotations

import re
import shutil
import subprocess
import zipfile
from collections.abc import Iterator, Mapping
from datetime import date
from fractions import Fraction
from io import BytesIO
from math import gcd, perm
from pathlib import Path
from typing import Any

import msgspec
import openpyxl  # type: ignore[import-untyped]
import pytest

from baccarat.law.rulebook import Rulebook, rulebook
from baccarat.odds import ShoeCounts, effect_of_removal, must_hit, must_hit_seat, odds, press, royal9
from baccarat.odds.band import PERCENTS, ROUNDS
from baccarat.play.wager import WagerKind
from baccarat.report import Study, study, write_par
from baccarat.report.facts import elections, readings_in_force
from baccarat.report.par import par
from baccarat.report.par_wager import BAND_NOTE
from baccarat.report.sheet import LARGEST_EXACT

pytestmark = pytest.mark.slow

PROFILE = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema">
<item oor:path="/org.openoffice.Office.Calc/Formula/Load"><prop oor:name="OOXMLRecalcMode" oor:op="fuse">
<value>0</value></prop></item>
</oor:items>
"""
"""LibreOffice takes cached values for granted unless it is told to calculate on loading."""

CASES: dict[str, tuple[str, dict[str, Any]]] = {
    "royal9": ("ma-midi-4-royal9", {"house_money": False, "royal9_return_stake": True}),
    "exempt": ("nj-punto-banco-exempt", {}),
    "half": ("nj-punto-banco-six-half", {"vig_rounding": None}),
    "ez": ("ma-midi-4-ez", {"house_money": False, "decks": 6}),
    "ten": ("ma-midi-4", {"decks": 10, "vig_rounding": False, "house_money_portion": (1, 2)}),
    "many": ("ma-midi-4", {"decks": 104, "house_money": False}),
}
NEAR = 1e-12


class Filed(msgspec.Struct, frozen=True):
    """A study, its workbook as written, and the same after a spreadsheet program has calculated it anew."""

    study: Study
    written: Any
    values: Any
    again: Any


def office() -> str:
    """The spreadsheet program; the tests of the workbook mean nothing without it."""
    found = shutil.which("soffice") or shutil.which("libreoffice")
    if found is None:
        pytest.fail("LibreOffice is needed: make office")
    return found


def without_values(content: bytes) -> bytes:
    """The workbook with nought for the value of every formula, so that what comes back was calculated."""
    made = BytesIO()
    with zipfile.ZipFile(BytesIO(content)) as old, zipfile.ZipFile(made, "w") as new:
        for name in old.namelist():
            inside = old.read(name)
            if name.startswith("xl/worksheets/sheet"):
                text = re.sub(r' t="(?:str|b)"(><f>)', r"\1", inside.decode())
                inside = re.sub(r"</f><v>[^<]*</v>", "</f><v>0</v>", text).encode()
            new.writestr(name, inside)
    return made.getvalue()


def retyped(content: bytes, names: Mapping[str, int]) -> bytes:
    """The workbook with other numbers typed into named cells or cells of sheets."""
    book = openpyxl.load_workbook(BytesIO(content))
    for name, number in names.items():
        where = book.defined_names[name].attr_text if name in book.defined_names else name
        sheet, _, place = where.replace("$", "").rpartition("!")
        book[sheet.strip("'")][place].value = number
    made = BytesIO()
    book.save(made)
    return made.getvalue()


@pytest.fixture(scope="module")
def filed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Filed]:
    """Every case written, then calculated anew in one run of LibreOffice."""
    program, folder = office(), tmp_path_factory.mktemp("par")
    profile = folder / "profile" / "user"
    profile.mkdir(parents=True)
    (profile / "registrymodifications.xcu").write_text(PROFILE, encoding="utf-8")
    studies = {name: study(rulebook(submission, **changes)) for name, (submission, changes) in CASES.items()}
    content = {name: par(each) for name, each in studies.items()}
    changed = {
        "exempt-4": retyped(content["exempt"], {"vig_rate": 4, "vig_coin": 20}),
        "royal9-meters": retyped(
            content["royal9"], {"'Royal 9'!B6": 123_456_789, "'Royal 9'!B7": 99_999, "'Royal 9'!B11": 0}
        ),
    }
    blank = {name: without_values(each) for name, each in {**content, **changed}.items()}
    for name, each in blank.items():
        (folder / f"{name}.xlsx").write_bytes(each)
    subprocess.run(
        [
            program, f"-env:UserInstallation=file://{folder / 'profile'}", "--headless", "--convert-to",
            "xlsx:Calc MS Excel 2007 XML", "--outdir", str(folder / "out"),
            *(str(folder / f"{name}.xlsx") for name in blank),
        ],
        check=True, capture_output=True, timeout=180,
    )  # fmt: skip
    found = {}
    for name in blank:
        written = content.get(name) or changed[name]
        found[name] = Filed(
            studies[name.partition("-")[0]],
            openpyxl.load_workbook(BytesIO(written)),
            openpyxl.load_workbook(BytesIO(written), data_only=True),
            openpyxl.load_workbook(folder / "out" / f"{name}.xlsx", data_only=True),
        )
    return found


def near(found: Any, wanted: Any) -> bool:
    """Whether a cell shows a figure, to twelve digits."""
    return isinstance(found, int | float) and abs(found - float(wanted)) <= NEAR * max(1.0, abs(float(wanted)))


def called(book: Any, values: Any, name: str) -> Any:
    """The value of a named cell."""
    sheet, _, place = book.defined_names[name].attr_text.replace("$", "").rpartition("!")
    return values[sheet.strip("'")][place].value


def rows(sheet: Any) -> list[list[Any]]:
    """The values of a sheet."""
    return [[cell.value for cell in row] for row in sheet.iter_rows()]


def row_of(sheet: Any, first: object, *, after: object = None) -> list[Any]:
    """The first row that begins so, below one that begins otherwise."""
    seen = after is None
    for row in rows(sheet):
        if seen and row[0] == first:
            return row
        seen = seen or row[0] == after
    raise AssertionError(f"no row {first!r} after {after!r}")


def formulas(book: Any) -> Iterator[tuple[str, str]]:
    for sheet in book:
        for row in sheet.iter_rows():
            for cell in row:
                if isinstance(cell.value, str) and cell.value.startswith("="):
                    yield sheet.title, cell.coordinate


@pytest.mark.parametrize("name", CASES)
def test_every_formula_gives_the_value_that_was_written_beside_it(filed: dict[str, Filed], name: str) -> None:
    each, count = filed[name], 0
    for sheet, place in formulas(each.written):
        count += 1
        wanted, found = each.values[sheet][place].value, each.again[sheet][place].value
        assert wanted is not None
        if isinstance(wanted, bool | str):
            assert found == wanted, (sheet, place)
        else:
            assert near(found, wanted), (sheet, place, found, wanted)
    assert count > 150


@pytest.mark.parametrize("name", CASES)
def test_measures_are_the_exact_fractions(filed: dict[str, Filed], name: str) -> None:
    each = filed[name]
    prices = odds(each.study.rules)
    for price in prices:
        measures = {
            "expected": price.expected, "edge": price.edge, "resolved": price.edge_resolved, "variance": price.variance,
            "deviation": price.deviation, "hit": price.hit, "push": price.push,
        }  # fmt: skip
        for measure, wanted in measures.items():
            for values in (each.values, each.again):
                assert near(called(each.written, values, f"{price.on.word}_{measure}"), wanted), (price.name, measure)
    summary = each.again["Summary"]
    shown = [row for row in rows(summary) if isinstance(row[1], float)]
    assert len(shown) == len(prices)
    assert all(near(row[1], price.edge) for row, price in zip(shown, prices, strict=True))


@pytest.mark.parametrize("name", CASES)
def test_lines_are_whole_numbers_over_their_total(filed: dict[str, Filed], name: str) -> None:
    each = filed[name]
    for price in odds(each.study.rules):
        if price.on is WagerKind.ROYAL9:
            continue
        found = rows(each.again[price.name])
        head = next(place for place, row in enumerate(found) if row[0] == "Event")
        total = found[head + 1 + len(price.paytable)]
        assert total[0] == "Total"
        assert near(total[8], 1)
        assert near(total[10], price.expected)
        factor = price.deals // int(str(total[7]).replace(",", ""))
        typed = rows(each.written[price.name])[head + 1 :]  # LibreOffice itself writes no more than fifteen digits
        for row, exact, line in zip(found[head + 1 :], typed, price.paytable, strict=False):
            assert int(str(row[7]).replace(",", "")) * factor == line.combinations, "all digits as text"
            if line.combinations // factor < LARGEST_EXACT:
                assert exact[6] * factor == line.combinations, "exact as a number"
            assert near(row[8], line.probability)
            assert near(row[9], line.gain)
            assert near(row[10], line.returns)
        assert next(row[2] for row in found if str(row[0]).startswith("Total is n(n−1)")) is True


@pytest.mark.parametrize("name", CASES)
def test_prices_at_stakes_and_bands_follow_from_the_lines(filed: dict[str, Filed], name: str) -> None:
    each = filed[name]
    for price in odds(each.study.rules):
        if price.on is WagerKind.ROYAL9:
            continue
        sheet = each.again[price.name]
        for rounds in ROUNDS:
            row = row_of(sheet, rounds, after=BAND_NOTE)
            for place, percent in enumerate(PERCENTS):
                band = price.band(rounds=rounds, percent=percent)
                assert near(row[6 + 2 * place], band.low)
                assert near(row[7 + 2 * place], band.high)
        for at in each.study.at_stakes.get(price.on, ()):
            assert at.stake is not None
            row = row_of(sheet, int(at.stake), after="Stake, cents")
            again = price.at(at.stake)
            assert [near(cell, line.gain * at.stake) for cell, line in zip(row[3:], again.paytable, strict=False)]
            assert near(row[3 + len(again.paytable)], again.edge)


def test_some_prices_hang_on_the_stake(filed: dict[str, Filed]) -> None:
    row = row_of(filed["royal9"].again["Banker"], 10300, after="Stake, cents")
    assert f"{row[6]:.7f}" == "0.0110243"  # $103 wins $103 and owes $5.25
    assert WagerKind.BANKER in filed["ten"].study.at_stakes
    assert WagerKind.BANKER in filed["half"].study.at_stakes
    assert not filed["ez"].study.at_stakes


def test_another_number_typed_in_makes_another_price(filed: dict[str, Filed]) -> None:
    each = filed["exempt-4"]
    four = odds(rulebook("nj-punto-banco-exempt", vig_rate=4))[WagerKind.BANKER]
    assert near(called(each.written, each.again, "banker_edge"), four.edge)
    row = row_of(each.again["Banker"], 10300, after="Stake, cents")
    assert near(row[6], four.at(10300).edge)
    each = filed["royal9-meters"]
    other = royal9(rulebook("ma-midi-4-royal9"), meters={"star": 123_456_789, "spade": 99_999})
    row = row_of(each.again["Royal 9"], "House edge")
    assert [near(cell, price.edge) for cell, price in zip(row[6:], other.chairs.values(), strict=False)] == [True] * 7


def test_house_money_pressed_never_always_and_at_best(filed: dict[str, Filed]) -> None:
    sheet, rules = filed["ten"].again["House Money press"], filed["ten"].study.rules
    for onto in (WagerKind.PLAYER, WagerKind.BANKER):
        wanted = press(rules, onto)
        row = row_of(sheet, onto.word.capitalize(), after="Pressed onto")
        for cell, figure in zip(row[1:5], (wanted.never, wanted.always, wanted.best, wanted.pressed), strict=True):
            assert near(cell, figure)
    assert len(filed["ten"].study.decisions) == 2197
    pressed = rows(filed["ten"].again["House Money decisions"])
    choices = {(row[11], row[9] > 0) for row in pressed if row[11] in ("press", "–")}
    assert choices == {("press", True), ("–", False)}


def test_royal9_by_chair_and_must_hit(filed: dict[str, Filed]) -> None:
    sheet, rules = filed["royal9"].again["Royal 9"], filed["royal9"].study.rules
    chairs = royal9(rules).chairs
    for words, measure in (("House edge", "edge"), ("Variance", "variance"), ("Standard deviation", "deviation")):
        row = row_of(sheet, words)
        for cell, price in zip(row[6:], chairs.values(), strict=False):
            assert near(cell, getattr(price, measure))
    sheet = filed["royal9"].again["Must Hit"]
    for people in range(1, 8):
        wanted = must_hit(rules, participants=people)
        row = row_of(sheet, people, after="Participants in every round")
        assert all(near(c, w) for c, w in zip(row[4:7], (wanted.rounds, wanted.award, wanted.cost), strict=True))
    seats = [row for row in rows(sheet) if isinstance(row[0], int) and row[0] >= 100_000 and row[5] is not None]
    assert len(seats) == 35
    for row in seats:
        seat = must_hit_seat(rules, meter=row[0], participants=row[1])
        assert near(row[4], seat.chance)
        assert near(row[5], seat.value)


def test_effect_of_removal(filed: dict[str, Filed]) -> None:
    for name in ("royal9", "exempt", "ten"):
        each = filed[name]
        wanted = effect_of_removal(each.study.rules)
        found = rows(each.again["Effect of removal"])
        for price in each.study.prices:
            head = next(place for place, row in enumerate(found) if row[0] == price.name)
            change = next(row for row in found[head:] if row[0] == "Change")
            for cell, removed in zip(change[2:], each.study.removed, strict=True):
                assert near(cell, wanted[price.on][removed.rank])
                assert each.study.effect(price.on, removed) == wanted[price.on][removed.rank]


def test_typed_numbers_are_whole(filed: dict[str, Filed]) -> None:
    for each in filed.values():
        for sheet in each.written:
            for row in sheet.iter_rows():
                for cell in row:
                    assert not isinstance(cell.value, float), (sheet.title, cell.coordinate)
                    if isinstance(cell.value, int):
                        assert abs(cell.value) < LARGEST_EXACT


def test_more_deals_than_a_spreadsheet_counts_are_reduced_and_the_sheet_says_so(filed: dict[str, Filed]) -> None:
    assert perm(416, 6) < LARGEST_EXACT < perm(520, 6)
    said = {name: str(rows(filed[name].written["Player"])[2][0]) for name in ("royal9", "ten", "many")}
    assert "common factor" not in said["royal9"]
    assert "divided by their common factor 1,600" in said["ten"]
    assert "is typed as exact parts" in said["many"]
    typed = row_of(filed["many"].written["Player"], "Win")[6]
    high, low = re.fullmatch(r"=(\d+)\*1000000000\+(\d+)", str(typed)).groups()  # type: ignore[union-attr]
    price = odds(rulebook("ma-midi-4", decks=104))[WagerKind.PLAYER]
    factor = gcd(*(line.combinations for line in price.lines))
    assert (int(high) * 10**9 + int(low)) * factor == price.lines[0].combinations


def test_cover_elections_and_readings(filed: dict[str, Filed]) -> None:
    each = filed["royal9"]
    rules: Rulebook = each.study.rules
    cover = [cell for row in rows(each.written["Cover"]) for cell in row if isinstance(cell, str)]
    assert rules.hash in cover
    assert any("ma-midi-4, revision" in cell for cell in cover)
    assert not any(re.search(r"\b20\d\d-\d\d", cell) for cell in cover), "no date unless it is given"
    elected = {row[0]: row for row in rows(each.written["Elections"])}
    for election in elections(rules):
        assert elected[election.key][1] == election.value
        assert elected[election.key][4] == " ".join(election.cites)
    assert {key.partition(".")[0] for key in elected if key} >= set(rules.stated)
    numbers = {row[0] for row in rows(each.written["Readings"])}
    assert numbers >= {reading.reading.id for reading in readings_in_force(rules)}
    assert {"A-14", "A-18", "A-20", "A-30"} <= {r.reading.id for r in readings_in_force(rules) if r.bears}


def test_the_same_study_makes_the_same_bytes(tmp_path: Path) -> None:
    made = study(rulebook("nj-punto-banco", dragon_bonus=False))
    first = write_par(made, tmp_path / "one.xlsx").read_bytes()
    assert write_par(study(rulebook("nj-punto-banco", dragon_bonus=False)), tmp_path / "two.xlsx").read_bytes() == first
    dated = openpyxl.load_workbook(BytesIO(par(made, date=date(2026, 11, 15))))
    assert ["Date", "2026-11-15"] in [row[:2] for row in rows(dated["Cover"])]
    with zipfile.ZipFile(BytesIO(first)) as inside:
        assert not [name for name in inside.namelist() if "vba" in name.lower()]
        assert {entry.date_time for entry in inside.infolist()} == {(1980, 1, 1, 0, 0, 0)}


def test_sheets_are_ready_to_be_read_and_printed(filed: dict[str, Filed]) -> None:
    book = filed["royal9"].written
    assert book.sheetnames[:4] == ["Cover", "Summary", "Elections", "Readings"]
    for price in filed["exempt"].study.prices:
        sheet = filed["exempt"].written[price.name]
        assert sheet.freeze_panes is not None
        assert sheet.page_setup.fitToHeight == 0
        assert filed["exempt"].study.rules.hash in sheet.oddHeader.left.text
    assert {"banker_edge", "vig_rate", "vig_coin", "royal9_edge"} <= set(book.defined_names)


def test_a_depleted_shoe_and_one_known_by_ranks_or_values() -> None:
    rules = rulebook("ma-midi-4-royal9")
    gone = study(rulebook("ma-midi-4-royal9", house_money=False), ShoeCounts.full(8).without("Ah Kd 9s 9c 2d"))
    assert gone.royal9 is not None
    assert par(gone)
    ranks = study(rules, ShoeCounts.of([32] * 12 + [3], decks=8))
    assert ranks.royal9 is None
    assert WagerKind.ROYAL9 in ranks.prices.missing
    assert len(ranks.removed) == 13
    assert par(ranks)
    values = study(rules, ShoeCounts.of([9, 0, 4, 4, 4, 4, 4, 4, 4, 4], decks=8))
    assert not values.presses
    assert par(values)
    few = study(rulebook("nj-punto-banco"), ShoeCounts.of([0] * 11 + [3, 4], decks=8))
    assert [each.rank.value for each in few.removed] == ["Q", "K"]
    assert few.prices[WagerKind.TIE].edge == Fraction(-8)
    assert par(few)


def test_work_is_told_as_it_goes() -> None:
    told: list[tuple[str, int, int]] = []
    made = study(rulebook("nj-punto-banco"), progress=lambda what, done, whole: told.append((what, done, whole)))
    assert told[0][1] == 0
    assert told[-1][1] == told[-1][2]
    assert [done for _, done, _ in told] == sorted(done for _, done, _ in told)
    told.clear()
    par(made, progress=lambda what, done, whole: told.append((what, done, whole)))
    assert [done for _, done, _ in told] == list(range(told[-1][2] + 1))
    with pytest.raises(ValueError, match="no wager takes this stake"):
        study(rulebook("nj-punto-banco"), stakes=[3])
    assert [price.stake for price in study(rulebook("nj-punto-banco"), stakes=[10300]).at_stakes[WagerKind.BANKER]] == [
        10300
    ]
