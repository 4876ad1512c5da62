"""`baccarat rules`: list, show, compare, check and account for the documents."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import typer

from baccarat.cli import rules_draft
from baccarat.cli.option import EDITIONS, JSON, SUBMISSION, flag, register_editions
from baccarat.cli.output import REFUSED, console, fail, grid, line, put_json, put_line
from baccarat.cli.set_option import CHANGES, with_options
from baccarat.law.error import InvalidSubmission, nearest

if TYPE_CHECKING:
    from baccarat.law.clause import Clause
    from baccarat.law.coverage import ClauseAccount
    from baccarat.law.difference import DifferenceSummary, EditionDifference
    from baccarat.law.edition import Edition
    from baccarat.law.rulebook import Rulebook

app = typer.Typer(help="The documents: list, show, compare, check, begin, account for.", no_args_is_help=True)
app.command(name="new")(rules_draft.new)
app.command(name="new-edition")(rules_draft.new_edition)


@app.command(name="list")
def list_(
    names: bool = flag("--names", "Only the names of the editions, one per line."),
    edition: list[Path] = EDITIONS,
    json: bool = JSON,
) -> None:
    """List the shipped editions and Submissions.

    Example: baccarat rules list
    """
    from baccarat.law.edition import load_edition, loadable_editions  # noqa: PLC0415
    from baccarat.law.rulebook import read_submission, shipped_submissions  # noqa: PLC0415

    register_editions(edition)
    if names:
        for name in loadable_editions():
            typer.echo(name)
        return
    rows = [load_edition(name) for name in loadable_editions()]
    submissions = {name: read_submission(name)["ruleset"] for name in shipped_submissions()}
    if json:
        put_json({
            "editions": [{"name": e.name, "title": e.title, "clauses": len(e.clauses)} for e in rows],
            "submissions": [{"name": name, "edition": of} for name, of in submissions.items()],
        })  # fmt: skip
        return
    table = grid("edition", "clauses", "wagers", "title")
    for e in rows:
        table.add_row(*map(line, (e.name, str(len(e.clauses)), str(len(e.wagers)), e.title)))
    console.print(table)
    put_line("\n", ("Shipped Submissions", "bold"))
    for name, of in submissions.items():
        put_line(f"{name}  ", (of, "dim"))


@app.command()
def show(
    edition_name: str = typer.Argument(..., metavar="EDITION"),
    clause: str | None = typer.Argument(None, help="A clause or paragraph, such as 12(c) or 3.3(e)."),
    edition: list[Path] = EDITIONS,
    json: bool = JSON,
) -> None:
    """Show an edition with its clauses in our words, or one clause and where it is ruled.

    Example: baccarat rules show ma-midi-4 "12(c)"
    """
    from baccarat.law.edition import load_edition  # noqa: PLC0415

    register_editions(edition)
    law = load_edition(edition_name)
    rows = _account_rows(law)
    if clause is not None:
        wanted = clause.strip().removeprefix(law.name).strip().removeprefix("§").strip()
        rows = [row for row in rows if _is_under(row.clause.key, wanted) or _is_under(row.clause.paragraph, wanted)]
        if not rows:
            hint = nearest(wanted, [*law.clauses, *(each.paragraph for each in law.clauses.values())])
            fail(f"{law.name} has no clause {wanted!r}" + (f"; did you mean {hint!r}?" if hint else ""))
    if json:
        put_json([row.row_as_data() for row in rows])
        return
    if clause is None:
        put_line((law.title, "bold"), "  ", (f"{law.name}, revision {law.revision}", "dim"), "\n")
    for row in rows:
        put_line((f"§{row.clause.key}", "bold cyan"), f"  {row.clause.requirement}")
        if clause is not None:
            _show_account(row)


class _Row(msgspec.Struct, frozen=True):
    """One clause of one edition and what accounts for it."""

    edition: str
    clause: Clause
    account: ClauseAccount
    shown_by: tuple[str, ...]
    readings: tuple[str, ...]

    def row_as_data(self) -> dict[str, Any]:
        """The row for a program."""
        return {
            "id": self.clause.id,
            "cite": f"{self.edition} §{self.clause.paragraph}",
            "requirement": self.clause.requirement,
            "kind": self.clause.kind,
            "state": self.account.state.value,
            "places": self.account.places,
            "shown_by": self.shown_by,
            "readings": self.readings,
        }


def _account_rows(law: Edition) -> list[_Row]:
    from baccarat.law.coverage import accounts, clause_tests  # noqa: PLC0415

    found, tests = accounts(law), clause_tests()
    rows = []
    for key, clause in law.clauses.items():
        read = tuple(sorted({*clause.readings, *found[key].readings}))
        rows.append(_Row(law.name, clause, found[key], tests.get(clause.id, ()), read))
    return rows


def _show_account(row: _Row) -> None:
    from baccarat.law.reading import readings  # noqa: PLC0415

    for place in row.account.places:
        put_line(f"    {'ruled at' if row.account.state.value == 'ruled' else 'accounted'}   {place}")
    for test in row.shown_by:
        put_line((f"    shown by   {test}", "dim"))
    for name in row.readings:
        put_line((f"    reading    {name}: {readings()[name].reading}", "italic"))


def _is_under(key: str, wanted: str) -> bool:
    """Whether a clause is the wanted one or part of it: 12(c).1 of 12(c), but not 12 of 1."""
    if not wanted or not key.startswith(wanted):
        return False
    rest = key[len(wanted) :]
    return not rest or not (wanted[-1].isdigit() and rest[0].isdigit())


@app.command()
def diff(
    left: str = typer.Argument(..., metavar="A", help="The name of an edition, or the path of its TOML file."),
    right: str = typer.Argument(..., metavar="B", help="Another."),
    price: bool = flag("--price", "What the difference costs: the price of each wager under both."),
    edition: list[Path] = EDITIONS,
    json: bool = JSON,
) -> None:
    """Show how two editions differ: how much, then where, clauses paired by what they rule; or what that costs.

    Examples: baccarat rules diff ma-midi-3 ma-midi-4 · baccarat rules diff ma-midi-4 nj-punto-banco --price
    """
    from baccarat.law.difference import differences, summary  # noqa: PLC0415

    register_editions(edition)
    if price:
        from baccarat.cli.price_show import comparison  # noqa: PLC0415
        from baccarat.odds import odds  # noqa: PLC0415

        comparison((odds(_shipped_rulebook(left)), odds(_shipped_rulebook(right))), (left, right), json=json)
        return
    ours, theirs = _edition(left), _edition(right)
    found, numbers = differences(ours, theirs), summary(ours, theirs)
    if json:
        put_json({"left": ours.name, "right": theirs.name, "summary": numbers, "differences": found})
    else:
        _show_summary(ours, theirs, numbers)
        _show_differences(found)


def _edition(name: str) -> Edition:
    """An edition by its name, or the one in a file, which is not registered."""
    from baccarat.law.edition import load_edition, loadable_editions, read_edition  # noqa: PLC0415

    path = Path(name)
    if name not in loadable_editions() and (path.suffix or path.exists()):
        return read_edition(path)[0]
    return load_edition(name)


def _show_summary(ours: Edition, theirs: Edition, numbers: DifferenceSummary) -> None:
    put_line((f"{ours.name} → {theirs.name}", "bold"))
    for what, counts in (("the law", numbers.law), ("clauses", numbers.clauses)):
        told = [f"{count} {change.value}" for change, count in counts.items() if count]
        alike = [f"{numbers.alike} alike"] if what == "clauses" and numbers.alike else []
        put_line(f"  {what:<8} ", ", ".join([*told, *alike]) or "no difference")


def _show_differences(found: tuple[EditionDifference, ...]) -> None:
    from baccarat.law.difference import ABSENT, DifferenceKind  # noqa: PLC0415

    for is_clause, heading in ((False, "The law"), (True, "Clauses, paired by what they rule")):
        for change in DifferenceKind:
            group = [each for each in found if each.is_clause is is_clause and each.change is change]
            if not group:
                continue
            put_line("\n", (f"{heading}: {change.value} ({len(group)})", "bold underline"))
            for each in group:
                put_line((each.place.removeprefix("clause "), "bold"), "  ", (" · ".join(each.cites), "dim"))
                if each.left != ABSENT:
                    put_line("  ", (f"- {each.left}", "red"))
                if each.right not in (ABSENT, each.left):
                    put_line("  ", (f"+ {each.right}", "green"))


def _shipped_rulebook(name: str) -> Rulebook:
    """The rulebook of the shipped Submission with an edition's name."""
    from baccarat.law.rulebook import shipped_submissions  # noqa: PLC0415

    if name not in shipped_submissions():
        fail(f"{name}: no Submission is shipped for it; price two of your own with baccarat compare A B")
    return with_options(name, [])


