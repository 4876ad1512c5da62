"""Round records: the exchange format that `baccarat settle` reads and answers, one JSON object per round."""

from __future__ import annotations

import json
from collections import Counter
from functools import lru_cache
from typing import Annotated, Any, Literal

import msgspec
from msgspec.inspect import type_info

from baccarat.cards import Card
from baccarat.law.clause import Citation
from baccarat.law.edition import Edition, load_edition, loadable_editions, unknown_edition
from baccarat.law.error import InvalidSubmission, unknown_message
from baccarat.law.repeated_key import repeated_key
from baccarat.law.rulebook import Rulebook, from_record
from baccarat.law.typed_value import Wording, misfit_of
from baccarat.law.wager_name import BY_NAME
from baccarat.money import MICRO, Cents, written_cents
from baccarat.play import answer
from baccarat.play.admission import admit
from baccarat.play.book import Book, open_book
from baccarat.play.coup import Coup, deal_by, surplus_objection
from baccarat.play.expected import differences_from
from baccarat.play.refusal import RefusalCode, Refused, make_refusal
from baccarat.play.settle import settle_by
from baccarat.play.wager import Verbal, Wager, WagerKind
from baccarat.play.wager.must_hit import MustHitState
from baccarat.values import brief_repr

LARGEST_SUM = 10**15
"""The largest sum, in cents: exact even for readers that take JSON numbers as floats."""
MOST_DIGITS = 100
"""The most digits of a whole number that are read; no sum has nearly as many."""
Amount = Annotated[int, msgspec.Meta(ge=1, le=LARGEST_SUM)]
NotNegative = Annotated[int, msgspec.Meta(ge=0, le=LARGEST_SUM)]

NO_EXPECTATION, NO_OPTIONS = msgspec.Raw(b"null"), msgspec.Raw(b"{}")


class RecordMustHit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The Must Hit of a record: its meter before the round, its trigger, the lot drawn."""

    meter: int | str
    trigger: int | str
    lot: int | None = None


class RecordWager(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """One wager of a record; sums are cents, or texts such as `$103.00`."""

    seat: int
    type: str
    amount: Amount | str
    press: str | None = None
    coupon: NotNegative | str = 0
    verbal: Verbal | None = None


class RoundRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """One round as it was played: edition, elections, cards in dealing order, wagers by seat."""

    ruleset: str
    cards: tuple[str, ...]
    wagers: tuple[RecordWager, ...]
    id: str | int | None = None
    options: msgspec.Raw = NO_OPTIONS
    cards_left_in_shoe: NotNegative | None = None
    rest_of_shoe: bool = False
    kind: Literal["wagered", "free_hand"] = "wagered"
    must_hit: RecordMustHit | None = None
    title: str | None = None
    refs: tuple[str, ...] = ()
    valid_for: tuple[str, ...] = ()
    expected: msgspec.Raw = NO_EXPECTATION


class UnreadableRecord(Exception):  # noqa: N818  an answer to the reader, as Refused is one to the participant
    """A record that cannot be read; the text names the field, what it is, and what was expected."""


_DECODER = msgspec.json.Decoder(RoundRecord)
_SUM = 'whole cents, such as 2500, or a text, "$25.00"'
IN_JSON = Wording(
    "object",
    named=(
        (type_info(Amount | str), f"a sum of money, at least one cent: {_SUM}"),
        (type_info(NotNegative | str), f"a sum of money, not below zero: {_SUM}"),
        (type_info(int | str), f"a sum of money: {_SUM}"),
    ),
)
"""How messages about a record describe its types: by what a person would write."""


def read(line: bytes | str | msgspec.Raw) -> RoundRecord:
    """The record on one line."""
    try:
        record = _DECODER.decode(line)
    except msgspec.ValidationError as error:
        raise UnreadableRecord(_explain(line, str(error))) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise UnreadableRecord(f"not JSON: {error}") from None
    text = line.encode() if isinstance(line, str) else bytes(line)
    if text.count(b":") != _fewest_keys(record):
        _refuse_repeated(text, msgspec.json.decode(text))
    return record


def _fewest_keys(record: RoundRecord) -> int:
    """The least number of keys in the text of a record; if it has no more colons than that, no key occurs twice.

    Keys within options and within what is expected are checked when those are read.
    """
    keys = 3 + (record.id is not None) + (record.kind != "wagered") + record.rest_of_shoe
    keys += (record.cards_left_in_shoe is not None) + (record.title is not None)
    keys += bool(record.refs) + bool(record.valid_for)
    if record.options is not NO_OPTIONS:
        keys += 1 + bytes(record.options).count(b":")
    if record.expected is not NO_EXPECTATION:
        keys += 1 + bytes(record.expected).count(b":")
    if record.must_hit is not None:
        keys += 3 + (record.must_hit.lot is not None)
    for wager in record.wagers:
        keys += 3 + (wager.press is not None) + (wager.coupon != 0) + (wager.verbal is not None)
    return keys


def _refuse_repeated(text: bytes, value: Any, field: str = "") -> None:
    """Refuse a key that occurs twice: either of the two could be meant."""
    twice = repeated_key(text, value)
    if twice is not None:
        raise UnreadableRecord(f"{field}the key {brief_repr(twice)} occurs twice in one object; expected each key once")


def _explain(line: bytes | str | msgspec.Raw, message: str) -> str:
    """What is wrong with a record that is JSON, in our words, or in the decoder's where it finds more than we do."""
    try:
        # a number that is too long for a computer to hold becomes infinite: no field takes that
        value = json.loads(bytes(line) if isinstance(line, msgspec.Raw) else line, parse_int=_number)
    except (ValueError, RecursionError) as error:
        return f"not JSON: {error}"
    return str(misfit_of(value, RoundRecord, "", words=IN_JSON) or message)


