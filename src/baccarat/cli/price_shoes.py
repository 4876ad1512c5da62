"""Edges of many shoes, from a file of CSV or JSON lines or standard input: read, priced and written in batches."""

from __future__ import annotations

import csv
import io
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from importlib.util import find_spec
from itertools import islice, pairwise
from operator import gt
from pathlib import Path
from textwrap import wrap
from typing import Any, NamedTuple

import msgspec
from rich.progress import BarColumn, TextColumn

from baccarat.cards import DECK
from baccarat.cli.lines import lines, source_name
from baccarat.cli.output import DONE, FAULT, complain, console, errors, fail, line, progress_bar
from baccarat.cli.price_show import OutputFormat
from baccarat.law.rulebook import Rulebook
from baccarat.odds.gain import wager_name
from baccarat.odds.shoe import CARDS_NEEDED, RANKS, ShoeCounts, shoe_of
from baccarat.play.book import Book, open_book
from baccarat.play.wager import WagerKind
from baccarat.record.text import visible

AT_ONCE = 4096
"""Lines that are held in memory together."""

COLUMNS = {10: tuple("0123456789"), 13: tuple(rank.value for rank in RANKS), 52: tuple(str(card) for card in DECK)}
"""By how many counts a line has, what they count, in order."""

EXPECTED = (
    "10 counts by value (0 to 9), 13 by rank (ace to king) or 52 by card: separated by commas, as a JSON array, or as "
    '{"left": [counts]} or {"without": "cards that are gone"}, with an "id" if you like'
)


WHOLE = re.compile("-?[0-9]{1,9}")


class ShoeLine(msgspec.Struct, forbid_unknown_fields=True):
    """A shoe as a JSON object."""

    id: str | int | None = None
    left: list[int] | None = None
    without: str | None = None


class PricedShoe(NamedTuple):
    """A shoe that was read: its line, its name if it has one, and its counts."""

    line: int
    id: str | int | None
    left: Sequence[int]


class UnreadLine(NamedTuple):
    """A line that is not a shoe, and why."""

    line: int
    why: str


class ShoeReader:
    """Reads lines as shoes of a rulebook; a first line of words is the heading of a CSV file."""

    def __init__(self, rules: Rulebook, source: str) -> None:
        decks = rules.elections.decks
        assert decks is not None, "every rulebook says how many decks are played"
        self.rules, self.source, self.full = rules, source, ShoeCounts.full(decks)
        by_rank = self.full.by_rank
        by_value = ShoeCounts(self.full.by_value, decks).left
        self.most = {10: by_value, 13: by_rank, 52: self.full.left}
        self.columns: tuple[str, ...] | None = None
        self.has_id = False
        self.array, self.object = msgspec.json.Decoder(list[int]), msgspec.json.Decoder(ShoeLine)

    def shoes(self) -> Iterator[tuple[PricedShoe | UnreadLine | None, int]]:
        """What each line holds, nothing for a heading, and the length of the line."""
        first = True
        for number, raw in lines(self.source):
            heading, first = first, False
            try:
                shoe = self._read(number, raw, may_be_heading=heading)
            except ValueError as error:
                yield UnreadLine(number, str(error)), len(raw)
            else:
                yield shoe, len(raw)

    def _read(self, number: int, raw: bytes, *, may_be_heading: bool) -> PricedShoe | None:
        text = raw.strip()
        try:
            if text.startswith(b"["):
                return self._check_shoe(PricedShoe(number, None, self.array.decode(text)))
            if text.startswith(b"{"):
                return self._read_object(number, self.object.decode(text))
        except (msgspec.DecodeError, RecursionError) as error:
            raise ValueError(f"{error}; expected {EXPECTED}") from None
        if not self.has_id:
            with suppress(msgspec.DecodeError):  # numbers and commas are an array without brackets: fast to decode
                return self._check_columns(PricedShoe(number, None, self.array.decode(b"[%b]" % text)))
        fields = _fields(text.decode(errors="replace"))
        if may_be_heading and not all(map(WHOLE.fullmatch, fields)):
            self._read_heading(number, fields)
            return None
        name = fields.pop(0) if self.has_id else None
        for field in fields:
            if not WHOLE.fullmatch(field):
                raise ValueError(f"{field[:40]!r} is not a whole number; expected {EXPECTED}")
        return self._check_columns(PricedShoe(number, name, [*map(int, fields)]))

    def _check_columns(self, shoe: PricedShoe) -> PricedShoe:
        if self.columns is not None and len(shoe.left) != len(self.columns):
            raise ValueError(f"{len(shoe.left)} counts under a heading of {len(self.columns)}")
        return self._check_shoe(shoe)

    def _read_object(self, number: int, given: ShoeLine) -> PricedShoe:
        if (given.left is None) == (given.without is None):
            raise ValueError(f'"left" or "without", one of them; expected {EXPECTED}')
        if given.left is not None:
            return self._check_shoe(PricedShoe(number, given.id, given.left))
        return self._check_shoe(PricedShoe(number, given.id, self.full.without(given.without or "").left))

    def _read_heading(self, number: int, fields: list[str]) -> None:
        """Read a heading; one with other columns, or in another order, ends the program."""
        self.has_id = fields[0].lower() == "id"
        names = tuple(field.upper().replace("10", "T") for field in fields[self.has_id :])
        for columns in COLUMNS.values():
            if names == tuple(name.upper() for name in columns):
                self.columns = columns
                return
        fail(
            f"{source_name(self.source)}: line {number}: neither counts nor a heading; "
            f"expected {EXPECTED}; or a heading of "
            "these columns in order, such as id,A,2,3,4,5,6,7,8,9,T,J,Q,K"
        )

    def _check_shoe(self, shoe: PricedShoe) -> PricedShoe:
        """The shoe, if its counts can be priced under these rules."""
        left, most = shoe.left, self.most.get(len(shoe.left))
        if most is None:
            raise ValueError(f"{len(left)} counts; expected {EXPECTED}")
        if min(left) < 0 or sum(left) < CARDS_NEEDED or any(map(gt, left, most)):
            shoe_of(self.rules, ShoeCounts(tuple(left), self.full.decks))  # raises with the reason
        return shoe


