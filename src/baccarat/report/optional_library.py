"""The libraries of the extras, imported when they are used."""

from __future__ import annotations

from importlib import import_module
from typing import Any


class MissingExtra(ModuleNotFoundError):  # noqa: N818  an answer to the person
    """A library that is not installed; its text says what to install."""


def require_library(name: str, *, what: str, extra: str = "report") -> Any:
    """A library by its name; `MissingExtra` says how to install it."""
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        missing = error.name or name
        raise MissingExtra(
            f'{what} needs {missing}, which is not installed: pip install "baccarat[{extra}]"', name=missing
        ) from None
