"""Structured logs: one line of JSON per event, or coloured lines on a terminal. Content is logged only where asked."""

import logging
import sys
from typing import Any, TextIO

import orjson
import structlog

from loom.settings_groups import LogSettings

LEVELS = {"debug": 10, "info": 20, "warning": 30, "error": 40}


FIRST = ("timestamp", "level", "event")


def _json(event: dict[str, Any], **_: Any) -> str:
    ordered = {**{name: event[name] for name in FIRST if name in event}, **event}
    return orjson.dumps(ordered, default=str).decode()


def logger(settings: LogSettings, stream: TextIO | None = None) -> Any:
    """A logger that writes to `stream` (standard error by default) in the form that the settings ask for."""
    stream = stream or sys.stderr
    plain = settings.format == "json" or (settings.format == "auto" and not stream.isatty())
    processors: list[Any] = [structlog.processors.add_log_level, structlog.processors.TimeStamper("iso", utc=True)]
    if plain:
        processors += [structlog.processors.format_exc_info, structlog.processors.JSONRenderer(serializer=_json)]
    else:
        processors += [structlog.dev.ConsoleRenderer(colors=stream.isatty())]
    return structlog.wrap_logger(
        structlog.WriteLogger(stream),
        processors=processors,
        wrapper_class=structlog.make_filtering_bound_logger(LEVELS[settings.level]),
        cache_logger_on_first_use=True,
    )


class Into(logging.Handler):
    """Takes what the server library logs into the node's own log."""

    def __init__(self, log: Any) -> None:
        super().__init__()
        self._log = log

    def emit(self, record: logging.LogRecord) -> None:
        severe = record.levelno >= logging.ERROR
        write = self._log.error if severe else self._log.warning if record.levelno >= logging.WARNING else self._log.debug
        write("server", message=record.getMessage(), **({"exc_info": record.exc_info} if record.exc_info else {}))


def take_server_logs(log: Any) -> None:
    """Send what the server library says to a logger."""
    server = logging.getLogger("uvicorn")
    server.handlers, server.propagate = [Into(log)], False
    server.setLevel(logging.INFO)
