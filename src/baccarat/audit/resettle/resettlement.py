"""The resettlement of a journal: every round under its own rules, as a check, and then under the other rules.

Where the journal deviates from its own rules (corrections by two persons, House Money that stays as it was
settled before a card was corrected), the deviation is named, accepted as recorded, and carried over unchanged: so
under the same rules nothing differs, whatever was corrected.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from baccarat.audit.resettle.played_round import JournalRounds, KnownShoe, PlayedRound, RoundCorrection
from baccarat.audit.resettle.report import HouseResult, ResettleReport, RoundReport, Share
from baccarat.audit.resettle.resettled_round import (
    ResettledRound,
    ResettleReason,
    payment_reasons,
    run_differently,
    settle_again,
)
from baccarat.law.rulebook import Rulebook
from baccarat.money import Cents
from baccarat.play.book import open_book
from baccarat.play.hand import values
from baccarat.play.wager.royal9 import progressive
from baccarat.table.round_state import RoundKind


def resettle(played: JournalRounds, other: Rulebook) -> ResettleReport:
    """Settle every round of a table again, under its own rules and under `other`."""
    return resettle_tables({"": played}, other)


def resettle_tables(tables: Mapping[str, JournalRounds], other: Rulebook) -> ResettleReport:
    """Settle every round of several tables again; a person is the same at all of them."""
    found = [_Resettlement(played, other, table=name if len(tables) > 1 else "") for name, played in tables.items()]
    every = tuple(each for table in found for each in table.rounds())
    patrons = _totals(every)
    held = [each.rules for played in tables.values() for each in played.finished_rounds]
    held = held or [played.rules for played in tables.values()]
    rulebooks = {rules.hash: rules.edition.name for rules in held}
    return ResettleReport(
        rulebooks=tuple(rulebooks),
        editions=tuple(dict.fromkeys(rulebooks.values())),
        other_rulebook=other.hash,
        other_edition=other.edition.name,
        rounds=len(every),
        patrons=patrons,
        house=HouseResult(
            drop=int(sum(sum(played.bought.values()) for played in tables.values())),
            wagered=sum(each.wagered for each in patrons),
            win=-sum(each.net for each in patrons),
            vigorish=sum(each.vigorish for each in patrons),
            other_wagered=sum(each.other_wagered for each in patrons),
            other_win=-sum(each.other_net for each in patrons),
            other_vigorish=sum(each.other_vigorish for each in patrons),
        ),
        reported=tuple(each for each in every if each.reasons),
        every=every,
        assumed=tuple(dict.fromkeys(say for table in found for say in table.list_assumptions())),
    )


class _Resettlement:
    """The resettlement of one table: meters that only the other rules have run from round to round."""

    def __init__(self, played: JournalRounds, other: Rulebook, *, table: str) -> None:
        self.played, self.other, self.table = played, other, table
        self.book = open_book(other)
        progress = progressive(other)
        self.meters = {meter.name: meter.seed for meter in progress.meters} if progress is not None else None
        self.has_own_meters = False
        self.shifted: dict[int, int] = {}
        """By shoe, the first round that takes another number of cards."""

    def rounds(self) -> tuple[RoundReport, ...]:
        """All rounds, in the order in which they were played."""
        return tuple(map(self._round, self.played.finished_rounds))

    # ------------------------------------------------------------------------------------------ one round

    def _round(self, played: PlayedRound) -> RoundReport:
        shoe = self.played.shoes.get(played.shoe)
        order = shoe.cards if shoe is not None else {}
        own = settle_again(open_book(played.rules), played, order, meters=played.meters, admits=False)
        meters = self._meters_for(played)
        other = settle_again(self.book, played, order, meters=meters, admits=True)
        if meters is self.meters and other.is_resolved:
            self.meters = other.meters
        untold = [reason for each in (own, other) for reason in each.reasons if reason.kind == "cannot_be_told"]
        departures = _departures(played, own)
        reasons = [
            *(_departure_reasons(played, own, departures) if own.is_resolved else ()),
            *(dict.fromkeys(untold) or self._reasons(played, own, other)),
        ]
        if not untold:
            self._shift(played, own, other)
        return RoundReport(
            table=self.table,
            shoe=played.shoe,
            round=played.number,
            line=played.line,
            kind=played.kind.value,
            outcome=played.outcome,
            other_outcome="?" if untold else other.outcome,
            shares=tuple(_shares(played, own, other, departures)),
            reasons=tuple(reasons),
        )

    def _meters_for(self, played: PlayedRound) -> dict[str, int] | None:
        """The meters before a round: as recorded, unless the other rules have others, which run from their seeds."""
        if self.meters is None:
            return None
        if played.meters is not None and set(played.meters) == set(self.meters):
            return played.meters
        self.has_own_meters = True
        return self.meters

    def _reasons(self, played: PlayedRound, own: ResettledRound, other: ResettledRound) -> Iterator[ResettleReason]:
        law = self.other.edition.free_hand
        if played.kind is RoundKind.FREE_HAND and (law is None or not self.other.elects(law.offered)):
            keys = law.cite if law is not None else self.other.edition.deal.cite
            say = "a hand without wagers, which these rules do not have"
            yield ResettleReason(kind="no_free_hand", say=say, clauses=self.other.edition.cite_text(*keys))
        yield from run_differently(own, other)
        yield from other.reasons
        yield from payment_reasons(own, other)

    def _shift(self, played: PlayedRound, own: ResettledRound, other: ResettledRound) -> None:
        if own.coup is None or other.coup is None or played.shoe in self.shifted:
            return
        if own.coup.cards_dealt != other.coup.cards_dealt:
            self.shifted[played.shoe] = played.number

    # ------------------------------------------------------------------------------------------- assumed

    def list_assumptions(self) -> Iterator[str]:
        """What was assumed, and where the shoe would really have run differently."""
        yield "everyone wagers what was wagered, even if they could not have paid for it"
        for shoe in self.played.shoes.values():
            yield from self._burn(shoe)
        for number, first in self.shifted.items():
            yield (
                f"{self._shoe(number)}: from round {first} on, the cards would have shifted; each later round is "
                "settled from its own first cards"
            )
        yield from self._meter_remarks()
        if self.played.is_round_open:
            yield "a round that is not over when the journal ends is left out"

    def _shoe(self, number: int) -> str:
        return f"{self.table}, shoe {number}" if self.table else f"shoe {number}"

    def _burn(self, shoe: KnownShoe) -> Iterator[str]:
        decks, other_decks = shoe.rules.elections.decks, self.other.elections.decks
        if decks != other_decks:
            yield f"{self._shoe(shoe.number)}: {decks} decks, as played; the other rules have {other_decks}"
        if shoe.first_burned is None:
            return
        counts = [values(rules.edition.burn.value)[shoe.first_burned.rank] for rules in (shoe.rules, self.other)]
        if counts[0] != counts[1]:
            cites = ", ".join(self.other.edition.cite_text(*self.other.edition.burn.cite))
            yield (
                f"{self._shoe(shoe.number)}: after {shoe.first_burned}, {counts[0]} cards were burned, and {counts[1]} "
                f"would have been [{cites}]; the rounds are settled from their own first cards"
            )

    def _meter_remarks(self) -> Iterator[str]:
        if self.meters is None:
            return
        if self.has_own_meters:
            yield "the Royal 9 meters of the other rules start from their seeds, and run with these wagers"
        else:
            yield "the Royal 9 meters before each round are as recorded"
        if self.other.elections.must_hit is not None:
            yield "the Must Hit is won when and where it was won, if the other rules have it on the same terms"


def _sums_by_person(played: PlayedRound, by_seat: dict[int, int]) -> Counter[str]:
    """Sums by seat as sums by person."""
    found = Counter[str]()
    for seat, amount in by_seat.items():
        found[played.people[seat]] += amount
    return found


def _departures(played: PlayedRound, own: ResettledRound) -> dict[str, int]:
    """By person, the difference between the journal and its own rules."""
    given = _sums_by_person(played, own.net)
    people = dict.fromkeys((*played.net, *given))
    return {who: played.net[who] - given[who] for who in people if played.net[who] != given[who]}


def _departure_reasons(
    played: PlayedRound, own: ResettledRound, departures: dict[str, int]
) -> Iterator[ResettleReason]:
    """How the journal deviates from its own rules: corrected by two persons, or else wrong."""
    cites = played.rules.edition.cite_text(*played.rules.edition.settlement.cite)
    for who, net in departures.items():
        why = [_correction_text(each) for each in played.corrections if each.who in ("", who)]
        if why:
            say = f"{who} has {Cents(net)} beyond what the rules give, accepted as recorded: {'; '.join(why)}"
            yield ResettleReason(kind="corrected", say=say, clauses=cites)
        else:
            say = f"the journal gives {who} {Cents(net)} beyond what its own rules give"
            yield ResettleReason(kind="not_as_settled", say=say, clauses=cites)
    given = _sums_by_person(played, own.vigorish)
    for who in dict.fromkeys((*played.vigorish, *given)):
        more = played.vigorish[who] - given[who]
        if more and not played.corrections:
            say = f"the journal takes {Cents(more)} more vigorish from {who} than its own rules do"
            yield ResettleReason(kind="not_as_settled", say=say, clauses=cites)


def _correction_text(correction: RoundCorrection) -> str:
    return f"{correction.what}, {correction.reason} ({correction.requester} and {correction.approver})"


def _shares(
    played: PlayedRound, own: ResettledRound, other: ResettledRound, departures: dict[str, int]
) -> Iterator[Share]:
    """What each person had, and would have had; the same on both sides if the round cannot be resettled.

    Vigorish is what the rules give on the corrected cards: an older corrected payment does not say how much of it
    is vigorish.
    """
    wagered = Counter[str]()
    for wager in played.wagers:
        wagered[played.people[wager.seat]] += 0 if played.is_void else wager.stake
    vigorish = _sums_by_person(played, own.vigorish) if own.is_resolved else played.vigorish
    other_wagered, other_net, other_vigorish = wagered, played.net, vigorish
    if own.is_resolved and other.is_resolved:
        other_wagered, other_vigorish = _sums_by_person(played, other.wagered), _sums_by_person(played, other.vigorish)
        other_net = _sums_by_person(played, other.net)
        other_net.update(departures)
    for who in dict.fromkeys((*wagered, *played.net, *other_net)):
        yield Share(
            who=who,
            wagered=int(wagered[who]),
            net=int(played.net[who]),
            vigorish=int(vigorish[who]),
            other_wagered=int(other_wagered[who]),
            other_net=int(other_net[who]),
            other_vigorish=int(other_vigorish[who]),
        )


def _totals(rounds: tuple[RoundReport, ...]) -> tuple[Share, ...]:
    """What each person had in all rounds together."""
    sums: dict[str, Counter[str]] = {}
    names = [name for name in Share.__struct_fields__ if name != "who"]
    for each in rounds:
        for share in each.shares:
            total = sums.setdefault(share.who, Counter())
            for name in names:
                total[name] += getattr(share, name)
    return tuple(Share(who=who, **{name: total[name] for name in names}) for who, total in sorted(sums.items()))
