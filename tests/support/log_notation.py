"""Honest rounds as other programs write them: hands, results, sums and wagers, each in every notation."""

from __future__ import annotations

import csv
import io
import itertools
import json
import random
from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from baccarat.law.rulebook import Rulebook
from baccarat.play.book import open_book
from foreign_logs import LogRow, as_cards, as_ranks, as_values, clean, dollars
from second_settlement import second

SUITS = {"S": ("♠", "Spades"), "H": ("♥", "Hearts"), "D": ("♦", "Diamonds"), "C": ("♣", "Clubs")}
NAMES = dict(zip("A23456789TJQK", ["Ace", *map(str, range(2, 11)), "Jack", "Queen", "King"], strict=True))


def as_signs(hand: list[str]) -> str:
    """`7♣ 10♦`."""
    return " ".join(card[0].replace("T", "10") + SUITS[card[1]][0] for card in hand)


def as_names(hand: list[str]) -> str:
    """`7 of Clubs, Queen of Diamonds`."""
    return ", ".join(f"{NAMES[card[0]]} of {SUITS[card[1]][1]}" for card in hand)


def as_one_word(hand: list[str]) -> str:
    """`7cQd`."""
    return as_cards(hand).replace(" ", "")


def as_list(hand: list[str]) -> str:
    """`['7c', 'Qd']`."""
    return repr([card[0] + card[1].lower() for card in hand])


HANDS: dict[str, Callable[[list[str]], str]] = {
    "cards": as_cards, "signs": as_signs, "names": as_names, "one word": as_one_word, "list": as_list,
    "ranks": as_ranks, "values": as_values,
}  # fmt: skip
WINNERS: dict[str, dict[str, str]] = {
    "words": {"player": "player", "banker": "banker", "tie": "tie"},
    "letters": {"player": "P", "banker": "B", "tie": "T"},
    "sentences": {"player": "Player wins", "banker": "Banker won", "tie": "Stand-off"},
    "Chinese": {"player": "闲", "banker": "庄", "tie": "和"},
}
SUMS: dict[str, Callable[[int], str]] = {
    "dollars": dollars,
    "signed": lambda cents: f"{'-' if cents < 0 else ''}${abs(cents) // 100:,}.{abs(cents) % 100:02d}",
    "cents": str,
    "brief": lambda cents: dollars(cents).removesuffix(".00"),
}
"""How sums are written; `cents` needs `in_cents`."""
FORMS = ("csv", "semicolons", "tabs", "json")
LAYOUTS = ("a row each", "a column each", "a list")
CLAIMS = ("paid", "vigorish", "net", "returned")


class Notation(msgspec.Struct, frozen=True, kw_only=True):
    """How a program writes its log."""

    hands: str = "cards"
    winners: str = "words"
    sums: str = "dollars"
    form: str = "csv"
    layout: str = "a row each"
    claims: tuple[str, ...] = CLAIMS

    def __str__(self) -> str:
        return ", ".join((self.hands, self.winners, self.sums, self.form, self.layout, "+".join(self.claims)))


def notations() -> Iterator[Notation]:
    """Every pair of values of two fields, in the fewest notations that a simple choice finds."""
    fields = {
        "hands": tuple(HANDS), "winners": tuple(WINNERS), "sums": tuple(SUMS), "form": FORMS, "layout": LAYOUTS,
        "claims": (CLAIMS, ("returned",), ("net", "paid"), ("vigorish",)),
    }  # fmt: skip
    missing = {
        ((one, first), (other, last))
        for (one, firsts), (other, lasts) in itertools.combinations(fields.items(), 2)
        for first, last in itertools.product(firsts, lasts)
    }
    chance = random.Random(1)
    while missing:
        tried = [{name: chance.choice(values) for name, values in fields.items()} for _ in range(60)]
        best = max(tried, key=lambda each: len(missing.intersection(itertools.combinations(each.items(), 2))))
        missing -= set(itertools.combinations(best.items(), 2))
        yield Notation(**best)  # type: ignore[arg-type]


