"""Tables: which there are, and the view of each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from litestar.params import FromPath

from baccarat.law.rulebook import Rulebook, shipped_submissions
from baccarat.law.table_title import TableTitle, title_of_table
from baccarat.money import Cents
from baccarat.picture.road import write_marks
from baccarat.play.book import open_book
from baccarat.play.road import Bead, show_results
from baccarat.play.wager import WagerKind
from baccarat.serve.automation.company import is_company
from baccarat.serve.fanout.table_room import TableRoom
from baccarat.serve.http.problem import not_found, quoted_name
from baccarat.serve.live import HouseServer
from baccarat.serve.route.allow import EVERYBODY, RouteGroup
from baccarat.serve.route.requester import HttpRequest, live_of, session_of
from baccarat.serve.setting import is_for_training
from baccarat.table.base import table_rules
from baccarat.table.explanation import title_of
from baccarat.table.role import GUESTS, Role
from baccarat.table.state import seat_of
from baccarat.table.step.wagering import WAGER
from baccarat.table.table_cards import TableCards
from baccarat.table.view import Viewer, view_moment

routes = RouteGroup("tables")


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """Least and most of a wager, in cents."""

    min: int
    max: int


class TableCard(msgspec.Struct, frozen=True, kw_only=True):
    """A table as the lobby shows it."""

    table: str
    edition: str
    title: str
    heading: TableTitle
    """What people call it: its game, and what its Submission elects."""
    number: int
    """Its number in the house, where it is named after a shipped Submission; 0 where it has a name of its own."""
    seats: int
    free: list[int]
    automated: list[int]
    """The seats of automated participants of a practice house: a program plays there, nobody else."""
    watching: int
    """How many of the public and of the participants watch it, players included; never who of the house does."""
    step: str
    shoe: int
    round: int
    limits: dict[str, Limits]
    """Of every wager that is offered, by its name."""
    stakes: Limits | None
    """From the least to the most of the main wagers: the limits of a table in one line."""
    titles: dict[str, str]
    """The names of those wagers in the edition."""
    side_wagers: list[str]
    """The names of the side wagers, once each."""
    jurisdiction: str
    form: str
    """How Banker wins are paid: `vigorish`, or one of the forms without."""
    form_say: str
    """The same in words."""
    results: str = ""
    """The rounds of this shoe that are over: B, P and T."""
    marks: str = ""
    """The same with pairs and naturals, in the form for the address of a road's picture."""
    open: bool = False
    """Whether wagers are accepted now."""
    free_hand: bool = False
    """Whether a participant may ask for a hand without wagers."""
    match_play: bool = False
    """Whether match play coupons are taken."""
    banker_first: bool = False
    """Whether a participant may ask that the Banker's cards be turned first."""
    press: list[str] = []
    """The wagers that a House Money win may be added to."""
    cut_depth: int = 1
    """The least number of cards before and behind a cut."""
    rules: str = ""
    """The hash of the rulebook."""
    cards: TableCards | None = None
    """What the table is, as stated when it opened: real cards, an electronic shoe, or one that the program deals."""
    when_away: str = ""
    """What happens to a participant who loses the connection."""


AWAY_TEXT = (
    "Wagers on the layout stay. The table waits only briefly for a person who is away; the seat is kept, at a "
    "practice table for some minutes."
)
FORMS = {
    "ez": "EZ: no vigorish; a Banker win with three cards on seven is a push.",
    "six_half": "No vigorish; a Banker win on six pays one to two.",
    "total_card_exempt": "Vigorish of {rate} % on Banker wins, none with a large enough wager on the number of cards.",
    "vigorish": "Vigorish of {rate} % on Banker wins{rounded}{collected}.",
}
"""How Banker wins are paid, in words."""


def form_of(rules: Rulebook) -> tuple[str, str]:
    """How Banker wins are paid: the name of the form, and words for it."""
    elects, coin = rules.elects, title_of_table(rules).coin
    name = "ez" if elects("ez") else elects("no_commission") or "vigorish"
    rounded = f", rounded up to a multiple of {Cents(coin)}" if coin else ""
    collected = ", marked and collected at the end of the shoe" if elects("vig_collection") == "deferred" else ""
    words = FORMS.get(name, f"{name.replace('_', ' ').capitalize()}.")
    return name, words.format(rate=elects("vig_rate"), rounded=rounded, collected=collected)


def _limits(rules: Rulebook, kind: WagerKind) -> Limits | None:
    """The limits of a wager: those that are posted, or the one stake that the document fixes."""
    posted = (rules.elections.limits or {}).get(kind.value)
    if posted is not None:
        return Limits(min=posted.min, max=posted.max)
    stake = rules.edition.wagers[kind.value].law.stake
    return Limits(min=stake.shall, max=stake.shall) if stake is not None else None


