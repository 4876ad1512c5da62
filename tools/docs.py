"""The generated pages of docs/: annotated rules, readings, options, verbs, pictures, the tables within table.md.

Run: make docs. A test compares docs/ with what this would write.
"""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import click
import msgspec
import typer
from rich.console import Console
from rich.terminal_theme import TerminalTheme

from api_page import route_list
from baccarat.audit.bundle.schema import schema
from baccarat.audit.promise import PROMISES
from baccarat.audit.rounds.fault import MEANINGS
from baccarat.cli import app, deal_run, output, price_show
from baccarat.cli import deal as deal_verb
from baccarat.cli import price as price_verb
from baccarat.cli import roads as roads_verb
from baccarat.cli.command_list import LEGEND, Description, descriptions, edition_steps
from baccarat.cli.help_text import examples, paragraphs
from baccarat.cli.status import OF_VERB, STATUSES, help_footer
from baccarat.law.clause import catalogue
from baccarat.law.coverage import ClauseAccount, accounts, clause_tests
from baccarat.law.edition import Edition, load_edition, shipped_editions
from baccarat.law.fact import tableau_row
from baccarat.law.option_value import allowed_in_words
from baccarat.law.reading import readings
from baccarat.law.rulebook import shipped_submissions
from baccarat.record.field import CommandField, fields_of
from baccarat.record.wire import LineEnvelope, SecondPerson
from baccarat.table.vigorish_form import ComplimentaryForm
from event_page import event_page
from fault_matrix import operations_parts
from house_page import house_page
from pictures import on_sheet, pictures
from simulate_page import simulate_parts
from study_page import study_parts, study_pictures
from vocabulary import vocabulary

DOCS = Path(__file__).resolve().parent.parent / "docs"
NOTE = "<!-- written by `make docs`; do not edit -->\n\n"


def pages() -> dict[str, str]:
    """Every generated page, by its path under docs/."""
    found = {f"rules/{name}.md": NOTE + annotated(load_edition(name)) for name in shipped_editions()}
    found["readings.md"] = NOTE + readings_page()
    found["options.md"] = NOTE + options_page()
    found["verbs.md"] = NOTE + verbs_page()
    page = (DOCS / "new-edition.md").read_text(encoding="utf-8")
    found["new-edition.md"] = with_parts(page, {"vocabulary": vocabulary()})
    found["house.md"] = NOTE + house_page()
    found["events.md"] = NOTE + event_page()
    found["bundle.schema.json"] = json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"
    found["table.md"] = with_parts((DOCS / "table.md").read_text(encoding="utf-8"), table_parts())
    found["audit.md"] = with_parts((DOCS / "audit.md").read_text(encoding="utf-8"), audit_parts())
    found["api.md"] = with_parts((DOCS / "api.md").read_text(encoding="utf-8"), {"routes": route_list()})
    page = (DOCS / "operations.md").read_text(encoding="utf-8")
    found["operations.md"] = with_parts(page, operations_parts())
    found["studies.md"] = with_parts((DOCS / "studies.md").read_text(encoding="utf-8"), study_parts())
    found["simulate.md"] = with_parts((DOCS / "simulate.md").read_text(encoding="utf-8"), simulate_parts())
    found |= pictures()
    found |= {f"images/{name}.svg": on_sheet(picture) for name, picture in study_pictures().items()}
    found["images/deal.svg"] = picture("baccarat deal", _deal_example)
    found["images/roads.svg"] = picture("baccarat roads", _roads_example)
    found["images/price.svg"] = picture("baccarat price ma-midi-4 banker", _price_example)
    return found


# ------------------------------------------------------------------------------------- annotated rules


def annotated(law: Edition) -> str:
    """One edition, clause by clause in our words, and where each is ruled."""
    found, tests = accounts(law), clause_tests()
    parts = [
        f"# {law.title}\n",
        f"Edition `{law.name}`, revision {law.revision}: {len(law.clauses)} clauses, in our own words and in the "
        f"document's order. *Ruled at* names the place in `law/editions/{law.name}.toml`. "
        "Readings are explained in [readings](../readings.md).\n",
        "## The tableau\n",
        tableau(law),
        "## Pay\n",
        pay_table(law),
        "## The clauses\n",
    ]
    section = ""
    for key, clause in law.clauses.items():
        head = section_of(key)
        if head != section:
            section = head
            parts.append(f"### {section}\n")
        parts.append(_clause_line(key, clause.requirement, found[key], clause.readings, len(tests.get(clause.id, ()))))
    return "\n".join(parts).rstrip() + "\n"


