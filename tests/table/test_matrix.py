"""Every cell of step, command and role: allowed as the documents say, refused otherwise, never an exception."""

from __future__ import annotations

import random
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from acting import acting
from baccarat.cards import DECK
from baccarat.law.rulebook import Rulebook, rulebook, shipped_submissions
from baccarat.play.hand import Side
from baccarat.play.refusal import Refused
from baccarat.play.wager import WagerKind
from baccarat.shuffle import commitment
from baccarat.table.actor import Actor, Approval, Origin
from baccarat.table.automation import actor_for, command_for
from baccarat.table.base import Accepted, Command, Due, Reason, table_rules
from baccarat.table.dealers import ComeOn
from baccarat.table.due_settlement import ReportUncollected
from baccarat.table.gate import GateFault
from baccarat.table.irregularity.error_card import ReportErrorCard
from baccarat.table.irregularity.face_up import ReportFaceUp
from baccarat.table.machine import Table, decide, expected
from baccarat.table.meters import JoinLink
from baccarat.table.payment_correction import CorrectPayment
from baccarat.table.proof import header_for
from baccarat.table.role import Role
from baccarat.table.seating_acts import Leave
from baccarat.table.shoe_state import Commitment
from baccarat.table.state import TableState, with_money, with_round, with_seats
from baccarat.table.step.announcing import ResultAnnounced
from baccarat.table.step.curating import AnswerShoe, OrderPass
from baccarat.table.step.cutting import AnswerCut
from baccarat.table.step.loading import PlaceCoverCard
from baccarat.table.step.overdue import ReportOverdueSeed
from baccarat.table.step.relinquishing import AnswerTurn, OrderRelinquish
from baccarat.table.step.revealing import ReportLostSeed, RevealSeed
from baccarat.table.step.sealing import CloseInputs, CommitShoe, Contribute, FailShoe, GiveShare, SealOrder
from baccarat.table.step.spoken_wager import SpeakWager
from baccarat.table.step.turning import AskBankerFirst
from baccarat.table.step.wagering import PlaceWager
from baccarat.table.table_kind import AdoptKind
from baccarat.table.vigorish_form import VoidForm
from campaign import times
from electronic_table import Witnesses
from random_rulebooks import Filed, rulebooks
from table_proposer import Proposer, a_stake
from table_walk import COMMANDS, ENCODER, Walk, agree, keyed

pytestmark = pytest.mark.slow

P, D, F, S = Role.PARTICIPANT, Role.DEALER, Role.FLOORPERSON, Role.CASINO_SUPERVISOR
CLERK = Role.PIT_CLERK
ANY: frozenset[str] = frozenset()
TURN = frozenset({"turn_player", "turn_banker", "turn_banker_first", "third_cards"})
PREPARE = frozenset({"inspect", "verify", "spread", "wash", "stack"})


def at(*steps: str) -> frozenset[str]:
    """Only at these steps."""
    return frozenset(steps)


