"""Stories: every event as a plain sentence with its clauses, for transcripts that a person can follow."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from baccarat.money import MICRO, Cents
from baccarat.play.coup import draw_ruling
from baccarat.table.actor import CLOCK, PERSON, Origin
from baccarat.table.base import E, Event, StepBegan, check_complete
from baccarat.table.registry import (
    abandoning,
    announcing,
    burning,
    calling,
    clearing,
    closing,
    correction,
    coupon,
    curating,
    cutting,
    dealers,
    dealing,
    error_card,
    exposed,
    face_up,
    free_hand,
    house_money,
    meters,
    missing_form,
    must_hit,
    opening,
    relinquishing,
    remedy,
    revealing,
    rules_adoption,
    sealing,
    seating_acts,
    settlement,
    spoken_wager,
    tableau,
    turning,
    vigorish_debt,
    wagering,
)
from baccarat.table.state import shoe_in_words
from baccarat.table.story_clock import TELL_OF_CLOCK
from baccarat.table.story_words import (
    PREPARATION,
    card_name,
    cards,
    go,
    note_text,
    number,
    numbers,
    person,
    series,
    sums,
    wager_title,
    who,
)


def _recut(event: cutting.RecutOrdered) -> str:
    asked = f", asked for by {event.requester}" if event.requester else ""
    by = f" by {event.approver}" if event.approver else ""
    return f"A new cut by {who(event.seat)} is ordered{by}{asked}: {event.reason}."


def _documented(event: vigorish_debt.VigorishDocumented) -> str:
    form = event.form
    why = (
        "" if form.patron_signed else f" {form.patron} has not signed; {form.stated_by} states: {form.why_not_signed}."
    )
    return f"Form {form.serial} documents {Cents(form.amount)} of seat {event.seat}'s vigorish.{why}"


def _stays(event: tableau.HandStays) -> str:
    return f"The {draw_ruling('stay', event.side, event.count, natural=event.natural, against=event.against)}."


def _by_two(event: Any) -> str:
    return f"{event.reason} (asked for by {event.requester}, approved by {event.approver})"


GIVEN_UP = "is given up before its end"
SEEDS = {
    "": "",
    "revealed": "its seed has been revealed; ",
    "lost": "its seed is lost; ",
    "disproved": "its sealed order was not its seed's; ",
}


def _handed(event: turning.CardsHanded) -> str:
    return f"The {event.side}'s {go(event.positions).lower()}, face down, to seat {event.seat}."


def _error_card(event: error_card.ErrorCardDrawn) -> str:
    where = f" and laid on the {event.to}'s hand, which is not entitled to it" if event.to else ""
    seen = f"; it is seen: {card_name(event.card)}." if event.card else "; nobody has seen it."
    return f"Card {number(event.position)} is drawn in error{where}{seen}"


def _discarded(event: remedy.CardsDiscarded) -> str:
    first, *rest = event.positions
    if not rest:
        return f"Card {number(first)} goes to the discards."
    if event.to_show:
        shown = "which is now shown" if len(rest) == 1 else "which are now shown"
        return f"Card {number(first)} goes to the discards, and with it {numbers(rest)}, {shown}."
    return f"Card {number(first)} goes to the discards, and with it {numbers(rest)}, face down and not shown."


def _voided(event: dealing.RoundVoided) -> str:
    back = f" Wagers go back: {sums(event.returned)}." if event.returned else ""
    undone = f" What House Money gave is taken back: {sums(event.taken_back)}." if event.taken_back else ""
    return f"The round cannot be finished: the round is void.{back}{undone}"


def _result(event: announcing.ResultAnnounced) -> str:
    calls = (call if call.startswith("“") else f"“{call}”" for call in event.calls)
    return f"The dealer announces {', '.join(calls)}."


def _must_hit(event: must_hit.MustHitEnded) -> str:
    lost = f" Its seal could not be opened: {event.lost} (approved by {event.approver})." if event.lost else ""
    if not event.hit:
        return f"The Must Hit is not hit; its meter shows {Cents(event.meter)}.{lost}"
    return (
        f"The Must Hit of {Cents(event.award)} goes to seat {event.seat}, "
        f"shown at {', '.join(event.shows).replace('_', ' ')}."
        + (" Its trigger had been reached in an earlier round." if event.withheld else "")
        + lost
    )


def _house_money(event: house_money.HouseMoneyPaid) -> str:
    part = "all of it" if event.to_wager == event.win else f"{Cents(event.to_wager)} of it"
    onto = f", {part} onto the {wager_title(event.onto)} wager" if event.onto else ""
    return (
        f"House Money at seat {event.seat} wins {Cents(event.win)}{onto}; its stake of {Cents(event.stake)} goes back."
    )


def _meters(event: meters.MetersShown) -> str:
    shown = [f"{name.replace('_', ' ')} {Cents(value // MICRO)}" for name, value in event.meters.items()]
    return ", ".join((*shown, f"Must Hit {Cents(event.must_hit)}") if event.must_hit else shown)


def _won(names: tuple[str, ...]) -> str:
    return f"; {', '.join(names).replace('_', ' ')} won at another table" if names else ""


TELL: dict[type[Event], Callable[[Any], str]] = {}
"""The sentence of each kind of event, in English."""


def tell_as(kind: type[E], sentence: Callable[[E], str]) -> None:
    """Registers the sentence of a kind of event; a type checker refuses one that is made of another kind's fields."""
    assert kind not in TELL, f"{kind.__name__} is told twice"
    TELL[kind] = sentence


