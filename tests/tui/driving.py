"""Matches driven by lines of text."""

import io
from collections.abc import Callable, Iterator
from random import Random

from lostcities.agents.base import NO_LIMIT, Decision, Limit
from lostcities.rules import DECK, Discard, Observation, Phase
from lostcities.tui import app
from lostcities.tui.app import Wish
from lostcities.tui.console import Console


class Person:
    """Answers each prompt with what a function of all output so far returns."""

    def __init__(self, answer: Callable[[str], str | None]) -> None:
        self.output = io.StringIO()
        self.console = Console(_Lines(lambda: answer(self.output.getvalue())), self.output)

    @property
    def text(self) -> str:
        return self.output.getvalue()


class _Lines(io.StringIO):
    def __init__(self, next_line: Callable[[], str | None]) -> None:
        super().__init__()
        self._next_line = next_line

    def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override] # a text stream
        del size
        line = self._next_line()
        return "" if line is None else f"{line}\n"


def scripted(*lines: str) -> Callable[[str], str | None]:
    """Answer with these lines, then with the end of the input."""
    left: Iterator[str] = iter(lines)
    return lambda _: next(left, None)


def hand_in(text: str) -> list[str]:
    """Return the cards of the hand that was shown last, as notation."""
    last = [line for line in text.splitlines() if line.startswith("hand  ")][-1]
    return [word[:2] for word in last.removeprefix("hand  ").split()]


def discards_all(text: str) -> str:
    """Discard the first card and draw from the deck, for ever; then leave."""
    prompt = text.splitlines()[-1]
    return {
        "card?": "",
        "draw?": "D",
        "Enter: next round": "",
        "rematch or quit?": "quit",
    }[prompt] or (f"-{hand_in(text)[0]}" if prompt == "card?" else "")


def play(answer: Callable[[str], str | None], **wish: object) -> str:
    """Run `lostcities play` with these answers, and return what it said."""
    person = Person(answer)
    app.run(Wish(**wish), person.console)  # type: ignore[arg-type] # fields by name
    return person.text


class FailingAgent:
    """Fails in one of the ways in which programs fail."""

    name = "failing"

    def __init__(self, way: str) -> None:
        self._way = way

    def decide(self, observation: Observation, *, rng: Random, limit: Limit = NO_LIMIT) -> Decision:
        del rng, limit
        if self._way == "raises":
            raise ZeroDivisionError("division by zero")
        if self._way == "tells its hand":
            raise KeyError(" ".join(map(str, observation.hand)))
        if self._way == "nothing":
            return None  # type: ignore[return-value] # that is the point
        if self._way == "draws first":
            return Decision(DECK)
        if observation.phase is Phase.DRAW:
            return Decision(Discard(observation.hand[0]))
        foreign = next(card for card in observation.variant.deck if card not in observation.hand)
        return Decision(Discard(foreign if self._way == "foreign card" else observation.hand[0]))
