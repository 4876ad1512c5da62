"""Verifying a bundle: every check that docs/bundle.md names, each with what it showed, or why it was not made."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import msgspec

from baccarat.audit.bundle.decision import DECIDED_AGAIN, opens_seed, redecision_checks, run_of
from baccarat.audit.bundle.derivation import DerivationBudget
from baccarat.audit.bundle.form import ALL, Bundle, Scope, UnreadableBundle, canonical_bytes
from baccarat.audit.bundle.make import BundleJournal, make_whole_bundle
from baccarat.audit.bundle.published_table import PublishedTable
from baccarat.audit.bundle.rulebook import RULES, checked_rules, editions
from baccarat.audit.bundle.shoe_checks import ORDERS, PROOFS, published_table, shoe_checks
from baccarat.audit.bundle.verdict import (
    BundleCheck,
    BundleVerdict,
    failed_check,
    gap_check,
    passed_check,
    skipped_check,
)
from baccarat.audit.coverage import NOT_DECIDED, CoverageCollector
from baccarat.audit.house_stream import LATE_HOUSE_TEXT, HouseStreams
from baccarat.audit.opening import opening_gaps
from baccarat.audit.shuffle import REAL_CARDS, RevealedShoe
from baccarat.audit.signature import NO_COSIGNATURE, logs_signed, signers_of
from baccarat.audit.table_stream import folding_findings, id_findings
from baccarat.engine.idempotency_index import IdempotencyIndex
from baccarat.engine.redecide import other_version
from baccarat.engine.refusal_index import RefusalIndex
from baccarat.house.stream import HOUSE_STREAM, Stream, is_table_stream
from baccarat.record.checkpoint import Checkpoint, read_checkpoint
from baccarat.record.encoding import from_base64, to_base64
from baccarat.record.entry import FORM, NO_HASH, ActRecord, StreamOpening, hash_after, read_body
from baccarat.record.journal import JournalLine, act_fault, rules_at
from baccarat.record.key import UnreadableKey, Verifier
from baccarat.record.log import Log
from baccarat.record.note import SignedNote, UnreadableNote, read_note
from baccarat.record.policy import Policy
from baccarat.record.subset_proof import subset_root
from baccarat.record.text import visible

CHAIN, TREE, SIGNED, COSIGNED = "chain", "tree", "signature", "cosignatures"
ENTRIES, HOUSE, IDS, REFUSALS = "entries", "house", "ids", "refusals"


def verify_bundle(bundle: Bundle, *, policy: Policy | None = None) -> BundleVerdict:
    """Every check of a bundle; `policy` names the keys that its reader has from elsewhere.

    `UnreadableBundle` if a part of it has a form that this program does not know.
    """
    head, note = _head(bundle)
    return _verify_entries(bundle, head, () if note is None else (note,), policy or Policy())


def verify_stream(
    source: BundleJournal,
    stream: Stream,
    notes: Sequence[SignedNote],
    *,
    policy: Policy | None = None,
    house: HouseStreams | None = None,
    seeds: dict[str, RevealedShoe] | None = None,
    budget: DerivationBudget | None = None,
) -> BundleVerdict:
    """Every check of a whole table's stream of a journal, with its checkpoints.

    `house` if the streams of its house are in the same journal, and have been decided again; `seeds` are those that
    other tables have revealed, and `budget` how many cards of the file may still be derived.
    """
    bundle = make_whole_bundle(source, stream)
    head, _ = _head(bundle)
    within, log = source.notes.get(stream, []), source.log(stream)
    # Those within the journal were compared with its entries when it was read.
    fitting = [note for note in notes if note in within or _fits(log, read_checkpoint(note))]
    verdict = _verify_entries(bundle, head, fitting, policy or Policy(), house, seeds, budget)
    lost = [read_checkpoint(note) for note in notes if note not in fitting]
    say = "the checkpoint of {:,} entries by {} does not fit the journal: an entry was changed or removed"
    checks = [failed_check(TREE, say.format(stated.size, visible(stated.origin))) for stated in lost]
    return msgspec.structs.replace(verdict, checks=(*verdict.checks, *checks))


def verify_book(
    source: BundleJournal,
    stream: Stream,
    notes: Sequence[SignedNote],
    *,
    policy: Policy,
    house: HouseStreams | None = None,
) -> BundleVerdict:
    """What can be said of a stream that is not a table's, apart from deciding the whole house again."""
    lines, log = source.streams[stream], source.log(stream)
    opening = lines[0].entry
    assert isinstance(opening, StreamOpening), "a stream's first entry opens it"
    rules_at(lines[0].number, opening)  # its Submission must give the rulebook that it names
    fitting = [note for note in notes if _fits(log, read_checkpoint(note))]
    found = [signers_of(note, policy.keys, stream) for note in fitting]
    checks = [failed_check(SIGNED, each.wrong) for each in found if each.wrong]
    checks += [failed_check(TREE, "a checkpoint does not fit the journal") for note in notes if note not in fitting]
    reach = CoverageCollector(policy)
    for note, signers in zip(fitting, found, strict=True):
        reach.add(read_checkpoint(note).size, signers)
    if house is not None:
        gaps, decided = list(house.gaps() if stream == HOUSE_STREAM else ()), house.decided_in[stream]
    else:
        gaps, decided = [NOT_DECIDED], 0
    # Refusals that were only counted are covered by nobody.
    refusals = RefusalIndex()
    misfits = [f"record {each.record}: {each.say}" for line in lines for each in folding_findings(line, refusals, "")]
    checks += [failed_check(REFUSALS, misfits[0], more=misfits[1:])] if misfits else []
    gaps += filter(None, [refusals.gap(stream)])
    # Its opening: does the Submission give the rulebook, and is the version known?
    _, opened = checked_rules(make_whole_bundle(source, stream), [(0, lines[0])])
    gaps += [opened.say] if opened.is_gap else []
    unknown = other_version(opening)
    checks += [opened, *([] if unknown is None else [failed_check(DECIDED_AGAIN, unknown.say)])]
    scope = Scope(kind=ALL, stream=stream)
    size, times = len(lines), _times([line.entry.at for line in lines])
    coverage = reach.coverage(stream, entries=size, decided=decided, size=size, times=times, gaps=gaps)
    return BundleVerdict(
        scope=scope, size=log.size, root=to_base64(log.root()), coverage=coverage, checks=tuple(checks),
        unused=reach.unused_keys(),
    )  # fmt: skip


