"""Honest files of the conformance corpus, each with keys that cover it, and with fewer."""

from __future__ import annotations

import re
from collections.abc import Iterator

from baccarat.audit.bundle.form import Scope, write_bundle
from baccarat.audit.bundle.make import BundleJournal, make_bundle
from baccarat.record.journal import JournalReader, write_note
from baccarat.record.note import sign_note
from corpus_base import (
    ALL,
    BASES,
    LOG,
    NAMED,
    OUTSIDER,
    PLAIN,
    SHARE,
    STREAM,
    base,
    checkpoint,
    cosigned,
    journal,
    keys_of,
    lines_of,
    successor,
    with_event,
)
from corpus_bundle import bundle
from corpus_case import GOOD, UNCOVERED, Case, forged, remade_records
from corpus_shoe import following
from corpus_signature import continued, root_at
from remade import canonical

BY_VERSION_2 = "(decided by the rules of version 2, which the journal itself claims)"
GAPS = {
    "lost-seed": "is reported lost",
    "overdue-and-lost": "is reported lost",
    "unstated": "the opening does not say what cards the table has",
    "left-out": "whose share was asked for, is not named in the order of shoe 2",
    "order-1": BY_VERSION_2,
}
"""What is not covered of a table, whoever gives all its keys."""


def _case(name: str, data: bytes, keys: tuple[str, ...] = ALL, gap: str = "", **fields: object) -> Case:
    """An honest file: status 0, or 3 where there is a gap."""
    status = UNCOVERED if gap else GOOD
    return Case(
        path=f"honest/{name}", data=data, keys=keys, status=status, status_without_rules=UNCOVERED, gap=gap, **fields  # type: ignore[arg-type]
    )  # fmt: skip


def cases() -> Iterator[Case]:
    """All of them."""
    yield from tables()
    yield from followed()
    yield from reaches()
    yield from unfinished()
    yield from unused()
    yield from bundles()


def tables() -> Iterator[Case]:
    """Whole tables, signed and cosigned to their end, under more keys and fewer."""
    for name in BASES:
        if name in ("failed", "fouled"):
            continue  # a house that cheated by the rules of its own table
        yield _case(f"{name}.jsonl", journal(base(name)), keys_of(name), GAPS.get(name, ""))
    unstated = [record | {"behaviour": 2} for record in base("unstated")]
    yield _case("unstated-in-version-2.jsonl", journal(remade_records(unstated)), gap=BY_VERSION_2)
    yield _case("left-out.jsonl", journal(base("left-out")), gap="who has a share in the orders of the table")
    yield _case("left-out.jsonl", journal(base("left-out")), PLAIN, "0 of 2 checked")
    data = journal(base("house-alone"))
    yield _case("house-alone.jsonl", data, (*PLAIN, "share 1"), f"{SHARE[0].verifier.name} signed none of it")
    data = journal(base())
    yield _case("order-2.jsonl", data, ("outsider", *ALL), f"{LOG.verifier.name} signed none of it")
    yield _case("order-2.jsonl", data, ("house", *ALL[1:]))
    yield _case("order-2.jsonl", data, (), "no key was given")
    yield _case("order-2.jsonl", data, PLAIN, "0 of 2 checked")
    yield _case("order-2.jsonl", data, (*PLAIN, "share 2"), "1 of 2 checked")
    yield _case("order-2.jsonl", data, ALL[1:], "no key that was given has signed it")
    yield _case(
        "order-2.jsonl", data, (*ALL, "second witness"), "not cosigned by the witnesses that were asked for (2)"
    )


