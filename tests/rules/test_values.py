"""Values of the rules cannot be changed, have no room for strays, and can be keys."""

from dataclasses import FrozenInstanceError, fields
from random import Random

import pytest

from lostcities.rules import (
    CLASSIC,
    DECK,
    Match,
    Pass,
    Play,
    Refusal,
    RefusalCode,
    RoundResult,
    Standing,
    Turn,
    score_expedition,
)
from strategies import deal

POSITION = deal(CLASSIC, Random(1))
CARD = POSITION.hands[0][0]
VALUES = [
    CLASSIC,
    POSITION,
    POSITION.observe(0),
    POSITION.observe_publicly(),
    Play(CARD),
    POSITION.legal_moves[-1],
    DECK,
    Pass(),
    Turn(Play(CARD)),
    Standing(),
    RoundResult(0, (1, 2)),
    Match(),
    score_expedition([CARD]),
    Refusal(RefusalCode.NO_PASS, "cannot pass"),
]


@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
def test_value_cannot_be_changed(value: object) -> None:
    names = [field.name for field in fields(value)]  # type: ignore[arg-type]
    for name in names:
        with pytest.raises(FrozenInstanceError):
            setattr(value, name, None)
    assert isinstance(hash(value), int)


@pytest.mark.parametrize("value", VALUES[1:], ids=lambda value: type(value).__name__)
def test_value_has_slots_only(value: object) -> None:
    assert not hasattr(value, "__dict__")


def test_variant_keeps_what_it_has_computed() -> None:
    """The one value with a dictionary, since its derived numbers are asked for all the time."""
    assert CLASSIC.deck is CLASSIC.deck
    assert CLASSIC.colors is CLASSIC.colors


def test_turn_draws_from_the_deck_by_default() -> None:
    assert Turn(Play(CARD)).draw == DECK
    assert DECK.pile is None
