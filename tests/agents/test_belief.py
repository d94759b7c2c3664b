from dataclasses import replace
from random import Random

import pytest

from lostcities.agents.belief import sample_world
from lostcities.rules import CLASSIC, LONG, MINI, TINY, Position, Variant


@pytest.mark.parametrize("variant", [CLASSIC, LONG, MINI, TINY])
@pytest.mark.parametrize("hides_piles", [False, True])
def test_a_world_is_whole_and_looks_the_same_to_the_seat(
    variant: Variant, *, hides_piles: bool
) -> None:
    rng = Random(3)
    game = replace(variant, tabletop_memory=hides_piles, stall_limit=5)
    for _ in range(10):
        position = Position.deal(rng.sample(game.deck, k=len(game.deck)), variant=game)
        while not position.is_over:
            for seat in (0, 1):
                observation = position.observe(seat)
                world = sample_world(observation, rng=rng)
                assert world.checked() == world
                assert world.observe(seat) == observation
            position = position.after(rng.choice(position.legal_moves))


def test_unseen_cards_are_equally_likely_anywhere() -> None:
    rng = Random(4)
    position = Position.deal(rng.sample(CLASSIC.deck, k=60))
    observation = position.observe(0)
    card = observation.unseen[17]
    copies = observation.unseen.count(card)
    num_worlds = 4000
    hits = sum(sample_world(observation, rng=rng).hands[1].count(card) for _ in range(num_worlds))
    share = copies * 8 / 52
    assert abs(hits / num_worlds - share) < 5 * (share / num_worlds) ** 0.5
