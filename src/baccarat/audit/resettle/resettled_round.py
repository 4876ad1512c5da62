"""A played round settled again under a rulebook: its own, as a check, or another, to see the result under that.

The round keeps its first cards and its wagers. A wager that the rules would not have accepted is left out, with the
clause; if the round takes more cards than it did, they are the next ones of the shoe, if
those are known.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Literal

import msgspec
from msgspec.structs import replace

from baccarat.audit.resettle.played_round import PlayedRound
from baccarat.cards import Card
from baccarat.law.rulebook import Rulebook
from baccarat.money import Cents
from baccarat.play.admission import admit
from baccarat.play.book import Book
from baccarat.play.coup import Coup, Ruling, deal_by
from baccarat.play.hand import Side
from baccarat.play.refusal import Refused
from baccarat.play.settle import settle_by
from baccarat.play.settlement import SettledLine
from baccarat.play.wager import Wager
from baccarat.play.wager.must_hit import MustHitState

ReasonKind = Literal[
    "other_cards", "other_result", "other_payment", "not_taken", "press_not_taken", "coupon_not_taken", "no_free_hand",
    "must_hit", "corrected", "not_as_settled", "cannot_be_told",
]  # fmt: skip


class ResettleReason(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Why a round ends differently under other rules, or cannot be resettled; or how it deviates from its own rules."""

    kind: ReasonKind
    say: str
    clauses: tuple[str, ...] = ()


class ResettledRound(msgspec.Struct, frozen=True, kw_only=True):
    """A round settled again: by seat, what was wagered, won or lost, and taken as vigorish."""

    outcome: str
    coup: Coup | None = None
    lines: tuple[SettledLine, ...] = ()
    net: dict[int, int] = {}
    wagered: dict[int, int] = {}
    vigorish: dict[int, int] = {}
    reasons: tuple[ResettleReason, ...] = ()
    meters: dict[str, int] | None = None
    """What the Royal 9 meters show after the round, in micro-cents."""

    @property
    def is_resolved(self) -> bool:
        """Whether it could be settled."""
        return all(reason.kind != "cannot_be_told" for reason in self.reasons)


def settle_again(
    book: Book, played: PlayedRound, order: dict[int, Card], *, meters: dict[str, int] | None, admits: bool
) -> ResettledRound:
    """Settle a round again; `order` is what is known of the shoe, and with `admits` wagers are admitted again."""
    if played.is_foul:
        return ResettledRound(outcome="void")
    coup = _deal(book, played, order)
    if isinstance(coup, ResettleReason):
        return ResettledRound(outcome="?", reasons=(coup,))
    wagers, reasons = _admit_wagers(book, played.wagers) if admits else (list(played.wagers), [])
    wagers, pressed = _drop_presses(book, coup, wagers)
    must_hit = None
    if played.must_hit is not None and not coup.is_void:
        must_hit = _must_hit(book.rules, played, wagers)
    if isinstance(must_hit, ResettleReason):
        reasons, must_hit = [*reasons, must_hit], None
    settled = settle_by(book, coup, wagers, meters=meters, must_hit=must_hit)
    if isinstance(settled, Refused):
        return ResettledRound(outcome="?", reasons=(_reason("cannot_be_told", settled),))
    wagered, vigorish = Counter[int](), Counter[int]()
    for line in settled.lines:
        wagered[line.wager.seat] += 0 if coup.is_void else line.wager.stake
        vigorish[line.wager.seat] += line.vigorish
    sums = {"net": settled.net_by_seat, "wagered": dict(wagered), "vigorish": dict(vigorish)}
    after = settled.awards.after if settled.awards is not None else meters
    all_reasons = (*reasons, *pressed)
    return ResettledRound(
        outcome=coup.outcome, coup=coup, lines=settled.lines, reasons=all_reasons, meters=after, **sums
    )


def _reason(kind: ReasonKind, refused: Refused) -> ResettleReason:
    return ResettleReason(kind=kind, say=refused.say, clauses=tuple(map(str, refused.cites)))


# ------------------------------------------------------------------------------------------------ cards


def _deal(book: Book, played: PlayedRound, order: dict[int, Card]) -> Coup | ResettleReason:
    """The round dealt from its cards, and from the next ones of the shoe if it takes more."""
    known = {**order, **played.cards}
    cards: list[Card] = []
    for position in (*played.positions, *played.next_positions):
        card = known.get(position)
        if card is None and len(played.positions) + len(played.next_positions) >= len(book.hands):
            return _unseen_card_reason(book, cards, position)
        if card is not None:
            cards.append(card)
        if len(cards) < len(played.positions):
            continue
        coup = deal_by(book, tuple(cards))
        if not coup.is_void:
            return coup
    return deal_by(book, tuple(cards))  # void: the shoe has no more cards


def _unseen_card_reason(book: Book, cards: Sequence[Card], position: int) -> ResettleReason:
    """Why a round cannot be resettled: it takes a card that nobody has seen."""
    edition = book.rules.edition
    law = edition.third_card if len(cards) >= len(book.hands) else edition.deal
    say = f"it takes card {position + 1} of the shoe, which nobody saw, and no seed reveals it"
    return ResettleReason(kind="cannot_be_told", say=say, clauses=edition.cite_text(*law.cite))


# ----------------------------------------------------------------------------------------------- wagers


