"""`baccarat simulate`: what it shows, and what it refuses."""

from __future__ import annotations

import importlib.util
import json
import re
from pathlib import Path

import pytest

from baccarat import BANKER, rulebook
from baccarat.cli.simulate_run import parse_whole
from baccarat.cli.simulate_show import LEAST_BAR, bar_caption, duration, short_number
from baccarat.law.edition import forget
from baccarat.play.shoe import burn
from baccarat.play.shoe import rounds as dealt
from baccarat.sim.engine import simulate
from baccarat.sim.stream import shoe
from simulate_verb import RULES, cli, found, refused
from terminal import in_terminal


def test_counts_estimates_and_manifest_are_printed_as_json() -> None:
    answer = found("ma-midi-4", "--shoes", "600", "--seed", "7", "--first", "5", "--detail", "pairs", "--stake", "103")
    tally = simulate(RULES, seed=7, first=5, shoes=600, detail="pairs")
    assert answer["tally"] == tally.counts_by_name()
    assert answer["complete"] is True
    banker, wanted = answer["estimates"]["banker"], tally.estimate(BANKER, 10_300)
    assert (banker["stake"], banker["mean"]["exact"]) == (10_300, f"{wanted.mean.numerator}/{wanted.mean.denominator}")
    assert (banker["z"], banker["error"]) == (wanted.z, wanted.error)
    assert answer["manifest"]["tally_sha256"] == tally.hash
    assert answer["manifest"]["rulebook"] == RULES.hash
    assert answer["manifest"]["ranges"] == [[5, 600]]
    assert rulebook(answer["manifest"]["submission"]).hash == RULES.hash


@pytest.mark.slow
def test_the_counts_do_not_depend_on_engine_or_workers() -> None:
    words = ("ma-midi-4", "--shoes", "1e3", "--seed", "7", "--rounds", "20")
    tallies = [found(*words, *more)["tally"] for more in ((), ("--engine", "plain"), ("--workers", "8"))]
    assert tallies[0] == tallies[1] == tallies[2]
    assert tallies[0]["rounds"] == 20_000


def test_a_table_is_printed_for_people() -> None:
    done = cli("ma-midi-4", "--shoes", "1,000", "--seed", "7")
    assert done.exit_code == 0
    assert "seed 7, shoes 0–999, to the cover card" in done.stdout
    for words in (
        "edge found",
        "Banker",
        "1.05791 %",
        "house_money: not counted; --detail pairs counts it",
        "cut-card",
    ):
        assert words in done.stdout
    again = cli("ma-midi-4", "--shoes", "1,000", "--seed", "7", "--rounds", "2")
    assert "2 rounds of each" in again.stdout
    assert "up to" not in again.stdout
    assert "cut-card" not in again.stdout


def test_more_rounds_than_every_shoe_has_are_not_said_to_be_dealt() -> None:
    words = ("ma-midi-4", "--shoes", "20", "--seed", "7", "--rounds", "90")
    shown = cli(*words).stdout
    assert "up to 90 rounds of each" in shown
    assert "not every shoe has cards for 90 rounds, only for 67" in shown
    assert "Long rounds lack cards most often" in " ".join(shown.split())
    assert any("not every shoe" in note for note in found(*words)["notes"])
    assert not found("ma-midi-4", "--shoes", "20", "--seed", "7", "--rounds", "67")["notes"]


@pytest.mark.parametrize(
    "words", [("--rounds", "90"), ("--set", "cover_card_depth=1"), ("--set", "cover_card_depth=7")], ids=str
)
def test_where_rounds_lacked_cards_a_note_says_what_that_does_to_the_figures(words: tuple[str, str]) -> None:
    """Wherever a round is void, in JSON and for people: how many, in which direction, and how far."""
    asked = ("ma-midi-4", "--shoes", "40", "--seed", "7", *words)
    answer, shown = found(*asked), " ".join(cli(*asked).stdout.split())
    void = answer["tally"]["void"]
    assert void
    note = next(note for note in answer["notes"] if "lacked cards" in note)
    assert note.startswith(f"{void:,} rounds")
    assert "too many of those that were finished have four cards, about +0." in note
    assert "too few have six, about −0." in note
    assert " ".join(note.split()) in shown
    assert "with --rounds it does not" not in shown


