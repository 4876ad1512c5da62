"""The answer to a round record: the settled round as the exchange format writes it, every decision with its clauses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from baccarat.cards import CODES
from baccarat.law.cached_value import cached_per_argument
from baccarat.law.clause import Citation
from baccarat.law.edition import shipped_editions
from baccarat.law.fact import COUNTS
from baccarat.law.row import Draw, WagerResult
from baccarat.play.book import NO_CARD, Book
from baccarat.play.coup import Coup, deal_cites, result_cites, tableau_rows
from baccarat.play.explain import early_cites, step_cites, turnings
from baccarat.play.hand import BANKER_SIDE, PLAYER_SIDE
from baccarat.play.refusal import Refused
from baccarat.play.settlement import SettledLine, Settlement, SettlementStep
from baccarat.play.wager.royal9 import MICRO

NAMED_ROUNDS = {"dragon7": "dragon_7", "panda8": "panda_8"}
"""Fields that say whether a round has a name, and the defined term of each."""


def refusal(name: str | int | None, refused: Refused) -> dict[str, Any]:
    """A refusal, as the answer to a record that is not settled."""
    cites = [str(cite) for cite in refused.cites]
    return {"id": name, "refused": {"code": refused.code.value, "say": refused.say, "cites": cites}}


def settled_answer(name: str | int | None, book: Book, settled: Settlement, *, encoded: bool = False) -> dict[str, Any]:
    """A settled round in the form of the exchange format.

    With `encoded`, the parts that many rounds share are already JSON, for a caller that only writes the answer.
    """
    coup, shared = settled.coup, _book_answers(book, encoded)
    made: dict[str, Any] = {
        "id": name,
        "player_hand": [CODES[card] for card in coup.player],
        "banker_hand": [CODES[card] for card in coup.banker],
    }
    cites: dict[str, Any] = {}
    if coup.is_void:
        _add_void_cards(made, cites, shared, coup)
    else:
        _add_cards(made, cites, shared, coup)
    if settled.handed_to is not None:
        player, banker = settled.handed_to
        made["handed_to"] = {"player_hand": player or "dealer", "banker_hand": banker or "dealer"}
    if settled.early_steps:
        made["house_money_steps"] = [_early_step(step) for step in settled.early_steps]
    made["wagers"] = [_line(line) for line in settled.lines]
    made["net_by_seat"] = {str(seat): net for seat, net in settled.net_by_seat.items()}
    made["settlement"] = _steps(book, settled)
    if coup.is_void:
        made["returned"] = _stakes_by_seat(settled)
    if settled.awards is not None:
        made["meters_after_contributions"] = _meter_cents(settled.awards.contributed)
        made["meters_after_round"] = _meter_cents(settled.awards.after)
        if settled.awards.reserve:
            made["reserve_micro_cents"] = settled.awards.reserve
    if settled.must_hit is not None:
        end = settled.must_hit
        made["must_hit"] = {
            "hit": end.hit, "seat": end.seat, "award": end.award, "meter_after": end.meter, "shows": list(end.shows),
        }  # fmt: skip
    _add_cites(cites, shared, settled)
    made["cites"] = cites
    return made


def _meter_cents(meters: Mapping[str, int]) -> dict[str, int]:
    """What the meters show, in whole cents."""
    return {name: value // MICRO for name, value in meters.items()}


# ----------------------------------------------------------------------------------- what many answers share


class _BookAnswers:
    """What the answers of a book have in common: found once, then looked up, because files of records are long.

    The clauses behind a round are most of its answer, and there are few different ones. Encoded, each is turned into
    JSON once, and a writer copies it.
    """

    def __init__(self, book: Book, *, encoded: bool) -> None:
        self.book = book
        self.encoded = encoded
        self.dealt = deal_cites(book)
        self.outcome = self.cite_texts(result_cites(book))
        self.turnings = {key: self.form(turning.cites) for key, turning in turnings(book).items()}
        take, order = self.cite_texts(book.collection_cites), self.cite_texts(book.settlement_cites)
        self.of_act = {"collect_vig": take, "mark_vig": take, "pay": order, "collect_losing_wagers": order}
        self._cites: dict[tuple[Citation, ...], Any] = {}
        self._hands: dict[tuple[str, ...], Any] = {}
        self._finishes: dict[int, _Finish] = {}
        self._counts = {
            (hand, count): self.form({"hand": hand, "count": count})
            for hand in ("player", "banker")
            for count in COUNTS
        }

    def form(self, value: Any) -> Any:
        """A value in the form that an answer has."""
        return msgspec.Raw(msgspec.json.encode(value)) if self.encoded else value

    def cite_texts(self, cites: tuple[Citation, ...]) -> Any:
        """Citations as they are printed."""
        return self.form(tuple(map(str, cites)))

    def cites(self, cites: tuple[Citation, ...]) -> Any:
        """The same, made once for each series of citations."""
        found = self._cites.get(cites)
        if found is None:
            found = self._cites[cites] = self.cite_texts(cites)
        return found

    def hand(self, row: Draw) -> Any:
        """The clauses behind a hand: how its first cards were dealt, and the row by which it drew or stayed."""
        found = self._hands.get(row.cite)
        if found is None:
            cites = (*self.dealt, *self.book.rules.cite(*row.cite))
            found = self._hands[row.cite] = self.cite_texts(tuple(dict.fromkeys(cites)))
        return found

    def finish(self, coup: Coup) -> _Finish:
        """What the finish of a round decides."""
        found = self._finishes.get(coup.index)
        if found is None:
            calls = _calls(self.book, coup, 0, 0)
            found = self._finishes[coup.index] = _Finish(
                fields=_fields(self.book, coup),
                calls=tuple(map(self.form, calls)),
                counts=tuple((index, call["hand"]) for index, call in enumerate(calls) if "count" in call),
                call_cites=self.form(_call_cites(self.book, coup)),
            )
        return found

    def calls(self, coup: Coup, finish: _Finish, held: int, bank: int) -> list[Any]:
        """The dealer's calls in a round of these two-card counts."""
        if not self.encoded:
            return _calls(self.book, coup, held, bank)  # not cached: a mutable value must belong to one answer only
        made = list(finish.calls)
        for index, hand in finish.counts:
            made[index] = self._counts[hand, held if hand == "player" else bank]
        return made