def section_of(key: str) -> str:
    """The section of a document that a clause belongs to."""
    return f"Section {key.partition('(')[0].partition(' ')[0]}"


def _clause_line(key: str, words: str, account: ClauseAccount, of_clause: tuple[str, ...], tests: int) -> str:
    state = account.state.value
    where = ", ".join(f"`{place}`" for place in account.places)
    label = {
        "ruled": f"ruled at {where}",
        "pending": "*pending: table*",
        "physical": account.places[0] if account.places else "",
    }
    read = " ".join(f"[{name}](../readings.md#{name.lower()})" for name in sorted({*of_clause, *account.readings}))
    notes = [label.get(state, state)]
    if tests:
        notes.append(f"shown by {tests} test{'s' if tests > 1 else ''}")
    if read:
        notes.append(f"reading {read}")
    return f"- **§{key}** {words}  \n  {'; '.join(notes)}\n"


def tableau(law: Edition) -> str:
    """The draw table as the rows of the edition make it: D draws, S stays."""
    heads = ["none", *map(str, range(10))]
    lines = [
        "Player: " + ", ".join(
            f"{count} {'draws' if _acts(law, 'player', count, None) == 'draw' else 'stays'}" for count in range(8)
        ) + "; 8 and 9 are naturals, and nobody draws.\n",
        "| Banker | " + " | ".join(heads) + " |",
        "|" + "---|" * (len(heads) + 1),
    ]  # fmt: skip
    for count in range(8):
        cells = ["D" if _acts(law, "banker", count, third) == "draw" else "S" for third in (None, *range(10))]
        lines.append(f"| **{count}** | " + " | ".join(cells) + " |")
    restored = any(row.restored for row in law.tableau)
    lines.append(
        "\nColumns: the value of the Player's third card." + (" Rows restored, see A-01." if restored else "") + "\n"
    )
    return "\n".join(lines)


def _acts(law: Edition, hand: str, count: int, third: int | None) -> str:
    return tableau_row(law.tableau, hand=hand, natural=False, points=count, third=third).act


def pay_table(law: Edition) -> str:
    """Every pay of the edition."""
    lines = ["| wager | pays | clause |", "|---|---|---|"]
    for place, entry in _pays(law.pays, ""):
        if "shall" in entry:
            pays = str(entry["shall"])
        elif "at_least" in entry:
            pays = f"at least {entry['at_least']}"
        else:
            cells = [
                (table, cell["odds"] if isinstance(cell, dict) else cell)
                for table, cell in entry.items()
                if table != "cite"
            ]
            pays = ", ".join(f"{table}: {odds}" for table, odds in cells)
        keys = entry.get("cite") or [key for cell in entry.values() for key in cell["cite"]]
        cites = ", ".join(dict.fromkeys(f"§{law.clauses[key].paragraph}" for key in keys))
        lines.append(f"| {place.replace('_', ' ').replace('.', ': ')} | {pays} | {cites} |")
    return "\n".join(lines) + "\n"


def _pays(node: dict[str, Any], path: str) -> Iterator[tuple[str, dict[str, Any]]]:
    for key, value in node.items():
        place = f"{path}.{key}" if path else key
        if {"shall", "at_least", "A"} & set(value):
            yield place, value
        else:
            yield from _pays(value, place)


# ------------------------------------------------------------------------------------ readings, options


def readings_page() -> str:
    """All readings."""
    leaning: dict[str, list[str]] = {}
    for clause in catalogue():
        for name in clause.readings:
            leaning.setdefault(name, []).append(clause.id)
    parts = ["# Readings\n", "What we do where a text is silent, duplicated, garbled or in conflict, and why.\n"]
    for name, reading in readings().items():
        parts.append(f"## {name}\n")
        parts.append(f"*{' '.join(reading.where.split())}*{' (consequential)' if reading.hard else ''}\n")
        parts.append(f"{' '.join(reading.problem.split())}\n")
        parts.append(f"**Reading.** {' '.join(reading.reading.split())} *Why:* {' '.join(reading.why.split())}\n")
        parts += [f"Changeable by the option `{switch.name}`.\n" for switch in reading.switches]
        if name in leaning:
            parts.append("Clauses: " + ", ".join(f"`{each}`" for each in leaning[name]) + "\n")
    return "\n".join(parts).rstrip() + "\n"


