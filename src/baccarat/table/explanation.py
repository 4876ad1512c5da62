"""Explaining: what is said at the table now, what comes next, and the question that a reader may have at this moment.

All of it is made from cards that are turned and from what lies on the felt, so that everybody at the table may read it.
Nothing here names what one person owes, or a set of cards by its boxes.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from msgspec.structs import replace

from baccarat.law.row import Draw
from baccarat.law.rulebook import Rulebook
from baccarat.law.section import CARDS, NO_MORE_BETS
from baccarat.money import Cents
from baccarat.play.book import NO_CARD
from baccarat.play.coup import Announcement
from baccarat.play.hand import BANKER_SIDE, PLAYER_SIDE, Side
from baccarat.play.wager import WagerKind
from baccarat.table.base import Due, TableRules, table_rules
from baccarat.table.due_data import sentence_of
from baccarat.table.registry import COMMANDS
from baccarat.table.round_state import FREE_HAND, SIMULATED, WAGERED
from baccarat.table.state import DEALER, TableState, with_round
from baccarat.table.step.announcing import announced_cards, coup_of, result_call, result_calls, settlement_by_cards
from baccarat.table.step.house_money import HOUSE_MONEY
from baccarat.table.step.revealing import is_stopped_by_seed
from baccarat.table.step.turning_right import COUNTING, RELINQUISH, holder, next_offer, turned_under, turning_side
from baccarat.table.step.wagering import NO_MORE_BETS as NO_MORE_BETS_ROW
from baccarat.table.step.wagering import WAGER
from baccarat.table.tableau import both_counted, row_of, ruling, two_card_count


class CitedWords(msgspec.Struct, frozen=True, kw_only=True):
    """Words, and the clauses behind them; their name and parameters are for readers of another language."""

    say: str = ""
    cites: tuple[str, ...] = ()
    what: str = ""
    params: dict[str, int | str] = {}


class SpokenCall(msgspec.Struct, frozen=True, kw_only=True):
    """One call as data, so that it can be shown in another language; `say` are the document's own words."""

    name: str
    say: str
    hand: str = ""
    count: int = 0
    player: int = 0
    banker: int = 0
    winner: str = ""


class DealerCall(CitedWords, frozen=True, kw_only=True):
    """What the dealer calls, whole and in its parts."""

    calls: tuple[SpokenCall, ...] = ()


class TableauRow(msgspec.Struct, frozen=True, kw_only=True):
    """What the Banker does on a count, by the value of the Player's third card, 0 to 9, and where there is none."""

    banker: int
    acts: tuple[str, ...]


class TableauCell(msgspec.Struct, frozen=True, kw_only=True):
    """The rows of the tableau that depend on the Player's third card, and the place of this round in it."""

    rows: tuple[TableauRow, ...]
    banker: int
    third: int | None = None
    """The value of the Player's third card, once it is turned."""


class HandCount(msgspec.Struct, frozen=True, kw_only=True):
    """A hand as it counts now, and whether it is a natural."""

    count: int
    natural: bool = False


class WagerLine(msgspec.Struct, frozen=True, kw_only=True):
    """What happened to one wager, in cents."""

    seat: int
    on: WagerKind
    stake: int
    result: str
    """`win`, `lose` or `push`."""
    win: int = 0
    """What is paid in addition to the stake; 0 for an award, which the dealer's act states."""
    vigorish: int = 0
    rate: int = 0
    """The percentage of what it wins that the vigorish is; 0 where there is none."""
    coin: int = 0
    """What the vigorish was raised to a multiple of, in cents; 0 where it was not rounded."""
    row: str = ""
    """The row of the pay table that it is paid by, where it has a name."""
    cites: tuple[str, ...] = ()


