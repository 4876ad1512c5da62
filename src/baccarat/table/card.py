"""Cards: what lists, forms and pages say about a command or an event, as a value next to its class.

They are derived from the cards, so that a new kind is described in one place: in the module that owns it. Its name in
each language is in the files of words.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from baccarat.table.audience import Shown

CommandGroup = Literal["", "orders", "rules", "corrections", "people", "vigorish", "forms", "day"]
CommandPace = Literal["none", "prepare", "card", "call", "pay", "clear"]
ConsoleKind = Literal["", "plain", "seat", "reason", "declined"]
EventSort = Literal["step", "wager", "card", "call", "payment", "irregularity", "correction", "other"]
"""By what a journal is filtered; steps head what follows them."""
EventAlert = Literal["", "vigorish", "correction", "overdue"]
Discretion = Literal[
    "", "shoe", "round", "card", "seen", "order", "wagers", "sum", "count", "terms", "trigger", "nothing"
]
"""What somebody's judgement decides by an act, and so how the act is valued (`audit/discretion_worth.py`)."""


class CommandCard(msgspec.Struct, frozen=True, kw_only=True):
    """The properties of a kind of command besides who may give it and when: how pages and dealers treat it."""

    group: CommandGroup = ""
    """The commands with which a page groups it; empty: those of its stream."""
    pace: CommandPace = "prepare"
    """The pause after which an automated dealer does it (`Pace`); `none` where there is nothing to see."""
    by_clock: bool = False
    """Whether the clock submits it at an automated table in the dealer's place, so that others have their time."""
    although_optional: Literal["", "promised", "practice"] = ""
    """When a program does it as soon as it may be done, although it is optional: `promised` where an electronic shoe
    has promised its order, `practice` at a practice table."""
    shows_seed: bool = False
    """Whether it shows the seed of a shoe: it has a deadline, so it waits for nobody's papers, and a seed that is lost
    is reported by people."""
    console: ConsoleKind = ""
    """How a dealer's console prepares it: `plain`, with nothing more to say; `seat`, with the seat that is due;
    `reason`, once a reason is entered; `declined`, as an offer that the dealer may decline for a participant who is
    away. Empty: as its `fills` function does (`step_function.py`), or not at all."""
    ask: str = ""
    """What is to be done in words, where it is due and no sum, card or seat belongs to it. Empty: as its `asks`
    function says (`step_function.py`), or it is never due."""
    ask_is_public: bool = False
    """Whether everybody at the table may read what is asked; where not, it names debts, forms or boxes of cards."""
    public_ask: str = ""
    """What everybody may read instead of what is asked; empty: nothing."""
    by_wager: bool = False
    """Whether a wager decides whose act it is, so that it is shown only to those who see the wagers."""
    is_wager: bool = False
    """Whether it concerns a single wager, and so is too late after “no more bets”."""
    from_shoe: bool = False
    """Whether an electronic shoe completes it: what it leads to is not known beforehand."""
    states_card: bool = False
    """Whether its sender states the card even of an electronic shoe, because a person has seen it."""
    before_sealing: bool = False
    """Whether an electronic shoe completes it before its order is sealed, too: no card depends on it."""
    discretion: Discretion = ""
    """What it decides, if a document leaves it to somebody's judgement, so that the report of discretion lists it: the
    rest of a `shoe`, one `round`, a `card` of the round, a card that was `seen` on staff's word, the `order` of cards
    that nobody has seen, or how many of them come, whose `wagers` lie, a `sum` of money, what a `count` finds, the
    `terms` of wagers to come, a `trigger` that nobody can open, or `nothing` that is worth anything.
    Empty: not discretionary. `Command.is_discretionary` may narrow it."""
    own_answer: bool = False
    """Whether a participant decides it for himself: it is somebody's judgement only where staff answer for him."""


NO_CARD = CommandCard()
"""The card of a command that is treated like any other of its stream."""


class EventCard(msgspec.Struct, frozen=True):
    """The properties of a kind of event: who sees it, how it is sorted, and what partial viewers see of it."""

    shown: Shown
    """Who sees the event, and each of its fields; a field that is not listed is shown to nobody."""
    sort: EventSort
    alert: EventAlert = ""
    """Which alert it raises for those who oversee tables (`AlertKind`); empty: none."""
    short: str = ""
    """A sentence for those who do not see a required field, with `{seat}` or `{who}`; empty: none."""
    changes_automation: bool = False
    """Whether a program may have something to do at the table from then on that it had not before."""
    given: str = ""
    """The field with the money that participants have by it, in cents, where somebody's judgement gives it to them;
    what the cards owed them before, or owe them no longer, is accounted for apart from it (`owed.py`)."""
