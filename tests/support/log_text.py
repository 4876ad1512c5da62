"""Small logs as texts, and what their audit finds."""

from __future__ import annotations

import io

from baccarat.audit.rounds import Findings, LogAudit, LogOptions, audit_log
from baccarat.law.rulebook import rulebook

HEADER = "shoe,round,player,banker,player_total,banker_total,winner"
FIRST, SECOND, THIRD = "1,1,8c 7c 9d,8c 5d Qh,4,3,player", "1,2,Kd Kd 3s,Qs 6h,3,6,banker", "1,3,6c 3h,Ac 7h,9,8,player"


def audited(text: str | bytes, **options: object) -> LogAudit:
    raw = text.encode() if isinstance(text, str) else text
    stream = io.BufferedReader(io.BytesIO(raw))
    return audit_log(rulebook("ma-midi-4"), stream, Findings(keep=1000), options=LogOptions(**options))  # type: ignore[arg-type]


def faults(text: str | bytes, **options: object) -> list[tuple[int, str, str]]:
    return [(fault.row, fault.kind.value, fault.column) for fault in audited(text, **options).findings.kept]


def log(*rows: str, header: str = HEADER, end: str = "\n") -> str:
    return end.join([header, *rows]) + end
