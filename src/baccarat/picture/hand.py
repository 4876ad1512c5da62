"""Hands: cards in a row, and a finished round as it lies on the table."""

from __future__ import annotations

from collections.abc import Sequence

from baccarat.cards import Card
from baccarat.picture.card import HEIGHT, WIDTH, back, face, name_of
from baccarat.picture.paint import SERIF, with_paint
from baccarat.picture.svg import Markup, document, element, translation
from baccarat.play.coup import Coup
from baccarat.play.hand import Side

SCALE, GAP = 0.4, 10.0
WIDE, HIGH = WIDTH * SCALE, HEIGHT * SCALE
MOST_IN_ROW = 13


def _card(card: Card | None, x: float, y: float, *, four_colours: bool = False, sideways: bool = False) -> Markup:
    drawn = back() if card is None else face(card, four_colours=four_colours)
    place = (x + HIGH, y + (HIGH - WIDE) / 2) if sideways else (x, y)
    turned = translation(*place, scale=SCALE, angle=90 if sideways else 0)
    return element("g", drawn, transform=turned, class_="card")


def cards_picture(cards: Sequence[Card | None], *, four_colours: bool = False) -> Markup:
    """Cards side by side, a deck's suit in a row; None is a card face down."""
    parts = [
        _card(card, (k % MOST_IN_ROW) * (WIDE + GAP), (k // MOST_IN_ROW) * (HIGH + GAP), four_colours=four_colours)
        for k, card in enumerate(cards)
    ]
    columns, rows = min(MOST_IN_ROW, max(1, len(cards))), max(1, -(-len(cards) // MOST_IN_ROW))
    label = ", ".join("a card, face down" if card is None else name_of(card) for card in cards) or "no cards"
    return document(columns * (WIDE + GAP) - GAP, rows * (HIGH + GAP) - GAP, parts, label=label, class_="cards")


def coup_picture(coup: Coup) -> Markup:
    """A finished round: both hands with their counts, third cards lying across, and who has won."""
    half = HIGH + 2 * WIDE + 3 * GAP + 70
    width, height = 2 * half + 30, HIGH + 52
    parts = [with_paint("rect", "sheet", width=width, height=height, rx=10)]
    parts += _hand(coup, Side.PLAYER, 15)
    parts += _hand(coup, Side.BANKER, width - half - 15)
    words = {"player": "Player wins", "banker": "Banker wins", "tie": "Tie"}.get(coup.outcome, "void")
    player = f"Player {coup.player_count}: {_card_names(coup.player)}"
    label = f"{player}; Banker {coup.banker_count}: {_card_names(coup.banker)}; {words}"
    return document(width, height, parts, label=label, class_="coup")


def _card_names(cards: Sequence[Card]) -> str:
    return ", ".join(map(name_of, cards))


def _hand(coup: Coup, side: Side, x: float) -> list[Markup]:
    """A hand from its outer end inwards: the third card, the first two, the count; the Banker's is its mirror image."""
    is_player = side is Side.PLAYER
    cards, count = (coup.player, coup.player_count) if is_player else (coup.banker, coup.banker_count)
    y = 38.0
    pair = x + HIGH + GAP if is_player else x + 70 + GAP
    third = x if is_player else x + 70 + 2 * (WIDE + GAP) + GAP
    number = pair + 2 * (WIDE + GAP) + 30 if is_player else x + 35
    won = coup.winner is side
    note = " wins" if won else ", tie" if coup.outcome == "tie" else ""
    heading = f"{side}{note}"
    parts = [
        with_paint("text", f"word-start fill-{side.value}" if won else "word-start", heading, x=pair, y=25,
                font_size=15,
                font_weight=650),
        with_paint("text", f"faint fill-{side.value}" if won else "faint", str(count), x=number, y=y + HIGH / 2 + 20,
                font_size=60, font_family=SERIF, text_anchor="middle"),
    ]  # fmt: skip
    parts += [_card(card, pair + k * (WIDE + GAP), y) for k, card in enumerate(cards[:2])]
    parts += [_card(card, third, y, sideways=True) for card in cards[2:]]
    return parts
