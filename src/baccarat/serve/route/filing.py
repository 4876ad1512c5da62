"""Filing: what a Submission may elect under its edition, and what a draft still needs to be in force.

A table changes its rules in four steps: the draft is sound, everybody who must be notified was notified long enough
ago, the pit files the change from a time on, and the floorperson adopts it between two shoes. The plan of a draft says
how far it has come, and asks the pit itself what would prevent it.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Literal

import msgspec
from litestar.params import FromPath, FromQuery, JSONBody

from baccarat.house.notice import NeededNotice, needed_notices
from baccarat.house.option_change import ChangeOptions
from baccarat.house.pit import Pit, latest
from baccarat.house.stream import pit_stream
from baccarat.law.check import all_inapplicable_options
from baccarat.law.edition import Edition, load_edition, loadable_editions
from baccarat.law.error import RulesError
from baccarat.law.option_value import allowed_in_words
from baccarat.law.rulebook import Rulebook, rulebook, shipped_submissions
from baccarat.law.section import Option
from baccarat.serve.access.base import ONE_SECOND
from baccarat.serve.access.session import Session
from baccarat.serve.act.preview import ANY_APPROVER, CitedSentence, preview_act
from baccarat.serve.http.problem import problem
from baccarat.serve.live import HouseServer
from baccarat.serve.route.allow import EVERYBODY, RouteGroup, only
from baccarat.serve.route.edition import edition_of
from baccarat.serve.route.law import CheckAnswer, SubmissionDetail, check_draft, detail_of
from baccarat.serve.route.requester import HttpRequest, live_of
from baccarat.serve.route.requester import require_session as signed_on
from baccarat.serve.route.table import room_of
from baccarat.serve.watch.price_cache import RulebookPrices
from baccarat.table.role import OVERSEERS, PIT_MANAGERS, Role

routes = RouteGroup("rules")

OptionKind = Literal["flag", "choice", "number", "text", "odds", "list", "part", "limits", "table"]
FILES = only(OVERSEERS)
"""Who may see what a draft would change."""


class FiledWager(msgspec.Struct, frozen=True, kw_only=True):
    """A wager of an edition: whether the document fixes its stake, so that it has no limits."""

    name: str
    fixed_stake: bool


class OptionShown(msgspec.Struct, frozen=True, kw_only=True):
    """One option of an edition: what it says, what may be elected, and the clauses."""

    key: str
    part: str
    sort: Literal["fixed", "may", "elect", "stated"]
    """Fixed by the document, something that may be done, a choice among a few, or something to be stated."""
    kind: OptionKind
    say: str
    allowed: str
    choices: list[Any]
    least: int | None
    most: int | None
    default: Any
    must_be_stated: bool
    example: Any
    """What a shipped Submission states here; none if none does."""
    applies: dict[str, Any]
    reading: str
    cites: list[str]


class EditionOptions(msgspec.Struct, frozen=True, kw_only=True):
    """The options of an edition in the document's order, and its wagers."""

    edition: str
    title: str
    options: list[OptionShown]
    wagers: list[FiledWager]


class Editions(msgspec.Struct, frozen=True, kw_only=True):
    """The editions that this house knows, by name, each with its title."""

    editions: dict[str, str]


class OptionDifference(msgspec.Struct, frozen=True, kw_only=True):
    """An option in which a draft differs from what is filed: what holds now, and what would."""

    option: str
    before: Any
    after: Any
    cites: list[str]


class NoticeNeeded(msgspec.Struct, frozen=True, kw_only=True):
    """A notice that the change needs; times in seconds, none until it has been given."""

    to: str
    option: str
    value: Any
    minutes: int
    cites: list[str]
    sent: int | None
    ripe_at: int | None


class ChangePlan(msgspec.Struct, frozen=True, kw_only=True):
    """What a draft would change at a table, and what it still needs to be in force."""

    checked: CheckAnswer
    table: str
    pit: str
    in_force: str
    """The hash of the rules by which the table plays now."""
    filed: str
    """The hash of the rules that were last filed for it."""
    since: int
    no_place: list[str] = []
    """Options that cannot be combined with the draft's other elections."""
    differences: list[OptionDifference] = []
    changes: dict[str, Any] = {}
    """What the pit is asked to change; null leaves an option out."""
    notices: list[NoticeNeeded] = []
    earliest: int | None = None
    """From when the change may take effect; none while a notice is missing."""
    leads_to: list[CitedSentence] = []
    refused: CitedSentence | None = None
    """Why the pit would not accept the change now."""
    approvers: list[Role] = []
    """In which capacities another person may approve it; none if one person files it alone."""


