"""Tallies: how often each finish came in which shoes of a seed, in whole numbers that add up."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any

import msgspec

from baccarat.cards import show_cards
from baccarat.law.fact import COUNTS, FINISHES, finish_index
from baccarat.law.rulebook import Rulebook
from baccarat.odds.royal9 import HANDS, OTHER
from baccarat.sim.plan import COUNTERS, PAIR_KINDS, Detail
from baccarat.values import short_repr

if TYPE_CHECKING:
    from baccarat.play.wager import WagerKind
    from baccarat.sim.estimate import Estimate

_FINISHES = sorted(product(COUNTS, COUNTS, (2, 3), (2, 3)), key=lambda finish: finish_index(*finish))
FINISH_NAMES: tuple[str, ...] = tuple(f"P{player}/{one} B{banker}/{two}" for player, banker, one, two in _FINISHES)
"""`P6/2 B7/3`: the Player has six points with two cards, the Banker seven with three."""

_INDEX = {name: index for index, name in enumerate(FINISH_NAMES)}
_HAND_NAMES = tuple(
    "other" if index == OTHER else show_cards(sorted(hand, key=str, reverse=True)).replace(" ", "")
    for index, hand in enumerate(HANDS)
)
ROYAL9_NAMES: tuple[str, ...] = tuple(f"P {player} B {banker}" for player in _HAND_NAMES for banker in _HAND_NAMES)
"""`P Ks9s B other`: the opening hands of both sides, where one is a Royal 9."""

_ROYAL9_INDEX = {name: index for index, name in enumerate(ROYAL9_NAMES)}


class BadTally(ValueError):  # noqa: N818  shown to the user
    """Tallies that do not belong together, or data that is not a tally."""


class Range(msgspec.Struct, frozen=True, order=True):
    """Shoes `first` to `first + shoes - 1` of a seed."""

    first: int
    shoes: int

    def __post_init__(self) -> None:
        if self.first < 0 or self.shoes < 1:
            raise BadTally(f"not a range of shoes: {self.shoes} from number {self.first} on")

    def __str__(self) -> str:
        return f"{self.first}–{self.end - 1}" if self.shoes > 1 else str(self.first)

    @property
    def end(self) -> int:
        """The number of the first shoe after it."""
        return self.first + self.shoes


def merge_ranges(ranges: Iterable[Range]) -> tuple[Range, ...]:
    """Ranges in order, neighbours merged; a shoe that is in two of them is refused."""
    made: list[Range] = []
    for each in sorted(ranges):
        if made and each.first < made[-1].end:
            both = Range(each.first, min(each.end, made[-1].end) - each.first)
            raise BadTally(f"counted twice: shoe {both}")
        if made and each.first == made[-1].end:
            made[-1] = Range(made[-1].first, made[-1].shoes + each.shoes)
        else:
            made.append(each)
    return tuple(made)


def ranges_left(whole: Range, done: Sequence[Range]) -> Iterator[Range]:
    """The parts of a range that are not done yet, in order."""
    at = whole.first
    for each in done:
        if each.first > at and at < whole.end:
            yield Range(at, min(each.first, whole.end) - at)
        at = max(at, each.end)
    if at < whole.end:
        yield Range(at, whole.end - at)


class RangeCounts(msgspec.Struct, frozen=True, kw_only=True):
    """The counts of a range of shoes, without naming them: this is what an engine returns."""

    cells: tuple[int, ...]
    """As in `plan.COUNTERS`: by finish, or by finish and pair kind, or by finish and then by opening hands."""
    void: int = 0
    """Rounds for which the shoe did not have the cards."""

    def __add__(self, other: RangeCounts) -> RangeCounts:
        return RangeCounts(cells=tuple(map(int.__add__, self.cells, other.cells)), void=self.void + other.void)


class Tally(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """The counts of certain shoes of a seed under a rulebook; tallies of different shoes add up."""

    rules: Rulebook
    seed: int
    detail: Detail
    rounds_per_shoe: int | None
    """How many rounds of every shoe; None to the cover card."""
    ranges: tuple[Range, ...]
    counts: RangeCounts

    def __post_init__(self) -> None:
        found, wanted = len(self.counts.cells), COUNTERS[self.detail]
        if found != wanted:
            raise BadTally(f"{found} counts; with detail {self.detail} there are {wanted}")
        if min(self.counts.cells) < 0 or self.counts.void < 0:
            raise BadTally("a count below zero")
        if self.detail == "royal9" and sum(self.royal9) != self.rounds:
            raise BadTally("opening hands and finishes are not of the same rounds")

    @classmethod
    def empty(cls, rules: Rulebook, *, seed: int, detail: Detail, rounds_per_shoe: int | None) -> Tally:
        """A tally of no shoe."""
        return cls(
            rules=rules, seed=seed, detail=detail, rounds_per_shoe=rounds_per_shoe, ranges=(),
            counts=RangeCounts(cells=(0,) * COUNTERS[detail]),
        )  # fmt: skip

    @property
    def shoes(self) -> int:
        """How many shoes were dealt."""
        return sum(each.shoes for each in self.ranges)

    @property
    def rounds(self) -> int:
        """How many rounds were finished."""
        return sum(self.finishes)

    @property
    def void(self) -> int:
        """How many rounds were void because the shoe ran out."""
        return self.counts.void

    @property
    def finishes(self) -> tuple[int, ...]:
        """The rounds by finish."""
        found = self.counts.cells
        if self.detail != "pairs":
            return found[:FINISHES]
        return tuple(sum(found[at : at + PAIR_KINDS]) for at in range(0, len(found), PAIR_KINDS))

    @property
    def pairs(self) -> tuple[int, ...]:
        """The rounds by pair kind: no pair, the Banker's, the Player's, both; none if pairs are not counted."""
        if self.detail != "pairs":
            return ()
        return tuple(sum(self.counts.cells[kind::PAIR_KINDS]) for kind in range(PAIR_KINDS))

    @property
    def royal9(self) -> tuple[int, ...]:
        """The rounds by opening hands, the Player's and then the Banker's; none if they are not counted."""
        return self.counts.cells[FINISHES:] if self.detail == "royal9" else ()

    def __add__(self, other: Tally) -> Tally:
        if not isinstance(other, Tally):
            return NotImplemented
        for name in ("rulebook", "seed", "detail", "rounds_per_shoe"):
            mine, theirs = (each.identity[name] for each in (self, other))
            if mine != theirs:
                what = name.replace("_", " ")
                raise BadTally(f"two tallies that do not add up: {what} {mine} and {what} {theirs}")
        return self.with_more(other.ranges, other.counts)

    def __radd__(self, other: object) -> Tally:
        return self if other == 0 else NotImplemented  # `sum` begins with zero

    def __reduce__(self) -> tuple[Any, ...]:
        from baccarat.sim.job import encode_rulebook  # noqa: PLC0415  avoids an import cycle: a job has tallies

        return _unpickle_tally, (encode_rulebook(self.rules), self.as_data())

    def with_more(self, ranges: Iterable[Range], counts: RangeCounts) -> Tally:
        """This tally plus the counts of other shoes of the same run."""
        return msgspec.structs.replace(self, ranges=merge_ranges((*self.ranges, *ranges)), counts=self.counts + counts)

    @property
    def identity(self) -> dict[str, Any]:
        """What a tally is about, except its shoes: only tallies that agree in it add up."""
        return {
            "rulebook": self.rules.hash, "seed": self.seed, "detail": self.detail,
            "rounds_per_shoe": self.rounds_per_shoe,
        }  # fmt: skip

    def counts_by_name(self) -> dict[str, Any]:
        """The counts alone, by name, except those of zero; with pairs a finish has one for each pair kind."""
        made: dict[str, Any] = {"shoes": self.shoes, "rounds": self.rounds, "void": self.void}
        if self.detail == "pairs":
            cells = self.counts.cells
            by_kind = [list(cells[at : at + PAIR_KINDS]) for at in range(0, len(cells), PAIR_KINDS)]
            return made | {"finishes": {name: row for name, row in zip(FINISH_NAMES, by_kind, strict=True) if any(row)}}
        made["finishes"] = {name: n for name, n in zip(FINISH_NAMES, self.finishes, strict=True) if n}
        if self.detail == "royal9":
            made["royal9"] = {name: n for name, n in zip(ROYAL9_NAMES, self.royal9, strict=True) if n}
        return made

    def as_data(self) -> dict[str, Any]:
        """The whole tally as plain data, which `read_tally` reads back."""
        return {**self.identity, "ranges": [[each.first, each.shoes] for each in self.ranges], **self.counts_by_name()}

    @property
    def hash(self) -> str:
        """SHA-256 over the canonical form; equal for the same shoes, however and wherever they were dealt."""
        return hashlib.sha256(msgspec.json.encode(self.as_data(), order="sorted")).hexdigest()

    def __eq__(self, other: object) -> bool:
        return self.as_data() == other.as_data() if isinstance(other, Tally) else NotImplemented

    def __hash__(self) -> int:
        return hash((self.rules.hash, self.seed, self.ranges))

    def __repr__(self) -> str:
        return short_repr(self, f"of {self.shoes:,} shoes, {self.rounds:,} rounds, seed {self.seed}, {self.rules}")

    def estimate(
        self,
        wager: WagerKind,
        stake: int | None = None,
        *,
        meters: Mapping[str, int] | None = None,
        seat: int | None = None,
    ) -> Estimate:
        """What a wager gained in these rounds, with its exact price: for a unit, or at a stake in whole cents."""
        from baccarat.sim.estimate import estimate  # noqa: PLC0415  an estimate is made of a tally, not the reverse

        return estimate(self, wager, stake, meters=meters, seat=seat)


class _TallyFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A tally as it is in a file."""

    rulebook: str
    seed: int
    detail: Detail
    rounds_per_shoe: int | None
    ranges: list[tuple[int, int]]
    shoes: int
    rounds: int
    void: int
    finishes: dict[str, int | list[int]]
    royal9: dict[str, int] = {}


