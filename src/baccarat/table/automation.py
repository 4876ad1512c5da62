"""Automation: from outside the machine, it performs the acts that are expected of those who are not there."""

from __future__ import annotations

from collections.abc import Callable

from baccarat.play.refusal import Refused
from baccarat.table.actor import Actor, Approval
from baccarat.table.base import Accepted, Command, Due, table_rules
from baccarat.table.correction import ConfirmCard
from baccarat.table.dealers import ComeOn
from baccarat.table.machine import Table, iter_expected
from baccarat.table.role import Role
from baccarat.table.seating_acts import Sit
from baccarat.table.source import CardSource
from baccarat.table.step.abandoning import AbandonShoe
from baccarat.table.step.announcing import AnnounceResult
from baccarat.table.step.burning import BurnCards
from baccarat.table.step.by_hand import usual_steps
from baccarat.table.step.calling import CallCards, CallNoMoreBets
from baccarat.table.step.clearing import ClearTable
from baccarat.table.step.closing import CloseShoe, CollectVigorish
from baccarat.table.step.curating import AnswerShoe, PassShoe
from baccarat.table.step.cutting import AnswerCut, CutCards, LoadShoe, PlaceCoverCard
from baccarat.table.step.dealing import DrawCard
from baccarat.table.step.house_money import SettleHouseMoney
from baccarat.table.step.must_hit import EndRound, SealTrigger, not_reached, seal_of
from baccarat.table.step.opening import LaceCards, PrepareCards, ReceiveCards, ShuffleCards
from baccarat.table.step.relinquishing import AnswerTurn
from baccarat.table.step.revealing import ReportLostSeed, RevealSeed
from baccarat.table.step.sealing import CommitShoe, Contribute, FailShoe, SealOrder
from baccarat.table.step.settlement import CollectLosers, GiveAward, Pay, TakeVigorish
from baccarat.table.step.turning import AnnounceCount, HandCards, ReturnCards, TurnCard
from baccarat.table.step.turning_right import turning_side
from baccarat.table.vigorish_debt import ComplimentaryForm, DocumentVigorish, ReceiveForms, ReportException

NO_SEED = "nobody has the seed any more"


def next_due(table: Table, source: CardSource) -> Due:
    """The next act that must be done; an electronic shoe commits to its seed as soon as it may."""
    for due in iter_expected(table.rules, table.state):
        if not due.optional or (due.act == "commit_shoe" and source.promise(table.rules, table.state) is not None):
            return due
    raise AssertionError("nobody has wagered: only participants can act now")


def perform(table: Table, due: Due, source: CardSource) -> Accepted | Refused:
    """Do one act that is due."""
    command = command_for(table, due, source)
    return table.do(command, actor_for(table, command))


def actor_for(table: Table, command: Command) -> Actor:
    """Whoever does an act that is due, with the second person where there must be one."""
    match command:
        case DocumentVigorish():
            second = Approval(who="pit boss", role=Role.PIT_BOSS, what=command.name)
        case ReportException() | ReportLostSeed():
            second = Approval(who="casino supervisor", role=Role.CASINO_SUPERVISOR, what=command.name)
        case ShuffleCards():
            return table.usual_actor(command, who=_next_dealer(table))
        case _:
            return table.usual_actor(command)
    return table.usual_actor(command, approvals=(second,))


def command_for(table: Table, due: Due, source: CardSource) -> Command:
    """The command by which an act that is due is done."""
    return MAKERS[due.act](table, due, source)


def _confirm(table: Table, due: Due, source: CardSource) -> Command:
    """The card as it lies there, of which nobody has a proof."""
    assert due.position is not None, "a card that is to be turned has its position"
    return ConfirmCard(position=due.position, card=source.card(table.state, due.position)[0])


