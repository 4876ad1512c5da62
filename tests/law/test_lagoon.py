"""An edition written from the page alone: new wagers, other prices, tableau, vigorish, order, burn and remedies."""

from __future__ import annotations

import copy
import json
import pickle
import random
import tomllib
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec
import pytest

import lagoon
from baccarat.cards import decks, parse_cards
from baccarat.law.coverage import accounts
from baccarat.law.draft import draft_edition, draft_submission
from baccarat.law.edition import Edition, build, forget, load_edition, read_table, register
from baccarat.law.error import InvalidSubmission, RulesError
from baccarat.law.rulebook import Rulebook, rulebook
from baccarat.law.wager_name import SHIPPED, WagerKind
from baccarat.odds import bulk, odds
from baccarat.odds.shoe import ShoeCounts
from baccarat.play import record
from baccarat.play.book import open_book
from baccarat.play.coup import deal
from baccarat.play.refusal import RefusalCode, Refused
from baccarat.play.settle import settle
from baccarat.play.shoe import burn
from baccarat.play.wager import Wager
from odds_slow import POINTS
from second_settlement import VALUES, player_draws
from second_settlement import banker_draws as shipped_banker_draws

pytestmark = pytest.mark.slow


@pytest.fixture
def rules(tmp_path: Path) -> Iterator[Rulebook]:
    """Lagoon as one house plays it; forgotten afterwards."""
    _, submission = lagoon.write(tmp_path)
    yield rulebook(submission)
    forget(lagoon.NAME)
    record.forget()


@pytest.fixture
def edition(rules: Rulebook) -> Edition:
    """Lagoon itself."""
    return rules.edition


# ---------------------------------------------------------------------- what the document says, once more in Python


def banker_draws(player: int, banker: int, third: int | None) -> bool:
    """As everywhere, but a Banker of five stays against a four."""
    return shipped_banker_draws(player, banker, third) and not (banker == 5 and third == 4)


def dealt(values: list[int]) -> tuple[list[int], list[int]]:
    """The two hands, as values, of a round dealt from these."""
    player, banker, rest = [values[0], values[2]], [values[1], values[3]], list(values[4:])
    p, b, third = sum(player) % 10, sum(banker) % 10, None
    if player_draws(p, b):
        third = rest.pop(0)
        player.append(third)
    if banker_draws(p, b, third):
        banker.append(rest.pop(0))
    return player, banker


