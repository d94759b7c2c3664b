"""Reading lines and writing lines, for people, pipes and screen readers alike."""

import sys
from collections.abc import Iterable
from contextlib import suppress
from typing import TextIO


class Console:
    """A stream of lines in and a stream of lines out.

    Attributes:
        is_interactive: Whether a person sits at a terminal on both ends.
    """

    def __init__(self, source: TextIO, target: TextIO) -> None:
        self._source = source
        self._target = target
        self.is_interactive = source.isatty() and target.isatty()

    @classmethod
    def standard(cls) -> "Console":
        """Return the console of this process. What cannot be shown is shown as '?'."""
        for stream in (sys.stdin, sys.stdout):
            with suppress(AttributeError):
                stream.reconfigure(errors="replace")  # type: ignore[union-attr] # has it, or not
        if sys.stdin.isatty():
            with suppress(ImportError):
                import readline  # noqa: F401, PLC0415 # gives the line its editing keys
        return cls(sys.stdin, sys.stdout)

    def say(self, *lines: str) -> None:
        """Write lines, at once."""
        self._target.writelines(f"{line}\n" for line in lines)
        self._target.flush()

    def say_all(self, lines: Iterable[str]) -> None:
        """Write lines, at once."""
        self.say(*lines)

    def ask(self, prompt: str) -> str | None:
        """Return the next line, None at the end of the input.

        At a terminal the prompt stands before the cursor; elsewhere it is a
        line of its own, so that what comes out stays a list of lines.
        """
        if self.is_interactive:
            try:
                return input(f"{prompt} ")
            except EOFError:
                self.say("")
                return None
        self.say(prompt)
        line = self._source.readline()
        return line or None
