"""Drafts: acts of which the house knows the details, filled in as far as possible for the person who signs them.

A draft is shown in the form of its act. It comes with the command by which the house is asked whether such an act would
be accepted now: the same, with somebody in the place of each person who is still to be named.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from baccarat.engine.entries import AnyCommand
from baccarat.house.form import UsedForm
from baccarat.house.gaming_day import BookComplimentary, CloseDay, Complimentary, OpenDay
from baccarat.house.pit import latest
from baccarat.house.stream import Stream, stream_name
from baccarat.serve.access.session import Session
from baccarat.serve.act.preview import ANY_APPROVER
from baccarat.serve.live import HouseServer
from baccarat.table.correctable_event import METERS
from baccarat.table.dealers import ComeOn, GoOff
from baccarat.table.meters import CorrectMeter
from baccarat.table.missing_form import MissForm
from baccarat.table.registration import registers
from baccarat.table.rules_adoption import AdoptRules
from baccarat.table.vigorish_debt import DocumentVigorish
from baccarat.table.vigorish_form import ComplimentaryForm, ReceiveForms, VoidForm

FORMS_IN_A_PAD = 50
PLACEHOLDER = "…"
"""What is still to be typed."""


class ActDraft(msgspec.Struct, frozen=True, kw_only=True):
    """An act to begin with: what its form shows, and the command by which the house is asked about it."""

    tried: AnyCommand
    shown: dict[str, Any]


Draft = Callable[[HouseServer, Session, Stream], list[ActDraft]]
DRAFTS: dict[type[AnyCommand], Draft] = {}
"""How the house fills in each kind of act that it knows the details of."""


def drafts(kind: type[AnyCommand]) -> Callable[[Draft], Draft]:
    """Marks the function that fills in an act."""
    return registers(DRAFTS, kind, f"{kind.__name__} is filled in twice")


def _command_fields(command: Any) -> dict[str, Any]:
    found: dict[str, Any] = msgspec.to_builtins(command, enc_hook=str)
    found.pop("do", None)
    return found


def _drafts_of(commands: Iterable[AnyCommand]) -> list[ActDraft]:
    return [ActDraft(tried=each, shown=_command_fields(each)) for each in commands]


@drafts(AdoptRules)
def _adopt(live: HouseServer, _session: Session, stream: Stream) -> list[ActDraft]:
    """The rules that the pit last filed for the table, if it does not play by them already."""
    state, table = live.house.state, stream_name(stream)
    pit = next(pit for pit in state.pits.values() if table in pit.tables)
    filed = latest(pit, table)
    if filed.filed.hash == state.playing[table].hash:
        return []
    return _drafts_of([AdoptRules(submission=filed.rules.submission)])


@drafts(DocumentVigorish)
def _document(live: HouseServer, session: Session, stream: Stream) -> list[ActDraft]:
    """The next form for each seat that owes vigorish, with the sum and who is known."""
    state = live.house.state.tables[stream_name(stream)]
    money, (dealer, *_) = state.money, (*state.seats.dealers, "")
    found = list[ActDraft]()
    for seat, owed in sorted(money.markers.items()):
        person = state.at(seat)
        if not owed or person is None:
            continue
        form = ComplimentaryForm(
            serial=money.next_form, amount=owed, patron=person.who, dealer=dealer or "dealer", pit_boss=ANY_APPROVER,
            pit_clerk=session.person, patron_signed=True,
        )  # fmt: skip
        shown = _command_fields(DocumentVigorish(seat=seat, form=form))
        shown["form"] |= {"dealer": dealer, "pit_boss": "", "patron_signed": False}
        found.append(ActDraft(tried=DocumentVigorish(seat=seat, form=form), shown=shown))
    return found


@drafts(ReceiveForms)
def _receive(live: HouseServer, _session: Session, _stream: Stream) -> list[ActDraft]:
    """A pad of forms with the numbers after all that the house has received."""
    last = live.house.state.forms.last_received
    return _drafts_of([ReceiveForms(first=last + 1, last=last + FORMS_IN_A_PAD)])


def _next_form(live: HouseServer, stream: Stream) -> int:
    return live.house.state.tables[stream_name(stream)].money.next_form


@drafts(VoidForm)
def _void(live: HouseServer, _session: Session, stream: Stream) -> list[ActDraft]:
    return _drafts_of([VoidForm(serial=_next_form(live, stream))])


@drafts(MissForm)
def _miss(live: HouseServer, _session: Session, stream: Stream) -> list[ActDraft]:
    tried = MissForm(serial=_next_form(live, stream), reason="…")
    return [ActDraft(tried=tried, shown={"serial": tried.serial, "reason": ""})]


@drafts(ComeOn)
def _come_on(_live: HouseServer, _session: Session, _stream: Stream) -> list[ActDraft]:
    """Another dealer comes on; each dealer on the game may be relieved."""
    return [ActDraft(tried=ComeOn(person=ANY_APPROVER), shown={"person": "", "instead_of": ""})]


@drafts(GoOff)
def _go_off(live: HouseServer, _session: Session, stream: Stream) -> list[ActDraft]:
    """Each dealer on the game."""
    dealers = live.house.state.tables[stream_name(stream)].seats.dealers
    return _drafts_of(GoOff(person=each) for each in dealers if each)


@drafts(BookComplimentary)
def _book(live: HouseServer, _session: Session, _stream: Stream) -> list[ActDraft]:
    """Each form of the day that is made out and not booked yet."""
    state, found = live.house.state, list[ActDraft]()
    booked = {each.serial for each in state.day.complimentaries}
    for serial, paper in sorted(state.forms.papers.items()):
        if not isinstance(paper, UsedForm) or serial in booked:
            continue
        form = paper.duplicate
        made = Complimentary(table=paper.table, serial=serial, patron=form.patron, amount=form.amount, code="…")
        shown = _command_fields(BookComplimentary(booked=made))
        shown["booked"]["code"] = ""
        found.append(ActDraft(tried=BookComplimentary(booked=made), shown=shown))
    return found


@drafts(CloseDay)
def _close_day(live: HouseServer, _session: Session, _stream: Stream) -> list[ActDraft]:
    """With the numbers that are blank by the books; the person who closes the day counts them."""
    return _drafts_of([CloseDay(blanks=tuple(sorted(serial for serial, _ in live.house.state.forms.blanks())))])


@drafts(OpenDay)
def _open_day(live: HouseServer, _session: Session, _stream: Stream) -> list[ActDraft]:
    return _drafts_of([OpenDay(name=str(live.house.state.day.number + 1))])


@drafts(CorrectMeter)
def _correct_meter(live: HouseServer, _session: Session, stream: Stream) -> list[ActDraft]:
    """Each meter, as the last event that shows meters has it."""
    recent = live.house.recent(stream)
    shows = (index for index, event in enumerate(reversed(recent.events)) if isinstance(event, METERS))
    last = next(shows, None)
    if last is None:
        return []
    number = recent.first + len(recent.events) - 1 - last
    found = list[ActDraft]()
    for meter in live.house.state.tables[stream_name(stream)].meters.amounts:
        tried = CorrectMeter(corrects=number, meter=meter, amount=1, reason=PLACEHOLDER)
        found.append(ActDraft(tried=tried, shown={"corrects": number, "meter": meter}))
    return found
