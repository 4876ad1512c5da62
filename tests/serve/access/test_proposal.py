"""Acts of two persons: proposed, approved once by another person in the right capacity, bound to what was seen."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Iterator

import msgspec
import pytest

from access_house import NOON, allowed, applied, code_of, count
from baccarat.cards import Card
from baccarat.house.cage_act import BringBankroll, CashOut, FillTray
from baccarat.house.inventory import Inventory
from baccarat.house.stream import Stream
from baccarat.record.canonical import canonical
from baccarat.serve.access.base import DAY, HOUR, SKEW, Secret
from baccarat.serve.access.denial import Denial, Denied, make_denial
from baccarat.serve.access.log import AccessEvent, read_log
from baccarat.serve.access.person import may_act_as, set_active, set_roles
from baccarat.serve.access.proposal import (
    MOST_OPEN,
    PROPOSAL_LIFETIME,
    ApprovedCommand,
    Approver,
    Proposal,
    ProposalState,
    approve,
    expire_statements,
    find_proposal,
    open_in,
    open_of,
)
from baccarat.serve.access.session import Lifetimes, Workplace, end_session
from baccarat.serve.setting import TRAINING
from baccarat.serve.store.base import Batch, StaleRow, Statement
from baccarat.table.actor import Actor, Approval
from baccarat.table.card_correction import CorrectCard
from baccarat.table.role import Role
from baccarat.table.step.calling import CallNoMoreBets
from proposing import ADMIN, BOSS, CAGE, CLERK, FILL, D, F, P, S, Scene, nobody, uuid7

CORRECT = CorrectCard(corrects=5, position=3, card=Card.parse("9s"), reason="remark-" + "0" * 32)


@pytest.fixture
def scene() -> Iterator[Scene]:
    made = Scene()
    yield made
    made.house.close()


def test_one_proposes_another_approves_and_it_is_entered_with_both(scene: Scene) -> None:
    made = scene.propose()
    assert made.hash.hex() == hashlib.sha256(canonical(FILL)).hexdigest()
    assert open_in(scene.house.store, Stream("cage"), now=NOON) == [made]
    approved = allowed(scene.approve(made))
    assert approved.command == FILL
    assert approved.stream == "cage"
    assert approved.envelope.id == made.id
    assert approved.envelope.actor == Actor(
        who=scene.flo.id, role=F, approvals=(Approval(scene.cas.id, CAGE, "fill_tray"),)
    )
    assert scene.office.entered == [approved]
    found = find_proposal(scene.house.store, made.id)
    assert found is not None
    assert (found.state, found.decided_by, found.decided_as) == (ProposalState.APPROVED, scene.cas.id, CAGE)
    assert open_in(scene.house.store, Stream("cage"), now=NOON) == []


def test_stepping_up_approves_once_and_makes_no_session(scene: Scene) -> None:
    made = scene.propose()
    before = count(scene.house.store, "session")
    approved = allowed(scene.step_up(made))
    assert approved.envelope.actor.approvals == (Approval(scene.cas.id, CAGE, "fill_tray"),)
    assert count(scene.house.store, "session") == before
    assert AccessEvent.STEPPED_UP in {line.what for line in read_log(scene.house.store)}
    other = scene.propose(number=2)
    assert code_of(scene.approve(other, scene.floor)) == "same_person", "the console itself is still its own person"


def test_approving_twice_has_one_effect(scene: Scene) -> None:
    made = scene.propose()
    first, again, once_more = scene.approve(made), scene.approve(made), scene.step_up(made)
    assert allowed(first).envelope == allowed(again).envelope == allowed(once_more).envelope
    assert len(scene.office.entered) == 1
    assert scene.office.repeats == 2


def test_many_approvals_at_one_moment_have_one_effect(scene: Scene) -> None:
    made = scene.propose()
    scene.house.add("dan", CAGE)
    dan = scene.house.sign_on("dan", CAGE)
    desk = scene.house.desk

    async def crowd() -> list[ApprovedCommand | Denied]:
        return await asyncio.gather(*(
            desk.approve(who, id_=made.id, seen=made.hash.hex(), enter=scene.office.enter)
            for who in [scene.cage, dan] * 10
        ))  # fmt: skip

    found = scene.house.run(crowd())
    assert len(scene.office.entered) == 1
    assert sum(isinstance(each, Denied) for each in found) == 10, "the other cashier came too late"
    assert {code_of(each) for each in found if isinstance(each, Denied)} == {"already_used"}


def test_two_nodes_that_decide_at_one_moment(scene: Scene) -> None:
    made, store = scene.propose(), scene.house.store
    by = Approver.from_session(scene.cage)
    one = allowed(approve(store, by, id_=made.id, seen=made.hash.hex(), now=NOON))
    other = allowed(approve(store, by, id_=made.id, seen=made.hash.hex(), now=NOON))
    assert isinstance(applied(store, one), ApprovedCommand)
    with pytest.raises(StaleRow):
        store.append(other.batch)


def test_nobody_approves_his_own_proposal_in_whatever_capacity(scene: Scene) -> None:
    made = scene.propose(command=CORRECT, stream="table T1")
    as_dealer = scene.house.sign_on("flo", D)
    assert code_of(scene.approve(made, as_dealer)) == "same_person"
    assert code_of(scene.step_up(made, "flo", D)) == "same_person"
    assert code_of(scene.step_up(made, " FLO ", D)) == "same_person"
    assert scene.office.entered == []


def test_only_in_a_capacity_that_the_command_accepts(scene: Scene) -> None:
    made = scene.propose()
    for role in (F, S):
        found = scene.approve(made, scene.house.sign_on("cas", role))
        assert code_of(found) == "may_not_approve"
        assert found == make_denial(Denial.MAY_NOT_APPROVE, act="fill_tray", allowed="cage cashier", role=role.value)
    assert code_of(scene.step_up(made, "cas", ADMIN)) == "not_your_role"
    assert code_of(scene.step_up(made, "cas", S)) == "may_not_approve"
    assert scene.office.entered == []
    assert not isinstance(scene.approve(made), Denied)


def test_what_was_seen_is_what_is_approved(scene: Scene) -> None:
    made = scene.propose()
    other = scene.propose(number=2, command=FillTray(table="T1", chips=Inventory({5_00: 11})))
    for seen in ("", "0" * 64, made.hash.hex().upper(), made.hash.hex()[:-1], other.hash.hex(), "x" * 10**6, "\0"):
        assert code_of(scene.approve(made, seen=seen)) == "command_changed"
        assert code_of(scene.step_up(made, seen=seen)) in ("command_changed", "too_many_tries")
    assert scene.office.entered == []


def test_a_command_that_was_changed_in_the_store_is_not_entered(scene: Scene) -> None:
    made = scene.propose()
    larger = canonical(FillTray(table="T1", chips=Inventory({5_00: 9999})))
    scene.house.store.append(Batch(statements=(Statement("update proposal set command = ?", (larger,)),)))
    assert code_of(scene.approve(made)) == "command_changed"


def test_whoever_approves_again_in_another_capacity_has_approved_in_the_first(scene: Scene) -> None:
    made = scene.propose()
    first = allowed(scene.approve(made))
    scene.house.clock.go(HOUR // 20)
    again = allowed(scene.approve(made, scene.house.sign_on("cas", S)))
    assert again.envelope == first.envelope
    assert again.is_repeat


def test_a_console_of_another_table_approves_nothing(scene: Scene) -> None:
    fill, correct = scene.propose(), scene.propose(number=2, command=CORRECT, stream="table T1")
    scene.house.add("dan", D)
    as_dealer = Approver(person=scene.house.sign_on("dan", D).person, role=D)
    as_cashier = Approver(person=scene.cas.id, role=CAGE)
    store = scene.house.store
    for made, by in ((fill, as_cashier), (correct, as_dealer)):
        for table, is_right in (("", True), ("T1", True), ("T2", False)):
            at = msgspec.structs.replace(by, at=Workplace(table=table))
            found = approve(store, at, id_=made.id, seen=made.hash.hex(), now=NOON)
            assert isinstance(found, Denied) is not is_right
            if not is_right:
                assert code_of(found) == "other_table"


def test_the_log_says_how_it_was_decided(scene: Scene) -> None:
    made = [scene.propose(number=number) for number in range(4)]
    scene.approve(made[0])
    scene.step_up(made[1])
    scene.decline(made[2])
    scene.decline(made[3], scene.floor)
    lines = [line for line in read_log(scene.house.store) if uuid7(0)[:-2] in line.about]
    assert [line.what for line in lines[4:]] == [
        AccessEvent.APPROVED, AccessEvent.STEPPED_UP, AccessEvent.DECLINED, AccessEvent.DECLINED,
    ]  # fmt: skip
    assert [line.by for line in lines[4:]] == [scene.cas.id] * 3 + [scene.flo.id]


# ------------------------------------------------------------------------- declined, withdrawn, lapsed


def test_declined_is_declined(scene: Scene) -> None:
    made = scene.propose()
    assert allowed(scene.decline(made)).state is ProposalState.DECLINED
    assert allowed(scene.decline(made)).state is ProposalState.DECLINED, "twice has one effect"
    assert code_of(scene.approve(made)) == "declined"
    assert code_of(scene.decline(made, scene.floor)) == "declined"


def test_withdrawn_is_withdrawn(scene: Scene) -> None:
    made = scene.propose()
    assert allowed(scene.decline(made, scene.floor)).state is ProposalState.WITHDRAWN
    assert code_of(scene.approve(made)) == "withdrawn"
    assert code_of(scene.decline(made)) == "withdrawn"


def test_only_whoever_might_approve_declines(scene: Scene) -> None:
    made = scene.propose()
    scene.house.add("eve", P, CLERK)
    for role in (P, CLERK):
        assert code_of(scene.decline(made, scene.house.sign_on("eve", role))) == "may_not_approve"
    assert not isinstance(scene.approve(made), Denied)


def test_what_is_approved_is_not_declined_any_more(scene: Scene) -> None:
    made = scene.propose()
    allowed(scene.approve(made))
    assert code_of(scene.decline(made)) == "already_used"
    assert code_of(scene.decline(made, scene.floor)) == "already_used"


def test_a_proposal_lapses(scene: Scene) -> None:
    made = scene.propose()
    scene.house.clock.go(PROPOSAL_LIFETIME - 1)
    assert open_of(scene.house.store, scene.flo.id, now=scene.house.clock.wall()) == [made]
    scene.house.clock.go(1)
    assert open_of(scene.house.store, scene.flo.id, now=scene.house.clock.wall()) == []
    assert code_of(scene.approve(made)) == "lapsed"
    assert code_of(scene.decline(made)) == "lapsed"


def test_no_clock_revives_a_proposal_that_has_lapsed(scene: Scene) -> None:
    made = scene.propose()
    scene.house.clock.go(PROPOSAL_LIFETIME)
    scene.house.run(scene.house.desk.tidy())
    scene.house.clock.wall_now -= PROPOSAL_LIFETIME
    assert code_of(scene.approve(made)) == "lapsed"


def test_a_proposal_made_while_the_clock_was_ahead_has_lapsed(scene: Scene) -> None:
    store, made = scene.house.store, scene.propose()
    in_time = approve(store, Approver.from_session(scene.cage), id_=made.id, seen=made.hash.hex(), now=NOON - SKEW)
    assert not isinstance(in_time, Denied), "a small step back of the clock changes nothing"
    assert expire_statements(store, NOON - SKEW) == ()
    assert open_in(store, Stream("cage"), now=NOON) == [made]
    early = approve(store, Approver.from_session(scene.cage), id_=made.id, seen=made.hash.hex(), now=NOON - SKEW - 1)
    assert code_of(early) == "lapsed"
    for step in (-DAY, -HOUR):
        scene.house.clock.wall_now = NOON + step
        assert isinstance(scene.approve(made), Denied)


# ------------------------------------------------------------------------------------- revoked mid-use


def test_whoever_is_out_meanwhile_does_not_approve(scene: Scene) -> None:
    made = scene.propose()
    scene.house.run(scene.house.desk.sign_off(scene.cage))
    assert code_of(scene.approve(made)) == "revoked"
    scene.house.done(lambda reads, now: set_active(reads, scene.cas.id, active=False, now=now, by=""))
    assert code_of(scene.step_up(made)) == "wrong_sign_on"


def test_nothing_is_approved_for_somebody_who_may_not_act_any_more(scene: Scene) -> None:
    made = scene.propose()
    scene.house.done(lambda reads, now: set_roles(reads, scene.flo.id, {D}, now=now, by=""))
    assert code_of(scene.approve(made)) == "proposer_gone"
    scene.house.done(lambda reads, now: set_active(reads, scene.flo.id, active=False, now=now, by=""))
    assert code_of(scene.approve(made)) == "proposer_gone"


def test_nobody_steps_up_at_a_console_whose_session_has_ended(scene: Scene) -> None:
    made = scene.propose()
    scene.house.run(scene.house.desk.sign_off(scene.floor))
    assert code_of(scene.step_up(made)) == "revoked"


def test_whoever_loses_the_role_while_the_password_is_checked_does_not_approve(scene: Scene) -> None:
    made, real = scene.propose(), scene.house.desk.recognition.passwords.check

    async def meanwhile(stored: str | None, password: Secret) -> object:
        change = set_roles(scene.house.store, scene.cas.id, {F}, now=NOON, by="")
        applied(scene.house.store, change)
        return await real(stored, password)

    scene.house.desk.recognition.passwords.check = meanwhile  # type: ignore[method-assign,assignment]
    assert code_of(scene.step_up(made)) == "not_your_role"
    assert scene.office.entered == []


def test_the_password_of_somebody_who_steps_up_is_not_tried_without_end(scene: Scene) -> None:
    made = scene.propose()
    found = [code_of(scene.step_up(made, password=f"wrong wrong {number}")) for number in range(7)]
    assert found == ["wrong_sign_on"] * 5 + ["too_many_tries"] * 2


# --------------------------------------------------------------------------------------------- proposing


def test_the_same_id_twice_is_one_proposal_and_with_another_command_refused(scene: Scene) -> None:
    made = scene.propose()
    scene.house.clock.go(HOUR // 10)
    assert scene.propose() == made
    assert code_of(scene.try_propose(command=FillTray(table="T2", chips=Inventory({5_00: 10})))) == "other_command"
    boss = scene.house.sign_on("flo", BOSS)
    assert code_of(scene.try_propose(boss)) == "other_command", "in another role"
    other = scene.house.sign_on("cas", F)
    assert code_of(scene.try_propose(other)) == "other_command", "somebody else's id"


@pytest.mark.parametrize("bad", ["", "1", "\0", "x" * 10**6, "0190f5e4-0000-4000-8000-000000000000", uuid7(1).upper(),
                                 uuid7(1) + "\n", " " + uuid7(1), "\ud800"])  # fmt: skip
def test_what_is_no_id(scene: Scene, bad: str) -> None:
    desk = scene.house.desk
    found = scene.house.run(desk.propose(scene.floor, id_=bad, stream=Stream("cage"), command=FILL, sits_at=nobody))
    assert code_of(found) == "bad_id"
    assert code_of(scene.house.run(desk.decline(scene.cage, id_=bad, seen=""))) == "no_proposal"
    entered = scene.house.run(desk.approve(scene.cage, id_=bad, seen="", enter=scene.office.enter))
    assert code_of(entered) == "no_proposal"


def test_what_one_person_does_alone_is_not_proposed(scene: Scene) -> None:
    dealer = scene.house.sign_on("flo", D)
    assert code_of(scene.try_propose(dealer, command=CallNoMoreBets(), stream=Stream("table T1"))) == "one_person"
    assert code_of(scene.try_propose(scene.cage, command=CashOut(amount=100))) == "one_person"


def test_nobody_proposes_what_he_may_not_bring(scene: Scene) -> None:
    assert code_of(scene.try_propose(scene.cage)) == "wrong_role"
    assert code_of(scene.try_propose(stream=Stream("table T1"))) == "wrong_stream"
    assert code_of(scene.try_propose(command=BringBankroll(amount=100))) == "wrong_role"


def test_so_many_proposals_are_open_and_one_that_is_decided_makes_room(scene: Scene) -> None:
    made = [scene.propose(number=number) for number in range(MOST_OPEN)]
    assert code_of(scene.try_propose(number=99)) == "too_many_proposals"
    allowed(scene.decline(made[0], scene.floor))
    assert isinstance(scene.try_propose(number=99), Proposal)


def test_a_command_that_no_record_could_hold_is_not_proposed(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    most = len(canonical(FILL))
    monkeypatch.setattr("baccarat.serve.access.proposal.MOST_BYTES", most - 1)
    assert code_of(scene.try_propose()) == "too_large"
    monkeypatch.setattr("baccarat.serve.access.proposal.MOST_BYTES", most)
    assert isinstance(scene.try_propose(), Proposal)
    monkeypatch.undo()
    huge = FillTray(table="T1", chips=Inventory(dict.fromkeys(range(1, 4000), 1)))
    assert code_of(scene.try_propose(number=2, command=huge)) == "too_large"


# ------------------------------------------------------------------------------------ visitors of a practice house


@pytest.fixture
def practice() -> Iterator[Scene]:
    made = Scene(is_practice=True)
    yield made
    made.house.close()


@pytest.mark.parametrize(
    ("proposes", "approves", "command", "stream"),
    [
        (D, F, CORRECT, f"table {TRAINING}"),
        (F, D, CORRECT, f"table {TRAINING}"),
        (F, CAGE, msgspec.structs.replace(FILL, table=TRAINING), "cage"),
    ],
)
def test_two_visitors_act_together(
    practice: Scene, proposes: Role, approves: Role, command: CorrectCard | FillTray, stream: Stream
) -> None:
    one, other = practice.visit(proposes), practice.visit(approves)
    made = practice.propose(session=one, command=command, stream=stream)
    desk = practice.house.desk
    assert desk.may_not_approve(practice.house.store, other, made) is None
    assert desk.may_not_approve(practice.house.store, one, made) == make_denial(Denial.SAME_PERSON)
    approved = allowed(practice.approve(made, other))
    assert approved.envelope.actor == Actor(
        who=one.person, role=proposes, approvals=(Approval(other.person, approves, made.name),)
    )
    found = find_proposal(practice.house.store, made.id)
    assert found is not None
    assert code_of(desk.may_not_approve(practice.house.store, practice.visit(approves), found)) == "already_used"


def test_what_a_visitor_proposed_is_not_approved_once_he_is_gone(practice: Scene) -> None:
    one, other = practice.visit(D), practice.visit(F)
    made = practice.propose(session=one, command=CORRECT, stream=f"table {TRAINING}")
    practice.house.done(lambda reads, now: end_session(reads, one.id, "left", now=now))
    gone = make_denial(Denial.PROPOSER_GONE, role=D.value)
    assert practice.house.desk.may_not_approve(practice.house.store, other, made) == gone, "and so it is not offered"
    assert practice.approve(made, other) == gone


def test_no_visitor_has_a_role_in_a_house_that_lets_none_in(practice: Scene) -> None:
    one = practice.visit(D)
    reads = practice.house.store
    assert may_act_as(reads, one.person, D, now=NOON, visitors=Lifetimes())
    assert not may_act_as(reads, one.person, F, now=NOON, visitors=Lifetimes())
    assert not may_act_as(reads, one.person, D, now=NOON + 3 * HOUR, visitors=Lifetimes()), "nobody has seen him since"
    assert not may_act_as(reads, one.person, D, now=NOON)


def test_whoever_lists_proposals_is_told_what_approving_would_be_told(scene: Scene) -> None:
    made = scene.propose()
    scene.house.done(lambda reads, now: set_active(reads, scene.flo.id, active=False, now=now, by=""))
    refused = scene.house.desk.may_not_approve(scene.house.store, scene.cage, made)
    assert code_of(refused) == "proposer_gone"
    assert scene.approve(made) == refused
