"""The files of a table that keeps a log and of a witness, as the page about the log names them."""

from __future__ import annotations

from pathlib import Path

import msgspec
from msgspec import Raw

from baccarat.house.stream import Stream, table_stream
from baccarat.record.checkpoint import checkpoint_of, sign_checkpoint
from baccarat.record.encoding import to_base64
from baccarat.record.entry import NO_HASH, ActRecord, Entry, StreamOpening, body_of, hash_after
from baccarat.record.journal import write_line
from baccarat.record.key import KeyKind, Signer
from baccarat.record.log import Log
from baccarat.record.note import SignedNote
from baccarat.record.receipt import Receipt
from baccarat.record.tlog_proof import EntryProof
from baccarat.record.witness import Evidence
from baccarat.table.role import Role

RULEBOOK = "0" * 64
TABLE = table_stream("1")


def bodies(count: int, *, changed: int | None = None, stream: Stream = TABLE) -> list[bytes]:
    """The canonical bodies of so many entries, one of them another than it was."""
    opening = StreamOpening(
        v=1, stream=stream, seq=0, rulebook=RULEBOOK, submission={}, program="x" if changed == 0 else "p", behaviour=1
    )
    entries: list[Entry] = [opening]
    entries += [
        ActRecord(
            v=1, stream=stream, seq=seq, event=0, rulebook=RULEBOOK, behaviour=1, who="d1", role=Role.DEALER,
            command=Raw(b'{"do":"sit"}'), refused=Raw(b"1" if seq == changed else b"0"),
        )
        for seq in range(1, count)
    ]  # fmt: skip
    return [body_of(entry) for entry in entries[:count]]


def journal_lines(found: list[bytes]) -> bytes:
    """A journal of these bodies: whoever rewrites one writes the hashes anew as well."""
    lines, after = [], NO_HASH
    for body in found:
        after = hash_after(after, body)
        lines.append(write_line(body, after))
    return b"".join(lines)


def lay_out_log(folder: Path, line: str) -> None:
    """What a reader of the page has before this line: a journal, and both keys unless the line makes one."""
    (folder / "journal.jsonl").write_bytes(journal_lines(bodies(20)))
    if "--new" in line:
        return
    (folder / "exchange").mkdir()
    for name, key, kind in (("house/table/1", "t1", KeyKind.LOG), ("surveillance", "surveillance", KeyKind.WITNESS)):
        signer = Signer(f"example.org/{name}", kind, key.encode().ljust(32))
        (folder / f"{key}.key").write_text(signer.secret)
        (folder / f"{key}.key").chmod(0o600)
        (folder / f"{key}.pub").write_text(str(signer.verifier))
        if kind is KeyKind.LOG:
            note = sign_checkpoint(checkpoint_of(signer.verifier.name, bodies(20)), signer)
            (folder / "journal.jsonl.checkpoint").write_bytes(bytes(note))
            _lay_out_proofs(folder, signer, note)
    house = Signer("example.org/house", KeyKind.LOG, b"house".ljust(32))
    (folder / "house.pub").write_text(str(house.verifier))
    log, table = Log(bodies(20)), house.with_name("example.org/house/table/1")
    note = sign_checkpoint(checkpoint_of(table.verifier.name, bodies(20)), table)
    receipt = Receipt(body=bodies(20)[17], proof=EntryProof(17, log.prove_inclusion(17), note), stream=TABLE)
    (folder / "wager.receipt").write_bytes(bytes(receipt))


def _lay_out_proofs(folder: Path, signer: Signer, note: SignedNote) -> None:
    """What a reader was given to check: proofs, the checkpoint that he has seen before, and evidence."""
    log, name = Log(bodies(20)), signer.verifier.name
    (folder / "record-17.tlog-proof").write_bytes(bytes(EntryProof(17, log.prove_inclusion(17), note)))
    (folder / "seen.checkpoint").write_bytes(bytes(sign_checkpoint(checkpoint_of(name, bodies(12)), signer)))
    hashes = "".join(f"{to_base64(each)}\n" for each in log.prove_consistency(12))
    (folder / "growth.proof").write_text(hashes)
    forked = sign_checkpoint(checkpoint_of(name, bodies(20, changed=3)), signer)
    evidence = Evidence(kind="two roots at one size", cosigned=bytes(note).decode(), shown=bytes(forked).decode())
    (folder / "two-roots-at-one-size.evidence").write_bytes(msgspec.json.encode(evidence))
