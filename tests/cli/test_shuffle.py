"""`baccarat shuffle`: words and orders out, anybody's orders in, the battery's verdict; all that can go wrong."""

from __future__ import annotations

import hashlib
import json
import os
import pty
import random
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from baccarat.audit.battery.order_file import UnreadableOrder, read_orders
from baccarat.audit.battery.page import COLOURS
from baccarat.audit.battery.series import order_of, shoe_seed, stream, words_used
from baccarat.cards import DECK
from baccarat.cli import app
from baccarat.law.rulebook import rulebook
from baccarat.shuffle import fisher_yates, header_of, order, words_of
from bad_shuffles import fair, riffled
from terminal import in_terminal

pytestmark = pytest.mark.slow

RULES = rulebook("ma-midi-4")
SEED = bytes(range(32))
KEY = SEED.hex()


def cli(*words: str | Path, stdin: bytes | None = None) -> Result:
    """What a verb answers; a trace is a failure."""
    done = CliRunner().invoke(app, list(map(str, words)), input=stdin)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done


def exported(*words: str) -> bytes:
    done = cli("shuffle", "export", "ma-midi-4", "--seed", KEY, *words)
    assert done.exit_code == 0, done.output
    return done.stdout_bytes


def refused(*words: str | Path, status: int, say: str, stdin: bytes | None = None) -> None:
    done = cli(*words, stdin=stdin)
    assert (done.exit_code, done.stdout) == (status, ""), done.output
    assert say in " ".join(done.stderr.split()), done.stderr


# --- export -----------------------------------------------------------------------------------------------


def test_the_seed_of_a_shoe_is_made_as_the_documentation_says() -> None:
    assert shoe_seed(SEED, 3) == hashlib.sha256(b"baccarat/lab" + SEED + struct.pack(">Q", 3)).digest()
    header = header_of(table="lab", shoe="3", rulebook_hash=RULES.hash, decks=8)
    expected = order(shoe_seed(SEED, 3), size=416, shoe="3", header=header, contributions=())
    assert order_of(RULES, SEED, 3) == expected


def test_exported_words_shuffle_the_very_order_of_the_shoe() -> None:
    data = exported("--words", "600")
    words = struct.unpack(">600I", data)
    assert fisher_yates(416, iter(words), width=32) == order_of(RULES, SEED, 1)
    assert data == b"".join(next(blocks) for blocks in [stream(RULES, SEED)] for _ in range(2))[:2400]


@pytest.mark.parametrize("count", [1, 511, 512, 513, 1024])
def test_as_many_words_are_written_as_are_asked_for_across_the_generators_requests(count: int) -> None:
    data = exported("--words", str(count))
    assert len(data) == 4 * count
    assert exported("--words", "1500").startswith(data)


def test_the_words_of_shoes_are_those_that_their_shuffles_look_at() -> None:
    data = exported("--shoes", "3")
    words = iter(struct.unpack(f">{len(data) // 4}I", data))
    assert [fisher_yates(416, words, width=32) for _ in range(3)] == [order_of(RULES, SEED, n) for n in (1, 2, 3)]
    assert next(words, None) is None, "not one word more"
    assert b"".join(words_used(RULES, SEED, 3)) == data
    assert next(words_of(iter([data[:4]]))) == struct.unpack(">I", data[:4])[0]


def test_orders_are_written_as_numbers_or_cards_as_json_or_csv_and_are_the_same() -> None:
    numbers = [json.loads(line) for line in exported("--orders", "2").splitlines()]
    assert [tuple(each) for each in numbers] == [order_of(RULES, SEED, n) for n in (1, 2)]
    cards = [[str(DECK[number % 52]) for number in each] for each in numbers]
    assert [json.loads(line) for line in exported("--orders", "2", "--cards").splitlines()] == cards
    assert exported("--orders", "2", "--csv").decode() == "".join(",".join(map(str, each)) + "\n" for each in numbers)
    assert exported("--orders", "2", "--cards", "--csv").decode() == "".join(",".join(each) + "\n" for each in cards)


def test_a_file_is_written_whole_and_says_its_seed(tmp_path: Path) -> None:
    path = tmp_path / "words.bin"
    done = cli("shuffle", "export", "ma-midi-4", "--seed", KEY, "--words", "1000", "--to", path, "--json")
    assert json.loads(done.stdout) == {"file": str(path), "bytes": 4000, "seed": KEY}
    assert path.read_bytes() == exported("--words", "1000")
    assert list(tmp_path.iterdir()) == [path]
    kept = cli("shuffle", "export", "ma-midi-4", "--seed", KEY, "--words", "9", "--to", path)
    assert "already exists; it is not overwritten" in kept.stderr
    assert path.read_bytes() == exported("--words", "1000")
    path.unlink()
    told = cli("shuffle", "export", "ma-midi-4", "--words", "9", "--to", path).stdout
    seed = told.split()[-1]
    assert exported("--words", "9") != path.read_bytes()
    again = cli("shuffle", "export", "ma-midi-4", "--words", "9", "--seed", seed).stdout_bytes
    assert again == path.read_bytes()