def test_a_number_beyond_all_measure_and_a_stake_below_nothing_are_refused_in_words() -> None:
    refused("ma-midi-4", "--shoes", "99999999^999", say="'99999999^999': this number is too large")
    refused("ma-midi-4", "--shoes", "9" * 500, say="this number is too large")
    refused("ma-midi-4", "--shoes", "9", "--stake", "-5", say="--stake -$5.00: expected a sum of more than zero")


def test_an_end_by_precision_needs_no_number_of_shoes() -> None:
    answer = found("ma-midi-4", "--seed", "7", "--until", "banker edge ±0.5%")
    assert answer["estimates"]["banker"]["half_width_95"] <= 0.005
    assert answer["manifest"]["until"] == "banker edge ±0.5%"
    assert answer["until_reached"] is True
    assert answer["notes"] == []


def test_an_end_that_is_not_reached_is_said() -> None:
    """The shoes end first: whoever asked for a width is told that it is not the one that was found."""
    words = ("ma-midi-4", "--shoes", "10", "--seed", "7", "--until", "banker edge ±1%")
    answer = found(*words)
    assert (answer["until_reached"], answer["complete"]) == (False, True)
    say = "banker edge ±1% is not reached: after 824 rounds it is known to ±6.33196 %, and 33,038 rounds are needed"
    assert answer["notes"] == [say]
    assert say in cli(*words).stdout
    assert found(*words[:5])["until_reached"] is None


def test_an_end_that_is_reached_between_two_looks_counts_as_reached() -> None:
    """The end is looked for at certain shoes only; where the shoes run out before, rounds enough are enough."""
    answer = found("ma-midi-4", "--shoes", "500", "--seed", "7", "--until", "banker edge ±1%")
    assert (answer["until_reached"], answer["notes"]) == (True, [])
    assert answer["estimates"]["banker"]["half_width_95"] <= 0.01


def test_the_manifest_is_all_that_it_takes_to_run_it_again(tmp_path: Path) -> None:
    """By its command, or by its Submission in a file: the same counts, and the same estimates."""
    width = "banker edge ±12.3456789012%"
    asked = ("--set", "tie_odds=9", "--first", "40", "--rounds", "7", "--stake", "103", "--until", width)
    first = found("ma-midi-4-royal9", *asked)
    told = first["manifest"]
    assert (told["submission_name"], told["changes"]) == ("ma-midi-4-royal9", ["tie_odds=9"])
    assert (told["stake"], told["until"]) == (10_300, width)
    assert told["command"][:2] == ["baccarat", "simulate"]
    again = found(*told["command"][2:])
    path = tmp_path / "submission.json"
    path.write_text(json.dumps(told["submission"]))
    fed_back = found(
        path, "--seed", str(told["seed"]), "--first", str(told["first"]), "--rounds", str(told["rounds_per_shoe"]),
        "--stake", f"{told['stake'] / 100:.2f}", "--until", told["until"],
    )  # fmt: skip
    for other in (again, fed_back):
        assert other["manifest"]["rulebook"] == told["rulebook"]
        assert other["manifest"]["tally_sha256"] == told["tally_sha256"]
        assert other["estimates"] == first["estimates"]


def test_the_manifest_of_an_edition_of_ones_own_has_its_text() -> None:
    assert found("ma-midi-4", "--shoes", "3", "--seed", "1")["manifest"]["edition_text"] is None
    own = Path(__file__).parents[1] / "data" / "outsider"
    words = (own / "harbour-house.toml", "--edition", own / "harbour.toml", "--shoes", "3", "--seed", "1")
    try:
        told = found(*words)["manifest"]
        again = found(*told["command"][2:])["manifest"]
    finally:
        forget(told["edition"])
    assert told["edition_text"] == (own / "harbour.toml").read_text(encoding="utf-8")
    assert again["tally_sha256"] == told["tally_sha256"]


@pytest.mark.parametrize("more", [(), ("--show", "3")], ids=["counts", "one shoe"])
def test_the_submission_is_named_above_what_was_found(more: tuple[str, ...]) -> None:
    words = ("--seed", "7", *(more or ("--shoes", "20")))
    assert "ma-midi-4-ez" in cli("ma-midi-4-ez", *words).stdout
    assert "ma-midi-4-ez with tie_odds=9" in cli("ma-midi-4-ez", "--set", "tie_odds=9", *words).stdout


