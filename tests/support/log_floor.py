"""The files of a table that keeps a log and of a witness, as the page about the log names them."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from baccarat.record.checkpoint import checkpoint_of, sign_checkpoint
from baccarat.record.entry import NO_HASH, body_of, hash_after
from baccarat.record.journal import Line, Reader, write_line
from baccarat.record.key import Kind, Signer
from kept import lines_of, short_journal

SIZE = 20


def entries(size: int, changed: int | None = None) -> list[bytes]:
    """The first entries of a journal, one of them changed by a microsecond."""
    found = [line.entry for line in Reader().read(lines_of(short_journal())) if isinstance(line, Line)][:size]
    assert len(found) == size, "the journal is long enough"
    return [body_of(replace(entry, at=1) if seq == changed else entry) for seq, entry in enumerate(found)]


def journal_lines(bodies: list[bytes]) -> bytes:
    """A journal of these entries."""
    lines, before = [], NO_HASH
    for body in bodies:
        before = hash_after(before, body)
        lines.append(write_line(body, before))
    return b"".join(lines)


def lay_out_log(folder: Path, line: str) -> None:
    """What a reader of the page has before this line: a journal, and both keys unless the line makes one."""
    (folder / "journal.jsonl").write_bytes(journal_lines(entries(SIZE)))
    if "--new" in line:
        return
    (folder / "exchange").mkdir()
    for name, key, kind in (("table-1", "t1", Kind.LOG), ("surveillance", "surveillance", Kind.WITNESS)):
        signer = Signer(f"example.org/{name}", kind, key.encode().ljust(32))
        (folder / f"{key}.key").write_text(signer.secret)
        (folder / f"{key}.key").chmod(0o600)
        (folder / f"{key}.pub").write_text(str(signer.verifier))
        if kind is Kind.LOG:
            note = sign_checkpoint(checkpoint_of("example.org/table-1", entries(SIZE)), signer)
            (folder / "journal.jsonl.checkpoint").write_bytes(bytes(note))
