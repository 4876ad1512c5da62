"""The page of problems, which the `type` of each problem points to: what each code means."""

from __future__ import annotations

from functools import cache
from html import escape

from litestar import Response, get

from baccarat.play.refusal import RefusalCode
from baccarat.serve.access.denial import Denial
from baccarat.serve.http.shield import PROBLEM_PAGE

OF_THE_INTERFACE = {
    "bad_cursor": "A cursor that does not belong to this list; leave it out to begin.",
    "bad_id": "An Idempotency-Key that is not a UUID of version 7.",
    "bad_marks": "Marks of a road that cannot be read, or more of them than a shoe has; the detail says where.",
    "bad_request": "Something in the request is not valid; the faults say what.",
    "audit_under_way": "Another stream is being audited; one audit is done at a time.",
    "body_too_long": "A body has more bytes than are accepted.",
    "closing": "The house is closing; send the same request again later.",
    "conflict": "It contradicts what already exists.",
    "crowded": "Too many are reading at the moment.",
    "denied": "Your role may not do this.",
    "dropped": "It existed; a practice table keeps only its last shoes.",
    "elsewhere": "Another node serves this table; Location says which.",
    "fault": "Something went wrong on our side; it has been logged.",
    "forbidden": "You may not do this, or not in this house.",
    "no_audit": "There is no such audit, or it is no longer stored.",
    "full": "Too many are connected at the moment; Retry-After says when to try again.",
    "late": "A request that was begun but not complete in time.",
    "no_cases": "There is nothing to train: these drills have no cases under these rules.",
    "no_checkpoint": "Nothing of this stream has been signed yet.",
    "no_cryptography": "Signatures cannot be checked here.",
    "no_proof": "The requested growth cannot be proved.",
    "no_signer": "The house has no key that signs.",
    "no_such_book": "The house has no such book.",
    "no_such_lesson": "There is no such lesson; a new one can be begun.",
    "no_such_picture": "There is no such picture.",
    "no_such_edition": "There is no such edition.",
    "no_such_record": "The table has no record of that number.",
    "no_such_round": "No such round is over at this table.",
    "no_such_session": "There is no such session.",
    "no_such_shoe": "There has been no such shoe at this table.",
    "no_such_stream": "The house has no such table or book.",
    "no_such_submission": "There is no such shipped Submission.",
    "not_a_round": "No page can be made about what is recorded there.",
    "not_cosigned": "A cosignature that is not a known witness's over this checkpoint.",
    "not_signed_yet": "No signed checkpoint covers it yet; Retry-After says when to ask again.",
    "not_yours": "This receipt belongs to another person.",
    "not_json": "A body that is not JSON, or is not declared as such.",
    "not_handed_over": "The act needs tables that other nodes serve and did not hand over in time; send it again.",
    "not_now": "Not now; Retry-After says when to try again.",
    "nothing_here": "There is nothing at this address.",
    "other_method": "This address does not support this method; the header Allow lists those it does.",
    "other_rules": "What a trainee knows was learned under another rulebook.",
    "unknown_host": "A practice house was asked under a name that it does not know (its setting `origin` names one).",
    "other_site": "A page of another site asked for a change.",
    "overtaken": "Somebody else was first, through another node; check and try again.",
    "taken_over": "Another node is taking over this table; try again in a moment.",
    "too_early": "It takes effect at a time that is still in the future by the clock of the house.",
    "too_long": "More than one record can hold, or one query can read.",
    "too_many_requests": "Too many requests or refusals of a person or an address; Retry-After says when to try again.",
    "unreadable_answer": "An answer to an exercise that cannot be read; the detail says what is expected.",
    "unreadable": "A command that cannot be read; the detail says where and what was expected.",
}
"""Codes that are neither refusals nor denials."""


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
