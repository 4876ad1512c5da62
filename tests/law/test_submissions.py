"""Submissions: the shipped examples, and what each edition lets a licensee state, elect or leave unsaid.

The values that are allowed and those that are not are written down here from the documents, not read from
the editions: a row that is missing or turned round in an edition fails.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from baccarat.law.edition import load_edition, shipped_editions
from baccarat.law.error import InvalidSubmission, RulesError
from baccarat.law.rulebook import Rulebook, from_table, read_submission, rulebook, shipped_submissions
from filed_option import (
    EZ,
    MASSACHUSETTS,
    MUST,
    NEW_JERSEY,
    OPTIONS,
    TEMPLATE,
    Option,
    faults_of,
    printed,
)


def same(held: Any, stated: Any) -> bool:
    """Whether the value that holds is the one stated, lists and tables aside from their type."""
    if isinstance(stated, Mapping):
        table = held if isinstance(held, Mapping) else {key: getattr(held, key) for key in stated}
        return all(same(table[key], value) for key, value in stated.items())
    return list(held) == list(stated) if isinstance(stated, list) else bool(held == stated)


# ---------------------------------------------------------------------------------------- the examples

HASHES = {
    "ma-midi-1": "4a512cebeaf6d859889351b26446bd51765e25d99e458a1ebdd7c970e9cad550",
    "ma-midi-1-royal9": "238c2cbf1d3008024ba7e0e01b4617e20010c5eb1c294909fa151b9409c3d8a3",
    "ma-midi-2": "22d7f4a1a1096cfe6596b616d76d55734956b400f1136037bd7ce8d557f63905",
    "ma-midi-3": "c1380866e1c42928446617db7d7fb7f231f95be211c01239bafaa48dfd20cf56",
    "ma-midi-4": "6dbbecb5d266d451be6de78d14118f7a7bf338facad8d49c838cbc0000b22521",
    "ma-midi-4-ez": "b10815bdf414823f32bc08ece7607bc39867696ad47a10fce549fd3c013758ab",
    "ma-midi-4-royal9": "2472748fcd3626d28e5a1a7f57cf0f98f15c9a733371258fccc69b39c9c85e8b",
    "nj-punto-banco": "0bca5dfcb5297af7833567c6e0d35e1090801c20f1654292d8e25bd6265eb58d",
    "nj-punto-banco-exempt": "7851a80fcf1ca4c228214c5f96fe38874e37eedb4671a4505143134f6c99a3f7",
    "nj-punto-banco-six-half": "ee185e3c42c2f6aec31ff34ce01ac9b10f691c2e690dafe70013fc98cd35bfd1",
}


def test_the_shipped_examples() -> None:
    assert shipped_submissions() == tuple(sorted(HASHES))
    assert shipped_editions() == (*MASSACHUSETTS, NEW_JERSEY)
    assert set(shipped_editions()) <= set(HASHES)


@pytest.mark.parametrize("name", HASHES)
def test_a_shipped_submission_loads_without_fault_or_warning(name: str) -> None:
    rules = rulebook(name)
    assert isinstance(rules, Rulebook)
    assert name.startswith(rules.edition.name)
    assert rules.warnings == ()
    assert rules.notes == ()
    text = read_submission_text(name)
    assert text.splitlines()[0] == f'ruleset = "{rules.edition.name}"'


@pytest.mark.parametrize(
    ("name", "option"),
    [
        ("ma-midi-1-royal9", "any_two"),
        ("ma-midi-1-royal9", "royal9_return_stake"),
        ("ma-midi-4-royal9", "royal9_return_stake"),
    ],
)
def test_an_election_on_which_a_prize_hangs_is_not_left_to_a_reading_in_silence(name: str, option: str) -> None:
    """Readings A-13 and A-14: what is not stated is played as it was, with the same hash, and with a warning."""
    filed = read_submission(name)
    silent = rulebook({key: value for key, value in filed.items() if key != option})
    assert silent.hash == HASHES[name], "to state what held is no other rule"
    (warning,) = silent.warnings
    assert (warning.where, warning.say[:10]) == (option, "not stated")
    assert warning.cites[0].startswith(f"{silent.edition.name} §12(i)")


def read_submission_text(name: str) -> str:
    """The file of a shipped Submission as it is written."""
    import baccarat.law  # noqa: PLC0415

    return (Path(baccarat.law.__file__).parent / "submissions" / f"{name}.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize(("name", "golden"), HASHES.items())
def test_the_hash_of_a_shipped_submission_never_changes(name: str, golden: str) -> None:
    assert rulebook(name).hash == golden
    assert len(golden) == 64
    assert set(golden) <= set("0123456789abcdef")


@pytest.mark.parametrize("name", HASHES)
def test_what_a_rulebook_says_was_filed_is_read_again_from_json(name: str, tmp_path: Path) -> None:
    path = tmp_path / "filed.json"
    path.write_text(json.dumps(rulebook(name).submission), encoding="utf-8")
    assert rulebook(path).hash == HASHES[name]
    assert rulebook(str(path), tie_odds=9).hash == rulebook(name, tie_odds=9).hash


@pytest.mark.parametrize(
    ("text", "say"),
    [
        ("", "not JSON"),
        ("ruleset = 'ma-midi-4'", "not JSON"),
        ("[1, 2]", "expected an object with the options of a Submission"),
        ('{"ruleset": "ma-midi-4", "decks": 8.5}', "decks: 8.5 is a fraction"),
        ('{"ruleset": "ma-midi-4", "decks": 1' + "0" * 30 + "}", "decks: "),
        ("[" * 100_000, "nested too deeply"),
        ('{"ruleset": ' + "[" * 30 + "]" * 30 + "}", "nested too deeply"),
    ],
    ids=["empty", "TOML", "list", "fraction", "large", "deep", "deep list"],
)
def test_a_json_file_that_is_no_submission_is_refused(text: str, say: str, tmp_path: Path) -> None:
    path = tmp_path / "filed.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(RulesError, match=re.escape(say)):
        rulebook(path)


def test_the_hash_tells_elections_apart_and_nothing_else() -> None:
    plain = rulebook("ma-midi-4")
    table = read_submission("ma-midi-4")
    assert from_table(dict(reversed(table.items()))).hash == plain.hash
    assert rulebook("ma-midi-4", vig_rate=None, cut_cards=None, burn_exposure=None, ez=None).hash == plain.hash
    assert rulebook("ma-midi-4", limits=with_cents(table["limits"])).hash == plain.hash
    others = [
        rulebook("ma-midi-4", **change).hash
        for change in ({"tie_odds": 9}, {"decks": 6}, {"vig_rounding": False}, {"cut_mode": "dealer_cuts"})
    ]
    assert len({plain.hash, *others, *HASHES.values()}) == len(HASHES) + len(others)


def with_cents(limits: Mapping[str, Mapping[str, str]]) -> dict[str, dict[str, int]]:
    """The same limits with every sum in cents."""
    return {
        wager: {key: int(text.lstrip("$").replace(",", "").replace(".", "")) for key, text in limit.items()}
        for wager, limit in limits.items()
    }


def test_a_change_says_where_it_starts() -> None:
    rules = rulebook("ma-midi-4", decks=6, tie_odds=9)
    assert rules.notes == ("starts from the Submission ma-midi-4",)
    assert (rules.elects("decks"), rules.elects("tie_odds")) == (6, 9)


@pytest.mark.clause("MA:1 EZ Baccarat", "MA:12(c).2")
def test_a_change_that_leaves_other_elections_without_place_says_so() -> None:
    rules = rulebook("ma-midi-4", **EZ)
    assert rules.elects("ez") is True
    assert [rules.elects(key) for key in ("vig_rate", "vig_rounding", "vig_collection")] == [None, None, None]
    dropped = [note.partition(" ")[0] for note in rules.notes[1:]]
    assert dropped == ["vig_rate", "vig_rounding", "vig_collection"]


def test_a_submission_names_a_known_edition() -> None:
    with pytest.raises(InvalidSubmission) as caught:
        from_table({"decks": 8})
    assert [fault.where for fault in caught.value.faults] == ["ruleset"]
    with pytest.raises(RulesError, match=r"did you mean 'ma-midi-4'\?"):
        rulebook("ma-midi-4", ruleset="ma_midi-4")
    with pytest.raises(RulesError, match="no Submission"):
        rulebook("ma-midi-5")


def test_every_fault_is_found_at_once() -> None:
    faults = faults_of("ma-midi-4", decks=5, seats=10, tie_odds=7, recut_by=None, colour="red")
    assert [fault.where for fault in faults] == ["colour", "seats", "decks", "recut_by", "tie_odds"]
    assert [fault.cites for fault in faults[1:]] == [
        ("ma-midi-4 §2(a)",),
        ("ma-midi-4 §3(a)",),
        ("ma-midi-4 §5(f)",),
        ("ma-midi-4 §12(b)",),
    ]


def test_the_king_9_example_follows_the_template() -> None:
    rules = rulebook("ma-midi-4-royal9")
    royal9, must_hit = rules.elects("royal9"), rules.elects("must_hit")
    assert royal9.combos == TEMPLATE
    assert royal9.seeds == {"star": 5000000, "spade": 35000, "heart": 35000}
    assert royal9.rates_bp == {"star": 900, "spade": 500, "heart": 500}
    assert (rules.elects("seats"), rules.elects("decks")) == (7, 8)
    assert (must_hit.start, must_hit.ceiling, must_hit.contribution) == (100000, 200000, 25)
    assert rulebook("ma-midi-1-royal9").elects("royal9").paytable == 1


def every_option() -> Iterator[Any]:
    """Each option of each edition, marked with its clauses."""
    for edition, options in OPTIONS.items():
        for key, option in options.items():
            marks = pytest.mark.clause(*option.clauses)
            yield pytest.param(edition, key, option, marks=marks, id=f"{edition}-{key}")


@pytest.mark.parametrize("edition", OPTIONS)
def test_the_options_of_an_edition_are_those_listed_here(edition: str) -> None:
    assert set(load_edition(edition).options) == set(OPTIONS[edition])


CANONICAL: dict[str, Any] = {
    repr("8 to 1"): 8,
    repr(["red", "red"]): ["red"],
    repr({"win_by_9": "30 to 1", "natural": "3 to 2"}): {"win_by_9": 30, "natural": "3 to 2"},
}
"""What is written in two ways and means one thing, so that equal Submissions have equal hashes."""


def test_equal_submissions_have_equal_hashes_however_they_are_written() -> None:
    assert len({rulebook("ma-midi-4", tie_odds=odds).hash for odds in (9, "9 to 1", "18 to 2", "9:1")}) == 1
    assert rulebook("ma-midi-4", backs=["x"]).hash == rulebook("ma-midi-4", backs=["x", "x"]).hash
    with pytest.raises(TypeError):
        rulebook("ma-midi-4").stated["decks"] = 6  # type: ignore[index]


@pytest.mark.parametrize(("edition", "key", "option"), [*every_option()])
def test_what_the_document_allows_is_elected(edition: str, key: str, option: Option) -> None:
    for value in option.good:
        rules = rulebook(edition, **{**option.beside, key: value})
        assert same(rules.elects(key), CANONICAL.get(repr(value), value)), value


@pytest.mark.parametrize(("edition", "key", "option"), [*every_option()])
def test_what_the_document_does_not_allow_is_refused_with_its_clause(edition: str, key: str, option: Option) -> None:
    for value in option.bad:
        faults = faults_of(edition, **{**option.beside, key: value})
        about = [fault for fault in faults if fault.where.split(".")[0] == key]
        assert about, value
        assert {fault.cites for fault in about} == {printed(edition, *option.clauses)}, value
        assert all(fault.say and fault.allowed for fault in about), value


@pytest.mark.parametrize(("edition", "key", "option"), [*every_option()])
def test_silence_means_what_the_document_says_or_is_a_fault(edition: str, key: str, option: Option) -> None:
    unsaid = {**option.beside, key: None}
    if option.unsaid is MUST:
        (fault,) = faults_of(edition, **unsaid)
        assert (fault.where, fault.cites) == (key, printed(edition, *option.clauses))
        assert fault.say.startswith("not stated")
        return
    if key == "dragon_bonus":
        unsaid |= {"dragon_paytable": None}
    assert same(rulebook(edition, **unsaid).elects(key), option.unsaid)
