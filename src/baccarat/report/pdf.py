"""Tagged PDFs, set by typst with the fonts that it brings along."""

from __future__ import annotations

from importlib.resources import files

import msgspec

from baccarat.report.model import LabReport
from baccarat.report.optional_library import require_library


class NotTypeset(ValueError):  # noqa: N818  an answer to the person
    """What cannot be set as a PDF, such as letters that no font here has."""


def paper(report: LabReport) -> bytes:
    """The report as a PDF; the same report makes the same bytes, whatever fonts the machine has."""
    template = files("baccarat.report").joinpath("lab.typ").read_bytes()
    return set_pdf(template, report=msgspec.json.encode(report).decode())


def set_pdf(template: bytes, **inputs: str) -> bytes:
    """A tagged PDF of a typst template, which finds what it is to say in `sys.inputs`; nothing is read or fetched."""
    typst = require_library("typst", what="a PDF")
    try:
        made = typst.compile(template, ignore_system_fonts=True, sys_inputs=inputs, format="pdf", pdf_standards="ua-1")
    except typst.TypstError as error:
        raise NotTypeset(f"no PDF can be set of this: {str(error).splitlines()[0]}; HTML takes any letter") from None
    assert isinstance(made, bytes), "one document, one file"
    return made
