"""The interface is what its own description says: requests made from the OpenAPI find no fault of ours in it.

`BACCARAT_CAMPAIGN` says how many times more is tried than in `make test`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from http.cookiejar import DefaultCookiePolicy
from pathlib import Path
from typing import Any, cast

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis.core.failures import FailureGroup

from baccarat.table.role import Role
from campaign import times
from house_of_roles import Asked, served_in_thread

pytestmark = pytest.mark.slow

EXAMPLES = times(6)
"""How many requests are made for each operation."""
ROLES = (None, Role.PARTICIPANT, Role.ADMINISTRATOR, Role.PIT_BOSS)
KNOWN: dict[str, Any] = {"shoe": 1, "number": 1, "edition": "ma-midi-4", "other": "ma-midi-3"}
END_THE_SESSION = (("put", "/api/session/role"), ("delete", "/api/session"))
"""What is asked for last, in this order: nothing else would be let in after it."""
LEFT_OUT = ("positive_data_acceptance",)
"""What the schema admits may still be refused by the rules: a command is any object."""


def known_parameters(path: str) -> dict[str, Any]:
    """Names that the house has, so that not every request ends at the door."""
    stream = "table ma-midi-4" if "/streams/" in path else "pit ma-midi-4"
    return {**KNOWN, "name": "table ma-midi-4" if "/streams/" in path else "ma-midi-4", "stream": stream}


class Asker:
    """Somebody in a role, or nobody, who asks a house of their own; one connection serves all their requests."""

    def __init__(self, house: Asked, role: Role | None) -> None:
        self.role, self.address = role, house.address
        self._headers = {"Authorization": f"Bearer {house.tokens[role]}"} if role is not None else {}
        self._session = requests.Session()
        self._session.trust_env = False  # nothing is asked through a proxy
        # no request depends on a cookie of an earlier one
        self._session.cookies.set_policy(DefaultCookiePolicy(allowed_domains=[]))
        self.close = self._session.close
        self.answers = Counter[tuple[str, int]]()

    def ask(self, case: Any) -> Any:
        """Send one request."""
        return case.call(base_url=self.address, session=self._session, headers=dict(self._headers))


class Attack:
    """Asks for everything in every way that the description allows, and some that it does not.

    Making a request takes as long as answering it: each is made once and sent in every role.
    """

    def __init__(self, askers: Sequence[Asker]) -> None:
        self.askers = askers
        self.schema = schemathesis.openapi.from_url(f"{askers[0].address}/api/schema/openapi.json")
        self.left_out = schemathesis.checks.CHECKS.get_by_names(LEFT_OUT)
        self.faults = list[str]()

    def all(self) -> None:
        """Everything; last what ends the session."""
        found = [cast("Any", each).ok() for each in self.schema.get_all_operations()]
        named = {(operation.method, operation.path): operation for operation in found}
        last = [named.pop(name) for name in END_THE_SESSION]
        for operation in (*named.values(), *last):
            self.one(operation)

    def one(self, operation: Any) -> None:
        """One operation."""
        name, known = f"{operation.method} {operation.path}", known_parameters(operation.path)
        looked_at = set[str]()

        @settings(
            max_examples=EXAMPLES,
            database=None,
            deadline=None,
            derandomize=True,
            suppress_health_check=list(HealthCheck),
            phases=[Phase.generate],
        )
        @given(case=operation.as_strategy(), is_known=st.integers(0, 3).map(bool))
        def ask(case: Any, is_known: bool) -> None:
            if is_known and case.path_parameters:
                case.path_parameters = {**case.path_parameters, **_common(known, case.path_parameters)}
            if operation.method == "get":  # nothing has changed since the same request was sent
                request = repr((case.path_parameters, case.query, case.headers, case.cookies, case.body))
                if request in looked_at:
                    return
                looked_at.add(request)
            for asker in self.askers:
                answer = asker.ask(case)
                asker.answers[name, answer.status_code] += 1
                try:
                    case.validate_response(answer, excluded_checks=self.left_out)
                except FailureGroup as error:
                    self.faults.append(f"{asker.role}: {name}: {answer.status_code} {error} {answer.content[:300]!r}")

        ask()


def _common(known: dict[str, Any], given_: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in known.items() if name in given_}


def test_no_request_made_from_the_description_finds_a_fault(tmp_path: Path) -> None:
    with ExitStack() as houses:
        askers = [Asker(houses.enter_context(served_in_thread(tmp_path / str(role))), role) for role in ROLES]
        for asker in askers:
            houses.callback(asker.close)
        attack = Attack(askers)
        attack.all()
    assert not attack.faults, "\n".join(attack.faults[:10])
    for asker in askers:
        statuses = {status for _, status in asker.answers}
        assert not [status for status in statuses if status >= 500], asker.role
        assert {200, 400, 404} <= statuses, f"{asker.role}: some requests come through, and some do not"


def test_a_status_that_is_not_described_would_be_found(tmp_path: Path) -> None:
    with served_in_thread(tmp_path) as house:
        schema = schemathesis.openapi.from_url(f"{house.address}/api/schema/openapi.json")
        del schema.raw_schema["paths"]["/api/tables/{name}"]["get"]["responses"]["404"]
        case = schema["/api/tables/{name}"]["GET"].Case(path_parameters={"name": "nowhere"})
        with pytest.raises(FailureGroup, match="Undocumented"):
            case.call_and_validate()
