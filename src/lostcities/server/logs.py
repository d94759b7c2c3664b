"""Structured logs: one event on a line, in JSON for programs or in color for people.

Nothing that only one seat may know is ever handed to a logger: no cards, no
tokens, no codes, no paths that hold one.
"""

import logging
import sys
from typing import Final

import structlog

LEVELS: Final = ("debug", "info", "warning", "error")
FORMATS: Final = ("console", "json")
_OF_A_START: Final = ("Traceback", "Application startup failed")
_TALKATIVE: Final = (
    "aiosqlite",
    "alembic",
    "asyncpg",
    "sqlalchemy",
    "uvicorn",
    "uvicorn.access",
    "uvicorn.error",
    "websockets",
)


def set_up_logs(log_format: str, level: str) -> None:
    """Send all logs to standard error, in one format."""
    shared: list[structlog.typing.Processor] = [
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    renderer: structlog.typing.Processor = (
        structlog.processors.JSONRenderer()
        if log_format == "json"
        else structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())
    )
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, renderer],
        )
    )
    handler.addFilter(_without_values)
    root = logging.getLogger()
    root.handlers[:] = [handler]
    # Other packages say at their lowest levels what they store and send, which is secret.
    root.setLevel(logging.WARNING)
    for name in _TALKATIVE:
        logging.getLogger(name).setLevel(logging.WARNING)
    logging.getLogger("lostcities").setLevel(level.upper())


def _without_values(record: logging.LogRecord) -> bool:
    """Take what may name a card out of a record: tracebacks, and the texts of errors."""
    if record.exc_info and record.exc_info[0] is not None:
        record.msg, record.args = f"{record.name}: {record.exc_info[0].__name__}", ()
        record.exc_info, record.exc_text = None, None
    elif record.name == "asyncio":
        record.msg, record.args = "asyncio: a task or a handler failed", ()
    # Why a start failed is said by whoever started; here it would be a traceback.
    return not (record.name == "uvicorn.error" and str(record.msg).startswith(_OF_A_START))


def logger(name: str) -> structlog.stdlib.BoundLogger:
    """Return a logger of this package."""
    made: structlog.stdlib.BoundLogger = structlog.stdlib.get_logger(f"lostcities.{name}")
    return made
