"""Text from outside: invisible characters could forge a line, or control a terminal."""

from __future__ import annotations

from unicodedata import category

BOM = b"\xef\xbb\xbf"
"""What some programs put at the beginning of a text file; it means nothing."""
JOINERS = frozenset("\u200c\u200d")
"""Zero-width characters that some scripts need within a word."""


def is_unseen(sign: str) -> bool:
    """Whether a character only controls a terminal or the direction of text: controls, line ends, overrides, marks."""
    return category(sign) in ("Cc", "Cf", "Cs", "Zl", "Zp") and sign not in JOINERS


def visible(text: str, *, keep: str = "") -> str:
    """Text in which every invisible character is written out, such as \\x1b; `keep` names those that stay."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        sign.encode("unicode_escape").decode() if is_unseen(sign) and sign not in keep else sign for sign in text
    )