class Explained(msgspec.Struct, frozen=True, kw_only=True):
    """One moment of a table, in words."""

    call: DealerCall = msgspec.field(default_factory=DealerCall)
    """The dealer's last words, as the document has them; empty where none were said in this round."""
    then: CitedWords = msgspec.field(default_factory=CitedWords)
    """What happens now."""
    topic: str = ""
    """What the question is about, as a name: stopped, wager, drawing, turning or now."""
    question: str = ""
    """What an onlooker may want to ask now."""
    rulings: tuple[CitedWords, ...] = ()
    """What answers it: each with its clauses."""
    tableau: TableauCell | None = None
    hands: dict[str, HandCount] = {}
    """The hands whose count has been called, each with its third card once that is turned."""
    closed_by: tuple[str, ...] = ()
    """The clauses by which no wager is taken now; none while wagers are open."""
    lines: tuple[WagerLine, ...] = ()
    """The wagers whose outcome is known, for those who may see them."""


def explain(rules: Rulebook, state: TableState, due: Iterable[Due], *, at_table: bool = True) -> Explained:
    """What is said at a table now, and what a reader may ask.

    Someone who is not `at_table` does not see the wagers, nor what follows from them.
    """
    desk = table_rules(rules)
    then = _current_words(desk, state, [each for each in due if at_table or _is_for_all(each)], at_table=at_table)
    topic, question, rulings = _question(desk, state, then, at_table=at_table)
    return Explained(
        call=_call(desk, state),
        then=then,
        topic=topic,
        question=question,
        rulings=rulings,
        tableau=_cell(desk, state) if both_counted(state.round) else None,
        hands={side.value: _hand_count(desk, state, side) for side in state.round.counted},
        closed_by=_closing_cites(desk, state),
        lines=lines(desk, state) if at_table else (),
    )


def _closing_cites(rules: TableRules, state: TableState) -> tuple[str, ...]:
    """The clauses by which no wager is taken: the dealer's call, or what makes a round one without wagers."""
    if state.round.kind is SIMULATED:
        return state.round.why
    return rules.cites[NO_MORE_BETS_ROW] if state.round.closed and not state.round.void else ()


def _hand_count(rules: TableRules, state: TableState, side: Side) -> HandCount:
    cards, value = state.round.cards(side), rules.book.value
    opening = two_card_count(rules, state, side)
    return HandCount(
        count=sum(value[card] for card in cards) % 10,
        natural=len(state.round.hand(side)) == 2 and rules.book.natural[opening],
    )


def lines(rules: TableRules, state: TableState) -> tuple[WagerLine, ...]:
    """What has happened to the wagers so far: House Money once it is settled, all others once the result is called."""
    round_ = state.round
    early = [
        WagerLine(
            seat=act.seat,
            on=WagerKind.HOUSE_MONEY,
            stake=act.stake or act.amount,
            result="win" if act.act == "pay" else "lose",
            win=act.amount if act.act == "pay" else 0,
            cites=rules.cites.get(HOUSE_MONEY, ()),
        )
        for act in round_.house_lines
    ]
    if not round_.announced or round_.void or round_.kind is not WAGERED:
        return tuple(early)
    settled = settlement_by_cards(rules, state, announced_cards(state))
    late = [
        WagerLine(
            seat=line.wager.seat,
            on=line.wager.on,
            stake=line.wager.stake + (line.pressed or 0),
            result=line.result.value,
            win=0 if line.wager.on is WagerKind.ROYAL9 else line.win,
            vigorish=line.vigorish,
            rate=rules.book.vig_rate if line.vigorish else 0,
            coin=rules.book.vig_coin if line.vigorish else 0,
            row=line.row or "",
            cites=tuple(map(str, line.cites)),
        )
        for line in settled.lines
    ]
    return (*early, *late)


def _is_for_all(due: Due) -> bool:
    """Whether viewers who do not see the wagers may see an act: it moves no money, and is nobody's by a wager."""
    return not due.amount and not COMMANDS[due.act].CARD.by_wager


# ------------------------------------------------------------------------------------------------ the words


