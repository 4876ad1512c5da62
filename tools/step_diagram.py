"""The steps of a table as a picture: boxes in the edition's own order, with the ways back."""

from __future__ import annotations

from html import escape
from typing import NamedTuple

from baccarat.law.edition import Edition

BOX, HIGH, GAP_X, GAP_Y, LEFT, TOP = 132, 34, 16, 22, 150, 46
PER_ROW = 6
STYLE = """
svg { font-family: system-ui, sans-serif; }
.paper { fill: #fbfaf7; } .box { fill: #efe9dc; stroke: #8a8371; }
.within { fill: none; stroke: #8a8371; stroke-dasharray: 4 3; }
text { fill: #222; font-size: 12px; text-anchor: middle; }
.group { font-weight: bold; text-anchor: start; font-size: 14px; }
.note { text-anchor: start; }
.arrow { stroke: #555; fill: none; marker-end: url(#head); }
#head path { fill: #555; }
"""

GROUPS = (("A new shoe", "receive"), ("Between rounds", "close"), ("A round", "wager"))
"""Each part of the table's life, and the step with which it begins."""


class Box(NamedTuple):
    """One step, and the acts that may happen within it."""

    name: str
    within: tuple[str, ...]


def steps_of(edition: Edition) -> list[Box]:
    """The steps in order, each once, with the acts within them."""
    names = dict.fromkeys(row.name for row in edition.steps if row.within is None)
    return [Box(name, tuple(dict.fromkeys(r.name for r in edition.steps if r.within == name))) for name in names]


def groups_of(boxes: list[Box]) -> list[tuple[str, list[Box]]]:
    """The steps by part of the table's life; what comes before the first part can happen at any time."""
    heads = {step: title for title, step in GROUPS}
    found: list[tuple[str, list[Box]]] = [("At any time", [])]
    for box in boxes:
        if box.name in heads:
            found.append((heads[box.name], []))
        found[-1][1].append(box)
    return [(title, members) for title, members in found if members]


def diagram(edition: Edition) -> str:
    """The picture, readable in light and dark."""
    parts: list[str] = []
    y = TOP
    for title, boxes in groups_of(steps_of(edition)):
        parts.append(f'<text class="group" x="12" y="{y + 22}">{escape(title)}</text>')
        for row in range(0, len(boxes), PER_ROW):
            members = boxes[row : row + PER_ROW]
            deepest = max(len(box.within) for box in members)
            for column, box in enumerate(members):
                parts += _box(box, LEFT + column * (BOX + GAP_X), y, has_next=column + 1 < len(members))
            y += HIGH + deepest * 22 + GAP_Y
        y += 10
    width = LEFT + PER_ROW * (BOX + GAP_X) + 12
    note = (
        "After every act the table takes the first step of this list that is due. After “clear” it begins at the top: "
        "the next round, the next shoe."
    )
    parts.append(f'<text class="note" x="12" y="{y + 8}">{escape(note)}</text>')
    parts.append('<text class="note" x="12" y="26">Dashed: acts within a step.</text>')
    head = (
        '<marker id="head" markerWidth="8" markerHeight="8" refX="7" refY="4" orient="auto">'
        '<path d="M0 0 L8 4 L0 8z"/></marker>'
    )
    label = escape(f"The steps of {edition.title}")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {y + 24}" role="img" aria-label="{label}">\n'
        f"<style>{STYLE}</style>\n<defs>{head}</defs>\n"
        f'<rect class="paper" width="{width}" height="{y + 24}" rx="8"/>\n' + "\n".join(parts) + "\n</svg>\n"
    )


def _box(box: Box, x: int, y: int, *, has_next: bool) -> list[str]:
    parts = [_rectangle("box", box.name, x, y, HIGH)]
    parts += [
        _rectangle("within", name, x + 6, y + HIGH + 4 + 22 * index, 18, BOX - 12)
        for index, name in enumerate(box.within)
    ]
    if has_next:
        parts.append(f'<path class="arrow" d="M{x + BOX} {y + HIGH // 2} h{GAP_X - 1}"/>')
    return parts


def _rectangle(kind: str, name: str, x: int, y: int, high: int, wide: int = BOX) -> str:
    words = escape(name.replace("_", " "))
    return (
        f'<rect class="{kind}" x="{x}" y="{y}" width="{wide}" height="{high}" rx="5"/>'
        f'<text x="{x + wide // 2}" y="{y + high // 2 + 4}">{words}</text>'
    )
