"""A real browser for tests: Chromium of this machine, without a window, and what its console reports.

One browser serves all tests of a process, each in contexts of its own, which share neither cookies nor storage: a new
browser would take seven times the processor time of a context.
"""

from __future__ import annotations

import asyncio
import atexit
import shutil
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from functools import cache
from typing import Any

from playwright.async_api import Browser, BrowserContext, Page, Playwright, async_playwright, expect

from patience import Patience, finish

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The first that is installed is used. The headless shell draws the same pages and needs a third less time."""
QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
PATIENCE = 60_000
"""How many milliseconds a test waits for a page, however busy the machine is."""

expect.set_options(timeout=PATIENCE)


async def launch_browser(play: Playwright) -> Browser:
    """Start the Chromium of this machine."""
    found = next((path for name in NAMES if (path := shutil.which(name))), None)
    assert found is not None, "Chromium is needed: make browser"
    return await play.chromium.launch(executable_path=found, args=list(QUIET))


class _SharedBrowser:
    """The browser of this process and the event loop that both live in until the process ends."""

    def __init__(self) -> None:
        self._runner = asyncio.Runner()
        self._play = self._runner.run(async_playwright().start())
        self.browser = self._runner.run(launch_browser(self._play))
        atexit.register(self._close)

    def run(self, work: Coroutine[Any, Any, None]) -> None:
        """Run a test's work; afterwards nothing that it started goes on and no page is left open."""
        if not self.browser.is_connected():
            self.browser = self._runner.run(launch_browser(self._play))
        own = asyncio.all_tasks(self._runner.get_loop())
        try:
            self._runner.run(work)
        finally:
            self._runner.run(self._clean_up(own))

    async def _clean_up(self, own: set[asyncio.Task[Any]]) -> None:
        for context in self.browser.contexts:
            await close_context(context)
        left = asyncio.all_tasks() - own - {asyncio.current_task()}
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)

    def _close(self) -> None:
        self._runner.run(self.browser.close())
        self._runner.run(self._play.stop())
        self._runner.close()


async def close_context(context: BrowserContext) -> None:
    """Close a context; a request that a test still answers in its place then fails without reaching the next test."""
    for page in context.pages:
        await page.unroute_all(behavior="ignoreErrors")
    await context.unroute_all(behavior="ignoreErrors")
    await context.close()


_shared = cache(_SharedBrowser)


def run_in_browser(work: Coroutine[Any, Any, None], seconds: float = 300.0) -> None:
    """Run a test's work that looks at pages; one that hangs fails and says what it waits for."""
    _shared().run(finish(work, Patience(seconds)))


@asynccontextmanager
async def browsing(
    *, width: int = 1280, height: int = 800, theme: str = "light"
) -> AsyncIterator[tuple[Page, list[str]]]:
    """A page in a context of its own, and what goes wrong on it: errors of scripts, and what the policy forbids."""
    wrong: list[str] = []
    context = await _shared().browser.new_context(
        viewport={"width": width, "height": height}, color_scheme="dark" if theme == "dark" else "light"
    )
    context.set_default_timeout(PATIENCE)
    page = await context.new_page()
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
    try:
        yield page, wrong
    finally:
        await close_context(context)


@asynccontextmanager
async def browsers() -> AsyncIterator[Browser]:
    """The browser itself, for tests that make contexts of their own; they are closed at the end of the block."""
    browser = _shared().browser
    before = browser.contexts
    try:
        yield browser
    finally:
        for context in browser.contexts:
            if context not in before:
                await close_context(context)
