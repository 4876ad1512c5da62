"""What a record expects of its round, compared with the answer, field by field."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from baccarat.law.error import hint


class AnswerDifference(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One field in which the answer is not what was expected, with the clauses that decided it."""

    field: str
    expected: Any
    answered: Any = msgspec.UNSET
    say: str | None = None
    cites: tuple[str, ...] = ()

    def __str__(self) -> str:
        expected, answered = (
            "nothing" if value is msgspec.UNSET else msgspec.json.encode(value).decode()
            for value in (self.expected, self.answered)
        )
        cites = f"  [{', '.join(self.cites)}]" if self.cites else ""
        return f"{self.field}: expected {expected}, {self.say or f'answered {answered}'}{cites}"


DECIDED_WITH = {
    "player_count": "outcome", "banker_count": "outcome", "player_natural": "player_hand",
    "banker_natural": "banker_hand", "cards_dealt": "banker_hand", "dragon7": "outcome", "panda8": "outcome",
    "meters_after_contributions": "meters_after_round", "reserve_micro_cents": "meters_after_round",
}  # fmt: skip
"""Fields of the answer whose clauses are listed under another one."""


def differences_from(expected: Mapping[str, Any], answer: Mapping[str, Any]) -> tuple[AnswerDifference, ...]:
    """Each field of `expected` in which the answer differs; fields that it does not name are not compared."""
    if "refused" in answer and "refused" not in expected:
        refused = answer["refused"]
        cites = tuple(refused["cites"])
        return (AnswerDifference(field="refused", expected=None, answered=refused["code"], cites=cites),)
    found: list[AnswerDifference] = []
    for field, value in expected.items():
        if field not in answer:
            say = f"the answer has no such field{hint(field, answer)}"
            found.append(AnswerDifference(field=field, expected=value, say=say))
            continue
        wanted, got = NORMAL_FORMS[field](value, answer[field]) if field in NORMAL_FORMS else (value, answer[field])
        for path, one, other in _find_differences(wanted, got, ()):
            found.append(_difference(answer, (field, *path), one, other))
    return tuple(found)


def _difference(
    answer: Mapping[str, Any], path: tuple[str | int, ...], expected: Any, answered: Any
) -> AnswerDifference:
    name = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path).removeprefix(".")
    return AnswerDifference(field=name, expected=expected, answered=answered, cites=_cites(answer, path))


def _cites(answer: Mapping[str, Any], path: tuple[str | int, ...]) -> tuple[str, ...]:
    """The clauses at a path of the answer, or the nearest above it."""
    cites, first = answer.get("cites", {}), str(path[0])
    if first == "net_by_seat":
        lines = zip(answer["wagers"], cites["wagers"], strict=True)
        own = [found for line, found in lines if len(path) == 1 or str(line["seat"]) == str(path[1])]
        return tuple(dict.fromkeys(cite for found in own for cite in found))
    if first == "refused":
        return tuple(answer["refused"]["cites"])
    node = cites.get(DECIDED_WITH.get(first, first), ())
    for part in path[1:]:
        if isinstance(node, Mapping) and part in node:
            node = node[part]
        elif isinstance(part, int) and all(isinstance(each, tuple) for each in node):
            node = node[part]  # a list of the answer has a list of clauses for each entry
    return tuple(_flatten(node))


def _flatten(node: Any) -> Iterator[str]:
    if isinstance(node, str):
        yield node
        return
    seen: dict[str, None] = {}
    for part in node.values() if isinstance(node, Mapping) else node:
        seen.update(dict.fromkeys(_flatten(part)))
    yield from seen


def _find_differences(expected: Any, answered: Any, path: tuple[str | int, ...]) -> Iterator[tuple[Any, Any, Any]]:
    """Where two values differ: the path, what was expected, what there is."""
    if isinstance(expected, Mapping) and isinstance(answered, Mapping):
        for key, value in expected.items():
            yield from _find_differences(value, answered.get(key, msgspec.UNSET), (*path, key))
    elif isinstance(expected, list) and isinstance(answered, list | tuple) and len(expected) == len(answered):
        for index, (one, other) in enumerate(zip(expected, answered, strict=True)):
            yield from _find_differences(one, other, (*path, index))
    elif type(expected) is not type(answered) or expected != answered:
        yield path, expected, answered


# --------------------------------------------------------------------------- what the documents leave free


def _calls(expected: Any, answered: Any) -> tuple[Any, Any]:
    """The letter case of a call is free."""

    def lower(calls: Any) -> Any:
        return [
            {**call, "say": call["say"].lower()}
            if isinstance(call, dict) and isinstance(call.get("say"), str)
            else call
            for call in calls
        ]

    return (lower(expected) if isinstance(expected, list) else expected), lower(answered)


def _settlement(expected: Any, answered: Any) -> tuple[Any, Any]:
    """The order of collecting losing wagers is free, and whether an award comes before or after its seat's pay."""
    return (_in_normal_order(expected) if isinstance(expected, list) else expected), _in_normal_order(answered)


def _in_normal_order(steps: list[Any]) -> list[Any]:
    made = [
        [step[0], sorted(step[1])] if step[:1] == ["collect_losing_wagers"] and len(step) == 2 else step
        for step in steps
    ]
    for index in range(1, len(made)):
        first, second = made[index - 1], made[index]
        if (first[:1], second[:1]) == (["royal9_award"], ["pay"]) and first[1:2] == second[1:2]:
            made[index - 1], made[index] = second, first
    return made


NORMAL_FORMS = {"announcements": _calls, "settlement": _settlement}
"""Fields in which different answers mean the same."""
