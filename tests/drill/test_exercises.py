"""Exercises: every case of every drill under every shipped Submission, with the answer that the documents give."""

from __future__ import annotations

from decimal import ROUND_CEILING, Decimal
from pathlib import Path

import msgspec
import pytest

import atlantis
import lagoon
from baccarat.cards import parse_cards
from baccarat.drill.base import AnswerGrade, DrillKind, Form, SolvedQuestion, UnreadableAnswer, grade
from baccarat.drill.catalogue import DrillCase, cases_of, make
from baccarat.law.clause import Citation
from baccarat.law.edition import forget, register
from baccarat.law.rulebook import Rulebook, rulebook, shipped_submissions

EVERY = shipped_submissions()
WORTH = dict.fromkeys("TJQK", 0) | {"A": 1} | {str(n): n for n in range(2, 10)}


def worth(card: str | None) -> int:
    assert card is not None, "the card is seen"
    return WORTH[card[0]]


def case(kind: DrillKind, name: str) -> DrillCase:
    return DrillCase(kind, name)


def made(rules: Rulebook, kind: DrillKind, name: str, seed: str = "a seed") -> SolvedQuestion:
    return make(rules, DrillCase(kind, name), seed=seed, number=1)


@pytest.mark.slow
@pytest.mark.parametrize("submission", EVERY)
def test_every_case_has_a_question_and_an_answer_with_clauses_that_are_there(submission: str) -> None:
    rules = rulebook(submission)
    paragraphs = {clause.paragraph for clause in rules.edition.clauses.values()}
    for cases in cases_of(rules).values():
        for each in cases:
            found = make(rules, each, seed="every case", number=7)
            question, solution = found.question, found.solution
            assert isinstance(
                right := grade(found, solution.answer if question.form is not Form.SUM else solution.say), AnswerGrade
            )
            assert right.right, each
            for cite in map(Citation.parse, solution.cites):
                assert cite.edition == rules.edition.name
                assert cite.paragraph in paragraphs
            says = [choice.say for choice in question.choices]
            assert len(set(says)) == len(says), "no choice comes twice"
            assert (len(says) >= 2) is (question.form in (Form.CHOICE, Form.ORDER))
            shown = (*question.scene.player, *question.scene.banker)
            assert parse_cards(" ".join(card for card in shown if card)) or not shown or None in shown


@pytest.mark.parametrize("submission", EVERY)
def test_every_drill_is_there_unless_nothing_of_it_happens_at_the_table(submission: str) -> None:
    rules = rulebook(submission)
    takes_vigorish = bool(rules.elects("vig_rate")) and not rules.elects("ez")
    wanted = [kind for kind in DrillKind if kind is not DrillKind.VIGORISH or takes_vigorish]
    assert list(cases_of(rules)) == wanted


@pytest.mark.parametrize(("seats", "orders"), [(1, False), (2, True)])
@pytest.mark.slow
def test_a_small_table_has_its_drills_too(seats: int, orders: bool) -> None:
    rules = rulebook("ma-midi-4", seats=seats)
    assert (DrillKind.ORDER in cases_of(rules)) is orders, "at one seat nothing comes before anything else"
    for kind in (DrillKind.ORDER, DrillKind.REMEDY, DrillKind.PAYOUT):
        for each in cases_of(rules).get(kind, ()):
            found = make(rules, each, seed="small", number=1)
            assert {wager.seat for wager in found.question.scene.wagers} <= set(range(1, seats + 1))


@pytest.mark.slow
def test_drills_of_editions_that_do_not_come_with_the_program(tmp_path: Path) -> None:
    for module in (atlantis, lagoon):
        edition, submission = module.write(tmp_path)
        register(edition)
        try:
            rules = rulebook(submission)
            for each in (case for cases in cases_of(rules).values() for case in cases):
                assert make(rules, each, seed="own", number=1).solution.cites
        finally:
            forget(module.NAME)