tell_as(StepBegan, lambda x: f"— {x.step.replace('_', ' ')} —")
tell_as(seating_acts.Sat, lambda x: f"{person(x.who)} sits down at seat {x.seat}.")
tell_as(seating_acts.BoughtIn, lambda x: f"Seat {x.seat} buys chips for {Cents(x.amount)}.")
tell_as(seating_acts.Left, lambda x: f"Seat {x.seat} leaves with {Cents(x.chips)}.")
tell_as(
    seating_acts.VigorishCollected, lambda x: f"Seat {x.seat} pays the {Cents(x.amount)} of vigorish that was marked."
)
tell_as(
    dealers.CameOn,
    lambda x: (
        f"{person(x.who)} comes on the game as a dealer"
        + (f" in the place of {x.instead_of}." if x.instead_of else ".")
    ),
)
tell_as(dealers.WentOff, lambda x: f"{person(x.who)} goes off the game.")
tell_as(opening.CardsReceived, lambda x: f"{x.decks} decks come to the table: {x.set_id}.")
tell_as(opening.CardsPrepared, lambda x: f"The {x.by.value} {PREPARATION[x.act]}.")
tell_as(
    opening.CardsShuffled,
    lambda x: (
        f"{person(x.by)} shuffles {f'{x.cards} cards' if x.cards else 'the cards'}{' again' if x.again else ''}"
        f"{' with a device' if x.device else ''}{f': {series(x.steps)}' if x.steps else ''}"
        f"{note_text(x.warnings)}."
    ),
)
tell_as(opening.CardsLaced, lambda x: f"{x.cards} cards are laced into the stack{note_text(x.warnings)}.")
tell_as(
    sealing.ShoeCommitted,
    lambda x: (
        f"The electronic shoe {shoe_in_words(x.shoe)} of {x.table}, {x.decks} decks, commits to its seed under "
        f"{x.commitment[:16]}…."
    ),
)
tell_as(sealing.ContributionMade, lambda x: f"Seat {x.seat} contributes “{x.value}” to the order of the shoe.")
tell_as(sealing.ShoeFailed, lambda x: f"The electronic shoe fails its check: {x.why.words}. The table stops.")
tell_as(
    revealing.SeedRevealed,
    lambda x: (
        f"The seed of the electronic shoe is revealed: {x.seed}; "
        + ("commitment, order and root follow from it." if x.sealed else "the commitment follows from it.")
    ),
)
tell_as(
    revealing.OrderDisproved,
    lambda x: (
        f"The seed of the electronic shoe is revealed: {x.seed}; the commitment follows from it, but the sealed order "
        f"does not: {x.sealed[:16]}… was sealed, and the seed gives {x.derived[:16]}…. The table stops."
    ),
)
tell_as(
    revealing.SeedLost,
    lambda x: f"The seed of the electronic shoe is lost, and its order cannot be checked: {_by_two(x)}.",
)
tell_as(
    abandoning.ShoeAbandoned,
    lambda x: f"The shoe {'that stopped the table is taken away' if x.taken_away else GIVEN_UP}: {x.reason}.",
)
tell_as(sealing.OrderSealed, lambda x: f"The order of the stack is sealed under {x.root[:16]}….")
tell_as(
    cutting.CutAnswered, lambda x: f"The cut is offered to seat {x.seat}, who {'takes' if x.accept else 'declines'} it."
)
tell_as(cutting.CutFellToDealer, lambda _: "Nobody takes the cut: the dealer cuts.")
tell_as(cutting.CutGivenUp, lambda x: f"Seat {x.seat}, who had taken the cut, does not make it.")
tell_as(cutting.CardsCut, lambda x: f"{who(x.seat).capitalize()} cuts, {x.in_front} cards in front.")
tell_as(cutting.RecutOrdered, _recut)
tell_as(
    cutting.CoverCardPlaced, lambda x: f"The cover card goes in, {x.behind} cards behind it{note_text(x.warnings)}."
)
tell_as(cutting.ShoeLoaded, lambda _: "The stack goes into the shoe.")
tell_as(
    burning.CardsBurned,
    lambda x: (
        f"{numbers(x.positions).capitalize()} {'is' if len(x.positions) == 1 else 'are'} burned"
        + (" and will be shown." if x.shown else ", face down.")
    ),
)
tell_as(
    burning.BurnedCardTurned,
    lambda x: (
        f"The burned card {number(x.position)} is {card_name(x.card)}"
        + (f": {x.more} more {'follows' if x.more == 1 else 'follow'}." if x.more else ".")
    ),
)
tell_as(
    rules_adoption.RulesAdopted,
    lambda x: (
        f"The shoe is played by {x.ruleset}, rulebook {x.hash[:12]}."
        if x.submission is None
        else f"From this shoe on the table plays by {x.ruleset}, rulebook {x.hash[:12]}, at {x.seats} seats"
        + (", with other decks." if x.new_cards else ".")
    ),
)
tell_as(
    closing.ShoeClosed,
    lambda x: (
        "The shoe is closed; "
        + (f"with it {go(x.unused).lower()}, for which no hand is left; " if x.unused else "")
        + SEEDS[x.seed]
        + ("the set is shuffled again." if x.same_set else "new decks follow.")
    ),
)
tell_as(
    curating.ShoeAnswered,
    lambda x: (
        f"The shoe is offered to seat {x.seat}, who {'takes' if x.accept else 'declines'} it"
        + (", the dealer to deal." if x.dealer_deals else ".")
    ),
)
tell_as(curating.ShoeFellToDealer, lambda _: "Nobody takes the shoe: the dealer is curator.")
tell_as(
    curating.ShoePassed,
    lambda x: (
        f"The shoe passes from {who(x.seat)}"
        + (" by order" if x.ordered else "")
        + (f": {x.reason}." if x.reason else ".")
    ),
)
tell_as(
    wagering.WagerPlaced,
    lambda x: (
        f"Seat {x.seat} wagers {Cents(x.stake)} on {wager_title(x.on)}"
        + (f" with a coupon of {Cents(x.coupon)}." if x.coupon else ".")
    ),
)
tell_as(
    wagering.WagerChanged,
    lambda x: f"Seat {x.seat} changes {wager_title(x.on)} from {Cents(x.before)} to {Cents(x.stake)}.",
)
tell_as(wagering.WagerWithdrawn, lambda x: f"Seat {x.seat} takes {Cents(x.stake)} back from {wager_title(x.on)}.")
tell_as(spoken_wager.WagerSpoken, lambda x: f"Seat {x.seat} says {Cents(x.stake)} on {wager_title(x.on)}, with cash.")
tell_as(spoken_wager.WagerConfirmed, lambda x: f"The {x.who.value} repeats seat {x.seat}'s {wager_title(x.on)} wager.")
tell_as(spoken_wager.SpokenWagerOff, lambda x: f"Seat {x.seat}'s spoken wager on {wager_title(x.on)} is off.")
tell_as(free_hand.FreeHandRequested, lambda x: f"Seat {x.seat} asks for a Free Hand.")
tell_as(calling.NoMoreBetsCalled, lambda x: f"The dealer calls “{x.say}”.")
tell_as(calling.CardsCalled, lambda x: f"The dealer calls “{x.say}”.")
tell_as(
    dealing.CardDrawn,
    lambda x: f"{'The carried card' if x.carried else 'Card'} {number(x.position)} goes to the {x.to}, face down.",
)
tell_as(dealing.CoverCardOut, lambda _: "The cover card appears and is put aside.")
tell_as(dealing.RoundVoided, _voided)
tell_as(turning.CardsHanded, _handed)
tell_as(
    turning.CardsReturned, lambda x: f"Seat {x.seat} has looked, and hands back face up what it held for the {x.side}."
)
tell_as(
    relinquishing.TurnRelinquished,
    lambda x: f"Seat {x.seat} gives up turning the {x.side}'s cards" + (f" by order: {x.reason}." if x.reason else "."),
)
tell_as(
    relinquishing.TurnAnswered, lambda x: f"Seat {x.seat} {'takes' if x.accept else 'declines'} the {x.side}'s cards."
)
tell_as(
    relinquishing.TurnFellToDealer,
    lambda x: f"The dealer turns the {x.side}'s cards" + (f" by order: {x.reason}." if x.reason else "."),
)
tell_as(
    turning.CardTurned,
    lambda x: (
        f"Card {number(x.position)} is {card_name(x.card)}"
        + (", seen before its turn; it belongs there and stays, face up." if x.early else ".")
    ),
)
tell_as(turning.BankerFirstGranted, lambda x: f"At the request of seat {x.seat} the Banker's cards are turned first.")
tell_as(turning.CountAnnounced, lambda x: f"The dealer announces “{x.side} {x.count}”.")
tell_as(house_money.PressChosen, lambda x: f"Seat {x.seat} wants House Money added to the {wager_title(x.onto)} wager.")
tell_as(
    house_money.PressUndone,
    lambda x: (
        f"Seat {x.seat} chose on a card that was wrong: nothing is added to the {wager_title(x.onto)} wager unless "
        "chosen anew."
    ),
)
tell_as(house_money.HouseMoneyCollected, lambda x: f"House Money of {Cents(x.stake)} at seat {x.seat} loses.")
tell_as(house_money.HouseMoneyPaid, _house_money)
tell_as(tableau.HandStays, _stays)
tell_as(announcing.ResultAnnounced, _result)
tell_as(
    coupon.CouponTaken,
    lambda x: (
        f"Seat {x.seat}'s coupon of {Cents(x.face)} on {wager_title(x.on)} is "
        + ("paid with its wager and taken." if x.paid else "taken with the wager that lost.")
    ),
)
tell_as(
    coupon.CouponReturned,
    lambda x: f"Seat {x.seat}'s coupon of {Cents(x.face)} on {wager_title(x.on)} goes back to its owner.",
)
tell_as(settlement.LosersCollected, lambda x: f"Losing wagers are collected: {sums(x.amounts)}.")
tell_as(
    settlement.VigorishTaken,
    lambda x: f"Vigorish of {Cents(x.amount)} is {'marked for' if x.marked else 'collected from'} seat {x.seat}.",
)
tell_as(settlement.Paid, lambda x: f"Seat {x.seat} is paid {Cents(x.win)}.")
tell_as(settlement.Awarded, lambda x: f"Seat {x.seat} wins {Cents(x.amount)}: {x.row}.")
tell_as(must_hit.TriggerSealed, lambda x: f"The Must Hit's trigger is sealed under {x.seal[:16]}….")
tell_as(must_hit.MustHitEnded, _must_hit)
tell_as(clearing.WagersReturned, lambda x: f"Wagers are returned: {sums(x.amounts)}.")
tell_as(
    clearing.TableCleared,
    lambda x: (
        f"{go(x.positions)} to the discards"
        + (f"; a simulated round without wagers begins, opened by {cards(x.opens)}." if x.opens else ".")
    ),
)
tell_as(clearing.LastHandCalled, lambda x: f"The dealer calls “{x.say}”.")
tell_as(clearing.ShoeFinished, lambda _: "That was the last hand of the shoe.")
tell_as(error_card.ErrorCardDrawn, _error_card)
tell_as(
    exposed.CardSetAside,
    lambda x: (
        f"Card {number(x.position)}, {card_name(x.card)}, has been seen before its turn and is set aside; "
        "the next card takes its place."
    ),
)
tell_as(face_up.FaceUpFound, lambda x: f"Card {number(x.position)} lies face up in the shoe: {card_name(x.card)}.")
tell_as(
    remedy.RoundMadeSimulated,
    lambda x: f"A simulated round without wagers is dealt; {card_name(x.card)} is the Player's first card in it.",
)
tell_as(
    remedy.CardCarried, lambda x: f"Card {number(x.position)} waits, unseen, to be the first card of the next hand."
)
tell_as(remedy.CardReassigned, lambda x: f"Card {number(x.position)} becomes the {x.to}'s third card.")
tell_as(remedy.CardsDiscarded, _discarded)
tell_as(
    remedy.DiscardShown, lambda x: f"Card {number(x.position)}, on its way to the discards, is {card_name(x.card)}."
)
tell_as(
    remedy.SimulatedRoundOrdered,
    lambda x: (
        f"After this round {card_name(x.card)} will be the Player's first card in a simulated round without wagers."
    ),
)
tell_as(
    correction.CardCorrected,
    lambda x: (
        f"Event {x.corrects} is corrected: card {number(x.position)} was keyed as {card_name(x.was)} and is "
        f"{card_name(x.card)}; {_by_two(x)}."
    ),
)
tell_as(
    correction.PaymentCorrected,
    lambda x: (
        f"Event {x.corrects} is corrected: {Cents(abs(x.amount))} "
        + (f"more is paid to seat {x.seat}" if x.amount > 0 else f"is taken back from seat {x.seat}")
        + f"; {_by_two(x)}."
    ),
)
tell_as(
    correction.ThirdCardTakenBack,
    lambda x: f"Card {number(x.position)} was dealt on a wrong count: it is no third card of the {x.side}'s.",
)
tell_as(
    meters.LinkJoined,
    lambda x: f"The table shares the meters of {x.link} ({x.requester}, approved by {x.approver}).",
)
tell_as(meters.MetersShown, lambda x: f"The link shows {_meters(x)}{_won(x.won)}.")
tell_as(
    meters.MeterCorrected,
    lambda x: f"Event {x.corrects} is corrected: {Cents(x.amount // MICRO)} more in the {x.meter} meter; {_by_two(x)}.",
)
tell_as(
    correction.ShoeFouled,
    lambda x: (
        f"Card {number(x.position)} is confirmed as {card_name(x.card)}, which {x.why}: the shoe is foul, the table "
        "stops."
    ),
)
tell_as(
    vigorish_debt.ExceptionReported,
    lambda x: f"Exception report: {x.patron} at seat {x.seat} owes {Cents(x.amount)}; {_by_two(x)}.",
)
tell_as(vigorish_debt.VigorishDocumented, _documented)
tell_as(vigorish_debt.FormsReceived, lambda x: f"Forms {x.first} to {x.last} are ready for use.")
tell_as(vigorish_debt.FormVoided, lambda x: f"Form {x.serial} is void.")
tell_as(missing_form.FormMissed, lambda x: f"Form {x.serial} cannot be found: {_by_two(x)}.")

check_complete("sentence", Event, TELL)


def tell(event: Event, origin: Origin = PERSON) -> str:
    """An event in a sentence; what the clock has brought is not told as if somebody at the table had done it."""
    of_clock = TELL_OF_CLOCK.get(type(event)) if origin is CLOCK else None
    return (of_clock or TELL[type(event)])(event)
