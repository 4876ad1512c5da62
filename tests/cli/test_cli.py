"""The program as a person or a script meets it: output, JSON, messages, exit status."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from baccarat.record.key import KeyKind, Signer
from baccarat.record.witness_http import ask_promise
from forked import run_text as run

pytestmark = pytest.mark.slow

RECORD = {
    "id": "R1",
    "ruleset": "ma-midi-4",
    "cards": ["2S", "3H", "AD", "JD", "TC", "5S"],
    "cards_left_in_shoe": 0,
    "wagers": [{"seat": 3, "type": "banker", "amount": 10300}],
}


def answers(done: subprocess.CompletedProcess[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_importing_the_package_pulls_in_next_to_nothing() -> None:
    probe = "import sys; before = set(sys.modules); import baccarat; print(*sorted(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    loaded = done.stdout.split()
    assert not {"typer", "rich", "click", "asyncio", "numpy", "msgspec", "tomllib"} & set(loaded)
    assert [name for name in loaded if name.startswith("baccarat")] == ["baccarat"]


def test_without_a_verb_the_help_is_shown() -> None:
    done = run()
    assert "deal" in done.stdout + done.stderr
    assert run("--help").returncode == 0
    assert run("--version").stdout.startswith("baccarat ")


@pytest.mark.parametrize(
    "words",
    [
        ("rules", "list"),
        ("rules", "show", "ma-midi-4"),
        ("rules", "show", "nj-punto-banco", "3.3(e)"),
        ("rules", "diff", "ma-midi-1", "ma-midi-2"),
        ("rules", "check", "ma-midi-4-ez"),
        ("rules", "coverage", "nj-punto-banco"),
        ("deal", "ma-midi-4", "2s", "3h", "Ad", "Jd", "Tc", "5s", "-w", "3:banker:$103"),
        ("deal", "nj-punto-banco", "--shoe", "--seed", "rain", "-w", "1:player:$25"),
        ("deal", "ma-midi-4-royal9", "--shoe", "--seed", "rain", "-w", "1:player:$25", "-w", "1:royal9:$5"),
        ("roads", "BBPTP"),
        (
            "play",
            "nj-punto-banco",
            "--seed",
            "rain",
            "--script",
            "banker 25;;why;player 1;player 30;;roads;felt;help;quit",
        ),
    ],
    ids=" ".join,
)
def test_every_verb_speaks_text_and_json(words: tuple[str, ...]) -> None:
    text = run(*words)
    assert text.returncode == 0, text.stderr
    assert text.stdout.strip()
    assert "\x1b[" not in text.stdout, "colours only on a terminal"
    told = run(*words, "--json")
    assert told.returncode == 0, told.stderr
    json.loads(told.stdout)


def test_a_round_is_told_with_its_clauses() -> None:
    done = run("deal", "ma-midi-4", "2s", "3h", "Ad", "Jd", "Tc", "5s", "-w", "3:banker:$103")
    assert "§10(c)(2)(iii)" in done.stdout
    assert "vigorish $5.25" in done.stdout
    assert "ma-midi-4 §7(a)(1)(i), §12(c)" in done.stdout


def test_the_same_seed_deals_the_same_shoe() -> None:
    one, two, other = (run("deal", "ma-midi-1", "--shoe", "--seed", seed, "--json").stdout for seed in ("a", "a", "b"))
    assert one == two != other
    assert len(json.loads(one)["rounds"]) > 60


def test_restored_rows_say_so() -> None:
    assert "restored" in run("deal", "nj-punto-banco", "2s", "3h", "Ad", "Jd", "Tc", "5s").stdout


# ------------------------------------------------------------------------------------------------ settle


def test_settle_answers_each_line_in_its_place_and_form(tmp_path: Path) -> None:
    lines = [RECORD, {**RECORD, "id": 2, "wagers": [{"seat": 3, "type": "panda8", "amount": 100}]}, RECORD]
    text = "\n".join(map(json.dumps, lines))
    done = run("settle", "-", text=text)
    assert [answer["id"] for answer in answers(done)] == ["R1", 2, "R1"]
    assert answers(done)[1]["refused"]["cites"] == ["ma-midi-4 §7(a)(6)"]
    assert done.returncode == 1
    path = tmp_path / "records.jsonl"
    path.write_text(text, encoding="utf-8")
    assert run("settle", str(path)).stdout == done.stdout


def test_settle_tells_what_was_expected_otherwise_with_the_clauses() -> None:
    wrong = {**RECORD, "id": 2, "expected": {"outcome": "player", "wagers": [{"vigorish": 515}]}}
    done = run(
        "settle", "-", text="\n".join(map(json.dumps, [RECORD, wrong, {**RECORD, "expected": {"outcome": "banker"}}]))
    )
    assert done.returncode == 1
    assert ["differs" in answer for answer in answers(done)] == [False, True, False]
    winner, vigorish = answers(done)[1]["differs"]
    assert (winner["field"], winner["expected"], winner["answered"]) == ("outcome", "player", "banker")
    assert (vigorish["field"], vigorish["answered"]) == ("wagers[0].vigorish", 525)
    assert vigorish["cites"] == ["ma-midi-4 §7(a)(1)(i)", "ma-midi-4 §12(c)"]
    assert 'line 2, id 2: outcome: expected "player", answered "banker"  [ma-midi-4 §6(b)' in done.stderr
    both = run("settle", "-", text=json.dumps([wrong, {**RECORD, "cards": ["9X"]}]))
    assert both.returncode == 2, "unreadable outweighs different"


def test_deal_takes_the_rest_of_a_shoe_where_it_is_declared() -> None:
    words = ("deal", "ma-midi-4", "9s", "7h", "Ts", "Kd", "5h", "4d", "3c", "2s")
    assert run(*words).returncode == 1
    done = run(*words, "--rest-of-shoe")
    assert done.returncode == 0
    assert "5♥" not in done.stdout


def test_settle_takes_an_array_and_gives_one() -> None:
    done = run("settle", "-", text=json.dumps([RECORD, RECORD], indent=1))
    assert done.returncode == 0
    assert [answer["net_by_seat"] for answer in json.loads(done.stdout)] == [{"3": 9775}] * 2
    assert json.loads(run("settle", "-", text="[]").stdout) == []


def test_settle_goes_on_after_an_unreadable_line_and_says_where() -> None:
    lines = [json.dumps(RECORD), "{half a line", json.dumps({**RECORD, "id": "R3", "wager": []}), json.dumps(RECORD)]
    done = run("settle", "-", text="\n".join(lines))
    assert done.returncode == 2
    assert ["unreadable" in answer for answer in answers(done)] == [False, True, True, False]
    assert answers(done)[2]["id"] == "R3"
    assert "line 2" in done.stderr
    assert "did you mean 'wagers'" in done.stderr


def test_settle_with_nothing_to_settle_says_so(tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.touch()
    for done in (run("settle", str(empty)), run("settle", "-", text="\n \n")):
        assert done.returncode == 2
        assert "empty" in done.stderr
    missing = run("settle", str(tmp_path / "missing"))
    assert missing.returncode == 2
    assert "cannot be read" in missing.stderr
    assert run("settle", str(tmp_path)).returncode == 2


def test_settle_reads_whole_streams_with_flat_memory() -> None:
    probe = (
        "import resource, sys; from baccarat.cli import app; from baccarat.cli.settle import _settle_lines;"
        "line = sys.stdin.buffer.readline(); peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss;"
        "sys.stdout = open('/dev/null', 'w'); _settle_lines(enumerate([line] * 500)); before = peak();"
        "_settle_lines(enumerate(line for _ in range(6000))); print(peak() - before, file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", probe], input=json.dumps(RECORD), capture_output=True, text=True, check=True
    )
    assert int(done.stderr) < 2048, "peak memory grew by more than 2 MiB over 6,000 records"


def test_a_script_runs_through_the_table_and_its_journal_is_told(tmp_path: Path) -> None:
    script = [
        {"submission": "ma-midi-4"},
        {"do": "sit", "seat": 3, "who": "A. Patron"},
        {"do": "place_wager", "seat": 3, "on": "banker", "stake": 2500},
        {"do": "order_recut", "reason": "x", "by": "dealer"},
        {"do": "sit", "seet": 4},
    ]
    done = run("run", "-", text="\n".join(map(json.dumps, script)))
    assert done.returncode == 2
    header, _, sat, _, early, _, role, unreadable = answers(done)
    assert (header["answers"], sat["event"], sat["cites"]) == (1, "sat", ["ma-midi-4 §2(a)"])
    assert [line["refused"]["code"] for line in (early, role)] == ["wrong_step", "wrong_role"]
    assert role["refused"]["cites"] == ["ma-midi-4 §5(f)"]
    assert "seet" in unreadable["unreadable"]
    journal = tmp_path / "journal.jsonl"
    journal.write_text(done.stdout, encoding="utf-8")
    told = run("transcript", str(journal))
    assert told.returncode == 0
    assert "A. Patron sits down at seat 3.  ma-midi-4 §2(a)" in told.stdout
    assert ": the dealer may not do this" in told.stdout
    assert json.loads(run("transcript", str(journal), "--json").stdout)[0]["cites"] == ["ma-midi-4 §2(a)"]
    journal.write_text(done.stdout.replace(header["rulebook"], "0" * 64), encoding="utf-8")
    assert "written under rulebook" in run("transcript", str(journal)).stderr
    assert run("run", "-", text="").returncode == 2


# --------------------------------------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (("rules", "show", "ma-midi-9"), 2, "did you mean"),
        (("rules", "show", "ma-midi-4", "12(z)"), 2, "did you mean"),
        (("rules", "diff", "ma-midi-4", "nj-punto-blanco"), 2, "did you mean 'nj-punto-banco'"),
        (("rules", "check", "ma-midi-5"), 2, "did you mean"),
        (("rules", "check", "no/such/file.toml"), 2, "cannot be read"),
        (("rules", "check", "ma-midi-4", "--set", "tie_odds=7"), 1, "ma-midi-4 §12(b)"),
        (("rules", "check", "ma-midi-4", "--set", "vig_rate=4"), 1, "ma-midi-4 §12(c)"),
        (("rules", "check", "ma-midi-4", "--set", "decks=5"), 1, "ma-midi-4 §3(a)"),
        (("rules", "check", "ma-midi-4-ez", "--set", "vig_rate=5"), 1, "ez is true"),
        (("rules", "check", "nj-punto-banco", "--set", "no_commission=['six_half', 'total_card_exempt']"), 1, "3.3(e)"),
        (("rules", "check", "ma-midi-4", "--set", "tie_ods=9"), 1, "did you mean 'tie_odds'"),
        (("rules", "check", "ma-midi-4", "--set", "nonsense"), 2, "OPTION=VALUE"),
        (("rules", "coverage", "--state", "lost"), 2, "unaccounted"),
        (("deal", "ma-midi-4"), 2, "no cards"),
        (("deal", "ma-midi-4", "2s", "3x"), 2, "no such card"),
        (
            ("deal", "ma-midi-4", "2s", "3h", "4d", "5c", "6s", "7h", "8d"),
            1,
            "7 cards are named, and the round takes 4",
        ),
        (("deal", "ma-midi-4", "9s", "7h", "Ts", "Kd", "5h"), 1, "ma-midi-4 §10(a)"),
        (("deal", "ma-midi-4", "--shoe", "--rest-of-shoe"), 2, "not both"),
        (("deal", "ma-midi-4", "2s", "3h", "4d", "5c", "-w", "banker"), 2, "SEAT:WAGER:SUM"),
        (("deal", "ma-midi-4", "2s", "3h", "4d", "5c", "-w", "3:banker:-5"), 2, "more than zero"),
        (("deal", "ma-midi-4", "2s", "3h", "4d", "5c", "-w", "10:banker:$25"), 1, "ma-midi-4 §2(a)"),
        (("deal", "ma-midi-4", "2s", "3h", "4d", "5c", "-w", "1:banker:$1"), 1, "minimum"),
        (("deal", "ma-midi-4", "2s", "3h", "4d"), 2, "do not finish the round"),
        (("deal", "ma-midi-4", "2s", "3h", "4d", "5c", "6d", "--seed", "x"), 2, "--shoe"),
        (("deal", "ma-midi-4", "2s", "3h", "4d", "5c", "6d", "-w", "²:banker:$25"), 2, "SEAT:WAGER:SUM"),
        (("roads", "BPX"), 2, "position 3"),
        (("roads", ""), 2, "no results"),
        (("frobnicate",), 2, "No such command"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else str(value),
)
def test_bad_input_is_answered_with_place_and_remedy(words: tuple[str, ...], status: int, said: str) -> None:
    done = run(*words)
    assert done.returncode == status, done.stdout + done.stderr
    assert said in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


def test_a_submission_file_with_many_faults_tells_them_all(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('ruleset = "ma-midi-4"\ndecks = 5\ntie_odds = "seven"\nseets = 3\n', encoding="utf-8")
    done = run("rules", "check", str(path), "--json")
    assert done.returncode == 1
    places = [fault["where"] for fault in json.loads(done.stdout)["faults"]]
    assert {"decks", "tie_odds", "seets", "vig_collection", "limits", "seat_one"} <= set(places)
    for text in ("", "ruleset = 3\n", 'ruleset = "ma-midi-4"\nruleset = "x"\n', "\x00"):
        path.write_text(text, encoding="utf-8")
        assert run("rules", "check", str(path)).returncode in (1, 2)


def test_an_invalid_submission_is_refused_alike_by_every_verb(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('ruleset = "ma-midi-4"\ntie_odds = 7\n', encoding="utf-8")
    for words in (("rules", "check", str(path)), ("deal", str(path), "2s", "3h", "4d", "5c", "6d")):
        assert run(*words).returncode == 1


def test_a_pasted_citation_is_found() -> None:
    assert (
        run("rules", "show", "ma-midi-4", "ma-midi-4 §12(c)").stdout
        == run("rules", "show", "ma-midi-4", "12(c)").stdout
    )


def test_settle_counts_lines_from_the_first() -> None:
    done = run("settle", "-", text="\n\n\n{\n\n" + json.dumps(RECORD))
    assert "line 4" in done.stderr
    assert run("settle", "-", text="\ufeff" + json.dumps(RECORD)).returncode == 0
    assert "nested" in run("settle", "-", text="[" * 100_000).stderr


def test_who_turns_the_cards_and_when_vigorish_is_taken_cite_their_clauses() -> None:
    done = run(
        "deal", "ma-midi-4", "2s", "3h", "Ad", "Jd", "Tc", "5s", "-w", "3:banker:$103", "-w", "3:house_money:$25"
    )
    for clause in ("§8(d)", "§8(c)(2)", "§8(c)(3)", "§12(d)(1)", "§11(b)", "§8(b)"):
        assert clause in done.stdout, clause
    face_down = run("deal", "nj-punto-banco", "2s", "3h", "Ad", "Jd", "Tc", "5s").stdout
    assert "§3.7(d)" in face_down
    assert "§3.7(c)" not in face_down


def test_a_reader_that_stops_reading_is_no_error() -> None:
    command = f"{sys.executable} -m baccarat rules show ma-midi-4 | head -n 1"
    done = subprocess.run(["bash", "-o", "pipefail", "-c", command], capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr
    assert "Massachusetts" in done.stdout


def test_a_reader_that_stops_reading_ends_the_program_as_it_ends_others() -> None:
    command = f"{sys.executable} -m baccarat rules show ma-midi-4 | true; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == (f"{128 + signal.SIGPIPE}\n", "")


def test_clients_that_disconnect_do_not_end_a_witness(tmp_path: Path) -> None:
    """Writing to a connection whose other side is gone raises a signal that ends a program unless it is handled."""
    house = Signer("example.org/house", KeyKind.LOG, bytes(32))
    witness = Signer("example.org/guard", KeyKind.WITNESS, bytes(range(32)))
    key = tmp_path / "guard.key"
    key.write_text(witness.secret)
    key.chmod(0o600)
    words = ["-m", "baccarat", "witness", "--listen", "127.0.0.1:0", "--key", str(key), "--house", str(house.verifier)]
    with subprocess.Popen(
        [sys.executable, *words, "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as running:
        assert running.stdout is not None
        address = json.loads(running.stdout.readline())["address"]
        for _ in range(5):
            with socket.create_connection(("127.0.0.1", int(address.rpartition(":")[2]))) as client:
                client.sendall(b"POST /add-checkpoint HTTP/1.1\r\nContent-Length: 10\r\n\r\nhalf")
            assert len(ask_promise(address, origin="example.org/house/table/1", shoe="0")) == 32
        running.send_signal(signal.SIGINT)
        assert running.communicate()[1] == ""
        assert running.returncode == 0
