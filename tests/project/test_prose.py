"""The English of the project: words and phrases that a native engineer would not write are not used again.

They come from reading everything once: each stands for a plainer one, which the failure names.
"""

from __future__ import annotations

import json
import re
import tokenize
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

PLAINER = {
    r"who(m)?ever": "anyone who, the person who",
    r"anew": "again",
    r"nought": "zero",
    r"reckon(s|ed|ing)?": "compute, count",
    r"(go|goes|gone|going|went) on with": "continue",
    r"at hand": "available",
    r"(?<!, )(?<!; )so many(?! (that|as))": "this many, N",
    r"(is|are|was|were|be|been) told(?! (apart|from))": "is notified, is reported, sees",
    r"mend(s|ed|ing)?": "fix, resolve",
    r"beside": "next to, with, in addition to, compared with",
    r"(has|have) no place": "cannot be combined with, is not allowed",
    r"does not do\b(?! (it|that|this|so))": "is not accepted",
    r"foretell(s|ing)?": "predict",
    r"nevertheless": "still, anyway",
    r"up to now": "so far",
    r"as ever": "as usual",
    r"nobody is believed": "is not trusted",
    r"made good": "paid, compensated",
    r"is as good as new": "starts again",
    r"taken as found": "accepted unchecked",
    r"thereof|hereby|lest|whence": "a plain clause",
}
"""What is not written (in words, and whatever their case), and what is."""

ALLOWED = {
    "docs/readings.md": "readings keep the wording in which they were decided",
    "docs/rules": "clauses in our own words, of which each edition's hash is made",
    "docs/options.md": "descriptions of options, of which each edition's hash is made",
    "docs/new-edition.md": "an edition that the tests load as it stands there",
}
"""Files and folders that are not read, and why. Nor are editions, readings and migrations, which are no Python."""

PAGES = ("README.md", "CHANGELOG.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "verifier/README.md", "docs")
FOUND = re.compile("|".join(rf"\b(?:{each})\b" for each in PLAINER), re.IGNORECASE)
NOT_PROSE = re.compile(r"`[^`]*`|\{[^{}]*\}|--[a-z-]+|\"\w+\"")
"""Code within a text: names, fields, options."""


def python_prose() -> Iterator[tuple[str, str]]:
    """Comments, docstrings and texts of the program, each with its place."""
    for path in sorted((ROOT / "src" / "baccarat").rglob("*.py")):
        with path.open("rb") as source:
            for token in tokenize.tokenize(source.readline):
                if token.type in (tokenize.COMMENT, tokenize.STRING):
                    yield f"{path.relative_to(ROOT)}:{token.start[0]}", token.string


def page_prose() -> Iterator[tuple[str, str]]:
    """Paragraphs of the documentation, each with its place."""
    for page in PAGES:
        for path in sorted((ROOT / page).rglob("*.md")) or [ROOT / page]:
            name = path.relative_to(ROOT)
            if not {str(name), *map(str, name.parents)} & {*ALLOWED}:
                text, line = path.read_text(encoding="utf-8"), 1
                for paragraph in text.split("\n\n"):
                    yield f"{name}:{line}", paragraph
                    line += paragraph.count("\n") + 2


def screen_prose() -> Iterator[tuple[str, str]]:
    """Words of the pages, each with its name."""
    words = (ROOT / "src/baccarat/serve/page/words/en.json").read_text(encoding="utf-8")
    for name, text in json.loads(words).items():
        yield f"en.json, {name}", text


def findings(prose: Iterator[tuple[str, str]]) -> list[str]:
    """Every place in a text that is not plain, with what to write instead."""
    found = []
    for place, text in prose:
        joined = NOT_PROSE.sub("", re.sub(r"\s+(#:? )?", " ", text))
        for match in FOUND.finditer(joined):
            instead = next(say for word, say in PLAINER.items() if re.fullmatch(word, match[0], re.IGNORECASE))
            around = joined[max(0, match.start() - 40) : match.end() + 40]
            found.append(f"{place}: “{match[0]}” in “…{around}…”; write: {instead}")
    return found


@pytest.mark.slow
@pytest.mark.parametrize("prose", [python_prose, page_prose, screen_prose])
def test_the_text_is_plain_english(prose: Callable[[], Iterator[tuple[str, str]]]) -> None:
    assert findings(prose()) == []


@pytest.mark.parametrize(
    "text",
    [
        "Whoever watches", "it is told", "it is made\n    # anew", "so many rounds", "the key at hand",
        "it goes on with it", "a wager beside it", "it has no place here", "false does not do", "mended", "nought",
    ],
)  # fmt: skip
def test_a_text_that_is_not_plain_is_found(text: str) -> None:
    assert findings(iter([("here", text)])) != []


@pytest.mark.parametrize(
    "text",
    [
        "`--beside SUM` and {money(each.beside)}", "cached, so many of them can be", "forgeries are told apart",
        "amended", "so many that it overflows", "nobody does it", '"beside"',
    ],
)  # fmt: skip
def test_a_text_that_is_plain_is_not_found(text: str) -> None:
    assert findings(iter([("here", text)])) == []
