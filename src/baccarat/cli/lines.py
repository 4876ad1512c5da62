"""Lines from outside: a file or standard input, line by line, and the first line, which names the rules."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

from baccarat.cli.output import FAULT, REFUSED, fail
from baccarat.law.error import InvalidSubmission, RulesError
from baccarat.law.rulebook import Rulebook, changed_rulebook
from baccarat.record.bounded import read_bounded_lines
from baccarat.record.line import UnreadableLine, decode_object, refuse_unseen
from baccarat.record.text import BOM

MOST_BYTES = 1 << 20
"""The longest line of a script, of its answers or of a journal; no more is read into memory."""


def standard_input() -> BinaryIO:
    """Standard input, if it is open."""
    if sys.stdin is None:
        fail("standard input is closed")
    return sys.stdin.buffer


def source_name(source: str) -> str:
    """A source of lines, as messages name it."""
    return "standard input" if source == "-" else source


def lines(source: str) -> Iterator[tuple[int, bytes]]:
    """The lines of a file, or of standard input as they come, each with its number; blank lines are skipped."""
    try:
        with nullcontext(standard_input()) if source == "-" else Path(source).open("rb") as stream:
            for number, line in read_bounded_lines(stream, MOST_BYTES):
                if len(line) > MOST_BYTES:
                    fail(f"{source_name(source)}: line {number}: longer than {MOST_BYTES:,} bytes")
                text = line.removeprefix(BOM) if number == 1 else line
                if text.strip():
                    yield number, text
    except (OSError, ValueError) as error:  # a name with a NUL is a ValueError
        fail(f"{source_name(source)}: cannot be read: {getattr(error, 'strerror', None) or error}")


# ----------------------------------------------------------------------------------------- the first line


def read_header(source: str, number: int, line: bytes) -> Rulebook:
    """The rules that the first line names."""

    def fault(say: str, status: int = FAULT) -> NoReturn:
        fail(f"{source_name(source)}: line {number}: {say}", status)

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
        fault(f"the journal was written under rulebook {stated}, this Submission gives {rules.hash}")
    return rules


def rules_of(submission: str | Mapping[str, Any], *, typed: bool = False, **changes: Any) -> Rulebook:
    """The rulebook of a Submission, by name, by path or as a table, with changes, which may have been typed."""
    try:
        return changed_rulebook(submission, changes, typed=typed)
    except (OSError, ValueError) as error:  # a name that no file can have
        why = getattr(error, "strerror", None) or error
        raise RulesError(f"no Submission {str(submission)[:40]!r}…: {why}") from None
    except RecursionError:
        raise RulesError("the Submission is nested too deeply") from None
