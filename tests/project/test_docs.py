"""Documentation that the tests enforce: examples run, generated pages are up to date, links lead somewhere."""

from __future__ import annotations

import doctest
import importlib
import importlib.util
import json
import re
import shlex
import sys
import tomllib
from pathlib import Path
from types import ModuleType

import msgspec
import pytest

from baccarat.cli import VERBS
from baccarat.law import section
from baccarat.law.edition_file import OPTIONAL_SECTIONS, SECTIONS
from baccarat.law.row import Draw
from baccarat.serve.setting import read_setting
from baccarat.table.machine import EVENT_DECODER  # noqa: F401  every module of events is read
from baccarat.table.registration import EVOLVERS
from forked import run_text
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


def test_readme_says_first_what_it_is_and_stays_short() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    first = " ".join(text.split("\n\n")[1].split())
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert first.startswith(project["description"]), "the same sentence everywhere"
    assert len(text.splitlines()) <= 135
    assert text.index("*Rules Submission*") < text.index("Submission**"), "a word is explained before it is used"


@pytest.mark.slow
def test_the_commands_of_readme_run_one_after_another(tmp_path: Path) -> None:
    blocks = re.findall(
        r"^```sh\n(.*?)^```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
    )
    lines = [line for line in "".join(blocks).splitlines() if line.startswith("baccarat ") and line != "baccarat serve"]
    assert len(lines) == 10
    for line in lines:
        done = run_text(*shlex.split(line, comments=True)[1:], folder=tmp_path)
        covered = 3 if line.startswith("baccarat audit ") and "--key" not in line and "-s" not in line else 0
        assert done.returncode == covered, (line, done.stderr)
        assert done.stdout
    assert (tmp_path / "sitting.jsonl").exists()


