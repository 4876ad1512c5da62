"""What a store should hold, as plain Python values, and steps by chance that are done to both."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from uuid import UUID

import msgspec

from baccarat.house.stream import Stream
from baccarat.record.entry import NO_HASH, hash_after
from baccarat.serve.store.base import (
    AnsweredAt,
    Batch,
    CheckpointRow,
    NameRow,
    NewSnapshot,
    Reads,
    Row,
    SealedRow,
    Statement,
    Store,
    StoredEntry,
)


class Model(msgspec.Struct):
    """A store as plain values."""

    streams: dict[Stream, list[StoredEntry]] = {}
    events: dict[Stream, int] = {}
    first: dict[Stream, int] = {}
    """From which entry on a stream is kept."""
    done: dict[tuple[str, str], AnsweredAt] = {}
    snapshot: tuple[int, bytes, dict[Stream, int]] | None = None
    sealed: dict[tuple[Stream, str], bytes] = {}
    checkpoints: dict[tuple[Stream, int], bytes] = {}
    names: dict[str, NameRow] = {}
    settings: dict[str, str] = {}
    position: int = 0

    def copy(self) -> Model:
        """The same, to be changed."""
        return Model(
            streams={name: [*entries] for name, entries in self.streams.items()},
            events={**self.events},
            first={**self.first},
            done={**self.done},
            snapshot=self.snapshot,  # the heads in it are never changed
            sealed={**self.sealed},
            checkpoints={**self.checkpoints},
            names={**self.names},
            settings={**self.settings},
            position=self.position,
        )

    def row(self, stream: Stream, body: bytes, *, id_: str = "", who: str = "", events: int = 0) -> Row:
        """A row that comes next in its stream; it is taken at once."""
        entries = self.streams.setdefault(stream, [])
        self.position += 1
        after = hash_after(entries[-1].hash if entries else NO_HASH, body)
        entries.append(StoredEntry(stream, len(entries), body, after, self.position))
        self.events[stream] = self.events.get(stream, 0) + events
        if id_:
            self.done[id_, who] = AnsweredAt(stream, len(entries) - 1)
        return Row(stream, len(entries) - 1, body, after, events=self.events[stream], id=id_, who=who)

    def new_snapshot(self, body: bytes) -> NewSnapshot:
        """A snapshot of this moment; it is taken at once."""
        heads = {name: len(entries) - 1 for name, entries in self.streams.items()}
        self.snapshot = self.position, body, heads
        return NewSnapshot("test", body, heads)


def differences(store: Reads, model: Model, *, dropped: Model | None = None) -> list[str]:
    """In what a store is not as it should be; `dropped` may have let go of more entries by then."""
    found = list[str]()

    def expect(what: str, is_: object, should: object) -> None:
        if is_ != should:
            found.append(f"{what}: {_short(is_)} instead of {_short(should)}")

    heads = store.heads()
    expect("streams", set(heads), set(model.streams))
    for name in set(heads) & set(model.streams):
        entries, head = model.streams[name], heads[name]
        expect(f"head of {name}", (head.seq, head.events), (len(entries) - 1, model.events[name]))
        expect(f"last of {name}", (head.hash, head.position), (entries[-1].hash, entries[-1].position))
        least, most = model.first.get(name, 0), (dropped or model).first.get(name, 0)
        stored = store.entries(name, limit=10**6)
        first = stored[0].seq if stored else len(entries)
        if not least <= first <= most:
            found.append(f"{name} is kept from {first}, not {least} to {most}")
        expect(f"entries of {name}", stored, entries[first:])
    for (id_, who), answer in model.done.items():
        expect(f"id {id_} of {who}", store.answer(id_, who), answer)
    snapshot = store.latest_snapshot()
    seen = snapshot and (snapshot.position, snapshot.body, {name: head.seq for name, head in snapshot.heads.items()})
    expect("snapshot", seen, model.snapshot)
    if snapshot is not None:
        after = [each for entries in model.streams.values() for each in entries if each.position > snapshot.position]
        expect("tail", list(store.tail(snapshot.heads)), sorted(after, key=lambda each: each.position))
    expect("sealed", {(each.stream, each.name): each.sealed for each in store.all_sealed()}, model.sealed)
    notes = {(each.stream, each.size): each.note for name in model.streams for each in store.checkpoints(name)}
    expect("checkpoints", notes, model.checkpoints)
    expect("names", store.names(), list(model.names.values()))
    for key, value in model.settings.items():
        expect(f"setting {key}", store.setting(key), value)
    return found


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:80]}…"


class Step(msgspec.Struct):
    """One act on a store, and how everything stands after it."""

    what: str
    act: Callable[[Store], object]
    after: Model


class Chance:
    """Steps by chance: mostly batches, and now and then what makes a store smaller."""

    def __init__(self, seed: int, *, streams: int = 4, rows: int = 8, after: Model | None = None) -> None:
        self._random = random.Random(seed)
        self._names = [f"table {number}" for number in range(1, streams)] + ["cage"]
        self._rows = rows
        self.model = after or Model()
        self._number = 1_000 * self.model.position
        """No id comes twice, also where these steps follow others."""

    def steps(self, count: int) -> Iterator[Step]:
        """So many steps, each from where the one before it left off."""
        for _ in range(count):
            kind = self._random.random()
            step = None
            if kind < 0.08:
                step = self._archive()
            elif kind < 0.14:
                step = self._drop()
            elif kind < 0.17:
                step = self._erase()
            yield step or self._batch()

    def _batch(self) -> Step:
        model, chance = self.model.copy(), self._random
        rows, snapshot = list[Row](), None
        count = chance.randrange(1, self._rows + 1)
        snapshot_after = chance.randrange(count) if chance.random() < 0.25 else None
        for number in range(count):
            rows.append(self._row(model))
            if number == snapshot_after:
                snapshot = model.new_snapshot(chance.randbytes(chance.randrange(4_000)))
        seals, notes, names, settings = list[SealedRow](), list[CheckpointRow](), list[NameRow](), dict[str, str]()
        if chance.random() < 0.2:
            seals.append(SealedRow(rows[0].stream, str(chance.randrange(3)), chance.randbytes(80)))
            model.sealed[seals[0].stream, seals[0].name] = seals[0].sealed
            notes.append(CheckpointRow(rows[-1].stream, rows[-1].seq + 1, chance.randbytes(200)))
            model.checkpoints[notes[0].stream, notes[0].size] = notes[0].note
        if chance.random() < 0.2:
            self._number += 1
            names.append(NameRow(f"person-{self._number}", chance.randbytes(32), f"Name {self._number}"))
            model.names[names[0].id] = names[0]
            settings["house"] = f"Lagoon {self._number}"
            model.settings |= settings
        extra = "insert into setting values ('extra', ?) on conflict (key) do update set value = excluded.value"
        statements = [Statement(extra, (str(model.position),), changes=1)]
        model.settings["extra"] = str(model.position)
        batch = Batch(
            rows=rows,
            snapshot=snapshot,
            seals=seals,
            checkpoints=notes,
            names=names,
            settings=settings,
            statements=statements,
        )
        self.model = model
        return Step("a batch", lambda store: store.append(batch), model)

    def _row(self, model: Model) -> Row:
        chance = self._random
        length = chance.choice((40, 300, 500, 700, 3_000)) if chance.random() < 0.99 else 65_535
        self._number += 1
        id_ = str(UUID(int=self._number << 80 | 7 << 76 | chance.getrandbits(62)))
        if chance.random() < 0.1:
            id_ = "" if chance.random() < 0.5 else f"plain {self._number}"
        body = chance.randbytes(length // 2).hex().encode()
        return model.row(Stream(chance.choice(self._names)), body, id_=id_, who=f"p{chance.randrange(9)}", events=1)

    def _included(self) -> tuple[Stream, int] | None:
        """A stream and the last entry of it that the latest snapshot includes."""
        if self.model.snapshot is None:
            return None
        stream, seq = self._random.choice(sorted(self.model.snapshot[2].items()))
        return stream, self._random.randrange(seq + 1)

    def _archive(self) -> Step | None:
        chosen, most = self._included(), self._random.choice((1, 5, 256))
        if chosen is None:
            return None
        return Step(f"archive {chosen}", lambda store: store.archive(*chosen, most=most), self.model)

    def _drop(self) -> Step | None:
        chosen = self._included()
        if chosen is None:
            return None
        stream, seq = chosen
        model = self.model.copy()
        model.first[stream] = max(seq, model.first.get(stream, 0))
        self.model = model
        return Step(f"drop {chosen}", lambda store: store.drop_before(stream, seq), model)

    def _erase(self) -> Step | None:
        if not self.model.names:
            return None
        model = self.model.copy()
        gone = self._random.choice(sorted(model.names))
        del model.names[gone]
        self.model = model
        return Step(f"erase {gone}", lambda store: store.erase([gone]), model)
