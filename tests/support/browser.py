"""A real browser for tests: Chromium of this machine, without a window; what its console says is kept."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from playwright.async_api import Page, async_playwright, expect

NAMES = ("chromium", "chromium-browser", "google-chrome")
QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
PATIENCE = 60_000
"""Milliseconds: for so long a page is waited for, however busy the machine is."""

expect.set_options(timeout=PATIENCE)


@asynccontextmanager
async def browsing(
    *, width: int = 1280, height: int = 800, theme: str = "light"
) -> AsyncIterator[tuple[Page, list[str]]]:
    """A page of a fresh browser, and what goes wrong on it: errors of scripts, and what the policy forbids."""
    found = next((path for name in NAMES if (path := shutil.which(name))), None)
    assert found is not None, "Chromium is needed: make browser"
    wrong: list[str] = []
    async with async_playwright() as play:
        browser = await play.chromium.launch(executable_path=found, args=list(QUIET))
        context = await browser.new_context(
            viewport={"width": width, "height": height}, color_scheme="dark" if theme == "dark" else "light"
        )
        context.set_default_timeout(PATIENCE)
        page = await context.new_page()
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
        try:
            yield page, wrong
        finally:
            await browser.close()
