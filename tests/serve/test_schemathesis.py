"""The interface is what its own description says: requests made from the OpenAPI find no fault of ours in it.

`BACCARAT_CAMPAIGN` says how many times more is tried than in `make test`.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any, cast

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis.core.failures import FailureGroup

from baccarat.table.role import Role
from campaign import CAMPAIGN
from house_of_roles import Asked, served_in_thread

pytestmark = pytest.mark.slow

SCALE = CAMPAIGN
EXAMPLES = 8 * SCALE
KNOWN: dict[str, Any] = {"shoe": 1, "number": 1, "edition": "ma-midi-4", "other": "ma-midi-3"}
END_THE_SESSION = (("put", "/api/session/role"), ("delete", "/api/session"))
"""What is asked for last, in this order: nothing else would be let in after it."""
LEFT_OUT = ("positive_data_acceptance",)
"""What the schema admits may still be refused by the rules: a command is any object."""


def known_parameters(path: str) -> dict[str, Any]:
    """Names that the house has, so that not every request ends at the door."""
    stream = "table ma-midi-4" if "/streams/" in path else "pit ma-midi-4"
    return {**KNOWN, "name": "table ma-midi-4" if "/streams/" in path else "ma-midi-4", "stream": stream}


class Attack:
    """Asks for everything in every way that the description allows, and some that it does not."""

    def __init__(self, house: Asked, role: Role | None) -> None:
        self.headers = {"Authorization": f"Bearer {house.tokens[role]}"} if role is not None else {}
        self.schema = schemathesis.openapi.from_url(f"{house.address}/api/schema/openapi.json")
        self.left_out = schemathesis.checks.CHECKS.get_by_names(LEFT_OUT)
        self.answers, self.faults = Counter[tuple[str, int]](), list[str]()

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
            answer = case.call(headers=self.headers)
            self.answers[name, answer.status_code] += 1
            try:
                case.validate_response(answer, excluded_checks=self.left_out)
            except FailureGroup as error:
                self.faults.append(f"{name}: {answer.status_code} {error} {answer.content[:300]!r}")

        ask()


def _common(known: dict[str, Any], given_: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in known.items() if name in given_}


@pytest.mark.parametrize("role", [None, Role.PARTICIPANT, Role.ADMINISTRATOR, Role.PIT_BOSS], ids=str)
def test_no_request_made_from_the_description_finds_a_fault(role: Role | None, tmp_path: Path) -> None:
    with served_in_thread(tmp_path) as house:
        attack = Attack(house, role)
        attack.all()
    assert not attack.faults, "\n".join(attack.faults[:10])
    statuses = {status for _, status in attack.answers}
    assert not [status for status in statuses if status >= 500]
    assert {200, 400, 404} <= statuses, "some requests come through, and some do not"


def test_a_status_that_is_not_described_would_be_found(tmp_path: Path) -> None:
    with served_in_thread(tmp_path) as house:
        schema = schemathesis.openapi.from_url(f"{house.address}/api/schema/openapi.json")
        del schema.raw_schema["paths"]["/api/tables/{name}"]["get"]["responses"]["404"]
        case = schema["/api/tables/{name}"]["GET"].Case(path_parameters={"name": "nowhere"})
        with pytest.raises(FailureGroup, match="Undocumented"):
            case.call_and_validate()
