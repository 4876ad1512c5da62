"""Compiled functions are kept from run to run, and compiled anew when something that they take in has changed."""

from __future__ import annotations

import importlib
import pickle
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

pytest.importorskip("numba")

from baccarat.odds import compiled as of_odds
from baccarat.sim import vector_machine as of_simulations
from baccarat.sim.study import compiled as of_studies

PART = "import numba\n\n@numba.njit(forceinline=True)\ndef part(x):\n    return x + {number}\n"
WHOLE = """
from baccarat.odds.compiled import cached_jit
from kept_part import part

def whole(x):
    return part(x)

whole = cached_jit(whole, sources=("kept_*.py",))
"""


def answer(monkeypatch: pytest.MonkeyPatch, number: int) -> tuple[int, int]:
    """What the function gives after a fresh import, its part adding a number; and how often it came from the cache."""
    (Path(sys.path[0]) / "kept_part.py").write_text(PART.format(number=number), encoding="utf-8")
    for name in ("kept_part", "kept_whole"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    of_odds.digest.cache_clear()
    importlib.invalidate_caches()
    whole = importlib.import_module("kept_whole").whole
    return whole(1), sum(whole.stats.cache_hits.values())


@pytest.mark.slow
def test_what_is_kept_is_not_used_when_a_part_of_it_has_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:  # fmt: skip
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    (tmp_path / "kept_whole.py").write_text(WHOLE, encoding="utf-8")
    assert answer(monkeypatch, 1) == (2, 0)
    assert answer(monkeypatch, 1) == (2, 1)
    assert answer(monkeypatch, 5) == (6, 0)


@pytest.mark.slow
def test_what_is_kept_under_names_that_are_gone_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    (tmp_path / "kept_whole.py").write_text(WHOLE, encoding="utf-8")
    assert answer(monkeypatch, 1) == (2, 0)
    (index,) = tmp_path.rglob("kept_whole*.nbi")
    for written in (version("numba"), (version("numba"), "of other sources")):
        index.write_bytes(pickle.dumps(written) + b"cbaccarat.cards\nRenamed\n.")
        assert answer(monkeypatch, 1) == (2, 0)
        assert answer(monkeypatch, 1) == (2, 1)


@pytest.mark.parametrize("module", [of_odds, of_simulations, of_studies])
def test_every_module_with_compiled_functions_is_looked_at(module: object) -> None:
    folder = Path(str(module.__file__)).parent  # type: ignore[attr-defined]
    looked_at = {file for pattern in module.SOURCES for file in folder.glob(pattern)}  # type: ignore[attr-defined]
    marks = ("\n@cached_jit", "\n@compile_with", "\n@compiled", "\n@inlined", "\n@numba.")
    with_some = {file for file in folder.glob("*.py") if any(mark in file.read_text("utf-8") for mark in marks)}
    assert with_some
    assert with_some <= looked_at
