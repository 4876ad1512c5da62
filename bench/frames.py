"""Requests and bytes of sixty screens behind one address, for each act: with words in the frames, and as it was before.

Run: make bench, or .venv/bin/python bench/frames.py [minutes of play]

All bytes go through a proxy that counts them: HTTP with its headers, and sockets as they are compressed.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "support"))

from many_screens import Evening, PlayClock, acts_on_record, hurried  # noqa: E402
from served import served  # noqa: E402

SPEED = 20.0
TOO_MANY = 429


class CountingProxy:
    """Passes bytes on to a house, and counts them."""

    def __init__(self, port: int) -> None:
        self._port = port
        self.up = self.down = 0

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[str]:
        """The address of the proxy, until the end of the block."""
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        try:
            yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        finally:
            server.close()

    async def _serve(self, reading: asyncio.StreamReader, writing: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection("127.0.0.1", self._port)
        await asyncio.gather(self._pass(reading, back, is_up=True), self._pass(there, writing, is_up=False))

    async def _pass(self, reading: asyncio.StreamReader, writing: asyncio.StreamWriter, *, is_up: bool) -> None:
        with contextlib.suppress(ConnectionError):
            while data := await reading.read(65_536):
                if is_up:
                    self.up += len(data)
                else:
                    self.down += len(data)
                writing.write(data)
                await writing.drain()
        writing.close()


async def measure(folder: Path, minutes: float, *, asks: bool) -> list[float]:
    """Requests, bytes to the screens and bytes from them, all for each act on record; and requests refused."""
    async with served(folder, **hurried(SPEED)) as (live, address):
        proxy = CountingProxy(int(address.rsplit(":", 1)[1]))
        async with proxy.listening() as passed, Evening(passed, speed=SPEED, asks=asks).begun() as evening:
            clock, acts = PlayClock(live), acts_on_record(live)
            requests, up, down = evening.answers.requests, proxy.up, proxy.down
            while clock() < 60 * minutes:
                await asyncio.sleep(0.1)
            acts = acts_on_record(live) - acts
            found = [evening.answers.requests - requests, proxy.down - down, proxy.up - up]
            return [*(each / acts for each in found), float(evening.answers.statuses[TOO_MANY])]


def main() -> None:
    """Measure both, and print them next to each other."""
    minutes = float(sys.argv[1]) if len(sys.argv) > 1 else 5.0
    found = []
    for asks in (True, False):
        with tempfile.TemporaryDirectory() as folder:
            found.append(asyncio.run(measure(Path(folder), minutes, asks=asks)))
    print(f"sixty screens at four tables, {minutes:g} minutes of play        requests after acts   words in the frames")
    for what, before, after in zip(
        ("requests for each act", "bytes to the screens", "bytes from the screens", "requests refused (429)"),
        *found,
        strict=True,
    ):
        ratio = f"{after / before:8.0%}" if before else ""
        print(f"{what:<58} {before:>20,.1f} {after:>20,.1f} {ratio}")


if __name__ == "__main__":
    main()
