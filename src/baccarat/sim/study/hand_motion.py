"""The motions of hands that shuffle, compiled: riffle, strip, lace, plug, wash, cut. This module imports numba.

Models, not dealers. *Riffle*: Gilbert, Shannon and Reeds: the pack is cut where a count of fair coins says, and cards
fall from either part with a chance in proportion to what it still holds. *Strip*: packets from the top, of geometric
sizes, laid on each other. *Lace*: cards from the top spread evenly into the others, one in each stretch. *Plug*: what
was not dealt, put into the discards in packets at random positions. *Wash*: clumps of cards that stick together, of
geometric sizes, in random order. A *turn* rotates one half without changing its order: it begins another pass.
"""

# mypy: disable-error-code="no-untyped-def"
# ruff: noqa: PLR0913, PLR0917

from __future__ import annotations

import numpy as np

from baccarat.sim.study.compiled import case_of, compiled, inlined, play_round, uniform_below

PLUG, RIFFLE, TURN, STRIP, LACE, WASH, CUT, FAIR = range(8)
GRAB, PACKET, PLUGS, LACED, CLUMP, RENEW, LEAST = range(7)
"""The places of the numbers of the model: see `baccarat.sim.study.hands.Model`."""

HEADS = 32
"""How many cards a tracker looks back."""
NEXT, SECOND, BEHIND = range(3)
"""For a card dealt before: its old successor comes next; comes second; or the card after that comes second."""


@compiled
def copy(source, start, size, to, at):
    """Copy `size` cards; an explicit loop, which compiles far faster than slices."""
    for k in range(size):
        to[at + k] = source[start + k]


@compiled
def shuffle_fairly(cards, s):
    """A perfect shuffle, by Fisher and Yates."""
    for i in range(cards.size - 1, 0, -1):
        j = uniform_below(s, i + 1)
        cards[i], cards[j] = cards[j], cards[i]


@compiled
def riffle(cards, low, high, room, s):
    """Riffle the cards from `low` to `high` once."""
    n, a = high - low, 0
    for start in range(0, n, 32):
        coins = uniform_below(s, 1 << 32) & ((1 << min(32, n - start)) - 1)
        while coins:
            coins &= coins - 1
            a += 1
    half = cards.size  # the space behind the shoe: the first part of it holds a pass
    copy(cards, low, n, room, half)
    i, j = 0, a
    for k in range(low, high):
        if uniform_below(s, (a - i) + (n - j)) < a - i:
            cards[k] = room[half + i]
            i += 1
        else:
            cards[k] = room[half + j]
            j += 1


@compiled
def _size(s, mean, most):
    """A packet's size: geometric with this mean, at most what is left."""
    size = 1
    while size < most and uniform_below(s, mean) != 0:
        size += 1
    return size


@compiled
def strip(cards, low, high, room, s, mean):
    """Run packets off the top, each laid on the one before."""
    n = high - low
    half = cards.size
    copy(cards, low, n, room, half)
    top, end = 0, high
    while top < n:
        size = _size(s, mean, n - top)
        copy(room, half + top, size, cards, end - size)
        top, end = top + size, end - size


@compiled
def wash(cards, room, s, mean):
    """Spread and gather: clumps keep their internal order, and end up in random order."""
    n, clumps = cards.size, 0
    starts = np.empty(n + 1, np.int64)
    top = 0
    while top < n:
        starts[clumps] = top
        clumps += 1
        top += _size(s, mean, n - top)
    starts[clumps] = n
    order = np.arange(clumps)
    shuffle_fairly(order, s)
    copy(cards, 0, n, room, 0)
    at = 0
    for clump in order:
        size = starts[clump + 1] - starts[clump]
        copy(room, starts[clump], size, cards, at)
        at += size


@compiled
def lace(cards, room, s, laced):
    """Spread the top cards over the others: one at a random position within each of as many equal stretches."""
    n = cards.size
    copy(cards, 0, n, room, 0)
    rest, out, taken = n - laced, 0, 0
    for i in range(laced):
        start, end = rest * i // laced, rest * (i + 1) // laced
        before = start + uniform_below(s, end - start + 1)
        while taken < before:
            cards[out] = room[laced + taken]
            out, taken = out + 1, taken + 1
        cards[out] = room[i]
        out += 1
    while taken < rest:
        cards[out] = room[laced + taken]
        out, taken = out + 1, taken + 1


@compiled
def plug(cards, dealt, room, s, packets):
    """Put what lies behind the dealt cards into them, in `packets` packets, each at a random position."""
    n = cards.size
    for k in range(packets):
        start = dealt + (n - dealt) * k // packets
        end = dealt + (n - dealt) * (k + 1) // packets
        at = uniform_below(s, start + 1)
        copy(cards, start, end - start, room, 0)
        for i in range(start - 1, at - 1, -1):
            cards[i + end - start] = cards[i]
        copy(room, 0, end - start, cards, at)


