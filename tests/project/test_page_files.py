"""The files of the pages: no script or style inside them, one catalogue of texts, nothing missing or left over."""

from __future__ import annotations

import json
import re
import string
import sys
from pathlib import Path
from typing import Any, get_type_hints

import msgspec
import pytest

from baccarat.cards import Card
from baccarat.drill.calling import CALL_MOMENTS
from baccarat.house.inventory import Inventory
from baccarat.house.registry import BOOKS
from baccarat.law.annotation import annotate
from baccarat.law.edition import load_edition, shipped_editions
from baccarat.law.steps import STEPS
from baccarat.play.refusal_text import SENTENCES
from baccarat.serve.access.denial import Denial
from baccarat.serve.access.may import RULES
from baccarat.serve.http.problem import BY_STATUS
from baccarat.serve.route.page import ADDRESSES, FILES, NOT_FOUND_PAGE, PAGE_ROLES, PAGES, without_comments
from baccarat.serve.watch.alert import AlertKind
from baccarat.serve.watch.sentence import event_name
from baccarat.table.actor import Origin
from baccarat.table.due_settlement import COLLECT_DUE, PAY_DUE
from baccarat.table.due_text import ASKERS
from baccarat.table.role import PAPER_READERS, Role
from baccarat.table.step.burning import BURN_MORE
from baccarat.table.step.dealing import LAY_CARRIED
from baccarat.table.step_function import ATTEMPTS, TELL, TELL_IN_PART, TELL_OF_CLOCK
from baccarat.table.story_words import PREPARATION
from paths import ROOT

sys.path.insert(0, str(ROOT / "tools"))

from script_change import tokens

TEXTS = PAGES / "words"
SAID = "said."
"""Keys of the house's own sentences."""
ROLE_KEYS = frozenset(f"role.{each.value}" for each in (*Role, *Origin))
"""Keys of the house's own names for roles and origins. English has a text only where it differs from the name."""
TOLD_NOW = frozenset(
    {"place_your_wagers", "place_your_wagers_last", "simulated_round", "free_hand", "limits", "when_away"}
    | {"seed_overdue", "waits_for_promise", "waits_for_share"}
)
"""What is said of a moment that no act is due in, by its name."""
HTML = sorted(PAGES.glob("*.html"))
SCRIPTS = sorted(PAGES.glob("js/**/*.js"))
STYLES = sorted(PAGES.glob("css/*.css"))
ENGLISH: dict[str, str] = json.loads((TEXTS / "en.json").read_text("utf-8"))
OWN_WORDS = re.compile(
    r"""\bt\(\s*["']([\w. -]+)["']|data-t(?:-label)?=["']([\w. -]+)["']|\btKey: ?["']([\w. -]+)["']"""
)
PLACE = re.compile(r"\{(\w+)(?::[^{}|]+\|[^{}|]+)?\}")
"""A place of a text: a value, or a number with the word for one or for several."""
MAIN = sorted(path for path in TEXTS.glob("*.json") if "." not in path.stem)
"""The texts of the pages themselves, in each language."""
TRANSLATIONS = [path for path in MAIN if path.stem != "en"]
PROBLEM_CODES = re.compile(r'\bcode="(\w+)"')
"""Codes of problems that a page may be answered with, where they are made."""
LETTERS = re.compile(r"[A-Za-z]{2}(?![^{]*\})")
"""A word, outside the places to fill."""
SAME_IN_EVERY_LANGUAGE = {"dealer.step.house_money", "step.house_money", "table.wager.house_money", "watch.key_end"} | {
    "trait.ez",
    "trait.royal9",
}
"""The names of wagers and of a form of the game, and what stands on a key."""
QUOTED = re.compile(r"""["']([a-z_]+\.[\w. -]+)["']""")
"""Keys that stand in a list, or of which one is chosen, before a text is made of them."""
MADE_UP = re.compile(r"""\b\w+[(\[]\s*[`"']([a-z]+(?:\.[\w -]+)*)\.?(?:\$\{|["'`]\s*,)""")
"""Texts whose keys are put together: what stands before the part that comes from the server."""


