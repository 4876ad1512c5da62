"""The steps of a table as data: which there are, in what order they must come, and what makes one necessary.

An edition lists its steps in `[[step]]`; the order of the rows is the order of the table's life. The machine of
the table knows how each of them is done. This module says what the machine relies on, so that a list under which
nothing could be dealt or settled is refused when the edition is loaded. A test ties it to the machine.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec


class StepKind(msgspec.Struct, frozen=True, kw_only=True):
    """What the table relies on for one step, or for one act within a step."""

    after: tuple[str, ...] = ()
    """Steps that come before this one wherever the edition has them."""
    within: tuple[str, ...] = ()
    """For an act that is not a step of its own: the steps of which it may be part."""
    needs: tuple[str, ...] = ()
    """Steps without which this one cannot be done."""
    always: bool = False
    """Whether no shoe can be played without it."""
    usual: bool = False
    """Whether every document so far has it. A shoe can be played without it, so a lost row would go unnoticed: an
    edition whose document has no such step says so in `steps_left_out`."""


PREPARING = ("receive", "inspect", "verify", "spread", "wash", "stack", "shuffle", "lace", "reshuffle")
"""The cards delivered, inspected and mixed: all of it before the cut."""

STEPS: dict[str, StepKind] = {
    "receive": StepKind(always=True),
    "inspect": StepKind(after=("receive",), usual=True),
    "verify": StepKind(after=("receive",), usual=True),
    "spread": StepKind(after=("receive",), usual=True),
    "wash": StepKind(after=("receive", "spread"), needs=("spread",), usual=True),
    "stack": StepKind(after=("receive", "wash"), usual=True),
    "shuffle": StepKind(after=("receive", "inspect", "verify", "spread", "wash", "stack"), always=True),
    "lace": StepKind(after=("shuffle",), usual=True),
    "reshuffle": StepKind(after=("shuffle", "lace"), needs=("lace",)),
    "offer_cut": StepKind(after=PREPARING),
    "cut": StepKind(after=(*PREPARING, "offer_cut"), always=True),
    "recut": StepKind(within=("cut",), always=True),
    "cover_card": StepKind(after=("cut",), always=True),
    "load": StepKind(after=("cover_card",), always=True),
    "burn": StepKind(after=("load",), always=True),
    "expose": StepKind(),
    "close": StepKind(after=("expose",), always=True),
    "pass_shoe": StepKind(after=("burn", "close"), needs=("offer_shoe",)),
    "offer_shoe": StepKind(after=("burn", "close"), needs=("pass_shoe",)),
    "wager": StepKind(after=("expose", "burn", "close", "pass_shoe", "offer_shoe"), always=True),
    "no_more_bets": StepKind(within=("wager",), always=True),
    "call_cards": StepKind(after=("wager",)),
    "deal": StepKind(after=("wager", "call_cards"), always=True),
    "cover_card_out": StepKind(within=("deal",), always=True),
    "turn_banker_first": StepKind(after=("deal",)),
    "turn_player": StepKind(after=("deal", "turn_banker_first"), always=True),
    "turn_banker": StepKind(after=("deal", "turn_banker_first"), always=True),
    "relinquish": StepKind(within=("turn_player", "turn_banker"), always=True),
    "house_money": StepKind(after=("turn_player", "turn_banker")),
    "third_cards": StepKind(after=("turn_player", "turn_banker", "house_money"), always=True),
    "player_third": StepKind(within=("third_cards",), always=True),
    "banker_third": StepKind(within=("third_cards",), always=True),
    "announce": StepKind(after=("third_cards", "house_money"), always=True),
    "settle": StepKind(after=("announce",), always=True),
    "must_hit": StepKind(after=("settle",)),
    "clear": StepKind(after=("settle", "must_hit"), always=True),
    "last_hand": StepKind(within=("clear",), always=True),
}
LAST_STEP = "clear"
"""The step that ends a round; a step after it would never be reached."""

WITH_OPTION: dict[str, tuple[str, Mapping[str, Any]]] = {
    "reshuffle": ("reshuffle_after_lace", {"reshuffle_after_lace": ("some", "all")}),
    "offer_cut": ("cut_mode", {"cut_mode": ("offer_players",)}),
    "turn_banker_first": ("banker_first_on_request", {"banker_first_on_request": (True,)}),
    "must_hit": ("must_hit", {"must_hit": (True,)}),
}
"""Steps that an option makes necessary: the option, and the elections under which the step exists."""

WITH_SECTION = {"pass_shoe": "curator", "offer_shoe": "curator"}
"""Steps that go together with a section: an edition has both, or neither."""

EXPOSE, HOUSE_MONEY, CALL_CARDS, OFFER_CUT = "expose", "house_money", "call_cards", "offer_cut"
"""Steps that depend on what sections say: a remedy that shows discards, an early wager, a call, an offered cut."""