def _turn(table: Table, _due: Due, source: CardSource) -> Command:
    state = table.state
    if state.step in ("burn", "close"):
        position = next(place for place in state.shoe.burn if place not in state.shoe.burned)
    elif state.step == "expose":
        position = state.shoe.exposing[0]
    else:
        side = turning_side(state)
        assert side is not None, "a card is due to be turned"
        position = next(place for place in state.round.hand(side) if place not in state.round.turned)
    card, proof = source.card(state, position)
    return TurnCard(position=position, card=card, proof=proof)


def _receive(table: Table, _due: Due, _source: CardSource) -> Command:
    decks = table.rules.elections.decks or 0
    return ReceiveCards(set_id=f"set {table.state.shoe.number + 1}", decks=decks)


def _shuffle(table: Table, _due: Due, _source: CardSource) -> Command:
    steps = usual_steps(table_rules(table.rules), fresh=table.state.shoe.is_fresh)
    some = table.state.step == "reshuffle" and table.rules.elections.reshuffle_after_lace == "some"
    return ShuffleCards(steps=steps, cards=52 if some else 0)


def _next_dealer(table: Table) -> str:
    """The dealer who shuffles next, where each does once."""
    dealers = table.state.seats.dealers
    done = table.state.shoe.shuffled_by if table.state.step == "shuffle" else ()
    return next((name for name in dealers if name not in done), dealers[0])


def _end_round(table: Table, _due: Due, source: CardSource) -> Command:
    opened = source.must_hit(table.state)
    elected = table.rules.elections.must_hit
    assert elected is not None, "only due where the licensee has it"
    meter = table.state.meters.must_hit + elected.contribution * len(table.state.round.royal9_seats)
    if meter < opened.trigger:
        return EndRound(not_reached=not_reached(elected, opened.trigger, opened.salt, meter=meter))
    return EndRound(trigger=opened.trigger, salt=opened.salt, lot=opened.lot)


def _seal_trigger(table: Table, _due: Due, source: CardSource) -> Command:
    opened, elected = source.must_hit(table.state), table.rules.elections.must_hit
    assert elected is not None, "only due where the licensee has it"
    return SealTrigger(seal=seal_of(elected, opened.trigger, opened.salt))


def _commit(table: Table, _due: Due, source: CardSource) -> Command:
    held = source.promise(table.rules, table.state)
    assert held is not None, "only an electronic shoe commits to anything"
    return CommitShoe(table=held.table, shoe=held.shoe, commitment=held.hash)


def _seal(table: Table, _due: Due, source: CardSource) -> Command:
    fault = source.gate(table.state)
    return SealOrder(root=source.root(table.state)) if fault is None else FailShoe(why=fault)


def _reveal(table: Table, _due: Due, source: CardSource) -> Command:
    seed = source.seed(table.state)
    return RevealSeed(seed=seed) if seed else ReportLostSeed(reason=NO_SEED)


def _come_on(table: Table, _due: Due, _source: CardSource) -> Command:
    names = (f"dealer {number}" for number in range(2, len(table.state.seats.dealers) + 3))
    return ComeOn(person=next(name for name in names if name not in table.state.seats.dealers))


def _document(table: Table, due: Due, _source: CardSource) -> Command:
    law = table.rules.edition.vigorish_form
    assert law is not None, "only due where the document has a form"
    form = ComplimentaryForm(
        copies=law.copies,
        serial=table.state.money.next_form,
        amount=table.state.money.markers[due.seat],
        patron=f"seat {due.seat}",
        dealer="dealer",
        pit_boss="pit boss",
        pit_clerk="pit clerk",
        why_not_signed="the patron has left",
        stated_by="pit boss",
    )
    return DocumentVigorish(seat=due.seat, form=form)


def _receive_forms(table: Table, _due: Due, _source: CardSource) -> Command:
    first = table.state.money.last_form + 1
    return ReceiveForms(first=first, last=first + 49)


def _report(_table: Table, due: Due, _source: CardSource) -> Command:
    return ReportException(seat=due.seat, reason="cannot pay")


def _draw(_table: Table, due: Due, _source: CardSource) -> Command:
    return DrawCard(seat=due.seat)