@app.command()
def check(
    submission: str = SUBMISSION, change: list[str] = CHANGES, edition: list[Path] = EDITIONS, json: bool = JSON
) -> None:
    """Check a Rules Submission against its edition: all faults in one go, each with its clause.

    Examples: baccarat rules check ma-midi-4 ·  baccarat rules check my.toml --set tie_odds=9
    """
    register_editions(edition)
    try:
        rules = with_options(submission, change)
    except InvalidSubmission as error:
        if json:
            put_json({"valid": False, "faults": error.faults})
        else:
            for fault in error.faults:
                put_line(("✗", "red"), f" {fault}")
            console.print(f"not valid: {len(error.faults)} fault{'s' if len(error.faults) > 1 else ''}")
        raise typer.Exit(REFUSED) from None
    from baccarat.odds import odds, remarks  # noqa: PLC0415

    said = remarks(odds(rules), alone=True)  # baccarat price prints the rest
    if json:
        put_json({
            "valid": True, "edition": rules.edition.name, "hash": rules.hash, "warnings": rules.warnings,
            "remarks": said, "notes": rules.notes, "elections": dict(rules.stated),
        })  # fmt: skip
        return
    for note in rules.notes:
        put_line((note, "dim"))
    for remark in (*rules.warnings, *said):
        put_line(("!", "yellow"), f" {remark}")
    put_line(("✓", "green"), f" valid under {rules.edition.name}  ", (rules.hash, "dim"))


