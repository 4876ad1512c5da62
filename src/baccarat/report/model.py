"""A report as data: sections of text, tables and plots, the same for the page and for paper."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from baccarat import __version__
from baccarat.law.rulebook import Rulebook


class Column(msgspec.Struct, frozen=True):
    """One column of a table: its head, whether it holds words, and its share of the remaining width."""

    head: str
    words: bool = False
    share: int = 0


class Text(msgspec.Struct, frozen=True, tag="text", tag_field="kind"):
    """A paragraph."""

    text: str


class TableBlock(msgspec.Struct, frozen=True, kw_only=True, tag="table", tag_field="kind"):
    """A table; the first cell of a row heads it, and the last row may be a total."""

    caption: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]
    total: bool = False
    small: bool = False


class Plot(msgspec.Struct, frozen=True, kw_only=True, tag="plot", tag_field="kind"):
    """A plot as SVG, with a title and a full description."""

    title: str
    description: str
    svg: str


Block = Text | TableBlock | Plot
Facts = Iterable[tuple[str, str]]
"""The facts at the head of a report: terms, each with its words."""


class ReportSection(msgspec.Struct, frozen=True, kw_only=True):
    """A part of a report under a heading; the level is one, or two for a part of the part before."""

    title: str
    blocks: tuple[Block, ...]
    level: int = 1


class LabReport(msgspec.Struct, frozen=True, kw_only=True):
    """A lab report."""

    title: str
    subtitle: str
    hash: str
    short: str
    """The rulebook in a few words, for the head of every page."""
    version: str = __version__
    facts: tuple[tuple[str, str], ...]
    sections: tuple[ReportSection, ...]
    date: str = ""


def rulebook_report(
    rules: Rulebook, title: str, facts: Facts, sections: Iterable[ReportSection], *, short: str = "", date: str = ""
) -> LabReport:
    """A report about a rulebook; `short` if the name of its edition is not enough."""
    return LabReport(
        title=title,
        subtitle=rules.edition.title,
        hash=rules.hash,
        short=short or rules.edition.name,
        facts=tuple(facts),
        sections=tuple(sections),
        date=date,
    )
