"""Editions: one document each, whole, in its own order, read from TOML and checked on loading."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import msgspec

from baccarat.law import section
from baccarat.law.cached_value import cached_per_argument
from baccarat.law.clause import Citation, Clause, clauses_of, is_citable, own_clauses
from baccarat.law.edition_file import OPTIONAL_SECTIONS, SECTIONS, definitions_of, sections_of, with_lists
from baccarat.law.error import RulesError, UnknownClause, hint, unknown_message
from baccarat.law.fact import FACTS, OPENINGS, Definitions, Finish, facts_for_hand, facts_of, finishes
from baccarat.law.row import Draw, PayRule, answer, assignments, parse_rule, rules_in_force
from baccarat.law.section import OUR_WORDS, is_cite
from baccarat.law.shipped_file import shipped_names, shipped_table, shipped_text
from baccarat.law.toml_file import parse_toml, read_text
from baccarat.law.wager_name import WagerKind
from baccarat.money import Ratio
from baccarat.values import expect, short_repr


class WagerRules(msgspec.Struct, frozen=True, kw_only=True):
    """One kind of wager as players know it, with its parsed rules."""

    name: str
    law: section.WagerLaw
    hand: str | None
    rules: tuple[PayRule, ...]

    @property
    def title(self) -> str:
        """The wager as the document calls it, with its hand where there is one on each."""
        if self.hand is None or self.law.title.lower() == self.hand:
            return self.law.title
        return f"{self.law.title} on {self.hand.capitalize()}"


class Edition(msgspec.Struct, frozen=True, kw_only=True, eq=False, dict=True):
    """One rule document as data."""

    name: str
    title: str
    jurisdiction: str
    revision: int
    clauses: dict[str, Clause]
    definitions: Definitions
    options: dict[str, section.Option]
    constraints: tuple[section.Constraint, ...]
    wagers: dict[str, WagerRules]
    tableau: tuple[Draw, ...]
    calls: tuple[section.CallLaw, ...]
    steps: tuple[section.StepRow, ...]
    steps_left_out: tuple[str, ...]
    uniform: tuple[section.Uniform, ...]
    notices: tuple[section.NoticeLaw, ...]
    pays: dict[str, Any]
    record: section.RecordDefaults
    cut: section.CutLaw
    burn: section.Burn
    point_count: section.PointCount
    no_more_bets: section.NoMoreBets
    deal: section.Deal
    reveal: section.Reveal
    third_card: section.ThirdCard
    settlement: section.SettlementLaw
    vigorish: section.Vigorish
    void: section.VoidLaw
    match_play: section.MatchPlay | None
    verbal: section.VerbalLaw | None
    free_hand: section.FreeHand | None
    house_money: section.HouseMoneyLaw | None
    royal9: section.Royal9Law | None
    must_hit: section.MustHitLaw | None
    curator: section.Curator | None
    vigorish_form: section.VigorishForm | None
    error_card: section.ErrorCard
    face_up: section.RemedyLaw
    manual_shuffle: section.ManualShuffle | None
    finishes: tuple[Finish, ...]
    facts: dict[Finish, dict[str, Any]]
    pending: dict[str, tuple[str, ...]]
    physical: dict[str, str]
    table: dict[str, Any]

    def __repr__(self) -> str:
        return short_repr(self, f"{self.name}, revision {self.revision}, {len(self.clauses)} clauses: {self.title}")

    def call(self, name: str) -> section.CallLaw:
        """The call of this name, which the edition has been checked to have."""
        return next(call for call in self.calls if call.name == name)

    def cite(self, *keys: str) -> tuple[Citation, ...]:
        """The citations of these clauses, each paragraph once, in order."""
        return _cite(self, keys)

    def cite_text(self, *keys: str) -> tuple[str, ...]:
        """The citations of these clauses as printed."""
        return _cite_text(self, keys)

    def bindings(self) -> Iterator[tuple[str, str]]:
        """Each clause with the place in the edition that rules it."""
        yield from _bindings(self.table, "")

    @cached_property
    def content(self) -> str:
        """SHA-256 over what this edition says: its law and its citations, in canonical form.

        Not over our own words about it: titles and descriptions may be put better without a change in law.
        """
        import hashlib  # noqa: PLC0415  only needed here

        said = {word: _law(value) for word, value in self.table.items() if word not in NOT_LAW}
        said["option"] = {key: option for key, option in said["option"].items() if not option.get("house")}
        return hashlib.sha256(msgspec.json.encode(said, order="sorted")).hexdigest()


NOT_LAW = (*OUR_WORDS, "name", "jurisdiction", "revision", "record", "clause", "pending", "physical", "steps_left_out")
"""Sections that are not law: the name of the edition, how records are read, what our catalogue says, and which steps
are left out on purpose, which the rows of the steps show anyway."""
SPLIT_LATER = ("in_shoe_cite",)
"""Keys that cite a part which our catalogue has split off a paragraph that is cited already: no change in law."""


def _law(node: Any) -> Any:
    """What a part of an edition says, without our own words."""
    if isinstance(node, Mapping):
        return {str(key): _law(value) for key, value in node.items() if key not in OUR_WORDS + SPLIT_LATER}
    return [_law(value) for value in node] if isinstance(node, list) else node


@cached_per_argument
def _cite(edition: Edition, keys: tuple[str, ...]) -> tuple[Citation, ...]:
    found = {Citation(edition=edition.name, paragraph=edition.clauses[key].paragraph): None for key in keys}
    return tuple(found)


@cached_per_argument
def _cite_text(edition: Edition, keys: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(map(str, _cite(edition, keys)))


def _bindings(node: Any, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(node, Mapping):
        for key, value in node.items():
            if is_cite(key):
                place = path if key == "cite" else f"{path}.{key.removesuffix('_cite')}"
                yield from ((clause, place) for clause in value)
            elif not (path == "" and key in ("pending", "physical", "clause")):
                yield from _bindings(value, f"{path}.{key}" if path else key)
    elif isinstance(node, list):
        for index, value in enumerate(node):
            yield from _bindings(value, f"{path}[{index}]")


def _wagers(laws: Mapping[str, section.WagerLaw], definitions: Definitions) -> dict[str, WagerRules]:
    found: dict[str, WagerRules] = {}
    known = (*FACTS, *definitions.names())
    for name, law in laws.items():
        rows = enumerate(law.rules)
        rules = tuple(parse_rule(row, path=f"wager.{name}.rules[{at}]", known_facts=known) for at, row in rows)
        names = law.on or {name: law.hand or ""}
        for kind, hand in names.items():
            found[kind] = WagerRules(name=kind, law=law, hand=hand or None, rules=rules)
    return found


def build(source: Mapping[str, Any]) -> Edition:
    """The edition that a table describes, checked: every row known, every question answered once."""
    table: dict[str, Any] = with_lists(source)
    found = sections_of(table)
    name = found["name"]
    if not is_citable(name):
        raise RulesError(f"name: {name!r} cannot be cited; expected a word without spaces, such as atlantis-1")
    laws: dict[str, Any] = {word: found.get(word) for word in (*SECTIONS, *OPTIONAL_SECTIONS)}
    # Definitions come first: the facts of every finish, and so every rule below, are stated in them.
    definitions = definitions_of(table["definition"])
    from baccarat.law import soundness  # noqa: PLC0415  many modules, and only loading an edition needs them

    soundness.check_definitions(definitions)
    tableau = found["tableau"]
    possible = tuple(finishes(tableau, definitions))
    edition = Edition(
        name=name,
        title=found["title"],
        jurisdiction=found.get("jurisdiction", ""),
        revision=found.get("revision", 1),
        clauses=own_clauses(name, found["clause"]) if "clause" in found else clauses_of(name),
        definitions=definitions,
        options=found["option"],
        constraints=found.get("constraint", ()),
        wagers=_wagers(found["wager"], definitions),
        tableau=tableau,
        calls=found["call"],
        steps=found["step"],
        steps_left_out=found.get("steps_left_out", ()),
        uniform=found.get("uniform", ()),
        notices=found.get("notice", ()),
        pays=table["pays"],
        record=found["record"],
        finishes=possible,
        facts={finish: facts_of(finish, definitions) for finish in possible},
        pending=found.get("pending", {}),
        physical=found.get("physical", {}),
        table=table,
        **laws,
    )
    # Only a sound edition makes its wagers known to the rest of the program.
    _check(edition)
    for wager in edition.wagers:
        WagerKind.define(wager)
    return edition


def _check(edition: Edition) -> None:
    """Every citation resolves, every name is known, and each wager is answered exactly once in every case."""
    from baccarat.law import soundness  # noqa: PLC0415  see above

    soundness.check(edition)  # first: the checks below rely on it
    for clause, place in edition.bindings():
        if clause not in edition.clauses:
            say = f"{edition.name}: {place} cites {clause!r}, which is not a clause"
            raise UnknownClause(say + hint(str(clause), edition.clauses))
    for wager in edition.wagers.values():
        if wager.rules:
            _check_answers(edition, wager)


def _check_answers(edition: Edition, wager: WagerRules) -> None:
    options = {key: values_of(edition.options[key]) for rule in wager.rules for key in rule.when}
    cases: list[Mapping[str, Any]]
    if wager.law.early or wager.law.opening:
        cases = list(OPENINGS)
    else:
        cases = [facts_for_hand(facts, wager.hand, edition.definitions) for facts in edition.facts.values()]
    # Cases that the rules cannot tell apart have one answer: the first of them stands for the others.
    asked = {key for rule in wager.rules for key in rule.facts}
    distinct: dict[tuple[Any, ...], Mapping[str, Any]] = {}
    for facts in cases:
        distinct.setdefault(tuple(map(facts.get, asked)), facts)
    for elections in assignments(options):
        rules = rules_in_force(wager.rules, elections)
        question = f"{edition.name}: wager.{wager.name}.rules under {elections}"
        for facts in distinct.values():
            answer(rules, facts, question=question)


def values_of(option: section.Option) -> tuple[Any, ...]:
    """Every value that an option with a closed list can have; *none* where it may be left out."""
    if option.may:
        return (False, True)
    if option.shall is not None:
        return (option.shall,)
    return (*option.elect, "none") if option.optional else option.elect


DRAGON_TABLE = "dragon_paytable"
"""The option by which a pay table is elected where an entry does not name another."""


def pay_entry(edition: Edition, name: str) -> Mapping[str, Any]:
    """The entry of the pay tables that a rule names, such as `tie` or `dragon.win_by_9`."""
    entry: Any = edition.pays
    for word in name.split("."):
        if not isinstance(entry, Mapping) or word not in entry:
            raise RulesError(f"{edition.name}: a rule pays {name!r}, but no such pay is listed")
        entry = entry[word]
    for key, value in entry.items():
        if key not in ("cite", "option", "by"):
            text = value["odds"] if isinstance(value, Mapping) else value
            try:
                Ratio.parse(text)
            except ValueError as error:
                raise RulesError(f"{edition.name}: pays.{name}.{key}: {error}") from None
    return entry  # type: ignore[no-any-return]


# ------------------------------------------------------------------------------------- where they are


@cache
def shipped_editions() -> tuple[str, ...]:
    """The names of the editions that come with the package, in order."""
    return shipped_names("editions")


def read_table(name: str) -> dict[str, Any]:
    """The TOML of a shipped edition, as a table."""
    if name not in shipped_editions():
        raise RulesError(unknown_edition(name))
    return shipped_table("editions", f"{name}.toml")


_registered: dict[str, Edition] = {}
_texts: dict[str, str] = {}
"""What the files of the registered editions say."""


@cache
def _load_shipped(name: str) -> Edition:
    return build(read_table(name))


def load_edition(name: str) -> Edition:
    """A registered or shipped edition, by its name."""
    expect(name, str, "the name of an edition as text")
    return _registered[name] if name in _registered else _load_shipped(name)


def read_edition(path: Path) -> tuple[Edition, str]:
    """The edition written in a file, and its text; it is not registered."""
    text = read_text(path)
    return build(parse_toml(text, name=str(path))), text


def register(path: Path) -> Edition:
    """Register the edition in a file under its name, in addition to the shipped ones."""
    return register_text(read_text(path), source=str(path))


def register_text(text: str, *, source: str) -> Edition:
    """Register an edition under its name, in addition to the shipped ones; `source` says where the text is."""
    edition = build(parse_toml(text, name=source))
    if edition.name in shipped_editions():
        raise RulesError(f"{source}: name: {edition.name!r} belongs to a shipped edition; choose another")
    _registered[edition.name], _texts[edition.name] = edition, text
    return edition


def source_of(name: str) -> str:
    """The text of a registered or shipped edition, as its file has it."""
    return _texts[name] if name in _texts else shipped_text("editions", f"{load_edition(name).name}.toml")


def forget(name: str) -> None:
    """Remove a registered edition; the shipped ones stay."""
    _registered.pop(name, None)
    _texts.pop(name, None)


def unknown_edition(name: str) -> str:
    """The message that no edition has this name, with those that there are and how to read one from a file."""
    unknown = unknown_message("edition", name, loadable_editions())
    return f"{unknown}; an edition in a file of its own is read with --edition FILE"


def loadable_editions() -> tuple[str, ...]:
    """The names of all editions that can be loaded now."""
    return (*shipped_editions(), *sorted(_registered))
