"""The rulebook prepared for play: every question of a round is answered once, in tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from baccarat.cards import DECK, Card
from baccarat.law.cached_value import cached_on_value, cached_per_argument
from baccarat.law.clause import Citation
from baccarat.law.edition import DRAGON_TABLE, Edition, pay_entry
from baccarat.law.edition import WagerRules as WagerInLaw
from baccarat.law.error import RulesError
from baccarat.law.fact import COUNTS, FINISHES, OPENINGS, facts_for_hand, tableau_row
from baccarat.law.row import Draw, PayRule, WagerResult, conditions, conditions_hold
from baccarat.law.rulebook import Rulebook
from baccarat.law.section import NO_MORE_BETS, CallLaw
from baccarat.law.submission import Limit, odds
from baccarat.law.wager_name import in_order
from baccarat.money import Ratio, next_multiple, percentage
from baccarat.play.hand import Side, values
from baccarat.play.wager import WagerKind
from baccarat.values import short_repr

NO_CARD = 10
"""The column of the tableau for a Player without a third card."""


class WagerVerdict(msgspec.Struct, frozen=True, kw_only=True):
    """How a wager ends in one case: result, pay-table row, odds, whether vigorish is due, clauses."""

    result: WagerResult
    row: str | None
    odds: Ratio | None
    vigorish: bool
    cites: tuple[Citation, ...]


class Book(msgspec.Struct, frozen=True, kw_only=True, eq=False, dict=True):
    """Tables of a rulebook, by which rounds are dealt and settled without asking the law again."""

    rules: Rulebook
    value: dict[Card, int]
    natural: tuple[bool, ...]
    player_row: tuple[tuple[Draw, ...], ...]
    banker_row: tuple[tuple[tuple[Draw | None, ...], ...], tuple[tuple[Draw | None, ...], ...]]
    verdicts: dict[WagerKind, tuple[WagerVerdict | None, ...]]
    early: dict[WagerKind, tuple[WagerVerdict, ...]]
    """By the number of pairs."""
    openings: dict[WagerKind, tuple[WagerVerdict, ...]]
    """By the opening: no pair, Banker's, Player's, both."""
    facts: tuple[Mapping[str, Any] | None, ...]
    calls: tuple[tuple[CallLaw, ...], ...]
    offered: frozenset[WagerKind]
    kinds: tuple[WagerKind, ...]
    """The wagers offered, in the order in which they are shown."""
    main: dict[Side, WagerKind]
    """The main wager on each hand; only its chips count for who is handed the cards (reading A-81)."""
    plain: frozenset[WagerKind]
    has_terms: bool
    limits: dict[WagerKind, Limit]
    hands: tuple[Side, ...]
    sweeps: tuple[tuple[str, ...], ...]
    settlement_cites: tuple[Citation, ...]
    vig_rate: int
    vig_coin: int
    vig_cites: tuple[Citation, ...]
    collection_cites: tuple[Citation, ...]
    vig_deferred: bool
    exempt: frozenset[WagerKind]
    exempt_cites: tuple[Citation, ...]
    portion: Ratio
    seat_one: str
    face_up: bool
    other_side: bool
    royal9_cites: tuple[Citation, ...]

    def table(self, on: WagerKind) -> tuple[WagerVerdict | None, ...]:
        """The verdicts of a wager, case by case; none where a ladder of prizes decides."""
        return self.verdicts.get(on) or self.early.get(on) or self.openings.get(on, ())

    def __repr__(self) -> str:
        return short_repr(self, f"of {self.rules}, {len(self.offered)} wagers offered")

    def highest_payout(self, on: WagerKind, stake: int) -> int:
        """The most that a wager could be paid."""
        return max((odds.payout(stake) for odds in _odds_paid(self, on)), default=0)

    def exempts(self, stake: int, beside: Mapping[WagerKind, int]) -> bool:
        """Whether the other stakes at a seat exempt a stake from vigorish (reading A-21)."""
        return bool(self.exempt) and sum(beside[kind] for kind in beside if kind in self.exempt) >= stake

    def vigorish(self, won: int) -> int:
        """The vigorish on an amount won, rounded as the licensee elected."""
        if self.vig_coin:
            return next_multiple(won, self.vig_rate, self.vig_coin)
        return percentage(won, self.vig_rate)


@cached_per_argument
def _odds_paid(book: Book, on: WagerKind) -> tuple[Ratio, ...]:
    """All odds at which a wager may be paid, each once; cached, since many wagers are admitted by one table."""
    return tuple(dict.fromkeys(each.odds for each in book.table(on) if each and each.odds))


@cached_on_value
def open_book(rules: Rulebook) -> Book:
    """The tables of a rulebook."""
    edition = rules.edition
    facts = _facts_by_index(edition)
    worth = values(edition.point_count.value)
    natural = tuple(edition.definitions.is_natural(count=count, cards=2) for count in COUNTS)
    kinds = {WagerKind(name): wager for name, wager in edition.wagers.items()}
    # Every verdict is decided here, once; dealing, settling and pricing only look it up.
    by_finish, by_pairs, by_opening = _verdict_tables(rules, kinds)
    vigorish = edition.vigorish
    # What the licensee elected, with the clauses that let it.
    sweeps, sweep_keys = _sweeps(rules)
    offered = frozenset(kind for kind, wager in kinds.items() if _is_offered(rules, wager))
    exempt = vigorish.exempt if vigorish.exempt and rules.meets(vigorish.exempt.when) else None
    collection = vigorish.deferred_cite if rules.elects("vig_collection") == "deferred" else vigorish.at_payout_cite
    rounding = vigorish.rounding_cite if rules.elects("vig_rounding") else ()
    return Book(
        rules=rules,
        value={card: worth[card.rank] for card in DECK},
        natural=natural,
        player_row=_player_rows(rules, natural),
        banker_row=(_banker_rows(rules, natural=False), _banker_rows(rules, natural=True)),
        verdicts=by_finish,
        early=by_pairs,
        openings=by_opening,
        facts=facts,
        calls=_calls(rules, facts),
        offered=offered,
        kinds=tuple(kind for kind in _in_order(edition) if kind in offered),
        main={Side(w.hand): kind for kind, w in kinds.items() if w.law.main and w.hand},
        plain=frozenset(kind for kind in offered if _is_plain(rules, kinds[kind])),
        has_terms=rules.elections.opposite_bets is False,
        limits={WagerKind(name): limit for name, limit in (rules.elections.limits or {}).items()},
        hands=tuple(Side(hand) for hand in edition.deal.hands),
        sweeps=sweeps,
        settlement_cites=edition.cite(*sweep_keys),
        vig_rate=rules.elects("vig_rate") or 0,
        vig_coin=vigorish.coins[str(rules.elects("vig_rate"))] if rules.elects("vig_rounding") else 0,
        vig_cites=edition.cite(*vigorish.cite, *rounding),
        collection_cites=edition.cite(*collection),
        vig_deferred=rules.elects("vig_collection") == "deferred",
        exempt=frozenset(map(WagerKind, exempt.wagers)) if exempt else frozenset(),
        exempt_cites=edition.cite(*exempt.cite) if exempt else (),
        portion=Ratio.of(*(rules.elects("house_money_portion") or (1, 1))),
        seat_one=rules.elections.seat_one or "",
        face_up=_style(rules) == "face_up",
        other_side=bool(edition.reveal.other_side and rules.elects(edition.reveal.other_side)),
        royal9_cites=edition.cite(*edition.options["royal9"].cite) if "royal9" in edition.options else (),
    )


def _facts_by_index(edition: Edition) -> tuple[Mapping[str, Any] | None, ...]:
    """The facts of each finish at its index; None at an index that no finish has."""
    found: list[Mapping[str, Any] | None] = [None] * FINISHES
    for finish in edition.finishes:
        found[finish.place] = edition.facts[finish]
    return tuple(found)


def _in_order(edition: Edition) -> list[WagerKind]:
    """The wagers of an edition as they are shown: the main ones on either hand, the other main ones, the rest."""

    def rank(word: str) -> int:
        wager = edition.wagers[word]
        return 3 if not wager.law.main else 2 if wager.hand is None else list(Side).index(Side(wager.hand))

    return [WagerKind(word) for word in sorted(in_order(edition.wagers), key=rank)]


def _is_offered(rules: Rulebook, wager: WagerInLaw) -> bool:
    """Whether participants may make a wager: always, or where the licensee elected it."""
    return wager.law.offered is None or rules.meets({wager.law.offered: True})


def _is_plain(rules: Rulebook, wager: WagerInLaw) -> bool:
    """Whether a wager stands by itself: no fixed stake, no other wager needed."""
    base = wager.law.base
    return wager.law.stake is None and (base is None or (base.option is not None and not rules.elects(base.option)))


def _calls(rules: Rulebook, by_index: tuple[Mapping[str, Any] | None, ...]) -> tuple[tuple[CallLaw, ...], ...]:
    """The calls of each finish; the last entry, of a void round, is the call that ends the wagering."""
    calls = [call for call in rules.edition.calls if rules.meets(call.when)]
    said = [
        () if facts is None else tuple(call for call in calls if conditions_hold(conditions(call.if_), facts))
        for facts in by_index
    ]
    return (*said, tuple(call for call in calls if call.name == NO_MORE_BETS))


def _style(rules: Rulebook) -> str:
    style = rules.edition.reveal.style
    return style if isinstance(style, str) else str(rules.elects(style["option"]))


def _player_rows(rules: Rulebook, natural: tuple[bool, ...]) -> tuple[tuple[Draw, ...], ...]:
    def row(player: int, banker: int) -> Draw:
        ended = natural[player] or natural[banker]
        return tableau_row(rules.edition.tableau, hand="player", natural=ended, points=player, third=None)

    return tuple(tuple(row(player, banker) for banker in COUNTS) for player in COUNTS)


def _banker_rows(rules: Rulebook, *, natural: bool) -> tuple[tuple[Draw | None, ...], ...]:
    """Rows by the Banker's count and the value of the Player's third card; None where it cannot arise."""
    rows = rules.edition.tableau
    definitions = rules.edition.definitions
    table: list[tuple[Draw | None, ...]] = []
    for points in COUNTS:
        if not natural and definitions.is_natural(count=points, cards=2):
            table.append((None,) * (NO_CARD + 1))
            continue
        thirds: list[int | None] = [None] * NO_CARD if natural else list(COUNTS)
        found = [tableau_row(rows, hand="banker", natural=natural, points=points, third=third) for third in thirds]
        found.append(tableau_row(rows, hand="banker", natural=natural, points=points, third=None))
        table.append(tuple(found))
    return tuple(table)


def _sweeps(rules: Rulebook) -> tuple[tuple[tuple[str, ...], ...], tuple[str, ...]]:
    settlement = rules.edition.settlement
    if settlement.option is None:
        return settlement.sweeps, settlement.cite
    procedure = settlement.procedure[str(rules.elects(settlement.option))]
    return procedure.sweeps, (*settlement.cite, *procedure.cite)


@cached_per_argument
def _cases(edition: Edition, wager: str) -> tuple[tuple[int, Mapping[str, Any], tuple[int, ...]], ...]:
    """Each case of a wager: its place, its facts, and the rules whose facts fit, whatever is elected."""
    law = edition.wagers[wager]
    found: list[tuple[int, Mapping[str, Any]]]
    if law.law.early:
        found = [(pairs, {"pairs": pairs}) for pairs in (0, 1, 2)]
    elif law.law.opening:
        found = list(enumerate(OPENINGS))
    else:
        found = [
            (finish.place, facts_for_hand(facts, law.hand, edition.definitions))
            for finish, facts in edition.facts.items()
        ]
    return tuple(
        (place, facts, tuple(i for i, rule in enumerate(law.rules) if conditions_hold(rule.facts, facts)))
        for place, facts in found
    )


Finishes = dict[WagerKind, tuple[WagerVerdict | None, ...]]
Cases = dict[WagerKind, tuple[WagerVerdict, ...]]


def _verdict_tables(rules: Rulebook, kinds: Mapping[WagerKind, WagerInLaw]) -> tuple[Finishes, Cases, Cases]:
    """The verdicts of each wager by what decides it: the finish, the number of pairs, or the opening."""
    by_finish, by_pairs, by_opening = {}, {}, {}
    for kind, wager in kinds.items():
        if wager.law.early:
            by_pairs[kind] = _without_gaps(_verdicts(rules, wager, size=3))
        if wager.law.opening:
            by_opening[kind] = _without_gaps(_verdicts(rules, wager, size=len(OPENINGS)))
        if wager.rules and not (wager.law.early or wager.law.opening):
            by_finish[kind] = _verdicts(rules, wager, size=FINISHES)
    return by_finish, by_pairs, by_opening


def _verdicts(rules: Rulebook, wager: WagerInLaw, *, size: int) -> tuple[WagerVerdict | None, ...]:
    """The verdict of every case under these elections; the edition has been checked to have one for each."""
    in_force = {i: rule for i, rule in enumerate(wager.rules) if rules.meets(rule.when)}
    made: dict[tuple[int, str | None], WagerVerdict] = {}
    table: list[WagerVerdict | None] = [None] * size
    for place, facts, fitting in _cases(rules.edition, wager.name):
        (index,) = [i for i in fitting if i in in_force]
        rule = in_force[index]
        row = rule.row.format_map(facts) if rule.row else None
        if (index, row) not in made:
            made[index, row] = _verdict(rules, rule, row)
        table[place] = made[index, row]
    return tuple(table)


def _without_gaps(table: tuple[WagerVerdict | None, ...]) -> tuple[WagerVerdict, ...]:
    """The verdicts of a table without gaps."""
    return tuple(each for each in table if each is not None)


def _verdict(rules: Rulebook, rule: PayRule, row: str | None) -> WagerVerdict:
    pays, keys = _pays(rules, rule)
    cites = rules.cite(*rule.cite, *keys)
    return WagerVerdict(result=rule.result, row=row, odds=pays, vigorish=rule.vigorish, cites=cites)


def _pays(rules: Rulebook, rule: PayRule) -> tuple[Ratio | None, tuple[str, ...]]:
    """The odds that a winning rule pays, and the clauses that say so."""
    if rule.pays is None:
        return None, ()
    entry = pay_entry(rules.edition, rule.pays)
    if "shall" in entry:
        return Ratio.parse(entry["shall"]), tuple(entry["cite"])
    if "option" in entry:
        return odds(rules.elects(entry["option"])), tuple(entry["cite"])
    elected = rules.elects(entry.get("by", DRAGON_TABLE))
    if elected is None:
        return None, ()  # not offered, so never looked up
    table = str(elected)
    if table not in entry:
        raise RulesError(f"{rules.edition.name}: pays.{rule.pays} has no pay table {table!r}")
    cell = entry[table]
    group, _, row = rule.pays.rpartition(".")
    better = (rules.elects("dragon_odds") or {}).get(row) if group == "dragon" else None
    written, keys = (cell["odds"], cell["cite"]) if isinstance(cell, Mapping) else (cell, entry["cite"])
    return odds(better) if better is not None else Ratio.parse(written), tuple(keys)