@compiled
def cut(cards, at, room):
    """Move what lies behind a position to the front."""
    n = cards.size
    copy(cards, 0, n, room, 0)
    copy(room, at, n - at, cards, 0)
    copy(room, 0, at, cards, n - at)


@compiled
def one_pass(cards, steps, first, last, model, room, s):
    """Two halves, a grab from each: the pack goes through the steps, and onto the stack."""
    n = cards.size
    half, out = n // 2, 0
    copy(cards, 0, n, room, 0)
    grab = model[GRAB]
    for start in range(0, n - half, grab):
        left, right = max(0, min(grab, half - start)), min(grab, n - half - start)
        copy(room, start, left, cards, out)
        copy(room, half + start, right, cards, out + left)
        end = out + left + right
        for k in range(first, last):
            if steps[k] == RIFFLE:
                riffle(cards, out, end, room, s)
            else:
                strip(cards, out, end, room, s, model[PACKET])
        out = end


@compiled
def shuffle(cards, dealt, steps, model, room, s):
    """Shuffle a shoe of which `dealt` cards were dealt, by the steps."""
    n, k = cards.size, 0
    while k < steps.size:
        step = steps[k]
        if step in (RIFFLE, STRIP, TURN):
            first = k + (step == TURN)
            last = first
            while last < steps.size and steps[last] in (RIFFLE, STRIP):
                last += 1
            one_pass(cards, steps, first, last, model, room, s)
            k = max(last, k + 1)
            continue
        if step == PLUG:
            plug(cards, dealt, room, s, model[PLUGS])
        elif step == LACE:
            lace(cards, room, s, model[LACED])
        elif step == WASH:
            wash(cards, room, s, model[CLUMP])
        elif step == CUT:
            least = model[LEAST]
            cut(cards, least + uniform_below(s, n - 2 * least + 1), room)
        else:
            shuffle_fairly(cards, s)
        k += 1


@compiled
def orders(cards, before, shoes, dealt, steps, model, s, out):
    """The orders of shoes, each shuffled from the one before; `before` came earlier; fresh sets come at intervals."""
    room = np.empty(2 * cards.size, np.int64)
    for shoe in range(shoes):
        if (before + shoe) % model[RENEW] == 0:
            shuffle_fairly(cards, s)
        shuffle(cards, dealt, steps, model, room, s)
        for i in range(cards.size):
            out[shoe, i] = cards[i]