IN_SENTENCES = (
    *("said.minutes", "said.semicolon", "said.table_won", "said.option_is", "said.one_of", "said.least_most"),
    *("said.at_least", "said.where.tray", "said.stopped."),
)
"""Words of sentences that only another language is made with."""


def _read(path: Path) -> str:
    return path.read_text("utf-8")


@pytest.mark.parametrize("path", HTML, ids=lambda path: path.name)
def test_a_page_has_no_script_style_or_handler_of_its_own(path: Path) -> None:
    text = _read(path)
    assert not re.search(r"<script(?![^>]*\bsrc=)", text), "a script stands in a file of its own"
    assert "<style" not in text
    assert not re.search(r"\sstyle\s*=", text)
    assert not re.search(r"\son\w+\s*=", text)
    assert re.search(r'<html lang="en">', text)
    assert 'name="viewport"' in text


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_a_script_is_served_without_its_comments_and_otherwise_as_it_is(path: Path) -> None:
    script = path.read_bytes()
    served = without_comments(script)

    def code(text: bytes) -> list[str]:
        return [token.text for token in tokens(text.decode()) if token.kind != "space"]

    assert code(served) == code(script)
    assert served.count(b"\n") == script.count(b"\n"), "a line that a browser names is that of the file"
    assert not re.search(rb"^\s*(//|/\*\*|\*) (?!.*\*/ \()", served, re.MULTILINE)


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_a_script_never_writes_markup(path: Path) -> None:
    text = _read(path)
    for forbidden in (
        r"\.innerHTML",
        r"\.outerHTML",
        r"insertAdjacentHTML",
        r"document\.write",
        r"\beval\(",
        r"new Function",
    ):
        assert not re.search(forbidden, text), f"{path.name}: {forbidden}"


def test_every_text_is_in_the_catalogue_and_every_text_of_the_catalogue_is_used() -> None:
    used, begun = set[str](), set[str]()
    for path in (*HTML, *SCRIPTS):
        text = _read(path)
        used |= {next(filter(None, found)) for found in OWN_WORDS.findall(text)}
        used |= {key for key in QUOTED.findall(text) if key in ENGLISH}
        begun |= set(MADE_UP.findall(text))
    known_keys = (*ENGLISH, *IN_SENTENCES)
    missing = {key for key in used if key not in ENGLISH and not any(known.startswith(key) for known in known_keys)}
    assert not missing, "no such texts"
    left = {key for key in ENGLISH if key not in used and not any(key.startswith(prefix) for prefix in begun)}
    assert not left, "texts that no page shows"


def test_a_translation_has_no_text_that_the_catalogue_lacks_and_the_same_places_to_fill() -> None:
    for path in MAIN:
        for key, text in json.loads(_read(path)).items():
            if (key.startswith(SAID) or key in ROLE_KEYS) and key not in ENGLISH:
                continue  # the house's own sentences and names: in English it says them itself
            assert key in ENGLISH, f"{path.name}: {key}"
            assert set(PLACE.findall(text)) == set(PLACE.findall(ENGLISH[key])), f"{path.name}: {key}"


@pytest.mark.parametrize("path", TRANSLATIONS, ids=lambda path: path.stem)
def test_a_translation_lacks_no_text_and_leaves_none_in_english(path: Path) -> None:
    translated: dict[str, str] = json.loads(_read(path))
    assert sorted(ENGLISH.keys() - translated.keys()) == []
    copied = {key for key, text in ENGLISH.items() if translated[key] == text and LETTERS.search(text)}
    assert copied == SAME_IN_EVERY_LANGUAGE


def test_what_a_house_names_is_named_in_every_language() -> None:
    """Where the server's own name has no text, a page shows the name itself, which is English."""
    named = {f"watch.alert.{each.value}" for each in AlertKind}
    named |= {f"act.{name}" for name, rule in RULES.items() if rule.roles & PAPER_READERS}
    named |= {f"step.{name}" for name in STEPS}
    for path in MAIN:
        needed = named if path.stem == "en" else named | ROLE_KEYS
        assert sorted(needed - json.loads(_read(path)).keys()) == [], path.name


