"""Names in docstrings and comments of the source: what stands there in backticks exists."""

from __future__ import annotations

import ast
import builtins
import keyword
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import baccarat

pytestmark = pytest.mark.slow

SOURCE = Path(baccarat.__file__).parent
NAME = re.compile(r"`([A-Za-z_]\w*)(?:\.(\w+))?(?:\(\))?`")
EXAMPLES = {"BPbnT", "RBBR", "lucky_6", "p3"}
"""Values that show what a text looks like."""
OTHER_PROGRAMS = {"NOTIFY", "packuswb", "pmulhuw", "pshufb"}
"""Statements of PostgreSQL and instructions of processors."""


@cache
def texts() -> dict[Path, str]:
    return {path: path.read_text(encoding="utf-8") for path in sorted(SOURCE.rglob("*.py"))}


@cache
def trees() -> tuple[ast.Module, ...]:
    return tuple(ast.parse(text) for text in texts().values())


def words_of(node: ast.AST) -> Iterator[str]:
    """The names and short texts that a piece of code consists of."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name) | ast.keyword(arg=str(name)):
            yield name
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.alias(name=name, asname=other):
            yield from (*name.split("."), other or name)
        case ast.Constant(value=str(text)) if len(text) < 80:
            yield from re.findall(r"\w+", text)


@cache
def names() -> frozenset[str]:
    """Every name of the source, and every word of the data and texts that it reads."""
    found = {*dir(builtins), *keyword.kwlist}
    for path in texts():
        found |= {path.stem, *path.relative_to(SOURCE).parts[:-1]}
    found |= {word for tree in trees() for node in ast.walk(tree) for word in words_of(node)}
    for kind in ("toml", "csv", "json", "js", "sql", "html", "css"):
        for path in SOURCE.rglob(f"*.{kind}"):
            found |= {path.stem, *re.findall(r"\w+", path.read_text(encoding="utf-8"))}
    return frozenset(found)


@cache
def members() -> dict[str, set[str]]:
    """What each class of the source has, its bases included."""
    own: dict[str, set[str]] = defaultdict(set)
    bases: dict[str, list[str]] = {}
    for tree in trees():
        for kind in ast.walk(tree):
            if not isinstance(kind, ast.ClassDef):
                continue
            bases[kind.name] = [ast.unparse(base).rpartition(".")[2].partition("[")[0] for base in kind.bases]
            for node in ast.walk(kind):
                match node:
                    case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                        own[kind.name].add(name)
                    case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                        own[kind.name].add(name)

    def whole(name: str, below: tuple[str, ...] = ()) -> set[str]:
        parents = (base for base in bases.get(name, ()) if base not in (*below, name))
        return own.get(name, set()).union(*(whole(base, (*below, name)) for base in parents))

    return {name: whole(name) for name in bases}


def gone(text: str) -> Iterator[tuple[int, str]]:
    """The names in backticks that nothing has, each with its line."""
    for number, line in enumerate(text.splitlines(), start=1):
        for found in NAME.finditer(line):
            first, second = found.groups()
            if first in EXAMPLES | OTHER_PROGRAMS:
                continue
            if first not in names() or (second and first in members() and second not in members()[first]):
                yield number, found[0]


def test_what_a_docstring_names_exists() -> None:
    found = {f"{path.relative_to(SOURCE)}:{line}": name for path, text in texts().items() for line, name in gone(text)}
    assert found == {}, "renamed or removed"


def test_a_name_that_is_gone_is_found() -> None:
    assert list(gone("see `Timers.after`\nand `no_such_name_anywhere`")) == [
        (1, "`Timers.after`"), (2, "`no_such_name_anywhere`"),
    ]  # fmt: skip
    assert list(gone("`Timers.for_state`, `Timers`, `decide`")) == []
