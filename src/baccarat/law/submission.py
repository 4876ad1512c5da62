"""Submissions: the licensee's elections, one flat table whose keys are the options of an edition."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Annotated, Any

import msgspec

from baccarat.law.error import hint
from baccarat.law.section import Option
from baccarat.law.toml_file import first_misfit
from baccarat.law.typed_value import Misfit, convert_to
from baccarat.money import Cents, Ratio, dollars
from baccarat.values import NUMBER_LIMIT, brief_repr

Positive = Annotated[int, msgspec.Meta(ge=1, le=NUMBER_LIMIT)]
NotNegative = Annotated[int, msgspec.Meta(ge=0, le=NUMBER_LIMIT)]
MOST_SEATS = 99
SeatCount = Annotated[int, msgspec.Meta(ge=0, le=MOST_SEATS)]
"""No table has more."""
MOST_DECKS = 1000
Decks = Annotated[int, msgspec.Meta(ge=0, le=MOST_DECKS)]
"""No document has a ceiling: this only keeps a typing error from filling the memory."""


class Limit(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The posted limits of one wager, in cents."""

    min: Positive
    max: Positive
    increment: Positive
    aggregate_payout: Positive | None = None


class Royal9Elections(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The licensee's part of the Royal 9 progressive."""

    paytable: int | None = None
    combos: dict[str, str] | None = None
    seeds: dict[str, Positive] | None = None
    rates_bp: dict[str, NotNegative] | None = None


MOST_CONTRIBUTIONS = 1_000_000
"""No document has a ceiling: deciding a round of a Must Hit again takes a step for each contribution."""


class MustHit(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The range of the Must Hit meter and what each Royal 9 wager adds to it, in cents."""

    start: Positive
    ceiling: Positive
    contribution: NotNegative

    @property
    def contributions(self) -> int:
        """How many contributions lead from its start to its ceiling, the last one whole; each a cent if it is none."""
        return self.contributions_to(self.ceiling)

    def contributions_to(self, meter: int) -> int:
        """How many contributions lead from the start to what a meter shows, or to a trigger, the last one whole."""
        return -((self.start - meter) // max(1, self.contribution))


class Submission(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Elections by option; `None` where the Submission is silent."""

    ez: bool | None = None
    seats: SeatCount | None = None
    seat_one: str | None = None
    layout_approval: str | None = None
    layout_dragon_bonus_areas: bool | None = None
    layout_dragon7_areas: bool | None = None
    layout_dragon7_inscription: bool | None = None
    dragon7_sign: bool | None = None
    layout_panda8_areas: bool | None = None
    layout_house_money_areas: bool | None = None
    layout_numbered_areas: bool | None = None
    discard_rack_decks: int | None = None
    decks: Decks | None = None
    backs: tuple[str, ...] | None = None
    cut_cards: int | None = None
    cut_card_opaque: bool | None = None
    cut_card_colour: str | None = None
    card_edges: str | None = None
    cut_card_approval: str | None = None
    preshuffled: bool | None = None
    preshuffled_procedure: str | None = None
    batch_shuffler: bool | None = None
    batch_shuffler_procedure: str | None = None
    shuffle_method: int | None = None
    reshuffle_after_lace: str | None = None
    cut_mode: str | None = None
    last_curator_as_last_cutter: bool | None = None
    cover_card_depth: int | None = None
    burn_exposure: str | None = None
    recut_by: str | None = None
    recut_second_person: bool | None = None
    manual_shuffle_strict: bool | None = None
    dragon_bonus: bool | None = None
    dragon_paytable: str | None = None
    dragon_odds: dict[str, int | str] | None = None
    bonus_base_required: bool | None = None
    insurance_base_required: bool | None = None
    house_money: bool | None = None
    house_money_portion: tuple[int, int] | None = None
    press_over_max: bool | None = None
    total_card_wagers: bool | None = None
    no_commission: str | None = None
    opposite_bets: bool | None = None
    match_play: bool | None = None
    verbal_wagers: bool | None = None
    limits: dict[str, Limit] | None = None
    free_hand: bool | None = None
    max_consecutive_free_hands: int | None = None
    reveal: str | None = None
    allow_other_side: bool | None = None
    banker_first_on_request: bool | None = None
    squeeze_eligible: str | None = None
    settlement_option: int | None = None
    goodwill_limit: NotNegative | None = None
    electronic_cut: str | None = None
    shoe_given_up: str | None = None
    exception_reports: str | None = None
    tie_odds: int | str | None = None
    vig_rate: int | None = None
    vig_rounding: bool | None = None
    vig_collection: str | None = None
    notice_minutes: int | None = None
    royal9: Royal9Elections | None = None
    any_two: str | None = None
    royal9_return_stake: bool | None = None
    partial_refill_to_seed: bool | None = None
    secondary_seed_bp: int | None = None
    reserve_share_bp: int | None = None
    must_hit: MustHit | None = None
    disclosed_third_card: str | None = None
    disclosed_card_procedure: int | None = None
    ten_value_extra: int | None = None
    disclosed_correct_card: str | None = None
    face_up_ten_extra: int | None = None
    nj_disclosed_banker_third: str | None = None
    own: dict[str, Any] = {}
    """The options that only the edition knows, by name."""


FIELDS: dict[str, Any] = {field.name: field.type for field in msgspec.structs.fields(Submission) if field.name != "own"}
"""Every option to which the program itself gives a meaning, with the type of its value."""

OWN_STATEMENTS: dict[str, Any] = {"text": str, "one kind": tuple[str, ...], "part": tuple[int, int], "odds": int | str}
"""The statements that an option of an edition's own may ask for, with the type of the value."""


def submission(held: Mapping[str, Any]) -> Submission:
    """The elections that hold, by option."""
    known = {key: value for key, value in held.items() if key in FIELDS}
    return Submission(**known, own={key: value for key, value in held.items() if key not in FIELDS})


def type_of(key: str, option: Option) -> Any:
    """The type of an option's value: of a known option its field's, of an edition's own what it says of itself."""
    if key in FIELDS:
        return FIELDS[key]
    if option.states is not None:
        return OWN_STATEMENTS.get(option.states)
    if option.may or isinstance(option.shall, bool):
        return bool
    return bool | int | str if option.elect else int


MONEY_KEYS = ("limits", "must_hit", "royal9", "goodwill_limit")
"""Options that hold sums of money, which a file may also write as `"$25.00"`."""


def with_cents(value: Any, path: str) -> Any:
    """The same table with every sum written in dollars turned into cents."""
    if isinstance(value, Mapping):
        return {key: with_cents(entry, f"{path}.{key}") for key, entry in value.items()}
    if isinstance(value, str) and value.lstrip("-").startswith("$"):
        try:
            return int(dollars(value))
        except ValueError as error:
            raise Misfit(path, str(error)) from None
    return value


NOT_SUMS = frozenset({"paytable", "combos", "rates_bp"})
"""Entries of those options that hold no money."""


def bare_sums(key: str, value: Any) -> Iterator[tuple[str, int | float]]:
    """Each sum of an option that is written as a bare number, with its place: it could be dollars or cents."""
    if key.partition(".")[0] not in MONEY_KEYS:
        return
    if isinstance(value, Mapping):
        for name, entry in value.items():
            if name not in NOT_SUMS:
                yield from bare_sums(f"{key}.{name}", entry)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield key, value


def dollars_or_cents(value: float) -> str:
    """How a bare number would be written if it meant dollars, and if it meant cents."""
    if isinstance(value, int):
        return f'"{Cents(value * 100)}" for {value} dollars, "{Cents(value)}" for {value} cents'
    return 'dollars and cents in quotes, such as "$25.00"'


def read_value(key: str, value: Any, option: Option) -> Any:
    """The value of one option in its own type; `Misfit` says where it does not fit and what was expected."""
    misfit = first_misfit(value, key)
    if misfit is not None:
        raise misfit
    plain = with_cents(value, key) if key in MONEY_KEYS else value
    if key == "limits" and isinstance(plain, Mapping):
        for name, limit in plain.items():
            _check_sums(name, limit)
    return _canonical(option, convert_to(plain, type_of(key, option), key))


def _check_sums(wager: str, limit: Any) -> None:
    """Report a bad sum in a wager's limits with the wager's name, which the decoder would not give."""
    for name, amount in limit.items() if isinstance(limit, Mapping) else ():
        path = f"limits.{wager}.{name}"
        if name not in Limit.__struct_fields__:
            known = Limit.__struct_fields__
            raise Misfit(path, f"no such entry{hint(name, known)}; expected {', '.join(known)}")
        if amount is not None and type(amount) is not int:
            raise Misfit(path, f'{brief_repr(amount)} is not a sum; expected a sum such as "$25.00"')
        if amount is not None and amount < 1:
            raise Misfit(path, f"{Cents(amount)} is not above zero")


def _canonical(option: Option, value: Any) -> Any:
    """One form for one meaning, so that equal Submissions have equal hashes."""
    if option.states == "odds":
        return _plain_odds(value)
    if option.states == "dragon odds":
        return {row: _plain_odds(each) for row, each in value.items()}
    return tuple(dict.fromkeys(value)) if option.states == "one kind" else value


def _plain_odds(value: int | str) -> int | str:
    """Odds against one as a number, others in lowest terms; what is not odds is left for the check."""
    with suppress(ValueError):
        ratio = odds(value)
        return ratio.to if ratio.one == 1 else str(ratio)
    return value


def odds(value: int | str) -> Ratio:
    """Odds as an election writes them: a number against one, or `17 to 2`."""
    if isinstance(value, bool) or (isinstance(value, int) and value < 0):
        raise ValueError(f"not odds: {value!r}; expected a whole number against one, or odds such as '17 to 2'")
    return Ratio.of(value) if isinstance(value, int) else Ratio.parse(value)
