"""Columns: which column of a log holds what, by its name, by a common alias, or as the person says."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import itemgetter

import msgspec

from baccarat.audit.rounds.fault import UnreadableLog
from baccarat.law.error import nearest

ROUND_FIELDS = ("shoe", "round", "player", "banker", "player_total", "banker_total", "winner")
"""What a row says of its round; `player` and `banker`, the cards, are required."""
NEEDED_COLUMNS = ("player", "banker")
WAGER_FIELDS = ("seat", "wager", "stake", "paid", "vigorish", "net", "returned", "wagers")
"""What a row may say of a wager; `wagers` holds a whole list."""
SUMS = ("stake", "paid", "vigorish", "net", "returned")
"""What a column of one kind of wager may hold: `banker_stake`, `banker_paid`, …"""

ALIASES: dict[str, tuple[str, ...]] = {
    "shoe": ("shoe_id", "shoe_no", "shoe_number", "shoe_num", "shoe_nr", "shoe_index"),
    "round": (
        "round_id", "round_no", "round_number", "round_num", "hand", "hand_id", "hand_no", "hand_number", "hand_num",
        "game", "game_id", "game_no", "game_number", "coup", "coup_no", "coup_number",
    ),
    "player": ("player_cards", "player_hand", "players_hand", "p_cards", "p_hand", "p", "punto", "punto_cards"),
    "banker": (
        "banker_cards", "banker_hand", "bankers_hand", "b_cards", "b_hand", "b", "bank", "bank_cards", "bank_hand",
        "banco", "banco_cards",
    ),
    "player_total": (
        "player_score", "player_points", "player_count", "player_value", "player_sum", "p_total", "p_score", "p_points",
        "punto_total",
    ),
    "banker_total": (
        "banker_score", "banker_points", "banker_count", "banker_value", "banker_sum", "bank_total", "bank_score",
        "b_total", "b_score", "b_points", "banco_total",
    ),
    "winner": ("result", "outcome", "winning_hand", "winning_side", "won_by", "round_result", "game_result"),
    "seat": ("seat_no", "seat_number", "seat_id", "participant", "position"),
    "wager": ("wager_on", "wager_type", "wager_kind", "bet", "bet_on", "bet_type", "bet_side", "bet_kind"),
    "stake": ("amount", "wager_amount", "bet_amount", "bet_size", "wagered", "staked"),
    "paid": ("payout", "payment", "win", "won", "pays", "win_amount"),
    "vigorish": ("vig", "commission"),
    "net": ("profit", "gain", "net_win", "net_result", "profit_loss"),
    "returned": ("return", "total_return", "paid_back"),
    "wagers": ("bets",),
}  # fmt: skip
"""Aliases of the fields; capital letters, blanks and punctuation make no difference."""

_SINGLE_CARDS = {
    side: tuple(
        tuple(f"{name}{number}" for number in (1, 2, 3))
        for name in (side, f"{side}_", f"{side}_card", f"{side}_card_", f"{side[0]}", f"{side[0]}_")
    )
    for side in NEEDED_COLUMNS
}
"""Names of columns for the first, second and third card of a hand."""


def plain_name(name: str) -> str:
    """A column's name without capitals, blanks and punctuation, for comparison."""
    return re.sub(r"[^0-9a-z]+", "_", name.strip().lower()).strip("_")


