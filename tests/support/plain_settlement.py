"""A settlement in plain lines, which shares nothing with the program: Player, Banker, Tie, vigorish in quarters.

Cards are texts such as `9s`, a hand's cards in the order in which they came to it. Third cards that the rules do not
give to their hand are given to the other, or to none; a hand that lacks a card makes every wager go back.
"""

from __future__ import annotations

QUARTER = 25


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


def winner(player: list[str], banker: list[str]) -> str | None:
    """`p`, `b` or `t`; None where the cards lack one that the rules call for."""
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
    difference = count(mine) - count(other)
    return "t" if difference == 0 else "p" if difference > 0 else "b"


def net_of(player: list[str], banker: list[str], on: str, stake: int) -> int:
    """What a wager wins or loses, vigorish taken."""
    won = winner(player, banker)
    if won is None or (won == "t" and on != "t"):
        return 0
    if won != on:
        return -stake
    vigorish = -(-stake * 5 // (100 * QUARTER)) * QUARTER if on == "b" else 0
    return stake * (8 if on == "t" else 1) - vigorish
