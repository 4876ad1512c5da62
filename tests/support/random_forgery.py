"""Forgeries at random: fields, order, keys, truncations, mixed histories and wrong JSON, in journals and bundles.

Each takes an honest file, its twin and a source of chance, and gives what a forger would hand in. Whoever holds a file
can recompute all of its hashes, so most kinds come in two ways: as they stand, and with the hashes recomputed. A house
signs again what it has changed (`forged_by_house.py`).
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from baccarat.record.checkpoint import read_checkpoint, sign_checkpoint
from baccarat.record.journal import BODY_START, CHECKPOINT
from baccarat.record.note import read_note
from bundle_forgery import remade as remade_bundle
from forged_by_house import BUNDLES_BY_HOUSE, JOURNALS_BY_HOUSE
from forgery_parts import Chance, edited, honest_lines, rehashed_lines, renumbered_lines
from honest_files import STRANGER, HonestFile, checkpoint_note, journal
from remade import canonical

FIELDS, ORDER, KEYS, CUT, MIXED, JSON = (
    "a field", "the order", "keys and signatures", "cut off", "two histories", "wrong JSON"
)  # fmt: skip


class RandomForgery(msgspec.Struct, frozen=True, kw_only=True):
    """A forged file: what it was made of, what was done, and its bytes."""

    number: int
    honest: HonestFile
    twin: HonestFile
    kind: str
    what: str
    data: bytes

    def __str__(self) -> str:
        """What was done to which file."""
        return f"forgery {self.number}: {self.kind}: {self.what}, of {self.honest.name}"


def forge(number: int, pairs: Sequence[tuple[HonestFile, HonestFile]], seed: int) -> RandomForgery:
    """The forgery of this number: the same for a seed, whatever the others are."""
    chance = Chance(f"{seed} {number}")
    honest, twin = pairs[number % len(pairs)]
    kinds = JOURNAL_KINDS if honest.is_journal else BUNDLE_KINDS
    kind = chance.choice(sorted(kinds))
    while True:
        what, data = kinds[kind](honest, twin, chance)
        if data != honest.data:
            return RandomForgery(number=number, honest=honest, twin=twin, kind=kind, what=what, data=data)


# ------------------------------------------------------------------------------------------------------------ journals


def _finished(lines: list[bytes], chance: Chance) -> tuple[str, bytes]:
    """The lines as they stand, with the hashes recomputed, or numbered again: as much as the forger cared to do."""
    match chance.randrange(3):
        case 0:
            return "as it stands", b"".join(lines)
        case 1:
            return "rehashed", b"".join(rehashed_lines(lines))
        case _:
            return "renumbered", b"".join(renumbered_lines(lines))


def _journal_field(honest: HonestFile, twin: HonestFile, chance: Chance) -> tuple[str, bytes]:
    del twin
    lines = honest_lines(honest)
    index = chance.randrange(len(lines))
    line = json.loads(lines[index])
    if "record" in line and chance.random() < 0.8:
        what, line["record"] = edited(line["record"], chance)
        lines[index] = lines[index][:BODY_START] + canonical(line["record"]) + b"}\n"
        if chance.random() < 0.8 and isinstance(line["record"], dict):
            return f"line {index + 1}: {what}, rehashed", b"".join(rehashed_lines(lines))
    else:
        what, line = edited(line, chance)
        lines[index] = canonical(line) + b"\n"
    return f"line {index + 1}: {what}", b"".join(lines)


def _journal_order(honest: HonestFile, twin: HonestFile, chance: Chance) -> tuple[str, bytes]:
    del twin
    lines = honest_lines(honest)
    one, two = sorted(chance.sample(range(len(lines)), 2))
    match chance.randrange(4):
        case 0:
            what, made = "left out", [*lines[:one], *lines[one + 1 :]]
        case 1:
            what, made = "twice", [*lines[:two], lines[one], *lines[two:]]
        case 2:
            what, made = "exchanged", [*lines[:one], lines[two], *lines[one + 1 : two], lines[one], *lines[two + 1 :]]
        case _:
            what, made = "run left out", [*lines[:one], *lines[two:]]
    how, data = _finished(made, chance)
    return f"lines {one + 1} and {two + 1} {what}, {how}", data


def _journal_keys(honest: HonestFile, twin: HonestFile, chance: Chance) -> tuple[str, bytes]:
    lines = honest_lines(honest)
    places = [index for index, line in enumerate(lines) if line.startswith(CHECKPOINT)]
    if not places:  # not signed: the forger signs it, under the house's name and with a key of its own
        signed = journal(honest.history, "signed").splitlines(keepends=True)
        return "signed by a stranger", b"".join(_note_line(line, _resigned) for line in signed)
    index = chance.choice(places)
    change = chance.choice(NOTE_CHANGES)
    match chance.randrange(4):
        case 0:
            other_notes = [line for line in honest_lines(twin) if line.startswith(CHECKPOINT)] or [b""]
            what, lines[index] = "that of the twin", chance.choice(other_notes)
        case 1:
            what = "moved"
            lines.insert(chance.randrange(len(lines)), lines.pop(index))
        case _:
            what, lines[index] = change.__name__, _note_line(lines[index], change)
    if chance.random() < 0.3:  # with a rewritten entry under it
        entry = chance.choice([place for place, line in enumerate(lines) if line.startswith(b'{"hash"')])
        lines[entry] = lines[entry].replace(b'"who":"', b'"who":"x', 1).replace(b'"at":1', b'"at":2', 1)
        return f"checkpoint {what}, line {entry + 1} rewritten", b"".join(rehashed_lines(lines))
    return f"checkpoint of line {index + 1} {what}", b"".join(lines)


def _note_line(line: bytes, change: Callable[[str], str]) -> bytes:
    """A line of a journal with the checkpoint in it changed; entries stay."""
    if not line.startswith(CHECKPOINT):
        return line
    written = json.loads(line)
    return canonical({**written, "checkpoint": change(written["checkpoint"])}) + b"\n"


def _resigned(note: str) -> str:
    """The same text, signed by a stranger under the same name."""
    origin = note.partition("\n")[0]
    return bytes(sign_checkpoint(read_checkpoint(read_note(note.encode())), STRANGER.with_name(origin))).decode()


def _unsigned(note: str) -> str:
    return note.partition("\n\n")[0] + "\n\n"


def _flipped(note: str) -> str:
    """A bit of the last signature."""
    head, _, last = note.rstrip("\n").rpartition(" ")
    raw = bytearray(base64.b64decode(last))
    raw[-1] ^= 1
    return f"{head} {base64.b64encode(raw).decode()}\n"


def _twice_signed(note: str) -> str:
    return note + note.rstrip("\n").rpartition("\n")[2] + "\n"


def _reordered(note: str) -> str:
    text, _, signatures = note.partition("\n\n")
    return text + "\n\n" + "".join(f"{line}\n" for line in reversed(signatures.splitlines()))


def _other_table(note: str) -> str:
    return note.replace("example.org/house/", "example.org/house/table/9/", 1)


def _other_house(note: str) -> str:
    return note.replace("example.org/house/", "example.com/house/")


def _larger(note: str) -> str:
    first, size, rest = note.split("\n", 2)
    return f"{first}\n{int(size) + 1}\n{rest}"


def _extended(note: str) -> str:
    return note.replace("\n\n", "\nextension\n\n", 1)


def _loose_base64(note: str) -> str:
    """The same bytes of the last signature, written with other padding bits or none."""
    return note.rstrip("\n").rstrip("=") + "\n"


NOTE_CHANGES = (
    _resigned, _unsigned, _flipped, _twice_signed, _reordered, _other_table, _other_house, _larger, _extended,
    _loose_base64,
)  # fmt: skip


def _cut_off(honest: HonestFile, twin: HonestFile, chance: Chance) -> tuple[str, bytes]:
    del twin
    if honest.is_journal and chance.random() < 0.4:
        lines = honest_lines(honest)
        end = chance.randrange(len(lines))
        return f"after line {end}", b"".join(lines[:end])
    end = chance.randrange(len(honest.data))
    return f"after byte {end}", honest.data[:end] + (b"\n" if chance.random() < 0.3 else b"")


def _journal_mixed(honest: HonestFile, twin: HonestFile, chance: Chance) -> tuple[str, bytes]:
    one, two = honest_lines(honest), honest_lines(twin)
    end = chance.randrange(1, min(len(one), len(two)))
    match chance.randrange(4):
        case 0:
            what, made = f"the twin from line {end + 1}", [*one[:end], *two[end:]]
        case 1:
            what, made = "one after the other", [*one, *two]
        case 2:
            what, made = f"line {end + 1} of the twin", [*one[:end], two[end], *one[end + 1 :]]
        case _:
            notes = iter([line for line in one if line.startswith(CHECKPOINT)])
            made = [next(notes, line) if line.startswith(CHECKPOINT) else line for line in two]
            what = "the twin under these checkpoints"
    how, data = _finished(made, chance)
    return f"{what}, {how}", data


# ------------------------------------------------------------------------------------------------------------- bundles


def _bundle(honest: HonestFile) -> dict[str, Any]:
    made: dict[str, Any] = json.loads(honest.data)
    return made


def _bundle_finished(made: dict[str, Any], chance: Chance) -> tuple[str, bytes]:
    """The bundle as it stands, with its chain recomputed, or also with a tree of its own, which nobody has signed."""
    how = chance.randrange(3)
    if how:
        try:
            made = remade_bundle(made, tree=how == 2)
        except (KeyError, TypeError, ValueError, AttributeError, IndexError):
            how = 0
    return ("as it stands", "rehashed", "its tree recomputed")[how], _dumped(made)


def _dumped(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode(errors="surrogatepass")


def _bundle_field(honest: HonestFile, twin: HonestFile, chance: Chance) -> tuple[str, bytes]:
    del twin
    made = _bundle(honest)
    if chance.random() < 0.6:  # half of all kinds of field are within records
        index = chance.randrange(len(made["entries"]))
        what, made["entries"][index] = edited(made["entries"][index], chance)
        what = f"entry {index}: {what}"
    else:
        what, made = edited(made, chance)
    how, data = _bundle_finished(made, chance)
    return f"{what}, {how}", data


def _bundle_order(honest: HonestFile, twin: HonestFile, chance: Chance) -> tuple[str, bytes]:
    del twin
    made = _bundle(honest)
    name = chance.choice([name for name in ("entries", "entries", "proof", "rulebooks") if made.get(name)])
    found = made[name]
    one, two = (chance.randrange(len(found)) for _ in range(2))
    match chance.randrange(3):
        case 0:
            what = "left out"
            del found[one]
        case 1:
            what = "twice"
            found.insert(two, found[one])
        case _:
            what = "exchanged"
            found[one], found[two] = found[two], found[one]
    how, data = _bundle_finished(made, chance)
    return f"{name} {one} and {two} {what}, {how}", data


def _bundle_keys(honest: HonestFile, twin: HonestFile, chance: Chance) -> tuple[str, bytes]:
    made = _bundle(honest)
    if "checkpoint" not in made:
        size = len(honest.history.bodies()["table 1"])
        del made["tree_head"]
        made["checkpoint"] = bytes(checkpoint_note(honest.history, "table 1", size, signer=STRANGER)).decode()
        made["keys"] = [str(STRANGER.with_name("example.org/house/table/1").verifier)]
        return "signed by a stranger, who brings the key", _dumped(made)
    change = chance.choice(NOTE_CHANGES)
    match chance.randrange(4):
        case 0:
            what, made["checkpoint"] = "that of the twin", _bundle(twin)["checkpoint"]
        case 1:
            what, made["keys"] = "a stranger's key", [str(STRANGER.with_name("example.org/house/table/1").verifier)]
        case _:
            what, made["checkpoint"] = change.__name__, change(made["checkpoint"])
    if chance.random() < 0.3:
        record = chance.choice(made["entries"])["record"]
        record["at"] = record.get("at", 0) + 1
        what += f", the time of record {record.get('seq')} changed"
    how, data = _bundle_finished(made, chance)
    return f"checkpoint {what}, {how}", data


def _bundle_mixed(honest: HonestFile, twin: HonestFile, chance: Chance) -> tuple[str, bytes]:
    made, second = _bundle(honest), _bundle(twin)
    name = chance.choice([name for name in made if name in second and name not in ("bundle", "program", "scope")])
    if name == "entries":
        end = chance.randrange(1, min(len(made[name]), len(second[name])))
        if chance.random() < 0.5:
            made[name][end:] = second[name][end:]
            what = f"entries of the twin from {end}"
        else:
            made[name][end] = second[name][end]
            what = f"entry {end} of the twin"
    else:
        made[name], what = second[name], f"{name} of the twin"
    how, data = _bundle_finished(made, chance)
    return f"{what}, {how}", data


# ---------------------------------------------------------------------------------------------------------- wrong JSON


def _wrong_json(honest: HonestFile, twin: HonestFile, chance: Chance) -> tuple[str, bytes]:
    """The text itself changed in one place: of a journal with its hashes as they stand, or rehashed."""
    del twin
    name = chance.choice(sorted(TEXT_CHANGES))
    data = TEXT_CHANGES[name](honest.data, chance)
    if honest.is_journal and chance.random() < 0.5:
        lines = data.splitlines(keepends=True)
        if all(line.startswith((b'{"hash"', CHECKPOINT)) and line.endswith(b"}\n") for line in lines):
            return f"{name}, rehashed", b"".join(rehashed_lines(lines))
    return name, data


def _somewhere(data: bytes, sign: bytes, chance: Chance) -> int:
    """A place of these bytes at random; the end if there is none."""
    start = data.find(sign, chance.randrange(len(data)))
    return start if start >= 0 else max(data.find(sign), 0)


def _put_in(sign: bytes, text: bytes) -> Callable[[bytes, Chance], bytes]:
    """Put a text in after some occurrence of a sign."""

    def change(data: bytes, chance: Chance) -> bytes:
        place = _somewhere(data, sign, chance) + len(sign)
        return data[:place] + text + data[place:]

    return change


def _replaced(sign: bytes, text: bytes) -> Callable[[bytes, Chance], bytes]:
    """Replace some occurrence of a sign."""

    def change(data: bytes, chance: Chance) -> bytes:
        place = _somewhere(data, sign, chance)
        return data[:place] + text + data[place + len(sign) :]

    return change


def _flip(data: bytes, chance: Chance) -> bytes:
    made = bytearray(data)
    made[chance.randrange(len(made))] ^= 1 << chance.randrange(8)
    return bytes(made)


TEXT_CHANGES: dict[str, Callable[[bytes, Chance], bytes]] = {
    "a bit flipped": _flip,
    "a byte order mark": lambda data, _: b"\xef\xbb\xbf" + data,
    "a space": _put_in(b":", b" "),
    "a tab": _put_in(b",", b"\t"),
    "carriage returns": lambda data, _: data.replace(b"\n", b"\r\n") if b"\n" in data else data + b"\r\n",
    "an empty line": _put_in(b"}", b"\n\n"),
    "spaces at the end": lambda data, _: data + b"  \n",
    "a second value at the end": lambda data, _: data + b"{}",
    "a key twice": _replaced(b'"seq":', b'"seq":1,"seq":'),
    "a decimal point": _replaced(b'"seq":1', b'"seq":1.0'),
    "an exponent": _replaced(b'"seq":1', b'"seq":1e0'),
    "a sign": _replaced(b'"seq":1', b'"seq":-1'),
    "a leading zero": _replaced(b'"seq":1', b'"seq":01'),
    "a huge number": _replaced(b'"seq":', b'"seq":' + b"9" * 400),
    "not a number": _replaced(b'"at":', b'"at":NaN,"x":'),
    "a lone surrogate": _replaced(b'":"', b'":"\\ud800'),
    "an escaped letter": _replaced(b'"events"', b'"\\u0065vents"'),
    "a control character": _replaced(b'":"', b'":"\x01'),
    "wrong UTF-8": _replaced(b'":"', b'":"\xff\xfe'),
    "an overlong sequence": _replaced(b'":"', b'":"\xc0\xaf'),
    "nested deeply": _replaced(b'"events":[', b'"events":[' + b"[" * 3_000),
    "a NUL": _put_in(b",", b"\0"),
    "upper case": _replaced(b'"hash":"', b'"HASH":"'),
    "a comment": _put_in(b",", b"/* x */"),
    "a trailing comma": _replaced(b"]", b",]"),
}

Kinds = dict[str, Callable[[HonestFile, HonestFile, Chance], tuple[str, bytes]]]
JOURNAL_KINDS: Kinds = {
    FIELDS: _journal_field, ORDER: _journal_order, KEYS: _journal_keys, CUT: _cut_off, MIXED: _journal_mixed,
    JSON: _wrong_json, **JOURNALS_BY_HOUSE,
}  # fmt: skip
BUNDLE_KINDS: Kinds = {
    FIELDS: _bundle_field, ORDER: _bundle_order, KEYS: _bundle_keys, CUT: _cut_off, MIXED: _bundle_mixed,
    JSON: _wrong_json, **BUNDLES_BY_HOUSE,
}  # fmt: skip
