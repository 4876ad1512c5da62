"""Every wager over many shoes: to the cover card and at fixed rounds per shoe, compared with its exact price.

*The cut-card effect.* At a fixed number of rounds every round is, to someone who has seen nothing, like the first of a
full shoe: the means are those of the exact odds. To the cover card they are not, because how many rounds a shoe has
depends on its cards. A round takes four cards where nobody draws, five or six otherwise. A shoe that begins with many
short rounds has more rounds, and the additional ones come from what is left: fewer of the cards that made rounds short.

`cut_card` measures it by itself. Royal 9 is wagered by the lowest chair alone, its meters at their seeds before every
round.
"""

from __future__ import annotations

from contextlib import closing

import msgspec

from baccarat.law.rulebook import Rulebook
from baccarat.odds.royal9 import meters_in_cents
from baccarat.play.wager import WagerKind
from baccarat.play.wager.royal9 import progressive
from baccarat.sim.engine import grow_tally, make_engine
from baccarat.sim.estimate import Estimate, detail_needed, details, estimate, has_detail
from baccarat.sim.job import Job, book_of, make_job, rounds_within
from baccarat.sim.stream import source_of
from baccarat.sim.study.cut_card import CutCardEffect, LateRound, admit_effect, cut_card_effect, sure_rounds
from baccarat.sim.study.round_columns import DEALT
from baccarat.sim.tally import Tally
from baccarat.values import whole_within

MOST_SHOES = 10**12
"""The most shoes: these take days."""
FIXED_ROUNDS = 60
"""Rounds per shoe for the comparison with the exact odds, if every shoe has the cards for them."""


class WagerFound(msgspec.Struct, frozen=True, kw_only=True):
    """The house edge of a wager: exact, at fixed rounds, to the cover card, and the cut-card effect by itself."""

    on: WagerKind
    name: str
    exact: float
    fixed: float
    fixed_error: float
    fixed_z: float | None
    """How many standard errors the house edge that was found lies above the exact one."""
    to_cover: float
    to_cover_error: float
    to_cover_z: float | None
    effect: float | None
    """How much more the house wins of a unit to the cover card than the exact edge says; None for a progressive if a
    last round may lack cards: see `cut_card_effect`."""
    effect_error: float | None
    late: tuple[LateRound, ...]
    """The rounds that not every shoe has, from which the effect comes, with the exact odds before them."""


class WagerStudy(msgspec.Struct, frozen=True, kw_only=True):
    """All wagers of a rulebook over many shoes."""

    seed: int
    shoes: int
    fixed_rounds: int
    rounds_at_fixed: int
    rounds_to_cover: int
    void_to_cover: int
    """Rounds that lacked cards there and are in none of the figures; see `void`."""
    effect_shoes: int
    meters: dict[str, int]
    """What the meters of Royal 9 show before every round, in cents; none if it is not offered. What the wager itself
    adds is in them when they are paid (reading A-15)."""
    wagers: tuple[WagerFound, ...]


def study_wagers(
    rules: Rulebook, *, seed: int, shoes: int, effect_shoes: int = 20_000, rounds: int | None = None
) -> WagerStudy:
    """Deal the shoes twice: to the cover card, and a fixed number of rounds of each."""
    book = book_of(rules)
    most = source_of(book).most_rounds
    rounds = None if rounds is None else rounds_within(rounds)
    if rounds is not None and rounds > most:
        raise ValueError(f"{rounds:,} rounds per shoe: not every shoe has cards for them; 1 to {most} can be compared")
    shoes = whole_within("shoes", shoes, least=1, most=MOST_SHOES)
    seed, effect_shoes = admit_effect(rules, seed, effect_shoes)
    fixed_rounds = rounds or min(FIXED_ROUNDS, sure_rounds(rules))
    counted, fixed, cover = details(book), {}, {}
    for detail in counted:
        fixed[detail] = _tally(make_job(rules, seed=seed, shoes=shoes, rounds=fixed_rounds, detail=detail))
        cover[detail] = _tally(make_job(rules, seed=seed, shoes=shoes, detail=detail))
    effects = cut_card_effect(rules, seed=seed, shoes=effect_shoes)
    found = []
    for kind in book.kinds:
        detail = next(each for each in counted if has_detail(each, detail_needed(book, kind)))
        found.append(_wager_result(estimate(fixed[detail], kind), estimate(cover[detail], kind), effects.get(kind)))
    progress, first = progressive(rules), counted[0]
    return WagerStudy(
        seed=seed, shoes=shoes, fixed_rounds=fixed_rounds, rounds_at_fixed=fixed[first].rounds,
        rounds_to_cover=cover[first].rounds, void_to_cover=cover[first].void, effect_shoes=effect_shoes,
        meters={name: int(cents) for name, cents in meters_in_cents(progress, None).items()} if progress else {},
        wagers=tuple(found),
    )  # fmt: skip


def _tally(job: Job) -> Tally:
    """Simulate, and report progress."""
    tally = job.empty_tally()
    with closing(make_engine(job)) as engine:
        for grown in grow_tally(job, engine):
            DEALT.add(grown.shoes - tally.shoes)
            tally = grown
    return tally


def _wager_result(fixed: Estimate, cover: Estimate, effect: CutCardEffect | None) -> WagerFound:
    return WagerFound(
        on=fixed.on, name=fixed.name, exact=float(fixed.exact_edge), fixed=float(fixed.edge),
        fixed_error=fixed.error, fixed_z=fixed.edge_z, to_cover=float(cover.edge), to_cover_error=cover.error,
        to_cover_z=cover.edge_z, effect=effect.mean if effect else None, effect_error=effect.error if effect else None,
        late=effect.late if effect else (),
    )  # fmt: skip