MAY: dict[str, tuple[set[Role], frozenset[str]]] = {
    # people: anyone may sit down or go; chips come from the dealer; floor or dealer say who deals
    "sit": ({P, D, F}, ANY), "leave": ({P, D, F}, ANY), "buy_in": ({D}, ANY),
    "come_on": ({D, F}, ANY), "go_off": ({D, F}, ANY),
    # the licensee's floor has the next shoe played by other rules, between two shoes
    "adopt_rules": ({F, S}, ANY),
    # Massachusetts 4 and 5, New Jersey 3.4 and 3.5
    "receive_cards": ({D}, at("receive")), "prepare_cards": ({D, F}, PREPARE),
    "shuffle_cards": ({D}, at("shuffle", "reshuffle")), "lace_cards": ({D}, at("lace")),
    # an electronic shoe: committed to, contributed to, closed and sealed after the cut (order 1: sealed before it is
    # offered), its seed opened when it is over
    "commit_shoe": (set(), ANY), "contribute": ({P}, ANY), "seal_order": (set(), at("offer_cut", "cut")),
    "close_inputs": (set(), at("cut")), "give_share": (set(), at("cut")),
    "fail_shoe": (set(), ANY), "reveal_seed": (set(), ANY), "report_lost_seed": ({F, S}, ANY),
    "report_overdue_seed": (set(), ANY),
    # the floor gives a shoe up between rounds (reading A-94)
    "abandon_shoe": ({F, S}, ANY),
    "answer_cut": ({P, D}, at("offer_cut")), "cut_cards": ({P, D}, at("cut")),
    "give_up_cut": ({P, D}, at("cut")),
    "order_recut": ({S}, at("cut", "cover_card", "load", "burn")), "place_cover_card": ({D}, at("cover_card")),
    "load_shoe": ({D}, at("load")), "burn_cards": ({D}, at("burn")),
    # New Jersey 3.6, 3.11
    "answer_shoe": ({P, D}, at("offer_shoe")), "pass_shoe": ({P, D}, at("pass_shoe", "wager")),
    "order_pass": ({D, F}, at("pass_shoe", "wager", "call_cards", "deal", "third_cards")),
    # Massachusetts 7, New Jersey 3.2: only participants wager, and only until no more bets
    "place_wager": ({P}, at("wager")), "change_wager": ({P}, at("wager")), "withdraw_wager": ({P}, at("wager")),
    "speak_wager": ({P}, at("wager")), "confirm_wager": ({D, S}, at("wager")),
    "request_free_hand": ({P}, at("wager")), "call_no_more_bets": ({D}, at("wager")),
    # Massachusetts 8 to 10, New Jersey 3.7 to 3.9
    "call_cards": ({D}, at("call_cards")), "draw_card": ({P, D}, at("deal", "third_cards")),
    "hand_cards": ({D}, TURN), "return_cards": ({P}, TURN), "relinquish": ({P}, TURN),
    "order_relinquish": ({D, F}, TURN), "answer_turn": ({P, D}, TURN),
    "turn_card": ({D}, TURN | at("burn", "expose", "close")), "announce_count": ({D}, TURN - at("third_cards")),
    "ask_banker_first": ({P}, at("wager", "call_cards", "deal", "turn_player")),
    "press_house_money": ({P}, at("house_money")), "settle_house_money": ({D}, at("house_money")),
    # Massachusetts 11 and 12, New Jersey 3.3 and 3.10
    "announce_result": ({D}, at("announce")), "collect_losers": ({D}, at("settle")),
    "take_vigorish": ({D}, at("settle")), "pay": ({D}, at("settle")), "give_award": ({D}, at("settle")),
    "seal_trigger": (set(), ANY), "end_round": ({D}, at("must_hit")),
    "join_link": ({S}, ANY), "adopt_witnesses": ({S}, ANY), "adopt_kind": ({S}, ANY),
    "show_meters": (set(), ANY), "correct_meter": ({D, F}, ANY),
    "clear_table": ({D}, at("clear")),
    "collect_vigorish": ({D}, ANY), "close_shoe": ({D}, at("close")),
    "receive_forms": ({CLERK}, ANY),
    "document_vigorish": ({CLERK}, ANY), "void_form": ({CLERK}, ANY), "miss_form": ({CLERK}, ANY),
    "report_exception": ({F, S}, ANY),
    # Massachusetts 13, New Jersey 3.12; corrections take two persons of the table (reading A-88)
    "report_error_card": ({D, F}, TURN | at("wager", "call_cards", "house_money", "announce", "settle", "must_hit",
                                            "clear")),
    "report_exposed_card": ({D, F}, TURN | at("deal")),
    "report_face_up": ({D, F}, at("burn", "wager", "call_cards", "deal", "third_cards")),
    "correct_card": ({D, F}, ANY), "correct_payment": ({D, F}, ANY), "settle_due": ({D}, ANY),
    "report_uncollected": ({F, S}, ANY), "pay_goodwill": ({F, S}, ANY),
    "confirm_card": ({F}, TURN | at("burn", "expose", "close")),
}  # fmt: skip
"""Who may do what, and when: from the documents, not from the machine. Pit boss, surveillance, regulator do nothing."""

