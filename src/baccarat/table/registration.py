"""Registration: which function decides each command, evolves each event, and lists the acts due at each step.

A module registers what it owns when it is imported (`registry.py` imports them all). `step_function.py` registers how
acts are asked for and done, and how events are narrated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from msgspec.structs import replace

from baccarat.play.refusal import Refused
from baccarat.table.actor import Actor, Origin
from baccarat.table.base import Command, Due, Event, HandlerResult, StepBegan, TableRules
from baccarat.table.role import Role
from baccarat.table.state import TableState

C = TypeVar("C", bound=Command)
E = TypeVar("E", bound=Event)
K = TypeVar("K")
F = TypeVar("F", bound=Callable[..., Any])
Handler = Callable[[TableRules, TableState, C], HandlerResult]
ActorHandler = Callable[[TableRules, TableState, C, Actor], HandlerResult]
Evolver = Callable[[TableState, E], TableState]
IsDue = Callable[[TableRules, TableState], bool]
Expect = Callable[[TableRules, TableState], list[Due]]
StepCites = Callable[[TableRules, TableState], tuple[str, ...]]
WrongMoment = Callable[[TableRules, TableState, C], Refused | None]
ClockLimit = Callable[[TableRules, TableState, C], Refused | None]

HANDLERS: dict[type[Command], Callable[..., HandlerResult]] = {}
"""The function that decides each command."""
HANDLERS_1: dict[type[Command], Callable[..., HandlerResult]] = {}
HANDLERS_2: dict[type[Command], Callable[..., HandlerResult]] = {}
"""How versions 1 and 2 of the deciding functions decided what is decided differently now (`machine.BEHAVIOUR`).

They distinguish the records of those versions from forgeries.
"""
DUE_2: dict[str, IsDue] = {}
"""Whether a step was due by version 2 and before, where that was decided differently."""
DEPENDS_ON_ACTOR: set[type[Command]] = set()
"""The commands whose handlers depend on who acts; other handlers are called without the actor."""
EVOLVERS: dict[type[Event], Evolver[Any]] = {}
"""How each event changes the state."""
STEPS: dict[str, tuple[IsDue, Expect]] = {}
"""For each step: whether it is due, and which acts it expects."""
STEP_CITES: dict[str, StepCites] = {}
"""For steps that are not always reached under the same clause: the clauses by which the table is there."""
WRONG_MOMENTS: dict[type[Command], WrongMoment[Any]] = {}
"""For commands whose wrong moment is ruled by a clause other than their step's: the function that says which."""
CLOCK_LIMITS: dict[type[Command], ClockLimit[Any]] = {}
"""For every command that a clock may give: the limit of what a clock may do with it."""


def registers(registered: dict[Any, Any], key: object, twice: str) -> Callable[[F], F]:
    """A decorator that registers a function under its key; `twice` is the error if one is already registered."""

    def register(function: F) -> F:
        assert key not in registered, twice
        registered[key] = function
        return function

    return register


def handles(kind: type[C]) -> Callable[[Handler[C]], Handler[C]]:
    """Marks the function that decides a kind of command; a type checker refuses one that takes another kind."""
    return registers(HANDLERS, kind, f"{kind.__name__} is decided twice")


def handles_actor(kind: type[C]) -> Callable[[ActorHandler[C]], ActorHandler[C]]:
    """The same for a command on which it depends who acts, or who else approves."""
    DEPENDS_ON_ACTOR.add(kind)
    return registers(HANDLERS, kind, f"{kind.__name__} is decided twice")


def evolves(kind: type[E]) -> Callable[[Evolver[E]], Evolver[E]]:
    """Marks the function that changes the state by a kind of event."""
    return registers(EVOLVERS, kind, f"{kind.__name__} changes the state twice")


def explains_wrong_moment(*kinds: type[C]) -> Callable[[WrongMoment[C]], WrongMoment[C]]:
    """Marks the function that says why a command comes at the wrong step, where a clause of its own decides that."""

    def register(explain: WrongMoment[C]) -> WrongMoment[C]:
        for kind in kinds:
            registers(WRONG_MOMENTS, kind, f"{kind.__name__} is explained twice")(explain)
        return explain

    return register


def limits_clock(kind: type[C]) -> Callable[[ClockLimit[C]], ClockLimit[C]]:
    """Marks the function that limits what a clock, which has neither role nor seat, may do with a command (A-95)."""
    assert Origin.CLOCK in kind.ORIGINS, f"no clock gives {kind.__name__}"
    return registers(CLOCK_LIMITS, kind, f"the clock's {kind.__name__} is limited twice")


def no_clock_limit(_rules: TableRules, _state: TableState, _command: Command) -> Refused | None:
    """No special limit: the handler checks a command of the clock as it checks anybody's."""
    return None


def add_step(name: str, *, due: IsDue, expect: Expect, cites: StepCites | None = None) -> None:
    """Registers a step that an edition may list: whether it is due, which acts it expects, perhaps under which clause.

    Without `cites` the step is always reached under the clauses of its row.
    """
    assert name not in STEPS, f"the step {name} is in two modules"
    STEPS[name] = due, expect
    if cites is not None:
        STEP_CITES[name] = cites


def dealer_does(act: str, step: str) -> Expect:
    """For a step that is a single act of the dealer: that act is expected, under the clauses of the step."""
    return lambda rules, _state: [Due(by=Role.DEALER, act=act, cites=rules.cites[step])]


def step_cites(rules: TableRules, state: TableState, step: str) -> tuple[str, ...]:
    """The clauses by which a table is at a step."""
    found = STEP_CITES[step](rules, state) if step in STEP_CITES else ()
    return found or rules.cites.get(step, ())


def kinds_of(base: type[K]) -> set[type[K]]:
    """The kinds of command or event that exist: every subclass that has none itself."""
    found = {each for kind in base.__subclasses__() for each in kinds_of(kind)}
    return found or {base}


def check_complete(what: str, base: type[Any], registered: Iterable[type[Any]]) -> None:
    """Stops an import that would leave a kind of command or event without its function."""
    missing = sorted(kind.__name__ for kind in kinds_of(base) - set(registered))
    if missing:
        raise TypeError(f"no {what} for {', '.join(missing)}")


evolves(StepBegan)(lambda state, event: replace(state, step=event.step))
