"""The check of class names finds a name that means two classes, and an exception that nothing needs."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from paths import ROOT

sys.path.insert(0, str(ROOT / "tools"))

import class_names


@pytest.mark.slow
def test_every_class_name_in_the_source_names_one_class() -> None:
    assert class_names.faults(class_names.homes()) == []


def test_a_name_of_two_classes_is_found_with_both_places(tmp_path: Path) -> None:
    (tmp_path / "one.py").write_text("class Line: ...\n", encoding="utf-8")
    (tmp_path / "two.py").write_text("x = 1\nclass Line: ...\n", encoding="utf-8")
    assert class_names.faults(class_names.homes(tmp_path)) == ["Line names 2 classes or types: one.py:1, two.py:2"]


def test_a_type_with_the_name_of_a_class_elsewhere_is_found(tmp_path: Path) -> None:
    (tmp_path / "one.py").write_text("class Line: ...\n", encoding="utf-8")
    (tmp_path / "two.py").write_text("Line = list[str]\nCells = list[str]\n", encoding="utf-8")
    (tmp_path / "six.py").write_text("Cells = tuple[str]\n", encoding="utf-8")
    assert class_names.faults(class_names.homes(tmp_path)) == ["Line names 2 classes or types: one.py:1, two.py:1"]


def test_a_new_type_counts_as_a_class(tmp_path: Path) -> None:
    (tmp_path / "one.py").write_text("Line = NewType('Line', str)\n", encoding="utf-8")
    (tmp_path / "two.py").write_text("Line = typing.NewType('Line', int)\n", encoding="utf-8")
    assert class_names.faults(class_names.homes(tmp_path)) == ["Line names 2 classes or types: one.py:1, two.py:1"]


def test_another_name_for_a_class_may_not_be_that_of_a_third(tmp_path: Path) -> None:
    (tmp_path / "one.py").write_text("class Line: ...\nclass Row: ...\n", encoding="utf-8")
    (tmp_path / "two.py").write_text("Line = one.Row\nROWS = Row\n", encoding="utf-8")
    assert class_names.faults(class_names.homes(tmp_path)) == ["Line names 2 classes or types: one.py:1, two.py:1"]


def test_an_exception_that_nothing_needs_is_a_fault(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(class_names, "EXCEPTIONS", {"Line": "no reason"})
    assert class_names.faults(class_names.homes(tmp_path)) == [
        "Line is listed as an exception, but names at most one class"
    ]
