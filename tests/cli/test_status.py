"""Exit statuses: one table, stated at the foot of every help, and true of every verb."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from baccarat.cli import VERBS, app, main
from baccarat.cli.help_text import examples, help_text, paragraphs
from baccarat.cli.status import DONE, FAULT, PARTLY, REFUSED, STATUSES, STOPPED, help_footer, statuses
from baccarat.serve import run as server
from paths import ROOT, TESTS

RUN = CliRunner()
JOURNAL = str(TESTS / "data" / "journals" / "ma-midi-4.jsonl")


def verbs(command: Any = None, words: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every verb of the program with its words."""
    found = typer.main.get_command(app) if command is None else command
    children = getattr(found, "commands", None)
    if children is None:
        yield words, found
        return
    for name, child in children.items():
        yield from verbs(child, (*words, name))


ALL = dict(verbs())


def status_of(*words: str, typed: str | None = None) -> int:
    return RUN.invoke(app, list(words), input=typed).exit_code


def test_there_are_all_verbs() -> None:
    assert {words[0] for words in ALL} == set(VERBS)
    assert len(ALL) > len(VERBS), "those within groups are among them"


@pytest.mark.parametrize("words", ALL, ids=" ".join)
@pytest.mark.slow
def test_the_foot_of_every_help_states_the_statuses_of_its_verb(words: tuple[str, ...]) -> None:
    shown = " ".join(RUN.invoke(app, [*words, "--help"], env={"COLUMNS": "80"}).output.split())
    assert help_footer(" ".join(words)) in shown
    for status, meaning in statuses(" ".join(words)).items():
        assert f"{status} {meaning}" in shown


@pytest.mark.parametrize("words", ALL, ids=" ".join)
def test_wrong_usage_of_any_verb_is_a_fault(words: tuple[str, ...]) -> None:
    assert status_of(*words, "--no-such-option") == FAULT


@pytest.mark.parametrize(
    "words",
    [
        "settle none.jsonl",
        "run none.jsonl",
        "audit none.jsonl",
        "audit none.csv -s ma-midi-4",
        "transcript none.jsonl",
        "resettle none.jsonl -s ma-midi-4",
        "bundle none.jsonl --output out.json",
        "verify none.json",
        "journal checkpoint none.jsonl --key none.key",
        "journal prove none.jsonl --record 1",
        "journal names none.jsonl",
        "journal key none.key",
        "witness none --key none.key --log none.pub",
        "backup out.db --db none.db",
        "restore none.db --db out.db",
        "archive out --db none.db",
        "doctor --db none.db",
        "price none.toml",
        "price ma-midi-4 --journal none.jsonl",
        "compare ma-midi-4 none.toml",
        "rules show none",
        "rules diff none ma-midi-4",
        "shuffle battery ma-midi-4 --orders none.csv",
        "simulate none.toml --shoes 1",
        "study wagers none.toml",
    ],
)
def test_what_is_not_there_is_a_fault_of_every_verb_that_reads_it(
    words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["baccarat", *words.split()])
    with pytest.raises(SystemExit) as ended:  # through the whole program, which turns errors of the law into statuses
        main()
    assert ended.value.code == FAULT
    assert not list(tmp_path.iterdir()), "nothing is made"


def test_done_and_refused(tmp_path: Path) -> None:
    assert status_of("roads", "BBP") == DONE
    assert status_of("deal", "ma-midi-4", *["2s", "3h", "Ad", "Jd", "Tc", "5s"]) == DONE
    assert status_of("deal", "ma-midi-4", *["2s", "3h", "Ad", "Jd", "Tc", "5s", "4c"]) == REFUSED
    assert status_of("rules", "check", "ma-midi-4") == DONE
    assert status_of("rules", "check", "ma-midi-4", "--set", "tie_odds=7") == REFUSED
    lines = Path(JOURNAL).read_bytes().splitlines(keepends=True)
    assert status_of("audit", JOURNAL) == PARTLY, "nobody has signed it"
    cut = tmp_path / "cut.jsonl"
    cut.write_bytes(b"".join([*lines[:5], *lines[6:]]))
    assert status_of("audit", str(cut)) == REFUSED
    script = [{"submission": "ma-midi-4"}, {"do": "leave", "seat": 3}]
    assert status_of("run", "-", typed="\n".join(map(json.dumps, script))) == REFUSED
    assert status_of("drill", "--count", "1", "--kind", "count", "--seed", "x", typed="\n") == REFUSED
    assert status_of("bundle", JOURNAL, "--shoe", "7", "--output", str(tmp_path / "out.json")) == REFUSED


