"""What stands in a house's store, read anew after each commit, and what may therefore be shown and answered.

It knows nothing of what the house holds in memory: its states come from the stored events alone. Every time something
leaves the house, it is asked whether what was said is on the disk by then.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec

from baccarat.audit.journal import audit_journals
from baccarat.engine.redecide import read_events
from baccarat.house.invariant import broken_invariants as broken_books
from baccarat.house.stream import Stream, table_stream
from baccarat.law.rulebook import Rulebook
from baccarat.play.refusal_text import SENTENCES
from baccarat.record.entry import NO_BYTES, ActRecord, read_body
from baccarat.record.journal import write_line
from baccarat.serve.fanout.table_room import TableRoom
from baccarat.serve.route.moment import explain_moment, spoken_moment
from baccarat.serve.runtime.recovery import RecoveredHouse, _replay_entries
from baccarat.serve.store.base import Reads, StoredHead
from baccarat.table.audience import TABLE
from baccarat.table.invariant import broken_invariants as broken_table
from baccarat.table.role import Role
from baccarat.table.state import TableState, seat_of
from baccarat.table.view import Viewer, view

FIELDS = {
    "view": {"type", "seq", "run", "table", "view", "words"},
    "patch": {"type", "from", "seq", "set", "splice", "drop", "due", "events", "words"},
    "words": {"type", "seq", "words"},
    "done": {"type", "id", "seq", "repeat"},
    "refused": {"type", "id", "seq", "repeat", "code", "say", "what", "params", "cites"},
    "problem": {"type", "id", "say", "again", "what", "params"},
    "waits": {"type", "waits"},
    "noted": {"type", "seq"},
    "pong": {"type"},
    "bye": {"type", "why", "say", "address"},
}
"""Every field that a message may have: one more is a leak."""


class Broken(AssertionError):  # noqa: N818
    """A promise of the house that does not hold."""


def expect(holds: object, say: str) -> None:
    """A promise."""
    if not holds:
        raise Broken(say)


class Oracle:
    """All that is durable."""

    def __init__(self) -> None:
        self._made: RecoveredHouse | None = None
        self._heads: dict[Stream, StoredHead] = {}
        self.versions: dict[str, list[tuple[Rulebook, TableState]]] = {}
        """Each table as it stood after each commit that touched it."""
        self.ids: dict[tuple[str, str], ActRecord] = {}
        """The record of each id that a person has given."""
        self.records: dict[tuple[str, int], ActRecord] = {}
        self.lines: list[bytes] = []
        self._views: dict[tuple[str, int, Viewer], Any] = {}
        self._moments: dict[tuple[str, int, int, bool], Any] = {}

    # ------------------------------------------------------------------------------------------ reading

    def look(self, reads: Reads) -> None:
        """A commit has ended, or failed: see what is there now."""
        entries = list(reads.tail(self._heads))
        if not entries:
            return
        self._heads = reads.heads()
        for stored in entries:
            self.lines.append(write_line(stored.body, stored.hash))
            entry = read_body(stored.body)
            if isinstance(entry, ActRecord):
                self.records[entry.stream, entry.seq] = entry
                if entry.id:
                    key = entry.who or "", entry.id
                    expect(key not in self.ids, f"J3: id {entry.id} of {entry.who} is on record twice")
                    self.ids[key] = entry
        before = self._made.state if self._made is not None else None
        self._made = _replay_entries(self._made, entries, {})
        assert self._made is not None, "a house begins with an opening"
        state = self._made.state
        for table, held in state.tables.items():
            if before is None or before.tables.get(table) is not held:
                self.versions.setdefault(table, []).append((state.rules(table), held))
                wrong = broken_table(state.rules(table), held)
                expect(not wrong, f"{table}: {wrong}")
        wrong_books = broken_books(state)
        expect(not wrong_books, f"{wrong_books}")

    def head(self, stream: Stream) -> int:
        """The last durable entry of a stream."""
        return self._heads[stream].seq if stream in self._heads else -1

    def events(self, stream: Stream, *, before: int | None = None) -> list[Any]:
        """All events of a table's stream, in order; on request, only those before a record."""
        found = sorted(self.records.items())
        records = (record for (name, seq), record in found if name == stream and (before is None or seq < before))
        return [event for record in records for event in read_events(record) or ()]

    # ------------------------------------------------------------------------------------- what is said

    def check_said(self, text: str, who: str, table: str, decided: int) -> None:
        """A message leaves the house: what it says is durable, and so is all on which it may rest."""
        said = json.loads(text)
        kind = said["type"]
        expect(kind in FIELDS, f"D2: nobody is to be sent a message of this kind: {kind}")
        extra = set(said) - FIELDS[kind]
        expect(not extra, f"D2: a {kind} has fields that nobody is to see: {extra}")
        if kind == "refused":
            unsaid = [name for name in said.get("params", {}) if f"{{{name}" not in SENTENCES[said["what"]]]
            expect(not unsaid, f"D2: a refusal tells more than its sentence says: {unsaid}")
        stream = table_stream(table)
        if kind in ("done", "refused", "problem") and said.get("id"):
            durable = self.head(stream)
            expect(durable >= decided, f"J1: {kind} rests on record {decided}, durable is {durable}")
        if kind == "noted":
            expect(self.head(stream) >= said["seq"], f"J1: record {said['seq']} is noted and not durable")
        if kind == "done":
            found = self.ids.get((who, said["id"]))
            expect(found is not None, f"J1: id {said['id']} is answered and not on record")
            assert found is not None
            expect(found.seq == said["seq"], f"J3: id {said['id']} stands in record {found.seq}, not {said['seq']}")
            expect(found.refused is NO_BYTES, f"id {said['id']} was refused, and is answered as done")
        if kind == "refused" and said.get("seq"):
            found = self.records.get((stream, said["seq"]))
            expect(found is not None and found.refused is not NO_BYTES, f"J1: a refusal that is not on record: {text}")

    def check_view(
        self, seen: dict[str, Any], who: str, role: Role, table: str, since: int, until: int, moment: Any = None
    ) -> int:
        """A client's view is that of a durable moment, no older than its last, and durable when it was sent.

        So are the words of the moment, if the client follows them.
        """
        for version in range(since, until + 1):
            is_seen = self.view_at(table, version, who, role) == seen
            if is_seen and (moment is None or self.moment_at(table, version, who, role) == moment):
                return version
        raise Broken(f"J1: {who} ({role.value}) sees at {table} what is durable at no commit from {since} to {until}")

    def view_at(self, table: str, version: int, who: str, role: Role) -> Any:
        """A table at a durable moment, as somebody may see it."""
        rules, state = self.versions[table][version]
        viewer = Viewer(role, seat_of(state, who)) if role is Role.PARTICIPANT else Viewer(role)
        key = table, version, viewer
        found = self._views.get(key)
        if found is None:
            found = self._views[key] = json.loads(msgspec.json.encode(view(rules, state, viewer)))
        return found

    def moment_at(self, table: str, version: int, who: str, role: Role) -> Any:
        """The words of a durable moment, as somebody may have them."""
        rules, state = self.versions[table][version]
        seat, at_table = seat_of(state, who) if role is Role.PARTICIPANT else 0, role in TABLE.roles
        key = table, version, seat, at_table
        found = self._moments.get(key)
        if found is None:
            room = TableRoom(table, rules, state)
            words = spoken_moment(room, explain_moment(room, None, at_table=at_table), seat, None, at_table=at_table)
            found = self._moments[key] = json.loads(msgspec.json.encode(words))
        return found

    def last(self, table: str) -> int:
        """The number of the last durable moment of a table."""
        return len(self.versions.get(table, ())) - 1

    # ------------------------------------------------------------------------------------------ the end

    def audit(self, folder: Path) -> None:
        """The whole journal, as it became durable, passes the audit."""
        path = folder / "durable.jsonl"
        path.write_bytes(b"".join(self.lines))
        report = audit_journals([path])
        expect(not report.findings, f"audit: {report.findings[:3]}")

    @property
    def state(self) -> Any:
        """The house as it is stored."""
        assert self._made is not None, "something is stored"
        return self._made.state
