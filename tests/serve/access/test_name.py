"""Names to sign on with: one name however it is written, and none that is only made to look like another."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from access_house import AccessHouse, code_of
from baccarat.serve.access.denial import Denied
from baccarat.serve.access.name import MOST_SIGNS, sign_on_key, sign_on_name
from baccarat.table.role import Role


@pytest.mark.parametrize(
    "typed",
    [
        "ana maria",
        "Ana Maria",
        "  ANA \t MARIA ",
        "\uff21na Maria",  # full width
        "ana\u00a0maria",
        "ana\u3000maria",
    ],
)
def test_one_name_however_it_is_typed(typed: str) -> None:
    assert sign_on_name(typed) == "ana maria"


@pytest.mark.parametrize(
    ("one", "other"),
    [("\ufb01nn", "finn"), ("Stra\u00dfe", "STRASSE"), ("e\u0301va", "\u00e9va"), ("\u212bke", "\u00e5ke")],
)
def test_ways_to_write_a_letter_are_one_letter(one: str, other: str) -> None:
    assert sign_on_name(one) == sign_on_name(other)


@pytest.mark.parametrize(
    "typed",
    [
        "",
        " ",
        "\t\n",
        "a\0b",
        "ana\x1b[2J",
        "ana\u200bmaria",  # zero width space
        "ana\u200dmaria",  # zero width joiner
        "ana\u202emaria",  # turns the line around
        "ana\ufe0f",  # variation selector
        "\u3164",  # a letter that is blank
        "ana\u034f",  # joins what it does not join
        "\u2800",  # braille without a dot
        "a\u0301\u0301\u0301\u0301",  # marks upon marks
        "\u0301a",
        "\ud800",  # half of a pair
        "\u0430na",  # Cyrillic a, then Latin
        "an\u03b1",  # Greek alpha
        "ana;drop table person",
        "<b>ana</b>",
        "ana/maria",
        "-ana",
        "x" * (MOST_SIGNS + 1),
        "x" * 1_000_000,
        "\ufdfa" * 30,  # one sign that becomes eighteen
        "person-" + "0" * 32,
        "0190f5e4-0000-7000-8000-000000000000",
    ],
)
def test_no_name(typed: str) -> None:
    assert code_of(sign_on_name(typed)) == "bad_name"


@pytest.mark.parametrize("typed", ["O’Brien", "o'brien", "j. smith-jones", "dealer_3", "a.b@casino.example", "李小龍",
                                   "анна", "ελένη", "たなか ヒロ", "x" * MOST_SIGNS, "7"])  # fmt: skip
def test_names_of_all_the_world(typed: str) -> None:
    assert isinstance(sign_on_name(typed), str)


@pytest.mark.slow
@given(st.text(max_size=80))
def test_the_one_form_is_its_own_form(typed: str) -> None:
    name = sign_on_name(typed)
    if not isinstance(name, Denied):
        assert sign_on_name(name) == name
        assert name.encode()
        assert name.isprintable()


def test_two_marks_on_a_letter_are_a_letter_of_some_language() -> None:
    assert isinstance(sign_on_name("\u05e9\u05c1\u05b8\u05dc\u05d5\u05dd"), str), "Hebrew with its points"
    assert code_of(sign_on_name("\u05e9\u05c1\u05b8\u05bc\u05dc")) == "bad_name"


def test_what_is_stored_of_a_name_tells_two_stores_nothing_about_each_other() -> None:
    assert sign_on_key(b"one", "ana") != sign_on_key(b"two", "ana")


def test_nobody_signs_on_with_a_name_that_is_another_ones_in_other_letters() -> None:
    house = AccessHouse()
    house.add("Éva Finn", Role.DEALER)
    for typed in ("éva finn", "E\u0301VA  \ufb01nn", "\uff25\u0301va finn"):
        with pytest.raises(AssertionError, match="name_taken"):
            house.add(typed, Role.DEALER)
        assert not isinstance(house.try_sign_on(typed), Denied)
    house.close()
