"""Golden journals: for every shipped Submission a short one, kept in the repository and decided again by the tests.

Each tells the same evening as far as its rules allow: every wager that is offered, a refusal, House Money pressed, a
card and a payment corrected by two persons, a card drawn in error, a hand without wagers, a coupon; then the shoe is
given up, and the next one is electronic, with its seed revealed. Its order is derived in the first way, which later
versions still read. Two more have a shoe of order 2 with two witnesses, signed with fixed keys. `tools/journals.py`
writes them anew.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from tempfile import TemporaryDirectory

from baccarat.cards import Card
from baccarat.chain import leaf_hash
from baccarat.engine.journaled_table import JournaledTable
from baccarat.house.stream import Stream
from baccarat.law.rulebook import rulebook, shipped_submissions
from baccarat.play.book import open_book
from baccarat.play.hand import Side
from baccarat.play.wager import WagerKind
from baccarat.record.journal import JournalLine, JournalReader
from baccarat.record.journal_file import JournalFile
from baccarat.record.key import KeyKind, Signer
from baccarat.record.note import sign_note
from baccarat.table.base import Event
from baccarat.table.irregularity.error_card import ReportErrorCard
from baccarat.table.payment_correction import CorrectPayment
from baccarat.table.share_note import share_text
from baccarat.table.source import SealedShoe
from baccarat.table.step.abandoning import AbandonShoe
from baccarat.table.step.announcing import ResultAnnounced
from baccarat.table.step.free_hand import RequestFreeHand
from baccarat.table.step.house_money import PressHouseMoney
from baccarat.table.step.sealing import Contribute
from baccarat.table.step.settlement import LosersCollected, Paid, VigorishTaken
from baccarat.table.step.wagering import PlaceWager
from correction_scenes import PERSONS, set_right
from electronic_table import OrderOneShoe, Witnesses
from kept import lines_of
from paths import DATA
from table_driver import Game, in_order, parse, seated
from triggers import FirstWager

FOLDER = DATA / "journals"
FIRST_MOMENT, SECOND = 1_700_000_000_000_000, 1_000_000
BURN = "AS 9C"
PAIRS = "9S KH 9D KC"
"""Player 8, a natural, against 0; both hands open with a pair."""
DRAGON_7 = "2S 2H 4D 2C 3D"
PANDA_8 = "2C 7H 3D KD 3C"
KING_NINE = "KS 2D 9H 3S"
"""Player 9, a natural: the combination of the first seat in one of the Submissions."""
BANKER_6 = "2H 6S KC KH 2D"
KEYED_WRONGLY = "7S 9D TH QC"
"""A nine that is a seven: the hands are equal, and nobody draws."""
IN_ERROR = "2D 2S 4S 4C 8C"
"""Both hands stay, and a card comes out all the same."""
SEED = 34
"""With it few cards are burned of most electronic shoes, so that the files stay small."""
WITNESS_NAMES = ("surveillance", "commission")
AFTER = "5D 5C 4D KS 6C 7C 8D 8H 3H 9S"


ORDER_2 = "-order-2"
"""How the name of a journal ends whose electronic shoe has order 2."""


def names() -> list[str]:
    """The golden journals: of every Submission, and two with witnesses."""
    return sorted([*shipped_submissions(), f"ma-midi-4{ORDER_2}", f"nj-punto-banco{ORDER_2}"])


def path_of(name: str) -> Path:
    """The file of a golden journal."""
    return FOLDER / f"{name}.jsonl"


def golden(name: str) -> bytes:
    """The golden journal of a Submission, played now."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "journal.jsonl"
        with JournalFile(path, sync=False) as file:
            assert not list(file.open())
            _play(name, file)
        return path.read_bytes()


def _play(name: str, file: JournalFile) -> None:
    rules = rulebook(name.removesuffix(ORDER_2))
    rounds = {PAIRS: "player", DRAGON_7: "banker"}
    rounds |= {PANDA_8: "player"} if WagerKind.PANDA8 in open_book(rules).offered else {BANKER_6: "banker"}
    rounds |= {KING_NINE: "player"} if rules.elections.royal9 is not None else {}
    cards = " ".join((BURN, *rounds, KEYED_WRONGLY, IN_ERROR, AFTER))
    game = Game(rules, lambda _number: in_order(rules.elections.decks or 0, parse(cards)))
    moments = iter(range(FIRST_MOMENT, FIRST_MOMENT + 10_000 * SECOND, SECOND))
    game.table = JournaledTable.begin(rules, file, Stream("table 1"), clock=lambda: next(moments))
    seated(game, (1, 3, 5))
    for outcome in rounds.values():
        _everything_wagered(game, outcome)
    _card_corrected(game)
    _drawn_in_error(game)
    _without_wagers(game)
    game.go("wager").do(AbandonShoe(reason="the table gets an electronic shoe"))
    while game.state.shoe.number == 0:
        game.act()
    _electronic(game, SignedWitnesses(file.path) if name.endswith(ORDER_2) else None)


