"""The studies in the terminal: each verb says its figures, as text and as JSON, and refuses nonsense with status 2."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from baccarat import __version__
from baccarat.sim.interval import half_width
from study_verb import ONE_DAY, said, told, without_time
from terminal import in_terminal


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("hands", "ma-midi-4", "--shoes", "20"), "the next card is the old next card"),
        (("counts", "ma-midi-4-ez", "dragon7", "--shoes", "20"), "betting correlation 0.99"),
        (("counts", "ma-midi-4-ez", "house_money", "--shoes", "20"), "no count of ranks predicts it"),
        (("counts", "ma-midi-4-royal9", "royal9", "--shoes", "20"), "before every round: star $50,000"),
        (("patrons", "ma-midi-4", "--seat", "martingale banker $25", "--sessions", "5"), "martingale banker"),
        (("house", "ma-midi-4-royal9", "--seat", "banker=$100", "--days", "2", "--tables", "2", "--progressive", "1"),
         "Must Hit"),
        (("wagers", "ma-midi-4", "--shoes", "64", "--effect", "4"), "cut-card effect"),
        (("patrons", "ma-midi-4", "--seat", "banker=$100", "--compare-vigorish", "--sessions", "5"),
         "deferring changes"),
    ],
)  # fmt: skip
def test_every_study_is_told_drawn_and_given_as_json(words: tuple[str, ...], says: str, tmp_path: Path) -> None:
    picture = tmp_path / "study.svg"
    assert says in said(*words, "--svg", str(picture))
    assert picture.read_text(encoding="utf-8").startswith("<svg ")
    found = told(*words)
    assert len(found["rulebook"]) == 64
    about = found["manifest"]
    assert (about["rulebook"], about["submission_name"], about["options"]["seed"]) == (found["rulebook"], words[1], 1)
    assert about["program"] == f"baccarat {__version__}"
    assert about["command"][:4] == ["baccarat", "study", *words[:2]]
    assert without_time(found) == without_time(told(*about["command"][2:]))


def test_the_picture_of_patrons_shows_every_seat(tmp_path: Path) -> None:
    picture = tmp_path / "two.svg"
    said("patrons", "ma-midi-4", "--seat", "banker=$25", "--seat", "martingale player $25", "--sessions", "5",
         "--svg", str(picture))  # fmt: skip
    drawn = picture.read_text(encoding="utf-8")
    assert drawn.count("<svg ") == 3, "one around the two"
    assert ">banker: the purse" in drawn
    assert ">martingale player: the purse" in drawn


@pytest.mark.slow
def test_a_study_says_what_was_studied_with_every_stake() -> None:
    """Two seats on the same wager were once told apart by nothing, and ladders and counts had no stakes."""
    seats = ("banker=$25", "banker=$100", "paroli player $50 2", "count tie $5 4 4=-1,8=2")
    words = ("patrons", "ma-midi-4", *(word for seat in seats for word in ("--seat", seat)), "--sessions", "2")
    more = ("--set", "cover_card_depth=20", "--goal", "$2,000")
    about = told(*words, *more)["manifest"]
    assert about["strategies"] == [
        {"name": "banker", "stakes": {"banker": 2_500}},
        {"name": "banker", "stakes": {"banker": 10_000}},
        {
            "name": "paroli player", "on": "player", "ladder": [5_000, 10_000], "stay_on_top": False,
            "after_loss": "back to the first", "after_win": 1,
        },
        {"name": "count tie", "stakes": {"tie": 500}, "tags": {"4": -1, "8": 2}, "index": 4.0},
    ]  # fmt: skip
    assert (about["changes"], about["submission"]["cover_card_depth"]) == (["cover_card_depth=20"], 20)
    assert about["options"] == {
        "seat": list(seats), "purse": "$1,000", "goal": "$2,000", "sessions": 2, "shoes": 4, "compare_vigorish": False,
        "seed": 1,
    }  # fmt: skip
    assert about["command"][4:6] == ["--seat", "banker=$25"]
    assert {"--set", "cover_card_depth=20", "--goal", "$2,000", "--purse", "$1,000"} < set(about["command"])
    rows = said(*words)
    assert all(seat in rows for seat in seats[:2])


@pytest.mark.slow
def test_switches_are_among_the_words_that_ask_for_a_study_again() -> None:
    words = ("counts", "ma-midi-4-ez", "tie", "--shoes", "2", "--no-last-hand", "--depths", "20,26", "--seed", "5")
    command = told(*words)["manifest"]["command"]
    assert command == [
        "baccarat", "study", "counts", "ma-midi-4-ez", "tie", "--level", "4", "--depths", "20,26", "--no-last-hand",
        "--shoes", "2", "--seed", "5",
    ]  # fmt: skip
    words = ("house", "ma-midi-4-royal9", "--seat", "banker=$100", "--tables", "1", "--days", "1", "--progressive", "1")
    assert "--link" in told(*words, "--link")["manifest"]["command"]
    assert "--link" not in told(*words)["manifest"]["command"]


@pytest.mark.slow
def test_hands_are_measured_and_tested_with_the_battery() -> None:
    found = told("hands", "ma-midi-4", "--shoes", "110", "--steps", "riffle,cut", "--battery", "110")
    assert 0.4 < found["next"] < 0.55
    assert "5(g)(1)" in found["against_the_document"]
    assert found["battery"]["rejected"]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("hands", "ma-midi-4", "--steps", "fold"), "no step 'fold'"),
        (("hands", "ma-midi-4", "--steps", "cut", "--riffles", "3"), "one of them"),
        (("hands", "ma-midi-4", "--shoes", "3", "--battery", "50"), "there are only 3 shoes to test"),
        (("hands", "ma-midi-4", "--grab", "1000"), "grab is 1 to 416"),
        (("counts", "ma-midi-4-ez", "dragon9"), "did you mean 'dragon7'"),
        (("counts", "ma-midi-4-ez", "tie", "--tags", "Z=1"), "expected a rank and a whole number"),
        (("counts", "ma-midi-4-ez", "tie", "--depths", "deep"), "expected whole numbers"),
        (("patrons", "ma-midi-4", "--seat", "banker=$1"), "below the posted minimum"),
        (("patrons", "ma-midi-4", "--seat", "labouchere banker $25"), "expected stakes such as"),
        (("patrons", "ma-midi-4", "--seat", "martingale banker $25 many"), "is not a number of steps"),
        (("patrons", "ma-midi-4", "--seat", "count tie $25 high 4=1"), "is not a true count"),
        (("patrons", "ma-midi-4", "--seat", "banker=$25", "--purse", "much"), "not a sum of money"),
        (("patrons", "ma-midi-4", "--seat", "banker=$25", "--purse", "-5"), "purse: -$5.00; expected $0.01 at least"),
        (("patrons", "ma-midi-4", "--seat", "banker=$25", "--goal", "$9"), "expected more than the purse, $1,000.00"),
        (("counts", "ma-midi-4-ez", "tie", "--depths", "0"), "other depths to compare are 14 at least"),
        (("patrons", "ma-midi-4", "--seat", "banker=$25,banker=$50"), "two stakes on one wager"),
        (("patrons", "ma-midi-4", "--seat", "banker=$25,house_money=$5 press=often"), "no rule 'often' for pressing"),
        (("patrons", "ma-midi-4", "--seat", "banker=$25 press=best"), "there must be a stake on house_money too"),
        (("patrons", "ma-midi-4", "--seat", "press=best"), "expected stakes first"),
        (
            ("patrons", "ma-midi-4", "--seat", "banker=$25,house_money=$5 press=best press=never"),
            "press= is given twice",
        ),
        (
            ("patrons", "ma-midi-4", "--seat", "banker=$25,house_money=$5 press=best onto=banker onto=player"),
            "onto= is given twice",
        ),
        (("patrons", "ma-midi-4", "--seat", "martingale banker $25 0"), "1 to 32 steps"),
        (("patrons", "ma-midi-4", "--seat", "martingale banker $25 ٣"), "is not a number of steps"),
        (
            ("patrons", "ma-midi-4", "--seat", "banker=$25,player=$25", "--set", "opposite_bets=false"),
            "wagers on both hands, which this table does not take",
        ),
        (("house", "ma-midi-4", *("--seat", "dragon_player=$500") * 4), "above the posted aggregate payout"),
        (
            ("house", "ma-midi-4-royal9", "--seat", "house_money=$5", "--progressive", "1"),
            "also needs a wager on player or banker or tie",
        ),
        (("patrons", "ma-midi-4-ez", "--seat", "banker=$25", "--compare-vigorish"), "no vigorish is taken"),
        (
            (
                "patrons",
                "ma-midi-4",
                "--seat",
                "banker=$25",
                "--compare-vigorish",
                "--set",
                "layout_numbered_areas=false",
            ),
            "vigorish cannot be deferred under this Submission: layout_numbered_areas: cannot be false",
        ),
        (("patrons", "ma-midi-4", "--seat", "count tie $5 1 4=1000000000000000"), "whole numbers from -100 to 100"),
        (("patrons", "ma-midi-4", "--seat", "count tie $5 inf 4=-1"), "a true count of inf"),
        (("patrons", "ma-midi-4", "--seat", "count tie $5 1e30 4=-1"), "a true count of 1e+30"),
        (("patrons", "ma-midi-4", "--seat", "count tie $5 nan 4=-1"), "a true count of nan"),
        (("counts", "ma-midi-4-ez", "tie", "--tags", "8=1,8=2"), "rank 8 has two tags"),
        (("counts", "ma-midi-4-ez", "tie", "--tags", "A=99999999999999999999999"), "whole numbers from -100 to 100"),
        (("counts", "ma-midi-4-ez", "tie", "--index", "nan"), "a true count of nan"),
        (("counts", "ma-midi-4-ez", "tie", "--shoes", "99999999999999999999"), "1,000,000,000 at most"),
        (("counts", "ma-midi-4-ez", "tie", "--shoes", "1000000000000"), "1,000,000,000 at most"),
        (("house", "ma-midi-4", "--seat", "banker=$25", "--progressive", "1"), "not offered"),
        (("house", "ma-midi-4", "--seat", "banker=$25", "--progressive", "one"), "expected chairs"),
        (
            ("house", "ma-midi-4-royal9", "--seat", "banker=$25", "--progressive", "1,1"),
            "makes the progressive wager once",
        ),
        (("house", "ma-midi-4-royal9", "--seat", "banker=$25", "--link"), "name its chairs with --progressive"),
        (("records", "ma-midi-4", "--to", "nowhere/x.parquet"), "does not exist"),
        (("wagers", "ma-midi-4", "--svg", "nowhere/x.svg"), "does not exist"),
    ],
)
def test_nonsense_is_refused_in_words(words: tuple[str, ...], says: str) -> None:
    assert says in said(*words, status=2).replace("\n", " ")


@pytest.mark.slow
@pytest.mark.parametrize("link", [(), ("--link",)])
def test_the_house_says_what_it_won_without_and_with_its_progressive(link: tuple[str, ...]) -> None:
    shown = " ".join(said("house", "ma-midi-4-royal9", *ONE_DAY, *link).split())
    assert "1 table, 1 day a table's day with the progressive" in shown
    assert "its stakes are bought for cash" in shown
    assert "the house won" in shown
    assert "0.0 rounds between" not in shown
    assert "win by the exact edges $" in shown
    found = told("house", "ma-midi-4-royal9", *ONE_DAY, *link)
    hit = found["meters"]["must_hit"]
    assert found["progressive_win"] == found["meters"]["staked"] - found["meters"]["paid"] - hit["paid"]
    assert found["with_progressive"]["win"] == found["day"]["win"] + found["progressive_win"]
    assert any("bought for cash" in note for note in found["notes"])
    assert any(note.startswith("chairs 2, 3: no --seat is given") for note in found["notes"])


@pytest.mark.slow
def test_what_the_table_would_not_take_in_some_rounds_is_noted() -> None:
    day = ("--tables", "1", "--days", "1", "--shoes", "1")
    found = told("house", "ma-midi-4-royal9", "--seat", "count tie $5 50 4=-1,8=2", "--progressive", "1", *day)
    assert any(note.startswith("chair 1: a seat that counts sits out below its true count") for note in found["notes"])
    company = ("--seat", "dragon_player=$500") * 3 + ("--seat", "martingale dragon_player $5 7")
    once = ("--sessions", "1", "--shoes", "1")
    for words in (("house", "ma-midi-4", *day), ("patrons", "ma-midi-4", *once),
                  ("patrons", "ma-midi-4", "--compare-vigorish", *once)):  # fmt: skip
        assert any("dragon_player could cost $" in note for note in told(*words, *company)["notes"])


@pytest.mark.slow
def test_royal_9_is_studied_beside_the_other_wagers_at_meters_that_are_said() -> None:
    words = ("wagers", "ma-midi-4-royal9", "--shoes", "64", "--effect", "4")
    shown = " ".join(said(*words).split())
    assert "Royal 9 Baccarat Progressive, chair 1: wagering alone" in shown
    assert "star $50,000.00, spade $350.00, heart $350.00" in shown
    found = told(*words)
    assert found["meters"] == {"star": 5_000_000, "spade": 35_000, "heart": 35_000}
    assert all(each["effect"] is not None and each["fixed_z"] is not None for each in found["wagers"])
    assert {each["on"] for each in found["wagers"]} >= {"royal9", "house_money"}
    deep = " ".join(said(*words, "--set", "cover_card_depth=5").split())
    assert "lies 12 cards deep at least, so that no last round lacks cards" in deep
    assert told("wagers", "ma-midi-4", *words[2:])["notes"] == []


@pytest.mark.slow
def test_where_a_last_round_may_lack_cards_every_study_says_what_that_does() -> None:
    deep = ("--set", "cover_card_depth=5")
    found = told("wagers", "ma-midi-4", "--shoes", "64", "--effect", "4", *deep)
    assert found["void_to_cover"] > 0
    assert found["notes"][0].startswith(f"to the cover card: {found['void_to_cover']} rounds")
    seat = ("--seat", "banker=$25")
    for words in (
        ("patrons", "ma-midi-4", *seat, "--sessions", "5"),
        ("patrons", "ma-midi-4", *seat, "--sessions", "5", "--compare-vigorish"),
        ("house", "ma-midi-4", *seat, "--tables", "1", "--days", "2"),
    ):
        assert "about 92 % of shoes the last round lacks cards" in told(*words, *deep)["notes"][-1]
        assert "the last round lacks cards" in " ".join(said(*words, *deep).split())
        assert not any("lacks cards" in note for note in told(*words)["notes"])


def test_tables_of_a_link_share_their_meters() -> None:
    words = (
        "house",
        "ma-midi-4-royal9",
        "--seat",
        "banker=$100",
        "--tables",
        "3",
        "--days",
        "2",
        "--progressive",
        "1,2",
    )
    shown = " ".join(said(*words, "--link").split())
    assert "shared meter awards" in shown
    assert "shared by tables that won in the same round" in shown
    apart, together = told(*words)["meters"], told(*words, "--link")["meters"]
    assert (apart["is_linked"], together["is_linked"]) == (False, True)
    assert apart["rounds"] == together["rounds"]
    assert apart["left_micro"] > 2 * together["left_micro"]


@pytest.mark.slow
def test_what_is_shown_of_a_link_fits_a_terminal_of_eighty_columns() -> None:
    words = ("house", "ma-midi-4-royal9", "--seat", "banker=$100", "--tables", "20", "--days", "20")
    lines = in_terminal("study", *words, "--progressive", "1,2,3", "--link")
    assert max(map(len, lines)) <= 80
    assert any(row.startswith("spade  ") for row in lines), "the names of the meters have their column"


@pytest.mark.slow
@pytest.mark.parametrize(("name", "becomes"), [("ma-midi-4", "receivable"), ("nj-punto-banco", "complimentary")])
def test_a_study_says_what_is_owed_where_vigorish_is_deferred(name: str, becomes: str) -> None:
    words = ("patrons", name, "--seat", "banker=$25", "--sessions", "1", "--shoes", "1")
    deferred = ("--set", 'vig_collection="deferred"')
    assert "vigorish" not in said(*words)
    shown = " ".join(said(*words, *deferred).split())
    assert "vigorish per session collected most owed not collected in sessions" in shown
    assert becomes in shown
    assert told(*words)["notes"] == []
    found = told(*words, *deferred)
    assert "end of the shoe" in found["notes"][0]
    owed = found["seats"][0]["vigorish"]
    assert owed["becomes"] == becomes
    assert owed["collected"] == owed["peak"] > 0
    sums = " ".join(f"${owed[name] / 100:.2f} ± –" for name in ("collected", "peak", "uncollected"))
    assert f"banker=$25 {sums} 0.00 % (0.00–79.35)" in shown
    assert "1 session of 1 shoe," in said(*words)


@pytest.mark.slow
def test_the_house_says_what_is_owed_where_vigorish_is_deferred() -> None:
    words = ("house", "ma-midi-4", "--seat", "banker=$100", "--tables", "1", "--days", "2", "--shoes", "1")
    assert "vigorish" not in said(*words)
    shown = " ".join(said(*words, "--set", "vig_collection=deferred").split())
    assert "vigorish collected $" in shown
    assert "win includes all marked vigorish" in shown
    day = told(*words, "--set", "vig_collection=deferred")["day"]["vigorish"]
    peak = f"${day['peak'] / 100:.2f} ± ${half_width(day['peak_error'], 2) / 100:,.2f}"
    assert f"most vigorish owed at one time {peak}; on one day ${day['highest'] / 100:.2f}" in shown


def test_both_ways_of_collecting_vigorish_are_shown_side_by_side() -> None:
    words = ("patrons", "ma-midi-4", "--seat", "banker=$100", "--compare-vigorish", "--sessions", "40")
    shown, found = " ".join(said(*words).split()), told(*words)
    for way, name in (("at_payout", "at payout"), ("deferred", "deferred")):
        seat = found[way]["seats"][0]
        assert f"banker=$100, {name} {'−' * (seat['result'] < 0)}${abs(seat['result']) / 100:,.2f}" in shown
    change = found["changes"][0]["staked"]
    assert f"{change['mean'] / 100:+.0f} ± {half_width(change['error'], 40) / 100:.0f}" in shown.replace("−", "-")
    assert "stays a receivable" in found["notes"][0]


def test_a_press_is_written_behind_the_stakes() -> None:
    words = ("patrons", "ma-midi-4", "--sessions", "20", "--seat")
    pressed = told(*words, "banker=$100, house_money=$20 press=best")["seats"][0]
    assert pressed["strategy"] == "banker + house_money, press best"
    both = told(*words, "banker=$100,player=$25,house_money=$20 press=always onto=player")["seats"][0]
    assert both["strategy"].endswith("press always onto player")
    never = told(*words, "banker=$100,house_money=$20")["seats"][0]
    assert never["result"] != pressed["result"]


@pytest.mark.slow
@pytest.mark.parametrize("term", ["xterm", "dumb"])
def test_the_table_of_wagers_fits_a_terminal_of_eighty_columns(term: str) -> None:
    lines = in_terminal("study", "wagers", "ma-midi-4", "--shoes", "64", "--effect", "2", term=term)
    assert max(map(len, lines)) <= 80
    tie = next(row for row in lines if row.startswith("Tie"))
    assert len(re.findall(r"−?[0-9]+\.[0-9]{5}\b", tie)) == 5


def test_of_two_lines_that_lie_on_each_other_one_is_dashed(tmp_path: Path) -> None:
    picture = tmp_path / "counts.svg"
    said("counts", "ma-midi-4-ez", "dragon7", "--shoes", "20", "--svg", str(picture))
    assert "stroke-dasharray" in picture.read_text(encoding="utf-8")


def test_a_study_that_is_stopped_says_so_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_words: object, **_named: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("baccarat.sim.study.patrons.study_patrons", stopped)
    shown = said("patrons", "ma-midi-4", "--seat", "banker=$25", status=130)
    assert "stopped; an unfinished study" in " ".join(shown.split())


UNDER_WAY = """
import sys
from baccarat.cli import main
from baccarat.sim.study import hand_motion as motion

