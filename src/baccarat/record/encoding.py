"""Bytes and numbers as text, with exactly one text for each: anything that others could read differently is refused."""

from __future__ import annotations

import base64
import binascii


def to_base64(data: bytes) -> str:
    """Bytes as standard base64 (RFC 4648, section 4)."""
    return base64.b64encode(data).decode()


def from_base64(text: str) -> bytes | None:
    """The bytes of a text; None if it is not what `to_base64` writes for them."""
    try:
        data = base64.b64decode(text)
    except (binascii.Error, ValueError):  # a character that is not ASCII is a ValueError
        return None
    return data if to_base64(data) == text else None  # decoding ignores some characters


def from_decimal(text: str, most: int) -> int | None:
    """The whole number up to `most` in ASCII digits, without a sign or a leading zero; otherwise None."""
    if not (text.isascii() and text.isdigit()) or len(text) > len(str(most)) or (len(text) > 1 and text[0] == "0"):
        return None
    number = int(text)
    return number if number <= most else None
