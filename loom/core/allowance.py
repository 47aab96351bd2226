"""The allowance of a completion: the client's own limit on completion tokens, and raising it without changing its meaning."""

from collections.abc import Mapping

from loom.core.values import Json

LIMIT_KEYS = ("max_tokens", "max_completion_tokens")


def _is_limit(value: Json) -> bool:
    """A positive whole number. Zero and negatives mean "none" or "without end" to some servers, so they are no limit to raise."""
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


def limit_of(body: Mapping[str, Json]) -> int | None:
    """The limit that the request states; the smaller where it states both keys; None where it states no positive number."""
    return min((body[key] for key in LIMIT_KEYS if _is_limit(body.get(key))), default=None)


def states_limit(body: Mapping[str, Json]) -> bool:
    """Whether either key is present with anything but null, be it a number or not."""
    return any(body.get(key) is not None for key in LIMIT_KEYS)


def with_least(body: Mapping[str, Json], least: int, insert: str | None = None) -> Mapping[str, Json]:
    """The body with each limit that it states raised to `least`; the same object where nothing changes.

    A limit is never lowered; text, fractions, null and numbers below one are left alone; a second key is never added. Where
    neither key is stated and `insert` names one, `least` is put there (in the place of a null, if the client sent one).
    """
    raised = {key: least for key in LIMIT_KEYS if _is_limit(body.get(key)) and body[key] < least}
    if insert and not states_limit(body):
        raised = {next((key for key in LIMIT_KEYS if key in body), insert): least}
    return {**body, **raised} if raised else body