ELSEWHERE: dict[str, set[Origin]] = {
    "commit_shoe": {Origin.CARD_SOURCE}, "fail_shoe": {Origin.CARD_SOURCE}, "reveal_seed": {Origin.CARD_SOURCE},
    "seal_order": {Origin.CARD_SOURCE}, "turn_card": {Origin.CARD_SOURCE},
    "close_inputs": {Origin.CARD_SOURCE}, "give_share": {Origin.CARD_SOURCE},
    "seal_trigger": {Origin.CARD_SOURCE, Origin.LINK}, "end_round": {Origin.CARD_SOURCE, Origin.LINK},
    "show_meters": {Origin.LINK},
    # whoever does not answer, cut, deal or give the cards back in time is not waited for (reading A-95)
    "call_no_more_bets": {Origin.CLOCK}, "answer_cut": {Origin.CLOCK}, "give_up_cut": {Origin.CLOCK},
    "answer_shoe": {Origin.CLOCK}, "order_pass": {Origin.CLOCK}, "answer_turn": {Origin.CLOCK},
    "order_relinquish": {Origin.CLOCK},
    # the house's clock says that a seed was not shown in time; no document names a deadline
    "report_overdue_seed": {Origin.CLOCK},
}  # fmt: skip
"""What may come from elsewhere than from a person: a shoe that reads cards, whoever keeps a seal, a link, a clock."""

VARIANTS: dict[str, dict[str, object]] = {
    **{name: {} for name in shipped_submissions()},
    "ma-midi-2": {"vig_collection": "deferred", "reshuffle_after_lace": "all", "goodwill_limit": "$1,000,000.00"},
    "ma-midi-4-royal9": {"goodwill_limit": "$100,000,000.00"},
    "ma-midi-3": {"vig_collection": "deferred", "disclosed_third_card": "discard_two"},
    "nj-punto-banco": {"vig_collection": "deferred", "disclosed_card_procedure": 1, "ten_value_extra": 10},
    "nj-punto-banco-exempt": {"banker_first_on_request": True, "shuffle_method": 2},
}
VISITS = times(2)
"""How many states of a step with the same acts due are looked at."""
FIRST_TRIES, LATER_TRIES = 8, 4
"""How many commands of a kind are tried by each who may, where a step is new and where it was looked at before."""
TAGS = {kind: str(kind.__struct_config__.tag) for kind in COMMANDS}


def tag(kind: type[Command]) -> str:
    """The name of a command."""
    return TAGS[kind]


