"""Logs of rounds that other programs wrote: each round decided again under a rulebook, every fault with its clause."""

from baccarat.audit.rounds.fault import FaultKind as FaultKind
from baccarat.audit.rounds.fault import RoundFault as RoundFault
from baccarat.audit.rounds.fault import UnreadableLog as UnreadableLog
from baccarat.audit.rounds.findings import Findings as Findings
from baccarat.audit.rounds.round_log import LogAudit as LogAudit
from baccarat.audit.rounds.round_log import LogOptions as LogOptions
from baccarat.audit.rounds.round_log import audit_log as audit_log
