"""`lostcities serve`: the table in the browser, for others."""

import argparse
import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final

from lostcities.server.logs import FORMATS, LEVELS
from lostcities.server.running import serve
from lostcities.server.settings import Settings, SettingsError

_PREFIX: Final = "LOSTCITIES_"
_DEFAULTS: Final = Settings()


@dataclass(frozen=True, slots=True)
class _Option:
    """A setting, its option and its variable of the environment.

    Attributes:
        field: Its name in `Settings`.
        read: Makes the value from text.
        help: What it is.
        metavar: What stands for the value.
        choices: All values, if there are few.
    """

    field: str
    read: Callable[[str], Any]
    help: str
    metavar: str | None = None
    choices: tuple[str, ...] | None = None

    @property
    def option(self) -> str:
        return "--" + self.field.replace("_", "-")

    @property
    def variable(self) -> str:
        return _PREFIX + self.field.upper()


def _port(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 0 <= int(text[:9]) <= 65_535:
        raise ValueError("a port from 0 to 65535")
    return int(text)


def _number(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 1 <= int(text[:9]) <= 1000:
        raise ValueError("a whole number from 1 to 1000")
    return int(text)


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= 86_400:
        raise ValueError("seconds from 0 to 86400")
    return seconds


def _url(text: str) -> str:
    if not text.startswith(("http://", "https://")) or len(text) < len("http://x"):
        raise ValueError("an address like https://table.example.org")
    return text.rstrip("/")


def _yes(text: str) -> bool:
    if text.lower() not in ("1", "0", "yes", "no", "true", "false"):
        raise ValueError("yes or no")
    return text.lower() in ("1", "yes", "true")


_OPTIONS: Final = (
    _Option("host", str, "the address to listen on"),
    _Option("port", _port, "the port; 0 takes a free one"),
    _Option(
        "database",
        str,
        "a file of SQLite, or postgresql://USER:PASSWORD@HOST/NAME (needs lostcities[postgres])",
        metavar="PATH|URL",
    ),
    _Option("base_url", _url, "how people reach this server, for links and origins", metavar="URL"),
    _Option("proxy_headers", _yes, "believe X-Forwarded-For and X-Forwarded-Proto of a proxy"),
    _Option(
        "trusted_proxies", str, "the proxies that are believed, with commas", metavar="ADDRESSES"
    ),
    _Option(
        "bot_processes",
        _number,
        "processes in which the levels think; each further agent has one of its own",
        metavar="N",
    ),
    _Option(
        "bot_seconds",
        _seconds,
        "what a turn of the computer may wait for a process, and then take",
        metavar="S",
    ),
    _Option("bot_delay", _seconds, "its turns come after a whole number of these", metavar="S"),
    _Option(
        "idle_seconds",
        _seconds,
        "how long a table that nobody watches stays in memory",
        metavar="S",
    ),
    _Option("log_format", str, "how logs are written", choices=FORMATS),
    _Option("log_level", str, "what is logged", choices=LEVELS),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    parser.description = (
        "Serve the table in the browser for others, and the interface for programs. Every turn is "
        "on the disk before anybody is told. Ctrl+C or SIGTERM ends it; whoever plays comes back by "
        "itself."
    )
    parser.epilog = (
        "An option wins over its variable of the environment. Behind a proxy that ends TLS, set "
        "--base-url and --proxy-headers."
    )
    for option in _OPTIONS:
        default = getattr(_DEFAULTS, option.field)
        shown = "" if default in ("", False) else f", default: {default}"
        text = f"{option.help} (or {option.variable}{shown})"
        if option.field == "proxy_headers":
            parser.add_argument(option.option, action="store_const", const="yes", help=text)
        else:
            parser.add_argument(
                option.option, metavar=option.metavar, choices=option.choices, help=text
            )
    parser.add_argument(
        "--agent",
        action="append",
        metavar="[NAME=]SPEC",
        help="offer another agent than the levels, such as a program that speaks the bot "
        f"protocol: 'Zed=exec:python3 bot.py'; may be repeated (or {_PREFIX}AGENTS, one on each line)",
    )


def settings_of(arguments: argparse.Namespace) -> Settings:
    """Return the settings that options and environment give.

    Raises:
        SettingsError: If one of them makes no sense.
    """
    settings = _DEFAULTS
    for option in _OPTIONS:
        given, source = getattr(arguments, option.field), option.option
        if given is None:
            given, source = os.environ.get(option.variable) or None, option.variable
        if given is None:
            continue
        try:
            value = option.read(given)
        except ValueError as error:
            raise SettingsError(f"expected {error} for {source}, got {given[:60]!r}") from None
        if option.choices is not None and value not in option.choices:
            raise SettingsError(
                f"expected {' or '.join(option.choices)} for {source}, got {given[:60]!r}"
            )
        settings = replace(settings, **{option.field: value})
    lines = arguments.agent or os.environ.get(f"{_PREFIX}AGENTS", "").splitlines()
    return replace(settings, agents=tuple(line.strip() for line in lines if line.strip()))


def run(arguments: argparse.Namespace) -> int:
    """Serve until somebody ends it."""
    return 0 if serve(settings_of(arguments)) else 1
