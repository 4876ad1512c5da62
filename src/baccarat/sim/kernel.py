"""The kernel: whole shoes in lockstep, one per lane, from the same streams as `stream` and with the same result.

No branch depends on what one shoe does: a lane that has nothing to do in a step draws the number 255, which takes no
card. A round draws six numbers. Four make the opening hands; the fifth card is "the next one", for Player or Banker;
the sixth is taken only if both draw. A lane whose attempt is void sits out: it takes nothing, counts nothing, and
must not come nearer to its end.

All numbers of a shoe fit a byte, because a pile has at most 255 cards. Words come as two vectors of 16 bits, `x` and
`y`, half of the lanes each; `pack` and `join` convert between the two forms.

This module imports numba, so it is imported only when needed. `vector_run` calls it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from baccarat.sim.kernel_shoe import (
    AFTER,
    ALONE,
    BIT,
    BURNT,
    HIGH_AFTER,
    HIGH_ALONE,
    HIGH_BIT,
    HIGH_PLAYER,
    MARK,
    PLAYER,
    RECORD,
    ROW,
    VALUE,
    U,
    attempt,
    burn,
    outside_mask,
    part,
    start,
)
from baccarat.sim.vector import (
    all_bytes,
    equal,
    excess,
    first_bit,
    is_any,
    join_lower,
    join_upper,
    lanes_of,
    load_table,
    look,
    peek,
    set_lanes,
    smaller,
    store,
)
from baccarat.sim.vector_machine import compiled, inlined
from baccarat.sim.vector_shoe import add_pile, draw, load_class_table, load_counters, look_class, tally

# ------------------------------------------------------------------- a round


@inlined
def _modulo_ten(on: Any, count: Any) -> Any:
    """A count below twenty modulo ten: one below ten wraps to above all others when ten is subtracted."""
    return smaller(count, count - all_bytes(on, 10))


@inlined
def load_tableau(on: Any, law: Any) -> Any:
    """The tables of the tableau, loaded once for all rounds."""
    value = load_class_table(on, law.rows, U(VALUE * ROW), law.shape)
    after = load_class_table(on, law.rows, U(AFTER * ROW), law.shape)
    player, alone = load_table(on, law.rows, U(PLAYER * ROW)), load_table(on, law.rows, U(ALONE * ROW))
    return value, after, player, alone, load_table(on, law.rows, U(BIT * ROW))


@inlined
def _opening_draws(on: Any, tables: Any, high: Any, p: Any, b: Any) -> Any:
    """Whether the Player draws, and whether the Banker draws if the Player stays: zero means no."""
    _value, _after, player, alone, bit = tables
    own = look(bit, b)
    draws, alone_draws = look(player, p) & own, look(alone, p) & own
    if high is None:
        return draws, alone_draws
    own = look(load_table(on, high, U(HIGH_BIT * ROW)), b)
    draws = draws | (look(load_table(on, high, U(HIGH_PLAYER * ROW)), p) & own)
    return draws, alone_draws | (look(load_table(on, high, U(HIGH_ALONE * ROW)), p) & own)


@inlined
def _draws_after(on: Any, law: Any, tables: Any, high: Any, card: Any, b: Any) -> Any:
    """Whether the Banker draws after the Player's third card."""
    _value, after, _player, _alone, bit = tables
    draws = look_class(after, card) & look(bit, b)
    if high is None:
        return draws
    own = look(load_table(on, high, U(HIGH_BIT * ROW)), b)
    return draws | (look_class(load_class_table(on, high, U(HIGH_AFTER * ROW), law.shape), card) & own)