survey = motion.survey

def begin(*numbers):
    print("begun", flush=True)
    motion.survey = survey
    survey(*numbers)

motion.survey = begin
sys.argv = ["baccarat", "study", "hands", "ma-midi-4", "--shoes", "1e9"]
main()
"""


@pytest.mark.slow
def test_compiled_work_under_way_hears_ctrl_c() -> None:
    """A billion shoes take days, and compiled code hears nothing until it returns."""
    with subprocess.Popen(
        [sys.executable, "-c", UNDER_WAY], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as program:
        assert program.stdout is not None
        try:
            assert program.stdout.readline() == "begun\n"
            program.send_signal(signal.SIGINT)
            _out, err = program.communicate(timeout=60)
        finally:
            program.kill()
    assert program.returncode == 130
    assert "stopped; an unfinished study" in err
    assert "Traceback" not in err


@pytest.mark.slow
def test_a_long_study_shows_on_a_terminal_how_far_it_is() -> None:
    words = ("study", "patrons", "ma-midi-4", "--seat", "banker=$25", "--sessions", "20000")
    assert any("k of 80 k shoes" in row for row in in_terminal(*words))


SHOES = ("wagers", "ma-midi-4", "--effect", "2", "--shoes")


def test_numbers_of_a_study_are_typed_as_those_of_simulate() -> None:
    one, other, third = (without_time(told(*SHOES, typed)) for typed in ("1e2", "100", "10^2"))
    assert one == other == third


@pytest.mark.parametrize(
    ("number", "says"),
    [
        ("0", "0: expected at least 1"),
        ("6.4e1", "expected a whole number"),
        ("99999999^999", "this number is too large"),
    ],
)
def test_what_is_no_number_of_shoes_is_refused_in_words(number: str, says: str) -> None:
    assert says in " ".join(said(*SHOES, number, status=2).replace("│", " ").split())


@pytest.mark.parametrize("typed", ["", "1,,2", "1,", ",1", "١", "1 2", "one"])
def test_lists_have_a_plain_number_between_their_commas(typed: str) -> None:
    house = ("house", "ma-midi-4-royal9", "--seat", "banker=$100", "--tables", "1", "--days", "1")
    shown = " ".join(said(*house, "--progressive", typed, status=2).split())
    assert f"--progressive {typed!r}: expected chairs separated by commas, such as 1,2,3" in shown
    shown = " ".join(said("counts", "ma-midi-4", "tie", "--depths", typed, status=2).split())
    assert f"--depths {typed!r}: expected whole numbers separated by commas, such as 26,52" in shown


def test_tags_are_written_in_plain_digits() -> None:
    assert "expected a rank and a whole number" in said("counts", "ma-midi-4", "tie", "--tags", "8=٢", status=2)


def test_no_help_of_a_study_is_taken_for_markup() -> None:
    shown = " ".join(said("records", "--help").split())
    assert 'Needs pyarrow, from the extra "data".' in shown


@pytest.mark.slow
def test_records_go_to_a_file_that_is_not_there_yet(tmp_path: Path) -> None:
    path = tmp_path / "rounds.parquet"
    assert told("records", "ma-midi-4", "--shoes", "3", "--rounds", "20", "--to", str(path))["rows"] == 60
    assert "already exists" in said("records", "ma-midi-4", "--shoes", "3", "--to", str(path), status=2)
