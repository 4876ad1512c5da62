"""Pictures read back as XML, and what must hold of every one of them."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree import ElementTree as ET

SVG = "{http://www.w3.org/2000/svg}"
NOT_ALLOWED = frozenset({"a", "animate", "foreignObject", "image", "link", "script", "set", "style"})


def tree(picture: str) -> ET.Element:
    """A picture as a tree; an error where it is no XML."""
    return ET.fromstring(picture)


def name(element: ET.Element) -> str:
    """The name of an element without its namespace."""
    return element.tag.removeprefix(SVG)


def classed(root: ET.Element, *classes: str) -> Iterator[ET.Element]:
    """Every element that has all of these classes."""
    for each in root.iter():
        if set(classes) <= set(each.get("class", "").split()):
            yield each


def check_picture(picture: str) -> ET.Element:
    """The tree of a picture that keeps to our rules: it is whole, runs nothing, styles nothing, points to itself."""
    root = tree(picture)
    assert name(root) == "svg"
    ids = [each.get("id") for each in root.iter() if each.get("id")]
    assert len(ids) == len(set(ids)), "ids are unique"
    for each in root.iter():
        assert each.tag.startswith(SVG), f"{each.tag} is not of SVG"
        assert name(each) not in NOT_ALLOWED, name(each)
        for key, value in each.attrib.items():
            assert key != "style", name(each)
            assert not key.lower().startswith("on"), f"{key} on {name(each)}"
            assert key.startswith(("aria-", "data-")) or "url(" not in value, f"{key} fetches {value}"
            if key.endswith("href"):
                assert value.removeprefix("#") in ids, value
    return root
