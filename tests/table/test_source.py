"""Sources: an electronic shoe names its table, its salts are long and its own; the Must Hit has chance of its own."""

from __future__ import annotations

from msgspec.structs import replace

from baccarat.cards import decks
from baccarat.law.rulebook import rulebook
from baccarat.law.submission import MustHit
from baccarat.play.wager import Wager, WagerKind
from baccarat.shuffle import header_of, order
from baccarat.table.machine import begin
from baccarat.table.proof import salt_of
from baccarat.table.round_state import Round
from baccarat.table.shoe_state import Shoe
from baccarat.table.source import KeyedCards, SealedShoe, SealedTriggers
from baccarat.table.state import TableState, with_meters
from electronic_table import OrderOneShoe

RULES = rulebook("ma-midi-4-royal9")
TERMS = MustHit(start=100, ceiling=5_099, contribution=25)
"""A range that begins below the number of cards in a shoe."""


def shoe_seed(number: int) -> bytes:
    """The seed of a shoe."""
    return bytes([number + 1]) * 32


def run_seed(run: int) -> bytes:
    """The seed of a run of the Must Hit."""
    return bytes([200 - run]) * 32


def at(run: int, *, shoe: int = 0, number: int = 1, meter: int = 100) -> TableState:
    """A table in a run of the Must Hit, with four seats that play Royal 9."""
    wagers = tuple(Wager(seat=seat, on=WagerKind.ROYAL9, stake=500) for seat in (1, 2, 4, 6))
    state = with_meters(begin(RULES), must_hit_run=run, must_hit=meter)
    return replace(state, round=Round(number=number, wagers=wagers), shoe=Shoe(number=shoe, decks=8))


def test_the_header_of_a_shoe_names_its_table() -> None:
    state = replace(begin(RULES), shoe=Shoe(decks=8))
    stacks = {name: OrderOneShoe(RULES, shoe_seed, table=name).stack(state) for name in ("T1", "T2")}
    assert stacks["T1"] != stacks["T2"]
    header = header_of(table="T2", shoe="0", rulebook_hash=RULES.hash, decks=8)
    numbers = order(shoe_seed(0), size=416, shoe="0", header=header, contributions=())
    assert stacks["T2"] == tuple(decks(8)[number] for number in numbers)


def test_a_shoe_holds_the_decks_that_are_filed() -> None:
    six = rulebook("ma-midi-4", decks=6)
    state = replace(begin(six), shoe=Shoe(decks=6))
    stack = OrderOneShoe(six, shoe_seed, table="T1").stack(state)
    assert sorted(map(str, stack)) == sorted(map(str, decks(6)))


def test_every_card_of_a_shoe_has_a_salt_of_its_own_that_nobody_guesses() -> None:
    salts = [salt_of(shoe_seed(0), index) for index in range(416)]
    assert len(set(salts)) == 416
    assert {len(salt) for salt in salts} == {16}
    assert salts[0] != salt_of(shoe_seed(1), 0)


def test_the_seeds_of_all_shoes_foretell_no_trigger_no_salt_and_no_lot() -> None:
    """Two tables with the same shoes and other seeds of the Must Hit have nothing of it in common."""
    other = SealedShoe(RULES, shoe_seed, table="T1", triggers=SealedTriggers(TERMS, lambda run: run_seed(run + 1),
                       link="L"))  # fmt: skip
    shoe = SealedShoe(RULES, shoe_seed, table="T1", triggers=SealedTriggers(TERMS, run_seed, link="L"))
    runs = range(30)
    assert all(shoe.must_hit(at(run)).trigger != other.must_hit(at(run)).trigger for run in runs)
    cards = {salt_of(shoe_seed(number), index).hex() for number in range(3) for index in range(416)}
    salts = {shoe.must_hit(at(run)).salt for run in runs}
    assert len(salts) == len(runs)
    assert not salts & cards
    assert {len(bytes.fromhex(salt)) for salt in salts} == {16}
    keyed = KeyedCards(lambda _number: decks(8), triggers=SealedTriggers(TERMS, run_seed, link="L"))
    assert [keyed.must_hit(at(run)) for run in runs] == [shoe.must_hit(at(run)) for run in runs]


def test_every_run_has_its_trigger_and_keeps_it_whatever_the_meter_shows() -> None:
    triggers = SealedTriggers(TERMS, run_seed, link="L")
    found = [triggers.open_trigger(at(run)).trigger for run in range(40)]
    assert len(set(found)) > 35
    assert all(TERMS.start <= trigger <= TERMS.ceiling for trigger in found)
    assert min(found) < 1_600, "over the whole range"
    assert max(found) > 3_600, "over the whole range"
    for run in range(5):
        same = {(triggers.open_trigger(at(run, shoe=shoe, number=number, meter=meter)).trigger,
                 triggers.open_trigger(at(run)).salt)
                for shoe in range(3) for number in (1, 9) for meter in (100, 125, 4_000)}  # fmt: skip
        assert same == {(found[run], triggers.open_trigger(at(run)).salt)}


def test_the_seed_of_a_run_that_was_opened_foretells_nothing_of_the_next() -> None:
    """Two meters with the same seed for their first run, which is opened when it is won, and others for the next."""
    one = SealedTriggers(TERMS, run_seed, link="L")
    two = SealedTriggers(TERMS, lambda run: run_seed(run) if run == 0 else run_seed(run + 90), link="L")
    assert one.open_trigger(at(0)) == two.open_trigger(at(0))
    for run in range(1, 20):
        assert one.open_trigger(at(run)).trigger != two.open_trigger(at(run)).trigger
        assert one.open_trigger(at(run)).salt != two.open_trigger(at(run)).salt


def test_a_trigger_may_be_any_cent_of_the_filed_range_both_ends_included() -> None:
    terms = MustHit(start=100, ceiling=103, contribution=1)
    chance = SealedTriggers(terms, lambda run: run.to_bytes(32, "big"), link="L")
    assert {chance.open_trigger(at(run)).trigger for run in range(60)} == {100, 101, 102, 103}


def test_every_round_has_its_lot_and_every_link_its_chance() -> None:
    triggers = SealedTriggers(TERMS, run_seed, link="L")
    for fixed in ({"run": 0, "shoe": 0}, {"run": 1, "shoe": 2}):
        lots = [
            triggers.open_trigger(at(fixed["run"], shoe=fixed["shoe"], number=number)).lot for number in range(1, 60)
        ]
        assert set(lots) == {0, 1, 2, 3}
    assert {triggers.open_trigger(at(0, shoe=shoe)).lot for shoe in range(40)} == {0, 1, 2, 3}
    other = SealedTriggers(TERMS, run_seed, link="M")
    assert other.open_trigger(at(0)).trigger != triggers.open_trigger(at(0)).trigger
    assert other.open_trigger(at(0)).salt != triggers.open_trigger(at(0)).salt
