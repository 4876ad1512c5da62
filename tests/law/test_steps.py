"""The steps of an edition are checked when it is loaded: known, there whenever they are needed, in a working order."""

from __future__ import annotations

from typing import Any

import pytest

from baccarat.law.difference import DifferenceKind, differences
from baccarat.law.edition import build, load_edition, shipped_editions
from baccarat.law.edition_file import OPTIONAL_SECTIONS
from baccarat.law.error import RulesError
from baccarat.law.rulebook import from_table, read_submission, shipped_submissions
from baccarat.law.sound.table import CONFIRMING_ROLES
from baccarat.law.steps import STEPS, WITH_OPTION, WITH_SECTION
from baccarat.law.submission import FIELDS
from baccarat.table.registry import HANDLERS
from baccarat.table.registry import STEPS as MACHINE
from baccarat.table.role import Role
from baccarat.table.step.spoken_wager import ConfirmWager
from edited_edition import own, play

NJ, MA4 = "nj-punto-banco", "ma-midi-4"
PREPARATION = ["inspect", "verify", "spread", "wash", "stack"]
"""Acts without which a shoe can be played; another document may not have them."""


def step_index(table: dict[str, Any], name: str) -> int:
    """Where the first row of a step stands."""
    return next(index for index, row in enumerate(table["step"]) if row["name"] == name)


# ------------------------------------------------------------------------------ the machine and its list


def test_every_step_of_the_machine_is_declared_and_no_other() -> None:
    assert {name for name, kind in STEPS.items() if not kind.within} == set(MACHINE)


def test_every_step_that_a_command_names_is_declared() -> None:
    named = {step for kind in HANDLERS for step in kind.STEPS} | {kind.ROW for kind in HANDLERS if kind.ROW}
    assert named <= set(STEPS)


def test_what_the_declaration_speaks_of_exists() -> None:
    spoken = {name for kind in STEPS.values() for name in (*kind.after, *kind.within, *kind.needs)}
    assert spoken | set(WITH_OPTION) | set(WITH_SECTION) <= set(STEPS)
    assert {option for option, _ in WITH_OPTION.values()} <= set(FIELDS)
    assert set(WITH_SECTION.values()) <= set(OPTIONAL_SECTIONS)


def test_the_declared_order_can_be_kept() -> None:
    order: list[str] = []
    while len(order) < len(STEPS):
        free = [name for name in STEPS if name not in order and set(STEPS[name].after) <= set(order)]
        assert free, "a circle"
        order += free


def test_whoever_confirms_a_spoken_wager_can_do_so_at_the_table() -> None:
    assert {*CONFIRMING_ROLES} == {role.value for role in ConfirmWager.ROLES}
    assert {*CONFIRMING_ROLES} <= {role.value for role in Role}


# ------------------------------------------------------------------------------------- rows taken away


@pytest.mark.slow
@pytest.mark.parametrize("name", shipped_editions())
def test_without_a_row_of_the_steps_an_edition_is_refused(name: str) -> None:
    for index, row in enumerate(load_edition(name).table["step"]):
        table = own(name)
        del table["step"][index]
        with pytest.raises(RulesError, match=r"changed: (step|option\.|call)") as refused:
            build(table)
        assert row["name"] in str(refused.value)


@pytest.mark.slow
@pytest.mark.parametrize("submission", [NJ, MA4])
def test_acts_of_preparation_may_be_left_out_on_purpose(submission: str, monkeypatch: pytest.MonkeyPatch) -> None:
    table = own(submission)
    table["step"] = [row for row in table["step"] if row["name"] not in PREPARATION]
    table["steps_left_out"] = PREPARATION
    play(table, submission, monkeypatch)


@pytest.mark.slow
@pytest.mark.parametrize("name", shipped_editions())
@pytest.mark.parametrize("lost", PREPARATION)
def test_an_act_of_preparation_is_not_lost_in_silence(name: str, lost: str) -> None:
    table = own(name)
    gone = {"spread": ("spread", "wash")}.get(lost, (lost,))  # cards that are not spread cannot be washed
    table["step"] = [row for row in table["step"] if row["name"] not in gone]
    with pytest.raises(
        RulesError, match=rf"step: {lost} is missing; if the document .* steps_left_out = \[\"{lost}\"\]"
    ):
        build(table)
    table["steps_left_out"] = list(gone)
    assert build(table).steps_left_out == gone


def test_whoever_drops_the_lacing_says_so_too() -> None:
    table = own(MA4)
    table["step"] = [row for row in table["step"] if row["name"] not in ("lace", "reshuffle")]
    del table["option"]["reshuffle_after_lace"], table["uniform"], table["notice"]
    with pytest.raises(RulesError, match="step: lace is missing; if the document"):
        build(table)
    build(table | {"steps_left_out": ["lace"]})


@pytest.mark.parametrize(
    ("left_out", "say"),
    [
        (["wash"], r"steps_left_out\[0\]: wash is not left out; it is step\[\d+\]"),
        (["settle"], r"steps_left_out\[0\]: 'settle' is no step that may be left out; these may: inspect, verify"),
        (["inspect", "wsh"], r"steps_left_out\[1\]: 'wsh' is no step that may be left out"),
        (["inspect", "inspect"], r"steps_left_out\[1\]: 'inspect' occurs twice"),
        ("inspect", r"steps_left_out: 'inspect' is not a list"),
    ],
)
def test_only_what_is_really_left_out_is_called_so(left_out: Any, say: str) -> None:
    table = own(MA4)
    del table["step"][step_index(table, "inspect")]
    with pytest.raises(RulesError, match=say):
        build(table | {"steps_left_out": left_out})


