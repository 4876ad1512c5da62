"""The steps of a table as a diagram: boxes in the order of the rules, with the clauses of each."""

from __future__ import annotations

from typing import NamedTuple

from baccarat.law.rulebook import Rulebook
from baccarat.picture.paint import with_paint
from baccarat.picture.svg import Markup, document, path_data

BOX, HIGH, GAP_X, GAP_Y, LEFT, TOP, WITHIN = 138.0, 44.0, 16.0, 18.0, 164.0, 20.0, 24.0
PER_ROW = 6
MOST_CLAUSES = 2

PARTS = (("A new shoe", "receive"), ("Between rounds", "close"), ("A round", "wager"))
"""Each part of a table's cycle, and its first step."""
ANY_TIME = "At any time"


class StepBox(NamedTuple):
    """One step, its clauses, and the acts that may happen within it."""

    name: str
    clauses: tuple[str, ...]
    within: tuple[str, ...]


def steps_of(rules: Rulebook) -> list[StepBox]:
    """The steps in force, in order, each once, with the acts within them."""
    rows = [row for row in rules.edition.steps if rules.meets(row.when)]
    found = list[StepBox]()
    for name in dict.fromkeys(row.name for row in rows if row.within is None):
        keys = dict.fromkeys(key for row in rows if row.name == name for key in row.cite)
        clauses = tuple(dict.fromkeys(f"§{rules.edition.clauses[key].paragraph}" for key in keys))
        within = tuple(dict.fromkeys(row.name for row in rows if row.within == name))
        found.append(StepBox(name, clauses, within))
    return found


def parts_of(steps: list[StepBox]) -> list[tuple[str, list[StepBox]]]:
    """The steps by part of the table's cycle; those before the first part can happen at any time."""
    heads = {step: title for title, step in PARTS}
    found: list[tuple[str, list[StepBox]]] = [(ANY_TIME, [])]
    for step in steps:
        if step.name in heads:
            found.append((heads[step.name], []))
        found[-1][1].append(step)
    return [(title, members) for title, members in found if members]


def steps_picture(rules: Rulebook) -> Markup:
    """The diagram of the steps in force under these rules."""
    parts, y = list[Markup](), TOP
    for title, steps in parts_of(steps_of(rules)):
        parts.append(with_paint("text", "title", title, x=14, y=y + 26, font_size=15))
        for row in (steps[at : at + PER_ROW] for at in range(0, len(steps), PER_ROW)):
            for column, step in enumerate(row):
                x = LEFT + column * (BOX + GAP_X)
                parts += _box(step, x, y, is_last=column + 1 == len(row))
            y += HIGH + max(len(step.within) for step in row) * WITHIN + GAP_Y
        y += 8
    notes = (
        "After every act the table takes the first step of this list that is due. After “clear” it begins at the top: "
        "the next round, the next shoe.",
        "Dashed: acts within a step.",
    )
    for line, note in enumerate(notes):
        parts.append(with_paint("text", "faint-start", note, x=14, y=y + 8 + 18 * line, font_size=12))
    width, height = LEFT + PER_ROW * (BOX + GAP_X) + 4, y + 40
    sheet = with_paint("rect", "sheet", width=width, height=height, rx=10)
    label = f"The steps of a table under {rules.edition.title}"
    return document(width, height, sheet, parts, label=label, class_="steps")


def _box(step: StepBox, x: float, y: float, *, is_last: bool) -> list[Markup]:
    middle = x + BOX / 2
    clauses = ", ".join(step.clauses[:MOST_CLAUSES]) + (" …" if len(step.clauses) > MOST_CLAUSES else "")
    parts = [
        with_paint("rect", "step", x=x, y=y, width=BOX, height=HIGH, rx=6),
        with_paint("text", "word", step.name.replace("_", " "), x=middle, y=y + (19 if clauses else 27), font_size=13,
                font_weight=600),
        with_paint("text", "clause", clauses, x=middle, y=y + 35, font_size=10.5),
    ]  # fmt: skip
    for k, name in enumerate(step.within):
        top = y + HIGH + 4 + WITHIN * k
        parts.append(with_paint("rect", "step-within", x=x + 8, y=top, width=BOX - 16, height=WITHIN - 4, rx=4))
        parts.append(with_paint("text", "word", name.replace("_", " "), x=middle, y=top + 14, font_size=11))
    if not is_last:
        end, level = x + BOX + GAP_X, y + HIGH / 2
        head = path_data("M", end - 6, level - 4, "L", end, level, "L", end - 6, level + 4, "Z")
        parts.append(with_paint("path", "arrow", d=path_data("M", x + BOX, level, "H", end - 5)))
        parts.append(with_paint("path", "arrow-head", d=head))
    return parts
