"""Where faults lie, as a picture: a strip of signs for a terminal, an SVG for a page."""

from __future__ import annotations

from html import escape

from baccarat.audit.rounds.fault import MEANINGS
from baccarat.audit.rounds.round_log import LogAudit
from baccarat.report.model import Plot

SHADES = "▁▂▃▄▅▆▇█"
NO_FAULTS = "·"

INK, RULE, RED = "#222222", "#d9d9d9", "#b3262e"
"""The colours that the page's style inverts in dark mode."""
STRETCHES, WIDTH, STEP, LEFT, TOP = 128, 640, 30, 168, 12


def strips(audit: LogAudit, *, columns: int) -> list[tuple[str, str]]:
    """For each kind of fault a strip of signs, first rows first: the more faults, the higher the sign."""
    found = []
    for kind in audit.findings.by_kind:
        counted = audit.findings.positions.strip(kind, rows=audit.rows, columns=columns)
        most = max(counted)
        signs = [NO_FAULTS if not each else SHADES[(each * len(SHADES) - 1) // most] for each in counted]
        found.append((kind.value, "".join(signs)))
    return found


def plot(audit: LogAudit) -> Plot:
    """Every kind of fault by its position in the log; a darker mark has more of them."""
    kinds = list(audit.findings.by_kind.items())
    bottom = TOP + STEP * len(kinds)
    across = WIDTH - LEFT - 12
    marks = []
    for line, (kind, count) in enumerate(kinds):
        y = TOP + STEP * line
        strip = audit.findings.positions.strip(kind, rows=audit.rows, columns=STRETCHES)
        most = max(strip)
        label = kind.value.replace("_", " ")
        marks.append(f'<text x="{LEFT - 10}" y="{y + 19}" text-anchor="end" fill="{INK}">{escape(label)}</text>')
        marks.append(f'<line x1="{LEFT}" x2="{LEFT + across}" y1="{y + 24}" y2="{y + 24}" stroke="{RULE}"/>')
        for index, each in enumerate(strip):
            if each:
                height = 4 + 16 * each // most
                x, wide = LEFT + index * across / STRETCHES, across / STRETCHES
                rows = f"rows {_row(audit, index)} to {_row(audit, index + 1) - 1}"
                marks.append(
                    f'<rect x="{x:.1f}" y="{y + 24 - height}" width="{wide:.1f}" height="{height}" fill="{RED}">'
                    f"<title>{escape(label)}: {each:,} of {count:,} in {rows}</title></rect>"
                )
    for part in range(5):
        x, row = LEFT + across * part / 4, max(1, audit.rows * part // 4)
        anchor = "start" if part == 0 else "end" if part == 4 else "middle"
        marks.append(f'<text x="{x:.1f}" y="{bottom + 16}" text-anchor="{anchor}" fill="{INK}">{row:,}</text>')
    title = "Where the faults lie: rows of the log from left to right"
    told = "; ".join(f"{kind.value}, {count:,}: {MEANINGS[kind]}" for kind, count in kinds)
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {bottom + 24}" role="img" font-size="12" '
        f'aria-label="{escape(title)}"><desc>{escape(told)}</desc>{"".join(marks)}</svg>'
    )
    return Plot(title=title, description=told, svg=svg)


def _row(audit: LogAudit, stretch: int) -> int:
    return stretch * audit.rows // STRETCHES + 1