def _admit_wagers(book: Book, wagers: Sequence[Wager]) -> tuple[list[Wager], list[ResettleReason]]:
    """The wagers that would have been accepted, and why others would not, or not with their press or coupon.

    Each is tried with those already accepted, until no more can be added, because some depend on another.
    """
    if admit(book, wagers) is None:
        return list(wagers), []
    standing: dict[int, Wager] = {}
    reasons: dict[int, list[ResettleReason]] = {}
    waiting = dict(enumerate(wagers))
    while waiting:
        before = len(standing)
        for index, wager in list(waiting.items()):
            found, reasons[index] = _admit_wager(book, standing.values(), wager)
            if found is not None:
                standing[index] = found
                del waiting[index]
        if len(standing) == before:
            break
    said = [reason for index in sorted(reasons) for reason in reasons[index]]
    return [standing[index] for index in sorted(standing)], said


def _admit_wager(book: Book, standing: Iterable[Wager], wager: Wager) -> tuple[Wager | None, list[ResettleReason]]:
    """A wager as it would have been accepted: as made, or without its press, or without its coupon."""
    beside = list(standing)
    whole = admit(book, [*beside, wager])
    if whole is None:
        return wager, []
    if wager.press is not None and admit(book, [*beside, replace(wager, press=None)]) is None:
        return replace(wager, press=None), [_reason("press_not_taken", whole)]
    if wager.coupon and admit(book, [*beside, replace(wager, coupon=0)]) is None:
        return replace(wager, coupon=0), [_reason("coupon_not_taken", whole)]
    return None, [_reason("not_taken", whole)]


def _drop_presses(book: Book, coup: Coup, wagers: list[Wager]) -> tuple[list[Wager], list[ResettleReason]]:
    """The wagers, without a press that would raise a wager above its maximum."""
    reasons: list[ResettleReason] = []
    found = list(wagers)
    for index, wager in enumerate(wagers):
        if wager.press is None or coup.is_void:
            continue
        own = [each for each in found if each.seat == wager.seat and each.on in (wager.on, wager.press)]
        settled = settle_by(book, coup, own)
        if isinstance(settled, Refused):
            found[index] = replace(wager, press=None)
            reasons.append(_reason("press_not_taken", settled))
    return found, reasons


def _must_hit(rules: Rulebook, played: PlayedRound, wagers: Sequence[Wager]) -> MustHitState | ResettleReason | None:
    """The Must Hit as it was won, if these rules have it on the same terms and its winner takes part."""
    won, law, terms = played.must_hit, rules.edition.must_hit, rules.elections.must_hit
    assert won is not None, "called for a round in which it was won"
    seats = sorted(wager.seat for wager in wagers if law is not None and wager.on.value == law.participants)
    if terms is None:
        why = "is not installed"
    elif terms != played.rules.elections.must_hit:
        why = "has other terms, so it is unknown when it would be won"
    elif played.must_hit_seat not in seats:
        why = "is not fed by that seat"
    else:
        return MustHitState(meter=won.meter, trigger=won.trigger, lot=seats.index(played.must_hit_seat))
    say = f"the Must Hit, won at seat {played.must_hit_seat}, {why}"
    return ResettleReason(
        kind="must_hit", say=say, clauses=rules.edition.cite_text(*law.cite) if law is not None else ()
    )


# ---------------------------------------------------------------------------------------------- compared


def run_differently(own: ResettledRound, other: ResettledRound) -> list[ResettleReason]:
    """If a round takes other cards, or ends with another result, the rows of the tableau that decide it."""
    one, two = own.coup, other.coup
    if one is None or two is None:
        return []
    if (one.player, one.banker) != (two.player, two.banker) or one.is_void != two.is_void:
        clauses = tuple(dict.fromkeys(str(cite) for ruling in _other_rulings(one, two) for cite in ruling.cites))
        return [ResettleReason(kind="other_cards", say=f"{one}; would be {two}", clauses=clauses)]
    if one.outcome != two.outcome or (one.player_count, one.banker_count) != (two.player_count, two.banker_count):
        clauses = tuple(map(str, two.why[-1].cites))
        return [ResettleReason(kind="other_result", say=f"{one}; would be {two}", clauses=clauses)]
    return []


def _other_rulings(one: Coup, two: Coup) -> list[Ruling]:
    """The rulings that give the second of two rounds other cards than the first."""
    deal, *others = two.why
    if two.is_void:
        return others
    rows = [
        ruling
        for side, ruling in zip(Side, others, strict=False)
        if one.is_void or len(one.hand(side)) != len(two.hand(side))
    ]
    return rows or [deal]


def payment_reasons(own: ResettledRound, other: ResettledRound) -> list[ResettleReason]:
    """The wagers that end with another sum, each with the clauses that decide it."""
    before = {(line.wager.seat, line.wager.on): line for line in own.lines}
    reasons = []
    for line in other.lines:
        was = before.get((line.wager.seat, line.wager.on))
        if was is None or (was.net, was.vigorish) == (line.net, line.vigorish):
            continue
        wager = f"seat {line.wager.seat}, {Cents(line.wager.stake)} on {line.wager.on.value.replace('_', ' ')}"
        say = f"{wager}: {_line_text(was)}; would be {_line_text(line)}"
        reasons.append(ResettleReason(kind="other_payment", say=say, clauses=tuple(map(str, line.cites))))
    return reasons


def _line_text(line: SettledLine) -> str:
    vigorish = f", vigorish {Cents(line.vigorish)}" if line.vigorish else ""
    return f"{line.result.value}, net {Cents(line.net)}{vigorish}"
