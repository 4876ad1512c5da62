"""Adopting rules: which rulebook a shoe is played by, and how a table goes over to another between two shoes.

Every shoe begins with `RulesAdopted`, which names its rulebook by hash: with the first act on its cards, or before it,
when other rules are adopted. People, chips, debts, forms and meters are carried over; whatever does not fit the new
rules prevents the adoption, and the refusal says what.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any

from msgspec.structs import replace

from baccarat.law.error import RulesError
from baccarat.law.rulebook import Rulebook, rulebook
from baccarat.money import MICRO
from baccarat.play.refusal import Refused
from baccarat.play.wager.royal9 import progressive
from baccarat.table.audience import sights
from baccarat.table.base import Command, Event, HandlerResult, Reason, TableRules, refuse, table_rules
from baccarat.table.bounds import Elections, Means, Micro, check_elected
from baccarat.table.card import CommandCard, EventCard
from baccarat.table.registration import evolves, handles
from baccarat.table.role import Role
from baccarat.table.shoe_state import Shoe
from baccarat.table.state import Meters, Seats, TableState
from baccarat.table.step_function import tells
from baccarat.table.table_cards import ELECTRONIC_CARDS, uses_electronic_shoes


class AdoptRules(Command, frozen=True, kw_only=True, tag="adopt_rules"):
    """The floorperson has the next shoe played by other rules: a Submission, and its edition."""

    submission: Annotated[
        Elections,
        Means("the options of a Submission by their names, and its edition under `ruleset`; sums in whole cents"),
    ]
    ROLE = Role.FLOORPERSON
    ROLES = frozenset({Role.FLOORPERSON, Role.CASINO_SUPERVISOR})
    CARD = CommandCard(group="rules", discretion="terms")

    def __post_init__(self) -> None:
        check_elected("submission", self.submission)

    @property
    def rules(self) -> Rulebook:
        """The rulebook of the Submission; `RulesError` if it is invalid."""
        return rulebook(dict(self.submission))

    def discretion_text(self, state: TableState, rules: Rulebook) -> str:
        """With the edition and the rulebook."""
        del state, rules
        return f"{self}: {self.rules.edition.name}, rulebook {self.rules.hash[:12]}"


class RulesAdopted(Event, frozen=True, kw_only=True, tag="rules_adopted"):
    """The coming shoe is played by these rules. The other fields are set where they differ from before."""

    hash: str
    ruleset: str
    submission: dict[str, Any] | None = None
    """What was filed; none if the rules of the last shoe still hold, or those under which the table was opened."""
    seats: int | None = None
    new_cards: bool = False
    """Whether a set that was to be shuffled again is replaced, because other decks are needed."""
    curator_begins: bool = False
    """Whether nobody has a right to the shoe any more."""
    meters: dict[str, Micro] | None = None
    """What the Royal 9 meters show from now on, in micro-cents."""
    must_hit: int | None = None
    """What the Must Hit shows from now on, in cents; its trigger is sealed again."""
    seeded: dict[str, Micro] = {}
    """By Royal 9 meter, what the house puts into it, or takes back, in micro-cents."""
    must_hit_seeded: int = 0
    """The same of the Must Hit, in cents."""
    REWINDS = True
    CARD = EventCard(
        sights(
            everybody="hash ruleset seats new_cards curator_begins meters must_hit",
            office="seeded must_hit_seeded",
            staff="submission",
        ),
        sort="other",
    )


MOST_NAMED = 20
"""The most options that a refusal names."""


def named_options(error: RulesError) -> str:
    """The options for which rules cannot be adopted; the check of a Submission says what is wrong with each."""
    return ", ".join(error.options[:MOST_NAMED])


def _cites(rules: TableRules) -> tuple[str, ...]:
    """The clauses under which cards come to the table, with which a shoe begins."""
    return rules.cites["receive" if "receive" in rules.step_index else rules.steps[0]]


def opens_shoe(rules: TableRules, state: TableState) -> list[Event]:
    """The event before the first act on the cards of a shoe: the rules that hold, unless others were just adopted."""
    if state.rules:
        return []
    book = rules.rulebook
    return [RulesAdopted(hash=book.hash, ruleset=book.edition.name, cites=_cites(rules))]


def is_between_shoes(state: TableState) -> bool:
    """Whether no card of the coming shoe has been touched, and no electronic shoe has committed to its order."""
    shoe = state.shoe
    touched = shoe.done or shoe.shuffled_by or shoe.loaded or shoe.commitment is not None
    return not touched and (not shoe.set_id or shoe.reshuffle)


@handles(AdoptRules)
def adopt(rules: TableRules, state: TableState, command: AdoptRules) -> HandlerResult:
    """Adopt other rules, or say what prevents it."""
    decks = rules.edition.options["decks"].cite
    if not is_between_shoes(state):
        return refuse(rules, Reason.OUT_OF_ORDER, "shoe_ends_by_its_own_rules", *decks)
    try:
        new = command.rules
    except RulesError as error:
        return refuse(rules, Reason.NOT_OFFERED, "these_rules_cannot_adopted", *decks, options=named_options(error))
    meters = _meters(rules, new, state)
    must_hit = _must_hit(rules, new, state)
    for found in (_seats(rules, new, state), _link(rules, new, state), _cards(rules, new, state), meters, must_hit):
        if isinstance(found, Refused):
            return found
    assert isinstance(meters, dict)
    assert not isinstance(must_hit, Refused)
    shoe, law = state.shoe, new.edition
    ready = table_rules(new)
    return [
        RulesAdopted(
            hash=new.hash,
            ruleset=law.name,
            submission=new.submission,
            seats=new.elections.seats or 0,
            new_cards=bool(shoe.set_id) and not (law.void.same_set and shoe.decks == new.elections.decks),
            curator_begins=law.curator is None or rules.edition.curator is None,
            meters=meters,
            must_hit=must_hit,
            seeded=_seed_changes(state.meters.amounts, meters),
            must_hit_seeded=0 if must_hit is None else must_hit - state.meters.must_hit,
            cites=_cites(ready),
        )
    ]


def _seats(rules: TableRules, new: Rulebook, state: TableState) -> Refused | None:
    seats = new.elections.seats or 0
    beyond = [str(seat) for seat in state.occupied if seat > seats]
    if not beyond:
        return None
    keys, seat_list = rules.edition.options["seats"].cite, ", ".join(beyond)
    return refuse(rules, Reason.SEAT_TAKEN, "seat_beyond_the_new_rules", *keys, beyond=seat_list, seats=seats)


def _cards(rules: TableRules, new: Rulebook, state: TableState) -> Refused | None:
    """A table that was opened with an electronic shoe keeps it."""
    if state.cards not in ELECTRONIC_CARDS or uses_electronic_shoes(new):
        return None
    return refuse(rules, Reason.OUT_OF_ORDER, "table_keeps_its_electronic_shoe", step="cut")


def _link(rules: TableRules, new: Rulebook, state: TableState) -> Refused | None:
    """A table in a link keeps the terms that it shares with the others."""
    law, same = rules.edition.royal9, _shared_terms(rules.rulebook) == _shared_terms(new)
    if not state.meters.link or same:
        return None
    keys = law.cite if law else ()
    return refuse(rules, Reason.OUT_OF_ORDER, "link_keeps_its_meters", *keys, link=state.meters.link)


def _shared_terms(rules: Rulebook) -> tuple[object, ...]:
    """What the tables of a link have in common."""
    royal9 = progressive(rules)
    meters = tuple((each.name, each.seed, each.contribution, each.reserve) for each in royal9.meters) if royal9 else ()
    others = (royal9.reserve, royal9.refills) if royal9 else ()
    return meters, others, rules.elections.must_hit


def _meters(rules: TableRules, new: Rulebook, state: TableState) -> dict[str, int] | Refused:
    """What the meters show under the new rules: carried by their names, others from their seeds."""
    old, coming = progressive(rules.rulebook), progressive(new)
    seeds = {meter.name: meter.seed for meter in coming.meters} if coming else {}
    held, keys = state.meters, rules.edition.royal9.cite if rules.edition.royal9 else ()
    for meter in old.meters if old else ():
        shown = held.amounts[meter.name]
        if meter.name not in seeds and (held.contributed or shown != meter.seed):
            why, cents = Reason.WRONG_SUM, shown // MICRO
            return refuse(rules, why, "meter_not_in_the_new_rules", *keys, name=meter.name, shown=cents)
    if held.reserve and not seeds:
        return refuse(rules, Reason.WRONG_SUM, "reserve_without_a_meter", *keys)
    return {name: held.amounts.get(name, seed) for name, seed in seeds.items()}


def _must_hit(rules: TableRules, new: Rulebook, state: TableState) -> int | Refused | None:
    """What the Must Hit shows under the new rules; none if it stays as it is."""
    old, coming = rules.elections.must_hit, new.elections.must_hit
    if old == coming:
        return None
    shown, law = state.meters.must_hit, rules.edition.must_hit
    if old is not None and shown != old.start:
        return refuse(rules, Reason.WRONG_SUM, "must_hit_on_other_terms", *(law.cite if law else ()), shown=shown)
    return coming.start if coming is not None else 0


def _seed_changes(before: dict[str, int], after: dict[str, int]) -> dict[str, int]:
    """What the house puts up by meter."""
    changes = {name: after.get(name, 0) - before.get(name, 0) for name in dict.fromkeys((*before, *after))}
    return {name: change for name, change in changes.items() if change}


@evolves(RulesAdopted)
def evolve_adopted(state: TableState, event: RulesAdopted) -> TableState:
    """The rules hold; people and meters are carried over."""
    state = replace(state, rules=event.hash)
    if event.submission is None:
        return state
    assert event.seats is not None, "set with other rules"
    shoe = state.shoe
    if event.new_cards:
        shoe = Shoe(
            number=shoe.number,
            used_sets=shoe.used_sets,
            former_set=shoe.set_id,
            former_seed=shoe.former_seed,
            after_void=shoe.after_void,
            given_before=shoe.goodwill + shoe.given_before,
        )
    return replace(
        state,
        shoe=shoe,
        seats=_carried_seats(state.seats, event.seats, begins=event.curator_begins),
        meters=_carried_meters(state.meters, event),
    )


def _carried_seats(seats: Seats, number: int, *, begins: bool) -> Seats:
    people = (*seats.participants[:number], *(None,) * (number - len(seats.participants)))
    if begins:
        return Seats(participants=people, dealers=seats.dealers)
    curator, cutter = (seat if (seat or 0) <= number else None for seat in (seats.last_curator, seats.last_cutter))
    return replace(seats, participants=people, free_hands=0, last_curator=curator, last_cutter=cutter)


def _carried_meters(held: Meters, event: RulesAdopted) -> Meters:
    """What the house puts up for new meters, and takes back of old ones, counts as seed."""
    if event.meters is not None:
        held = replace(held, amounts=event.meters, seeded=held.seeded + sum(event.seeded.values()))
    if event.must_hit is None:
        return held
    flow = replace(held.must_hit_flow, seeded=held.must_hit_flow.seeded + event.must_hit_seeded)
    return replace(
        held, must_hit=event.must_hit, must_hit_seal="", must_hit_run=held.must_hit_run + 1, must_hit_flow=flow
    )


def rules_after(rules: Rulebook, log: Iterable[Event]) -> Rulebook:
    """The rulebook that holds at the end of a log which began under `rules`."""
    for event in log:
        if isinstance(event, RulesAdopted) and event.submission is not None:
            rules = rulebook(event.submission)
            assert rules.hash == event.hash, "a Submission gives the rulebook that it was adopted as"
    return rules


# ---------------------------------------------------------------------------------- asks, fills, tells


tells(RulesAdopted)(
    lambda x: (
        f"The shoe is played by {x.ruleset}, rulebook {x.hash[:12]}."
        if x.submission is None
        else f"From this shoe on the table plays by {x.ruleset}, rulebook {x.hash[:12]}, at {x.seats} seats"
        + (", with other decks." if x.new_cards else ".")
    )
)
