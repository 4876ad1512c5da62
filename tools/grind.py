"""A grinding confederate: a house that knows its seeds tries thousands of contributions and chooses among the orders.

Two honest people contribute and wager on the Player's hand. The house's confederate contributes last: the house derives
the order that each of 3,000 texts would give, deals every one of them, and has the confederate contribute the text that
costs the honest people most. It is done twice, at a real table with a journal:

- without a witness, where the house knows the order before it chooses. It wins far more than the game gives it, and
  `verify` must say of each shoe that the house alone could have known its order;
- with three witnesses of which two collude: the house knows their shares, and guesses the third. What the honest people
  lose must lie within 3 standard errors of the mean, both from the exact odds. When the third share is open, the house
  grinds again and closes the same shoe a second time: the witness must refuse that.

The honest people play the same number of rounds of every shoe, so that the mean is exactly that of the first round: all
cards that nobody has seen are exchangeable. The rounds of a shoe are all but uncorrelated.
"""

from __future__ import annotations

import hashlib
import struct
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import msgspec
import typer

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests" / "support")]

from msgspec.structs import replace  # noqa: E402

from baccarat.audit.bundle.form import Scope  # noqa: E402
from baccarat.audit.bundle.make import make_bundle  # noqa: E402
from baccarat.audit.bundle.shoe_checks import ORDERS  # noqa: E402
from baccarat.audit.bundle.verdict import WRONG  # noqa: E402
from baccarat.audit.bundle.verification import verify_bundle  # noqa: E402
from baccarat.cards import Card, decks  # noqa: E402
from baccarat.chain import leaf_hash  # noqa: E402
from baccarat.engine.journaled_table import JournaledTable  # noqa: E402
from baccarat.house.stream import Stream  # noqa: E402
from baccarat.law.rulebook import rulebook  # noqa: E402
from baccarat.odds.price import odds  # noqa: E402
from baccarat.play.book import open_book  # noqa: E402
from baccarat.play.hand import values  # noqa: E402
from baccarat.play.wager import WagerKind  # noqa: E402
from baccarat.record.checkpoint import checkpoint_of, sign_checkpoint  # noqa: E402
from baccarat.record.entry import Entry  # noqa: E402
from baccarat.record.journal import JournalLine  # noqa: E402
from baccarat.record.journal_file import JournalFile  # noqa: E402
from baccarat.record.key import KeyKind, Signer  # noqa: E402
from baccarat.record.log import Log  # noqa: E402
from baccarat.record.note import read_note  # noqa: E402
from baccarat.record.policy import policy_of_keys  # noqa: E402
from baccarat.record.share import ShareSigner  # noqa: E402
from baccarat.record.tlog_proof import EntryProof  # noqa: E402
from baccarat.record.witness import CONFLICT, OK, AddCheckpointRequest, Witness  # noqa: E402
from baccarat.record.witness_folder import FolderMemory  # noqa: E402
from baccarat.record.witness_share import ShareRequest, ShareWitness  # noqa: E402
from baccarat.shuffle import HmacDrbg, order_2  # noqa: E402
from baccarat.table.proof import inputs_for  # noqa: E402
from baccarat.table.shoe_state import Commitment, SeedContribution, WitnessPromise  # noqa: E402
from baccarat.table.source import SealedShoe  # noqa: E402
from baccarat.table.state import TableState  # noqa: E402
from baccarat.table.step.abandoning import AbandonShoe  # noqa: E402
from baccarat.table.step.sealing import Contribute  # noqa: E402
from bundles import source_of  # noqa: E402
from table_driver import Game, seated  # noqa: E402
from triggers import FirstWager  # noqa: E402

SUBMISSION, TABLE, STREAM = "ma-midi-4", "1", Stream("table 1")
HOUSE = Signer("example.org/house/table/1", KeyKind.LOG, bytes([7]) * 32)
HONEST, CONFEDERATE = (1, 3), 5
STAKE = 10_000
"""Cents that each honest person stakes on the Player's hand, round after round."""
ROUNDS = 60
"""Rounds that they play of each shoe; every shoe has cards for them."""
ERRORS = 3
"""Standard errors to each side of the mean: the band."""
NOON = 1_794_744_000_000_000
RULES = rulebook(SUBMISSION)

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


