"""Mutations of an edition's table: each rule, row and election removed, inverted or moved, one at a time."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from baccarat.law.clause import Clause

Step = str | int
Path = tuple[Step, ...]
Variant = tuple[str, tuple[Any, ...]]
"""What is done, and what is then there: nothing, one value, or several rows in place of one."""

NOT_LAW = (
    "name", "title", "jurisdiction", "revision", "record", "clause", "pending", "physical", "steps_left_out",
)  # fmt: skip
OUR_WORDS = ("description", "title", "reading", "part")
OUR_NAMES = (("call", "name"),)
"""Names that we gave to rows, by which they are looked up; they are in no document."""
CITED_AS = {"rate_bp": "rate", "coins": "rounding", "courts": "chairs", "riffles_before_strip": "strip"}
"""Fields whose own citation has another name than the field."""
ONLY_CITED = (
    "third_unseen_cite", "banker_unseen_cite", "banker_seen_cite", "in_shoe_cite", "due_cite", "kept_cite",
    "content_cite", "signed_cite", "order_cite", "access_cite", "account_cite", "drop_cite", "void_cite",
    "forward_cite", "book_cite", "code_cite", "plug_cite", "riffle_cite", "turn_cite", "strip_cite", "cut_cite",
    "start_cite", "dealer_cite", "deals_cite", "nobody_cite", "choice_cite", "loss_cite", "pass_cite", "moved_cite",
    "only_cite",
)  # fmt: skip
"""Citations of what code does: the data adds the clause that a refusal or a remedy cites."""
REMOVABLE = (
    "when", "applies", "if", "base", "offered", "option", "default", "optional", "warn_below", "vigorish", "pays",
    "row", "need", "need_any", "at_least", "at_most", "other_side", "states",
)  # fmt: skip
"""Fields without which a table still makes sense."""
OTHER = {
    "draw": "stay", "stay": "draw", "player": "banker", "banker": "player", "tie": "player",
    "clockwise": "counterclockwise", "counterclockwise": "clockwise", "ascending": "descending",
    "descending": "ascending", "dealer_left": "dealer_right", "dealer_right": "dealer_left", "highest": "lowest",
    "lowest": "highest", "face_up": "face_down", "face_down": "face_up", "at_payout": "deferred",
    "deferred": "at_payout", "two_of_own": "otherwise", "six_half": "none",
}  # fmt: skip
"""The opposite of a word."""
INVERSE = {"win": "lose", "lose": "push", "push": "lose"}
_ODDS = re.compile(r"(\d+) to (\d+)")


class Mutation(msgspec.Struct, frozen=True):
    """One change to one edition's table: where, what is done, whose clauses must notice."""

    edition: str
    place: str
    what: str
    clauses: tuple[str, ...]
    path: Path
    put: tuple[Any, ...]

    def __str__(self) -> str:
        return f"{self.edition} {self.place}: {self.what}"


def mutated(table: Mapping[str, Any], mutation: Mutation) -> dict[str, Any]:
    """The table with one mutation made to it; what lies beside its path is shared with the original."""
    changed = dict(table)
    node: Any = changed
    for step in mutation.path[:-1]:
        node[step] = copy.copy(node[step])
        node = node[step]
    last = mutation.path[-1]
    if isinstance(node, list):
        assert isinstance(last, int), "rows are counted"
        node[last : last + 1] = copy.deepcopy(mutation.put)
    elif mutation.put:
        node[last] = copy.deepcopy(mutation.put[0])
    else:
        del node[last]
    return changed


def mutations(table: Mapping[str, Any], clauses: Mapping[str, Clause]) -> Iterator[Mutation]:
    """Every mutation of an edition's table, in the table's order; citations must be in lists."""
    walk = _Walk(str(table["name"]), clauses)
    for word, value in table.items():
        if word not in NOT_LAW:
            yield from walk.node(value, (word,))


def _is_cite(key: str) -> bool:
    return key == "cite" or key.endswith("_cite")


def _is_bound(value: Any) -> bool:
    """Whether a value is a table that cites clauses, or holds such tables."""
    if isinstance(value, Mapping):
        return any(_is_cite(key) or _is_bound(each) for key, each in value.items())
    return isinstance(value, list) and any(map(_is_bound, value))


def _place(path: Path) -> str:
    text = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return text.removeprefix(".")


