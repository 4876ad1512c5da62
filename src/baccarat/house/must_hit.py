"""Must Hit that tables share: a sealed trigger, opened only when the meter has reached it (reading A-30)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
from msgspec.structs import replace

from baccarat.house.reason import Reason, refuse
from baccarat.law.clause import Citation
from baccarat.law.rulebook import Rulebook
from baccarat.law.submission import MustHit
from baccarat.money import MICRO
from baccarat.play.refusal import Refused
from baccarat.play.wager.must_hit import MustHitState, end_round, objection
from baccarat.table.source import Opened
from baccarat.table.step.must_hit import seal_of


class SharedMustHit(msgspec.Struct, frozen=True, kw_only=True):
    """The Must Hit meter of some tables with the seal of its trigger, and what came in and went out, in micro-cents."""

    tables: tuple[str, ...]
    terms: MustHit
    meter: int
    seal: str
    compared: int = -1
    """What the meter showed when it was last compared with its trigger, in cents."""
    next_terms: MustHit | None = None
    jackpot: int = 1
    contributed: int = 0
    seeded: int = 0
    paid: int = 0

    @property
    def is_conserved(self) -> bool:
        """Whether contributions and seeds are what was paid and is shown (M8)."""
        return self.contributed + self.seeded == self.paid + self.meter


class MustHitRound(msgspec.Struct, frozen=True, kw_only=True):
    """The end of one table's round for the Must Hit: who won what, in cents, and the meter after it."""

    shared: SharedMustHit
    hit: bool
    seat: int = 0
    award: int = 0
    shows: tuple[str, ...] = ()
    withheld: bool = False
    """Whether an earlier round had reached the trigger already and was ended without opening it."""
    cites: tuple[Citation, ...] = ()


def _cite(rules: Rulebook) -> tuple[str, ...]:
    law = rules.edition.must_hit
    return law.cite if law is not None else rules.edition.void.cite


def _is_seal(text: str) -> bool:
    return len(text) == 64 and set(text) <= set("0123456789abcdef")


def share(tables: Mapping[str, Rulebook], *, seal: str) -> SharedMustHit | Refused:
    """The Must Hit of tables that have it on the same terms, its first trigger sealed."""
    assert tables, "a link joins tables"
    first, *others = tables.values()
    terms = first.elections.must_hit
    if terms is None:
        return refuse(first, Reason.NOT_OFFERED, "no Must Hit is installed at this table", *_cite(first))
    if any(rules.elections.must_hit != terms for rules in others):
        return refuse(first, Reason.OTHER_TERMS, "linked tables have the same range and contribution", *_cite(first))
    if not _is_seal(seal):
        return refuse(first, Reason.WRONG_SEAL, "a seal is 64 hexadecimal digits", *_cite(first))
    start = terms.start * MICRO
    return SharedMustHit(tables=tuple(tables), terms=terms, meter=start, seal=seal, seeded=start)


def end_shared_round(
    rules: Rulebook,
    shared: SharedMustHit,
    *,
    table: str,
    participants: Sequence[int],
    opened: Opened | None = None,
    next_seal: str = "",
) -> MustHitRound | Refused:
    """End a round at one of the tables: without an opened trigger it is no hit; with one it must be."""
    refused = _objection(rules, shared, table, participants)
    if refused is not None:
        return refused
    if not participants:
        law = rules.edition.must_hit
        return MustHitRound(shared=shared, hit=False, cites=rules.cite(*law.cite) if law else ())
    trigger = shared.terms.ceiling if opened is None else opened.trigger
    known = MustHitState(meter=shared.meter // MICRO, trigger=trigger, lot=0 if opened is None else opened.lot)
    say = objection(rules, known, participants)
    if say is not None:
        return refuse(rules, Reason.WRONG_SEAL, say, *_cite(rules))
    end = end_round(rules, known, participants)
    say = _contradiction(shared, opened, hit=end.hit)
    if say is not None:
        return refuse(rules, Reason.WRONG_SEAL, say, *_cite(rules))
    added = shared.terms.contribution * len(participants) * MICRO
    fed = replace(shared, meter=shared.meter + added, contributed=shared.contributed + added)
    if opened is None:
        return MustHitRound(shared=replace(fed, compared=fed.meter // MICRO), hit=False, cites=end.cites)
    if not _is_seal(next_seal):
        return refuse(rules, Reason.WRONG_SEAL, "the next trigger is sealed as this one is opened", *_cite(rules))
    return MustHitRound(
        shared=_begun_again(fed, seal=next_seal),
        hit=True,
        seat=end.seat or 0,
        award=end.award,
        shows=end.shows,
        withheld=opened.trigger <= shared.compared,
        cites=end.cites,
    )


def _objection(rules: Rulebook, shared: SharedMustHit, table: str, participants: Sequence[int]) -> Refused | None:
    if table not in shared.tables:
        return refuse(rules, Reason.NO_SUCH_TABLE, f"{table} does not share this meter", *_cite(rules))
    if rules.elections.must_hit != shared.terms:
        return refuse(rules, Reason.OTHER_TERMS, "a running jackpot keeps the terms it began with", *_cite(rules))
    if len(set(participants)) != len(participants):
        return refuse(rules, Reason.TWICE, "a seat takes part once", *_cite(rules))
    return None


def _contradiction(shared: SharedMustHit, opened: Opened | None, *, hit: bool) -> str | None:
    """What does not agree with the seal or the meter."""
    if opened is None:
        return "the meter has reached its ceiling: the trigger is opened" if hit else None
    if seal_of(opened.trigger, opened.salt) != shared.seal:
        return "the trigger is not the one that was sealed"
    return None if hit else "the meter has not reached its trigger, which stays sealed"


def _begun_again(shared: SharedMustHit, *, seal: str) -> SharedMustHit:
    """The meter paid out, and seeded by the house on the terms of the next jackpot."""
    terms = shared.next_terms or shared.terms
    start, award = terms.start * MICRO, shared.meter // MICRO * MICRO
    return replace(
        shared,
        terms=terms,
        next_terms=None,
        meter=shared.meter - award + start,
        seal=seal,
        compared=-1,
        jackpot=shared.jackpot + 1,
        seeded=shared.seeded + start,
        paid=shared.paid + award,
    )


def change_terms(shared: SharedMustHit, terms: MustHit) -> SharedMustHit:
    """Other terms for the next jackpot; the running one keeps its own (M8)."""
    return replace(shared, next_terms=terms)
