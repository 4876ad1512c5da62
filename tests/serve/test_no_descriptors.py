"""A process that can open no more files: whoever is connected plays on, and when it can again, newcomers are let in."""

from __future__ import annotations

import asyncio
import contextlib
import resource
from pathlib import Path

import httpx
import pytest

from baccarat.client import Client
from served import run_for
from served_program import QUICK, Program

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="only Linux can take a running process's files"),
]


def test_whoever_is_connected_plays_on_while_no_file_can_be_opened(tmp_path: Path) -> None:
    with Program("--port", "0", folder=tmp_path, environment=QUICK) as program:
        address, process = program.address(), program.process.pid

        async def is_let_in() -> bool:
            with contextlib.suppress(httpx.TransportError):
                async with httpx.AsyncClient(timeout=2) as newcomer:
                    return (await newcomer.get(f"{address}/readyz")).text.startswith("ok\n")
            return False

        async def work() -> None:
            async with Client(address) as client:
                await client.visit()
                async with client.table("ma-midi-4") as table:
                    assert (await table.do("sit", seat=2)).is_done
                    before = resource.prlimit(process, resource.RLIMIT_NOFILE)
                    resource.prlimit(process, resource.RLIMIT_NOFILE, (0, before[1]))
                    assert not await is_let_in()
                    for _ in range(3):
                        assert (await table.do("leave", seat=2)).is_done
                        assert (await table.do("sit", seat=2)).is_done
                    resource.prlimit(process, resource.RLIMIT_NOFILE, before)
                    end = asyncio.get_running_loop().time() + 60
                    while not await is_let_in():
                        assert asyncio.get_running_loop().time() < end, "nobody is let in any more"
                        await asyncio.sleep(0.05)
                    assert (await table.do("leave", seat=2)).is_done

        run_for(work())
        assert program.stopped() == 0
    assert [each["event"] for each in program.events] == ["serving", "orders", "content", "draining", "closed"]
