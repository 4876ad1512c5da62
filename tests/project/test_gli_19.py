"""The page on GLI-19: whatever it names is there, and nothing is called met that no test shows."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from paths import ROOT

PAGE = (ROOT / "docs" / "gli-19.md").read_text(encoding="utf-8")
STATES = ("met", "partly", "not yet", "operator", "none here")
NAMED = re.findall(r"`([\w./-]+/[\w./-]+(?:::\w+)?|\w+\.toml)`", PAGE)


def rows() -> list[list[str]]:
    """The rows of all tables: section, topic, state, where."""
    found = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in PAGE.splitlines() if line.startswith("|")
    ]
    return [row for row in found if row[0] != "section" and not set(row[0]) <= set("-")]


ROWS = rows()


def exists(name: str) -> bool:
    """Whether a path, or a test by its id, is there."""
    path, _, test = name.partition("::")
    if not (ROOT / path).is_file():
        return False
    return not test or re.search(rf"^def {test}\(", (ROOT / path).read_text(encoding="utf-8"), re.MULTILINE) is not None


def test_every_path_and_every_test_that_the_page_names_is_there() -> None:
    assert len(NAMED) > 80
    assert not [name for name in NAMED if not exists(name)]


def test_what_is_not_there_would_be_noticed() -> None:
    assert not exists("src/baccarat/no_such_file.py")
    assert not exists("tests/base/test_shuffle.py::test_no_such_test")
    assert not exists("tests/base/test_shuffle.py::test_generator_gives_the_bits")  # the beginning of another's name
    assert not exists("src/baccarat")


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row[0]} {row[1][:40]}")
def test_every_row_says_its_state_and_bears_it_out(row: list[str]) -> None:
    assert len(row) == 4, "a row has a section, a topic, a state, and where"
    section, topic, state, where = row
    assert re.fullmatch(r"[2-4]\.[0-9]{1,2}(\.[0-9]{1,2})?|[AB]", section)
    assert topic
    assert state in STATES
    if state == "met":
        assert re.search(r"`tests/[\w/]+\.py::test_\w+`", where) or "pyproject.toml" in where, (
            "met, and no test shows it"
        )
    if state == "partly":
        assert "Missing: " in where or "256 bits" in where, "partly, and what is missing is not said"
        assert "`" in where
    if state == "met":
        assert "Missing: " not in where


def test_nothing_is_said_to_be_missing_that_is_there() -> None:
    """What the introduction and the rows deny is looked for in the product as it is."""
    introduction = PAGE.partition("## ")[0]
    for what, there in (("no server", "serve/run.py"), ("no accounts", "serve/access/person.py"),
                        ("no player's screen", "serve/page/table.html")):  # fmt: skip
        assert (ROOT / "src" / "baccarat" / there).is_file() != (what in introduction), what
    of = {row[1]: row for row in ROWS}
    files = {path.stem for path in (ROOT / "src" / "baccarat" / "serve" / "page").glob("*.html")}
    for topic, page in (("the player's screen and its controls", "table"), ("recalling past games", "round"),
                        ("rules and pay tables", "rules")):  # fmt: skip
        (row,) = (row for name, row in of.items() if name.startswith(topic))
        assert (page in files) == (row[2] != "not yet"), row[1]
    modules = {path.stem for path in (ROOT / "src" / "baccarat" / "serve" / "access").glob("*.py")}
    assert ("a second factor" in PAGE) == (not modules & {"totp", "webauthn", "second_factor"})


def test_the_page_goes_through_the_chapters_in_order() -> None:
    """The generator comes first, for that is what is asked first; within a chapter sections rise."""
    chapters = [row[0].split(".")[0] for row in ROWS]
    assert list(dict.fromkeys(chapters)) == ["3", "2", "4", "A", "B"]
    for one, other in pairwise(row[0] for row in ROWS):
        if one[0] == other[0] and one[0] in "234":
            assert list(map(int, one.split("."))) <= list(map(int, other.split(".")))


def test_the_page_holds_none_of_the_standards_own_words() -> None:
    """A few telling phrases of such standards; ours are other ones."""
    for phrase in (
        "shall",
        "Interactive Gaming System shall",
        "critical control program",
        "independent test laboratory",
    ):
        assert phrase not in PAGE
