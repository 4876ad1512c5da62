"""Edges before every round of a recorded shoe: a file of cards, or a journal of the table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

import msgspec

from baccarat.cards import Card
from baccarat.cli.lines import lines, source_name
from baccarat.cli.output import errors, exit_on, fail, figures, line, put_csv, put_json, put_line, put_table
from baccarat.cli.price_data import fraction
from baccarat.cli.price_show import OutputFormat
from baccarat.cli.redecided_acts import WrongLine, acts_of
from baccarat.law.rulebook import Rulebook
from baccarat.money import MICRO
from baccarat.odds import ShoeCounts, before_each_round
from baccarat.odds.series import edges_from
from baccarat.odds.show import percent
from baccarat.play.wager import WagerKind
from baccarat.table.machine import begin, evolve
from baccarat.table.round_state import RoundKind
from baccarat.table.state import TableState
from baccarat.table.step.calling import NoMoreBetsCalled


class SeriesPoint(msgspec.Struct, frozen=True):
    """The moment before a round: what is unseen, and the edge of every wager; None if cards may not suffice."""

    shoe: int
    round: int
    unseen: int
    edges: dict[WagerKind, Fraction]


def show(
    rules: Rulebook,
    *,
    shoe: str | None,
    journal: str | None,
    start: ShoeCounts | None,
    meters: Mapping[str, int] | None,
    only: WagerKind | None,
    form: OutputFormat,
) -> None:
    """Every wager's edge before each round, one line per round."""
    if shoe is not None:
        found = _price_with_status(_points_from_cards(rules, shoe, start, meters))
    else:
        if start is not None or meters is not None:
            fail("a journal has its own shoe and meters: leave out --left, --without and --meters")
        found = _price_with_status(_points_from_journal(rules, journal or "-"))
    if not found:
        fail("no round is recorded in it")
    kinds = list(next((each.edges for each in found if each.edges), {}))
    if only is not None:
        if only not in kinds:
            fail(f"{only.word} is not priced here; priced are: {', '.join(kind.word for kind in kinds)}")
        kinds = [only]
    if form is OutputFormat.JSON:
        put_json([
            {"shoe": each.shoe, "round": each.round, "unseen": each.unseen,
             "edges": {kind.word: fraction(each.edges[kind]) for kind in kinds if kind in each.edges}}
            for each in found
        ])  # fmt: skip
    elif form is OutputFormat.CSV:
        edges = ([float(each.edges[kind]) if each.edges else "" for kind in kinds] for each in found)
        rows = ([each.shoe, each.round, each.unseen, *row] for each, row in zip(found, edges, strict=True))
        put_csv(["shoe", "round", "unseen", *(kind.word for kind in kinds)], rows)
    else:
        table = figures("shoe", "round", "unseen", *(kind.word.replace("_", " ") for kind in kinds))
        for each in found:
            edges_ = [percent(each.edges[kind], 3) if each.edges else "–" for kind in kinds]
            table.add_row(*map(line, (str(each.shoe), str(each.round), str(each.unseen), *edges_)))
        put_table(table)
        put_line(("the house edge of each wager; cards burned face down count as unseen", "dim"))


def _price_with_status(coming: Iterator[SeriesPoint]) -> list[SeriesPoint]:
    """The moments; a terminal shows the round while they are priced."""
    found: list[SeriesPoint] = []
    with errors.status("pricing") as status:
        for each in coming:
            status.update(f"pricing shoe {each.shoe}, round {each.round}")
            found.append(each)
    return found


def _points_from_cards(
    rules: Rulebook, source: str, start: ShoeCounts | None, meters: Mapping[str, int] | None
) -> Iterator[SeriesPoint]:
    burned, rounds = from_cards(source)
    for each in before_each_round(rules, rounds, burned=burned, shoe=start, meters=meters):
        yield SeriesPoint(1, each.round, each.unseen.size, each.edges)


def from_cards(source: str) -> tuple[list[Card], list[list[Card]]]:
    """A file with a line of cards for each round; a line that begins with `burn` names burned cards that were seen."""
    burned: list[Card] = []
    rounds: list[list[Card]] = []
    for number, raw in lines(source):
        with exit_on(ValueError, where=f"{source_name(source)}, line {number}"):
            text = raw.decode().split("#")[0].strip()
            is_burn = text.lower().startswith("burn")
            words = text[4 if is_burn else 0 :].replace(":", " ").replace(",", " ").split()
            cards = [Card.parse(word) for word in words]
        if is_burn and rounds:
            fail(f"{source_name(source)}, line {number}: cards are burned before the first round")
        if is_burn:
            burned += cards
        elif cards:
            rounds.append(cards)
    return burned, rounds


def _points_from_journal(rules: Rulebook, source: str) -> Iterator[SeriesPoint]:
    """The moment before wagers are closed, in every round of every shoe: from the cards seen, at the meters shown."""
    found = acts_of(source)
    if found.rulebook != rules.hash:
        fail(f"{source_name(source)} was played under {found.table.rules}, not under {rules}: price that Submission")
    state = begin(rules)
    for act in found.acts:
        if isinstance(act, WrongLine):
            fail(f"{source_name(source)}: {act.say}")
        for event in act.events:
            if isinstance(event, NoMoreBetsCalled) and state.round.kind is RoundKind.WAGERED:
                yield _moment(rules, state)
            state = evolve(state, event)
    if state.step == "wager":
        yield _moment(rules, state)


def _moment(rules: Rulebook, state: TableState) -> SeriesPoint:
    decks = rules.elections.decks
    assert decks is not None, "every rulebook says how many decks are played"
    seen = [Card.parse(name) for name, times in state.shoe.seen.items() for _ in range(times)]
    unseen = ShoeCounts.full(decks).without(seen)
    meters = {name: value // MICRO for name, value in state.meters.amounts.items()} or None
    return SeriesPoint(state.shoe.number + 1, state.round.number, unseen.size, edges_from(rules, unseen, meters))
