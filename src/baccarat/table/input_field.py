"""What somebody enters at a console before an act can be done."""

from __future__ import annotations

from typing import Any, Literal

import msgspec


class InputField(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody enters before an act can be done."""

    name: str
    kind: Literal["card", "number", "sum", "text", "flag", "choice", "series"]
    value: Any = None
    """The usual value; none where it must be entered."""
    choices: tuple[Any, ...] = ()
    least: int | None = None
    most: int | None = None
    is_optional: bool = False
    leaves_out: str = ""
    """The field that is not asked for where this flag is set."""