def _number(digits: str) -> int | float:
    return int(digits) if len(digits) <= MOST_DIGITS else float(digits)


def id_of(line: bytes | str | msgspec.Raw) -> str | int | None:
    """The id of a record that could not be read whole, if it has one."""
    try:
        found = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    name = found.get("id") if isinstance(found, dict) else None
    return name if isinstance(name, str | int) and not isinstance(name, bool) else None


@lru_cache(maxsize=64)
def _terms(ruleset: str, options: bytes, kinds: frozenset[str]) -> Book | Refused:
    """What a record's edition, options and wager types amount to: an open book, or a refusal."""
    table = _options(options)
    if ruleset not in loadable_editions():
        raise UnreadableRecord(f"ruleset: {unknown_edition(ruleset)}")
    edition = load_edition(ruleset)
    try:
        return _book(ruleset, msgspec.json.encode(_with_offers(edition, table, kinds), order="deterministic"))
    except InvalidSubmission as error:
        unknown = [f"options.{fault}" for fault in error.faults if not fault.cites]
        if unknown:  # no clause is broken by a word that no document knows
            raise UnreadableRecord("; ".join(unknown)) from None
        faults, cites = "; ".join(map(str, error.faults)), tuple(map(Citation.parse, error.cites))
        return make_refusal(RefusalCode.INVALID_SUBMISSION, "invalid_submission", cites, faults=faults)


def _options(text: bytes) -> dict[str, Any]:
    try:
        table = msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise UnreadableRecord(f"options: not JSON: {error}") from None
    if not isinstance(table, dict):
        raise UnreadableRecord("options: expected an object of option names and values")
    _refuse_repeated(text, table, "options: ")
    return table


def _options_and_meters(record: RoundRecord) -> tuple[bytes, dict[str, int] | None]:
    """The options of a record, and apart from them the meters, which change from round to round."""
    raw = bytes(record.options)
    if b"meters" not in raw:
        return raw, None
    table = _options(raw)
    royal9 = table.get("royal9")
    if not isinstance(royal9, dict) or "meters" not in royal9:
        return raw, None
    meters = royal9.pop("meters")
    if not isinstance(meters, dict):
        raise UnreadableRecord("options.royal9.meters: expected whole cents by meter")
    shown = {name: _cents(value, f"options.royal9.meters.{name}") for name, value in meters.items()}
    return msgspec.json.encode(table), {name: cents * MICRO for name, cents in shown.items()}