def derived_bytes(*words: object) -> bytes:
    """32 bytes that words choose, so that a run can be repeated."""
    return hashlib.sha256(" ".join(map(str, words)).encode()).digest()


# --------------------------------------------------------------------------- dealing an order, in plain lines


@cache
def burn_codes() -> tuple[int, ...]:
    """For each card of the unshuffled shoe how many more it burns: 1 to 9 by its value, and 10, which counts zero."""
    burnt, worth = values(RULES.edition.burn.value), open_book(RULES).value
    cards = decks(RULES.elections.decks or 0)
    assert all(worth[card] == burnt[card.rank] % 10 for card in cards), "one number says both"
    return tuple(burnt[card.rank] for card in cards)


def codes_of(cards: Sequence[Card]) -> list[int]:
    """The same numbers for cards in any order."""
    burnt = values(RULES.edition.burn.value)
    return [burnt[card.rank] for card in cards]


def derive(seed: bytes, *, shoe: str, inputs: bytes, shares: Sequence[bytes]) -> list[int]:
    """The order before the cut, as `order_2` gives it, in these numbers and several times as fast."""
    codes = list(burn_codes())
    size = len(codes)
    name = shoe.encode()
    text = b"".join((b"baccarat/order/2", inputs, len(shares).to_bytes(8, "big"), *shares))
    block, _ = HmacDrbg.instantiate(seed, len(name).to_bytes(8, "big") + name, text).generate(2048)
    for at, word in zip(range(size - 1, 0, -1), struct.unpack(">512I", block), strict=False):
        if word >= 2**32 - 2**32 % (at + 1):  # one in ten million: passed over, and all after it move
            return [burn_codes()[index] for index in order_2(seed, size=size, shoe=shoe, inputs=inputs, shares=shares)]
        other = word % (at + 1)
        codes[at], codes[other] = codes[other], codes[at]
    return codes


def player_balance(codes: Sequence[int], in_front: int) -> int:
    """Rounds that the Player's hand wins less those that it loses, of the first `ROUNDS` of an order."""
    cards = [*codes[in_front:], *codes[:in_front]]
    at, balance = 1 + cards[0], 0
    for _ in range(ROUNDS):
        player, banker = (cards[at] + cards[at + 2]) % 10, (cards[at + 1] + cards[at + 3]) % 10
        at += 4
        if player < 8 and banker < 8:
            if player < 6:
                third = cards[at] % 10
                at += 1
                player = (player + third) % 10
                draws = banker < 3 or (third != 8 if banker == 3 else 2 * banker - 6 <= third <= 7 and banker < 7)
            else:
                draws = banker < 6
            if draws:
                banker = (banker + cards[at]) % 10
                at += 1
        balance += (player > banker) - (player < banker)
    return balance


# ------------------------------------------------------------------------------------ the house and its witnesses


