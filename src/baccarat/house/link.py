"""Linked tables: the meters that they share, what each table is to be shown, and how entries change them.

What a round adds is on its own table's meters when betting closes, and on the link's when the round has its result:
so a void round takes nothing out of a meter that other tables have been shown, and a meter falls only by an award
(M7, M8). `link_entry.py` says which entries follow from what happens at a table.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec
from msgspec.structs import replace

from baccarat.house.book import Aggregate, BookOutcome, Context, house_cite
from baccarat.house.link_event import (
    ContributionsReturned,
    ContributionsStand,
    LinkEvent,
    LinkShown,
    MeterRaised,
    MeterWon,
    MustHitFed,
    MustHitWon,
    SetNextTerms,
    TermsChanged,
    TriggerShared,
    WagersAdded,
)
from baccarat.house.progressive import Hit, Link, add, award, change_terms, link, raise_meter, record_hit
from baccarat.house.shared_must_hit import SharedMustHit, after_contribution, after_win, share_must_hit, with_seal
from baccarat.law.rulebook import Rulebook
from baccarat.money import MICRO, Cents
from baccarat.play.refusal import Refused
from baccarat.table.meters import MUST_HIT, ShowMeters
from baccarat.table.state import TableState


class MeterContribution(msgspec.Struct, frozen=True, kw_only=True):
    """What the wagers of a table's round in play add, in micro-cents."""

    seq: int
    amounts: dict[str, int]
    reserve: int

    @property
    def total(self) -> int:
        """All of it."""
        return sum(self.amounts.values()) + self.reserve


class LinkState(msgspec.Struct, frozen=True, kw_only=True):
    """The shared meters, which wins each table has not been shown yet, and what has been entered."""

    royal9: Link
    must_hit: SharedMustHit | None = None
    unheard: dict[str, tuple[str, ...]] = {}
    open: dict[str, MeterContribution] = {}
    """What the rounds in play add: already on their tables' meters, on the link's once they have their results."""
    entered: dict[str, int] = {}
    """The number of the last event of each table that was entered: none is entered twice."""
    seq: int = 0
    """How many entries there are: their order decides which hit came first."""

    @property
    def is_conserved(self) -> bool:
        """M8, to the micro-cent, for all shared meters."""
        return self.royal9.is_conserved and (self.must_hit is None or self.must_hit.is_conserved)


def join(tables: Mapping[str, Rulebook]) -> LinkState | Refused:
    """Tables that play the same progressive on the same terms, its meters at their seeds."""
    if isinstance(royal9 := link(tables), Refused):
        return royal9
    if isinstance(must_hit := share_must_hit(tables), Refused):
        return must_hit
    return LinkState(royal9=royal9, must_hit=must_hit)


def display_command(linked: LinkState, table: str, state: TableState) -> ShowMeters | None:
    """What a table is to be shown now; None if it already shows it.

    A table is shown the link before it closes the wagering, before its result, and before it ends the round
    for the Must Hit, so that every award is measured on what all tables have put in.
    """
    command, meters = link_display(linked, table), state.meters
    shown = (meters.amounts, meters.reserve, meters.must_hit, meters.must_hit_seal, meters.must_hit_run)
    figures = (command.meters, command.reserve, command.must_hit, command.must_hit_seal, command.must_hit_run)
    return None if shown == figures and not command.won else command


def link_display(linked: LinkState, table: str) -> ShowMeters:
    """What the link shows at a table: its meters and the reserve with what that table's round in play adds, and the
    Must Hit."""
    royal9, own, shared = linked.royal9, linked.open.get(table), linked.must_hit
    added = own.amounts if own is not None else {}
    return ShowMeters(
        meters={name: meter.displayed + added.get(name, 0) for name, meter in royal9.meters.items()},
        reserve=royal9.reserve + (own.reserve if own is not None else 0),
        must_hit=shared.meter if shared else 0,
        must_hit_seal=shared.seal if shared else "",
        must_hit_run=shared.jackpot - 1 if shared else 0,
        won=linked.unheard.get(table, ()),
    )


