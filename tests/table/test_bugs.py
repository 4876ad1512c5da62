"""The bugs that real casino software had, seeded one at a time: each is caught by the auditor or the invariants."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from msgspec.structs import replace

from acting import acting
from baccarat.cards import Card, Suit, decks
from baccarat.law.row import WagerResult
from baccarat.law.rulebook import rulebook
from baccarat.play import settle as play_settle
from baccarat.play.book import Book
from baccarat.play.coup import Coup
from baccarat.play.hand import Side
from baccarat.play.settlement import SettledLine, Settlement, SettlementStep
from baccarat.play.wager import Wager, WagerKind
from baccarat.play.wager.royal9 import Pair, Progressive, RoundAwards, award
from baccarat.table import card_correction, departure, registry, tableau
from baccarat.table.actor import Actor
from baccarat.table.base import Accepted, Command, Event, HandlerResult, TableRules
from baccarat.table.card_correction import CorrectCard
from baccarat.table.irregularity.error_card import ReportErrorCard
from baccarat.table.machine import Table
from baccarat.table.round_state import Round
from baccarat.table.seating_acts import Leave, Left, VigorishCollected
from baccarat.table.source import KeyedCards
from baccarat.table.state import TableState
from baccarat.table.step import announcing, burning, dealing, house_money, settlement, wagering
from baccarat.table.step.clearing import LastHandCalled, ShoeFinished, TableCleared
from baccarat.table.step.dealing import CardDrawn, DrawCard, RoundVoided
from baccarat.table.step.settlement import Pay
from baccarat.table.step.turning import CardTurned
from baccarat.table.step.wagering import PlaceWager, WithdrawWager
from table_walk import Walk, as_json, auditor_of, keyed

Patch = pytest.MonkeyPatch
EVOLVERS: dict[Any, Any] = registry.EVOLVERS
HANDLERS: dict[Any, Any] = registry.HANDLERS
BURN = "As 9c"
"""An ace, which calls for one more."""


def arranged(*rounds: str) -> KeyedCards:
    """Eight decks whose shoe, once cut in the middle, begins with a burn of two and these rounds."""
    first = [Card.parse(word) for text in (BURN, *rounds) for word in text.split()]
    left = Counter(decks(8))
    left.subtract(first)
    order = [*first, *left.elements()]
    half = len(order) // 2
    return KeyedCards(lambda _number: (*order[half:], *order[:half]))


class Scene:
    """A short fixed run: what is elected, which cards come, who wagers, what else is done."""

    def __init__(
        self,
        *rounds: str,
        name: str = "ma-midi-4",
        wagers: str = "1 player 5000, 2 banker 10200",
        act: Callable[[Walk], object] | None = None,
        acts_at: str = "",
        short: int = 0,
        **changes: Any,
    ) -> None:
        self.rounds, self.name, self.wagers, self.changes = rounds, name, wagers, changes
        self.act, self.acts_at, self.short = act, acts_at, short

    def run(self) -> None:
        """Play the rounds; anything wrong stops it."""
        rules = rulebook(self.name, **self.changes)
        walk = Walk(rules, arranged(*self.rounds))
        walk.seat(1, 2, 3)
        for _ in range(400):
            self._wager(walk)
            if walk.state.step == self.acts_at and self.act is not None:
                self.act(walk)
            if not walk.expected:
                break
            walk.go_on(short=self.short)
            if walk.state.step == "wager":
                walk.agrees_with_its_books()
            if walk.state.shoe.number or (not self.short and walk.state.round.number > len(self.rounds) + 1):
                break
        walk.replays()

    def _wager(self, walk: Walk) -> None:
        if walk.state.step != "wager" or walk.state.round.wagers:
            return
        for words in self.wagers.split(","):
            seat, kind, stake = words.split()
            outcome = walk.do(PlaceWager(seat=int(seat), on=WagerKind(kind), stake=int(stake)))
            assert isinstance(outcome, Accepted) or walk.state.at(int(seat)) is None, outcome


# ------------------------------------------------------------------------------------------ the tableau


def _drawing(patch: Patch, rule: Callable[[TableRules, TableState, Side, bool], bool]) -> None:
    real = tableau.draws

    def draws(rules: TableRules, state: TableState, side: Side) -> bool:
        return rule(rules, state, side, real(rules, state, side))

    patch.setattr(tableau, "draws", draws)


def banker_three_draws_on_eight(patch: Patch) -> None:
    def rule(rules: TableRules, state: TableState, side: Side, right: bool) -> bool:
        return right or (side is Side.BANKER and tableau.two_card_count(rules, state, side) == 3)

    _drawing(patch, rule)


def natural_on_one_side_ignored(patch: Patch) -> None:
    def rule(rules: TableRules, state: TableState, side: Side, right: bool) -> bool:
        return right or (side is Side.PLAYER and tableau.two_card_count(rules, state, side) < 6)

    _drawing(patch, rule)


def third_value_confused_with_the_count(patch: Patch) -> None:
    def rule(rules: TableRules, state: TableState, side: Side, right: bool) -> bool:
        round_ = state.round
        if side is Side.PLAYER or len(round_.player) < 3:
            return right
        final = sum(rules.book.value[round_.turned[place]] for place in round_.player) % 10
        return 2 <= final <= 7 if tableau.two_card_count(rules, state, side) == 4 else right

    _drawing(patch, rule)


# ---------------------------------------------------------------------------------------------- money


def _settling(patch: Patch, change: Callable[[Settlement], Settlement]) -> None:
    def settle_by(book: Book, coup: Coup, wagers: list[Wager], **more: Any) -> Settlement:
        settled = play_settle.settle_by(book, coup, wagers, **more)
        assert isinstance(settled, Settlement)
        return change(settled)

    patch.setattr(announcing, "settle_by", settle_by)


def _with_lines(settled: Settlement, change: Callable[[SettledLine], SettledLine]) -> Settlement:
    """Other lines, and the acts that they would lead to."""
    lines = tuple(change(line) for line in settled.lines)
    steps = [step for step in settled.steps if step.act == "royal9_award"]
    won = [line for line in lines if line.result is WagerResult.WIN and line.wager.on is not WagerKind.ROYAL9]
    for seat in sorted({line.wager.seat for line in won}, reverse=True):
        mine = [line for line in won if line.wager.seat == seat]
        owed = sum(line.vigorish for line in mine)
        steps += [SettlementStep(act="collect_vig", seat=seat, amount=owed)] if owed else []
        steps.append(SettlementStep(act="pay", seat=seat, amount=sum(line.win for line in mine)))
    losers = tuple({line.wager.seat: 0 for line in lines if line.result is WagerResult.LOSE})
    return replace(settled, lines=lines, steps=tuple(steps), losers=losers)


def tie_loses_player_and_banker(patch: Patch) -> None:
    def change(line: SettledLine) -> SettledLine:
        return replace(line, result=WagerResult.LOSE) if line.result is WagerResult.PUSH else line

    _settling(patch, lambda settled: _with_lines(settled, change))


def dragon_7_pays_banker_in_ez(patch: Patch) -> None:
    def change(line: SettledLine) -> SettledLine:
        pushed = line.wager.on is WagerKind.BANKER and line.result is WagerResult.PUSH
        return replace(line, result=WagerResult.WIN, win=line.wager.stake) if pushed else line

    _settling(patch, lambda settled: _with_lines(settled, change))


def two_card_panda_8(patch: Patch) -> None:
    def change(line: SettledLine) -> SettledLine:
        panda = line.wager.on is WagerKind.PANDA8
        return replace(line, result=WagerResult.WIN, win=line.wager.stake * 25) if panda else line

    _settling(patch, lambda settled: _with_lines(settled, change))


def vigorish_on_the_dragon_bonus(patch: Patch) -> None:
    def change(line: SettledLine) -> SettledLine:
        bonus = line.wager.on is WagerKind.DRAGON_BANKER and line.result is WagerResult.WIN
        return replace(line, vigorish=line.win * 5 // 100) if bonus else line

    _settling(patch, lambda settled: _with_lines(settled, change))


def float_payouts(patch: Patch) -> None:
    def change(line: SettledLine) -> SettledLine:
        if line.odds is None or line.result is not WagerResult.WIN:
            return line
        return replace(line, win=int(line.wager.stake * float(line.odds.to / line.odds.one)))

    _settling(patch, lambda settled: _with_lines(settled, change))


def nearest_quarter(patch: Patch) -> None:
    def change(line: SettledLine) -> SettledLine:
        return replace(line, vigorish=round(line.win * 5 / 100 / 25) * 25) if line.vigorish else line

    _settling(patch, lambda settled: _with_lines(settled, change))


def house_money_settled_twice(patch: Patch) -> None:
    def everyone(state: TableState) -> dict[int, Any]:
        return {wager.seat: wager for wager in state.round.wagers if wager.on is WagerKind.HOUSE_MONEY}

    patch.setattr(house_money, "_left", everyone)


def house_money_paid_twice(patch: Patch) -> None:
    kind = house_money.HouseMoneyPaid
    real = EVOLVERS[kind]
    patch.setitem(EVOLVERS, kind, lambda state, event: real(real(state, event), event))


def settlement_without_royal9(patch: Patch) -> None:
    def same(state: TableState, count: int = 1) -> Round:
        return state.round

    patch.setattr(settlement, "_done", same)


def marker_dropped_on_leaving(patch: Patch) -> None:
    def leave(rules: TableRules, state: TableState, command: Leave) -> HandlerResult:
        made = departure.leave(rules, state, command)
        if not isinstance(made, list):
            return made
        kept = [event for event in made if not isinstance(event, VigorishCollected)]
        person = state.at(command.seat)
        assert person is not None
        return [replace(event, chips=person.chips) if isinstance(event, Left) else event for event in kept]

    patch.setitem(HANDLERS, Leave, leave)


def truncated_tenth_of_a_meter(patch: Patch) -> None:
    _awarding(patch, lambda cents: cents // 10)


def two_winners_take_the_meter_each(patch: Patch) -> None:
    _awarding(patch, lambda cents: -(-cents // 10))


def _awarding(patch: Patch, part: Callable[[int], int]) -> None:
    """Each winner of a tenth of a meter gets this part of what it shows."""

    def bugged(progress: Progressive, meters: Mapping[str, int], seats: list[int], **hands: Pair) -> RoundAwards:
        made = award(progress, meters, seats, **hands)
        won = [seat for seat in seats if made.rows[seat].percent == 10]
        if not won:
            return made
        meter = made.rows[won[0]].meter or ""
        each = part(made.contributed[meter] // 1_000_000)
        after = made.after | {meter: made.contributed[meter] - each * len(won) * 1_000_000}
        return replace(made, awards=made.awards | dict.fromkeys(won, each), after=after)

    patch.setattr(play_settle, "award", bugged)


# ------------------------------------------------------------------------------------- cards and people


def cover_card_never_seen(patch: Patch) -> None:
    for module in (dealing, burning):
        patch.setattr(module, "cover_card_met", lambda *_args, **_more: [])


def shoe_ends_a_round_early(patch: Patch) -> None:
    def evolver(state: TableState, _event: Event) -> TableState:
        return replace(state, shoe=replace(state.shoe, last_called=True, is_last=True, finished=True))

    patch.setitem(EVOLVERS, LastHandCalled, evolver)
    patch.setattr(LastHandCalled, "REWINDS", True)


def shoe_ends_a_round_late(patch: Patch) -> None:
    patch.setitem(EVOLVERS, ShoeFinished, lambda state, _event: state)


def carried_card_discarded(patch: Patch) -> None:
    real = EVOLVERS[TableCleared]

    def evolver(state: TableState, event: Event) -> TableState:
        after: TableState = real(state, event)
        return replace(after, shoe=replace(after.shoe, carried=()))

    patch.setitem(EVOLVERS, TableCleared, evolver)


def wager_after_no_more_bets(patch: Patch) -> None:
    patch.setattr(PlaceWager, "STEPS", frozenset())


def own_correction_approved(patch: Patch) -> None:
    patch.setattr(card_correction, "refuse_without_second", lambda *_args: None)


def chips_not_looked_at(patch: Patch) -> None:
    patch.setattr(wagering, "_why_not_stakeable", lambda *_args: None)


def face_down_value_in_the_log(patch: Patch) -> None:
    real = HANDLERS[DrawCard]

    def leak(rules: TableRules, state: TableState, command: Command, actor: Actor) -> HandlerResult:
        made: HandlerResult = real(rules, state, command, actor)
        if not isinstance(made, list):
            return made
        return [replace(event, cites=(*event.cites, "Ks")) if isinstance(event, CardDrawn) else event for event in made]

    patch.setitem(HANDLERS, DrawCard, leak)


def late(walk: Walk) -> None:
    """A wager when none is taken any more."""
    walk.do(PlaceWager(seat=3, on=WagerKind.TIE, stake=2500))


def overbet(walk: Walk) -> None:
    """A wager of more than the seat has."""
    walk.do(Leave(seat=3))
    walk.seat(3, chips=1000)
    walk.do(PlaceWager(seat=3, on=WagerKind.TIE, stake=2500))


def unseen_error(walk: Walk) -> None:
    """An unseen card too many, once."""
    if not walk.state.shoe.pending:
        walk.do(ReportErrorCard())


def own_approval(walk: Walk) -> None:
    """A correction that one person makes alone, under two spellings."""
    number, turned = next((at, event) for at, event in enumerate(walk.log) if isinstance(event, CardTurned))
    right = Card(turned.card.rank, Suit.CLUBS)
    command = CorrectCard(corrects=number, position=turned.position, card=right, reason="a club")
    walk.do(command, acting(walk, command, who="Flo", second=" flo "))


def leaves(walk: Walk) -> None:
    """A winner goes, owing vigorish."""
    if walk.state.money.markers:
        walk.do(WithdrawWager(seat=2, on=WagerKind.BANKER))
        walk.do(Leave(seat=2))


def named_card(walk: Walk) -> None:
    """No card is named while four lie face down."""
    told = [as_json(event) for event in walk.log[-8:]]
    assert "Ks" not in str(told), "the auditor objects: a hidden card is named"


LIMITS = {"min": 1, "max": 500_000, "increment": 1}
CENTS: dict[str, Any] = dict.fromkeys(
    ("player", "banker", "tie", "dragon_player", "dragon_banker", "house_money", "dragon7", "panda8"), LIMITS
)
SCENES: dict[Callable[[Patch], None], Scene] = {
    banker_three_draws_on_eight: Scene("2s Kh 2h 3d 8c"),
    natural_on_one_side_ignored: Scene("2s 9h 3s Kd"),
    third_value_confused_with_the_count: Scene("2s Kh 3s 4d 9c"),
    tie_loses_player_and_banker: Scene("9s 9h Ks Kd"),
    dragon_7_pays_banker_in_ez: Scene("2s 3h 4s Kd 4c", name="ma-midi-4-ez"),
    two_card_panda_8: Scene("8s 3h Ks 4d", name="ma-midi-4-ez", wagers="1 player 5000, 1 panda8 1000"),
    vigorish_on_the_dragon_bonus: Scene("2s 9h Ks Kd", wagers="1 dragon_banker 2000, 2 banker 10200"),
    float_payouts: Scene("9s 9h Ks Kd", wagers="1 tie 2501", tie_odds="17 to 2", limits=CENTS),
    nearest_quarter: Scene("2s 9h Ks Kd"),
    house_money_settled_twice: Scene("2s 9h 2h Kd", wagers="1 player 5000, 1 house_money 1000"),
    house_money_paid_twice: Scene("2s 9h 2h Kd", wagers="1 player 5000, 1 house_money 1000"),
    settlement_without_royal9: Scene("2s 9h Ks Kd"),
    marker_dropped_on_leaving: Scene("2s 9h Ks Kd", act=leaves, acts_at="wager", vig_collection="deferred"),
    truncated_tenth_of_a_meter: Scene(
        "Ks Qs 9h 9h", name="ma-midi-1-royal9", wagers="1 player 5000, 1 royal9 500",
    ),
    two_winners_take_the_meter_each: Scene(
        "Ks Ks 9h 9d", name="ma-midi-1-royal9", any_two="any_posted",
        wagers="1 player 5000, 1 royal9 500, 2 player 5000, 2 royal9 500, 3 player 5000, 3 royal9 500",
    ),
    cover_card_never_seen: Scene("2s 9h Ks Kd", short=8),
    shoe_ends_a_round_early: Scene("2s 9h Ks Kd", short=8),
    shoe_ends_a_round_late: Scene("2s 9h Ks Kd", short=8),
    carried_card_discarded: Scene("2s 9h Ks Kd", act=unseen_error, acts_at="clear"),
    wager_after_no_more_bets: Scene("2s 9h Ks Kd", act=late, acts_at="deal"),
    own_correction_approved: Scene("2s 9h Ks Kd", act=own_approval, acts_at="clear"),
    chips_not_looked_at: Scene("2s 9h Ks Kd", act=overbet, acts_at="wager"),
    face_down_value_in_the_log: Scene("2s 9h Ks Kd", act=named_card, acts_at="turn_player"),
}  # fmt: skip


@pytest.mark.parametrize("bug", SCENES, ids=lambda bug: bug.__name__)
def test_a_seeded_bug_is_caught(bug: Callable[[Patch], None], monkeypatch: Patch) -> None:
    scene = SCENES[bug]
    scene.run()
    bug(monkeypatch)
    with pytest.raises(AssertionError) as caught:
        scene.run()
    words = ("auditor", "broke", "moved", "below zero", "books")
    assert any(word in str(caught.value) for word in words), f"caught by something else: {caught.value}"


def test_a_void_round_that_keeps_the_five_dollars_is_caught(monkeypatch: Patch) -> None:
    """The shoe must run out, so the log is audited afterwards."""
    assert void_log() == []
    real = dealing.void

    def keeps(rules: TableRules, state: TableState) -> RoundVoided:
        made = real(rules, state)
        return replace(made, returned={seat: amount - amount % 1000 for seat, amount in made.returned.items()})

    monkeypatch.setattr(dealing, "void", keeps)
    assert void_log(), "the auditor saw it"


def void_log() -> list[str]:
    """What the auditor says of a shoe that runs out."""
    rules = rulebook("ma-midi-4-royal9", cover_card_depth=1)
    walk = Walk(rules, keyed(rules, 8))
    table = Table(rules)
    walk.do = table.do  # type: ignore[method-assign]
    walk.seat(1, 2)
    while not table.state.shoe.finished:
        walk.state, walk.log = table.state, table.log
        if table.state.step == "wager" and not table.state.round.wagers:
            for seat, on, stake in (
                (1, WagerKind.PLAYER, 5000),
                (1, WagerKind.ROYAL9, 500),
                (2, WagerKind.BANKER, 5000),
            ):
                table.do(PlaceWager(seat=seat, on=on, stake=stake))
            walk.state = table.state
        walk.go_on()
    assert table.state.round.void
    return auditor_of(rules).audit(as_json(event) for event in table.log)


def test_every_payment_is_made_once() -> None:
    """A payment asked for again, as after a lost connection, is refused."""
    scene = Scene("2s 9h Ks Kd", act=lambda walk: walk.do(Pay(seat=2)), acts_at="clear")
    scene.run()