def _call(rules: TableRules, state: TableState) -> DealerCall:
    """The last words of the dealer in this round."""
    round_ = state.round
    if round_.announced and not round_.void:
        coup = coup_of(rules, with_round(state, turned=dict(announced_cards(state))))
        calls, cites = result_call(rules, coup)
        say = ", ".join(each if each.startswith("“") else f"“{each}”" for each in calls)
        final, named = result_calls(coup)
        return DealerCall(say=say, cites=cites, calls=tuple(map(_call_data, (*final, *named))))
    if round_.counted and not round_.void:
        side = round_.counted[-1]
        call = next(
            each for each in rules.edition.calls if each.count == side.value and rules.rulebook.meets(each.when)
        )
        count = two_card_count(rules, state, side)
        say = f"“{side} {count}”"
        data = SpokenCall(name=call.name, say=say, hand=side.value, count=count)
        return DealerCall(say=say, cites=rules.cite_text(*call.cite), calls=(data,))
    if round_.cards_called and not round_.void:
        return _named_call(rules, CARDS)
    is_called = round_.closed and round_.kind is not SIMULATED and not round_.void  # of a round with wagers alone
    return _named_call(rules, NO_MORE_BETS) if is_called else DealerCall()


def _named_call(rules: TableRules, name: str) -> DealerCall:
    call = rules.edition.call(name)
    say = f"“{call.say}”"
    return DealerCall(say=say, cites=rules.cite_text(*call.cite), calls=(SpokenCall(name=name, say=say),))


def _call_data(call: Announcement) -> SpokenCall:
    player, banker = call.final or (0, 0)
    return SpokenCall(
        name=call.name, say=str(call), player=player, banker=banker, count=call.total_cards or 0,
        winner=call.winner.value if call.winner else "",
    )  # fmt: skip


def _current_words(rules: TableRules, state: TableState, due: list[Due], *, at_table: bool) -> CitedWords:
    """What happens now: the table has stopped, wagers are open, or somebody has to act."""
    if is_stopped_by_seed(state):
        say = "The table has stopped, because the seed of its electronic shoe was not revealed in time."
        return CitedWords(say=say, cites=rules.cites["close"], what="seed_overdue")
    if state.stopped:
        say = f"The table has stopped: {state.stopped}." if at_table else "The table has stopped."
        return CitedWords(say=say, what="table_stopped")
    if state.step == WAGER:
        return _wagering_words(rules, state)
    must = next((each for each in due if not each.optional), None)
    if must is None:
        return CitedWords()
    if both_counted(state.round) and must.act == "draw_card":
        side = (
            PLAYER_SIDE if len(state.round.player) == 2 and _acts(rules, state, PLAYER_SIDE) == "draw" else BANKER_SIDE
        )
        return _ruling_words(rules, state, side)[0]
    card = COMMANDS[must.act].CARD
    if card.ask_is_public:
        sentence = sentence_of(rules, state, must)
        return CitedWords(say=must.say, cites=must.cites, what=sentence.what, params=sentence.params)
    return CitedWords(say=card.public_ask, cites=must.cites, what=must.act) if card.public_ask else CitedWords()


def _wagering_words(rules: TableRules, state: TableState) -> CitedWords:
    if state.round.kind is SIMULATED:
        say = "A simulated round is dealt: no wager counts, and the roads do not grow."
        return CitedWords(say=say, cites=state.round.why, what="simulated_round")
    if state.round.kind is FREE_HAND:
        say = f"Seat {state.round.asked_by} has asked for a Free Hand: it is dealt unless somebody wagers."
        return CitedWords(say=say, cites=rules.cites[WAGER], what="free_hand", params={"seat": state.round.asked_by})
    last = " It is the last hand of the shoe." if state.shoe.is_last else ""
    what = "place_your_wagers_last" if last else "place_your_wagers"
    return CitedWords(say=f"Place your wagers.{last}", cites=rules.cites[WAGER], what=what)


# ------------------------------------------------------------------------------------------------ the question


def _question(
    rules: TableRules, state: TableState, then: CitedWords, *, at_table: bool
) -> tuple[str, str, tuple[CitedWords, ...]]:
    """What the question is about, the question, and what answers it."""
    if state.stopped:
        return "stopped", "Why has the table stopped?", (then,)
    if state.step == WAGER:
        return "wager", "What may I wager here?", _may_wager(rules)
    if both_counted(state.round):
        return "drawing", *_drawing_question(rules, state)
    side = turning_side(state) if at_table and state.step in COUNTING else None
    if side is not None and state.round.closed:
        return "turning", *_turning_question(rules, state, side)
    return "now", "What happens now?", (then,) if then.say else ()


