"""Which modules of the program verify, and which of their checks no file of the conformance corpus can show."""

from __future__ import annotations

MODULES = (
    "audit/bundle/decision.py",
    "audit/bundle/form.py",
    "audit/bundle/published_shoe.py",
    "audit/bundle/published_table.py",
    "audit/bundle/rulebook.py",
    "audit/bundle/shoe_checks.py",
    "audit/bundle/verification.py",
    "audit/coverage.py",
    "audit/histories.py",
    "audit/house_stream.py",
    "audit/journal.py",
    "audit/journal_memory.py",
    "audit/receipt.py",
    "audit/shuffle.py",
    "audit/signature.py",
    "audit/stream_reading.py",
    "audit/table_stream.py",
    "cli/audit_journal.py",
    "cli/receipt.py",
    "cli/verify.py",
    "engine/idempotency_index.py",
    "engine/redecide.py",
    "engine/redecide_house.py",
    "engine/refusal_index.py",
    "record/checkpoint.py",
    "record/checkpoint_memory.py",
    "record/entry.py",
    "record/journal.py",
    "record/key.py",
    "record/note.py",
    "record/policy.py",
    "record/receipt.py",
    "record/subset_proof.py",
    "record/successor.py",
    "record/tlog_proof.py",
)
"""Where something of a file is found wrong, not readable or not covered; what an act may be is decided elsewhere."""
NO_CHECKS = frozenset(
    {"remarks", "verify", "_card", "_program"}
    | {"sign_checkpoint", "sign_note", "prove_subset", "Signer.parse", "_private", "open_checkpoint", "_largest_fit"}
)
"""Functions in them that look at how the program was called, that write, or that say what is no fault."""
