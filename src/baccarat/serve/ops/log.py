"""The log of a server: what happens to the process, one line each, on standard error.

For people it is sentences, for programs (`--json`, and always in production) lines of JSON. It is about the process,
never about play: the journal has who did what at a table, the access log who signed on. So that no card, name, token
or seed ever gets into it, only the fields of `FIELDS` can be logged; of a fault the log has its kind and where in the
program it arose, not its message, which may quote what somebody typed.
"""

from __future__ import annotations

import asyncio
import logging
import re
import sys
import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TextIO, cast

import structlog

FIELDS: dict[str, type] = {
    "address": str,
    "port": int,
    "lacks": list,
    "faults": list,
    "tables": int,
    "entries": int,
    "seconds": float,
    "table": str,
    "role": str,
    "why": str,
    "method": str,
    "fault": str,
    "where": list,
    "logger": str,
    "version": str,
}
"""The fields of a line besides `event`, `say`, `level` and `time`, with their types."""
LEVELS = {"debug": 10, "info": 20, "warning": 30, "error": 40}
FRAMES = 6
"""How many of the innermost stack frames are logged with a fault."""
_PLACE = re.compile(r"%(?:\([^)]*\))?[-#0 +]*[\d*]*(?:\.[\d*]+)?[a-zA-Z]")
"""A place for an argument in a format."""
_PACKAGE = Path(__file__).parent.parent.parent.parent


class ServerLog:
    """The log of one server."""

    def __init__(self, *, json: bool, level: str = "info", file: TextIO | None = None) -> None:
        renderer: Any = structlog.processors.JSONRenderer() if json else _sentence
        self._log = structlog.wrap_logger(
            structlog.PrintLogger(cast(TextIO, _LogStream(file))),
            processors=[
                structlog.processors.add_log_level,
                structlog.processors.TimeStamper(fmt="iso", utc=True, key="time"),
                renderer,
            ],
            wrapper_class=structlog.make_filtering_bound_logger(LEVELS[level]),
        )

    def say(self, event: str, text: str, *, level: str = "info", **fields: Any) -> None:
        """Log an event: its name for programs, a sentence for people."""
        for name, value in fields.items():
            assert name in FIELDS, f"{name} may not be logged"
            assert isinstance(value, FIELDS[name]), f"{name} is logged as {FIELDS[name].__name__}"
        self._log.log(LEVELS[level], event, say=text, **fields)

    def fault(self, error: BaseException, text: str, **fields: Any) -> None:
        """Log a bug of the program: its kind, and where it arose."""
        self.say("fault", text, level="error", fault=type(error).__name__, where=_fault_location(error), **fields)

    def take_over(self) -> None:
        """Log the warnings of libraries too, so that nothing else writes to standard error."""
        root = logging.getLogger()
        root.handlers = [_LogHandler(self)]
        root.setLevel(logging.WARNING)
        for name in ("uvicorn", "uvicorn.error", "uvicorn.access", "uvicorn.asgi"):
            logging.getLogger(name).setLevel(logging.WARNING)


class _LogStream:
    """The current standard error; if nobody reads it any more, the house continues without it."""

    def __init__(self, file: TextIO | None) -> None:
        self._file = file

    def write(self, text: str) -> None:
        stream = self._file or sys.stderr
        try:
            stream.write(text)
        except (OSError, ValueError):
            return

    def flush(self) -> None:
        try:
            (self._file or sys.stderr).flush()
        except (OSError, ValueError):
            return


class _LogHandler(logging.Handler):
    """Logs a library's warning: the first line, with numbers, without other arguments, which may be anybody's text."""

    def __init__(self, log: ServerLog) -> None:
        super().__init__(logging.WARNING)
        self._log = log

    def emit(self, record: logging.LogRecord) -> None:
        said = _library_text(record).partition("\n")[0][:200]
        level = "error" if record.levelno >= logging.ERROR else "warning"
        if record.exc_info and record.exc_info[1] is not None:
            if _is_hung_up(record.exc_info[1]):
                return  # the house may not answer any more, which has been logged
            self._log.fault(record.exc_info[1], said, logger=record.name)
        else:
            self._log.say("library", said, level=level, logger=record.name)


def _library_text(record: logging.LogRecord) -> str:
    """What a library says, with `…` for every argument that is not a number."""
    if not record.args:
        return str(record.msg)
    given = record.args
    shown: Any = (
        {name: _shown(each) for name, each in given.items()}
        if isinstance(given, Mapping)
        else tuple(map(_shown, given))
    )
    try:
        return str(str(record.msg) % shown)
    except (TypeError, ValueError, KeyError):  # a format for numbers, or for other arguments than were given
        return _PLACE.sub("…", str(record.msg))


def _shown(argument: object) -> object:
    return argument if isinstance(argument, int | float) else "…"


def _is_hung_up(error: BaseException | None) -> bool:
    """Whether an answer was not sent because its connection was cut, or because the server waits no longer."""
    while error is not None:
        if isinstance(error, ConnectionError | asyncio.CancelledError):
            return True
        error = error.__cause__
    return False


def _sentence(_logger: Any, _name: str, event: dict[str, Any]) -> str:
    """A line for people."""
    where = f"\n  at {event['where'][-1]}: {event['fault']}" if event.get("where") else ""
    return f"{event['say']}{where}"


def _fault_location(error: BaseException) -> list[str]:
    """The innermost stack frames of a fault."""
    found = []
    for frame in traceback.extract_tb(error.__traceback__)[-FRAMES:]:
        path = Path(frame.filename)
        shown = path.relative_to(_PACKAGE) if path.is_relative_to(_PACKAGE) else Path(path.name)
        found.append(f"{shown}:{frame.lineno} {frame.name}")
    return found


def silent_log() -> ServerLog:
    """A log of errors only, for programs that open a house themselves."""
    return ServerLog(json=True, level="error")
