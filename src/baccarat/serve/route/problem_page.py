"""The page of problems: what each `type` of a problem points at, with what it means."""

from __future__ import annotations

from functools import cache
from html import escape

from litestar import Response, get

from baccarat.play.refusal import RefusalCode
from baccarat.serve.access.denial import Denial
from baccarat.serve.http.shield import PROBLEM_PAGE

OF_THE_INTERFACE = {
    "bad_cursor": "A cursor that is not of this list; leave it out to begin.",
    "bad_id": "An Idempotency-Key that is not a UUID of version 7.",
    "bad_marks": "Marks of a road that cannot be read, or more of them than a shoe has; the detail says where.",
    "bad_request": "Something in the request is not as it should be; the faults say what.",
    "audit_under_way": "Another stream is being audited; one audit is done at a time.",
    "body_too_long": "A body has more bytes than are taken.",
    "closing": "The house is closing; the same request, sent again later, is done.",
    "conflict": "It contradicts what is there already.",
    "crowded": "Too many are reading at this moment.",
    "denied": "The role does not do this.",
    "dropped": "It was there; a practice table keeps its last shoes alone.",
    "elsewhere": "Another node serves this table; Location says which.",
    "fault": "Something went wrong on our side; it has been noted.",
    "forbidden": "Not for whoever asks, or not in this house.",
    "no_audit": "There is no such audit, or it was long ago.",
    "full": "Too many are connected at this moment; Retry-After says when to come again.",
    "late": "A request that was begun and not whole in time.",
    "no_cases": "There is nothing to train: no case of these drills comes about under these rules.",
    "no_checkpoint": "Nothing of this stream has been signed yet.",
    "no_cryptography": "Signatures cannot be checked here.",
    "no_proof": "The growth that was asked for cannot be proved.",
    "no_signer": "The house has no key that signs.",
    "no_such_book": "The house has no such book.",
    "no_such_picture": "There is no such picture.",
    "no_such_edition": "The house knows no such edition.",
    "no_such_round": "No such round is over at this table.",
    "no_such_session": "There is no such session.",
    "no_such_shoe": "There has been no such shoe at this table.",
    "no_such_stream": "The house has no such table or book.",
    "no_such_submission": "No such Submission comes with the program.",
    "not_a_round": "No page can be made about what is recorded there.",
    "not_cosigned": "A cosignature that is not a known witness's over this checkpoint.",
    "not_json": "A body that is not JSON, or is not said to be.",
    "not_handed_over": "The act needs tables that other nodes serve and did not hand over in time; send it again.",
    "not_now": "Not at this moment; Retry-After says when to come again.",
    "nothing_here": "There is nothing at this address.",
    "other_method": "This address is not asked in this way; the header Allow says how.",
    "other_rules": "What a trainee knows was learned under another rulebook.",
    "other_site": "A page of another site asked for a change.",
    "overtaken": "Somebody else was first, through another node; look at it again.",
    "taken_over": "Another node is taking this table over; ask again in a moment.",
    "too_early": "It holds from a time that has not come yet by the clock of the house.",
    "too_long": "More than can be kept in one record, or gone through for one question.",
    "too_many_requests": "Too many requests from one address; Retry-After says when to come again.",
    "unreadable_answer": "An answer to an exercise that cannot be read; the detail says what is expected.",
    "unreadable": "A command that cannot be read; the detail says where and what was expected.",
}
"""Codes that stand neither for a refusal nor for a denial."""


def meanings() -> dict[str, str]:
    """Every code, with what it means."""
    refusals = {code.value: f"Refused: {code.value.replace('_', ' ')}; the clauses say why." for code in RefusalCode}
    denials = {why.code: why.value for why in Denial}
    return dict(sorted({**refusals, **denials, **OF_THE_INTERFACE}.items()))


@cache
def _page() -> str:
    rows = "\n".join(f'<dt id="{code}">{code}</dt><dd>{escape(say)}</dd>' for code, say in meanings().items())
    return (
        '<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>Problems</title>'
        '<link rel="icon" href="/page/icon.svg">\n'
        f"<h1>Problems</h1>\n<p>What the code of a problem means.</p>\n<dl>\n{rows}\n</dl>\n</html>\n"
    )


@get(PROBLEM_PAGE, include_in_schema=False)
async def problem_page() -> Response[str]:
    """What each problem means."""
    return Response(_page(), media_type="text/html", headers={"Cache-Control": "public, max-age=3600"})
