"""The matrix of faults: its tests exist and run in `make test`, and a fault that does not hold is told."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from paths import ROOT

sys.path.insert(0, str(ROOT / "tools"))

import fault_matrix
import faults as causing
from fault_matrix import Fault, faults


def test_every_test_and_program_of_the_matrix_exists() -> None:
    names = [each.name for each in faults()]
    assert len(set(names)) == len(names) >= 15
    for each in faults():
        assert each.tests, each.name
        for test in each.tests:
            path, _, name = test.partition("::")
            tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
            here = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
            assert any(found.startswith("test_") for found in here) if not name else name in here, test
        for program in each.programs:
            assert (ROOT / program.split()[0]).is_file(), program


def test_the_operators_page_has_a_row_for_every_fault() -> None:
    page = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
    assert fault_matrix.operations_parts()["faults"] in page, "make docs"
    assert all(page.count(f"`make faults ONLY={each.name}`") == 1 for each in faults())


@pytest.mark.slow
def test_one_fault_is_caused_in_short_and_an_unknown_one_is_refused(tmp_path: Path) -> None:
    words = [sys.executable, str(ROOT / "tools" / "faults.py"), "--times", "1", "--jobs", "0"]
    words += ["--log", str(tmp_path / "log")]
    done = subprocess.run([*words, "--only", "disk-stall"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1] == "all together: 1 held, 0 failed"
    done = subprocess.run([*words, "--only", "dragons"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert "no fault 'dragons'" in done.stderr


@pytest.mark.slow
def test_a_test_that_fails_is_skipped_or_does_not_exist_is_told(tmp_path: Path) -> None:
    test = tmp_path / "test_made.py"
    test.write_text(
        "import pytest\n"
        "def test_fails() -> None:\n    raise AssertionError\n"
        "@pytest.mark.skip\ndef test_is_skipped() -> None: ...\n"
        "def test_holds() -> None: ...\n"
    )
    there = Fault(name="made", what="", seen="", lasts="", lost="", tests=("-p", "no:cacheprovider", str(test)))
    found = causing.cause(there, times=1, jobs=0, log=tmp_path / "log")
    assert (found.held, len(found.failed), found.is_held) == (1, 2, False)
    nothing = Fault(name="none", what="", seen="", lasts="", lost="", tests=(str(tmp_path / "test_none.py"),))
    assert not causing.cause(nothing, times=1, jobs=0, log=tmp_path / "log").is_held
    assert causing.table([found]).splitlines()[-1] == "all together: 1 held, 2 failed"
