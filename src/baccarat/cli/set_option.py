"""`--set OPTION=VALUE`: a Submission with some of its elections changed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from baccarat.cli.option import option
from baccarat.cli.output import fail

if TYPE_CHECKING:
    from baccarat.law.rulebook import Rulebook

CHANGES = option("--set", "OPTION=VALUE", "Change an option, as TOML, such as tie_odds=9; sums as in '\"$25.00\"'.")


def change_of(text: str) -> tuple[str, Any]:
    """The option and its new value; nothing, none or null removes an election."""
    import tomllib  # noqa: PLC0415

    key, sign, value = text.partition("=")
    if not sign or not key.strip().isidentifier() or "\n" in text:
        fail(f"--set {text!r}: expected OPTION=VALUE, such as tie_odds=9")
    if value.strip() in ("", "null", "none"):
        return key.strip(), None
    try:
        return key.strip(), tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:
        return key.strip(), value.strip()


def with_options(submission: str, changes: list[str] | None) -> Rulebook:
    """The rulebook of a Submission, with these changes."""
    from baccarat.cli.lines import rules_of  # noqa: PLC0415

    return rules_of(submission, typed=True, **dict(map(change_of, changes or [])))
