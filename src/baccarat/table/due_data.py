"""The sentence about an act that is due, as a name and parameters, for readers of another language."""

from __future__ import annotations

import msgspec

from baccarat.table.base import Due, TableRules
from baccarat.table.state import TableState
from baccarat.table.step_function import DESCRIBED


class Sentence(msgspec.Struct, frozen=True, kw_only=True):
    """A sentence as a name and parameters; the words themselves are next to it."""

    what: str = ""
    params: dict[str, int | str] = {}


NO_SENTENCE = Sentence()


def sentence_of(rules: TableRules, state: TableState, due: Due) -> Sentence:
    """What is asked of somebody, as data."""
    what, more = DESCRIBED[due.act](rules, state, due) if due.act in DESCRIBED else (due.act, {})
    params: dict[str, int | str] = {"seat": due.seat}  # 0 is the dealer
    if due.amount:
        params["amount"] = due.amount
    if due.position is not None:
        params["number"] = due.position + 1
    return Sentence(what=what, params={**params, **more})
