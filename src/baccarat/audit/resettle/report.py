"""What a resettlement found: by person, for the house, and round by round if something differs."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from baccarat.audit.resettle.resettled_round import ResettleReason


class Share(msgspec.Struct, frozen=True, kw_only=True):
    """What one person had in one round, or in all: by the journal, and under the other rules; in cents."""

    who: str
    wagered: int = 0
    net: int = 0
    vigorish: int = 0
    other_wagered: int = 0
    other_net: int = 0
    other_vigorish: int = 0

    @property
    def difference(self) -> int:
        """How much more the person would have had; negative if less."""
        return self.other_net - self.net


class RoundReport(msgspec.Struct, frozen=True, kw_only=True):
    """One round: how it ended, how it would have ended, who would have had what, and why."""

    table: str = ""
    """The stream of the table, if a journal holds several."""
    shoe: int
    round: int
    line: int
    kind: str
    outcome: str
    other_outcome: str
    """`?` if it cannot be resettled; then the sums are those of the journal, on both sides."""
    shares: tuple[Share, ...] = ()
    reasons: tuple[ResettleReason, ...] = ()

    @property
    def is_resolved(self) -> bool:
        """Whether it could be settled under the other rules."""
        return all(reason.kind != "cannot_be_told" for reason in self.reasons)

    @property
    def differs(self) -> bool:
        """Whether it runs or ends differently under the other rules."""
        kinds = {reason.kind for reason in self.reasons}
        return bool(kinds - {"corrected", "not_as_settled", "cannot_be_told"})


class HouseResult(msgspec.Struct, frozen=True, kw_only=True):
    """The house's side, in cents: what all persons together lost."""

    drop: int
    """What was bought in, spoken cash included."""
    wagered: int
    win: int
    vigorish: int
    other_wagered: int
    other_win: int
    other_vigorish: int

    @property
    def difference(self) -> int:
        """How much more the house would have won; negative if less."""
        return self.other_win - self.win


class ResettleReport(msgspec.Struct, frozen=True, kw_only=True):
    """A whole journal under other rules."""

    rulebooks: tuple[str, ...]
    """The hashes of the rulebooks under which the journal was played."""
    editions: tuple[str, ...]
    other_rulebook: str
    other_edition: str
    rounds: int
    """How many rounds were played to their end: with wagers, without, and void ones."""
    patrons: tuple[Share, ...]
    house: HouseResult
    reported: tuple[RoundReport, ...]
    """The rounds with something to report."""
    every: tuple[RoundReport, ...] = ()
    """All rounds, for a list of them."""
    assumed: tuple[str, ...] = ()
    """What was assumed, and what cannot be determined."""

    @property
    def differing_rounds(self) -> int:
        """How many rounds run or end differently under the other rules."""
        return sum(each.differs for each in self.reported)

    @property
    def corrected_rounds(self) -> int:
        """How many rounds deviate from their own rules because two persons corrected something."""
        return sum(any(reason.kind == "corrected" for reason in each.reasons) for each in self.reported)

    @property
    def unresolved_rounds(self) -> int:
        """How many rounds cannot be resettled."""
        return sum(not each.is_resolved for each in self.reported)

    @property
    def faults(self) -> int:
        """How many rounds deviate from their own rules without a correction that explains it."""
        return sum(any(reason.kind == "not_as_settled" for reason in each.reasons) for each in self.reported)


def percent(part: int, whole: int) -> str:
    """A share in percent, to hundredths, half a hundredth away from zero; empty if there is no whole."""
    if not whole:
        return ""
    hundredths = (abs(part) * 20_000 // whole + 1) // 2
    sign = "-" if part < 0 and hundredths else ""
    return f"{sign}{hundredths // 100}.{hundredths % 100:02d} %"


CSV_HEADER = (
    "table", "shoe", "round", "line", "kind", "outcome", "other_outcome", "who", "wagered", "net", "vigorish",
    "other_wagered", "other_net", "other_vigorish", "difference", "reasons",
)  # fmt: skip


def csv_rows(report: ResettleReport) -> Iterator[tuple[str | int, ...]]:
    """One row per person and round, and one for a round without wagers; sums in cents."""
    for each in report.every:
        reasons = " · ".join(f"{reason.say} [{', '.join(reason.clauses)}]" for reason in each.reasons)
        for share in each.shares or (Share(who=""),):
            yield (
                each.table, each.shoe, each.round, each.line, each.kind, each.outcome, each.other_outcome, share.who,
                share.wagered, share.net, share.vigorish, share.other_wagered, share.other_net, share.other_vigorish,
                share.difference, reasons,
            )  # fmt: skip


def as_json(report: ResettleReport) -> dict[str, object]:
    """The report for a program; sums in cents, shares in percent as text."""
    house = report.house
    return {
        "rulebooks": report.rulebooks,
        "editions": report.editions,
        "other_rulebook": report.other_rulebook,
        "other_edition": report.other_edition,
        "patrons": [{**msgspec.structs.asdict(each), "difference": each.difference} for each in report.patrons],
        "house": {
            **msgspec.structs.asdict(house),
            "difference": house.difference,
            "hold": percent(house.win, house.drop),
            "other_hold": percent(house.other_win, house.drop),
        },
        "rounds": report.rounds,
        "differing": report.differing_rounds,
        "corrected": report.corrected_rounds,
        "cannot_be_told": report.unresolved_rounds,
        "not_as_settled": report.faults,
        "reported": report.reported,
        "assumed": report.assumed,
    }
