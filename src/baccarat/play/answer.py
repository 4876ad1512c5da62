"""The answer to a round record: the settled round as the exchange format writes it, every decision with its clauses."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import msgspec

from baccarat.cards import CODES
from baccarat.law.clause import Citation
from baccarat.law.row import Result
from baccarat.play.book import NO_CARD, Book
from baccarat.play.coup import Coup, deal_cites, result_cites, tableau_rows
from baccarat.play.explain import early_cites, step_cites, turnings
from baccarat.play.hand import Side
from baccarat.play.refusal import Refused
from baccarat.play.settle import SettledLine, Settlement, SettlementStep, shown

_PLAYER, _BANKER = Side.PLAYER, Side.BANKER


def refusal(name: str | int | None, refused: Refused) -> dict[str, Any]:
    """A refusal as it stands in place of a settled record."""
    cites = [str(cite) for cite in refused.cites]
    return {"id": name, "refused": {"code": refused.code.value, "say": refused.say, "cites": cites}}


def settled_answer(name: str | int | None, book: Book, settled: Settlement) -> dict[str, Any]:
    """A settled round in the form of the exchange format."""
    coup = settled.coup
    cards = _cards_part(book, coup)
    made: dict[str, Any] = {
        "id": name,
        "player_hand": [CODES[card] for card in coup.player],
        "banker_hand": [CODES[card] for card in coup.banker],
        **cards.fields,
        "announcements": [dict(call) for call in cards.calls],
    }
    if settled.handed_to is not None:
        player, banker = settled.handed_to
        made["handed_to"] = {"player_hand": player or "dealer", "banker_hand": banker or "dealer"}
    if settled.early_steps:
        made["house_money_steps"] = [_early_step(step) for step in settled.early_steps]
    made["wagers"] = [_line(line) for line in settled.lines]
    made["net_by_seat"] = {str(seat): net for seat, net in settled.net_by_seat.items()}
    made["settlement"] = _steps(book, settled)
    if coup.is_void:
        made["returned"] = _returned(settled)
    if settled.awards is not None:
        made["meters_after_contributions"] = shown(settled.awards.contributed)
        made["meters_after_round"] = shown(settled.awards.after)
        if settled.awards.reserve:
            made["reserve_micro_cents"] = settled.awards.reserve
    if settled.must_hit is not None:
        end = settled.must_hit
        made["must_hit"] = {
            "hit": end.hit, "seat": end.seat, "award": end.award, "meter_after": end.meter, "shows": list(end.shows),
        }  # fmt: skip
    made["cites"] = _cites(book, settled, cards)
    return made


# ------------------------------------------------------------------------------ what the cards alone decide


class _CardsPart(msgspec.Struct, frozen=True):
    """What the cards alone decide, the same for every round that goes so: fields, calls, and the clauses of both."""

    fields: dict[str, Any]
    calls: tuple[dict[str, Any], ...]
    cites: dict[str, Any]


@lru_cache(maxsize=64)
def _parts(book: Book) -> dict[tuple[int, int, int, int], _CardsPart]:  # noqa: ARG001  one store for each book
    return {}


def _cards_part(book: Book, coup: Coup) -> _CardsPart:
    """The part of the answer that the cards decide; kept by finish, two-card counts and the Player's third card."""
    if coup.is_void:
        return _void_part(book, coup)
    value, player, banker = book.value, coup.player, coup.banker
    held, bank = (value[player[0]] + value[player[1]]) % 10, (value[banker[0]] + value[banker[1]]) % 10
    third = value[player[2]] if len(player) == 3 else NO_CARD
    store, key = _parts(book), (coup.index, held, bank, third)
    found = store.get(key)
    if found is None:
        rows = tableau_rows(book, player=held, banker=bank, third=third)
        hands = [tuple(dict.fromkeys((*deal_cites(book), *book.rules.cite(*row.cite)))) for row in rows]
        found = store[key] = _CardsPart(
            fields=_fields(book, coup),
            calls=tuple(_calls(book, coup, {"player": held, "banker": bank})),
            cites={
                "player_hand": _texts(hands[0]),
                "banker_hand": _texts(hands[1]),
                "outcome": _texts(result_cites(book)),
                "announcements": _call_cites(book, coup),
            },
        )
    return found


