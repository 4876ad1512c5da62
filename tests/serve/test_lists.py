"""Every list of the interface, found in its OpenAPI document: read one row at a time it is the list as a whole."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

import baccarat.serve
from baccarat.record.key import KeyKind, Signer
from baccarat.serve.runtime.past_state import StateCache
from baccarat.table.role import Role
from full_lists import TABLE, fill_lists, grow
from house_of_roles import Asked, production, sign_everybody_on
from looked_at import every_look
from paths import ROOT
from served import audited, run_for, served

pytestmark = pytest.mark.slow

OPENAPI = ROOT / "tests" / "data" / "golden" / "openapi.json"
OLDEST_FIRST = {"/api/people", "/api/streams/{name}/checkpoints", "/api/access-log"}
"""Lists that grow at their end; the others begin with the newest row."""
OF_A_PARTICIPANT = {"/api/own/rounds"}
"""A list that nobody but its participant has; `test_own_rounds.py` walks it."""
CHANGING = ("/api/access-log", "/metrics", "/healthz", "/readyz", "/api/session", "/api/welcome")
"""What looking at it changes, or the clock."""


def paged() -> dict[str, list[str]]:
    """Every address with a `limit`, and its query parameters."""
    found = dict[str, list[str]]()
    for path, methods in json.loads(OPENAPI.read_bytes())["paths"].items():
        for method, operation in methods.items():
            names = [each["name"] for each in operation.get("parameters", ()) if each["in"] == "query"]
            if "limit" in names and path not in OF_A_PARTICIPANT:
                assert method == "get", f"{method} {path} has a limit: what is its list?"
                found[path] = names
    return found


def address(path: str, **query: Any) -> str:
    """The address of a list, with names that the house has."""
    name = quote(f"table {TABLE}" if "/streams/" in path else TABLE)
    filled = path.replace("{name}", name)
    assert "{" not in filled, f"{path}: what is to stand there?"
    return f"{filled}?{'&'.join(f'{key}={value}' for key, value in query.items())}"


async def page_of(house: Asked, path: str, **query: Any) -> tuple[list[Any], str]:
    """The rows of one page, and the cursor of the next."""
    found = await house.get(address(path, **query), role=Role.ADMINISTRATOR)
    assert found.status == 200, (path, query, found)
    lists = [each for each in found.json.values() if isinstance(each, list)]
    assert len(lists) == 1, f"{path}: an answer with a limit has one list"
    return lists[0], str(found.json.get("next", ""))


async def walk(
    house: Asked,
    path: str,
    limit: int,
    *,
    most: int = 1000,
    meanwhile: Callable[[], Awaitable[None]] | None = None,
    query: dict[str, str],
) -> list[Any]:
    """The rows of a list, page by page, to the end or to a number of pages; `meanwhile` happens after the first."""
    rows, cursor, pages = list[Any](), "", 0
    while pages == 0 or (cursor and pages < most):
        page, cursor = await page_of(house, path, limit=limit, cursor=cursor, **query)
        rows += page
        pages += 1
        assert len(page) == limit or not cursor, f"{path}: page {pages} of {limit} row(s) has {len(page)}"
        if pages == 1 and meanwhile is not None:
            await meanwhile()
    return rows


@pytest.fixture(scope="module")
def full_house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a house whose lists have several rows; each test uses a copy of it."""
    folder = tmp_path_factory.mktemp("full")
    (folder / "sign.key").write_text(Signer("example.org/house", KeyKind.LOG, bytes(range(32))).secret)
    (folder / "sign.key").chmod(0o600)

    async def fill() -> None:
        async with served(folder, **settings(folder)) as (live, _):
            await fill_lists(live)
            for _ in range(2):
                await grow(live)

    run_for(fill())
    return folder


def settings(folder: Path) -> dict[str, Any]:
    """Of a house that signs."""
    return production(folder, sign_key=str(folder / "sign.key"))