def test_a_fresh_seed_is_told_beside_the_words() -> None:
    done = cli("shuffle", "export", "ma-midi-4", "--words", "9")
    seed = done.stderr.split()[-1]
    assert cli("shuffle", "export", "ma-midi-4", "--words", "9", "--seed", seed).stdout_bytes == done.stdout_bytes


def test_words_without_a_number_go_on_until_the_reader_has_enough() -> None:
    words = [sys.executable, "-m", "baccarat", "shuffle", "export", "ma-midi-4", "--seed", KEY]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as program:
        assert program.stdout is not None
        assert program.stderr is not None
        data = program.stdout.read(50_000)
        program.stdout.close()
        assert program.stderr.read() == b""
    assert data == exported("--words", "12500")


def test_bytes_are_not_written_to_a_terminal() -> None:
    child, terminal = pty.fork()
    if child == 0:
        os.execv(
            sys.executable, [sys.executable, "-m", "baccarat", "shuffle", "export", "ma-midi-4", "--words", "1000"]
        )
    seen = b""
    while True:
        try:
            part = os.read(terminal, 4096)
        except OSError:
            break
        if not part:
            break
        seen += part
    os.close(terminal)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 2
    assert b"not for a terminal" in seen
    assert len(seen) < 400


@pytest.mark.parametrize(
    ("words", "say"),
    [
        (["--words", "1", "--shoes", "1"], "one of them"),
        (["--shoes", "1", "--orders", "1"], "one of them"),
        (["--words", "1", "--cards"], "go with --orders"),
        (["--csv"], "go with --orders"),
        (["--words", "1", "--json"], "name it with --to"),
        (["--to", "somewhere.bin"], "a file must have an end"),
        (["--words", "1", "--to", "no-such-folder/words.bin"], "does not exist"),
    ],
)
def test_what_does_not_go_together_is_said(words: list[str], say: str) -> None:
    refused("shuffle", "export", "ma-midi-4", *words, status=2, say=say)


# --- the battery's verb -----------------------------------------------------------------------------------


def written(path: Path, orders: list[list[int]], form: str) -> Path:
    """Orders in one of the forms in which others may write them."""
    lines = []
    for each in orders:
        cards = [str(DECK[number % 52]) for number in each]
        lines.append(
            {
                "numbers": json.dumps(each),
                "numbers from 1": json.dumps([number + 1 for number in each]),
                "object": json.dumps({"order": each, "at": "10:31"}),
                "csv": ",".join(map(str, each)),
                "cards": json.dumps(cards),
                "card text": json.dumps(" ".join(cards)),
                "card csv": ";".join(card.upper() for card in cards),
                "tens as 10": "\t".join(card.replace("T", "10") for card in cards),
            }[form]
        )
    path.write_text("\n".join(lines) + "\n", encoding="utf-8-sig" if form == "csv" else "utf-8")
    return path


@pytest.mark.parametrize("form", ["numbers", "numbers from 1", "object", "csv"])
def test_orders_by_number_are_read_in_every_form(tmp_path: Path, form: str) -> None:
    orders = [fair(random.Random(seed), 416) for seed in range(2)]
    with written(tmp_path / "orders", orders, form).open("rb") as file:
        found = list(read_orders(file, size=416))
    assert [shoe.numbers for shoe in found] == orders
    assert found[1].since_last is not None


@pytest.mark.parametrize("form", ["cards", "card text", "card csv", "tens as 10"])
def test_orders_by_card_are_read_in_every_form(tmp_path: Path, form: str) -> None:
    orders = [fair(random.Random(seed), 416) for seed in range(2)]
    with written(tmp_path / "orders", orders, form).open("rb") as file:
        found = list(read_orders(file, size=416))
    assert [(shoe.numbers, list(shoe.kinds)) for shoe in found] == [
        (None, [number % 52 for number in order]) for order in orders
    ]


def test_our_own_shoes_pass_and_say_so(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    done = cli("shuffle", "battery", "ma-midi-4", "--seed", "lab", "--shoes", "150", "--html", path)
    assert done.exit_code == 0, done.output
    assert "Nothing speaks against a fair shuffle; 17 tests, collectively at 99%" in done.stdout
    assert "position × card" in done.stdout
    page = path.read_text(encoding="utf-8")
    assert page.count("<svg") == 2
    assert page.count("<rect") == 2 * (52 * 52 + 7)
    assert 'fill="#01665e"' in page
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "")
    dark = page.split("prefers-color-scheme: dark")[1]
    assert all(f'[fill="{colour}"]' in dark for colour in (*COLOURS, "#222222")), "every colour has its dark one"


def test_exported_orders_come_back_with_the_same_verdict(tmp_path: Path) -> None:
    path = tmp_path / "orders.jsonl"
    cli("shuffle", "export", "ma-midi-4", "--seed", KEY, "--orders", "120", "--to", path)
    ours: dict[str, Any] = json.loads(
        cli("shuffle", "battery", "ma-midi-4", "--seed", KEY, "--shoes", "120", "--json").stdout
    )
    theirs = json.loads(cli("shuffle", "battery", "ma-midi-4", "--orders", path, "--json").stdout)
    assert ours["results"] == theirs["results"]
    assert ours["outcomes"] == theirs["outcomes"]
    assert not ours["rejected"]