def read_tally(data: object, rules: Rulebook) -> Tally:
    """The tally that `as_data` has written; inconsistent data is refused."""
    try:
        written = msgspec.convert(data, _TallyFile)
        counts = _read_counts(written)
    except (msgspec.ValidationError, KeyError) as error:
        raise BadTally(f"not a tally: {error}") from None
    if written.rulebook != rules.hash:
        raise BadTally(f"a tally of rulebook {written.rulebook[:12]}, not of {rules}")
    tally = Tally(
        rules=rules, seed=written.seed, detail=written.detail, rounds_per_shoe=written.rounds_per_shoe,
        ranges=merge_ranges(Range(first, shoes) for first, shoes in written.ranges), counts=counts,
    )  # fmt: skip
    if (tally.shoes, tally.rounds) != (written.shoes, written.rounds):
        raise BadTally(f"says {written.shoes} shoes and {written.rounds} rounds, counts {tally.shoes}, {tally.rounds}")
    return tally


def _unpickle_tally(rules: Any, data: dict[str, Any]) -> Tally:
    """A tally that came from another process; its rulebook is rebuilt here and compared by its hash."""
    from baccarat.sim.job import decode_rulebook  # noqa: PLC0415

    return read_tally(data, decode_rulebook(rules))


def _read_counts(written: _TallyFile) -> RangeCounts:
    cells = [0] * COUNTERS[written.detail]
    each = PAIR_KINDS if written.detail == "pairs" else 1
    for name, found in written.finishes.items():
        row = [found] if isinstance(found, int) else found
        if len(row) != each:
            raise BadTally(f"{name}: {len(row)} counts; with detail {written.detail} there are {each}")
        at = _INDEX[name] * each
        cells[at : at + each] = row
    if written.royal9 and written.detail != "royal9":
        raise BadTally(f"detail {written.detail} has no opening hands")
    for name, count in written.royal9.items():
        cells[FINISHES + _ROYAL9_INDEX[name]] = count
    return RangeCounts(cells=tuple(cells), void=written.void)