@inlined
def play(on: Any, law: Any, tables: Any, high: Any, counters: Any, numbers: Any) -> Any:
    """A round in every lane: counters after it, six cards, final counts, masks of hands with two cards, cards taken."""
    zero, ones, top = all_bytes(on, 0), all_bytes(on, 255), all_bytes(on, 128)
    value = tables[0]
    counters, c0 = draw(counters, numbers[0] ^ top)
    counters, c1 = draw(counters, numbers[1] ^ top)
    counters, c2 = draw(counters, numbers[2] ^ top)
    counters, c3 = draw(counters, numbers[3] ^ top)
    p = _modulo_ten(on, look_class(value, c0) + look_class(value, c2))
    b = _modulo_ten(on, look_class(value, c1) + look_class(value, c3))
    draws, alone_draws = _opening_draws(on, tables, high, p, b)
    stays, waits = equal(draws, zero), equal(alone_draws, zero)
    no_fifth = stays & waits
    counters, c4 = draw(counters, (numbers[4] | no_fifth) ^ top)
    no_sixth = equal(_draws_after(on, law, tables, high, c4, b), zero) | stays
    counters, c5 = draw(counters, (numbers[5] | no_sixth) ^ top)
    fifth, sixth = look_class(value, c4), look_class(value, c5)
    p = _modulo_ten(on, p + (fifth & (stays ^ ones)))
    b = _modulo_ten(on, b + (fifth & (waits ^ ones)) + (sixth & (no_sixth ^ ones)))
    taken = all_bytes(on, 6) + no_fifth + no_sixth  # a set mask is minus one
    return counters, (c0, c1, c2, c3, c4, c5), p, b, stays, waits & no_sixth, taken


# ------------------------------------------------------------------- what is counted


@inlined
def count(on: Any, offsets: Any, work: Any, counts: Any, ended: Any, away: Any) -> Any:
    """Count the finishes of the lanes that take part, and return their bytes."""
    cards, p, b, stays, two = ended
    if offsets is None:  # both counts in a byte, who drew and the pairs in another, alternating between two tables
        code = (p + b * all_bytes(on, 16)) | away
        flags = (stays & all_bytes(on, 1)) | (two & all_bytes(on, 2)) | _alternating_offset(on, work)
        flags = flags | (equal(cards[0], cards[2]) & all_bytes(on, 8)) | (equal(cards[1], cards[3]) & all_bytes(on, 4))
        tally(counts, work.scratch, join_lower(code, flags))
        tally(counts, work.scratch, join_upper(code, flags))
        return code, flags
    both, player = look(load_table(on, offsets, U(0)), p), look(load_table(on, offsets, U(ROW)), p)
    banker, nobody = look(load_table(on, offsets, U(2 * ROW)), p), look(load_table(on, offsets, U(3 * ROW)), p)
    drew, stayed = both ^ ((both ^ player) & two), banker ^ ((banker ^ nobody) & two)
    code = ((drew ^ ((drew ^ stayed) & stays)) + b) | away
    tally(counts, work.scratch, code)  # two lanes share a counter: half as many increments
    return code, code


@inlined
def _alternating_offset(on: Any, work: Any) -> Any:
    """Zero and 16 alternating, so that neighbours do not wait for each other's counter."""
    return load_table(on, work.turns, U(0))


@inlined
def _count_royals(on: Any, law: Any, royals: Any, work: Any, cards: Any, away: Any) -> None:
    """Count the opening hands of the few lanes in which at least one is a Royal 9."""
    if royals is None:
        return
    marks = load_class_table(on, law.rows, U(MARK * ROW), law.shape)
    lowest, other = all_bytes(on, 196), all_bytes(on, 48)
    player = smaller(look_class(marks, cards[0]) + look_class(marks, cards[2]) - lowest, other)
    banker = smaller(look_class(marks, cards[1]) + look_class(marks, cards[3]) - lowest, other)
    found = set_lanes((equal(player & banker, other) | away) ^ all_bytes(on, 255))
    if found:
        store(work.left, 0, player)
        store(work.drawn, 0, banker)
        while found:
            lane = first_bit(found)
            royals[peek(work.left, lane) * U(49) + peek(work.drawn, lane)] += np.uint32(1)
            found &= found - U(1)


@inlined
def _record(on: Any, out: Any, block: Any, turn: Any, cards: Any, code: Any) -> None:
    """Write what every lane was dealt and how it ended; turns for which there is no space are not written."""
    if out is None or turn >= U(out.shape[1]):
        return
    lanes = lanes_of(on)
    index = (U(block) * U(out.shape[1]) + turn) * U(RECORD) * lanes
    store(out, index, cards[0])
    store(out, index + lanes, cards[1])
    store(out, index + U(2) * lanes, cards[2])
    store(out, index + U(3) * lanes, cards[3])
    store(out, index + U(4) * lanes, cards[4])
    store(out, index + U(5) * lanes, cards[5])
    store(out, index + U(6) * lanes, code[0])
    store(out, index + U(7) * lanes, code[1])


# ------------------------------------------------------------------- the course of a shoe


