"""Two persons who propose and approve."""

from __future__ import annotations

from typing import Any

from access_house import ADDRESS, PASSWORD, AccessHouse, MemoryStore, allowed
from baccarat.house.cage_act import FillTray
from baccarat.house.inventory import Inventory
from baccarat.house.stream import CAGE_STREAM, Stream
from baccarat.serve.access.base import Secret
from baccarat.serve.access.denial import Denied
from baccarat.serve.access.proposal import (
    ApprovedCommand,
    Proposal,
)
from baccarat.serve.access.session import Session
from baccarat.serve.store.base import Batch, Statement
from baccarat.table.role import Role

P, D, F, S = Role.PARTICIPANT, Role.DEALER, Role.FLOORPERSON, Role.CASINO_SUPERVISOR
BOSS, CLERK, CAGE, ADMIN = Role.PIT_BOSS, Role.PIT_CLERK, Role.CAGE_CASHIER, Role.ADMINISTRATOR
FILL = FillTray(table="T1", chips=Inventory({5_00: 10}))


def uuid7(number: int) -> str:
    """An id as a client makes one."""
    return f"0190f5e4-0000-7000-8000-{number:012x}"


def nobody(table: str, seat: int) -> str:
    """Nobody sits anywhere."""
    del table, seat
    return ""


class Office:
    """Enters what was approved, once for each id, with the statements of the approval in the same batch."""

    def __init__(self, store: MemoryStore) -> None:
        self.store, self.entered, self.repeats = store, list[ApprovedCommand](), 0

    async def enter(self, approved: ApprovedCommand, statements: tuple[Statement, ...]) -> ApprovedCommand:
        """As the house does it: a repeat is answered from the record."""
        if approved.is_repeat:
            assert statements == ()
            self.repeats += 1
            return approved
        await self.store.commit(Batch(statements=statements))
        self.entered.append(approved)
        return approved


class Scene:
    """A floorperson who proposes and a cashier who approves."""

    def __init__(self, *, is_practice: bool = False) -> None:
        self.house = AccessHouse(is_practice=is_practice)
        self.flo = self.house.add("flo", F, D, BOSS)
        self.cas = self.house.add("cas", CAGE, F, S)
        self.floor, self.cage = self.house.sign_on("flo", F), self.house.sign_on("cas", CAGE)
        self.office = Office(self.house.store)

    def visit(self, role: Role) -> Session:
        """Somebody whom nobody knows, in a practice house."""
        return allowed(self.house.run(self.house.desk.visit(address=ADDRESS, role=role))).session

    def try_propose(
        self, session: Session | None = None, *, number: int = 1, command: Any = FILL, stream: Stream = CAGE_STREAM,
    ) -> Proposal | Denied:  # fmt: skip
        """Try to propose something."""
        return self.house.run(
            self.house.desk.propose(
                session or self.floor, id_=uuid7(number), stream=stream, command=command, sits_at=nobody
            )
        )

    def propose(self, **given: Any) -> Proposal:
        """Propose something."""
        return allowed(self.try_propose(**given))

    def approve(
        self, made: Proposal, session: Session | None = None, *, seen: str | None = None
    ) -> ApprovedCommand | Denied:
        """Approve something in a session of one's own."""
        return self.house.run(
            self.house.desk.approve(
                session or self.cage, id_=made.id, seen=made.hash.hex() if seen is None else seen,
                enter=self.office.enter,
            )
        )  # fmt: skip

    def step_up(
        self, made: Proposal, name: str = "cas", role: Role = CAGE, *, password: str = PASSWORD,
        seen: str | None = None, console: Session | None = None,
    ) -> ApprovedCommand | Denied:  # fmt: skip
        """Approve something at the proposer's console."""
        return self.house.run(
            self.house.desk.step_up(
                console or self.floor, name, Secret(password), role, id_=made.id,
                seen=made.hash.hex() if seen is None else seen, address=ADDRESS, enter=self.office.enter,
            )
        )  # fmt: skip

    def decline(self, made: Proposal, session: Session | None = None) -> Proposal | Denied:
        """Decline something."""
        return self.house.run(self.house.desk.decline(session or self.cage, id_=made.id, seen=made.hash.hex()))