def in_full_house(work: Callable[[Asked], Awaitable[None]], full_house: Path, tmp_path: Path) -> None:
    """Ask a copy of the house."""
    folder = tmp_path / "house"
    shutil.copytree(full_house, folder)

    async def inner() -> None:
        async with served(folder, **settings(folder)) as (live, at):
            await work(await sign_everybody_on(live, at))
            await live.house.writer.wait_until_flushed()
            audited(live, folder)

    run_for(inner())


def test_every_list_read_row_by_row_is_the_list_as_a_whole(full_house: Path, tmp_path: Path) -> None:
    async def work(house: Asked) -> None:
        for path, names in paged().items():
            flags = [{}, {"newest": "true"}] if "newest" in names else [{}]
            for flag in flags:
                whole, _ = await page_of(house, path, limit=100, **flag)
                assert len(whole) >= 3, f"{path}: a list of {len(whole)} row(s) shows little"
                for limit in (1, 7, min(99, len(whole) - 1), min(99, len(whole))):
                    if "cursor" in names:
                        rows = (await walk(house, path, limit, most=40, query=flag))[:100]
                        assert rows == whole[: max(len(rows), 40)], (path, flag, limit)
                    else:
                        assert (await page_of(house, path, limit=limit, **flag))[0] == whole[:limit], (path, limit)

    in_full_house(work, full_house, tmp_path)


def test_a_list_that_grows_while_it_is_read_shows_every_row_once(full_house: Path, tmp_path: Path) -> None:
    """Somebody leafs through it in the middle of the day: what was there at the beginning is there, once."""

    async def work(house: Asked) -> None:
        for path, names in paged().items():
            if "cursor" not in names:
                continue
            for flag in [{}, {"newest": "true"}] if "newest" in names else [{}]:
                before = await walk(house, path, 100, query=flag)
                rows = await walk(
                    house, path, max(2, len(before) // 10), meanwhile=lambda: grow(house.live), query=flag
                )
                texts = [json.dumps(each, sort_keys=True) for each in rows]
                assert len(set(texts)) == len(texts), f"{path}: a row comes twice"
                is_oldest_first = path in OLDEST_FIRST and not flag
                assert [each for each in rows if each in before] == before, f"{path}: a row is left out"
                assert is_oldest_first or rows == before, f"{path}: a new row comes among the old"

    in_full_house(work, full_house, tmp_path)


def page_sizes() -> list[str]:
    """Every number of rows that the server reads at a time, as `module.PAGE`."""
    folder = Path(baccarat.serve.__file__).parent
    found = list[str]()
    for file in sorted(folder.rglob("*.py")):
        if re.search(r"^PAGE = \d+$", file.read_text(encoding="utf-8"), re.MULTILINE):
            found.append(".".join(("baccarat.serve", *file.relative_to(folder).with_suffix("").parts, "PAGE")))
    return found


def test_every_answer_is_the_same_however_many_rows_are_read_at_a_time(
    full_house: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tests are too short to fill a page of 500 rows twice; in a real house each shoe does."""

    async def work(house: Asked) -> None:
        sizes = page_sizes()
        assert len(sizes) >= 8, sizes
        before = await everything(house)
        for name in sizes:
            monkeypatch.setattr(name, 7)
        house.live.states = StateCache()
        after = await everything(house)
        monkeypatch.undo()
        assert [path for path in before if after[path] != before[path]] == []

    in_full_house(work, full_house, tmp_path)


async def everything(house: Asked) -> dict[str, tuple[int, bytes]]:
    """The answer of every address that can be looked at, but for those of the clock and of this very visit."""
    found = dict[str, tuple[int, bytes]]()
    for path in every_look():
        looked = path.replace("/tables/ma-midi-4", f"/tables/{quote(TABLE)}")
        looked = looked.replace("table%20ma-midi-4", quote(f"table {TABLE}"))
        if any(word in looked for word in CHANGING):
            continue
        for role in (Role.SURVEILLANCE, Role.ADMINISTRATOR, Role.PIT_BOSS):
            answer = await house.get(looked, role=role)
            if answer.status != 403:
                break
        found[looked] = answer.status, re.sub(rb'"(now|rounds_an_hour)":\d+', b"", answer.body)
    assert [status for status, _ in found.values()].count(200) >= 60, found
    return found
