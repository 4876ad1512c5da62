"""A moment of a table in words: what is said, why, by which clauses; and the cards that a person holds face down."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

import msgspec
from litestar.params import FromPath, QueryParameter
from msgspec.structs import asdict, replace

from baccarat.law.cached_value import cached_per_argument
from baccarat.law.clause import Citation, Clause
from baccarat.law.edition import Edition, load_edition
from baccarat.law.error import RulesError
from baccarat.law.reading import readings
from baccarat.serve.fanout.table_room import TableRoom
from baccarat.serve.fanout.witness_waits import WitnessWait
from baccarat.serve.route.allow import EVERYBODY, SIGNED_ON, RouteGroup
from baccarat.serve.route.requester import HttpRequest, live_of, require_served_here, require_session
from baccarat.serve.route.table import room_of, viewer_of
from baccarat.table.audience import TABLE
from baccarat.table.base import table_rules
from baccarat.table.explanation import Explained, explain
from baccarat.table.role import Role
from baccarat.table.state import TableState, seat_of
from baccarat.table.step.revealing import is_stopped_by_seed
from baccarat.table.step.turning_right import held_positions
from baccarat.table.table_cards import TableCards

routes = RouteGroup("tables")

MOST_CITES = 200
Cites = Annotated[
    list[str] | None,
    QueryParameter(name="cite", description="citations, such as ma-midi-4 §7(d)", max_items=MOST_CITES),
]


class ClauseText(msgspec.Struct, frozen=True, kw_only=True):
    """A clause in our words, with the numbers of the readings that interpret it."""

    say: list[str]
    readings: dict[str, str] = {}


class StateReference(msgspec.Struct, frozen=True, kw_only=True):
    """The state of the table when it was said, so that words are not shown with the state of another moment."""

    step: str
    shoe: int
    round: int
    kind: str
    closed: bool
    """Whether no more wagers are accepted in this round."""
    stopped: bool
    """Whether the table has stopped, for those who see the felt."""


class SpokenMoment(Explained, frozen=True, kw_only=True):
    """What is said at a table now, and the words of every clause that it names."""

    table: str
    at: StateReference
    clauses: dict[str, ClauseText]
    witness_wait: WitnessWait | None = None
    """The witnesses for which the shoe waits, if it does."""


class ClauseTexts(msgspec.Struct, frozen=True, kw_only=True):
    """Clauses in our words, by their citations; unknown ones are left out."""

    clauses: dict[str, ClauseText]


class HeldCard(msgspec.Struct, frozen=True, kw_only=True):
    """A card that lies face down before you."""

    position: int
    card: str


class HeldCards(msgspec.Struct, frozen=True, kw_only=True):
    """The cards that you hold, to be looked at before they are turned; none at a table with real cards."""

    table: str
    cards: list[HeldCard]


@routes.get("/api/tables/{name:str}/moment", "What is said at a table now, and why", EVERYBODY, 404)
async def moment(request: HttpRequest, name: FromPath[str]) -> SpokenMoment:
    """The dealer's last words, what happens now, the question of the moment and the clauses that answer it."""
    live = live_of(request)
    room, wait = room_of(live, name), live.witness_waits.at(name)
    viewer = await viewer_of(request, room)
    at_table = viewer.role in TABLE.roles
    found = explain_moment(room, wait, at_table=at_table)
    return spoken_moment(room, found, viewer.seat, wait, at_table=at_table)


def explain_moment(room: TableRoom, wait: WitnessWait | None, *, at_table: bool) -> Explained:
    """The moment of a table in words, without the clauses; a shoe that waits for a witness says so."""
    found = explain(room.rules, room.state, room.now.due, at_table=at_table)
    if wait is None or room.state.stopped:
        return found
    return replace(found, then=wait.words, rulings=(wait.words,) if found.topic == "now" else found.rulings)


def spoken_moment(
    room: TableRoom, found: Explained, seat: int, wait: WitnessWait | None, *, at_table: bool
) -> SpokenMoment:
    """A moment with the words of its clauses, for somebody at a seat or, with 0, for all others."""
    cites = [*found.call.cites, *found.then.cites, *(cite for each in found.rulings for cite in each.cites)]
    cites += cites_of_lines(found, seat)
    at = state_reference(room.state, at_table=at_table)
    texts = texts_of(cites, [room.rules.edition])
    return SpokenMoment(table=room.table, at=at, clauses=texts, witness_wait=wait, **asdict(found))


def cites_of_lines(found: Explained, seat: int) -> tuple[str, ...]:
    """The clauses by which the wagers at a seat are settled, which are shown to that seat."""
    return tuple(cite for line in found.lines for cite in line.cites if line.seat == seat)


def state_reference(state: TableState, *, at_table: bool) -> StateReference:
    """The state of a table, in short."""
    return StateReference(
        step=state.step,
        shoe=state.shoe.number,
        round=state.round.number,
        kind=state.round.kind.value,
        closed=state.round.closed and not state.round.void,
        stopped=bool(state.stopped) and (at_table or is_stopped_by_seed(state)),
    )


@routes.get("/api/clauses", "Clauses in our words", EVERYBODY, tag="rules")
async def clauses(cites: Cites = None) -> ClauseTexts:
    """What each of these clauses says, in our words, and how it is read if it is ambiguous."""
    return ClauseTexts(clauses=texts_of(cites or ()))


def texts_of(cites: Iterable[str], known_editions: Iterable[Edition] = ()) -> dict[str, ClauseText]:
    """The words of clauses by their citations; a table may play by an edition that does not come with the program."""
    editions, found = {each.name: each for each in known_editions}, dict[str, ClauseText]()
    for text in dict.fromkeys(cites):
        try:
            cite = Citation.parse(text)
            edition = editions.get(cite.edition) or load_edition(cite.edition)
        except (ValueError, RulesError):
            continue
        said = _paragraph(edition, cite.paragraph)
        if said:
            numbers = dict.fromkeys(number for clause in said for number in clause.readings)
            found[text] = ClauseText(
                say=[clause.requirement for clause in said],
                readings={number: readings()[number].reading for number in numbers if number in readings()},
            )
    return found


@cached_per_argument
def _paragraph(edition: Edition, paragraph: str) -> list[Clause]:
    return [clause for clause in edition.clauses.values() if clause.paragraph == paragraph]


@routes.get("/api/tables/{name:str}/held", "The cards that you hold, face down", SIGNED_ON, 404, 421)
async def held(request: HttpRequest, name: FromPath[str]) -> HeldCards:
    """A participant who was handed the cards of an electronic shoe to turn may look at them; nobody else may."""
    live, session = live_of(request), await require_session(request)
    room = room_of(live, name)
    require_served_here(request, name)
    source, seat = live.table_jobs.cards.get(name), seat_of(room.state, session.person)
    is_real = live.cards_at(name) is TableCards.REAL  # only the people there know what they hold
    if source is None or is_real or session.role is not Role.PARTICIPANT or not seat:
        return HeldCards(table=name, cards=[])
    now, desk = live.house.state.tables[name], table_rules(room.rules)
    shown = held_positions(desk, room.state, seat)  # as it is on disk; the right may just have been taken away
    still = held_positions(desk, now, seat) if seat_of(now, session.person) == seat else ()
    cards = [
        HeldCard(position=position, card=str(source.card(now, position)[0])) for position in shown if position in still
    ]
    return HeldCards(table=name, cards=cards)
