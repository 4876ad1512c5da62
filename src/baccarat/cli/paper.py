"""Paper from the terminal: the PAR workbook and the lab report, with a bar while they are made."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from baccarat.cli.out import FAULT, fail
from baccarat.law.rulebook import Rulebook
from baccarat.odds import Prices


def write(
    rules: Rulebook,
    prices: Prices,
    *,
    meters: Mapping[str, int] | None,
    xlsx: Path | None,
    html: Path | None,
    pdf: Path | None,
) -> None:
    """Write what is asked for."""
    del rules, prices, meters, xlsx, html, pdf
    fail("not yet", FAULT)
