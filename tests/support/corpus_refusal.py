"""Forgeries of refusals: commands that are said to be refused for an id, and refusals that have consequences."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

from baccarat.engine.idempotency_index import denial
from baccarat.house.stream import Stream
from baccarat.record.entry import written_refusal
from corpus_base import PLAIN, act, base, journal, twin
from corpus_case import UNCOVERED, Case, Kinds, Names, of_kind
from corpus_chain import bodies_journal, short
from remade import Json, canonical, renumbered

Change = Callable[[Json], object]


def denied(change: Change = lambda _record: None, *, of: str = "again", stream: str = "table 1", seq: int = 2) -> bytes:
    """The second buy-in is refused, because the first was given under the same id; the change is made to its record."""
    records = short()
    act(records, "buy_in")["id"] = "again"
    record = act(records, "buy_in", 1)
    del record["events"]
    record["refused"] = json.loads(written_refusal(denial(of, Stream(stream), seq)))
    change(record)
    return journal(renumbered(records))


def elsewhere(change: Change) -> bytes:
    """The same of an id that is said to have been used in a stream which is not in the file."""
    return denied(change, of="before", stream="cage", seq=7)


def _params(**fields: object) -> Change:
    return lambda record: record["refused"]["params"].update(fields)


def _same_command(record: Json) -> None:
    record["command"] = twin(act(short(), "buy_in")["command"])


IDS: dict[str, bytes] = {
    "never-used": denied(of="never"),
    "the-same-command": denied(_same_command),
    "in-the-opening": denied(seq=0),
    "elsewhere-and-entered-with-it": elsewhere(lambda record: record.update(id="before")),
    "elsewhere-a-number": elsewhere(_params(id=7)),
    "elsewhere-in-no-stream": elsewhere(_params(stream=7)),
    "elsewhere-in-no-record": elsewhere(_params(record="7")),
    "elsewhere-in-the-opening": elsewhere(_params(record=0)),
}
BY_RULES: dict[str, bytes] = {
    "elsewhere-and-more": elsewhere(_params(amount=7)),
    "elsewhere-in-other-words": elsewhere(lambda record: record["refused"].update(what="id_used")),
    "no-refusal": denied(lambda record: record["refused"].update(what=7)),
    "shows-a-meter": denied(lambda record: record.update(shown={"do": "show_meters", "meters": {}})),
}


def ids() -> Kinds:
    """Refusals for an id that do not say which act had it."""
    aim = "a command is refused for an id, and the refusal does not say where it was used"
    make = of_kind("refused-for-an-id", "house", aim, Names("decided again", "ids", "ids"))
    yield make.kind, [make.case(name, data, keys=PLAIN) for name, data in IDS.items()]
    aim = "a refusal for an id says more than where it was used, or has consequences"
    make = of_kind("refused-for-an-id-otherwise", "house", aim, Names("decided again", "", ""))
    yield (
        make.kind,
        [make.case(name, data, keys=PLAIN, status_without_rules=UNCOVERED) for name, data in BY_RULES.items()],
    )
    aim = "what is refused is entered in the books all the same"
    make = of_kind("refused-and-entered", "house", aim, Names("decided again", "other streams", "other streams"))
    data = denied(lambda record: record.update(joined={"cage": 1}))
    yield make.kind, [make.case("cage", data, keys=PLAIN, status_without_rules=UNCOVERED)]


# ------------------------------------------------------------------------------------------------------- answers


def _refused(change: Change) -> bytes:
    records = base("refused")
    change(records[-1])
    return journal(renumbered(records))


REFUSALS: dict[str, Change] = {
    "another-code": lambda refused: refused.update(code="wrong_step"),
    "another-reason": lambda refused: refused.update(what="wrong_step"),
    "another-clause": lambda refused: refused.update(cites=["ma-midi-4 §1(a)"]),
    "no-clause": lambda refused: refused.pop("cites"),
    "another-figure": lambda refused: refused["params"].update(seat=2),
    "without-its-figures": lambda refused: refused.pop("params"),
    "an-unknown-field": lambda refused: refused.update(zzz=1),
}


def refusals() -> Kinds:
    """Refusals that say something else than was decided."""
    names = Names("decided again", "", "")
    make = of_kind("refusal-otherwise", "floor", "somebody is told another reason than the one that there was", names)

    def told(change: Change) -> Change:
        return lambda record: change(record["refused"])

    yield (
        make.kind,
        [
            make.case(name, _refused(told(change)), keys=PLAIN, status_without_rules=UNCOVERED)
            for name, change in REFUSALS.items()
        ],
    )
    make = of_kind("meter-shown-to-nobody", "house", "a link shows a table something else than meters", names)
    shown = {"do": "sit", "person": "participant 9", "seat": 9}
    yield (
        make.kind,
        [
            make.signed("a-seat", _shown(shown), of="real-cards", status_without_rules=UNCOVERED),
            make.signed("no-such-meter", _shown(NO_METER), of="real-cards", status_without_rules=UNCOVERED),
        ],
    )
    names = Names("chain", "chain", "chain")
    make = of_kind("answer-not-canonical", "house", "events are written otherwise than they are hashed again", names)
    yield make.kind, [make.case(name, _spaced(*texts), keys=PLAIN) for name, texts in SPACED.items()]


NO_METER = {"do": "show_meters", "meters": {"star": "1"}}
SPACED = {
    "event-with-a-space": (b'"event":"sat"', b'"event": "sat"'),
    "event-with-an-escaped-letter": (b'"event":"sat"', b'"event":"s\\u0061t"'),
}


def _shown(command: Json) -> Callable[[list[Json]], list[Json]]:
    def forge(records: list[Json]) -> list[Json]:
        record = act(records, "buy_in")
        record["shown"] = command
        return records[: records.index(record) + 1]

    return forge


def _spaced(old: bytes, new: bytes) -> bytes:
    bodies = [canonical(record) for record in short()]
    assert any(old in body for body in bodies)
    return bodies_journal([body.replace(old, new) for body in bodies])


def honest() -> Iterator[Case]:
    """A command that is refused for an id which was used before."""
    fields: Json = {"keys": PLAIN, "status": UNCOVERED, "status_without_rules": UNCOVERED}
    yield Case(path="honest/id-refused.jsonl", data=denied(), gap="the seed of shoe 1 is not shown", **fields)


def cases() -> Kinds:
    """All of them."""
    yield from ids()
    yield from refusals()
