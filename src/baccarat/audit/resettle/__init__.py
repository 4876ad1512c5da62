"""A journal under another rulebook: the same shoes and wagers, and what each person and the house would have had."""

from baccarat.audit.resettle.journal_rounds import read_rounds as read_rounds
from baccarat.audit.resettle.journal_rounds import read_tables as read_tables
from baccarat.audit.resettle.played_round import JournalRounds as JournalRounds
from baccarat.audit.resettle.report import ResettleReport as ResettleReport
from baccarat.audit.resettle.report import RoundReport as RoundReport
from baccarat.audit.resettle.report import Share as Share
from baccarat.audit.resettle.resettled_round import ResettleReason as ResettleReason
from baccarat.audit.resettle.resettlement import resettle as resettle
from baccarat.audit.resettle.resettlement import resettle_tables as resettle_tables
