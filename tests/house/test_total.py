"""Whatever is asked of a house is answered: taken and conserved, or refused with a clause; nothing raises or sticks."""

from __future__ import annotations

from typing import Any, get_type_hints

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET, UnsetType

from acting import acting
from baccarat.house.book import Aggregate, HouseCommand
from baccarat.house.cage import CAGE_BOOK
from baccarat.house.coupon import CouponKind
from baccarat.house.coupon_book import COUPON_BOOK
from baccarat.house.filed_rules import FiledRules, file_rules
from baccarat.house.form_book import FORMS
from baccarat.house.gaming_day import DAY, Complimentary
from baccarat.house.house import House
from baccarat.house.house_book import HOUSE_BOOK, LinkTables
from baccarat.house.invariant import broken_invariants
from baccarat.house.inventory import Inventory
from baccarat.house.link import LINK
from baccarat.house.link_event import ContributionsReturned, MeterRaised, MeterWon, MustHitWon, SetNextTerms
from baccarat.house.notice import Notice
from baccarat.house.pit_book import PIT
from baccarat.house.progressive import Terms
from baccarat.house.rule import HOUSE, HOUSE_RULES
from baccarat.house.stream import HOUSE_STREAM, Stream, link_stream
from baccarat.law.rulebook import rulebook
from baccarat.money import MICRO
from baccarat.play.refusal import Refused
from baccarat.table.actor import Actor, Approval
from baccarat.table.irregularity.face_up import ReportFaceUp
from baccarat.table.meters import CorrectMeter, MetersShown
from baccarat.table.role import Role
from baccarat.table.table_cards import StatedCards, TableCards
from baccarat.table.vigorish_form import ComplimentaryForm
from book_acts import in_link
from house_books import ADMIN_AND_SUPERVISOR, open_table, opened_house, taken
from linked_floor import LINK_NAME, NAMES, RANGE, Floor

RULES = rulebook("ma-midi-4-royal9")
BOOKS: dict[str, Aggregate[Any]] = {
    "house": HOUSE_BOOK, "cage": CAGE_BOOK, "forms": FORMS, "day": DAY, "pit A": PIT, "link main": LINK, "pit Z": PIT,
    "coupons": COUPON_BOOK,
}  # fmt: skip

NAME = st.sampled_from(("T1", "T2", "T9", "", " ", "main", "A", "star", "x" * 50))
NUMBER = st.one_of(st.integers(-3, 12), st.sampled_from((10**9, 10**15, -(10**15))))
VALUE = st.one_of(st.none(), st.booleans(), NUMBER, NAME, st.lists(NUMBER, max_size=2), st.just({"a": 1}))
OPTION = st.sampled_from((*RULES.edition.options, "moon", ""))
STATED = st.dictionaries(OPTION, VALUE, max_size=4)
NAMED = st.lists(NAME, max_size=3).map(tuple)
BY_TYPE: dict[Any, st.SearchStrategy[Any]] = {
    str: NAME,
    int: NUMBER,
    CouponKind: st.sampled_from(CouponKind),
    Inventory: st.builds(Inventory, st.dictionaries(NUMBER, NUMBER, max_size=3)),
    FiledRules: st.one_of(
        st.just(file_rules(RULES)),
        st.builds(
            FiledRules,
            ruleset=st.sampled_from(("ma-midi-4", "nowhere", "", "../x")),
            stated=STATED,
            hash=st.sampled_from((RULES.hash, "0" * 64, "")),
        ),
    ),
    Notice: st.builds(Notice, to=NAME, pit=NAME, option=OPTION, value=VALUE, sent=NUMBER, written=st.booleans()),
    Terms: st.builds(Terms, seed=NUMBER, contribution=NUMBER, reserve=NUMBER),
    ComplimentaryForm: st.builds(
        ComplimentaryForm, serial=NUMBER, amount=NUMBER, patron=NAME, dealer=NAME, pit_boss=NAME, pit_clerk=NAME
    ),
    Complimentary: st.builds(Complimentary, table=NAME, serial=NUMBER, patron=NAME, amount=NUMBER, code=NAME),
    dict[str, Any]: STATED,
    TableCards: st.sampled_from(TableCards),
    StatedCards: st.sampled_from((*TableCards, UNSET)),
    tuple[str, ...]: NAMED,
    tuple[str, ...] | UnsetType: st.one_of(st.just(UNSET), NAMED),
    int | UnsetType: st.sampled_from((UNSET, 1, 600, 604_800)),
    tuple[int, ...]: st.lists(NUMBER, max_size=3).map(tuple),
    tuple[str, ...] | None: st.one_of(st.none(), NAMED),
    tuple[Approval, ...]: st.lists(st.builds(Approval, NAME, st.sampled_from(Role)), max_size=2).map(tuple),
}
ACTOR = st.builds(
    Actor,
    who=st.sampled_from(("a", "b", "")),
    role=st.sampled_from(Role),
    approvals=st.lists(st.builds(Approval, st.sampled_from("abc"), st.sampled_from(Role)), max_size=2).map(tuple),
)


