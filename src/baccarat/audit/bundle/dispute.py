"""The dispute card: one page to print about one round, with cards, wagers, acts, clauses, and what was checked."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from html import escape
from importlib.resources import files

import msgspec

from baccarat import __version__
from baccarat.audit.bundle.form import Bundle
from baccarat.audit.bundle.round_summary import ActSummary, HandSummary, NotARound, RoundSummary, bundled_round
from baccarat.audit.bundle.rulebook import known_rules
from baccarat.audit.bundle.verdict import GOOD, SIGNS, UNCOVERED, BundleVerdict
from baccarat.audit.impossible import IMPOSSIBLE_STATE_ERRORS
from baccarat.cards import Card, Suit
from baccarat.report.pdf import set_pdf

__all__ = ["NotARound", "dispute_page", "dispute_sheet", "dispute_style"]

RED = (Suit.HEARTS, Suit.DIAMONDS)
NOTHING_CAME = "nothing taken or paid"


def dispute_style() -> str:
    """The style of the page."""
    return files("baccarat.audit.bundle").joinpath("dispute.css").read_text(encoding="utf-8")


def dispute_page(bundle: Bundle, verdict: BundleVerdict, *, style_at: str = "") -> str:
    """The page about the round of a bundle; `NotARound` if the bundle is about something else.

    Its style is in the page, so that it is one file, or at an address, for a server that forbids inline styles.
    """
    shown = _disputed_round(bundle)
    title = _title(bundle)
    style = f'<link rel="stylesheet" href="{escape(style_at)}">' if style_at else f"<style>\n{dispute_style()}</style>"
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f'<meta name="generator" content="baccarat {escape(__version__)}">\n'
        f"<title>{escape(title)}</title>\n{style}\n</head>\n<body>\n<main>\n"
        f"<h1>{escape(title)}</h1>\n"
        f'<p class="over">{escape(shown.rules.edition.title)} · {escape(_time_span(shown))}</p>\n'
        f"{_verdict(verdict)}"
        f'<div class="hands">\n{"".join(map(_hand, shown.hands))}</div>\n'
        f'<p class="outcome">{escape(shown.outcome)}</p>\n'
        f"{_wagers(shown)}{_clauses(shown)}{_acts(shown.acts)}{_checks(verdict)}"
        f"</main>\n{_footer(verdict, shown)}</body>\n</html>\n"
    )


def dispute_sheet(bundle: Bundle, verdict: BundleVerdict) -> bytes:
    """The same page as a tagged PDF; `MissingExtra` if typst is not installed."""
    shown = _disputed_round(bundle)
    card = {
        "title": _title(bundle),
        "over": f"{shown.rules.edition.title} · {_time_span(shown)}",
        "verdict": _sentence(verdict),
        "is_wrong": verdict.status not in (GOOD, UNCOVERED),
        "hands": [
            {
                "side": hand.side.value.capitalize(),
                "count": "" if hand.count is None else str(hand.count),
                "cards": [{"sign": card.sign, "number": number} for number, card in hand.cards],
            }
            for hand in shown.hands
        ],
        "outcome": shown.outcome,
        "wagers": [
            [f"Seat {each.seat}", "; ".join(each.wagers), "; ".join(each.came) or NOTHING_CAME] for each in shown.seats
        ],
        "clauses": shown.clauses(),
        "acts": [[str(act.seq), act.role, act.say, _cites(act), act.decides] for act in shown.acts],
        "checks": [[SIGNS[check.state], check.name, check.say] for check in verdict.checks],
        "foot": _footer_text(verdict, shown),
        "program": f"baccarat {__version__}",
    }
    template = files("baccarat.audit.bundle").joinpath("dispute.typ").read_bytes()
    return set_pdf(template, card=msgspec.json.encode(card).decode())


def _disputed_round(bundle: Bundle) -> RoundSummary:
    try:
        with known_rules(bundle) as rules:
            return bundled_round(bundle, rules)
    except NotARound:
        raise
    except IMPOSSIBLE_STATE_ERRORS as error:
        raise NotARound(f"what is recorded cannot have happened, and cannot be shown: {type(error).__name__}") from None


def _title(bundle: Bundle) -> str:
    return f"Round {bundle.scope.round} of shoe {bundle.scope.shoe}, {bundle.scope.stream}"


def _time_span(shown: RoundSummary) -> str:
    """The time span, in UTC; nothing depends on it."""
    if not shown.ended:
        return "no time recorded"
    first, last = (datetime.fromtimestamp(at // 1_000_000, UTC) for at in (shown.began, shown.ended))
    return f"{first:%Y-%m-%d %H:%M:%S} to {last:%H:%M:%S} UTC"


def _verdict(verdict: BundleVerdict) -> str:
    wrong = "" if verdict.status in (GOOD, UNCOVERED) else " wrong"
    return f'<p class="verdict{wrong}">{escape(_sentence(verdict))}</p>\n'


def _sentence(verdict: BundleVerdict) -> str:
    left = sum(check.state == "unchecked" for check in verdict.checks)
    if verdict.status in (GOOD, UNCOVERED):
        more = f"; {left} thing{'s' * (left != 1)} could not be checked, and the list below says which" if left else ""
        return f"Nothing is wrong with this record{more}."
    first = next(check for check in verdict.checks if check.state == "wrong")
    return f"This record is wrong: {first.say}."


def _hand(hand: HandSummary) -> str:
    cards = "".join(_card(number, card) for number, card in hand.cards)
    count = "" if hand.count is None else f"<span>{hand.count}</span>"
    return (
        f'<section class="hand"><h3><span>{hand.side.value.capitalize()}</span>{count}</h3>'
        f"<ul>{cards or '<li>no card was turned</li>'}</ul></section>\n"
    )


def _card(number: int, card: Card) -> str:
    red = " red" if card.suit in RED else ""
    return f'<li class="card{red}"><b>{escape(card.sign)}</b><small>no. {number}</small></li>'


def _wagers(shown: RoundSummary) -> str:
    if not shown.seats:
        return "<h2>Wagers and payments</h2>\n<p>There was no wager.</p>\n"
    rows = "".join(
        f"<tr><td>Seat {each.seat}</td><td>{escape('; '.join(each.wagers))}</td>"
        f"<td>{escape('; '.join(each.came) or NOTHING_CAME)}</td></tr>\n"
        for each in shown.seats
    )
    head = "<thead><tr><th>Seat</th><th>Wagers</th><th>What came of them</th></tr></thead>"
    return f"<h2>Wagers and payments</h2>\n<table>{head}<tbody>\n{rows}</tbody></table>\n"


def _acts(acts: Iterable[ActSummary]) -> str:
    rows = "".join(_act(act) for act in acts)
    head = "<thead><tr><th>Record</th><th>By</th><th>What happened</th><th>Clauses</th></tr></thead>"
    return (
        "<h2>What happened, in order (decisions and payments in bold)</h2>\n"
        f'<div class="columns"><table class="acts">{head}<tbody>\n{rows}</tbody></table></div>\n'
    )


def _act(act: ActSummary) -> str:
    cites = _cites(act)
    strong = " decides" if act.decides else ""
    return (
        f'<tr><td class="number">{act.seq}</td><td class="number">{escape(act.role)}</td>'
        f'<td class="say{strong}">{escape(act.say)}</td><td class="cites">{escape(cites)}</td></tr>\n'
    )


def _cites(act: ActSummary) -> str:
    """The clauses of an act, without the edition's name."""
    return ", ".join(cite.partition(" ")[2] for cite in act.cites)


def _clauses(shown: RoundSummary) -> str:
    rows = "".join(f"<div><dt>{escape(cite)}</dt><dd>{escape(words)}</dd></div>\n" for cite, words in shown.clauses())
    return f"<h2>The clauses that decided, in our words</h2>\n<dl>\n{rows}</dl>\n" if rows else ""


def _checks(verdict: BundleVerdict) -> str:
    rows = "".join(
        f'<div class="{check.state}"><dt>{SIGNS[check.state]} {escape(check.name)}</dt>'
        f"<dd>{escape(check.say)}</dd></div>\n"
        for check in verdict.checks
    )
    return f'<h2>What was checked (✓ holds, ✗ does not, – not checked)</h2>\n<dl class="checks">\n{rows}</dl>\n'


def _footer(verdict: BundleVerdict, shown: RoundSummary) -> str:
    return f"<footer>{escape(_footer_text(verdict, shown))}</footer>\n"


def _footer_text(verdict: BundleVerdict, shown: RoundSummary) -> str:
    return (
        f"Log of {verdict.size:,} entries, root {verdict.root} · rulebook {shown.rules.hash} · "
        f"baccarat {__version__} · persons are shown by their capacity only"
    )
