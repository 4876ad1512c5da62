"""A walk: a table whose every act is checked, plausible and absurd commands of every kind, and random rulebooks."""

from __future__ import annotations

import random
from collections.abc import Iterable
from enum import Enum
from functools import cache, cached_property
from typing import Any, get_args, get_origin, get_type_hints

import msgspec
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from baccarat.cards import DECK, Card, decks
from baccarat.law.error import InvalidSubmission
from baccarat.law.rulebook import Rulebook, rulebook, shipped_submissions
from baccarat.play.refusal import Refused
from baccarat.play.wager import Kind
from baccarat.table.actor import Actor, Approval
from baccarat.table.automation import actor_for, command_for, next_due
from baccarat.table.base import Accepted, Command, Due, Event
from baccarat.table.invariant import broken, layout, worth
from baccarat.table.machine import COMMAND_DECODER, EVENT_DECODER, Table, begin, decide, evolve
from baccarat.table.naming import AT_A_SEAT, CARDS, METERS
from baccarat.table.owing import ComplimentaryForm, DocumentVigorish
from baccarat.table.people import BuyIn, Sit
from baccarat.table.proof import Proof
from baccarat.table.registry import HANDLERS
from baccarat.table.role import Role
from baccarat.table.source import KeyedCards, SealedShoe, Source
from baccarat.table.state import Commitment, State
from baccarat.table.step.cutting import PlaceCoverCard
from baccarat.table.step.house_money import PressHouseMoney
from baccarat.table.step.must_hit import EndRound
from baccarat.table.step.sealing import CommitShoe, SealOrder
from baccarat.table.step.wagering import PlaceWager
from strategies import NEW_JERSEY, dragon_bonus, odds, progressive, some
from table_auditor import Auditor
from triggers import FirstWager, sealed_triggers

MICRO = 1_000_000
COMMANDS: tuple[type[Command], ...] = tuple(HANDLERS)
ROLES = tuple(Role)
CORRIGIBLE = (*CARDS, *METERS, *AT_A_SEAT)
ENCODER = msgspec.json.Encoder()


def auditor_of(rules: Rulebook) -> Auditor:
    """An auditor of a rulebook's table, which is told the elections and nothing else."""
    return Auditor(rules.edition.name, msgspec.to_builtins(rules.elections))


def as_json(event: Event | Command) -> dict[str, Any]:
    """An event or a command as a reader has it."""
    told: dict[str, Any] = msgspec.json.decode(ENCODER.encode(event))
    return told


def from_outside(event: dict[str, Any]) -> int:
    """How much an event brings to the table, in cents."""
    tag = event["event"]
    if tag == "bought_in":
        return int(event["amount"])
    if tag == "wager_placed" and event["cash"]:
        return int(event["stake"])
    return -int(event["chips"]) if tag == "left" else 0