def slow_net(kind: str, stake: int, values: list[int], *, pair: bool) -> int:
    """What a wager gains, by the clauses of Lagoon."""
    player, banker = dealt(values)
    p, b, cards = sum(player) % 10, sum(banker) % 10, len(player) + len(banker)
    six = b == 6 and b > p
    if kind == "lucky_six":
        return stake * (12 if len(banker) == 2 else 20) if six else -stake
    if kind == "small_tiger":
        return 0 if six and len(banker) == 3 else stake * 22 if six else -stake
    if kind == "player_pair":
        return stake * 11 if pair else -stake
    if kind in ("total4", "total5", "total6"):
        wins = cards == int(kind[-1])
        return stake * {"total4": 8, "total5": 9, "total6": 11}[kind] // 5 if wins else -stake
    if p == b:
        return stake * 8 if kind == "tie" else 0
    if kind == "tie" or (kind == "player") != (p > b):
        return -stake
    if kind == "player":
        return stake
    owed = Fraction(stake * 3, 100)
    return stake - -(-owed // 15) * 15  # up to the next fifteen cents


KINDS = ("player", "banker", "tie", "total4", "total5", "total6", "lucky_six", "small_tiger", "player_pair")


# ------------------------------------------------------------------------------------------------- loading


def test_it_loads_and_every_clause_of_its_own_is_ruled(edition: Edition) -> None:
    assert list(edition.wagers)[-3:] == ["lucky_six", "small_tiger", "player_pair"]
    states = accounts(edition)
    assert all(states[key].state.value == "ruled" for key in ("L.1", "L.2", "L.3", "L.4"))


def test_its_submission_elects_its_own_options(tmp_path: Path, rules: Rulebook) -> None:
    assert rules.elects("lucky_six") is True
    assert rules.elects("lucky_six_table") == "long"
    assert rules.elections.own == {"lucky_six": True, "lucky_six_table": "long"}
    assert rulebook(tmp_path / "gondola.toml", lucky_six_table="short").hash != rules.hash


def test_a_wrong_election_of_its_own_option_is_a_fault_with_its_clause(tmp_path: Path, rules: Rulebook) -> None:
    path = tmp_path / "gondola.toml"
    with pytest.raises(InvalidSubmission) as wrong:
        rulebook(path, lucky_six_table="wide")
    assert [(fault.where, fault.allowed, fault.cites) for fault in wrong.value.faults] == [
        ("lucky_six_table", "one of long, short", (f"{lagoon.NAME} §L.2",))
    ]
    with pytest.raises(InvalidSubmission, match=r"lucky_six: .*; allowed: true or false"):
        rulebook(path, lucky_six="yes")
    with pytest.raises(InvalidSubmission, match="no such option; did you mean 'lucky_six'"):
        rulebook(path, luck_six=True)
    left_out = rulebook(path, lucky_six=False)
    assert left_out.elects("lucky_six_table") is None


# ------------------------------------------------------------------------------------------------ the name


def test_a_name_is_one_object_however_it_is_read(rules: Rulebook) -> None:
    kind = WagerKind("lucky_six")
    assert kind.title == "Lucky Six"
    assert kind in WagerKind
    assert WagerKind["LUCKY_SIX"] is kind
    assert repr(kind) == "<WagerKind.LUCKY_SIX: 'lucky_six'>"
    assert (kind.name, kind.value, kind.word) == ("LUCKY_SIX", "lucky_six", "lucky_six")
    assert WagerKind.define("lucky_six") is kind
    assert pickle.loads(pickle.dumps(kind)) is kind
    assert copy.deepcopy(kind) is kind
    assert {kind: 1}[WagerKind("lucky_six")] == 1
    wager = Wager(seat=1, on=kind, stake=500)
    for coder in (msgspec.json, msgspec.msgpack):
        read = coder.decode(coder.encode(wager), type=Wager)
        assert read == wager
        assert read.on is kind
        assert next(iter(coder.decode(coder.encode({kind: 2}), type=dict[WagerKind, int]))) is kind
    assert msgspec.convert("lucky_six", WagerKind) is kind


def test_a_name_that_no_edition_defines_is_refused(rules: Rulebook) -> None:
    for word in ("unlucky_six", "LUCKY_SIX", "", "lucky six"):
        with pytest.raises(ValueError, match="is not a valid WagerKind"):
            WagerKind(word)
        with pytest.raises(msgspec.ValidationError, match="Invalid enum value"):
            msgspec.json.decode(json.dumps(word), type=WagerKind)


def test_an_edition_that_is_refused_defines_no_name() -> None:
    table = read_table("ma-midi-4")
    table["wager"]["never_defined"] = {"title": "Never", "cite": "7(a)", "rules": []}
    with pytest.raises(RulesError, match=r"wager\.never_defined\.rules: no rule says when it wins"):
        build(table)
    with pytest.raises(ValueError, match="not a valid WagerKind"):
        WagerKind("never_defined")


def test_iteration_does_not_depend_on_what_was_loaded(rules: Rulebook) -> None:
    assert tuple(WagerKind) == SHIPPED
    assert len(WagerKind) == 12


def test_a_wager_of_another_edition_is_refused_by_admission(rules: Rulebook) -> None:
    other = rulebook("ma-midi-4")
    found = settle(other, deal(other, "2s 3h Ad Jd Tc 5s"), [Wager(seat=1, on=WagerKind("lucky_six"), stake=500)])
    assert isinstance(found, Refused)
    assert found.code is RefusalCode.NO_SUCH_WAGER


# ------------------------------------------------------------------------------------- settled to the cent


def test_every_wager_is_settled_as_the_clauses_say(rules: Rulebook) -> None:
    chance, seen = random.Random(6), set()
    pack = list(decks(8))
    for _ in range(3000):
        cards = tuple(chance.sample(pack, 6))
        values = [VALUES[card.code[0]] for card in cards]
        pair = cards[0].rank is cards[2].rank
        wagers = [Wager(seat=3, on=WagerKind(word), stake=2500 + 100 * chance.randrange(9)) for word in KINDS]
        settled = settle(rules, deal(rules, cards, rest_of_shoe=True), wagers)
        assert not isinstance(settled, Refused), str(settled)
        for line in settled.lines:
            assert line.net == slow_net(line.wager.on.word, line.wager.stake, values, pair=pair), (line, str(cards))
            seen.add((line.wager.on.word, line.result.word, str(line.odds)))
            assert line.cites
    assert {("lucky_six", "win", "12 to 1"), ("lucky_six", "win", "20 to 1"), ("small_tiger", "push", "None"),
            ("small_tiger", "win", "22 to 1"), ("player_pair", "win", "11 to 1")} <= seen  # fmt: skip


def test_the_row_of_the_tableau_is_the_edition_s(rules: Rulebook) -> None:
    five_against_four = "2s 2h Ks 3d 4c 9s"  # the Player draws a four to its two, the Banker has five
    assert str(deal(rules, five_against_four, rest_of_shoe=True)) == "P 2s Ks 4c = 6   B 2h 3d = 5   player"
    assert str(deal(rulebook("nj-punto-banco"), five_against_four)).endswith("B 2h 3d 9s = 4   player")


def test_records_are_settled_in_its_own_order(rules: Rulebook) -> None:
    line = {"ruleset": lagoon.NAME, "cards": ["2S", "3H", "KD", "3D", "TC"], "wagers": [
        {"seat": 4, "type": "banker", "amount": 10_100}, {"seat": 2, "type": "lucky_six", "amount": 500},
        {"seat": 2, "type": "banker", "amount": 2500}, {"seat": 7, "type": "player", "amount": 2500},
        {"seat": 9, "type": "small_tiger", "amount": 500},
    ]}  # fmt: skip
    told = record.settle_record(record.read(json.dumps(line)))
    assert told["settlement"] == [
        ["collect_vig", 2, 75], ["pay", 2, 8500], ["collect_vig", 4, 315], ["pay", 4, 10_100], ["pay", 9, 11_000],
        ["collect_losing_wagers", [7]],
    ]  # fmt: skip
    assert told["wagers"][1]["row"] == "six on two"


@pytest.mark.parametrize(
    ("wagers", "code"),
    [
        ([("lucky_six", 2500)], RefusalCode.NO_BASE_WAGER),
        ([("player", 2500), ("lucky_six", 500)], RefusalCode.BELOW_MINIMUM),
        ([("player", 2500), ("lucky_six", 500_100)], RefusalCode.ABOVE_MAXIMUM),
        ([("player_pair", 2550)], RefusalCode.OFF_INCREMENT),
        ([("player_pair", 2500), ("player_pair", 2500)], RefusalCode.TWICE),
    ],
)
def test_admission_knows_it(rules: Rulebook, wagers: list[tuple[str, int]], code: RefusalCode) -> None:
    placed = [Wager(seat=3, on=WagerKind(word), stake=stake) for word, stake in wagers]
    found = settle(rules, deal(rules, "2s 3h Ad Jd Tc 5s"), placed)
    assert isinstance(found, Refused)
    assert found.code is code
    assert found.cites


def test_an_aggregate_payout_is_counted_by_its_highest_odds(tmp_path: Path, rules: Rulebook) -> None:
    limits = msgspec.to_builtins(rules.elections.limits)
    limits["lucky_six"]["aggregate_payout"] = 100_000
    bound = rulebook(tmp_path / "gondola.toml", limits=_in_dollars(limits))
    for stake, refused in ((5000, False), (5100, True)):
        both = [Wager(seat=3, on=WagerKind.PLAYER, stake=2500), Wager(seat=3, on=WagerKind("lucky_six"), stake=stake)]
        found = settle(bound, deal(bound, "2s 3h Ad Jd Tc 5s"), both)
        assert isinstance(found, Refused) == refused
    assert isinstance(found, Refused)
    assert found.code is RefusalCode.AGGREGATE_PAYOUT


def _in_dollars(limits: dict[str, Any]) -> dict[str, Any]:
    return {name: {key: f"${value / 100:.2f}" for key, value in limit.items() if value is not None}
            for name, limit in limits.items()}  # fmt: skip


def test_four_more_cards_are_burned_whatever_the_first_is(rules: Rulebook) -> None:
    for first in ("As", "9h", "Kd"):
        shoe = (*parse_cards(first), *decks(1))
        assert len(burn(rules, shoe).cards) == 5


# ------------------------------------------------------------------------------------------------- prices


@pytest.mark.slow
def test_prices_are_those_of_every_deal_counted_by_hand(rules: Rulebook) -> None:
    """A small shoe, walked through card by card: each price is the mean of the slow settlement."""
    ranks = [2, 0, 2, 1, 1, 2, 0, 1, 0, 0, 0, 0, 2]
    cards = [rank for rank, count in enumerate(ranks) for _ in range(count)]
    total, deals = dict.fromkeys(KINDS, Fraction(0)), 0
    for values, pair, ways in _ordered(cards):
        deals += ways
        for kind in KINDS:
            total[kind] += ways * slow_net(kind, 10_000, values, pair=pair)
    shoe = ShoeCounts.of(ranks, decks=8)
    prices = odds(rules, shoe)
    assert deals == shoe.deals
    for kind in KINDS:
        assert prices[WagerKind(kind)].expected == total[kind] / deals / 10_000, kind


def _ordered(cards: list[int]) -> Iterator[tuple[list[int], bool, int]]:
    """Every sequence of six ranks that the cards can be dealt in, as values, with the number of ways to deal it."""
    left = [cards.count(rank) for rank in range(13)]

    def walk(taken: tuple[int, ...], ways: int) -> Iterator[tuple[list[int], bool, int]]:
        if len(taken) == 6:
            yield [POINTS[rank] for rank in taken], taken[0] == taken[2], ways
            return
        for rank in range(13):
            if left[rank]:
                count, left[rank] = left[rank], left[rank] - 1
                yield from walk((*taken, rank), ways * count)
                left[rank] += 1

    yield from walk((), 1)


def test_known_prices_of_a_full_shoe(rules: Rulebook) -> None:
    """With the common tableau eight decks give 16.68 % and 10.36 %, as is printed everywhere."""
    table = tomllib.loads(lagoon.edition_text())
    for row in table["tableau"]:
        if row.get("holds") == [5] and isinstance(row.get("third"), list):
            row["third"] = [4, 5, 6, 7] if row["act"] == "draw" else [0, 1, 2, 3, 8, 9]
    common = build(table)
    prices = odds(msgspec.structs.replace(rules, edition=common))
    assert round(prices[WagerKind("lucky_six")].edge * 10**4) == 1668
    assert round(prices[WagerKind("player_pair")].edge * 10**4) == 1036


def test_bulk_edges_are_the_exact_ones(rules: Rulebook) -> None:
    counts = [128, 32, 32, 32, 30, 32, 32, 31, 32, 32]
    found = bulk.edges(rules, [counts], engine="numpy")
    prices = odds(rules, ShoeCounts.of(counts, decks=8))
    for kind in (WagerKind("lucky_six"), WagerKind("small_tiger"), WagerKind("total6")):
        assert found[kind][0] == pytest.approx(float(prices[kind].edge), abs=1e-12)
    assert WagerKind("player_pair") not in found, "the values of cards do not tell their ranks"
    assert "needs the ranks" in prices.missing[WagerKind("player_pair")]


def test_the_shipped_editions_load_as_before(rules: Rulebook) -> None:
    assert "lucky_six" not in load_edition("nj-punto-banco").wagers


# ------------------------------------------------------------------------------------ main wagers by any name


def test_the_main_wagers_may_have_any_name(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """The fourth edition with its hands called otherwise settles, hands over the cards and presses as it does."""
    text = draft_edition("punto-1", like="ma-midi-4").text
    for before, after in (
        ("[wager.player]", "[wager.punto]"),
        ("[wager.banker]", "[wager.banco]"),
        ('wagers = ["player", "banker"', 'wagers = ["punto", "banco"'),
        ('press = ["player", "banker"', 'press = ["punto", "banco"'),
    ):
        assert before in text
        text = text.replace(before, after)
    (tmp_path / "punto-1.toml").write_text(text, encoding="utf-8")
    request.addfinalizer(lambda: forget("punto-1"))
    edition = register(tmp_path / "punto-1.toml")
    (tmp_path / "house.toml").write_text(draft_submission(edition).text, encoding="utf-8")
    renamed, plain = rulebook(tmp_path / "house.toml"), rulebook("ma-midi-4")
    assert [kind.word for kind in open_book(renamed).kinds][:3] == ["punto", "banco", "tie"]
    chance, pack = random.Random(4), list(decks(8))
    names = {"player": "punto", "banker": "banco"}
    for _ in range(300):
        cards = tuple(chance.sample(pack, 6))
        placed = [
            (seat, word, 2500 + 100 * chance.randrange(5))
            for seat in (1, 2, 3)
            for word in chance.sample(["player", "banker", "tie", "dragon_player"], 2)
        ]
        press = next((word for seat, word, _ in placed if seat == 1 and word in names), None)
        pair = [
            (rules, deal(rules, cards, rest_of_shoe=True), called) for rules, called in ((plain, {}), (renamed, names))
        ]
        ends = []
        for rules, coup, called in pair:
            wagers = [Wager(seat=s, on=WagerKind(called.get(word, word)), stake=stake) for s, word, stake in placed]
            onto = WagerKind(called.get(press, press)) if press else None
            wagers.append(Wager(seat=1, on=WagerKind.HOUSE_MONEY, stake=500, press=onto))
            settled = settle(rules, coup, wagers)
            assert not isinstance(settled, Refused), str(settled)
            ends.append(
                (settled.net_by_seat, settled.handed_to, settled.losers, [line.result for line in settled.lines])
            )
        assert ends[0] == ends[1]
    prices, others = odds(plain), odds(renamed)
    assert [price.edge for price in prices] == [price.edge for price in others]
