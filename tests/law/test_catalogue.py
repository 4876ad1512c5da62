"""The catalogue of clauses, the readings, the notation of a citation, and the errors that carry one."""

from __future__ import annotations

import pickle
import re
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from baccarat.law.clause import Citation, Clause, catalogue, cite, clauses_of, own_clauses, paragraph_of
from baccarat.law.error import InvalidSubmission, NoRule, RulesError, SubmissionFault, UnknownClause, nearest
from baccarat.law.reading import readings

MASSACHUSETTS = ("ma-midi-1", "ma-midi-2", "ma-midi-3", "ma-midi-4")
NEW_JERSEY = "nj-punto-banco"
COUNTS = {"ma-midi-1": 198, "ma-midi-2": 204, "ma-midi-3": 199, "ma-midi-4": 200, "nj-punto-banco": 168}
FAMILIES = {
    "MA": MASSACHUSETTS,
    "MA-v1-2": MASSACHUSETTS[:2],
    "MA-v1-3": MASSACHUSETTS[:3],
    "MA-v2-4": MASSACHUSETTS[1:],
    "MA-v3-4": MASSACHUSETTS[2:],
    "MA-v4": MASSACHUSETTS[3:],
    "NJ": (NEW_JERSEY,),
}
KINDS = {
    "access-control",
    "announcement",
    "configuration-validation",
    "definition",
    "equipment",
    "irregularity",
    "notice/record",
    "option",
    "procedure-step",
    "settlement",
}
SWITCHES = {
    "allow_other_side",
    "any_two",
    "bonus_base_required",
    "cut_mode",
    "disclosed_correct_card",
    "electronic_cut",
    "exception_reports",
    "face_up_ten_extra",
    "goodwill_limit",
    "insurance_base_required",
    "last_curator_as_last_cutter",
    "manual_shuffle_strict",
    "max_consecutive_free_hands",
    "nj_disclosed_banker_third",
    "notice_minutes",
    "opposite_bets",
    "partial_refill_to_seed",
    "press_over_max",
    "reserve_share_bp",
    "recut_second_person",
    "royal9_return_stake",
    "seat_one",
    "secondary_seed_bp",
    "shoe_given_up",
    "squeeze_eligible",
    "vig_rounding",
}
PARAGRAPHS = {
    "1 Dragon 7": "1 Dragon 7",
    "1 Free Hand": "1 Free Hand",
    "2(b)": "2(b)",
    "2(b)(2)(ii)": "2(b)(2)(ii)",
    "5(c).1a": "5(c)",
    "5(e).4": "5(e)",
    "7(a)(4)(i)a": "7(a)(4)(i)a",
    "8(c)(1).2": "8(c)(1)",
    "8(c)(3)(i)b": "8(c)(3)(i)b",
    "10 Table1 3": "10 Table 1",
    "10 Table1 0-2": "10 Table 1",
    "12(c).1": "12(c)",
    "12(e) row Win by 9": "12(e)",
    "12(e) row Natural winner": "12(e)",
    "12(h) both": "12(h)",
    "12(i).seed K9 Banker": "12(i)",
    "12(i).only one": "12(i)",
    "3.1(b)1": "3.1(b)1",
    "3.2(a)1iii": "3.2(a)1iii",
    "3.2(a)5i.1": "3.2(a)5i",
    "3.3(a)": "3.3(a)",
    "3.3(c).2": "3.3(c)",
    "3.3(c)2.1": "3.3(c)2",
    "3.3(c)3ii.3": "3.3(c)3ii",
    "3.3(f) Four": "3.3(f)",
    "3.3(g) C 6 or 7": "3.3(g)",
    "3.9(a) [missing]": "3.9(a)",
    "3.12(c)1.2": "3.12(c)1",
    "4.2": "4.2",
}

every_clause = st.sampled_from(catalogue())


def test_the_catalogue_holds_409_clauses_with_unique_ids() -> None:
    ids = [clause.id for clause in catalogue()]
    assert len(ids) == len(set(ids)) == 409


def test_each_edition_has_its_clauses_in_the_order_of_the_catalogue() -> None:
    assert {name for clause in catalogue() for name in clause.editions} == set(COUNTS)
    for name, count in COUNTS.items():
        found = clauses_of(name)
        assert len(found) == count
        assert list(found.values()) == [clause for clause in catalogue() if name in clause.editions]
        assert all(key == clause.key for key, clause in found.items())


def test_an_id_names_the_editions_that_have_the_clause() -> None:
    for clause in catalogue():
        assert clause.editions == FAMILIES[clause.id.partition(":")[0]], clause.id


def test_every_clause_is_complete() -> None:
    for clause in catalogue():
        assert clause.kind in KINDS, clause.id
        assert clause.actors, clause.id
        assert all(actor and actor == actor.strip() for actor in clause.actors), clause.id
        assert clause.requirement[0].isupper(), clause.id
        assert clause.requirement.endswith("."), clause.id