def test_seven_riffles_from_a_file_or_standard_input_are_rejected_with_status_1(tmp_path: Path) -> None:
    rng = random.Random(1)
    path = written(tmp_path / "o.jsonl", [riffled(rng, 416, times=7) for _ in range(100)], "numbers")
    done = cli("shuffle", "battery", "ma-midi-4", "--orders", path)
    assert done.exit_code == 1
    assert "REJECTED" in done.stdout
    assert "Rejected by next in the deck, rising sequences" in done.stdout
    answer = cli("shuffle", "battery", "ma-midi-4", "--orders", "-", "--json", stdin=path.read_bytes())
    assert answer.exit_code == 1
    told = json.loads(answer.stdout)
    assert told["rejected"] is True
    by_name = {result["name"]: result for result in told["results"]}
    assert by_name["rising sequences"]["rejected"]
    assert by_name["rising sequences"]["found"] < by_name["rising sequences"]["expected"]


def test_no_line_is_wider_than_a_terminal_of_80_columns() -> None:
    lines = in_terminal("shuffle", "battery", "ma-midi-4", "--shoes", "120", "--seed", "x", columns=80)
    shown = [line for line in lines if "testing shoes" not in line]
    assert any("position × card" in line for line in shown)
    assert max(map(len, shown)) <= 80
    assert not any("deviation" in line for line in shown)


GOOD = fair(random.Random(0), 416)
CARDS = [str(DECK[number % 52]) for number in GOOD]


@pytest.mark.parametrize(
    ("line", "status", "say"),
    [
        (b"", 1, "it has no order"),
        (b"\n \n", 1, "it has no order"),
        (b"[1, 2, 3]", 1, "line 1: 3 cards, where the shoe has 416"),
        (json.dumps([0, *GOOD[1:]]).encode(), 1, "line 1: not an order of the numbers 0 to 415, each once"),
        (json.dumps(["9s", *CARDS[1:]]).encode(), 1, "its cards are not those of its decks"),
        (json.dumps(["9x", *CARDS[1:]]).encode(), 2, "line 1: '9x' is not a card"),
        (json.dumps([*GOOD[:-1], "9s"]).encode(), 2, "'9s' is not a number like the others"),
        (json.dumps(["9s", *GOOD[1:]]).encode(), 2, "is not a card; expected cards such as 9s, or numbers throughout"),
        (json.dumps([1.5, *GOOD[1:]]).encode(), 2, "expected an array of cards or of numbers"),
        (json.dumps([True, *GOOD[1:]]).encode(), 2, "expected an array of cards or of numbers"),
        (b'{"rounds": []}', 2, 'an object with one as "order" or "cards"'),
        (b"[1, 2", 2, "line 1: not JSON"),
        (b"[" * 50_000, 2, "line 1: nested too deeply"),
        (b"\xff\xfe\x00", 2, "line 1: is not UTF-8 text"),
        (b"\x1b[31mred" + b",9s" * 415, 2, "is not a card"),
        (b"9" * 200_000, 2, "line 1: is longer than 100000 bytes"),
        (json.dumps(GOOD).encode() + b"\n" + json.dumps(CARDS).encode(), 1, "cannot be mixed"),
        (json.dumps(GOOD).encode() + b"\n\n[7]", 1, "line 3: 1 card, where the shoe has 416"),
    ],
)  # fmt: skip
def test_a_file_that_is_something_else_is_refused_with_its_line(
    tmp_path: Path, line: bytes, status: int, say: str
) -> None:
    path = tmp_path / "orders"
    path.write_bytes(line)
    refused("shuffle", "battery", "ma-midi-4", "--orders", path, status=status, say=say)


def test_a_line_of_any_length_is_not_read_into_memory(tmp_path: Path) -> None:
    path = tmp_path / "long"
    with path.open("wb") as file:
        file.truncate(1 << 32)  # four gigabytes of nothing, without an end of line
    with path.open("rb") as file, pytest.raises(UnreadableOrder, match="longer than"):
        next(read_orders(file, size=416))


@pytest.mark.parametrize(
    ("words", "status", "say"),
    [
        (["--orders", "nowhere.csv"], 2, "nowhere.csv: cannot be read"),
        (["--orders", "."], 2, "cannot be read"),
        (["--orders", "-", "--seed", "x"], 2, "cannot be combined with --orders"),
        (["--shoes", "3", "--html", "no-such-folder/page.html"], 2, "does not exist"),
        (["--set", "decks=6", "--orders", "-"], 1, "line 1: 416 cards, where the shoe has 312"),
    ],
)
def test_what_cannot_be_tested_is_said(words: list[str], status: int, say: str) -> None:
    refused("shuffle", "battery", "ma-midi-4", *words, status=status, say=say, stdin=json.dumps(GOOD).encode())
