"""Transcripts: each irregularity under each edition as a story that a person can follow, compared as text."""

from __future__ import annotations

import pytest

from table_stories import FOLDER, STORIES, Story


@pytest.mark.parametrize("story", [pytest.param(story, id=f"{story.edition}-{story.name}") for story in STORIES])
def test_the_story_is_told_as_it_was_reviewed(story: Story) -> None:
    told = "\n".join(story.lines()) + "\n"
    assert told == story.path.read_text(encoding="utf-8"), "if the change is right: python tools/transcripts.py"


def test_no_golden_file_is_left_without_its_story() -> None:
    assert {path.name for path in FOLDER.glob("*.txt")} == {story.path.name for story in STORIES}


@pytest.mark.slow
def test_every_line_of_a_story_ends_with_its_clauses() -> None:
    for story in STORIES:
        for line in list(story.lines())[3:]:
            assert line.startswith(("—", "filed:")) or not line or line.endswith("]"), line
