"""Random edits of editions and Submissions: what a person might do to such a file, on purpose or by mistake.

The edit of a number is always the same, so that anything it reveals can be reproduced.
"""

from __future__ import annotations

import copy
import datetime
import pickle
import random
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import msgspec

from baccarat.law.edition import load_edition, read_table, shipped_editions
from baccarat.law.rulebook import read_submission, shipped_submissions

NAME = "edited"
"""What an edited edition is called; the names of the shipped ones are taken."""
Path = tuple[str | int, ...]


class Edited(msgspec.Struct, frozen=True, kw_only=True):
    """An edition and a Submission under it as TOML, one of them edited; `what` says how."""

    number: int
    submission_name: str
    edited: str
    what: str
    edition: bytes
    submission: bytes


FAVOURED = {"step": 6, "option": 4, "wager": 4, "call": 3, "tableau": 3, "pays": 2, "error_card": 2, "royal9": 2}
"""Sections that are edited more often than the others, because more depends on them."""
NOT_LAW = ("clause", "name", "ruleset")
GARBAGE: tuple[Any, ...] = (
    float("nan"), float("inf"), 1.5, -0.0, datetime.date(2026, 2, 28), datetime.time(12, 30),
    datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC), {}, [], [[]], [{}], {"a": {"b": [1, {"c": []}]}}, "", " ",
    "\x1b[31m", "none", True, False, 0, -1, 1, 7, 10**6, 10**18, 10**30, -(10**30), "x" * 3000, [1, "two", 3.0],
)  # fmt: skip


def edited(number: int, *, seed: str = "baccarat") -> Edited:
    """The edit of this number."""
    chance = random.Random(f"{seed} {number}")
    name = chance.choice(shipped_submissions())
    ruleset = _filed(name)["ruleset"]
    submission = {**_filed(name), "ruleset": NAME}
    whose = chance.choices(("edition", "submission", "edition text", "submission text"), (62, 22, 10, 6))[0]
    tables = {"edition": own_edition(ruleset), "submission": submission}
    texts = {"edition": own_text(ruleset), "submission": toml(submission)}
    which = whose.removesuffix(" text")
    before = texts[which]
    while texts[which] == before:  # an edit changes something
        if whose.endswith("text"):
            said, texts[which] = _text_edit(chance, before)
        else:
            table = pickle.loads(pickle.dumps(tables[which]))
            said = "; ".join(_edit(chance, table, which) for _ in range(chance.choices((1, 2, 3), (80, 15, 5))[0]))
            texts[which] = toml(table, like=ruleset if which == "edition" else None)
    return Edited(
        number=number, submission_name=name, edited=which, what=said,
        edition=texts["edition"], submission=texts["submission"],
    )  # fmt: skip


@cache
def own_edition(name: str) -> dict[str, Any]:
    """A shipped edition under another name, with its clauses, as a person would write a new one."""
    table = read_table(name)
    table["name"] = NAME
    table["clause"] = {key: clause.requirement for key, clause in load_edition(name).clauses.items()}
    return table


@cache
def _filed(name: str) -> dict[str, Any]:
    return read_submission(name)


@cache
def own_text(name: str) -> bytes:
    """The same as TOML."""
    return toml(own_edition(name))


# ------------------------------------------------------------------------------------- edits of a table


def _edit(chance: random.Random, table: dict[str, Any], which: str) -> str:
    """Change a table in one place; what was done, in words."""
    if chance.random() < 0.03:
        word = chance.choice(
            ["surplus", "stepp", "optoin", *(key for name in shipped_editions() for key in read_table(name))]
        )
        table[word] = chance.choice(GARBAGE)
        return f"{word} = {_short(table[word])}"
    path = _somewhere(chance, table)
    parent: Any = table
    for step in path[:-1]:
        parent = parent[step]
    last, place = path[-1], written(path)
    if isinstance(parent, list) and isinstance(last, int) and chance.random() < 0.6:
        return _row_edit(chance, parent, last, place)
    roll = chance.random()
    if roll < 0.12:
        del parent[last]
        return f"{place} removed"
    if roll < 0.17 and isinstance(parent, dict):
        name = chance.choice([_misspelt(chance, str(last)), *map(str, parent)])
        moved = parent.pop(last)
        parent[name] = moved
        return f"{place} renamed {name}"
    if roll < 0.27:
        parent[last] = copy.deepcopy(chance.choice(GARBAGE))
    else:
        parent[last] = _other_value(chance, path, parent[last], which)
    return f"{place} = {_short(parent[last])}"


