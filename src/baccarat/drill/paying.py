"""Paying: what a wager is paid, and the vigorish on a win, as the settlement of a round gives them."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from msgspec.structs import replace

from baccarat.cards import DECK, Card
from baccarat.drill.base import (
    AskedQuestion,
    Drill,
    DrillKind,
    SolvedQuestion,
    coup_scene,
    reason,
    ruling_reason,
    sum_question,
)
from baccarat.drill.chance import SeededPicks
from baccarat.drill.rounds import find_round, random_cards, random_seat, stakes, wagers_with
from baccarat.law.cached_value import cached_on_value
from baccarat.law.row import WagerResult
from baccarat.law.rulebook import Rulebook
from baccarat.money import MICRO, Cents
from baccarat.play.book import Book, open_book
from baccarat.play.coup import Coup
from baccarat.play.hand import PLAYER_SIDE
from baccarat.play.settle import settle
from baccarat.play.settlement import SettledLine, Settlement
from baccarat.play.wager import Wager, WagerKind
from baccarat.play.wager.royal9 import Chair, is_royal, progressive

RESULT_VERBS = {WagerResult.WIN: "wins", WagerResult.LOSE: "loses", WagerResult.PUSH: "is returned"}


def line_of(rules: Rulebook, coup: Coup, wagers: list[Wager], meters: dict[str, int] | None = None) -> SettledLine:
    """The end of the first of some wagers."""
    settled = settle(rules, coup, wagers, meters=meters)
    assert isinstance(settled, Settlement), f"a wager within the limits stands: {settled}"
    return settled.lines[0]


# ---------------------------------------------------------------------------------------------- the payout


@cached_on_value
def _kinds_by_case(rules: Rulebook) -> dict[str, WagerKind]:
    """Every way in which a wager of the table may end, with the wager."""
    book = open_book(rules)
    found: dict[str, WagerKind] = {}
    for kind in book.kinds:
        if not _admissible_stakes(book, 1, kind):
            continue
        for verdict in book.table(kind):
            if verdict is not None:
                found.setdefault(_case(rules, kind, verdict.result, verdict.row), kind)
    progress = progressive(rules)
    for prize in progress.prizes if progress is not None else ():
        end = WagerResult.LOSE if prize.is_lost else WagerResult.WIN
        found.setdefault(_case(rules, WagerKind.ROYAL9, end, prize.row), WagerKind.ROYAL9)
    return found


def _cases(rules: Rulebook) -> tuple[str, ...]:
    return tuple(_kinds_by_case(rules))


def _case(rules: Rulebook, kind: WagerKind, result: WagerResult, row: str | None) -> str:
    """The case of a wager that ends like this: `Tie wins`; a win with the row of its pay table."""
    named = f" ({row.replace('_', ' ')})" if row and result is WagerResult.WIN else ""
    return f"{rules.edition.wagers[kind.word].title} {RESULT_VERBS[result]}{named}"


def _admissible_stakes(book: Book, seat: int, kind: WagerKind) -> list[int]:
    """The stakes that a wager may have."""
    return [stake for stake in stakes(book, kind) if wagers_with(book, seat, kind, stake)]


def _make(rules: Rulebook, case: str, chance: SeededPicks) -> SolvedQuestion:
    book, seat = open_book(rules), random_seat(open_book(rules), chance)
    kind = _kinds_by_case(rules)[case]
    wagers = wagers_with(book, seat, kind, chance.choice(_admissible_stakes(book, seat, kind)))
    progress = progressive(rules)
    meters = {meter.name: meter.seed for meter in progress.meters} if progress is not None else None
    chair = progress.chairs[seat] if progress is not None and kind is WagerKind.ROYAL9 else None

    def ends_so(coup: Coup) -> bool:
        line = line_of(rules, coup, wagers, meters)
        return _case(rules, kind, line.result, line.row) == case

    cards = None if chair is None else _royal_cards(book, chair, chance)
    coup = find_round(book, chance, ends_so, cards=cards)
    line = line_of(rules, coup, wagers, meters)
    named = rules.edition.wagers[kind.word].title
    scene = coup_scene(coup, wagers, notes=_notes(rules, seat, kind))
    why = reason(f"{_case(rules, kind, line.result, line.row)}: {_payment_text(line)}.", *line.cites)
    say = f"What is the {named} wager of seat {seat} paid? Without its stake, before any vigorish; 0 if nothing."
    ask = AskedQuestion(say, "drill_payout", {"on": kind.word, "seat": seat})
    return sum_question(ask, scene, line.win, [ruling_reason(coup.why[-1]), why])


def _payment_text(line: SettledLine) -> str:
    stake = Cents(line.wager.stake)
    match line.result:
        case WagerResult.WIN:
            rate = f" at {line.odds}" if line.odds is not None else ""
            return f"{stake} is paid {Cents(line.win)}{rate}"
        case WagerResult.PUSH:
            return f"the stake of {stake} goes back, and nothing is paid"
        case WagerResult.LOSE:
            return f"the stake of {stake} is collected"


def _notes(rules: Rulebook, seat: int, kind: WagerKind) -> tuple[str, ...]:
    """What else must be shown for a Royal 9: what the meters show, and the combinations of the chair."""
    progress = progressive(rules)
    if kind is not WagerKind.ROYAL9 or progress is None:
        return ()
    added, _reserve = progress.contributions(1)
    shows = [
        f"the {meter.name.replace('_', ' ')} meter shows {Cents((meter.seed + added[meter.name]) // MICRO)}"
        for meter in progress.meters
    ]
    own = sorted(" ".join(sorted(map(str, pair))) for pair in progress.chairs[seat].own)
    return (f"Seat {seat} has {', '.join(own)}; {', '.join(shows)}.",)


def _royal_cards(book: Book, chair: Chair, chance: SeededPicks) -> Callable[[], tuple[Card, ...]]:
    """Cards that often open with a Royal 9 hand: at random these hardly ever come."""
    royal = [frozenset({one, two}) for one in DECK for two in DECK if is_royal(frozenset({one, two}))]
    kinds = [sorted(chair.own, key=sorted_cards), sorted(chair.others, key=sorted_cards), royal]

    def hand() -> tuple[Card, ...]:
        group = chance.choice([*kinds, []])
        return tuple(chance.shuffled(sorted(chance.choice(group), key=str))) if group else random_cards(chance, 2)

    def cards() -> tuple[Card, ...]:
        player = hand()
        banker = player if chance.randrange(4) == 0 else hand()
        hands = book.hands
        opening = [(player if side is PLAYER_SIDE else banker)[hands[:at].count(side)] for at, side in enumerate(hands)]
        return (*opening, *random_cards(chance, 2))

    return cards


def sorted_cards(pair: frozenset[Card]) -> list[str]:
    """Cards in an order that is always the same."""
    return sorted(map(str, pair))


# --------------------------------------------------------------------------------------------- the vigorish


def _classes(book: Book) -> dict[str, Callable[[int], bool]]:
    """How the vigorish on a win is rounded, each with a condition on the win."""
    rate, coin = book.vig_rate, book.vig_coin
    if not coin:
        return {
            "a percentage in whole cents": lambda won: won * rate % 100 == 0,
            "a fraction of a cent dropped": lambda won: won * rate % 100 != 0,
        }
    return {
        "an exact multiple of the coin": lambda won: won * rate % (100 * coin) == 0,
        "raised to the next multiple": lambda won: won * rate % (100 * coin) != 0 and won * rate > 100 * coin,
        "one coin at the least": lambda won: won * rate < 100 * coin,
    }


EXEMPT_CASE = "freed by other wagers of the seat"


def _vigorish_wagers(book: Book, case: str) -> list[Wager]:
    """The wagers on whose win vigorish is rounded as the case says."""
    kinds = [kind for kind in book.kinds if any(each is not None and each.vigorish for each in book.table(kind))]
    wagers = [Wager(seat=1, on=kind, stake=stake) for kind in kinds for stake in _admissible_stakes(book, 1, kind)]
    if not book.vig_rate:
        return []
    if case == EXEMPT_CASE:
        return [wager for wager in wagers if _exempting_wagers(book, wager)]
    fits = _classes(book)[case]
    return [wager for wager in wagers if fits(book.highest_payout(wager.on, wager.stake))]


def _exempting_wagers(book: Book, wager: Wager) -> list[Wager]:
    """The wagers that each exempt another at the seat from vigorish."""
    return [
        Wager(seat=wager.seat, on=kind, stake=stake)
        for kind in sorted(book.exempt & book.offered, key=lambda kind: kind.word)
        for stake in stakes(book, kind)
        if book.exempts(wager.stake, {kind: stake})
    ]


def _vigorish_cases(rules: Rulebook) -> tuple[str, ...]:
    book = open_book(rules)
    return tuple(case for case in (*_classes(book), EXEMPT_CASE) if _vigorish_wagers(book, case))


def _vigorish(rules: Rulebook, case: str, chance: SeededPicks) -> SolvedQuestion:
    book, seat = open_book(rules), random_seat(open_book(rules), chance)
    wagers = [replace(chance.choice(_vigorish_wagers(book, case)), seat=seat)]
    if case == EXEMPT_CASE:
        wagers.append(chance.choice(_exempting_wagers(book, wagers[0])))
    coup = find_round(book, chance, lambda coup: _wins(book, coup, wagers[0]))
    line = line_of(rules, coup, wagers)
    named = rules.edition.wagers[line.wager.on.word].title
    scene = coup_scene(coup, wagers)
    say = f"The {named} wager of seat {seat} wins {Cents(line.win)}. How much vigorish is due?"
    ask = AskedQuestion(say, "drill_vigorish", {"on": line.wager.on.word, "seat": seat, "win": line.win})
    said = EXEMPT_REASON if case == EXEMPT_CASE else _vigorish_text(book, line)
    return sum_question(ask, scene, line.vigorish, [reason(said, *line.cites)])


def _wins(book: Book, coup: Coup, wager: Wager) -> bool:
    verdict = None if coup.is_void else book.verdicts[wager.on][coup.index]
    return verdict is not None and verdict.vigorish


EXEMPT_REASON = "The seat's other wagers are as much as this wager, or more: no vigorish is due."


def _vigorish_text(book: Book, line: SettledLine) -> str:
    """How the vigorish is computed, in words."""
    exact = Fraction(line.win * book.vig_rate, 100)
    shown = str(Cents(int(exact))) if exact.denominator == 1 else f"{Cents(int(exact))} and a fraction of a cent"
    percent = f"{book.vig_rate} % of {Cents(line.win)} is {shown}"
    if exact == line.vigorish:
        return f"{percent}: {Cents(line.vigorish)} is due."
    if not book.vig_coin:
        return f"{percent}; the fraction is dropped: {Cents(line.vigorish)} is due."
    least = line.vigorish == book.vig_coin
    how = f"{book.vig_coin} ¢ is the least" if least else f"the next multiple of {book.vig_coin} ¢ is taken"
    return f"{percent}; {how}: {Cents(line.vigorish)} is due."


PAYOUT_DRILL = Drill(kind=DrillKind.PAYOUT, cases=_cases, make=_make)
VIGORISH_DRILL = Drill(kind=DrillKind.VIGORISH, cases=_vigorish_cases, make=_vigorish)
