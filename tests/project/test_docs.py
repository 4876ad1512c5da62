"""Documentation that the tests enforce: examples run, generated pages are up to date, links lead somewhere."""

from __future__ import annotations

import doctest
import importlib
import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

import msgspec
import pytest

from baccarat.law import section
from baccarat.law.edition import OPTIONAL_SECTIONS, SECTIONS
from baccarat.law.row import Draw
from paths import ROOT

sys.path.insert(0, str(ROOT / "tools"))  # the tool that writes the pages imports its neighbours
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])


def _docs_tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("docs_tool", ROOT / "tools" / "docs.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["docs_tool"] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_examples_on_a_page_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    failed, _ = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert failed == 0, f"run: python -m doctest {page.relative_to(ROOT)}"


def test_readme_shows_off_in_code() -> None:
    examples = doctest.DocTestParser().get_examples((ROOT / "README.md").read_text(encoding="utf-8"))
    assert len(examples) >= 8


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_on_a_page_lead_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text)
    missing = [link for link in links if "://" not in link and not (page.parent / link).exists()]
    assert not missing


def test_generated_pages_are_up_to_date() -> None:
    tool = _docs_tool()
    stale = [
        name
        for name, text in tool.pages().items()
        if not (ROOT / "docs" / name).exists() or (ROOT / "docs" / name).read_text(encoding="utf-8") != text
    ]
    assert not stale, "run: make docs"


def test_every_verb_is_documented_with_an_example() -> None:
    tool = _docs_tool()
    page = (ROOT / "docs" / "verbs.md").read_text(encoding="utf-8")
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for words, command in tool.verbs():
        verb = f"baccarat {' '.join(words)}"
        assert f"## `{verb}`" in page
        assert verb in readme, f"{verb} is not in README"
        assert "Example" in (command.help or ""), f"{verb} has no example in its help"
        assert any("--json" in param.opts for param in command.params), f"{verb} has no --json"


def test_no_page_names_a_download_address_or_a_machine() -> None:
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        assert not re.search(r"https?://(?!www\.w3\.org)", text), page
        assert "/home/" not in text, page


def test_architecture_names_files_that_are_there() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    named = re.findall(r"`((?:src/baccarat|tools|bench)/[^`*]*)`", text)
    assert len(named) >= 20
    assert not [name for name in named if not (ROOT / name).exists()]


def test_every_field_of_an_edition_is_on_the_page_with_its_meaning() -> None:
    """The page about new editions names each section and each field that the loader knows, and no other word."""
    tool = _docs_tool()
    text = (ROOT / "docs" / "new-edition.md").read_text(encoding="utf-8")
    for name in (*SECTIONS, *OPTIONAL_SECTIONS):
        assert f"### `[{name}]`" in text
    meanings = importlib.import_module("vocabulary").MEANINGS
    for struct in (*vars(section).values(), Draw):
        if isinstance(struct, type) and issubclass(struct, msgspec.Struct) and struct is not section.Section:
            fields = {field.encode_name for field in msgspec.structs.fields(struct)}
            assert fields - {"cite"} <= set(meanings[struct.__name__]), struct
    assert tool.vocabulary() in text
