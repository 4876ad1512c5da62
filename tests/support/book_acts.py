"""Acts in the books of a house that have names, done without naming their streams."""

from __future__ import annotations

from baccarat.house.book import HouseCommand
from baccarat.house.house import House
from baccarat.house.state import Decision
from baccarat.house.stream import link_stream, pit_stream
from baccarat.play.refusal import Refused
from baccarat.table.actor import Actor


def in_pit(house: House, name: str, command: HouseCommand, actor: Actor) -> Decision | Refused:
    """Do an act in a pit."""
    return house.do(command, actor, stream=pit_stream(name))


def in_link(house: House, name: str, command: HouseCommand, actor: Actor) -> Decision | Refused:
    """Do an act in a link."""
    return house.do(command, actor, stream=link_stream(name))
