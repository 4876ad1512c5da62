"""Roles: who stands or sits at the table, and who watches it."""

from __future__ import annotations

from enum import Enum

from baccarat.table.capability import Members, load_capabilities


class Role(Enum):
    """In what capacity a person acts."""

    PARTICIPANT = "participant"
    DEALER = "dealer"
    FLOORPERSON = "floorperson"
    CASINO_SUPERVISOR = "casino supervisor"
    PIT_BOSS = "pit boss"
    PIT_CLERK = "pit clerk"
    CAGE_CASHIER = "cage cashier"
    ADMINISTRATOR = "administrator"
    SURVEILLANCE = "surveillance"
    REGULATOR = "regulator"
    PUBLIC = "public"
    """An anonymous onlooker: never acts, and sees what is open to all."""

    __hash__ = object.__hash__  # members are singletons, and Enum's own hash is slow


PARTICIPANT = Role.PARTICIPANT
"""The role as a module-level name, for the guard of every command: see `play/hand.py`."""

# --------------------------------------------------------- what the house chooses itself: see `capabilities.toml`


def _by_role(members: Members) -> dict[str, frozenset[Role]]:
    return {name: frozenset(map(Role, roles)) for name, roles in members.items()}


_CAPABILITIES = load_capabilities([role.value for role in Role])
ROLE_SETS = _by_role(_CAPABILITIES.sets)
"""Every set by its name in the file; each has a constant of the same name below."""
PAGE_ROLES = _by_role(_CAPABILITIES.pages)
"""Who can use each page. A page shows nothing by itself: what it requests is allowed or denied."""
TASK_ROLES = _by_role(_CAPABILITIES.tasks)
"""Who does what at the desk, by the name of the task."""
SHOWN_ROLES = _by_role(_CAPABILITIES.shows)
"""To whom pages show something, by its name."""

OBSERVERS = ROLE_SETS["observers"]
SUPERVISORS = ROLE_SETS["supervisors"]
GAME_STAFF = ROLE_SETS["game_staff"]
SEAT_TAKERS = ROLE_SETS["seat_takers"]
FLOOR_STAFF = ROLE_SETS["floor_staff"]
PIT_STAFF = ROLE_SETS["pit_staff"]
FLOOR_CALLERS = ROLE_SETS["floor_callers"]
TABLE_STAFF = ROLE_SETS["table_staff"]
AT_TABLE = ROLE_SETS["at_table"]
DEALERS = ROLE_SETS["dealers"]
CASHIERS = ROLE_SETS["cashiers"]
ADMINISTRATORS = ROLE_SETS["administrators"]
HOUSE_MANAGERS = ROLE_SETS["house_managers"]
PIT_MANAGERS = ROLE_SETS["pit_managers"]
COUNT_TEAM = ROLE_SETS["count_team"]
COMPLIMENTARY_BOOKERS = ROLE_SETS["complimentary_bookers"]
LINK_APPROVERS = ROLE_SETS["link_approvers"]
FORM_SIGNERS = ROLE_SETS["form_signers"]
RECORD_READERS = ROLE_SETS["record_readers"]
FIGURE_READERS = ROLE_SETS["figure_readers"]
OVERSEERS = ROLE_SETS["overseers"]
PAPER_READERS = ROLE_SETS["paper_readers"]
HOUSE_STAFF = ROLE_SETS["house_staff"]
HOUSE_ACTORS = ROLE_SETS["house_actors"]
CAGE_READERS = ROLE_SETS["cage_readers"]
PEOPLE = ROLE_SETS["people"]
SPECTATORS = ROLE_SETS["spectators"]
VISITORS = ROLE_SETS["visitors"]
ROAMING_VISITORS = ROLE_SETS["roaming_visitors"]
