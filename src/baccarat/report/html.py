"""A report as one page of HTML: light and dark, phone and desktop, screen and print; nothing is loaded from outside."""

from __future__ import annotations

import re
from html import escape
from importlib.resources import files

from baccarat.report.model import Block, LabReport, Plot, ReportSection, TableBlock, Text

_UNSAFE = re.compile(r"[^a-z0-9]+")


def page(report: LabReport) -> str:
    """The report as a page."""
    style = files("baccarat.report").joinpath("lab.css").read_text(encoding="utf-8")
    names = _names(report.sections)
    contents = "".join(_entry(section, name) for section, name in zip(report.sections, names, strict=True))
    body = "".join(_section(section, name) for section, name in zip(report.sections, names, strict=True))
    facts = "".join(f"<div><dt>{escape(term)}</dt><dd>{escape(said)}</dd></div>" for term, said in report.facts)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f'<meta name="generator" content="baccarat {escape(report.version)}">\n'
        f"<title>{escape(report.title)}: {escape(report.short)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n"
        '<a class="skip" href="#report">To the report</a>\n'
        f'<header>\n<p class="over">{escape(report.subtitle)}</p>\n<h1>{escape(report.title)}</h1>\n'
        f"<dl>{facts}</dl>\n</header>\n"
        f'<nav aria-label="Contents">\n<h2>Contents</h2>\n<ol>{contents}</ol>\n</nav>\n'
        f'<main id="report">\n{body}</main>\n'
        f"<footer><p>{escape(report.short)} · rulebook <code>{escape(report.hash)}</code> · "
        f"baccarat {escape(report.version)}</p></footer>\n</body>\n</html>\n"
    )


def _names(sections: tuple[ReportSection, ...]) -> list[str]:
    """A unique anchor for each section."""
    names: list[str] = []
    for section in sections:
        stem = _UNSAFE.sub("-", section.title.lower()).strip("-") or "section"
        name, number = stem, 2
        while name in names:
            name, number = f"{stem}-{number}", number + 1
        names.append(name)
    return names


def _entry(section: ReportSection, name: str) -> str:
    level = ' class="part"' if section.level > 1 else ""
    return f'<li{level}><a href="#{name}">{escape(section.title)}</a></li>\n'


def _section(section: ReportSection, name: str) -> str:
    head = f"h{section.level + 1}"
    blocks = "".join(_block(block, f"{name}-{number}") for number, block in enumerate(section.blocks, start=1))
    title = f'<{head} id="{name}">{escape(section.title)}</{head}>'
    return f'<section aria-labelledby="{name}">\n{title}\n{blocks}</section>\n'


def _block(block: Block, name: str) -> str:
    match block:
        case Text():
            return f"<p>{escape(block.text)}</p>\n"
        case TableBlock():
            return _table(block, name)
        case Plot():
            return _plot(block, name)


def _plot(plot: Plot, name: str) -> str:
    # Two pictures on one page must not share a name, but Vega numbers its clipping paths from 0 in each.
    svg = re.sub(r'(id="|url\(#)(clip|gradient)', rf"\g<1>{name}-\g<2>", plot.svg)
    caption = f"<figcaption>{escape(plot.title)}</figcaption>"
    return (
        f'<figure>{caption}<div class="plot" role="region" tabindex="0" aria-label="{escape(plot.title)}">'
        f"{svg}</div></figure>\n"
    )


def _table(table: TableBlock, name: str) -> str:
    head = "".join(
        f'<th scope="col"{_class(column.words, wide=column.share > 0)}>{escape(column.head)}</th>'
        for column in table.columns
    )
    rows = []
    for place, row in enumerate(table.rows):
        first, *others = row
        cells = "".join(
            f"<td{_class(column.words)}>{escape(cell)}</td>"
            for column, cell in zip(table.columns[1:], others, strict=True)
        )
        total = ' class="total"' if table.total and place == len(table.rows) - 1 else ""
        rows.append(f'<tr{total}><th scope="row">{escape(first)}</th>{cells}</tr>\n')
    small = ' class="small"' if table.small else ""
    return (
        f'<div class="table" role="region" tabindex="0" aria-labelledby="{name}">\n<table{small}>\n'
        f'<caption id="{name}">{escape(table.caption)}</caption>\n<thead><tr>{head}</tr></thead>\n'
        f"<tbody>\n{''.join(rows)}</tbody>\n</table>\n</div>\n"
    )


def _class(words: object, *, wide: bool = False) -> str:
    names = [name for name, on in (("words", words), ("wide", wide)) if on]
    return f' class="{" ".join(names)}"' if names else ""