def options_page() -> str:
    """Every option of every edition: what it says, what it may be, its clause."""
    laws = [load_edition(name) for name in shipped_editions()]
    names = list(dict.fromkeys(key for law in laws for key in law.options))
    parts = [
        "# Options\n",
        "The keys of a Submission. *Stated* means that a filed Submission must state it; otherwise the meaning of an "
        "omission is in parentheses.\n",
        "| option | what it says | allowed | editions and clauses |",
        "|---|---|---|---|",
    ]
    for key in names:
        having = [law for law in laws if key in law.options]
        option = having[0].options[key]
        forms = list(dict.fromkeys(_form(law.options[key]) for law in having))
        cites = ", ".join(
            f"{law.name} " + " ".join(dict.fromkeys(f"§{law.clauses[k].paragraph}" for k in law.options[key].cite))
            for law in having
        )
        parts.append(f"| `{key}` | {option.description} | {' · '.join(forms)} | {cites} |")
    parts.append("\nShipped Submissions: " + ", ".join(f"`{name}`" for name in shipped_submissions()) + ".")
    return "\n".join(parts) + "\n"


def _form(option: Any) -> str:
    if option.must_be_stated:
        return f"{allowed_in_words(option)} (stated)"
    silence = option.value_if_unstated
    said = "left out" if silence is None else str(silence).lower() if isinstance(silence, bool) else str(silence)
    return f"{allowed_in_words(option)} ({said})"


# ----------------------------------------------------------------------------------------------- verbs


def verbs_page() -> str:
    """The help of every verb, as the program prints it."""
    parts = [
        "# Verbs\n",
        "A verb ends with one of these statuses. Some have one of their own, or give one a more specific meaning.\n",
        "| status | meaning |\n|---|---|",
        *(f"| {status} | {meaning} |" for status, meaning in STATUSES.items()),
        "",
    ]
    for words, command in verbs():
        name = " ".join(words)
        parts.append(f"## `baccarat {name}`\n")
        assert command.callback is not None, "a verb does something"
        parts += [f"{each}\n" for each in paragraphs(command.callback.__doc__ or "")]
        parts.append("```sh\n" + "\n".join(examples(command.callback.__doc__ or "")) + "\n```\n")
        if name in OF_VERB:
            parts.append(f"{help_footer(name)}\n")
        parts.append("| argument or option | meaning |\n|---|---|")
        for param in command.params:
            if param.name == "help":
                continue
            label = (
                " ".join(param.opts)
                if param.param_type_name == "option"
                else (param.metavar or str(param.name).upper())
            )
            parts.append(f"| `{label}` | {getattr(param, 'help', None) or ''} |")
        parts.append("")
    return "\n".join(parts).rstrip() + "\n"


def verbs() -> list[tuple[tuple[str, ...], click.Command]]:
    """Every verb of the program with its words."""
    found: list[tuple[tuple[str, ...], click.Command]] = []

    def walk(command: Any, words: tuple[str, ...]) -> None:
        children = getattr(command, "commands", None)
        if children is None:
            found.append((words, command))
            return
        for name, child in children.items():
            walk(child, (*words, name))

    walk(typer.main.get_command(app), ())
    return found


# ------------------------------------------------------------------------------------------- the table


def with_parts(page: str, parts: dict[str, str]) -> str:
    """A hand-written page, with the generated parts between their marks."""
    for name, text in parts.items():
        begin, end = f"<!-- {name}: written by `make docs` -->", f"<!-- end of {name} -->"
        before, found, rest = page.partition(begin)
        _, closed, after = rest.partition(end)
        assert found, f"the page has no part {name}"
        assert closed, f"the part {name} has no end"
        page = f"{before}{begin}\n\n{text}\n{end}{after}"
    return page


def audit_parts() -> dict[str, str]:
    """The promises that an audit names, and what can be wrong with a log."""
    lines = [
        "| promise | what must hold |",
        "|---|---|",
        *(f"| {name} | {say} |" for name, say in PROMISES.items()),
        "",
    ]
    return {"promises": "\n".join(lines), "kinds": kinds_of_fault()}


def kinds_of_fault() -> str:
    """What can be wrong with a row of a log."""
    lines = ["| kind | meaning |", "|---|---|"]
    return "\n".join([*lines, *(f"| `{kind.value}` | {meaning} |" for kind, meaning in MEANINGS.items()), ""])


def table_parts() -> dict[str, str]:
    """The steps of each edition, and every command with its fields."""
    return {"steps": steps_table(), "commands": commands_part()}


def steps_table() -> str:
    """The steps of a table, in each edition's own order."""
    rows = [f"| `{name}` | {' · '.join(steps).replace('_', ' ')} |" for name, steps in edition_steps().items()]
    return "\n".join(["| edition | steps |", "|---|---|", *rows]) + "\n"


