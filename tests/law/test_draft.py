"""Drafts to begin from: a Submission with every option explained, an edition with every clause, whatever is shipped."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from baccarat.law.draft import draft_edition, draft_submission
from baccarat.law.edition import build, load_edition, shipped_editions
from baccarat.law.rulebook import rulebook


@pytest.mark.parametrize("name", shipped_editions())
def test_the_draft_of_a_submission_has_every_option_with_what_is_allowed_and_its_clause(name: str) -> None:
    edition = load_edition(name)
    text = draft_submission(edition).text
    spoken = re.findall(r"^# ([a-z0-9_]+): ", text, re.MULTILINE)
    assert sorted(spoken) == sorted(edition.options), "each option once"
    stated = re.findall(r"^(?:# )?\[?([a-z0-9_]+)(?: =|\]$)", text, re.MULTILINE)
    assert set(edition.options) <= set(stated), "and each with a line that can be edited"
    paragraphs = " ".join(line.removeprefix("#").strip() for line in text.splitlines() if line.startswith("#"))
    for key, option in edition.options.items():
        for cite in edition.cite_text(*option.cite):
            assert cite in paragraphs, key


@pytest.mark.parametrize("name", shipped_editions())
def test_the_draft_of_a_submission_is_valid_as_it_stands(name: str, tmp_path: Path) -> None:
    draft = draft_submission(load_edition(name))
    assert draft.faults == ()
    path = tmp_path / "house.toml"
    path.write_text(draft.text, encoding="utf-8")
    assert rulebook(path).edition.name == name


@pytest.mark.parametrize("name", shipped_editions())
def test_the_draft_of_an_edition_says_the_same_law_and_brings_every_clause(name: str) -> None:
    edition, draft = load_edition(name), draft_edition("lagoon-7", like=name)
    made = build(tomllib.loads(draft.text))
    assert (made.name, made.revision, draft.clauses) == ("lagoon-7", 1, len(edition.clauses))
    assert made.content == edition.content
    assert {key: clause.requirement for key, clause in made.clauses.items()} == {
        key: clause.requirement for key, clause in edition.clauses.items()
    }
