"""Acts in the books of the house: commands for pit, cage, link, forms, day and house, read strictly.

The time is that of the house's clock, not of the sender's: a notice is sent when it arrives, and a change of an option
takes effect immediately or later, never before.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from baccarat.engine.entries import AnyCommand
from baccarat.house.book import HouseCommand
from baccarat.house.registry import book_of
from baccarat.house.stream import Stream, is_table_stream, stream_name
from baccarat.law.error import nearest
from baccarat.law.typed_value import Misfit, convert_to
from baccarat.record.line import UnreadableLine, decode_object, refuse_unseen
from baccarat.record.text import visible
from baccarat.record.wire import IN_JSON, normalized_fields, read_command
from baccarat.serve.access.may import SitsAt
from baccarat.serve.act.intake import NOTHING_BESIDE
from baccarat.table.base import Command
from baccarat.table.bounds import StreamLabel, without_meaning
from baccarat.table.reveal_deadline import StatedDeadline

NOT_IN_A_NAME = frozenset("/\\")
"""Characters that a name within an address cannot have."""
NOTHING_EARLIER: Mapping[str, Any] = {}
"""The earlier command of an id that is new."""
CLOCK_SECONDS = 60
"""How far a stated time may be from the house's."""


def read_act(stream: Stream, data: bytes, *, now: int, earlier: Mapping[str, Any] = NOTHING_EARLIER) -> AnyCommand:
    """Read a command for a stream from JSON; `now` is the house's clock, in seconds. Or `UnreadableLine`.

    `earlier` is the command that was given under the same id before, if any: what its sender left to the house is the
    same again, and no time that was right then is wrong now.
    """
    if is_table_stream(stream):
        command, beside = read_command(data)
        if beside != NOTHING_BESIDE:
            raise UnreadableLine("a command says what is to be done; who does it, and its id, are not part of it")
        return command
    return read_book_command(stream, data, now=now, earlier=earlier)


def read_book_command(
    stream: Stream, data: bytes, *, now: int, earlier: Mapping[str, Any] = NOTHING_EARLIER
) -> HouseCommand:
    """Read a command for a book from JSON."""
    book = book_of(stream)
    if book is None:
        raise UnreadableLine(f"the house has no book {visible(stream)!r}")
    value = decode_object(data)
    refuse_unseen(value)
    kinds = {str(kind.__struct_config__.tag): kind for kind in book.handlers}
    tag = value.get("do")
    kind = kinds.get(tag) if isinstance(tag, str) else None
    if kind is None:
        hint = nearest(tag, kinds) if isinstance(tag, str) else None
        near = f"did you mean {hint!r}?" if hint else f"expected one of {', '.join(sorted(kinds))}"
        raise UnreadableLine(f"no act {visible(str(tag))[:60]!r} in {visible(stream)}; {near}")
    fields = {key: part for key, part in value.items() if key != "do"}
    fields = _with_earlier_time(fields, earlier) if earlier else _with_house_time(fields, kind, now)
    _refuse_unknown(fields, kind)
    try:
        made: HouseCommand = convert_to({"do": tag, **normalized_fields(fields, kind)}, kind, "", words=IN_JSON)
    except (UnreadableLine, Misfit) as error:
        raise UnreadableLine(f"{tag}: {visible(str(error))}") from None
    _refuse_unreachable(str(tag), made)
    if missing := made.missing_field():
        raise UnreadableLine(f"{tag}: {missing}")
    return made


def _refuse_unreachable(tag: str, command: HouseCommand) -> None:
    """Refuse names of tables, pits or links that an address cannot contain: pages and this interface have one each."""
    for field in msgspec.structs.fields(type(command)):
        if without_meaning(field.type) != StreamLabel:
            continue
        name: str = getattr(command, field.name)
        if not name or set(name) & NOT_IN_A_NAME or name.endswith(" ") or not name.strip("."):
            raise UnreadableLine(
                f"{tag}: {field.name}: {visible(name)!r} cannot be a name, because addresses contain it; a name has "
                "letters, digits, spaces and signs, but neither / nor \\, no space at its end, and not only dots"
            )


def _refuse_unknown(fields: Mapping[str, Any], kind: type[HouseCommand]) -> None:
    takes = kind.__struct_fields__
    for name in fields:
        if name not in takes:
            hint = nearest(name, takes)
            near = f"did you mean {hint!r}? It" if hint else "it"
            raise UnreadableLine(f"no field {visible(name)[:60]!r}; {near} takes {', '.join(takes) or 'no field'}")


def with_usual_terms(
    command: AnyCommand, known: Sequence[str], within: StatedDeadline, earlier: Mapping[str, Any] = NOTHING_EARLIER
) -> AnyCommand:
    """The same command; an electronic table that states no witnesses opens with those that the house knows, or knew,
    and one that states no deadline for its seeds with that of the server's settings, then or now."""
    return command.with_usual_terms(known, within, earlier) if isinstance(command, HouseCommand) else command


def with_patron(
    command: AnyCommand, stream: Stream, sits_at: SitsAt, earlier: Mapping[str, Any] = NOTHING_EARLIER
) -> AnyCommand:
    """The same command; goodwill that names no patron is for who sits there when it is first proposed, nobody else."""
    if not isinstance(command, Command):
        return command
    return command.with_usual_patron(lambda seat: sits_at(stream_name(stream), seat), earlier)


def _with_earlier_time(fields: dict[str, Any], earlier: Mapping[str, Any]) -> dict[str, Any]:
    """The same with the times that the house gave the earlier command of its id."""
    if "effective" in earlier:
        fields.setdefault("effective", earlier["effective"])
    notice, given = fields.get("notice"), earlier.get("notice")
    if isinstance(notice, dict) and isinstance(given, dict) and "sent" in given:
        fields["notice"] = {"sent": given["sent"], **notice}
    return fields


def _with_house_time(fields: dict[str, Any], kind: type[HouseCommand], now: int) -> dict[str, Any]:
    """The same with the house's time if a time is left out; a different time is refused."""
    if "effective" in kind.__struct_fields__:
        given = fields.setdefault("effective", now)
        if isinstance(given, int) and given < now - CLOCK_SECONDS:
            raise UnreadableLine(f"effective: nothing takes effect before it is done; it is {now} now")
        if kind.TAKES_EFFECT_NOW and isinstance(given, int) and given > now + CLOCK_SECONDS:
            raise UnreadableLine(f"effective: {kind.TAKES_EFFECT_NOW}; it is {now} now")
    notice = fields.get("notice")
    if isinstance(notice, dict):
        notice = dict(notice)
        given = notice.setdefault("sent", now)
        if isinstance(given, int) and abs(given - now) > CLOCK_SECONDS:
            raise UnreadableLine(f"notice.sent: a notice is sent when it arrives; it is {now} now")
        fields["notice"] = notice
    return fields


def command_data(command: AnyCommand) -> dict[str, Any]:
    """A command as plain data, to be shown."""
    found: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(msgspec.to_builtins(command, enc_hook=str)))
    return found
