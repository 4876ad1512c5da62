"""What can go wrong with a house, read from tests/data/fault_matrix.toml, and its table on the operators' page."""

from __future__ import annotations

from pathlib import Path

import msgspec

ROOT = Path(__file__).resolve().parent.parent
MATRIX = ROOT / "tests" / "data" / "fault_matrix.toml"


class Fault(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One row of the matrix."""

    name: str
    what: str
    seen: str
    lasts: str
    lost: str
    tests: tuple[str, ...]
    programs: tuple[str, ...] = ()


class Matrix(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The file."""

    fault: tuple[Fault, ...]


def faults() -> tuple[Fault, ...]:
    """All rows, in the order of the file."""
    return msgspec.toml.decode(MATRIX.read_bytes(), type=Matrix).fault


def operations_parts() -> dict[str, str]:
    """The table of faults, for people who run a house."""
    lines = ["| fault | what people see | how long | what is lost | how it is tried |", "|---|---|---|---|---|"]
    lines += [
        f"| {each.what} | {each.seen} | {each.lasts} | {each.lost} | `make faults ONLY={each.name}` |"
        for each in faults()
    ]
    return {"faults": "\n".join([*lines, ""])}
