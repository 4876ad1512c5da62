"""The interface is what it was: HTTP, names for Python programs, commands and events, roles; a change is reviewed."""

from __future__ import annotations

import re
import sys

import pytest

from golden_interface import FOLDER, GOLDEN, openapi, path_of, text_of
from paths import ROOT

sys.path.insert(0, str(ROOT / "tools"))

import page_types


def test_each_golden_file_is_made_here_and_no_other_lies_there() -> None:
    assert sorted(path.stem for path in FOLDER.iterdir()) == sorted(GOLDEN)


@pytest.mark.parametrize("name", GOLDEN)
def test_the_program_answers_as_its_golden_file_says(name: str) -> None:
    kept = path_of(name).read_text(encoding="utf-8")
    assert text_of(name) == kept, "run tools/interface.py if the change is intended"


def test_no_component_of_the_description_is_named_after_a_module() -> None:
    named = [name for name in openapi()["components"]["schemas"] if re.match(r"[a-z]", name) or "_" in name]
    assert named == [], "two classes of one name meet in the description: one of them needs another name"


def test_the_declarations_for_page_scripts_are_those_of_the_message_types() -> None:
    kept = page_types.FILE.read_text(encoding="utf-8")
    assert page_types.declarations() == kept, "run tools/interface.py if the change is intended"
