"""Audiences: who may see which field of a state and of an event. What is not listed is shown to nobody.

The parts of a state are listed here; an event says on its card who sees it (`card.py`).

A participant sees what is his own and what lies on the felt for everybody at the table: wagers, cards that were turned,
calls, payments. The chips, debts and the identity of another person are not his to see. Nobody sees a card before it is
turned, because no state and no event has one. The numbers of events are for the house: others could infer from them how
much has happened that they may not see.
"""

from __future__ import annotations

import msgspec

from baccarat.table.role import AT_TABLE, HOUSE_STAFF, OVERSEERS, PAPER_READERS, TABLE_STAFF, Role


class Sight(msgspec.Struct, frozen=True):
    """Who sees something: roles, and, where it is somebody's own, the participant whose it is."""

    roles: frozenset[Role]
    own: bool = False

    def __contains__(self, role: Role) -> bool:
        return role in self.roles or (self.own and role is Role.PARTICIPANT)


EVERYBODY = Sight(frozenset(Role))
NOBODY = Sight(frozenset())
"""Who sees what is on no list."""
TABLE = Sight(AT_TABLE)
"""What lies on the felt or is said there."""
OWN = Sight(TABLE_STAFF, own=True)
"""What belongs to one person: he sees it, and the staff at the table."""
DEBT = Sight(HOUSE_STAFF, own=True)
"""What one person owes: he sees it, the staff, and the offices that collect it."""
TABLE_STAFF_SIGHT = Sight(TABLE_STAFF)
OVERSEER_SIGHT = Sight(OVERSEERS)
"""What is recorded about persons and reasons."""
OFFICE = Sight(PAPER_READERS)
"""The house's own money and papers."""
HOUSE = Sight(HOUSE_STAFF)
"""What everybody who works for the house or oversees it sees."""


class Shown(msgspec.Struct, frozen=True):
    """How something is shown: to whom at all, and the sight of each of its fields."""

    to: Sight
    fields: dict[str, Sight]


def sights(to: Sight = EVERYBODY, /, **sights: str) -> Shown:
    """An event, by who sees each of its fields: `sights(everybody="seat", own="chips")`; all of them see its cites."""
    part = _part(to, **sights)
    return Shown(to, {"cites": to, **part.fields})


def _part(to: Sight = EVERYBODY, /, **sights: str) -> Shown:
    """A part of the state, by who sees each of its fields."""
    found: dict[str, Sight] = {}
    for name, fields in sights.items():
        for field in fields.split():
            assert field not in found, f"{field} is listed twice"
            found[field] = _BY_NAME[name]
    return Shown(to, found)


_BY_NAME = {
    "everybody": EVERYBODY,
    "table": TABLE,
    "own": OWN,
    "debt": DEBT,
    "staff": TABLE_STAFF_SIGHT,
    "floor": OVERSEER_SIGHT,
    "office": OFFICE,
    "house": HOUSE,
}

STATE_SHOWN: dict[str, Shown] = {
    "TableState": _part(
        everybody="step rules seats shoe round money meters cards witnesses reveal_within", table="stopped"
    ),
    "Seats": _part(
        everybody="participants curator shoe_offers must_pass given_up free_hands",
        table="curator_right passed_by last_curator last_cutter",
        staff="dealers relieved",
    ),
    "Participant": _part(own="who chips"),
    "Shoe": _part(
        everybody=(
            "number decks loaded commitment root former_seed in_front next burn burned burn_shown cover_out "
            "last_called is_last finished abandoned taken_away after_void carried disclosed exposing"
        ),
        table="cut_offers cutter recuts cover preshuffled reshuffle done pending burn_left carried_cites "
        "disclosed_cites exposing_cites burn_corrected",
        staff="set_id former_set used_sets inspector shuffled_by seen goodwill given_before",
    ),
    "Commitment": _part(
        everybody=(
            "order origin table shoe rulebook decks hash witnesses contributions inputs shares "
            "seated seed lost disproved overdue"
        )
    ),
    "WitnessPromise": _part(everybody="key promise"),
    "WitnessShare": _part(everybody="key share leaf"),
    "SeedContribution": _part(everybody="seat value"),
    "Round": _part(
        everybody=(
            "number kind why closed cards_called banker_first player banker turned counted stays announced winner void"
        ),
        table=(
            "asked_by wagers spoken holders handed returned offering offered presses pressed house_lines "
            "house_corrected acts returned_due return_cites must_hit_due coupons corrected lying righted"
        ),
        staff="confirmers",
        office="called meters_before withheld untaken raised",
    ),
    "MetersBefore": _part(OFFICE, office="amounts seeded reserve"),
    "Wager": _part(TABLE, table="seat on stake press coupon verbal"),
    "Verbal": _part(TABLE, table="cash confirmed_by"),
    "Spoken": _part(TABLE, table="seat on stake verbal"),
    "DecidedCoupon": _part(TABLE, table="seat on face result"),
    "Act": _part(TABLE, table="act seat amount row stake cites"),
    "Money": _part(
        own="payable",
        debt="markers",
        office="bank receivables vigorish_earned complimentary goodwill next_form last_form forms void_forms "
        "missing_forms",
    ),
    "Meters": _part(
        everybody="amounts link must_hit must_hit_seal must_hit_run",
        office="reserve contributed seeded goodwill elsewhere must_hit_flow",
    ),
    "Flow": _part(OFFICE, office="contributed seeded paid elsewhere"),
}
"""The parts of a state, by the names of their types."""

DUE_SHOWN = _part(OWN, own="by act cites seat optional amount position say")
"""The acts that are due: the staff sees all of them, a participant those that he may do."""