def followed() -> Iterator[Case]:
    """Tables that took over what two persons had stated in the book of their pit, whose stream is not in the file."""
    gap = "the act of the pit A that it follows is not in the file"
    two: list[str] = list(NAMED)
    for name, of, before, forge in (
        ("no-witnesses", "house-alone", two, following("witnesses_changed", "shoe_committed", witnesses=[])),
        ("two-witnesses", "order-2", [], following("witnesses_changed", "shoe_committed", witnesses=two)),
        ("kind-adopted", "unstated", None, following("kind_adopted", cards="electronic")),
    ):
        records = forged(base(of), forge)
        if before is not None:
            records[0]["witnesses"] = before
        yield _case(f"{name}.jsonl", journal(remade_records(records)), ALL, gap)


def reaches() -> Iterator[Case]:
    """What is signed or cosigned in part, or not at all."""
    records = base()
    lines, size = lines_of(records), len(records)
    yield _case("unsigned.jsonl", b"".join(lines), ALL, "there is no checkpoint")
    part = b"".join(
        [*lines[:40], journal(records[:40], checkpoint(records, 40)).splitlines(keepends=True)[-1], *lines[40:]]
    )
    yield _case("signed-in-part.jsonl", part, ALL, f"the last {size - 40} of {size} entries are not signed")
    both = b"".join([part, journal(records, checkpoint(records, witnessed=False)).splitlines(keepends=True)[-1]])
    yield _case("cosigned-in-part.jsonl", both, ALL, f"the last {size - 40} of {size} entries are not cosigned")
    yield _case("cosigned-in-part.jsonl", both, ("log", *ALL[2:]))
    lines = [*lines_of(records)[:40], write_note(checkpoint(records, 40, signer=OUTSIDER), STREAM), *lines[40:]]
    replaced = b"".join([*lines, write_note(checkpoint(records), STREAM)])
    gap = f"{LOG.verifier.name} has signed it to entry 40 only"
    yield _case("signed-by-two-keys.jsonl", replaced, ("outsider", *ALL), gap)
    lines = lines_of(records)
    beside = {"checkpoint-beside-it.jsonl.checkpoint": bytes(checkpoint(records))}
    yield _case("checkpoint-beside-it.jsonl", b"".join(lines), ALL, beside=beside)
    silent = journal(records, checkpoint(records, origin="example.org/house/table/1/2"))
    yield _case("successor.jsonl", silent, ("house", *ALL[1:]), "does not name its predecessor")
    say = "continues example.org/house/table/1, of which {} entries were signed: some entries were lost"
    for name, of in {
        "another-house": "example.org/other/table/1",
        "a-later-log": "example.org/house/table/1/3",
    }.items():
        data = continued(successor(base("real-cards"), 40, root_at(40), of=of))
        yield _case(f"successor-of-{name}.jsonl", data, ("house", "witness"), "does not name its predecessor")
    for name, lost in {"continued": 60, "continued-at-its-end": 40}.items():
        root = root_at(40) if lost == 40 else bytes(32)
        data = continued(successor(base("real-cards"), lost, root))
        yield _case(f"successor-{name}.jsonl", data, ("house", "witness"), say.format(lost))
    note = bytes(successor(base("real-cards"), 40, root_at(40))).decode()
    line = re.sub(r"(successor-of/v1 \S+ 40) \S+", r"\1 AAAA", note.partition("\n\n")[0])
    signer = LOG.with_name(f"{LOG.verifier.name}/2")
    data = continued(cosigned(sign_note(f"{line}\n", signer)))
    yield _case("successor-with-a-short-root.jsonl", data, ("house", "witness"), "does not name its predecessor")
    misnamed = journal(base("order-1"), checkpoint(base("order-1"), origin="example.org/house"))
    stated = base()
    stated[0]["witnesses"] = [str(signer.verifier) for signer in SHARE]
    yield _case("witnesses-stated.jsonl", journal(remade_records(stated)))
    yield _case("misnamed.jsonl", misnamed, ("house", "witness"), "does not say that it is of table 1")


