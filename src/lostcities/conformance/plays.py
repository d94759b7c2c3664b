"""Kinds that play: sequences, whole rounds, and rounds with a given number of takes."""

from collections.abc import Sequence
from dataclasses import replace

from lostcities.conformance.deals import read_deal
from lostcities.conformance.fields import CaseFault, Fields, answers
from lostcities.conformance.runs import RUN_FACTS, Run, check_all_ok, play
from lostcities.conformance.states import format_action, read_state
from lostcities.rules import DECK, Card, Discard, Draw, Move, Position, seat_name

_MOST_TAKES = 2000


def run_sequence(setup: Fields, expected: object, actions: Sequence[str]) -> dict[str, object]:
    """Try the actions from the given state."""
    run = play(read_state(setup), actions)
    check_all_ok(run, expected)
    return answers(RUN_FACTS, run, expected)


def run_full_round(setup: Fields, expected: object, actions: Sequence[str]) -> dict[str, object]:
    """Try the actions from the given deal."""
    run = play(read_deal(setup), actions)
    check_all_ok(run, expected)
    return answers(RUN_FACTS, run, expected)


def run_turn_count(setup: Fields, expected: object) -> dict[str, object]:
    """Play a round in which the two sides take so many discards, all as early as they can.

    Raises:
        CaseFault: If no such round comes about.
    """
    num_takes = setup.number("takes")
    start = read_deal(setup)
    if not 0 <= num_takes <= _MOST_TAKES:
        raise CaseFault(f"expected takes from 0 to {_MOST_TAKES}, got {num_takes}")
    run = Run.at(start)
    while not run.final.is_over:
        run = _play_turn(run, wants_take=run.num_takes < num_takes)
    if run.num_takes != num_takes:
        raise CaseFault(f"expected a round with {num_takes} takes, got {run.num_takes} at most")
    return answers(RUN_FACTS, run, expected)


def _play_turn(run: Run, *, wants_take: bool) -> Run:
    """Discard a card, then take a discard if it is wanted and possible, else the top of the deck."""
    discard = Discard(_card_to_discard(run.final))
    open_draws = run.final.after(discard).legal_moves
    takes = [move for move in open_draws if isinstance(move, Draw) and move != DECK]
    moves: list[Move] = [discard, takes[0] if takes and wants_take else DECK]
    seat = seat_name(run.final.mover)
    turn = play(run.final, [f"{seat}:{format_action(move)}" for move in moves])
    return replace(
        run,
        final=turn.final,
        drawers=run.drawers + turn.drawers,
        num_takes=run.num_takes + turn.num_takes,
    )


def _card_to_discard(position: Position) -> Card:
    """Return a card that leaves a pile of another colour open, if there is one."""
    filled = {color for color in position.variant.colors if position.piles[color]}
    hand = position.mover_hand
    return next((card for card in hand if filled - {card.color}), hand[0])