def _times(at: Sequence[int]) -> tuple[int, int]:
    """When the first entry and the last of them were made, in seconds since 1970."""
    return (at[0] // 1_000_000, max(at) // 1_000_000) if at else (0, 0)


def verify_house(source: BundleJournal) -> tuple[HouseStreams | None, list[BundleCheck]]:
    """All streams of a house decided again together, if its own stream is in the journal; and what was found."""
    if HOUSE_STREAM not in source.streams:
        return None, []
    lines, opening = source.lines, source.streams[HOUSE_STREAM][0]
    assert isinstance(opening.entry, StreamOpening), "a stream's first entry opens it"
    house = HouseStreams(rules_at(opening.number, opening.entry), file="")
    if lines[0] is not opening:
        return None, [failed_check(HOUSE, LATE_HOUSE_TEXT)]
    found = [finding for line in lines for finding in house.check_entry(line)]
    found += house.end()
    if found:
        first, *more = (f"entry {each.record} of {each.stream}: {each.say}" for each in found)
        return house, [failed_check(HOUSE, first, more=more)]
    return house, [
        passed_check(
            HOUSE, f"{house.decided:,} acts over {len(source.streams)} streams, each decided in all that it touches"
        )
    ]


def verify_ids(source: BundleJournal) -> dict[Stream, BundleCheck]:
    """The streams of a journal in which an id of a person takes effect a second time, in any of its streams."""
    ids, found = IdempotencyIndex(), dict[Stream, list[str]]()
    ids.has_house = HOUSE_STREAM in source.streams
    for line in source.lines:
        for each in id_findings(line, ids, ""):
            found.setdefault(line.entry.stream, []).append(f"record {each.record}: {each.say}")
    return {stream: failed_check(IDS, first, more=more) for stream, (first, *more) in found.items()}


def _fits(log: Log, stated: Checkpoint) -> bool:
    return stated.size <= log.size and log.root(stated.size) == stated.root


def _verify_entries(
    bundle: Bundle,
    head: Checkpoint,
    notes: Sequence[SignedNote],
    policy: Policy,
    house: HouseStreams | None = None,
    seeds: dict[str, RevealedShoe] | None = None,
    budget: DerivationBudget | None = None,
) -> BundleVerdict:
    """Every check of a bundle's entries and of the checkpoints that fit them."""
    # Are they entries of a journal, and those that the scope says? The rest needs at least entries that can be read.
    lines, found = _lines(bundle)
    checks, decided = [found], 0
    # Has one of them been changed? Each hash follows from the one before, and all of them stand in the tree.
    if lines is not None:
        checks.append(_chain(bundle, lines))
        checks.append(_tree(bundle, lines, head))
    # Who vouches for the tree? A key by which a witness signs its shares signs no log.
    stated = [(read_checkpoint(note).origin, signers_of(note, policy.keys, bundle.scope.stream)) for note in notes]
    shoes = PublishedTable() if lines is None else published_table(bundle, lines, logs_signed(stated), budget)
    share_keys = {witness.key for shoe in shoes.shoes for witness in shoe.held.witnesses}
    logs = tuple(key for key in policy.logs if str(key) not in share_keys)
    signed, reach = _signatures(bundle, notes, msgspec.structs.replace(policy, logs=logs))
    checks += signed
    # Was every act decided by the rules, and did every electronic shoe keep its promises? This needs all the entries.
    if lines is not None and found.state == "holds":
        with editions(bundle.rulebooks) as unknown:
            checks += [gap_check(RULES, say) for say in unknown]
            rules, checked = checked_rules(bundle, lines)
            checks.append(checked)
            if checked.state != "wrong":
                more, decided = redecision_checks(bundle, lines, rules, house, seeds)
                checks += more
        opening = lines[0][1].entry
        if isinstance(opening, StreamOpening):
            checks += [gap_check(PROOFS, say) for say in opening_gaps(opening)]
        checks += shoe_checks(shoes, policy)
        if shoes.has_real_cards:
            checks.append(skipped_check(ORDERS, REAL_CARDS))
    stream, size = bundle.scope.stream, head.size
    times = _times([line.entry.at for _, line in lines or ()])
    gaps = [check.say for check in checks if check.is_gap]
    coverage = reach.coverage(
        stream, entries=len(bundle.entries), decided=decided, size=size, times=times, gaps=gaps
    )  # fmt: skip
    return BundleVerdict(
        scope=bundle.scope, size=size, root=to_base64(head.root), coverage=coverage, checks=tuple(checks),
        unused=reach.unused_keys(share_keys),
    )  # fmt: skip


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
    fault = next(_order_faults(bundle, made), None) or next(_act_faults(made), None)
    if fault is not None:
        return made, failed_check(ENTRIES, fault)
    return made, passed_check(ENTRIES, _which_entries(bundle, made))


def _act_faults(lines: list[tuple[int, JournalLine]]) -> Iterator[str]:
    for index, line in lines:
        fault = act_fault(line.entry) if isinstance(line.entry, ActRecord) else ""
        if fault:
            yield f"entry {index}: {fault}"


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
    if not is_table_stream(stream):
        yield f"a bundle is of a table's stream, not of {stream}"
    for index, line in lines:
        if line.entry.stream != stream or line.entry.seq != index:
            yield f"entry {index} is entry {line.entry.seq} of {line.entry.stream}, not entry {index} of {stream}"
    for (_, before), (index, line) in pairwise(lines):
        if line.entry.behaviour < before.entry.behaviour:
            yield f"behaviour is {line.entry.behaviour} in entry {index} after {before.entry.behaviour}: it goes back"
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
            yield f"record {record.seq} has no hash, and does not open the seed after the run, and only that"
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


def _signatures(
    bundle: Bundle, notes: Sequence[SignedNote], policy: Policy
) -> tuple[list[BundleCheck], CoverageCollector]:
    """Whose signatures the checkpoints bear, and how far they reach.

    Keys that only the bundle names show that they belong to its checkpoint, not whose they are: they cover nothing.
    """
    reach, stream = CoverageCollector(policy), bundle.scope.stream
    try:
        own = [Verifier.parse(key) for key in bundle.keys]
    except UnreadableKey as error:
        raise UnreadableBundle(f"keys: {error}") from None
    if not notes:
        nobody = "it is not signed: it proves nothing to anyone who does not trust its maker"
        return [skipped_check(SIGNED, nobody)], reach
    wrong: list[str] = []
    for note in notes:
        found = signers_of(note, policy.keys, stream)
        reach.add(read_checkpoint(note).size, found)
        wrong += filter(None, (found.wrong, signers_of(note, own, stream).wrong))
    if wrong:
        first, *more = dict.fromkeys(wrong)
        return [failed_check(SIGNED, first, more=more)], reach
    checks: list[BundleCheck] = []
    if reach:
        checks.append(passed_check(SIGNED, reach.signed_text()))
    elif own:
        names = ", ".join(f"{key.name}+{key.id.hex()}" for key in own)
        say = f"signed by keys that the bundle itself contains ({names}): compare them with the published ones"
        checks.append(skipped_check(SIGNED, say))
    else:
        checks.append(skipped_check(SIGNED, "whose signature it bears was not checked"))
    if reach.has_cosignature:
        checks.append(passed_check(COSIGNED, reach.cosigned_text()))
    else:
        checks.append(skipped_check(COSIGNED, NO_COSIGNATURE))
    return checks, reach