class SettledWager(msgspec.Struct, frozen=True):
    """A wager and what became of it, in cents, by the second settlement."""

    seat: int
    on: str
    stake: int
    sums: dict[str, int]
    """What was paid, taken as vigorish, gained, and given back into the patron's hand."""


def settled_rounds(rules: Rulebook, rounds: int, *, seed: int) -> list[tuple[LogRow, list[SettledWager]]]:
    """Rounds with a wager of one seat on every kind that cards alone decide, and some of another seat."""
    options = msgspec.to_builtins(rules.elections, enc_hook=str)
    kinds = [kind.word for kind in open_book(rules).kinds if kind.word in SETTLED]
    is_deferred = options.get("vig_collection") == "deferred"
    chance, made = random.Random(seed), []
    for row in clean(rounds, seed=seed):
        cards = [row.player[0], row.banker[0], row.player[1], row.banker[1], *row.player[2:], *row.banker[2:]]
        wagers = [
            {"seat": seat, "type": kind, "amount": 100 * chance.randrange(25, 500)}
            for seat, several in ((3, kinds), (7, chance.sample(kinds, 2)))
            for kind in several
        ]
        record = {
            "ruleset": rules.edition.name, "options": options, "cards": cards, "wagers": wagers,
            "cards_left_in_shoe": 50,
        }  # fmt: skip
        lines = second(record)["wagers"]
        made.append((row, [_settled(line, is_deferred=is_deferred) for line in lines]))
    return made


SETTLED = frozenset(
    ("player", "banker", "tie", "dragon_player", "dragon_banker", "dragon7", "panda8", "total4", "total5", "total6")
)


def _settled(line: dict[str, Any], *, is_deferred: bool) -> SettledWager:
    back = {"lose": 0, "push": line["amount"], "win": line["amount"] + line["win"]}[line["result"]]
    if not is_deferred:
        back -= line["vigorish"]
    sums = {"paid": line["win"], "vigorish": line["vigorish"], "net": line["net"], "returned": back}
    return SettledWager(line["seat"], line["type"], line["amount"], sums)


def log_of(rounds: list[tuple[LogRow, list[SettledWager]]], how: Notation) -> bytes:
    """The log of these rounds in a notation."""
    rows = [row for each in rounds for row in _rows(*each, how)]
    if how.form == "json":
        return "".join(f"{json.dumps(row)}\n" for row in rows).encode()
    out = io.StringIO()
    delimiter = {"csv": ",", "semicolons": ";", "tabs": "\t"}[how.form]
    names = list(dict.fromkeys(name for row in rows for name in row))
    writer = csv.DictWriter(out, names, delimiter=delimiter, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue().encode()


def _rows(row: LogRow, wagers: list[SettledWager], how: Notation) -> Iterator[dict[str, Any]]:
    """A round as rows: one, or one for each wager; with a column for each kind, the wagers of one seat alone."""
    hand, money = HANDS[how.hands], SUMS[how.sums]
    told: dict[str, Any] = {
        "shoe": str(row.shoe), "round": str(row.round), "player": hand(row.player), "banker": hand(row.banker),
        "player_total": str(row.player_total), "banker_total": str(row.banker_total),
        "winner": WINNERS[how.winners][row.winner],
    }  # fmt: skip

    def sums(wager: SettledWager) -> dict[str, str]:
        return {"stake": money(wager.stake)} | {claim: money(wager.sums[claim]) for claim in how.claims}

    if how.layout == "a row each":
        yield from (told | {"seat": str(each.seat), "wager": each.on} | sums(each) for each in wagers)
    elif how.layout == "a column each":
        first = [each for each in wagers if each.seat == wagers[0].seat]
        yield told | {f"{each.on}_{what}": cell for each in first for what, cell in sums(each).items()}
    else:
        listed = [{"seat": each.seat, "wager": each.on, **sums(each)} for each in wagers]
        yield told | {"wagers": listed if how.form == "json" else json.dumps(listed)}
