"""Submissions and odds: which rules tables play by, what a wager costs under them, and what is wrong with a draft."""

from __future__ import annotations

from typing import Any

import msgspec
from litestar.params import FromPath, JSONBody

from baccarat.law.error import InvalidSubmission, RulesError
from baccarat.law.rulebook import Rulebook, rulebook, shipped_submissions, usual_submission
from baccarat.serve.http.problem import not_found, quoted_name, shortened
from baccarat.serve.live import HouseServer
from baccarat.serve.route.allow import EVERYBODY, SIGNED_ON, RouteGroup
from baccarat.serve.route.requester import HttpRequest, live_of
from baccarat.serve.route.table import room_of
from baccarat.serve.watch.price_cache import RulebookPrices

routes = RouteGroup("rules")
MOST_FAULTS = 100
"""How many faults of one Submission are listed: more than its edition has options."""


class SubmissionCard(msgspec.Struct, frozen=True, kw_only=True):
    """A Submission: what was filed under which edition, and the tables that play by it."""

    name: str
    edition: str
    hash: str
    shipped: bool
    tables: list[str]


class Submissions(msgspec.Struct, frozen=True, kw_only=True):
    """Submissions that come with the program, and those in force."""

    submissions: list[SubmissionCard]
    usual: str
    """The default."""


class SubmissionDetail(msgspec.Struct, frozen=True, kw_only=True):
    """A whole Submission."""

    edition: str
    title: str
    hash: str
    submission: dict[str, Any]
    warnings: list[str]


class FaultShown(msgspec.Struct, frozen=True, kw_only=True):
    """One thing wrong with a Submission: which option, what is wrong, what is allowed, by which clauses."""

    option: str
    say: str
    allowed: str
    clauses: list[str]


class CheckAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What `baccarat rules check` says of a Submission."""

    valid: bool
    edition: str = ""
    hash: str = ""
    faults: list[FaultShown] = []
    more_faults: int = 0
    """How many faults there are beyond the first hundred."""
    warnings: list[str] = []
    remarks: list[str] = []
    """Remarks on its prices: wagers on which the house would lose."""


def detail_of(rules: Rulebook) -> SubmissionDetail:
    """A rulebook as it was filed."""
    return SubmissionDetail(
        edition=rules.edition.name,
        title=rules.edition.title,
        hash=rules.hash,
        submission=rules.submission,
        warnings=[str(each) for each in rules.warnings],
    )


@routes.get("/api/submissions", "Submissions, shipped and in force", EVERYBODY)
async def submissions(request: HttpRequest) -> Submissions:
    """Those that come with the program, and those by which tables play."""
    playing: dict[str, list[str]] = {}
    found: dict[str, Rulebook] = {}
    for name, room in sorted(live_of(request).rooms.items()):
        playing.setdefault(room.rules.hash, []).append(name)
        found[room.rules.hash] = room.rules
    cards = list[SubmissionCard]()
    for name in shipped_submissions():
        rules = rulebook(name)
        found.pop(rules.hash, None)
        cards.append(_card(name, rules, playing.get(rules.hash, []), shipped=True))
    cards += [_card(hash_, rules, playing[hash_], shipped=False) for hash_, rules in found.items()]
    return Submissions(submissions=cards, usual=usual_submission())


def _card(name: str, rules: Rulebook, tables: list[str], *, shipped: bool) -> SubmissionCard:
    return SubmissionCard(name=name, edition=rules.edition.name, hash=rules.hash, shipped=shipped, tables=tables)


@routes.get("/api/submissions/{name:str}", "A Submission that comes with the program", EVERYBODY, 404)
async def submission(name: FromPath[str]) -> SubmissionDetail:
    """What it elects."""
    if name not in shipped_submissions():
        raise not_found(f"Submission {quoted_name(name)} that comes with the program", code="no_such_submission")
    return detail_of(rulebook(name))


@routes.get("/api/tables/{name:str}/submission", "The rules of a table", EVERYBODY, 404)
async def table_submission(request: HttpRequest, name: FromPath[str]) -> SubmissionDetail:
    """The Submission by which a table plays now."""
    return detail_of(room_of(live_of(request), name).rules)


@routes.post_ok("/api/submissions/check", "Check a Submission", SIGNED_ON, body=True)
async def check(request: HttpRequest, data: JSONBody[dict[str, Any]]) -> CheckAnswer:
    """All faults, each with its clauses; `ruleset` names the edition, sums are in cents or as "$25.00"."""
    return await check_draft(live_of(request), data)


async def check_draft(live: HouseServer, data: dict[str, Any]) -> CheckAnswer:
    """What is wrong with a Submission, or what may be unwise about it."""
    found = await live.reading.run_in_thread(lambda: _faults_or_warnings(data))
    if not found.valid:
        return found
    return msgspec.structs.replace(found, remarks=(await live.pricing.prices_of(rulebook(data))).remarks)


def _faults_or_warnings(data: dict[str, Any]) -> CheckAnswer:
    try:
        rules = rulebook(data)
    except InvalidSubmission as error:
        faults = [
            FaultShown(option=shortened(each.where), say=each.say, allowed=each.allowed, clauses=list(each.cites))
            for each in error.faults[:MOST_FAULTS]
        ]
        return CheckAnswer(valid=False, faults=faults, more_faults=len(error.faults) - len(faults))
    except RulesError as error:
        return CheckAnswer(
            valid=False, faults=[FaultShown(option="ruleset", say=error.say, allowed="", clauses=list(error.cites))]
        )
    return CheckAnswer(
        valid=True, edition=rules.edition.name, hash=rules.hash, warnings=[str(each) for each in rules.warnings]
    )


@routes.get("/api/tables/{name:str}/odds", "What the wagers of a table cost, exactly", EVERYBODY, 404)
async def table_odds(request: HttpRequest, name: FromPath[str]) -> RulebookPrices:
    """The house edge of every wager under the rules of the table, from a full shoe, as fractions and decimals."""
    live = live_of(request)
    return await live.pricing.prices_of(room_of(live, name).rules)


@routes.get("/api/submissions/{name:str}/odds", "What the wagers of a shipped Submission cost, exactly", EVERYBODY, 404)
async def submission_odds(request: HttpRequest, name: FromPath[str]) -> RulebookPrices:
    """The house edge of every wager, from a full shoe."""
    if name not in shipped_submissions():
        raise not_found(f"Submission {quoted_name(name)} that comes with the program", code="no_such_submission")
    return await live_of(request).pricing.prices_of(rulebook(name))
