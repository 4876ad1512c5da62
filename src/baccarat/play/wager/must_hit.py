"""Must Hit: a meter with a sealed trigger, won at the round's end by a seat drawn by lot."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from baccarat.law.clause import Citation
from baccarat.law.rulebook import Rulebook
from baccarat.play.refusal import Why


class MustHitState(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The meter before the round, the sealed trigger, and the lot that was drawn, all from outside."""

    meter: int
    trigger: int
    lot: int | None = None


class MustHitEnd(msgspec.Struct, frozen=True, kw_only=True):
    """What the round's end found: a hit or none, who won what, where it is shown, the meter after."""

    hit: bool
    seat: int | None
    award: int
    meter: int
    shows: tuple[str, ...]
    cites: tuple[Citation, ...]


def end_round(rules: Rulebook, state: MustHitState, participants: Sequence[int]) -> MustHitEnd:
    """Add the contributions; if the meter has reached its trigger, the lot picks the winner (reading A-30)."""
    law, elected = rules.edition.must_hit, rules.elections.must_hit
    assert law is not None, "only asked where the document has it"
    assert elected is not None, "only asked where the licensee has it"
    meter = state.meter + elected.contribution * len(participants)
    cites = rules.cite(*law.cite)
    if not participants or meter < state.trigger:
        return MustHitEnd(hit=False, seat=None, award=0, meter=meter, shows=(), cites=cites)
    assert state.lot is not None, "a hit needs a lot; `objection` refuses a state without one"
    seat = sorted(participants)[state.lot]
    cites = rules.cite(*law.cite, *law.shows_cite)
    return MustHitEnd(hit=True, seat=seat, award=meter, meter=elected.start, shows=law.shows, cites=cites)


def objection(rules: Rulebook, state: MustHitState, participants: Sequence[int]) -> Why | None:
    """Why this state is impossible; None if it is possible."""
    elected = rules.elections.must_hit
    assert elected is not None, "only asked where the licensee has it"
    start, ceiling = elected.start, elected.ceiling
    if not start <= state.trigger <= ceiling:
        return Why("trigger_outside_the_range", {"trigger": state.trigger, "start": start, "ceiling": ceiling})
    if state.meter < start:
        return Why("meter_below_its_start", {"meter": state.meter, "start": start})
    if state.meter > ceiling:
        return Why("meter_above_its_ceiling", {"meter": state.meter, "ceiling": ceiling})
    hit = bool(participants) and state.meter + elected.contribution * len(participants) >= state.trigger
    if hit and state.lot is None:
        return Why("lot_not_stated")
    if state.lot is not None and participants and not 0 <= state.lot < len(participants):
        return Why("lot_out_of_range", {"lot": state.lot, "last": len(participants) - 1})
    return None