@pytest.mark.parametrize("word", ["commission", "dummy", "bet", "bets", "v1", "v2", "v3", "v4", "NJ", "MA"])
def test_the_catalogue_keeps_to_one_word_for_one_thing(word: str) -> None:
    texts = [clause.requirement for clause in catalogue()]
    texts += [text for r in readings().values() for text in (r.where, r.problem, r.reading, r.why)]
    found = [text for text in texts if re.search(rf"\b{word}\b", text.replace("'no more bets'", ""))]
    assert found == []


def test_clauses_of_gives_a_copy() -> None:
    clauses_of("ma-midi-4").clear()
    assert len(clauses_of("ma-midi-4")) == COUNTS["ma-midi-4"]


@pytest.mark.parametrize(("key", "paragraph"), PARAGRAPHS.items())
def test_a_paragraph_is_the_key_without_our_subdivision(key: str, paragraph: str) -> None:
    assert paragraph_of(key) == paragraph


def test_every_paragraph_is_one_of_a_document() -> None:
    for clause in catalogue():
        section = clause.paragraph.partition("(")[0]
        if clause.key.startswith(("1 ", "10 ")):
            continue
        assert section in {*map(str, range(2, 14)), *(f"3.{n}" for n in range(1, 13))}, clause.id
        assert " " not in clause.paragraph, clause.id
        assert clause.paragraph.count("(") == clause.paragraph.count(")") >= 1, clause.id


def test_only_what_new_jersey_lost_is_restored() -> None:
    restored = [clause for clause in catalogue() if clause.restored]
    assert [clause.key for clause in restored] == ["3.9(a) [missing]", "3.9(b) [missing]", "3.9(c) [missing]"]
    assert all("A-01" in clause.readings for clause in restored)


def test_the_readings_are_numbered_without_a_gap() -> None:
    assert list(readings()) == [f"A-{n:02}" for n in range(1, len(readings()) + 1)]
    assert len(readings()) == 103
    for number, reading in readings().items():
        assert reading.id == number
        assert all((reading.where, reading.problem, reading.reading, reading.why)), number


def test_every_reading_that_a_clause_leans_on_exists() -> None:
    assert {number for clause in catalogue() for number in clause.readings} <= set(readings())


def test_every_reading_that_another_one_names_exists() -> None:
    for reading in readings().values():
        words = f"{reading.problem} {reading.reading} {reading.why}".replace(",", " ").replace(".", " ").split()
        assert {word.strip(":;()") for word in words if word.startswith("A-")} <= set(readings()), reading.id


def test_a_switch_has_a_value_that_its_reading_allows() -> None:
    seen: set[tuple[str, str]] = set()
    for reading in readings().values():
        for switch in reading.switches:
            assert switch.editions, switch.name
            assert set(switch.editions) <= set(COUNTS), switch.name
            assert not seen & {(switch.name, edition) for edition in switch.editions}, switch.name
            seen |= {(switch.name, edition) for edition in switch.editions}
            if switch.values and switch.default is not None:
                assert (type(switch.default), switch.default) in [(type(v), v) for v in switch.values], switch.name
    assert {name for name, _ in seen} == SWITCHES


def test_a_reading_tells_its_switch() -> None:
    (any_two,) = readings()["A-13"].switches
    assert (any_two.name, any_two.default) == ("any_two", "own_chair")
    assert any_two.editions == ("ma-midi-1", "ma-midi-2")
    assert readings()["A-13"].hard
    assert not readings()["A-11"].hard


def test_a_citation_is_written_as_it_is_read() -> None:
    citation = cite("ma-midi-4", "12(c).1")
    assert str(citation) == "ma-midi-4 §12(c)"
    assert Citation.parse("ma-midi-4 §12(c)") == citation
    assert str(cite("ma-midi-4", "1 Free Hand")) == "ma-midi-4 §1 Free Hand"
    assert str(cite(NEW_JERSEY, "3.9(a) [missing]")) == "nj-punto-banco §3.9(a)"


@given(clause=every_clause, data=st.data())
def test_every_citation_parses_back(clause: Clause, data: st.DataObject) -> None:
    edition = data.draw(st.sampled_from(clause.editions))
    citation = cite(edition, clause.key)
    assert Citation.parse(str(citation)) == citation
    assert citation.edition == edition


@given(st.text())
def test_a_text_is_a_citation_only_if_it_prints_alike(text: str) -> None:
    try:
        citation = Citation.parse(text)
    except ValueError:
        return
    assert str(citation) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "ma-midi-4",
        "§12(c)",
        "ma-midi-4 12(c)",
        "ma-midi-4 §",
        "ma-midi-4 § 12",
        "a b §1",
        "ma-midi-4 §1 ",
    ],
)
def test_what_is_no_citation_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not a citation"):
        Citation.parse(text)


