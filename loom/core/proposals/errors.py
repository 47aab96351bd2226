"""What can stand in the way of a write that is itself well formed."""

from loom.core.errors import LoomError


class Busy(LoomError):
    """Another writer is at work and does not end."""

    code = "busy"


class Conflicting(LoomError):
    """What is to be changed is no longer what it was, or does not stand so that it could be."""

    code = "conflict"
