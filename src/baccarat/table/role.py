"""Roles: who stands or sits at the table, and who watches it; and what the house lets each of them do.

Every set of roles that the house chooses itself is here. A capacity that a document names stands on the command, with
its clause. A new role is named in each set in which it belongs; sets that are made of other sets then hold it too.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum


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

# ------------------------------------------------------------------------------------------------ at the table

EVERY_ROLE = frozenset(Role)
OBSERVERS = frozenset({Role.SURVEILLANCE, Role.REGULATOR})
"""Watch the house and never act in it."""
SUPERVISORS = frozenset({Role.FLOORPERSON, Role.CASINO_SUPERVISOR, Role.PIT_BOSS})
"""Watch over games; approve where no clause names another."""
GUESTS = frozenset({Role.PARTICIPANT, Role.PUBLIC})
"""Participants and on-lookers; whether others watch a table is revealed to nobody."""
GAME_STAFF = frozenset({Role.DEALER, Role.FLOORPERSON})
"""Run one game and report what goes wrong in it."""
SEAT_TAKERS = GAME_STAFF | {Role.PARTICIPANT}
"""Sit down and get up, or let somebody do so."""
FLOOR_STAFF = SUPERVISORS | {Role.PIT_CLERK}
"""Ask for chips, and watch them counted."""
PIT_STAFF = FLOOR_STAFF | {Role.DEALER}
"""Count a tray; a program may play them in a practice house."""
FLOOR_CALLERS = SUPERVISORS | {Role.DEALER}
"""Call the floor to a table, or answer the call."""
TABLE_STAFF = PIT_STAFF | OBSERVERS
"""See all that is due at a table."""
AT_TABLE = TABLE_STAFF | {Role.PARTICIPANT}
"""See what lies on the felt or is said there."""

# --------------------------------------------------------------------------- in the cage, in pits and in the books

DEALERS = frozenset({Role.DEALER})
CASHIERS = frozenset({Role.CAGE_CASHIER})
PARTICIPANTS = frozenset({Role.PARTICIPANT})
"""Choose for themselves what protects them."""
ADMINISTRATORS = frozenset({Role.ADMINISTRATOR})
HOUSE_MANAGERS = frozenset({Role.ADMINISTRATOR, Role.CASINO_SUPERVISOR})
"""Manage the day, links and devices."""
PIT_MANAGERS = HOUSE_MANAGERS | {Role.PIT_BOSS}
"""File rules for a pit's tables."""
COUNT_TEAM = HOUSE_MANAGERS | {Role.CAGE_CASHIER}
"""Count what lay in a drop box."""
COMPLIMENTARY_BOOKERS = HOUSE_MANAGERS | {Role.PIT_CLERK}
"""Book what a form waived."""
LINK_APPROVERS = SUPERVISORS | {Role.ADMINISTRATOR}
"""Approve that a table joins a link."""
GOODWILL_APPROVERS = frozenset({Role.CAGE_CASHIER, Role.ADMINISTRATOR})
"""Approve what a pit gives away: they work for the house, and not in a pit."""
FORM_SIGNERS = frozenset({Role.PIT_CLERK, Role.PIT_BOSS, Role.CASINO_SUPERVISOR})
"""Read a form as it is printed."""

# --------------------------------- over HTTP: each reads what the one before it reads, and more people do

RECORD_READERS = OBSERVERS | {Role.ADMINISTRATOR}
"""Read journals, refusals, alerts, audits."""
FIGURE_READERS = RECORD_READERS | {Role.CASINO_SUPERVISOR, Role.PIT_BOSS}
"""Read the figures of the whole house."""
OVERSEERS = FIGURE_READERS | {Role.FLOORPERSON}
"""Read what each table has won; reasons and persons on record."""
PAPER_READERS = OVERSEERS | {Role.PIT_CLERK, Role.CAGE_CASHIER}
"""Read pits, notices, forms, the house's own money."""
HOUSE_STAFF = PAPER_READERS | {Role.DEALER}
"""Work for the house, or watch over those who do."""
HOUSE_ACTORS = HOUSE_STAFF - OBSERVERS
"""Submit acts to books, and approve them."""
CAGE_READERS = FIGURE_READERS | {Role.CAGE_CASHIER}
"""Read the cage and its slips."""