def _turning_question(rules: TableRules, state: TableState, side: Side) -> tuple[str, tuple[CitedWords, ...]]:
    """Who turns a hand, or is offered to, and the clauses: the right may have been relinquished or taken over."""
    given_up = (CitedWords(cites=rules.cites[RELINQUISH]),)
    if state.round.offering is side:
        seat = next_offer(rules, state, side, state.round.offered)
        return f"Why is seat {seat} offered to turn the {side}’s cards?", given_up
    seat = holder(rules, state, side)
    first = holder(rules, replace(state, round=replace(state.round, holders={})), side)
    question = f"Why does {'the dealer' if seat == DEALER else f'seat {seat}'} turn the {side}’s cards?"
    return question, (CitedWords(cites=turned_under(rules, state, side)),) if seat == first else given_up


def _may_wager(rules: TableRules) -> tuple[CitedWords, ...]:
    """Every wager that is offered, with its limits; then how long wagers are taken."""
    limits = rules.elections.limits or {}
    offered = [
        CitedWords(
            say=f"{title_of(rules, kind.value)}: {Cents(limits[kind.value].min)} to {Cents(limits[kind.value].max)}.",
            cites=rules.permits[kind.value][:1],
            what="limits",
            params={"on": kind.value, "min": limits[kind.value].min, "max": limits[kind.value].max},
        )
        for kind in rules.book.kinds
        if kind.value in limits
    ]
    return (*offered, CitedWords(cites=rules.cites[NO_MORE_BETS_ROW]))


def title_of(rules: TableRules, wager: str) -> str:
    """The name of a wager as the edition has it, with the hand that it is on where it is offered on both."""
    found = rules.edition.wagers[wager]
    twice = sum(each.law.title == found.law.title for each in rules.edition.wagers.values()) > 1
    return f"{found.law.title} on {found.hand.title()}" if twice and found.hand else found.law.title


def _acts(rules: TableRules, state: TableState, side: Side) -> str:
    return row_of(rules, state, side).act


def _drawing_question(rules: TableRules, state: TableState) -> tuple[str, tuple[CitedWords, ...]]:
    """Why a hand draws or stays: the Player's until its third card is up, then the Banker's."""
    round_ = state.round
    player = _ruling_words(rules, state, PLAYER_SIDE)
    if player[1] == "draw" and (len(round_.player) < 3 or round_.player[2] not in round_.turned):
        return "Why does the Player draw?", (player[0],)
    banker = _ruling_words(rules, state, BANKER_SIDE)
    is_over = len(round_.banker) > 2 or banker[1] == "stay"
    verb = f"did the Banker {banker[1]}" if is_over else f"does the Banker {banker[1]}"
    return f"Why {verb}?", (banker[0], player[0])


def _ruling_words(rules: TableRules, state: TableState, side: Side) -> tuple[CitedWords, str]:
    row: Draw = row_of(rules, state, side)
    note = ruling(rules, state, side)
    say, cites = f"{note.say[:1].upper()}{note.say[1:]}.", rules.cite_text(*row.cite)
    return CitedWords(say=say, cites=cites, what=note.what, params={**note.params, "side": side.value}), row.act


def _cell(rules: TableRules, state: TableState) -> TableauCell:
    """The rows that depend on the Player's third card, and the place of this round among them."""
    table = rules.book.banker_row[False]
    rows = [
        TableauRow(banker=banker, acts=tuple(row.act if row is not None else "" for row in found))
        for banker, found in enumerate(table)
        if len({row.act for row in found[:NO_CARD] if row is not None}) > 1
    ]
    third = state.round.turned.get(state.round.player[2]) if len(state.round.player) > 2 else None
    return TableauCell(
        rows=tuple(rows),
        banker=two_card_count(rules, state, BANKER_SIDE),
        third=rules.book.value[third] if third is not None else None,
    )
