"""Short forms: whole where they fit, cut off to their very width where they do not; and plain words for wrong types."""

from __future__ import annotations

import pytest

from baccarat.values import WIDTH, brief_repr, expect, short_repr


class Thing:
    """A value with a short form."""


@pytest.mark.parametrize("length", [2, 9, 10, 11, 40])
def test_a_brief_form_is_never_wider_than_it_may_be(length: int) -> None:
    text = "x" * (length - 2)  # two quotation marks come with it
    found = brief_repr(text, most=10)
    assert found == (repr(text) if len(repr(text)) <= 10 else repr(text)[:9] + "…")


def test_a_brief_form_takes_sixty_characters_unless_said_otherwise() -> None:
    assert brief_repr("x" * 58) == repr("x" * 58)
    assert brief_repr("x" * 59) == "'" + "x" * 58 + "…"


def test_a_short_form_is_whole_up_to_its_width_and_then_cut_off() -> None:
    frame = len("<Thing >")
    fits, over = "y" * (WIDTH - frame), "y" * (WIDTH - frame + 1)
    assert short_repr(Thing(), fits) == f"<Thing {fits}>"
    assert short_repr(Thing(), over) == f"<Thing {over[: WIDTH - frame - 1]}…>"
    assert len(short_repr(Thing(), over)) == len(short_repr(Thing(), "y" * 1_000)) == WIDTH


def test_a_truth_value_is_no_number_but_is_a_truth_value() -> None:
    assert expect(7, int, "a number") == 7
    assert expect(True, bool, "a truth value") is True
    assert expect("x", str, "a text") == "x"
    for value, kind in ((True, int), ("7", int), (7, str), (None, str), (7, bool)):
        with pytest.raises(TypeError, match=r"^expected what was asked for, not "):
            expect(value, kind, "what was asked for")
