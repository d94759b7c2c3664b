"""Agents as text: heuristic, search:seconds=0.1, ismcts:playouts=800,threads=2, exec:COMMAND."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from lostcities.agents.base import Limit
from lostcities.rules import LostCitiesError

EXTERNAL: Final = "exec"
"""The name whose whole rest is a command line, commas and all."""
LEVEL: Final = "level"
"""The name whose rest may be a bare number: level:3."""

WEIGHTS: Final = "weights"
"""The option that names a file with a network."""


class AgentSpecError(LostCitiesError, ValueError):
    """A spec that names no agent, or an option that it does not have."""


@dataclass(frozen=True, slots=True)
class AgentSpec:
    """A parsed spec.

    Attributes:
        name: The kind of agent.
        options: What was given behind the colon, as text, in the order given.
        command: The command line of an external agent, else "".
    """

    name: str
    options: Mapping[str, str] = field(default_factory=dict)
    command: str = ""

    def __str__(self) -> str:
        """Return the spec as text."""
        if self.name == EXTERNAL:
            return f"{EXTERNAL}:{self.command}"
        if self.name == LEVEL and self.options.keys() == {"number"}:
            return f"{LEVEL}:{self.options['number']}"
        options = ",".join(f"{key}={value}" for key, value in self.options.items())
        return f"{self.name}:{options}" if options else self.name


def parse_spec(text: str) -> AgentSpec:
    """Read a spec.

    Raises:
        AgentSpecError: If it is not well formed.
    """
    name, _, rest = text.strip().partition(":")
    if name == EXTERNAL:
        if not rest.strip():
            raise AgentSpecError("expected a command after 'exec:', got nothing")
        return AgentSpec(name, command=rest.strip())
    if name == LEVEL and rest.strip().isdigit():
        return AgentSpec(name, {"number": rest.strip()})
    options: dict[str, str] = {}
    for part in filter(None, rest.split(",")):
        key, equals, value = (word.strip() for word in part.partition("="))
        if not key or not equals or not value or key in options:
            raise AgentSpecError(
                f"expected options like 'seconds=0.1', each once, got {part[:40]!r} "
                f"in {text[:60]!r}"
            )
        options[key] = value
    return AgentSpec(name, options)


class Options:
    """The options of a spec, taken out one by one; what is left at the end is a mistake."""

    def __init__(self, spec: AgentSpec) -> None:
        self._spec = spec
        self._left = dict(spec.options)

    def take_int(
        self, key: str, default: int | None, *, low: int = 1, high: int = 999_999_999
    ) -> int | None:
        """Return a whole number from *low* to *high*, or the default."""
        text = self._left.pop(key, None)
        if text is None:
            return default
        is_number = text.isascii() and text.isdigit() and len(text) <= 9
        if not is_number or not low <= int(text) <= high:
            raise self._wrong(key, f"a whole number from {low} to {high}", text)
        return int(text)

    def take_seconds(self, key: str, default: float | None) -> float | None:
        """Return a positive number of seconds, or the default."""
        text = self._left.pop(key, None)
        if text is None:
            return default
        try:
            seconds = float(text)
        except ValueError:
            seconds = 0.0
        if not 0.0 < seconds <= 3600.0:
            raise self._wrong(key, "seconds above 0, at most 3600", text)
        return seconds

    def take_word(self, key: str, default: str, *, of: Iterable[str]) -> str:
        """Return one of a few words, or the default."""
        text = self._left.pop(key, default)
        if text not in of:
            raise self._wrong(key, " or ".join(of), text)
        return text

    def take_number(self, key: str, default: float, *, low: float, high: float) -> float:
        """Return a number from *low* to *high*, or the default."""
        text = self._left.pop(key, None)
        if text is None:
            return default
        try:
            number = float(text)
        except ValueError:
            number = low - 1.0
        if not low <= number <= high:
            raise self._wrong(key, f"a number from {low:g} to {high:g}", text)
        return number

    def take_text(self, key: str, default: str) -> str:
        """Return any text, or the default."""
        return self._left.pop(key, default)

    def take_limit(self) -> Limit:
        """Return the budget for a decision; what is not given is no limit."""
        return Limit(
            playouts=self.take_int("playouts", None), seconds=self.take_seconds("seconds", None)
        )

    def finish(self) -> None:
        """Refuse options that nobody has taken.

        Raises:
            AgentSpecError: With the first of them.
        """
        for key in self._left:
            raise AgentSpecError(f"expected only options that '{self._spec.name}' has, got {key!r}")

    def _wrong(self, key: str, what: str, text: str) -> AgentSpecError:
        return AgentSpecError(
            f"expected {what} for '{key}' of '{self._spec.name}', got {text[:40]!r}"
        )
