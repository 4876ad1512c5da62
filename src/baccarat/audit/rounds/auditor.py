"""The audit of a log, row by row: order, cards, totals, winner and wagers, each decided again by the rulebook."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from baccarat.audit.rounds.column import ROUND_FIELDS, LogColumns
from baccarat.audit.rounds.csv_file import CsvRow
from baccarat.audit.rounds.drawing import DrawCheck, judge
from baccarat.audit.rounds.fault import FaultKind, RoundFault, UnreadableCell
from baccarat.audit.rounds.findings import Findings
from baccarat.audit.rounds.hand_text import HandReader, LoggedHand
from baccarat.audit.rounds.order import RoundOrder, shoe_in_words
from baccarat.audit.rounds.payment import Payments
from baccarat.audit.rounds.result_text import VOID, outcome_of, total_of
from baccarat.audit.rounds.shoe_count import CardKinds
from baccarat.audit.rounds.wager_text import LoggedWager, WagerReader
from baccarat.cards import Rank
from baccarat.law.clause import Citation
from baccarat.law.rulebook import Rulebook
from baccarat.play.book import open_book
from baccarat.play.coup import result_cites
from baccarat.play.hand import Side
from baccarat.values import brief_repr, count_text

SHAPES = 1 << 16
"""More than there are shapes of hands, so that two of their numbers combine into one."""
MOST_GOOD = 256
"""How many spellings of a right result, and rounds of rightly paid wagers, are remembered for each case."""
LONGEST_CELL = 200
"""The most characters in a cell about the round."""
MOST_PAID = 1 << 16
MOST_DRAWINGS = 1 << 16
"""How many pairs of hands have the tableau's answer cached; there are some thousand lawful ones."""
MOST_WAGERS = 1000
"""The most rows of wagers that belong to one round; further rows are the round repeated."""

NEXT_NUMBERS = {str(number): str(number + 1) for number in range(1000)} | {"": ""}
"""The number after each usual one, as text; in a log without numbers, a blank follows a blank."""

Cells = tuple[str, str, str, str, str, str, str]


class _OpenRound(msgspec.Struct):
    """The newest round, while more rows with its wagers may come."""

    fields: Cells
    drawing: DrawCheck
    player: LoggedHand
    banker: LoggedHand
    is_void: bool
    rows: list[int]
    cells: list[tuple[str, ...]]
    spots: set[tuple[str, ...]]


class _StatedResult:
    """What a row states as its result: the totals and the outcome, if it has them and they can be read."""

    def __init__(self) -> None:
        self.totals: dict[Side, int] = {}
        self.outcome: str | None = None
        self.is_readable = True


