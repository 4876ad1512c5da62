"""Court cards of our own drawing: a half figure within a frame, and the same again, turned.

King: crown, beard and sword. Queen: coronet, long hair and a flower. Jack: cap with a feather, and a halberd. Every
figure is drawn in the colour of its suit, in gold and in the paper of the card.
"""

from __future__ import annotations

from math import cos, radians, sin

from baccarat.cards import Card, Rank
from baccarat.picture.svg import Markup, element, path_data, rotation, translation

COURTS = (Rank.JACK, Rank.QUEEN, Rank.KING)

GOLD, SKIN = "#e0b04c", "#fffdf6"
LEFT, TOP, WIDE, HIGH = 48, 42, 154, 266
X, Y = 125, 175
"""The middle of the card, about which one half is turned into the other."""


def court(card: Card, hue: str, pip: str) -> Markup:
    """The middle of a court card: the frame, two halves, and the belt that joins them."""
    half = element("g", _rays(hue), _figure(card.rank, hue), _sign(pip, 70, 68, 30))
    return element(
        "g",
        element("rect", x=LEFT, y=TOP, width=WIDE, height=HIGH, rx=3, fill=hue, fill_opacity=0.06),
        half,
        element("g", half, transform=rotation(180, X, Y)),
        _belt(card.rank, hue),
        element("rect", x=LEFT, y=TOP, width=WIDE, height=HIGH, rx=3, fill="none", stroke=hue, stroke_width=2),
        element("rect", x=LEFT + 4, y=TOP + 4, width=WIDE - 8, height=HIGH - 8, rx=1, fill="none", stroke=hue,
                stroke_width=0.8),
        class_="court",
    )  # fmt: skip


def _sign(pip: str, x: float, y: float, size: float, colour: str | None = None) -> Markup:
    return element("path", d=pip, transform=translation(x, y, scale=size / 100), fill=colour)


def _rays(hue: str) -> Markup:
    """Fine lines that spread from the middle to the frame, above the belt."""
    parts = list[str | float]()
    for angle in range(12, 169, 6):
        dx, dy = cos(radians(angle)), -sin(radians(angle))
        reach = min((WIDE / 2 - 6) / abs(dx) if abs(dx) > 0.001 else 999, (HIGH / 2 - 6) / abs(dy))
        parts += ["M", X + 40 * dx, Y + 40 * dy, "L", X + reach * dx, Y + reach * dy]
    return element("path", d=path_data(*parts), fill="none", stroke=hue, stroke_width=0.8, stroke_opacity=0.28)


def _mirrored(*parts: Markup) -> Markup:
    """Parts, and the same on the other side of the figure."""
    return Markup("".join(parts) + element("g", *parts, transform="matrix(-1 0 0 1 250 0)"))


def _shape(d: str, fill: str, hue: str, width: float = 1.8) -> Markup:
    return element("path", d=d, fill=fill, stroke=hue, stroke_width=width, stroke_linejoin="round")


def _line(d: str, colour: str, width: float = 1.8) -> Markup:
    return element(
        "path", d=d, fill="none", stroke=colour, stroke_width=width, stroke_linecap="round", stroke_linejoin="round"
    )


def _figure(rank: Rank, hue: str) -> Markup:
    return {Rank.KING: _king, Rank.QUEEN: _queen, Rank.JACK: _jack}[rank](hue)


def _head(hue: str) -> Markup:
    """Neck and face: eyes, brows and nose alike for all."""
    return Markup(
        _shape("M115 126V150H135V126Z", SKIN, hue)
        + _shape("M105 86V108C105 124 114 135 125 135C136 135 145 124 145 108V86Z", SKIN, hue)
        + _mirrored(
            element("ellipse", cx=115.5, cy=103, rx=2.6, ry=2.2, fill=hue),
            _line("M110.5 97.5Q115 94.5 120 97", hue, 1.6),
        )
        + _line("M125 99V111H121.5", hue, 1.5)
    )


def _robe(hue: str, neck: str) -> Markup:
    return _shape(f"M57 176C58 156 74 149 104 143{neck}C176 149 192 156 193 176Z", hue, hue)


def _king(hue: str) -> Markup:
    points = "M101 82L96 59L111 69L125 55L139 69L154 59L149 82Z"
    orbs = [element("circle", cx=x, cy=y, r=3.6, fill=hue) for x, y in ((96, 58), (125, 53), (154, 58))]
    return Markup(
        _robe(hue, "L125 160L146 143")
        + _mirrored(_shape("M104 143L125 160L125 176L116 176L95 146Z", GOLD, hue))
        + _mirrored(_line("M66 166L86 151M80 171L92 156", SKIN, 1.6))
        + _mirrored(_shape("M106 86H99C93 98 92 112 96 123C99 126 104 124 106 119Z", hue, hue))
        + _head(hue)
        + _shape(
            "M105 107C106 115 110 116 114 114C118 111 122 111 125 114C128 111 132 111 136 114C140 116 144 115 145 107"
            "C150 128 140 146 125 153C110 146 100 128 105 107Z", hue, hue
        )
        + _line("M120.5 119.5H129.5", SKIN, 2)
        + _mirrored(_line("M114 124C114 132 117 139 120 143", SKIN, 1.2))
        + _shape(points, GOLD, hue)
        + "".join(orbs)
        + _shape("M99 82H151V90H99Z", hue, hue)
        + "".join(element("circle", cx=x, cy=86, r=2.2, fill=GOLD) for x in (107, 116, 125, 134, 143))
        + _sword(hue)
    )  # fmt: skip


