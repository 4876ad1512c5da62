"""Logs as other programs write them: dealt and settled by the second settlement, not by the package, faults planted."""

from __future__ import annotations

import csv
import random
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from second_settlement import VALUES, banker_draws, count, hands, player_draws, second

DECK = [rank + suit for rank in "A23456789TJQK" for suit in "SHDC"]
COLUMNS = ["shoe", "round", "player", "banker", "player_total", "banker_total", "winner"]
WAGER_COLUMNS = ["seat", "wager", "stake", "paid", "vigorish", "net"]


class LogRow(msgspec.Struct):
    """One round of a log, before it is written down."""

    shoe: int
    round: int
    player: list[str]
    banker: list[str]
    player_total: int = 0
    banker_total: int = 0
    winner: str = ""
    more: dict[str, str] = {}

    def reckon(self) -> None:
        """Total and winner as the cards on the row have them."""
        self.player_total, self.banker_total = count(self.player), count(self.banker)
        difference = self.player_total - self.banker_total
        self.winner = "tie" if difference == 0 else "player" if difference > 0 else "banker"

    @property
    def has_natural(self) -> bool:
        """Whether a natural ended the drawing."""
        return max(count(self.player[:2]), count(self.banker[:2])) >= 8


def clean(rounds: int, *, seed: int, first_shoe: int = 1) -> Iterator[LogRow]:
    """Rounds of one shoe after another, eight decks each, dealt by the documents' tableau as the tests have it."""
    chance, shoe, dealt = random.Random(seed), first_shoe - 1, 0
    while dealt < rounds:
        shoe += 1
        cards = DECK * 8
        chance.shuffle(cards)
        number = 0
        while len(cards) > 60 and dealt < rounds:
            number, dealt = number + 1, dealt + 1
            player, banker = hands(cards[:6])
            del cards[: len(player) + len(banker)]
            row = LogRow(shoe, number, player, banker)
            row.reckon()
            yield row


# ---------------------------------------------------------------------------------------- writing


def as_cards(hand: list[str]) -> str:
    """`7c Qd`."""
    return " ".join(card[0] + card[1].lower() for card in hand)


def as_ranks(hand: list[str]) -> str:
    """`7 Q`."""
    return " ".join(card[0] for card in hand)


def as_values(hand: list[str]) -> str:
    """`7 0`."""
    return " ".join(str(VALUES[card[0]]) for card in hand)


STYLES: dict[str, Callable[[list[str]], str]] = {"cards": as_cards, "ranks": as_ranks, "values": as_values}


def cells(row: LogRow, style: str = "cards") -> list[str]:
    """The cells of a row under `COLUMNS`."""
    show = STYLES[style]
    totals = str(row.player_total), str(row.banker_total)
    return [str(row.shoe), str(row.round), show(row.player), show(row.banker), *totals, row.winner]


def write(path: Path, rows: list[LogRow], *, style: str = "cards", delimiter: str = ",") -> Path:
    """Write rows as CSV; whatever more a row holds has columns of its own."""
    more = list(dict.fromkeys(name for row in rows for name in row.more))
    with path.open("w", encoding="utf-8", newline="") as file:
        out = csv.writer(file, delimiter=delimiter, lineterminator="\n")
        out.writerow([*COLUMNS, *more])
        out.writerows([*cells(row, style), *(row.more.get(name, "") for name in more)] for row in rows)
    return path


# ---------------------------------------------------------------------------------------- planting


class Planted(msgspec.Struct, frozen=True):
    """A fault that was put into a log: at which row, of what kind, under which paragraph."""

    row: int
    kind: str
    paragraph: str | None


Plant = Callable[[LogRow, str], tuple[str, str | None] | None]
"""Spoils a row, given a spare card: kind and paragraph of Massachusetts, or None if the row does not lend itself."""


def _banker_paragraph(row: LogRow) -> str:
    """Massachusetts 10(c), by what the Banker holds and whether the Player drew."""
    if len(row.player) == 2:
        return "10(c)(1)"
    held = count(row.banker[:2])
    return "10(c)(2)(i)" if held < 3 else "10(c)(2)(ii)" if held == 7 else "10(c)(2)(iii)"


def player_stayed(row: LogRow, spare: str) -> tuple[str, str | None] | None:
    if len(row.player) != 3:
        return None
    row.player.pop()
    row.reckon()
    return "player_stayed", "10(b)(1)"


def banker_stayed(row: LogRow, spare: str) -> tuple[str, str | None] | None:
    if len(row.banker) != 3:
        return None
    row.banker.pop()
    row.reckon()
    return "banker_stayed", _banker_paragraph(row)


