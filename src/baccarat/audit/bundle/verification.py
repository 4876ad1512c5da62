"""Verifying a bundle: every check that docs/bundle.md names, each with what it showed, or why it was not made."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from baccarat.audit.bundle.decision import opens_seed, redecision_checks, run_of
from baccarat.audit.bundle.form import ALL, Bundle, Scope, UnreadableBundle, canonical_bytes
from baccarat.audit.bundle.make import BundleJournal, make_bundle
from baccarat.audit.bundle.published_shoe import PublishedShoes
from baccarat.audit.bundle.rulebook import checked_rules, editions
from baccarat.audit.bundle.verdict import BundleCheck, BundleVerdict, failed_check, passed_check, skipped_check
from baccarat.audit.signature import NO_COSIGNATURE, NOT_SIGNED, names_witness, signers_of, utc
from baccarat.house.stream import Stream
from baccarat.record.checkpoint import Checkpoint, read_checkpoint
from baccarat.record.encoding import from_base64, to_base64
from baccarat.record.entry import FORM, NO_BYTES, NO_HASH, ActRecord, StreamOpening, hash_after, read_body
from baccarat.record.journal import JournalLine
from baccarat.record.key import UnreadableKey, Verifier
from baccarat.record.note import SignedNote, UnreadableNote, read_note
from baccarat.record.subset_proof import subset_root
from baccarat.record.text import visible
from baccarat.table.state import shoe_in_words

CHAIN, TREE, SIGNED, COSIGNED = "chain", "tree", "signature", "cosignatures"
ENTRIES, PROOFS, SEEDS, CONTRIBUTED = "entries", "proofs of cards", "seeds", "contributions"


def verify_bundle(bundle: Bundle, *, trusted: Sequence[Verifier] = ()) -> BundleVerdict:
    """Every check of a bundle; `trusted` are keys that its reader has from elsewhere.

    `UnreadableBundle` if a part of it has a form that this program does not know.
    """
    head, note = _head(bundle)
    # Are they entries of a journal, and those that the scope says? The rest needs at least entries that can be read.
    lines, found = _lines(bundle)
    checks = [found]
    # Has one of them been changed? Each hash follows from the one before, and all of them stand in the tree.
    if lines is not None:
        checks.append(_chain(bundle, lines))
        checks.append(_tree(bundle, lines, head))
    # Who vouches for the tree?
    checks += _signatures(bundle.keys, () if note is None else (note,), trusted)
    # Was every act decided by the rules, and did every electronic shoe keep its promises? This needs all the entries.
    if lines is not None and found.state == "holds":
        with editions(bundle.rulebooks) as wrong_editions:
            rules, checked = checked_rules(bundle, lines, wrong_editions)
            checks.append(checked)
            checks += redecision_checks(bundle, lines, rules)
        checks += _shoes(lines)
    return BundleVerdict(scope=bundle.scope, size=head.size, root=to_base64(head.root), checks=tuple(checks))


def verify_stream(
    source: BundleJournal, stream: Stream, notes: Sequence[SignedNote], *, trusted: Sequence[Verifier] = ()
) -> BundleVerdict:
    """Every check of a whole stream of a journal, with its checkpoints; if they cover less, a check reports it.

    `NoBundle` if a checkpoint does not match.
    """
    scope = Scope(kind=ALL, stream=stream)
    verdict = verify_bundle(make_bundle(source, scope), trusted=trusted)
    if not notes:
        return verdict
    # Does each checkpoint fit the entries? Those within the journal were compared when it was read.
    within = source.notes.get(stream, [])
    for note in notes:
        if note not in within:
            make_bundle(source, scope, note=note)
    # The signatures on these checkpoints replace what was said of none; entries after the last of them have none.
    checks = [check for check in verdict.checks if check.name != SIGNED]
    checks += _signatures((), notes, trusted)
    covered = max(read_checkpoint(note).size for note in notes)
    if covered < verdict.size:
        after = f"{verdict.size - covered:,} of {verdict.size:,} entries came after the checkpoint"
        checks.append(skipped_check(SIGNED, f"{after}: they are not signed yet"))
    return msgspec.structs.replace(verdict, checks=tuple(checks))


# ------------------------------------------------------------------------------------------------ entries


def _head(bundle: Bundle) -> tuple[Checkpoint, SignedNote | None]:
    """What the bundle says of the log, signed or not."""
    if bundle.tree_head is not None:
        root = from_base64(bundle.tree_head.root)
        if root is None:
            raise UnreadableBundle("tree_head: the root is not base64")
        return Checkpoint(origin="", size=bundle.tree_head.size, root=root), None
    assert bundle.checkpoint is not None, "a bundle has one of the two"
    try:
        note = read_note(bundle.checkpoint.encode())
        return read_checkpoint(note), note
    except UnreadableNote as error:
        raise UnreadableBundle(f"checkpoint: {error}") from None


class _VersionOnly(msgspec.Struct):
    v: int


def _lines(bundle: Bundle) -> tuple[list[tuple[int, JournalLine]] | None, BundleCheck]:
    """The entries with their indexes, if all can be read; and whether they are those of the scope."""
    made: list[tuple[int, JournalLine]] = []
    for number, entry in enumerate(bundle.entries, start=1):
        body = canonical_bytes(bytes(entry.record))
        try:
            made.append((entry.index, JournalLine(number, read_body(body), body, bytes.fromhex(entry.hash or ""))))
        except ValueError as error:
            _refuse_newer(body, str(error))
            return None, failed_check(ENTRIES, f"entry {entry.index} is not a journal entry: {visible(str(error))}")
    fault = next(_order_faults(bundle, made), None)
    if fault is not None:
        return made, failed_check(ENTRIES, fault)
    return made, passed_check(ENTRIES, _which_entries(bundle, made))


def _refuse_newer(body: bytes, say: str) -> None:
    try:
        version = msgspec.json.decode(body, type=_VersionOnly).v
    except msgspec.MsgspecError:
        return
    if version != FORM:
        raise UnreadableBundle(say) from None


def _which_entries(bundle: Bundle, lines: list[tuple[int, JournalLine]]) -> str:
    if bundle.scope.kind == ALL:
        return f"all {len(lines):,} entries of {bundle.scope.stream}"
    run = run_of(lines)
    late = "" if len(run) == len(lines) - 1 else f" and record {lines[-1][1].entry.seq:,}, which opens the seed"
    first, last = run[0].entry.seq, run[-1].entry.seq
    return f"the opening of {bundle.scope.stream}, records {first:,} to {last:,}{late}"


def _order_faults(bundle: Bundle, lines: list[tuple[int, JournalLine]]) -> Iterator[str]:
    """What is out of order: all entries are of one stream, begin with its opening, and are numbered without a gap."""
    stream, (_, opening) = bundle.scope.stream, lines[0]
    for index, line in lines:
        if line.entry.stream != stream or line.entry.seq != index:
            yield f"entry {index} is {line.entry.stream} {line.entry.seq}, not {stream} {index}"
    if not isinstance(opening.entry, StreamOpening) or not opening.hash:
        yield f"the first entry does not open {stream} with its hash"
        return
    if len(lines) > 1:
        yield from _run_faults(bundle, [line for _, line in lines[1:]])
    elif bundle.scope.kind != ALL:
        yield "there is no record"


def _run_faults(bundle: Bundle, lines: list[JournalLine]) -> Iterator[str]:
    """The numbers of the run have no gap, it begins where it says, and only an opened seed stands after it."""
    before = bundle.before
    if bundle.scope.kind == ALL and before is not None:
        yield "a bundle of everything has no state before it"
    seq, events = (0, 0) if before is None else (before.seq, before.events)
    for number, line in enumerate(lines, start=1):
        record = line.entry
        if not isinstance(record, ActRecord):
            yield f"entry {record.seq} opens the stream a second time"
            return
        is_last = number == len(lines) > 1 and bundle.scope.kind != ALL
        if not line.hash and not (is_last and record.seq > seq and record.event >= events and opens_seed(record)):
            yield f"record {record.seq} has no hash, and does not open the seed after the run"
            return
        if line.hash and (record.seq, record.event) != (seq + 1, events):
            yield f"record {record.seq}, whose first event is {record.event}, does not follow {seq} and {events} events"
            return
        seq, events = record.seq, events + _count(line)


def _count(line: JournalLine) -> int:
    return len(line.entry.events) if isinstance(line.entry, ActRecord) else 0


# ------------------------------------------------------------------------------- chain, tree, signatures


def _chain(bundle: Bundle, lines: list[tuple[int, JournalLine]]) -> BundleCheck:
    """Check that each hash follows from the one before it in the same stream; a late record has none."""
    before = None if bundle.before is None else bytes.fromhex(bundle.before.hash)
    head = NO_HASH
    for number, (index, line) in enumerate(lines):
        made = hash_after(head, line.body)
        if line.hash and made != line.hash:
            return failed_check(CHAIN, f"the hash of entry {index} is {line.hash.hex()} and should be {made.hex()}")
        head = before if before is not None and not number else line.hash
    start = "" if before is None else "; the first record from a hash that the bundle states"
    return passed_check(CHAIN, f"{sum(bool(line.hash) for _, line in lines):,} entries by their hashes{start}")


def _tree(bundle: Bundle, lines: list[tuple[int, JournalLine]], head: Checkpoint) -> BundleCheck:
    hashes = [from_base64(each) for each in bundle.proof]
    if None in hashes:
        raise UnreadableBundle("proof: a hash is not base64")
    bodies = {index: line.body for index, line in lines}
    if len(bodies) != len(lines):
        return failed_check(TREE, "an index occurs twice")
    if bundle.scope.kind == ALL and len(lines) != head.size:
        return failed_check(TREE, f"there are {len(lines):,} entries, but the log has {head.size:,}")
    made = subset_root(bodies, size=head.size, proof=[each for each in hashes if each is not None])
    if made is None:
        return failed_check(TREE, f"the proof does not match these entries in a log of {head.size:,}")
    if made != head.root:
        return failed_check(
            TREE, f"entries and proof give the root {to_base64(made)}, but the log has {to_base64(head.root)}"
        )
    return passed_check(TREE, f"every entry is in the log of {head.size:,} entries under its root")


def _signatures(own: Sequence[str], notes: Sequence[SignedNote], trusted: Sequence[Verifier]) -> Iterator[BundleCheck]:
    """Whose signatures the checkpoints bear; keys that only the bundle names are not taken for the house's."""
    # A fault in a key, no signature at all, or a wrong one ends the check.
    try:
        named = [Verifier.parse(key) for key in own]
    except UnreadableKey as error:
        yield failed_check(SIGNED, f"keys: {error}")
        return
    if not notes:
        nobody = "it is not signed: it proves nothing to anyone who does not trust its maker"
        yield failed_check(SIGNED, NOT_SIGNED) if trusted else skipped_check(SIGNED, nobody)
        return
    by_size = sorted(notes, key=lambda note: read_checkpoint(note).size)
    found = [signers_of(note, trusted or named) for note in by_size]
    faults = list(dict.fromkeys(each.wrong for each in found if each.wrong))
    if faults:
        yield failed_check(SIGNED, faults[0], more=faults[1:])
        return
    # The house's signature is that of the last checkpoint, which covers most. It is missed only where a key is named.
    whose = "" if trusted else " (the bundle's own key: compare it with the published one)"
    last = found[-1]
    if last.unchecked:
        is_wanting = bool(trusted or named)
        yield BundleCheck(name=SIGNED, state="unchecked", say=last.unchecked, is_open=True, is_wanting=is_wanting)
    else:
        yield passed_check(SIGNED, f"signed by {', '.join(f'{key.name}+{key.id.hex()}' for key in last.logs)}{whose}")
    # Witnesses may have cosigned an earlier one.
    cosigned = next((each.witnesses for each in reversed(found) if each.witnesses), ())
    if cosigned:
        said = ", ".join(f"{key.name}+{key.id.hex()} at {utc(time)}" for key, time in cosigned)
        yield passed_check(COSIGNED, f"{said}{whose}")
    elif not last.unchecked or names_witness(trusted):
        yield BundleCheck(name=COSIGNED, state="unchecked", say=NO_COSIGNATURE, is_wanting=names_witness(trusted))


