"""Lab reports: a study in sections, for the page and for paper."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date as Date  # noqa: N812  a type, named as one
from pathlib import Path

import baccarat
from baccarat.law.row import WagerResult
from baccarat.odds import Price, kept_with_royal9, remarks
from baccarat.odds.show import rounded_text
from baccarat.play.book import open_book
from baccarat.play.wager import WagerKind
from baccarat.report import tables
from baccarat.report.facts import elections, reading_reference, readings_in_force, shoe_in_words
from baccarat.report.html import page
from baccarat.report.model import Block, LabReport, Plot, ReportSection, Text, rulebook_report
from baccarat.report.pdf import paper
from baccarat.report.plots import plots
from baccarat.report.save import HTML, PDF, check_path, save
from baccarat.report.study import Progress, Study
from baccarat.report.tables import money, percent


def lab_report(study: Study, *, date: Date | None = None, progress: Progress | None = None) -> LabReport:
    """The report of a study; it bears a date only if one is given."""
    if progress is not None:
        progress("plots", 0, 2)
    drawn = plots(study)
    if progress is not None:
        progress("pages", 1, 2)
    rules, shoe = study.rules, study.shoe
    facts = [
        ("Edition", f"{rules.edition.name}, revision {rules.edition.revision}"),
        ("Document", rules.edition.title),
        ("Rulebook’s hash", rules.hash),
        ("Shoe", shoe_in_words(shoe)),
        ("Deals", f"{shoe.deals:,} ordered ways to take six cards"),
        ("Program", f"baccarat {baccarat.__version__}"),
    ]
    if study.royal9 is not None:
        shown = ", ".join(f"{name.replace('_', ' ')} {money(cents)}" for name, cents in study.royal9.meters.items())
        facts.append(("Meters", shown))
    if study.asked:
        facts.append(("Stake", ", ".join(map(money, study.asked)) + "; limits: see the elections"))
    if date is not None:
        facts.append(("Date", date.isoformat()))
    short, day = f"{rules.edition.name}, {shoe.decks} decks", date.isoformat() if date is not None else ""
    title, sections = "Prices of a Rules Submission", _sections(study, drawn)
    report = rulebook_report(rules, title, facts, sections, short=short, date=day)
    if progress is not None:
        progress("report", 2, 2)
    return report


def write_html(study: Study, path: str | Path, *, date: Date | None = None, progress: Progress | None = None) -> Path:
    """Write a study as one page of HTML that loads nothing from outside."""
    check_path(path, HTML)
    return save(path, page(lab_report(study, date=date, progress=progress)).encode())


def write_pdf(study: Study, path: str | Path, *, date: Date | None = None, progress: Progress | None = None) -> Path:
    """Write a study as a tagged PDF; the same study makes the same bytes."""
    check_path(path, PDF)
    return save(path, paper(lab_report(study, date=date, progress=progress)))


def _sections(study: Study, drawn: dict[str, Plot]) -> Iterator[ReportSection]:
    yield _section("Summary", *_summary(study))
    yield _section("The wagers", Text(HOW_TO_READ))
    for price in study.prices:
        yield _section(price.name, *_wager(price), level=2)
    if study.by_stake:
        yield _section("Price at a stake", *_stakes(study, drawn))
    if study.alternatives:
        yield _section(
            "What other elections would cost", Text(OPTIONS), *_plot_named(drawn, "options"), tables.alternatives(study)
        )
    yield _section(
        "Distribution of results", Text(BANDS), *_plot_named(drawn, "bands"),
        *(tables.bands(study, share) for share in (90, 95, 99)),
    )  # fmt: skip
    if study.presses:
        grids = [tables.decision_table(study, onto) for onto in dict.fromkeys(each.onto for each in study.presses)]
        yield _section(
            "House Money and its press", Text(PRESS), tables.presses(study), *_plot_named(drawn, "decisions"), *grids
        )
    if study.royal9 is not None:
        yield _section("Royal 9 by chair", *_royal9(study))
    if study.must_hit:
        said = Text(MUST_HIT.format(by=reading_reference(study.rules, "A-30")))
        yield _section("Must Hit", said, *_kept_blocks(study), tables.must_hit(study), tables.seats(study))
    if study.coupons:
        yield _section(
            "Match play", Text(MATCH_PLAY.format(by=reading_reference(study.rules, "A-23"))), tables.coupons(study)
        )
    if study.removed:
        yield _section("Effect of removal", Text(REMOVAL), *_plot_named(drawn, "removal"), tables.removal(study))
    yield _section("Elections", *_elections(study))
    yield _section("Readings", *_readings(study))


def _section(title: str, *blocks: Block, level: int = 1) -> ReportSection:
    return ReportSection(title=title, blocks=blocks, level=level)


def _plot_named(drawn: dict[str, Plot], name: str) -> tuple[Plot, ...]:
    return (drawn[name],) if name in drawn else ()


# -------------------------------------------------------------------------------------------------- words

HOW_TO_READ = (
    "Each line of a pay table with the number of ordered six-card deals that end in it, out of all deals. Probability "
    "is the one over the other; return is what the line adds to the mean gain of a unit staked, so that the total of "
    "the returns is the house edge with the opposite sign. All figures are exact fractions, rounded only for print."
)
OPTIONS = (
    "The same rulebook with one election changed, everything else as filed. Prices are per unit, without rounding; "
    "Royal 9, which depends on its meters, is left out."
)
BANDS = (
    "Where the house’s win lies after many rounds at one stake, per unit staked: exact, from the distribution of the "
    "sum of that many rounds. A band leaves no more than half of the rest below it and no more than half above it. "
    "Rounds are independent and dealt from the shoe priced here; the meters of a progressive stay in every round at "
    "what they show here, so the band is that of the wager at these meters, not of a progressive as it grows."
)
PRESS = (
    "A House Money payout may be added to a main wager when four cards have been seen. The edge is per unit of House "
    "Money; the main wager’s own edge is not in it. At best means: pressed exactly where the hand to which it is added "
    "has the advantage, given the four cards. The workbook holds the decision for every pair of opening hands."
)
MUST_HIT = (
    "The trigger lies anywhere from start to ceiling, each cent equally likely{by}. The cost is what one Royal 9 "
    "wager costs the house in the long run: its contribution, and its share of the next start."
)
MATCH_PLAY = "What a coupon adds to a wager of equal chips; a push gives it back{by}."
REMOVAL = (
    "How much the edge of the house changes when one card of a rank is removed from the shoe that was priced. Above "
    "zero, the house gains; below, the participant does."
)


def _summary(study: Study) -> Iterator[Block]:
    prices = list(study.prices)
    best = min(prices, key=lambda price: price.edge)
    yield Text(
        f"{len(prices)} wagers are priced. The house edge is lowest on {best.name}, at {percent(best.edge)} % of what "
        "is staked. An edge counts stakes that are pushed; the edge of resolved wagers does not. Deviation is that of "
        "the gain of a unit staked in one round."
    )
    yield tables.summary(prices, "All wagers, per unit staked, without rounding")
    for reason in (*remarks(study.prices), *study.prices.missing.values(), *study.prices.notes):
        yield Text(f"{reason}.")


def _wager(price: Price) -> Iterator[Block]:
    yield tables.wager(price)
    resolved = "" if price.edge_resolved is None else f" ({percent(price.edge_resolved)} % of what is resolved)"
    said = (
        f"House edge {percent(price.edge)} %{resolved}; variance {rounded_text(price.variance, 6)}, standard deviation "
        f"{rounded_text(price.deviation, 6)}; wins {percent(price.hit)} %, pushes {percent(price.push)} %."
    )
    cites = " ".join(_cites(price))
    yield Text(f"{said} Clauses: {cites}." if cites else said)


def _cites(price: Price) -> list[str]:
    """The clauses by which this wager wins."""
    wins = [verdict for verdict in price.verdicts if verdict.result is not WagerResult.LOSE]
    found = dict.fromkeys(f"§{cite.paragraph}" for verdict in wins for cite in verdict.cites)
    if any(verdict.vigorish for verdict in wins):
        found |= dict.fromkeys(f"§{cite.paragraph}" for cite in price.book.vig_cites)
    if price.on is WagerKind.ROYAL9:
        found = dict.fromkeys(f"§{cite.paragraph}" for cite in price.book.royal9_cites)
    return list(found)


def _stakes(study: Study, drawn: dict[str, Plot]) -> Iterator[Block]:
    book, by = open_book(study.rules), reading_reference(study.rules, "A-20")
    said = "Payouts with a fraction of a cent are raised to the cent"
    if book.vig_coin:
        said += (
            f", and vigorish of {book.vig_rate} % is raised to the next multiple of {money(book.vig_coin)}, "
            f"at least one{by}; so the price depends on the stake"
        )
    elif book.vig_rate:
        said += f"; of a vigorish of {book.vig_rate} % the fraction of a cent is dropped{by}"
    yield Text(f"{said}.")
    yield from _plot_named(drawn, "stakes")
    for on, prices in study.at_stakes.items():
        if any(price.edge != study.prices[on].edge for price in prices):
            yield tables.at_stakes(study, on)
    even = [study.prices[on].name for on, line in study.by_stake.items() if len({edge for _, edge in line}) < 2]
    if even:
        yield Text(f"At the stakes that the limits allow, nothing is rounded on {', '.join(even)}.")
    if study.exempt:
        yield Text(
            "A participant who wagers as much on the number of cards as on Banker pays no vigorish"
            f"{reading_reference(study.rules, 'A-21')}. Both wagers together, per unit of all that is staked:"
        )
        yield tables.summary(study.exempt, "Wagers free of vigorish, priced together")


def _royal9(study: Study) -> Iterator[Block]:
    royal9 = study.royal9
    assert royal9 is not None
    seat, by = min(royal9.chairs), reading_reference(study.rules, "A-15")
    yield Text(
        f"A wager of {money(royal9.progress.stake)} on the first four cards. Each chair is priced alone, at what the "
        f"meters show; its own contribution counts in an award of the round{by}. A meter breaks even at the "
        "least it must show, the others unchanged, for the chair to lose nothing on average. In the long "
        "run the meters pay out all that they take in, and their seeds."
    )
    yield tables.meters(study)
    yield tables.chairs(study)
    if study.break_even_at_seed:
        yield tables.at_seed(study)
    yield Text(
        f"The reserve takes {tables.in_cents(royal9.reserve)} of each wager. "
        + (
            f"Besides, seeding costs the house {tables.in_cents(royal9.seeding_cost(seat))} per wager of chair {seat}."
            if royal9.has_long_run(seat)
            else "Meters are refilled to their seeds after partial awards: their long run has no closed form."
        )
    )


def _kept_blocks(study: Study) -> Iterator[Block]:
    """What the house keeps of Royal 9 when the Must Hit is paid as well."""
    if study.royal9 is None or not study.must_hit:
        return
    kept = kept_with_royal9(study.royal9, study.must_hit[0])
    if kept is not None:
        yield Text(
            f"Of Royal 9 and the Must Hit together the house keeps {percent(kept)} % of what is staked in the long run."
        )


def _elections(study: Study) -> Iterator[Block]:
    yield Text("The licensee’s Rules Submission in force, in the vocabulary of its file; money in dollars.")
    yield tables.elections_table(elections(study.rules))
    for note in study.rules.notes:
        yield Text(f"Note: {note}.")
    for warning in study.rules.warnings:
        yield Text(f"Warning: {warning}")


def _readings(study: Study) -> Iterator[Block]:
    found = readings_in_force(study.rules)
    bearing = [each for each in found if each.bears]
    others = [each.reading.id for each in found if not each.bears]
    yield Text(
        "Where the document is silent, duplicated or garbled, a reading says what is done. These are those behind "
        "the clauses from which the prices were taken; in brackets what was elected about them."
    )
    yield tables.readings_table(bearing)
    if others:
        yield Text(f"Also in force, without bearing on a price: {', '.join(others)}.")
