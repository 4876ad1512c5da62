"""The file of capabilities: what it says is read, and what contradicts itself is refused."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import baccarat.table.role
from baccarat.table.capability import CapabilityError, parse_capabilities
from baccarat.table.role import ROLE_SETS, SHOWN_ROLES, TASK_ROLES, Role
from paths import ROOT

SOURCE = ROOT / "src" / "baccarat"
ROLES = ("cook", "waiter", "guest")
SETS = 'staff = ["cook", "waiter"]\nguests = ["guest"]'


def parse(sets: str = SETS, tasks: str = "", shows: str = "") -> dict[str, dict[str, set[str]]]:
    read = parse_capabilities(f"[sets]\n{sets}\n[tasks]\n{tasks}\n[shows]\n{shows}\n", ROLES)
    sections = {"sets": read.sets, "tasks": read.tasks, "shows": read.shows}
    return {section: {name: set(roles) for name, roles in lists.items()} for section, lists in sections.items()}


class TestWhatIsRead:
    def test_a_list_holds_roles_and_sets(self) -> None:
        sets = 'all = ["staff", "guest"]\nstaff = ["cook", "waiter"]'
        assert parse(sets)["sets"] == {"all": set(ROLES), "staff": {"cook", "waiter"}}, "in whichever order they stand"

    def test_everybody_is_every_role(self) -> None:
        assert parse(tasks='menu = ["everybody"]')["tasks"] == {"menu": set(ROLES)}

    @pytest.mark.parametrize("items", ['"everybody", "not staff"', '"not staff", "everybody"', '"guest", "not cook"'])
    def test_not_takes_roles_away_wherever_it_stands(self, items: str) -> None:
        assert parse(tasks=f"menu = [{items}]")["tasks"] == {"menu": {"guest"}}

    def test_tasks_and_what_is_shown_name_sets(self) -> None:
        read = parse(tasks='menu = ["guest"]\n"lay tables" = ["staff"]', shows='total = ["guest"]')
        assert read["tasks"] == {"menu": {"guest"}, "lay tables": {"cook", "waiter"}}
        assert read["shows"] == {"total": {"guest"}}


class TestWhatIsRefused:
    @pytest.mark.parametrize(
        ("sets", "say"),
        [
            ('staff = ["cook", "waitress"]', "sets.staff: 'waitress' is neither a role nor a set"),
            ('staff = ["everybody", "not chef"]', "sets.staff: 'chef' is neither a role nor a set"),
            ('staff = ["all"]\nall = ["everyone"]\neveryone = ["staff"]', "a cycle: staff → all → everyone → staff"),
            ('staff = ["staff", "cook"]', "sets.staff: a cycle: staff → staff"),
            ("staff = []", "sets.staff: holds no role"),
            ('staff = ["cook", "not everybody"]', "sets.staff: holds no role"),
            ('staff = ["cook", "cook"]', "sets.staff: 'cook' is listed twice"),
            (f'{SETS}\nothers = ["waiter", "cook"]', "sets.others: holds the same roles as sets.staff"),
            (f'{SETS}\ncook = ["waiter"]', "sets.cook: this is the name of a role"),
            (f'{SETS}\neverybody = ["waiter"]', "sets.everybody: this is the name of a role"),
            ('staff = ["cook", "waiter"]\nsome = ["everybody", "not cook"]', "no set names the role 'guest'"),
            ('staff = ["cook"]\nstaff = ["waiter"]', "Cannot overwrite a value"),
            ('staff = "cook"', "Expected `array`"),
            ("staff = [1]", "Expected `str`"),
        ],
    )
    def test_a_set(self, sets: str, say: str) -> None:
        with pytest.raises(CapabilityError, match=r"^(capabilities: |sets)") as refused:
            parse(sets)
        assert say in str(refused.value)

    @pytest.mark.parametrize(
        ("task", "say"),
        [
            ('menu = ["chefs"]', "tasks.menu: 'chefs' is neither a role nor a set"),
            ('menu = ["menu"]', "tasks.menu: 'menu' is neither a role nor a set"),
            ('menu = ["staff", "staff"]', "tasks.menu: 'staff' is listed twice"),
            ('menu = ["cook", "not staff"]', "tasks.menu: holds no role"),
        ],
    )
    def test_a_task(self, task: str, say: str) -> None:
        with pytest.raises(CapabilityError) as refused:
            parse(tasks=task)
        assert say in str(refused.value)

    def test_a_section_that_is_missing_or_unknown(self) -> None:
        with pytest.raises(CapabilityError, match="missing required field `tasks`"):
            parse_capabilities(f"[sets]\n{SETS}\n[shows]", ROLES)
        with pytest.raises(CapabilityError, match="unknown field `rooms`"):
            parse_capabilities(f"[sets]\n{SETS}\n[tasks]\n[shows]\n[rooms]", ROLES)


class TestTheFileOfTheHouse:
    def test_every_set_has_a_constant_of_its_name_and_no_other(self) -> None:
        named = {name: value for name, value in vars(baccarat.table.role).items() if isinstance(value, frozenset)}
        assert named == {name.upper(): roles for name, roles in ROLE_SETS.items()}

    def test_every_set_is_used(self) -> None:
        texts = [path.read_text("utf-8") for path in SOURCE.rglob("*.py") if path.name != "role.py"]
        pages = "".join(path.read_text("utf-8") for path in (SOURCE / "serve" / "page").glob("*.html"))
        lists = (SOURCE / "table" / "capabilities.toml").read_text("utf-8")
        unused = [
            name
            for name in ROLE_SETS
            if f'"{name}"' not in lists + pages and not any(name.upper() in text for text in texts)
        ]
        assert unused == []

    def test_a_role_that_is_in_no_set_is_pointed_out(self) -> None:
        text = (SOURCE / "table" / "capabilities.toml").read_text("utf-8")
        with pytest.raises(CapabilityError, match="no set names the role 'barkeeper'"):
            parse_capabilities(text, [*(role.value for role in Role), "barkeeper"])

    def test_tasks_and_what_is_shown_are_for_somebody(self) -> None:
        assert all(TASK_ROLES.values())
        assert all(SHOWN_ROLES.values())


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


def test_no_module_keeps_a_set_of_roles_of_its_own() -> None:
    found = {name for path in SOURCE.rglob("*.py") for name in _role_sets(path)}
    assert found == set()
