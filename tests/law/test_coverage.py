"""Every clause is accounted for once, every ruled clause is shown by a test, every citation resolves."""

from __future__ import annotations

import pytest

from baccarat.law.clause import catalogue
from baccarat.law.coverage import ClauseAccount, ClauseStatus, accounts, clause_tests, coverage, summary
from baccarat.law.edition import load_edition, shipped_editions
from baccarat.law.error import UnknownClause
from baccarat.law.reading import readings
from clause_marks import SHOWN, bearing, below, resolve

EDITIONS = shipped_editions()


def test_the_list_of_what_shows_what_is_up_to_date(written_down: bytes) -> None:
    assert SHOWN.read_bytes() == written_down, "run pytest --collect-only -q --write-shown"


@pytest.mark.parametrize("name", EDITIONS)
def test_every_clause_is_accounted_for_and_in_one_way(name: str) -> None:
    edition = load_edition(name)
    found = accounts(edition)
    assert set(found) == set(edition.clauses), "what is pending or physical is a clause"
    assert {key: account for key, account in found.items() if len(account.states) != 1} == {}


@pytest.mark.parametrize("name", EDITIONS)
def test_every_citation_resolves(name: str) -> None:
    edition = load_edition(name)
    cited = [key for key, _ in edition.bindings()]
    cited += [key for keys in edition.pending.values() for key in keys] + list(edition.physical)
    assert [key for key in cited if key not in edition.clauses] == []
    assert all(str(cite).startswith(f"{name} §") for cite in edition.cite(*cited))


@pytest.mark.parametrize("name", EDITIONS)
def test_nothing_is_listed_as_pending_or_physical_twice(name: str) -> None:
    edition = load_edition(name)
    listed = [key for keys in edition.pending.values() for key in keys] + list(edition.physical)
    assert len(listed) == len(set(listed))
    assert all(how.startswith("not recorded: ") for how in edition.physical.values())
    assert set(edition.pending) <= {"table"}


def test_every_ruled_clause_is_shown_by_a_test() -> None:
    unshown = [each.clause.id for each in coverage() if each.state is ClauseStatus.RULED and not each.shown_by]
    assert unshown == []


def test_no_test_shows_a_clause_that_nothing_records() -> None:
    assert [each.clause.id for each in coverage() if each.state is ClauseStatus.PHYSICAL and each.shown_by] == []


@pytest.mark.parametrize(
    "clause",
    [
        "MA:2(a).2", "MA:4(b).3", "MA-v1-3:5(c).1", "MA-v4:5(c).1a", "MA:8(c)(1).1", "NJ:3.5(c).1", "NJ:3.6(a).2",
        "NJ:3.3(c)3v.2", "NJ:3.4(b).2",
        "NJ:3.7(d).2",
    ],
)  # fmt: skip
def test_what_no_command_can_obey_or_break_is_called_physical_in_every_edition(clause: str) -> None:
    (found,) = [each for each in coverage() if each.clause.id == clause]
    assert {name: account.states for name, account in found.accounts.items()} == dict.fromkeys(
        found.clause.editions, (ClauseStatus.PHYSICAL,)
    )


def test_the_code_of_a_complimentary_is_recorded_and_so_its_clause_is_ruled() -> None:
    (found,) = [each for each in coverage() if each.clause.id == "NJ:3.3(c)3v"]
    assert found.state is ClauseStatus.RULED
    assert found.shown_by


def test_what_shows_a_clause_exists() -> None:
    ids = {clause.id for clause in catalogue()}
    assert set(clause_tests()) <= ids
    files = {test.partition("::")[0] for tests in clause_tests().values() for test in tests}
    root = SHOWN.parents[3]
    assert [file for file in sorted(files) if not (root / file).is_file()] == []


def test_coverage_is_the_whole_catalogue_in_order() -> None:
    assert [each.clause for each in coverage()] == list(catalogue())
    assert all(set(each.accounts) == set(each.clause.editions) for each in coverage())


def test_readings_behind_a_clause_are_those_of_the_catalogue_and_of_the_tables() -> None:
    behind = {each.clause.id: each.readings for each in coverage()}
    assert {reading for each in behind.values() for reading in each} <= set(readings())
    assert "A-54" in behind["MA:1 Dragon 7"], "the catalogue says so"
    assert "A-84" in behind["MA:7(a)(4)"], "the option bonus_base_required says so"


def test_the_summary_adds_up() -> None:
    for each in summary():
        assert each.clauses == len(load_edition(each.edition).clauses)
        assert each.ruled + each.pending + each.physical + each.unaccounted == each.clauses
        assert each.unaccounted == 0
        assert each.shown >= each.ruled


def test_two_states_are_a_contradiction_and_the_weaker_counts() -> None:
    both = ClauseAccount(
        states=(ClauseStatus.RULED, ClauseStatus.PENDING), places=("cut", "pending: table"), readings=()
    )
    none = ClauseAccount(states=(), places=(), readings=())
    assert (both.state, none.state) == (ClauseStatus.PENDING, ClauseStatus.UNACCOUNTED)


def test_a_mark_names_one_clause_and_not_those_below_a_paragraph() -> None:
    assert resolve("MA:12(b)") == "MA:12(b)"
    assert resolve("MA:10(c)") == "MA:10(c)", "a clause of its own, though others stand below it"
    for name in ("MA:12(c)", "MA:1", "NJ:3.3(c)3i", "MA:12(zz)"):
        with pytest.raises(UnknownClause, match="did you mean"):
            resolve(name)


def test_a_paragraph_is_divided_into_its_clauses() -> None:
    assert below("MA:12(c)") == ("MA:12(c).1", "MA:12(c).2", "MA:12(c).3")
    assert below("MA:10(c)") == ("MA:10(c)",)
    assert all(each.startswith("MA:1 ") for each in below("MA:1")), "not those of section 10"
    assert below("NJ:3.3(c)3i") == ("NJ:3.3(c)3i.1", "NJ:3.3(c)3i.2"), "not those of 3ii"


def test_a_vector_marks_the_clause_it_names_and_none_of_a_paragraph_of_several() -> None:
    def marked(*refs: str) -> list[tuple[str, ...]]:
        return [mark.args for mark in bearing(list(refs), "ma-midi-4")]

    assert marked("MA:5(d)", "A-72") == [("MA:5(d)",)]
    assert marked("MA:12(c)", "A-20") == []
    assert marked("MA:12(c)", "MA:12(b)") == [("MA:12(b)",)]