def _sword(hue: str) -> Markup:
    return Markup(
        _shape("M176 66L180 54L184 66V136H176Z", SKIN, hue, 1.5)
        + _line("M180 68V132", hue, 1)
        + _shape("M167 136H193V141H167Z", GOLD, hue, 1.4)
        + _shape("M177 141H183V158H177Z", GOLD, hue, 1.2)
        + element("circle", cx=180, cy=150, r=6.5, fill=SKIN, stroke=hue, stroke_width=1.5)
    )


def _queen(hue: str) -> Markup:
    pearls = [(103, 71), (113.5, 62), (125, 57), (136.5, 62), (147, 71)]
    return Markup(
        _mirrored(_shape("M106 82C92 92 89 118 92 140C94 152 108 152 112 143L113 96Z", hue, hue))
        + _robe(hue, "C112 161 138 161 146 143")
        + _mirrored(_shape("M104 143C108 155 116 160 125 160V168C112 168 101 160 97 145Z", GOLD, hue))
        + _mirrored(_line("M64 170C66 163 74 163 76 170C78 163 86 163 88 170", SKIN, 1.4))
        + _head(hue)
        + _shape("M104 95C112 94 120 88 125 80C130 88 138 94 146 95V80H104Z", hue, hue)
        + _shape("M120.5 121Q125 118.5 129.5 121Q125 125.5 120.5 121Z", hue, hue, 0.8)
        + "".join(element("circle", cx=125 + dx, cy=149 - abs(dx) * 0.42, r=2.3, fill=hue) for dx in (-8, -4, 0, 4, 8))
        + _shape("M103 83L101 72L111 76L114 64L121 72L125 60L129 72L136 64L139 76L149 72L147 83Z", GOLD, hue)
        + "".join(element("circle", cx=x, cy=y, r=3.2, fill=SKIN, stroke=hue, stroke_width=1.5) for x, y in pearls)
        + _shape("M102 82H148V88H102Z", GOLD, hue)
        + _flower(hue)
    )


def _flower(hue: str) -> Markup:
    petals = [
        element("circle", cx=178 + 8 * cos(radians(a)), cy=102 + 8 * sin(radians(a)), r=6.2, fill=SKIN, stroke=hue,
                stroke_width=1.4)
        for a in range(-90, 270, 72)
    ]  # fmt: skip
    return Markup(
        _line("M178 108C180 124 180 136 177 152", hue, 2)
        + _shape("M179 130C186 124 191 124 194 127C190 133 185 134 179.5 133Z", hue, hue, 0.8)
        + "".join(petals)
        + element("circle", cx=178, cy=102, r=5, fill=GOLD, stroke=hue, stroke_width=1.4)
        + element("circle", cx=178, cy=150, r=6.5, fill=SKIN, stroke=hue, stroke_width=1.5)
    )


def _jack(hue: str) -> Markup:
    return Markup(
        _robe(hue, "L125 152L146 143")
        + _mirrored(_shape("M104 143L125 152V164L98 154Z", GOLD, hue))
        + _mirrored(_line("M64 172L76 160L88 172M84 172L96 160L108 172", SKIN, 1.4))
        + _mirrored(_shape("M106 84C97 90 94 108 97 121C98 129 108 130 110 122C107 114 107 104 108 94Z", hue, hue))
        + _head(hue)
        + _mirrored(_line("M108 92Q112 96 110 101", hue, 1.4))
        + _line("M119.5 121.5Q125 125 130.5 121.5", hue, 1.8)
        + _shape("M98 84C90 70 106 56 132 58C152 59 162 72 153 84Z", hue, hue)
        + _line("M106 76C112 68 122 65 134 66", SKIN, 1.4)
        + _shape("M100 82H150V90H100Z", GOLD, hue)
        + _shape("M146 80C144 62 154 50 172 50C168 56 166 60 166 66C164 76 156 81 146 80Z", GOLD, hue)
        + _line("M148 78C152 68 158 60 166 54", hue, 1.2)
        + _halberd(hue)
    )


def _halberd(hue: str) -> Markup:
    return Markup(
        _line("M184 84V170", hue, 3)
        + _shape("M184 66L188 84H180Z", SKIN, hue, 1.4)
        + _shape("M184 90C178 88 173 90 169 94C172 99 172 103 169 109C174 113 179 113 184 110Z", GOLD, hue, 1.4)
        + _shape("M184 94L193 100L184 106Z", GOLD, hue, 1.4)
        + element("circle", cx=184, cy=150, r=6.5, fill=SKIN, stroke=hue, stroke_width=1.5)
    )


def _belt(rank: Rank, hue: str) -> Markup:
    """The belt across the middle; it looks the same when the card is turned."""
    x0, x1 = LEFT + 4, LEFT + WIDE - 4
    step = (x1 - x0) / 8
    beads = list[Markup]()
    for k in range(8):
        x = x0 + (k + 0.5) * step
        if rank is Rank.KING:
            d = path_data("M", x - 6, Y, "L", x, Y - 5, "L", x + 6, Y, "L", x, Y + 5, "Z")
            beads.append(element("path", d=d, fill=hue))
        elif rank is Rank.QUEEN:
            beads.append(element("circle", cx=x, cy=Y, r=4, fill=SKIN, stroke=hue, stroke_width=1.5))
        else:
            beads.append(element("rect", x=x - 4, y=Y - 4, width=8, height=8, fill=hue))
    return Markup(
        element("rect", x=x0, y=Y - 9, width=x1 - x0, height=18, fill=GOLD, stroke=hue, stroke_width=1.8)
        + "".join(beads)
    )
