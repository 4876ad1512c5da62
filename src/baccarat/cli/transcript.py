"""`baccarat transcript`: a journal, or the answers of a script, told as a story."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from baccarat.cli.lines import source_name
from baccarat.cli.option import EDITIONS, JSON, RECORDED, flag, option, register_editions
from baccarat.cli.output import fail, put_json, put_line
from baccarat.record.text import visible

if TYPE_CHECKING:
    from baccarat.cli.redecided_acts import ActOnLines
    from baccarat.record.directory import Directory


def transcript(
    journal: str = RECORDED,
    numbers: bool = flag("--numbers", "Number the events, as corrections name them."),
    names: Path | None = option("--names", "FILE", "The directory of names; by default JOURNAL.names, if it exists."),
    edition: list[Path] = EDITIONS,
    json: bool = JSON,
) -> None:
    """Tell a journal as a story in plain words, every sentence with its clauses.

    Every command is decided again. The transcript ends at the first line that cannot have happened (status 1) or
    cannot be read (status 2). A journal has ids in place of names and remarks; they are shown as names with the
    directory stored next to it, as ids without it. Acts of the clock, after a time limit, are marked as such; in
    JSON, origin is who or what acted: person, clock, card source, link or program.
    Example: baccarat run dispute.jsonl | baccarat transcript -
    """
    from baccarat.cli.redecided_acts import WrongLine, acts_of  # noqa: PLC0415

    register_editions(edition)
    directory = _directory(journal, names)
    found = acts_of(journal, from_beginning=False)
    sentences: list[dict[str, Any]] = []
    wrong: WrongLine | None = None
    count = found.events_before
    for act in found.acts:
        if isinstance(act, WrongLine):
            wrong = act
            break
        sentences += (
            {**each, "origin": act.origin.value, "say": visible(directory.fill_names(each["say"]))}
            for each in _sentences(act, count)
        )
        count += len(act.events)
    if json:
        put_json(sentences if wrong is None else [*sentences, {"wrong": wrong.say}])
    else:
        _show(found.title, found.rulebook, sentences, numbers=numbers)
    if wrong is not None:
        fail(f"{source_name(journal)}: {wrong.say}", wrong.status)


def _directory(journal: str, said: Path | None) -> Directory:
    """The names of the ids: from the given file, or from the one next to the journal; empty if there is none."""
    from baccarat.record.directory import Directory, UnreadableDirectory, directory_path  # noqa: PLC0415

    path = said or (directory_path(Path(journal)) if journal != "-" else None)
    if path is None or (said is None and not os.path.isfile(path)):  # noqa: PTH113  no name is too long for it
        return Directory()
    try:
        if said is not None:
            said.stat()
        return Directory.load(path)
    except UnreadableDirectory as error:
        fail(f"{path}: {error}")
    except OSError as error:
        fail(f"{path}: cannot be read: {error.strerror}")


def _sentences(act: ActOnLines, count: int) -> Iterator[dict[str, Any]]:
    from baccarat.record.entry import folded_text  # noqa: PLC0415
    from baccarat.table.base import StepBegan  # noqa: PLC0415
    from baccarat.table.story import tell  # noqa: PLC0415

    if act.unreadable:
        yield {"line": act.number, "say": visible(f"Unreadable: {act.unreadable}."), "cites": []}
    if act.repeats:
        say = f"Repeated: the id {act.repeats} was given before; it is answered as it was, and nothing more is done."
        yield {"line": act.number, "say": visible(say), "cites": []}
    if act.on_trust:
        say = "Taken as it stands: the next act corrects what happened before these answers begin."
        yield {"line": act.number, "say": say, "cites": []}
    if act.by_house:
        say = "Taken as it stands: a rule of the house refused this act, and its books are not read here."
        yield {"line": act.number, "say": say, "cites": []}
    if act.refused is not None:
        cites = list(map(str, act.refused.cites))
        yield {"line": act.number, "say": visible(f"Refused: {act.refused.say}."), "cites": cites}
    if act.folded is not None:
        yield {"line": act.number, "say": visible(folded_text(act.folded)), "cites": []}
    for index, event in enumerate(act.events):
        cites = [] if isinstance(event, StepBegan) else list(event.cites)
        say = visible(tell(event, act.origin))
        yield {"line": act.line_of(index), "event": count + index, "say": say, "cites": cites}


def _show(title: str, rulebook: str, sentences: list[dict[str, Any]], *, numbers: bool) -> None:
    put_line((title, "bold"), "  ", (f"rulebook {rulebook[:16]}…", "dim"))
    for sentence in sentences:
        number = f"{sentence.get('event', ''):>4}  " if numbers else ""
        cites = f"  {', '.join(sentence['cites'])}" if sentence["cites"] else ""
        put_line((number, "dim"), sentence["say"], (cites, "dim"))
