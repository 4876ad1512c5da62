"""Paints: every class that a picture uses, with the attributes that make it look right without a page's style.

A page that shows a picture inline gives the same classes, each behind `p-`, the colours of its theme in `picture.css`.
Cards and chips look the same in every theme, as they do on a table.
"""

from __future__ import annotations

from collections.abc import Iterable

from baccarat.picture.svg import Markup, Value, element

SANS = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', 'Noto Sans', sans-serif"
SERIF = "'Iowan Old Style', 'Palatino Linotype', Palatino, P052, 'Book Antiqua', Georgia, serif"

PAPER, SURFACE, LINE, LINE_STRONG = "#f5f2ea", "#fffdf8", "#dad4c5", "#857e6c"
INK, INK_2, INK_3, SUNKEN, ACCENT, WARN = "#1b201d", "#4b534d", "#626a63", "#ebe7dc", "#1c513b", "#855300"
BANKER, PLAYER, TIE = "#b3261e", "#1f4fb8", "#17703d"
FELT, FELT_DEEP, FELT_LINE, FELT_INK = "#1c513b", "#153f2e", "#6d9a83", "#f4f0e2"

_TEXT = {"font-family": SANS, "text-anchor": "middle"}

PAINTS: dict[str, dict[str, str]] = {
    # the felt
    "cloth": {"fill": FELT},
    "area-cloth": {"fill": FELT, "stroke": FELT_LINE, "stroke-width": "0.8"},
    "area-pot": {"fill": FELT_DEEP, "stroke": FELT_LINE, "stroke-width": "1"},
    "area-name": {**_TEXT, "fill": FELT_INK, "font-weight": "650", "letter-spacing": "0.08em"},
    "area-player": {"fill": "#bcd2ff"},
    "area-banker": {"fill": "#ffbdb4"},
    "area-tie": {"fill": "#a9ebc5"},
    "pot-name": {**_TEXT, "fill": FELT_INK, "font-weight": "600"},
    "inscription": {**_TEXT, "fill": FELT_INK, "font-weight": "600", "letter-spacing": "0.14em"},
    "inscription-cloth": {"fill": FELT_DEEP, "stroke": FELT_LINE, "stroke-width": "0.8"},
    "sign-plate": {"fill": SURFACE, "stroke": LINE_STRONG, "stroke-width": "1"},
    "sign-text": {**_TEXT, "fill": INK, "font-weight": "600"},
    "seat-line": {"fill": "none", "stroke": FELT_LINE, "stroke-width": "1.4"},
    "seat-edge": {"fill": "none", "stroke": "none", "stroke-width": "2.5"},
    "seat-disc": {"fill": SURFACE, "stroke": LINE_STRONG, "stroke-width": "1.2"},
    "seat-number": {**_TEXT, "fill": INK, "font-weight": "650"},
    "seat-combination": {**_TEXT, "fill": INK_2, "font-weight": "600"},
    "card-place": {"fill": "none", "stroke": LINE_STRONG, "stroke-width": "1.2", "stroke-dasharray": "4 4"},
    "box": {"fill": SURFACE, "stroke": LINE, "stroke-width": "1"},
    "box-number": {**_TEXT, "fill": INK_3, "font-weight": "600"},
    # roads
    "road-paper": {"fill": SURFACE},
    "road-grid": {"fill": "none", "stroke": LINE, "stroke-width": "1"},
    "road-last": {"fill": SUNKEN},
    "fill-banker": {"fill": BANKER},
    "fill-player": {"fill": PLAYER},
    "fill-tie": {"fill": TIE},
    "line-banker": {"fill": "none", "stroke": BANKER},
    "line-player": {"fill": "none", "stroke": PLAYER},
    "line-tie": {"fill": "none", "stroke": TIE},
    "fill-red": {"fill": BANKER},
    "fill-blue": {"fill": PLAYER},
    "line-red": {"fill": "none", "stroke": BANKER},
    "line-blue": {"fill": "none", "stroke": PLAYER},
    "dot-banker": {"fill": BANKER, "stroke": SURFACE, "stroke-width": "0.8"},
    "dot-player": {"fill": PLAYER, "stroke": SURFACE, "stroke-width": "0.8"},
    "on-banker": {**_TEXT, "fill": "#ffffff", "font-weight": "700"},
    "on-player": {**_TEXT, "fill": "#ffffff", "font-weight": "700"},
    "on-tie": {**_TEXT, "fill": "#ffffff", "font-weight": "700"},
    "tie-count": {**_TEXT, "fill": TIE, "font-weight": "700", "stroke": SURFACE, "paint-order": "stroke"},
    # words of a diagram or a plot
    "title": {"font-family": SERIF, "fill": INK, "font-weight": "600", "text-anchor": "start"},
    "word": {**_TEXT, "fill": INK},
    "word-start": {"font-family": SANS, "fill": INK, "text-anchor": "start"},
    "word-end": {"font-family": SANS, "fill": INK, "text-anchor": "end"},
    "faint": {**_TEXT, "fill": INK_3},
    "faint-start": {"font-family": SANS, "fill": INK_3, "text-anchor": "start"},
    "faint-end": {"font-family": SANS, "fill": INK_3, "text-anchor": "end"},
    "clause": {**_TEXT, "fill": ACCENT, "font-weight": "600"},
    "sheet": {"fill": PAPER},
    "step": {"fill": SURFACE, "stroke": LINE_STRONG, "stroke-width": "1"},
    "step-within": {"fill": "none", "stroke": LINE_STRONG, "stroke-width": "1", "stroke-dasharray": "4 3"},
    "arrow": {"fill": "none", "stroke": INK_3, "stroke-width": "1.2"},
    "arrow-head": {"fill": INK_3},
    "axis": {"fill": "none", "stroke": LINE_STRONG, "stroke-width": "1"},
    "rule": {"fill": "none", "stroke": LINE, "stroke-width": "1"},
    "mean": {"fill": "none", "stroke": INK_2, "stroke-width": "1", "stroke-dasharray": "2 2"},
    "band-2": {"fill": SUNKEN, "stroke": LINE, "stroke-width": "1"},
    "band-1": {"fill": LINE},
    "pointer": {"fill": INK, "stroke": INK, "stroke-width": "1.6"},
    "pointer-outside": {"fill": WARN, "stroke": WARN, "stroke-width": "1.6"},
    "bar-other": {"fill": "#5b5f6b"},
    "line-other": {"fill": "none", "stroke": "#5b5f6b"},
}  # fmt: skip


def with_paint(name: str, paint: str, *children: str | Iterable[str], **attributes: Value) -> Markup:
    """An element under one or more paints: their classes, and their attributes for use without a page's style."""
    looks: dict[str, Value] = {}
    for each in paint.split():
        looks |= {key.replace("-", "_"): value for key, value in PAINTS[each].items()}
    classes = " ".join(f"p-{each}" for each in paint.split())
    return element(name, *children, class_=classes, **{**looks, **attributes})
