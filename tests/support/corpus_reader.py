"""What a reader gives besides keys: receipts, a policy, and what was seen before; honest, forged, and not in form."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import cache

from baccarat.record.log import Log
from baccarat.record.note import SignedNote
from baccarat.record.receipt import Receipt
from baccarat.record.tlog_proof import EntryProof
from corpus_base import (
    LOG,
    OUTSIDER,
    PLAIN,
    SECOND_WITNESS,
    SHARE,
    STREAM,
    WITNESS,
    act,
    base,
    checkpoint,
    cosigned,
    journal,
)
from corpus_bundle import bundle, signed_again
from corpus_case import GOOD, UNCOVERED, UNREADABLE, Case, Kinds, Names, of_kind
from remade import Json, canonical

ORDER_2 = "honest/order-2.jsonl"
RECEIPTS = Names(*["receipts"] * 3)
UNREAD = Names(*["unreadable"] * 3)
MEMORY = Names(*["memory"] * 3)
COVERAGE = Names(*["coverage"] * 3)
READER: Json = {"status": UNREADABLE, "status_without_rules": UNREADABLE}


# ------------------------------------------------------------------------------------------------------- receipts


def receipt_of(records: list[Json], index: int, note: SignedNote | None = None) -> bytes:
    """What somebody keeps of an entry: its body, and the proof that a signed checkpoint of its log covers it."""
    bodies = [canonical(record) for record in records]
    path = Log(bodies).prove_inclusion(index, len(bodies))
    proof = EntryProof(index, path, note or checkpoint(records))
    return bytes(Receipt(body=bodies[index], proof=proof, stream=STREAM))


def wager(records: list[Json]) -> int:
    """The number of the first wager."""
    return records.index(act(records, "place_wager"))


@cache
def of_wager() -> bytes:
    """What somebody keeps of the first wager of the table whose order has two witnesses."""
    return receipt_of(base(), wager(base()))


def _line(nth: int, change: Callable[[bytes], bytes]) -> Callable[[], bytes]:
    def forge() -> bytes:
        lines = of_wager().split(b"\n")
        lines[nth] = change(lines[nth])
        return b"\n".join(lines)

    return forge


def _higher() -> bytes:
    """A wager of ten times as much, made up by somebody who has no key."""
    records, index = base(), wager(base())
    records[index]["command"]["stake"] *= 10
    forged, honest = receipt_of(records, index).split(b"\n"), of_wager().split(b"\n")
    return b"\n".join([forged[0], *honest[1:]])


def _signed_by_himself() -> bytes:
    records, index = base(), wager(base())
    records[index]["command"]["stake"] *= 10
    return receipt_of(records, index, checkpoint(records, signer=OUTSIDER))


def _of_another_table() -> bytes:
    """The house signs the entries of one table as the log of another, for a friend who shows them at this one."""
    records = base()
    return receipt_of(records, wager(records), checkpoint(records, origin="example.org/house/table/2"))


def _of_no_entry() -> bytes:
    """The body is signed as an entry of the log, and is none of a stream."""
    records: list[Json] = [*base()[:4], {"seq": 4, "stream": 7}]
    return receipt_of(records, 4)


def _misnumbered() -> bytes:
    """An entry stands at a number which is not its own; the house has signed that for him."""
    records = base()
    index = wager(records)
    records.insert(2, records[index])
    return receipt_of(records, 2)


RECEIPT_FORGERIES: dict[str, Callable[[], bytes]] = {
    "another-stake": _higher,
    "signed-by-himself": _signed_by_himself,
    "of-another-table": _of_another_table,
    "of-no-stream": _of_no_entry,
    "another-number": _line(2, lambda line: b"index %d" % (int(line[6:]) + 1)),
    "misnumbered": _misnumbered,
    "number-with-a-nought": _line(2, lambda line: line.replace(b" ", b" 0")),
    "number-in-words": _line(2, lambda _line: b"index seven"),
    "another-form": _line(1, lambda line: line.replace(b"@v1", b"@v2")),
    "body-not-base64": _line(0, lambda line: line[:-1] + b"!"),
    "body-not-utf-8": _line(0, lambda _line: b"/w=="),
    "not-utf-8": _line(0, lambda line: line + b"\xff"),
    "short-hash": _line(3, lambda _line: b"AAAA"),
    "hash-left-out": lambda: b"\n".join(line for n, line in enumerate(of_wager().split(b"\n")) if n != 3),
    "nothing": lambda: b"",
}


def receipts() -> Kinds:
    """Receipts that show what was not so, and histories that lack what a receipt shows."""
    make = of_kind("receipt-forged", "patron", "somebody shows a receipt of a wager that he never made", UNREAD)
    data = journal(base())
    yield (
        make.kind,
        [make.given(name, data, path=ORDER_2, receipts=forge(), **READER) for name, forge in RECEIPT_FORGERIES.items()],
    )
    make = of_kind("receipt-denied", "house", "a wager that somebody has a receipt of was never made", RECEIPTS)
    alone = journal(base("house-alone"))
    yield (
        make.kind,
        [
            make.given("another-history", alone, path="honest/house-alone.jsonl", receipts=of_wager(), keys=PLAIN),
            make.given("another-stake", _wager_otherwise(), receipts=of_wager()),
            make.given("another-entry-before", _seat_otherwise(), receipts=of_wager()),
            make.given("bundle", _bundle_otherwise(), is_bundle=True, receipts=of_wager()),
        ],
    )
    make = of_kind("receipt-passed-over", "house", "a history ends before an entry that somebody has", COVERAGE)
    fields: Json = {"status": UNCOVERED, "status_without_rules": UNCOVERED, "receipts": of_wager()}
    short = journal(base()[: wager(base())])
    yield make.kind, [make.given("ends-before-it", short, **fields)]


def _wager_otherwise() -> bytes:
    """The same table, on which a house that has no other receipts takes half of a wager."""
    records = base()
    index = wager(records)
    records[index]["at"] += 1
    return journal(records[: index + 1])


def _seat_otherwise() -> bytes:
    """The entry of the receipt is there; an earlier one is another, and the log was signed as far as in the receipt."""
    records = base()
    records[2]["at"] += 1
    return journal(records)


def _bundle_otherwise() -> bytes:
    made = bundle("all")
    entry = made["entries"][wager(base())]
    entry["record"]["at"] += 1
    signed_again(made)
    return canonical(made)


# ------------------------------------------------------------------------------------------------------- policies


def policy_of(*lines: str, witnessed: bool = True, quorum: str = "both") -> bytes:
    """A policy of the house with two witnesses, of which `quorum` names how many must have cosigned."""
    first = [f"log {LOG.verifier} https://example.org", f"witness watcher {WITNESS.verifier}"]
    first += [f"witness regulator {SECOND_WITNESS.verifier}"] if witnessed else []
    groups = ["group both all watcher regulator", "group either 1 watcher regulator  # any of them"]
    return "\n".join([*first, *(groups if witnessed else []), *lines, f"quorum {quorum}", ""]).encode()


SHARES = (f"share watcher {SHARE[0].verifier}", f"share regulator {SHARE[1].verifier}")
POLICIES: dict[str, bytes] = {
    "no-quorum": policy_of(*SHARES).rpartition(b"quorum")[0],
    "quorum-unknown": policy_of(*SHARES, quorum="everybody"),
    "after-the-quorum": policy_of(*SHARES) + f"log {OUTSIDER.verifier}\n".encode(),
    "key-named-twice": policy_of(*SHARES, f"log {LOG.verifier}"),
    "witness-as-log": policy_of(*SHARES, f"log {WITNESS.verifier}".replace("watcher", "x")),
    "log-as-witness": policy_of(*SHARES, f"witness third {OUTSIDER.verifier}"),
    "key-of-no-log": policy_of(*SHARES, f"log {SHARE[0].verifier}".replace("+", "", 1)),
    "name-taken": policy_of(*SHARES, f"witness either {OUTSIDER.verifier}"),
    "name-none": policy_of(*SHARES, "group none any watcher"),
    "group-named-twice": policy_of(*SHARES, "group both any watcher"),
    "member-unknown": policy_of(*SHARES, "group third 1 watcher somebody"),
    "member-twice": policy_of(*SHARES, "group third 1 watcher watcher"),
    "too-many-of-a-group": policy_of(*SHARES, "group third 3 watcher regulator"),
    "none-of-a-group": policy_of(*SHARES, "group third 0 watcher regulator"),
    "share-of-nobody": policy_of(f"share somebody {SHARE[0].verifier}"),
    "two-shares-of-one": policy_of(SHARES[0], f"share watcher {SHARE[1].verifier}"),
    "word-unknown": policy_of(*SHARES, "trust everybody"),
    "group-of-nobody": policy_of(*SHARES, "group third 1"),
}
LACKS_ONE = "are not cosigned by the witnesses that were asked for (2)"


def policies() -> Kinds:
    """Policies that two readers could read differently, and histories that do not meet one."""
    aim = "a policy requires one witness of one reader and another, or none, of the other"
    make = of_kind("policy-not-in-form", "outsider with the disk", aim, UNREAD)
    data = journal(base())
    yield (
        make.kind,
        [make.given(name, data, path=ORDER_2, policy=policy, keys=(), **READER) for name, policy in POLICIES.items()],
    )
    make = of_kind(
        "policy-not-met", "house", "a history is shown to fewer witnesses than its reader requires", COVERAGE
    )
    fields: Json = {"keys": (), "status": UNCOVERED, "status_without_rules": UNCOVERED}
    unnamed = "regulator, whose share was asked for, is not named in the order of shoe 2"
    yield (
        make.kind,
        [
            make.given("one-of-two", data, path=ORDER_2, policy=policy_of(*SHARES), gap=LACKS_ONE, **fields),
            make.given(
                "the-other-one",
                data,
                path=ORDER_2,
                policy=policy_of(*SHARES, quorum="regulator"),
                gap=LACKS_ONE,
                **fields,
            ),
            make.given(
                "share-not-asked-for",
                journal(base("left-out")),
                path="honest/left-out.jsonl",
                policy=policy_of(*SHARES, quorum="either"),
                gap=unnamed,
                **fields,
            ),
            make.given(
                "share-in-real-cards",
                journal(base("real-cards")),
                path="honest/real-cards.jsonl",
                policy=policy_of(*SHARES, quorum="either"),
                gap="watcher, whose share was asked for, has no part in the order of real cards",
                **fields,
            ),
            make.given("added", _added(), policy=policy_of(*SHARES, quorum="either"), gap="the last 1 of", **fields),
        ],
    )


def _added() -> bytes:
    """The watcher has cosigned all but the last entry, which the house alone has signed."""
    records = base()
    size = len(records) - 1
    first = journal(records[:size], checkpoint(records, size)).splitlines(keepends=True)
    last = journal(records, checkpoint(records, witnessed=False)).splitlines(keepends=True)
    return b"".join([*first, *last[-2:]])


def honest() -> Iterator[Case]:
    """Honest files under policies that they meet, with receipts that they hold, and with what was seen of them."""
    data = journal(base())
    usual: Json = {"path": ORDER_2, "data": data, "status": GOOD, "status_without_rules": UNCOVERED}
    for name, policy in (
        ("either", policy_of(*SHARES, quorum="either")),
        ("watcher", policy_of(*SHARES, quorum="watcher")),
        ("watcher-alone", policy_of(SHARES[0], quorum="watcher", witnessed=False).replace(b"\n", b"\r\n")),
    ):
        gap = "1 of 2 checked" if name == "watcher-alone" else ""
        status: Json = {"status": UNCOVERED, "gap": gap} if gap else {}
        yield Case(**{**usual, **status, "keys": (), "policy": {f"honest/{name}.policy": policy}})
    both = cosigned(checkpoint(base()), SECOND_WITNESS)
    yield Case(
        path="honest/cosigned-by-two.jsonl", data=journal(base(), both), keys=(), status=GOOD,
        status_without_rules=UNCOVERED, policy={"honest/both.policy": policy_of(*SHARES)},
    )  # fmt: skip
    yield Case(**usual, receipts={"wager.receipt": of_wager()})
    sealed = next(n for n, r in enumerate(base()) if r.get("command", {}).get("do") == "seal_order")
    yield Case(
        **usual,
        receipts={"honest/seal.receipt": receipt_of(base(), sealed), "wager.receipt": of_wager()},
    )
    for name, size in (("the-same", None), ("shorter", 40)):
        yield Case(**usual, memory={f"honest/{name}.memory": memory_of(checkpoint(base(), size))})
    other = checkpoint(base("order-1"), origin="example.org/other/table/1")
    yield Case(**usual, memory={"honest/of-another-log.memory": memory_of(other)})


# ------------------------------------------------------------------------------------------------------- memory


def memory_of(*notes: SignedNote) -> bytes:
    """What a reader remembers of logs."""
    texts = {note.text.partition("\n")[0]: bytes(note).decode() for note in notes}
    return json.dumps({"checkpoints": texts}, ensure_ascii=False).encode() + b"\n"


def _told_before() -> list[Json]:
    records = base()
    records[3]["at"] += 1
    return records


def memories() -> Kinds:
    """Histories that are not those which a reader has seen before."""
    data = journal(base())
    aim = "a log is told otherwise to a reader who has seen it before"
    make = of_kind("history-signed-before", "house", aim, MEMORY)
    yield (
        make.kind,
        [
            make.given("the-same-size", data, path=ORDER_2, memory=memory_of(checkpoint(_told_before()))),
            make.given("grown", data, path=ORDER_2, memory=memory_of(checkpoint(_told_before(), 40))),
            make.given(
                "bundle",
                canonical(bundle("round")),
                is_bundle=True,
                memory=memory_of(checkpoint(_told_before())),
            ),
        ],
    )
    make = of_kind("shown-less-than-before", "house", "entries that were seen before are left out", COVERAGE)
    fields: Json = {"status": UNCOVERED, "status_without_rules": UNCOVERED}
    size = len(base())
    seen = f"{size:,} entries of {LOG.verifier.name} were seen before, and this has {size - 1:,}"
    continued = f"nothing shows whether it continues the 40 entries of {LOG.verifier.name} seen before"
    shorter = journal(base()[:-1])
    yield (
        make.kind,
        [
            make.given("shorter", shorter, memory=memory_of(checkpoint(base())), gap=seen, **fields),
            make.given(
                "a-round-alone",
                canonical(bundle("round")),
                is_bundle=True,
                memory=memory_of(checkpoint(base(), 40)),
                gap=continued,
                **fields,
            ),
        ],
    )
    make = of_kind(
        "memory-not-in-form", "outsider with the disk", "a reader is made to forget what it has seen", UNREAD
    )
    yield (
        make.kind,
        [make.given(name, data, path=ORDER_2, memory=memory, **READER) for name, memory in MEMORIES.items()],
    )


MEMORIES: dict[str, bytes] = {
    "a-list": b"[]\n",
    "more-fields": b'{"checkpoints": {}, "x": 1}\n',
    "checkpoints-a-list": b'{"checkpoints": []}\n',
    "checkpoint-a-number": b'{"checkpoints": {"example.org/house/table/1": 7}}\n',
    "checkpoint-no-note": b'{"checkpoints": {"example.org/house/table/1": "x"}}\n',
    "of-another-log": memory_of(checkpoint(base(), 40)).replace(b'"example.org/house/table/1":', b'"x":'),
}


def cases() -> Kinds:
    """All of them."""
    yield from receipts()
    yield from policies()
    yield from memories()