class Walk(Table):
    """A table that stops the test as soon as anything is wrong."""

    def __init__(self, rules: Rulebook, source: Source) -> None:
        super().__init__(rules)
        self.source = source
        self.auditor = auditor_of(rules)
        self.states: list[tuple[int, State]] = []
        self.refusals: list[Refused] = []

    def do(self, command: Command, actor: Actor | None = None) -> Accepted | Refused:
        """Do a command, and look at everything it did or did not do."""
        written = ENCODER.encode(command)
        assert COMMAND_DECODER.decode(written) == command
        before, length = self.state, len(self.log)
        self.auditor.proof = msgspec.json.decode(written).get("proof")
        outcome = super().do(command, actor)
        if isinstance(outcome, Refused):
            assert self.state is before, "a refusal changes nothing"
            assert len(self.log) == length, "a refusal leaves no event"
            assert outcome.say
            assert outcome.cites, f"{command} gave {outcome}"
            self.refusals.append(outcome)
            return outcome
        assert outcome.events, "an act leaves a record"
        state = before
        for event in outcome.events:
            state = self._checked(state, event)
        assert state == outcome.state, "decide and evolve agree"
        self.states.append((len(self.log), state))
        return outcome

    def _checked(self, state: State, event: Event) -> State:
        written = ENCODER.encode(event)
        assert EVENT_DECODER.decode(written) == event
        told = msgspec.json.decode(written)
        after = evolve(state, event)
        assert broken(self.rules, after) == [], f"{told} broke {broken(self.rules, after)}"
        moved = worth(after) - worth(state)
        assert moved == from_outside(told) * MICRO, f"{told} moved {moved / MICRO} cents"
        self.auditor.see(told)
        assert self.auditor.faults == [], f"the auditor objects: {self.auditor.faults}"
        self._compare(after, told)
        return after

    def _compare(self, state: State, told: dict[str, Any]) -> None:
        """After every event, chips, layout, pressed stakes and meters are what the auditor's own books say."""
        books = self.auditor
        for seat in state.occupied:
            person = state.at(seat)
            assert person is not None
            had, wanted = person.chips + state.money.payable.get(seat, 0), books.people[seat] + books.winnings(seat)
            assert had == wanted, f"seat {seat} has {had}, by the books {wanted}, after {told}"
        assert layout(state) == books.on_layout(), f"{layout(state)} on the layout, by the books {books.on_layout()}"
        if not state.round.announced:
            pressed = {seat: amount for (seat, _), amount in books.pressed.items()}
            assert state.round.pressed == pressed, f"pressed {state.round.pressed}, by the books {pressed}"
        meters = state.meters
        assert (meters.amounts, meters.reserve) == (books.meters, books.reserve), f"other meters after {told}"
        assert (meters.must_hit, meters.must_hit_seal) == (books.must_hit, books.seal), f"another Must Hit after {told}"

    def agrees_with_its_books(self) -> None:
        """The auditor's own books are the state's."""
        books, state = self.auditor, self.state
        assert books.markers == state.money.markers
        assert set(books.people) == set(state.occupied)
        assert books.next == state.shoe.next
        assert sum(books.receivables.values()) == sum(state.money.receivables.values())

    def replays(self) -> None:
        """J4: the log as written leads to every state on the way; a snapshot is the state."""
        state, place = begin(self.rules), 0
        log = [EVENT_DECODER.decode(ENCODER.encode(event)) for event in self.log]
        for length, live in self.states:
            for event in log[place:length]:
                state = evolve(state, event)
            place = length
            assert state == live, f"replay of {length} events"
        assert msgspec.json.decode(ENCODER.encode(self.state), type=State) == self.state

    def seat(self, *seats: int, chips: int = 10_000_000) -> None:
        """People sit down with chips."""
        for seat in seats:
            self.do(Sit(seat=seat, person=f"guest {seat}"))
            self.do(BuyIn(seat=seat, amount=chips))

    def try_a(self, kind: type[Command], chance: random.Random) -> Accepted | Refused:
        """Try a command of a kind, sensible or not, by somebody who may or may not."""
        proposer = Proposer(self, chance)
        command = proposer.a_command(kind)
        return self.do(command, proposer.an_actor(command))

    def due(self) -> Due:
        """The act that is due, none of the optional ones."""
        return next_due(self, self.source)

    def go_on(self, *, short: int = 0) -> Accepted | Refused:
        """Do what is due; `short` puts the cover card that far from the front."""
        due = self.due()
        command = command_for(self, due, self.source)
        if short and isinstance(command, PlaceCoverCard):
            command = PlaceCoverCard(behind=self.state.shoe.cards - short)
        outcome = self.do(command, actor_for(self, command))
        if isinstance(command, EndRound) and isinstance(outcome, Refused):  # a trigger was sealed by chance
            lost = EndRound(lot=command.lot, lost="nobody knows it")
            second = Approval(who="Sue", role=Role.CASINO_SUPERVISOR, what=lost.name)
            outcome = self.do(lost, self.usual_actor(lost, who="Ann", approvals=(second,)))
        assert isinstance(outcome, Accepted), f"an expected act is accepted: {due} gave {outcome}"
        return outcome

    def go_to(self, step: str, *, short: int = 0, most: int = 500) -> None:
        """Do what is due until a step begins."""
        for _ in range(most):
            if self.state.step == step:
                return
            self.go_on(short=short)
        raise AssertionError(f"{step} was not reached from {self.state.step}")

    def wager(self, chance: random.Random, *, seats: Iterable[int] | None = None) -> None:
        """Some of the company wager; what is not admissible is refused."""
        for seat in seats if seats is not None else self.state.occupied:
            kinds = [Kind.PLAYER, Kind.BANKER, *chance.sample(tuple(Kind), 3)]
            for kind in kinds[chance.randrange(2) :]:
                self.do(PlaceWager(seat=seat, on=kind, stake=a_stake(self.rules, kind, chance)))

    def play_round(self, chance: random.Random, *, short: int = 0) -> None:
        """One whole round, from wherever the table stands."""
        self.go_to("wager", short=short)
        number = (self.state.shoe.number, self.state.round.number)
        self.wager(chance)
        if not self.state.round.wagers:
            self.do(PlaceWager(seat=self.state.occupied[0], on=Kind.PLAYER, stake=2500))
        while (self.state.shoe.number, self.state.round.number) == number and not self.state.shoe.finished:
            if self.state.step == "house_money" and chance.random() < 0.5:
                press(self, chance)
            self.go_on(short=short)


