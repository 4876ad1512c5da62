"""The floor over HTTP: figures, what may be done now, what proposals lead to, and how a draft comes into force."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from baccarat.cards import decks
from baccarat.client import command_id
from baccarat.law.rulebook import rulebook
from baccarat.serve.access.base import MINUTE
from baccarat.serve.access.denial import Denied
from baccarat.serve.access.may import RULES
from baccarat.serve.act.form import FieldShown, form_of
from baccarat.serve.setting import FORMS_TRAINING, TRAINING
from baccarat.table.automation import run_until
from baccarat.table.machine import Table
from baccarat.table.role import Role
from baccarat.table.seating_acts import Sit
from baccarat.table.source import KeyedCards
from floor_house import fill_cage, open_pit, owe_vigorish
from house_of_roles import Answer, Asked, expect, is_problem, open_tables, production, sign_everybody_on
from later_clock import LaterClock
from served import run_for, served

pytestmark = pytest.mark.slow
F, S, BOSS, CLERK, CAGE, ADMIN = (
    Role.FLOORPERSON, Role.CASINO_SUPERVISOR, Role.PIT_BOSS, Role.PIT_CLERK, Role.CAGE_CASHIER, Role.ADMINISTRATOR,
)  # fmt: skip
NJ = "nj-punto-banco"


def key() -> dict[str, str]:
    return {"Idempotency-Key": command_id()}


async def acts_of(house: Asked, role: Role, stream: str) -> dict[str, Any]:
    found = await house.get(f"/api/me/acts?stream={stream.replace(' ', '%20')}", role=role)
    assert found.status == 200, found
    return {each["act"]: each for each in found.json["acts"]}


async def do(house: Asked, role: Role, stream: str, status: int = 200, **command: Any) -> Answer:
    kind, _, name = stream.partition(" ")
    path = f"/api/tables/{name}/acts" if kind == "table" else f"/api/books/{stream.replace(' ', '%20')}/acts"
    return await expect(house, status, path, command, role, key())


async def propose(house: Asked, role: Role, stream: str, **command: Any) -> Any:
    found = await expect(house, 201, "/api/proposals", {"stream": stream, "command": command}, role, key())
    return found.json


async def approve(house: Asked, role: Role, proposal: Any, status: int = 200) -> Answer:
    body = {"seen": proposal["hash"]}
    return await expect(house, status, f"/api/proposals/{proposal['id']}/approval", body, role)


def test_every_field_of_every_act_that_a_person_brings_is_described() -> None:
    def checked(act: str, fields: list[FieldShown]) -> None:
        for field in fields:
            assert field.say, f"{act}: {field.name} is not explained"
            assert field.kind != "any" or field.name == "value", f"{act}: {field.name} has no kind"
            checked(act, field.fields)

    for act, rule in RULES.items():
        if rule.roles:
            checked(act, form_of(rule.kind))


def test_what_is_open_is_taken_and_what_is_not_says_why(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path, **production(tmp_path)) as (live, address):
            house = await sign_everybody_on(live, address)
            await open_tables(house, "ma-midi-4")
            tray = (await acts_of(house, F, "cage"))["open_tray"]
            assert not tray["open"]
            assert "holds" in tray["refused"]["say"]
            assert tray["refused"]["cites"] == ["house §enough"]
            assert tray["approvers"] == ["cage cashier"] or not tray["approvers"]

            brought = await propose(house, ADMIN, "cage", do="bring_bankroll", amount=100_000_00)
            assert brought["leads_to"][0]["cites"] == ["house §two-persons"]
            await approve(house, CAGE, brought)
            tray = (await acts_of(house, F, "cage"))["open_tray"]
            assert tray["open"]
            assert tray["approvers"] == ["cage cashier"]
            fields = {each["name"]: each for each in tray["fields"]}
            assert [each["value"] for each in fields["table"]["choices"]] == ["ma-midi-4"]
            assert not (await acts_of(house, F, "cage"))["fill_tray"]["open"]
            opened = await propose(house, F, "cage", do="open_tray", table="ma-midi-4", chips={"chips": {"10000": 50}})
            await approve(house, CAGE, opened)
            found = await acts_of(house, F, "cage")
            assert found["fill_tray"]["open"]
            assert not found["open_tray"]["open"]

            recut = (await acts_of(house, S, "table ma-midi-4"))["order_recut"]
            assert not recut["open"]
            assert recut["cites"] == ["ma-midi-4 §5(f)"]
            assert await acts_of(house, Role.SURVEILLANCE, "table ma-midi-4") == {}
            is_problem(await house.get("/api/me/acts?stream=table%20nowhere", role=F), 404, "no_such_stream")

    run_for(work())


def test_an_act_of_two_persons_is_proposed_even_if_no_example_of_it_can_be_made_up(tmp_path: Path) -> None:
    """A page proposes what has approvers, and enters anything else: alone, such an act would always be refused."""
    second = {
        ("change_witnesses", "pit main"): ["administrator", "casino supervisor", "pit boss"],
        ("state_table_kind", "pit main"): ["administrator", "casino supervisor", "pit boss"],
        ("issue_coupons", "coupons"): ["cage cashier"],
    }

    async def work() -> None:
        async with served(tmp_path, **production(tmp_path)) as (live, address):
            house = await sign_everybody_on(live, address)
            await open_pit(live, "main", Midi="ma-midi-4")
            tables = live.house.state.tables
            live.house.state = msgspec.structs.replace(
                live.house.state, tables={"Midi": msgspec.structs.replace(tables["Midi"], cards=msgspec.UNSET)}
            )
            for (act, stream), approvers in second.items():
                found = (await acts_of(house, S, stream))[act]
                assert found["open"], found
                assert found["approvers"] == approvers, act
            kind = {each["name"]: each for each in (await acts_of(house, S, "pit main"))["state_table_kind"]["fields"]}
            assert [each["value"] for each in kind["table"]["choices"]] == ["Midi"]
            live.house.state = msgspec.structs.replace(live.house.state, tables=tables)
            said = (await acts_of(house, S, "pit main"))["state_table_kind"]
            assert not said["open"], "this table has said what it is"

    run_for(work())


def test_an_act_whose_details_only_a_person_knows_is_open_at_its_step_alone(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path, **production(tmp_path)) as (live, address):
            house = await sign_everybody_on(live, address)
            await open_pit(live, "main", Midi=rulebook(NJ, vig_collection="deferred"))
            found = await acts_of(house, F, "table Midi")
            assert found["report_error_card"]["refused"]["say"] == "Not now: the table is at receive."
            assert not found["report_exposed_card"]["open"], "its card is only guessed, its step is not"
            assert not found["correct_meter"]["open"], "there is none"
            await fill_cage(live, "Midi")
            await owe_vigorish(live, "Midi", patron="Pat")
            found = await acts_of(house, F, "table Midi")
            assert found["report_error_card"]["open"], "wagers are open, and a card may have come out"
            assert [each["value"] for each in _field(found["leave"], "seat")["choices"]] == [3], "who sits may leave"
            form = (await acts_of(house, CLERK, "table Midi"))["receive_forms"]
            await do(house, CLERK, "table Midi", do="receive_forms", **form["drafts"][0])
            made_out = (await acts_of(house, CLERK, "table Midi"))["document_vigorish"]
            assert made_out["approvers"] == ["pit boss"]
            assert made_out["drafts"][0]["form"]["amount"] == 5_00
            assert made_out["drafts"][0]["form"]["patron"] == "Pat"

    run_for(work())


def test_the_floorperson_is_led_to_the_verification_and_offered_no_correction_of_nothing(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path, **production(tmp_path)) as (live, address):
            house = await sign_everybody_on(live, address)
            await open_pit(live, "main", Midi="ma-midi-4")
            at = live.house.table("Midi")
            at.do(Sit(seat=3, person="Pat"))
            run_until(at, KeyedCards(lambda _: list(decks(8))), stop=_is_at("verify"), wagers=lambda _: None)
            await live.house.writer.wait_until_flushed()
            found = await acts_of(house, F, "table Midi")
            verify = found["prepare_cards"]
            assert (verify["open"], verify["due"], verify["name"]) == (True, True, "verify")
            assert [each["value"] for each in _field(verify, "act")["choices"]] == ["verify"]
            for act in ("correct_card", "correct_payment", "report_exposed_card", "report_face_up"):
                assert not found[act]["open"], act
                assert found[act]["refused"]["cites"], act
            (table,) = (await house.get("/api/floor", role=F)).json["tables"]
            assert [(each["by"], each["name"]) for each in table["due"]] == [("floorperson", "verify")]
            await do(house, F, "table Midi", do="prepare_cards", act="verify")
            after = (await acts_of(house, F, "table Midi"))["prepare_cards"]
            assert (after["open"], after["due"]) == (False, False), "the dealer spreads the cards"

    run_for(work())


def _is_at(step: str) -> Callable[[Table], bool]:
    return lambda table: table.state.step == step


def _field(act: Any, name: str) -> Any:
    return next(field for field in act["fields"] if field["name"] == name)


def test_the_day_says_what_keeps_it_open_and_is_closed_when_all_is_counted(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path, **production(tmp_path)) as (live, address):
            house = await sign_everybody_on(live, address)
            await open_pit(live, "main", Midi="ma-midi-4", Other="ma-midi-4")
            await fill_cage(live, "Midi", "Other")
            close = (await acts_of(house, S, "day"))["close_day"]
            assert not close["open"]
            assert len(close["refused"]["parts"]) == 2, "a tray each"
            assert close["refused"]["cites"] == ["house §day-is-counted"]
            for table in ("Midi", "Other"):
                chips = {"25": 400, "100": 500, "500": 400, "2500": 400, "10000": 300}
                counted = await propose(house, F, "cage", do="count_tray", table=table, counted={"chips": chips})
                assert "as the books have it" in counted["leads_to"][0]["say"]
                await approve(house, BOSS, counted)
            close = (await acts_of(house, S, "day"))["close_day"]
            assert close["open"]
            await do(house, S, "day", do="close_day", **close["drafts"][0])
            assert (await house.get("/api/floor", role=S)).json["closed"]
            opened = (await acts_of(house, S, "day"))["open_day"]
            await do(house, S, "day", do="open_day", **opened["drafts"][0])
            assert (await house.get("/api/floor", role=S)).json["number"] == 2

    run_for(work())


def test_slips_and_forms_are_for_those_who_sign_them(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path, **production(tmp_path)) as (live, address):
            house = await sign_everybody_on(live, address)
            await open_pit(live, "main", Midi="ma-midi-4")
            await fill_cage(live, "Midi")
            slips = (await house.get("/api/cage/slips", role=CAGE)).json["slips"]
            slip, bankroll = (each["done"][0]["say"] for each in slips)
            assert slip.startswith("Slip 1: Midi opens with $42,600.00")
            assert bankroll.startswith("$1,000,000.00 comes into the cage")
            is_problem(await house.get("/api/forms/1", role=CLERK), 404, "no_such_form")
            is_problem(await house.get("/api/forms/1", role=Role.SURVEILLANCE), 403)

    run_for(work())


def test_whoever_is_bound_to_a_table_is_offered_acts_at_that_table_alone(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path) as (live, address):
            house = await sign_everybody_on(live, address)
            issued = await live.desk.visit(address="192.0.2.9", role=F)
            assert not isinstance(issued, Denied)
            token = issued.token.reveal()
            found = await house.get("/api/me/acts?stream=cage", token=token)
            fill = next(each for each in found.json["acts"] if each["act"] == "fill_tray")
            assert [each["value"] for each in _field(fill, "table")["choices"]] == [TRAINING, FORMS_TRAINING]
            other = await house.get("/api/me/acts?stream=table%20ma-midi-4", token=token)
            assert other.json["acts"] == []
            asked = {"do": "count_tray", "table": "ma-midi-4", "counted": {"chips": {}}}
            await propose(house, Role.DEALER, "cage", **asked)
            (seen,) = (await house.get("/api/proposals", token=token)).json["proposals"]
            assert not seen["may_approve"], "a visitor approves for the training tables"

    run_for(work())


def test_a_role_is_offered_its_own_acts_and_no_others(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path, **production(tmp_path)) as (live, address):
            house = await sign_everybody_on(live, address)
            await open_tables(house, "ma-midi-4")
            streams = {"table": "table ma-midi-4", "pit": "pit main", "cage": "cage", "forms": "forms", "day": "day"}
            streams["coupons"] = "coupons"
            for role in (F, S, BOSS, CLERK, CAGE, ADMIN, Role.DEALER):
                for kind, stream in streams.items():
                    expected = {act for act, rule in RULES.items() if rule.stream == kind and role in rule.roles}
                    assert set(await acts_of(house, role, stream)) == expected, (role, stream)

    run_for(work())


def test_a_proposal_says_what_it_leads_to_and_who_may_approve(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path, **production(tmp_path)) as (live, address):
            house = await sign_everybody_on(live, address)
            await open_tables(house, "ma-midi-4")
            made = await propose(house, ADMIN, "cage", do="bring_bankroll", amount=5_000_00)
            assert made["own"]
            assert not made["may_approve"]
            assert made["approvers"] == ["cage cashier"]
            listed = (await house.get("/api/proposals", role=CAGE)).json["proposals"]
            assert [each["id"] for each in listed] == [made["id"]]
            seen = listed[0]
            assert seen["may_approve"]
            assert seen["proposer_name"] == "administrator one"
            assert "$5,000.00" in seen["leads_to"][0]["say"]
            assert "administrator one" in seen["leads_to"][0]["say"]
            assert seen["refused"] is None
            assert (await house.get("/api/proposals", role=BOSS)).json["proposals"] == []

            fill = await propose(house, F, "cage", do="fill_tray", table="ma-midi-4", chips={"chips": {"500": 1}})
            assert fill["refused"]["cites"] == ["house §one-tray"]
            assert fill["leads_to"] == []

    run_for(work())


def test_the_floor_shows_figures_to_those_who_watch_over_games(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path, company=3) as (live, address):
            house = await sign_everybody_on(live, address)
            shown = (await house.get("/api/floor", role=F)).json
            tables = {each["card"]["table"]: each for each in shown["tables"]}
            assert {"ma-midi-4", NJ} <= set(tables)
            assert tables["ma-midi-4"]["pit"] == "ma-midi-4"
            assert shown["figures"]["rounds"] == sum(each["figures"]["rounds"] for each in shown["tables"])
            assert shown["figures"]["win"] == sum(each["figures"]["win"] for each in shown["tables"])
            hidden = (await house.get("/api/floor", role=CAGE)).json
            assert hidden["figures"] is None
            assert all(each["figures"] is None for each in hidden["tables"])

    run_for(work())


def drafted(**changes: Any) -> dict[str, Any]:
    return {**rulebook(NJ).submission, **changes}


def test_a_draft_is_checked_announced_filed_and_adopted_in_its_time(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path, **production(tmp_path)) as (live, address):
            house = await sign_everybody_on(live, address)
            await open_pit(live, "main", **{NJ: NJ})
            path = f"/api/tables/{NJ}/plan"
            wrong = (await expect(house, 200, path, drafted(tie_odds=7), BOSS)).json
            assert not wrong["checked"]["valid"]
            assert wrong["checked"]["faults"][0]["clauses"] == [f"{NJ} §3.3(b)"]
            same = (await expect(house, 200, path, drafted(), BOSS)).json
            assert (same["changes"], same["differences"]) == ({}, [])

            draft = drafted(no_commission="six_half", vig_rate=None, vig_collection=None, vig_rounding=None)
            draft = {key: value for key, value in draft.items() if value is not None}
            found = (await expect(house, 200, path, draft, BOSS)).json
            assert found["checked"]["valid"], found
            assert found["earliest"] is None
            assert found["refused"]["cites"] == [f"{NJ} §3.3(e)"]
            (notice,) = found["notices"]
            assert (notice["to"], notice["minutes"], notice["sent"]) == ("table", 30, None)

            told = {"to": "table", "pit": "main", "option": "no_commission", "value": "six_half"}
            await do(house, BOSS, "pit main", do="give_notice", notice=told)
            shown = (await house.get("/api/notices", role=F)).json["notices"][0]
            assert (shown["minutes"], shown["ripe_at"] - shown["sent"]) == (30, 1800)
            assert shown["cites"] == [f"{NJ} §3.3(e)"]
            found = (await expect(house, 200, path, draft, BOSS)).json
            assert found["refused"] is None
            assert found["earliest"] == shown["ripe_at"]
            too_soon = await do(
                house, BOSS, "pit main", 409, do="change_options", changes=found["changes"], tables=[NJ]
            )
            assert too_soon.json["code"] == "too_late"
            await do(
                house, BOSS, "pit main", do="change_options", changes=found["changes"], tables=[NJ],
                effective=found["earliest"],
            )  # fmt: skip
            await _not_before_its_time(house)

    run_for(work())


def test_a_higher_goodwill_limit_is_proposed_and_approved_outside_the_pit(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path, **production(tmp_path)) as (live, address):
            house = await sign_everybody_on(live, address)
            await open_pit(live, "main", **{NJ: NJ})
            found = (await expect(house, 200, f"/api/tables/{NJ}/plan", drafted(goodwill_limit=10_000), BOSS)).json
            assert (found["refused"], found["approvers"]) == (None, ["administrator", "cage cashier"])
            assert found["leads_to"]
            change = {"do": "change_options", "changes": found["changes"], "effective": found["earliest"]}
            alone = await do(house, BOSS, "pit main", 409, **change)
            assert alone.json["clauses"] == ["house §goodwill"]
            proposal = await propose(house, BOSS, "pit main", **change)
            await approve(house, F, proposal, 403)
            await approve(house, CAGE, proposal)
            assert live.house.state.pits["main"].tables[NJ][-1].rules.elections.goodwill_limit == 10_000
            lower = (await expect(house, 200, f"/api/tables/{NJ}/plan", drafted(goodwill_limit=5_000), BOSS)).json
            assert (lower["refused"], lower["approvers"]) == (None, [])

    run_for(work())


def test_goodwill_goes_to_the_patron_for_whom_it_was_proposed_and_not_to_who_sits_there_later(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path, **production(tmp_path)) as (live, address):
            house = await sign_everybody_on(live, address)
            await open_pit(live, "main", **{NJ: rulebook(NJ, goodwill_limit="$100.00")})
            await do(house, Role.DEALER, f"table {NJ}", do="sit", seat=3, person="Ann Other")
            gift = {"do": "pay_goodwill", "seat": 3, "amount": 5_000, "reason": "she waited for an hour"}
            for_her = await propose(house, F, f"table {NJ}", **gift)
            assert for_her["refused"] is None
            await do(house, Role.DEALER, f"table {NJ}", do="leave", seat=3)
            await do(house, Role.PARTICIPANT, f"table {NJ}", do="sit", seat=3)
            shown = (await house.get(f"/api/proposals/{for_her['id']}", role=CAGE)).json
            assert "another patron" in shown["refused"]["say"], shown
            stolen = await approve(house, CAGE, for_her, 409)
            assert "another patron" in stolen.json["detail"], stolen
            participant = live.house.state.tables[NJ].at(3)
            assert participant is not None
            assert participant.chips == 0
            await approve(house, CAGE, await propose(house, F, f"table {NJ}", **gift))
            given = live.house.state.tables[NJ].at(3)
            assert given is not None
            assert given.chips == 5_000, "the two persons meant him this time"

    run_for(work())


async def _not_before_its_time(house: Asked) -> None:
    (table,) = (await house.get("/api/floor", role=F)).json["tables"]
    assert not table["coming"]["holds"]
    adopt = (await acts_of(house, F, f"table {NJ}"))["adopt_rules"]
    assert not adopt["open"]
    assert "take effect in" in adopt["refused"]["say"]
    coming = house.live.house.state.pits["main"].tables[NJ][-1].rules.submission
    early = await do(house, F, f"table {NJ}", 409, do="adopt_rules", submission=coming)
    assert early.json["code"] == "too_early"
    assert early.json["clauses"] == ["house §filed-rules"]
    await _pass(house, 31)
    adopt = (await acts_of(house, F, f"table {NJ}"))["adopt_rules"]
    assert adopt["open"], adopt["refused"]
    await do(house, F, f"table {NJ}", do="adopt_rules", **adopt["drafts"][0])
    (table,) = (await house.get("/api/floor", role=F)).json["tables"]
    assert table["coming"] is None


async def _pass(house: Asked, minutes: int) -> None:
    """Time passes; everybody looks in now and then, so that no session ends."""
    desk: Any = house.live.desk
    for _ in range(2):
        desk._clock = LaterClock(desk._clock, minutes * MINUTE // 2 + 1)
        for role in house.tokens:
            assert (await house.get("/api/session", role=role)).status == 200
        await house.live.house.writer.wait_until_flushed()