# ----------------------------- on pages: each HTML file in `serve/page/` names those who have a link to it in the bar

TRAINEES = GAME_STAFF | GUESTS
"""Practise with drills."""
FLOOR_USERS = PAPER_READERS - OBSERVERS
"""Approve, order and count on the floor page."""
OFFICE_READERS = PIT_MANAGERS | {Role.REGULATOR}
"""Read what is filed, and how pits are set up."""

# -------------------------------------------------------------------------------------------------- coming in

PEOPLE = EVERY_ROLE - {Role.PUBLIC}
"""A person may be given this role, and sign on in it."""
SPECTATORS = OBSERVERS | {Role.PUBLIC}
"""Submit no command at all."""
VISITORS = EVERY_ROLE - {Role.ADMINISTRATOR, Role.PUBLIC}
"""May be taken without signing on, in a practice house."""
ROAMING_VISITORS = OBSERVERS | {Role.PARTICIPANT}
"""Visit every table; other visitors stay at the training tables."""

# ------------------------------------------------------------------------------------------ at the desk, on pages

TASK_ROLES = {
    "manage people": ADMINISTRATORS,
    "manage devices": HOUSE_MANAGERS,
    "end sessions": HOUSE_MANAGERS,
    "read the access log": RECORD_READERS,
}
"""Who does what at the desk, by the name of the task."""

SHOWN_ROLES = {
    "take_seat": frozenset({Role.PARTICIPANT}),
    "seat_button": GUESTS,  # the button in the lobby, which leads nowhere before one comes in
    "deal": DEALERS,  # come on a game, and learn that one is not on it
    "use_console": FLOOR_CALLERS,  # the console of one table: more roles than have a link to the list of tables
    "send_dealer_off": frozenset({Role.FLOORPERSON}),
    "answer_floor_call": SUPERVISORS,
    "go_to_calling_table": frozenset({Role.FLOORPERSON}),
    "see_cage": PIT_MANAGERS | {Role.CAGE_CASHIER},  # fewer roles than CAGE_READERS, to whom GET /api/cage answers
    "print_form": FORM_SIGNERS,
    "floor_notices": EVERY_ROLE - DEALERS,
    "floor_cage": EVERY_ROLE - DEALERS,
    "floor_forms": EVERY_ROLE - DEALERS - CASHIERS,
    "floor_meters": EVERY_ROLE - DEALERS - CASHIERS,
    "floor_day": EVERY_ROLE - GAME_STAFF - CASHIERS - {Role.PIT_CLERK},
    "floor_cage_first": CASHIERS,  # where one begins
    "floor_forms_first": frozenset({Role.PIT_CLERK}),  # before the cage
    "office_submissions": OFFICE_READERS,
    "office_pits": OFFICE_READERS,
    "office_people": ADMINISTRATORS,
    "office_devices": HOUSE_MANAGERS,
    "office_log": frozenset({Role.ADMINISTRATOR, Role.REGULATOR}),
}
"""To whom pages show something, by its name: `can` of GET /api/welcome. It keeps nobody out."""

SHOWN_IN_PERSON = ("office_people", "office_devices", "office_log")
"""Those of them that no visitor of a practice house is shown: only people who sign on do what is done there."""

ROLE_SETS: dict[str, frozenset[Role]] = {
    name.lower(): roles for name, roles in tuple(globals().items()) if isinstance(roles, frozenset)
}
"""Every set above by its name, for the heads of pages, which name the sets in HTML."""


def roles_named(names: Iterable[str]) -> frozenset[Role]:
    """The roles that a list of roles and sets stands for; `KeyError` where a name is neither."""
    known = ROLE_SETS | {role.value: frozenset({role}) for role in Role}
    return frozenset[Role]().union(*(known[name] for name in names))