def _cents(value: Any, field: str) -> int:
    """A sum as a record writes it: whole cents, or a text such as `$103.00`."""
    if type(value) is int:
        return value
    if not isinstance(value, str):
        raise UnreadableRecord(f'{field}: {brief_repr(value)} is not a sum: expected whole cents, or such as "$103.00"')
    try:
        return written_cents(value)
    except ValueError as error:
        raise UnreadableRecord(f"{field}: {error}") from None


def _stake(value: Any, field: str) -> int:
    """A sum of a wager: not negative, and no larger than every reader of JSON can hold."""
    cents = _cents(value, field)
    if not 0 <= cents <= LARGEST_SUM or (cents == 0 and field.endswith("amount")):
        raise UnreadableRecord(f"{field}: {value} is not from $0.01 to {Cents(LARGEST_SUM)}")
    return cents


def _must_hit(record: RoundRecord) -> MustHitState | None:
    found = record.must_hit
    if found is None:
        return None
    meter, trigger = _cents(found.meter, "must_hit.meter"), _cents(found.trigger, "must_hit.trigger")
    return MustHitState(meter=meter, trigger=trigger, lot=found.lot)


def _with_offers(edition: Edition, table: dict[str, Any], kinds: frozenset[str]) -> dict[str, Any]:
    """The options, plus the offer of every wager that occurs or whose terms are stated, since it was offered."""
    options = edition.options
    stated = [key for key, value in table.items() if key in options and value is not None and value is not False]
    terms = {ground for key in stated for ground in options[key].applies}
    laws = {kind: wager.law for kind, wager in edition.wagers.items()}
    offers = {law.offered for kind, law in laws.items() if kind in kinds or law.offered in terms}
    mere = {offer for offer in offers if offer is not None and _is_mere_offer(edition, offer)}
    return {**dict.fromkeys(sorted(mere), True), **table}


def _is_mere_offer(edition: Edition, option: str) -> bool:
    """Whether an option only says that wagers are offered, and changes no other wager's rules."""
    changes = {key for wager in edition.wagers.values() for rule in wager.rules for key in rule.when}
    return edition.options[option].may and option not in changes


@lru_cache(maxsize=64)
def _book(ruleset: str, options: bytes) -> Book:
    return open_book(from_record(load_edition(ruleset), msgspec.json.decode(options)))


def forget() -> None:
    """Forget every rulebook read so far, as when an edition has been registered again."""
    _terms.cache_clear()
    _book.cache_clear()


_CARDS: dict[str, Card] = {}


def _cards(record: RoundRecord) -> tuple[Card, ...]:
    found = []
    for index, code in enumerate(record.cards):
        card = _CARDS.get(code)
        if card is None:
            try:
                card = _CARDS[code] = Card.parse(code)
            except ValueError as error:
                raise UnreadableRecord(f"cards[{index}]: {error}") from None
        found.append(card)
    return tuple(found)


def _wagers(record: RoundRecord) -> list[Wager]:
    wagers = []
    for index, wager in enumerate(record.wagers):
        press = None if wager.press is None else _kind(wager.press, f"wagers[{index}].press")
        kind = BY_NAME.get(wager.type) or _kind(wager.type, f"wagers[{index}].type")
        amount, coupon = wager.amount, wager.coupon
        if type(amount) is not int:
            amount = _stake(amount, f"wagers[{index}].amount")
        if type(coupon) is not int:
            coupon = _stake(coupon, f"wagers[{index}].coupon")
        wagers.append(Wager(seat=wager.seat, on=kind, stake=amount, press=press, coupon=coupon, verbal=wager.verbal))
    return wagers


def _kind(name: str, field: str) -> WagerKind:
    kind = BY_NAME.get(name)
    if kind is None:
        raise UnreadableRecord(f"{field}: {unknown_message('wager', name, BY_NAME)}")
    return kind


def settle_record(record: RoundRecord, *, encoded: bool = False) -> dict[str, Any]:
    """The answer to a record: the round settled, or its refusal, and where it differs from what was expected.

    `UnreadableRecord` is raised where the record makes no sense. With `encoded`, parts of the answer may already
    be JSON: the written text is the same, and takes less time.
    """
    expects = record.expected is not NO_EXPECTATION  # the answer is then compared, so its parts must not be encoded
    answered = _settle_record(record, encoded=encoded and not expects)
    if expects:
        found = differences_from(_expected_fields(record), answered)
        if found:
            answered["differs"] = found
    return answered


