"""Audiences: who may see which field of a state and of an event. What is not listed here is shown to nobody.

A participant sees what is his own and what lies on the felt for everybody at the table: wagers, cards that were turned,
calls, payments. The chips, debts and the identity of another person are not his to see. Nobody sees a card before it is
turned, because no state and no event has one. The numbers of events are for the house: from them others could tell how
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
STAFF = Sight(TABLE_STAFF)
FLOOR = Sight(OVERSEERS)
"""What is written down about persons and reasons."""
OFFICE = Sight(PAPER_READERS)
"""The house's own money and papers."""
HOUSE = Sight(HOUSE_STAFF)
"""What everybody sees who works for the house or watches over it."""


class Shown(msgspec.Struct, frozen=True):
    """How something is shown: to whom at all, and the sight of each of its fields."""

    to: Sight
    fields: dict[str, Sight]


def _shown(to: Sight = EVERYBODY, /, **sights: str) -> Shown:
    """An event, by who sees each of its fields: `_shown(everybody="seat", own="chips")`; who sees it sees its cites."""
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
    "staff": STAFF,
    "floor": FLOOR,
    "office": OFFICE,
    "house": HOUSE,
}

STATE_SHOWN: dict[str, Shown] = {
    "TableState": _part(everybody="step rules seats shoe round money meters", table="stopped"),
    "Seats": _part(
        everybody="participants curator shoe_offers must_pass given_up free_hands",
        table="curator_right passed_by last_curator last_cutter",
        staff="dealers",
    ),
    "Participant": _part(own="who chips"),
    "Shoe": _part(
        everybody=(
            "number decks loaded commitment root former_seed in_front next burn burned burn_shown cover_out "
            "last_called is_last finished abandoned taken_away after_void carried disclosed exposing"
        ),
        table="cut_offers cutter recuts cover preshuffled reshuffle done pending burn_left carried_cites "
        "disclosed_cites exposing_cites burn_corrected",
        staff="set_id former_set used_sets shuffled_by seen",
    ),
    "Commitment": _part(everybody="table shoe rulebook decks hash contributions seed lost disproved"),
    "SeedContribution": _part(everybody="seat value"),
    "Round": _part(
        everybody=(
            "number kind why closed cards_called banker_first player banker turned counted stays announced winner void"
        ),
        table=(
            "asked_by wagers spoken holders handed returned offering offered presses pressed house_lines "
            "house_corrected acts returned_due return_cites must_hit_due coupons"
        ),
    ),
    "Wager": _part(TABLE, table="seat on stake press coupon verbal"),
    "Verbal": _part(TABLE, table="cash confirmed_by"),
    "Spoken": _part(TABLE, table="seat on stake verbal"),
    "DecidedCoupon": _part(TABLE, table="seat on face result"),
    "Act": _part(TABLE, table="act seat amount row stake cites"),
    "Money": _part(
        own="payable",
        debt="markers",
        office="bank receivables vigorish_earned complimentary next_form last_form forms void_forms missing_forms",
    ),
    "Meters": _part(
        everybody="amounts link must_hit must_hit_seal must_hit_run",
        office="reserve contributed seeded elsewhere must_hit_flow",
    ),
    "Flow": _part(OFFICE, office="contributed seeded paid elsewhere"),
}
"""The parts of a state, by the names of their types."""

DUE_SHOWN = _part(OWN, own="by act cites seat optional amount position say")
"""The acts that are due: the staff is told all of them, a participant those that he may do."""