def event_sentences() -> dict[str, set[str]]:
    """Every sentence about an event of a table or a book, by name, and the parameters that it is made from."""
    found = dict[str, set[str]]()
    kinds: list[type[Any]] = [*TELL, *(kind for held in BOOKS.values() for kind in held.book.tellers)]
    for kind in kinds:
        name, given = event_name(kind), params_of(kind)
        assert name not in found, f"two kinds of events are told as {name}"
        found[name] = given
        if kind in TELL_OF_CLOCK:
            found[f"{name}_of_clock"] = given & {"seat", "side", "say"}
        if kind in TELL_IN_PART:
            found[f"{name}_in_part"] = {*TELL_IN_PART[kind][0]}
        if kind in TELL and kind.CARD.short:
            found[f"{name}_short"] = {"seat"}
    return found


def params_of(kind: type[Any]) -> set[str]:
    """The parameters of a sentence about a kind of event; those of a form, a notice or chips in it by longer names."""
    found = set[str]()
    for field in msgspec.structs.fields(kind):
        inner = get_type_hints(kind)[field.name]
        if isinstance(inner, type) and issubclass(inner, msgspec.Struct) and inner not in (Card, Inventory):
            found |= {f"{field.name}_{each}" for each in params_of(inner)}
        else:
            found |= {field.name} | ({f"{field.name}_text"} if inner is Inventory else set())
    return found


def sentences_of_the_house() -> dict[str, set[str] | None]:
    """Every sentence that a page may be sent, by name, and the parameters that it is made from; None if only the page
    itself knows them."""
    fields = string.Formatter().parse
    found: dict[str, set[str] | None] = {**event_sentences()}
    found |= {what: {name for _, name, _, _ in fields(text) if name} for what, text in SENTENCES.items()}
    found |= {
        f"denied_{why.code}": {name for _, name, _, _ in fields(why.value) if name} | {"wait_seconds"} for why in Denial
    }
    codes = {code for path in SERVED for code in PROBLEM_CODES.findall(_read(path))}
    found |= {f"denied_{code}": set() for code in (codes | set(BY_STATUS.values())) - {why.code for why in Denial}}
    asked = {*ASKERS, *(f"prepare_cards_{step}" for step in PREPARATION), BURN_MORE, LAY_CARRIED, PAY_DUE, COLLECT_DUE}
    steps = set(re.findall(r'what="(ahead_\w+)"|what, say = "(ahead_\w+)"', _read(REMEDIES)))
    asked |= TOLD_NOW | {name for pair in steps for name in pair if name}
    asked |= {f"drill_{name}" for name in CALL_MOMENTS}
    asked |= {f"alert_late_{kind.__struct_config__.tag}" for kind in ATTEMPTS}
    asked |= set(re.findall(r'"((?:alert|drill)_\w+)"', "".join(map(_read, (ALERTS, *DRILLS)))))
    asked -= {"prepare_cards", "settle_due"}  # which of them is always said
    return {**found, **dict.fromkeys(asked), **TOLD_BESIDE}


TOLD_BESIDE: dict[str, set[str] | None] = {
    "counted_refusals": {"count"},
    "opens_later": {"table", "seconds"},
    "rules_later": {"pit", "table", "seconds"},
    "no_card_to_correct": set(),
    "nothing_paid_to_correct": set(),
}
"""What is said where nothing is decided: refusals that were only counted, and acts that come too early."""
SERVED = sorted((PAGES.parent).glob("**/*.py"))
ALERTS = PAGES.parent / "watch" / "alert.py"
DRILLS = sorted((PAGES.parent.parent / "drill").glob("*.py"))
REMEDIES = PAGES.parent.parent / "table" / "console" / "remedy_progress.py"
PARTS_OF_SENTENCES = re.compile(
    r"said\.((deed|gate|foul|where|bad|row|stopped)\.|(minutes|semicolon|table_won|option_is|one_of|least_most|at_least|plot_\w+)$)"
)
"""Keys of words that stand inside of sentences."""
SECTIONS = re.compile(r"\[!?(\w+)(?:[=<>][\w ]*)?\?")


