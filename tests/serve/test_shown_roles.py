"""What pages show to each role, written out a second time; and scripts that know no role by its name."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from baccarat.serve.route.page import PAGES
from baccarat.table.role import SHOWN_ROLES, Role
from house_of_roles import production, sign_everybody_on
from page_script import run_page_script
from served import run_for, served

SCRIPTS = sorted((PAGES / "js").rglob("*.js"))
FLOOR_ALL = ["tables", "cage", "forms", "meters", "day"]
FLOOR = {
    Role.CAGE_CASHIER: ["cage", "tables"],
    Role.PIT_CLERK: ["tables", "forms", "cage", "meters"],
    Role.FLOORPERSON: ["tables", "cage", "forms", "meters"],
    Role.DEALER: ["tables"],
}
"""The views of the floor page in their order; those who are not listed have all of them."""
OFFICE = {
    Role.ADMINISTRATOR: {"submissions", "pits", "people", "devices", "log"},
    Role.CASINO_SUPERVISOR: {"submissions", "pits", "devices"},
    Role.PIT_BOSS: {"submissions", "pits"},
    Role.REGULATOR: {"submissions", "pits", "log"},
}
"""The sections of the office."""
SUPERVISORS = {Role.FLOORPERSON, Role.CASINO_SUPERVISOR, Role.PIT_BOSS}
REST = {
    "take_seat": {Role.PARTICIPANT},
    "seat_button": {Role.PARTICIPANT, Role.PUBLIC},
    "deal": {Role.DEALER},
    "use_console": SUPERVISORS | {Role.DEALER},
    "send_dealer_off": {Role.FLOORPERSON},
    "answer_floor_call": SUPERVISORS,
    "go_to_calling_table": {Role.FLOORPERSON},
    "see_cage": {Role.CASINO_SUPERVISOR, Role.PIT_BOSS, Role.ADMINISTRATOR, Role.CAGE_CASHIER},
    "print_form": {Role.PIT_CLERK, Role.PIT_BOSS, Role.CASINO_SUPERVISOR},
    "floor_notices": set(Role) - {Role.DEALER},
    "floor_cage_first": {Role.CAGE_CASHIER},
    "floor_forms_first": {Role.PIT_CLERK},
}

SIGN_ON = [
    "participant", "dealer", "floorperson", "casino supervisor", "pit boss", "pit clerk", "cage cashier",
    "administrator", "surveillance", "regulator",
]  # fmt: skip


def expected_of(role: Role) -> list[str]:
    views = {f"floor_{view}" for view in FLOOR.get(role, FLOOR_ALL) if view != "tables"}
    sections = {f"office_{section}" for section in OFFICE.get(role, set())}
    return sorted(views | sections | {name for name, roles in REST.items() if role in roles})


@pytest.mark.parametrize("role", Role, ids=str)
def test_each_role_is_shown_what_it_was(role: Role) -> None:
    assert sorted(name for name, roles in SHOWN_ROLES.items() if role in roles) == expected_of(role)


@pytest.mark.slow
def test_a_session_is_told_what_pages_show_to_it(tmp_path: Path) -> None:
    async def inner() -> None:
        async with served(tmp_path, **production(tmp_path)) as (live, address):
            house = await sign_everybody_on(live, address)
            for role in Role:
                found = (await house.get("/api/welcome", role=None if role is Role.PUBLIC else role)).json
                assert (found["role"], found["can"]) == (role.value, expected_of(role))
                assert found["sign_on_roles"] == SIGN_ON, "in this order, whoever asks"

    run_for(inner())


# ----------------------------------------------------------------------------------------------- the scripts


def test_the_floor_page_has_the_same_views_in_the_same_order() -> None:
    sessions = [{"can": expected_of(role)} for role in Role]
    script = (
        f'const {{ viewsOf }} = await import("/page/js/floor/views.js"), found = {json.dumps(sessions)}.map(viewsOf);'
    )
    assert run_page_script(script) == [FLOOR.get(role, FLOOR_ALL) for role in Role]


PAGE_NAMES = re.compile(r'page: "dealer"|pages\.includes\("dealer"\)|WORKPLACES = \[[^]]*\]')
"""Where `dealer` is the name of a page."""
NAMES = "|".join(role.value for role in Role)
QUOTED = re.compile(rf"""["'`]({NAMES})["'`]""")
KEY = re.compile(rf"(?<![\w.])({NAMES})\s*:(?!:)")
"""A role as a key of an object, without quotes."""
ASKED = re.compile(r'\bcan\.includes\("(\w+)"\)')
ASKED_BY_PART = re.compile(r"\bcan\.includes\(`(\w+)_\$\{name\}`\)")


def code_of(path: Path) -> str:
    """A script without its comments."""
    text = re.sub(r"/\*.*?\*/", "", path.read_text("utf-8"), flags=re.DOTALL)
    return "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("//"))


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.relative_to(PAGES).as_posix())
def test_no_script_knows_a_role_by_name(path: Path) -> None:
    """A set of roles in a script is kept right by nobody: scripts ask `can`, and take lists of roles from the house."""
    code = PAGE_NAMES.sub("", code_of(path))
    assert QUOTED.findall(code) == []
    assert KEY.findall(code) == []


def test_scripts_ask_for_what_there_is_and_for_all_of_it() -> None:
    asked: set[str] = set()
    for path in SCRIPTS:
        code = code_of(path)
        asked.update(ASKED.findall(code))
        for part in ASKED_BY_PART.findall(code):
            asked.update(name for name in SHOWN_ROLES if name.startswith(f"{part}_"))
    assert asked == set(SHOWN_ROLES)
