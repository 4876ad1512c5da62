"""Heads of pages: what they state is read, and what is wrong is refused when the program starts."""

from __future__ import annotations

from pathlib import Path

import pytest

from baccarat.serve.route.page import ADDRESSES, PAGE_ROLES, PAGES
from baccarat.serve.route.page_head import (
    BarLink,
    PageHead,
    PageHeadError,
    check_page_heads,
    load_page_heads,
    parse_page_head,
)
from baccarat.table.role import OBSERVERS, PAPER_READERS, RECORD_READERS, Role


def head(**contents: str) -> str:
    elements = "".join(f'<meta name="page-{name}" content="{content}">\n' for name, content in contents.items())
    return f'<!doctype html>\n<head>\n<meta charset="utf-8">\n<meta name="viewport" content="1">\n{elements}</head>\n'


class TestWhatIsRead:
    def test_a_page_outside_the_bar(self) -> None:
        assert parse_page_head("odds", head(address="/odds /odds/{name:str}")) == PageHead(
            "odds", ("/odds", "/odds/{name:str}")
        )

    def test_a_page_in_the_bar_is_named_after_its_first_address(self) -> None:
        found = parse_page_head("tables", head(address="/watch /watch/all", bar="50", roles="observers, pit clerk"))
        assert found.link == BarLink(50, "watch", OBSERVERS | {Role.PIT_CLERK})

    def test_the_page_at_the_root_is_the_lobby_and_may_be_for_every_role(self) -> None:
        found = parse_page_head("tables", head(address="/", bar="10", roles="every_role"))
        assert found.link == BarLink(10, "lobby", frozenset(Role))

    def test_a_page_without_an_address_is_at_none(self) -> None:
        assert parse_page_head("nothing", head()) == PageHead("nothing", ())


class TestWhatIsRefused:
    @pytest.mark.parametrize(
        ("contents", "say"),
        [
            ({"adress": "/a"}, "page-adress is unknown"),
            ({"address": "/a", "bar": "10"}, "page-bar and page-roles are stated together or not at all"),
            ({"address": "/a", "roles": "public"}, "page-bar and page-roles are stated together or not at all"),
            ({"bar": "10", "roles": "public"}, "the first address of a page in the bar is one word, such as /floor"),
            ({"address": "/a/{name:str}", "bar": "10", "roles": "public"}, "the first address of a page in the bar"),
            ({"address": "/a", "bar": "last", "roles": "public"}, "page-bar is a whole number, not 'last'"),
            ({"address": "/a", "bar": "10", "roles": "king"}, "'king' is neither a role nor a set of roles"),
            ({"address": "/a", "bar": "10", "roles": ""}, "'' is neither a role nor a set of roles"),
        ],
    )
    def test_a_head(self, contents: dict[str, str], say: str) -> None:
        with pytest.raises(PageHeadError, match=r"^a\.html: ") as refused:
            parse_page_head("a", head(**contents))
        assert say in str(refused.value)

    @pytest.mark.parametrize(
        ("first", "second", "say"),
        [
            ({"address": "/a"}, {"address": "/b /a"}, "/a: 2 pages state it"),
            (
                {"address": "/a", "bar": "10", "roles": "public"},
                {"address": "/b", "bar": "10", "roles": "dealer"},
                "page-bar 10: 2 pages state it",
            ),
        ],
    )
    def test_two_heads(self, first: dict[str, str], second: dict[str, str], say: str) -> None:
        with pytest.raises(PageHeadError, match=say):
            check_page_heads([parse_page_head("a", head(**first)), parse_page_head("b", head(**second))])

    def test_a_folder_is_checked_as_a_whole(self, tmp_path: Path) -> None:
        for name in ("a", "b"):
            (tmp_path / f"{name}.html").write_text(head(address="/a"))
        with pytest.raises(PageHeadError, match="/a: 2 pages state it"):
            load_page_heads(tmp_path)


class TestThePagesOfTheHouse:
    """Written out a second time: to whom the bar shows a link, and where it leads."""

    def test_every_page_says_where_it_is(self) -> None:
        assert {file.file for file in load_page_heads(PAGES) if not file.addresses} == {"nothing"}

    def test_the_bar_has_these_pages_in_this_order(self) -> None:
        assert list(PAGE_ROLES) == [
            "lobby",
            "my-rounds",
            "dealer",
            "drill",
            "floor",
            "watch",
            "office",
            "rules",
            "odds",
        ]

    def test_each_is_shown_to_the_roles_that_it_is_of_use_to(self) -> None:
        assert PAGE_ROLES["lobby"] == PAGE_ROLES["rules"] == PAGE_ROLES["odds"] == frozenset(Role)
        assert PAGE_ROLES["my-rounds"] == {Role.PARTICIPANT}
        assert PAGE_ROLES["dealer"] == {Role.DEALER, Role.FLOORPERSON}
        assert PAGE_ROLES["drill"] == {Role.DEALER, Role.FLOORPERSON, Role.PARTICIPANT, Role.PUBLIC}
        assert PAGE_ROLES["floor"] == PAPER_READERS - OBSERVERS
        assert PAGE_ROLES["watch"] == RECORD_READERS
        assert PAGE_ROLES["office"] == {
            Role.ADMINISTRATOR, Role.CASINO_SUPERVISOR, Role.PIT_BOSS, Role.REGULATOR
        }  # fmt: skip

    def test_a_script_finds_the_address_of_a_page_by_its_name(self) -> None:
        """As `addressOf` in `js/shell.js` does."""
        assert {"/" if name == "lobby" else f"/{name}" for name in PAGE_ROLES} <= set(ADDRESSES)
        script = (PAGES / "js" / "shell.js").read_text("utf-8")
        assert 'const addressOf = (page) => (page === "lobby" ? "/" : `/${page}`);' in script