class RoundAuditor:
    """Audits the rows of one log in order; faults go to `findings`."""

    def __init__(
        self, rules: Rulebook, columns: LogColumns, findings: Findings, *, in_cents: bool = False,
        tens_are_ranks: bool = False, shortcut: bool = True,
    ) -> None:  # fmt: skip
        self.rows = 0
        self.rounds = 0
        self.findings = findings
        self.columns = columns
        self._book = open_book(rules)
        self._kinds = CardKinds(self._book)
        self._hands = HandReader(self._book, self._kinds, tens_are_ranks=tens_are_ranks)
        has_shoe, has_round = columns.has("shoe"), columns.has("round")
        self._over = self._kinds.over if has_shoe else 0
        self._order = RoundOrder(has_shoe=has_shoe, has_round=has_round, full=self._kinds.full)
        self._drawings: dict[int, DrawCheck] = {}
        self._pick = columns.row_picker()
        self._wagers = WagerReader(self._book, columns, in_cents=in_cents) if columns.has_wagers else None
        self._can_continue = self._wagers is not None and self._wagers.one_a_row and (has_shoe or has_round)
        self.payments = Payments(self._book)
        self.unsettled = 0
        """Rounds with wagers that were not settled, because the hands are not as the tableau makes them."""
        self._open: _OpenRound | None = None
        self._paid: set[tuple[object, ...]] = set()
        self._shortcut = shortcut
        edition = rules.edition
        self._total_cites = rules.cite(*edition.point_count.cite)
        called = [cite for cite in result_cites(self._book) if cite not in self._total_cites]
        self._winner_cites = (*called, *self._total_cites)
        self._titles = {field: columns.title(field) for field in (*ROUND_FIELDS, "wager")}

    def feed(self, rows: Sequence[CsvRow]) -> None:
        """Audit rows. A row known to be as expected is passed quickly; any other is checked in detail."""
        known, drawings, order, over = self._hands.known, self._drawings, self._order, self._over
        pick, read, width = self._pick, self._hand, len(self.columns.names) if self._shortcut else -1
        has_wagers, first_row = self._wagers is not None, self.rows + 1
        now, held, following, closely = order.now, order.now.held, order.expected_number, 0
        for number, row in enumerate(rows, first_row):
            if row.__class__ is list and len(row) == width:
                fields = pick(row)
                shoe, this, player, banker, player_total, banker_total, winner = fields
                first, second = known.get(player) or read(player), known.get(banker) or read(banker)
                if this == following and shoe == now.shoe and first is not None and second is not None:
                    drawing = drawings.get(first.shape_id * SHAPES + second.shape_id)
                    if drawing is not None and (player_total, banker_total, winner) in drawing.good:
                        given = held + first.packed + second.packed
                        if not given & over:
                            held, following = given, NEXT_NUMBERS[this] if this in NEXT_NUMBERS else _next_number(this)
                            if has_wagers:
                                self._new_round(number, row, fields, drawing, first, second)
                            continue
            now.held, now.next_round = held, now.next_round if following is None else following
            closely += 1
            self._row(number, row)
            now, held, following = order.now, order.now.held, order.expected_number
        now.held, now.next_round = held, now.next_round if following is None else following
        self.rows += len(rows)
        self.rounds += len(rows) - closely

    def finish(self) -> None:
        """Settle the wagers of the last round."""
        if self._open is not None:
            self._settle(self._open)
            self._open = None

    # ------------------------------------------------------------------------------- one row, in detail

    def _row(self, number: int, row: CsvRow) -> None:
        try:
            fields = self._fields(row)
        except UnreadableCell as error:
            self.rounds += 1
            self.finish()
            self._order.note_unreadable_row()
            self._report_unreadable(number, ("",) * 7, error)
            return
        assert isinstance(row, list), "only a row has fields"
        if self._continues(number, row, fields):
            return
        self.rounds += 1
        self.finish()
        shoe, this = fields[:2]
        for kind, field, expected, found in self._order.step(shoe.strip(), this.strip()):
            self._report_fault(number, fields, kind, field, expected, found)
        hands = [self._readable_hand(number, fields, index) for index in (2, 3)]
        stated = self._read_stated(number, fields)
        player, banker = hands
        self._count_cards(number, fields, [hand for hand in hands if hand is not None])
        if player is None or banker is None:
            return
        drawing = self._draw_check(player, banker)
        is_void = self._results(number, fields, drawing, stated)
        if self._wagers is not None:
            self._new_round(number, row, fields, drawing, player, banker, is_void=is_void)

    def _fields(self, row: CsvRow) -> Cells:
        if isinstance(row, UnreadableCell):
            raise row
        width = len(self.columns.names)
        while len(row) > width and not row[-1].strip():
            row.pop()
        if len(row) != width:
            raise UnreadableCell("", expected=f"{width} cells, as in the header", found=f"{len(row)} cells")
        fields = self._pick(row)
        for field, cell in zip(ROUND_FIELDS, fields, strict=True):
            if len(cell) > LONGEST_CELL:  # to bound the caches of cells
                found = f"{len(cell):,} characters: {brief_repr(cell, most=30)}"
                expected = f"a cell of at most {LONGEST_CELL} characters"
                raise UnreadableCell(self._titles[field], expected=expected, found=found)
        return fields  # type: ignore[return-value]

    def _hand(self, text: str) -> LoggedHand | None:
        try:
            return self._hands.read(text, "") if len(text) <= LONGEST_CELL else None
        except UnreadableCell:
            return None

    def _readable_hand(self, number: int, fields: Cells, index: int) -> LoggedHand | None:
        """The hand in a cell of the row; None, and a report, if it cannot be read."""
        text = fields[index]
        try:
            return self._hands.known.get(text) or self._hands.read(text, self._titles[ROUND_FIELDS[index]])
        except UnreadableCell as error:
            self._report_unreadable(number, fields, error)
            return None

    def _read_stated(self, number: int, fields: Cells) -> _StatedResult:
        """Totals and winner as the row states them; unreadable ones are reported, and the rest is compared."""
        found = _StatedResult()
        if self.columns.has("winner"):
            try:
                found.outcome = outcome_of(fields[6], self._titles["winner"])
            except UnreadableCell as error:
                found.is_readable = False
                self._report_unreadable(number, fields, error)
        for side, field, text in zip(Side, ("player_total", "banker_total"), fields[4:6], strict=True):
            if not self.columns.has(field) or (found.outcome == VOID and not text.strip()):
                continue
            try:
                found.totals[side] = total_of(text, self._titles[field])
            except UnreadableCell as error:
                found.is_readable = False
                self._report_unreadable(number, fields, error)
        return found

    def _draw_check(self, player: LoggedHand, banker: LoggedHand) -> DrawCheck:
        key = player.shape_id * SHAPES + banker.shape_id
        found = self._drawings.get(key)
        if found is None:
            if len(self._drawings) >= MOST_DRAWINGS:
                self._drawings.clear()
            shapes = self._hands.shapes
            found = self._drawings[key] = judge(self._book, shapes[player.shape_id], shapes[banker.shape_id])
        return found

    def _count_cards(self, number: int, fields: Cells, hands: Sequence[LoggedHand]) -> None:
        if not self._over or self._order.stray:
            return
        now, kinds = self._order.now, self._kinds
        now.held += sum(hand.packed for hand in hands)
        if not now.held & self._over:
            return
        for name, most in list(kinds.kinds_exceeded(now.held)):
            tens_are_values = name == Rank.TEN.value and not kinds.has_court_cards(now.held)
            now.held = kinds.without_kind(now.held, name)
            if tens_are_values:
                now.reported.add(name)  # no honest shoe deals all its tens before any court card: here a ten is a value
            elif name not in now.reported:
                now.reported.update((name, *kinds.coarser(name)))
                found = f"number {most + 1} of {name} in {shoe_in_words(now.shoe)}"
                decks = count_text(self._book.rules.elections.decks or 0, "deck")
                expected = f"at most {most} cards {name} in a shoe of {decks}"
                self._report_fault(number, fields, FaultKind.TOO_MANY_OF_A_CARD, "", expected, found, kinds.cites)

    def _results(self, number: int, fields: Cells, drawing: DrawCheck, stated: _StatedResult) -> bool:
        """Compare drawing, totals and winner; returns whether the round is rightly called void."""
        outcome, totals = stated.outcome, stated.totals
        if outcome == VOID and drawing.needs_cards:
            return True
        lawful = {fault.side: fault.lawful_count for fault in drawing.faults}
        cards = dict(zip(Side, zip((drawing.player, drawing.banker), fields[2:4], strict=True), strict=True))
        for fault in drawing.faults:
            shape, text = cards[fault.side]
            is_stale = fault.lawful_count not in (None, shape.count) and totals.get(fault.side) == fault.lawful_count
            found = f"{count_text(shape.cards, 'card')}: {text.strip() or 'none'}"
            kind = fault.stale_kind if is_stale else fault.kind
            self._report_fault(number, fields, kind, fault.side.value, fault.expected, found, fault.cites)
        counts, right = {}, not drawing.faults and stated.is_readable
        for side, (shape, _) in cards.items():
            total = totals.get(side)
            counts[side] = total if total is not None and total in (shape.count, lawful.get(side)) else shape.count
            if total is not None and counts[side] != total:
                right = False
                self._report_fault(
                    number, fields, FaultKind.WRONG_TOTAL, f"{side.value}_total", str(shape.count), str(total),
                    self._total_cites,
                )  # fmt: skip
        player, banker = counts[Side.PLAYER], counts[Side.BANKER]
        winner = "tie" if player == banker else "player" if player > banker else "banker"
        if outcome not in (None, winner):
            right = False
            expected = f"{winner}: Player {player}, Banker {banker}"
            self._report_fault(
                number, fields, FaultKind.WRONG_WINNER, "winner", expected, str(outcome), self._winner_cites
            )
        if right and len(drawing.good) < MOST_GOOD:
            drawing.good.add(fields[4:])
        return False

    # --------------------------------------------------------------------------------------- its wagers

    def _continues(self, number: int, row: list[str], fields: Cells) -> bool:
        """Whether a row only adds another wager to the round before it; if so, it is added."""
        last = self._open
        if last is None or not self._can_continue or last.fields != fields or len(last.rows) >= MOST_WAGERS:
            return False
        assert self._wagers is not None, "only a log with wagers continues a round"
        cells = self._wagers.cells(row)
        spot = self._wagers.spot(cells)
        if spot in last.spots:
            return False
        last.rows.append(number)
        last.cells.append(cells)
        last.spots.add(spot)
        return True

    def _new_round(
        self, number: int, row: list[str], fields: Sequence[str], drawing: DrawCheck, player: LoggedHand,
        banker: LoggedHand, *, is_void: bool = False,
    ) -> None:  # fmt: skip
        assert self._wagers is not None, "only a log with wagers has any to settle"
        self.finish()
        cells = self._wagers.cells(row)
        self._open = _OpenRound(
            fields=fields,  # type: ignore[arg-type]
            drawing=drawing, player=player, banker=banker, is_void=is_void, rows=[number], cells=[cells],
            spots={self._wagers.spot(cells)},
        )  # fmt: skip
        if not self._can_continue:
            self.finish()

    def _settle(self, this: _OpenRound) -> None:
        """Compare what the wagers of a round were paid, unless the same wagers were right in the same case before."""
        if not any(map(any, this.cells)):
            return
        if this.drawing.faults and not this.is_void:
            self.unsettled += 1
            return
        pairs = () if this.is_void else (self.payments.pair(this.player), self.payments.pair(this.banker))
        key = (this.drawing.finish, this.is_void, *pairs, *this.cells)
        if key in self._paid:
            return
        assert self._wagers is not None, "only a log with wagers has any to settle"
        wagers: list[LoggedWager] = []
        rows: list[int] = []
        unchecked, right = self.payments.unchecked.total(), True
        for number, cells in zip(this.rows, this.cells, strict=True):
            try:
                found = self._wagers.read(cells)
            except UnreadableCell as error:
                right = False
                self._report_unreadable(number, this.fields, error)
                continue
            wagers += found
            rows += [number] * len(found)
        for index, kind, column, expected, wrong, cites in self.payments.check(
            this.drawing, this.player, this.banker, wagers, is_void=this.is_void
        ):
            right = False
            self._report_fault(rows[index], this.fields, kind, column, expected, wrong, cites)
        is_short = sum(len(cell) for cells in this.cells for cell in cells) < MOST_GOOD * len(this.cells)
        if right and is_short and unchecked == self.payments.unchecked.total():
            if len(self._paid) >= MOST_PAID:
                self._paid.clear()
            self._paid.add(key)

    # ------------------------------------------------------------------------------------ what was found

    def _report_fault(
        self, number: int, fields: Sequence[str], kind: FaultKind, field: str, expected: str, found: str,
        cites: tuple[Citation, ...] = (),
    ) -> None:  # fmt: skip
        column = self._titles.get(field, field)
        self.findings.add(
            RoundFault(
                row=number, kind=kind, column=column, expected=expected, found=found, cites=cites,
                shoe=fields[0].strip()[:80], round=fields[1].strip()[:80],
            )
        )  # fmt: skip

    def _report_unreadable(self, number: int, fields: Sequence[str], error: UnreadableCell) -> None:
        self._report_fault(number, fields, FaultKind.UNREADABLE, error.column, error.expected, error.found)


def _next_number(number: str) -> str:
    return str(int(number) + 1)