def _fields(text: str) -> list[str]:
    """The fields of a line of CSV, or of numbers separated by blanks."""
    if '"' in text:
        return [field.strip() for field in next(csv.reader([text], skipinitialspace=True))]
    return [field.strip() for field in text.split(",")] if "," in text else text.split()


# ------------------------------------------------------------------------------------------------ priced


def show(rules: Rulebook, source: str, *, only: WagerKind | None, form: OutputFormat) -> int:
    """Write the edges of every shoe as its line arrives; returns the exit status."""
    if find_spec("numpy") is None:
        fail('many shoes are priced with NumPy: pip install "baccarat[odds]", or "baccarat[sim]", which is faster')
    from baccarat.odds import bulk  # noqa: PLC0415

    book = open_book(rules)
    asked = bulk.bulk_wagers(book, None if only is None else [only])
    kinds = tuple(kind for kind in book.kinds if kind in asked)
    reader, status, shoes = ShoeReader(rules, source), DONE, 0
    writer = EdgeWriter(kinds, form, width=console.width if console.is_terminal else None)
    if only is None:
        _say_what_is_missing(book, kinds)
    path, coming = Path(source), reader.shoes()
    size = path.stat().st_size if source != "-" and path.is_file() else None
    with progress_bar(TextColumn("{task.description}"), BarColumn()) as bar:
        task = bar.add_task("pricing", total=size)
        while part := [*islice(coming, AT_ONCE)]:
            found = [each for each, _ in part if each is not None]
            edges = _price_shoes(rules, [each for each in found if isinstance(each, PricedShoe)], kinds)
            shoes += len(edges)
            for each in found:
                if isinstance(each, UnreadLine):
                    status = FAULT
                    complain(f"{source_name(source)}: line {each.line}: {each.why}")
                    writer.write_unread(each)
                else:
                    writer.write_edges(each, edges[each.line])
            writer.flush()
            bar.update(task, advance=sum(size for _, size in part), description=f"{shoes:,} shoes priced")
    if not shoes and status == DONE:
        fail(f"{source_name(source)}: no shoes; expected {EXPECTED}")
    return status


def _say_what_is_missing(book: Book, kinds: Sequence[WagerKind]) -> None:
    """Name the wagers that depend on ranks or suits, not on totals alone: only exact prices of one shoe have them."""
    missing = [wager_name(book, kind) for kind in book.kinds if kind not in kinds]
    if missing:
        errors.print(line(("!", "yellow"), f" not priced here: {', '.join(missing)}; --left prices them for one shoe"))


def _price_shoes(rules: Rulebook, shoes: Sequence[PricedShoe], kinds: tuple[WagerKind, ...]) -> dict[int, list[float]]:
    """The edges of some shoes, by line."""
    import numpy as np  # noqa: PLC0415  an extra

    from baccarat.odds import bulk  # noqa: PLC0415

    found: dict[int, list[float]] = {}
    for size in COLUMNS:
        alike = [shoe for shoe in shoes if len(shoe.left) == size]
        if alike:
            counts = np.array([shoe.left for shoe in alike])
            by_rank = counts.reshape(-1, 4, 13).sum(axis=1) if size == len(DECK) else counts
            edges = bulk.edges(rules, by_rank, wagers=kinds)
            rows = np.array([edges[kind] for kind in kinds]).T.tolist()
            found |= zip((shoe.line for shoe in alike), rows, strict=True)
    return found


