"""SVG, safely: elements whose text and attributes are escaped, numbers rounded, and nothing that runs or styles."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape

XMLNS = "http://www.w3.org/2000/svg"

NAME = re.compile(r"[a-zA-Z][a-zA-Z0-9_-]*")
ID = re.compile(r"[a-zA-Z0-9][a-zA-Z0-9-]*")
REFUSED_ELEMENTS = frozenset({"a", "animate", "foreignobject", "image", "script", "set", "style"})
REFUSED_ATTRIBUTES = frozenset({"src", "style", "xlink-href"})
NOT_IN_XML = re.compile("[^\\t\\n\\r\\u0020-\\ud7ff\\ue000-\\ufffd\\U00010000-\\U0010ffff]")
"""Characters that an XML document may not hold, not even escaped."""

Value = str | int | float | None


class Markup(str):
    """SVG made here; any other text is escaped before it is inserted."""

    __slots__ = ()


def number(value: float) -> str:
    """A number with at most two decimals, and no more digits than it needs."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def text_of(value: str) -> Markup:
    """A text escaped for a document, whatever it holds."""
    return Markup(escape(NOT_IN_XML.sub("\ufffd", value), quote=True))


def element(name: str, *children: str | Iterable[str], **attributes: Value) -> Markup:
    """An element: `class_` is its class, `data_seat` is `data-seat`; None leaves an attribute out.

    A child that is not `Markup` is text. Anything that could run, style or fetch is refused: it would be our bug.
    """
    assert NAME.fullmatch(name), f"not an element: {name!r}"
    assert name.lower() not in REFUSED_ELEMENTS, f"not allowed in a picture: {name}"
    written = "".join(_attribute(key, value) for key, value in attributes.items() if value is not None)
    inside = "".join(_flatten(children))
    return Markup(f"<{name}{written}>{inside}</{name}>" if inside else f"<{name}{written}/>")


def _attribute(key: str, value: str | int | float) -> str:
    name = key.rstrip("_").replace("_", "-")
    low = name.lower()
    assert NAME.fullmatch(name), f"not an attribute: {name!r}"
    assert low not in REFUSED_ATTRIBUTES, f"attribute not allowed in a picture: {name}"
    assert not low.startswith("on"), f"a picture has no event handlers: {name}"
    written = text_of(value) if isinstance(value, str) else number(value)
    assert name != "href" or written.startswith("#"), f"a picture links only to itself, not to {written}"
    assert name != "id" or ID.fullmatch(written), f"not an id: {written}"
    return f' {name}="{written}"'


def _flatten(children: Iterable[str | Iterable[str]]) -> Iterable[str]:
    for child in children:
        if isinstance(child, Markup):
            yield child
        elif isinstance(child, str):
            yield text_of(child)
        else:
            yield from _flatten(child)


def path_data(*parts: str | float) -> str:
    """The data of a path: commands as letters, coordinates as numbers."""
    return " ".join(part if isinstance(part, str) else number(part) for part in parts)


def document(width: float, height: float, *children: str | Iterable[str], label: str, **attributes: Value) -> Markup:
    """A whole picture with the name that a screen reader speaks; it works on its own and in a page."""
    given: dict[str, Value] = {"role": "img", **attributes}
    return Markup(
        element(
            "svg",
            *children,
            xmlns=XMLNS,
            viewBox=given.pop("viewBox", None) or f"0 0 {number(width)} {number(height)}",
            width=width,
            height=height,
            aria_label=label,
            **given,
        )
        + "\n"
    )


def rotation(angle: float, x: float, y: float) -> str:
    """A transform: turned by an angle in degrees about a point."""
    return f"rotate({number(angle)} {number(x)} {number(y)})"


def translation(x: float, y: float, *, scale: float = 1.0, angle: float = 0.0) -> str:
    """A transform: moved to a point, then turned, then scaled."""
    parts = [f"translate({number(x)} {number(y)})"]
    if angle:
        parts.append(f"rotate({number(angle)})")
    if scale != 1.0:
        parts.append(f"scale({scale:.4g})")
    return " ".join(parts)
