"""The lab report: one page that asks for nothing, one PDF that is tagged, both with every figure."""

from __future__ import annotations

import re
from datetime import date
from html.parser import HTMLParser
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfReader

from baccarat.law.rulebook import rulebook
from baccarat.odds import ShoeCounts, press, royal9
from baccarat.play.wager import WagerKind
from baccarat.report import LabReport, Study, lab_report, study, write_html, write_pdf
from baccarat.report.facts import elections
from baccarat.report.html import page
from baccarat.report.model import Plot, TableBlock
from baccarat.report.pdf import paper
from baccarat.report.plots import BROWN_TO_TEAL, decision_grid, shade
from baccarat.report.tables import in_cents, money, percent

pytestmark = pytest.mark.slow

NAMES = ("ma-midi-4-royal9", "nj-punto-banco-exempt")
SMALL = rulebook("nj-punto-banco", dragon_bonus=False, total_card_wagers=False)
VOID = {"meta", "br", "hr", "img", "input", "link"}
Made = tuple[Study, LabReport, str, bytes]


@pytest.fixture(scope="module", params=NAMES)
def made(request: pytest.FixtureRequest) -> Made:
    """A study, its report, the page and the paper."""
    found = study(rulebook(request.param))
    report = lab_report(found)
    return found, report, page(report), paper(report)


