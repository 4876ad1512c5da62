"""Pictures by address: kept for ever where they may be, bounded, and a problem where there is nothing to draw."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import msgspec
import pytest

from baccarat.client import Client, command_id
from baccarat.house.filed_rules import file_rules
from baccarat.law.rulebook import rulebook
from baccarat.picture import DRAWING
from baccarat.picture.card import deck
from baccarat.picture.chip import MOST_SHOWN, STEP
from baccarat.picture.felt import felt
from baccarat.picture.road import read_marks, road_picture
from baccarat.play.road import Bead, Road, roads
from baccarat.table.role import Role
from baccarat.values import count_text
from house_of_roles import Asked, expect, production, sign_everybody_on
from paths import ROOT
from picture_tree import check_picture
from played import next_round, play_round
from served import run_for, served

pytestmark = pytest.mark.slow

RULES = rulebook("ma-midi-4")
GOOD = {
    "/picture/deck.svg": deck(),
    "/picture/deck-4.svg": deck(four_colours=True),
    f"/picture/felt/{RULES.hash}.svg": felt(RULES),
    "/picture/felt/ma-midi-4.svg": felt(RULES),
    "/api/tables/ma-midi-4/felt.svg": felt(RULES),
    "/picture/road/big_road/BBPbnTPp.svg": None,
    "/picture/road/bead_plate/-.svg": road_picture(roads(""), Road.BEAD_PLATE),
    "/picture/road/small_road/BBPPPBBBB.svg?columns=9&size=20": road_picture(
        roads("BBPPPBBBB"), Road.SMALL_ROAD, columns=9, size=20
    ),
    "/picture/chips.svg": None,
    "/picture/marks.svg": None,
    f"/picture/steps/{RULES.hash}.svg": None,
    "/picture/band.svg?theoretical=70100&deviation=223500&win=-72400": None,
    "/picture/odds/ma-midi-4/edges.svg": None,
    "/picture/odds/ma-midi-4/stakes.svg": None,
    "/picture/odds/ma-midi-4/hits.svg": None,
    f"/picture/odds/{RULES.hash}/dragon_banker.svg": None,
    f"/picture/odds/{RULES.hash}/banker-rounds.svg": None,
}
BAD = {
    "/picture/felt/nothing.svg": (404, "no_such_submission"),
    f"/picture/felt/{RULES.hash}": (404, "no_such_picture"),
    f"/picture/felt/{'x' * 2000}.svg": (404, "no_such_submission"),
    "/api/tables/nothing/felt.svg": (404, "no_such_table"),
    "/picture/road/high_road/B.svg": (404, "no_such_picture"),
    "/picture/road/big_road/B.png": (404, "no_such_picture"),
    "/picture/road/big_road/BX.svg": (400, "bad_marks"),
    "/picture/road/big_road/.svg": (400, "bad_marks"),
    "/picture/road/big_road/%3Cscript%3E.svg": (400, "bad_marks"),
    f"/picture/road/big_road/{'B' * 201}.svg": (400, "bad_marks"),
    f"/picture/road/big_road/{'Bbpn' * 201}.svg": (400, "bad_marks"),
    "/picture/road/big_road/B.svg?columns=9999": (400, "bad_request"),
    "/picture/road/big_road/B.svg?size=-1": (400, "bad_request"),
    "/picture/band.svg?theoretical=0&deviation=-1&win=0": (400, "bad_request"),
    "/picture/band.svg?theoretical=0&deviation=1&win=99999999999999999999": (400, "bad_request"),
    "/picture/band.svg": (400, "bad_request"),
    "/picture/odds/ma-midi-4/nothing.svg": (404, "no_such_picture"),
    "/picture/odds/ma-midi-4/total4-rounds.svg": (404, "no_such_picture"),
    "/picture/odds/ma-midi-4/total4.svg": (404, "no_such_picture"),
    "/picture/odds/ma-midi-4-ez/stakes.svg": (404, "no_such_picture"),
    "/picture/odds/nothing/edges.svg": (404, "no_such_submission"),
    "/picture/steps/nothing.svg": (404, "no_such_submission"),
}


def test_pictures_at_their_addresses_and_problems_everywhere_else(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path) as (live, address):
            house = Asked(live, address, {}, {})
            for path, wanted in GOOD.items():
                found = await house.get(path)
                assert found.status == 200, path
                assert found.headers["content-type"].startswith("image/svg+xml"), path
                assert found.headers["cache-control"] == "public, no-cache", path
                check_picture(found.body.decode())
                assert wanted is None or found.body.decode() == wanted, path
            for path, (status, code) in BAD.items():
                found = await house.get(path)
                assert (found.status, msgspec.json.decode(found.body)["code"]) == (status, code), path
                assert found.headers["content-type"] == "application/problem+json"

    run_for(work())


def test_a_picture_is_kept_for_ever_by_its_way_of_drawing_and_pressed_for_whoever_takes_it(tmp_path: Path) -> None:
    kept = "public, max-age=31536000, immutable"

    async def work() -> None:
        async with served(tmp_path) as (live, address):
            house = Asked(live, address, {}, {})
            now = f"?drawing={DRAWING}"
            for path in ("/picture/deck.svg", f"/picture/felt/{RULES.hash}.svg", "/picture/road/big_road/BBP.svg"):
                assert (await house.get(path + now)).headers["cache-control"] == kept
                assert (await house.get(f"{path}?drawing={DRAWING + 1}")).headers["cache-control"] == "public, no-cache"
            changing = (f"/picture/felt/ma-midi-4.svg{now}", "/api/tables/ma-midi-4/felt.svg")
            for path in changing:  # a name may stand for other rules tomorrow
                assert (await house.get(path)).headers["cache-control"] == "public, no-cache"
            plain = await house.get("/picture/deck.svg")
            pressed = await house.ask("GET", "/picture/deck.svg", headers={"Accept-Encoding": "gzip"})
            assert pressed.headers["content-encoding"] == "gzip"
            assert gzip.decompress(pressed.body) == plain.body
            assert len(pressed.body) < len(plain.body) / 4
            again = await house.ask("GET", "/picture/deck.svg", headers={"If-None-Match": plain.headers["etag"]})
            assert (again.status, again.body) == (304, b"")

    run_for(work())


def test_a_house_shows_the_felts_of_submissions_of_its_own(tmp_path: Path) -> None:
    own = rulebook("ma-midi-4", seats=7, house_money=False, vig_collection="deferred")

    async def work() -> None:
        async with served(tmp_path, **production(tmp_path)) as (live, address):
            house = await sign_everybody_on(live, address)
            assert (await house.get(f"/picture/felt/{own.hash}.svg")).status == 404, "nobody has filed it yet"
            pit = {"do": "add_pit", "name": "main"}
            await expect(
                house, 200, "/api/books/house/acts", pit, Role.ADMINISTRATOR, {"Idempotency-Key": command_id()}
            )
            filed = msgspec.to_builtins(file_rules(own), enc_hook=str)
            opening = {"do": "open_table", "table": "seven", "filed": filed, "cards": "real"}
            await expect(
                house, 200, "/api/books/pit%20main/acts", opening, Role.PIT_BOSS, {"Idempotency-Key": command_id()}
            )
            for path in (f"/picture/felt/{own.hash}.svg", "/api/tables/seven/felt.svg"):
                assert (await house.get(path)).body.decode() == felt(own)

    run_for(work())


def test_the_roads_of_a_table_state_the_marks_of_their_pictures(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path) as (live, address), Client(address) as client:
            await client.visit()
            async with client.table("ma-midi-4") as table:
                await play_round(table, client)
                await next_round(table)
                await live.house.writer.wait_until_flushed()
            house = Asked(live, address, {}, {})
            told = msgspec.json.decode((await house.get("/api/tables/ma-midi-4/roads")).body)
            results = [msgspec.convert(cell["result"], Bead) for cell in told["bead_plate"]]
            assert list(read_marks(told["marks"])) == results
            assert results
            drawn = await house.get(f"/picture/road/bead_plate/{told['marks']}.svg")
            assert count_text(len(results), "round") in check_picture(drawn.body.decode()).get("aria-label", "")

    run_for(work())


def test_pages_ask_for_the_houses_way_of_drawing() -> None:
    script = (ROOT / "src/baccarat/serve/page/js/picture.js").read_text(encoding="utf-8")
    (number,) = re.findall(r"const DRAWING = (\d+);", script)
    assert int(number) == DRAWING
    (most, rise) = re.findall(r"const MOST_CHIPS = (\d+),\s+RISE = (\d+);", script)[0]
    assert (int(most), float(rise)) == (MOST_SHOWN, STEP)
