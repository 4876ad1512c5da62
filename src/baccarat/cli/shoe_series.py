"""Edges before every round of a recorded shoe: a file of cards, or a journal of the table."""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator, Mapping

from baccarat.cards import Card
from baccarat.cli.door import Unreadable, decode_object, lines, named, read_event, read_header
from baccarat.cli.out import FAULT, console, fail, grid, line, put_json
from baccarat.cli.price import fraction
from baccarat.law.rulebook import Rulebook
from baccarat.odds import Counts, before_each_round
from baccarat.odds.series import Before
from baccarat.odds.show import percent
from baccarat.table.base import Event
from baccarat.table.step.burning import BurnedCardTurned
from baccarat.table.step.clearing import TableCleared
from baccarat.table.step.closing import ShoeClosed


def show(
    rules: Rulebook,
    *,
    shoe: str | None,
    journal: str | None,
    start: Counts | None,
    meters: Mapping[str, int] | None,
    csv_: bool,
    json: bool,
) -> None:
    """Every wager's edge before each round, one line a round."""
    if shoe is not None and journal is not None:
        fail("--shoe or --journal, not both", FAULT)
    burned, rounds = from_cards(shoe) if shoe is not None else from_journal(rules, journal or "-")
    found = list(before_each_round(rules, rounds, burned=burned, shoe=start, meters=meters))
    if not found:
        fail("no round is recorded there", FAULT)
    kinds = list(found[0].edges)
    if json:
        put_json([
            {"round": each.round, "unseen": each.unseen.size,
             "edges": {kind.word: fraction(edge) for kind, edge in each.edges.items()}}
            for each in found
        ])  # fmt: skip
        return
    if csv_:
        out = csv.writer(sys.stdout, lineterminator="\n")
        out.writerow(["round", "unseen", *(kind.word for kind in kinds)])
        for each in found:
            edges = (float(each.edges[kind]) if each.edges else "" for kind in kinds)
            out.writerow([each.round, each.unseen.size, *edges])
        return
    table = grid("round", "unseen", *(kind.word.replace("_", " ") for kind in kinds))
    for column in table.columns:
        column.justify = "right"
    for each in found:
        table.add_row(*map(line, (str(each.round), str(each.unseen.size), *_cells(each, len(kinds)))))
    console.print(table)
    console.print(line(("the house edge of each wager; cards burned face down count as unseen", "dim")))


def _cells(each: Before, wide: int) -> list[str]:
    return [percent(edge, 3) for edge in each.edges.values()] if each.edges else ["–"] * wide


def from_cards(source: str) -> tuple[list[Card], list[list[Card]]]:
    """A file with a line of cards for each round; a line that begins with `burn` names burned cards that were seen."""
    burned: list[Card] = []
    rounds: list[list[Card]] = []
    for number, raw in lines(source):
        try:
            text = raw.decode().split("#")[0].strip()
            is_burn = text.lower().startswith("burn")
            words = text[4 if is_burn else 0 :].replace(":", " ").replace(",", " ").split()
            cards = [Card.parse(word) for word in words]
        except ValueError as error:
            fail(f"{named(source)}, line {number}: {error}", FAULT)
        if is_burn:
            burned += cards
        elif cards:
            rounds.append(cards)
    return burned, rounds


def from_journal(rules: Rulebook, source: str) -> tuple[list[Card], list[list[Card]]]:
    """The cards that a journal saw, by round: those of the first shoe that it holds."""
    burned: dict[int, Card] = {}
    rounds: list[dict[int, Card]] = [{}]
    for event in _events(rules, source):
        position, card = getattr(event, "position", None), getattr(event, "card", None)
        if isinstance(event, ShoeClosed):
            break
        if isinstance(event, TableCleared):
            rounds.append({})
        elif position is not None and isinstance(card, Card):
            seen = next((each for each in (burned, *rounds) if position in each), None)  # named again, or corrected
            if seen is None:
                seen = burned if isinstance(event, BurnedCardTurned) else rounds[-1]
            seen[position] = card
    return list(burned.values()), [list(each.values()) for each in rounds if each]


def _events(rules: Rulebook, source: str) -> Iterator[Event]:
    coming = lines(source)
    first = next(coming, None)
    if first is None:
        fail(f"{named(source)}: an empty journal", FAULT)
    played = read_header(source, *first)
    if played.hash != rules.hash:
        fail(f"{named(source)} was played under {played}, not under {rules}: price that Submission", FAULT)
    for number, text in coming:
        try:
            value = decode_object(text)
            if "event" in value:
                yield read_event(value)
        except Unreadable as error:
            fail(f"{named(source)}: line {number}: {error}", FAULT)