@inlined
def _advance_lanes(on: Any, work: Any, pile: Any, shoe: Any, short: Any, sit: Any, course: Any) -> Any:
    """Lanes with few cards left: the piles are merged; then the cover card is out; then, a round later, the end."""
    (counters, n), (other, limit) = pile, shoe
    in_first, last, idle, low = course
    ones = all_bytes(on, 255)
    ended = (equal(short, all_bytes(on, 0)) | sit) ^ ones  # a lane that sat out has not advanced
    merge = ended & in_first
    if is_any(merge):
        counters, n = add_pile(counters, work.second, merge), n + (other & merge)
        in_first, low = in_first & (merge ^ ones), (low & (merge ^ ones)) | (limit & merge)
    met = ended & (merge ^ ones)
    done = met & last
    idle, last = idle | done, last | met
    low, n = (low | met) & (idle ^ ones), n | done
    return (counters, n), (in_first, last, idle, low)


@inlined
def _count_down(on: Any, rounds: Any, to_deal: Any, idle: Any, sit: Any) -> Any:
    """Where rounds are counted: those still to be dealt, and the lanes that are idle when there are none."""
    if rounds is None:
        return to_deal, idle
    played = ((idle | sit) ^ all_bytes(on, 255)) & all_bytes(on, 1)
    to_deal = to_deal - played
    return to_deal, idle | equal(to_deal, all_bytes(on, 0))


@inlined
def _may_end(rounds: Any) -> Any:
    """Whether lanes may end by their number of rounds: known when compiling."""
    return rounds is not None


@inlined
def _limit(on: Any, law: Any, rounds: Any, card: Any) -> Any:
    """With how many cards left the cover card is out, and how many rounds are dealt.

    Where rounds are counted, the limit is zero, which no shoe comes below.
    """
    if rounds is not None:
        return all_bytes(on, 0), all_bytes(on, rounds)
    burnt = load_class_table(on, law.rows, U(BURNT * ROW), law.shape)
    return all_bytes(on, law.depth) + look_class(burnt, card), all_bytes(on, 0)


@compiled
def deal(on: Any, law: Any, span: Any, seed: Any, asked: Any, work: Any, found: Any) -> Any:
    """Deal blocks of shoes, one shoe per lane, and count how their rounds end.

    `asked` is (rounds, high, offsets): rounds per shoe, or None for to the cover card; the rows for a Banker of eight
    or nine, None if no hand draws then; the offsets of the bytes of finishes, None if they have none. `found` is
    (counts, royals, out): the latter two, out being [block, turn, field, lane], are None if they are not wanted.
    Returns the most turns of a block.
    """
    rounds, high, offsets = asked
    counts, royals, out = found
    ones, tables, most_turns = all_bytes(on, 255), load_tableau(on, law), U(0)
    for block in range(span.blocks):
        # One block: as many shoes as there are lanes, all dealt in step.
        base = span.start + U(block) * lanes_of(on)
        n, state = part(on, law, work, seed, base, start(on, work, seed, base))
        other, pile = all_bytes(on, 52 * law.decks) - n, (load_counters(on, work.first, law.shape), n)
        pile, card, state = burn(on, law, work, seed, base, state, pile)
        limit, to_deal = _limit(on, law, rounds, card)
        course, turn, goes_on = (ones, all_bytes(on, 0), outside_mask(on, span, base), all_bytes(on, 6)), U(0), True
        # A turn deals one round in every lane; lanes that have finished, or drew an unfair number, sit it out.
        while goes_on:
            in_first, last, idle, low = course
            numbers, sit, state = attempt(on, law, work, state, pile[1])
            counters, cards, p, b, stays, two, taken = play(on, law, tables, high, pile[0], numbers)
            away = idle | sit
            pile = (counters, pile[1] - (taken & (sit ^ ones)))
            code = count(on, offsets, work, counts, (cards, p, b, stays, two), away)
            _count_royals(on, law, royals, work, cards, away)
            _record(on, out, block, turn, cards, code)
            turn += U(1)
            if _may_end(rounds):
                to_deal, idle = _count_down(on, rounds, to_deal, idle, sit)
                course = (in_first, last, idle, low)
                goes_on = is_any(idle ^ ones)
            # A lane with few cards left merges its two piles; then its cover card is out; a round later its shoe ends.
            short = excess(low, pile[1])
            if is_any(short):
                pile, course = _advance_lanes(on, work, pile, (other, limit), short, sit, course)
                goes_on = is_any(course[2] ^ ones)
        most_turns = max(most_turns, turn)
    return most_turns
