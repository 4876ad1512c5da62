"""Only one module takes the text of a stream apart: everywhere else a stream is asked for its kind and its name."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[2] / "src" / "baccarat"
HOME = SOURCE / "house" / "stream.py"
WITH_STREAMS = ("house", "engine", "record", "audit", "serve", "cli")
KINDS = ("table ", "pit ", "link ", "cage", "forms", "coupons", "day", "house")
OTHER_TEXTS = {"cite", "head", "answered_line", "line.strip()", "line.removeprefix(DASH)", "unicodedata.name(sign, '')"}
"""What else is divided at a space: citations, answers of a witness, lines of keys and notes, names of characters."""


def splits(source: str) -> list[str]:
    """The expressions that take the text of a stream apart."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args):
            continue
        first = node.args[0]
        given = first.value if isinstance(first, ast.Constant) else None
        is_divided = node.func.attr in {"partition", "rpartition", "split", "rsplit"} and given == " "
        is_compared = node.func.attr in {"startswith", "removeprefix"} and given in KINDS
        if is_compared or (is_divided and ast.unparse(node.func.value) not in OTHER_TEXTS):
            found.append(ast.unparse(node))
    return found


@pytest.mark.slow
def test_streams_are_taken_apart_in_one_module() -> None:
    found = {
        str(path.relative_to(SOURCE)): wrong
        for package in WITH_STREAMS
        for path in sorted((SOURCE / package).rglob("*.py"))
        if path != HOME and (wrong := splits(path.read_text(encoding="utf-8")))
    }
    assert found == {}, "use the functions of baccarat.house.stream"


@pytest.mark.parametrize(
    "line",
    [
        'kind, _, name = stream.partition(" ")',
        'each.stream.split(" ")[1]',
        'entry.stream.startswith("table ")',
        'name.removeprefix("table ")',
    ],
)
def test_a_split_is_found(line: str) -> None:
    assert len(splits(line)) == 1


def test_other_texts_may_be_divided() -> None:
    assert splits('cite.partition(" ")[2]') == []
