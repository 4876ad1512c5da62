"""Broken code: slips in a small module go red, and a test that asks too little is noticed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from paths import ROOT

sys.path.append(str(ROOT / "tools"))

from code_change import SOURCE, code_changes, files_below
from explained import SAME_BEHAVIOUR

pytestmark = pytest.mark.slow
TOOL = ROOT / "tools" / "break_code.py"


def _run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(TOOL), *words], cwd=ROOT, capture_output=True, text=True, timeout=1200, check=False
    )


def _module(file: Path) -> str:
    """The name of a module below the package."""
    return ".".join(file.relative_to(SOURCE / "baccarat").with_suffix("").parts).removesuffix(".__init__")


def test_a_fixed_sample_of_slips_in_the_hash_tree_goes_red() -> None:
    done = _run("--within", "chain", "--tests", "tests/base/test_chain.py", "--sample", "12")
    last = done.stdout.splitlines()[-1]
    assert last.startswith("12 changes: "), done.stdout + done.stderr
    assert last.endswith(" 0 survive"), done.stdout + done.stderr
    assert done.returncode == 0


def test_a_slip_that_no_test_reaches_is_noticed() -> None:
    name = "chain.path:44: not 0 <= index < len(leaves) → 0 <= index < len(leaves)"
    done = _run("--only", name, "--within", "chain", "--tests", "tests/base/test_ledger.py")
    assert done.stdout.splitlines() == [
        f"no test reaches: {name}",
        "1 changes: 0 went red, 0 change nothing, 1 survive",
    ], done.stdout + done.stderr
    assert done.returncode == 1


def test_what_is_said_to_change_nothing_is_a_change_of_code_that_is_still_there() -> None:
    modules = {each.partition(":")[0] for each in SAME_BEHAVIOUR}
    files = [file for file in files_below("") if any(each.startswith(f"{_module(file)}.") for each in modules)]
    changes = (change for file in files for change in code_changes(file))
    there = {f"{change.module}.{change.function}: {change.what}" for change in changes}
    assert [each for each in SAME_BEHAVIOUR if each not in there] == []
