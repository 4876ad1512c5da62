"""Tagged PDFs, set by typst with the fonts that it includes."""

from __future__ import annotations

from importlib.resources import files

import msgspec

from baccarat.report.model import LabReport
from baccarat.report.optional_library import require_library


class NotTypeset(ValueError):  # noqa: N818  an answer to the person
    """A text that cannot be set as a PDF, such as letters that no font here has."""


def paper(report: LabReport) -> bytes:
    """The report as a PDF; the same report makes the same bytes, regardless of installed fonts."""
    template = files("baccarat.report").joinpath("lab.typ").read_bytes()
    return set_pdf(template, report=msgspec.json.encode(report).decode())


def set_pdf(template: bytes, **inputs: str) -> bytes:
    """A tagged PDF of a typst template, which takes its text from `sys.inputs`; nothing is read or fetched."""
    typst = require_library("typst", what="a PDF")
    try:
        made = typst.compile(template, ignore_system_fonts=True, sys_inputs=inputs, format="pdf", pdf_standards="ua-1")
    except typst.TypstError as error:
        raise NotTypeset(f"cannot be set as a PDF: {str(error).splitlines()[0]}; HTML accepts any letter") from None
    assert isinstance(made, bytes), "one document, one file"
    return made
