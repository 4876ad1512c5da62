"""Paper: a study of one rulebook as a PAR workbook, as a page and as a PDF."""

from baccarat.report.lab import lab_report as lab_report
from baccarat.report.lab import write_html as write_html
from baccarat.report.lab import write_pdf as write_pdf
from baccarat.report.model import LabReport as LabReport
from baccarat.report.optional_library import MissingExtra as MissingExtra
from baccarat.report.par import write_par as write_par
from baccarat.report.save import CannotWrite as CannotWrite
from baccarat.report.save import check_path as check_path
from baccarat.report.study import Progress as Progress
from baccarat.report.study import Study as Study
from baccarat.report.study import study as study