def test_saying_what_is_left_out_is_no_law_of_its_own() -> None:
    table = own(MA4)
    del table["step"][step_index(table, "inspect")]
    edition = build(table | {"steps_left_out": ["inspect"]})
    found = differences(load_edition(MA4), edition)
    assert [each.place for each in found if not each.is_clause] == ["step.inspect"]
    assert found[0].change is DifferenceKind.DELETED


@pytest.mark.slow
@pytest.mark.parametrize("name", shipped_editions())
def test_a_misnamed_step_is_refused_at_its_place(name: str) -> None:
    for index, row in enumerate(load_edition(name).table["step"]):
        table = own(name)
        table["step"][index]["name"] = row["name"][:-1]
        with pytest.raises(RulesError, match=rf"step\[{index}\]\.name: .* is no step of a table; did you mean"):
            build(table)


@pytest.mark.slow
@pytest.mark.parametrize("name", shipped_editions())
def test_a_step_before_one_that_it_comes_after_is_refused(name: str) -> None:
    rows = load_edition(name).table["step"]
    names = [row["name"] for row in rows]
    for step, kind in STEPS.items():
        for before in kind.after:
            if step in names and before in names:
                table = own(name)
                later, earlier = step_index(table, step), step_index(table, before)
                table["step"].insert(earlier, table["step"].pop(later))
                with pytest.raises(RulesError, match=r"step\[\d+\]: \w+ comes after"):
                    build(table)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("submission", "step", "before"),
    [(NJ, "expose", "close"), (MA4, "close", "receive"), (MA4, "turn_banker", "turn_player")],
)
def test_another_order_that_works_plays(
    submission: str, step: str, before: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = own(submission)
    row = table["step"].pop(step_index(table, step))
    table["step"].insert(step_index(table, before), row)
    play(table, submission, monkeypatch)


BROKEN: list[tuple[str, str, dict[str, Any], str]] = [
    (MA4, "settle", {"within": "announce"}, "settle is a step of its own, not an act within 'announce'"),
    (MA4, "last_hand", {"within": "deal"}, "last_hand is an act within clear"),
    (MA4, "settle", {"when": {"ez": True}}, "step: settle is missing where ez is False; no shoe can be played"),
    (MA4, "offer_cut", {"when": {"cut_mode": "dealer_cuts"}}, "step: offer_cut is missing where cut_mode is offer_pl"),
    (MA4, "house_money", {"when": {"ez": True}}, "step: house_money is missing where ez is False, house_money is True"),
    (MA4, "must_hit", {"when": {"ez": True}}, "step: must_hit is missing where"),
    (NJ, "turn_player", {"when": {"shuffle_method": 1}}, "a second row for turn_player, in force together"),
    (
        NJ,
        "expose",
        {"when": {"shuffle_method": 1}},
        "step: expose is missing where shuffle_method is 2, disclosed_",
    ),
    (NJ, "spread", {"when": {"shuffle_method": 2}}, "wash needs spread, which is missing where shuffle_method is 1"),
]


@pytest.mark.parametrize(("name", "step", "change", "say"), BROKEN, ids=[each[3][:60] for each in BROKEN])
def test_a_row_that_is_not_in_force_when_it_is_needed_is_refused(
    name: str, step: str, change: dict[str, Any], say: str
) -> None:
    table = own(name)
    row = table["step"][step_index(table, step)]
    row |= change
    with pytest.raises(RulesError) as refused:
        build(table)
    assert say in str(refused.value)


def test_the_steps_of_a_curator_need_the_section_and_the_section_needs_them() -> None:
    table = own(NJ)
    del table["curator"]
    with pytest.raises(RulesError, match=r"step\[\d+\]\.name: pass_shoe needs the section \[curator\]"):
        build(table)
    table = own(NJ)
    table["step"] = [row for row in table["step"] if row["name"] not in ("pass_shoe", "offer_shoe")]
    with pytest.raises(RulesError, match=r"step: pass_shoe is missing; the section \[curator\] asks for it"):
        build(table)


# ---------------------------------------------------------------------------------------- calls by name


@pytest.mark.slow
@pytest.mark.parametrize("submission", [NJ, MA4])
def test_a_call_put_first_changes_no_other_call(submission: str, monkeypatch: pytest.MonkeyPatch) -> None:
    table = own(submission)
    table["call"].insert(0, {"name": "greeting", "say": "good evening", "cite": table["call"][0]["cite"]})
    edition = build(table)
    assert edition.call("no_more_bets").say == load_edition(submission).call("no_more_bets").say
    play(table, submission, monkeypatch)


def test_a_call_that_the_table_makes_must_be_there() -> None:
    for name, missing in ((MA4, "no_more_bets"), (NJ, "cards"), (MA4, "player_count"), (NJ, "result")):
        table = own(name)
        table["call"] = [row for row in table["call"] if row["name"] != missing]
        with pytest.raises(RulesError, match=r"call: "):
            build(table)


def test_a_call_has_a_name_of_its_own() -> None:
    table = own(NJ)
    del table["call"][1]["name"]
    with pytest.raises(RulesError, match=r"call\[1\]: 'name' is missing: a text that is not empty"):
        build(table)
    table = own(NJ)
    table["call"][1]["name"] = "no_more_bets"
    with pytest.raises(RulesError, match=r"call\[0\]\.name: 'no_more_bets' occurs twice"):
        build(table)


def test_every_shipped_submission_has_a_table_with_all_its_steps() -> None:
    for name in shipped_submissions():
        rules = from_table(read_submission(name))
        steps = {row.name for row in rules.edition.steps if rules.meets(row.when)}
        assert {step for step, kind in STEPS.items() if kind.always} <= steps
