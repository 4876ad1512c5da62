"""`baccarat journal check`: checks a proof of a record, a proof of growth, or evidence against a log."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
import typer

from baccarat.cli.journal_files import exit_on_misread, leaves, read_reader_policy, read_signed
from baccarat.cli.option import JSON, option
from baccarat.cli.output import DONE, REFUSED, fail, put_json, put_line
from baccarat.cli.status import PARTLY
from baccarat.house.stream import Stream
from baccarat.record.checkpoint import read_checkpoint
from baccarat.record.encoding import to_base64
from baccarat.record.evidence import evidence_notes, is_contradiction
from baccarat.record.journal import BEFORE_HASH, BODY_START
from baccarat.record.log import extends
from baccarat.record.misread import MISREAD, why_unread
from baccarat.record.note import SignedNote, UnreadableNote, read_note
from baccarat.record.policy import Policy
from baccarat.record.tlog_proof import HEADER, EntryProof, read_hashes, read_proof
from baccarat.record.utc import utc_text
from baccarat.record.witness import Evidence
from baccarat.record.witness_folder import read_at_most
from baccarat.record.witness_share import read_share_request

MOST_PROOF_BYTES = 5_000_000
"""Evidence holds two checkpoints, as JSON."""


class ProofFinding(msgspec.Struct, frozen=True, kw_only=True):
    """What a file shows, whether it does, and the checkpoints on whose signatures that rests."""

    what: str
    say: str
    holds: bool
    notes: tuple[SignedNote, ...]
    stream: Stream | None = None
    """The stream that the proved record names: the log must be the log of that stream."""


class JsonProof(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A proof as `baccarat journal prove --json` writes it: of a record, or of the growth since a size."""

    origin: str
    size: int
    root: str
    proof: list[str]
    checkpoint: str
    record: int | None = None
    since: int | None = None
    old_root: str | None = None


class ProofSources(msgspec.Struct, frozen=True, kw_only=True):
    """What a proof is about, as far as it is in other files."""

    record: Path | None
    journal: Path | None
    stream: Stream | None
    old: Path | None
    checkpoint: Path | None


FILE = typer.Argument(..., help="A receipt, a .tlog-proof, a proof of growth, or .evidence.")
KEYS = option("--key", "KEY", "A public key, of the log or of a witness, or a file with some.", default=[])
POLICY = option("--policy", "FILE", "Which logs and witnesses must have signed, and how many, instead of --key.")
RECORD = option("--record", "FILE", "The record that a .tlog-proof proves: its body, or its line.")
JOURNAL = option("--journal", "FILE", "The journal that has that record, instead of --record.")
STREAM = option("--stream", "NAME", "Which stream of the journal; not needed if there is only one.")
OLD = option("--old", "FILE", "For a proof of growth: the earlier checkpoint.")
LATER = option("--checkpoint", "FILE", "For a proof of growth: the later checkpoint.")


def check(
    file: Path = FILE,
    key: list[str] = KEYS,
    policy: Path | None = POLICY,
    record: Path | None = RECORD,
    journal: Path | None = JOURNAL,
    stream: str | None = STREAM,
    old: Path | None = OLD,
    checkpoint: Path | None = LATER,
    json: bool = JSON,
) -> None:
    """Check a file that a log or a witness has made: a receipt, a proof of a record or of growth, or evidence.

    A proof of a record needs that record, unless the file begins with it in base64, as a receipt and a request for a
    share do. A proof of growth needs both checkpoints; one that was written with --json has the later one. Evidence
    against a log needs nothing else. Signatures are checked with the keys that are given.

    Status 0 if the file shows what it should, and the log and every witness whose key is given have signed; 1 if it
    does not show it, or a signature is wrong; 2 if something is unreadable; 3 if it shows it, but a signature was not
    checked: the log's key is not given, its name does not say the stream of the record, or a witness that is asked for
    has not cosigned. A record of another stream than the log's is wrong.
    Examples: baccarat journal check wager.receipt --key house.pub ·
    baccarat journal check record-17.tlog-proof --journal journal.jsonl --key t1.pub ·
    baccarat journal check growth.proof --old seen.checkpoint --checkpoint journal.jsonl.checkpoint --key t1.pub ·
    baccarat journal check two-roots-at-one-size.evidence --key t1.pub
    """
    required = read_reader_policy(key, policy)
    sources = ProofSources(
        record=record, journal=journal, stream=None if stream is None else Stream(stream), old=old,
        checkpoint=checkpoint,
    )  # fmt: skip
    with exit_on_misread(file):
        data = read_at_most(file, MOST_PROOF_BYTES)
        if len(data) > MOST_PROOF_BYTES:
            fail(f"{file}: longer than {MOST_PROOF_BYTES:,} bytes, which no proof is")
        found = _finding_of_file(data, sources)
    signatures = [_signature_data(note, required, found.stream) for note in found.notes]
    status = _status(found, signatures)
    if json:
        put_json(
            {"file": str(file), "status": status, "what": found.what, "holds": found.holds, "say": found.say,
             "checkpoints": signatures}
        )  # fmt: skip
    else:
        _show_finding(found, signatures)
    raise typer.Exit(status)


