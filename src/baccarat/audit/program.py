"""The program itself: a hash of every installed file, and one over all, to compare with what was approved."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable

import msgspec

from baccarat import __version__
from baccarat.record.misread import MISREAD, why_unread

IGNORED = ("__pycache__",)
"""Folders in which the interpreter caches compiled files."""


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=False):
    """The files of a program by their paths within it, each with its SHA-256; and one hash over all of that."""

    program: str
    hash: str
    files: dict[str, str]

    def as_data(self) -> dict[str, object]:
        """The manifest as it is printed."""
        return {"program": self.program, "hash": self.hash, "files": self.files}

    def differences(self, known: Manifest) -> tuple[str, ...]:
        """How this program differs from the known one, file by file."""
        found = []
        for name in sorted({*self.files, *known.files}):
            here, there = self.files.get(name), known.files.get(name)
            if here is None:
                found.append(f"{name} is missing")
            elif there is None:
                found.append(f"{name} is not in the manifest")
            elif here != there:
                found.append(f"{name} has the hash {here}, but {there} is expected")
        return tuple(found)


def installed_files() -> Manifest:
    """The files of this package as they are on disk, regardless of any list of them."""
    found = {name: hashlib.sha256(file.read_bytes()).hexdigest() for name, file in sorted(_files(files("baccarat")))}
    return Manifest(program=f"baccarat {__version__}", hash=combined_hash(found), files=found)


def combined_hash(found: dict[str, str]) -> str:
    """SHA-256 over one line per file, as `sha256sum` prints it, sorted by path."""
    lines = "".join(f"{digest}  {name}\n" for name, digest in sorted(found.items()))
    return hashlib.sha256(lines.encode()).hexdigest()


def _files(folder: Traversable, path: str = "") -> Iterator[tuple[str, Traversable]]:
    for entry in folder.iterdir():
        if entry.is_dir():
            if entry.name not in IGNORED:
                yield from _files(entry, f"{path}{entry.name}/")
        else:
            yield f"{path}{entry.name}", entry


def read_manifest(data: bytes) -> Manifest:
    """The output of `baccarat verify --program --json`; `ValueError` if it is something else."""
    try:
        found = msgspec.json.decode(data, type=Manifest)
    except MISREAD as error:
        say = why_unread(data, Manifest, error)
        raise ValueError(f"not a manifest: {say}; baccarat verify --program --json writes one") from None
    if combined_hash(found.files) != found.hash:
        raise ValueError("the hash over all files does not match the list; one of the two was changed")
    return found
