"""How people are called in sentences who have no name, or whose name was erased."""

from __future__ import annotations

from baccarat.record.directory import Directory, DirectoryEntry
from baccarat.serve.watch.person_name import name_persons

ANN, NOBODY = "person-" + "a1b2c3d4" * 4, "person-fd9b26" + "0" * 26


def test_who_has_a_name_is_called_by_it_and_others_by_the_beginning_of_their_id() -> None:
    names = Directory(None, [DirectoryEntry(id=ANN, salt="00" * 16, text="Ann Fox")])
    assert name_persons(names, f"{NOBODY} comes on the game instead of {ANN}.") == (
        "person fd9b26 comes on the game instead of Ann Fox."
    )
    assert name_persons(None, f"{ANN}: remark-{'0' * 32}.") == "person a1b2c3: remark 000000."
    assert name_persons(None, f"{ANN}0 and person-12") == f"{ANN}0 and person-12", "these are no ids"
