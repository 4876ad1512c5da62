"""Whether a PostgreSQL server answers: asked again and again, until it does.

A question that was sent while packets were dropped is lost, and a server that is frozen or far away answers late. So a
new question is asked every quarter of a second, and none is given up before a slow server could have answered it.
"""

from __future__ import annotations

import asyncio

import psycopg

from baccarat.serve.ops.owned_tasks import OwnedTasks
from baccarat.serve.store.postgres_open import CONNECT_SECONDS

EVERY_SECONDS = 0.25


async def until_it_answers(address: str) -> None:
    """Wait until the server has answered a question."""
    async with OwnedTasks() as tasks:
        asked = set[asyncio.Task[bool]]()
        while True:
            asked.add(tasks.start(answers(address), name="is the database back"))
            again = asyncio.get_running_loop().time() + EVERY_SECONDS
            while (left := again - asyncio.get_running_loop().time()) > 0:
                done, asked = await asyncio.wait(asked, timeout=left, return_when=asyncio.FIRST_COMPLETED)
                if any(each.result() for each in done):
                    return
                if not asked:
                    await asyncio.sleep(left)


async def answers(address: str) -> bool:
    """Whether the server accepts a connection, and answers a statement on it, before a connection is given up."""
    try:
        async with asyncio.timeout(CONNECT_SECONDS):
            connection = await psycopg.AsyncConnection.connect(
                address, autocommit=True, connect_timeout=CONNECT_SECONDS, application_name="baccarat probe"
            )
            async with connection:
                await connection.execute(b"select 1")
    except (psycopg.Error, OSError, TimeoutError):
        return False
    return True