def _stakes(main: Sequence[Limits]) -> Limits | None:
    return Limits(min=min(each.min for each in main), max=max(each.max for each in main)) if main else None


def number_of(name: str, tables: Iterable[str]) -> int:
    """The number of a table among those of the house; 0 if the house has given it a name of its own."""
    return list(tables).index(name) + 1 if is_for_training(name) or name in shipped_submissions() else 0


def automated_seats(room: TableRoom) -> list[int]:
    """The seats at which a program plays."""
    taken = enumerate(room.state.seats.participants, start=1)
    return [seat for seat, person in taken if person is not None and is_company(person.who)]


def card_of(name: str, room: TableRoom, tables: Iterable[str], results: Sequence[Bead] = ()) -> TableCard:
    """The card of a table in the lobby; `tables` are those of the house, in the order in which they were opened."""
    rules, state = room.rules, room.state
    taken = state.seats.participants
    limits = {kind.value: limit for kind in open_book(rules).kinds if (limit := _limits(rules, kind)) is not None}
    desk, (form, form_say) = table_rules(rules), form_of(rules)
    titles = {on: title_of(desk, on) for on in limits}
    main = {kind.value for kind in (*desk.book.main.values(), WagerKind.TIE)}
    sides = dict.fromkeys(desk.edition.wagers[on].law.title for on in limits if on not in main)
    return TableCard(
        titles=titles,
        side_wagers=list(sides),
        jurisdiction=rules.edition.jurisdiction,
        form=form,
        form_say=form_say,
        results=show_results(results),
        marks=write_marks(results),
        open=state.step == WAGER and not state.stopped,
        free_hand=bool(rules.elects("free_hand")),
        match_play=bool(rules.elects("match_play")),
        banker_first=bool(rules.elects("banker_first_on_request")),
        press=list(rules.edition.house_money.press) if rules.edition.house_money else [],
        cut_depth=rules.edition.cut.at_least,
        rules=rules.hash,
        cards=None if state.cards is msgspec.UNSET else state.cards,
        when_away=AWAY_TEXT,
        table=name,
        edition=rules.edition.name,
        title=rules.edition.title,
        heading=title_of_table(rules),
        number=number_of(name, tables),
        seats=len(taken),
        free=[seat for seat, held in enumerate(taken, start=1) if held is None],
        automated=automated_seats(room),
        watching=sum(guest.role in GUESTS for guest in room.guests),
        step=state.step,
        shoe=state.shoe.number + 1,
        round=state.round.number,
        limits=limits,
        stakes=_stakes([limits[kind.value] for kind in desk.book.main.values() if kind.value in limits]),
    )


class Tables(msgspec.Struct, frozen=True, kw_only=True):
    """The tables of the house."""

    tables: list[TableCard]


class TableAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A table as you may see it."""

    table: str
    role: Role
    seat: int
    view: Any


def room_of(live: HouseServer, name: str) -> TableRoom:
    """The room of a table; a problem if there is none."""
    room = live.rooms.get(name)
    if room is None:
        raise not_found(f"table {quoted_name(name)}", code="no_such_table")
    return room


async def viewer_of(request: HttpRequest, room: TableRoom) -> Viewer:
    """As whom the requester sees a table now."""
    session = await session_of(request)
    if session is None:
        return Viewer(Role.PUBLIC)
    seat = seat_of(room.state, session.person) if session.role is Role.PARTICIPANT else 0
    return Viewer(session.role, seat)


@routes.get("/api/tables", "The tables of the house", EVERYBODY)
async def tables(request: HttpRequest) -> Tables:
    """Every table, as the lobby shows it."""
    live = live_of(request)
    rooms = dict(sorted(live.rooms.items()))
    found = await live.lobby_roads.results_at(rooms)
    return Tables(tables=[card_of(name, room, live.house.state.tables, found[name]) for name, room in rooms.items()])


@routes.get("/api/tables/{name:str}", "One table", EVERYBODY, 404)
async def table(request: HttpRequest, name: FromPath[str]) -> TableCard:
    """A table, as the lobby shows it."""
    live = live_of(request)
    room = room_of(live, name)
    results = (await live.lobby_roads.results_at({name: room}))[name]
    return card_of(name, room, live.house.state.tables, results)


@routes.get("/api/tables/{name:str}/view", "A table, as you may see it", EVERYBODY, 404)
async def view(request: HttpRequest, name: FromPath[str]) -> TableAnswer:
    """The whole table: what lies on it, and what is due, as far as you may see it."""
    room = room_of(live_of(request), name)
    viewer = await viewer_of(request, room)
    return TableAnswer(table=name, role=viewer.role, seat=viewer.seat, view=view_moment(room.now, viewer))
