"""Rounds that run otherwise under other rules, meters, and what a report of them says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from baccarat.audit.resettle import read_rounds, read_tables, resettle, resettle_tables
from baccarat.audit.resettle.played_round import PlayedRound
from baccarat.audit.resettle.report import csv_rows, percent
from baccarat.audit.resettle.resettled_round import settle_again
from baccarat.cards import Card
from baccarat.law.rulebook import Rulebook, read_submission, rulebook
from baccarat.play.book import open_book
from baccarat.play.wager import WagerKind
from baccarat.record.journal import JournalFault
from baccarat.record.journal_file import JournalFile
from baccarat.table.base import Event
from baccarat.table.payment_correction import CorrectPayment
from baccarat.table.rules_adoption import AdoptRules
from baccarat.table.step.abandoning import AbandonShoe
from baccarat.table.step.settlement import Paid, VigorishTaken
from baccarat.table.step.wagering import PlaceWager
from correction_scenes import PERSONS, set_right
from edited_edition import own, rules_under
from golden_journals import path_of
from journaled_house import JournaledHouse
from kept import rehashed
from linked_floor import NAMES, RANGE, Floor
from resettled_round import (
    BANKER_8,
    BANKER_NATURAL,
    EZ,
    MASSACHUSETTS,
    kinds,
    net,
    nothing_differs,
    one_round,
    rounds_of,
    same_on_both_sides,
    under,
)
from table_driver import game_at
from table_walk import Walk, sealed

pytestmark = pytest.mark.slow


PLAYER_8_DRAWN = "2C 7H 3D KD 3C"


# --------------------------------------------------------------------------- rounds that run differently


def drawing_on_six(monkeypatch: pytest.MonkeyPatch, **changes: Any) -> Rulebook:
    """An edition of which the Player draws on six."""
    table = own(MASSACHUSETTS)
    draws, stays = [row for row in table["tableau"] if row["hand"] == "player" and not row["natural"]]
    draws["holds"], stays["holds"] = [0, 1, 2, 3, 4, 5, 6], [7]
    return rules_under(table, MASSACHUSETTS, monkeypatch, **changes)


SIX_AGAINST_SEVEN = "2S 7H 4D KC"
"""Player 6, Banker 7: nobody draws; with a two the Player would have 8."""


def test_a_card_more_is_the_next_of_the_shoe_where_it_was_seen_later(monkeypatch: pytest.MonkeyPatch) -> None:
    game = game_at(MASSACHUSETTS, f"{SIX_AGAINST_SEVEN} 2D 9C KS KD")
    game.play("1 p 2500")
    game.go("wager").play("1 b 2500")
    report = under(game, drawing_on_six(monkeypatch))
    assert net(report) == {"1": (-2500 + 2375, 2500 + 2375)}
    first = report.reported[0]
    assert (first.round, first.outcome, first.other_outcome) == (1, "banker", "player")
    assert [reason.kind for reason in first.reasons] == ["other_cards", "other_payment"]
    assert first.reasons[0].clauses == ("changed §10(b)(1)", "changed §10(b)")
    assert "P 2s 4d 2d = 8" in first.reasons[0].say
    assert any(say.startswith("shoe 1: from round 1 on, the cards would have shifted") for say in report.assumed)


def test_a_card_that_nobody_saw_cannot_be_told(monkeypatch: pytest.MonkeyPatch) -> None:
    game = one_round(f"{SIX_AGAINST_SEVEN} 2D 9C KS KD", "1 p 2500")
    report = under(game, drawing_on_six(monkeypatch))
    assert (report.unresolved_rounds, kinds(report)) == (1, ["cannot_be_told"])
    assert net(report) == {"1": (-2500, -2500)}, "on both sides as recorded"
    assert report.reported[0].other_outcome == "?"
    assert report.reported[0].reasons[0].clauses


def test_a_revealed_seed_tells_every_card(monkeypatch: pytest.MonkeyPatch) -> None:
    other, rules = drawing_on_six(monkeypatch), rulebook(MASSACHUSETTS)
    for seed in range(1, 60):
        walk = Walk(rules, sealed(rules, seed))
        walk.seat(1, 2)
        walk.go_to("wager")
        walk.do(PlaceWager(seat=1, on=WagerKind.PLAYER, stake=2500))
        while walk.state.round.number == 1:
            walk.go_on()
        if resettle(rounds_of(rules, walk.log), other).unresolved_rounds:
            break
    else:
        raise AssertionError("in some shoe the next card is not known")
    walk.do(AbandonShoe(reason="the table closes"))
    while walk.state.shoe.number == 0:
        walk.go_on()
    report = resettle(rounds_of(rules, walk.log), other)
    assert (report.unresolved_rounds, report.reported[0].reasons[0].kind) == (0, "other_cards")


def test_a_round_that_takes_fewer_cards_leaves_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    table = own(MASSACHUSETTS)
    draws, stays = [row for row in table["tableau"] if row["hand"] == "player" and not row["natural"]]
    draws["holds"], stays["holds"] = [0, 1, 2, 3, 4], [5, 6, 7]
    other = rules_under(table, MASSACHUSETTS, monkeypatch)
    game = one_round(PLAYER_8_DRAWN, "1 p 2500")
    report = under(game, other)
    assert net(report) == {"1": (2500, -2500)}, "5 against 7, without the three that made it 8"
    assert kinds(report) == ["other_cards", "other_payment"]


def test_the_same_cards_with_another_result(monkeypatch: pytest.MonkeyPatch) -> None:
    table = own(MASSACHUSETTS)
    next(row for row in table["point_count"]["value"] if "K" in row["ranks"])["value"] = 1
    report = under(one_round(BANKER_NATURAL, "1 p 2500"), rules_under(table, MASSACHUSETTS, monkeypatch))
    assert net(report) == {"1": (-2500, 2500)}, "7 and 1 against 9 and 1, where pictures count one"
    assert kinds(report) == ["other_result", "other_payment"]
    assert report.reported[0].reasons[0].clauses == ("changed §6(b)", "changed §11(a)")


def round_at_the_end(rules: Rulebook, cards: str, *, outcome: str) -> PlayedRound:
    """A round with which a shoe of eight decks ends: no card is left."""
    played = rounds_of(*_one(rules)).rounds[0]
    found = [Card.parse(text) for text in cards.split()]
    positions = tuple(range(416 - len(found), 416))
    return replace(
        played, outcome=outcome, positions=positions, next_positions=(),
        cards=dict(zip(positions, found, strict=True)),
    )  # fmt: skip


def _one(rules: Rulebook) -> tuple[Rulebook, list[Event]]:
    game = one_round(BANKER_NATURAL, "1 p 2500")
    return rules, game.table.log


def test_a_round_that_needs_a_card_more_than_the_shoe_has_is_void(monkeypatch: pytest.MonkeyPatch) -> None:
    rules, other = rulebook(MASSACHUSETTS), drawing_on_six(monkeypatch)
    played = round_at_the_end(rules, SIX_AGAINST_SEVEN, outcome="banker")
    again = settle_again(open_book(other), played, {}, meters=None, admits=True)
    assert (again.outcome, again.net, again.is_resolved) == ("void", {1: 0}, True)
    settled = settle_again(open_book(rules), played, {}, meters=None, admits=True)
    assert (settled.outcome, settled.net) == ("banker", {1: -2500})


def test_a_void_round_is_void_again_unless_it_takes_fewer_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = rulebook(MASSACHUSETTS)
    table = own(MASSACHUSETTS)
    draws, stays = [row for row in table["tableau"] if row["hand"] == "player" and not row["natural"]]
    draws["holds"], stays["holds"] = [0, 1, 2, 3, 4], [5, 6, 7]
    other = rules_under(table, MASSACHUSETTS, monkeypatch)
    played = round_at_the_end(rules, "2C 7H 3D KD", outcome="void")
    assert settle_again(open_book(rules), played, {}, meters=None, admits=True).outcome == "void"
    again = settle_again(open_book(other), played, {}, meters=None, admits=True)
    assert (again.outcome, again.net, again.wagered) == ("banker", {1: -2500}, {1: 2500})
    assert settle_again(open_book(other), replace(played, is_foul=True), {}, meters=None, admits=True).net == {}


def test_another_burn_is_said_shoe_by_shoe(monkeypatch: pytest.MonkeyPatch) -> None:
    table = own(MASSACHUSETTS)
    next(row for row in table["burn"]["value"] if row["ranks"] == "A")["value"] = 10
    report = under(one_round(BANKER_NATURAL, "1 p 2500"), rules_under(table, MASSACHUSETTS, monkeypatch))
    said = "shoe 1: after As, 1 cards were burned, and 10 would have been [changed §5(e)"
    assert any(say.startswith(said) for say in report.assumed)
    assert report.house.difference == 0


# ------------------------------------------------------------------------------------- meters, editions


def test_meters_of_the_same_names_stand_as_they_did() -> None:
    report = resettle(read_rounds(path_of("ma-midi-4-royal9")), rulebook("ma-midi-4-royal9", tie_odds=9))
    assert "the Royal 9 meters before each round are as recorded" in report.assumed
    awards = [net for net in net(report).values() if abs(net[0]) > 100_000]
    assert awards, "somebody won a progressive, or the Must Hit"
    assert all(had == would for had, would in awards)


def test_meters_of_other_names_run_from_their_seeds() -> None:
    """5 % of two five-dollar wagers on top of $350.00, won by the first seat's king and nine on the Player's hand."""
    game = game_at("ma-midi-4-royal9", f"{BANKER_8} KS 2D 9H 3S", must_hit=None)
    game.play("1 p 2500", "1 royal9 500")
    game.go("wager").play("1 b 2500", "1 royal9 500")
    report = under(game, rulebook("ma-midi-1-royal9"))
    assert any("start from their seeds" in say for say in report.assumed)
    lost = -500 - 2500 - 2500
    kept_stake = -500 if not rulebook("ma-midi-1-royal9").elections.royal9_return_stake else 0
    assert {share.other_net for share in report.patrons} == {35_050 + kept_stake + lost}


@pytest.mark.parametrize(("returns_stake", "won"), [(False, 35_025 - 500), (True, 35_025)])
def test_a_stake_that_comes_back_with_an_award_is_not_lost(returns_stake: bool, won: int) -> None:
    """5 % of a five-dollar wager on top of $350.00."""
    game = game_at("ma-midi-1-royal9", "KS 2D 9H 3S", royal9_return_stake=returns_stake)
    game.play("1 b 2500", "1 royal9 500")
    assert net(nothing_differs(game.rules, game.table.log)) == {"1": (won - 2500, won - 2500)}


def test_the_must_hit_is_not_paid_where_it_is_not_installed() -> None:
    report = resettle(read_rounds(path_of("ma-midi-4-royal9")), rulebook(MASSACHUSETTS))
    assert "must_hit" in kinds(report)
    assert "not_taken" in kinds(report)


def test_a_journal_of_two_rulebooks_is_checked_by_each() -> None:
    game = one_round(BANKER_8, "3 b 10300", then=BANKER_8)
    game.go("wager").do(AbandonShoe(reason="other rules"))
    while game.state.shoe.number == 0:
        game.act()
    game.do(AdoptRules(submission=read_submission(EZ)))
    game.rules = game.table.rules
    game.go("wager").play("3 b 10300")
    first, second = (
        resettle(rounds_of(rulebook(MASSACHUSETTS), game.table.log), rulebook(name)) for name in (EZ, MASSACHUSETTS)
    )
    assert (len(first.rulebooks), first.editions, first.faults) == (2, ("ma-midi-4",), 0)
    assert net(first) == {"3": (9775 + 10300, 2 * 10300)}
    assert net(second) == {"3": (9775 + 10300, 2 * 9775)}
    assert [each.shoe for each in first.reported] == [1]
    assert [each.shoe for each in second.reported] == [2]


# ------------------------------------------------------------------------------------------ the check


@pytest.mark.parametrize("kinds_changed", [(Paid,), (VigorishTaken,), (Paid, VigorishTaken)])
def test_a_payment_that_the_rules_do_not_give_is_named(kinds_changed: tuple[type[Event], ...]) -> None:
    """Only whoever does not decide the journal again sees such a thing; with both changed, the net is as it was."""
    game, log = one_round(BANKER_8, "3 b 10300"), list[Event]()
    for event in game.table.log:
        match event:
            case Paid() if Paid in kinds_changed:
                log.append(replace(event, win=event.win - 25))
            case VigorishTaken() if VigorishTaken in kinds_changed:
                log.append(replace(event, amount=event.amount - 25))
            case _:
                log.append(event)
    report = resettle(rounds_of(game.rules, log), game.rules)
    assert report.faults == 1
    assert set(kinds(report)) == {"not_as_settled"}
    assert report.reported[0].reasons[0].clauses == ("ma-midi-4 §11(b)",)


def test_a_journal_is_believed_only_as_far_as_it_is_decided_again(tmp_path: Path) -> None:
    lines = path_of(MASSACHUSETTS).read_bytes().splitlines(keepends=True)
    index = next(at for at, line in enumerate(lines) if b'"event":"paid"' in line)
    path = tmp_path / "journal.jsonl"
    path.write_bytes(
        b"".join(rehashed([*lines[:index], lines[index].replace(b'"win":', b'"win":1'), *lines[index + 1 :]]))
    )
    with pytest.raises(JournalFault, match=f"^line {index + 1}: win is"):
        read_rounds(path)
    path.write_bytes(b"")
    with pytest.raises(JournalFault, match=r"^line 1: .* it holds 0"):
        read_rounds(path)
    two = [*lines, *(line.replace(b'"stream":"table 1"', b'"stream":"table 2"') for line in lines)]
    path.write_bytes(b"".join(rehashed(two)))
    with pytest.raises(JournalFault, match="it holds 2"):
        read_rounds(path)


def test_a_person_is_the_same_at_every_table_of_a_house(tmp_path: Path) -> None:
    lines = path_of(MASSACHUSETTS).read_bytes().splitlines(keepends=True)
    two = [*lines, *(line.replace(b'"stream":"table 1"', b'"stream":"table 2"') for line in lines)]
    path = tmp_path / "journal.jsonl"
    path.write_bytes(b"".join(rehashed(two)))
    one, both = resettle(read_rounds(path_of(MASSACHUSETTS)), rulebook(EZ)), read_tables(path)
    report = resettle_tables(both, rulebook(EZ))
    assert list(both) == ["table 1", "table 2"]
    assert {who: (2 * had, 2 * would) for who, (had, would) in net(one).items()} == net(report)
    assert (report.rounds, report.house.drop) == (2 * one.rounds, 2 * one.house.drop)
    assert {each.table for each in report.reported} == {"table 1", "table 2"}


@pytest.mark.slow
def test_linked_tables_of_a_house_come_to_the_same_under_their_own_rules(tmp_path: Path) -> None:
    path, rules = tmp_path / "journal.jsonl", rulebook("ma-midi-4-royal9", must_hit=RANGE)
    with JournalFile(path, sync=False) as file:
        assert not list(file.open())
        floor = Floor.opened(rules, 3, JournaledHouse(rules, file))
        for act in range(900):
            floor.act(NAMES[act * 7 % 5 % 3], check=False)
    report = same_on_both_sides(resettle_tables(read_tables(path), rules))
    assert report.rounds > 10
    assert any(share.net for share in report.patrons)


def test_a_correction_counts_for_the_round_that_it_corrects() -> None:
    """Keyed 7 to 9; really a tie: the win is taken back in two parts."""
    game = game_at(MASSACHUSETTS, BANKER_NATURAL).wager("3 b 10000").go("clear")
    paid = game.table.log.index(game.last(Paid))
    set_right(game, game.state.round.banker[0], "7D", "the hands were equal")
    first = CorrectPayment(corrects=paid, seat=3, amount=-9000, reason="a tie pays nothing")
    (corrected,) = game.do(first, **PERSONS)
    second = replace(first, corrects=game.table.log.index(corrected), amount=-500, reason="and the rest")
    game.do(second, **PERSONS)
    game.finish_round()
    report = nothing_differs(game.rules, game.table.log)
    assert net(report) == {"3": (0, 0)}
    assert report.reported == ()


def test_a_round_that_is_not_over_is_left_out() -> None:
    game = game_at(MASSACHUSETTS, BANKER_8).wager("3 b 10300").go("settle")
    report = nothing_differs(game.rules, game.table.log)
    assert report.rounds == 0
    assert "a round that is not over when the journal ends is left out" in report.assumed


def test_rows_for_a_list_of_rounds() -> None:
    report = under(one_round(BANKER_8, "3 b 10300", "1 p 2500"), rulebook(EZ))
    rows = {row[7]: row for row in csv_rows(report)}
    assert rows["participant 3"][:7] == ("", 1, 1, 1, "wagered", "banker", "banker")
    assert rows["participant 3"][8:15] == (10300, 9775, 525, 10300, 10300, 0, 525)


@pytest.mark.parametrize(
    ("part", "whole", "text"),
    [
        (1, 3, "33.33 %"),
        (-1, 3, "-33.33 %"),
        (2, 3, "66.67 %"),
        (-1, 10**9, "0.00 %"),
        (5, 0, ""),
        (1, 20_000, "0.01 %"),
        (1, 1, "100.00 %"),
    ],
)
def test_shares_in_percent(part: int, whole: int, text: str) -> None:
    assert percent(part, whole) == text
