"""Whether a page fits its window: what overflows, is covered, cut or hidden, each by its name.

The script runs in the page as it stands, so that one page is looked at in many sizes of window without being reloaded.
"""

from __future__ import annotations

from typing import NamedTuple

from playwright.async_api import Page


class Window(NamedTuple):
    """A size of window in the pixels of style sheets, and whether it is touched."""

    width: int
    height: int
    is_touched: bool = False

    def __str__(self) -> str:
        return f"{self.width}×{self.height}{' touched' if self.is_touched else ''}"


WINDOWS = (
    Window(320, 568, True), Window(360, 640, True), Window(390, 844, True),
    Window(568, 320, True), Window(667, 375, True), Window(844, 390, True),
    Window(640, 360), Window(720, 450),
    Window(768, 1024, True), Window(1024, 768, True),
    Window(960, 600), Window(1180, 820), Window(1440, 900), Window(1920, 1080),
)  # fmt: skip
"""From the smallest phone to a large screen: upright, sideways, tablets, and two screens at a zoom of 200 %."""

FAULTS = """
() => {
  const found = [], root = document.documentElement, wide = innerWidth, high = innerHeight;
  const name = (element) => {
    const { id } = element, kind = (element.getAttribute("class") ?? "").trim().split(/\\s+/)[0];
    const words = (element.getAttribute("aria-label") ?? element.textContent ?? "").trim().replace(/\\s+/g, " ");
    return `${element.localName}${id ? `#${id}` : kind ? `.${kind}` : ""} "${words.slice(0, 30)}"`;
  };
  const say = (what, element, more = "") => found.push(`${what}: ${name(element)}${more ? ` ${more}` : ""}`);
  const isSeen = (element) => {
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return false;
    if (element.closest(".unseen, .skip, [inert], .picture-sheet")) return false;
    const { width, height } = element.getBoundingClientRect();
    return width > 0 && height > 0;
  };
  /** The boxes that cut an element, as far as what scrolls: what lies outside of that can be scrolled to. */
  const cutters = function* (element) {
    for (let each = element.parentElement; each && each !== root && each !== document.body; each = each.parentElement) {
      const { overflowX, overflowY, position } = getComputedStyle(each);
      const [x, y] = [overflowX, overflowY].map((way) => way === "hidden" || way === "clip");
      if (x || y) yield { box: each.getBoundingClientRect(), x, y, each };
      if ([overflowX, overflowY].some((way) => way === "auto" || way === "scroll") || position === "fixed") return;
    }
  };
  const cutBy = (element, box, slackX, slackY) => {
    for (const { box: cut, x, y, each } of cutters(element)) {
      if (x && (box.left < cut.left - slackX || box.right > cut.right + slackX)) return each;
      if (y && (box.top < cut.top - slackY || box.bottom > cut.bottom + slackY)) return each;
    }
    return null;
  };
  const hit = (x, y) => document.elementFromPoint(x, y);
  const isIts = (element, x, y) => {
    const top = hit(x, y);
    return top && (element.contains(top) || top.contains(element)) ? null : top;
  };
  const points = ({ left, right, top, bottom }) => [
    [(left + right) / 2, (top + bottom) / 2],
    ...[[left, top], [right, top], [left, bottom], [right, bottom]].map(([x, y]) => [
      x + Math.sign((left + right) / 2 - x) * 5, y + Math.sign((top + bottom) / 2 - y) * 5]),
  ];
  const isInWindow = ({ left, right, top, bottom }) =>
    left >= -1 && top >= -1 && right <= wide + 1 && bottom <= high + 1;

  scrollTo(0, 0);
  // nothing is wider than the window
  if (root.scrollWidth > wide) {
    found.push(`the page is ${root.scrollWidth - wide} px too wide`);
    const scrolls = (each) => each && each !== document.body
      && (getComputedStyle(each).overflowX !== "visible" || scrolls(each.parentElement));
    const over = [...document.body.querySelectorAll("*")].filter((element) =>
      isSeen(element) && element.getBoundingClientRect().right > wide + 1 && !scrolls(element.parentElement));
    for (const element of over.slice(-4)) say("too wide", element);
  }
  // what one wagers with lies in the window as it opens, whole and under nothing
  const open = document.querySelector("dealer-call")?.dataset.state === "open";
  if (open && document.querySelector(".spots:not([hidden])")) {
    const areas = [...document.querySelectorAll("button.spot")].filter(isSeen);
    const own = areas.length ? areas : [...document.querySelectorAll(".area.own[role=button]")];
    const offered = document.querySelectorAll("button.spot").length;
    if (own.length < offered) found.push(`only ${own.length} of ${offered} areas are shown`);
    for (const area of [...own, ...document.querySelectorAll("chip-tray button")]) {
      const box = area.getBoundingClientRect(), isShape = area.localName !== "button";
      if (!isInWindow(box)) say("not in the window", area, `down to ${Math.round(box.bottom)}`);
      else for (const [x, y] of isShape ? points(box).slice(0, 1) : points(box)) {
        const over = area.disabled ? null : isIts(area, x, y);
        if (over) { say("covered", area, `by ${name(over)}`); break; }
      }
    }
  }
  // no card lies on another, and neither hand is cut
  const cards = [...document.querySelectorAll("hand-cards .slot .card")]
    .map((card) => [card, card.getBoundingClientRect()]);
  for (const [index, [card, box]] of cards.entries()) {
    if (box.left < -1 || box.right > wide + 1) say("cut at the window's edge", card);
    if (box.width < 20) say("too small", card, `${Math.round(box.width)} px`);
    for (const [other, its] of cards.slice(index + 1)) {
      const across = Math.min(box.right, its.right) - Math.max(box.left, its.left);
      const down = Math.min(box.bottom, its.bottom) - Math.max(box.top, its.top);
      if (across > 2 && down > 2) say("lies on another card", other, `by ${Math.round(across)} px`);
    }
  }
  // a panel that asks for something lies in the window
  for (const panel of document.querySelectorAll("[role=dialog], dialog[open]"))
    if (isSeen(panel) && !isInWindow(panel.getBoundingClientRect())) say("not in the window", panel);
  // no text is cut
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), range = document.createRange();
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const element = node.parentElement;
    if (!node.data.trim() || element.closest("svg, option, script, select, textarea") || !isSeen(element)) continue;
    range.selectNodeContents(node);
    const by = cutBy(node, range.getBoundingClientRect(), 1.5, 4); // its own element may cut it
    if (by) say("text is cut", element, `by ${name(by)}`);
  }
  // whatever can be pressed is on top where it lies
  const pressed = 'a[href], button, input, select, textarea, summary, [role="button"], [role="slider"], [tabindex="0"]';
  for (const element of document.querySelectorAll(pressed)) {
    if (!isSeen(element) || element.disabled) continue;
    element.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    const lines = [...element.getClientRects()].filter(({ width, height }) => width && height);
    const box = lines[0] ?? element.getBoundingClientRect();
    const [[x, y]] = points(box), top = hit(x, y);
    if (x < 0 || x > wide || y < 0 || y > high) say("cannot be reached", element);
    else if (cutBy(element, box, 2, 2)) say("cut", element, `by ${name(cutBy(element, box, 2, 2))}`);
    else if (top && !element.contains(top) && !top.contains(element) && !top.closest("label")?.contains(element)) {
      const dialog = top.closest("[role=dialog], dialog");
      if (!dialog || dialog.contains(element)) say("covered", element, `by ${name(top)}`);
    }
  }
  for (const each of document.querySelectorAll("*")) if (each.scrollTop || each.scrollLeft) each.scrollTo(0, 0);
  scrollTo(0, 0);
  return [...new Set(found)];
}
"""


async def faults_in(page: Page, window: Window) -> list[str]:
    """What does not fit on a page in a window of a size, after what moves has come to rest."""
    await page.set_viewport_size({"width": window.width, "height": window.height})
    await page.evaluate("() => new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)))")
    found: list[str] = await page.evaluate(FAULTS)
    return [f"{window}: {each}" for each in found]
