"""The door: what comes in as lines of text, read with care; whatever is wrong is told with its place."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NoReturn

import msgspec

from baccarat.cards import Card
from baccarat.cli.out import FAULT, REFUSED, fail, is_unseen, visible
from baccarat.law.error import InvalidSubmission, RulesError, nearest
from baccarat.law.rulebook import Rulebook, changed_rulebook

if TYPE_CHECKING:
    from baccarat.table.base import Command, Event

BOM = b"\xef\xbb\xbf"
MOST = 1 << 53
"""The whole numbers up to here mean the same to every reader of JSON."""


class UnreadableLine(Exception):  # noqa: N818
    """A line that cannot be read: what is wrong with it, and what was expected."""


def standard_input() -> BinaryIO:
    """Standard input, if it is open."""
    if sys.stdin is None:
        fail("standard input is closed", FAULT)
    return sys.stdin.buffer


def named(source: str) -> str:
    """A source of lines, as messages name it."""
    return "standard input" if source == "-" else source


def lines(source: str) -> Iterator[tuple[int, bytes]]:
    """The lines of a file, or of standard input as they come, each with its number; blank lines are left out."""
    try:
        with nullcontext(standard_input()) if source == "-" else Path(source).open("rb") as stream:
            for number, line in enumerate(stream, start=1):
                text = line.removeprefix(BOM) if number == 1 else line
                if text.strip():
                    yield number, text
    except (OSError, ValueError) as error:  # a name with a NUL is a ValueError
        fail(f"{named(source)}: cannot be read: {getattr(error, 'strerror', None) or error}", FAULT)


def decode(line: bytes) -> Any:
    """The JSON value of a line; nothing in it is deeper, larger or stranger than a table can mean."""
    try:
        line.decode()
        value = msgspec.json.decode(line)
    except UnicodeDecodeError as error:
        raise UnreadableLine(
            f"not UTF-8: byte 0x{line[error.start]:02x} at place {error.start + 1} of the line"
        ) from None
    except msgspec.DecodeError as error:
        breaks_off = "truncated" in str(error) or not line.endswith(b"\n")
        half = " (only half of the line has been written)" if breaks_off else ""
        raise UnreadableLine(f"not JSON: {error}{half}; expected one JSON object a line") from None
    except RecursionError:
        raise UnreadableLine("nested too deeply; expected one JSON object a line") from None
    _look(value, "")
    return value


def decode_object(line: bytes) -> dict[str, Any]:
    """The JSON object of a line."""
    value = decode(line)
    if not isinstance(value, dict):
        raise UnreadableLine(f"expected a JSON object, not {visible(line.decode().strip())[:40]}")
    return value


def _look(value: Any, place: str) -> None:
    """Refuse numbers that no table has, wherever they stand."""
    if isinstance(value, int | float) and not -MOST <= value <= MOST:
        raise UnreadableLine(f"{place or 'the line'}: the number is too large; expected at most {MOST}")
    if isinstance(value, dict):
        for key, part in value.items():
            _look(part, f"{place}.{visible(key)}" if place else visible(key))
    if isinstance(value, list):
        for part in value:
            _look(part, place)


def refuse_unseen(value: Any, place: str = "") -> None:
    """Refuse characters that a reader does not see: they could forge a line of a transcript, or steer a terminal."""
    if isinstance(value, str):
        found = next((sign for sign in value if is_unseen(sign)), None)
        if found is not None:
            say = f"{place or 'a key'}: the character {visible(found)} is not taken; expected visible text"
            raise UnreadableLine(say)
    elif isinstance(value, dict):
        for key, part in value.items():
            refuse_unseen(key)
            refuse_unseen(part, f"{place}.{key}" if place else key)
    elif isinstance(value, list):
        for part in value:
            refuse_unseen(part, place)


# ----------------------------------------------------------------------------------------- the first line


def read_header(source: str, number: int, line: bytes) -> Rulebook:
    """The rules that the first line names."""

    def fault(say: str, status: int = FAULT) -> NoReturn:
        fail(f"{named(source)}: line {number}: {say}", status)

    try:
        header = decode_object(line)
        refuse_unseen(header)
    except UnreadableLine as error:
        fault(str(error))
    submission = header.get("submission")
    if not isinstance(submission, str | dict):
        fault('expected {"submission": …}, the name of a Submission or its table, in the first line')
    try:
        rules = rules_of(submission)
    except InvalidSubmission as error:
        fault(f"the Submission is not valid: {error}", REFUSED)
    except RulesError as error:
        fault(str(error))
    stated = header.get("rulebook")
    if stated is not None and stated != rules.hash:
        fault(f"the journal was kept under rulebook {stated}, this Submission gives {rules.hash}")
    return rules


def rules_of(submission: str | Mapping[str, Any], *, typed: bool = False, **changes: Any) -> Rulebook:
    """The rulebook of a Submission, by name, by path or as a table, with changes, which a person may have typed."""
    try:
        return changed_rulebook(submission, changes, typed=typed)
    except (OSError, ValueError) as error:  # a name that no file can have
        why = getattr(error, "strerror", None) or error
        raise RulesError(f"no Submission {str(submission)[:40]!r}…: {why}") from None
    except RecursionError:
        raise RulesError("the Submission is nested too deeply") from None


# ---------------------------------------------------------------------------------- commands and events


def read_command(line: bytes) -> Command:
    """The command that a line tells; cards may be written 9s, sums "$25.00"."""
    from baccarat.cli.commands import KINDS, card_fields  # noqa: PLC0415
    from baccarat.cli.money import read_sums  # noqa: PLC0415

    value = decode_object(line)
    refuse_unseen(value)
    tag = value.get("do")
    kind = KINDS.get(tag) if isinstance(tag, str) else None
    if kind is None:
        hint = nearest(tag, KINDS) if isinstance(tag, str) else None
        say = f"no command {tag!r}" if "do" in value else 'expected a command, such as {"do": "close_shoe"}'
        raise UnreadableLine(say + (f"; did you mean {hint!r}?" if hint else "") + "; see baccarat run --commands")
    try:
        for name in card_fields(kind):
            if isinstance(value.get(name), str):
                card = Card.parse(value[name])
                value[name] = {"rank": card.rank.value, "suit": card.suit.value}
    except ValueError as error:
        raise UnreadableLine(f"{tag}: {name}: {error}") from None
    try:
        read_sums(str(tag), value)
    except ValueError as error:
        raise UnreadableLine(f"{tag}: {error}") from None
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        takes = ", ".join(name for name in kind.__struct_fields__)
        raise UnreadableLine(
            f"{tag}: {visible(str(error))}; it takes {takes}; see baccarat run --commands {tag}"
        ) from None


def read_event(value: dict[str, Any]) -> Event:
    """The event that a line of a journal tells."""
    from baccarat.cli.commands import EVENTS  # noqa: PLC0415

    tag = value.get("event")
    kind = EVENTS.get(tag) if isinstance(tag, str) else None
    if kind is None:
        raise UnreadableLine(f"expected an event, a refusal or an unreadable line, not {visible(str(value))[:60]}")
    try:
        return msgspec.convert(value, kind, str_keys=True)
    except msgspec.ValidationError as error:
        raise UnreadableLine(f"no event {tag}: {visible(str(error))}") from None
