"""Environments for Gymnasium: a seat at a table, or many side by side, under any rulebook.

An episode is a shoe. An action is to sit out, or one stake on one wager; the mask says which the purse covers. The
shoes are those of `baccarat.sim.stream`: `info` names seed and shoe, so that any episode can be dealt again.

Vigorish is collected as the Submission elects. Where it is deferred, a win is paid whole and the vigorish is marked: it
is owed, and stays in the purse, until the episode ends with the shoe or because the patron leaves. Then it is collected
whole, or not at all if the purse does not cover it, as in `baccarat.sim.study.patrons`. The reward is what the purse
gained or lost in the step, including what was collected: over an episode rewards add up to the change of the purse.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, TypeVar

try:
    import gymnasium
    from gymnasium.utils import seeding
    from gymnasium.vector.utils import batch_space
except ModuleNotFoundError as error:
    raise ModuleNotFoundError("environments need gymnasium: install baccarat[gym]", name="gymnasium") from error
import numpy as np
from numpy.typing import NDArray

from baccarat.law.rulebook import Rulebook, rulebook, shipped_submissions
from baccarat.odds.gain import stake_objection
from baccarat.play.book import Book
from baccarat.play.wager import WagerKind
from baccarat.sim.job import book_of
from baccarat.sim.stream import SHOES, source_of
from baccarat.sim.study.book_arrays import CASES, RANKS, Integers
from baccarat.sim.study.compiled_strategy import settled_by_case
from baccarat.sim.study.round_columns import RoundColumns, block_of
from baccarat.sim.study.strategy import wagers_of
from baccarat.values import as_tuple, brief_repr, expect, whole_number, whole_within

Floats = NDArray[np.float32]
Masks = NDArray[np.int8]
Money = TypeVar("Money", int, Integers)
"""Cents of one seat, or of many."""
SIZE = len(RANKS) + 3
"""The size of an observation: by rank the share of its cards not yet seen; that of the shoe; the purse and the vigorish
owed, as multiples of the first purse."""
MOST_PURSES = 1e6
"""A purse or a debt is shown as at most this many first purses: an observation lies in a box."""
DEFAULT_PURSE = 100_000
MOST_HELD = (1 << 60) - 1
"""The most cents in a purse and, divided by the highest odds, in a stake: their sum with any win fits into 64 bits."""
MOST_STAKED = MOST_HELD >> 10
MOST_TABLES = 1_000_000
USUAL_RULES = shipped_submissions()[0]
"""Played if no rules are named."""
RUN_SEEDS = 1 << 63
"""The seeds of runs are drawn below this, as integers of NumPy."""
SHOES_AHEAD = 8
"""Shoes that are dealt ahead for a table of many: one by one, the overhead would exceed the dealing."""


class Game(NamedTuple):
    """A rulebook as the environments play it: what each action stakes, and what it gains in each case."""

    book: Book
    wagers: tuple[WagerKind, ...]
    stakes: Integers
    """By action; the first is to sit out, with a stake of zero."""
    gains: Integers
    """[action, case]: what comes into the purse, in cents."""
    marks: Integers
    """[action, case]: the vigorish that is marked, in cents; all zero if it is taken with the payout."""
    full: Integers
    """By rank: the cards of the shoe."""

    @property
    def actions(self) -> tuple[str, ...]:
        """The actions in words."""
        each = (len(self.stakes) - 1) // len(self.wagers)
        named = [f"{self.wagers[k // each].word} {stake}" for k, stake in enumerate(self.stakes[1:])]
        return ("sit out", *named)


def make_game(rules: Rulebook | str, wagers: Sequence[WagerKind] | None, stakes: Sequence[int] | None) -> Game:
    """The game of a rulebook: by default every wager that stands by itself, at its lowest stake and four times it."""
    rules = rulebook(rules) if isinstance(rules, str) else rules
    book = book_of(rules)
    known = tuple(kind for kind in wagers_of(rules) if kind in book.plain)
    chosen = tuple(known) if wagers is None else as_tuple("wagers", wagers)
    given = None if stakes is None else as_tuple("stakes", stakes)
    if not chosen or given == ():
        raise ValueError("an environment needs at least one wager and one stake")
    asked = None if given is None else [whole_within("stake", each, least=1, most=MOST_STAKED) for each in given]
    staked: list[tuple[WagerKind, int]] = []
    for on in chosen:
        if expect(on, WagerKind, "a wager, such as BANKER") not in known:
            names = ", ".join(kind.word for kind in known)
            raise ValueError(f"{on.word} cannot be staked on by itself here; these can: {names}")
        limit = book.limits.get(on)
        least = limit.min if limit is not None else 100
        staked += [(on, stake) for stake in (asked or (least, 4 * least))]
    for on, stake in staked:
        why = stake_objection(book, on, stake)
        if why is not None:
            raise ValueError(why)
    settled = [settled_by_case(book, {on: stake}) for on, stake in staked]
    won, marks = (np.array([[0] * CASES, *(each[part] for each in settled)]) for part in (0, 1))
    if not book.vig_deferred:
        won, marks = won - marks, np.zeros_like(marks)
    full = np.full(len(RANKS), source_of(book).copies)
    return Game(book, chosen, np.array([0, *(stake for _, stake in staked)]), won, marks, full)


def _spaces(game: Game) -> tuple[Any, Any]:
    """The spaces of observations and of actions."""
    high = np.array([1.0] * (len(RANKS) + 1) + [MOST_PURSES] * 2, np.float32)
    box = gymnasium.spaces.Box(np.zeros(SIZE, np.float32), high, dtype=np.float32)
    return box, gymnasium.spaces.Discrete(len(game.stakes))


class ShoeEnv(gymnasium.Env[Floats, np.int64]):
    """One seat at one table; an episode is a shoe, or ends when the purse covers no stake.

    The reward is what the purse gained, in parts of the lowest stake. An action that the purse does not cover is
    refused: the seat sits out, and `info["refused"]` says why. A number that is not an action is an error.
    `info["owed"]` is what the seat owes of vigorish, `info["uncollected"]` what it left owing.
    """

    metadata = {"render_modes": []}  # noqa: RUF012  as Gymnasium declares it

    def __init__(
        self,
        rules: Rulebook | str = USUAL_RULES,
        *,
        wagers: Sequence[WagerKind] | None = None,
        stakes: Sequence[int] | None = None,
        purse: int = DEFAULT_PURSE,
        render_mode: str | None = None,
    ) -> None:
        if render_mode is not None:
            raise ValueError(f"render_mode: expected None, not {brief_repr(render_mode)}: there is no rendering")
        self.game, self.render_mode = make_game(rules, wagers, stakes), render_mode
        self.observation_space, self.action_space = _spaces(self.game)
        self.first_purse = self.purse = _purse(self.game, purse)
        self.owed = self.uncollected = 0
        self.run_seed, self.shoe, self.row, self.over = 0, -1, 0, True
        self._seen: Integers = np.zeros(len(RANKS), np.int64)
        self._block: RoundColumns | None = None

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Floats, dict[str, Any]]:
        """The next shoe: the first one of a fresh run if a seed is given, or the one that `options["shoe"]` names."""
        named, seed = _shoe_named(options), None if seed is None else whole_number("seed", seed)
        super().reset(seed=seed)
        if seed is not None or self.shoe < 0:
            self.run_seed, self.shoe = int(self.np_random.integers(RUN_SEEDS)), -1
        self.shoe = self.shoe + 1 if named is None else named
        self._block = block_of(self.game.book, self.run_seed, self.shoe, 1, 0)
        self.row, self.purse, self.over = 0, self.first_purse, False
        self.owed = self.uncollected = 0
        self._seen = self._block.shown[0].astype(np.int64)
        return self._observation(), self._info()

    def step(self, action: np.int64) -> tuple[Floats, float, bool, bool, dict[str, Any]]:
        """Stake, and play the round."""
        block = self._block
        if block is None or self.over:
            raise gymnasium.error.ResetNeeded("the episode is over, or none has been begun: call reset first")
        _check_actions(action, self.action_space)
        refused, stake = None, int(self.game.stakes[action])
        if stake > self.purse:
            refused = f"action {int(action)} stakes {stake} cents, and the purse holds {self.purse}"
            action = np.int64(0)
        before, case = self.purse, block.case[self.row]
        self.purse += int(self.game.gains[action, case])
        self.owed += int(self.game.marks[action, case])
        cards = block.cards[: block.cards_dealt[self.row], self.row]
        self._seen = self._seen + np.bincount(cards, minlength=len(RANKS))
        self.row += 1
        self.over = self.row >= block.rows or not self.action_masks()[1:].any()
        if self.over:
            (self.purse, self.uncollected), self.owed = _collect(self.purse, self.owed), 0
        info = self._info() | ({"refused": refused} if refused is not None else {})
        return self._observation(), (self.purse - before) / int(self.game.stakes[1:].min()), self.over, False, info

    def action_masks(self) -> Masks:
        """By action: one where the purse covers it."""
        return (self.game.stakes <= self.purse).astype(np.int8)

    def _info(self) -> dict[str, Any]:
        return {
            "action_mask": self.action_masks(), "seed": self.run_seed, "shoe": self.shoe, "purse": self.purse,
            "owed": self.owed, "uncollected": self.uncollected,
        }  # fmt: skip

    def _observation(self) -> Floats:
        money = np.array([[self.purse, self.owed]])
        found: Floats = _observe(self.game.full, self._seen[None], money, self.first_purse)[0]
        return found


def _shoe_named(options: dict[str, Any] | None) -> int | None:
    """The shoe that the options of a reset name, if they name one; other options are refused."""
    options = {} if options is None else expect(options, dict, "the options of a reset as a dict")
    if set(options) - {"shoe"}:
        raise ValueError(f"options {', '.join(map(repr, options))}: the only option is 'shoe', the number of a shoe")
    shoe = options.get("shoe")
    if shoe is None:
        return None
    if isinstance(shoe, bool) or not isinstance(shoe, int | np.integer) or not 0 <= shoe < SHOES:
        raise ValueError(f"shoe {shoe!r}: expected a whole number from 0, below 2^62")
    return int(shoe)


def _check_actions(actions: Any, space: Any) -> None:
    """Refuse actions that are not in the space of actions.

    To NumPy a negative number would count from the end, and booleans would be a mask over all actions.
    """
    if np.asarray(actions).dtype.kind not in "iu" or not space.contains(actions):
        raise gymnasium.error.InvalidAction(f"action {actions}: expected one of {space}")


def _purse(game: Game, purse: Any) -> int:
    """The purse in whole cents, which covers at least one stake."""
    cents = whole_within("purse", purse, least=0, most=MOST_HELD)
    if cents < game.stakes[1:].min():
        raise ValueError(f"a purse of {cents} cents covers no stake; the lowest is {game.stakes[1:].min()}")
    return cents


def _collect(purse: Money, owed: Money) -> tuple[Money, Money]:
    """Purses after vigorish is collected, and what could not be collected: the whole sum owed, or none of it."""
    taken = owed * (purse >= owed)
    return purse - taken, owed - taken


def _observe(full: Integers, seen: Integers, money: Integers, first: int) -> Floats:
    """Observations by table; `money` is what is in the purse, and what is owed."""
    left = full - seen
    share = left.sum(axis=-1, keepdims=True) / full.sum(axis=-1, keepdims=True)
    parts = np.concatenate([left / full, share, np.minimum(money / first, MOST_PURSES)], axis=1)
    return parts.astype(np.float32)


class ShoeVectorEnv(gymnasium.vector.VectorEnv[Floats, NDArray[np.int64], NDArray[Any]]):
    """Many seats, each at a table of its own, side by side; tables may play under different rulebooks in turn.

    A table whose shoe is over begins its next one with the next step, as in Gymnasium's autoreset: that step's action
    is ignored and its reward is zero. `info["action_mask"]` is [table, action]. Each table has its own run of shoes,
    and plays as a `ShoeEnv` with its seed does.
    """

    metadata = {"autoreset_mode": gymnasium.vector.AutoresetMode.NEXT_STEP}  # noqa: RUF012

    def __init__(
        self,
        num_envs: int = 1,
        rules: Rulebook | str | Sequence[Rulebook | str] = USUAL_RULES,
        *,
        wagers: Sequence[WagerKind] | None = None,
        stakes: Sequence[int] | None = None,
        purse: int = DEFAULT_PURSE,
    ) -> None:
        self.num_envs = whole_within("num_envs", num_envs, least=1, most=MOST_TABLES)
        given = (rules,) if isinstance(rules, Rulebook | str) else as_tuple("rules", rules)
        if not given:
            raise ValueError("rules: expected at least one rulebook, or the name of a Submission")
        self.games = [make_game(each, wagers, stakes) for each in given]
        if len({game.actions for game in self.games}) != 1:
            raise ValueError("these rulebooks have different actions: name wagers and stakes that all of them take")
        self.first_purse = _purse(self.games[0], purse)  # all have the same stakes
        self.single_observation_space, self.single_action_space = _spaces(self.games[0])
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self.of = np.arange(self.num_envs) % len(self.games)
        """By table, its game."""
        self.full = np.stack([self.games[game].full for game in self.of])
        self.gains = np.stack([game.gains for game in self.games])
        self.marks = np.stack([game.marks for game in self.games])
        self._start(self.num_envs)

    def _start(self, count: int) -> None:
        """Start over: no table has begun a run."""
        self.run_seed: Integers = np.zeros(count, np.int64)
        self.shoe: Integers = np.full(count, -1)
        self.row: Integers = np.zeros(count, np.int64)
        self.rows: Integers = np.zeros(count, np.int64)
        self.purse: Integers = np.full(count, self.first_purse)
        self.owed: Integers = np.zeros(count, np.int64)
        self.uncollected: Integers = np.zeros(count, np.int64)
        most = max(int(game.full.sum()) for game in self.games) // 4
        self.cases: NDArray[np.uint16] = np.zeros((count, most), np.uint16)
        self.cards: NDArray[np.uint8] = np.zeros((count, most, 6), np.uint8)
        """The rounds of each table's shoe; a card that is not dealt has a rank past the last."""
        self.seen: Integers = np.zeros((count, len(RANKS) + 1), np.int64)
        self.over: NDArray[np.bool_] = np.ones(count, np.bool_)
        self._blocks: list[RoundColumns | None] = [None] * count

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Floats, dict[str, Any]]:
        """Every table begins a shoe, as `ShoeEnv` with its seed and these options does.

        A list has a seed, or None, for each table; a whole number is the first table's seed, the next table has the
        next one. Without a seed a table continues with the next shoe of its run, or begins a run at random.
        """
        named, seeds = _shoe_named(options), self._seeds(seed)
        super().reset(seed=seeds[0])
        for table, each in enumerate(seeds):
            if each is not None:
                chance, _ = seeding.np_random(each)
                self.run_seed[table], self.shoe[table] = chance.integers(RUN_SEEDS), -1
            elif self.shoe[table] < 0:
                self.run_seed[table] = self.np_random.integers(RUN_SEEDS)
            if each is not None or named is not None:
                self._blocks[table] = None
        if named is not None:
            self.shoe[:] = named - 1
        self._begin(np.arange(self.num_envs))
        return self._observation(), self._info()

    def _seeds(self, seed: int | Sequence[int | None] | None) -> list[int | None]:
        """The seed of each table."""
        if seed is None:
            return [None] * self.num_envs
        if isinstance(seed, list | tuple | np.ndarray):
            given = tuple(seed)
            if len(given) != self.num_envs:
                raise ValueError(f"{len(given)} seeds for {self.num_envs} tables: expected one for each")
            return [None if each is None else whole_number("seed", each) for each in given]
        return [whole_number("seed", seed) + table for table in range(self.num_envs)]

    def _begin(self, tables: Integers) -> None:
        """Begin the next shoe of these tables."""
        for table in tables.tolist():
            self.shoe[table] += 1
            block = self._records(table)
            index = int(self.shoe[table]) - block.first
            start, end = block.starts[index], block.starts[index + 1]
            self.row[table], self.rows[table] = 0, end - start
            self.cases[table, : end - start] = block.case[start:end]
            self.cards[table, : end - start] = np.minimum(block.cards[:, start:end], len(RANKS)).T
            self.seen[table, :-1], self.seen[table, -1] = block.shown[index], 0
        self.purse[tables], self.over[tables] = self.first_purse, False
        self.owed[tables], self.uncollected[tables] = 0, 0

    def _records(self, table: int) -> RoundColumns:
        """The rounds of a table's shoe, dealt together with those of some following shoes."""
        block, shoe = self._blocks[table], int(self.shoe[table])
        if block is None or shoe >= block.first + len(block.burned):
            book = self.games[int(self.of[table])].book
            block = block_of(book, int(self.run_seed[table]), shoe, min(SHOES_AHEAD, SHOES - shoe), 0)
            self._blocks[table] = block
        return block

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[Floats, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Play a round at every table; those whose shoe was over begin the next one instead."""
        if self.shoe[0] < 0:
            raise gymnasium.error.ResetNeeded("no shoe has been begun: call reset first")
        waiting = np.flatnonzero(self.over)
        playing = np.flatnonzero(~self.over)
        rewards, ended = np.zeros(self.num_envs), np.zeros(self.num_envs, np.bool_)
        _check_actions(actions, self.action_space)
        actions, stakes = np.asarray(actions), self.games[0].stakes
        chosen = np.where(stakes[actions] <= self.purse, actions, 0)
        refused = np.zeros(self.num_envs, np.bool_)
        refused[playing] = chosen[playing] != actions[playing]
        rows = self.row[playing]
        np.add.at(self.seen, (playing[:, None], self.cards[playing, rows]), 1)
        settled, before = (self.of[playing], chosen[playing], self.cases[playing, rows]), self.purse[playing]
        self.purse[playing] += self.gains[settled]
        self.owed[playing] += self.marks[settled]
        self.row[playing] += 1
        least = int(stakes[1:].min())
        ended[playing] = (self.row[playing] >= self.rows[playing]) | (self.purse[playing] < least)
        self.purse[ended], self.uncollected[ended] = _collect(self.purse[ended], self.owed[ended])
        self.owed[ended] = 0
        rewards[playing] = (self.purse[playing] - before) / least
        if len(waiting):
            self._begin(waiting)
        self.over[playing] = ended[playing]
        info = self._info() | {"refused": refused}
        return self._observation(), rewards, ended, np.zeros(self.num_envs, np.bool_), info

    def action_masks(self) -> Masks:
        """[table, action]: one where the purse covers it."""
        return (self.games[0].stakes <= self.purse[:, None]).astype(np.int8)

    def _observation(self) -> Floats:
        money = np.stack([self.purse, self.owed], axis=1)
        return _observe(self.full, self.seen[:, :-1], money, self.first_purse)

    def _info(self) -> dict[str, Any]:
        shown = {
            "seed": self.run_seed, "shoe": self.shoe, "purse": self.purse, "owed": self.owed,
            "uncollected": self.uncollected,
        }  # fmt: skip
        return {"action_mask": self.action_masks()} | {name: each.copy() for name, each in shown.items()}


ID = "baccarat/Shoe-v0"
if ID not in gymnasium.registry:
    gymnasium.register(ID, entry_point=f"{__name__}:ShoeEnv", vector_entry_point=f"{__name__}:ShoeVectorEnv")
