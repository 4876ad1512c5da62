"""Round records: the exchange format that `baccarat settle` reads and answers, one JSON object a round."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from typing import Annotated, Any, Literal

import msgspec

from baccarat.cards import Card
from baccarat.law.clause import Citation
from baccarat.law.edition import Edition, known, load_edition
from baccarat.law.error import InvalidSubmission, nearest
from baccarat.law.row import Result
from baccarat.law.rulebook import Rulebook, from_record
from baccarat.law.wager_name import BY_NAME
from baccarat.play.book import Book, open_book
from baccarat.play.coup import Coup, deal_by
from baccarat.play.refusal import Code, Refused
from baccarat.play.settle import SettledLine, Settlement, SettlementStep, settle, shown
from baccarat.play.wager import Kind, Verbal, Wager
from baccarat.play.wager.must_hit import MustHitState
from baccarat.play.wager.royal9 import MICRO

Amount = Annotated[int, msgspec.Meta(ge=1, le=10**15)]
"""Cents; the ceiling keeps every sum a whole number for whoever reads JSON numbers as floats."""
NotNegative = Annotated[int, msgspec.Meta(ge=0, le=10**15)]


class RecordWager(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """One wager of a record, its amount in cents."""

    seat: int
    type: str
    amount: Amount
    press: str | None = None
    coupon: NotNegative = 0
    verbal: Verbal | None = None


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """One round as it was played: edition, elections, cards in dealing order, wagers by seat."""

    ruleset: str
    cards: tuple[str, ...]
    wagers: tuple[RecordWager, ...]
    id: str | int | None = None
    options: msgspec.Raw = msgspec.Raw(b"{}")
    cards_left_in_shoe: NotNegative | None = None
    kind: Literal["wagered", "free_hand"] = "wagered"
    must_hit: MustHitState | None = None
    title: str | None = None
    refs: tuple[str, ...] = ()
    valid_for: tuple[str, ...] = ()
    expected: msgspec.Raw = msgspec.Raw(b"null")


class UnreadableRecord(Exception):  # noqa: N818  an answer to the reader, as Refused is one to the participant
    """A record that cannot be read; the text names the field, what it is, and what was expected."""


_DECODER = msgspec.json.Decoder(Record)
_FIELDS = [field.name for kind in (Record, RecordWager, Verbal, MustHitState) for field in msgspec.structs.fields(kind)]


def read(line: bytes | str | msgspec.Raw) -> Record:
    """The record on one line."""
    try:
        return _DECODER.decode(line)
    except msgspec.ValidationError as error:
        raise UnreadableRecord(_explain(str(error))) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise UnreadableRecord(f"not JSON: {error}") from None


def _explain(message: str) -> str:
    """msgspec's message with the field's place made plain and a misspelt key's nearest spelling added."""
    found = re.search(r"unknown field `(.*?)`", message)
    if found:
        hint = nearest(found[1], _FIELDS)
        return message + (f"; did you mean `{hint}`?" if hint else "")
    if "Expected `int`, got `float`" in message:
        return message + ": money is in whole cents"
    return message


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
    """What a record's edition, options and wager types come to: an open book, or a refusal."""
    table = _options(options)
    if ruleset not in known():
        hint = nearest(ruleset, known())
        near = f"; did you mean {hint!r}?" if hint else ""
        raise UnreadableRecord(f"ruleset: unknown edition {ruleset!r}{near}; known: {', '.join(known())}")
    edition = load_edition(ruleset)
    try:
        return _book(ruleset, msgspec.json.encode(_offering(edition, table, kinds), order="deterministic"))
    except InvalidSubmission as error:
        unknown = [f"options.{fault}" for fault in error.faults if not fault.cites]
        if unknown:  # no clause is broken by a word that no document knows
            raise UnreadableRecord("; ".join(unknown)) from None
        faults = "; ".join(map(str, error.faults))
        return Refused(Code.INVALID_SUBMISSION, faults, tuple(map(Citation.parse, error.cites)))


def _options(text: bytes) -> dict[str, Any]:
    try:
        table = msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise UnreadableRecord(f"options: not JSON: {error}") from None
    if not isinstance(table, dict):
        raise UnreadableRecord("options: expected an object of option names and values")
    return table


def _elected(record: Record) -> tuple[bytes, dict[str, int] | None]:
    """The options of a record, and apart from them the meters, which change from round to round."""
    raw = bytes(record.options)
    if b"meters" not in raw:
        return raw, None
    table = _options(raw)
    royal9 = table.get("royal9")
    if not isinstance(royal9, dict) or "meters" not in royal9:
        return raw, None
    meters = royal9.pop("meters")
    if not isinstance(meters, dict) or not all(type(value) is int for value in meters.values()):
        raise UnreadableRecord("options.royal9.meters: expected whole cents by meter")
    return msgspec.json.encode(table), {name: value * MICRO for name, value in meters.items()}


