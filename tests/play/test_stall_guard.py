"""Two seats that only shuffle cards between the piles: the guard ends their round."""

import pytest

from lostcities.play import Stage, TableRefusalCode, TakeTurn
from lostcities.play.events import MatchEnded, TurnTaken
from lostcities.rules import (
    DECK,
    LONG,
    ONLINE_STALL_LIMIT,
    Discard,
    Draw,
    Observation,
    RefusalCode,
    Turn,
    Variant,
)
from play.tables import Session, dealt, events_in


def stalling_turn(session: Session) -> Turn:
    """Discard a card, take from a pile if the own view allows it; nothing else is looked at."""
    observation = session.table.view(session.mover).observation
    assert isinstance(observation, Observation)
    card_move = Discard(observation.hand[0])
    after = session.table.observation_after(session.mover, card_move)
    draws = [move for move in after.legal_moves if isinstance(move, Draw) and move != DECK]
    return Turn(card_move, draws[0] if draws else DECK)


@pytest.mark.parametrize("limit", [0, 1, ONLINE_STALL_LIMIT])
@pytest.mark.parametrize("num_colors", [5, 6])
def test_seats_that_always_discard_and_take_run_out_of_deck(limit: int, num_colors: int) -> None:
    variant = Variant(num_colors=num_colors, num_rounds=1, stall_limit=limit)
    session = dealt(variant)
    most = (limit + 1) * 2 * (len(variant.deck) - 16)
    while session.table.state.stage is Stage.PLAYING:
        session.turn(stalling_turn(session))
        assert len(session.steps) <= most + 3
    assert session.position.deck == ()
    assert session.table.state.ended == MatchEnded((0, 0), None)


def test_the_guard_lets_exactly_so_many_turns_stall() -> None:
    session = dealt(Variant(num_rounds=1, stall_limit=ONLINE_STALL_LIMIT))
    while session.table.state.stage is Stage.PLAYING:
        session.turn(stalling_turn(session))
    turns = [e for e in events_in(session.steps, TurnTaken) if isinstance(e, TurnTaken)]
    runs = [0]
    for event in turns:
        if event.turn.draw == DECK:
            runs.append(0)
        else:
            runs[-1] += 1
    assert max(runs) == ONLINE_STALL_LIMIT


def test_without_the_guard_the_same_seats_go_on_and_on() -> None:
    session = dealt(Variant(num_rounds=1))
    for _ in range(1000):
        session.turn(stalling_turn(session))
    assert session.table.state.stage is Stage.PLAYING
    assert len(session.position.deck) > 20


def test_the_turn_after_the_last_stalling_one_has_to_use_the_deck() -> None:
    session = dealt(Variant(num_colors=LONG.num_colors, stall_limit=2))
    while session.position.num_stalling_turns < 2:
        session.turn(stalling_turn(session))
    position = session.position
    card, pile = next(
        (card, top.color)
        for card in position.mover_hand
        for top in position.pile_tops
        if top is not None and top.color != card.color
    )
    refused = session.refuse(session.mover, TakeTurn(Turn(Discard(card), Draw(pile))))
    assert refused.refusal.code == RefusalCode.MUST_DRAW_DECK
    assert refused.refusal.code not in set(TableRefusalCode)
    session.turn(Turn(Discard(card), DECK))
