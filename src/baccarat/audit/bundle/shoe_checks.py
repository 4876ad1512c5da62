"""The checks of a bundle's electronic shoes: what they promised, compared with what they showed; whose shares count."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from baccarat.audit.bundle.derivation import DerivationBudget
from baccarat.audit.bundle.form import Bundle
from baccarat.audit.bundle.published_shoe import PublishedShoe
from baccarat.audit.bundle.published_table import PublishedTable
from baccarat.audit.bundle.verdict import BundleCheck, failed_check, gap_check, passed_check, skipped_check
from baccarat.audit.shuffle import not_in_real_cards, not_named
from baccarat.house.stream import stream_name
from baccarat.record.entry import NO_BYTES, ActRecord, StreamOpening
from baccarat.record.journal import JournalLine
from baccarat.record.key import MissingCryptography, Verifier
from baccarat.record.policy import Policy
from baccarat.table.shoe_state import shoe_in_words
from baccarat.table.table_cards import StatedCards
from baccarat.table.witness_keys import StatedWitnesses
from baccarat.values import count_text

PROOFS, SEEDS, ORDERS, CONTRIBUTED = "proofs of cards", "seeds", "orders", "contributions"

TOO_MANY_CARDS = "was not derived again: the file has too few records for that many cards"


def published_table(
    bundle: Bundle,
    lines: list[tuple[int, JournalLine]],
    origins: Sequence[str],
    budget: DerivationBudget | None = None,
) -> PublishedTable:
    """What each electronic shoe committed to, closed, sealed, proved and opened."""
    budget = budget or DerivationBudget(sum(len(line.body) for _, line in lines))
    opening = lines[0][1].entry
    name = stream_name(bundle.scope.stream)
    if isinstance(opening, StreamOpening):
        state = _state_before(bundle, opening)
        table = PublishedTable(name, origins, state.cards, state.witnesses, opening.reveal_within, budget)
    else:  # a forged bundle, as `_order_faults` says
        table = PublishedTable(name, origins, budget=budget)
    for _, line in lines:
        record = line.entry
        if isinstance(record, ActRecord) and record.events:
            command = None if record.command is NO_BYTES else msgspec.json.decode(bytes(record.command))
            events = [msgspec.json.decode(bytes(raw)) for raw in record.events]
            table.add_record(record.seq, command, events, line.body, at=record.at, behaviour=record.behaviour)
    return table


class _StateBefore(msgspec.Struct):
    cards: StatedCards = msgspec.UNSET
    witnesses: StatedWitnesses = msgspec.UNSET


def _state_before(bundle: Bundle, opening: StreamOpening) -> _StateBefore:
    """What the table is and who its witnesses are where the run of a bundle begins; a later run states its state."""
    if bundle.before is None:
        return _StateBefore(opening.cards, opening.witnesses)
    try:
        state = msgspec.json.decode(bytes(bundle.before.state), type=_StateBefore)
    except msgspec.MsgspecError:
        return _StateBefore(opening.cards)  # deciding it again says what is wrong with the state
    return state if opening.cards is msgspec.UNSET else _StateBefore(opening.cards, state.witnesses)


def shoe_checks(table: PublishedTable, policy: Policy) -> Iterator[BundleCheck]:
    """What electronic shoes promised, compared with what they showed."""
    shoes, faults = table.shoes, [f"record {fault.seq}: {fault.say}" for fault in table.all_faults()]
    if faults:
        yield failed_check(PROOFS, faults[0], more=faults[1:])
        return
    if not shoes:
        none = "no card was shown" if table.is_electronic else "real cards are shown on the dealer's word"
        yield skipped_check(PROOFS, f"no electronic shoe: {none}")
        yield from _unnamed_checks(table, policy)
        return
    # Each card has its proof. Of a shoe that is over the seed must give all of it again; of others it is still secret.
    yield passed_check(PROOFS, f"{sum(shoe.proved for shoe in shoes):,} cards, each by its proof under the sealed root")
    yield from _seed_checks(table)
    # Who had a part in the order? Seats that contributed may be anybody's; a witness is known by its key.
    for shoe in shoes:
        if shoe.is_unused or (shoe.root and not shoe.has_no_witness):
            yield _order_check(shoe, policy.share_keys)
    yield from _unnamed_checks(table, policy)
    known = [shoe_in_words(shoe.held.shoe) for shoe in shoes if shoe.has_no_witness and not shoe.is_unused]
    if known:
        which = "order of shoe" if len(known) == 1 else "orders of shoes"
        names = ", ".join(known[:5]) + (" …" if len(known) > 5 else "")
        what = "this order" if len(known) == 1 else "them"
        say = f"{which} {names}: the house alone could have known {what} beforehand"
        yield skipped_check(ORDERS, say)
    sealed = [shoe for shoe in shoes if shoe.root]
    given = sum(shoe.contributions for shoe in sealed)
    many = count_text(len(sealed), "shoe")
    if given:
        yield passed_check(
            CONTRIBUTED, f"{count_text(given, 'seat')} contributed to the orders of {many}; anybody may sit there"
        )
    elif sealed:
        yield skipped_check(CONTRIBUTED, f"no seat contributed to {many}")


def _unnamed_checks(table: PublishedTable, policy: Policy) -> Iterator[BundleCheck]:
    """Witnesses that were asked for, and that have no part in some of the orders."""
    named = {shoe.held.shoe: {witness.key for witness in shoe.held.witnesses} for shoe in table.shoes}
    asked = policy.asked_shares(set().union(*named.values()))
    for key, name in asked.items():
        ordered = [shoe.held.shoe for shoe in table.shoes if shoe.root]
        without = [each for each in ordered if key not in named[each]]
        if without:
            yield gap_check(ORDERS, not_named(name, without))
    if table.has_real_cards:
        yield from (gap_check(ORDERS, not_in_real_cards(name)) for name in asked.values())


def _seed_checks(table: PublishedTable) -> Iterator[BundleCheck]:
    """Which seeds were opened, which are not shown, and which were late."""
    opened = [shoe for shoe in table.shoes if shoe.seed]
    if opened:
        cards = sum(shoe.derived for shoe in opened)
        yield passed_check(
            SEEDS, f"{count_text(len(opened), 'shoe')}: commitment, order, root and {cards:,} cards follow from it"
        )
    for shoe in table.shoes:
        if shoe.is_underived:
            yield gap_check(SEEDS, f"the order of shoe {shoe_in_words(shoe.held.shoe)} {TOO_MANY_CARDS}")
        if not shoe.seed:
            why = "is reported lost" if shoe.is_lost else "is not shown: the shoe was not over, or it was left out"
            yield gap_check(SEEDS, f"the seed of shoe {shoe_in_words(shoe.held.shoe)} {why}")
    yield from (skipped_check(SEEDS, say) for say in table.reveals.remarks())


def _order_check(shoe: PublishedShoe, trusted: Sequence[Verifier]) -> BundleCheck:
    """Whose shares an order depends on, and whether their signatures are by keys that the reader has."""
    say, named = shoe.order_words, len(shoe.held.witnesses)
    known = {str(key): key for key in trusted}
    checked = 0
    for text, note in shoe.notes.items():
        key = known.get(text)
        try:
            if key is not None and not key.verifies(note.text, note.signature):
                return failed_check(ORDERS, f"{say}; the signature of {key.name} is wrong")
            checked += key is not None
        except MissingCryptography as error:
            say = f"{say}; {error}"
            break
    if shoe.root and checked < named:
        say = f"{say}, {checked} of {named} checked: give the missing share keys with --key"
    return gap_check(ORDERS, say) if shoe.is_unused or checked < named else passed_check(ORDERS, say)
