"""What can go wrong with a query. Each code has its status in the table of the web room."""

from loom.core.errors import LoomError


class BadQuery(LoomError):
    """A query that cannot be carried out as it was given: syntax, a graph that is not there, something that is not offered."""

    code = "bad_query"


class NoUpdates(LoomError):
    """An update: the node answers queries and changes nothing."""

    code = "update_refused"


class WrongMedia(LoomError):
    """A request body of a media type that the protocol does not have."""

    code = "unsupported_media"


class NotAcceptable(LoomError):
    """An Accept header that no format of this kind of result satisfies."""

    code = "not_acceptable"


class DeadlinePassed(LoomError):
    """A query that was stopped because it ran too long."""

    code = "deadline"


class QueryDied(LoomError):
    """A query that was stopped by its memory limit, or that broke the engine. It cost nothing but itself."""

    code = "query_died"


class Busy(LoomError):
    """More queries than the node runs and keeps waiting."""

    code = "busy"


class NotLoaded(LoomError):
    """The triples are on their way."""

    code = "not_ready"


class NoTriples(LoomError):
    """There is nothing to query, and waiting will not change it."""

    code = "no_triples"


KINDS: dict[str, type[LoomError]] = {
    kind.code: kind
    for kind in (BadQuery, NoUpdates, WrongMedia, NotAcceptable, DeadlinePassed, QueryDied, Busy, NotLoaded, NoTriples)
}
"""By code, for errors that come from another process."""