class LogColumns(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """Where each field of a row is. Several columns for one hand are joined before the fields are picked."""

    names: tuple[str, ...]
    where: dict[str, tuple[int, ...]]
    """For each field present, the numbers of its columns."""
    of_kinds: tuple[tuple[str, str, int], ...]
    """Columns of one kind of wager: the kind, what it says, the number of the column."""

    @property
    def unused_columns(self) -> tuple[str, ...]:
        """Columns that were not used."""
        used = {index for indices in self.where.values() for index in indices} | {index for *_, index in self.of_kinds}
        return tuple(name for index, name in enumerate(self.names) if index not in used and name)

    @property
    def has_wagers(self) -> bool:
        """Whether the log says anything about wagers."""
        return bool(self.of_kinds) or "wagers" in self.where or {"wager", "stake"} <= self.where.keys()

    def has(self, field: str) -> bool:
        """Whether the log has a column for a field."""
        return field in self.where

    def title(self, field: str) -> str:
        """What the log calls a field."""
        return "+".join(self.names[index] for index in self.where[field]) if field in self.where else field

    def row_picker(self) -> Callable[[list[str]], tuple[str, ...]]:
        """A function that picks the round's fields from a row: cells of one hand joined, blanks for what is missing."""
        if all(len(self.where.get(field, ())) == 1 for field in ROUND_FIELDS):
            return itemgetter(*(self.where[field][0] for field in ROUND_FIELDS))
        joined = [self.where[field] for field in ROUND_FIELDS if len(self.where.get(field, ())) > 1]
        at, indices = len(self.names), []
        for field in ROUND_FIELDS:
            found = self.where.get(field, ())
            indices.append(at if len(found) > 1 else found[0] if found else -1)
            at += len(found) > 1
        get = itemgetter(*indices)

        def pick(row: list[str]) -> tuple[str, ...]:
            cells = [" ".join([row[index] for index in several if is_card(row[index])]) for several in joined]
            found: tuple[str, ...] = get([*row, *cells, ""])
            return found

        return pick


_NO_CARD = frozenset({"", "-", "nan", "none", "null", "na", "n/a"})


def is_card(cell: str) -> bool:
    """Whether a cell for one card holds one, and not a placeholder."""
    return cell.strip().lower() not in _NO_CARD


def find_columns(header: Sequence[str], *, mapped: Mapping[str, str], kinds: Iterable[str]) -> LogColumns:
    """The columns of a log; `mapped` has the columns named by a person, `kinds` the wagers of the edition."""
    names = tuple(name.strip() for name in header)
    plain = [plain_name(name) for name in names]
    where: dict[str, tuple[int, ...]] = {}
    for field, name in mapped.items():
        where[field] = tuple(_column_by_name(part, names, field) for part in name.split("+"))
    taken = {index for indices in where.values() for index in indices}
    for field in (*ROUND_FIELDS, *WAGER_FIELDS):
        found = None if field in where else _column_of_field(field, plain, names, taken)
        if found is not None:
            where[field] = (found,)
            taken.add(found)
    for side in NEEDED_COLUMNS:
        if side not in where:
            cards = next(
                (group for group in _SINGLE_CARDS[side] if plain.count(group[0]) and plain.count(group[1])), ()
            )
            if cards:
                where[side] = tuple(plain.index(name) for name in cards if name in plain)
    _refuse_without_cards(where, names)
    of_kinds = [
        (kind, what, index)
        for index, name in enumerate(plain)
        if index not in taken
        for kind in kinds
        for what in SUMS
        if name == f"{kind}_{what}"
    ]
    return LogColumns(names=names, where=where, of_kinds=tuple(of_kinds))


def _column_by_name(name: str, names: Sequence[str], field: str) -> int:
    """The column that a person named for a field."""
    wanted = name.strip()
    exact = [index for index, each in enumerate(names) if each == wanted]
    found = exact or [index for index, each in enumerate(names) if plain_name(each) == plain_name(wanted) != ""]
    if len(found) == 1:
        return found[0]
    if found:
        raise UnreadableLog(f"--column {field}={wanted}: {len(found)} columns have this name")
    hint = nearest(wanted, names)
    meant = f"; did you mean {hint!r}?" if hint else ""
    raise UnreadableLog(f"--column {field}={wanted}: no such column{meant}; there are {list_columns(names)}")


def _column_of_field(field: str, plain: Sequence[str], names: Sequence[str], taken: set[int]) -> int | None:
    """The column of a field by its own name, or by one of its other names."""
    for candidates in ((field,), ALIASES.get(field, ())):
        found = [index for index, name in enumerate(plain) if name in candidates and index not in taken]
        if len(found) > 1:
            both = " and ".join(repr(names[index]) for index in found[:2])
            raise UnreadableLog(f"the columns {both} could both be the {field}: choose one, as in "
                                f"--column {field}={names[found[0]]!r}")  # fmt: skip
        if found:
            return found[0]
    return None


def _refuse_without_cards(where: Mapping[str, tuple[int, ...]], names: Sequence[str]) -> None:
    missing = [field for field in NEEDED_COLUMNS if field not in where]
    if missing:
        what = " and ".join(f"{field!r}" for field in missing)
        raise UnreadableLog(
            f"no column {what}, which holds the cards of a hand; the columns are {list_columns(names)}; "
            f"name it, as in --column {missing[0]}=NAME, or NAME1+NAME2+NAME3 for one card each"
        )


def list_columns(names: Sequence[str], most: int = 12) -> str:
    """Names of columns in quotes, the first of them if there are many."""
    shown = ", ".join(repr(name[:40]) for name in names[:most])
    return f"{shown} and {len(names) - most} more" if len(names) > most else shown
