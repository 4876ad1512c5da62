"""A settlement in plain lines, written from the documents, which shares nothing with the program.

Cards are texts such as `9s`, a hand's cards in the order in which they came to it. Third cards that the rules do not
give to their hand are given to the other, or to none; a hand that lacks a card makes every wager go back, except House
Money, which two cards decide. What progressive wagers are paid depends on meters and chairs: `royal9_of`.
"""

from __future__ import annotations

from fractions import Fraction

QUARTER = 25
FIVE_PERCENT, EZ, HALF_ON_SIX, EXEMPT = "five percent", "ez", "half on six", "exempt"
"""What the Banker's win costs: vigorish; nothing, but a Dragon 7 pushes; half the win on six; nothing beside totals."""
DRAGON = {9: 30, 8: 10, 7: 6, 6: 4, 5: 2, 4: 1}
"""What a Dragon Bonus of pay table A wins by a margin, to one."""
TOTALS = {"total4": (4, Fraction(3, 2)), "total5": (5, Fraction(2)), "total6": (6, Fraction(2))}


def value(card: str) -> int:
    """What a card counts."""
    return "A23456789".find(card[0].upper()) + 1


def count(cards: list[str]) -> int:
    """What a hand counts."""
    return sum(map(value, cards)) % 10


def banker_draws(banker: int, third: str | None) -> bool:
    """Whether the Banker draws, by its two cards and the Player's third card."""
    if third is None:
        return banker <= 5
    low = {3: range(10), 4: range(2, 8), 5: range(4, 8), 6: range(6, 8)}
    return banker <= 2 or (banker in low and value(third) in low[banker] and not (banker == 3 and value(third) == 8))


def hands(player: list[str], banker: list[str]) -> tuple[list[str], list[str]] | None:
    """The hands as the rules deal these cards; None where they lack one that the rules call for."""
    mine, other, thirds = player[:2], banker[:2], [*player[2:], *banker[2:]]
    if max(count(mine), count(other)) < 8:
        third = None
        if count(mine) <= 5:
            if not thirds:
                return None
            third = thirds.pop(0)
            mine = [*mine, third]
        if banker_draws(count(other), third):
            if not thirds:
                return None
            other = [*other, thirds.pop(0)]
    return mine, other


def is_natural(cards: list[str]) -> bool:
    """Whether two cards count eight or nine."""
    return len(cards) == 2 and count(cards) >= 8


def dragon_net(own: list[str], other: list[str], stake: int) -> int:
    """What a Dragon Bonus on a hand wins or loses."""
    margin = count(own) - count(other)
    if is_natural(own):
        if is_natural(other) and margin <= 0:
            return 0 if margin == 0 else -stake
        return stake
    return stake * DRAGON[margin] if margin >= 4 else -stake


def raised(cents: Fraction) -> int:
    """A payment with a fraction of a cent is raised to the cent."""
    return -(-cents.numerator // cents.denominator)


def banker_net(own: list[str], other: list[str], stake: int, coupon: int, terms: str) -> int:
    """What a winning wager on the Banker brings."""
    paid = stake + coupon
    if terms == EZ:
        return 0 if count(own) == 7 and len(own) == 3 else paid
    if terms == HALF_ON_SIX:
        return raised(Fraction(paid, 2)) if count(own) == 6 else paid
    if terms == EXEMPT:
        return paid
    return paid + (-paid * 5 // (100 * QUARTER)) * QUARTER


def net_of(
    player: list[str], banker: list[str], on: str, stake: int, *, coupon: int = 0, terms: str = FIVE_PERCENT
) -> int:
    """What a wager wins or loses, vigorish taken; a coupon wins with it and does not lose."""
    if on == "house_money":
        pairs = sum(cards[0][0].upper() == cards[1][0].upper() for cards in (player, banker))
        return stake * (-1, 3, 15)[pairs]
    dealt = hands(player, banker)
    if dealt is None:
        return 0
    mine, other = dealt
    margin = count(mine) - count(other)
    won = "t" if margin == 0 else "p" if margin > 0 else "b"
    match on:
        case "dragon_player":
            return dragon_net(mine, other, stake)
        case "dragon_banker":
            return dragon_net(other, mine, stake)
        case "dragon7":
            return stake * 40 if won == "b" and len(other) == 3 and count(other) == 7 else -stake
        case "panda8":
            return stake * 25 if won == "p" and len(mine) == 3 and count(mine) == 8 else -stake
        case "total4" | "total5" | "total6":
            cards, odds = TOTALS[on]
            return raised(stake * odds) if len(mine) + len(other) == cards else -stake
    if won == "t" and on != "t":
        return 0
    if won != on:
        return -stake
    return banker_net(other, mine, stake, coupon, terms) if on == "b" else (stake + coupon) * (8 if on == "t" else 1)


CHAIRS = {1: "SH", 2: "SD", 3: "CH", 4: "CD", 5: "HS", 6: "HC", 7: "DS"}
"""Of each chair the suit of its court cards, and of its nine."""
EARLY, LATE = ("major", "k9_banker", "k9_player"), ("star", "spade", "heart")
"""The meters of the first two editions, and of the later ones: for both hands, the Banker's king, the Player's king."""
SEEDS, RATES = (5_000_000, 35_000, 35_000), (45, 25, 25)
"""What they begin with, and what each wager of $5 puts into them, in cents."""


def royal(cards: list[str]) -> str:
    """A court card with a nine, as its rank, its suit and the suit of the nine; empty if the two cards are none."""
    court, nine = sorted((card.upper() for card in cards[:2]), key=lambda card: card[0] == "9")
    return court[0] + court[1] + nine[1] if nine[0] == "9" and court[0] in "KQJ" else ""


def royal9_of(
    player: list[str], banker: list[str], seats: tuple[int, ...], names: tuple[str, ...]
) -> tuple[dict[int, int], dict[str, int]]:
    """What each seat in the bet wins or loses by the first four cards, and what the meters show then, in cents.

    The chair's own combination on both hands comes first, which takes the first meter; in the first two editions two
    others of the chair take a tenth of what that leaves.
    """
    mine, other = royal(player), royal(banker)
    meters = [seed + rate * len(seats) for seed, rate in zip(SEEDS, RATES, strict=True)]
    nets, tenths = dict.fromkeys(seats, 0), []
    for seat in seats:
        own, king = CHAIRS[seat], f"K{CHAIRS[seat]}"
        courts = {f"{court}{own}" for court in ("KQJ" if names == EARLY else "K")}
        if mine == other and mine in courts:
            meter = 0
        elif names == EARLY and mine in courts and other in courts:
            tenths.append(seat)
            continue
        elif (other == king) != (mine == king):
            meter = 1 if other == king else 2
        else:
            nets[seat] = _fixed_prize(mine, other, names)
            continue
        nets[seat], meters[meter] = meters[meter], SEEDS[meter]
    for seat in tenths:  # no two seats have the same combinations: there is one at most
        nets[seat] = -(-meters[0] // 10)
        meters[0] -= nets[seat]
    return {seat: net - 500 for seat, net in nets.items()}, dict(zip(names, meters, strict=True))


def _fixed_prize(mine: str, other: str, names: tuple[str, ...]) -> int:
    """What the rows without a meter pay: for a king and nine that is posted at another chair, and for any Royal 9."""
    if names == LATE and mine == other and mine[:1] == "K" and mine[1:] in CHAIRS.values():
        return 500_000
    suited = [hand for hand in (mine, other) if hand and hand[1] == hand[2]]
    if mine and other:
        return 150_000 if len(suited) == 2 else 25_000
    return 5_000 if suited else 2_500 if mine or other else 0
