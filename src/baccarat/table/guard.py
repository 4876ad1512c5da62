"""The guard: what is asked of every command before its own handler decides: a table that goes on, a role, a step."""

from __future__ import annotations

from baccarat.play.refusal import Refused
from baccarat.table.base import WRONG_MOMENTS, Command, Reason, TableRules, refuse, step_cites
from baccarat.table.state import State

FIRST_OF_A_ROUND = "wager"


def guard(rules: TableRules, state: State, command: Command) -> Refused | None:
    """Why a command is refused whatever it says; None if its handler may decide."""
    if state.stopped and not command.STOPPED:
        keys = rules.edition.options["decks"].cite
        return refuse(rules, Reason.STOPPED, f"the table has stopped: {state.stopped}", *keys)
    if command.by not in command.ROLES:
        allowed = " or the ".join(sorted(role.value for role in command.ROLES))
        say = f"the {command.by.value} may not do this; the {allowed} may"
        keys = command.belongs_under(rules.edition)
        return refuse(rules, Reason.WRONG_ROLE, say, *keys, cites=() if keys else _own_cites(rules, state, command))
    if command.STEPS and state.step not in command.STEPS:
        return _wrong_step(rules, state, command)
    return None


def _wrong_step(rules: TableRules, state: State, command: Command) -> Refused:
    """An act at the wrong step is answered with the clause that rules the act, not with that of the current step."""
    explain = WRONG_MOMENTS.get(type(command))
    explained = explain(rules, state, command) if explain is not None else None
    if explained is not None:
        return explained
    keys = command.ruled_by(rules.edition)
    if _own_step(rules, state, command) is None:
        rows = (row.cite for row in rules.edition.steps if row.name in command.STEPS)
        say = "as this table's rules are filed, nobody does this here"
        return refuse(rules, Reason.NOT_OFFERED, say, *(keys or next(rows, rules.edition.deal.cite)))
    say = f"not now: the table is at {state.step.replace('_', ' ')}"
    return refuse(rules, Reason.WRONG_STEP, say, *keys, cites=() if keys else _own_cites(rules, state, command))


def _own_cites(rules: TableRules, state: State, command: Command) -> tuple[str, ...]:
    step = _own_step(rules, state, command) if command.STEPS else None
    return step_cites(rules, state, step or state.step)


def _own_step(rules: TableRules, state: State, command: Command) -> str | None:
    """The step that an act belongs to; of several the next one, or the last one passed in this round."""
    index, here = rules.step_index, rules.step_index[state.step]
    steps = sorted((step for step in command.STEPS if step in index), key=lambda step: index[step])
    if not steps:
        return None
    later = [step for step in steps if index[step] >= here]
    passed = [step for step in steps if index.get(FIRST_OF_A_ROUND, 0) < index[step] < here]
    return later[0] if later else passed[-1] if passed else steps[0]
