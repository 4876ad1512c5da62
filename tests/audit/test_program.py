"""`baccarat verify --program`: the hash of every installed file, and what differs from a manifest."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

import baccarat
from baccarat.audit.program import combined_hash, installed_files, read_manifest

pytestmark = pytest.mark.slow

PACKAGE = Path(baccarat.__file__).parent


def test_every_file_of_the_package_has_its_hash() -> None:
    found = installed_files()
    on_disk = {
        str(path.relative_to(PACKAGE)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in PACKAGE.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert found.files == on_disk
    lines = "".join(f"{on_disk[name]}  {name}\n" for name in sorted(on_disk))
    assert found.hash == hashlib.sha256(lines.encode()).hexdigest()


def test_each_difference_from_a_manifest_is_named() -> None:
    here = installed_files()
    files = dict(here.files)
    files["cards.py"] = "0" * 64
    files["gone.py"] = "1" * 64
    del files["money.py"]
    known = read_manifest(json.dumps({"program": "x", "hash": combined_hash(files), "files": files}).encode())
    said = here.differences(known)
    assert len(said) == 3
    assert said[0].startswith("cards.py has the hash")
    assert said[1:] == ("gone.py is missing", "money.py is not in the manifest")
    assert here.differences(here) == ()


@pytest.mark.parametrize("data", [b"", b"[]", b"\xff\xfe", b'{"program":"x","hash":"0","files":{"a":"b"}}'])
def test_what_is_no_manifest_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match=r"not a manifest|does not match the list"):
        read_manifest(data)
