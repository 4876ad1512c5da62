"""`baccarat journal names`: lists and erases the names and remarks for which a journal has ids."""

from __future__ import annotations

from pathlib import Path

import typer

from baccarat.cli.option import JSON, option
from baccarat.cli.output import REFUSED, errors, fail, line, put_json, put_line
from baccarat.record.directory import Directory, DirectoryEntry, UnreadableDirectory, directory_path
from baccarat.record.journal_file import exclude_writers
from baccarat.record.text import visible
from baccarat.table.bounds import Words


def names(
    journal: Path = typer.Argument(..., help="A journal; its names are in JOURNAL.names."),
    erase: list[str] = option(
        "--erase", "NAME", "Erase a name, a remark or an id permanently; may be repeated.", default=[]
    ),
    json: bool = JSON,
) -> None:
    """List the names and remarks stored next to a journal, each with its id in the journal, or erase some.

    The journal itself does not change and can still be read, decided again and proved. The salt is erased too,
    so that names cannot be guessed. Do not erase anyone who still sits at the table: the same name
    would become another person. Status 1 if there is no such name (then nothing is erased), 2 if the directory
    cannot be read or the journal is being written. Example: baccarat journal names table.jsonl --erase "A. Patron"
    """
    path = directory_path(journal)
    try:
        path.stat()
        if erase:
            with exclude_writers(journal):
                _erase(Directory.load(path), erase, journal, json=json)
        else:
            _show(Directory.load(path).entries, json=json)
    except FileNotFoundError:
        fail(f"{path}: this journal has no directory of names")
    except BlockingIOError:
        fail(f"{journal} is being written by another program; erase after the table has stopped")
    except UnreadableDirectory as error:
        fail(f"{path}: {error}")
    except OSError as error:
        fail(f"{path}: {error.strerror}")


def _show(entries: tuple[DirectoryEntry, ...], *, json: bool, word: str = "") -> None:
    if json:
        put_json([{"id": each.id, "of": each.words.value, "text": each.text} for each in entries])
        return
    for each in entries:
        put_line((f"{word}{each.id}  ", "dim"), visible(each.text))


def _erase(directory: Directory, said: list[str], journal: Path, *, json: bool) -> None:
    gone: dict[str, DirectoryEntry] = {}
    for text in said:
        found = directory.find(text)
        if not found:
            fail(f"{journal}: no name, remark or id {visible(text)!r}; nothing is erased", REFUSED)
        gone |= {each.id: each for each in found}
    directory.erase(gone.values())
    _show(tuple(gone.values()), json=json, word="erased ")
    for each in gone.values():
        for remark in directory.mentions(each.text) if each.words is Words.PERSON else ():
            errors.print(line((f"{remark.id} still mentions {visible(each.text)}: {visible(remark.text)}", "yellow")))