class EdgeWriter:
    """Writes answers to standard output: JSON lines, CSV, or columns of text."""

    def __init__(self, kinds: Sequence[WagerKind], form: OutputFormat, *, width: int | None) -> None:
        self.words, self.form = [kind.word for kind in kinds], form
        self.columns = EdgeColumns([word.replace("_", " ") for word in self.words], width)
        self.gathered = io.StringIO()
        self.csv = csv.writer(self.gathered, lineterminator="\n")
        self.encode = msgspec.json.Encoder().encode
        if form is OutputFormat.CSV:
            self.csv.writerow(["line", "id", "cards", *self.words])
        elif form is OutputFormat.TEXT:
            self.gathered.write(self.columns.heading())

    def write_edges(self, shoe: PricedShoe, edges: Sequence[float]) -> None:
        """Write one shoe's edges."""
        cards = sum(shoe.left)
        if self.form is OutputFormat.JSON:
            answer: dict[str, Any] = {"line": shoe.line}
            if shoe.id is not None:
                answer["id"] = shoe.id
            answer |= {"cards": cards, "edges": dict(zip(self.words, edges, strict=True))}
            self.gathered.write(self.encode(answer).decode() + "\n")
        elif self.form is OutputFormat.CSV:
            self.csv.writerow([shoe.line, "" if shoe.id is None else shoe.id, cards, *edges])
        else:
            name = "" if shoe.id is None else f"  {visible(str(shoe.id))}"
            first = f"{shoe.line:>9} {cards:>5}"
            self.gathered.write(self.columns.rows(first, [*map(_percent, edges)], name))

    def write_unread(self, line: UnreadLine) -> None:
        """Write an answer for a line that is not a shoe, if a program reads the answers."""
        if self.form is OutputFormat.JSON:
            self.gathered.write(self.encode({"line": line.line, "unreadable": line.why}).decode() + "\n")

    def flush(self) -> None:
        """Write what is buffered."""
        sys.stdout.write(self.gathered.getvalue())
        sys.stdout.flush()
        self.gathered.seek(0)
        self.gathered.truncate()


def _percent(edge: float) -> str:
    shown = f"{100 * abs(edge):.5f}"
    return f"−{shown} %" if edge < 0 and float(shown) else f"{shown} %"


class EdgeColumns:
    """Right-aligned columns of edges; those that do not fit the terminal continue in a row below."""

    BEFORE = 15
    """Columns of the terminal that the line number and the cards take."""
    LEAST = 12
    """As wide as −100.00000 %."""

    def __init__(self, headings: Sequence[str], width: int | None) -> None:
        self.width = width
        self.headings = [wrap(heading, self.LEAST, break_long_words=False) for heading in headings]
        self.wide = [max(self.LEAST, *map(len, heading)) for heading in self.headings]
        self.starts, at = [0], self.BEFORE
        for column, wide in enumerate(self.wide):
            if width is not None and at + 1 + wide > width and column > self.starts[-1]:
                self.starts.append(column)
                at = self.BEFORE
            at += 1 + wide

    def rows(self, first: str, cells: Sequence[str], last: str) -> str:
        """The cells, between `first` and `last`, in as many rows as they need."""
        found = []
        for start, end in pairwise([*self.starts, len(cells)]):
            shown = (f" {cell:>{wide}}" for cell, wide in zip(cells[start:end], self.wide[start:end], strict=True))
            found.append(f"{'' if start else first:>{self.BEFORE}}{''.join(shown)}")
        if last and self.width is not None and len(found[-1]) + len(last) > self.width:
            found.append(" " * self.BEFORE)
        return "\n".join(found) + f"{last}\n"

    def heading(self) -> str:
        """The headings, some of which take two lines or more."""
        found = ""
        for start, end in pairwise([*self.starts, len(self.headings)]):
            here = self.headings[start:end]
            for above in reversed(range(max(map(len, here)))):  # lines above the last, on which every heading ends
                words = "".join(
                    f" {heading[-1 - above] if above < len(heading) else '':>{wide}}"
                    for heading, wide in zip(here, self.wide[start:end], strict=True)
                )
                first = f"{'line':>9} {'cards':>5}" if start == above == 0 else " " * self.BEFORE
                found += f"{first}{words}\n"
        last_row = len(found.splitlines()[-1])
        return found if self.width is not None and last_row + 4 > self.width else f"{found[:-1]}  id\n"
