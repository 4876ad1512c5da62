"""Files that come with the package: where they are, and their tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


def shipped_file(*parts: str) -> Traversable:
    """A file or folder that is shipped with the law."""
    from importlib.resources import files  # noqa: PLC0415  its modules take longer to import than all of `law`

    return files("baccarat.law").joinpath(*parts)


def shipped_names(folder: str) -> tuple[str, ...]:
    """The names of the TOML files in such a folder, in order."""
    found = (entry.name for entry in shipped_file(folder).iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in found if name.endswith(".toml")))


def shipped_text(*parts: str) -> str:
    """The text of such a file."""
    return shipped_file(*parts).read_text(encoding="utf-8")


def shipped_table(*parts: str) -> dict[str, Any]:
    """The table of such a file in TOML."""
    import tomllib  # noqa: PLC0415  only where a file is read

    return tomllib.loads(shipped_text(*parts))
