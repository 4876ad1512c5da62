"""Prose in the documentation and scripts are at most 120 columns wide: tables and unbreakable words excepted."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from paths import ROOT

sys.path.insert(0, str(ROOT / "tools"))

import wrap

LONG = " ".join(["word"] * 40)


@pytest.mark.parametrize("page", list(wrap.pages()), ids=lambda page: str(page.relative_to(ROOT)))
def test_a_page_is_wrapped(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert wrap.wrapped(text) == text, "run: .venv/bin/python tools/wrap.py"


def test_no_line_of_a_script_is_too_long() -> None:
    long = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in wrap.scripts()
        for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1)
        if len(line) > wrap.WIDTH
    ]
    assert long == [], "run: make fix, and break long texts by hand"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (f"// {LONG}\n// and more\nf();", ["// word word", "// word word", "f();"]),
        (f"  /** {LONG} */\n  f() {{}}", ["  /**", "   * word word", "   * word word", "   */", "  f() {}"]),
        (f"  f(); // {LONG[:112]}", ["  // word word", "  f();"]),
        (f"/**\n * {LONG}\n * @param {{string}} a\n */", ["/**", " * word word", " * word word", " * @param", " */"]),
        (f"/** @param {{string}} a {LONG} */", ["/**", " * @param {string}", " * word", " */"]),
        (f'f("{LONG}");', ['f("word word']),
    ],
)
def test_a_long_comment_of_a_script_is_wrapped(before: str, after: list[str]) -> None:
    lines = wrap.wrapped_script(before).split("\n")
    assert len(lines) == len(after)
    assert all(line.startswith(begin) for line, begin in zip(lines, after, strict=True))


@pytest.mark.parametrize("first", ["", "- ", "  - ", "12. "])
def test_a_long_paragraph_is_wrapped_under_its_first_word(first: str) -> None:
    lines = wrap.wrapped(first + LONG).split("\n")
    assert [len(line) <= wrap.WIDTH for line in lines] == [True, True]
    assert lines[0].startswith(first + "word")
    assert lines[1].startswith(" " * len(first) + "word")
    assert " ".join(lines).split() == (first + LONG).split()


@pytest.mark.parametrize(
    "text",
    [
        f"| {LONG} |", f"# {LONG}", f"```\n{LONG}\n```", f"    {LONG}", f"<!-- written by `make docs` -->\n{LONG}",
        f"<p>{LONG}", "short\nlines", f"`{LONG}`", "x" * 200,
    ],
)  # fmt: skip
def test_what_is_no_prose_is_left(text: str) -> None:
    assert wrap.wrapped(text) == text


def test_a_line_begins_with_no_word_that_would_begin_a_list() -> None:
    text = " ".join(["word"] * 23 + ["long.", "1.", "-", "#", "word"])
    assert all(not line.startswith(("1.", "-", "#")) for line in wrap.wrapped(text).split("\n"))
    assert len(wrap.wrapped(text).split("\n")) == 2


def test_only_what_is_generated_within_a_page_is_left() -> None:
    text = f"<!-- faults: written by `make docs` -->\n{LONG}\n<!-- end of faults -->\n\n{LONG}"
    assert wrap.wrapped(text).count("\n") == text.count("\n") + 1
