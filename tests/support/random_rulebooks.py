"""Rulebooks by chance: shipped Submissions with changes that their editions allow."""

from __future__ import annotations

from typing import Any

import msgspec
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from baccarat.law.error import InvalidSubmission
from baccarat.law.rulebook import Rulebook, rulebook, shipped_submissions
from strategies import NEW_JERSEY, dragon_bonus, odds, progressive, some

ANYWHERE: dict[str, Any] = {
    "decks": st.sampled_from([6, 8]),
    "seat_one": st.sampled_from(["dealer_left", "dealer_right"]),
    "tie_odds": odds(9),
    "opposite_bets": st.booleans(),
    "match_play": st.booleans(),
    "verbal_wagers": st.booleans(),
    "recut_by": st.sampled_from(["next_entitled", "last_cutter"]),
    "cover_card_depth": st.integers(14, 40),
    "preshuffled": st.booleans(),
    "reshuffle_after_lace": st.sampled_from(["none", "some", "all"]),
    "vig_collection": st.sampled_from(["at_payout", "deferred"]),
    "vig_rounding": st.booleans(),
    "disclosed_correct_card": st.sampled_from(["stays", "set_aside"]),
}
MASSACHUSETTS: dict[str, Any] = {
    "house_money_portion": st.sampled_from([[1, 1], [1, 2], [2, 3]]),
    "press_over_max": st.booleans(),
    "disclosed_third_card": st.sampled_from(["simulated_round", "discard_two"]),
    "squeeze_eligible": st.sampled_from(["seated", "bettors"]),
    "ez": st.booleans(),
}
FOURTH: dict[str, Any] = {
    "burn_exposure": st.sampled_from(["face_up", "face_down"]),
    "cut_mode": st.sampled_from(["offer_players", "dealer_cuts"]),
    "free_hand": st.booleans(),
    "max_consecutive_free_hands": st.integers(1, 3),
    "last_curator_as_last_cutter": st.booleans(),
}
JERSEY: dict[str, Any] = {
    "settlement_option": st.integers(1, 4),
    "reveal": st.sampled_from(["face_up", "face_down"]),
    "allow_other_side": st.booleans(),
    "disclosed_card_procedure": st.integers(1, 3),
    "ten_value_extra": st.sampled_from([1, 10]),
    "vig_rate": st.sampled_from([4, 5]),
    "bonus_base_required": st.booleans(),
    "nj_disclosed_banker_third": st.sampled_from(["banker_takes_it", "filed_procedure"]),
    "face_up_ten_extra": st.sampled_from([0, 1]),
    "banker_first_on_request": st.booleans(),
    "shuffle_method": st.sampled_from([1, 2]),
}


class Filed(msgspec.Struct, frozen=True):
    """A shipped Submission with changes; shorter to print than the rulebook that it makes."""

    name: str
    changes: dict[str, Any]

    @property
    def rules(self) -> Rulebook:
        """The rulebook."""
        return rulebook(self.name, **self.changes)


@st.composite
def rulebooks(draw: DrawFn) -> Filed:
    """A shipped Submission with any changes that its edition admits; those it does not admit are left out."""
    name = draw(st.sampled_from(shipped_submissions()))
    edition = rulebook(name).edition.name
    options = dict(ANYWHERE)
    if edition == NEW_JERSEY:
        options |= JERSEY
    else:
        options |= MASSACHUSETTS
    if edition == "ma-midi-4":
        options |= FOURTH
    changes: dict[str, Any] = draw(some(options))
    if draw(st.booleans()):
        changes |= draw(dragon_bonus(edition))
    if rulebook(name).elections.royal9 is not None and draw(st.booleans()):
        royal = draw(progressive(edition))
        royal["royal9"].pop("meters")
        changes |= royal
    while True:
        try:
            rulebook(name, **changes)
        except InvalidSubmission as error:
            wrong = {fault.where.split(".")[0].split("[")[0] for fault in error.faults} & set(changes)
            if not wrong:
                wrong = {next(iter(changes))}
            for key in wrong:
                del changes[key]
        else:
            return Filed(name, changes)
