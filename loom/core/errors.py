"""The errors of the node. Each says what was expected, what came and what to do; `serve.errors` gives each its wire form."""


class LoomError(Exception):
    """Base of every error that a caller is meant to read. `code` is stable and short; `param` names the offending input."""

    code = "internal"

    def __init__(self, message: str, *, param: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.param = param


class BadInput(LoomError):
    """A request, option or argument that cannot be carried out as it was given."""

    code = "bad_input"


class UnfitStore(BadInput):
    """A store that this version cannot use as it is: of a newer version, of another program, or damaged. Whoever runs the program named
    it; whoever asks a node that has it is not at fault."""

    code = "unfit_store"


class BadSettings(LoomError):
    """A setting that is unknown, malformed or contradicts another."""

    code = "bad_settings"


class BadSource(LoomError):
    """A build source that cannot be read at all (single faults inside a source are remarks of the check report)."""

    code = "bad_source"


class NotFound(LoomError):
    """A resource that the current generation or this node does not have."""

    code = "not_found"


class NoGeneration(LoomError):
    """There is no generation to serve."""

    code = "no_generation"


class BrokenGeneration(LoomError):
    """A generation whose files are missing, altered, or of a format that this version cannot read."""

    code = "broken_generation"


class Unwritable(LoomError):
    """A store that does not take what is to be written into it."""

    code = "unwritable"


class NotNow(Unwritable):
    """A store that does not take, or give up, just now what it should: the same again may do it."""

    code = "not_now"


class Unreachable(LoomError):
    """A place outside that does not answer, or not with what it should have."""

    code = "unreachable"


class BudgetError(LoomError):
    """Evidence that must be shown whole does not fit into the budget."""

    code = "budget"


class MissingExtra(LoomError):
    """A feature whose optional packages are not installed; the message holds the pip line."""

    code = "missing_extra"


class ReasonerFailure(LoomError):
    """A reasoner that could not be started, did not end in time, or gave no result that can be read."""

    code = "reasoner_failure"


class EmbedderFailure(LoomError):
    """An embedder that could not be opened or reached, or gave something else than one vector a text."""

    code = "embedder_failure"


class UpstreamFailure(LoomError):
    """The model behind the URL could not be reached, or stopped in the middle. `status` is what the client is told."""

    code = "upstream_failure"

    def __init__(self, message: str, *, status: int = 502, code: str | None = None) -> None:
        super().__init__(message)
        self.status = status
        if code:
            self.code = code