def test_a_shoe_is_shown_as_far_as_it_was_dealt() -> None:
    """With --rounds, as the counts of that shoe have it: beyond the cover card, and a round without cards enough."""
    words = ("ma-midi-4", "--seed", "7", "--rounds", "100")
    told = found(*words, "--show", "3")
    counted = found(*words, "--first", "3", "--shoes", "1")["tally"]
    outcomes = [each["outcome"] for each in told["rounds"]]
    assert (counted["rounds"], counted["void"]) == (86, 1)
    assert (len(outcomes), outcomes[-1], outcomes.count("void")) == (87, "void", 1)
    assert len(found("ma-midi-4", "--seed", "7", "--show", "3", "--rounds", "5")["rounds"]) == 5
    assert "Round 87" in cli(*words, "--show", "3").stdout


@pytest.mark.parametrize(
    "words",
    [
        ("--shoes", "5"), ("--first", "2"), ("--until", "banker"), ("--detail", "pairs"), ("--engine", "plain"),
        ("--workers", "2"), ("--cluster", "tcp://127.0.0.1:1"), ("--stake", "25"), ("--checkpoint", "a.checkpoint"),
    ],
    ids=str,
)  # fmt: skip
def test_what_has_no_meaning_for_one_shoe_is_refused(words: tuple[str, str]) -> None:
    refused("ma-midi-4", "--seed", "7", "--show", "3", *words, say=f"{words[0]} has no meaning there")


def test_a_shoe_is_shown_again_with_every_clause() -> None:
    cards = shoe(RULES, 7, 12)
    done = cli("ma-midi-4", "--seed", "7", "--show", "12", "--json")
    answer = json.loads(done.stdout)
    coups = [each.coup for each in dealt(RULES, cards, position=len(burn(RULES, cards).cards))]
    assert [round_["outcome"] for round_ in answer["rounds"]] == [coup.outcome for coup in coups]
    assert all(ruling["cites"] for round_ in answer["rounds"] for ruling in round_["why"])
    assert (answer["seed"], answer["shoe"]) == (7, 12)
    text = cli("ma-midi-4", "--seed", "7", "--show", "12").stdout
    assert "seed 7  shoe 12" in text
    assert text.count("§10") >= len(coups)


@pytest.mark.parametrize(
    ("words", "say"),
    [
        (("--shoes", "0"), "shoes: 0; expected 1 at least"),
        (("--shoes", "-3"), "shoes: -3; expected 1 at least"),
        (("--shoes", "nan"), "--shoes 'nan': expected a whole number"),
        (("--shoes", "1,5"), "--shoes '1,5': expected a whole number"),
        (("--shoes", "1,5e3"), "--shoes '1,5e3': expected a whole number"),
        (("--shoes", "10,00"), "--shoes '10,00': expected a whole number"),
        (("--shoes", "1.5"), "--shoes '1.5': expected a whole number"),
        (("--shoes", "1e300"), "at most"),
        ((), "Give --shoes, or --until"),
        (("--shoes", "9", "--seed", "many"), "--seed 'many': expected a whole number"),
        (("--shoes", "9", "--first", "-1"), "first: -1; expected 0 at least"),
        (("--shoes", "9", "--rounds", "0"), "rounds: 0; expected 1 at least"),
        (("--shoes", "9", "--detail", "all"), "detail: 'all'; expected one of totals, pairs, royal9"),
        (("--shoes", "9", "--engine", "gpu"), "engine: 'gpu'; expected one of"),
        (("--shoes", "9", "--workers", "0"), "workers: 0; expected 1 at least"),
        (("--shoes", "9", "--stake", "0.01"), "--stake: no wager accepts it"),
        (("--until", "banker"), "expected a wager, the word edge, and a width"),
        (("--until", "banker edge ±0,5%"), "'0,5' is not a number"),
        (("--until", f"banker edge ±0.{'0' * 900}1%"), "more rounds than there are shoes for"),
        (("--show", "3"), "give the --seed too"),
        (("--seed", "7", "--show", "-3"), "shoe"),
        (("--shoes", "9", "--cluster", "tcp://127.0.0.1:1"), "a cluster goes with the engine dask"),
        (("--shoes", "9", "--checkpoint", "nowhere/run.checkpoint"), "there is no folder nowhere"),
    ],
    ids=str,
)
def test_what_cannot_be_is_refused_in_plain_words(words: tuple[str, ...], say: str) -> None:
    refused("ma-midi-4", *words, say=say)


