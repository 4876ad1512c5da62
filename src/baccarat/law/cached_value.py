"""Results cached on the value that they belong to, for as long as that value lives."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

Owner = TypeVar("Owner")
More = ParamSpec("More")
Answer = TypeVar("Answer")


def cached_on_value(function: Callable[[Owner], Answer]) -> Callable[[Owner], Answer]:
    """Cache a function of one frozen value; the result is stored on the value itself.

    Unlike a cache of limited size this never drops a result while the value is in use, and unlike an unlimited one it
    frees the result together with the value.
    """
    key = f"{function.__module__}.{function.__qualname__}"

    @wraps(function)
    def answer(owner: Owner) -> Answer:
        known: dict[str, Any] = owner.__dict__
        try:
            return known[key]  # type: ignore[no-any-return]
        except KeyError:
            known[key] = found = function(owner)
            return found

    return answer


def cached_per_argument(
    function: Callable[Concatenate[Owner, More], Answer],
) -> Callable[Concatenate[Owner, More], Answer]:
    """The same for a function with further arguments: one result for each combination of them."""
    key = f"{function.__module__}.{function.__qualname__}"

    @wraps(function)
    def answer(owner: Owner, /, *more: More.args, **named: More.kwargs) -> Answer:
        assert not named, "the arguments of a cached function are passed by position"
        known: dict[str, Any] = owner.__dict__
        try:
            return known[key][more]  # type: ignore[no-any-return]
        except KeyError:
            found = function(owner, *more, **named)
            known.setdefault(key, {})[more] = found
            return found

    return answer
