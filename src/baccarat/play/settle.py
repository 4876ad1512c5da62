"""Settlement: every wager of a round brought to its end, in the filed order, to the cent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from baccarat.law.clause import Citation
from baccarat.law.row import WagerResult
from baccarat.law.rulebook import Rulebook
from baccarat.play.admission import admit, listed_keys
from baccarat.play.book import Book, WagerVerdict, open_book
from baccarat.play.coup import Coup
from baccarat.play.hand import BANKER_SIDE, PLAYER_SIDE
from baccarat.play.holder import Holding, holder_of_hand
from baccarat.play.refusal import RefusalCode, Refused, Why, make_refusal
from baccarat.play.seating import seats_around, sweep
from baccarat.play.settlement import SettledLine, Settlement, SettlementStep
from baccarat.play.wager import Wager, WagerKind
from baccarat.play.wager.must_hit import MustHitEnd, MustHitState, end_round, objection
from baccarat.play.wager.royal9 import Progressive, RoundAwards, award, progressive
from baccarat.values import brief_repr, expect

# Looking a member up in its enumeration takes ten times as long as a name of the module, and a round does it often.
_PUSH, _LOSE, _ROYAL9 = WagerResult.PUSH, WagerResult.LOSE, WagerKind.ROYAL9

_WAGERS = frozenset({Wager})


def settle(
    rules: Rulebook,
    coup: Coup,
    wagers: Sequence[Wager],
    *,
    meters: Mapping[str, int] | None = None,
    must_hit: MustHitState | None = None,
) -> Settlement | Refused:
    """Settle a round, or say why its wagers could not stand; `meters` in micro-cents."""
    expect(rules, Rulebook, "a Rulebook, as rulebook() makes one")
    expect(coup, Coup, "a Coup, as deal() makes one")
    if not _WAGERS.issuperset(map(type, wagers)):
        raise TypeError(f"expected wagers, such as [Wager(seat=3, on=BANKER, stake=2500)], not {brief_repr(wagers)}")
    assert coup.rules is rules or coup.rules.hash == rules.hash, "a coup is settled by the rulebook that dealt it"
    book = open_book(rules)
    return admit(book, wagers) or settle_by(book, coup, wagers, meters=meters, must_hit=must_hit)


def settle_by(
    book: Book,
    coup: Coup,
    wagers: Sequence[Wager],
    *,
    meters: Mapping[str, int] | None = None,
    must_hit: MustHitState | None = None,
    pressed: Mapping[tuple[int, WagerKind], int] | None = None,
) -> Settlement | Refused:
    """Settle a round of wagers that have been admitted, by an open book.

    If House Money has already been settled, it is not among the wagers, and `pressed` says what was added to which.
    """
    if coup.is_void:
        return _void(book, coup, wagers)
    return _Round(book, coup, wagers, pressed or {}).settle_or_refuse(meters, must_hit)


def _void(book: Book, coup: Coup, wagers: Sequence[Wager]) -> Settlement:
    """Everything goes back: House Money, Royal 9 and what was pressed included (reading A-41)."""
    cites = book.rules.cite(*book.rules.edition.void.cite)
    lines = tuple(SettledLine(wager=wager, result=_PUSH, cites=cites) for wager in wagers)
    return Settlement(coup=coup, lines=lines, handed_to=None, handed_because=None, early_steps=(), losers=(), steps=())


class _Round:
    """The settling of one round: what has been pressed, paid and collected so far."""

    def __init__(
        self, book: Book, coup: Coup, wagers: Sequence[Wager], pressed: Mapping[tuple[int, WagerKind], int]
    ) -> None:  # fmt: skip
        self.book = book
        self.coup = coup
        self.wagers = wagers
        self.index = coup.index
        self.added = dict(pressed)
        self.early_lines: dict[int, SettledLine] = {}
        self.early_steps: list[SettlementStep] = []

    def settle_or_refuse(self, meters: Mapping[str, int] | None, must_hit: MustHitState | None) -> Settlement | Refused:
        """The settlement, or the reason why there is none."""
        book, wagers = self.book, self.wagers
        if book.early and not book.early.keys().isdisjoint([wager.on for wager in wagers]):
            refused = self.settle_early()
            if refused is not None:
                return refused
        # Progressive awards depend on all seats and the meters together, so they are decided before any line.
        awards: RoundAwards | None = None
        progress = progressive(book.rules)
        if progress is not None:
            seats = [wager.seat for wager in wagers if wager.on is _ROYAL9]
            if meters is None and seats:
                return make_refusal(RefusalCode.NO_METERS, "royal9_meters_not_stated", book.royal9_cites)
            if meters is not None:
                refused = _meters_objection(book, progress, meters)
                if refused is not None:
                    return refused
                player, banker = frozenset(self.coup.player[:2]), frozenset(self.coup.banker[:2])
                awards = award(progress, meters, seats, player=player, banker=banker)
        ended: MustHitEnd | None = None
        if must_hit is not None:
            taking_part = _participants(book, wagers)
            refused = _must_hit_objection(book, must_hit, taking_part)
            if refused is not None:
                return refused
            ended = end_round(book.rules, must_hit, taking_part)
        # Every wager ends exactly once; the steps then follow in the order of settlement that was filed.
        lines = tuple([self.end(place, wager, awards, progress) for place, wager in enumerate(wagers)])
        losers, steps = _acts(book, lines)
        if ended is not None and ended.seat is not None:
            steps = (*steps, SettlementStep(act="must_hit_award", seat=ended.seat, amount=ended.award))
        # Where hands are dealt face down, the settlement also says who was handed the cards, and why.
        handed_to: tuple[int | None, int | None] | None = None
        because: tuple[Holding, Holding] | None = None
        if not book.face_up:
            first, second = holder_of_hand(book, wagers, PLAYER_SIDE), holder_of_hand(book, wagers, BANKER_SIDE)
            handed_to, because = (first[0], second[0]), (first[1], second[1])
        return Settlement(
            coup=self.coup, lines=lines, handed_to=handed_to, handed_because=because,
            early_steps=tuple(self.early_steps), losers=losers, steps=steps, awards=awards, must_hit=ended,
        )  # fmt: skip

    def settle_early(self) -> Refused | None:
        """House Money, settled and pressed before third cards, in its own sweep."""
        book, law = self.book, self.book.rules.edition.house_money
        assert law is not None, "a document with an early wager says how it is settled"
        places: dict[int, list[int]] = {}
        for place, wager in enumerate(self.wagers):
            if wager.on in book.early:
                places.setdefault(wager.seat, []).append(place)
        order = seats_around(places, start=law.start, direction=law.direction, seat_one=book.seat_one)
        for place in (place for seat in order for place in places[seat]):
            wager = self.wagers[place]
            verdict = book.early[wager.on][self.coup.pairs]
            if verdict.odds is None:
                step = SettlementStep(act="collect", seat=wager.seat, amount=wager.stake)
                line = _losing_line(wager, verdict)
            else:
                win = verdict.odds.payout(wager.stake)
                pressed = book.portion.part(win) if wager.press is not None else 0
                step = SettlementStep(act="pay", seat=wager.seat, amount=win, to_wager=pressed, onto=wager.press)
                line = SettledLine(
                    wager=wager, result=verdict.result, cites=verdict.cites, row=verdict.row, odds=verdict.odds,
                    win=win, net=win,
                )  # fmt: skip
                if wager.press is not None:
                    self.added[wager.seat, wager.press] = pressed
                    refused = self.press_objection(wager, pressed)
                    if refused is not None:
                        return refused
            self.early_steps.append(step)
            self.early_lines[place] = line
        return None

    def press_objection(self, wager: Wager, pressed: int) -> Refused | None:
        """The refusal of a pressed wager above the posted maximum, unless the licensee allows it."""
        rules = self.book.rules
        limit = (rules.elections.limits or {}).get(wager.press.value) if wager.press else None
        if limit is None or rules.elections.press_over_max is not False:
            return None
        stake = pressed + sum(w.stake for w in self.wagers if w.seat == wager.seat and w.on is wager.press)
        if stake <= limit.max:
            return None
        what, cites = "pressed_above_the_maximum", rules.cite(*rules.edition.options["press_over_max"].cite)
        return make_refusal(RefusalCode.PRESS_ABOVE_MAXIMUM, what, cites, stake=stake, max=limit.max)

    def end(self, place: int, wager: Wager, awards: RoundAwards | None, progress: Progressive | None) -> SettledLine:
        """The end of one wager."""
        if wager.on is _ROYAL9 and awards is not None and progress is not None:
            return _royal9_line(wager, awards, progress)
        if place in self.early_lines:
            return self.early_lines[place]
        book = self.book
        table = book.verdicts.get(wager.on)
        verdict = table[self.index] if table is not None else book.openings[wager.on][self.coup.opening_index]
        assert verdict is not None, "the tableau leads to no such finish"
        pressed = self.added.get((wager.seat, wager.on), 0) if self.added else 0
        if verdict.odds is None:
            if verdict.result is _LOSE:
                return _losing_line(wager, verdict, pressed)
            return SettledLine(
                wager=wager, result=verdict.result, cites=verdict.cites, row=verdict.row, pressed=pressed or None,
            )  # fmt: skip
        win = verdict.odds.payout(wager.stake + pressed + wager.coupon)
        vigorish, cites = 0, verdict.cites
        if verdict.vigorish:
            if self.is_exempt(wager):
                cites = (*cites, *book.exempt_cites)
            else:
                vigorish, cites = book.vigorish(win), _merge_cites(cites, book.vig_cites)
        return SettledLine(
            wager=wager, result=verdict.result, cites=cites, row=verdict.row, odds=verdict.odds, win=win,
            vigorish=vigorish, net=win - vigorish, pressed=pressed or None,
        )  # fmt: skip

    def is_exempt(self, wager: Wager) -> bool:
        """Whether the seat's total-card wagers reach its Banker wager (reading A-21)."""
        if not self.book.exempt:
            return False
        return self.book.exempts(wager.stake, {w.on: w.stake for w in self.wagers if w.seat == wager.seat})