def _prepare(table: Table, _due: Due, _source: CardSource) -> Command:
    return PrepareCards(act=table.state.step)


def _cut(table: Table, due: Due, source: CardSource) -> Command:
    return CutCards(seat=due.seat, in_front=source.cut(table.state))


def _cover(table: Table, _due: Due, _source: CardSource) -> Command:
    return PlaceCoverCard(behind=table.rules.elections.cover_card_depth or 14)


Maker = Callable[[Table, Due, CardSource], Command]
MAKERS: dict[str, Maker] = {
    "receive_cards": _receive,
    "prepare_cards": _prepare,
    "sit": lambda _table, _due, _source: Sit(seat=1, person="first arrival"),
    "shuffle_cards": _shuffle,
    "lace_cards": lambda _table, _due, _source: LaceCards(cards=52),
    "answer_cut": lambda _table, due, _source: AnswerCut(seat=due.seat, accept=False),
    "cut_cards": _cut,
    "place_cover_card": _cover,
    "commit_shoe": _commit,
    "contribute": lambda _table, due, _source: Contribute(seat=due.seat, value=f"seat {due.seat}"),
    "seal_order": _seal,
    "reveal_seed": _reveal,
    "report_lost_seed": lambda _table, _due, _source: ReportLostSeed(reason=NO_SEED),
    "abandon_shoe": lambda _table, _due, _source: AbandonShoe(reason="another shoe takes its place"),
    "confirm_card": _confirm,
    "load_shoe": lambda _table, _due, _source: LoadShoe(),
    "burn_cards": lambda _table, _due, _source: BurnCards(),
    "turn_card": _turn,
    "answer_shoe": lambda _table, due, _source: AnswerShoe(seat=due.seat, accept=True),
    "pass_shoe": lambda _table, due, _source: PassShoe(seat=due.seat),
    "seal_trigger": _seal_trigger,
    "call_no_more_bets": lambda _table, _due, _source: CallNoMoreBets(),
    "call_cards": lambda _table, _due, _source: CallCards(),
    "draw_card": _draw,
    "hand_cards": lambda _table, _due, _source: HandCards(),
    "return_cards": lambda _table, due, _source: ReturnCards(seat=due.seat),
    "answer_turn": lambda _table, due, _source: AnswerTurn(seat=due.seat, accept=False),
    "announce_count": lambda _table, _due, _source: AnnounceCount(),
    "settle_house_money": lambda _table, due, _source: SettleHouseMoney(seat=due.seat),
    "announce_result": lambda _table, _due, _source: AnnounceResult(),
    "collect_losers": lambda _table, _due, _source: CollectLosers(),
    "take_vigorish": lambda _table, due, _source: TakeVigorish(seat=due.seat),
    "pay": lambda _table, due, _source: Pay(seat=due.seat),
    "give_award": lambda _table, due, _source: GiveAward(seat=due.seat),
    "end_round": _end_round,
    "clear_table": lambda _table, _due, _source: ClearTable(),
    "collect_vigorish": lambda _table, due, _source: CollectVigorish(seat=due.seat),
    "come_on": _come_on,
    "receive_forms": _receive_forms,
    "document_vigorish": _document,
    "report_exception": _report,
    "close_shoe": lambda _table, _due, _source: CloseShoe(),
}


def run_until(
    table: Table, source: CardSource, *, stop: Callable[[Table], bool], wagers: Callable[[Table], None]
) -> None:
    """Do what is expected, letting the company wager when it may, until `stop` says so or the table has stopped."""
    asked: tuple[int, int] | None = None
    while not stop(table):
        moment = (table.state.shoe.number, table.state.round.number)
        if table.state.step == "wager" and asked != moment:
            asked = moment
            wagers(table)
        if table.state.stopped and all(due.optional for due in table.expected):
            return
        due = next_due(table, source)
        outcome = perform(table, due, source)
        assert isinstance(outcome, Accepted), f"an expected act is accepted: {due} gave {outcome}"