class LoggedJournal(JournalFile):
    """A journal of one stream, with the tree of all its entries."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, sync=False)
        self.bodies: list[bytes] = []
        self.tree = Log()

    def append(self, *entries: Entry) -> list[JournalLine]:
        """Append entries, to the tree too."""
        lines = super().append(*entries)
        for line in lines:
            self.bodies.append(line.body)
            self.tree.append(line.body)
        return lines


class HonestWitness:
    """The one witness that does not collude; it is the program's own, and remembers in a folder."""

    def __init__(self, folder: Path, seed: int) -> None:
        cosigner = Signer("example.org/honest", KeyKind.WITNESS, derived_bytes(seed, "cosigner"))
        key = Signer("example.org/honest/share", KeyKind.LOG, derived_bytes(seed, "share key"))
        memory = FolderMemory(folder, cosigner.verifier)
        self.witness = Witness(cosigner, {HOUSE.verifier.name: [HOUSE.verifier]}, memory)
        self._signer = ShareSigner(key, derived_bytes(seed, "share secret"))
        self.shares = ShareWitness(self.witness, self._signer, memory)
        self.key = str(self._signer.verifier)
        self.known_size = 0

    def promise(self, shoe: str) -> bytes:
        """What it promises to anybody who asks."""
        return self._signer.promise(origin=HOUSE.verifier.name, shoe=shoe)

    def open_share(self, journal: LoggedJournal) -> tuple[str, ...]:
        """The note for the closing that is the last entry of a journal."""
        tree = journal.tree
        note = journal.sign(STREAM, HOUSE)
        request = AddCheckpointRequest(self.known_size, tree.prove_consistency(self.known_size, tree.size), note)
        answer = self.witness.answer(bytes(request), now=NOON // 1_000_000)
        assert answer.status == OK, answer
        self.known_size = tree.size
        proof = EntryProof(
            tree.size - 1, tree.prove_inclusion(tree.size - 1), note.with_signatures(*answer.cosignatures)
        )
        opened = self.shares.share(bytes(ShareRequest(journal.bodies[-1], proof)))
        assert opened.status == OK, opened
        return tuple(opened.body.removesuffix("\n").split("\n"))

    def refuses_other_end(self, bodies: Sequence[bytes]) -> bool:
        """Whether it refuses to cosign a log that has as many entries as it knows, but others at its end."""
        note = sign_checkpoint(checkpoint_of(HOUSE.verifier.name, bodies), HOUSE)
        answer = self.witness.answer(bytes(AddCheckpointRequest(self.known_size, (), note)), now=NOON // 1_000_000)
        return answer.status == CONFLICT


class WitnessShares:
    """Where the table gets its shares: from colluders, whose secrets the house has, and from the honest witness."""

    def __init__(self, journal: LoggedJournal, colluders: Sequence[ShareSigner], honest: HonestWitness | None) -> None:
        self.origin = HOUSE.verifier.name
        self._journal, self._colluders, self._honest = journal, {str(each.verifier): each for each in colluders}, honest
        self.opened: dict[str, tuple[str, ...]] = {}

    def promises(self, shoe: str) -> tuple[WitnessPromise, ...]:
        """What each witness promises, sorted by their keys."""
        found = {key: each.promise(origin=self.origin, shoe=shoe) for key, each in self._colluders.items()}
        if self._honest is not None:
            found[self._honest.key] = self._honest.promise(shoe)
        return tuple(WitnessPromise(key=key, promise=promise.hex()) for key, promise in sorted(found.items()))

    def awaits(self, state: TableState) -> bool:
        """Nobody is waited for."""
        del state
        return False

    def open_share(self, state: TableState) -> tuple[str, tuple[str, ...]] | None:
        """The next share that is missing; all are asked for when the closing is the last entry."""
        held = state.shoe.commitment
        assert held is not None
        if len(held.missing_shares) == len(held.witnesses):
            leaf = leaf_hash(self._journal.bodies[-1])
            for key, each in self._colluders.items():
                note = each.open(origin=self.origin, shoe=held.shoe, leaf=leaf)
                self.opened[key] = tuple(bytes(note).decode().removesuffix("\n").split("\n"))
            if self._honest is not None:
                self.opened[self._honest.key] = self._honest.open_share(self._journal)
        return next(((key, self.opened[key]) for key in held.missing_shares), None)

    def known_before(self, shoe: str) -> dict[str, bytes]:
        """The shares that the house knows before the closing."""
        return {key: each.share(origin=self.origin, shoe=shoe) for key, each in self._colluders.items()}


class ShoeResult(msgspec.Struct, frozen=True):
    """What honest people lost in a shoe, what the house expected when it chose, and whether a second closing failed."""

    lost: int
    expected: int
    is_refused: bool


class GrindingHouse:
    """A table whose house chooses the last contribution; `colluders` of its witnesses tell it their shares before."""

    def __init__(self, folder: Path, *, colluders: int, is_watched: bool, tries: int, seed: int) -> None:
        self._tries, self._seed = tries, seed
        self.journal, ticks = LoggedJournal(folder / "journal.jsonl"), count()
        assert not list(self.journal.open())
        signers = [
            ShareSigner(
                Signer(f"example.org/colluder-{each}", KeyKind.LOG, derived_bytes(seed, "colluder", each)),
                derived_bytes(seed, "secret of the colluder", each),
            )
            for each in range(colluders)
        ]
        self.honest = HonestWitness(folder / "honest", seed) if is_watched else None
        self.share_keys = [each.verifier for each in signers]
        if self.honest is not None:
            self.share_keys.append(self.honest.shares.verifier)
        self._shares = WitnessShares(self.journal, signers, self.honest)
        self.game = Game(RULES, lambda _number: ())
        self.game.source = SealedShoe(
            RULES, self._seed_of, table=TABLE, triggers=FirstWager(RULES), shares=self._shares
        )
        clock = lambda: NOON + next(ticks) * 1_000_000  # noqa: E731
        self.game.table = JournaledTable.begin(RULES, self.journal, STREAM, clock=clock)
        seated(self.game, (*HONEST, CONFEDERATE))

    def _seed_of(self, number: int) -> bytes:
        return derived_bytes(self._seed, "seed of the shoe", number)

    def play_shoe(self) -> ShoeResult:
        """One shoe: the honest people contribute, the stack is cut, and the confederate contributes last."""
        game = self.game
        number = game.state.shoe.number
        game.go_to_act("commit_shoe").act()
        for seat in HONEST:
            game.do(Contribute(seat=seat, value=f"seat {seat} in shoe {number}"))
        game.go_to_act("cut_cards").act()
        held, in_front = game.state.shoe.commitment, game.state.shoe.in_front
        assert held is not None
        assert in_front is not None
        known = self._shares.known_before(held.shoe)
        shares = [known.get(each.key, bytes(32)) for each in held.witnesses]
        chosen, expected = self._choose(held, in_front, shares, self._tries)
        game.do(Contribute(seat=CONFEDERATE, value=chosen))
        game.go_to_act("seal_order")
        is_refused = self.honest is None or self._is_second_closing_refused(held, in_front, chosen)
        game.act()
        # The table deals by the order that is sealed now: one round is played there, all are dealt in plain lines.
        lost = -player_balance(codes_of(game.source.stack(game.state)), in_front)
        game.go("wager").play(*(f"{seat} p {STAKE}" for seat in HONEST))
        game.go("wager").do(AbandonShoe(reason="the next shoe"))
        while game.state.shoe.number == number:
            game.act()
        return ShoeResult(lost * len(HONEST) * STAKE, expected * len(HONEST) * STAKE, is_refused)

    def _choose(self, held: Commitment, in_front: int, shares: Sequence[bytes], tries: int) -> tuple[str, int]:
        """The contribution after which the honest people lose most rounds if these are the shares, and how many."""
        seed, best, lost = self._seed_of(int(held.shoe)), "", -ROUNDS - 1
        for text in (f"{number:06}" for number in range(tries)):
            inputs = bytes.fromhex(inputs_for(_contributed(held, text), in_front))
            found = -player_balance(derive(seed, shoe=held.shoe, inputs=inputs, shares=shares), in_front)
            if found > lost:
                best, lost = text, found
        return best, lost

    def _is_second_closing_refused(self, held: Commitment, in_front: int, chosen: str) -> bool:
        """Grind again with all shares known, and show the witness a log that ends with another closing of the shoe."""
        assert self.honest is not None
        now = self.game.state.shoe.commitment
        assert now is not None
        by_key = {each.key: bytes.fromhex(each.share) for each in now.shares}
        shares = [by_key[each.key] for each in held.witnesses]
        other, _ = self._choose(held, in_front, shares, min(self._tries, 100))
        other = other if other != chosen else f"{self._tries:06}"
        size = self.honest.known_size
        bodies = self.journal.bodies[:size]
        inputs = inputs_for(_contributed(held, other), in_front)
        bodies[-1] = bodies[-1].replace(now.inputs.encode(), inputs.encode())
        bodies[-2] = bodies[-2].replace(chosen.encode(), other.encode())
        assert bodies[-2:] != self.journal.bodies[size - 2 : size], "the forged end differs"
        return self.honest.refuses_other_end(bodies)

    def orders(self) -> list[str]:
        """What `verify` says of the orders, given every key."""
        self.journal.sign(STREAM, HOUSE)
        source = source_of(self.journal.path.read_bytes())
        note = sign_checkpoint(checkpoint_of(HOUSE.verifier.name, self.journal.bodies), HOUSE)
        bundle = make_bundle(source, Scope(kind="all", stream=STREAM), note=read_note(bytes(note)))
        verdict = verify_bundle(bundle, policy=policy_of_keys([HOUSE.verifier, *self.share_keys]))
        assert verdict.status != WRONG, verdict
        return [check.say for check in verdict.checks if check.name == ORDERS]


def _contributed(held: Commitment, text: str) -> Commitment:
    return replace(held, contributions=(*held.contributions, SeedContribution(CONFEDERATE, text)))


# ------------------------------------------------------------------------------------------------- judgement


class Band(msgspec.Struct, frozen=True):
    """What the honest people lose by the exact odds, in cents: the mean, and how far from it is still chance."""

    mean: float
    width: float

    def __contains__(self, lost: int) -> bool:
        return abs(lost - self.mean) <= self.width


def band_of(shoes: int) -> Band:
    """The band of that number of shoes: both honest people win and lose together."""
    price, staked = odds(RULES)[WagerKind.PLAYER], len(HONEST) * STAKE
    rounds = shoes * ROUNDS
    return Band(float(price.edge) * staked * rounds, ERRORS * float(price.deviation) * staked * rounds**0.5)


class Outcome(msgspec.Struct, frozen=True):
    """A whole run: what was lost in each shoe, and what the verdict says of each order."""

    results: tuple[ShoeResult, ...]
    orders: tuple[str, ...]

    @property
    def lost(self) -> int:
        """What the honest people lost in all, in cents."""
        return sum(each.lost for each in self.results)


@contextmanager
def grinding_house(*, colluders: int, is_watched: bool, tries: int, seed: int) -> Iterator[GrindingHouse]:
    """A house in a temporary folder."""
    with TemporaryDirectory() as folder:
        (Path(folder) / "honest").mkdir()
        house = GrindingHouse(Path(folder), colluders=colluders, is_watched=is_watched, tries=tries, seed=seed)
        yield house
        house.journal.close()


def grind(*, shoes: int, tries: int, colluders: int, is_watched: bool, seed: int, verbose: bool = False) -> Outcome:
    """Shoes of one table."""
    with grinding_house(colluders=colluders, is_watched=is_watched, tries=tries, seed=seed) as house:
        results = list[ShoeResult]()
        for number in range(1, shoes + 1):
            results.append(house.play_shoe())
            if verbose:
                print(
                    f"  shoe {number} of {shoes}: lost {sum(each.lost for each in results) // 100:,} dollars",
                    flush=True,
                )
        return Outcome(tuple(results), tuple(house.orders()))


@app.command()
def main(
    *,
    shoes: Annotated[int, typer.Option(help="how many shoes, without a witness and with three")] = 100,
    tries: Annotated[int, typer.Option(help="how many contributions the house tries for each")] = 3_000,
    seed: Annotated[int, typer.Option(help="which shoes")] = 1,
) -> None:
    """Grind without a witness, and against one honest witness of three; status 1 if not the first alone wins."""
    band, faults = band_of(shoes), list[str]()
    print(
        f"{shoes} shoes of {ROUNDS} rounds, two people at ${STAKE // 100} on the Player's hand, {tries:,} tries a shoe"
    )
    print(f"by the exact odds they lose ${band.mean / 100:,.0f} ± ${band.width / 100:,.0f} ({ERRORS} standard errors)")
    for name, colluders, is_watched in (("no witness", 0, False), ("three witnesses, one of them honest", 2, True)):
        print(f"{name}:")
        found = grind(shoes=shoes, tries=tries, colluders=colluders, is_watched=is_watched, seed=seed, verbose=True)
        expected, where = sum(each.expected for each in found.results), "within" if found.lost in band else "outside"
        print(f"  chosen to lose ${expected / 100:,.0f}; lost ${found.lost / 100:,.0f}: {where} the band")
        print(f"  verify: {found.orders[0]}")
        if is_watched != (found.lost in band):
            faults.append(f"{name}: {where} the band")
        told = "3 witnesses named, 3 shown" if is_watched else "the house alone could have known "
        if len(found.orders) != (shoes if is_watched else 1) or not all(told in each for each in found.orders):
            faults.append(f"{name}: verify does not say of every shoe: {told}")
        faults += [f"{name}: a second closing is cosigned" for each in found.results if not each.is_refused]
    for fault in faults:
        print(fault)
    print(f"{len(faults)} faults")
    raise typer.Exit(code=bool(faults))


if __name__ == "__main__":
    app()
