"""Paths that cannot be written, and libraries that are not there: a clear sentence, and nothing half-written."""

from __future__ import annotations

import os
import resource
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from baccarat.law.rulebook import rulebook
from baccarat.report import CannotWrite, MissingExtra, Study, check_path, study, write_html, write_par, write_pdf
from baccarat.report.optional_library import require_library
from baccarat.report.save import save

pytestmark = pytest.mark.slow

WRITERS: list[Callable[[Study, Path], Path]] = [write_par, write_html, write_pdf]


@pytest.fixture(scope="module")
def small() -> Study:
    """A study with few wagers."""
    return study(rulebook("nj-punto-banco", dragon_bonus=False, total_card_wagers=False))


@pytest.mark.parametrize("write", WRITERS)
def test_a_missing_folder_and_a_folder_are_refused_before_any_work(
    write: Callable[[Study, Path], Path], small: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("baccarat.report.lab.lab_report", None)  # no work may be begun
    monkeypatch.setattr("baccarat.report.par.par", None)
    with pytest.raises(CannotWrite, match=r"the folder .*nowhere does not exist"):
        write(small, tmp_path / "nowhere" / "report.out")
    with pytest.raises(CannotWrite, match="is a folder; give the name of a file in it"):
        write(small, tmp_path)
    (tmp_path / "file").touch()
    with pytest.raises(CannotWrite, match="is not a folder"):
        write(small, tmp_path / "file" / "report.out")
    assert [each.name for each in tmp_path.iterdir()] == ["file"]


def test_other_bad_paths(tmp_path: Path) -> None:
    for path in (tmp_path / ("x" * 300), "a\0b", "/dev/null"):
        with pytest.raises(CannotWrite):
            save(path, b"report")
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    with pytest.raises(CannotWrite):
        save(loop, b"report")
    assert list(tmp_path.iterdir()) == [loop]


def test_what_may_not_be_written_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = tmp_path / "kept.xlsx"
    kept.write_bytes(b"before")
    # The administrator may write anywhere, so the answer of the system is put in its mouth.
    monkeypatch.setattr(os, "access", lambda place, _mode: Path(place) != kept)
    with pytest.raises(CannotWrite, match="the file exists and is read-only"):
        save(kept, b"after")
    monkeypatch.setattr(os, "access", lambda place, _mode: Path(place) == kept)
    with pytest.raises(CannotWrite, match=r"the folder .* is read-only"):
        save(kept, b"after")
    assert kept.read_bytes() == b"before"
    assert list(tmp_path.iterdir()) == [kept]


FULL = """
import resource, sys
from baccarat.report.save import CannotWrite, save
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
try:
    save(sys.argv[1], b"%PDF-" + b"x" * 100_000)
except CannotWrite as error:
    print(error)
"""


def test_a_disk_that_is_full_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    assert resource.RLIMIT_FSIZE is not None
    kept = tmp_path / "report.pdf"
    kept.write_bytes(b"%PDF-before")
    ran = subprocess.run([sys.executable, "-c", FULL, str(kept)], capture_output=True, text=True, check=True)
    assert ran.stdout.startswith(f"{kept}: cannot be written: File too large")
    assert kept.read_bytes() == b"%PDF-before"
    assert list(tmp_path.iterdir()) == [kept]


def test_a_write_that_fails_at_the_end_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(CannotWrite, match="No space left on device"):
        save(tmp_path / "report.html", b"report")

    def stopped(_handle: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", stopped)
    with pytest.raises(KeyboardInterrupt):
        save(tmp_path / "report.html", b"report")
    assert list(tmp_path.iterdir()) == []


def test_a_file_is_replaced_whole_through_links_and_keeps_its_rights(tmp_path: Path) -> None:
    real, link = tmp_path / "real.html", tmp_path / "link.html"
    real.write_bytes(b"<!doctype html>before")
    real.chmod(0o640)
    link.symlink_to(real)
    assert save(link, b"<!DOCTYPE html>after") == real
    assert real.read_bytes() == b"<!DOCTYPE html>after"
    assert real.stat().st_mode & 0o777 == 0o640
    assert link.is_symlink()
    mask = os.umask(0o027)
    try:
        assert save(tmp_path / "new.html", b"new").stat().st_mode & 0o777 == 0o640
    finally:
        os.umask(mask)
    assert check_path(str(tmp_path / "free.pdf")) == tmp_path / "free.pdf"


@pytest.mark.parametrize(
    ("missing", "write", "what"),
    [
        ("xlsxwriter", write_par, "a workbook"), ("altair", write_html, "a plot"), ("vl_convert", write_pdf, "a plot"),
        ("typst", write_pdf, "a PDF"),
    ],
)  # fmt: skip
def test_a_missing_extra_says_what_to_install(
    missing: str, write: Any, what: str, small: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(MissingExtra) as caught:
        write(small, tmp_path / "report.out")
    assert str(caught.value) == f'{what} needs {missing}, which is not installed: pip install "baccarat[report]"'
    assert caught.value.name == missing
    assert list(tmp_path.iterdir()) == []
    assert isinstance(caught.value, ModuleNotFoundError)


def test_what_is_there_is_given() -> None:
    assert require_library("json", what="a test").dumps([1]) == "[1]"


def test_the_study_needs_none_of_the_libraries() -> None:
    asked = "import sys, baccarat.report; print({'altair', 'typst', 'xlsxwriter', 'numpy'} & set(sys.modules))"
    ran = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "set()"


SORTS = {
    "page": b"<!DOCTYPE html><title>x</title>", "paper": b"%PDF-1.7", "workbook": b"PK\x03\x04rest",
    "rounds": b"table,shoe,round,line,kind,outcome,other_outcome\n", "journal": b'{"hash":"', "words": b"\x01\x02",
}  # fmt: skip


@pytest.mark.parametrize("there", SORTS)
@pytest.mark.parametrize("coming", SORTS)
def test_a_file_is_replaced_only_by_one_of_its_own_sort(coming: str, there: str, tmp_path: Path) -> None:
    """What has no sign to be known by, such as a journal or bare bytes, is never replaced, not even by its like."""
    path = tmp_path / "file"
    path.write_bytes(SORTS[there])
    if coming == there and there not in ("journal", "words"):
        save(path, SORTS[coming] + b"new")
        assert path.read_bytes() == SORTS[coming] + b"new"
        return
    with pytest.raises(CannotWrite, match=r"already exists.*; it is not overwritten"):
        save(path, SORTS[coming])
    assert path.read_bytes() == SORTS[there]
    assert list(tmp_path.iterdir()) == [path]


def test_an_empty_file_may_be_written(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.touch()
    save(path, b"words")
    assert path.read_bytes() == b"words"


def test_a_file_is_on_the_disk_and_then_its_name_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced = list[tuple[bool, bool]]()
    place = tmp_path / "page.html"

    def sync(handle: int) -> None:
        synced.append((stat.S_ISDIR(os.fstat(handle).st_mode), place.exists()))

    monkeypatch.setattr(os, "fsync", sync)
    save(place, b"<!doctype html>")
    assert synced == [(False, False), (True, True)], "the file before it has its name, the folder after that"


@pytest.mark.skipif(os.name == "nt", reason="rights are told otherwise there")
def test_a_new_file_has_the_usual_rights_and_a_replaced_one_those_it_had(tmp_path: Path) -> None:
    place = tmp_path / "page.html"
    before = os.umask(0o027)
    try:
        save(place, b"<!doctype html>")
        assert stat.S_IMODE(place.stat().st_mode) == 0o640
        place.chmod(0o604)
        save(place, b"<!doctype html>two")
        assert stat.S_IMODE(place.stat().st_mode) == 0o604
    finally:
        os.umask(before)
    assert [each.name for each in tmp_path.iterdir()] == ["page.html"]
