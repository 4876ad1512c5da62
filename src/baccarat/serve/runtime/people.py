"""The people of a house: who may sign on, and the name of each id."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from baccarat.record.directory import Directory, DirectoryEntry
from baccarat.serve.access.base import SystemClock
from baccarat.serve.access.denial import Denied
from baccarat.serve.access.desk import AccessControl
from baccarat.serve.access.link import administrator_link
from baccarat.serve.access.person import has_administrator
from baccarat.serve.runtime.access_storage import AccessStorage
from baccarat.serve.runtime.group_commit import GroupCommitter
from baccarat.serve.runtime.lookup import Lookups
from baccarat.serve.runtime.pending_batch import PendingBatch
from baccarat.serve.setting import Mode, Setting
from baccarat.serve.store.base import NameRow, Store


class HousePeople:
    """The desk where people sign on, and the directory of their names."""

    def __init__(
        self,
        setting: Setting,
        store: Store,
        lookups: Lookups,
        writer: GroupCommitter[PendingBatch],
        names: Directory,
        *,
        on_sessions_ended: Callable[[Sequence[str]], None],
    ) -> None:
        """`on_sessions_ended` is called with the ids of ended sessions, so that their sockets are closed."""
        self._store, self._lookups, self._writer, self.names = store, lookups, writer, names
        self._is_practice = setting.mode is Mode.PRACTICE
        self.desk = AccessControl(
            AccessStorage(store, lookups, writer),  # what the desk stores goes through the house's writer
            house=store.id,
            clock=SystemClock(),
            is_practice=self._is_practice,
            on_ended=on_sessions_ended,
            on_named=self._learn,
        )

    def name_of(self, person: str) -> str:
        """The name of a person of this id; empty if it was erased, or never known."""
        return next((entry.text for entry in self.names.find(person) if entry.id == person), "")

    def _learn(self, names: Sequence[NameRow]) -> None:
        """Add the names of people who were entered at the desk to the directory."""
        for row in names:
            self.names.add_known(DirectoryEntry(id=row.id, salt=row.salt.hex(), text=row.text))

    async def erase(self, ids: Sequence[str]) -> None:
        """Erase names: afterwards they are in no file of the store, nor in this process."""
        await self._writer.wait_until_flushed()
        await self._writer.run_exclusive(lambda: self._store.erase(ids))
        self.forget(set(ids))

    def forget(self, ids: Collection[str]) -> None:
        """Remove names from this process that were erased in the store, here or by another node."""
        self.names.erase([entry for entry in self.names.entries if entry.id in ids])

    async def greeting(self, address: str) -> list[str]:
        """What is printed at the terminal when the house opens: the link of a house without an administrator."""
        if self._is_practice or await self._lookups.ask(has_administrator):
            return []
        secret = await self.desk.change(lambda _reads, now: administrator_link(now=now))
        assert not isinstance(secret, Denied), "a link can always be made"
        return [
            "No administrator yet. This link makes one; it works once, for a day, and is printed only here:",
            f"  {address}/sign-on#{secret.reveal()}",
        ]