def test_the_same_seed_and_number_make_the_same_exercise_and_others_make_others() -> None:
    rules = rulebook("ma-midi-4")
    one = DrillCase(DrillKind.ORDER, "Banker hand")
    assert make(rules, one, seed="s", number=1) == make(rules, one, seed="s", number=1)
    others = {msgspec.json.encode(make(rules, one, seed=seed, number=number)) for seed in "st" for number in (1, 2)}
    assert len(others) == 4


# ------------------------------------------------------------------- the answers, as a person reads the documents

BANKER_DRAWS = {
    0: range(10),
    1: range(10),
    2: range(10),
    3: {*range(10)} - {8},
    4: range(2, 8),
    5: range(4, 8),
    6: (6, 7),
    7: (),
}


@pytest.mark.slow
@pytest.mark.parametrize("submission", EVERY)
def test_the_banker_draws_as_the_tableau_says(submission: str) -> None:
    rules = rulebook(submission)
    for count, draws in BANKER_DRAWS.items():
        for third in range(10) if 3 <= count <= 6 else ["any"]:
            against = f"a third card worth {third}" if third != "any" else "any third card"
            found = made(rules, DrillKind.DRAW, f"Banker on {count} against {against}")
            scene = found.question.scene
            assert sum(map(worth, scene.banker)) % 10 == count
            (seen,) = (worth(card) for card in scene.player[2:])
            assert third in (seen, "any")
            assert len(scene.banker) == 2, "the card that would tell the answer is not shown"
            assert found.solution.say == ("draws" if seen in draws else "stays")
        stayed = made(rules, DrillKind.DRAW, f"Banker on {count}, the Player having stayed")
        assert stayed.solution.say == ("draws" if count <= 5 else "stays")


@pytest.mark.parametrize("submission", EVERY)
def test_the_player_draws_to_five_and_nobody_against_a_natural(submission: str) -> None:
    rules = rulebook(submission)
    for count in range(8):
        found = made(rules, DrillKind.DRAW, f"Player on {count}")
        assert len(found.question.scene.player) == 2
        assert found.solution.say == ("draws" if count <= 5 else "stays")
    for name in ("Player against a natural", "Banker against a natural", "Player with a natural 8"):
        assert made(rules, DrillKind.DRAW, name).solution.say == "stays"


@pytest.mark.parametrize("seed", [f"seed {number}" for number in range(20)])
def test_counts_and_winners_are_those_of_the_cards(seed: str) -> None:
    rules = rulebook("nj-punto-banco")
    for each in cases_of(rules)[DrillKind.COUNT]:
        found = make(rules, each, seed=seed, number=1)
        cards = found.question.scene.player or found.question.scene.banker
        assert found.solution.answer == str(sum(map(worth, cards)) % 10)
        assert isinstance(grade(found, "ten"), UnreadableAnswer)
    for each in cases_of(rules)[DrillKind.WINNER]:
        found = make(rules, each, seed=seed, number=1)
        player, banker = (
            sum(map(worth, hand)) % 10 for hand in (found.question.scene.player, found.question.scene.banker)
        )
        assert found.solution.say == ("Tie" if player == banker else "Player" if player > banker else "Banker")


@pytest.mark.parametrize("seed", [f"seed {number}" for number in range(20)])
def test_vigorish_is_raised_to_the_next_quarter(seed: str) -> None:
    rules = rulebook("ma-midi-4")
    for each in cases_of(rules)[DrillKind.VIGORISH]:
        found = make(rules, each, seed=seed, number=1)
        (wager,) = found.question.scene.wagers
        quarters = (Decimal(wager.stake) * 5 / 100 / 25).to_integral_value(ROUND_CEILING)
        assert found.solution.answer == str(int(quarters * 25))
        assert (quarters * 25 == Decimal(wager.stake) * 5 / 100) is (each.name == "an exact multiple of the coin")