class _Finish(msgspec.Struct, frozen=True):
    """What the finish of a round decides: fields of the answer, the calls, and the clauses of the calls."""

    fields: dict[str, Any]
    calls: tuple[Any, ...]
    """All but the counts of the first two cards, which the finish leaves open."""
    counts: tuple[tuple[int, str], ...]
    """The places of those counts among the calls, and the hand of each."""
    call_cites: Any


@cached_per_argument
def _book_answers(book: Book, encoded: bool) -> _BookAnswers:  # noqa: FBT001  a cached function takes its arguments by position
    return _BookAnswers(book, encoded=encoded)


# ------------------------------------------------------------------------------ what the cards alone decide


def _add_cards(made: dict[str, Any], cites: dict[str, Any], shared: _BookAnswers, coup: Coup) -> None:
    """The counts, the outcome and the calls, and the clauses behind them."""
    value, player, banker = shared.book.value, coup.player, coup.banker
    held, bank = (value[player[0]] + value[player[1]]) % 10, (value[banker[0]] + value[banker[1]]) % 10
    third = value[player[2]] if len(player) == 3 else NO_CARD
    finish = shared.finish(coup)
    made.update(finish.fields)
    made["announcements"] = shared.calls(coup, finish, held, bank)
    player_row, banker_row = tableau_rows(shared.book, player=held, banker=bank, third=third)
    cites["player_hand"] = shared.hand(player_row)
    cites["banker_hand"] = shared.hand(banker_row)
    cites["outcome"] = shared.outcome
    cites["announcements"] = finish.call_cites


