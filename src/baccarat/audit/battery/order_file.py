"""Orders from any file: one shoe per line, as JSON or as values separated by commas, of cards or of numbers.

A line is a JSON array, an object with such an array as `order` or `cards`, a JSON text of cards, or plain cards or
numbers separated by commas, semicolons or blanks. Cards are written `9s`, `Td` or `10d`. Numbers are those of the
unshuffled shoe, all from 0 or all from 1, deck after deck in the order of a new deck.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import BinaryIO

import msgspec

from baccarat.audit.battery.shoe import BadOrder, ShoeOrder, order_from_kinds, order_from_numbers
from baccarat.cards import DECK, Card
from baccarat.law.repeated_key import repeated_key
from baccarat.record.misread import why_not_json
from baccarat.record.text import BOM, visible

LONGEST_LINE = 100_000
"""No shoe needs more bytes than this."""
_KIND = {card: kind for kind, card in enumerate(DECK)}
_BETWEEN = re.compile(r"[,;\s]+")
_NUMBER = re.compile(r"[0-9]{1,6}")

Cells = Sequence[str | int]


class UnreadableOrder(ValueError):  # noqa: N818  an answer to the person
    """A line that is not an order."""


def read_orders(stream: BinaryIO, *, size: int) -> Iterator[ShoeOrder]:
    """The shoes of a file, each of `size` cards; a fault names its line."""
    reader, number = _Reader(size), 0
    while line := stream.readline(LONGEST_LINE + 1):
        number += 1
        if len(line) > LONGEST_LINE:
            raise UnreadableOrder(f"line {number}: is longer than {LONGEST_LINE} bytes; expected one shoe per line")
        text = line.removeprefix(BOM) if number == 1 else line
        if not text.strip():
            continue
        try:
            yield reader.shoe(text)
        except UnreadableOrder as error:
            raise UnreadableOrder(f"line {number}: {error}") from None
        except BadOrder as error:
            raise BadOrder(f"line {number}: {error}") from None


class _Reader:
    """Reads one shoe after another, all in the notation of the first."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.first_number: int | None = None
        self.last: ShoeOrder | None = None

    def shoe(self, line: bytes) -> ShoeOrder:
        cells = _cells(line)
        if len(cells) != self.size:
            raise BadOrder(f"{len(cells)} card{'s'[: len(cells) != 1]}, where the shoe has {self.size}")
        numbers = _numbers(cells)
        if numbers is None:
            self.last = order_from_kinds(bytes([_kind(cell) for cell in cells]), last=self.last)
            return self.last
        if self.first_number is None:
            self.first_number = 1 if min(numbers) == 1 and max(numbers) == self.size else 0
        self.last = order_from_numbers([number - self.first_number for number in numbers], last=self.last)
        return self.last


def _cells(line: bytes) -> Cells:
    try:
        text = line.decode().strip()
    except UnicodeDecodeError:
        raise UnreadableOrder("is not UTF-8 text") from None
    if text[0] not in '[{"':
        return _BETWEEN.split(text.strip(",;"))
    try:
        found = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError) as error:
        raise UnreadableOrder(why_not_json(error)) from None
    if isinstance(found, dict):
        twice = repeated_key(line, found)
        if twice is not None:
            raise UnreadableOrder(f"the key {twice!r} occurs twice; expected each key once")
        found = found.get("order", found.get("cards"))
    if isinstance(found, str):
        return _BETWEEN.split(found.strip())
    if not isinstance(found, list) or not all(type(cell) in (str, int) for cell in found):
        raise UnreadableOrder('expected an array of cards or of numbers, or an object with one as "order" or "cards"')
    return found


def _numbers(cells: Cells) -> list[int] | None:
    """The numbers, if all cells are numbers; None if the first is a card."""
    if not (isinstance(cells[0], int) or _NUMBER.fullmatch(cells[0])):
        return None
    found = []
    for cell in cells:
        if isinstance(cell, str) and not _NUMBER.fullmatch(cell):
            raise UnreadableOrder(f"{visible(cell[:20])!r} is not a number like the others")
        found.append(int(cell))
    return found


def _kind(cell: str | int) -> int:
    try:
        return _KIND[Card.parse(cell if isinstance(cell, str) else str(cell))]
    except ValueError:
        raise UnreadableOrder(
            f"{visible(str(cell)[:20])!r} is not a card; expected cards such as 9s, or numbers throughout"
        ) from None
