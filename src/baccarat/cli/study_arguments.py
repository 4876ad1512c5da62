"""The arguments of a study: its options, the command that repeats it, and its manifest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple

import typer

from baccarat.law.rulebook import Rulebook

if TYPE_CHECKING:
    from baccarat.sim.study.strategy import Strategy

NOT_STUDY_OPTIONS = ("submission", "change", "edition", "json", "svg")
"""Parameters that are not options of the study itself: the rules, and how results are shown."""
OUTPUT_OPTIONS = ("json", "svg")


class StudyArguments(NamedTuple):
    """A study as requested in the terminal."""

    command: tuple[str, ...]
    """The command that gives the same figures again, defaults included."""
    submission: str
    changes: tuple[str, ...]
    options: dict[str, Any]
    """By name, including those that were not given."""
    begun: float

    def manifest(self, rules: Rulebook, strategies: Sequence[Strategy] = ()) -> dict[str, Any]:
        """Everything needed to run the study again; the strategies by seat."""
        from baccarat.sim.manifest import study_manifest  # noqa: PLC0415
        from baccarat.sim.study.strategy import strategy_data  # noqa: PLC0415

        return study_manifest(
            rules, command=self.command, submission=self.submission, changes=self.changes, options=self.options,
            strategies=[strategy_data(each) for each in strategies], seconds=monotonic() - self.begun,
        )  # fmt: skip


def read_arguments(context: typer.Context) -> StudyArguments:
    """The study that a command line asks for."""
    given = context.params
    return StudyArguments(
        ("baccarat", "study", str(context.info_name), *_words(context)),
        str(given["submission"]),
        tuple(given["change"] or ()),
        {
            str(each.name): _plain_value(given[str(each.name)])
            for each in context.command.params
            if each.name not in NOT_STUDY_OPTIONS
        },
        monotonic(),
    )


def _plain_value(value: Any) -> Any:
    return str(value) if isinstance(value, Path) else list(value) if isinstance(value, list | tuple) else value


def _words(context: typer.Context) -> Iterator[str]:
    """Every argument and option with its value, except those that only affect how figures are shown."""
    for each in context.command.params:
        value = context.params.get(str(each.name))
        if each.name in OUTPUT_OPTIONS or value is None:
            continue
        if each.param_type_name == "argument":
            yield str(value)
        elif isinstance(value, bool):
            yield from each.opts[:1] if value else each.secondary_opts[:1]
        else:
            for one in value if isinstance(value, list | tuple) else (value,):
                yield from (each.opts[0], str(one))
