"""Denied acts: an act that was denied stays denied under its id, so that the answer to it is final.

A denial has no record. A copy of the command that arrives later, over a connection that broke meanwhile or from a proxy
that sent it twice, could be done after its sender was informed that it was not. Copies do not outlive the process that
has read them, so it is enough to remember the ids in memory.
"""

from __future__ import annotations

from collections import OrderedDict

MOST_IDS = 20_000
"""How many ids are remembered: the last ones."""


class DeniedActs:
    """The acts of people that one process has denied, by person and id."""

    def __init__(self) -> None:
        self._say = OrderedDict[tuple[str, str], str]()

    def remember(self, who: str, id_: str, say: str) -> None:
        """Remember why an act was denied."""
        if id_:
            self._say[who, id_] = say
            if len(self._say) > MOST_IDS:
                self._say.popitem(last=False)

    def find(self, who: str, id_: str) -> str:
        """Why a person's act under an id was denied; empty if it was not."""
        return self._say.get((who, id_), "")