def _status(found: ProofFinding, signatures: list[dict[str, Any]]) -> int:
    """The exit status: what is wrong weighs more than what was not checked."""
    if not found.holds or any(each["wrong"] for each in signatures):
        return REFUSED
    return PARTLY if any(each["unchecked"] for each in signatures) else DONE


def _show_finding(found: ProofFinding, signatures: list[dict[str, Any]]) -> None:
    """What a file shows, and who signed it, as text."""
    put_line((" ✓ " if found.holds else " ✗ ", "green" if found.holds else "bold red"), f"{found.what}: {found.say}")
    for each in signatures:
        _show_signature(each)


def _finding_of_file(data: bytes, sources: ProofSources) -> ProofFinding:
    """What a file shows; its first bytes say which kind of file it is."""
    if data.startswith(b"{"):
        return _finding_of_json(data, sources)
    if data.startswith(f"{HEADER}\n".encode()):
        proof = read_proof(data)
        return _record_finding(proof, _record_body(sources, proof.index))
    if data.partition(b"\n")[2].startswith(f"{HEADER}\n".encode()):
        request = read_share_request(data)
        return _record_finding(request.proof, request.body)
    try:
        rows = data.decode().removesuffix("\n").split("\n") if data else []
    except UnicodeDecodeError:
        raise UnreadableNote("not UTF-8") from None
    if rows and not data.endswith(b"\n"):
        raise UnreadableNote("it breaks off in the middle of a line; only half of it has been written")
    if sources.checkpoint is None or sources.old is None:
        fail("a proof of growth needs both checkpoints: give --old and --checkpoint")
    return _growth_finding(read_hashes(rows), read_signed(sources.checkpoint)[0], sources)


def _finding_of_json(data: bytes, sources: ProofSources) -> ProofFinding:
    """What JSON holds: evidence, or a proof that was written with --json."""
    kind: type[Evidence | JsonProof] = Evidence if b'"kind"' in data else JsonProof
    try:
        found = msgspec.json.decode(data, type=kind)
    except MISREAD as error:
        raise UnreadableNote(why_unread(data, kind, error)) from None
    if isinstance(found, Evidence):
        return _evidence_finding(found)
    note = read_note(found.checkpoint.encode())
    stated = read_checkpoint(note)
    if (found.origin, found.size, found.root) != (stated.origin, stated.size, to_base64(stated.root)):
        raise UnreadableNote("log, size and root are not those of its checkpoint")
    hashes = read_hashes(found.proof)
    if found.record is not None and found.since is None:
        return _record_finding(EntryProof(found.record, hashes, note), _record_body(sources, found.record))
    if found.since is None or found.record is not None:
        raise UnreadableNote("expected the proof of a record, or of the growth since a size")
    if sources.old is None:
        fail("a proof of growth needs the earlier checkpoint: give --old")
    return _growth_finding(hashes, note, sources)


