"""Sections of an edition as frozen values: what the TOML of a document may say, and nothing else."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

Word = Annotated[str, msgspec.Meta(min_length=1)]
Positive = Annotated[int, msgspec.Meta(ge=1)]
NotNegative = Annotated[int, msgspec.Meta(ge=0)]
Cite = Annotated[tuple[Word, ...], msgspec.Meta(min_length=1)]
WordList = Annotated[tuple[Word, ...], msgspec.Meta(min_length=1)]
Scalar = bool | int | str
Conditions = dict[str, Scalar | list[Scalar]]
ByOption = Annotated[dict[Literal["option"], Word], msgspec.Meta(min_length=1)]
RuleRow = dict[str, Scalar | list[Scalar] | Conditions]
RuleStatement = Literal[
    "text", "one kind", "limits", "part", "odds", "dragon odds", "royal9", "must_hit", "depth", "second seed", "sum"
]

NO_MORE_BETS, CARDS = "no_more_bets", "cards"
"""The names of the calls that the table makes before a card is dealt: the end of wagering, and the call to deal."""

SAID_BY = {"coins": "rounding_cite", "courts": "definition_cite", "rate_bp": "rate_cite", "copies": "content_cite"}
"""The field with the clauses of another field of the same table, where its name does not follow from the other's."""

OUR_WORDS = ("description", "title")
"""Keys that hold our own words and no law, wherever they occur."""


def is_cite(key: str) -> bool:
    """Whether a field names clauses."""
    return key == "cite" or key.endswith("_cite")


