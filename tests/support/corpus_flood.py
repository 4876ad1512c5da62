"""Refusals that a flooded house only counts, honest and forged."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from corpus_base import PLAIN, base, journal
from corpus_case import UNREADABLE, Case, Kinds, Names, of_kind
from remade import Json, renumbered

GAP = "5 refusals of 1 person were counted and not decided again"


def flooded(change: Callable[[Json], object] = lambda _record: None) -> bytes:
    """The first acts of a table: somebody asks for a seat that is taken, is refused, and then five times more."""
    records = base("refused")
    whole = records[-1]
    assert whole["refused"]["code"] == "seat_taken"
    folded = {"who": whole["who"], "code": "seat_taken", "count": 5, "first": whole["at"] + 1_000}
    record = {name: whole[name] for name in ("v", "stream", "rulebook", "behaviour")}
    record |= {"at": whole["at"] + 9_000, "folded": folded | {"last": whole["at"] + 9_000}}
    change(record)
    return journal(renumbered([*records, record]))


def honest() -> Iterator[Case]:
    """Counted refusals are never covered."""
    yield Case(path="honest/folded.jsonl", data=flooded(), keys=PLAIN, status=3, status_without_rules=3, gap=GAP)


def cases() -> Kinds:
    """Counts of refusals that never were."""
    make = of_kind(
        "refusals-folded-falsely",
        "house",
        "lawful commands are counted as refusals that nobody can decide again",
        Names("decided again", "refusals", "refusals"),
    )
    yield make.kind, [make.case(name, flooded(change), keys=PLAIN) for name, change in FALSE.items()]
    make = of_kind(
        "act-with-folded-refusals", "house", "an act is hidden among counts", Names("unreadable", "form", "form")
    )
    yield make.kind, [make.case(name, flooded(change), keys=PLAIN) for name, change in WITH_MORE.items()]
    make = of_kind(
        "folded-not-in-form", "house", "a count means one thing here and another there", Names(*("unreadable",) * 3)
    )
    unread = {"keys": PLAIN, "status": UNREADABLE, "status_without_rules": UNREADABLE}
    yield make.kind, [make.case(name, flooded(change), **unread) for name, change in NOT_IN_FORM.items()]


def _set(**fields: object) -> Callable[[Json], object]:
    return lambda record: record["folded"].update(fields)


FALSE: dict[str, Callable[[Json], object]] = {
    "none": _set(count=0),
    "another-person": _set(who="participant 1"),
    "another-code": _set(code="wrong_step"),
    "before-the-first": _set(first=1),
    "backwards": lambda record: record["folded"].update(first=record["folded"]["last"] + 1),
    "after-its-record": lambda record: record["folded"].update(last=record["at"] + 1),
}
WITH_MORE: dict[str, Callable[[Json], object]] = {
    "who": lambda record: record.update(who="participant 9", role="participant"),
    "command": lambda record: record.update(command={"do": "sit", "person": "x", "seat": 2}),
    "events": lambda record: record.update(events=[{"event": "sat", "seat": 2, "who": "x", "cites": []}]),
    "refusal": lambda record: record.update(refused={"code": "seat_taken", "what": "seat_taken"}),
    "cause": lambda record: record.update(cause={"stream": "house", "seq": 1}),
}
NOT_IN_FORM: dict[str, Callable[[Json], object]] = {
    "unknown-field": _set(x=1),
    "count-a-text": _set(count="5"),
    "no-person": lambda record: record["folded"].pop("who"),
}