class Matrix:
    """All cells of one rulebook's table, tried in the states of a short shoe."""

    def __init__(self, name: str) -> None:
        self.rules = rulebook(name, **VARIANTS[name])
        self.walk = Walk(self.rules, keyed(self.rules, 3, rich=True))
        self.chance = random.Random(name)
        self.visits: dict[str, int] = {}
        self.steps: set[str] = set()
        self.accepted: set[tuple[str, str, Role]] = set()
        self.from_elsewhere: set[tuple[str, Origin]] = set()
        self.cells: set[tuple[str, str, Role]] = set()
        self.said: set[bytes] = set()
        """The refusals that were put in a sentence; the same again makes the same sentence."""

    def run(self) -> Matrix:
        """Two short shoes, with what can go wrong in them."""
        self.look()
        if self.rules.elections.royal9 is not None and self.rules.elections.must_hit is None:
            join = JoinLink(link="L")
            self.walk.do(join, acting(self.walk, join, who="Sue", second="Max"))
        self.walk.seat(1, 2, 4, 5)
        while self.walk.state.shoe.number < 3:
            self.look()
            self.step_on()
            if self.chance.random() < 0.1:
                self.disturb()
        return self

    def step_on(self) -> None:
        """One act that is due, or one that may be done instead."""
        walk, chance, step = self.walk, self.chance, self.walk.state.step
        if step == "wager" and not walk.state.round.wagers:
            self.disturb_with(SpeakWager(seat=2, on=WagerKind.TIE, stake=2500, cash=True))
            walk.wager(chance)
            self.look()
        if (
            walk.state.step in ("call_cards", "deal")
            and walk.state.round.number % 2
            and not walk.state.round.banker_first
        ):
            self.disturb_with(AskBankerFirst(seat=1))
        due = walk.due()
        if step == "offer_cut" and chance.random() < 0.2:
            walk.do(AnswerCut(seat=due.seat, accept=True))
        elif step == "offer_shoe":
            dealers = self.rules.elections.banker_first_on_request and walk.state.round.number <= 3
            accept = not dealers and chance.random() < 0.8  # Banker first is asked of a dealer who is the curator
            walk.do(AnswerShoe(seat=due.seat, accept=accept, dealer_deals=chance.random() < 0.5))
        else:
            walk.go_on(short=50)

    def disturb(self) -> None:
        """Something out of the ordinary, if it may be."""
        for name in self.chance.sample(("third", "error", "face up", "delay", "banker first", "dealer"), 3):
            state = self.walk.state
            if not state.shoe.loaded or not state.shoe.left:
                return
            card, proof = self.walk.source.card(state, state.shoe.next)
            self.disturb_with(
                {
                    "third": ReportErrorCard(to=Side.PLAYER, card=card, proof=proof),
                    "error": ReportErrorCard(),
                    "face up": ReportFaceUp(card=card, proof=proof),
                    "delay": OrderRelinquish(reason="it takes too long"),
                    "banker first": AskBankerFirst(seat=1),
                    "dealer": ComeOn(person="Dot"),
                }[name]
            )

    def disturb_with(self, command: Command) -> None:
        """What may be done after it, if it was done."""
        name = tag(type(command))
        if isinstance(self.walk.do(command), Accepted):
            self.visits[name] = self.visits.get(name, 0) + 1
            if self.visits[name] <= 2:
                self.try_all(self.walk.state, first=False)

    def look(self) -> None:
        """Try every command by every role when a step is new, and by those who may when other acts are due."""
        state = self.walk.state
        due = " ".join((state.step, *sorted({due.act for due in self.walk.expected})))
        first = state.step not in self.steps
        self.steps.add(state.step)
        self.visits[due] = self.visits.get(due, 0) + 1
        if self.visits[due] > VISITS:
            return
        self.try_all(state, first=first)
        if state.money.markers and not state.round.wagers:
            poor = tuple(person and replace(person, chips=0) for person in state.seats.participants)
            moneyless = with_money(with_seats(state, participants=poor), last_form=state.money.next_form + 9)
            self.try_all(moneyless, first=False)
            void = VoidForm(serial=state.money.next_form)
            self.judge(moneyless, void, acting(self.walk, void, by=CLERK, who="Ann", second="Bo"))
        if state.step == "clear" and state.round.wagers:
            seat = state.round.wagers[0].seat
            for moved in (-(10**9), 500):  # as if a correction had given the seat too little, or too much
                owing = with_round(state, corrected=True, righted={seat: moved})
                self.try_all(owing, first=False)
                number = max(at for at, event in enumerate(self.walk.log) if isinstance(event, ResultAnnounced))
                amount = 1 if moved < 0 else -1
                fixed = CorrectPayment(corrects=number, seat=seat, amount=amount, reason="in part")
                for role in (D, F):
                    self.judge(owing, fixed, acting(self.walk, fixed, by=role, who="Ann", second="Bo"))
                kept = ReportUncollected(seat=seat, reason="not given back")
                for role in (F, S):
                    self.judge(owing, kept, acting(self.walk, kept, by=role, who="Ann", second="Bo"))
        if self.visits[due] == VISITS:
            every = {str(card): state.shoe.decks for card in DECK}
            self.try_all(replace(state, shoe=replace(state.shoe, seen=every)), first=False)

    def try_all(self, state: TableState, *, first: bool) -> None:
        """Every command: by every role at the first look, then by those who may."""
        before = ENCODER.encode(state)
        for due in expected(self.rules, state):
            if not due.optional:
                command = command_for(self.walk, due, self.walk.source)
                self.judge(state, command, actor_for(self.walk, command))
                for origin in ELSEWHERE.get(tag(type(command)), ()):
                    self.judge(state, command, Actor(who="a device", origin=origin))
        self.try_electronic(state)
        usual, apart = Proposer(self.walk, self.chance), Proposer(self.walk, random.Random(0))
        tries = FIRST_TRIES if first else LATER_TRIES
        for kind in COMMANDS:
            proposer = apart if kind is AdoptKind else usual  # nobody approves it, so it takes no turn of chance
            roles, steps = MAY[tag(kind)]
            may = [each for each in Role if each in roles]  # in one order, so that chance has the same turn every time
            for role in Role if first else may if not steps or state.step in steps else ():
                self.cells.add((state.step, tag(kind), role))
                for _ in range(tries if role in roles else 1):
                    command = proposer.a_command(kind)
                    self.judge(state, command, proposer.an_actor(command, by=role))
            origins = set(Origin) - {Origin.PERSON} if first else ELSEWHERE.get(tag(kind), set())
            for origin in sorted(origins, key=lambda each: each.value):
                for _ in range(tries if origin in ELSEWHERE.get(tag(kind), ()) else 1):
                    self.judge(state, proposer.a_command(kind), Actor(who="a device", origin=origin))
        assert ENCODER.encode(state) == before, "to decide changes nothing"

    def try_electronic(self, state: TableState) -> None:
        """The acts of an electronic shoe, before and after it has committed to a seed."""
        seed = bytes(32)
        held = Commitment(table="T", shoe="0", rulebook=self.rules.hash, decks=self.rules.elections.decks or 0, hash="")
        held = replace(held, hash=commitment(seed, header_for(held)).hex())
        commands: list[Command] = [
            CommitShoe(table=held.table, shoe=held.shoe, commitment=held.hash), SealOrder(root="0" * 64),
            FailShoe(why=GateFault.NOT_SHUFFLED), RevealSeed(seed=seed.hex()),
        ]  # fmt: skip
        commands += [Contribute(seat=seat, value="luck") for seat in state.occupied]
        witnesses = Witnesses("example.net/w1", table="T")
        (named,) = witnesses.promises("0")
        commands += [CloseInputs(), GiveShare(key=named.key, note=witnesses.note(named.key, "0"))]
        second = replace(held, order=2, origin=witnesses.origin, witnesses=(named,))
        cut = replace(state.shoe, in_front=208)
        lost = ReportLostSeed(reason="nobody has it")
        approval = Approval(who="Sue", role=S, what=lost.name)
        over = replace(state, reveal_within=600, stopped="foul shoe", shoe=replace(state.shoe, commitment=held))
        self.judge(over, ReportOverdueSeed(due_for=600), Actor(who="clock", origin=Origin.CLOCK))
        for each in (
            state,
            replace(state, shoe=replace(state.shoe, commitment=held)),
            replace(state, shoe=replace(cut, commitment=second)),
            replace(state, shoe=replace(cut, commitment=replace(second, inputs="0" * 64))),
        ):
            for command in commands:
                self.judge(each, command, self.walk.usual_actor(command))
            for role in (F, S):
                self.judge(each, lost, self.walk.usual_actor(lost, by=role, who="Flo", approvals=(approval,)))

    def judge(self, state: TableState, command: Command, actor: Actor) -> None:
        """One try in one cell."""
        outcome = decide(self.rules, state, command, actor, self.walk.event_at)
        roles, steps = MAY[tag(type(command))]
        person = actor.origin is Origin.PERSON
        rightful = actor.role in roles if person else actor.origin in ELSEWHERE.get(tag(type(command)), ())
        if isinstance(outcome, Accepted):
            assert rightful, f"{command} was accepted at {state.step} by {actor}"
            assert not steps or state.step in steps, f"{command} was accepted at {state.step}"
            assert actor.origin is not Origin.CLOCK or not getattr(command, "accept", False), f"{command} by the clock"
            if person:
                self.accepted.add((state.step, tag(type(command)), actor.role))
            else:
                self.from_elsewhere.add((tag(type(command)), actor.origin))
            return
        written = ENCODER.encode(outcome)
        if written not in self.said:
            assert outcome.say
            assert outcome.cites, f"{command} at {state.step} gave {outcome}"
            self.said.add(written)
        if not rightful:
            why = Reason.WRONG_ROLE if person and roles else Reason.WRONG_ORIGIN
            assert outcome.code is why, f"{command} at {state.step} gave {outcome}"
        elif steps and state.step not in steps:
            assert outcome.code is self.wrong_moment(state, command), f"{command} at {state.step} gave {outcome}"

    def wrong_moment(self, state: TableState, command: Command) -> Reason:
        """Why an act at the wrong step is refused: the step, unless the rules know no such act, or wagers closed."""
        steps = MAY[tag(type(command))][1]
        if not steps & set(table_rules(self.rules).steps):
            return Reason.NOT_OFFERED
        is_wager = tag(type(command)).endswith("_wager")
        closed = state.round.closed or state.round.void or state.shoe.after_void
        return Reason.WAGERS_CLOSED if is_wager and closed else Reason.WRONG_STEP