def test_vigorish_without_rounding_drops_the_fraction_and_others_wagers_free_a_seat() -> None:
    posted = {**rulebook("ma-midi-4").submission["limits"], "banker": {"min": 501, "max": 90_000, "increment": 1}}
    plain = rulebook("ma-midi-4", vig_rounding=False, limits=posted)
    assert len(cases_of(plain)[DrillKind.VIGORISH]) == 2
    for each in cases_of(plain)[DrillKind.VIGORISH]:
        found = make(plain, each, seed="s", number=1)
        assert found.solution.answer == str(found.question.scene.wagers[0].stake * 5 // 100)
    exempt = rulebook("nj-punto-banco-exempt")
    freed = made(exempt, DrillKind.VIGORISH, "freed by other wagers of the seat")
    banker, other = freed.question.scene.wagers
    assert (freed.solution.answer, other.stake >= banker.stake) == ("0", True)


PAID = {
    "Player wins": (1, 1), "Banker wins": (1, 1), "Tie wins": (8, 1), "Tie loses": (0, 1), "Player is returned": (0, 1),
    "Dragon Bonus on Player wins (win by 9)": (30, 1), "Dragon Bonus on Banker wins (win by 4)": (1, 1),
    "Dragon Bonus on Banker is returned": (0, 1), "House Money loses": (0, 1),
}  # fmt: skip


@pytest.mark.parametrize(("name", "odds"), PAID.items())
def test_a_wager_is_paid_at_its_odds(name: str, odds: tuple[int, int]) -> None:
    found = made(rulebook("ma-midi-4"), DrillKind.PAYOUT, name)
    stake = found.question.scene.wagers[0].stake
    assert found.solution.answer == str(stake * odds[0] // odds[1])


def test_a_royal_9_is_paid_what_the_meter_shows() -> None:
    found = made(
        rulebook("ma-midi-4-royal9"), DrillKind.PAYOUT, "Royal 9 Baccarat Progressive wins (Player Personal King-9)"
    )
    shows = found.question.scene.notes[0]
    assert f"meter shows {found.solution.say}" in shows
    assert sorted(card[0] for card in found.question.scene.player if card)[:2] == ["9", "K"]


def in_order(found: SolvedQuestion) -> list[str]:
    says = {choice.key: choice.say for choice in found.question.choices}
    return [says[key] for key in found.solution.answer]


@pytest.mark.parametrize("seed", [f"seed {number}" for number in range(10)])
def test_losers_are_collected_first_and_winners_from_the_highest_seat_down(seed: str) -> None:
    for name in ("Banker hand", "Player hand", "Tie hand"):
        acts = in_order(made(rulebook("ma-midi-4"), DrillKind.ORDER, name, seed))
        losing = [number for number, act in enumerate(acts) if act.startswith("Losing")]
        assert losing in ([], [0])
        paid = [int(act.split()[1]) for act in acts if "is paid" in act]
        assert paid == sorted(paid, reverse=True)


def test_an_order_is_answered_by_all_its_letters() -> None:
    found = made(rulebook("ma-midi-4"), DrillKind.ORDER, "Banker hand")
    right = found.solution.answer
    spaced = grade(found, ", ".join(right.upper()))
    assert isinstance(spaced, AnswerGrade)
    assert spaced.right
    assert isinstance(grade(found, right[:-1]), UnreadableAnswer)
    assert isinstance(grade(found, right[0] * len(right)), UnreadableAnswer)
    turned = grade(found, right[::-1])
    assert isinstance(turned, AnswerGrade)
    assert not turned.right


NEXT_HAND = "It stays face down and is the first card of the next hand."
TO_BANKER = "It becomes the Banker's third card."
TO_PLAYER = "It becomes the Player's third card."
AFTERWARDS = "The round is finished; then the card opens a simulated round without wagers."
MASSACHUSETTS = {
    "third card of a Player who stays while the Banker draws, nobody has seen it": TO_BANKER,
    "third card of a Player who stays while the Banker draws, everybody has seen it": TO_BANKER,
    "third card of a Player who stays while the Banker stays, nobody has seen it": NEXT_HAND,
    "third card of a Player who stays while the Banker stays, everybody has seen it": AFTERWARDS,
    "third card of a Banker who stays, nobody has seen it": NEXT_HAND,
    "third card of a Banker who stays, everybody has seen it": AFTERWARDS,
    "a card too many, nobody has seen it": NEXT_HAND,
    "a card too many, everybody has seen it": AFTERWARDS,
    "the Player's third card laid on the Banker's Hand": TO_PLAYER,
    "a card face up in the shoe, before the first card of a round": (
        "Every wager goes back, and the card opens a simulated round immediately."
    ),
    "a card face up in the shoe, when a third card is due": AFTERWARDS,
    "a card of the Player's Hand seen before its turn": "It belongs where it lies: it stays there, face up.",
    "no card left for a hand that draws": "The round is void, and every wager goes back.",
}


@pytest.mark.parametrize("submission", [name for name in EVERY if name.startswith("ma-")])
def test_remedies_in_massachusetts(submission: str) -> None:
    rules = rulebook(submission)
    filed = rules.elects("disclosed_third_card")
    assert {each.name for each in cases_of(rules)[DrillKind.REMEDY]} == set(MASSACHUSETTS)
    for name, remedy in MASSACHUSETTS.items():
        found = made(rules, DrillKind.REMEDY, name)
        if name.startswith("third card of a Player who stays while the Banker stays, every") and filed == "discard_two":
            assert "one more card, face down and not shown" in found.solution.say
        else:
            assert found.solution.say == remedy, name


def test_the_filed_treatment_of_a_seen_third_card_decides() -> None:
    name = "third card of a Player who stays while the Banker stays, everybody has seen it"
    two = made(rulebook("ma-midi-4", disclosed_third_card="discard_two"), DrillKind.REMEDY, name)
    assert two.solution.say == "It goes to the discards, and with it one more card, face down and not shown."
    assert any(cite.endswith("§13(c)(1)") for cite in two.solution.cites)


@pytest.mark.parametrize("seed", [f"seed {number}" for number in range(10)])
def test_in_new_jersey_a_card_found_face_up_goes_with_as_many_as_it_is_worth(seed: str) -> None:
    name = "a card face up in the shoe, before the first card of a round"
    found = made(rulebook("nj-punto-banco"), DrillKind.REMEDY, name, seed)
    said = found.question.scene.notes[0]
    value = next((number for number in range(2, 10) if f" the {number} of" in said), 1 if " the ace of" in said else 0)
    more = f"{value} more cards, each of which is shown" if value > 1 else "one more card, which is shown"
    assert found.solution.say == ("It goes to the discards, " + (f"and with it {more}." if value else "alone."))


def test_a_seen_card_stands_in_the_question_and_an_unseen_one_does_not() -> None:
    rules = rulebook("ma-midi-4")
    seen = made(rules, DrillKind.REMEDY, "a card too many, everybody has seen it").question.scene.notes[0]
    unseen = made(rules, DrillKind.REMEDY, "a card too many, nobody has seen it").question.scene.notes[0]
    assert "; it is the " in seen
    flipped = made(rules, DrillKind.REMEDY, "a card of the Player's Hand seen before its turn").question.scene
    assert [card is None for card in (*flipped.player, *flipped.banker)] == [False, True, True, True]
    assert unseen.endswith("nobody has seen it.")


def test_the_tie_is_called_with_its_name_and_ez_names_its_hands() -> None:
    rules = rulebook("ma-midi-4-ez")
    for name, words in (
        ("Tie, tie hand", "“tie hand”"),
        ("Banker, Dragon 7", "“Dragon 7”"),
        ("Player, Panda 8", "“Panda 8”"),
    ):
        found = made(rules, DrillKind.CALL, f"result: {name}")
        assert found.solution.say.endswith(words)
        assert found.solution.say in [choice.say for choice in found.question.choices]
