"""The page on the house: its rules, its books with their commands and events, and who sees what of a table."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from baccarat.house.book import Aggregate
from baccarat.house.registry import BOOKS
from baccarat.house.rule import HOUSE_RULES
from baccarat.table.audience import STATE_SHOWN, Shown, Sight
from baccarat.table.registry import EVENT_SHOWN
from baccarat.table.role import Role

INTRODUCTION = """# The house

Many tables and what they share, without I/O. Each book is a value, like a table: a *command* is decided into *events*,
or refused with a clause; events evolve the book, and replaying them gives it again.

```python
>>> from baccarat import rulebook
>>> from baccarat.house.cage_act import BringBankroll, FillTray, OpenTray
>>> from baccarat.house.filed_rules import file_rules
>>> from baccarat.house.house import House
>>> from baccarat.house.inventory import Inventory
>>> from baccarat.house.house_book import AddPit
>>> from baccarat.house.table_opening import OpenTable
>>> from baccarat.table.actor import Actor, Approval
>>> from baccarat.table.role import Role
>>> from baccarat.table.table_cards import TableCards
>>> rules = rulebook("ma-midi-4")
>>> house = House(rules)
>>> admin = Actor(who="a7", role=Role.ADMINISTRATOR, approvals=(Approval("c2", Role.CAGE_CASHIER),))
>>> floor = Actor(who="f1", role=Role.FLOORPERSON, approvals=(Approval("c2", Role.CAGE_CASHIER),))
>>> boss = Actor(who="b3", role=Role.PIT_BOSS)
>>> _ = house.do(AddPit(name="A"), admin, stream="house")
>>> _ = house.do(BringBankroll(amount=100_000_00), admin, stream="cage")
>>> opening = OpenTable(table="T1", filed=file_rules(rules), effective=0, cards=TableCards.REAL)
>>> _ = house.do(opening, boss, stream="pit A")
>>> _ = house.do(OpenTray(table="T1", chips=Inventory({100_00: 50, 5_00: 200})), floor, stream="cage")
>>> from baccarat.house.cage import CAGE_BOOK
>>> print(CAGE_BOOK.tell(house.logs["cage"][-1]))
Slip 1: T1 opens with $6,000.00: 200 of $5.00, 50 of $100.00 (asked for by f1, approved by c2).
>>> alone = Actor(who="f1", role=Role.FLOORPERSON, approvals=(Approval("F1 ", Role.CAGE_CASHIER),))
>>> print(house.do(FillTray(table="T1", chips=Inventory({5_00: 10})), alone, stream="cage"))
f1 cannot approve f1's own request: “fill tray” takes two persons  [house §two-persons]

```

What a table shares, its link's meters and the books of forms and coupons, is decided *together* with its own act:
`house.table("T1")` is used like a lone table, and what its link or a book would refuse is refused there. A decision
names every stream it touches and how many events that stream had, so that a store can compare and append to all of
them atomically; if another act came first, it is decided again.

A match play coupon (reading A-23) has a number. Two persons issue it to a patron (`issue_coupons`); the
patron's wager names it (`coupon_number` of `place_wager`), and the coupon book says whether it was issued, to whom,
for how much, and where it is. It comes back with a wager that nothing decides, and is used up otherwise. The count
team counts the coupons of each table before the day closes. At an electronic table, automated or not, no other coupon
is taken. Where real cards are dealt, a coupon without a number is still taken: the dealer, who sees the paper, answers
for it. A table without a house has no coupon book, so that a number is recorded there and not checked.

Player protection is an election of the house, because no document names it: it is in no Submission, and changes no
rulebook's hash. What a participant chooses for himself is in the book `players`, by person and not by device, and every
table asks that book before somebody sits down or puts more at risk. The loss of a gaming day is what the postings have
taken from the person less what they have given since there was a limit, with all that lies on layouts: so an audit that
decides again comes to the same answer. Nothing ends by itself; a wait, a time-out or an exclusion is over when its
person says so in a command whose time, which is the house's, is late enough.
"""


def house_page() -> str:
    """The whole page."""
    lines = [
        INTRODUCTION,
        "## House rules",
        "",
        "What the documents leave to the house. A refusal cites these rules by name.",
        "",
    ]
    lines += ["| rule | what it says |", "|---|---|"]
    lines += [f"| `house §{name}` | {words} |" for name, words in HOUSE_RULES.items()]
    for held in BOOKS.values():
        lines += ["", f"## {held.title}", *_commands(held.book), "", "| event | what has happened |", "|---|---|"]
        lines += [f"| `{kind.__struct_config__.tag}` | {_first(kind)} |" for kind in held.book.evolvers]
    lines += ["", "## Who sees what of a table", "", AUDIENCES, ""]
    lines += _sights(STATE_SHOWN, "part of the state")
    lines += ["", *_sights(EVENT_SHOWN, "event")]
    return "\n".join(lines) + "\n"


AUDIENCES = """\
One list (`src/baccarat/table/audience.py`) says who sees each field of a state, and the description of each event who
sees its fields; what is not listed is shown to nobody. *Own* means the participant concerned, and the staff at the
table. Nobody sees a playing card before it is turned, because no state and no event has one."""


def _first(kind: type[Any]) -> str:
    return (kind.__doc__ or "").strip().splitlines()[0]


def _commands(book: Aggregate[Any]) -> Iterable[str]:
    yield ""
    yield "| command | what | by | approved by |"
    yield "|---|---|---|---|"
    for kind in book.handlers:
        by = "asked by its handler" if len(kind.ROLES) == len(Role) else _roles(kind.ROLES)
        yield f"| `{kind.__struct_config__.tag}` | {_first(kind)} | {by} | {_roles(kind.SECOND) or '–'} |"


def _roles(roles: frozenset[Role]) -> str:
    return ", ".join(role.value for role in Role if role in roles)


def _sights(shown: dict[str, Shown], what: str) -> Iterable[str]:
    yield f"| {what} | " + " | ".join(role.value for role in Role) + " |"
    yield "|---" * (len(Role) + 1) + "|"
    for name, each in shown.items():
        fields = {field: sight for field, sight in each.fields.items() if field != "cites"}
        cells = [_cell(each, fields, role) for role in Role]
        yield f"| `{name}` | " + " | ".join(cells) + " |"


def _cell(shown: Shown, fields: dict[str, Sight], role: Role) -> str:
    if role not in shown.to:
        return "–"
    seen = [field for field, sight in fields.items() if role in sight]
    if len(seen) == len(fields):
        own = any(sight.own and role is Role.PARTICIPANT for sight in fields.values())
        return "all, own" if own else "all"
    hidden = len(fields) - len(seen)
    return f"all but {hidden}" if len(seen) > hidden else (", ".join(seen).replace("_", " ") or "that it happened")
