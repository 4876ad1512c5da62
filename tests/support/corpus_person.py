"""Forgeries by those at a table and on the floor: wagers after the call, coupons, corrections, acts of two done by one.

Each is a table or a house whose records say that the rules were followed where they were not; whoever does not know the
rules finds nothing wrong, and says that nothing was decided again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from baccarat.house.coupon_book import IssueCoupons
from baccarat.house.stream import COUPON_STREAM
from baccarat.law.rulebook import rulebook
from baccarat.play.wager import WagerKind
from baccarat.record.journal_file import JournalFile
from baccarat.table.automation import run_until
from baccarat.table.base import Accepted
from baccarat.table.goodwill import PayGoodwill
from baccarat.table.payment_correction import CorrectPayment
from baccarat.table.role import Role
from baccarat.table.seating_acts import BuyIn, Leave, Sit
from baccarat.table.step.settlement import LosersCollected, Paid
from baccarat.table.step.wagering import ChangeWager, PlaceWager, WithdrawWager
from baccarat.table.table_cards import TableCards
from corpus_base import BASES, PLAIN, Evening, act, event, twin, with_event
from corpus_case import GOOD, UNCOVERED, Case, Forge, Kind, KindMaker, Kinds, Names, forged, of_kind
from corpus_house import KEYS, house_journal_of
from correction_scenes import PERSONS, set_right
from house_books import ADMIN_AND_CASHIER, open_table, opened_house, stacks, taken
from journaled_house import JournaledHouse
from remade import Json, records_of
from table_driver import in_order, parse

DECIDED = Names("decided again", "", "")
HOUSE = Names("house", "", "")


# ------------------------------------------------------------------------------------------------------- the bases


@cache
def _corrected() -> bytes:
    """A wager is raised, another withdrawn; a nine was a six, and what was paid by it is set right."""
    with TemporaryDirectory() as folder:
        cards = in_order(8, parse("AS 9C 9S 7D TH KC 2C 3C 4C 5C 6C 7C"))
        evening = Evening(Path(folder), cards=TableCards.REAL, order=cards)
        game = evening.game.go("wager").wager("1 b 2500", "3 p 2500", "3 t 1000")
        game.do(WithdrawWager(seat=3, on=WagerKind.TIE))
        game.do(ChangeWager(seat=3, on=WagerKind.PLAYER, stake=5000))
        game.go("settle")
        while game.step == "settle":
            game.act()
        set_right(game, game.state.round.player[0], "6S", "a six, read upside down as a nine: the Banker won")
        for kind, seat, amount in ((LosersCollected, 1, 2500 + 2375), (Paid, 3, -10_000)):
            which = next(at for at, each in enumerate(game.table.log) if isinstance(each, kind))
            game.do(CorrectPayment(corrects=which, seat=seat, amount=amount, reason="the Banker won"), **PERSONS)
        game.finish_round()
        return evening.bytes()


@cache
def _coupons() -> bytes:
    """A house that issues three coupons to a patron, who presents the first."""
    rules = rulebook("ma-midi-4", match_play=True)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "journal.jsonl"
        with JournalFile(path, sync=False) as file:
            assert not list(file.open())
            house = opened_house(rules, house=JournaledHouse(rules, file))
            table = open_table(house, rules)
            for seat in (1, 2):
                assert isinstance(table.do(Sit(seat=seat, person=f"p{seat}")), Accepted)
                assert isinstance(table.do(BuyIn(seat=seat, amount=10**7)), Accepted)
            source = stacks(rules, "coupons")
            run_until(table, source, stop=lambda t: t.state.step == "wager", wagers=lambda _: None)
            issue = IssueCoupons(first=101, last=103, value=2_500, patron="p1")
            taken(house.do(issue, ADMIN_AND_CASHIER, stream=COUPON_STREAM))
            presented = PlaceWager(seat=1, on=WagerKind.PLAYER, stake=2_500, coupon=2_500, coupon_number=101)
            assert isinstance(table.do(presented), Accepted)
            assert isinstance(table.do(PlaceWager(seat=1, on=WagerKind.BANKER, stake=2_500)), Accepted)
        return path.read_bytes()


@cache
def _owing() -> bytes:
    """Somebody is given what no cards owe him; another leaves, and pays the vigorish that was marked."""
    with TemporaryDirectory() as folder:
        cards = in_order(8, parse("AS 9C 7S 9D TH KC 2C 3C 4C 5C 6C 7C"))
        elections: Json = {"vig_collection": "deferred", "goodwill_limit": "$100.00"}
        evening = Evening(Path(folder), cards=TableCards.REAL, order=cards, **elections)
        game = evening.game.go("wager")
        game.play("3 b 10000")
        gift = PayGoodwill(seat=1, amount=3_000, reason="an apology")
        game.do(gift, who="F. Loor", second="A. Dmin", second_role=Role.ADMINISTRATOR)
        game.do(Leave(seat=3))
        return evening.bytes()


BASES["corrected"] = _corrected
BASES["owing"] = _owing


def honest() -> Iterator[Case]:
    """The house with its coupons; the table is honest as those of `BASES` are."""
    data = house_journal_of(coupons())
    yield Case(path="honest/coupons.jsonl", data=data, keys=KEYS, status=GOOD, status_without_rules=UNCOVERED)


def coupons() -> list[Json]:
    """The records of the house that has issued coupons."""
    return records_of(_coupons())


# ------------------------------------------------------------------------------------------------------- at the table


def _all(make: KindMaker, forgeries: dict[str, Forge], of: str = "corrected") -> tuple[Kind, list[Case]]:
    """Every forgery of a kind, in a journal that ends where it is found."""
    fields: Json = {"of": of, "keys": PLAIN, "status_without_rules": UNCOVERED}
    return make.kind, [make.signed(name, forge, **fields) for name, forge in forgeries.items()]


def _later(name: str, after: str, **fields: object) -> Forge:
    """An act of before comes again, or comes, after another; the journal ends with it."""

    def forge(records: list[Json]) -> list[Json]:
        at = records.index(act(records, after)) + 1
        record = twin(act(records, name))
        for part in (record["command"], *record["events"]):
            part.update({field: value for field, value in fields.items() if field in part})
        return [*records[:at], record]

    return forge


def _told(name: str, nth: int = 0, **fields: object) -> Forge:
    """An act is told otherwise, in its command and in its first event alike; the journal ends with it."""

    def forge(records: list[Json]) -> list[Json]:
        record = act(records, name, nth)
        for part in (record["command"], record["events"][0]):
            part.update({field: value for field, value in fields.items() if field in part})
        return records[: records.index(record) + 1]

    return forge


def _by(name: str, nth: int = 0, **fields: object) -> Forge:
    """An act is done by somebody else, or approved by somebody else; the journal ends with it."""

    def forge(records: list[Json]) -> list[Json]:
        record = act(records, name, nth)
        record.update(fields)
        for missing in [field for field, value in fields.items() if value is None]:
            del record[missing]
        for part in record["events"]:
            part.update({field: fields["who"] for field in ("requester",) if field in part and "who" in fields})
        return records[: records.index(record) + 1]

    return forge


def _left_out(name: str, last: str, nth: int = 0) -> Forge:
    """An act is left out, and a later one comes all the same; the journal ends with that."""

    def forge(records: list[Json]) -> list[Json]:
        records.remove(act(records, name, nth))
        return records[: records.index(act(records, last)) + 1]

    return forge


def patrons() -> Kinds:
    """What a patron does who cheats."""
    make = of_kind("wager-changed-late", "patron", "a wager grows or shrinks when its cards are known", DECIDED)
    yield _all(make, {
        "raised-after-the-call": _later("change_wager", "call_no_more_bets", stake=9_000),
        "raised-after-a-card": _later("change_wager", "draw_card", stake=9_000),
        "withdrawn-after-the-call": _later("withdraw_wager", "call_no_more_bets", on="player"),
        "withdrawn-after-the-result": _later("withdraw_wager", "announce_result", on="player"),
        "raised-to-more": _told("change_wager", stake=10**12),
        "withdrawal-denied": _left_out("withdraw_wager", "announce_result"),
        "withdrawn-twice": _later("withdraw_wager", "withdraw_wager"),
    })  # fmt: skip
    make = of_kind("seat-otherwise", "patron", "somebody plays at the seat, or with the chips, of another", DECIDED)
    yield _all(make, {
        "taken-seat": _told("sit", 1, seat=1),
        "no-such-seat": _told("sit", 1, seat=99),
        "two-seats": _told("sit", 1, person="participant 1", who="participant 1"),
        "wager-for-another": _by("place_wager", 1, who="participant 1"),
        "withdrawal-of-another": _by("withdraw_wager", who="participant 1"),
        "change-of-another": _by("change_wager", who="participant 1"),
        "chips-without-a-seat": _told("buy_in", 1, seat=5),
    })  # fmt: skip
    make = of_kind("chips-by-himself", "patron", "somebody changes his own cash, or pays himself", DECIDED)
    yield _all(make, {
        "buys-in-himself": _by("buy_in", who="participant 1", role="participant"),
        "pays-himself": _by("pay", who="participant 3", role="participant"),
        "collects-himself": _by("collect_losers", who="participant 1", role="participant"),
        "corrects-himself": _by("correct_payment", who="participant 1", role="participant"),
        "calls-his-card": _by("announce_count", who="participant 3", role="participant"),
    })  # fmt: skip


# ------------------------------------------------------------------------------------------------------- corrections


def corrections() -> Kinds:
    """What is set right that was not wrong, or by fewer persons than it takes."""
    make = of_kind("correction-beyond-what-is-owed", "floor", "a friend is given more than the cards owe him", DECIDED)
    yield _all(make, {
        "more": _told("correct_payment", amount=900_000_000),
        "a-cent-more": _told("correct_payment", amount=2500 + 2375 + 1),
        "another-seat": _told("correct_payment", seat=3),
        "another-event": _told("correct_payment", corrects=1),
        "twice": _later("correct_payment", "correct_payment"),
        "not-taken-back": _left_out_and_go_on,
    })  # fmt: skip
    make = of_kind("card-corrected-otherwise", "dealer", "a card becomes the one that a friend needs", DECIDED)
    yield _all(make, {
        "another-position": _told("correct_card", position=9),
        "an-event-that-shows-none": _told("correct_card", corrects=0),
        "after-the-round": _later("correct_card", "clear_table"),
    })  # fmt: skip
    make = of_kind("correction-by-one-person", "floor", "what two persons set right is done by one", DECIDED)
    card = [{"who": "D. Ealer", "role": "floorperson", "what": "correct_card"}]
    yield _all(make, {
        "card-no-second": _by("correct_card", approvals=None),
        "card-the-same": _by("correct_card", approvals=card),
        "card-another-act": _by("correct_card", approvals=[{**card[0], "who": "F. Loor", "what": "pay"}]),
        "card-by-a-patron": _by("correct_card", approvals=[{**card[0], "who": "p", "role": "participant"}]),
        "payment-no-second": _by("correct_payment", approvals=None),
        "payment-the-same": _by("correct_payment", approvals=[{**card[0], "what": "correct_payment"}]),
        "payment-by-two-dealers": _by(
            "correct_payment", approvals=[{"who": "D. Other", "role": "dealer", "what": "correct_payment"}]
        ),
    })  # fmt: skip
    make = of_kind("reason-left-out", "floor", "discretion was used, and nobody says why", DECIDED)
    yield _all(make, {
        "card": _told("correct_card", reason=""),
        "payment": _told("correct_payment", reason=""),
        "another-reason": _event_only("correct_payment", reason="he is a friend"),
    })  # fmt: skip
    make = of_kind(
        "shoe-given-up-otherwise", "floor", "a shoe is given up because the count favours the players", DECIDED
    )
    yield _all(make, {
        "while-a-wager-lies": _given_up_at("place_wager"),
        "in-a-round": _given_up_at("draw_card"),
        "by-a-dealer": _by("abandon_shoe", role="dealer", who="dan"),
        "no-reason": _told("abandon_shoe", reason=""),
    }, of="real-cards")  # fmt: skip


def debts() -> Kinds:
    """Vigorish that nobody pays, and gifts that nobody may make."""
    make = of_kind("vigorish-escaped", "patron", "somebody who won as the Banker leaves without paying", DECIDED)
    yield _all(make, {
        "leaves-with-all": _leaving(lambda events: events.pop(0)),
        "pays-less": _leaving(lambda events: events[0].update(amount=100)),
        "takes-more-chips": _leaving(lambda events: events[-1].update(chips=events[-1]["chips"] + 500)),
        "marked-less": _marked(amount=100),
        "marked-for-another": _marked(seat=1),
    }, of="owing")  # fmt: skip
    make = of_kind("debt-forgiven", "floor", "a friend is freed of a debt that he can pay, and plays on", DECIDED)
    yield _all(make, {
        "who-still-sits": _forgiven("S. Upervisor", "casino supervisor"),
        "by-one-person": _forgiven("F. Loor", "casino supervisor"),
        "by-two-of-the-floor": _forgiven("F. Riend", "floorperson"),
    }, of="owing")  # fmt: skip
    make = of_kind("goodwill-otherwise", "floor", "money is given away that nobody may give", DECIDED)
    admin = {"who": "A. Dmin", "role": "administrator", "what": "pay_goodwill"}
    yield _all(make, {
        "above-the-limit": _told("pay_goodwill", amount=1_000_000),
        "to-an-empty-seat": _told("pay_goodwill", seat=5),
        "no-reason": _told("pay_goodwill", reason=""),
        "more-than-was-approved": _event_only("pay_goodwill", amount=9_000),
        "no-second": _by("pay_goodwill", approvals=None),
        "the-same": _by("pay_goodwill", approvals=[{**admin, "who": "F. Loor"}]),
        "a-second-of-the-pit": _by("pay_goodwill", approvals=[{**admin, "role": "pit boss"}]),
        "to-himself": _by("pay_goodwill", who="participant 1"),
        "by-a-dealer": _by("pay_goodwill", role="dealer", who="dan"),
        "beyond-the-limit-in-parts": _later_twice,
    }, of="owing")  # fmt: skip


def _leaving(change: Callable[[list[Json]], object]) -> Forge:
    def forge(records: list[Json]) -> None:
        change(act(records, "leave")["events"])

    return forge


def _marked(**fields: object) -> Forge:
    def forge(records: list[Json]) -> list[Json]:
        event(records, "vigorish_taken").update(fields)
        return records[: records.index(with_event(records, "vigorish_taken")) + 1]

    return forge


def _forgiven(second: str, role: str) -> Forge:
    """An exception is reported about somebody with chips before him."""

    def forge(records: list[Json]) -> list[Json]:
        left = records.index(act(records, "leave"))
        made = {k: v for k, v in twin(act(records, "pay_goodwill")).items() if k != "approvals"}
        made["command"] = {"do": "report_exception", "reason": "walked away", "seat": 3}
        made["approvals"] = [{"who": second, "role": role, "what": "report_exception"}]
        said = {"event": "exception_reported", "cites": ["ma-midi-4 §12(d)(2)(iii)"], "seat": 3, "amount": 500}
        made["events"] = [said | {"reason": "walked away", "requester": "F. Loor", "approver": second}]
        return [*records[:left], made]

    return forge


def _later_twice(records: list[Json]) -> list[Json]:
    """The same gift three times more: together they are more than the limit of the day."""
    at = records.index(act(records, "pay_goodwill"))
    return [*records[: at + 1], *(twin(records[at]) for _ in range(3))]


def shoes() -> Kinds:
    """What a dealer does with the cards before the first wager; `of` is a table of real cards."""
    make = of_kind("cards-prepared-otherwise", "dealer", "a stack is dealt whose order the dealer knows", DECIDED)
    yield _all(make, {
        "fewer-decks": _told("receive_cards", decks=7),
        "no-set": _told("receive_cards", set_id=""),
        "verified-by-the-inspector": _by("prepare_cards", 1, who="dealer", role="dealer"),
        "prepared-by-a-patron": _by("prepare_cards", 3, who="participant 1", role="participant"),
        "not-shuffled": _told("shuffle_cards", steps=[]),
        "more-laced-than-there-are": _told("lace_cards", cards=417),
        "loaded-before-the-cut": _skipped_to("load_shoe", "cut_cards"),
    }, of="real-cards")  # fmt: skip
    make = of_kind("cut-otherwise", "dealer", "the cut falls where the dealer wants it", DECIDED)
    yield _all(make, {
        "not-offered": _skipped_to("cut_cards", "answer_cut"),
        "by-one-who-declined": _told("cut_cards", seat=1),
        "nothing-cut-off": _told("cut_cards", in_front=0),
        "all-cut-off": _told("cut_cards", in_front=416),
        "twice": _later("cut_cards", "cut_cards"),
        "answered-for-another": _by("answer_cut", who="participant 1"),
    }, of="real-cards")  # fmt: skip
    make = of_kind("burned-otherwise", "dealer", "the first cards of the shoe are dealt that had to be burned", DECIDED)
    yield _all(make, {
        "none": _skipped_to("place_wager", "burn_cards"),
        "the-first-alone": _left_out("burn_cards", "place_wager", 1),
        "another-first-card": _event_only("turn_card", card={"rank": "2", "suit": "s"}),
        "calls-for-fewer": _event_only("turn_card", more=0),
        "too-many": _event_only("burn_cards", positions=[0, 1]),
    }, of="real-cards")  # fmt: skip


def _skipped_to(name: str, first: str) -> Forge:
    """All acts from the first of one kind on are left out until an act, which comes at once."""

    def forge(records: list[Json]) -> list[Json]:
        return [*records[: records.index(act(records, first))], act(records, name)]

    return forge


def _left_out_and_go_on(records: list[Json]) -> list[Json]:
    """What the loser has to give back is not taken, and the table is cleared."""
    records.remove(act(records, "correct_payment", 1))
    return records[: records.index(act(records, "clear_table")) + 1]


def _event_only(name: str, **fields: object) -> Forge:
    def forge(records: list[Json]) -> list[Json]:
        record = act(records, name)
        record["events"][0].update(fields)
        return records[: records.index(record) + 1]

    return forge


def _given_up_at(name: str) -> Forge:
    """Two persons give the shoe up after an act after which it is not theirs to give up."""

    def forge(records: list[Json]) -> list[Json]:
        at = records.index(act(records, name)) + 1
        return [*records[:at], act(records, "abandon_shoe")]

    return forge


# ------------------------------------------------------------------------------------------------------- coupons


def presented() -> Kinds:
    """Coupons that nobody issued, or that were used before."""
    make = of_kind("coupon-otherwise", "patron", "one coupon counts twice, or for more than its value", HOUSE)
    yield make.kind, [_of_house(make, name, forge) for name, forge in COUPONS.items()]
    make = of_kind("coupon-issued-otherwise", "floor", "a friend is given coupons, and nobody stands for it", HOUSE)
    yield make.kind, [_of_house(make, name, forge) for name, forge in ISSUES.items()]


def _of_house(make: KindMaker, name: str, forge: Forge) -> Case:
    data = house_journal_of(forged(coupons(), forge))
    return make.case(name, data, keys=KEYS, status_without_rules=UNCOVERED)


def _of_wager(**fields: object) -> Forge:
    """The wager with the coupon says something else, as if it had been taken so."""

    def forge(records: list[Json]) -> None:
        for record in records:
            if record.get("command", {}).get("coupon_number") == 101:
                for part in (record["command"], record["events"][0]):
                    part.update({field: value for field, value in fields.items() if field in part})

    return forge


def _second(number: object) -> Forge:
    """The next wager, which was of chips alone, is said to have been one with a coupon."""

    def forge(records: list[Json]) -> None:
        record = records[-1]
        record["command"].update(coupon=2_500, coupon_number=number)
        record["events"][0].update(coupon=2_500, coupon_number=number)

    return forge


COUPONS: dict[str, Forge] = {
    "twice": _second(101),
    "never-issued": _second(7),
    "another-value": _of_wager(coupon=9_000, stake=9_000),
    "another-number": _of_wager(coupon_number=102),
    "another-stake": _of_wager(stake=1_000),
}


def _issue(change: Callable[[Json], object]) -> Forge:
    def forge(records: list[Json]) -> None:
        change(act(records, "issue_coupons"))

    return forge


def _more_valuable(record: Json) -> None:
    for part in (record["command"], record["events"][0]):
        part.update(value=2_500_000)


ISSUES: dict[str, Forge] = {
    "by-one-person": _issue(lambda record: record.pop("approvals")),
    "the-same-twice": _issue(lambda record: record["approvals"][0].update(who=record["who"])),
    "by-a-dealer": _issue(lambda record: record.update(role="dealer")),
    "worth-more-than-presented": _issue(_more_valuable),
    "to-another": _issue(lambda record: record["events"][0].update(patron="p2")),
    "more-of-them": _issue(lambda record: record["events"][0].update(last=199)),
}


def cases() -> Kinds:
    """All of them."""
    yield from patrons()
    yield from corrections()
    yield from debts()
    yield from shoes()
    yield from presented()
