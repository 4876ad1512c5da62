"""The witnesses of a table: stated in its opening, changed by two persons on notice, and named by every commitment."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import UNSET

from baccarat.audit.bundle.form import Scope
from baccarat.audit.bundle.make import BundleJournal, make_bundle
from baccarat.audit.bundle.verification import verify_bundle
from baccarat.audit.finding import AuditReport
from baccarat.audit.journal import audit_journals
from baccarat.house.filed_rules import file_rules
from baccarat.house.house import House
from baccarat.house.notice import Notice
from baccarat.house.pit_book import GiveNotice
from baccarat.house.state import Decision
from baccarat.house.stream import Stream
from baccarat.house.table_opening import OpenTable
from baccarat.house.table_statement import ChangeWitnesses, witnesses_notice
from baccarat.law.rulebook import rulebook
from baccarat.play.refusal import Refused
from baccarat.record.journal_file import JournalFile, read_journal
from baccarat.table.role import Role
from baccarat.table.source import SealedShoe
from baccarat.table.step.sealing import CommitShoe
from baccarat.table.table_cards import TableCards
from baccarat.table.witness_change import AdoptWitnesses
from book_acts import in_pit
from electronic_table import Witnesses, seed_of, share_key
from house_books import BOSS, PIT_NAME, TABLE, actor, opened_house, taken
from journaled_house import JournaledHouse
from kept import rehashed
from two_verifiers import both

RULES = rulebook("ma-midi-4")
ONE, TWO, OTHER = (share_key(name) for name in ("one", "two", "zwei"))
BOTH = (ONE, TWO)
BY_TWO = actor(Role.CASINO_SUPERVISOR, "s", ("boss", Role.PIT_BOSS))
NOON = 43_200
STREAM = Stream(f"table {TABLE}")


def opening(cards: Any = TableCards.ELECTRONIC, witnesses: Any = BOTH) -> OpenTable:
    return OpenTable(table=TABLE, filed=file_rules(RULES), effective=0, cards=cards, witnesses=witnesses)


def opened(house: House | None = None, **stated: Any) -> House:
    """A house with a table that states its witnesses."""
    house = opened_house(RULES, house=house)
    for law in RULES.edition.notices:
        for option in law.options:
            for whom in law.to:
                notice = Notice(to=whom, pit=PIT_NAME, option=option, value=RULES.elects(option), sent=-999_999)
                in_pit(house, PIT_NAME, GiveNotice(notice=notice), BOSS)
    taken(in_pit(house, PIT_NAME, opening(**stated), BOSS))
    return house


def notify(house: House, keys: tuple[str, ...], *, to: str = "surveillance", sent: int = NOON - 3_600) -> None:
    value = witnesses_notice(TABLE, keys)
    notice = Notice(to=to, pit=PIT_NAME, option="witnesses", value=value, sent=sent)
    taken(in_pit(house, PIT_NAME, GiveNotice(notice=notice), BOSS))


def change(house: House, keys: tuple[str, ...], by: Any = BY_TWO, *, at: int = NOON) -> Decision | Refused:
    return in_pit(house, PIT_NAME, ChangeWitnesses(table=TABLE, witnesses=keys, effective=at), by)


def commit(house: House, *names: str) -> Refused | None:
    """The next shoe commits under the shares of these; the refusal if it may not."""
    table = house.table(TABLE)
    held = SealedShoe(RULES, seed_of, table=TABLE, shares=Witnesses(*names, table=TABLE)).promise(RULES, table.state)
    assert held is not None
    said = {"order": held.order, "log": held.origin, "promises": held.witnesses}
    outcome = table.do(CommitShoe(table=TABLE, shoe=held.shoe, commitment=held.hash, **said))  # type: ignore[arg-type]
    return outcome if isinstance(outcome, Refused) else None


def refused(outcome: Any) -> str:
    assert isinstance(outcome, Refused), outcome
    return outcome.what


def test_a_table_states_its_witnesses_and_every_commitment_names_them() -> None:
    house = opened()
    assert house.state.tables[TABLE].witnesses == BOTH
    found = commit(house, "one")
    assert found is not None
    assert found.what == "other_witnesses_on_record"
    assert "one, two" in found.say
    assert commit(opened(), "one", "two") is None
    assert commit(opened(witnesses=UNSET), "one") is None, "an old table states none"
    assert refused(commit(opened(witnesses=()), "one")) == "other_witnesses_on_record"


@pytest.mark.parametrize(
    ("stated", "what"),
    [
        ({"cards": TableCards.REAL}, "real_cards_have_no_witnesses"),
        ({"witnesses": (TWO, ONE)}, "witness_keys_not_in_form"),
        ({"witnesses": (ONE, ONE)}, "witness_keys_not_in_form"),
        ({"witnesses": ("nobody",)}, "witness_keys_not_in_form"),
    ],
)
def test_a_table_does_not_open_with_witnesses_that_it_cannot_have(stated: dict[str, Any], what: str) -> None:
    house = opened_house(RULES)
    assert refused(in_pit(house, PIT_NAME, opening(**stated), BOSS)) == what


def test_witnesses_change_by_two_persons_an_hour_after_a_notice_and_from_the_next_commitment() -> None:
    house = opened()
    assert refused(change(house, (OTHER,))) == "no_notice_given"
    notify(house, (OTHER,), to="commission")
    assert refused(change(house, (OTHER,))) == "no_notice_given", "surveillance is notified"
    notify(house, (OTHER,), sent=NOON - 3_599)
    assert refused(change(house, (OTHER,))) == "notice_too_late"
    assert refused(change(house, (OTHER,), BOSS, at=NOON + 1)) == "act_takes_two_persons"
    assert refused(change(house, (ONE,), at=NOON + 1)) == "no_notice_given", "of others"
    alone = actor(Role.PIT_BOSS, "boss", ("boss", Role.PIT_BOSS))
    assert refused(change(house, (OTHER,), alone, at=NOON + 1)) == "nobody_approves_his_own_act"
    decision = taken(change(house, (OTHER,), at=NOON + 1))
    assert [each.stream for each in decision.appended] == [f"pit {PIT_NAME}", STREAM]
    assert house.state.tables[TABLE].witnesses == (OTHER,)
    assert refused(change(house, (OTHER,), at=NOON + 1)) == "no_notice_given", "a notice serves once"
    notify(house, (OTHER,), sent=0)
    assert refused(change(house, (OTHER,))) == "witnesses_on_record_already"
    assert refused(commit(house, "one", "two")) == "other_witnesses_on_record"
    assert commit(house, "zwei") is None
    notify(house, (), sent=1)
    taken(change(house, ()))
    held = house.state.tables[TABLE].shoe.commitment
    assert held is not None
    assert [each.key for each in held.witnesses] == [OTHER], "the shoe keeps those that it named"


def test_witnesses_are_not_changed_at_the_table_nor_where_there_are_none() -> None:
    house = opened()
    by_two = actor(Role.CASINO_SUPERVISOR, "s", ("boss", Role.PIT_BOSS))
    assert refused(house.table(TABLE).do(AdoptWitnesses(witnesses=(ONE,)), by_two)) == "pit_changes_witnesses"
    notify(house, (ONE,))
    no_table = ChangeWitnesses(table="T9", witnesses=(ONE,), effective=NOON)
    assert refused(in_pit(house, PIT_NAME, no_table, BY_TWO)) == "pit_has_no_such_table"
    real = opened(cards=TableCards.REAL, witnesses=UNSET)
    notify(real, (ONE,))
    assert refused(change(real, (ONE,))) == "real_cards_have_no_witnesses"


# ------------------------------------------------------------------------------------------------------ on record


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    """The journal of a house whose table changes its witnesses before its first shoe commits."""
    path = tmp_path / "house.jsonl"
    with JournalFile(path, sync=False) as file:
        assert not list(file.open())
        house = opened(JournaledHouse.begin(RULES, file))
        notify(house, (OTHER,))
        taken(change(house, (OTHER,)))
        assert commit(house, "zwei") is None
    return path


def audited(path: Path) -> AuditReport:
    return audit_journals([path])


def lines_of(path: Path) -> list[bytes]:
    return path.read_bytes().splitlines(keepends=True)


def of_table(path: Path, to: Path) -> Path:
    """The stream of the table alone, numbered without a gap."""
    found, events = list[bytes](), 0
    for line in lines_of(path):
        if b'"stream":"table T1"' in line:
            value = msgspec.json.decode(line)
            value["record"] |= {"seq": len(found)} | ({"event": events} if found else {})
            events += len(value["record"].get("events", []))
            found.append(msgspec.json.encode(value, order="sorted") + b"\n")
    to.write_bytes(b"".join(rehashed(found)))
    return to


def statuses(path: Path) -> list[int]:
    return [answer.status for answer in both([path])[0]]


@pytest.mark.slow
def test_the_opening_states_them_and_the_change_is_bound_to_the_act_of_the_pit(journal: Path, tmp_path: Path) -> None:
    lines = lines_of(journal)
    (first,) = [msgspec.json.decode(line) for line in lines if b'"program"' in line and b'"table T1"' in line]
    assert first["record"]["witnesses"] == [ONE, TWO], "those that the pit opened it with"
    (changed,) = [msgspec.json.decode(line)["record"] for line in lines if b'"witnesses_changed"' in line]
    assert changed["cause"]["stream"] == f"pit {PIT_NAME}"
    assert audited(journal).findings == ()
    assert statuses(journal) == [3, 3]
    alone = of_table(journal, tmp_path / "table.jsonl")
    assert audited(alone).findings == ()
    assert not audited(alone).is_covered
    assert statuses(alone) == [3, 3], "who changed them is not in the file"
    verdict = verify_bundle(make_bundle(BundleJournal(read_journal(alone)), Scope(kind="all", stream=STREAM)))
    assert not [check for check in verdict.checks if check.state == "wrong"]


FORGERIES = {
    "another cause": (b'"cause":{"seq":', b'"stream":"pit A"', b'"stream":"house"'),
    "no change": (b'"witnesses_changed"', b"", b""),
    "others changed": (b'"witnesses_changed"', OTHER.encode(), ONE.encode()),
    "others opened": (b'"program"', TWO.encode(), OTHER.encode()),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", FORGERIES)
def test_a_commitment_to_others_than_those_on_record_is_wrong_everywhere(
    journal: Path, tmp_path: Path, name: str
) -> None:
    which, old, new = FORGERIES[name]
    forged = list[bytes]()
    for line in lines_of(journal):
        is_meant = which in line and b'"stream":"table T1"' in line and (b'"cause"' in line or which == b'"program"')
        if not is_meant:
            forged.append(line)
        elif old:
            assert old in line
            forged.append(line.replace(old, new))
    path = tmp_path / "forged.jsonl"
    path.write_bytes(b"".join(rehashed(forged)))
    assert audited(path).findings
    if name == "others opened":
        return  # what the pit opened is decided by the whole program alone
    assert statuses(path) == [1, 1]
    if name == "no change":
        alone = of_table(path, tmp_path / "table.jsonl")
        assert statuses(alone) == [1, 1]
        verdict = verify_bundle(make_bundle(BundleJournal(read_journal(alone)), Scope(kind="all", stream=STREAM)))
        assert {check.name for check in verdict.checks if check.state == "wrong"} >= {"proofs of cards"}
