"""Sets of roles: each has one name and a use, every role is placed in one on purpose, and they stand in one module."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import pytest

from baccarat.table.role import OBSERVERS, ROLE_SETS, SHOWN_ROLES, TASK_ROLES, Role, roles_named
from paths import ROOT

SOURCE = ROOT / "src" / "baccarat"
MODULE = SOURCE / "table" / "role.py"
EVERY_ROLE = "EVERY_ROLE"


def test_sets_are_listed_by_their_names() -> None:
    assert ROLE_SETS["observers"] is OBSERVERS
    assert ROLE_SETS["every_role"] == frozenset(Role)


def test_no_two_sets_hold_the_same_roles() -> None:
    assert {roles: count for roles, count in Counter(ROLE_SETS.values()).items() if count > 1} == {}


def test_sets_tasks_and_what_is_shown_are_for_somebody() -> None:
    assert all(ROLE_SETS.values())
    assert all(TASK_ROLES.values())
    assert all(SHOWN_ROLES.values())


def test_every_set_is_used() -> None:
    texts = [path.read_text("utf-8") for path in SOURCE.rglob("*.py") if path != MODULE]
    pages = "".join(path.read_text("utf-8") for path in (SOURCE / "serve" / "page").glob("*.html"))
    own = MODULE.read_text("utf-8")
    unused = [
        name
        for name in ROLE_SETS
        if name not in pages and own.count(name.upper()) < 2 and not any(name.upper() in text for text in texts)
    ]
    assert unused == []


def test_every_role_is_placed_on_purpose() -> None:
    """That a new role is one of all roles is not enough: some set names it."""
    named = set[str]()
    for node in ast.parse(MODULE.read_text("utf-8")).body:
        if isinstance(node, ast.Assign) and EVERY_ROLE not in (text := ast.unparse(node.value)) and "{" in text:
            named |= {each.attr for each in ast.walk(node.value) if isinstance(each, ast.Attribute)}
    assert sorted(role.name for role in Role if role.name not in named) == []


def test_a_list_names_roles_and_sets() -> None:
    assert roles_named(["observers", "pit clerk"]) == OBSERVERS | {Role.PIT_CLERK}
    with pytest.raises(KeyError, match="king"):
        roles_named(["observers", "king"])


def _role_sets(path: Path) -> list[str]:
    """Names of a module that stand for a collection of roles which is written out there."""
    found = []
    for node in ast.parse(path.read_text("utf-8")).body:
        if not isinstance(node, ast.Assign | ast.AnnAssign) or node.value is None:
            continue
        collections = [
            each for each in ast.walk(node.value) if isinstance(each, ast.Set | ast.Tuple | ast.List | ast.Call)
        ]
        members = [item for each in collections for item in (each.args if isinstance(each, ast.Call) else each.elts)]
        if any(ast.unparse(item).startswith("Role.") for item in members):
            found.append(f"{path.relative_to(SOURCE).as_posix()}: {ast.unparse(node).split(' = ')[0]}")
    return found


@pytest.mark.slow
def test_no_module_keeps_a_set_of_roles_of_its_own() -> None:
    found = {name for path in SOURCE.rglob("*.py") if path != MODULE for name in _role_sets(path)}
    assert found == set()