def test_ctrl_c_ends_a_verb_with_its_status(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("baccarat.play.road.parse_results", interrupted)
    monkeypatch.setattr(sys, "argv", ["baccarat", "roads", "BBP"])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == STOPPED


def test_layers_below_the_program_mean_the_same_by_a_number() -> None:
    """A server that lost its store, and a bundle whose signatures were not checked; tests of each bring it about."""
    assert (server.DONE, server.CANNOT_START, server.STOPPED) == (DONE, FAULT, PARTLY)
    assert set(statuses("serve")) == {DONE, FAULT, PARTLY}
    assert PARTLY in statuses("verify")
    assert statuses("audit")[PARTLY] == statuses("verify")[PARTLY]


def test_no_verb_writes_a_status_as_a_number() -> None:
    """Every status is one of the table, by its name."""
    found = []
    for path in sorted((ROOT / "src" / "baccarat" / "cli").glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            name = ast.unparse(node.func)
            if name in ("typer.Exit", "sys.exit", "fail", "SystemExit", "exit"):
                numbers = [each.value for each in node.args if isinstance(each, ast.Constant)]
                found += [f"{path.name}:{node.lineno}" for value in numbers if isinstance(value, int)]
    assert not found


def test_the_page_has_the_table() -> None:
    page = (ROOT / "docs" / "verbs.md").read_text(encoding="utf-8")
    for status, meaning in STATUSES.items():
        assert f"| {status} | {meaning} |" in page
    for verb in ("verify", "serve", "play", "drill"):
        assert help_footer(verb) in page


# -------------------------------------------------------------------------------- help that fits a terminal


@pytest.mark.parametrize("words", ALL, ids=" ".join)
@pytest.mark.slow
def test_help_is_broken_by_the_terminal_alone_and_each_example_has_its_line(words: tuple[str, ...]) -> None:
    docstring = ALL[words].callback.__doc__
    assert ALL[words].help == help_text(docstring)
    assert all("\n" not in each and "Example" not in each for each in paragraphs(docstring))
    assert examples(docstring)
    assert all("baccarat" in each and " · " not in each for each in examples(docstring))
    lines = RUN.invoke(app, [*words, "--help"], env={"COLUMNS": "80", "TERMINAL_WIDTH": "80"}).output.splitlines()
    assert max(map(len, lines)) <= 80
    assert len(lines) < 100


def test_a_docstring_is_paragraphs_and_examples() -> None:
    docstring = """Do it.

    A sentence that
    goes on. Another. Examples: baccarat a ·
    baccarat b --c 'd · e' · baccarat f
    """
    assert paragraphs(docstring) == ["Do it.", "A sentence that goes on. Another."]
    assert examples("Do it. Example:\n    baccarat a > b") == ["baccarat a > b"]
    assert help_text("Do it.\n\nExamples: baccarat a ·\nbaccarat b") == (
        "Do it.\n\nExamples:\n  baccarat a\n  baccarat b"
    )
    assert help_text("Do it.") == "Do it."
    broken = help_text(f"Do it.\n\nExample: baccarat a --one '{'x y ' * 10}' --two {'z' * 30}")
    assert broken.splitlines()[-2:] == [f"  baccarat a --one '{'x y ' * 10}' --two \\", f"      {'z' * 30}"]


# ----------------------------------------------------------------------------- libraries that are not there

WITHOUT = """
import sys
for name in {blocked!r}:
    sys.modules[name] = None
from baccarat.cli import main
sys.argv = ["baccarat", *{words!r}]
main()
"""
OF_OTHER_EXTRAS = (
    "numpy", "numba", "altair", "vl_convert", "xlsxwriter", "typst", "pyarrow", "distributed", "gymnasium",
)  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "extra"),
    [
        ("simulate ma-midi-4 --shoes 1", "sim"),
        ("simulate ma-midi-4 --shoes 1 --engine dask", "dask"),
        ("study wagers ma-midi-4 --shoes 1", "sim"),
        ("price ma-midi-4 --shoes -", "odds"),
        ("price ma-midi-4 --html report.html", "report"),
        ("price ma-midi-4 --xlsx par.xlsx", "report"),
        ("price ma-midi-4 --pdf report.pdf", "report"),
    ],
)
def test_a_library_that_is_not_installed_is_a_fault_that_names_its_extra(
    words: str, extra: str, tmp_path: Path
) -> None:
    code = WITHOUT.format(blocked=OF_OTHER_EXTRAS, words=words.split())
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, input="", check=False
    )
    assert done.returncode == FAULT, done.stderr
    assert f"baccarat[{extra}]" in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        "deal ma-midi-4 2s 3h Ad Jd Tc 5s",
        "price ma-midi-4",
        "compare ma-midi-4 ma-midi-4-ez",
        "play ma-midi-4 --script ;;quit --journal sitting.jsonl",
    ],
)
def test_what_needs_no_extra_runs_without_any(words: str, tmp_path: Path) -> None:
    code = WITHOUT.format(blocked=(*OF_OTHER_EXTRAS, "cryptography", "apsw", "litestar"), words=words.split())
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, check=False)
    assert done.returncode == DONE, done.stderr


def test_a_closed_standard_output_is_a_fault_that_is_said() -> None:
    command = f"'{sys.executable}' -m baccarat price ma-midi-4 banker >&-"
    done = subprocess.run(["bash", "-c", command], stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == FAULT
    assert "standard output is closed" in done.stderr