# ------------------------------------------------------------------------------------------------ editions


@routes.get("/api/editions", "The editions that the house knows", EVERYBODY)
async def editions() -> Editions:
    """Every edition under which something can be filed."""
    return Editions(editions={name: load_edition(name).title for name in loadable_editions()})


@routes.get("/api/editions/{edition:str}/options", "What may be elected", EVERYBODY, 404)
async def edition_options(edition: FromPath[str]) -> EditionOptions:
    """Every option of an edition: fixed, may, elect or stated, each with what is allowed and its clauses."""
    law = edition_of(edition)
    return EditionOptions(
        edition=law.name,
        title=law.title,
        options=[_option(law, key, option) for key, option in law.options.items()],
        wagers=[
            FiledWager(name=name, fixed_stake=wager.law.stake is not None) for name, wager in law.wagers.items()
        ],
    )  # fmt: skip


def _option(law: Edition, key: str, option: Option) -> OptionShown:
    return OptionShown(
        key=key, part=option.part, sort=_sort(option), kind=_kind(option), say=option.description,
        allowed=allowed_in_words(option), choices=list(option.elect), least=option.at_least, most=option.at_most,
        default=msgspec.to_builtins(option.value_if_unstated), must_be_stated=option.must_be_stated,
        example=_examples(law.name).get(key), applies=msgspec.to_builtins(dict(option.applies)),
        reading=option.reading or "", cites=list(law.cite_text(*option.cite)),
    )  # fmt: skip


@cache
def _examples(edition: str) -> dict[str, Any]:
    """What shipped Submissions state under an edition, by option."""
    found: dict[str, Any] = {}
    for name in shipped_submissions():
        rules = rulebook(name)
        if rules.edition.name == edition:
            found = {**rules.submission, **found}
    return found


def _sort(option: Option) -> Literal["fixed", "may", "elect", "stated"]:
    if option.shall is not None:
        return "fixed"
    if option.may:
        return "may"
    return "elect" if option.elect else "stated"


_KINDS: dict[str, OptionKind] = {
    "text": "text",
    "one kind": "list",
    "odds": "odds",
    "part": "part",
    "limits": "limits",
    **dict.fromkeys(("dragon odds", "royal9", "must_hit"), "table"),
}
"""The kind of each option's value; everything else is a number."""


def _kind(option: Option) -> OptionKind:
    if option.may or isinstance(option.shall, bool):
        return "flag"
    if option.elect:
        return "choice"
    return _KINDS.get(option.states or "", "number")


# -------------------------------------------------------------------------------------------------- plans


@routes.get("/api/tables/{name:str}/filed", "What is filed for a table", FILES, 404)
async def filed(request: HttpRequest, name: FromPath[str]) -> SubmissionDetail:
    """The Submission that its pit last filed for a table: in force, or adopted with a coming shoe."""
    live = live_of(request)
    room_of(live, name)
    state = await live.durable_state()
    return detail_of(latest(next(pit for pit in state.pits.values() if name in pit.tables), name).rules)


@routes.post_ok(
    "/api/tables/{name:str}/plan", "What a draft would change at a table, and what it needs", FILES, 404, body=True
)
async def plan(
    request: HttpRequest, name: FromPath[str], data: JSONBody[dict[str, Any]], *, everywhere: FromQuery[bool] = False
) -> ChangePlan:
    """A draft, checked and compared with what is filed for the table, with the notices that the change needs, and the
    pit's answer, for this table alone or for all of its pit; nothing is entered."""
    live, session = live_of(request), await signed_on(request)
    room_of(live, name)
    await live.durable_state()
    found = await check_draft(live, data)
    return _change_plan(live, session, name, data, found, everywhere=everywhere)