def _everything_wagered(game: Game, outcome: str) -> None:
    """Every wager that is offered, some of them with what belongs to them; the round ends as it is meant to."""
    game.go("wager")
    limits, seats = (
        game.rules.elections.limits or {},
        {WagerKind.BANKER: 3, WagerKind.DRAGON_BANKER: 3, WagerKind.DRAGON7: 3},
    )
    for kind in open_book(game.rules).kinds:
        stake = limits[kind.value].min if kind.value in limits else 500
        game.do(PlaceWager(seat=5 if kind is WagerKind.TIE else seats.get(kind, 1), on=kind, stake=stake))
    number = game.state.round.number
    if number == 1:
        game.refused(PlaceWager(seat=5, on=WagerKind.PLAYER, stake=1))
    while game.state.round.number == number:
        may_press = [due.seat for due in game.table.expected if due.act == "press_house_money"]
        if may_press and may_press[0] not in game.state.round.presses:
            game.do(PressHouseMoney(seat=may_press[0], onto=WagerKind.PLAYER))
        game.act()
        if game.step == "settle":
            assert (game.state.round.winner or Side.PLAYER).value == outcome


def _card_corrected(game: Game) -> None:
    """A card that was keyed wrongly is set right after the payment, and so is the payment."""
    game.go("wager")
    coupon = 2500 if game.rules.elections.match_play else 0
    game.do(PlaceWager(seat=1, on=WagerKind.PLAYER, stake=2500, coupon=coupon))
    game.wager("3 b 2500").go("settle")
    while game.step == "settle":
        game.act()
    set_right(game, game.state.round.banker[0], "7D", "a seven, not a nine: the hands were equal")
    _correct(game, Paid, seat=3, amount=-game.last(Paid).win + _vigorish(game), reason="a tie pays nothing")
    _correct(game, LosersCollected, seat=1, amount=2500, reason="a tie takes nothing")
    game.finish_round()


def _correct(game: Game, kind: type[Event], *, seat: int, amount: int, reason: str) -> None:
    """The last payment of a kind is corrected by dealer and floorperson."""
    number = max(at for at, event in enumerate(game.table.log) if isinstance(event, kind))
    game.do(CorrectPayment(corrects=number, seat=seat, amount=amount, reason=reason), **PERSONS)


def _vigorish(game: Game) -> int:
    """The vigorish of the last round, if any was taken since the cards were called."""
    since = max(at for at, event in enumerate(game.table.log) if isinstance(event, ResultAnnounced))
    return sum(event.amount for event in game.table.log[since:] if isinstance(event, VigorishTaken))


def _drawn_in_error(game: Game) -> None:
    """A card comes out that no hand is entitled to."""
    game.go("wager").wager("1 p 2500", "3 b 2500")
    while set(game.state.round.counted) != set(Side):
        game.act()
    game.do(ReportErrorCard(card=Card.parse("8C")))
    game.finish_round()


def _without_wagers(game: Game) -> None:
    """A hand without wagers, where there is one."""
    while game.step != "wager":
        game.act()
    law = game.rules.edition.free_hand
    if law is not None and game.rules.elects(law.offered):
        game.do(RequestFreeHand(seat=3))
        game.finish_round()


class SignedWitnesses(Witnesses):
    """Two witnesses that sign the notes of their shares, for the last record of a journal."""

    def __init__(self, path: Path) -> None:
        super().__init__(table="1")
        self.signers = {
            str(signer.verifier): signer
            for signer in (Signer(f"example.org/{name}", KeyKind.LOG, name[:1].encode() * 32) for name in WITNESS_NAMES)
        }
        self.keys = {key: hashlib.sha256(key.encode()).digest() for key in self.signers}
        self.leaf = lambda: leaf_hash(_closing(path))

    def note(self, key: str, shoe: str, *, leaf: bytes = bytes(32), share: bytes | None = None) -> tuple[str, ...]:
        """The note of a witness, signed."""
        share = self.share_of(key, shoe) if share is None else share
        note = sign_note(share_text(origin=self.origin, shoe=shoe, leaf=leaf, share=share), self.signers[key])
        return tuple(bytes(note).decode().removesuffix("\n").split("\n"))


def _closing(path: Path) -> bytes:
    """The body of the record that closed the inputs of the last shoe."""
    lines = [line for line in JournalReader().read(lines_of(path.read_bytes())) if isinstance(line, JournalLine)]
    return next(line.body for line in reversed(lines) if b'"event":"inputs_closed"' in line.body)


def _electronic(game: Game, witnesses: Witnesses | None) -> None:
    """One round of an electronic shoe, which is given up then; its seed is opened."""
    kind = OrderOneShoe if witnesses is None else SealedShoe
    game.source = kind(
        game.rules,
        lambda number: bytes([SEED, number]) * 16,
        table="1",
        triggers=FirstWager(game.rules),
        shares=witnesses,
    )
    game.act()
    game.do(Contribute(seat=3, value="7 of March"))
    game.go("wager").play("1 p 2500", "3 b 2500", "5 t 500")
    game.go("wager").do(AbandonShoe(reason="the table closes"))
    while game.state.shoe.number == 1:
        game.act()
