"""What a price is based on: the elections of a Submission with their clauses, and the readings in force."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from baccarat.law.clause import Citation
from baccarat.law.coverage import accounts
from baccarat.law.reading import Reading, readings
from baccarat.law.rulebook import Rulebook
from baccarat.law.submission_check import condition_value
from baccarat.money import Cents
from baccarat.odds import ShoeCounts
from baccarat.play.book import open_book
from baccarat.play.wager.royal9 import progressive

MONEY = ("limits.", "must_hit.", "royal9.seeds")
"""Places whose numbers are cents."""


class Election(msgspec.Struct, frozen=True, kw_only=True):
    """One key of a Submission in force: its value in words, whether it was filed, and its clauses."""

    key: str
    description: str
    value: str
    filed: bool
    cites: tuple[str, ...]


class ReadingInForce(msgspec.Struct, frozen=True, kw_only=True):
    """A reading that some clause of the edition relies on."""

    reading: Reading
    cites: tuple[str, ...]
    bears: bool
    """Whether a clause behind a price relies on it."""
    elected: tuple[str, ...]
    """The keys by which a licensee may change it, with their values."""


def shoe_in_words(shoe: ShoeCounts) -> str:
    """A shoe in words from which it can be priced again: whole, or with its counts as `--left` accepts them."""
    whole = f"{shoe.size} of {52 * shoe.decks} cards, {shoe.decks} decks"
    if shoe.size == 52 * shoe.decks:
        return whole
    return f"{whole}; left by {shoe.grain}: {' '.join(map(str, shoe.left))}"


def elections(rules: Rulebook) -> tuple[Election, ...]:
    """Every election in force, in the edition's order; tables are split into their entries."""
    found = []
    for key, option in rules.edition.options.items():
        value = rules.elects(key)
        if value is None:
            continue
        cites = paragraphs(rules, option.cite)
        description = option.description
        for place, each in _parts(key, msgspec.to_builtins(value)):
            words = " of ".join(map(str, each)) if option.states == "part" else _words(place, each)
            found.append(
                Election(key=place, description=description, value=words, filed=key in rules.stated, cites=cites)
            )
            description = ""  # given once for all parts of a table
    return tuple(found)


def reading_reference(rules: Rulebook, name: str) -> str:
    """The reference to a reading, for the end of a statement; empty if the edition does not rely on it."""
    return f" (reading {name})" if name in _clauses_by_reading(rules) else ""


def _clauses_by_reading(rules: Rulebook) -> dict[str, list[str]]:
    """Each reading that the edition relies on, with the clauses that do."""
    leaning: dict[str, list[str]] = {}
    account = accounts(rules.edition)
    for key, clause in rules.edition.clauses.items():
        for name in sorted({*clause.readings, *account[key].readings}):
            leaning.setdefault(name, []).append(key)
    return leaning


def readings_in_force(rules: Rulebook) -> tuple[ReadingInForce, ...]:
    """The readings that the clauses of the edition rely on, with what was elected about them."""
    leaning = _clauses_by_reading(rules)
    bearing = _relevant_clauses(rules)
    return tuple(
        ReadingInForce(
            reading=reading,
            cites=paragraphs(rules, leaning[name]),
            bears=any(key in bearing or rules.edition.clauses[key].paragraph in bearing for key in leaning[name]),
            elected=tuple(
                f"{switch.name} = {_words(switch.name, condition_value(rules.elects(switch.name)))}"
                for switch in reading.switches
                if rules.edition.name in switch.editions and rules.elects(switch.name) is not None
            ),
        )
        for name, reading in readings().items()
        if name in leaning
    )


def paragraphs(rules: Rulebook, keys: tuple[str, ...] | list[str]) -> tuple[str, ...]:
    """The document's paragraphs of these clauses, each once: `§12(c)`."""
    return tuple(f"§{cite.paragraph}" for cite in rules.cite(*keys))


def _relevant_clauses(rules: Rulebook) -> set[str]:
    """The paragraphs and clauses that say when an offered wager wins, what it pays, and which cards are drawn."""
    book, progress = open_book(rules), progressive(rules)
    cites: list[Citation] = [*book.vig_cites, *book.exempt_cites]
    for on in book.offered:
        cites += [cite for verdict in book.table(on) if verdict is not None for cite in verdict.cites]
    for row in rules.edition.tableau:
        cites += rules.cite(*row.cite)
    if progress is not None:
        cites += [*progress.cites, *(cite for prize in progress.prizes for cite in prize.cites)]
    keys: list[str] = []
    if rules.edition.house_money is not None and rules.elects("house_money"):
        keys += rules.edition.house_money.press_cite
    if rules.edition.must_hit is not None and rules.elects("must_hit"):
        keys += rules.edition.must_hit.cite
    if rules.edition.match_play is not None and rules.elects(rules.edition.match_play.offered):
        keys += rules.edition.match_play.cite
    return {*keys, *(cite.paragraph for cite in cites)}


def _parts(key: str, value: Any) -> Iterator[tuple[str, Any]]:
    """A table as one entry for each of its own entries; anything else as it is."""
    if not isinstance(value, Mapping):
        yield key, value
        return
    for name, entry in value.items():
        yield f"{key}.{name}", entry


def _words(place: str, value: Any) -> str:
    """A value as a Submission writes it, sums of money in dollars."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        return ", ".join(f"{str(name).replace('_', ' ')} {_words(place, entry)}" for name, entry in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(_words(place, each) for each in value)
    return str(Cents(value)) if isinstance(value, int) and place.startswith(MONEY) else str(value)