def press(walk: Walk, chance: random.Random) -> None:
    """A House Money winner presses, perhaps."""
    seat = walk.due().seat
    walk.do(PressHouseMoney(seat=seat, onto=chance.choice((Kind.PLAYER, Kind.BANKER))))


def a_stake(rules: Rulebook, kind: Kind, chance: random.Random) -> int:
    """A stake within the posted limits."""
    limit = (rules.elections.limits or {}).get(kind.value)
    if kind is Kind.ROYAL9 or limit is None:
        return 500
    steps = (min(limit.max, limit.min * 40) - limit.min) // limit.increment
    return limit.min + limit.increment * chance.choice((0, 1, chance.randint(0, steps)))


# ------------------------------------------------------------------------------- expected and decide agree


def sensible(walk: Walk, due: Due) -> list[Command]:
    """The commands by which an act that is due can be done; at least one of the optional ones is accepted."""
    if due.act == "place_wager":
        chance = random.Random(0)
        return [
            PlaceWager(seat=seat, on=kind, stake=a_stake(walk.rules, kind, chance))
            for seat in walk.state.occupied
            for kind in (Kind.PLAYER, Kind.BANKER, Kind.TIE)
        ]
    if due.act == "press_house_money":
        return [PressHouseMoney(seat=due.seat, onto=kind) for kind in (Kind.PLAYER, Kind.BANKER)]
    if due.act == "commit_shoe":
        return [CommitShoe(table="T", shoe=str(walk.state.shoe.number), commitment="0" * 64)]
    if due.act == "seal_order":
        return [SealOrder(root="0" * 64)]
    return [command_for(walk, due, walk.source)]


def pressable(state: State, seat: int) -> bool:
    """Whether a seat has a main wager that a payout could be pressed onto."""
    return any(wager.seat == seat and wager.on in (Kind.PLAYER, Kind.BANKER) for wager in state.round.wagers)


def agree(walk: Walk) -> None:
    """Every act that is expected now is accepted now."""
    for due in walk.expected:
        assert due.cites, f"{due} cites nothing"
        outcomes = [
            decide(walk.rules, walk.state, command, actor_for(walk, command)) for command in sensible(walk, due)
        ]
        taken = any(isinstance(outcome, Accepted) for outcome in outcomes)
        if due.act == "press_house_money" and not pressable(walk.state, due.seat):
            continue
        if due.act == "place_wager" and (walk.state.round.wagers or not walk.state.occupied):
            continue
        assert taken, f"{due} is expected at {walk.state.step}, but {outcomes}"


# --------------------------------------------------------------------------------------------- cards


def stack(seed: int, count: int, *, rich: bool = False) -> tuple[Card, ...]:
    """An order of cards; a rich one has its kings and nines, courts and pairs in front of any middle cut."""
    chance = random.Random(seed)
    cards = list(decks(count))
    chance.shuffle(cards)
    if rich:
        cards.sort(key=lambda card: (card.rank.value not in "K9QJ") + chance.random() * 1.3)
        half = len(cards) // 2
        cards = cards[half:] + cards[:half]
    return tuple(cards)


