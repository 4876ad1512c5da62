"""Royal 9: a nine with a court card on the first two cards; prizes by row, meters, shares."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import msgspec

from baccarat import money
from baccarat.cards import Card, Rank, Suit
from baccarat.law.cached_value import cached_on_value
from baccarat.law.clause import Citation
from baccarat.law.edition import Edition
from baccarat.law.rulebook import Rulebook
from baccarat.law.section import Rung

MICRO = money.MICRO
"""Micro-cents in a cent."""

COURTS = (Rank.JACK, Rank.QUEEN, Rank.KING)

Pair = frozenset[Card]


class Chair(msgspec.Struct, frozen=True):
    """The combinations of one seat, those of them with a king, and those of all other seats."""

    own: frozenset[Pair]
    own_kings: frozenset[Pair]
    others: frozenset[Pair]


def is_royal(hand: Pair) -> bool:
    """A nine together with a jack, queen or king."""
    ranks = {card.rank for card in hand}
    return len(hand) == 2 and Rank.NINE in ranks and any(court in ranks for court in COURTS)


def is_suited(hand: Pair) -> bool:
    """Both cards of one suit."""
    return len({card.suit for card in hand}) == 1


def own_on_both(chair: Chair, player: Pair, banker: Pair) -> bool:
    """Both hands show one and the same combination of the bettor's chair."""
    return player == banker and player in chair.own


def two_of_own(chair: Chair, player: Pair, banker: Pair) -> bool:
    """The hands show two different combinations of the bettor's chair."""
    return player != banker and player in chair.own and banker in chair.own


def own_king_on_banker_only(chair: Chair, player: Pair, banker: Pair) -> bool:
    """Only the Banker's Hand is the King-9 of the chair."""
    return banker in chair.own_kings and player not in chair.own_kings


def own_king_on_player_only(chair: Chair, player: Pair, banker: Pair) -> bool:
    """Only the Player's Hand is the King-9 of the chair."""
    return player in chair.own_kings and banker not in chair.own_kings


def other_on_both(chair: Chair, player: Pair, banker: Pair) -> bool:
    """Both hands show one and the same combination of another seat, occupied or not."""
    return player == banker and player in chair.others


def posted_on_both(chair: Chair, player: Pair, banker: Pair) -> bool:
    """Both hands show combinations posted at any seats."""
    posted = chair.own | chair.others
    return player in posted and banker in posted


def suited_royal_on_both(_chair: Chair, player: Pair, banker: Pair) -> bool:
    """Each hand is a suited Royal 9, not necessarily alike."""
    return all(is_royal(hand) and is_suited(hand) for hand in (player, banker))


def royal_on_both(_chair: Chair, player: Pair, banker: Pair) -> bool:
    """Each hand is a Royal 9, not necessarily alike."""
    return is_royal(player) and is_royal(banker)


def suited_royal_on_either(_chair: Chair, player: Pair, banker: Pair) -> bool:
    """One hand at least is a suited Royal 9."""
    return any(is_royal(hand) and is_suited(hand) for hand in (player, banker))


def royal_on_either(_chair: Chair, player: Pair, banker: Pair) -> bool:
    """One hand at least is a Royal 9."""
    return is_royal(player) or is_royal(banker)


def otherwise(_chair: Chair, _player: Pair, _banker: Pair) -> bool:
    """Whatever is left."""
    return True


EVENTS: dict[str, Callable[[Chair, Pair, Pair], bool]] = {
    event.__name__: event
    for event in (
        own_on_both, two_of_own, own_king_on_banker_only, own_king_on_player_only, other_on_both, posted_on_both,
        suited_royal_on_both, royal_on_both, suited_royal_on_either, royal_on_either, otherwise,
    )
}  # fmt: skip


class Prize(msgspec.Struct, frozen=True, kw_only=True):
    """One row of the pay table in force."""

    row: str
    event: str
    meter: str | None
    percent: int
    prize: int
    cites: tuple[Citation, ...]

    @property
    def is_lost(self) -> bool:
        """Whether this row pays nothing."""
        return self.meter is None and self.prize == 0


class Meter(msgspec.Struct, frozen=True, kw_only=True):
    """What one wager adds to a meter, and where the meter begins again, in micro-cents."""

    name: str
    seed: int
    contribution: int
    reserve: int


class Progressive(msgspec.Struct, frozen=True, kw_only=True, eq=False, dict=True):
    """The Royal 9 wager of one rulebook: chairs, prizes in their order, meters."""

    chairs: dict[int, Chair]
    prizes: tuple[Prize, ...]
    meters: tuple[Meter, ...]
    stake: int
    reserve: int
    returns_stake: bool
    refills: bool
    cites: tuple[Citation, ...]

    def contributions(self, wagers: int) -> tuple[dict[str, int], int]:
        """What this number of wagers adds to each meter, and to the reserve, in micro-cents."""
        reserve = (sum(meter.reserve for meter in self.meters) + self.reserve) * wagers
        return {meter.name: meter.contribution * wagers for meter in self.meters}, reserve

    def net(self, prize: Prize, won: int) -> int:
        """What a wager gains by a row: the stake is kept unless it comes back with a prize (reading A-14)."""
        return won if self.returns_stake and not prize.is_lost else won - self.stake

    def row(self, seat: int, player: Pair, banker: Pair) -> Prize:
        """The first row that fits, in the order of the pay table (reading A-18)."""
        chair = self.chairs[seat]
        return next(prize for prize in self.prizes if EVENTS[prize.event](chair, player, banker))


