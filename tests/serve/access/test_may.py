"""Who may bring what: every role with every command, compared with a list written by hand from the documentation."""

from __future__ import annotations

import re
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from access_house import NOON, code_of
from baccarat.house.cage_act import CountTray
from baccarat.house.house_book import AddPit
from baccarat.house.inventory import Inventory
from baccarat.house.registry import book_of
from baccarat.house.stream import Stream
from baccarat.play.wager import WagerKind
from baccarat.serve.access.base import HOUR
from baccarat.serve.access.denial import Denial, Denied, make_denial
from baccarat.serve.access.may import RULES, TASKS, Task, why_denied
from baccarat.serve.access.may import _rules as made_rules
from baccarat.serve.access.session import Session
from baccarat.serve.route import person
from baccarat.table.meters import ShowMeters
from baccarat.table.registry import HANDLERS
from baccarat.table.role import Role
from baccarat.table.seating_acts import Leave, Sit
from baccarat.table.step.calling import CallNoMoreBets
from baccarat.table.step.cutting import CutCards
from baccarat.table.step.dealing import DrawCard
from baccarat.table.step.sealing import SealOrder
from baccarat.table.step.wagering import PlaceWager
from paths import ROOT
from who_may import ADMIN, BOOKS, TABLE, D, F, P, S

EXPECTED = {("table T1", name): roles for name, roles in TABLE.items()} | {
    (stream, name): roles for stream, commands in BOOKS.items() for name, roles in commands.items()
}
STREAMS = ("table T1", *BOOKS)
ANA, BOB = "person-" + "a" * 32, "person-" + "b" * 32


def session(role: Role, *, person: str = ANA, table: str = "") -> Session:
    """Somebody who is signed on."""
    return Session(
        id="session-" + "0" * 32, person=person, role=role, table=table, made_at=NOON, seen_at=NOON, acted_at=NOON,
        ends_at=NOON + HOUR,
    )  # fmt: skip


def sits_at(table: str, seat: int) -> str:
    """Ana sits at seat 3 of T1 and at seat 5 of T2, Bob at seat 4 of T1; a seat that cannot be is not asked for."""
    assert seat > 0
    return {("T1", 3): ANA, ("T2", 5): ANA, ("T1", 4): BOB}.get((table, seat), "")


def at_seat(command: Any, seat: int) -> Any:
    """The same command for a seat, where it has one."""
    return replace(command, seat=seat) if "seat" in command.__struct_fields__ else command


def one_of_each() -> dict[str, Any]:
    """A command of each kind; whether it makes sense is not asked here."""
    made: dict[str, Any] = {str(kind.__struct_config__.tag): filled(kind) for kind in HANDLERS}
    for stream in BOOKS:
        book = book_of(Stream(stream))
        assert book is not None
        made |= {str(kind.__struct_config__.tag): filled(kind) for kind in book.handlers}
    return made


def filled(kind: type[Any]) -> Any:
    """A command whose fields without a default hold nothing: only its kind, its seat and its table count here."""
    bare = {field.name: None for field in msgspec.structs.fields(kind) if field.required}
    made = kind(**bare)
    if "table" in bare:
        made = replace(made, table="T1")
    return at_seat(made, 3)


EACH = one_of_each()


def test_the_list_names_every_command_that_there_is() -> None:
    assert {name for _, name in EXPECTED} == set(EACH) == set(RULES)
    assert len(EXPECTED) == len(EACH) == 113


@pytest.mark.parametrize("role", Role, ids=lambda role: role.value)
def test_every_role_with_every_command_in_every_stream(role: Role) -> None:
    wrong = []
    for name, command in EACH.items():
        for stream in STREAMS:
            allowed = role in EXPECTED.get((stream, name), set())
            found = why_denied(session(role), Stream(stream), command, sits_at)
            if (found is None) is not allowed:
                wrong.append((name, stream, found))
            elif found is not None:
                assert found.say.endswith(".")
    assert wrong == []