def _change_plan(
    live: HouseServer, session: Session, table: str, data: dict[str, Any], found: CheckAnswer, *, everywhere: bool
) -> ChangePlan:
    state = live.house.state
    pit = next(pit for pit in state.pits.values() if table in pit.tables)
    held = latest(pit, table)
    bare = ChangePlan(
        checked=found, table=table, pit=pit.name, in_force=state.playing[table].hash, filed=held.filed.hash,
        since=held.since, no_place=_inapplicable_options(data),
    )  # fmt: skip
    if not found.valid:
        return bare
    draft = rulebook(data)
    if draft.edition is not held.rules.edition:
        say = f"{table} plays by {held.rules.edition.name}; for another edition, open a new table."
        return msgspec.structs.replace(bare, refused=CitedSentence(say=say, cites=["house §filed-rules"]))
    tables = None if everywhere else (table,)
    return _with_steps(live, session, bare, pit, draft, tables)


def _inapplicable_options(data: dict[str, Any]) -> list[str]:
    """The options that cannot be combined with what a draft elects, whether or not it is sound."""
    name = data.get("ruleset")
    if name not in loadable_editions():
        return []
    return all_inapplicable_options(
        load_edition(str(name)), {key: value for key, value in data.items() if key != "ruleset"}
    )


def _with_steps(
    live: HouseServer, session: Session, bare: ChangePlan, pit: Pit, draft: Rulebook, tables: tuple[str, ...] | None
) -> ChangePlan:
    held = latest(pit, bare.table)
    now, before = live.desk.now // ONE_SECOND, held.rules
    asked = needed_notices(before, draft, pit.unused_of, pit=pit.name)
    changes = _changes(before, draft)
    ripe = [each.ripe_at for each in asked]
    earliest = None if None in ripe else max([now, held.since, *(each for each in ripe if each is not None)])
    made = msgspec.structs.replace(
        bare,
        differences=_differences(before, draft),
        changes=changes,
        notices=[_notice(each) for each in asked],
        earliest=earliest,
    )
    if not changes:
        return made
    command = ChangeOptions(changes=changes, effective=earliest or now, tables=tables)
    role = session.role if session.role in PIT_MANAGERS else Role.PIT_BOSS
    stream, who = pit_stream(pit.name), session.person
    seen = preview_act(live.house, stream, command, who=who, role=role, now=now)
    # A change that takes a second person is previewed as if somebody had approved it.
    approvers = sorted(command.seconds(role), key=lambda each: each.value) if seen.refused is not None else []
    if approvers:
        second = (ANY_APPROVER, approvers[0])
        seen = preview_act(live.house, stream, command, who=who, role=role, approver=second, now=now)
    needed = approvers if seen.refused is None else []
    return msgspec.structs.replace(made, leads_to=seen.events, refused=seen.refused, approvers=needed)


def _notice(each: NeededNotice) -> NoticeNeeded:
    sent = each.given.sent if each.given is not None else None
    return NoticeNeeded(
        to=each.to, option=each.option, value=each.value, minutes=each.minutes, cites=list(each.cites), sent=sent,
        ripe_at=each.ripe_at,
    )  # fmt: skip


def _changes(before: Rulebook, after: Rulebook) -> dict[str, Any]:
    """The changes from what was filed to the draft."""
    old, new = before.submission, after.submission
    differ = [key for key in after.edition.options if before.elects(key) != after.elects(key)]
    return {key: new.get(key) for key in differ if key in new or key in old}


def _differences(before: Rulebook, after: Rulebook) -> list[OptionDifference]:
    found = list[OptionDifference]()
    for key, option in after.edition.options.items():
        old, new = (msgspec.to_builtins(rules.elects(key), enc_hook=str) for rules in (before, after))
        if old != new:
            found.append(
                OptionDifference(option=key, before=old, after=new, cites=list(after.edition.cite_text(*option.cite)))
            )
    return found


@routes.post_ok("/api/submissions/odds", "What the wagers of a draft cost, exactly", FILES, body=True)
async def draft_odds(request: HttpRequest, data: JSONBody[dict[str, Any]]) -> RulebookPrices:
    """The house edge of every wager under a draft that is sound, from a full shoe."""
    live = live_of(request)
    try:
        rules = rulebook(data)
    except RulesError as error:
        raise problem(400, f"This draft is not sound: {error.say}", code="invalid_submission") from None
    return await live.pricing.prices_of(rules)
