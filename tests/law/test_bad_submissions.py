"""Bad Submissions: any place of a shipped one dropped, misspelt, mistyped or out of range is refused, or harmless."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from baccarat.law.edition import load_edition
from baccarat.law.error import InvalidSubmission, RulesError
from baccarat.law.rulebook import Rulebook, from_table, read_submission, rulebook, shipped_submissions

Made = dict[str, Any]
OTHER_TYPES: tuple[Any, ...] = (7.5, True, 7, "words", [7], {"words": 7}, [])
TEXTS = {
    "layout_approval", "cut_card_colour", "card_edges", "cut_card_approval", "preshuffled_procedure",
    "batch_shuffler_procedure",
}  # fmt: skip
PERMISSIONS = {
    "ez", "dragon_bonus", "house_money", "match_play", "verbal_wagers", "free_hand", "total_card_wagers", "preshuffled",
    "batch_shuffler", "vig_rounding", "allow_other_side", "banker_first_on_request", "layout_dragon_bonus_areas",
    "layout_dragon7_areas", "layout_dragon7_inscription", "layout_panda8_areas", "layout_house_money_areas",
    "layout_numbered_areas",
}  # fmt: skip
"""What a licensee may do, or may have on its felt: silence means that it does not."""
ELECTIVE = {"royal9", "must_hit", "no_commission"}
"""What a licensee may leave out altogether."""


@cache
def good(name: str) -> Rulebook:
    """The rulebook of a shipped Submission."""
    return from_table(read_submission(name))


def faults_of(table: Made, *keys: str) -> InvalidSubmission | None:
    """What is wrong with a Submission: each fault names a field, and a clause unless none has it; one a key."""
    try:
        from_table(table)
    except InvalidSubmission as error:
        found = error
    else:
        return None
    for fault in found.faults:
        assert fault.where
        assert fault.say
        assert fault.cites or "no such option" in fault.say or fault.where == "ruleset", fault
    assert any(key in f"{fault.where} {fault.say}" for key in keys for fault in found.faults), (keys, str(found))
    return found


def leaves(node: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Every key of a Submission, tables within tables included."""
    for key, value in node.items():
        yield (*path, key)
        if isinstance(value, dict):
            yield from leaves(value, (*path, key))


def changed(table: Made, path: tuple[str, ...], *, value: Any = ..., key: str | None = None) -> Made:
    """The table with one place changed, renamed or, without either, dropped."""
    made = copy.deepcopy(table)
    node = made
    for step in path[:-1]:
        node = node[step]
    old = node.pop(path[-1])
    if value is not ... or key is not None:
        node[key or path[-1]] = old if value is ... else value
    return made


def every_place() -> list[tuple[str, tuple[str, ...]]]:
    """Each shipped Submission with each of its places, but for the name of its edition."""
    return [
        (name, path) for name in shipped_submissions() for path in leaves(read_submission(name)) if path != ("ruleset",)
    ]


@pytest.mark.parametrize("name", shipped_submissions())
@pytest.mark.slow
def test_a_key_dropped_is_missed_or_means_what_silence_means(name: str) -> None:
    table = read_submission(name)
    for path in leaves(table):
        if path == ("ruleset",):
            continue
        dropped = changed(table, path)
        if faults_of(dropped, path[0], "not stated") is not None:
            continue
        rules = from_table(dropped)
        if rules.elections == good(name).elections:
            assert rules.hash == good(name).hash or path[0] in rules.edition.options
        elif len(path) == 1 and path[0] in PERMISSIONS:
            assert rules.elects(path[0]) is False
        elif len(path) == 1 and path[0] in ELECTIVE:
            assert rules.elects(path[0]) is None
        else:
            assert path[-1] == "aggregate_payout" or (path[0] == "limits" and len(path) == 2), path


@pytest.mark.parametrize("name", shipped_submissions())
@pytest.mark.slow
def test_a_key_misspelt_is_refused_and_the_right_spelling_offered(name: str) -> None:
    table = read_submission(name)
    for path in leaves(table):
        if path == ("ruleset",):
            continue
        misspelt = path[-1][:-1] + path[-1][-1] * 2 + "_" if len(path[-1]) > 2 else path[-1] + "x"
        error = faults_of(changed(table, path, key=misspelt), path[0])
        assert error is not None, path
        if len(path) == 1:
            assert f"did you mean {path[0]!r}?" in str(error)


@pytest.mark.slow
@pytest.mark.parametrize("name", shipped_submissions())
def test_a_value_of_the_wrong_type_is_refused_with_its_clause(name: str) -> None:
    table = read_submission(name)
    for path in leaves(table):
        if path == ("ruleset",):
            continue
        old: Any = table
        for step in path:
            old = old[step]
        for value in OTHER_TYPES:
            if type(value) is type(old) or (_sum(old) and type(value) is int):
                continue
            error = faults_of(changed(table, path, value=value), path[0])
            assert error is not None, (path, value)
            assert error.cites, "a known key of the wrong type breaks its clause"


def _sum(value: Any) -> bool:
    """Whether a value is a sum of money, which may be written in cents too."""
    return isinstance(value, str) and value.startswith("$")


@pytest.mark.slow
@pytest.mark.parametrize("name", shipped_submissions())
def test_a_value_out_of_range_is_refused_with_its_clause(name: str) -> None:
    table = read_submission(name)
    for path in leaves(table):
        old: Any = table
        for step in path:
            old = old[step]
        outside: list[Any] = []
        if path == ("ruleset",) or isinstance(old, dict | list):
            continue
        if isinstance(old, bool):
            outside = [False] if path[0] == "cut_card_opaque" else []
        elif isinstance(old, int):
            outside = [-1, -(10**9)]
        elif _sum(old):
            outside = ["-$1.00", "$1.005", "$"] + ([] if path[-1] == "contribution" else ["$0.00"])
        else:
            outside = ["", "   "] if path[0] in TEXTS else ["nonsense", ""]
        for value in outside:
            error = faults_of(changed(table, path, value=value), path[0])
            assert error is not None, (path, value)
            assert error.cites


@pytest.mark.parametrize("name", shipped_submissions())
def test_the_name_of_the_edition_is_needed_and_known(name: str) -> None:
    table = read_submission(name)
    for wrong in ({}, {"ruleset": 4}, {"ruleset": None}, {"ruleset": ["ma-midi-4"]}):
        error = faults_of({**{key: value for key, value in table.items() if key != "ruleset"}, **wrong}, "ruleset")
        assert error is not None
    with pytest.raises(RulesError, match="did you mean"):
        from_table({**table, "ruleset": table["ruleset"] + "x"})


def test_every_shipped_submission_is_good() -> None:
    assert len(shipped_submissions()) == 10
    assert len(every_place()) > 600
    for name in shipped_submissions():
        assert good(name).warnings == ()


@pytest.mark.parametrize("index", range(3))
def test_a_seed_that_is_not_the_printed_one_is_refused_with_the_clause_of_its_own_meter(index: int) -> None:
    edition = load_edition("ma-midi-1")
    assert edition.royal9 is not None
    meter = edition.royal9.meter[index]
    with pytest.raises(InvalidSubmission) as refused:
        rulebook("ma-midi-1-royal9", royal9={"paytable": 1, "seeds": {meter.name: 1}})
    (fault,) = refused.value.faults
    assert fault.where == f"royal9.seeds.{meter.name}"
    assert fault.cites == edition.cite_text(*meter.seed_cite)