def keyed(rules: Rulebook, seed: int, *, rich: bool = False) -> KeyedCards:
    """Real cards in a random order for every shoe; the Must Hit falls as soon as it may, or by chance."""
    triggers = sealed_triggers(rules, seed) if seed % 2 else FirstWager(rules)
    return KeyedCards(lambda number: stack(seed + number, rules.elections.decks or 8, rich=rich), triggers=triggers)


def sealed(rules: Rulebook, seed: int) -> SealedShoe:
    """An electronic shoe for every seed."""
    triggers = sealed_triggers(rules, seed)
    return SealedShoe(rules, lambda number: (seed + number).to_bytes(32, "big"), table="table", triggers=triggers)


# ------------------------------------------------------------------------------------------ commands


class Proposer:
    """Makes commands of every kind for a state: mostly sensible, often not."""

    def __init__(self, walk: Walk, chance: random.Random) -> None:
        self.walk, self.state, self.chance = walk, walk.state, chance
        self.due = [due.seat for due in walk.expected if due.seat]
        self.due += [spoken.seat for spoken in walk.state.round.spoken]

    def a_command(self, kind: type[Command]) -> Command:
        """A command of a kind."""
        fields: dict[str, Any] = {}
        for field, hint in _fields(kind):
            if field.required or self.chance.random() < 0.6:
                fields[field.name] = self._value(field.name, hint, fields)
        self._fit_card(kind, fields)
        return kind(**fields)

    def an_actor(self, command: Command, by: Role | None = None) -> Actor:
        """Somebody who gives a command, in a capacity if one is given: mostly whoever should, with a second person."""
        chance = self.chance
        usual = self.walk.usual_actor(command, by=by)
        if by is None and chance.random() < 0.15:
            usual = self.walk.usual_actor(command, by=chance.choice(ROLES))
        who = usual.who
        if usual.role is not Role.PARTICIPANT and chance.random() < 0.3:
            who = chance.choice((*self.state.seats.dealers, "Ann", "Bob", "Cleo"))
        elif chance.random() < 0.05:
            who = "a stranger"
        if isinstance(command, DocumentVigorish):
            who = chance.choice((command.form.pit_clerk, command.form.pit_clerk, who)) or who
        return msgspec.structs.replace(usual, who=who, approvals=self._approvals(command, usual.role))

    def _approvals(self, command: Command, role: Role) -> tuple[Approval, ...]:
        chance, what = self.chance, command.name
        if chance.random() < 0.1:
            return ()
        second = {
            "report_exception": {Role.FLOORPERSON: Role.CASINO_SUPERVISOR}.get(role, Role.FLOORPERSON),
            "document_vigorish": Role.PIT_BOSS,
            "void_form": Role.PIT_BOSS,
            "miss_form": Role.PIT_BOSS,
        }.get(what, Role.DEALER if role is Role.FLOORPERSON else Role.FLOORPERSON)
        who = chance.choice(("Bo", "Bo", "Bo", "Bob"))
        return (Approval(who=who, role=chance.choice((*[second] * 8, *ROLES)), what=what),)

    def _value(self, name: str, hint: Any, fields: dict[str, Any]) -> Any:
        maker = getattr(self, {"value": "_value_given"}.get(name, f"_{name}"), None)
        if maker is not None:
            return maker(fields)
        if get_origin(hint) is tuple:
            return ()
        options = [each for each in (get_args(hint) or (hint,)) if each is not type(None)]
        return self._of_type(options[0])

    def _of_type(self, hint: Any) -> Any:
        if hint is bool:
            return self.chance.random() < 0.5
        if hint is int:
            return self.chance.choice((0, 1, 25, 500, -1, 10**6))
        if hint is str:
            return self.chance.choice(("", " ", "Ann", "Bob", "because of the rules"))
        if isinstance(hint, type) and issubclass(hint, Enum):
            return self.chance.choice(tuple(hint))
        raise AssertionError(f"say how to make a {hint}")

    def _seat(self, _fields: dict[str, Any]) -> int:
        some_seats = [
            *self.due * 4,
            *self.state.occupied,
            *self.state.occupied,
            0,
            99,
            len(self.state.seats.participants) + 1,
        ]
        return self.chance.choice([*some_seats, self.chance.randint(1, len(self.state.seats.participants))])

    def _on(self, fields: dict[str, Any]) -> Kind:
        placed = [wager.on for wager in self.state.round.wagers if wager.seat == fields.get("seat")]
        spoken = [each.on for each in self.state.round.spoken if each.seat == fields.get("seat")]
        return self.chance.choice((*placed, *spoken * 9, Kind.PLAYER, Kind.BANKER, *tuple(Kind)))

    def _submission(self, _fields: dict[str, Any]) -> dict[str, Any]:
        rules = self.walk.rules
        own = msgspec.json.decode(msgspec.json.encode({"ruleset": rules.edition.name, **rules.stated}))
        return self.chance.choice((own, own, {}, {"ruleset": "nowhere"}, {**own, "decks": 0}))

    def _onto(self, _fields: dict[str, Any]) -> Kind:
        return self.chance.choice((Kind.PLAYER, Kind.BANKER, Kind.TIE))

    def _stake(self, fields: dict[str, Any]) -> int:
        sane = a_stake(self.walk.rules, fields.get("on", Kind.PLAYER), self.chance)
        return self.chance.choice((sane, sane, sane, 2500, 500, 0, -2500, 10**9, 2501))

    def _coupon(self, fields: dict[str, Any]) -> int:
        return self.chance.choice((0, 0, 0, int(fields["stake"]), 5))

    def _amount(self, _fields: dict[str, Any]) -> int:
        return self.chance.choice((10_000, 2_500, 0, -2_500, -(10**9)))

    def _in_front(self, _fields: dict[str, Any]) -> int:
        cards = self.state.shoe.cards
        return self.chance.choice((cards // 2, 60, 52, 10, 9, 0, -1, cards, cards - 52))

    def _behind(self, _fields: dict[str, Any]) -> int:
        cards = self.state.shoe.cards
        return self.chance.choice((14, 13, 1, 0, -1, cards - 30, cards - 30, cards - 5, cards))

    def _decks(self, _fields: dict[str, Any]) -> int:
        return self.chance.choice((self.walk.rules.elections.decks or 8, self.walk.rules.elections.decks or 8, 5, 0))

    def _set_id(self, _fields: dict[str, Any]) -> str:
        return self.chance.choice((f"set {self.state.shoe.number + 1}", "", self.state.shoe.former_set, "another"))

    def _act(self, _fields: dict[str, Any]) -> str:
        return self.chance.choice((self.state.step, "wash", "inspect", "dance"))

    def _cards(self, _fields: dict[str, Any]) -> int:
        return self.chance.choice((52, 45, 100, 0, -1))

    def _steps(self, _fields: dict[str, Any]) -> tuple[str, ...]:
        manual = ("plug", "riffle", "riffle", "turn", "riffle", "strip", "cut")
        return self.chance.choice(((), (), manual, manual[1:], ("strip", "cut"), ("fold",)))

    def _root(self, _fields: dict[str, Any]) -> str:
        sealed = self.walk.source.root(self.state) if self.state.shoe.cards else ""
        return self.chance.choice((sealed, "ff", "F" * 64))

    def _promised(self) -> Commitment:
        held = self.walk.source.promise(self.walk.rules, self.state)
        return held or Commitment(table="T", shoe="1", rulebook="", decks=8, hash="ff")

    def _commitment(self, _fields: dict[str, Any]) -> str:
        return self.chance.choice((self._promised().hash, "ff", "F" * 64))

    def _table(self, _fields: dict[str, Any]) -> str:
        return self._promised().table

    def _shoe(self, _fields: dict[str, Any]) -> str:
        return self._promised().shoe

    def _value_given(self, _fields: dict[str, Any]) -> str:
        return self.chance.choice(("luck", "00ff", " ", "7"))

    def _seed(self, _fields: dict[str, Any]) -> str:
        return self.chance.choice((self.walk.source.seed(self.state), "ff", "0" * 64))

    def _reason(self, _fields: dict[str, Any]) -> str:
        return self.chance.choice(("it was so", "it was so", "it was so", " "))

    def _person(self, _fields: dict[str, Any]) -> str:
        return self.chance.choice((*self.state.seats.dealers, *self.state.seats.dealers, "Dot", "Eve", ""))

    def _seal(self, _fields: dict[str, Any]) -> str:
        return self.chance.choice(("", "ab" * 32))

    def _corrects(self, _fields: dict[str, Any]) -> int:
        """Mostly one of the latest events that can be corrected."""
        return self.chance.choice((*self._corrigible, 0, 10**6))

    @cached_property
    def _corrigible(self) -> list[int]:
        """The numbers of those events; a proposer is for one state, and so for one log."""
        log = self.walk.log
        return [number for number in range(max(0, len(log) - 60), len(log)) if isinstance(log[number], CORRIGIBLE)]

    def _position(self, fields: dict[str, Any]) -> int:
        named = self.walk.event_at(fields.get("corrects", -1))
        if isinstance(named, CARDS) and self.chance.random() < 0.9:
            return named.position
        round_, shoe = self.state.round, self.state.shoe
        laid = [*round_.player, *round_.banker, *shoe.burn, *shoe.exposing, *shoe.carried, *shoe.pending]
        return self.chance.choice((*laid, *shoe.exposing * 5, shoe.next, shoe.next + 1, 0, 623))

    def _card(self, _fields: dict[str, Any]) -> Card:
        return self.chance.choice(DECK)

    def _proof(self, _fields: dict[str, Any]) -> Proof | None:
        return self.chance.choice((None, Proof("", ()), Proof("zz", ("ff",)), Proof("00" * 16, ("00" * 32,) * 9)))

    def _serial(self, _fields: dict[str, Any]) -> int:
        return self.chance.choice((self.state.money.next_form, self.state.money.next_form, 0, 7))

    def _form(self, fields: dict[str, Any]) -> ComplimentaryForm:
        owed = self.state.money.markers.get(fields.get("seat", 0), 0)
        return ComplimentaryForm(
            serial=self._serial(fields),
            amount=self.chance.choice((owed, owed, owed, owed + 1, -5)),
            patron=self.chance.choice(("Pat", "Pat", "Pat", "")),
            dealer="Dan",
            pit_boss="Bo",
            pit_clerk=self.chance.choice(("Cleo", "Cleo", "Cleo", " ")),
            patron_signed=self.chance.random() < 0.5,
            why_not_signed=self.chance.choice(("", "gone")),
            stated_by=self.chance.choice(("", "Dan", "Bo", "Cleo")),
            copies=self.chance.choice((2, 2, 3, 1)),
        )

    def _trigger(self, _fields: dict[str, Any]) -> int:
        law = self.walk.rules.elections.must_hit
        if law is None:
            return 0
        return self.chance.choice((law.start, law.ceiling, self.state.meters.must_hit, law.ceiling + 1, -1))

    def _meters(self, _fields: dict[str, Any]) -> dict[str, int]:
        meters = self.state.meters.amounts
        more = {name: value + 25_000_000 for name, value in meters.items()}
        fewer = {name: value - 1 for name, value in meters.items()}
        return self.chance.choice((meters, more, more, fewer, {}, {**meters, "none": 1}))

    def _meter(self, _fields: dict[str, Any]) -> str:
        return self.chance.choice((*self.state.meters.amounts, "none"))

    def _reserve(self, _fields: dict[str, Any]) -> int:
        return self.chance.choice(
            (self.state.meters.reserve, self.state.meters.reserve, self.state.meters.reserve + 7, -1)
        )

    def _must_hit(self, _fields: dict[str, Any]) -> int:
        return self.chance.choice(
            (self.state.meters.must_hit, self.state.meters.must_hit, self.state.meters.must_hit, 1)
        )

    def _must_hit_seal(self, _fields: dict[str, Any]) -> str:
        return self.chance.choice((self.state.meters.must_hit_seal, self.state.meters.must_hit_seal, "ab"))

    def _lot(self, _fields: dict[str, Any]) -> int:
        return self.chance.choice((0, 0, 1, -1, 99))

    def _fit_card(self, kind: type[Command], fields: dict[str, Any]) -> None:
        """Mostly the card that is really there, with its proof."""
        honest = "corrects" not in fields and self.chance.random() < 0.9
        if "card" not in fields or not honest or not self.state.shoe.loaded:
            return
        place = fields.get("position", self.state.shoe.next)
        if not 0 <= place < self.state.shoe.cards:
            return
        card, proof = self.walk.source.card(self.state, place)
        if fields["card"] is not None:
            fields["card"] = card
        if any(field.name == "proof" for field, _ in _fields(kind)):
            fields["proof"] = proof


@cache
def _fields(kind: type[Command]) -> list[tuple[msgspec.structs.FieldInfo, Any]]:
    hints = get_type_hints(kind)
    return [(field, hints[field.name]) for field in msgspec.structs.fields(kind)]


# ----------------------------------------------------------------------------------------- rulebooks

ANYWHERE: dict[str, Any] = {
    "decks": st.sampled_from([6, 8]),
    "seat_one": st.sampled_from(["dealer_left", "dealer_right"]),
    "tie_odds": odds(9),
    "opposite_bets": st.booleans(),
    "match_play": st.booleans(),
    "verbal_wagers": st.booleans(),
    "recut_by": st.sampled_from(["next_entitled", "last_cutter"]),
    "cover_card_depth": st.integers(14, 40),
    "preshuffled": st.booleans(),
    "reshuffle_after_lace": st.sampled_from(["none", "some", "all"]),
    "vig_collection": st.sampled_from(["at_payout", "deferred"]),
    "vig_rounding": st.booleans(),
    "disclosed_correct_card": st.sampled_from(["stays", "set_aside"]),
}
MASSACHUSETTS: dict[str, Any] = {
    "house_money_portion": st.sampled_from([[1, 1], [1, 2], [2, 3]]),
    "press_over_max": st.booleans(),
    "disclosed_third_card": st.sampled_from(["simulated_round", "discard_two"]),
    "squeeze_eligible": st.sampled_from(["seated", "bettors"]),
    "ez": st.booleans(),
}
FOURTH: dict[str, Any] = {
    "burn_exposure": st.sampled_from(["face_up", "face_down"]),
    "cut_mode": st.sampled_from(["offer_players", "dealer_cuts"]),
    "free_hand": st.booleans(),
    "max_consecutive_free_hands": st.integers(1, 3),
    "last_curator_as_last_cutter": st.booleans(),
}
JERSEY: dict[str, Any] = {
    "settlement_option": st.integers(1, 4),
    "reveal": st.sampled_from(["face_up", "face_down"]),
    "allow_other_side": st.booleans(),
    "disclosed_card_procedure": st.integers(1, 3),
    "ten_value_extra": st.sampled_from([1, 10]),
    "vig_rate": st.sampled_from([4, 5]),
    "bonus_base_required": st.booleans(),
    "nj_disclosed_banker_third": st.sampled_from(["banker_takes_it", "filed_procedure"]),
    "face_up_ten_extra": st.sampled_from([0, 1]),
    "banker_first_on_request": st.booleans(),
    "shuffle_method": st.sampled_from([1, 2]),
}


class Filed(msgspec.Struct, frozen=True):
    """A shipped Submission with changes; shorter to print than the rulebook that it makes."""

    name: str
    changes: dict[str, Any]

    @property
    def rules(self) -> Rulebook:
        """The rulebook."""
        return rulebook(self.name, **self.changes)


@st.composite
def rulebooks(draw: DrawFn) -> Filed:
    """A shipped Submission with any changes that its edition admits; those it does not admit are left out."""
    name = draw(st.sampled_from(shipped_submissions()))
    edition = rulebook(name).edition.name
    options = dict(ANYWHERE)
    if edition == NEW_JERSEY:
        options |= JERSEY
    else:
        options |= MASSACHUSETTS
    if edition == "ma-midi-4":
        options |= FOURTH
    changes: dict[str, Any] = draw(some(options))
    if draw(st.booleans()):
        changes |= draw(dragon_bonus(edition))
    if rulebook(name).elections.royal9 is not None and draw(st.booleans()):
        royal = draw(progressive(edition))
        royal["royal9"].pop("meters")
        changes |= royal
    while True:
        try:
            rulebook(name, **changes)
        except InvalidSubmission as error:
            wrong = {fault.where.split(".")[0].split("[")[0] for fault in error.faults} & set(changes)
            if not wrong:
                wrong = {next(iter(changes))}
            for key in wrong:
                del changes[key]
        else:
            return Filed(name, changes)