@cache
def matrix(name: str) -> Matrix:
    """The matrix of a rulebook, tried once."""
    return Matrix(name).run()


def test_the_table_of_the_documents_names_every_command() -> None:
    assert set(MAY) == {tag(kind) for kind in COMMANDS}


@pytest.mark.parametrize("name", VARIANTS)
def test_every_cell_is_allowed_as_the_law_says_or_refused(name: str) -> None:
    tried = matrix(name)
    steps = set(table_rules(tried.rules).steps) - {"must_hit"} - ({"expose"} if name.startswith("nj") else set())
    missed = steps - tried.steps
    assert not missed, f"steps never met: {missed}"
    assert tried.cells >= {(step, tag(kind), role) for step in steps for kind in COMMANDS for role in Role}


def test_every_right_that_the_documents_give_can_be_used() -> None:
    used = {(name, role) for variant in VARIANTS for _, name, role in matrix(variant).accepted}
    given_by_law = {(name, role) for name, (roles, _) in MAY.items() for role in roles}
    # what a correction takes back was given in the same round, and nobody leaves before it is over: so the chips are
    # there, unless vigorish was collected out of them (`test_discretion.py`); and a walk stays the kind of table that
    # it is made for (`test_actors.py`)
    unused = {each for each in given_by_law - used if each[0] not in ("report_uncollected", "adopt_kind")}
    assert not unused, sorted((name, role.value) for name, role in unused)