# ------------------------------------------------------------------------------------------- decisions


def set_next_terms(context: Context, state: LinkState, command: SetNextTerms) -> BookOutcome:
    """By two persons, for a meter that is shared."""
    if isinstance(checked := change_terms(state.royal9, meter=command.meter, terms=command.terms), Refused):
        return checked
    cites = house_cite("two-persons", "next-jackpot")
    return [TermsChanged(meter=command.meter, terms=command.terms, cites=cites, **context.two_persons)]


# ------------------------------------------------------------------------------------------- evolution


def _with_entry(state: LinkState, event: LinkEvent) -> LinkState:
    return replace(state, entered={**state.entered, event.table: event.seq}, seq=state.seq + 1)


def evolve_added(state: LinkState, event: WagersAdded) -> LinkState:
    """The table's meters have grown; the link's will with the result."""
    held = MeterContribution(seq=event.seq, amounts=event.contributions, reserve=event.reserve)
    return replace(_with_entry(state, event), open={**state.open, event.table: held})


def evolve_stand(state: LinkState, event: ContributionsStand) -> LinkState:
    """The link's meters have grown."""
    held = state.open[event.table]
    royal9 = add(state.royal9, held.amounts, held.reserve)
    return replace(_with_entry(state, event), royal9=royal9, open=_without_table(state, event.table))


def evolve_returned(state: LinkState, event: ContributionsReturned) -> LinkState:
    """The meters as before the round."""
    return replace(_with_entry(state, event), open=_without_table(state, event.table))


def _without_table(state: LinkState, table: str) -> dict[str, MeterContribution]:
    return {name: held for name, held in state.open.items() if name != table}


Names = dict[str, tuple[str, ...]]


def _to_others(state: LinkState, heard: Names, table: str, name: str) -> Names:
    """What is still to be shown, with a meter's name added for every table of the link but one."""
    others = (other for other in state.royal9.tables if other != table)
    return {**heard, **{other: _with_name(heard.get(other, ()), name) for other in others}}


def _with_name(names: tuple[str, ...], name: str) -> tuple[str, ...]:
    return names if name in names else (*names, name)


def after_award(royal9: Link, event: MeterWon, *, at: int) -> Link | None:
    """The meters after an award; None if the shares are not what the meter shows."""
    for seat in sorted(event.shares):
        hit = Hit(table=event.table, seat=seat, at=at, percent=event.percent)
        marked = record_hit(royal9, meter=event.meter, hit=hit)
        assert isinstance(marked, Link), marked
        royal9 = marked
    made = award(royal9, meter=event.meter)
    assert not isinstance(made, Refused), made
    return made.link if {hit.seat: amount for hit, amount in made.shares} == event.shares else None


def evolve_won(state: LinkState, event: MeterWon) -> LinkState:
    """The meter begins again, or is less by its part; the other tables are to be shown it, and this one new terms."""
    royal9 = after_award(state.royal9, event, at=state.seq)
    assert royal9 is not None, "the shares are what the meter showed"
    unheard = _to_others(state, state.unheard, event.table, event.meter)
    if event.to_be_shown:
        unheard[event.table] = _with_name(unheard.get(event.table, ()), event.meter)
    return replace(_with_entry(state, event), royal9=royal9, unheard=unheard)


def evolve_raised(state: LinkState, event: MeterRaised) -> LinkState:
    """The house's money."""
    royal9 = raise_meter(state.royal9, meter=event.meter, amount=event.amount)
    return replace(_with_entry(state, event), royal9=royal9)


def evolve_trigger(state: LinkState, event: TriggerShared) -> LinkState:
    """The seal stands until the hit."""
    assert state.must_hit is not None
    return replace(_with_entry(state, event), must_hit=with_seal(state.must_hit, event.seal))