def _void_part(book: Book, coup: Coup) -> _CardsPart:
    dealt, void = _texts(deal_cites(book)), book.rules.edition.cite_text(*book.rules.edition.void.cite)
    cites = {"player_hand": dealt, "banker_hand": dealt, "outcome": void, "announcements": _call_cites(book, coup)}
    return _CardsPart(fields=_fields(book, coup), calls=tuple(_calls(book, coup, {})), cites=cites | {"returned": void})


def _fields(book: Book, coup: Coup) -> dict[str, Any]:
    facts = None if coup.is_void else book.facts[coup.index]
    return {
        "player_count": coup.player_count,
        "banker_count": coup.banker_count,
        "player_natural": facts is not None and facts["player_natural"],
        "banker_natural": facts is not None and facts["banker_natural"],
        "cards_dealt": coup.cards_dealt,
        "outcome": coup.outcome,
        "dragon7": _called(book, coup, "dragon_7"),
        "panda8": _called(book, coup, "panda_8"),
    }


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


def _calls(book: Book, coup: Coup, counts: dict[str, int]) -> list[dict[str, Any]]:
    """The dealer's calls; `counts` are those of the first two cards."""
    made: list[dict[str, Any]] = []
    for call in book.calls[coup.index]:
        if call.say is not None:
            made.append({"say": call.say})
        elif call.count is not None:
            made.append({"hand": call.count, "count": counts[call.count]})
        elif call.final:
            winner = coup.winner
            made.append({
                "final": {"player": coup.player_count, "banker": coup.banker_count},
                "winner": None if winner is None else winner.word,
            })  # fmt: skip
        else:
            made.append({"total_cards": coup.cards_dealt})
    return made


def _call_cites(book: Book, coup: Coup) -> tuple[tuple[str, ...], ...]:
    return tuple(book.rules.edition.cite_text(*call.cite) for call in book.calls[coup.index])


# ------------------------------------------------------------------------------------------ the clauses


@lru_cache(maxsize=8192)
def _texts(cites: tuple[Citation, ...]) -> tuple[str, ...]:
    """Citations as they are printed."""
    return tuple(map(str, cites))


def _cites(book: Book, settled: Settlement, cards: _CardsPart) -> dict[str, Any]:
    """The clauses behind each field of the answer, under its name; a list has as many lists of clauses."""
    made = dict(cards.cites)
    if settled.handed_because is not None:
        (player, banker), why = settled.handed_because, turnings(book)
        made["handed_to"] = {
            "player_hand": why[_PLAYER, player].cites,
            "banker_hand": why[_BANKER, banker].cites,
        }
    if settled.early_steps:
        made["house_money_steps"] = [_texts(early_cites(book, step)) for step in settled.early_steps]
    made["wagers"] = [_texts(line.cites) for line in settled.lines]
    of_act = _act_cites(book)
    acts = [of_act.get(step.act) or _texts(step_cites(book, settled, step)) for step in settled.steps]
    collect = [of_act["collect_losing_wagers"]] if settled.losers else []
    made["settlement"] = collect + acts if book.rules.edition.settlement.losers_first else acts + collect
    if settled.awards is not None:
        made["meters_after_round"] = _texts(book.royal9_cites)
    if settled.must_hit is not None:
        made["must_hit"] = _texts(settled.must_hit.cites)
    return made


@lru_cache(maxsize=64)
def _act_cites(book: Book) -> dict[str, tuple[str, ...]]:
    """The clauses of the acts of which every settlement is made."""
    take, order = _texts(book.collection_cites), _texts(book.settlement_cites)
    return {"collect_vig": take, "mark_vig": take, "pay": order, "collect_losing_wagers": order}


def forget() -> None:
    """Forget what is kept of every book, as when an edition has been registered anew."""
    _parts.cache_clear()


# ---------------------------------------------------------------------------------- wagers and their acts


def _line(line: SettledLine) -> dict[str, Any]:
    wager = line.wager
    made: dict[str, Any] = {
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
        made["row"] = line.row
    if line.pressed is not None:
        made["stake_after_house_money"] = wager.stake + line.pressed
    if wager.coupon:
        made["coupon"] = "left with the wager" if line.result is Result.PUSH else "taken"
    return made


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
