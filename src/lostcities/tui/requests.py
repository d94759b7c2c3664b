"""What a person types at the table, and what it asks for.

A turn may be typed in the notation or in words, whole or in halves:
R4/D, 'play red 4 draw deck', '-W9', 'discard white 9', D, 'take yellow'.
"""

import re
from enum import StrEnum
from typing import Final, TypeAlias

from lostcities.notation import NotationError, read_cards
from lostcities.notation.words import COLORS_BY_WORD
from lostcities.rules import (
    COLOR_LETTERS,
    DECK,
    Card,
    CardMove,
    Discard,
    Draw,
    Pass,
    Phase,
    Play,
    PublicObservation,
    Turn,
)


class Word(StrEnum):
    """What can be asked beside moves."""

    HELP = "help"
    LAST = "last"
    SCORES = "scores"
    LEFT = "left"
    HAND = "hand"
    TABLE = "table"
    UNDO = "undo"
    SAVE = "save"
    DEAL = "deal"
    RESIGN = "resign"
    QUIT = "quit"


_WORDS: Final = {word.value: word for word in Word} | {
    "?": Word.HELP,
    "h": Word.HELP,
    "l": Word.LAST,
    "repeat": Word.LAST,
    "score": Word.SCORES,
    "s": Word.SCORES,
    "cards": Word.HAND,
    "board": Word.TABLE,
    "u": Word.UNDO,
    "back": Word.UNDO,
    "exit": Word.QUIT,
    "q": Word.QUIT,
    "resume": Word.TABLE,
}
_LONGEST_LINE: Final = 200
_PLAY_WORDS: Final = ("play", "p")
_DISCARD_WORDS: Final = ("discard", "drop", "x", "-")
_DRAW_WORDS: Final = ("draw", "take", "from", "the")
_DECK_WORDS: Final = ("d", "deck")
_FILLERS: Final = {"then", "and", "the", "from", "card", "pile", "a", "top", "of"}
_SPLIT: Final = re.compile(r"\s*(?:/|,|;|\bthen\b|\band\b|\b(?=draw\b|take\b))\s*")

Request: TypeAlias = Word | CardMove | Draw | Turn | Pass


def read_request(line: str, view: PublicObservation) -> Request:
    """Return what a line asks for.

    Args:
        line: What was typed.
        view: The round as the person sees it; its phase tells a card from a draw.

    Raises:
        NotationError: If nobody can tell what is meant.
    """
    text = " ".join(line.split())
    if len(text) > _LONGEST_LINE:
        raise NotationError(
            f"expected a move or a word of at most {_LONGEST_LINE} characters, got {len(text)}"
        )
    lowered = text.lower()
    if lowered in _WORDS:
        return _WORDS[lowered]
    if lowered == "pass":
        return Pass()
    halves = [half for half in _SPLIT.split(lowered) if half]
    if len(halves) == 2:
        return Turn(_read_card_move(halves[0], text), _read_draw(halves[1], view))
    if view.phase is Phase.DRAW:
        return _read_draw(lowered, view)
    if len(halves) != 1:
        raise NotationError(_expected_card(text))
    try:
        return _read_draw(lowered, view)  # too early, which the rules will say
    except NotationError:
        return _read_card_move(halves[0], text)


def _expected_card(text: str) -> str:
    shown = text if len(text) <= 40 else text[:40] + "..."
    return (
        "expected a card to play like 'R7', to discard like '-R7', a whole turn like 'R7/D', "
        f"or a word like 'help', got {shown!r}"
    )


def _read_card_move(text: str, typed: str) -> CardMove:
    is_discard = False
    words = text.split(" ", 1)
    if words[0] in _DISCARD_WORDS and len(words) > 1:
        is_discard, text = True, words[1]
    elif words[0] in _PLAY_WORDS and len(words) > 1:
        text = words[1]
    if text.startswith("-"):
        is_discard, text = True, text[1:]
    card = _read_one_card(text, typed)
    return Discard(card) if is_discard else Play(card)


def _read_one_card(text: str, typed: str) -> Card:
    try:
        cards = read_cards(text)
    except NotationError as error:
        if error.problem.startswith("expected ranks"):
            raise
        raise NotationError(_expected_card(typed)) from None
    if len(cards) != 1:
        raise NotationError(_expected_card(typed))
    return cards[0]


def _read_draw(text: str, view: PublicObservation) -> Draw:
    words = [word for word in text.split() if word not in _DRAW_WORDS and word not in _FILLERS]
    if not words:
        if text.split()[:1] == ["draw"]:
            return DECK
        raise NotationError(_expected_draw(text))
    if len(words) == 1 and words[0] in _DECK_WORDS:
        return DECK
    if len(words) == 1 and words[0] in COLORS_BY_WORD:
        return Draw(COLORS_BY_WORD[words[0]])
    return _read_draw_of_card(" ".join(words), text, view)


def _read_draw_of_card(card_text: str, text: str, view: PublicObservation) -> Draw:
    """Return the draw that 'take Y5' means: the pile that shows this card."""
    try:
        cards = read_cards(card_text)
    except NotationError:
        raise NotationError(_expected_draw(text)) from None
    is_top = len(cards) == 1 and cards[0] in view.pile_tops
    if is_top and (view.phase is Phase.DRAW or text != card_text):
        return Draw(cards[0].color)
    raise NotationError(_expected_draw(text))


def _expected_draw(text: str) -> str:
    shown = text if len(text) <= 40 else text[:40] + "..."
    return (
        "expected where to draw from: 'D' for the deck, or a pile by its letter "
        f"({' '.join(COLOR_LETTERS)}) or color, got {shown!r}"
    )