def player_drew(row: LogRow, spare: str) -> tuple[str, str | None] | None:
    if len(row.player) != 2 or row.has_natural:
        return None
    row.player.append(spare)
    row.reckon()
    return "player_drew", "10(b)(2)"


def banker_drew(row: LogRow, spare: str) -> tuple[str, str | None] | None:
    if len(row.banker) != 2 or row.has_natural:
        return None
    row.banker.append(spare)
    row.reckon()
    return "banker_drew", _banker_paragraph(row)


def banker_stale_card(row: LogRow, spare: str) -> tuple[str, str | None] | None:
    if len(row.banker) != 2 or row.has_natural:
        return None
    row.banker.append(spare)
    return "banker_stale_card", _banker_paragraph(row)


def player_stale_card(row: LogRow, spare: str) -> tuple[str, str | None] | None:
    if len(row.player) != 2 or row.has_natural:
        return None
    row.player.append(spare)
    return "player_stale_card", "10(b)(2)"


def banker_drew_twice(row: LogRow, spare: str) -> tuple[str, str | None] | None:
    if len(row.banker) != 3:
        return None
    paragraph = _banker_paragraph(row)
    row.banker.append(spare)
    row.reckon()
    return "banker_drew_twice", paragraph


def player_drew_twice(row: LogRow, spare: str) -> tuple[str, str | None] | None:
    if len(row.player) != 3:
        return None
    row.player.append(spare)
    row.reckon()
    return "player_drew_twice", "10(b)(1)"


def natural_ignored(row: LogRow, spare: str) -> tuple[str, str | None] | None:
    if not row.has_natural:
        return None
    (row.player if count(row.player) < count(row.banker) else row.banker).append(spare)
    row.reckon()
    return "natural_ignored", "10(a)"


def natural_stale_card(row: LogRow, spare: str) -> tuple[str, str | None] | None:
    if not row.has_natural:
        return None
    row.banker.append(spare)
    return "natural_stale_card", "10(a)"


def opening_card_missing(row: LogRow, spare: str) -> tuple[str, str | None] | None:
    row.player = row.player[:1]
    row.reckon()
    return "opening_card_missing", "8(c)"


def wrong_player_total(row: LogRow, spare: str) -> tuple[str, str | None] | None:
    row.player_total = (row.player_total + 1 + VALUES[spare[0]]) % 10 if VALUES[spare[0]] < 9 else 0
    return ("wrong_total", "6(b)") if row.player_total != count(row.player) else None


def wrong_banker_total(row: LogRow, spare: str) -> tuple[str, str | None] | None:
    row.banker_total += 10
    return "wrong_total", "6(b)"


def wrong_winner(row: LogRow, spare: str) -> tuple[str, str | None] | None:
    row.winner = {"player": "tie", "tie": "banker", "banker": "player"}[row.winner]
    return "wrong_winner", "11(a)"


def called_void(row: LogRow, spare: str) -> tuple[str, str | None] | None:
    row.winner = "void"
    return "wrong_winner", "11(a)"


def unknown_card(row: LogRow, spare: str) -> tuple[str, str | None] | None:
    row.banker[0] = "1s"
    return "unreadable", None


def unknown_winner(row: LogRow, spare: str) -> tuple[str, str | None] | None:
    row.winner = "house"
    return "unreadable", None


OF_A_ROW: tuple[Plant, ...] = (
    player_stayed, banker_stayed, player_drew, banker_drew, banker_stale_card, player_stale_card, banker_drew_twice,
    player_drew_twice, natural_ignored, natural_stale_card, opening_card_missing, wrong_player_total,
    wrong_banker_total, wrong_winner, called_void, unknown_card, unknown_winner,
)  # fmt: skip
"""Faults that lie within one row."""

NEW_JERSEY = {
    "10(a)": "3.9(a)", "10(b)(1)": "3.9(b)", "10(b)(2)": "3.9(b)", "10(c)(1)": "3.9(c)", "10(c)(2)(i)": "3.9(c)",
    "10(c)(2)(ii)": "3.9(c)", "10(c)(2)(iii)": "3.9(c)", "6(b)": "3.1(c)", "11(a)": "3.10(a)", "8(c)": "3.7(d)",
    "3(a)": "3.1(a)",
}  # fmt: skip
"""The same paragraphs in New Jersey's document."""


