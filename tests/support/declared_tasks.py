"""The tasks that live as long as the house, as the source declares them: what is given to a supervisor to start."""

from __future__ import annotations

import ast
import importlib
from functools import cache
from pathlib import Path

from paths import ROOT

SOURCE = ROOT / "src"
SERVE = SOURCE / "baccarat" / "serve"
STARTS = {"start", "ensure", "_start"}
"""The methods that start a task, given its name and what to run."""
FORWARDS = {"name"}
"""How a method names a task that it only passes on to a supervisor."""
DEALER = "dealer of …"
"""The loop of each table, whatever the table."""
NODE = "baccarat.serve.cluster.node"


def kind_of(name: str) -> str:
    """What a task is: the loops of all tables are one kind."""
    return DEALER if name.startswith("dealer of ") else name


@cache
def declared_tasks(module: str = "") -> frozenset[str]:
    """The kinds of the tasks that a module starts; without a module, of all but the nodes' own."""
    found = set[str]()
    for path in sorted(SERVE.rglob("*.py")):
        own = ".".join(path.relative_to(SOURCE).with_suffix("").parts)
        if own == module or (not module and own != NODE):
            found.update(_started_in(path, own))
    return frozenset(found)


def _started_in(path: Path, module: str) -> list[str]:
    found = list[str]()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Call(func=ast.Attribute(attr=called), args=[first, _, *_]) if called in STARTS:
                name = _name(first, module)
                if name:
                    found.append(kind_of(name))
    return found


def _name(given: ast.expr, module: str) -> str:
    """The name of a task, as it is given; empty if it is only passed on, or no task is started."""
    match given:
        case ast.Constant(value=str(name)):
            return name
        case ast.Name(id=name) if name in FORWARDS:
            return ""
        case ast.Name(id=name):
            return str(getattr(importlib.import_module(module), name))
        case ast.Call(func=ast.Name(id="job_name")):
            return DEALER
        case ast.Call(func=ast.Name(id="TableRuns")):
            return ""  # what the loops of tables run, which are started one by one
    raise AssertionError(f"a task has a name that cannot be read in the source: {ast.unparse(given)}")


def declared_short_tasks() -> set[str]:
    """The names of the tasks that are given to an owner of short tasks; of one that is made up, its beginning."""
    found = set[str]()
    for path in sorted(SERVE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(
                    func=ast.Attribute(attr="start"), args=[_], keywords=[ast.keyword(arg="name", value=name)]
                ):
                    found.add(_beginning(name))
    return found


def _beginning(name: ast.expr) -> str:
    match name:
        case ast.Constant(value=str(text)) | ast.JoinedStr(values=[ast.Constant(value=str(text)), *_]):
            return text.strip()
    raise AssertionError(f"a task has a name that cannot be read in the source: {ast.unparse(name)}")
