"""JSON values with a declared type: whatever a case holds is checked before it is used."""

from collections.abc import Callable, Mapping
from typing import TypeVar

from lostcities.rules import SEAT_NAMES, LostCitiesError, Seat

_C = TypeVar("_C")


class CaseFault(LostCitiesError):  # noqa: N818 # it is a fault of the case, not of the program
    """A case that cannot be run: a field is missing, unknown or of the wrong type."""


def as_text(value: object, what: str) -> str:
    """Return a text.

    Raises:
        CaseFault: If it is something else.
    """
    if not isinstance(value, str):
        raise wrong(what, "a text", value)
    return value


def as_number(value: object, what: str) -> int:
    """Return a whole number; true and false are none.

    Raises:
        CaseFault: If it is something else.
    """
    if not isinstance(value, int) or isinstance(value, bool):
        raise wrong(what, "a whole number", value)
    return value


def as_list(value: object, what: str) -> list[object]:
    """Return a list.

    Raises:
        CaseFault: If it is something else.
    """
    if not isinstance(value, list):
        raise wrong(what, "a list", value)
    return value


def as_texts(value: object, what: str) -> list[str]:
    """Return a list of texts.

    Raises:
        CaseFault: If it is something else.
    """
    return [as_text(item, what) for item in as_list(value, what)]


def as_object(value: object, what: str) -> Mapping[str, object]:
    """Return an object.

    Raises:
        CaseFault: If it is something else.
    """
    if not isinstance(value, dict):
        raise wrong(what, "an object", value)
    return value


def as_seat(value: object, what: str) -> Seat:
    """Return the seat with this name.

    Raises:
        CaseFault: If it is neither A nor B.
    """
    if value not in tuple(SEAT_NAMES):
        raise wrong(what, "'A' or 'B'", value)
    return SEAT_NAMES.index(as_text(value, what))


def wrong(what: str, wanted: str, value: object) -> CaseFault:
    """Return the fault of a value that is something else than what was expected."""
    return CaseFault(f"expected {what} to be {wanted}, got {value!r:.60}")


class Fields:
    """The fields of an object, taken by name; what nobody has taken is a fault in the end.

    So a setup that asks for something this runner does not know fails, and is
    not run as if it had not asked.
    """

    def __init__(self, content: object, what: str) -> None:
        self._content = as_object(content, what)
        self._what = what
        self._taken: set[str] = set()

    def __contains__(self, name: str) -> bool:
        return name in self._content

    def take(self, name: str) -> object:
        """Return a field.

        Raises:
            CaseFault: If it is missing.
        """
        if name not in self._content:
            raise CaseFault(f"expected a field {name!r} in {self._what}, got none")
        self._taken.add(name)
        return self._content[name]

    def get(self, name: str, default: object) -> object:
        """Return a field, or the default if it is missing."""
        return self.take(name) if name in self else default

    def text(self, name: str) -> str:
        """Return a field that is a text."""
        return as_text(self.take(name), name)

    def number(self, name: str) -> int:
        """Return a field that is a whole number."""
        return as_number(self.take(name), name)

    def items(self, name: str) -> list[object]:
        """Return a field that is a list."""
        return as_list(self.take(name), name)

    def mapping(self, name: str) -> Mapping[str, object]:
        """Return a field that is an object."""
        return as_object(self.take(name), name)

    def seat(self, name: str, default: str | None = None) -> Seat:
        """Return a field that is a seat."""
        value = self.take(name) if default is None else self.get(name, default)
        return as_seat(value, name)

    def check_all_taken(self) -> None:
        """Refuse fields that nobody has taken.

        Raises:
            CaseFault: With their names.
        """
        if left := sorted(self._content.keys() - self._taken):
            raise CaseFault(f"unknown field in {self._what}: {', '.join(left)}")


Fact = Callable[[_C, object], object]
"""Says what is the case, in the shape in which it was asked for."""


def answers(facts: Mapping[str, Fact[_C]], context: _C, wanted: object) -> dict[str, object]:
    """Return what is really the case for each thing that is expected.

    Args:
        facts: What can be asked for.
        context: What the facts are about.
        wanted: The expectations, by name.

    Raises:
        CaseFault: If something is expected that there is no fact for.
    """
    expectations = as_object(wanted, "expected")
    if unknown := sorted(expectations.keys() - facts.keys()):
        raise CaseFault(f"unknown key in expected: {', '.join(unknown)}")
    return {name: facts[name](context, value) for name, value in expectations.items()}


def in_any_order(there: list[str], wanted: object, what: str) -> list[str]:
    """Return *there*, in the order of *wanted* if that holds the same items."""
    asked = as_texts(wanted, what)
    return asked if sorted(asked) == sorted(there) else there