def paragraph_in(edition: str, paragraph: str | None) -> str | None:
    """A paragraph of Massachusetts as an edition has it, with the edition's name."""
    if not paragraph:
        return None
    return f"{edition} §{NEW_JERSEY[paragraph] if edition.startswith('nj') else paragraph}"


def plant_in_rows(plant: Plant, wanted: int, *, seed: int) -> tuple[list[LogRow], list[Planted]]:
    """A log in which so many rows, far enough apart, are spoiled; the spare card never exceeds what the decks hold."""
    chance, rows = random.Random(seed), list(clean(12 * wanted + 80, seed=seed))
    planted: list[Planted] = []
    held: dict[int, Counter[str]] = {}
    for row in rows:
        held.setdefault(row.shoe, Counter()).update([*row.player, *row.banker])
    last = -2
    for index, row in enumerate(rows):
        if len(planted) == wanted or index - last < 2 or chance.random() < 0.3:
            continue
        spares = [card for card in DECK if VALUES[card[0]] and held[row.shoe][card] < 8]
        if not spares:
            continue
        spare = chance.choice(spares)
        before = msgspec.structs.replace(row, player=[*row.player], banker=[*row.banker])
        found = plant(row, spare)
        if found is None:
            rows[index] = before
            continue
        held[row.shoe][spare] += 1
        planted.append(Planted(index + 1, *found))
        last = index
    assert len(planted) == wanted, f"{len(planted)} of {wanted} rows lent themselves to {plant.__name__}"
    return rows, planted


# ------------------------------------------------------------------------------------ of several rows


def duplicated(wanted: int, *, seed: int) -> tuple[list[LogRow], list[Planted]]:
    """Rounds written twice, one after the other, or again some rounds later."""
    return _rearranged(wanted, seed, lambda at, chance: [at, at + 1, at, at + 2] if chance.random() < 0.5 else
                       [at, at + 1, at + 2, at + 3, at + 1, at + 4], "duplicate_round")  # fmt: skip


def left_out(wanted: int, *, seed: int) -> tuple[list[LogRow], list[Planted]]:
    """Rounds that are missing."""
    return _rearranged(wanted, seed, lambda at, _: [at, at + 2, at + 3], "round_missing")


def swapped(wanted: int, *, seed: int) -> tuple[list[LogRow], list[Planted]]:
    """Rounds before their time; the later one is missed first."""
    return _rearranged(wanted, seed, lambda at, _: [at, at + 2, at + 1, at + 3], "round_out_of_order")


def _rearranged(
    wanted: int, seed: int, order: Callable[[int, random.Random], list[int]], kind: str
) -> tuple[list[LogRow], list[Planted]]:  # fmt: skip
    chance, rows = random.Random(seed), list(clean(20 * wanted + 200, seed=seed))
    made: list[LogRow] = []
    planted: list[Planted] = []
    index = 0
    while index < len(rows):
        stretch = rows[index : index + 6]
        if (
            len(planted) < wanted
            and len({row.shoe for row in stretch}) == 1
            and stretch[0].round > 1
            and len(stretch) == 6
        ):
            taken = order(0, chance)
            for position, at in enumerate(taken):
                seen = taken[:position]
                wrong = {
                    "duplicate_round": at in seen,
                    "round_missing": position > 0 and at > max(seen) + 1,
                    "round_out_of_order": position > 0 and at < max(seen) and at not in seen,
                }
                made.append(rows[index + at])
                if wrong[kind]:
                    planted.append(Planted(len(made), kind, None))
            index += max(taken) + 1
        else:
            made.append(rows[index])
            index += 1
    assert len(planted) >= wanted, f"{len(planted)} of {wanted} {kind}"
    return made, planted


