"""Asking: every act that is due, as a sentence with its sum, its card and its seat, so that a console knows no game.

Each act has one function here, which completes the `Due` of its step: `amount` in cents where money moves, `position`
where a card does, and `say`, what is to be done in words.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from baccarat.law.section import CARDS, NO_MORE_BETS
from baccarat.money import Cents
from baccarat.play.wager import WagerKind
from baccarat.table.base import Due, TableRules
from baccarat.table.irregularity.remedy import EXPOSE
from baccarat.table.state import DEALER, RoundKind, TableState
from baccarat.table.step.burning import BURN, unshown
from baccarat.table.step.closing import CLOSE
from baccarat.table.step.house_money import house_money_verdict
from baccarat.table.step.opening import shuffles_wanted
from baccarat.table.step.settlement import MARK
from baccarat.table.step.turning_right import holder, turning_side
from baccarat.table.story_words import PREPARATION
from baccarat.table.tableau import next_to_draw, two_card_count

Asker = Callable[[TableRules, TableState, Due], Due]
ASKERS: dict[str, Asker] = {}


def asks(*acts: str) -> Callable[[Asker], Asker]:
    """Register how acts are asked for."""

    def register(asker: Asker) -> Asker:
        for act in acts:
            assert act not in ASKERS, f"{act} is asked for twice"
            ASKERS[act] = asker
        return asker

    return register


def with_sentence(rules: TableRules, state: TableState, due: Due) -> Due:
    """An act that is due, with its sum, its card and its sentence."""
    return ASKERS[due.act](rules, state, due)


def _plain(say: str, *acts: str) -> None:
    """An act that needs nothing but its sentence."""
    asks(*acts)(lambda _rules, _state, due: replace(due, say=say))


def _cards(number: int) -> str:
    return "one card" if number == 1 else f"{number} cards"


def _number(position: int) -> int:
    """The number of a card in the shoe, counted from one as people count."""
    return position + 1


_plain("Somebody sits down before the cards are washed.", "sit")
_plain("The floorperson calls another dealer onto the game, so that enough of them can shuffle.", "come_on")
_plain("An electronic shoe commits to its seed.", "commit_shoe")
_plain("The electronic shoe seals its order, before anybody is offered the cut.", "seal_order")
_plain("The electronic shoe reveals its seed, or two persons report that it is lost.", "reveal_seed")
_plain(
    "The floorperson and another report that nobody has the seed of the electronic shoe any more.", "report_lost_seed"
)
_plain("The floorperson has the shoe that stopped the table taken away, and says why.", "abandon_shoe")
_plain("The dealer puts the stack into the shoe.", "load_shoe")
_plain("The dealer seals the Must Hit's trigger, before a wager feeds its meter.", "seal_trigger")
_plain("The dealer announces the result.", "announce_result")
_plain("The dealer ends the round for the Must Hit.", "end_round")
_plain("The dealer clears the table: the cards go to the discards.", "clear_table")
_plain("The pit clerk brings a series of blank forms.", "receive_forms")


# --------------------------------------------------------------------------------------- before the play


@asks("receive_cards")
def _receive(rules: TableRules, state: TableState, due: Due) -> Due:
    kind = f"another set than {state.shoe.former_set}" if state.shoe.former_set else "a set"
    return replace(due, say=f"The dealer receives {rules.elections.decks} decks of cards, {kind}.")


@asks("prepare_cards")
def _prepare(_rules: TableRules, state: TableState, due: Due) -> Due:
    done = PREPARATION.get(state.step, f"does the act of {state.step.replace('_', ' ')}")
    return replace(due, say=f"The {due.by.value} {done}.")


@asks("shuffle_cards")
def _shuffle(rules: TableRules, state: TableState, due: Due) -> Due:
    wanted, done = shuffles_wanted(rules), len(state.shoe.shuffled_by)
    if state.step == "shuffle" and wanted > 1:
        return replace(due, say=f"Dealer {done + 1} of {wanted} shuffles the cards.")
    again = " again" if state.step != "shuffle" or state.shoe.reshuffle else ""
    return replace(due, say=f"A dealer shuffles the cards{again}.")


@asks("lace_cards")
def _lace(_rules: TableRules, _state: TableState, due: Due) -> Due:
    return replace(due, say="The dealer laces cards into the stack.")


@asks("contribute")
def _contribute(_rules: TableRules, _state: TableState, due: Due) -> Due:
    return replace(due, say=f"Seat {due.seat} may contribute a text of its own to the order of the electronic shoe.")


@asks("answer_cut")
def _answer_cut(_rules: TableRules, _state: TableState, due: Due) -> Due:
    return replace(due, say=f"Seat {due.seat} is offered the cut and takes or declines it.")


@asks("cut_cards")
def _cut(rules: TableRules, _state: TableState, due: Due) -> Due:
    who = "The dealer" if due.seat == DEALER else f"Seat {due.seat}"
    depth = rules.edition.cut.at_least
    return replace(due, say=f"{who} cuts the stack, at least {_cards(depth)} from either end.")


@asks("place_cover_card")
def _cover(rules: TableRules, _state: TableState, due: Due) -> Due:
    depth = rules.elections.cover_card_depth
    where = f" with {_cards(depth)} behind it" if depth else ""
    return replace(due, say=f"The dealer puts the cover card into the stack{where}.")


@asks("burn_cards")
def _burn(_rules: TableRules, state: TableState, due: Due) -> Due:
    shoe = state.shoe
    if not shoe.burn:
        return replace(due, position=shoe.next, say="The dealer draws the first card of the shoe, which is burned.")
    return replace(due, position=shoe.next, say=f"The dealer burns {_cards(shoe.burn_left)} more.")


@asks("answer_shoe")
def _answer_shoe(_rules: TableRules, _state: TableState, due: Due) -> Due:
    return replace(due, say=f"Seat {due.seat} is offered the shoe and takes or declines it.")


@asks("pass_shoe")
def _pass_shoe(_rules: TableRules, _state: TableState, due: Due) -> Due:
    who = f"of seat {due.seat} " if due.seat else ""
    return replace(due, say=f"The shoe {who}passes to the next who wants it.")


# ------------------------------------------------------------------------------------------- the round


@asks("place_wager")
def _wager(_rules: TableRules, _state: TableState, due: Due) -> Due:
    return replace(due, say="Participants may wager.")


@asks("call_no_more_bets")
def _no_more_bets(rules: TableRules, state: TableState, due: Due) -> Due:
    lies = sum(wager.stake for wager in state.round.wagers)
    calls = rules.edition.call(NO_MORE_BETS).say
    return replace(due, amount=lies, say=f"The dealer calls “{calls}”; {Cents(lies)} lies on the layout.")


@asks("call_cards")
def _call_cards(rules: TableRules, _state: TableState, due: Due) -> Due:
    return replace(due, say=f"The dealer calls “{rules.edition.call(CARDS).say}”.")


@asks("draw_card")
def _draw(rules: TableRules, state: TableState, due: Due) -> Due:
    to = next_to_draw(rules, state)
    who = f"Seat {due.seat}" if due.seat else "The dealer"
    if state.shoe.left == 0 and not state.shoe.carried:
        return replace(due, say=f"No card is left for the {to}: the round is void as soon as one is asked for.")
    if state.shoe.carried and state.round.kind is not RoundKind.SIMULATED:
        waiting = state.shoe.carried[0]
        say = f"{who} lays the card that was carried over, card {_number(waiting)}, for the {to}."
        return replace(due, position=waiting, say=say)
    say = f"{who} draws card {_number(state.shoe.next)} for the {to}, face down."
    return replace(due, position=state.shoe.next, say=say)


@asks("turn_card")
def _turn(_rules: TableRules, state: TableState, due: Due) -> Due:
    position, whose = _to_turn(state)
    return replace(due, position=position, say=f"The dealer turns card {_number(position)}, {whose}.")


@asks("confirm_card")
def _confirm(_rules: TableRules, state: TableState, due: Due) -> Due:
    position, whose = _to_turn(state)
    say = f"The floorperson confirms card {_number(position)}, {whose}, if it cannot be proved: the shoe is foul."
    return replace(due, position=position, say=say)


def _to_turn(state: TableState) -> tuple[int, str]:
    """The card to be turned next, and what it is."""
    if state.step in (BURN, CLOSE):
        burned = unshown(state)
        assert burned is not None, "a burned card is due to be turned"
        return burned, "which was burned"
    if state.step == EXPOSE:
        return state.shoe.exposing[0], "on its way to the discards"
    side = turning_side(state)
    assert side is not None, "a card is due to be turned"
    position = next(each for each in state.round.hand(side) if each not in state.round.turned)
    return position, f"the {side}'s"


@asks("hand_cards")
def _hand(rules: TableRules, state: TableState, due: Due) -> Due:
    side = turning_side(state)
    assert side is not None, "cards are due to be handed"
    seat = holder(rules, state, side)
    unturned = [each for each in state.round.hand(side) if each not in state.round.turned]
    what = f"card {_number(unturned[0])}" if len(unturned) == 1 else f"the {len(unturned)} cards of the {side}"
    return replace(due, seat=seat, position=unturned[0], say=f"The dealer hands {what}, face down, to seat {seat}.")


@asks("return_cards")
def _return(_rules: TableRules, state: TableState, due: Due) -> Due:
    return replace(due, say=f"Seat {due.seat} looks, and hands the {turning_side(state)}'s cards back face up.")


@asks("answer_turn")
def _answer_turn(_rules: TableRules, state: TableState, due: Due) -> Due:
    return replace(due, say=f"Seat {due.seat} is offered to turn the {state.round.offering}'s cards, and answers.")


@asks("announce_count")
def _count(rules: TableRules, state: TableState, due: Due) -> Due:
    side = turning_side(state)
    assert side is not None, "a hand is due to be counted"
    return replace(due, say=f"The dealer announces the count: “{side} {two_card_count(rules, state, side)}”.")


# ------------------------------------------------------------------------------------------ settlement


@asks("settle_house_money")
def _house_money(rules: TableRules, state: TableState, due: Due) -> Due:
    stake, win = house_money_verdict(rules, state, due.seat)
    if win is None:
        return replace(due, amount=stake, say=f"The dealer takes the House Money of seat {due.seat}, {Cents(stake)}.")
    onto = state.round.presses.get(due.seat)
    where = f", onto the {_on(onto)} wager as the seat has chosen" if onto is not None else ""
    return replace(due, amount=win, say=f"The dealer pays House Money at seat {due.seat}, {Cents(win)}{where}.")


@asks("press_house_money")
def _press(rules: TableRules, state: TableState, due: Due) -> Due:
    _, win = house_money_verdict(rules, state, due.seat)
    assert win is not None, "only a winner may press"
    say = f"Seat {due.seat} may have its {Cents(win)} of House Money added to a wager."
    return replace(due, amount=win, say=say)


def _on(kind: WagerKind) -> str:
    return kind.value.replace("_", " ").title()


@asks("collect_losers")
def _losers(_rules: TableRules, state: TableState, due: Due) -> Due:
    amount = sum(act.amount for act in state.round.acts if act.act == state.round.acts[0].act)
    return replace(due, amount=amount, say=f"The dealer collects the losing wagers, {Cents(amount)}.")


@asks("take_vigorish")
def _vigorish(_rules: TableRules, state: TableState, due: Due) -> Due:
    act = state.round.acts[0]
    done = "marks" if act.act == MARK else "collects"
    say = f"The dealer {done} vigorish of {Cents(act.amount)} at seat {act.seat}."
    return replace(due, amount=act.amount, say=say)


@asks("pay")
def _pay(_rules: TableRules, state: TableState, due: Due) -> Due:
    act = state.round.acts[0]
    return replace(due, amount=act.amount, say=f"The dealer pays seat {act.seat} {Cents(act.amount)}.")


@asks("give_award")
def _award(_rules: TableRules, state: TableState, due: Due) -> Due:
    act = state.round.acts[0]
    return replace(due, amount=act.amount, say=f"The dealer awards seat {act.seat} {Cents(act.amount)}: {act.row}.")


# ----------------------------------------------------------------------------------- the end of the shoe


@asks("close_shoe")
def _close(_rules: TableRules, state: TableState, due: Due) -> Due:
    return replace(due, say=f"The dealer closes the shoe, with {_cards(state.shoe.left)} left in it.")


@asks("collect_vigorish")
def _collect(_rules: TableRules, state: TableState, due: Due) -> Due:
    owed = state.money.markers[due.seat]
    return replace(due, amount=owed, say=f"The dealer collects the {Cents(owed)} that seat {due.seat}'s marker says.")


@asks("document_vigorish")
def _document(_rules: TableRules, state: TableState, due: Due) -> Due:
    owed, serial = state.money.markers[due.seat], state.money.next_form
    say = f"The pit clerk makes out form {serial} for the {Cents(owed)} that seat {due.seat} owes."
    return replace(due, amount=owed, say=say)


@asks("report_exception")
def _exception(_rules: TableRules, state: TableState, due: Due) -> Due:
    owed = state.money.markers[due.seat]
    say = f"The floorperson reports that seat {due.seat} cannot pay the {Cents(owed)} that it owes."
    return replace(due, amount=owed, say=say)