def _offering(edition: Edition, table: dict[str, Any], kinds: frozenset[str]) -> dict[str, Any]:
    """The options, with the offer of every wager that occurs, or whose terms are stated: so it was offered."""
    options = edition.options
    stated = [key for key, value in table.items() if key in options and value is not None and value is not False]
    terms = {ground for key in stated for ground in options[key].applies}
    offers = {
        wager.law.offered for kind, wager in edition.wagers.items() if kind in kinds or wager.law.offered in terms
    }
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
    """Forget every rulebook read so far, as when an edition has been registered anew."""
    _terms.cache_clear()
    _book.cache_clear()


_CARDS: dict[str, Card] = {}


def _cards(record: Record) -> tuple[Card, ...]:
    found = []
    for place, code in enumerate(record.cards):
        card = _CARDS.get(code)
        if card is None:
            try:
                card = _CARDS[code] = Card.parse(code)
            except ValueError as error:
                raise UnreadableRecord(f"cards[{place}]: {error}") from None
        found.append(card)
    return tuple(found)


def _wagers(record: Record) -> list[Wager]:
    wagers = []
    for place, wager in enumerate(record.wagers):
        press = None if wager.press is None else _kind(wager.press, f"wagers[{place}].press")
        kind = BY_NAME.get(wager.type) or _kind(wager.type, f"wagers[{place}].type")
        wagers.append(
            Wager(seat=wager.seat, on=kind, stake=wager.amount, press=press, coupon=wager.coupon, verbal=wager.verbal)
        )
    return wagers


def _kind(name: str, place: str) -> Kind:
    kind = BY_NAME.get(name)
    if kind is None:
        hint = nearest(name, BY_NAME)
        near = f"; did you mean {hint!r}?" if hint else ""
        raise UnreadableRecord(f"{place}: unknown wager {name!r}{near}; known: {', '.join(BY_NAME)}")
    return kind


def settle_record(record: Record) -> dict[str, Any]:
    """The answer to a record: the round settled, or its refusal; `Unreadable` where it makes no sense."""
    cards, wagers = _cards(record), _wagers(record)
    kinds = frozenset([wager.type for wager in record.wagers])
    options, meters = _elected(record)
    book = _terms(record.ruleset, options, kinds)
    if isinstance(book, Refused):
        return refusal(record.id, book)
    refused = _impossible(book, cards) or _free_hand_objection(book, record)
    if refused is not None:
        return refusal(record.id, refused)
    coup = deal_by(book, cards)
    if coup.is_void and record.cards_left_in_shoe != 0:
        void = ", ".join(book.rules.edition.cite_text(*book.rules.edition.void.cite))
        raise UnreadableRecord(
            f"cards: {len(cards)} do not finish the round; give the cards it needs, or cards_left_in_shoe 0 if the "
            f"shoe ended there and the round is void [{void}]"
        )
    settled = settle(book.rules, coup, wagers, meters=meters, must_hit=record.must_hit)
    if isinstance(settled, Refused):
        return refusal(record.id, settled)
    untold = _untold(book, coup, record)
    return answer(record.id, book, settled) if untold is None else refusal(record.id, untold)


def _untold(book: Book, coup: Coup, record: Record) -> Refused | None:
    """A Must Hit that is installed and took part, of which the record says nothing."""
    law = book.rules.edition.must_hit
    if law is None or book.rules.elections.must_hit is None or record.must_hit is not None or coup.is_void:
        return None
    if not any(wager.type == law.participants for wager in record.wagers):
        return None
    return Refused(
        Code.MUST_HIT, "what the Must Hit meter shows before the round is not told", book.rules.cite(*law.cite)
    )


def _free_hand_objection(book: Book, record: Record) -> Refused | None:
    law = book.rules.edition.free_hand
    if record.kind != "free_hand":
        return None
    if law is None or not book.rules.elects(law.offered):
        cites = book.rules.cite(*(law.cite if law else book.rules.edition.deal.cite))
        return Refused(Code.FREE_HAND_NOT_OFFERED, "no Free Hand is dealt at this table", cites)
    if record.wagers:
        say = f"a Free Hand is dealt without any wager on the table; there are {len(record.wagers)}"
        return Refused(Code.FREE_HAND_WITH_WAGERS, say, book.rules.cite(*law.cite))
    return None


def _impossible(book: Book, cards: tuple[Card, ...]) -> Refused | None:
    decks = book.rules.elections.decks
    if decks is None or len(cards) <= decks:
        return None
    card, count = Counter(cards).most_common(1)[0]
    if count <= decks:
        return None
    say = f"{count} cards {card} in a shoe of {decks} decks"
    return Refused(Code.IMPOSSIBLE_CARDS, say, book.rules.cite(*book.rules.edition.options["decks"].cite))


def refusal(name: str | int | None, refused: Refused) -> dict[str, Any]:
    """A refusal as it stands in place of a settled record."""
    cites = [str(cite) for cite in refused.cites]
    return {"id": name, "refused": {"code": refused.code.value, "say": refused.say, "cites": cites}}


# --------------------------------------------------------------------------------------- the answer