@lru_cache(maxsize=1024)
def _merge_cites(cites: tuple[Citation, ...], more: tuple[Citation, ...]) -> tuple[Citation, ...]:
    """The citations of both, each paragraph once."""
    return tuple(dict.fromkeys((*cites, *more)))


def _participants(book: Book, wagers: Sequence[Wager]) -> list[int]:
    """The seats that take part in the Must Hit, by the wager that the document names."""
    law = book.rules.edition.must_hit
    return [] if law is None else [wager.seat for wager in wagers if wager.on.word == law.participants]


def _losing_line(wager: Wager, verdict: WagerVerdict, pressed: int = 0) -> SettledLine:
    return SettledLine(
        wager=wager, result=verdict.result, cites=verdict.cites, row=verdict.row, net=-(wager.stake + pressed),
        pressed=pressed or None,
    )  # fmt: skip


def _royal9_line(wager: Wager, awards: RoundAwards, progress: Progressive) -> SettledLine:
    prize, won = awards.rows[wager.seat], awards.awards[wager.seat]
    return SettledLine(
        wager=wager, result=_LOSE if prize.is_lost else WagerResult.WIN, row=prize.row, win=won,
        net=progress.net(prize, won), cites=tuple(dict.fromkeys((*progress.cites, *prize.cites))),
    )  # fmt: skip