class Reader(HTMLParser):
    """A reader that insists on closed tags and collects what it meets."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len({name for name, _ in attrs}) == len(attrs), f"an attribute twice in <{tag}>"
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def read(text: str) -> Reader:
    reader = Reader()
    reader.feed(text)
    reader.close()
    assert reader.open == []
    return reader


def test_the_page_is_well_formed_and_asks_for_nothing(made: Made) -> None:
    _, _, text, _ = made
    reader = read(text)
    tags = [tag for tag, _ in reader.tags]
    assert not {"script", "link", "img", "iframe", "object", "embed", "image"} & set(tags)
    for tag, attributes in reader.tags:
        for name, value in attributes.items():
            if name in ("href", "xlink:href", "src", "srcset", "action", "data"):
                assert value is not None, tag
                assert value.startswith("#"), f"<{tag} {name}={value}>"
            elif not name.startswith("xmlns"):
                assert "://" not in (value or ""), f"<{tag} {name}={value}>"
    style = text.partition("<style>")[2].partition("</style>")[0]
    assert "url(" not in style
    assert "@import" not in style
    assert set(re.findall(r"https?://[^\s\"'<]+", text)) <= {
        "http://www.w3.org/2000/svg",
        "http://www.w3.org/1999/xlink",
    }


def test_the_page_can_be_heard_and_walked(made: Made) -> None:
    _, report, text, _ = made
    reader = read(text)
    ids = [str(a["id"]) for _, a in reader.tags if "id" in a]
    assert len(set(ids)) == len(ids)
    pointed = [str(a["href"])[1:] for _, a in reader.tags if "href" in a]
    pointed += [str(a["aria-labelledby"]) for _, a in reader.tags if "aria-labelledby" in a]
    assert set(pointed) <= set(ids)
    tables = [block for section in report.sections for block in section.blocks if isinstance(block, TableBlock)]
    assert text.count("<table") == text.count("<caption") == len(tables)
    assert all(a.get("scope") in ("col", "row") for tag, a in reader.tags if tag == "th")
    assert '<th scope="row"></th>' not in text
    assert all(len(row) == len(table.columns) for table in tables for row in table.rows)
    drawn = [block for section in report.sections for block in section.blocks if isinstance(block, Plot)]
    assert text.count("<svg") == len(drawn) >= 4
    for plot in drawn:
        assert re.match(r'<svg [^>]*role="img"[^>]*><title>[^<]+</title><desc>[^<]+</desc>', plot.svg)
    assert "prefers-color-scheme: dark" in text
    assert "@media print" in text
    assert 'name="viewport"' in text
    assert '<html lang="en">' in text


def test_the_page_says_everything(made: Made) -> None:
    found, _, text, _ = made
    said = "\n".join(read(text).text)
    assert found.rules.hash in said
    assert found.rules.edition.title in said
    for election in elections(found.rules):
        assert election.key in said
        assert all(cite in said for cite in election.cites)
    for price in found.prices:
        assert price.name in said
        assert percent(price.edge) in said
        for line in price.paytable:
            assert f"{line.combinations:,}" in said
    for prices in found.at_stakes.values():
        assert all(percent(price.edge) in said for price in prices if price.edge != found.prices[price.on].edge)
    assert not re.search(r"20\d\d-\d\d-\d\d", said), "no date unless it is given"
    assert "-0." not in said, "a minus is a minus, not a hyphen"


def test_house_money_royal9_must_hit_and_exemption_are_there(made: Made) -> None:
    found, _, text, _ = made
    if found.royal9 is None:
        assert len(found.exempt) == 3
        assert all(percent(each.edge) in text for each in found.exempt)
        return
    best = press(found.rules, WagerKind.PLAYER)
    assert percent(best.best) == "23.97210"
    assert percent(best.best) in text
    chair = royal9(found.rules)
    assert percent(chair.chairs[1].edge) in text
    assert money(chair.break_even(1, "star")) in text
    assert in_cents(found.must_hit[0].cost) in text
    grid = decision_grid(found, WagerKind.PLAYER)
    assert len(grid) == 75
    assert grid[8, 0] == 1
    assert percent(found.coupons[0].value, 4) in text


def test_the_paper_is_tagged_numbered_and_says_the_same(made: Made) -> None:
    found, report, _, content = made
    book = PdfReader(BytesIO(content))
    pages = [each.extract_text() for each in book.pages]
    for number, text in enumerate(pages, start=1):
        assert found.rules.hash in text.replace("\n", ""), "the hash is at the head of every page"
        assert f"{number} of {len(pages)}" in text
    whole = "\n".join(pages)
    assert "Contents" in pages[0]
    for section in report.sections:
        assert section.title in whole
    for price in found.prices:
        assert percent(price.edge) in whole
        assert f"{price.paytable[0].combinations:,}" in whole
    for election in elections(found.rules):
        assert election.key in whole
    root: Any = book.trailer["/Root"]
    assert root["/MarkInfo"]["/Marked"]
    assert "/StructTreeRoot" in root
    assert root["/Lang"] == "en"
    assert len(book.outline) >= 8
    assert book.metadata is not None
    assert found.rules.edition.name in str(book.metadata.title)
    assert book.metadata.creation_date is None


def test_text_in_plots_is_set_in_the_font_of_the_page(made: Made) -> None:
    content = PdfReader(BytesIO(made[3]))
    names = set()
    for each in content.pages:
        resources: Any = each["/Resources"]
        names |= {str(font.get_object()["/BaseFont"]) for font in resources.get("/Font", {}).values()}
    stems = {name.partition("+")[2] or name for name in names}
    assert stems
    assert all(stem.startswith(("LibertinusSerif", "DejaVuSansMono", "NewCMMath")) for stem in stems), stems


def test_the_same_study_makes_the_same_page_and_paper(tmp_path: Path) -> None:
    found = study(SMALL)
    told: list[tuple[str, int, int]] = []
    one = write_html(found, tmp_path / "a.html", progress=lambda *each: told.append(each)).read_bytes()
    assert [done for _, done, _ in told] == [0, 1, 2]
    assert write_html(found, tmp_path / "b.html").read_bytes() == one
    first = write_pdf(found, tmp_path / "a.pdf").read_bytes()
    assert write_pdf(study(SMALL), tmp_path / "b.pdf").read_bytes() == first
    assert sorted(each.name for each in tmp_path.iterdir()) == ["a.html", "a.pdf", "b.html", "b.pdf"]


def test_a_date_is_printed_if_it_is_given() -> None:
    assert "2026-11-15" in page(lab_report(study(SMALL), date=date(2026, 11, 15)))


def test_a_shoe_near_its_end_makes_a_report_too() -> None:
    rules = rulebook("ma-midi-4-royal9")
    for shoe in (ShoeCounts.of([0] * 11 + [3, 4], decks=8), ShoeCounts.of([6, *[0] * 9], decks=8)):
        report = lab_report(study(rules, shoe))
        assert read(page(report)).tags
        assert paper(report).startswith(b"%PDF")


def test_meters_above_their_seeds_show_both_break_evens() -> None:
    rules = rulebook("ma-midi-4-royal9", house_money=False, dragon_bonus=False)
    shown = {"star": 200_000_000, "spade": 50_000}
    found = study(rules, meters=shown)
    here = royal9(rules, meters=shown)
    assert found.break_even[3]["heart"] == here.break_even(3, "heart")
    assert found.break_even_at_seed[3]["heart"] == royal9(rules).break_even(3, "heart")
    assert found.prices[WagerKind.ROYAL9].edge == here.chairs[1].edge
    text = page(lab_report(found))
    assert money(found.break_even_at_seed[3]["heart"]) in text
    assert "$2,000,000.00" in text


def test_shades_are_seven_and_symmetric() -> None:
    steps = [-1, -0.45, -0.2, 0, 0.2, 0.45, 1]
    assert [shade(each) for each in steps] == list(BROWN_TO_TEAL)  # type: ignore[arg-type]