def test_the_list_agrees_with_the_pages_that_people_read() -> None:
    """By whom a command is done, in docs/table.md and docs/house.md; the two that differ are listed."""
    roles = {role.value: role for role in Role}
    by: dict[str, set[Role]] = {}
    page = (ROOT / "docs" / "table.md").read_text(encoding="utf-8")
    for name, said in re.findall(r"^#### `(\w+)`\n\n.*? By: (.+?)\. Step: ", page, flags=re.MULTILINE):
        by[name] = {role for word, role in roles.items() if re.search(rf"\b{word}\b", said)}
    page = (ROOT / "docs" / "house.md").read_text(encoding="utf-8")
    for name, said in re.findall(r"^\| `(\w+)` \| [^|]+ \| ([^|]+) \| [^|]+ \|$", page, flags=re.MULTILINE):
        if said != "–":
            by[name] = {roles[word] for word in said.split(", ") if word in roles}
    internal = {
        "join_link",
        "adopt_kind",
        "adopt_witnesses",
        "receive_series",
        "make_out_form",
        "drop_original",
        "void_paper",
        "report_missing",
    }
    assert {name: allowed for (_, name), allowed in EXPECTED.items() if name not in internal} == {
        name: found for name, found in by.items() if name not in internal
    }


def test_the_table_of_rules_is_what_the_commands_say() -> None:
    assert made_rules() == RULES
    for stream, name in EXPECTED:
        assert RULES[name].roles == EXPECTED[stream, name]
        assert RULES[name].stream == stream.split()[0]


def test_what_is_denied_says_who_may() -> None:
    wager = EACH["place_wager"]
    assert why_denied(session(D), Stream("table T1"), wager, sits_at) == make_denial(
        Denial.WRONG_ROLE, act="place_wager", allowed="participant", role="dealer"
    )
    found = why_denied(session(P), Stream("table T1"), EACH["confirm_wager"], sits_at)
    assert found is not None
    assert found.say == "“confirm_wager” is for casino supervisor or dealer; you are signed on as participant."
    found = why_denied(session(D), Stream("cage"), wager, sits_at)
    assert found is not None
    assert found.say == "“place_wager” is not an act of “cage”."


@pytest.mark.parametrize("role", [Role.SURVEILLANCE, Role.REGULATOR, Role.PUBLIC], ids=lambda role: role.value)
def test_whoever_watches_never_acts(role: Role) -> None:
    for stream, name in EXPECTED:
        assert code_of(why_denied(session(role), Stream(stream), EACH[name], sits_at)) == "only_watches"


def test_what_the_house_does_by_itself_is_brought_by_nobody() -> None:
    for role in set(Role) - {Role.SURVEILLANCE, Role.REGULATOR, Role.PUBLIC}:
        assert code_of(why_denied(session(role), Stream("table T1"), ShowMeters(), sits_at)) == "internal"
        assert code_of(why_denied(session(role), Stream("table T1"), SealOrder(root="0" * 64), sits_at)) == "internal"


# -------------------------------------------------------------------------------------------------- seats


def test_a_participant_acts_for_the_seat_where_he_sits_and_for_no_other() -> None:
    own = [name for name, roles in TABLE.items() if P in roles and name != "sit"]
    assert len(own) > 10
    for name in own:
        for seat in (-1, 0, 1, 2, 3, 4, 5, 9, 10**6):
            found = why_denied(session(P), Stream("table T1"), at_seat(EACH[name], seat), sits_at)
            assert (found is None) is (seat == 3), (name, seat)
            if found is not None:
                assert code_of(found) == "other_seat"


def test_a_seat_at_one_table_is_none_at_another() -> None:
    wager = PlaceWager(seat=3, on=WagerKind.BANKER, stake=2500)
    assert why_denied(session(P), Stream("table T1"), wager, sits_at) is None
    assert code_of(why_denied(session(P), Stream("table T2"), wager, sits_at)) == "other_seat"
    assert why_denied(session(P), Stream("table T2"), replace(wager, seat=5), sits_at) is None


def test_the_dealers_cut_and_draw_are_not_a_participants() -> None:
    for command in (CutCards(in_front=100), DrawCard()):
        assert code_of(why_denied(session(P), Stream("table T1"), command, sits_at)) == "other_seat"
        assert why_denied(session(D), Stream("table T1"), command, sits_at) is None


def test_everybody_sits_down_himself_and_the_floor_seats_people() -> None:
    assert why_denied(session(P), Stream("table T1"), Sit(seat=7), sits_at) is None
    assert why_denied(session(P), Stream("table T1"), Sit(seat=7, person=ANA), sits_at) is None
    assert code_of(why_denied(session(P), Stream("table T1"), Sit(seat=7, person=BOB), sits_at)) == "other_person"
    assert code_of(why_denied(session(P), Stream("table T1"), Sit(seat=7, person=" "), sits_at)) == "other_person"
    assert why_denied(session(F), Stream("table T1"), Sit(seat=7, person=BOB), sits_at) is None
    assert why_denied(session(F), Stream("table T1"), Leave(seat=4), sits_at) is None


