"""The files of a table that keeps a log and of a witness, as the page about the log names them."""

from __future__ import annotations

from pathlib import Path

from msgspec import Raw

from baccarat.house.stream import Stream, table_stream
from baccarat.record.checkpoint import checkpoint_of, sign_checkpoint
from baccarat.record.entry import NO_HASH, ActRecord, Entry, StreamOpening, body_of, hash_after
from baccarat.record.journal import write_line
from baccarat.record.key import KeyKind, Signer
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
    for name, key, kind in (("table-1", "t1", KeyKind.LOG), ("surveillance", "surveillance", KeyKind.WITNESS)):
        signer = Signer(f"example.org/{name}", kind, key.encode().ljust(32))
        (folder / f"{key}.key").write_text(signer.secret)
        (folder / f"{key}.key").chmod(0o600)
        (folder / f"{key}.pub").write_text(str(signer.verifier))
        if kind is KeyKind.LOG:
            note = sign_checkpoint(checkpoint_of("example.org/table-1", bodies(20)), signer)
            (folder / "journal.jsonl.checkpoint").write_bytes(bytes(note))