def test_an_unknown_clause_is_answered_with_the_nearest_one() -> None:
    with pytest.raises(UnknownClause, match=r"ma-midi-4 has no clause '12\(c\)\.7'; did you mean") as caught:
        cite("ma-midi-4", "12(c).7")
    assert caught.value.near in {"12(c).1", "12(c).2", "12(c).3"}
    with pytest.raises(UnknownClause) as caught:
        cite("ma-midi-4", "1 Dragn 7")
    assert caught.value.near == "1 Dragon 7"


def test_a_clause_of_one_edition_is_none_of_another() -> None:
    assert str(cite("ma-midi-4", "7(d)")) == "ma-midi-4 §7(d)"
    with pytest.raises(UnknownClause):
        cite("ma-midi-3", "7(d)")
    with pytest.raises(UnknownClause):
        cite("ma-midi-1", "5(g)(1)")


def test_an_edition_without_clauses_is_answered_with_the_nearest_one() -> None:
    with pytest.raises(UnknownClause) as caught:
        clauses_of("ma-midi-5")
    assert caught.value.near in MASSACHUSETTS


def test_an_edition_may_bring_its_own_clauses() -> None:
    own = own_clauses(
        "club-night-1", {"4.2": "Eight decks.", "12(b).1": "A tie pays nine to one.", "1 Coup": "A round."}
    )
    assert {key: clause.paragraph for key, clause in own.items()} == {
        "4.2": "4.2",
        "12(b).1": "12(b)",
        "1 Coup": "1 Coup",
    }
    assert own["4.2"].id == "club-night-1:4.2"
    assert own["4.2"].editions == ("club-night-1",)
    assert str(cite("club-night-1", "12(b).1", among=own)) == "club-night-1 §12(b)"
    with pytest.raises(UnknownClause) as caught:
        cite("club-night-1", "12(b).2", among=own)
    assert caught.value.near == "12(b).1"


@pytest.mark.parametrize(
    ("edition", "key", "words"),
    [("club", "", "x"), ("club", " 4", "x"), ("club", "4", " "), ("a b", "4", "x")],
)
def test_own_clauses_need_a_paragraph_and_words(edition: str, key: str, words: str) -> None:
    with pytest.raises(RulesError, match="needs a paragraph"):
        own_clauses(edition, {key: words})


def test_an_invalid_submission_lists_every_fault() -> None:
    error = InvalidSubmission(
        [
            SubmissionFault("tie_odds", "7 is below the floor", "at least 8 to 1", ("ma-midi-4 §12(b)",)),
            SubmissionFault("decks", "missing", cites=("ma-midi-4 §3(a)", "ma-midi-4 §12(b)")),
            SubmissionFault("colour", "unknown key"),
        ]
    )
    assert str(error).splitlines() == [
        "tie_odds: 7 is below the floor; allowed: at least 8 to 1 [ma-midi-4 §12(b)]",
        "decks: missing [ma-midi-4 §3(a), ma-midi-4 §12(b)]",
        "colour: unknown key",
    ]
    assert error.cites == ("ma-midi-4 §12(b)", "ma-midi-4 §3(a)")
    assert isinstance(error, RulesError)
    with pytest.raises(AssertionError):
        InvalidSubmission([])


def test_errors_survive_a_process_boundary() -> None:
    invalid = pickle.loads(pickle.dumps(InvalidSubmission([SubmissionFault("ez", "not a key", cites=("x §1",))])))
    assert isinstance(invalid, InvalidSubmission)
    assert invalid.faults == (SubmissionFault("ez", "not a key", cites=("x §1",)),)
    assert invalid.cites == ("x §1",)
    no_rule = pickle.loads(pickle.dumps(NoRule("nothing answers", cites=["x §2"])))
    assert (no_rule.say, no_rule.cites) == ("nothing answers", ("x §2",))
    unknown = pickle.loads(pickle.dumps(UnknownClause("no such", near="12(c)")))
    assert (str(unknown), unknown.near) == ("no such", "12(c)")


def test_nearest_finds_a_slip_and_nothing_far_away() -> None:
    assert nearest("tie_ods", ["vig_rate", "tie_odds"]) == "tie_odds"
    assert nearest("zzz", ["vig_rate", "tie_odds"]) is None
    assert nearest("x", []) is None


def test_importing_the_catalogue_loads_no_data() -> None:
    code = (
        "import sys, baccarat.law.clause as c, baccarat.law.reading as r; "
        "print(c.catalogue.cache_info().currsize, {'csv', 'tomllib', 'difflib'} & set(sys.modules))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["0", "set()"]
