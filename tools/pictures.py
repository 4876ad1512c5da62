"""The pictures of docs/images drawn by the program itself, on a white sheet so that they suit any page."""

from __future__ import annotations

from baccarat.cards import Card, parse_cards
from baccarat.law.rulebook import rulebook
from baccarat.odds import odds
from baccarat.picture.band import win_band
from baccarat.picture.chip import CHIPS, chip_face, stack
from baccarat.picture.felt import felt
from baccarat.picture.hand import cards_picture, coup_picture
from baccarat.picture.paint import with_paint
from baccarat.picture.plot import edge_plot, hit_plot, result_plot, rounds_plot, stake_plot
from baccarat.picture.road import read_marks, roads_picture
from baccarat.picture.steps import steps_picture
from baccarat.picture.svg import Markup, document, element, translation
from baccarat.play.coup import deal
from baccarat.play.road import roads
from baccarat.play.wager import WagerKind

SHOE = (
    "TBBbPBnPPPnPPPpPPBBTBnPBBBPPbBPnBPBTBBPPPnBBBBBnPBbP"
    "BPBBnPPTPBPPPPBpBBBnTBPBPnB"
)  # fmt: skip
"""A shoe with a tail, ties and pairs."""
MARGIN = 16.0


def pictures() -> dict[str, str]:
    """Every picture by its file."""
    prices, stakes = odds(rulebook("ma-midi-4")), stake_plot(odds(rulebook("ma-midi-4")))
    assert stakes is not None
    found = {
        "cards": cards_picture(_cards()),
        "cards-four-colours": cards_picture(parse_cards("As Kh Qd Jc Ts 9h 8d 7c"), four_colours=True),
        "coup": coup_picture(deal(rulebook("ma-midi-4"), "2s 3h Ad Jd Tc 5s")),
        "chips": _chips(),
        "roads-drawn": roads_picture(roads(read_marks(SHOE))),
        "steps": steps_picture(rulebook("nj-punto-banco")),
        "band": _bands(),
        "plot-edges": edge_plot(prices),
        "plot-stakes": stakes,
        "plot-hits": hit_plot(prices),
        "plot-rounds": rounds_plot(prices[WagerKind.BANKER]),
        "plot-result": result_plot(prices[WagerKind.DRAGON_PLAYER]),
        "felt": felt(rulebook("ma-midi-4", vig_collection="deferred"), hands=True),
        "felt-ez": felt(rulebook("ma-midi-4-ez"), hands=True),
        "felt-royal9": felt(rulebook("ma-midi-4-royal9"), hands=True),
        "felt-new-jersey": felt(rulebook("nj-punto-banco"), hands=True),
    }
    plain = {"coup", "roads-drawn", "steps", "cards", "cards-four-colours"}
    return {f"images/{name}.svg": svg if name in plain else on_sheet(svg) for name, svg in found.items()}


def on_sheet(picture: str) -> str:
    """A picture on paper."""
    head = picture[: picture.index(">")]
    width, height = (float(head.split(f' {side}="')[1].split('"')[0]) for side in ("width", "height"))
    label = head.split(' aria-label="')[1].split('"')[0]
    inner = Markup(picture.strip().replace("<svg ", f'<svg x="{MARGIN:g}" y="{MARGIN:g}" ', 1))
    sheet = with_paint("rect", "sheet", width=width + 2 * MARGIN, height=height + 2 * MARGIN, rx=10)
    return document(width + 2 * MARGIN, height + 2 * MARGIN, sheet, inner, label=label)


def _cards() -> list[Card | None]:
    return [*parse_cards("As 2h 3d 4c 5s 6h 7d 8c 9s Th Jd Qc Ks Js Qh Kd"), None]


def _chips() -> Markup:
    parts = [
        element("g", chip_face(chip), transform=translation(50 + 76 * k, 42, scale=0.7)) for k, chip in enumerate(CHIPS)
    ]
    for k, cents in enumerate((10_300, 22_500, 163_000, 525)):
        parts.append(stack(cents, x=50 + 100 * k, y=190, radius=36))
    return document(
        76 * len(CHIPS) + 24, 240, parts, label="Chips and coins, and stacks of $103, $225, $1,630 and $5.25"
    )


def _bands() -> Markup:
    wins = ((72_400, "as expected"), (-119_200, "below, within two deviations"), (640_000, "above: worth a look"))
    parts = list[Markup]()
    for k, (win, words) in enumerate(wins):
        band = win_band(theoretical=70_100, deviation=223_500, win=win).strip()
        parts.append(Markup(band.replace("<svg ", f'<svg x="{k * 330}" y="0" ', 1)))
        parts.append(with_paint("text", "faint", words, x=k * 330 + 160, y=80, font_size=12))
    return document(980, 92, parts, label="Three win bands")
