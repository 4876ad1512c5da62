"""What `baccarat deal` does: deals a round or a whole shoe, settles it, and shows every ruling."""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Iterator
from typing import Any

import typer
from msgspec.structs import replace

from baccarat.cards import CODES, Card, decks, parse_cards, show_cards
from baccarat.cli.money import sum_of
from baccarat.cli.output import REFUSED, console, exit_on, fail, line, put_json, put_line
from baccarat.cli.submission_name import name_of
from baccarat.law.clause import Citation
from baccarat.law.rulebook import Rulebook
from baccarat.law.wager_name import BY_NAME
from baccarat.money import Cents
from baccarat.play.answer import settled_answer
from baccarat.play.book import open_book
from baccarat.play.coup import Coup, Ruling, deal_by, surplus_objection
from baccarat.play.explain import explain
from baccarat.play.refusal import Refused
from baccarat.play.settle import settle
from baccarat.play.settlement import SettledLine, Settlement
from baccarat.play.shoe import DealtRound, admit_cut, burn, first_rounds, last_hand_cites, rounds
from baccarat.play.wager import Wager
from baccarat.play.wager.must_hit import MustHitState
from baccarat.play.wager.royal9 import progressive
from baccarat.shuffle import cut, header_of, order

COLOURS = {"player": "blue", "banker": "red", "tie": "green", "void": "yellow"}


def deal_as_asked(
    rules: Rulebook,
    cards: list[str],
    wagers_asked: list[str],
    *,
    shoe: bool,
    seed: str | None,
    cut_at: int | None,
    rest_of_shoe: bool,
    json: bool,
) -> None:
    """Deal the named cards, or a shoe, with these wagers in every round."""
    wagers = [_wager(rules, text) for text in wagers_asked]
    if shoe:
        if cards or rest_of_shoe:
            fail("give the cards, or --shoe, not both")
        raise typer.Exit(_deal_shoe(rules, wagers, seed_of(seed), cut_at, json=json))
    if seed is not None or cut_at is not None:
        fail("--seed and --cut go with --shoe")
    coup = _deal_cards(rules, cards, rest_of_shoe=rest_of_shoe)
    settled = settle(rules, coup, wagers, meters=_seeds(rules), must_hit=_must_hit(rules))
    if isinstance(settled, Refused):
        fail(str(settled), REFUSED)
    if json:
        put_json(_as_json(rules, coup, settled, None))
        return
    _show_round(coup, settled)


def _deal_cards(rules: Rulebook, words: list[str], *, rest_of_shoe: bool) -> Coup:
    """The round that the named cards make; it must use all of them, unless the others are the rest of a shoe."""
    if not words:
        fail("no cards: name them, such as 2s 3h Ad Jd Tc 5s, or give --shoe")
    with exit_on(ValueError):
        given = parse_cards(" ".join(words))
    coup = deal_by(open_book(rules), given)
    if coup.is_void:
        fail(f"{len(given)} cards do not finish the round: name all that it needs")
    surplus = None if rest_of_shoe else surplus_objection(coup, given)
    if surplus is not None:
        fail(f"{surplus}; use --rest-of-shoe if the others stay in the shoe", REFUSED)
    return coup


def _wager(rules: Rulebook, text: str) -> Wager:
    seat, _, rest = text.partition(":")
    on, _, amount = rest.partition(":")
    kind = BY_NAME.get(on)
    if not (seat.isascii() and seat.isdigit()) or kind is None or not amount:
        words = ", ".join(rules.edition.wagers)
        fail(f"--wager {text!r}: expected SEAT:WAGER:SUM, such as 3:banker:100; wagers: {words}")
    stake = sum_of(f"--wager {text}", amount)
    if stake <= 0:
        fail(f"--wager {text!r}: a stake must be more than zero")
    return Wager(seat=int(seat), on=kind, stake=stake)


def _seeds(rules: Rulebook) -> dict[str, int] | None:
    progress = progressive(rules)
    return None if progress is None else {meter.name: meter.seed for meter in progress.meters}


def _must_hit(rules: Rulebook) -> MustHitState | None:
    """The Must Hit meter at its start, its trigger at the ceiling, which one shoe does not reach."""
    elected = rules.elections.must_hit
    return None if elected is None else MustHitState(meter=elected.start, trigger=elected.ceiling, lot=None)


def seed_of(text: str | None) -> bytes:
    """The 32 bytes of a seed: hexadecimal digits as they are, words through SHA-256, None for a random one."""
    if text is None:
        return secrets.token_bytes(32)
    if re.fullmatch("[0-9a-fA-F]{64}", text):
        return bytes.fromhex(text)
    return hashlib.sha256(text.encode()).digest()


def shuffled_shoe(rules: Rulebook, seed: bytes, *, cut_at: int | None = None) -> tuple[Card, ...]:
    """The shoe that a seed gives under a rulebook, cut as asked, or in the middle."""
    count = rules.elections.decks or 8
    header = header_of(table="deal", shoe="1", rulebook_hash=rules.hash, decks=count)
    stack = decks(count)
    places = order(seed, size=len(stack), shoe="1", header=header, contributions=())
    in_front = len(stack) // 2 if cut_at is None else cut_at
    refused = admit_cut(rules, cards=len(stack), in_front=in_front)
    if refused is not None:
        fail(str(refused), REFUSED)
    return tuple(stack[place] for place in cut(places, in_front))