def _somewhere(chance: random.Random, table: dict[str, Any]) -> Path:
    """A path into the table: favoured sections more often, and any depth."""
    words = [word for word in table if word not in NOT_LAW]
    word = chance.choices(words, [FAVOURED.get(word, 1) for word in words])[0]
    path: Path = (word,)
    node = table[word]
    while isinstance(node, dict | list) and node and chance.random() < 0.85:
        step = chance.choice(list(node)) if isinstance(node, dict) else chance.randrange(len(node))
        path, node = (*path, step), node[step]
    return path


def _row_edit(chance: random.Random, rows: list[Any], index: int, place: str) -> str:
    """Rows removed, doubled, put first, moved, exchanged."""
    match chance.randrange(6):
        case 0:
            del rows[index]
            return f"{place} removed"
        case 1:
            rows.insert(index, copy.deepcopy(rows[index]))
            return f"{place} doubled"
        case 2:
            rows.insert(0, rows.pop(index))
            return f"{place} put first"
        case 3:
            other = chance.randrange(len(rows))
            rows[index], rows[other] = rows[other], rows[index]
            return f"{place} exchanged with {other}"
        case 4:
            other = min(len(rows) - 1, index + 1)
            rows[index], rows[other] = rows[other], rows[index]
            return f"{place} exchanged with the next"
        case _:
            other = chance.randrange(len(rows) + 1)
            rows.insert(other, copy.deepcopy(rows[index]))
            return f"{place} copied to {other}"