def _expected_fields(record: RoundRecord) -> dict[str, Any]:
    """The fields of the answer that a record expects."""
    expected = msgspec.json.decode(record.expected)
    if expected is None:
        return {}
    _refuse_repeated(bytes(record.expected), expected, "expected: ")
    if not isinstance(expected, dict):
        raise UnreadableRecord('expected: not an object with fields of the answer, such as {"outcome": "tie"}')
    return expected


def _settle_record(record: RoundRecord, *, encoded: bool) -> dict[str, Any]:
    cards, wagers = _cards(record), _wagers(record)
    kinds = frozenset([wager.type for wager in record.wagers])
    options, meters = _options_and_meters(record)
    book = _terms(record.ruleset, options, kinds)
    if isinstance(book, Refused):
        return answer.refusal(record.id, book)
    refused = _card_count_objection(book, cards) or _free_hand_objection(book, record)
    if refused is not None:
        return answer.refusal(record.id, refused)
    coup = deal_by(book, cards)
    if coup.is_void and record.cards_left_in_shoe != 0:
        void = ", ".join(book.rules.edition.cite_text(*book.rules.edition.void.cite))
        instead = f"or cards_left_in_shoe 0 if the shoe ended there and the round is void [{void}]"
        raise UnreadableRecord(f"cards: {len(cards)} do not finish the round; give the cards it needs, {instead}")
    surplus = len(cards) - coup.cards_dealt
    if surplus > 0 and not record.rest_of_shoe and surplus != record.cards_left_in_shoe:
        wrong = surplus_objection(coup, cards, left=surplus)
        assert wrong is not None, "there are more cards than the round takes"
        return answer.refusal(record.id, wrong)
    settled = admit(book, wagers) or settle_by(book, coup, wagers, meters=meters, must_hit=_must_hit(record))
    if isinstance(settled, Refused):
        return answer.refusal(record.id, settled)
    untold = _must_hit_objection(book, coup, record)
    if untold is not None:
        return answer.refusal(record.id, untold)
    return answer.settled_answer(record.id, book, settled, encoded=encoded)


def _must_hit_objection(book: Book, coup: Coup, record: RoundRecord) -> Refused | None:
    """The refusal of a record that says nothing about a Must Hit that took part."""
    law = book.rules.edition.must_hit
    if law is None or book.rules.elections.must_hit is None or record.must_hit is not None or coup.is_void:
        return None
    if not any(wager.type == law.participants for wager in record.wagers):
        return None
    return make_refusal(RefusalCode.MUST_HIT, "must_hit_meter_not_stated", book.rules.cite(*law.cite))


def _free_hand_objection(book: Book, record: RoundRecord) -> Refused | None:
    law = book.rules.edition.free_hand
    if record.kind != "free_hand":
        return None
    if law is None or not book.rules.elects(law.offered):
        cites = book.rules.cite(*(law.cite if law else book.rules.edition.deal.cite))
        return make_refusal(RefusalCode.FREE_HAND_NOT_OFFERED, "no_free_hand_here", cites)
    if record.wagers:
        cites, count = book.rules.cite(*law.cite), len(record.wagers)
        return make_refusal(RefusalCode.FREE_HAND_WITH_WAGERS, "free_hand_has_wagers", cites, count=count)
    return None


def _card_count_objection(book: Book, cards: tuple[Card, ...]) -> Refused | None:
    decks = book.rules.elections.decks
    if decks is None or len(cards) <= decks:
        return None
    card, count = Counter(cards).most_common(1)[0]
    if count <= decks:
        return None
    cites = book.rules.cite(*book.rules.edition.options["decks"].cite)
    return make_refusal(RefusalCode.IMPOSSIBLE_CARDS, "too_many_of_a_card", cites, count=count, card=card, decks=decks)


def rulebook_of(record: RoundRecord) -> Rulebook | Refused:
    """The rulebook that a record implies, or why there is none."""
    kinds = frozenset([wager.type for wager in record.wagers])
    book = _terms(record.ruleset, _options_and_meters(record)[0], kinds)
    return book if isinstance(book, Refused) else book.rules
