"""Citations as they are printed."""

from __future__ import annotations


def paragraphs(edition: str, *names: str) -> tuple[str, ...]:
    """Citations as printed."""
    return tuple(f"{edition} §{name}" for name in names)