def _deal_shoe(rules: Rulebook, wagers: list[Wager], seed: bytes, cut_at: int | None, *, json: bool) -> int:
    cards = shuffled_shoe(rules, seed, cut_at=cut_at)
    named = {"seed": seed.hex()}
    show_shoe(rules, cards, wagers, name=name_of(rules), said=f"seed {seed.hex()}", named=named, json=json)
    return 0


def show_shoe(
    rules: Rulebook, cards: tuple[Card, ...], wagers: list[Wager], *, name: str, said: str, named: dict[str, Any],
    json: bool, number: int | None = None,
) -> None:  # fmt: skip
    """Deal a shoe, top card first, from the burn to the last hand, with every ruling; `said` is its origin.

    With a `number`, that many rounds instead, as far as the cards go.
    """
    burned = burn(rules, cards)
    position = len(burned.cards)
    if number is None:
        all_rounds = rounds(rules, cards, position=position)
    else:
        all_rounds = first_rounds(rules, cards, number, position=position)
    if not json:
        console.rule(line((rules.edition.title, "bold")))
        put_line(f"{name}, rulebook {rules.hash[:16]}…  {said}")
        seen = show_cards(burned.cards[: burned.exposed]) + " ··" * (len(burned.cards) - burned.exposed)
        put_line(f"burned: {seen}  ", (_cites(burned.cites), "dim"))
    made = []
    for dealt, settled in _settle_rounds(rules, wagers, all_rounds):
        if json:
            made.append(_as_json(rules, dealt.coup, settled, dealt))
        else:
            last = ("  last hand" if dealt.is_last else "", "yellow")
            put_line("\n", (f"Round {dealt.number}", "bold"), last)
            _show_round(dealt.coup, settled)
            if dealt.cover_card_out:
                out = ("the cover card is out: “last hand”, and one more", "yellow")
                put_line("  ", out, "  ", (_cites(last_hand_cites(rules)), "dim"))
    if json:
        burned_json = {"cards": [CODES[card] for card in burned.cards], "exposed": burned.exposed}
        put_json({**named, "rulebook": rules.hash, "burned": burned_json, "rounds": made})


def _settle_rounds(
    rules: Rulebook, wagers: list[Wager], all_rounds: Iterator[DealtRound]
) -> Iterator[tuple[DealtRound, Settlement]]:  # fmt: skip
    meters, must_hit = _seeds(rules), _must_hit(rules)
    for dealt in all_rounds:
        settled = settle(rules, dealt.coup, wagers, meters=meters, must_hit=must_hit)
        if isinstance(settled, Refused):
            fail(str(settled), REFUSED)
        if settled.awards is not None:
            meters = settled.awards.after
        if settled.must_hit is not None and must_hit is not None:
            must_hit = replace(must_hit, meter=settled.must_hit.meter)
        yield dealt, settled


def _cites(cites: tuple[Citation, ...]) -> str:
    """Citations of one edition, its name written once."""
    if not cites:
        return ""
    return f"{cites[0].edition} " + ", ".join(f"§{cite.paragraph}" for cite in cites)


def _show_round(coup: Coup, settled: Settlement) -> None:
    colour = COLOURS[coup.outcome]
    player, banker = ("  ".join(card.sign for card in hand) for hand in (coup.player, coup.banker))
    put_line(
        "  ", ("Player", "blue"), f" {player} = ", (str(coup.player_count), "bold"),
        "    ", ("Banker", "red"), f" {banker} = ", (str(coup.banker_count), "bold"),
        "    ", (coup.outcome, f"bold {colour}"),
    )  # fmt: skip
    for ruling in coup.why:
        _show_ruling(ruling)
    said = tuple(dict.fromkeys(cite for call in coup.calls for cite in call.cites))
    put_line(f"  calls: {' '.join(map(str, coup.calls))}  ", (_cites(said), "dim"))
    for each in settled.lines:
        _show_line(each)
    for ruling in explain(settled):
        _show_ruling(ruling)


def _show_ruling(ruling: Ruling) -> None:
    restored = ", restored" if ruling.restored else ""
    put_line(f"  {ruling.say}  ", (f"{_cites(ruling.cites)}{restored}", "dim"))


def _show_line(settled: SettledLine) -> None:
    wager = settled.wager
    row = f" ({settled.row})" if settled.row else ""
    odds = f" at {settled.odds}" if settled.odds else ""
    vigorish = f", vigorish {Cents(settled.vigorish)}" if settled.vigorish else ""
    put_line(
        f"  seat {wager.seat}: {Cents(wager.stake)} on {wager.on.value}: ", (settled.result.value, "bold"),
        f"{row}{odds}{vigorish}, net {Cents(settled.net)}  ", (_cites(settled.cites), "dim"),
    )  # fmt: skip


def _as_json(rules: Rulebook, coup: Coup, settled: Settlement, dealt: DealtRound | None) -> dict[str, Any]:
    made = settled_answer(None if dealt is None else dealt.number, open_book(rules), settled)
    why = (*coup.why, *explain(settled))
    made["why"] = [{"say": r.say, "cites": list(map(str, r.cites)), "restored": r.restored} for r in why]
    if dealt is not None:
        made |= {"position": dealt.position, "cover_card_out": dealt.cover_card_out, "last_hand": dealt.is_last}
    return made
