"""What tables only follow: commands that are part of an act of two persons in a book of the house."""

from __future__ import annotations

import pytest

from baccarat.house.book import HouseCommand, TableFollows
from baccarat.house.registry import BOOKS, FOLLOWING_COMMANDS, TABLE_FOLLOWS
from baccarat.house.rule import HOUSE_RULES
from baccarat.play.refusal_text import SENTENCES
from baccarat.table.base import FollowingCommand
from baccarat.table.registry import EVOLVERS, HANDLERS


@pytest.mark.parametrize("follows", FOLLOWING_COMMANDS.values(), ids=lambda each: each.command.__name__)
def test_what_a_table_follows_is_recorded_whole_and_refused_to_anybody_else(follows: TableFollows) -> None:
    assert follows.command in HANDLERS
    assert follows.event in EVOLVERS
    recorded = {*follows.event.__struct_fields__}
    assert {*follows.command.__struct_fields__, "requester", "approver"} <= recorded, "it is decided again from these"
    assert follows.refusal in SENTENCES
    assert follows.rule in HOUSE_RULES


def test_every_command_of_this_kind_follows_an_act_of_one_book() -> None:
    assert set(FOLLOWING_COMMANDS) == {kind for kind in HANDLERS if issubclass(kind, FollowingCommand)}
    assert sum(map(len, TABLE_FOLLOWS.values())) == len(FOLLOWING_COMMANDS) == 3


def test_what_tables_follow_takes_two_persons_and_says_which_tables() -> None:
    kinds: list[type[HouseCommand]] = [kind for held in BOOKS.values() for kind in held.book.handlers]
    followed = [kind for kind in kinds if kind.FOLLOWED_BY is not None]
    assert all(kind.SECOND for kind in followed)
    assert all(kind.table_commands is not HouseCommand.table_commands for kind in followed)