# -------------------------------------------------------------------------------------- consoles, streams


def test_a_console_acts_for_its_own_table_and_for_that_in_the_cage() -> None:
    bound = session(D, table="T1")
    assert why_denied(bound, Stream("table T1"), CallNoMoreBets(), sits_at) is None
    assert code_of(why_denied(bound, Stream("table T2"), CallNoMoreBets(), sits_at)) == "other_table"
    count = CountTray(table="T1", counted=Inventory({5_00: 1}))
    assert why_denied(bound, Stream("cage"), count, sits_at) is None
    assert code_of(why_denied(bound, Stream("cage"), replace(count, table="T2"), sits_at)) == "other_table"
    assert code_of(why_denied(session(ADMIN, table="T1"), Stream("house"), AddPit(name="B"), sits_at)) == "other_table"


@pytest.mark.parametrize(
    "stream",
    ["", " ", "table", "table ", "tables T1", "Table T1", "cage", "cage T1", "house", "pit A", "\0", "x" * 10**6,
     "table\tT1", " table T1", "link T1", "\ud800"],
)  # fmt: skip
def test_an_act_at_a_table_belongs_to_a_table(stream: Stream) -> None:
    found = why_denied(session(D), stream, CallNoMoreBets(), sits_at)
    assert code_of(found) == "wrong_stream"
    assert isinstance(found, Denied)
    assert len(found.say) < 200
    assert found.say.isprintable()


def test_an_act_of_the_cage_belongs_to_the_cage_alone() -> None:
    count = CountTray(table="T1", counted=Inventory({5_00: 1}))
    assert why_denied(session(D), Stream("cage"), count, sits_at) is None
    for stream in ("cage 2", "cage ", "table T1", "house", "forms"):
        assert code_of(why_denied(session(D), Stream(stream), count, sits_at)) == "wrong_stream"


def test_a_command_that_only_borrows_a_name_is_none() -> None:
    class Borrowed(msgspec.Struct, frozen=True, tag_field="do", tag="call_no_more_bets"):
        ROLES = frozenset(Role)

    class Unknown(msgspec.Struct, frozen=True, tag_field="do", tag="rob_the_bank"):
        ROLES = frozenset(Role)

    made: tuple[Any, ...] = (Borrowed(), Unknown())
    for command in made:
        assert code_of(why_denied(session(D), Stream("table T1"), command, sits_at)) == "no_such_command"


def test_no_cell_of_role_command_stream_and_seat_lets_pass_what_nobody_expects() -> None:
    streams, seats = (*STREAMS, "table T2", "pit B", "table", "", "tables T1"), (-1, 0, 3, 4, 5, 8)
    passed = 0
    for role in Role:
        for name, command in EACH.items():
            for stream in streams:
                by = EXPECTED.get((stream.replace("T2", "T1").replace("pit B", "pit A"), name), set())
                for seat in seats if "seat" in command.__struct_fields__ else (0,):
                    found = why_denied(session(role), Stream(stream), at_seat(command, seat), sits_at)
                    own = (
                        name == "sit"
                        or stream == "players"
                        or (seat > 0 and sits_at(stream.partition(" ")[2], seat) == ANA)
                    )
                    expected = role in by and (role is not P or own)
                    assert (found is None) is expected, (role, name, stream, seat)
                    passed += expected
    assert passed == 613


# ----------------------------------------------------------------------------------------- at the desk


def test_who_does_what_at_the_desk() -> None:
    expected = {
        Task.MANAGE_PEOPLE: {ADMIN},
        Task.MANAGE_DEVICES: {ADMIN, S},
        Task.END_SESSIONS: {ADMIN, S},
        Task.READ_ACCESS_LOG: {ADMIN, Role.SURVEILLANCE, Role.REGULATOR},
    }
    assert set(expected) == set(Task) == set(TASKS)
    routes = {
        Task.MANAGE_PEOPLE: (person.MANAGE_PEOPLE, person.READ_PEOPLE),
        Task.MANAGE_DEVICES: (person.DEVICES, person.CHANGE_DEVICES),
        Task.END_SESSIONS: (person.END_SESSIONS,),
        Task.READ_ACCESS_LOG: (person.READ_LOG,),
    }
    assert set(routes) == set(Task)
    for task, allows in routes.items():
        for allow in allows:
            for is_practice in (False, True):
                admitted = {role for role in Role if allow.admits(role, is_practice=is_practice)}
                assert admitted == expected[task]
                assert not any(allow.admits(role, is_practice=is_practice, is_person=False) for role in Role)