def test_whatever_may_come_from_elsewhere_comes_from_there() -> None:
    used = {each for variant in VARIANTS for each in matrix(variant).from_elsewhere}
    assert used == {(name, origin) for name, origins in ELSEWHERE.items() for origin in origins}


def test_special_steps_are_met_somewhere() -> None:
    met = {step for variant in VARIANTS for step in matrix(variant).steps}
    assert {"must_hit", "expose", "reshuffle", "turn_banker_first", "house_money", "pass_shoe"} <= met


LAST_ACTS = {
    "leave", "collect_vigorish", "report_exception", "receive_forms", "document_vigorish", "void_form", "miss_form",
    "correct_payment", "reveal_seed", "report_lost_seed", "abandon_shoe", "report_overdue_seed",
}  # fmt: skip


def test_at_a_stopped_table_people_only_take_what_is_theirs_and_go() -> None:
    walk = matrix("ma-midi-4").walk
    stopped = with_money(replace(walk.state, stopped="foul shoe"), markers={})
    chance = random.Random(0)
    assert [(due.act, due.optional) for due in expected(walk.rules, stopped)] == [("abandon_shoe", True)]
    for kind in COMMANDS:
        for role in Role:
            proposer = Proposer(walk, chance)
            command = proposer.a_command(kind)
            outcome = decide(walk.rules, stopped, command, proposer.an_actor(command, by=role))
            stops = isinstance(outcome, Refused) and outcome.code is Reason.STOPPED
            assert stops is (tag(kind) not in LAST_ACTS), outcome


