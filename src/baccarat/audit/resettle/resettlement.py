"""The resettlement of a journal: every round under its own rules, as a check, and then under the other rules.

What the journal has otherwise than its own rules give (corrections by two persons, House Money that stands as it was
settled before a card was corrected) is named, taken as recorded, and carried over unchanged: so under the same rules
nothing differs, whatever was corrected.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from baccarat.audit.resettle.again import Again, Reason, paid_differently, run_differently, settle_again
from baccarat.audit.resettle.played import Correction, JournalRounds, KnownShoe, PlayedRound
from baccarat.audit.resettle.report import House, Report, RoundReport, Share
from baccarat.law.rulebook import Rulebook
from baccarat.money import Cents
from baccarat.play.book import open_book
from baccarat.play.hand import values
from baccarat.play.wager.royal9 import progressive
from baccarat.table.state import RoundKind


def resettle(played: JournalRounds, other: Rulebook) -> Report:
    """Settle every round of a journal again, under its own rules and under `other`."""
    return _Resettlement(played, other).report()


class _Resettlement:
    """A resettlement under way: the meters that other rules bring along run from round to round."""

    def __init__(self, played: JournalRounds, other: Rulebook) -> None:
        self.played, self.other = played, other
        self.book = open_book(other)
        progress = progressive(other)
        self.meters = {meter.name: meter.seed for meter in progress.meters} if progress is not None else None
        self.has_own_meters = False
        self.shifted: dict[int, int] = {}
        """By shoe, the first round that takes another number of cards."""

    def report(self) -> Report:
        """All rounds, and what they come to."""
        every = tuple(map(self._round, self.played.rounds))
        patrons = _totals(every)
        rulebooks = {each.rules.hash: each.rules.edition.name for each in self.played.rounds}
        rulebooks = rulebooks or {self.played.rules.hash: self.played.rules.edition.name}
        return Report(
            rulebooks=tuple(rulebooks),
            editions=tuple(dict.fromkeys(rulebooks.values())),
            other_rulebook=self.other.hash,
            other_edition=self.other.edition.name,
            rounds=len(every),
            patrons=patrons,
            house=House(
                drop=sum(self.played.bought.values()),
                wagered=sum(each.wagered for each in patrons),
                win=-sum(each.net for each in patrons),
                vigorish=sum(each.vigorish for each in patrons),
                other_wagered=sum(each.other_wagered for each in patrons),
                other_win=-sum(each.other_net for each in patrons),
                other_vigorish=sum(each.other_vigorish for each in patrons),
            ),
            reported=tuple(each for each in every if each.reasons),
            every=every,
            assumed=tuple(self._assumed()),
        )

    # ------------------------------------------------------------------------------------------ one round

    def _round(self, played: PlayedRound) -> RoundReport:
        shoe = self.played.shoes.get(played.shoe)
        order = shoe.cards if shoe is not None else {}
        own = settle_again(open_book(played.rules), played, order, meters=played.meters, admits=False)
        meters = self._meters_for(played)
        other = settle_again(self.book, played, order, meters=meters, admits=True)
        if meters is self.meters and other.is_told:
            self.meters = other.meters
        untold = [reason for each in (own, other) for reason in each.reasons if reason.kind == "cannot_be_told"]
        departures = _departures(played, own) if own.is_told else {}
        reasons = [
            *_named(played, departures),
            *(dict.fromkeys(untold) or self._reasons(played, own, other)),
        ]
        if not untold:
            self._shift(played, own, other)
        return RoundReport(
            shoe=played.shoe,
            round=played.number,
            line=played.line,
            kind=played.kind.value,
            outcome=played.outcome,
            other_outcome="?" if untold else other.outcome,
            shares=tuple(_shares(played, None if untold else other, departures)),
            reasons=tuple(reasons),
        )

    def _meters_for(self, played: PlayedRound) -> dict[str, int] | None:
        """The meters before a round: as they stood, unless the other rules have other ones, which run from seeds."""
        if self.meters is None:
            return None
        if played.meters is not None and set(played.meters) == set(self.meters):
            return played.meters
        self.has_own_meters = True
        return self.meters

    def _reasons(self, played: PlayedRound, own: Again, other: Again) -> Iterator[Reason]:
        law = self.other.edition.free_hand
        if played.kind is RoundKind.FREE_HAND and (law is None or not self.other.elects(law.offered)):
            keys = law.cite if law is not None else self.other.edition.deal.cite
            say = "a hand without wagers, which these rules do not have"
            yield Reason(kind="no_free_hand", say=say, clauses=self.other.edition.cite_text(*keys))
        yield from run_differently(own, other)
        yield from other.reasons
        yield from paid_differently(own, other)

    def _shift(self, played: PlayedRound, own: Again, other: Again) -> None:
        if own.coup is None or other.coup is None or played.shoe in self.shifted:
            return
        if own.coup.cards_dealt != other.coup.cards_dealt:
            self.shifted[played.shoe] = played.number

    # ------------------------------------------------------------------------------------------- assumed

    def _assumed(self) -> Iterator[str]:
        """What was taken for granted, and where the shoe would really have run another way."""
        yield "everybody wagers what was wagered, and whoever could not have paid for it is not looked at"
        for shoe in self.played.shoes.values():
            yield from self._burn(shoe)
        for number, first in self.shifted.items():
            yield (
                f"shoe {number}: from round {first} on, the cards would have shifted; each later round is settled from "
                "the cards with which it did start"
            )
        yield from self._about_meters()
        if self.played.open_round:
            yield "a round that was not over when the journal ends is left out"

    def _burn(self, shoe: KnownShoe) -> Iterator[str]:
        decks, other_decks = shoe.rules.elections.decks, self.other.elections.decks
        if decks != other_decks:
            yield f"shoe {shoe.number}: {decks} decks, as they came; the other rules would have {other_decks}"
        if shoe.first_burned is None:
            return
        counts = [values(rules.edition.burn.value)[shoe.first_burned.rank] for rules in (shoe.rules, self.other)]
        if counts[0] != counts[1]:
            cites = ", ".join(self.other.edition.cite_text(*self.other.edition.burn.cite))
            yield (
                f"shoe {shoe.number}: after {shoe.first_burned}, {counts[0]} cards were burned, and {counts[1]} would "
                f"have been [{cites}]; the rounds are settled from the cards with which they did start"
            )

    def _about_meters(self) -> Iterator[str]:
        if self.meters is None:
            return
        if self.has_own_meters:
            yield "the Royal 9 meters of the other rules begin with their seeds, and run with these wagers"
        else:
            yield "the Royal 9 meters stand before each round as they did stand"
        if self.other.elections.must_hit is not None:
            yield "the Must Hit is won when and where it was won, if the other rules have it on the same terms"


def _departures(played: PlayedRound, own: Again) -> dict[str, tuple[int, int]]:
    """By person, how the journal departs from its own rules: in net, and in vigorish."""
    net, vigorish = Counter(played.net), Counter(played.vigorish)
    for seat, amount in own.net.items():
        net[played.people[seat]] -= amount
    for seat, amount in own.vigorish.items():
        vigorish[played.people[seat]] -= amount
    people = dict.fromkeys((*net, *vigorish))
    return {who: (net[who], vigorish[who]) for who in people if net[who] or vigorish[who]}


def _named(played: PlayedRound, departures: dict[str, tuple[int, int]]) -> Iterator[Reason]:
    """What the journal has otherwise than its own rules: corrected by two persons, or else wrong."""
    cites = played.rules.edition.cite_text(*played.rules.edition.settlement.cite)
    for who, (net, _) in departures.items():
        why = [_said(each) for each in played.corrections if each.who in ("", who)]
        if why:
            say = f"{who}: {Cents(net)} beyond what the rules give, taken as recorded: {'; '.join(why)}"
            yield Reason(kind="corrected", say=say, clauses=cites)
        else:
            say = f"{who}: the journal has {Cents(net)} beyond what its own rules give"
            yield Reason(kind="not_as_settled", say=say, clauses=cites)


def _said(correction: Correction) -> str:
    amount = f" by {Cents(correction.amount)}" if correction.amount else ""
    return (
        f"{correction.what} corrected{amount}, {correction.reason} ({correction.requester} and {correction.approver})"
    )


def _shares(played: PlayedRound, other: Again | None, departures: dict[str, tuple[int, int]]) -> Iterator[Share]:
    """What each person had, and would have had; the same where the round cannot be told."""
    wagered, other_wagered = Counter[str](), Counter[str]()
    other_net, other_vigorish = Counter[str](), Counter[str]()
    for wager in played.wagers:
        wagered[played.people[wager.seat]] += 0 if played.is_void else wager.stake
    if other is None:
        other_wagered, other_net, other_vigorish = wagered, played.net, played.vigorish
    else:
        for found, by_seat in (
            (other_wagered, other.wagered), (other_net, other.net), (other_vigorish, other.vigorish)
        ):  # fmt: skip
            for seat, amount in by_seat.items():
                found[played.people[seat]] += amount
        for who, (net, vigorish) in departures.items():
            other_net[who] += net
            other_vigorish[who] += vigorish
    for who in dict.fromkeys((*wagered, *played.net, *other_net)):
        yield Share(
            who=who,
            wagered=wagered[who],
            net=played.net[who],
            vigorish=played.vigorish[who],
            other_wagered=other_wagered[who],
            other_net=other_net[who],
            other_vigorish=other_vigorish[who],
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