def evolve_fed(state: LinkState, event: MustHitFed) -> LinkState:
    """The Must Hit has grown."""
    assert state.must_hit is not None
    return replace(_with_entry(state, event), must_hit=after_contribution(state.must_hit, event.amount))


def evolve_must_hit_won(state: LinkState, event: MustHitWon) -> LinkState:
    """The Must Hit begins again."""
    assert state.must_hit is not None
    unheard = _to_others(state, state.unheard, event.table, MUST_HIT)
    return replace(_with_entry(state, event), must_hit=after_win(state.must_hit, event.amount), unheard=unheard)


def evolve_shown(state: LinkState, event: LinkShown) -> LinkState:
    """The table has been shown everything."""
    unheard = {name: meters for name, meters in state.unheard.items() if name != event.table}
    return replace(_with_entry(state, event), unheard=unheard)


def evolve_terms(state: LinkState, event: TermsChanged) -> LinkState:
    """They wait for the next jackpot."""
    royal9 = change_terms(state.royal9, meter=event.meter, terms=event.terms)
    assert isinstance(royal9, Link)
    return replace(state, royal9=royal9, seq=state.seq + 1)


# ---------------------------------------------------------------------------------------------- telling


def _seats(seats: Iterable[int]) -> str:
    return ", ".join(f"seat {seat}" for seat in seats)


def _meters(amounts: Mapping[str, int]) -> str:
    return ", ".join(f"{_exact(amount)} to {name.replace('_', ' ')}" for name, amount in amounts.items())


def _exact(micro: int) -> str:
    cents, rest = divmod(micro, MICRO)
    return str(Cents(cents)) + (f" and {rest} micro-cents" if rest else "")


def _shares(shares: Mapping[int, int]) -> str:
    return ", ".join(f"seat {seat} {Cents(amount)}" for seat, amount in sorted(shares.items()))


LINK = Aggregate(
    "link",
    LinkState,
    handlers={SetNextTerms: set_next_terms},
    evolvers={
        WagersAdded: evolve_added,
        ContributionsStand: evolve_stand,
        ContributionsReturned: evolve_returned,
        MeterWon: evolve_won,
        MeterRaised: evolve_raised,
        TriggerShared: evolve_trigger,
        MustHitFed: evolve_fed,
        MustHitWon: evolve_must_hit_won,
        LinkShown: evolve_shown,
        TermsChanged: evolve_terms,
    },
    tellers={
        WagersAdded: lambda x: (
            f"{_seats(x.seats).capitalize()} of {x.table} feed the link: {_meters(x.contributions)}"
            + (f", {_exact(x.reserve)} to the reserve." if x.reserve else ".")
        ),
        ContributionsStand: lambda x: f"The round of {x.table} has its result: what its event {x.of} added stands.",
        ContributionsReturned: lambda x: f"The round of {x.table} is void: what its event {x.of} added comes out.",
        MeterWon: lambda x: (
            f"{x.table} wins {'all' if x.percent == 100 else f'{x.percent} percent'} of {x.meter.replace('_', ' ')}: "
            f"{_shares(x.shares)}."
        ),
        MeterRaised: lambda x: f"{_exact(x.amount)} more in {x.meter.replace('_', ' ')}, corrected at {x.table}.",
        TriggerShared: lambda x: f"{x.table} seals the Must Hit's trigger under {x.seal[:16]}….",
        MustHitFed: lambda x: f"{_seats(x.seats).capitalize()} of {x.table} add {Cents(x.amount)} to the Must Hit.",
        MustHitWon: lambda x: f"Seat {x.seat} of {x.table} wins the Must Hit of {Cents(x.award)}.",
        LinkShown: lambda x: f"{x.table} shows the link's meters.",
        TermsChanged: lambda x: (
            f"The next jackpot of {x.meter.replace('_', ' ')} begins at {_exact(x.terms.seed)} and takes "
            f"{_exact(x.terms.contribution)} a wager ({x.persons_text})."
        ),
    },
)