@pytest.mark.parametrize("main", TRANSLATIONS, ids=lambda path: path.stem)
def test_whatever_the_house_says_is_said_in_every_language_from_the_same_parameters(main: Path) -> None:
    written = set(re.findall(r"^  (\w+): \(", _read(PAGES / "js" / "words.js"), re.MULTILINE))
    whole = {**json.loads(_read(main)), **json.loads(_read(main.with_name(f"{main.stem}.house.json")))}
    known = sentences_of_the_house()
    lacking = sorted(name for name in known if f"{SAID}{name}" not in whole)
    assert lacking == [], "sentences that have no translation"
    for key, text in whole.items():
        if not key.startswith(SAID) or key in ENGLISH or PARTS_OF_SENTENCES.match(key):
            continue
        name = key.removeprefix(SAID)
        assert name in known or name.removeprefix("own_") in known, f"the house says no {name}"
        places = re.findall(r"\{(\w+)(?::(\w+))?\}", text)
        assert {way for _, way in places if way} <= written, key
        given = known.get(name)
        if given is not None:
            assert {field for field, _ in places} | set(SECTIONS.findall(text)) <= given, key


def test_every_file_that_is_named_is_there_and_every_file_is_named() -> None:
    named = {f"{name}.html" for name in ADDRESSES.values()} | {NOT_FOUND_PAGE}
    named |= {f"words/{path.name}" for path in TEXTS.glob("*.json")}
    for path in (*HTML, *SCRIPTS, *STYLES):
        named |= set(re.findall(r"""["'(]/page/([\w./-]+)["')]""", _read(path)))
    assert named <= FILES, "files that are not there"
    assert {each for each in FILES if not each.startswith("words/")} <= named, "files that no page needs"


def test_every_page_in_the_bar_has_a_word_there_in_every_language() -> None:
    for path in MAIN:
        assert sorted({f"bar.{name}" for name in PAGE_ROLES} - json.loads(_read(path)).keys()) == [], path.name


def test_every_script_of_a_page_has_a_page() -> None:
    """A page is its HTML file and the script of the same name."""
    assert {path.stem for path in PAGES.glob("js/page/*.js")} == {path.stem for path in HTML}


def test_every_command_that_a_script_sends_is_one_of_the_house() -> None:
    sent = {
        (path.name, name)
        for path in (PAGES / "js").rglob("*.js")
        for name in re.findall(r'\bdo: "(\w+)"', path.read_text(encoding="utf-8"))
    }
    assert len(sent) > 10
    assert {each for each in sent if each[1] not in RULES} == set()


@pytest.mark.parametrize("main", TRANSLATIONS, ids=lambda path: path.stem)
def test_the_law_is_in_every_language_and_a_clause_that_was_reworded_is_translated_again(main: Path) -> None:
    """The texts of the law have no names: each is found by its English, and none that was reworded is shown."""
    law: dict[str, str] = {}
    for part in ("law", "readings"):
        law |= json.loads(_read(main.with_name(f"{main.stem}.{part}.json")))
    said = set[str]()
    for name in shipped_editions():
        edition = load_edition(name)
        annotated = annotate(edition)
        said |= {annotated.title, *(section.title for section in annotated.sections)}
        said |= {text for held in annotated.readings.values() for text in (held.problem, held.reading, held.why)}
        said |= {clause.say for section in annotated.sections for note in section.paragraphs for clause in note.clauses}
        said |= {option.description for option in edition.options.values()}
    assert sorted(said - {key.removeprefix("law.") for key in law}) == []
    assert {key for key, text in law.items() if not text.strip() or text == key.removeprefix("law.")} == set()
