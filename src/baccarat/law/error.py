"""Errors of the data or of the licensee: raised on loading, with the clauses they concern."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from baccarat.values import short_repr


class RulesError(Exception):
    """Rules that cannot be used as they are written; `cites` names the clauses concerned, as printed."""

    def __init__(self, say: str, *, cites: Iterable[str] = ()) -> None:
        super().__init__(say)
        self.say = say
        self.cites: tuple[str, ...] = tuple(cites)

    @property
    def options(self) -> tuple[str, ...]:
        """The names of the options at fault; the edition itself if none of them is."""
        return ("ruleset",)


class NoRule(RulesError):  # noqa: N818
    """A question of the game that no row answers."""


class ConflictingRules(RulesError):  # noqa: N818
    """A question of the game that more than one row answers."""


class UnknownClause(RulesError):  # noqa: N818
    """A citation of a clause that its edition does not have; `near` is the nearest one it has."""

    def __init__(self, say: str, *, near: str | None = None, cites: Iterable[str] = ()) -> None:
        super().__init__(say, cites=cites)
        self.near = near


class SubmissionFault(msgspec.Struct, frozen=True):
    """One thing wrong with a Submission: the key, what is wrong, what is allowed, and by which clauses."""

    where: str
    say: str
    allowed: str = ""
    cites: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return short_repr(self, str(self))

    def __str__(self) -> str:
        allowed = f"; allowed: {self.allowed}" if self.allowed else ""
        cites = f" [{', '.join(self.cites)}]" if self.cites else ""
        return f"{self.where}: {self.say}{allowed}{cites}"


class InvalidSubmission(RulesError):  # noqa: N818
    """A Submission that its edition does not admit: all its faults, one per line."""

    def __init__(self, faults: Iterable[SubmissionFault]) -> None:
        self.faults: tuple[SubmissionFault, ...] = tuple(faults)
        assert self.faults, "a submission without a fault is valid"
        cites = dict.fromkeys(cite for fault in self.faults for cite in fault.cites)
        super().__init__("\n".join(map(str, self.faults)), cites=cites)

    def __repr__(self) -> str:
        return short_repr(self, f"{len(self.faults)} fault{'s' if len(self.faults) > 1 else ''}: {self.faults[0]}")

    @property
    def options(self) -> tuple[str, ...]:
        """The names of the options at fault."""
        return tuple(dict.fromkeys(fault.where for fault in self.faults))

    def __reduce__(self) -> tuple[type[InvalidSubmission], tuple[tuple[SubmissionFault, ...]]]:
        return InvalidSubmission, (self.faults,)


def nearest(word: str, words: Iterable[str]) -> str | None:
    """The one of `words` that is spelt most like `word`, or None if none is close."""
    from difflib import get_close_matches  # noqa: PLC0415  only needed after a mistake

    return next(iter(get_close_matches(word, list(words), n=1)), None)


def hint(word: str, words: Iterable[str]) -> str:
    """The end of a message on an unknown word: which one may have been meant, if one is close."""
    near = nearest(word, words)
    return f"; did you mean {near!r}?" if near else ""


def unknown_message(what: str, word: str, words: Iterable[str]) -> str:
    """The message that a word is none of `words`, with the one that may have been meant and all that there are."""
    words = list(words)
    hint = nearest(word, words)
    return f"unknown {what} {word!r}; {f'did you mean {hint!r}? Known' if hint else 'known'}: {', '.join(words)}"
