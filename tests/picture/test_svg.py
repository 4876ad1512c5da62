"""The builder: what goes in as text comes out as text; what could run or style cannot go in."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from baccarat.picture.paint import PAINTS, with_paint
from baccarat.picture.svg import Markup, document, element, number, path_data, text_of, translation
from paths import ROOT
from picture_tree import SVG, check_picture, tree

HOSTILE = "</svg><script>alert(1)</script>\"'&<!--]]>\x00\x07\ufffe\ud800"


@given(st.text())
def test_any_text_comes_back_as_text(words: str) -> None:
    root = check_picture(document(1, 1, element("text", words, data_say=words), label=words))
    text = root.find(f"{SVG}text")
    assert text is not None
    allowed = "".join(each if text_of(each) != "\ufffd" else "\ufffd" for each in words)
    assert (text.text or "") == allowed.replace("\r\n", "\n").replace("\r", "\n")
    assert len(root) == 1


def test_hostile_text_opens_nothing() -> None:
    root = check_picture(document(1, 1, element("text", HOSTILE, class_=HOSTILE), label=HOSTILE))
    assert [each.tag for each in root.iter()] == [f"{SVG}svg", f"{SVG}text"]


@pytest.mark.parametrize("name", ["script", "STYLE", "foreignObject", "image", "a", "text onload", ""])
def test_elements_that_could_run_or_fetch_are_a_bug(name: str) -> None:
    with pytest.raises(AssertionError):
        element(name)


@pytest.mark.parametrize(
    "given",
    [{"style": "fill:red"}, {"onclick": "x"}, {"ONLOAD": "x"}, {"href": "https://a"}, {"src": "x"}, {"id": "a b"}],
)
def test_attributes_that_could_run_style_or_fetch_are_a_bug(given: dict[str, str]) -> None:
    with pytest.raises(AssertionError):
        element("g", **given)


def test_numbers_have_two_decimals_at_most_and_no_more_digits_than_they_need() -> None:
    assert [number(each) for each in (1, 1.0, 0.5, 1 / 3, -0.001, 1e-9, 12345.678)] == [
        "1", "1", "0.5", "0.33", "0", "0", "12345.68",
    ]  # fmt: skip
    assert path_data("M", 1 / 3, 2, "Z") == "M 0.33 2 Z"
    assert translation(1, 2, scale=0.5, angle=90) == "translate(1 2) rotate(90) scale(0.5)"


def test_markup_is_kept_and_everything_else_is_escaped() -> None:
    inner = element("g")
    assert element("g", inner, "<g/>", [inner, "&"]) == "<g><g/>&lt;g/&gt;<g/>&amp;</g>"
    assert isinstance(inner, Markup)


def test_none_leaves_an_attribute_out_and_zero_does_not() -> None:
    assert element("rect", x=0, y=None, class_="a") == '<rect x="0" class="a"/>'


def test_a_paint_gives_its_class_and_its_looks_and_the_last_of_two_decides() -> None:
    found = tree(with_paint("text", "word-start fill-banker", "x"))
    assert found.get("class") == "p-word-start p-fill-banker"
    assert (found.get("fill"), found.get("text-anchor")) == (PAINTS["fill-banker"]["fill"], "start")


def test_a_page_gives_every_paint_the_colours_of_its_theme() -> None:
    style = (ROOT / "src/baccarat/serve/page/css/picture.css").read_text(encoding="utf-8")
    for paint in PAINTS:
        assert f".p-{paint}" in style, paint
