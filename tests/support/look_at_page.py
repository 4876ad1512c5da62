"""What a page is like for people: axe's findings, how soon it is painted, what it weighs, whether anything jumps."""

from __future__ import annotations

from importlib.resources import files
from typing import Any, Literal

from playwright.async_api import Page, Request

AXE = (files("axe_playwright_python") / "axe.min.js").read_text("utf-8")
SETTLED = 150
"""Milliseconds after which what moves has come to rest; pages honour that somebody wants no motion."""


COLOUR_RULES = ["color-contrast", "link-in-text-block"]
"""What axe finds by the colours of a page; by every other rule a page is the same in both themes."""
ONE_OF_EACH_LOOK = """() => {
  const numbers = new Map(), grounds = new Map(), found = new Map();
  const number = (text) => numbers.get(text) ?? numbers.set(text, numbers.size).get(text);
  const ground = (element) => {
    if (!element) return -1;
    if (!grounds.has(element)) {
      const style = getComputedStyle(element);
      const names = ["backgroundColor", "backgroundImage", "opacity", "filter", "mixBlendMode", "position", "zIndex"];
      grounds.set(element, number([ground(element.parentElement), ...names.map((name) => style[name])].join()));
    }
    return grounds.get(element);
  };
  const hasText = (element) => element.matches("input, select, textarea, button")
    || [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
  for (const element of document.body.querySelectorAll("*")) {
    if (!hasText(element) || !element.checkVisibility()) continue;
    const { color, fontSize, fontWeight, textShadow } = getComputedStyle(element);
    const look = [ground(element), color, fontSize, fontWeight, textShadow].join();
    if (!found.has(look)) found.set(look, element);
  }
  return [...found.values()];
}"""
"""One of the texts that have the same colours, size and ground: axe takes five seconds for a thousand clauses."""


async def findings(page: Page, *, rules: list[str] | None = None) -> list[str]:
    """Everything that axe finds on a page as it stands, one line each; only by some rules if they are given."""
    await page.wait_for_timeout(SETTLED)
    await page.evaluate(AXE)
    contrast = (
        f"axe.run({{include: ({ONE_OF_EACH_LOOK})()}}, {{runOnly: ['color-contrast'], resultTypes: ['violations']}})"
    )
    rest = "axe.run(document, {...asked, resultTypes: ['violations'], rules: {'color-contrast': {enabled: false}}})"
    asked = (
        {"runOnly": {"type": "rule", "values": [each for each in rules if each != "color-contrast"]}} if rules else {}
    )
    ran: list[dict[str, Any]] = await page.evaluate(
        f"async (asked) => [(await {contrast}).violations, (await {rest}).violations].flat()", asked
    )
    return [
        f"{each['id']}: {each['help']}: {node['target']} {node.get('failureSummary', '')}"
        for each in ran
        for node in each["nodes"]
    ]


ODD_WORDS = (
    r"(?<![a-z] )(?<![-.,$\w])1 (?!is\b|was\b|has\b|does\b)[a-z]{2,}s\b"
    r"|[?!.][.](?![.\d])(?=\s|$)|。。|？。|\bundefined\b|\bNaN\b|\[object |\bnull\b"
    r"|§[a-z]+-[a-z]|\b[Cc]ounted, in cents|\bin (micro-)?cents\b|\bMending\b|`[a-z_]+`"
)
"""What no page says: one of several, two marks at an end, values that are missing, and words of the program."""
SEEN_TEXT = """(odd) => {
  const pattern = new RegExp(odd, "g"), found = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT);
  for (let each = walk.currentNode; each; each = walk.nextNode()) {
    if (!["P", "LI", "TD", "TH", "DT", "DD", "H1", "H2", "H3", "BUTTON", "A", "SPAN", "LABEL", "LEGEND"]
      .includes(each.tagName) || !each.checkVisibility()) continue;
    const text = each.innerText ?? "";
    for (const [word] of text.matchAll(pattern)) found.push(`${word}: ${text.slice(0, 120)}`);
  }
  return [...new Set(found)];
}"""


async def odd_words(page: Page) -> list[str]:
    """What a page says as no page should, as it stands."""
    found: list[str] = await page.evaluate(SEEN_TEXT, ODD_WORDS)
    return [f"words: {each}" for each in found]


FADED = """() => new Promise((next) => requestAnimationFrame(next)).then(() => Promise.allSettled(
  document.getAnimations().filter((each) => each instanceof CSSTransition).map((each) => each.finished)))"""
"""Colours fade from one theme to the other: they are looked at when they have."""


async def found_in_both_themes(page: Page) -> list[str]:
    """The same in the dark, and by colours in the light, on one page."""
    found: list[str] = []
    themes: dict[Literal["dark", "light"], list[str] | None] = {"dark": None, "light": COLOUR_RULES}
    for theme, rules in themes.items():
        await page.emulate_media(color_scheme=theme)
        await page.evaluate(FADED)
        found += [f"{theme}: {each}" for each in await findings(page, rules=rules)]
    return found + await odd_words(page)


WATCH_SHIFTS = """
() => {
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const name = (node) => `${node?.nodeName}#${node?.id ?? ''}.${node?.getAttribute?.('class')}`;
      const moved = entry.sources.map((each) => name(each.node));
      if (!entry.hadRecentInput) window.shifts.push(`${entry.value.toFixed(4)} ${moved.join(' ')}`);
    }
  }).observe({type: 'layout-shift', buffered: false});
}
"""


async def watch_shifts(page: Page) -> None:
    """Note from now on whatever jumps on the page without anybody having touched it."""
    await page.evaluate(WATCH_SHIFTS)


async def shifts(page: Page) -> list[str]:
    """What has jumped since `watch_shifts`: how far, and which elements."""
    found: list[str] = await page.evaluate("() => window.shifts")
    return found


FIRST_PAINT = """
() => performance.getEntriesByType('paint').find((each) => each.name === 'first-contentful-paint')?.startTime
"""


async def first_paint(page: Page) -> float:
    """After how many milliseconds something of the page was seen first."""
    found: float = await (await page.wait_for_function(FIRST_PAINT)).json_value()
    return found


class Weight:
    """The bytes of everything that a page fetches, as they come over the line, without a cache."""

    def __init__(self, page: Page) -> None:
        self._requests: list[Request] = []
        page.on("requestfinished", self._finished)

    def _finished(self, request: Request) -> None:
        self._requests.append(request)

    async def bytes(self) -> dict[str, int]:
        """By address."""
        found: dict[str, int] = {}
        for request in self._requests:
            sizes = await request.sizes()
            found[request.url] = found.get(request.url, 0) + sizes["responseBodySize"] + sizes["responseHeadersSize"]
        return found