class Section(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A part of an edition with the clauses that say it."""

    cite: Cite


class Option(Section, frozen=True, kw_only=True):
    """One key of a Submission: what the document lets the licensee state or elect."""

    description: str
    shall: bool | int | None = None
    may: bool = False
    elect: tuple[Scalar, ...] = ()
    at_least: int | None = None
    at_most: int | None = None
    states: RuleStatement | None = None
    default: Any = None
    optional: bool = False
    applies: Conditions = {}
    warn_below: int | str | None = None
    part: Literal["play", "layout", "equipment", "procedure"] = "play"
    reading: str | None = None
    house: bool = False
    """Whether no document names it, and a reading lets the house file it: it is no part of the edition's content, so
    that rulebooks which do not elect it stay what they were."""

    @property
    def must_be_stated(self) -> bool:
        """Whether the document leaves this to the licensee without a default."""
        return not (self.shall is not None or self.may or self.optional or self.default is not None)

    @property
    def value_if_unstated(self) -> Any:
        """The value that holds when the Submission is silent."""
        if self.shall is not None:
            return self.shall
        if isinstance(self.default, list):
            return tuple(self.default)
        return False if self.may else self.default


class Constraint(Section, frozen=True, kw_only=True):
    """What elections demand of one another."""

    when: Conditions = {}
    need: Conditions = {}
    need_any: tuple[str, ...] = ()
    differ: tuple[str, ...] = ()


class CardValue(Section, frozen=True, kw_only=True):
    """What cards of some ranks are worth: their face, or a number."""

    ranks: str
    value: Literal["face"] | int


class PointCount(Section, frozen=True, kw_only=True):
    """How a hand is counted."""

    keep: Literal["units digit"]
    example_cite: Cite = ()
    value: tuple[CardValue, ...]


class CutLaw(Section, frozen=True, kw_only=True):
    """Where the stack may be cut, and in which order the cut is offered."""

    at_least: int
    start: Literal["highest"]
    direction: Literal["clockwise", "counterclockwise"]
    last_curator_first: bool = False
    start_cite: Cite = ()
    direction_cite: Cite = ()
    last_curator_first_cite: Cite = ()


class Burn(Section, frozen=True, kw_only=True):
    """How many cards are burned, and how many of them are shown."""

    count: Literal["value"]
    exposed: Literal["all"] | ByOption
    value: tuple[CardValue, ...]


class Base(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The wagers of which one must accompany a side wager: always, or if the licensee says so."""

    wagers: WordList
    option: str | None = None
    cite: Cite = ()


class FixedStake(Section, frozen=True, kw_only=True):
    """The one stake that a wager may have."""

    shall: Positive


class WagerLaw(Section, frozen=True, kw_only=True):
    """One wager of the document: who may make it, and when it wins, loses or is returned."""

    title: Word
    only_cite: Cite = ()
    """That only the listed wagers are taken."""
    hand: str | None = None
    on: dict[str, str] = {}
    main: bool = False
    early: bool = False
    opening: bool = False
    """Whether only pairs among the first two cards of each hand decide."""
    offered: str | None = None
    base: Base | None = None
    stake: FixedStake | None = None
    rules: tuple[RuleRow, ...] = ()


class MatchPlay(Section, frozen=True, kw_only=True):
    """Which wagers a match play coupon may lie with."""

    wagers: tuple[str, ...]
    offered: str


class VerbalLaw(Section, frozen=True, kw_only=True):
    """Who confirms a spoken wager."""

    offered: str
    confirmed_by: WordList


class FreeHand(Section, frozen=True, kw_only=True):
    """A hand dealt without any wager, where the licensee allows it."""

    offered: str


class Deal(Section, frozen=True, kw_only=True):
    """Which hand each of the first four cards belongs to."""

    hands: tuple[Literal["player", "banker"], ...]
    face_up_cite: Cite = ()
    face_down_cite: Cite = ()


class Reveal(Section, frozen=True, kw_only=True):
    """Who turns the cards."""

    style: Literal["face_up", "face_down"] | ByOption
    holder: Literal["highest wager"] = "highest wager"
    other_side: str | None = None
    passes: bool = True
    player_cite: Cite
    banker_cite: Cite
    player_tie_cite: Cite
    banker_tie_cite: Cite
    nobody_cite: Cite
    other_side_cite: Cite = ()
    face_up_cite: Cite = ()


class HouseMoneyLaw(Section, frozen=True, kw_only=True):
    """How House Money is settled before third cards, and pressed."""

    start: Literal["dealer_right", "dealer_left"]
    direction: Literal["clockwise", "counterclockwise"]
    press: tuple[str, ...]
    press_cite: Cite
    moved_cite: Cite = ()
    """That only the dealer moves a payout."""


class ThirdCard(Section, frozen=True, kw_only=True):
    """How many cards a hand may draw."""

    most: Literal[1]


class CallLaw(Section, frozen=True, kw_only=True, rename={"if_": "if"}):
    """One announcement of the dealer, known by its name; the order of the rows is the order of the calls."""

    name: Word
    say: Word | None = None
    count: Literal["player", "banker"] | None = None
    final: bool = False
    total_cards: bool = False
    if_: Conditions = {}
    when: Conditions = {}


class Procedure(Section, frozen=True, kw_only=True):
    """One order in which winners are paid and vigorish is taken."""

    sweeps: tuple[tuple[Literal["vigorish", "pay"], ...], ...]


class SettlementLaw(Section, frozen=True, kw_only=True):
    """The order of settlement: losers, then sweeps over the winning seats."""

    losers_first: bool
    start: Literal["highest", "lowest"]
    direction: Literal["descending", "ascending"]
    sweeps: tuple[tuple[Literal["vigorish", "pay"], ...], ...] = ()
    option: str | None = None
    procedure: dict[str, Procedure] = {}


class Exempt(Section, frozen=True, kw_only=True):
    """Which other wagers of a participant exempt a Banker win from vigorish."""

    when: Conditions
    wagers: tuple[str, ...]


class Vigorish(Section, frozen=True, kw_only=True):
    """How vigorish is measured and taken."""

    coins: dict[str, int]
    rounding_cite: Cite
    at_payout_cite: Cite
    deferred_cite: Cite
    due_cite: Cite
    kept_cite: Cite
    free_cite: Cite = ()
    exempt: Exempt | None = None


class Rung(Section, frozen=True, kw_only=True):
    """One line of the Royal 9 pay table: an event, and a prize or a share of a meter."""

    row: Word
    event: str | dict[str, str]
    meter: str | None = None
    percent: int = 0
    prize: int = 0


class ChairRow(Section, frozen=True, kw_only=True):
    """The combinations printed at one chair: court cards of one suit with one nine."""

    suits: str


class MeterLaw(Section, frozen=True, kw_only=True):
    """One progressive meter; its seed and rate where the document prints them, by pay table."""

    name: str
    description: str
    seed: dict[str, int] = {}
    rate_bp: dict[str, int] = {}
    seed_cite: Cite = ()
    rate_cite: Cite = ()


class Royal9Law(Section, frozen=True, kw_only=True):
    """The Royal 9 progressive: chairs, ladder of prizes, meters."""

    chairs: Literal["submission"] | dict[str, ChairRow]
    courts: str
    ladder: tuple[Rung, ...]
    meter: tuple[MeterLaw, ...]
    chairs_cite: Cite = ()
    definition_cite: Cite = ()


class MustHitLaw(Section, frozen=True, kw_only=True):
    """The Must Hit progressive: who takes part, and where a hit is shown."""

    participants: str
    shows: tuple[str, ...]
    shows_cite: Cite


class VoidLaw(Section, frozen=True, kw_only=True):
    """What follows when the shoe cannot finish a round."""

    returns: Literal["all wagers"]
    next: str
    same_set: bool = False


class RemedyChoice(Section, frozen=True, kw_only=True):
    """One treatment of a seen card that the licensee may file."""

    remedy: Literal["discard_two", "discard_value", "simulated_round"]


class RemedyLaw(Section, frozen=True, kw_only=True):
    """What happens to a seen card: one treatment for all, or the one that was filed."""

    fixed: Literal["discard_two", "discard_value", "simulated_round"] | None = None
    option: str | None = None
    choices: dict[str, RemedyChoice] = {}
    ten_option: str | None = None


class ErrorCard(Section, frozen=True, kw_only=True):
    """What happens to a card drawn in error."""

    unseen_cite: Cite
    third_unseen_cite: Cite
    banker_unseen_cite: Cite
    banker_seen_cite: Cite
    in_shoe_cite: Cite = ()
    """The limb of the same paragraph on a card that lay face up in the shoe before it was dealt in error."""
    third_seen: RemedyLaw
    seen: RemedyLaw


class VigorishForm(Section, frozen=True, kw_only=True):
    """The paper by which vigorish that was marked and not collected is documented."""

    copies: Positive
    content_cite: Cite
    signed_cite: Cite
    order_cite: Cite
    access_cite: Cite
    account_cite: Cite
    drop_cite: Cite
    void_cite: Cite
    forward_cite: Cite
    """That duplicates go to accounting, which compares them."""
    book_cite: Cite
    """That the day's waivers are booked as complimentaries."""
    code_cite: Cite
    """That a complimentary is one under the rules on complimentaries."""


class Curator(Section, frozen=True, kw_only=True):
    """Who is offered the shoe first, in which direction it goes around, and why it passes."""

    first_seat: Positive
    direction: Literal["clockwise", "counterclockwise"]
    start_cite: Cite
    """How the shoe is offered when play commences."""
    deals_cite: Cite
    """That the curator deals, and nobody else."""
    dealer_cite: Cite
    """That the participant who takes the shoe may have the dealer deal."""
    nobody_cite: Cite
    """That the dealer is curator where nobody takes the shoe."""
    choice_cite: Cite
    loss_cite: Cite
    order_cite: Cite
    pass_cite: Cite
    """How a relinquished shoe is offered."""


class ManualShuffle(Section, frozen=True, kw_only=True):
    """The elements that a shuffle by hand must contain."""

    elements: WordList
    last: str
    riffles_before_strip: Annotated[int, msgspec.Meta(ge=0, le=100)]
    plug_cite: Cite = ()
    riffle_cite: Cite = ()
    turn_cite: Cite = ()
    strip_cite: Cite = ()
    cut_cite: Cite = ()


class StepRow(Section, frozen=True, kw_only=True):
    """One step of the table's life; the order of the rows is the order of the steps.

    A row with `within` is an act inside another step, or between steps.
    """

    name: str
    within: str | None = None
    when: Conditions = {}


class Uniform(Section, frozen=True, kw_only=True):
    """An option that must be the same at all tables of a pit."""

    option: str


class NoticeLaw(Section, frozen=True, kw_only=True):
    """Who must be notified in writing of a change of options, how long before, and of which changes."""

    options: WordList
    to: tuple[Literal["surveillance", "commission", "table"], ...]
    minutes: NotNegative | ByOption
    when: Literal["any change", "start or stop", "increase"]
    reading: str | None = None


class NoMoreBets(Section, frozen=True, kw_only=True):
    """The moment from which no wager may be made, increased or withdrawn."""


class RecordDefaults(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a round record leaves unsaid: a convenience of that format, never of a Submission."""

    seats: Positive
    seats_with_royal9: Positive | None = None
    options: dict[str, Any]