# -------------------------------------------------------------------------------------------------- shoes


def _shoes(lines: list[tuple[int, JournalLine]]) -> Iterator[BundleCheck]:
    """What electronic shoes promised, compared with what they showed."""
    # Collect what each shoe committed to, sealed, proved and opened.
    table = PublishedShoes()
    for _, line in lines:
        record = line.entry
        if isinstance(record, ActRecord) and record.events:
            command = None if record.command is NO_BYTES else msgspec.json.decode(bytes(record.command))
            table.add_record(record.seq, command, [msgspec.json.decode(bytes(raw)) for raw in record.events])
    shoes, faults = table.shoes, [f"record {fault.seq}: {fault.say}" for fault in table.all_faults()]
    if faults:
        yield failed_check(PROOFS, faults[0], more=faults[1:])
        return
    if not shoes:
        yield skipped_check(PROOFS, "no electronic shoe: real cards are shown on the dealer's word")
        return
    # Each card has its proof. Of a shoe that is over the seed must give all of it again; of others it is still secret.
    yield passed_check(PROOFS, f"{sum(shoe.proved for shoe in shoes):,} cards, each by its proof under the sealed root")
    opened = [shoe for shoe in shoes if shoe.seed]
    if opened:
        cards = sum(shoe.derived for shoe in opened)
        yield passed_check(
            SEEDS, f"{_many(len(opened), 'shoe')}: commitment, order, root and {cards:,} cards follow from it"
        )
    for shoe in shoes:
        if not shoe.seed:
            why = "is reported lost" if shoe.is_lost else "is not in the bundle: the shoe was not over"
            yield skipped_check(SEEDS, f"the seed of shoe {shoe_in_words(shoe.held.shoe)} {why}")
    # Had anybody but the operator a part in the order?
    alone = [shoe_in_words(shoe.held.shoe) for shoe in shoes if shoe.root and not shoe.contributions]
    if alone:
        names = ", ".join(alone[:5]) + (" …" if len(alone) > 5 else "")
        yield skipped_check(CONTRIBUTED, f"nobody but the operator contributed to the order of shoe {names}")
    else:
        yield passed_check(CONTRIBUTED, "someone other than the operator contributed to every order")


def _many(count: int, what: str) -> str:
    return f"{count:,} {what}{'s' * (count != 1)}"
