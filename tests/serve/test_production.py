"""A production house: it does not start until what it lacks is named and there, and nothing in it is automated."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any

import httpx
import pytest
from typer.testing import CliRunner

from baccarat.cli import make_app
from baccarat.house.stream import Stream
from baccarat.record.key import Verifier
from baccarat.record.origin import origin_of
from baccarat.record.sealed_seed import SealingKey
from baccarat.serve.opening import open_server
from baccarat.serve.production import missing_for_production
from baccarat.serve.runtime.signing_key import read_signer
from baccarat.serve.setting import Mode, Setting
from baccarat.serve.store.base import StoreError
from forked import run_text
from paths import ROOT
from production_house import HOUSE, ORIGIN, made_keys, production, sign_on
from served import fails, run_for, served
from served_program import Program, ended

# ------------------------------------------------------------------------------------------- what it lacks


def test_whatever_it_lacks_is_named_at_once() -> None:
    lacks = missing_for_production(Setting(mode=Mode.PRODUCTION))
    assert [each.partition(":")[0] for each in lacks] == [
        "the name of the house, which is in every checkpoint",
        "the address that browsers see, over TLS",
        "the key that seeds are sealed under",
        "the key that signs checkpoints",
    ]


def test_with_all_of_it_there_nothing_is_lacking(tmp_path: Path) -> None:
    assert missing_for_production(production(tmp_path, **made_keys(tmp_path))) == []


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"house": ""}, "the name of the house"),
        ({"house": "our house"}, "another name of the house: the name of a key must not contain spaces"),
        ({"house": "example.org/other"}, "is the key of example.org/house, but this house is example.org/other"),
        ({"origin": "http://house.example"}, "over TLS"),
        ({"origin": "https://"}, "over TLS"),
        ({"origin": "https://house.example/"}, "an origin without a path"),
        ({"seal_key": ""}, "the key that seeds are sealed under: seal_key ="),
        ({"seal_key": "/nowhere/seal.key"}, "there is no file /nowhere/seal.key"),
        ({"sign_key": ""}, "the key that signs checkpoints: sign_key ="),
        ({"sign_key": "/nowhere/sign.key"}, "there is no file /nowhere/sign.key"),
    ],
)
@pytest.mark.slow
def test_each_thing_that_is_wrong_is_named(change: dict[str, Any], why: str, tmp_path: Path) -> None:
    lacks = missing_for_production(production(tmp_path, **{**made_keys(tmp_path), **change}))
    assert any(why in each for each in lacks), lacks


def test_keys_that_others_may_read_or_that_are_none_are_refused(tmp_path: Path) -> None:
    keys = made_keys(tmp_path)
    for name in ("seal_key", "sign_key"):
        path = Path(keys[name])
        path.chmod(0o644)
        (lack,) = missing_for_production(production(tmp_path, **keys))
        assert "fit for use" in lack
        path.chmod(0o600)
        kept = path.read_bytes()
        path.write_bytes(b"sesame")
        (lack,) = missing_for_production(production(tmp_path, **keys))
        assert str(path) in lack
        assert "sesame" not in lack
        path.write_bytes(kept)
    swapped = {**keys, "seal_key": keys["sign_key"], "sign_key": keys["seal_key"]}
    assert len(missing_for_production(production(tmp_path, **swapped))) == 2


def test_keys_do_not_lie_beside_the_database(tmp_path: Path) -> None:
    keys = made_keys(tmp_path)
    lacks = missing_for_production(production(tmp_path, **{**keys, "db": str(tmp_path / "keys" / "house.db")}))
    assert [each.partition(":")[0] for each in lacks] == [
        "the key that seeds are sealed under in another folder than the database",
        "the key that signs checkpoints in another folder than the database",
    ]


def test_a_key_for_seeds_is_made_once_and_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "seal.key"
    runner, app = CliRunner(), make_app("journal")
    made = runner.invoke(app, ["journal", "key", "--seal", str(path), "--json"])
    assert (made.exit_code, path.stat().st_mode & 0o777) == (0, 0o600)
    assert SealingKey.read(path).id in made.stdout
    assert path.read_text().split()[2] not in made.output, "the secret is not printed"
    again = runner.invoke(app, ["journal", "key", "--seal", str(path)])
    assert again.exit_code == 2
    assert "already exists" in again.stderr
    named = runner.invoke(app, ["journal", "key", "--seal", str(tmp_path / "b.key"), "--new", "x"])
    assert named.exit_code == 2
    assert not (tmp_path / "b.key").exists()


@pytest.mark.slow
def test_it_does_not_start_and_makes_nothing_until_then(tmp_path: Path) -> None:
    status, said = ended("--production", "--port", "0", "--db", "club/house.db", folder=tmp_path)
    assert (status, said["event"], len(said["lacks"])) == (2, "lacks", 4)
    assert said["say"].startswith("a house for real tables cannot start yet; it lacks\n  - the name of the house")
    assert not (tmp_path / "club").exists()


@pytest.mark.slow
def test_what_it_lacks_is_a_plain_list_for_whoever_sets_it_up(tmp_path: Path) -> None:
    done = run_text("serve", "--production", "--port", "0", "--db", "club/house.db", folder=tmp_path)
    assert done.returncode == 2
    page = (ROOT / "docs" / "serve.md").read_text(encoding="utf-8")
    shown = page[page.index("a house for real tables cannot start yet") :].partition("```")[0]
    assert done.stderr == shown, "as the page shows it"
    assert not (tmp_path / "club").exists()


# ---------------------------------------------------------------------------------------------- once it runs


@pytest.mark.slow
def test_it_opens_empty_takes_no_visitors_and_prints_a_link_that_is_not_logged(tmp_path: Path) -> None:
    keys = made_keys(tmp_path)
    environment = {f"BACCARAT_{name.upper()}": value for name, value in keys.items()}
    arguments = ("--production", "--port", "0", "--db", "club/house.db")
    with Program(*arguments, folder=tmp_path, environment=environment) as program:
        address = program.address()
        assert httpx.get(f"{address}/api/tables").json()["tables"] == []
        visit = httpx.post(f"{address}/api/visit")
        assert visit.status_code == 403
        link = printed_link(program)
        first = {"link": link, "name": "Ada", "password": "correct horse battery"}
        assert httpx.post(f"{address}/api/administrator", json=first).status_code == 201
        again = httpx.post(f"{address}/api/administrator", json={**first, "name": "Eve"})
        assert again.status_code == 404, "a link works once"
        signed = httpx.post(f"{address}/api/session", json={**sign_on("Ada"), "role": "administrator"})
        assert signed.status_code == 201
        cookie = signed.headers["set-cookie"]
        token, *terms = cookie.removeprefix("__Host-baccarat=").split("; ")
        assert cookie.startswith("__Host-baccarat=")
        assert {"Secure", "HttpOnly", "Path=/", "SameSite=strict"} <= set(terms), cookie
        assert not any(term.lower().startswith("domain") for term in terms)
        # A cookie without the prefix may have been planted: it is nobody's.
        for name, status in (("__Host-baccarat", 200), ("baccarat", 401)):
            asked = httpx.get(f"{address}/api/session", headers={"Cookie": f"{name}={token}"})
            assert asked.status_code == status, name
        assert httpx.get(f"{address}/sign-on").status_code == 200
        assert program.stopped() == 0
    log = "\n".join(program.lines)
    assert link not in log
    assert "Ada" not in log
    with Program(*arguments, folder=tmp_path, environment=environment) as again_open:
        again_open.address()
        assert again_open.stopped() == 0
    assert not again_open.printed, "it has an administrator"


def printed_link(program: Program) -> str:
    """The secret of the link that was printed once."""
    for _ in range(2_400):
        found = [line for line in program.printed if "#" in line]
        if found:
            assert found[0].strip().startswith(f"{ORIGIN}/sign-on#")
            return found[0].rpartition("#")[2]
        with contextlib.suppress(Exception):
            program.process.wait(0.05)
    raise AssertionError("no link was printed")


@pytest.mark.slow
def test_a_practice_store_is_never_taken_for_a_real_one_nor_the_other_way_round(tmp_path: Path) -> None:
    async def work() -> None:
        real = production(tmp_path, **made_keys(tmp_path))
        play = Setting(db=real.db, port=0, new_house=True, seal_key=real.seal_key)
        for first, second in ((real, play), (play, real)):
            live = await open_server(first, stopped=fails)
            await live.drain()
            await live.close()
            with pytest.raises(StoreError, match=f"is the store of a {first.mode.value} house, which cannot change"):
                await open_server(second, stopped=fails)
            first.file.unlink()
            first.file.with_name(f"{first.file.name}.lock").unlink()

    run_for(work())


@pytest.mark.slow
@pytest.mark.parametrize("mode", list(Mode))
def test_the_word_of_a_proxy_on_whom_it_asks_for_is_taken_in_a_real_house_alone(mode: Mode, tmp_path: Path) -> None:
    keys = made_keys(tmp_path) if mode is Mode.PRODUCTION else {}

    async def work() -> None:
        limits: dict[str, Any] = {"requests_a_second": 0.01, "requests_at_once": 1}
        async with (
            served(tmp_path, mode=mode, **keys, **limits) as (_, address),
            httpx.AsyncClient(base_url=address) as http,
        ):
            statuses = [
                (await http.post("/api/session", json={}, headers={"X-Forwarded-For": whom})).status_code
                for whom in ("198.51.100.1", "198.51.100.2", "198.51.100.1")
            ]
        assert statuses == ([400, 400, 429] if mode is Mode.PRODUCTION else [400, 429, 429])

    run_for(work())


def test_each_stream_is_signed_under_the_houses_name_and_its_own(tmp_path: Path) -> None:
    signer = read_signer(Path(made_keys(tmp_path)["sign_key"]), house=HOUSE)
    assert origin_of(HOUSE, Stream("table 1/x")) == "example.org/house/table/1%2Fx"
    one, other = (
        signer.with_name(origin_of(HOUSE, Stream("table 1"))),
        signer.with_name(origin_of(HOUSE, Stream("cage"))),
    )
    assert one.verifier.public == other.verifier.public == signer.verifier.public
    assert Verifier.parse(str(one.verifier)).id != other.verifier.id
