"""What the doctor of a house finds: a state, a sentence, and what to do about it."""

from __future__ import annotations

from enum import Enum

import msgspec


class Health(Enum):
    """How something is; the later, the worse."""

    UNCHECKED = "not checked"
    WELL = "well"
    ATTENTION = "attention"
    WRONG = "wrong"


class Diagnosis(msgspec.Struct, frozen=True, kw_only=True):
    """How one thing is that a house needs."""

    name: str
    health: Health
    say: str
    do: str = ""
    """What to do; empty if nothing is."""


def healthy(name: str, say: str) -> Diagnosis:
    """Nothing is to be done."""
    return Diagnosis(name=name, health=Health.WELL, say=say)


def not_checked(name: str, say: str) -> Diagnosis:
    """A diagnosis that was not made, and why."""
    return Diagnosis(name=name, health=Health.UNCHECKED, say=say)


def needs_attention(name: str, say: str, do: str) -> Diagnosis:
    """Somebody should look after it before it is wrong."""
    return Diagnosis(name=name, health=Health.ATTENTION, say=say, do=do)


def faulty(name: str, say: str, do: str) -> Diagnosis:
    """Something is wrong now."""
    return Diagnosis(name=name, health=Health.WRONG, say=say, do=do)


def size_text(size: float) -> str:
    """A number of bytes."""
    if size < 1000:
        return f"{size:.0f} bytes"
    for unit in ("kB", "MB"):
        size /= 1000
        if size < 1000:
            return f"{size:.1f} {unit}"
    return f"{size / 1000:.1f} GB"


def age_text(seconds: float) -> str:
    """How long something took, or is ago."""
    if abs(seconds) < 100:
        return f"{seconds:.0f} seconds" if abs(seconds) >= 10 else f"{seconds:.1f} seconds"
    minutes = round(seconds / 60)
    if minutes < 120:
        return f"{minutes} minutes"
    hours = round(minutes / 60)
    return f"{hours} hours" if hours < 48 else f"{round(hours / 24)} days"
