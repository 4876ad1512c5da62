"""Wagers as people record them: a row each, a column each, or a list in the row; sums in dollars or in cents."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache
from operator import itemgetter
from typing import Any

import msgspec

from baccarat.audit.rounds.column import ALIASES, SUMS, LogColumns, plain_name
from baccarat.audit.rounds.fault import UnreadableCell
from baccarat.law.repeated_key import repeated_key
from baccarat.law.wager_name import BY_NAME
from baccarat.play.book import Book
from baccarat.play.wager import WagerKind
from baccarat.values import brief_repr

CLAIMS = SUMS[1:]
"""What a log may state about the result of a wager."""

LONGEST_SUM = 60
"""The most characters of a sum."""
MOST_NAMES = 1000
"""How many spellings of wager names are cached."""

_AMOUNT = re.compile(
    r"(?P<sign>[-−+]?)(?P<dollar>\$?)(?P<whole>[0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,15})(?:\.(?P<part>[0-9]{0,20}))?"
)
_EMPTY_CELLS = frozenset({"", "none", "null", "-"})
_DECIMAL_COMMA = re.compile(r"\D?[0-9.\s]*[0-9],[0-9]{1,2}\D?")


class LoggedWager(msgspec.Struct, frozen=True, kw_only=True):
    """One wager as the log has it; claims are what it says was paid, taken or gained, by column."""

    seat: str
    on: WagerKind
    stake: int
    claims: tuple[tuple[str, str, int | Fraction, str], ...]
    """What is claimed, in which column, the sum in cents, the cell itself."""


def amount_of(text: str, column: str, *, in_cents: bool) -> int | Fraction:
    """A sum in cents; not a whole number if the log has fractions of a cent. A blank cell is zero."""
    amount = _amount(text, in_cents) if len(text) <= LONGEST_SUM else None
    if amount is None:
        expected = "whole cents such as 2500" if in_cents else "a sum in dollars such as 25, 12.50 or $1,250.00"
        if len(text) <= LONGEST_SUM and _DECIMAL_COMMA.fullmatch(text.strip()):
            expected += ", with a point before the cents, a comma only between thousands"
        raise UnreadableCell(column, expected=expected, found=brief_repr(text))
    return amount


@lru_cache(maxsize=1 << 14)
def _amount(text: str, in_cents: bool) -> int | Fraction | None:  # noqa: FBT001  a cache key is positional
    """The same; None if the text is not a sum."""
    given = text.strip()
    if given.lower() in _EMPTY_CELLS:
        return 0
    match = _AMOUNT.fullmatch(given)
    if match is None:
        return None
    part = match["part"] or ""
    number = Fraction(int(match["whole"].replace(",", "") + part), 10 ** len(part))
    cents = number if in_cents and not match["dollar"] else number * 100
    signed = -cents if match["sign"] in ("-", "−") else cents
    return int(signed) if signed.denominator == 1 else signed


class WagerReader:
    """Reads the wagers of rows. Raw cells are compared first: most of them have occurred before."""

    def __init__(self, book: Book, columns: LogColumns, *, in_cents: bool) -> None:
        self._book = book
        self._columns = columns
        self._in_cents = in_cents
        self._fields = [field for field in ("seat", "wager", *SUMS, "wagers") if columns.has(field)]
        self._titles = {field: columns.title(field) for field in self._fields}
        self._known: dict[str, WagerKind] = {}
        indices = [columns.where[field][0] for field in self._fields] + [index for _, _, index in columns.of_kinds]
        self.cells: Callable[[list[str]], tuple[str, ...]] = (
            itemgetter(*indices) if len(indices) > 1 else lambda row: (row[indices[0]],)
        )
        """The cells of a row about wagers."""
        self.one_a_row = columns.has("wager") and columns.has("stake") and not columns.of_kinds
        """Whether a round with several wagers has several rows."""

    def spot(self, cells: tuple[str, ...]) -> tuple[str, ...]:
        """Whose wager, on what: the cells that distinguish the rows of one round."""
        return tuple(cell for field, cell in zip(self._fields, cells, strict=False) if field in ("seat", "wager"))

    def read(self, cells: tuple[str, ...]) -> list[LoggedWager]:
        """The wagers that these cells name; `UnreadableCell` if they do not."""
        named = dict(zip(self._fields, cells, strict=False))
        found = self._read_list(named["wagers"]) if named.get("wagers", "").strip() else []
        if named.get("wager", "").strip() and "stake" in named:
            found += self._wager(named, named["wager"], named.get("seat", ""), self._titles)
        if not self._columns.of_kinds:
            return found
        by_kind: dict[str, dict[str, str]] = {}
        titles = {}
        for (kind, what, index), cell in zip(self._columns.of_kinds, cells[len(self._fields) :], strict=True):
            by_kind.setdefault(kind, {})[what] = cell
            titles[f"{kind} {what}"] = self._columns.names[index]
        for kind, sums in by_kind.items():
            of_kind = {what: titles[f"{kind} {what}"] for what in sums}
            found += self._wager(sums, kind, named.get("seat", ""), of_kind)
        return found

    def _wager(self, sums: Mapping[str, str], on: str, seat: str, titles: Mapping[str, str]) -> list[LoggedWager]:
        column = titles.get("stake", f"{on}_stake")
        stake = amount_of(sums.get("stake", ""), column, in_cents=self._in_cents)
        if stake == 0 and "wager" not in titles:
            return []
        kind = self._kind(on, titles.get("wager", "wager"))
        if not isinstance(stake, int) or stake <= 0:
            found = brief_repr(sums.get("stake", ""))
            raise UnreadableCell(column, expected="a stake of whole cents, more than zero", found=found)
        claims = tuple(
            (what, titles[what], amount_of(sums[what], titles[what], in_cents=self._in_cents), sums[what])
            for what in CLAIMS
            if what in sums
        )
        return [LoggedWager(seat=seat.strip(), on=kind, stake=stake, claims=claims)]

    def _kind(self, name: str, column: str) -> WagerKind:
        if name in self._known:
            return self._known[name]
        words = plain_name(name)
        words = {"p": "player", "b": "banker", "t": "tie", "punto": "player", "banco": "banker"}.get(words, words)
        known = self._book.rules.edition.wagers
        found = next((each for each in (words, words.replace("_", "")) if each in BY_NAME), None)
        if found is None:
            raise UnreadableCell(column, expected=f"a wager, one of {', '.join(known)}", found=brief_repr(name))
        if len(self._known) < MOST_NAMES and len(name) <= LONGEST_SUM:
            self._known[name] = BY_NAME[found]
        return BY_NAME[found]

    def _read_list(self, text: str) -> list[LoggedWager]:
        """The wagers of a cell that holds a list of objects as JSON."""
        column = self._columns.title("wagers")
        expected = 'a list such as [{"seat": 3, "wager": "banker", "stake": 25, "paid": 25, "vigorish": 1.25}]'
        try:
            listed = msgspec.json.decode(text)
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            listed = None
        if not isinstance(listed, list) or not all(isinstance(each, dict) for each in listed):
            raise UnreadableCell(column, expected=expected, found=brief_repr(text))
        twice = repeated_key(text.encode(), listed)
        if twice is not None:
            raise UnreadableCell(column, expected="each key once in an object", found=f"{brief_repr(twice)} twice")
        found: list[LoggedWager] = []
        for number, each in enumerate(listed, 1):
            named = {_field(key): _cell(value) for key, value in each.items()}
            if "wager" not in named or "stake" not in named:
                raise UnreadableCell(column, expected=expected, found=brief_repr(each))
            titles = {field: f"{column}[{number}].{field}" for field in named}
            found += self._wager(named, named["wager"], named.get("seat", ""), titles)
        return found


def _field(key: str) -> str:
    """The field that a key of a listed wager stands for."""
    name = plain_name(key)
    others = {other: field for field, names in ALIASES.items() for other in names} | {"type": "wager", "on": "wager"}
    return others.get(name, name)


def _cell(value: Any) -> str:
    return "" if value is None else str(value)