def _record_body(sources: ProofSources, index: int) -> bytes:
    """The record that a proof is about."""
    if sources.record is not None:
        with exit_on_misread(sources.record):
            data = read_at_most(sources.record, MOST_PROOF_BYTES).removesuffix(b"\n")
        return data[BODY_START:-1] if data.startswith(BEFORE_HASH) else data
    if sources.journal is None:
        fail("the proof of a record needs the record: give --record or --journal")
    with exit_on_misread(sources.journal):
        found = next(islice(leaves(sources.journal, sources.stream), index, None), None)
    if found is None:
        fail(f"{sources.journal}: it has no record {index}", REFUSED)
    return found


def _record_finding(proof: EntryProof, body: bytes) -> ProofFinding:
    log, holds = read_checkpoint(proof.note), proof.shows(body)
    shown = f"{log.origin} contains" if holds else f"nothing proves that {log.origin} contains"
    say = f"{shown} this record as entry {proof.index} of {log.size}, counted from 0"
    return ProofFinding(what="record", say=say, holds=holds, notes=(proof.note,), stream=_stream_of(body))


class _RecordStream(msgspec.Struct):
    stream: Stream


def _stream_of(body: bytes) -> Stream | None:
    """The stream that a record names; none if it is no record of a journal."""
    try:
        return msgspec.json.decode(body, type=_RecordStream).stream
    except MISREAD:
        return None


def _growth_finding(hashes: tuple[bytes, ...], note: SignedNote, sources: ProofSources) -> ProofFinding:
    assert sources.old is not None, "checked before"
    old_note, before = read_signed(sources.old)
    after = read_checkpoint(note)
    holds = before.origin == after.origin and extends(
        after.root, size=after.size, old_root=before.root, old_size=before.size, proof=hashes
    )
    shown = "" if holds else "nothing proves that "
    say = f"{shown}the first {before.size} of {after.size} records of {after.origin} are unchanged"
    if before.origin != after.origin:
        say += f": the earlier checkpoint is of {before.origin}"
    return ProofFinding(what="growth", say=say, holds=holds, notes=(old_note, note))


def _evidence_finding(evidence: Evidence) -> ProofFinding:
    notes, holds = evidence_notes(evidence), is_contradiction(evidence)
    log = read_checkpoint(notes[0])
    shown = "" if holds else "nothing proves that "
    say = f"{shown}{log.origin} has contradicted itself: {evidence.kind}"
    return ProofFinding(what="evidence", say=say, holds=holds, notes=notes)


def _signature_data(note: SignedNote, policy: Policy, stream: Stream | None) -> dict[str, Any]:
    """Who has signed a checkpoint, under the keys that were given; with `stream`, it is of the log of that stream."""
    from baccarat.audit.coverage import signed_nothing  # noqa: PLC0415
    from baccarat.audit.signature import NO_COSIGNATURE, signers_of  # noqa: PLC0415

    found, log = signers_of(note, policy.keys, stream), read_checkpoint(note)
    cosigned = {key: utc_text(time) for key, time in found.witnesses}
    missing = [key.name for key in policy.witnesses.values() if key not in cosigned]
    silent = [signed_nothing(key) for key in found.expected if key not in found.logs]
    unchecked = found.unchecked or found.misnamed or "; ".join(silent)
    if not unchecked and not policy.is_met_by(cosigned):
        unchecked = f"{', '.join(missing)}: {NO_COSIGNATURE}"
    return {
        "origin": log.origin,
        "size": log.size,
        "root": to_base64(log.root),
        "signed_by": [key.name for key in found.logs],
        "cosigned_by": {key.name: time for key, time in cosigned.items()},
        "wrong": found.wrong,
        "unchecked": unchecked,
    }


def _show_signature(found: dict[str, Any]) -> None:
    what = f"checkpoint of {found['size']} records: "
    if found["wrong"]:
        put_line((" ✗ ", "bold red"), what, found["wrong"])
        return
    for name in found["signed_by"]:
        put_line((" ✓ ", "green"), what, f"signed by {name}")
    for name, time in found["cosigned_by"].items():
        put_line((" ✓ ", "green"), what, f"cosigned by {name}, {time}")
    if found["unchecked"]:
        put_line((" – ", "yellow"), what, found["unchecked"])