EVENT_SHOWN: dict[str, Shown] = {
    "step": _shown(everybody="step"),
    "rules_adopted": _shown(
        everybody="hash ruleset seats new_cards curator_begins meters must_hit",
        office="seeded must_hit_seeded",
        staff="submission",
    ),
    # people
    "sat": _shown(everybody="seat", own="who"),
    "bought_in": _shown(TABLE, table="seat", own="amount"),
    "left": _shown(everybody="seat", own="chips"),
    "vigorish_collected": _shown(TABLE, table="seat", debt="amount"),
    "came_on": _shown(STAFF, staff="who instead_of"),
    "went_off": _shown(STAFF, staff="who"),
    # the cards before the play
    "cards_received": _shown(everybody="decks preshuffled batch_shuffled", staff="set_id"),
    "cards_prepared": _shown(everybody="act by"),
    "cards_shuffled": _shown(everybody="last again steps device cards", staff="by warnings"),
    "cards_laced": _shown(everybody="cards", staff="warnings"),
    "shoe_committed": _shown(everybody="table shoe rulebook decks commitment"),
    "contribution_made": _shown(everybody="seat value"),
    "order_sealed": _shown(everybody="root"),
    "shoe_failed": _shown(everybody="why"),
    "seed_revealed": _shown(everybody="seed sealed"),
    "order_disproved": _shown(everybody="seed sealed derived"),
    "seed_lost": _shown(floor="reason requester approver"),
    "shoe_abandoned": _shown(everybody="taken_away", floor="reason"),
    "cut_answered": _shown(everybody="seat accept"),
    "cut_fell_to_dealer": _shown(),
    "cut_given_up": _shown(everybody="seat"),
    "cards_cut": _shown(everybody="seat in_front"),
    "recut_ordered": _shown(everybody="seat", floor="reason requester approver"),
    "cover_card_placed": _shown(everybody="behind", staff="warnings"),
    "shoe_loaded": _shown(),
    "cards_burned": _shown(everybody="positions left shown"),
    "burned_card_turned": _shown(everybody="position card more"),
    "shoe_closed": _shown(everybody="same_set unused seed"),
    # the shoe and who holds it
    "shoe_answered": _shown(everybody="seat accept dealer_deals"),
    "shoe_fell_to_dealer": _shown(),
    "shoe_passed": _shown(everybody="seat ordered", floor="reason"),
    # wagers
    "wager_placed": _shown(TABLE, table="seat on stake coupon cash"),
    "wager_changed": _shown(TABLE, table="seat on stake before"),
    "wager_withdrawn": _shown(TABLE, table="seat on stake"),
    "wager_spoken": _shown(TABLE, table="seat on stake"),
    "wager_confirmed": _shown(TABLE, table="seat on who"),
    "spoken_wager_off": _shown(TABLE, table="seat on"),
    "free_hand_requested": _shown(everybody="seat"),
    "no_more_bets_called": _shown(everybody="say contributions", office="reserve"),
    "cards_called": _shown(everybody="say"),
    # the deal
    "card_drawn": _shown(everybody="position to carried"),
    "cover_card_out": _shown(),
    "round_voided": _shown(everybody="contributions", table="returned taken_back", office="reserve"),
    "banker_first_granted": _shown(everybody="seat"),
    "cards_handed": _shown(everybody="side seat positions"),
    "cards_returned": _shown(everybody="side seat"),
    "card_turned": _shown(everybody="position card early"),
    "count_announced": _shown(everybody="side count"),
    "hand_stays": _shown(everybody="side count natural against"),
    "turn_relinquished": _shown(everybody="side seat", floor="reason"),
    "turn_answered": _shown(everybody="side seat accept"),
    "turn_fell_to_dealer": _shown(everybody="side", floor="reason"),
    # settlement
    "press_chosen": _shown(TABLE, table="seat onto"),
    "press_undone": _shown(TABLE, table="seat onto"),
    "house_money_collected": _shown(TABLE, table="seat stake"),
    "house_money_paid": _shown(TABLE, table="seat stake win to_wager onto"),
    "result_announced": _shown(
        everybody="outcome player banker calls meters",
        table="acts returned return_cites coupons",
        office="seeded from_reserve",
    ),
    "losers_collected": _shown(TABLE, table="amounts"),
    "vigorish_taken": _shown(TABLE, table="seat amount marked"),
    "paid": _shown(TABLE, table="seat win stake"),
    "awarded": _shown(everybody="seat row amount", table="stake stake_back"),
    "coupon_taken": _shown(TABLE, table="seat on face paid"),
    "coupon_returned": _shown(TABLE, table="seat on face"),
    "wagers_returned": _shown(TABLE, table="amounts"),
    "table_cleared": _shown(everybody="positions must_pass opens"),
    "last_hand_called": _shown(everybody="say"),
    "shoe_finished": _shown(),
    "trigger_sealed": _shown(everybody="seal"),
    "must_hit_ended": _shown(
        everybody="hit seat award meter shows trigger salt not_reached withheld", floor="lost requester approver"
    ),
    # what went wrong
    "error_card_drawn": _shown(everybody="position to card"),
    "card_set_aside": _shown(everybody="position card"),
    "face_up_found": _shown(everybody="position card"),
    "card_carried": _shown(everybody="position"),
    "card_reassigned": _shown(everybody="position to card"),
    "cards_discarded": _shown(everybody="positions to_show"),
    "discard_shown": _shown(everybody="position card"),
    "simulated_round_ordered": _shown(everybody="position card"),
    "round_made_simulated": _shown(everybody="position card contributions", office="reserve"),
    "card_corrected": _shown(
        everybody="position was card burn_left", house="corrects", floor="reason requester approver"
    ),
    "third_card_taken_back": _shown(everybody="position side card"),
    "payment_corrected": _shown(TABLE, table="seat", own="amount", house="corrects", floor="reason requester approver"),
    "shoe_fouled": _shown(everybody="position card why"),
    "meters_shown": _shown(everybody="meters must_hit must_hit_seal must_hit_run won", office="reserve"),
    "link_joined": _shown(everybody="link", floor="requester approver"),
    "meter_corrected": _shown(everybody="meter amount", house="corrects", floor="reason requester approver"),
    # vigorish on paper
    "exception_reported": _shown(TABLE, table="seat", debt="amount", floor="patron reason requester approver"),
    "vigorish_documented": _shown(TABLE, table="seat", debt="form"),
    "forms_received": _shown(OFFICE, office="first last"),
    "form_voided": _shown(OFFICE, office="serial pit_boss pit_clerk copies"),
    "form_missed": _shown(OFFICE, office="serial reason requester approver"),
}
"""Every event, by its tag."""