def progressive_cite(edition: Edition) -> tuple[str, ...]:
    """The clauses of an edition's progressive; of void rounds where it has none."""
    return edition.royal9.cite if edition.royal9 is not None else edition.void.cite


@cached_on_value
def progressive(rules: Rulebook) -> Progressive | None:
    """The Royal 9 progressive of a rulebook, if it is offered."""
    law, elected = rules.edition.royal9, rules.elections.royal9
    if law is None or elected is None:
        return None
    combos = elected.combos if law.chairs == "submission" else {seat: chair.suits for seat, chair in law.chairs.items()}
    stake = rules.edition.wagers["royal9"].law.stake
    assert stake is not None, "the Royal 9 wager has a fixed stake"
    share = rules.elections.reserve_share_bp or 0
    meters = []
    for meter in law.meter:
        table = str(elected.paytable)
        seed = meter.seed[table] if meter.seed else (elected.seeds or {})[meter.name]
        rate = meter.rate_bp[table] if meter.rate_bp else (elected.rates_bp or {})[meter.name]
        whole = stake.shall * rate * (MICRO // 10_000)
        kept = whole * share // 10_000
        meters.append(Meter(name=meter.name, seed=seed * MICRO, contribution=whole - kept, reserve=kept))
    return Progressive(
        chairs=_chairs(combos or {}, law.courts),
        prizes=tuple(_prize(rules, rung) for rung in law.ladder),
        meters=tuple(meters),
        stake=stake.shall,
        reserve=stake.shall * (rules.elections.secondary_seed_bp or 0) * (MICRO // 10_000),
        returns_stake=bool(rules.elections.royal9_return_stake),
        refills=bool(rules.elections.partial_refill_to_seed),
        cites=rules.cite(*law.cite, *law.definition_cite),
    )


def _chairs(combos: Mapping[str, str], courts: str) -> dict[int, Chair]:
    own: dict[int, frozenset[Pair]] = {}
    for seat, suits in combos.items():
        court_suit, nine = Suit(suits[0].lower()), Card(Rank.NINE, Suit(suits[1].lower()))
        own[int(seat)] = frozenset(frozenset({Card(Rank(court), court_suit), nine}) for court in courts)
    return {
        seat: Chair(
            own=mine,
            own_kings=frozenset(hand for hand in mine if any(card.rank is Rank.KING for card in hand)),
            others=frozenset(hand for other, theirs in own.items() if other != seat for hand in theirs),
        )
        for seat, mine in own.items()
    }


def _prize(rules: Rulebook, rung: Rung) -> Prize:
    event = rung.event if isinstance(rung.event, str) else rung.event[str(rules.elections.any_two)]
    assert event in EVENTS, "an edition is asked for its events when it is loaded"
    return Prize(
        row=rung.row, event=event, meter=rung.meter, percent=rung.percent, prize=rung.prize,
        cites=rules.cite(*rung.cite),
    )  # fmt: skip


def shares_of(meter: int, *, percent: int, winners: int) -> tuple[int, ...]:
    """What each winner of a part of a meter gets, in cents: of what it shows, rounded up, odd cents to the first."""
    share, odd = divmod(-(-(meter // MICRO) * percent // 100), winners)
    return tuple(share + (place < odd) for place in range(winners))


class RoundAwards(msgspec.Struct, frozen=True, kw_only=True):
    """What the Royal 9 wagers of one round won, and the meters on the way, in micro-cents."""

    rows: dict[int, Prize]
    awards: dict[int, int]
    contributed: dict[str, int]
    after: dict[str, int]
    reserve: int


def award(
    progress: Progressive, meters: Mapping[str, int], seats: list[int], *, player: Pair, banker: Pair
) -> RoundAwards:
    """Take the contributions, find each seat's row, pay meters in the order of the pay table.

    A meter's award is measured on what the meter shows, in whole cents; a part of it is rounded
    up; seats that win the same row share it equally, odd cents to the lower seats (A-18, A-20).
    """
    added, reserve = progress.contributions(len(seats))
    contributed = {name: meters[name] + amount for name, amount in added.items()}
    rows = {seat: progress.row(seat, player, banker) for seat in seats}
    after, awards = dict(contributed), {seat: rows[seat].prize for seat in seats}
    seeds = {meter.name: meter.seed for meter in progress.meters}
    for prize in progress.prizes:
        winners = sorted(seat for seat in seats if rows[seat] is prize)
        if prize.meter is None or not winners:
            continue
        shares = shares_of(after[prize.meter], percent=prize.percent, winners=len(winners))
        awards.update(zip(winners, shares, strict=True))
        left = after[prize.meter] - sum(shares) * MICRO
        if prize.percent == 100:
            left += seeds[prize.meter]  # what is below a cent stays in the meter
        elif progress.refills:
            left = max(left, seeds[prize.meter])
        after[prize.meter] = left
    return RoundAwards(rows=rows, awards=awards, contributed=contributed, after=after, reserve=reserve)