def answer(name: str | int | None, book: Book, settled: Settlement) -> dict[str, Any]:
    """A settled round in the form of the exchange format."""
    coup = settled.coup
    facts = None if coup.is_void else book.facts[coup.index]
    told: dict[str, Any] = {
        "id": name,
        "player_hand": [card.code for card in coup.player],
        "banker_hand": [card.code for card in coup.banker],
        "player_count": coup.player_count,
        "banker_count": coup.banker_count,
        "player_natural": facts is not None and facts["player_natural"],
        "banker_natural": facts is not None and facts["banker_natural"],
        "cards_dealt": coup.cards_dealt,
        "outcome": coup.outcome,
        "dragon7": _called(book, coup, "dragon_7"),
        "panda8": _called(book, coup, "panda_8"),
        "announcements": _announcements(book, coup),
    }
    if settled.handed_to is not None:
        player, banker = settled.handed_to
        told["handed_to"] = {"player_hand": player or "dealer", "banker_hand": banker or "dealer"}
    if settled.early_steps:
        told["house_money_steps"] = [_early_step(step) for step in settled.early_steps]
    told["wagers"] = [_line(line) for line in settled.lines]
    told["net_by_seat"] = {str(seat): net for seat, net in settled.net_by_seat.items()}
    told["settlement"] = _steps(book, settled)
    if coup.is_void:
        told["returned"] = _returned(settled)
    if settled.awards is not None:
        told["meters_after_contributions"] = shown(settled.awards.contributed)
        told["meters_after_round"] = shown(settled.awards.after)
        if settled.awards.reserve:
            told["reserve_micro_cents"] = settled.awards.reserve
    if settled.must_hit is not None:
        end = settled.must_hit
        told["must_hit"] = {
            "hit": end.hit, "seat": end.seat, "award": end.award, "meter_after": end.meter, "shows": list(end.shows),
        }  # fmt: skip
    return told


def _called(book: Book, coup: Coup, term: str) -> bool:
    """Whether the hands would be called so, even in a document that has no word for it."""
    if coup.is_void:
        return False
    facts = book.facts[coup.index]
    assert facts is not None, "the tableau leads to no such finish"
    if term in facts:
        return bool(facts[term])
    if term == "dragon_7":
        return coup.banker_count == 7 and len(coup.banker) == 3 and coup.player_count < 7
    return coup.player_count == 8 and len(coup.player) == 3 and coup.banker_count < 8


def _announcements(book: Book, coup: Coup) -> list[dict[str, Any]]:
    told: list[dict[str, Any]] = []
    value = book.value
    for call in book.calls[coup.index]:
        if call.say is not None:
            told.append({"say": call.say})
        elif call.count is not None:
            first, second = (coup.player if call.count == "player" else coup.banker)[:2]
            told.append({"hand": call.count, "count": (value[first] + value[second]) % 10})
        elif call.final:
            winner = coup.winner
            told.append({
                "final": {"player": coup.player_count, "banker": coup.banker_count},
                "winner": None if winner is None else winner.word,
            })  # fmt: skip
        else:
            told.append({"total_cards": coup.cards_dealt})
    return told


def _line(line: SettledLine) -> dict[str, Any]:
    wager = line.wager
    told: dict[str, Any] = {
        "seat": wager.seat,
        "type": wager.on.word,
        "amount": wager.stake,
        "result": line.result.word,
        "odds": None if line.odds is None else line.odds.colon,
        "win": line.win,
        "vigorish": line.vigorish,
        "net": line.net,
    }
    if line.row is not None:
        told["row"] = line.row
    if line.pressed is not None:
        told["stake_after_house_money"] = wager.stake + line.pressed
    if wager.coupon:
        told["coupon"] = "left with the wager" if line.result is Result.PUSH else "taken"
    return told


def _early_step(step: SettlementStep) -> list[Any]:
    if step.act == "collect":
        return ["collect", step.seat, step.amount]
    split = {
        "to_player": step.amount - step.to_wager,
        "to_wager": step.to_wager,
        "wager": None if step.onto is None else step.onto.value,
    }
    return ["pay", step.seat, step.amount, split]


def _steps(book: Book, settled: Settlement) -> list[list[Any]]:
    collect: list[list[Any]] = [["collect_losing_wagers", list(settled.losers)]] if settled.losers else []
    acts: list[list[Any]] = [
        [step.act, step.seat, step.row, step.amount] if step.row is not None else [step.act, step.seat, step.amount]
        for step in settled.steps
    ]
    return collect + acts if book.rules.edition.settlement.losers_first else acts + collect


def _returned(settled: Settlement) -> dict[str, int]:
    total: dict[int, int] = {}
    for line in settled.lines:
        total[line.wager.seat] = total.get(line.wager.seat, 0) + line.wager.stake
    return {str(seat): amount for seat, amount in sorted(total.items())}


def rulebook_of(record: Record) -> Rulebook | Refused:
    """The rulebook that a record implies, or why there is none."""
    kinds = frozenset([wager.type for wager in record.wagers])
    book = _terms(record.ruleset, _elected(record)[0], kinds)
    return book if isinstance(book, Refused) else book.rules
