"""Heads of pages: each HTML file states its own addresses, and its link in the bar, in `meta` elements.

`page-address` holds the addresses of the page, separated by spaces; `page-bar` its position among the links of the bar,
and `page-roles` the roles and sets of roles to which that link is shown. A page is added by adding its files: no list
of pages has to be extended.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from html.parser import HTMLParser
from pathlib import Path
from typing import NamedTuple

from baccarat.table.role import Role, roles_named

PREFIX = "page-"
"""How the names of these elements begin; the other `meta` elements of a page are for the browser."""
ADDRESS, BAR, ROLES = "page-address", "page-bar", "page-roles"
LOBBY = "lobby"
"""The name of the page at `/`."""
BAR_ADDRESS = re.compile(r"/[a-z-]*")
"""The first address of a page in the bar. The page is named after it: scripts know the pages by name only."""


class PageHeadError(ValueError):
    """The head of a page is wrong, or contradicts that of another page."""


class BarLink(NamedTuple):
    """The link to a page in the bar on top of every page."""

    position: int
    name: str
    roles: frozenset[Role]
    """To whom it is shown. It excludes nobody: each request of a page is allowed or denied on its own."""


class PageHead(NamedTuple):
    """What a page states about itself."""

    file: str
    """The name of the HTML file, without its ending."""
    addresses: tuple[str, ...]
    link: BarLink | None = None


class _MetaElements(HTMLParser):
    """Collects the `meta` elements that are for the house."""

    def __init__(self) -> None:
        super().__init__()
        self.contents: dict[str, str] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        name = attributes.get("name") or ""
        if tag == "meta" and name.startswith(PREFIX):
            self.contents[name] = attributes.get("content") or ""


def parse_page_head(file: str, text: str) -> PageHead:
    """The head of one HTML file; `PageHeadError` says what is wrong with it."""
    elements = _MetaElements()
    elements.feed(text)
    found = elements.contents
    if unknown := found.keys() - {ADDRESS, BAR, ROLES}:
        raise PageHeadError(f"{file}.html: {min(unknown)} is unknown")
    if (BAR in found) != (ROLES in found):
        raise PageHeadError(f"{file}.html: {BAR} and {ROLES} are stated together or not at all")
    addresses = tuple(found.get(ADDRESS, "").split())
    if BAR not in found:
        return PageHead(file, addresses)
    if not addresses or not BAR_ADDRESS.fullmatch(addresses[0]):
        raise PageHeadError(f"{file}.html: the first address of a page in the bar is one word, such as /floor")
    if not found[BAR].isdecimal():
        raise PageHeadError(f"{file}.html: {BAR} is a whole number, not {found[BAR]!r}")
    try:
        roles = roles_named(name.strip() for name in found[ROLES].split(","))
    except KeyError as error:
        raise PageHeadError(f"{file}.html: {error.args[0]!r} is neither a role nor a set of roles") from None
    return PageHead(file, addresses, BarLink(int(found[BAR]), addresses[0].removeprefix("/") or LOBBY, roles))


def check_page_heads(heads: Sequence[PageHead]) -> None:
    """No two pages have the same address, or the same position in the bar."""
    addresses = Counter(address for head in heads for address in head.addresses)
    positions = Counter(f"{BAR} {head.link.position}" for head in heads if head.link is not None)
    for what, count in (addresses + positions).items():
        if count > 1:
            raise PageHeadError(f"{what}: {count} pages state it")


def load_page_heads(folder: Path) -> tuple[PageHead, ...]:
    """The heads of all pages in a folder, by the names of the files."""
    heads = tuple(
        parse_page_head(path.stem, path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.html"))
    )
    check_page_heads(heads)
    return heads