def commands_part() -> str:
    """Every command: what it is, who may give it, at which steps, and its fields."""
    legend = ["| type | how it is typed |", "|---|---|", *(f"| {word} | {text} |" for word, text in LEGEND.items())]
    found = descriptions()
    parts = [
        "\n".join(legend),
        "",
        "With any command a line may say who gives it:\n",
        *fields_table(fields_of(LineEnvelope)),
        "",
    ]
    parts += ["An approval:\n", *fields_table(fields_of(SecondPerson)), ""]
    for command in found:
        parts += command_part(command)
    parts += ["#### A Complimentary Vigorish Form\n", *fields_table(fields_of(ComplimentaryForm)), ""]
    return "\n".join(parts)


def command_part(command: Description) -> list[str]:
    """One command."""
    first, *others = command.by
    who = f"**{first}**" + (f", or {', '.join(others)}" if others else "")
    at = ", ".join(command.steps).replace("_", " ") or "any"
    return [f"#### `{command.name}`\n", f"{command.summary} By: {who}. Step: {at}.\n",
            *(fields_table(command.fields) if command.fields else ["No further field."]), ""]  # fmt: skip


def fields_table(fields: Iterable[CommandField]) -> list[str]:
    """The fields of a command: type, default, meaning."""
    rows = ["| field | type | default | meaning |", "|---|---|---|---|"]
    for field in fields:
        written = "none" if field.default is None else f"`{msgspec.json.encode(field.default).decode()}`"
        default = "to be stated" if field.required else written
        rows.append(f"| `{field.name}` | {field.type} | {default} | {field.meaning} |")
    return rows


# -------------------------------------------------------------------------------------------- pictures

THEME = TerminalTheme(
    (250, 249, 246), (40, 40, 40),
    [(40, 40, 40), (190, 40, 40), (30, 130, 60), (150, 110, 0), (30, 80, 180), (130, 50, 140), (20, 120, 130),
     (90, 90, 90)],
)  # fmt: skip
SVG = """<svg class="rich-terminal" viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">
<style>
.{unique_id}-matrix {{ font-family: ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace;
font-size: {char_height}px; line-height: {line_height}px; font-variant-east-asian: full-width; }}
.{unique_id}-title {{ font-size: 18px; font-weight: bold; font-family: sans-serif; }}
{styles}
</style>
<defs><clipPath id="{unique_id}-clip-terminal"><rect x="0" y="0" width="{terminal_width}" height="{terminal_height}" />
</clipPath>{lines}</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix">
{matrix}
</g>
</g>
</svg>
"""


def picture(title: str, run: Any) -> str:
    """A picture of what a verb prints, drawn without any font from outside."""
    console = Console(
        record=True, width=116, file=io.StringIO(), force_terminal=True, color_system="truecolor", highlight=False
    )
    verbs_ = [deal_run, roads_verb, price_show, output]
    before = [vars(verb)["console"] for verb in verbs_]
    for verb in verbs_:
        vars(verb)["console"] = console
    try:
        with suppress(SystemExit, typer.Exit):
            run()
    finally:
        for verb, was in zip(verbs_, before, strict=True):
            vars(verb)["console"] = was
    return console.export_svg(title=title, theme=THEME, code_format=SVG, unique_id=title.replace(" ", "-"))


def _deal_example() -> None:
    cards = ["Ks", "2h", "5d", "Tc", "7s", "5h"]
    wagers = ["1:player:25", "3:banker:103", "3:tie:25", "5:dragon_banker:25"]
    deal_verb.deal(
        "ma-midi-4", cards, shoe=False, seed=None, cut_at=None, wager=wagers, rest_of_shoe=False, edition=[], json=False
    )


def _price_example() -> None:
    price_verb.price(
        "ma-midi-4", "banker", stake=None, beside=None, decisions=False, meters=[], without=None, left=None,
        removal=False, shoe=None, journal=None, shoes=None, xlsx=None, html=None, pdf=None, change=[], csv=False,
        edition=[], json=False,
    )  # fmt: skip


def _roads_example() -> None:
    results = "TBBPBPPPPPPPPBBTBPBBBPPBPBPBTBBPPPBBBBBPBP"
    roads_verb.roads(results, columns=None, svg=None, json=False)


def main() -> None:
    """Write every generated page, or with --check only print which differ."""
    check = "--check" in sys.argv[1:]
    stale = []
    for name, text in pages().items():
        path = DOCS / name
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        stale.append(name)
        if not check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    print("\n".join(f"{'differs' if check else 'written'}: {name}" for name in stale) or "all pages are up to date")
    raise SystemExit(1 if check and stale else 0)


if __name__ == "__main__":
    main()