class _Walk:
    """A walk through one edition's table."""

    def __init__(self, edition: str, clauses: Mapping[str, Clause]) -> None:
        self.edition = edition
        self.clauses = clauses

    def make(self, path: Path, keys: Sequence[str], what: str, put: tuple[Any, ...]) -> Mutation:
        """A mutation whose clauses are named by their ids in the catalogue."""
        ids = tuple(dict.fromkeys(self.clauses[key].id for key in keys))
        return Mutation(self.edition, _place(path), what, ids, path, put)

    def node(self, node: Any, path: Path) -> Iterator[Mutation]:
        """The mutations of a table and of all below it."""
        if isinstance(node, list):
            for index, each in enumerate(node):
                yield from self.node(each, (*path, index))
            yield from self.moves(node, path)
        elif isinstance(node, Mapping):
            if any(map(_is_cite, node)):
                yield from self.bound(node, path)
            for key, value in node.items():
                if _is_bound(value):
                    yield from self.node(value, (*path, key))

    def bound(self, node: Mapping[str, Any], path: Path) -> Iterator[Mutation]:
        """The mutations of one table that cites clauses: removed, inverted, each field changed."""
        own = node.get("cite", [])
        yield self.make(path, own, "removed", ())
        for what, rows in _inversions(node, path):
            yield self.make(path, own, what, rows)
        for key, value in node.items():
            if _is_cite(key) or key in OUR_WORDS or key == "result" or _is_bound(value) or (path[0], key) in OUR_NAMES:
                continue
            cites = node.get(f"{CITED_AS.get(key, key)}_cite", own)
            for what, put in _variants(key, value, node):
                yield self.make((*path, key), cites, what, put)
        for key, value in node.items():
            other = next((each for each in own if each not in value), None) if key in ONLY_CITED else None
            if other is not None:
                yield self.make((*path, key), value, "cites another clause", ([other],))

    def moves(self, rows: list[Any], path: Path) -> Iterator[Mutation]:
        """Rows whose order is law, each moved: a call to the front, a prize below the others."""
        if path == ("call",):
            for index in range(len(rows)):
                rest = rows[:index] + rows[index + 1 :]
                moved = [*rest, rows[index]] if index == 0 else [rows[index], *rest]
                yield self.move(path, index, rows, moved)
        elif path == ("royal9", "ladder"):
            for index in range(len(rows) - 2):  # the last but one is below all others, the last is the loss
                *rest, loss = rows[:index] + rows[index + 1 :]
                yield self.move(path, index, rows, [*rest, rows[index], loss])

    def move(self, path: Path, index: int, rows: list[Any], moved: list[Any]) -> Mutation:
        """One row moved."""
        made = self.make(path, rows[index]["cite"], f"row {index} moved", (moved,))
        return msgspec.structs.replace(made, place=_place((*path, index)))


def _inversions(node: Mapping[str, Any], path: Path) -> Iterator[Variant]:
    """A row of the tableau or of a wager with its answer inverted: whole, and case by case."""
    if path[0] == "tableau":
        yield from _split(node, _opposite_act, "holds", "third")
    elif path[0] == "wager" and "result" in node:
        yield "inverted", (_opposite_result(node),)
        facts = [key for key, value in node.items() if key not in ("cite", "when") and isinstance(value, list)]
        for fact in facts:
            yield from _split(node, _opposite_result, fact)


def _opposite_act(row: Mapping[str, Any]) -> dict[str, Any]:
    return {**row, "act": OTHER[row["act"]]}


def _opposite_result(row: Mapping[str, Any]) -> dict[str, Any]:
    left = {key: value for key, value in row.items() if key not in ("pays", "vigorish")}
    return {**left, "result": INVERSE[row["result"]]}


def _split(
    row: Mapping[str, Any], invert: Callable[[Mapping[str, Any]], dict[str, Any]], *facts: str
) -> Iterator[Variant]:
    """The row with one case inverted, and the other cases left as they are."""
    lists = {fact: row[fact] for fact in facts if isinstance(row.get(fact), list)}
    if facts[0] == "holds":
        lists.setdefault("holds", list(range(10)))
    cases: list[dict[str, Any]] = [{}]
    for fact, values in lists.items():
        cases = [{**case, fact: value} for case in cases for value in values]
    for case in cases if len(cases) > 1 else []:
        rest, narrowed = [], dict(row)
        for fact, value in case.items():
            others = [each for each in lists[fact] if each != value]
            if others:
                rest.append({**narrowed, fact: others})
            narrowed[fact] = [value]
        said = " and ".join(f"{fact} {value}" for fact, value in case.items())
        yield f"inverted at {said}", (*rest, invert(narrowed))