def unfinished() -> Iterator[Case]:
    """Shoes that were not played to their end when the file was written."""
    for name, event, gap in (
        ("committed", "contribution_made", "the seed of shoe 1 is not shown"),
        ("closed", "inputs_closed", "closed, not sealed yet"),
        ("share-open", "share_given", "closed, not sealed yet"),
        ("sealed", "order_sealed", "2 witnesses named, 2 shown"),
        ("in-play", "card_turned", "the seed of shoe 1 is not shown"),
        ("round-over", "table_cleared", "the seed of shoe 1 is not shown"),
        ("overdue-not-shown", "seed_overdue", "the seed of shoe 1 is not shown"),
    ):
        records = base("overdue" if event == "seed_overdue" else "order-2")
        yield _case(f"{name}.jsonl", journal(records[: records.index(with_event(records, event)) + 1]), ALL, gap)


def unused() -> Iterator[Case]:
    """Shoes that were sealed, and never dealt from; nobody but the house knows why."""
    for name, keys in (("order-2", ALL), ("house-alone", PLAIN), ("order-1", PLAIN)):
        records = base(name)
        loaded = records.index(with_event(records, "shoe_loaded"))
        yield _case(f"{name}-not-dealt.jsonl", journal(records[:loaded]), keys, "the seed of shoe 1 is not shown")


def bundles() -> Iterator[Case]:
    """Bundles of every scope."""
    source = BundleJournal(JournalReader().read(enumerate(lines_of(base()), start=1)))
    note = checkpoint(base())
    for kind, fields in {
        "all": {},
        "shoe": {"shoe": 1},
        "round": {"shoe": 1, "round": 1},
        "day": {"day": "2026-11-15"},
    }.items():
        scope = Scope(kind=kind, stream=STREAM, **fields)  # type: ignore[arg-type]
        gap = "it is not known whether more was done on that day" if kind == "day" else ""
        yield _case(f"{kind}.json", write_bundle(make_bundle(source, scope, note=note)), ALL, gap)
    yield from _unfinished_bundles()
    stated = "the state of the table before record 51 is stated by the bundle, not proved"
    yield _case("second-shoe.json", canonical(bundle("left-out")), (*PLAIN, "share 1"), stated)
    older = bundle("left-out")
    state = older["before"]["state"]
    del state["seats"]["relieved"], state["shoe"]["given_before"]
    yield _case("second-shoe-of-an-earlier-version.json", canonical(older), (*PLAIN, "share 1"), stated)
    lost = BundleJournal(JournalReader().read(enumerate(lines_of(base("lost-seed")), start=1)))
    scope = Scope(kind="round", stream=STREAM, shoe=1, round=1)
    data = write_bundle(make_bundle(lost, scope, note=checkpoint(base("lost-seed"))))
    yield _case("round-of-a-lost-seed.json", data, ALL, "the seed of shoe 1 is reported lost")
    first = bundle("all")
    begun = canonical({"checkpoint": first.pop("checkpoint")})
    yield _case("checkpoint-first.json", begun[:-1] + b"," + canonical(first)[1:], ALL)
    whole = Scope(kind="all", stream=STREAM)
    yield _case("unsigned.json", write_bundle(make_bundle(source, whole)), ALL, "there is no checkpoint")


def _unfinished_bundles() -> Iterator[Case]:
    """A shoe and a round that were still played when the bundle was made."""
    records = base()
    turned = records.index(with_event(records, "card_turned"))
    source = BundleJournal(JournalReader().read(enumerate(lines_of(records[: turned + 1]), start=1)))
    for kind, fields in {"shoe": {"shoe": 1}, "round": {"shoe": 1, "round": 1}}.items():
        scope = Scope(kind=kind, stream=STREAM, **fields)  # type: ignore[arg-type]
        data = write_bundle(make_bundle(source, scope, note=checkpoint(records[: turned + 1])))
        for gap in (f"the {kind} was not over at its last record", "the seed of shoe 1 is not shown"):
            yield _case(f"{kind}-in-play.json", data, ALL, gap)