@compiled
def survey(cards, before, shoes, dealt, steps, model, s, gaps, regions, rates):
    """Shuffle shoe after shoe, a fresh set at intervals, and count what is left of the order before; works as `orders`.

    gaps: how far behind, in the old order, each card lay from the card that now lies before it. regions: from which
    thirteenth of the old shoe to which of the new. rates: by how long ago a card was dealt, for each of `NEXT`,
    `SECOND` and `BEHIND`, how often the card that might come was still to come, and how often it came.
    """
    n = cards.size
    room, old, seen = np.empty(2 * n, np.int64), np.empty(n, np.int64), np.empty(n, np.uint8)
    for shoe in range(before, before + shoes):
        if shoe % model[RENEW] == 0:
            shuffle_fairly(cards, s)
        for i in range(n):
            old[cards[i]] = i
            seen[i] = 0
        shuffle(cards, dealt, steps, model, room, s)
        for i in range(n):
            where = old[cards[i]]
            regions[where * 13 // n, i * 13 // n] += 1
            if i:
                gaps[where - old[cards[i - 1]] + n] += 1
            if i + 1 < n:
                then = old[cards[i + 1]]
                for j in range(1, min(i, HEADS) + 1):
                    after = old[cards[i - j]] + 1
                    if after < n and not seen[after]:
                        rates[j, NEXT, 0] += 1
                        rates[j, NEXT, 1] += after == where
                        rates[j, SECOND, 0] += 1
                        rates[j, SECOND, 1] += after == then
                    if after + 1 < n and not seen[after + 1]:
                        rates[j, BEHIND, 0] += 1
                        rates[j, BEHIND, 1] += after + 1 == then
            seen[where] = 1


@compiled
def foresee(cards, at, old, was, seen, chances, first, second):
    """What a tracker believes about the values of the next card and of the second, from the last cards dealt.

    old: by card, its position in the old shoe, past the end for a card that nobody saw. was: by position, the values.
    """
    n, known, then = cards.size, 0.0, 0.0
    for value in range(10):
        first[value] = 0.0
        second[value] = 0.0
    for j in range(1, min(at, HEADS) + 1):
        after = old[cards[at - j]] + 1
        if after < n and not seen[after]:
            first[was[after]] += chances[j, NEXT]
            second[was[after]] += chances[j, SECOND]
            known += chances[j, NEXT]
            then += chances[j, SECOND]
        if after + 1 < n and not seen[after + 1]:
            second[was[after + 1]] += chances[j, BEHIND]
            then += chances[j, BEHIND]
    for value in range(10):  # four ranks of thirteen count zero
        share = (4.0 if value == 0 else 1.0) / 13
        first[value] = first[value] / known if known > 1.0 else first[value] + (1.0 - known) * share
        second[value] = second[value] / then if then > 1.0 else second[value] + (1.0 - then) * share


@inlined
def laid_out(shoe, k):
    """The rank of a round's card k in a shoe that lies open, from a position on."""
    dealing, at = shoe
    return dealing[at + k]


@compiled
def burn(cards, more, is_shown, old, seen):
    """Burn the first card and `more`, which a tracker sees only if they are shown; returns the position after them."""
    for k in range(1 + more):
        if k == 0 or is_shown:
            seen[old[cards[k]]] = 1
        else:
            old[cards[k]] = cards.size
    return 1 + more


@compiled
def remember(cards, values, old, was, seen):
    """What a tracker remembers of a shoe before it is shuffled: where each card lay, and the values by position."""
    for i in range(cards.size):
        old[cards[i]] = i
        was[i] = values[cards[i]]
        seen[i] = 0


@compiled
def best_wager(first, second, gains):
    """The wager with the highest mean gain given the first two cards, and how much; minus one if none gains."""
    best, choice = 0.0, -1
    for kind in range(gains.shape[0]):
        mean = 0.0
        for one in range(10):
            part = 0.0
            for two in range(10):
                part += second[two] * gains[kind, one, two]
            mean += first[one] * part
        if mean > best:
            best, choice = mean, kind
    return choice, best


@compiled
def play_tracked(cards, dealing, memory, chances, gains, cases, tables, table, won):
    """One shoe with a tracker at the table, to the cover card; won: rounds, rounds with a wager, expected, won.

    dealing: by position, the ranks of the cards. memory: what `remember` stored.
    """
    n = cards.size
    old, was, seen = memory
    burnt, is_shown, depth = table
    first, second, drawn = np.empty(10), np.empty(10), np.empty(6, np.int64)
    at = passed = burn(cards, np.int64(burnt[dealing[0]]), is_shown, old, seen)
    goes_on, is_last = True, n - at < depth
    while goes_on and at + 6 <= n:
        while passed < at:
            seen[old[cards[passed]]] = 1
            passed += 1
        foresee(cards, at, old, was, seen, chances, first, second)
        choice, best = best_wager(first, second, gains)
        finish, used = play_round(laid_out, (dealing, at), 6, tables, drawn)
        won[0] += 1
        if choice >= 0:
            won[1] += 1
            won[2] += best
            won[3] += cases[choice, case_of(finish, drawn)]
        at += used
        goes_on, is_last = not is_last, n - at < depth


@compiled
def track(cards, before, shoes, dealt, steps, model, s, chances, gains, cases, faces, tables, table, won):
    """Shoe after shoe with a tracker at the table; for each shoe: rounds, rounds with a wager, expected, won.

    faces: by card, its rank. table: by rank, how many cards are burned after a first one of it; whether these are
    shown, because only then does the tracker see them; and how many cards lie behind the cover card, after which one
    more hand is dealt.
    Before a round the tracker looks at each of the last cards dealt: the two cards that lay behind it in the old shoe,
    where they are still to come, come next or second with the chances that were measured. All other cards are
    equally likely: he does not count. He takes the wager with the highest mean gain given the first two cards, which go
    one to each hand, if any gains at all.
    """
    n = cards.size
    room, dealing, values = np.empty(2 * n, np.int64), np.empty(n, np.int64), np.empty(n, np.int64)
    memory = old, was, seen = np.empty(n, np.int64), np.empty(n, np.int64), np.empty(n, np.uint8)
    for card in range(n):
        values[card] = tables[0][faces[card]]
    for shoe in range(shoes):
        if (before + shoe) % model[RENEW] == 0:
            shuffle_fairly(cards, s)
        remember(cards, values, old, was, seen)
        shuffle(cards, dealt, steps, model, room, s)
        for i in range(n):
            dealing[i] = faces[cards[i]]
        play_tracked(cards, dealing, memory, chances, gains, cases, tables, table, won[shoe])