def test_readme_names_for_every_verb_the_extra_that_it_needs() -> None:
    """Every extra that somebody may want is in the table, and every verb is in one row at least."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    table = text[text.index("| extra |") :].partition("\n\n")[0]
    rows = dict(re.findall(r"^\| (?:`(\w+)`|none.*?) \| (.*) \|$", table, re.MULTILINE))
    assert set(rows) - {""} <= set(extras)
    assert set(VERBS) <= set(re.findall(r"`(\w+)", table)), set(VERBS) - set(re.findall(r"`(\w+)", table))
    installed = re.search(r'pip install -e "\.\[([\w,]+)\]"', text)
    assert installed is not None
    assert set(installed[1].split(",")) <= set(rows)


def test_every_page_and_notebook_is_in_the_index() -> None:
    index = ROOT / "docs" / "README.md"
    links = re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", index.read_text(encoding="utf-8"))
    linked = {(index.parent / link).resolve() for link in links}
    wanted = [*(ROOT / "docs").rglob("*.md"), *(ROOT / "examples").glob("*.ipynb"), *ROOT.glob("*.md")]
    assert not [str(page.relative_to(ROOT)) for page in wanted if page != index and page not in linked]
    names = [page.name for page in wanted if page.name != "README.md"]
    assert len(set(names)) == len(names), "no two pages have one name"


def test_notebooks_use_the_words_of_the_glossary() -> None:
    for book in (ROOT / "examples").glob("*.ipynb"):
        prose = [
            cell for cell in json.loads(book.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "markdown"
        ]
        text = "".join("".join(cell["source"]) for cell in prose)
        assert not re.search(r"\b(commission|rake|bets?|punter|gambler)\b", text, re.IGNORECASE), book.name


def test_a_release_has_every_page_and_git_takes_nothing_that_a_house_writes() -> None:
    built = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["build"]["targets"]
    assert {page.name for page in ROOT.glob("*.md")} <= set(built["sdist"]["include"])
    ignored = (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()
    assert f"{Path(read_setting({}, {}, None).db).parent}/" in ignored, "its seal.key is a secret"


def test_the_table_of_layers_is_the_one_that_is_enforced() -> None:
    """Each layer stands in the table, and below everything that it may import."""
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    table = text[text.index("| layer |") :].partition("\n\n")[0]
    rows = [re.findall(r"`([\w/]+)`", line.split("|")[1]) for line in table.splitlines()[2:]]
    shown = [name.rstrip("/") for row in rows for name in row if "/" not in name.rstrip("/")]
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    enforced = [re.findall(r"\w+", layer) for layer in reversed(contracts[0]["layers"])]
    assert sorted(shown) == sorted(name for layer in enforced for name in layer)
    rank = {name: number for number, layer in enumerate(enforced) for name in layer}
    one_row = set(rows[0])
    others = [rank[name] for name in shown if name not in one_row]
    assert others == sorted(others)
    assert max(rank[name] for name in one_row) < min(others)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_on_a_page_lead_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text)
    missing = [link for link in links if "://" not in link and not (page.parent / link).exists()]
    assert not missing


@pytest.mark.slow
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
    index = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    for words, command in tool.verbs():
        verb = f"baccarat {' '.join(words)}"
        assert f"## `{verb}`" in page
        assert re.search(rf"^\| `{verb}[ `]", index, re.MULTILINE), f"{verb} is not in docs/README.md"
        assert "Example" in (command.help or ""), f"{verb} has no example in its help"
        assert any("--json" in param.opts for param in command.params), f"{verb} has no --json"


def test_no_page_names_a_download_address_or_a_machine() -> None:
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        assert not re.search(r"https?://(?!www\.w3\.org)", text), page
        assert "/home/" not in text, page


ARCHITECTURE = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
ELSEWHERE = ("bench/", "docs/", "src/", "tests/", "tools/", "types/", "verifier/")
"""How a path begins that is relative to the project; every other one is relative to the package."""


def _places(text: str) -> dict[str, list[Path]]:
    """The paths that a text names in backticks, a star standing for any name, each with the files that it leads to."""
    named = [each for each in re.findall(r"`([^`\s]+)`", text) if "/" in each or each.endswith(".py")]
    folders = {each: ROOT if each.startswith(ELSEWHERE) else ROOT / "src" / "baccarat" for each in named}
    found = {each: sorted(folder.glob(each.rstrip("/") or each)) for each, folder in folders.items()}
    return {
        name: [file for path in paths for file in (sorted(path.rglob("*.*")) if path.is_dir() else [path])]
        for name, paths in found.items()
    }


def _missing(text: str) -> list[str]:
    """The paths of a text that lead nowhere, and names of code that occur in none of the files of their row."""
    places = _places(text)
    missing = [name for name, files in places.items() if not files]
    for row in (line for line in text.splitlines() if line.startswith("|")):
        files = [file for name in _places(row) for file in places[name] if file.suffix in {".js", ".py", ".toml"}]
        words = {word for file in files for word in re.findall(r"\w+", file.read_text(encoding="utf-8"))}
        missing += [name for name in re.findall(r"`(\w+)`", row.split("|")[2]) if files and name not in words]
    return missing


@pytest.mark.slow
def test_architecture_names_files_that_are_there() -> None:
    assert len(_places(ARCHITECTURE)) >= 100
    assert not _missing(ARCHITECTURE)


@pytest.mark.parametrize(
    "gone",
    [
        "`law/no_such_file.py`",
        "`tools/no_such_tool.py`",
        "`table/no_such_folder/*.py`",
        "| change it | `no_such_name` in `serve/setting.py` |",
    ],
)
@pytest.mark.slow
def test_a_path_or_a_name_that_is_gone_would_be_noticed(gone: str) -> None:
    assert _missing(f"{ARCHITECTURE}\n{gone}\n")


def test_architecture_has_a_row_for_every_package_of_the_server() -> None:
    rows = re.findall(r"^\| `serve/(\w+)/` \|", ARCHITECTURE, re.MULTILINE)
    packages = (ROOT / "src" / "baccarat" / "serve").glob("*/__init__.py")
    assert sorted(rows) == sorted(each.parent.name for each in packages)
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    (layers,) = (each["layers"] for each in contracts if each.get("containers") == ["baccarat.serve"])
    rank = {name: number for number, layer in enumerate(reversed(layers)) for name in re.findall(r"\w+", layer)}
    assert [rank[name] for name in rows] == sorted(rank[name] for name in rows), "what imports another stands below it"


def test_architecture_stays_one_page() -> None:
    assert len(ARCHITECTURE.splitlines()) <= 225


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


def test_every_event_of_a_golden_journal_is_on_the_page_with_its_fields() -> None:
    """The page is made from the classes; the journals are what somebody reads by it."""
    page = (ROOT / "docs" / "events.md").read_text(encoding="utf-8").partition("## Objects within events")[0]
    parts = {part.partition("`")[0]: part for part in page.split("\n### `")[1:]}
    assert len(parts) == len(EVOLVERS)
    shown: dict[str, set[str]] = {}
    for path in sorted((ROOT / "tests" / "data" / "journals").glob("*.jsonl")):
        for line in path.read_bytes().splitlines():
            for event in json.loads(line).get("record", {}).get("events", []):
                shown.setdefault(event["event"], set()).update(event)
    missing = {
        f"{name}.{field}" for name, fields in shown.items() for field in fields - {"event"}
        if f"| `{field}` |" not in parts.get(name, "")
    }  # fmt: skip
    assert missing == set()
    assert len(shown) > 40