def overfull(wanted: int, *, seed: int, style: str) -> tuple[list[LogRow], list[Planted]]:
    """Shoes with a card too many of some kind: the decks' tableau is kept, the ninth 7c is found where it is dealt."""
    chance = random.Random(seed)
    show = {"cards": lambda card: card, "ranks": lambda card: card[0], "values": lambda card: str(VALUES[card[0]])}[
        style
    ]
    most = {"cards": 8, "ranks": 32, "values": 32}[style]
    rows: list[LogRow] = []
    planted: list[Planted] = []
    shoe = 0
    while len(planted) < wanted:
        shoe += 1
        bad = chance.choice([card for card in DECK if VALUES[card[0]]])
        cards = [*DECK * 8, *[bad] * (most // 3)]
        chance.shuffle(cards)
        dealt: Counter[str] = Counter()
        number = 0
        while len(cards) > 10:
            number += 1
            player, banker = hands(cards[:6])
            del cards[: len(player) + len(banker)]
            row = LogRow(shoe, number, player, banker)
            row.reckon()
            rows.append(row)
            for name in map(show, [*player, *banker]):
                dealt[name] += 1
                limit = 128 if name == "0" else most
                if dealt[name] == limit + 1:
                    planted.append(Planted(len(rows), "too_many_of_a_card", "3(a)"))
    return rows, planted


# ------------------------------------------------------------------------------------------- wagers


def with_wagers(rows: list[LogRow], ruleset: str, options: dict[str, object], *, seed: int) -> list[LogRow]:
    """Rows, one for each wager, two or three wagers a round, paid as the second settlement has it."""
    chance, made = random.Random(seed), []
    kinds = ["player", "banker", "tie"]
    for row in rows:
        order = [row.player[0], row.banker[0], row.player[1], row.banker[1], *row.player[2:], *row.banker[2:]]
        wagers = [
            {"seat": seat, "type": kind, "amount": 100 * chance.randrange(25, 500)}
            for seat, kind in zip((1, 2, 2), chance.sample(kinds, 3), strict=True)
        ][: chance.choice((2, 3))]
        record = {"ruleset": ruleset, "options": options, "cards": order, "wagers": wagers, "cards_left_in_shoe": 50}
        for wager, line in zip(wagers, second(record)["wagers"], strict=True):
            more = {
                "seat": str(wager["seat"]), "wager": str(wager["type"]), "stake": dollars(int(str(wager["amount"]))),
                "paid": dollars(line["win"]), "vigorish": dollars(line["vigorish"]), "net": dollars(line["net"]),
            }  # fmt: skip
            made.append(msgspec.structs.replace(row, more=more))
    return made


def with_wrong_sums(column: str, wanted: int, ruleset: str, *, seed: int) -> tuple[list[LogRow], list[Planted]]:
    """Rows of wagers of which some say another sum in a column; the paragraph is left blank: the wager decides it."""
    chance, planted = random.Random(seed), []
    rows = with_wagers(list(clean(2 * wanted + 10, seed=seed)), ruleset, {}, seed=seed)
    for index in chance.sample(range(len(rows)), wanted):
        more = rows[index].more
        cents = round(float(more[column]) * 100) + chance.choice((25, -5, 1, 100, 10_000))
        rows[index].more = {**more, column: dollars(cents)}
        planted.append(Planted(index + 1, "wrong_vigorish" if column == "vigorish" else "wrong_payment", ""))
    return rows, planted


def dollars(cents: int) -> str:
    """Cents as a log has them: 12.50."""
    return f"{'-' if cents < 0 else ''}{abs(cents) // 100}.{abs(cents) % 100:02d}"


# ------------------------------------------------------------------------------------ a naive checker


def naive_kinds(row: LogRow) -> set[str]:
    """What is wrong with a row by the documents, found the slow way: kinds of fault, whatever the order of rounds."""
    found: set[str] = set()
    if len(row.player) < 2 or len(row.banker) < 2:
        found.add("opening_card_missing")
        accepted = {"player": {count(row.player)}, "banker": {count(row.banker)}}
    else:
        held, bank = count(row.player[:2]), count(row.banker[:2])
        third = VALUES[row.player[2][0]] if len(row.player) > 2 else None
        accepted = {}
        for side, hand, stated, draws in (
            ("player", row.player, row.player_total, player_draws(held, bank)),
            ("banker", row.banker, row.banker_total, banker_draws(held, bank, third)),
        ):
            lawful = 3 if draws else 2
            accepted[side] = {count(hand), count(hand[:lawful])}
            if len(hand) < lawful:
                found.add(f"{side}_stayed")
            elif len(hand) > lawful:
                stale = stated == count(hand[:lawful]) != count(hand)
                if held >= 8 or bank >= 8:
                    found.add("natural_stale_card" if stale else "natural_ignored")
                elif len(hand) > 3:
                    found.add(f"{side}_drew_twice")
                else:
                    found.add(f"{side}_stale_card" if stale else f"{side}_drew")
    totals = {}
    for side, stated, hand in (("player", row.player_total, row.player), ("banker", row.banker_total, row.banker)):
        totals[side] = stated if stated in accepted[side] else count(hand)
        if stated not in accepted[side]:
            found.add("wrong_total")
    difference = totals["player"] - totals["banker"]
    if row.winner != ("tie" if difference == 0 else "player" if difference > 0 else "banker"):
        found.add("wrong_winner")
    return found