def _add_void_cards(made: dict[str, Any], cites: dict[str, Any], shared: _BookAnswers, coup: Coup) -> None:
    """The same for a round that the shoe could not finish."""
    book = shared.book
    made.update(_fields(book, coup))
    made["announcements"] = _calls(book, coup, 0, 0)  # none of them gives counts
    void = book.rules.edition.cite_text(*book.rules.edition.void.cite)
    cites["player_hand"] = cites["banker_hand"] = shared.cites(shared.dealt)
    cites["outcome"] = void
    cites["announcements"] = _call_cites(book, coup)
    cites["returned"] = void


def _fields(book: Book, coup: Coup) -> dict[str, Any]:
    facts = None if coup.is_void else book.facts[coup.index]
    fields: dict[str, Any] = {
        "player_count": coup.player_count,
        "banker_count": coup.banker_count,
        "player_natural": facts is not None and facts["player_natural"],
        "banker_natural": facts is not None and facts["banker_natural"],
        "cards_dealt": coup.cards_dealt,
        "outcome": coup.outcome,
    }
    edition = book.rules.edition
    for field, term in NAMED_ROUNDS.items():
        # An edition of one's own may have no such name; of the shipped ones all records are alike.
        if term in edition.definitions.round or edition.name in shipped_editions():
            fields[field] = _is_called(book, coup, term)
    return fields


def _is_called(book: Book, coup: Coup, term: str) -> bool:
    """Whether the term fits the hands, even in a shipped document that does not have it."""
    if coup.is_void:
        return False
    facts = book.facts[coup.index]
    assert facts is not None, "the tableau leads to no such finish"
    if term in facts:
        return bool(facts[term])
    if term == "dragon_7":
        return coup.banker_count == 7 and len(coup.banker) == 3 and coup.player_count < 7
    return coup.player_count == 8 and len(coup.player) == 3 and coup.banker_count < 8


def _calls(book: Book, coup: Coup, held: int, bank: int) -> list[dict[str, Any]]:
    """The dealer's calls; `held` and `bank` are the counts of the first two cards."""
    made: list[dict[str, Any]] = []
    for call in book.calls[coup.index]:
        if call.say is not None:
            made.append({"say": call.say})
        elif call.count is not None:
            made.append({"hand": call.count, "count": held if call.count == "player" else bank})
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


def _add_cites(cites: dict[str, Any], shared: _BookAnswers, settled: Settlement) -> None:
    """The clauses behind each field of the answer, under its name; a list has as many lists of clauses."""
    book = shared.book
    if settled.handed_because is not None:
        player, banker = settled.handed_because
        cites["handed_to"] = {
            "player_hand": shared.turnings[PLAYER_SIDE, player],
            "banker_hand": shared.turnings[BANKER_SIDE, banker],
        }
    if settled.early_steps:
        cites["house_money_steps"] = [shared.cites(early_cites(book, step)) for step in settled.early_steps]
    cites["wagers"] = [shared.cites(line.cites) for line in settled.lines]
    of_act = shared.of_act
    acts = [of_act.get(step.act) or shared.cites(step_cites(book, settled, step)) for step in settled.steps]
    collect = [of_act["collect_losing_wagers"]] if settled.losers else []
    cites["settlement"] = collect + acts if book.rules.edition.settlement.losers_first else acts + collect
    if settled.awards is not None:
        cites["meters_after_round"] = shared.cites(book.royal9_cites)
    if settled.must_hit is not None:
        cites["must_hit"] = shared.cites(settled.must_hit.cites)


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
        made["coupon"] = "left with the wager" if line.result is WagerResult.PUSH else "taken"
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


def _stakes_by_seat(settled: Settlement) -> dict[str, int]:
    total: dict[int, int] = {}
    for line in settled.lines:
        total[line.wager.seat] = total.get(line.wager.seat, 0) + line.wager.stake
    return {str(seat): amount for seat, amount in sorted(total.items())}