def _built(kind: type[HouseCommand]) -> st.SearchStrategy[Any]:
    plain = get_type_hints(kind)  # without bounds: whoever decides must bear more than can be read
    return st.builds(kind, **{name: BY_TYPE[plain[name]] for name in kind.__struct_fields__})


ACTS = st.one_of([
    st.tuples(st.just(stream), _built(kind), st.one_of(ACTOR, st.just(kind)))
    for stream, book in BOOKS.items()
    for kind in book.handlers
])  # fmt: skip


def entitled(kind: type[HouseCommand]) -> Actor:
    """Somebody who may do this, with somebody who may approve it."""
    second = tuple(Approval("b", role) for role in sorted(kind.SECOND, key=lambda role: role.value)[:1])
    return Actor(who="a", role=min(kind.ROLES, key=lambda role: role.value), approvals=second)


def house() -> House:
    """Two linked tables, chips in their trays."""
    made = opened_house(RULES)
    for name in ("T1", "T2"):
        open_table(made, RULES, name, tray=10_000)
    taken(made.do(LinkTables(name="main", tables=("T1", "T2")), ADMIN_AND_SUPERVISOR, stream=HOUSE_STREAM))
    return made


START = house()


@pytest.mark.slow
@settings(max_examples=300)
@given(st.lists(ACTS, min_size=1, max_size=12))
def test_no_command_of_any_book_raises_and_the_books_stay_whole(acts: list[tuple[Stream, HouseCommand, Any]]) -> None:
    made = House(RULES)
    made.state = START.state
    for stream, command, who in acts:
        before = made.state
        outcome = made.do(command, who if isinstance(who, Actor) else entitled(who), stream=stream)
        if isinstance(outcome, Refused):
            assert made.state is before, "a refusal changes nothing"
            assert outcome.say
            assert outcome.cites
            assert {cite.paragraph for cite in outcome.cites if cite.edition == HOUSE} <= set(HOUSE_RULES)
        else:
            assert all(BOOKS[stream].tell(event) for event in outcome.appended[0].events)
            assert broken_invariants(made.state) == []


# --------------------------------------------------------------------------- linked tables in any disorder


def disturb(floor: Floor, name: str) -> None:
    """What seldom happens: a round made simulated, a meter corrected, other terms for a next jackpot."""
    table, chance = floor.tables[name], floor.chance
    state = table.state
    if state.round.closed and not state.round.player:
        card, _ = floor.sources[name].card(state, state.shoe.next)
        table.do(ReportFaceUp(card=card))
        return
    match chance.randrange(2):
        case 0:
            shown = [number for number, event in enumerate(table.log) if isinstance(event, MetersShown)]
            if shown:
                mend = CorrectMeter(
                    corrects=shown[-1],
                    meter=chance.choice(tuple(state.meters.amounts)),
                    amount=7 * MICRO + 3,
                    reason="a sensor missed a wager",
                )
                table.do(mend, acting(table, mend, who="Ann", second="Flo"))
        case 1:
            meter = chance.choice(tuple(floor.linked.royal9.meters))
            terms = floor.linked.royal9.meters[meter].terms
            seed = terms.seed * chance.choice((1, 2, 3)) // 2
            command = SetNextTerms(meter=meter, terms=msgspec.structs.replace(terms, seed=max(seed, 1000 * MICRO)))
            taken(in_link(floor.house, LINK_NAME, command, ADMIN_AND_SUPERVISOR))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("changes", [{}, {"reserve_share_bp": 1500, "secondary_seed_bp": 50}], ids=str)
def test_m8_no_disorder_among_linked_tables_sticks_or_loses_a_micro_cent(seed: int, changes: dict[str, int]) -> None:
    """Every act that is due is taken, whatever happened at the other tables in between; M8 after every act."""
    rules = rulebook("ma-midi-4-royal9", must_hit=RANGE, goodwill_limit="$1,000.00", **changes)
    floor = Floor.opened(rules, seed)
    for number in range(2_500):
        name = floor.chance.choice(NAMES if number % 500 < 250 else NAMES[:2])
        is_closed = floor.tables[name].state.round.closed and not floor.tables[name].state.round.player
        if floor.chance.random() < (0.1 if is_closed else 0.02):
            disturb(floor, name)
            assert broken_invariants(floor.house.state) == []
        floor.act(name, check=number % 3 == 0)
    kinds = {type(event) for event in floor.house.logs[link_stream(LINK_NAME)]}
    assert {ContributionsReturned, MeterRaised, MeterWon, MustHitWon} <= kinds
