"""Cards of an electronic shoe under a dealer's hand: the dealer turns a card, and the shoe says which, with its proof.

A dealer's console sends `turn_card` with the position alone. What only the shoe knows is added here, before the command
is read, and only to an act that is due now, for the dealer of an electronic table: nobody learns a card except by
turning it for everybody.
"""

from __future__ import annotations

from typing import Any

import msgspec

from baccarat.serve.access.session import Session
from baccarat.serve.live import HouseServer
from baccarat.table.automation import command_for
from baccarat.table.registry import COMMANDS
from baccarat.table.role import Role
from baccarat.table.table_cards import TableCards

COMPLETED_BY_SHOE = {
    name: frozenset(kind.__struct_fields__)
    for name, kind in COMMANDS.items()
    if kind.CARD.from_shoe and not kind.CARD.states_card
}
"""The acts that a shoe completes, and their fields."""


def from_the_shoe(live: HouseServer, session: Session, table: str, data: bytes, *, id_: str) -> bytes:
    """A command as it came, or completed by the electronic shoe of its table."""
    if session.role is not Role.DEALER or live.cards_at(table) is not TableCards.ELECTRONIC:
        return data
    try:
        fields: Any = msgspec.json.decode(data)
    except msgspec.MsgspecError:
        return data  # reading it reports what is wrong
    act = fields.get("do") if isinstance(fields, dict) else None
    if act not in COMPLETED_BY_SHOE or set(fields) & (COMPLETED_BY_SHOE[act] - {"position"}):
        return data  # a command with more than the position must be complete
    if not session.workplace.reaches(table):
        return data
    sent = _recorded_command(live, session, id_, fields)
    return sent if sent is not None else _complete_from_shoe(live, table, fields, data)


def _complete_from_shoe(live: HouseServer, name: str, fields: dict[str, Any], data: bytes) -> bytes:
    """The act that is due, as the shoe does it; unchanged if another act is due."""
    table, source = live.house.table(name), live.table_jobs.cards.get(name)
    due = next((each for each in table.expected if each.act == fields["do"]), None)
    if source is None or due is None or not (table.state.shoe.root or COMMANDS[due.act].CARD.before_sealing):
        return data
    if due.position != fields.get("position"):
        return data
    return msgspec.json.encode(command_for(table, due, source))


def _recorded_command(live: HouseServer, session: Session, id_: str, fields: dict[str, Any]) -> bytes | None:
    """What the shoe said when this command was first sent: a repeat gets the same."""
    known = live.house.find(session.person, id_)
    if known is None or not bytes(known.record.command):
        return None
    command: dict[str, Any] = msgspec.json.decode(bytes(known.record.command))
    is_same = all(command.get(key) == value for key, value in fields.items())
    return bytes(known.record.command) if is_same else None