def _meters_objection(book: Book, progress: Progressive, meters: Mapping[str, int]) -> Refused | None:
    names = [meter.name for meter in progress.meters]
    if set(meters) != set(names) or any(value < 0 for value in meters.values()):
        given, wanted = ", ".join(meters) or "none", ", ".join(names)
        return make_refusal(RefusalCode.NO_METERS, "other_meters", book.royal9_cites, given=given, names=wanted)
    return None


def _must_hit_objection(book: Book, state: MustHitState, seats: Sequence[int]) -> Refused | None:
    rules, options = book.rules, book.rules.edition.options
    keys = options["must_hit"].cite if "must_hit" in options else listed_keys(book)
    elected = rules.elections.must_hit is not None
    why = objection(rules, state, seats) if elected else Why("no_must_hit_elected")
    return None if why is None else make_refusal(RefusalCode.MUST_HIT, why.what, rules.cite(*keys), **why.params)


def _acts(book: Book, lines: tuple[SettledLine, ...]) -> tuple[tuple[int, ...], tuple[SettlementStep, ...]]:
    """Losers first, then the sweeps of the filed procedure over the seats with something to pay."""
    losers: set[int] = set()
    winners: dict[int, _Winner] = {}
    for line in lines:
        wager = line.wager
        if wager.on in book.early or line.result is _PUSH:
            continue
        if line.result is _LOSE:
            losers.add(wager.seat)
            continue
        winner = winners.setdefault(wager.seat, _Winner())
        winner.vigorish += line.vigorish
        if wager.on is _ROYAL9:
            winner.award = line
        else:
            winner.pay += line.win
    order = list(winners)
    if len(order) > 1:
        law = book.rules.edition.settlement
        order = sweep(order, start=law.start, direction=law.direction)
    take = "mark_vig" if book.vig_deferred else "collect_vig"
    steps: list[SettlementStep] = []
    for acts in book.sweeps:
        for seat in order:
            for act in acts:
                winners[seat].add_steps(steps, seat, take if act == "vigorish" else act)
    return tuple(sorted(losers, reverse=True)), tuple(steps)


class _Winner:
    """What is due at one winning seat."""

    __slots__ = ("award", "pay", "vigorish")

    def __init__(self) -> None:
        self.pay = 0
        self.vigorish = 0
        self.award: SettledLine | None = None

    def add_steps(self, steps: list[SettlementStep], seat: int, act: str) -> None:
        """Add the dealer's acts at this seat: vigorish, or payment and award."""
        if act != "pay":
            if self.vigorish:
                steps.append(SettlementStep(act=act, seat=seat, amount=self.vigorish))
            return
        if self.pay:
            steps.append(SettlementStep(act="pay", seat=seat, amount=self.pay))
        if self.award is not None:
            steps.append(SettlementStep(act="royal9_award", seat=seat, amount=self.award.win, row=self.award.row))