def _variants(key: str, value: Any, node: Mapping[str, Any]) -> Iterator[Variant]:
    """What else a field might say."""
    if key in REMOVABLE:
        yield f"{key} removed", ()
    if key in ("third", "holds") or (key == "act" and "hand" in node):
        yield from _row_fields(key, value)
    elif key == "hand" and "title" in node and not _speaks_of_its_hand(node):
        return  # no rule of this wager depends on whose hand it is
    elif isinstance(value, bool):
        yield f"{key} {not value}", (not value,)
    elif key == "default" and isinstance(value, str):
        other = next(each for each in node["elect"] if each != value)
        yield f"default {other}", (other,)
    elif isinstance(value, int):
        yield from _numbers(key, value)
    elif isinstance(value, str):
        yield from _words(key, value)
    elif isinstance(value, list):
        yield from _lists(key, value, may_grow="result" not in node)
    elif isinstance(value, Mapping):
        yield from _tables(key, value)


def _speaks_of_its_hand(node: Mapping[str, Any]) -> bool:
    words = ("lead", "hand_", "other_")
    return any(fact.startswith(words) for rule in node.get("rules", ()) for fact in rule)


def _row_fields(key: str, value: Any) -> Iterator[Variant]:
    """The fields of a tableau's row; its cases are inverted one by one elsewhere."""
    if key == "act":
        yield f"{OTHER[value]} for {value}", (OTHER[value],)


def _numbers(key: str, value: int) -> Iterator[Variant]:
    yield f"{key} {value + 1}", (value + 1,)
    if key in ("at_least", "at_most"):
        yield f"{key} {value - 1}", (value - 1,)


def _words(key: str, value: str) -> Iterator[Variant]:
    odds = _ODDS.fullmatch(value)
    if odds:
        yield f"{key} one better", (f"{int(odds[1]) + int(odds[2])} to {odds[2]}",)
    elif key == "pays":
        other = {"tie": "player", "dragon.natural": "dragon.win_by_9"}.get(value)
        other = other or ("dragon.natural" if value.startswith("dragon.") else "tie")
        yield f"pays {other}", (other,)
    elif key == "ranks":
        yield f"ranks without {value[0]}", (value[1:],)
    elif key == "suits":
        yield "suits swapped", (value[::-1],)
    elif key == "courts":
        yield "another court", ("Q" if value == "K" else value[:-1],)
    elif key == "event":
        other = "royal_on_either" if value != "royal_on_either" else "otherwise"
        yield f"event {other}", (other,)
    elif key == "exposed":
        yield "not exposed", ({"option": "decks"},)
    elif key == "value":
        yield "value 5", (5,)
    elif value in OTHER:
        yield f"{key} {OTHER[value]}", (OTHER[value],)
    elif key not in REMOVABLE:
        yield f"{key} changed", (f"not {value}",)


def _lists(key: str, value: list[Any], *, may_grow: bool) -> Iterator[Variant]:
    if key == "hands":
        yield "hands swapped", (value[::-1],)
        yield "hands in pairs", (sorted(value, reverse=True),)
    elif key == "sweeps":
        yield "sweeps reversed", ([acts[::-1] for acts in value[::-1]],)
        yield "sweeps otherwise", (
            [[act] for acts in value for act in acts] if len(value) == 1 else [[act for acts in value for act in acts]],
        )  # fmt: skip
    elif key == "default":
        yield "default halved", ([value[0], value[1] + 1],)
    else:
        for each in value if key in ("elect", "differ", "need_any") or len(value) > 1 else ():
            yield f"{key} without {each}", ([other for other in value if other != each],)
        for more in _one_more(key, value) if may_grow else ():  # two rules for one case are an error on loading
            yield f"{key} with {more}", ([*value, more],)


def _one_more(key: str, value: list[Any]) -> Iterator[Any]:
    """Values that might have been in the list too, if that would mean something."""
    if key in ("wagers", "press") and "tie" not in value:
        yield "tie"
    elif key == "elect" and not isinstance(value[0], bool):
        yield "something else" if isinstance(value[0], str) else max(value) + 1
    elif key in ("confirmed_by", "shows"):
        yield "another"
    elif key.endswith(("count", "cards")):
        lowest, highest = (2, 3) if key.endswith("cards") else (0, 9)
        yield from (each for each in (min(value) - 1, max(value) + 1) if lowest <= each <= highest)
    elif key in ("decks", "seats"):
        yield max(value) + 1


def _tables(key: str, value: Mapping[str, Any]) -> Iterator[Variant]:
    """The mutations inside a table that has no citation of its own."""
    if key in ("exposed", "style") and "option" in value:
        for fixed in ("all",) if key == "exposed" else ("face_up", "face_down"):
            yield f"{key} {fixed}", (fixed,)
        return
    for inner, each in value.items():
        if inner == "cite":
            continue
        for what, put in _variants(inner, each, value):
            changed = {name: put[0] if name == inner else old for name, old in value.items() if name != inner or put}
            yield f"{key}: {what}", (changed,)
        if len(value) > 1 and inner not in REMOVABLE and "cite" not in value:
            yield f"{key} without {inner}", ({name: old for name, old in value.items() if name != inner},)