@app.command()
def coverage(
    edition_name: str | None = typer.Argument(None, metavar="EDITION", help="One edition; by default all."),
    state: str | None = typer.Option(None, help="Only clauses in this state: ruled, pending, physical, unaccounted."),
    edition: list[Path] = EDITIONS,
    json: bool = JSON,
) -> None:
    """Account for every clause: where it is ruled, which tests show it, which readings it relies on.

    Example: baccarat rules coverage ma-midi-4 --state pending
    """
    from baccarat.law.coverage import ClauseStatus  # noqa: PLC0415
    from baccarat.law.edition import load_edition, shipped_editions  # noqa: PLC0415

    register_editions(edition)
    states = [each.value for each in ClauseStatus]
    if state is not None and state not in states:
        fail(f"--state {state!r}: expected one of {', '.join(states)}")
    rows = [
        row
        for name in ([edition_name] if edition_name else shipped_editions())
        for row in _account_rows(load_edition(name))
    ]
    chosen = [row for row in rows if state in (None, row.account.state.value)]
    if json:
        put_json([row.row_as_data() for row in chosen])
        return
    table = grid("clause", "state", "ruled at", "tests", "readings")
    for row in chosen:
        first, *others = row.account.places or ("nowhere",)
        where = first + (f" +{len(others)}" if others else "")
        shown_by, read = str(len(row.shown_by)), " ".join(row.readings)
        cells = (f"{row.edition} §{row.clause.key}", row.account.state.value, where, shown_by, read)
        table.add_row(*map(line, cells))
    console.print(table)
    counts = ", ".join(f"{sum(row.account.state is each for row in rows)} {each.value}" for each in ClauseStatus)
    unshown = sum(row.account.state is ClauseStatus.RULED and not row.shown_by for row in rows)
    ids = len({row.clause.id for row in rows})
    console.print(
        f"\n{ids} clauses of the catalogue, {len(rows)} by edition: {counts}; {unshown} ruled but shown by no test"
    )
