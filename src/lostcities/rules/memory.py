"""What a seat remembers of a round that is over."""

from collections.abc import Iterable
from typing import TypeAlias

from lostcities.rules.moves import Turn, WrittenTurn
from lostcities.rules.observation import Observation
from lostcities.rules.position import Position
from lostcities.rules.seats import SEATS

Memory: TypeAlias = tuple[tuple[Observation, ...], tuple[Observation, ...]]
"""For each seat, its last view of each round before, oldest first; see `remember`."""
NO_MEMORY: Memory = ((), ())


def seen_by(seat: int, start: Position, turns: Iterable[Turn]) -> list[WrittenTurn]:
    """Return turns as a seat saw them: what the other side drew from the deck is not in them.

    Args:
        seat: Who saw them.
        start: The round before them.
        turns: All of them from there on.
    """
    seen, position = [], start
    for turn in turns:
        staged = position.after(turn.card_move)
        written = WrittenTurn(turn, staged.card_drawn_by(turn.draw))
        seen.append(written if position.mover == seat else written.as_others_saw())
        position = staged.after(turn.draw)
    return seen


def remember(memory: Memory, start: Position, turns: Iterable[Turn]) -> Memory:
    """Return what the seats remember when one more round is over.

    Each keeps what it saw before the last turn that it made, with the turns up to there: all
    that it ever chose by.

    Args:
        memory: Of the rounds before.
        start: The begin of the round.
        turns: All its turns.
    """
    positions, made = [start], tuple(turns)
    for turn in made:
        positions.append(positions[-1].after_turn(turn))
    views: list[tuple[Observation, ...]] = []
    for seat in SEATS:
        own = [index for index in range(len(made)) if positions[index].mover == seat]
        if not own:
            views.append(memory[seat])
            continue
        past = seen_by(seat, start, made[: own[-1]])
        views.append((*memory[seat], positions[own[-1]].observe(seat).with_past(past)))
    return views[0], views[1]