@pytest.mark.parametrize(("engine", "package"), [("cuda", "cupy"), ("dask", "distributed"), ("vector", "numba")])
def test_an_engine_whose_library_is_not_installed_is_something_missing(
    engine: str, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("engine", "dask_engine"):
        monkeypatch.setattr(
            f"baccarat.sim.{module}.find_spec", lambda name: None if name == package else importlib.util.find_spec(name)
        )
    refused("ma-midi-4", "--shoes", "9", "--engine", engine, say="pip install 'baccarat[", status=2)


@pytest.mark.slow
def test_an_engine_that_cannot_be_had_is_refused() -> None:
    refused(
        "ma-midi-4", "--shoes", "9", "--engine", "dask", "--cluster", "tcp://127.0.0.1:1",
        say="no Dask scheduler answers at tcp://127.0.0.1:1", status=1,
    )  # fmt: skip
    refused(
        "ma-midi-4", "--set", "cover_card_depth=5", "--shoes", "9", "--engine", "vector",
        say="a cover card depth of 5", status=1,
    )  # fmt: skip


def test_outside_the_fast_path_the_plain_one_is_taken_and_it_says_so() -> None:
    done = cli("ma-midi-4", "--set", "cover_card_depth=5", "--shoes", "9", "--seed", "1")
    assert done.exit_code == 0
    assert "plain path: a cover card depth of 5" in done.stderr
    assert ", 8 void" in done.stdout or ", 9 void" in done.stdout


# --------------------------------------------------------------------------------------------- checkpoints


@pytest.mark.slow
def test_a_bar_with_rate_time_left_and_interval_is_shown_in_a_terminal() -> None:
    words = ("simulate", "ma-midi-4", "--shoes", "60000", "--seed", "7", "--engine", "plain", "--workers", "1")
    text = "\n".join(in_terminal(*words, columns=100))
    assert re.search(
        r"━ [0-9.]+ M rounds · [0-9.]+ [kM]/s · [0-9]+ seconds? left · Banker edge [0-9.]+ % ± 0.[0-9]+ %", text
    )
    assert "shoes 0–59999" in text


def test_what_is_waited_for_stands_beside_a_bar_on_a_narrow_terminal() -> None:
    parts = ("8.07 G rounds", "259 M/s", "32 seconds left", "Dragon Bonus on Banker edge 9.28520 % ± 0.09737 %")
    assert bar_caption(parts, 120) == " · ".join(parts)
    first, second = bar_caption(parts, 80).splitlines()
    assert (first, second) == (" · ".join(parts[:3]), parts[3])
    assert max(len(first), len(second)) + 1 + LEAST_BAR <= 80


@pytest.mark.slow
def test_the_interval_is_shown_whole_at_eighty_columns() -> None:
    words = ("simulate", "nj-punto-banco", "--shoes", "60000", "--seed", "7", "--engine", "plain", "--workers", "1")
    text = "\n".join(in_terminal(*words, "--until", "dragon_banker edge ±0.0001%", columns=80))
    assert re.search(r"━ [0-9.]+ M rounds · [0-9.]+ [kM]/s · [0-9]+ [a-z]+ left", text)
    assert re.search(r"Bonus on Banker edge [0-9.]+ % ± [0-9.]+ %", text)


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (0.2, "0 seconds"),
        (1, "1 second"),
        (89, "89 seconds"),
        (95, "2 minutes"),
        (86400 * 800, "2 years"),
        (1e12, "31,710 years"),
    ],
)
def test_a_time_is_told_in_its_largest_unit(seconds: float, said: str) -> None:
    assert duration(seconds) == said


def test_numbers_are_told_in_short() -> None:
    assert [short_number(n) for n in (999, 3_256_000, 8.15e16)] == ["999", "3.26 M", "81.5 P"]


@pytest.mark.parametrize(
    ("text", "number"), [("1,000,000", 10**6), ("1e6", 10**6), ("10^15", 10**15), ("7_000", 7000), ("-3", -3)]
)
def test_numbers_are_read_as_people_write_them(text: str, number: int) -> None:
    assert parse_whole("--shoes", text) == number
