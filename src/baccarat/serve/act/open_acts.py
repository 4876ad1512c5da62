"""What somebody may do now: every act of the role in a stream, each with its form, its clauses and who must approve.

The list is made from the commands themselves. Whether an act is open is not guessed: candidate commands are made with
what such an act can say now (each seat, each table, what is owed), and the table or the book is asked for the outcome
of each, with nothing entered. An act without an accepted candidate is not open, and the refusal says why.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice, product
from typing import Any

import msgspec

from baccarat.cards import Card
from baccarat.engine.entries import AnyCommand
from baccarat.house.gaming_day import CloseDay
from baccarat.house.inventory import Inventory
from baccarat.house.state import HouseState
from baccarat.house.stream import Stream, is_pit_stream, is_table_stream, stream_kind, stream_name, table_stream
from baccarat.play.book import open_book
from baccarat.play.hand import Side
from baccarat.play.refusal import RefusalCode
from baccarat.serve.access.base import ONE_SECOND
from baccarat.serve.access.may import NAMED_STREAMS, RULES, CommandRule, name_of, why_denied
from baccarat.serve.access.session import Session
from baccarat.serve.act.draft import DRAFTS
from baccarat.serve.act.form import FieldChoice, FieldShown, form_of
from baccarat.serve.act.preview import ANY_APPROVER, ActPreview, CitedSentence, preview_act, with_names
from baccarat.serve.job.practice_day import state_once_counted
from baccarat.serve.live import HouseServer
from baccarat.serve.setting import Mode
from baccarat.table.base import Due
from baccarat.table.card_correction import CorrectCard
from baccarat.table.machine import expected
from baccarat.table.payment_correction import CorrectPayment
from baccarat.table.role import Role
from baccarat.table.seating_acts import Sit
from baccarat.table.state import DEALER, TableState
from baccarat.table.step.opening import BY_HAND, VERIFY, PrepareCards
from baccarat.table.table_cards import TableCards

SIT_ACT = name_of(Sit)
MOST_TRIED = 150
"""The most candidate commands for one act."""


class OpenAct(msgspec.Struct, frozen=True, kw_only=True):
    """An act of a role in a stream: its form, who else approves it, and whether it would be accepted now."""

    act: str
    name: str
    """Its name on a page: the act itself, or which of the preparations of cards it is."""
    stream: Stream
    group: str
    say: str
    """What the act is, in a sentence."""
    open: bool
    refused: CitedSentence | None
    """Why it is not open."""
    due: bool = False
    """Whether the table waits for it, and for this role."""
    cites: list[str]
    approvers: list[Role]
    """In which capacities another person may approve it; none if one person does it alone."""
    fields: list[FieldShown]
    drafts: list[dict[str, Any]] = []
    """What the form may be filled with at first, if the house knows it."""


def streams_of(state: HouseState) -> list[Stream]:
    """Every stream of a house in which somebody may act."""
    return [*map(table_stream, state.tables), *state.book_streams()]


def open_acts(live: HouseServer, session: Session, stream: Stream) -> list[OpenAct]:
    """The acts that are open to a session in one stream."""
    if is_table_stream(stream) and not session.workplace.reaches(stream_name(stream)):
        return []
    kind = stream_kind(stream)
    return [
        _open_act(live, session, stream, act, rule)
        for act, rule in RULES.items()
        if session.role in rule.roles and rule.stream == (kind if rule.stream in NAMED_STREAMS else stream)
    ]


def _open_act(live: HouseServer, session: Session, stream: Stream, act: str, rule: CommandRule) -> OpenAct:
    drafted = DRAFTS[rule.kind](live, session, stream) if rule.kind in DRAFTS else None
    tried, is_guessed = (
        ([each.tried for each in drafted], False)
        if drafted is not None
        else _candidate_commands(live, session, stream, rule)
    )
    answers = list(_answers(live, session, stream, tried))
    taken = [(command, answer) for command, answer in answers if _is_taken(answer, is_guessed=is_guessed)]
    tried_and_taken = [command for command, _ in taken]
    first = next((answer for _, answer in (taken or answers)), ActPreview())
    seconds = tried[0].seconds(session.role) if tried else rule.kind.SECOND
    is_untried = not tried and drafted is None
    is_open = bool(taken) or is_untried
    name = tried_and_taken[0].act if tried_and_taken and isinstance(tried_and_taken[0], PrepareCards) else act
    is_due = is_open and any(due.act == act and due.by is session.role for due in _must_be_done(live, stream))
    needs_second = first.second is not None or is_guessed or is_untried
    return OpenAct(
        act=act, name=name, due=is_due, stream=stream, group=rule.kind.CARD.group or rule.stream,
        say=_summary(rule.kind), open=is_open, refused=None if taken else first.refused, cites=first.cites,
        approvers=sorted(seconds, key=lambda role: role.value) if needs_second else [],
        fields=_narrow_form(form_of(rule.kind), tried_and_taken, is_drafted=drafted is not None),
        drafts=[with_names(live.house, each.shown) for each in drafted or () if each.tried in tried_and_taken],
    )  # fmt: skip


def _answers(
    live: HouseServer, session: Session, stream: Stream, tried: list[AnyCommand]
) -> Iterator[tuple[AnyCommand, ActPreview]]:  # fmt: skip
    """The outcome of each command; if the details do not matter, of the first alone."""
    for command in tried:
        answer = _preview(live, session, stream, command)
        yield command, answer
        if answer.code in WHATEVER_IT_SAYS:
            return


def _must_be_done(live: HouseServer, stream: Stream) -> Iterator[Due]:
    """The acts that a table waits for."""
    name = stream_name(stream)
    if is_table_stream(stream) and name in live.house.state.tables:
        yield from (due for due in expected_at(live.house.state, name) if not due.optional)


def expected_at(state: HouseState, table: str) -> tuple[Due, ...]:
    """What is due at a table of the house."""
    return expected(state.rules(table), state.tables[table])


def due_name(state: HouseState, table: str, due: Due) -> str:
    """The name of an act that is due on a page: which of the preparations of cards it is, or the act itself."""
    return state.tables[table].step if due.act == name_of(PrepareCards) else due.act


def _summary(kind: type[Any]) -> str:
    return " ".join((kind.__doc__ or "").split())


def _preview(live: HouseServer, session: Session, stream: Stream, command: AnyCommand) -> ActPreview:
    """The outcome of a command: done alone, or else with somebody who may approve it."""
    who, role, now = session.person, session.role, live.desk.now // ONE_SECOND
    kept_out = why_denied(session, stream, command, live.sits_at)
    if kept_out is not None:
        return ActPreview(
            refused=CitedSentence(say=kept_out.say, what=f"denied_{kept_out.code}", params={**kept_out.params})
        )
    nothing = _nothing_to_correct(live.house.state, stream, command)
    if nothing is not None:
        return ActPreview(refused=nothing, code=RefusalCode.WRONG_STEP)
    is_for_program = isinstance(command, CloseDay) and live.setting.mode is Mode.PRACTICE
    state = state_once_counted(live.house) if is_for_program else None
    found = preview_act(live.house, stream, command, who=who, role=role, now=now, state=state)
    if found.refused is None:
        return found
    for second in sorted(command.seconds(role), key=lambda each: each.value):
        together = preview_act(
            live.house, stream, command, who=who, role=role, approver=(ANY_APPROVER, second), now=now
        )
        if together.refused is None:
            return together
        found = together
    return found


def _nothing_to_correct(state: HouseState, stream: Stream, command: AnyCommand) -> CitedSentence | None:
    """Why there is nothing that a correction could correct, whatever is typed."""
    if not isinstance(command, CorrectCard | CorrectPayment):
        return None
    name = stream_name(stream)
    table, edition = state.tables[name], state.rules(name).edition
    if isinstance(command, CorrectCard):
        is_there, keys = bool(table.round.turned or table.shoe.burned), edition.deal.cite
        what, say = "no_card_to_correct", "No card has been keyed in this round, nor in the burn before it."
    else:
        is_there, keys = bool(table.occupied) and _has_paid(state, name), edition.settlement.cite
        what, say = "nothing_paid_to_correct", "Nobody who sits here has been paid anything, or has had anything taken."
    return None if is_there else CitedSentence(say=say, cites=list(edition.cite_text(*keys)), what=what)


def _has_paid(state: HouseState, table: str) -> bool:
    """Whether a round was ever settled at the table, or is being settled."""
    held = state.tables[table]
    return held.round.announced or bool(held.round.house_lines) or (held.shoe.number, held.round.number) > (0, 1)


# ---------------------------------------------------------------------------------- candidate commands


WHATEVER_IT_SAYS = frozenset(
    {RefusalCode.STOPPED, RefusalCode.WRONG_ROLE, RefusalCode.WRONG_STEP, RefusalCode.NOT_OFFERED, RefusalCode.CLOSED}
)
"""Refusals that do not depend on what is typed."""


def _is_taken(answer: ActPreview, *, is_guessed: bool) -> bool:
    """Whether an act would be accepted, or, if its details can only be guessed, might be with other details."""
    return answer.refused is None or (is_guessed and answer.code not in WHATEVER_IT_SAYS)


def _candidate_commands(
    live: HouseServer, session: Session, stream: Stream, rule: CommandRule
) -> tuple[list[AnyCommand], bool]:
    """Commands with what such an act can say now, and whether something in them is only guessed."""
    fields = form_of(rule.kind)
    listed = [list(_values(live.house.state, session, stream, name_of(rule.kind), field)) for field in fields]
    guesses = [
        GUESSED_VALUES.get(field.kind, []) if field.required and not found else []
        for field, found in zip(fields, listed, strict=True)
    ]
    if any(
        field.required and not (found or guess) for field, found, guess in zip(fields, listed, guesses, strict=True)
    ):
        return [], False
    values = [found or guess for found, guess in zip(listed, guesses, strict=True)]
    made = list[AnyCommand]()
    for chosen in islice(product(*(each or [None] for each in values)), MOST_TRIED):
        said = {field.name: value for field, value, found in zip(fields, chosen, values, strict=True) if found}
        made.append(rule.kind(**said))
    return made, any(guesses)


GUESSED_VALUES: dict[str, list[Any]] = {
    "card": [Card.parse("2s")], "position": [0], "number": [0], "micro": [1], "meter": ["…"], "options": [{}],
    "tables": [()],
}  # fmt: skip
"""An example for each kind of field that cannot be listed."""


def _values(state: HouseState, session: Session, stream: Stream, act: str, field: FieldShown) -> Iterable[Any]:
    """The possible values of a field, as far as they can be listed or made up; otherwise nothing."""
    table = state.tables.get(stream_name(stream)) if is_table_stream(stream) else None
    match field.kind:
        case "seat" if table is not None:
            return _seats(table, field, act)
        case "table":
            own = state.pits[stream_name(stream)].tables if is_pit_stream(stream) else state.tables
            return [name for name in own if session.workplace.reaches(name)]
        case "meter" if table is not None:
            return list(table.meters.amounts)
        case "preparation" if table is not None:
            return [table.step if table.step in BY_HAND else VERIFY]
        case "label" if field.required and field.name == "cards":
            return list(TableCards)
        case "remark" | "name" | "label" if field.required:
            return ["…"]
        case "chips":
            return [Inventory({1_00: 1})]
        case "sum" if field.required:
            return [0 if field.name == "counted" else 1_00]
        case "flag" if field.required:
            return [True, False]
        case "hand" if field.required:
            return list(Side)
        case "wager" if table is not None:
            return open_book(state.rules(stream_name(stream))).kinds
    return ()


def _seats(table: TableState, field: FieldShown, act: str) -> list[int]:
    """The seats that an act may name: those that are taken, or, for sitting down, those that are free."""
    taken = [seat for seat, held in enumerate(table.seats.participants, 1) if (held is None) == (act == SIT_ACT)]
    return [*([] if field.required else [DEALER]), *taken] or [1]


LISTED_KINDS = frozenset({"seat", "table", "flag", "hand", "wager", "meter", "preparation"})
"""Kinds of field whose values are all tried: those that were accepted are the choices."""


def _narrow_form(fields: list[FieldShown], taken: list[AnyCommand], *, is_drafted: bool) -> list[FieldShown]:
    """The form with the accepted values in those fields of which every value was tried."""
    if not taken:
        return fields
    made = list[FieldShown]()
    for field in fields:
        if field.kind in LISTED_KINDS and (field.required or is_drafted or field.kind in ("seat", "wager")):
            values = list(dict.fromkeys(_plain_value(getattr(command, field.name)) for command in taken))
            made.append(msgspec.structs.replace(field, choices=[FieldChoice(value, str(value)) for value in values]))
        else:
            made.append(field)
    return made


def _plain_value(value: Any) -> Any:
    return msgspec.to_builtins(value, enc_hook=str)


def is_known_stream(live: HouseServer, stream: Stream) -> bool:
    """Whether a stream is one in which somebody may act."""
    return stream in streams_of(live.house.state)
