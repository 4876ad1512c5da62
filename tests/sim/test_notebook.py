"""The notebook page of the studies runs, cell by cell, and is kept without what it gave."""

from __future__ import annotations

import ast
import json
from typing import Any

import pytest

from baccarat.picture.display import ShownPicture
from paths import ROOT


@pytest.mark.slow
def test_the_notebook_of_the_studies_runs() -> None:
    book = json.loads((ROOT / "examples" / "studies.ipynb").read_text(encoding="utf-8"))
    names: dict[str, Any] = {}
    shown = []
    for cell in book["cells"]:
        if cell["cell_type"] == "code":
            assert cell["outputs"] == [], "a notebook is kept without what it gave"
            *statements, last = ast.parse("".join(cell["source"])).body
            assert isinstance(last, ast.Expr), "a cell ends with what it shows"
            exec(compile(ast.Module(statements, []), "cell", "exec"), names)
            shown.append(eval(compile(ast.Expression(last.value), "cell", "eval"), names))
    asked = sum("".join(cell["source"]).count("Picture(") for cell in book["cells"])
    assert sum(isinstance(value, ShownPicture) for value in shown) == asked > 5
    assert all("<svg" in value.svg for value in shown if isinstance(value, ShownPicture))
