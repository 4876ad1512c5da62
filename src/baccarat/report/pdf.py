"""A report as a tagged PDF, set by typst with the fonts that it brings along."""

from __future__ import annotations

from importlib.resources import files

import msgspec

from baccarat.report.model import Report
from baccarat.report.need import need


class CannotSet(ValueError):  # noqa: N818  an answer to the person
    """A report that cannot be set as a PDF, such as one with letters that no font here has."""


def paper(report: Report) -> bytes:
    """The report as a PDF; the same report makes the same bytes, whatever fonts the machine has."""
    typst = need("typst", what="a PDF")
    template = files("baccarat.report").joinpath("lab.typ").read_bytes()
    try:
        made = typst.compile(
            template,
            ignore_system_fonts=True,
            sys_inputs={"report": msgspec.json.encode(report).decode()},
            format="pdf",
            pdf_standards="ua-1",
        )
    except typst.TypstError as error:
        raise CannotSet(f"no PDF can be set of this: {str(error).splitlines()[0]}; HTML takes any letter") from None
    assert isinstance(made, bytes), "one document, one file"
    return made
