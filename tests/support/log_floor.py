"""The files of a table that keeps a log and of a witness, as the page about the log names them."""

from __future__ import annotations

from pathlib import Path

from baccarat.record.checkpoint import checkpoint_of, sign_checkpoint
from baccarat.record.key import Kind, Signer

RECORDS = [b'{"seq":%d}' % seq for seq in range(20)]


def journal_lines(records: list[bytes]) -> bytes:
    """A journal of these records."""
    return b"".join(b'{"hash":"%064x","record":%s}\n' % (seq, record) for seq, record in enumerate(records))


def lay_out_log(folder: Path, line: str) -> None:
    """What a reader of the page has before this line: a journal, and both keys unless the line makes one."""
    (folder / "journal.jsonl").write_bytes(journal_lines(RECORDS))
    if "--new" in line:
        return
    (folder / "exchange").mkdir()
    for name, key, kind in (("table-1", "t1", Kind.LOG), ("surveillance", "surveillance", Kind.WITNESS)):
        signer = Signer(f"example.org/{name}", kind, key.encode().ljust(32))
        (folder / f"{key}.key").write_text(signer.secret)
        (folder / f"{key}.key").chmod(0o600)
        (folder / f"{key}.pub").write_text(str(signer.verifier))
        if kind is Kind.LOG:
            note = sign_checkpoint(checkpoint_of("example.org/table-1", RECORDS), signer)
            (folder / "journal.jsonl.checkpoint").write_bytes(bytes(note))
