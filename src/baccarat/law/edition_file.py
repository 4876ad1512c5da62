"""The file of an edition: which sections it may have, and what each of them contains."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from baccarat.law import section
from baccarat.law.clause import is_citable
from baccarat.law.error import RulesError, hint
from baccarat.law.fact import Definitions
from baccarat.law.row import Draw
from baccarat.law.section import is_cite
from baccarat.law.sound.words import is_cited
from baccarat.law.typed_value import Misfit, convert_to

OPTIONAL_SECTIONS: dict[str, Any] = {
    "match_play": section.MatchPlay,
    "verbal": section.VerbalLaw,
    "free_hand": section.FreeHand,
    "house_money": section.HouseMoneyLaw,
    "royal9": section.Royal9Law,
    "must_hit": section.MustHitLaw,
    "curator": section.Curator,
    "vigorish_form": section.VigorishForm,
    "manual_shuffle": section.ManualShuffle,
}
"""Sections of law that a document may be without."""
SECTIONS: dict[str, Any] = {
    "cut": section.CutLaw,
    "burn": section.Burn,
    "point_count": section.PointCount,
    "no_more_bets": section.NoMoreBets,
    "deal": section.Deal,
    "reveal": section.Reveal,
    "third_card": section.ThirdCard,
    "settlement": section.SettlementLaw,
    "vigorish": section.Vigorish,
    "void": section.VoidLaw,
    "error_card": section.ErrorCard,
    "face_up": section.RemedyLaw,
}
"""Sections of law that every document has."""
OTHER_WORDS: dict[str, Any] = {
    "name": section.Word,
    "title": section.Word,
    "jurisdiction": str,
    "revision": section.Positive,
    "definition": dict[str, section.Conditions],
    "option": dict[str, section.Option],
    "constraint": tuple[section.Constraint, ...],
    "wager": dict[str, section.WagerLaw],
    "tableau": tuple[Draw, ...],
    "call": tuple[section.CallLaw, ...],
    "step": tuple[section.StepRow, ...],
    "steps_left_out": tuple[section.Word, ...],
    "uniform": tuple[section.Uniform, ...],
    "notice": tuple[section.NoticeLaw, ...],
    "pays": dict[str, Any],
    "record": section.RecordDefaults,
    "clause": dict[str, section.Word],
    "pending": dict[str, tuple[str, ...]],
    "physical": dict[str, section.Word],
}
"""Sections that are not a single table of law, with the types of their content."""
NEEDED_SECTIONS = (
    *SECTIONS,
    "name",
    "title",
    "definition",
    "option",
    "tableau",
    "wager",
    "call",
    "step",
    "pays",
    "record",
)


def with_lists(node: Any) -> Any:
    """The same table with every citation as a list."""
    if isinstance(node, Mapping):
        return {
            key: [each] if isinstance(each, str) and is_cite(key) else with_lists(each) for key, each in node.items()
        }
    return [with_lists(each) for each in node] if isinstance(node, list) else node


def sections_of(table: Mapping[str, Any]) -> dict[str, Any]:
    """Every section in its own type; one that is unknown, missing or malformed is refused."""
    called = table.get("name")
    name = f"{called}: " if isinstance(called, str) and is_citable(called) else ""
    kinds = {**SECTIONS, **OPTIONAL_SECTIONS, **OTHER_WORDS}
    for word in table:
        if word not in kinds:
            raise RulesError(f"{name}{word}: no such section{hint(word, kinds)}")
    missing = [word for word in NEEDED_SECTIONS if word not in table]
    if missing:
        also = f"; so are {', '.join(missing[1:])}" if missing[1:] else ""
        raise RulesError(f"{name}{missing[0]}: this section is missing{also}")
    try:
        return {word: convert_to(table[word], kind, word) for word, kind in kinds.items() if word in table}
    except Misfit as misfit:
        raise RulesError(f"{name}{misfit}") from None


def definitions_of(table: Mapping[str, Any]) -> Definitions:
    """The definitions for a hand, and those for a whole round; each cites its clause."""
    for term, entry in table.items():
        if not is_cited(entry):
            raise RulesError(f"definition.{term}: a definition cites its clause")
    meanings = {term: {k: v for k, v in entry.items() if k != "cite"} for term, entry in table.items()}
    of_hand = {term: meaning for term, meaning in meanings.items() if set(meaning) <= {"count", "cards"}}
    if "natural" not in of_hand:
        raise RulesError("definition.natural: a document that is played must say what a natural is, by count and cards")
    return Definitions(hand=of_hand, round={k: v for k, v in meanings.items() if k not in of_hand})
