"""Shuffles by hand: the elements that a document names, which are required, in what order, and which are usual."""

from __future__ import annotations

from typing import Any, NamedTuple

from baccarat.law.section import ManualShuffle
from baccarat.play.refusal import RefusalNote
from baccarat.table.base import TableRules

PLUG, RIFFLE, TURN, STRIP = "plug", "riffle", "turn", "strip"


class ShuffleFault(NamedTuple):
    """What a shuffle by hand lacks or gets wrong, and the clause of the element that it fails."""

    what: str
    cite: tuple[str, ...]
    params: dict[str, Any] = {}

    @property
    def note(self) -> RefusalNote:
        """The same as an event stores it."""
        return RefusalNote(self.what, self.params)


def usual_steps(rules: TableRules, *, fresh: bool) -> tuple[str, ...]:
    """A shuffle by hand that holds every element in a lawful order; none where the document names no elements."""
    law = rules.edition.manual_shuffle
    if law is None:
        return ()
    usual = (*(() if fresh else (PLUG,)), *(RIFFLE,) * law.riffles_before_strip, TURN, RIFFLE, STRIP)
    named = [step for step in usual if step in law.elements and step != law.last]
    others = [step for step in law.elements if step not in (*usual, PLUG, law.last)]
    return (*named, *others, law.last)


def fault(rules: TableRules, steps: tuple[str, ...], *, fresh: bool) -> ShuffleFault | None:
    """The first thing wrong with the steps of a shuffle by hand; a fresh set needs no plug (reading A-31)."""
    law = rules.edition.manual_shuffle
    if law is None:
        return None
    unknown = [step for step in steps if step not in law.elements]
    if unknown:
        return ShuffleFault("unknown_element", law.cite, {"element": unknown[0], "elements": ", ".join(law.elements)})
    missing = [step for step in law.elements if step not in steps and not (step == PLUG and fresh)]
    if missing:
        return ShuffleFault("element_missing", _cite(law, missing[0]), {"element": missing[0]})
    if steps[-1] != law.last or steps.count(law.last) > 1:
        return ShuffleFault("element_comes_last", _cite(law, law.last), {"element": law.last})
    turn = steps.index(TURN) if TURN in steps else -1
    if turn >= 0 and RIFFLE in law.elements and steps[turn + 1 : turn + 2] != (RIFFLE,):
        return ShuffleFault("turn_then_riffle", _cite(law, TURN))
    early = _early_strip(law, steps)
    return early if rules.elections.manual_shuffle_strict else None


def warnings(rules: TableRules, steps: tuple[str, ...]) -> list[ShuffleFault]:
    """What is only to be noted: what the text calls usual, and, unless it was made strict, what it says should be."""
    law = rules.edition.manual_shuffle
    if law is None or not steps:
        return []
    found = [ShuffleFault("plug_usually_first", law.plug_cite)] if PLUG in steps and steps[0] != PLUG else []
    early = _early_strip(law, steps)
    return [*found, early] if early is not None else found


def _early_strip(law: ManualShuffle, steps: tuple[str, ...]) -> ShuffleFault | None:
    strip = steps.index(STRIP) if STRIP in steps else -1
    if strip < 0 or steps[:strip].count(RIFFLE) >= law.riffles_before_strip:
        return None
    return ShuffleFault("strip_too_early", _cite(law, STRIP), {"riffles": law.riffles_before_strip})


def _cite(law: ManualShuffle, element: str) -> tuple[str, ...]:
    """The clause of one element; of all of them where the document has none of its own."""
    return getattr(law, f"{element}_cite", ()) or law.cite
