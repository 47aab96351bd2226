"""Why a file of statements cannot be read."""


class Unreadable(Exception):
    """One file is left out: the kind of remark that it makes, what is wrong and what to do, and the line where there is one."""

    def __init__(self, kind: str, message: str, line: int = 0) -> None:
        super().__init__(message)
        self.kind, self.message, self.line = kind, message, line