def _other_value(chance: random.Random, path: Path, value: Any, which: str) -> Any:
    """Something of the same kind that might have been there."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        near = [value + 1, value - 1, value * 2, value // 2, value * 10, 0, 1, 9, 52, -value, 10**6]
        return chance.choice([*near, *_said(which, path, int)])
    if isinstance(value, str):
        return _other_word(chance, path, value, which)
    if isinstance(value, list) and value:
        rows = copy.deepcopy(value)
        match chance.randrange(4):
            case 0:
                chance.shuffle(rows)
            case 1:
                del rows[chance.randrange(len(rows))]
            case 2:
                rows.append(copy.deepcopy(chance.choice(rows)))
            case _:
                rows.append(_other_value(chance, path, rows[0], which))
        return rows
    if isinstance(value, dict) and value:
        key = chance.choice(list(value))
        return {**value, key: _other_value(chance, (*path, key), value[key], which)}
    return copy.deepcopy(chance.choice(GARBAGE))


def _other_word(chance: random.Random, path: Path, value: str, which: str) -> str:
    odds = re.fullmatch(r"(\d+) to (\d+)", value)
    if odds and chance.random() < 0.8:
        return f"{chance.randrange(0, 60)} to {chance.choice([1, 1, 1, 2, 3, 20])}"
    money = re.fullmatch(r"\$([\d,]+)\.(\d\d)", value)
    if money and chance.random() < 0.8:
        dollars = int(money[1].replace(",", "")) + chance.choice([-1, 1, 5, 100, 4000])
        return f"${dollars:,}.{chance.choice(['00', '50', '25'])}"
    alike = _said(which, path, str)
    return str(chance.choice([*alike, *alike, _misspelt(chance, value), value + " anew", ""]))


def _misspelt(chance: random.Random, word: str) -> str:
    at = chance.randrange(len(word) + 1)
    return word[:at] + chance.choice("aeioxz_ 7") + word[at + chance.randrange(2) :]


@cache
def _words(which: str) -> dict[tuple[str, str], dict[type, list[Any]]]:
    """The values of a key anywhere in the shipped files, by the last two words of its place."""
    tables = [read_table(name) for name in shipped_editions()]
    if which == "submission":
        tables = [read_submission(name) for name in shipped_submissions()]
    found: dict[tuple[str, str], dict[type, list[Any]]] = {}
    for table in tables:
        for path, value in _leaves(table, ()):
            for kind in (int, str):
                if type(value) is kind:
                    kinds = found.setdefault(_last_words(path), {})
                    if value not in kinds.setdefault(kind, []):
                        kinds[kind].append(value)
    return found


def _said(which: str, path: Path, kind: type) -> list[Any]:
    return _words(which).get(_last_words(path), {}).get(kind, [])


def _last_words(path: Path) -> tuple[str, str]:
    words = [step for step in path if isinstance(step, str)]
    return words[0], words[-1]


def _leaves(node: Any, path: Path) -> Iterator[tuple[Path, Any]]:
    if isinstance(node, dict | list):
        for step, value in node.items() if isinstance(node, dict) else enumerate(node):
            yield from _leaves(value, (*path, step))
    else:
        yield path, node


# -------------------------------------------------------------------------------------- edits of a text


def _text_edit(chance: random.Random, text: bytes) -> tuple[str, bytes]:
    """Change the bytes of a file: a line, a character, or all of it."""
    lines = text.splitlines(keepends=True)
    at = chance.randrange(len(lines))
    match chance.randrange(8):
        case 0:
            return f"line {at + 1} removed", b"".join(lines[:at] + lines[at + 1 :])
        case 1:
            return f"line {at + 1} doubled", b"".join([*lines[: at + 1], *lines[at:]])
        case 2:
            other = chance.randrange(len(lines))
            lines[at], lines[other] = lines[other], lines[at]
            return f"lines {at + 1} and {other + 1} exchanged", b"".join(lines)
        case 3:
            spot = chance.randrange(len(text))
            byte = bytes([chance.choice([0, 10, 34, 39, 44, 46, 48, 61, 91, 93, 123, 125, 128, 195, 255])])
            return f"byte {spot} is {byte!r}", text[:spot] + byte + text[spot + 1 :]
        case 4:
            spot = chance.randrange(len(text))
            return f"cut off after {spot} bytes", text[:spot]
        case 5:
            return "byte order mark", b"\xef\xbb\xbf" + text
        case 6:
            return "another encoding", text.decode().encode("utf-16")
        case _:
            spot = chance.randrange(len(text))
            return f"byte {spot} removed", text[:spot] + text[spot + 1 :]


# ---------------------------------------------------------------------------------------- TOML, as text


def toml(table: dict[str, Any], *, like: str | None = None) -> bytes:
    """A table as TOML: one line for a plain value, one for each row and section.

    `like` names an edition that the table was copied from: unchanged sections are taken from its text.
    """
    before = own_edition(like) if like is not None else {}
    lines: list[str] = []
    for key, value in table.items():
        same = like is not None and key in CLAUSES and key in before and value == before[key]
        lines += _own_section(str(like), key) if same else _section(key, value)
    return ("\n".join(lines) + "\n").encode()


CLAUSES = ("clause", "physical")
"""Long sections of nothing but texts: two that compare equal are written alike, as true and 1 would not be."""


@cache
def _own_section(name: str, key: str) -> list[str]:
    return _section(key, own_edition(name)[key])


def _section(key: str, value: Any) -> list[str]:
    if isinstance(value, dict) and value:
        return [f"{_key(key)}.{_key(inner)} = {_value(each)}" for inner, each in value.items()]
    return [f"{_key(key)} = {_value(value)}"]


def _key(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else _text(key)


def _value(value: Any) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return _text(value)
        case dict():
            return "{ " + ", ".join(f"{_key(key)} = {_value(each)}" for key, each in value.items()) + " }"
        case list():
            rows = [_value(each) for each in value]
            if any(isinstance(each, dict) for each in value):
                return "[\n  " + ",\n  ".join(rows) + ",\n]"
            return "[" + ", ".join(rows) + "]"
        case datetime.datetime() | datetime.date() | datetime.time():
            return value.isoformat()
        case _:
            return str(value)


def _text(text: str) -> str:
    if text.isprintable() and '"' not in text and "\\" not in text:
        return f'"{text}"'
    signs = {'"': '\\"', "\\": "\\\\"}
    return '"' + "".join(signs.get(sign, sign if sign.isprintable() else f"\\u{ord(sign):04x}") for sign in text) + '"'


def written(path: Path) -> str:
    """A path as messages write it: `step[3].name`."""
    text = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return text.removeprefix(".")


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "…"