# ------------------------------------------------------------------------------- expected and decide agree


def only_what_is_expected(rules: Rulebook, seed: int, *, short: int, company: int = 3) -> Walk:
    """A table that does expected acts only, until its shoe is closed."""
    walk = Walk(rules, keyed(rules, seed, rich=bool(seed % 2)))
    agree(walk)
    walk.seat(*range(1, company + 1))
    chance = random.Random(seed)
    for _ in range(3000):
        if walk.state.shoe.number == 1:
            return walk
        agree(walk)
        if walk.state.step == "wager" and not walk.state.round.wagers:
            for seat in walk.state.occupied:
                for kind in (WagerKind.PLAYER, WagerKind.BANKER, WagerKind.HOUSE_MONEY, WagerKind.ROYAL9)[seat % 2 :]:
                    walk.do(PlaceWager(seat=seat, on=kind, stake=a_stake(rules, kind, chance)))
        walk.go_on(short=short)
    raise AssertionError(f"the shoe was not closed; the table stands at {walk.state.step}")


@pytest.mark.parametrize("name", shipped_submissions())
def test_expected_acts_are_accepted_and_close_the_shoe(name: str) -> None:
    only_what_is_expected(rulebook(name), 5, short=90)


@settings(max_examples=25)
@given(filed=rulebooks(), seed=st.integers(0, 10_000))
def test_expected_acts_close_the_shoe_of_any_rulebook(filed: Filed, seed: int) -> None:
    only_what_is_expected(filed.rules, seed, short=40)


def by_staff(walk: Walk, due: Due) -> tuple[Command, Actor]:
    """What the staff does when the person whose turn it is does not."""
    if due.by is not P:
        command = command_for(walk, due, walk.source)
        return command, actor_for(walk, command)
    instead: dict[str, tuple[Command, Role]] = {
        "answer_cut": (AnswerCut(seat=due.seat, accept=False), D),
        "cut_cards": (Leave(seat=due.seat), F),
        "answer_shoe": (AnswerShoe(seat=due.seat, accept=False), D),
        "draw_card": (OrderPass(reason="nobody deals"), F),
        "return_cards": (OrderRelinquish(reason="nobody returns the cards"), F),
        "answer_turn": (AnswerTurn(seat=due.seat, accept=False), D),
    }
    command, role = instead[due.act]
    return command, walk.usual_actor(command, by=role)


@pytest.mark.parametrize("name", ["ma-midi-1", "ma-midi-4", "nj-punto-banco"])
def test_people_who_vanish_block_nobody(name: str) -> None:
    """D5: they take the cut, the shoe, the right to turn, wager, and never move again."""
    rules = rulebook(name)
    walk = Walk(rules, keyed(rules, 6))
    walk.seat(1, 2, 4, 5)
    chance = random.Random(6)
    while walk.state.shoe.number == 0:
        if walk.state.step == "wager" and not walk.state.round.wagers:
            walk.wager(chance, seats=walk.state.occupied)
        due = walk.due()
        if due.act in ("answer_cut", "answer_shoe", "answer_turn") and chance.random() < 0.4:
            assert isinstance(walk.do(accepting(due)), Accepted)
            continue
        command, actor = by_staff(walk, due)
        if isinstance(command, PlaceCoverCard):
            command = PlaceCoverCard(behind=walk.state.shoe.cards - 60)
        outcome = walk.do(command, actor)
        assert isinstance(outcome, Accepted), f"{due}: {outcome}"


def accepting(due: Due) -> Command:
    """The person takes what is offered."""
    return {
        "answer_cut": AnswerCut(seat=due.seat, accept=True),
        "answer_shoe": AnswerShoe(seat=due.seat, accept=True),
        "answer_turn": AnswerTurn(seat=due.seat, accept=True),
    }[due.act]


def test_an_empty_table_expects_somebody_and_no_more() -> None:
    for name in shipped_submissions():
        table = Table(rulebook(name))
        assert [(due.act, due.optional) for due in table.expected] == [("commit_shoe", True), ("receive_cards", False)]
