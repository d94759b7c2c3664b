"""Whoever is registered plays by the rules, repeatably, and on what it may know."""

from dataclasses import replace
from functools import cache
from random import Random

import pytest

from lostcities.agents.base import Agent, Limit, Limited
from lostcities.agents.levels import LEVELS
from lostcities.agents.registry import AGENTS, DEFAULT_AGENT, built_in_agents, make_agent
from lostcities.agents.spec import AgentSpecError
from lostcities.arena.duplicate import compare
from lostcities.arena.rounds import play_round
from lostcities.rules import (
    CLASSIC,
    DECK,
    LONG,
    MINI,
    ONLINE_STALL_LIMIT,
    SMALL,
    TINY,
    Card,
    Cards,
    Color,
    Discard,
    Draw,
    Move,
    Observation,
    Phase,
    Play,
    Position,
    Variant,
)
from lostcities.rules.cards import COLOR_LETTERS, RANK_MARKS
from strategies import reshuffle_unseen

VARIANTS = {"classic": CLASSIC, "long": LONG, "tiny": TINY, "small": SMALL, "mini": MINI}
GUARDED = replace(CLASSIC, stall_limit=ONLINE_STALL_LIMIT)


TREES = [
    f"ismcts:leaf={leaf},prior={prior}"
    for leaf in ("network", "policy", "random")
    for prior in ("network", "policy", "none")
]
SPECS = {
    "level": [f"level:{number}" for number in range(1, len(LEVELS) + 1)],
    "expert": ["expert", "expert:belief=even,objective=match"],
    "search": ["search", "search:belief=even"],
    "ismcts": ["ismcts", "ismcts:belief=even", *TREES],
}
"""Whatever plays; what is not named here is made without options."""
ALL_SPECS = [spec for name in built_in_agents() for spec in SPECS.get(name, [name])]
FEW = Limit(playouts=20)
"""Enough for whoever searches to overrule what came first, for tests that ask often."""


@pytest.fixture(params=ALL_SPECS)
def agent(request: pytest.FixtureRequest) -> Agent:
    return make_agent(request.param)


def searches(agent: Agent) -> bool:
    """Return whether an agent thinks so long that it is asked less often."""
    return isinstance(agent, Limited)


def shuffled(variant: Variant, rng: Random) -> Position:
    deal = list(variant.deck)
    rng.shuffle(deal)
    return Position.deal(deal, variant=variant)


def random_round(variant: Variant, seed: int) -> list[Position]:
    """Return the positions of a round played by lot, without the end."""
    rng = Random(seed)
    position, positions = shuffled(variant, rng), []
    while not position.is_over:
        positions.append(position)
        position = position.after(rng.choice(position.legal_moves))
    return positions


def choose(agent: Agent, position: Position, seed: int = 0) -> Move:
    return agent.decide(position.observe(position.mover), rng=Random(seed), limit=FEW).move


def cards(text: str) -> Cards:
    return tuple(
        Card(Color(COLOR_LETTERS.index(word[0])), RANK_MARKS.index(word[1]))
        for word in text.split()
    )


def by_color(some: Cards, variant: Variant) -> tuple[Cards, ...]:
    return tuple(tuple(card for card in some if card.color == c) for c in variant.colors)


def seen_by_a(
    *,
    hand: str,
    own: str = "",
    other: str = "",
    piles: str = "",
    deck_size: int,
    discarded: Color | None = None,
    is_draw: bool = False,
    num_stalling_turns: int = 0,
) -> Observation:
    """Return the view of seat A; what is left over lies under its own pile's top, unseen."""
    variant = replace(GUARDED, tabletop_memory=True)
    tops = by_color(cards(piles), variant)
    return Observation(
        variant=variant,
        hand_sizes=(len(hand.split()), variant.hand_size),
        known=((), ()),
        expeditions=(by_color(cards(own), variant), by_color(cards(other), variant)),
        piles=tops,
        pile_sizes=tuple(map(len, tops)),
        deck_size=deck_size,
        to_move=0,
        phase=Phase.DRAW if is_draw else Phase.CARD,
        just_discarded=discarded,
        num_stalling_turns=num_stalling_turns,
        standing=Position.deal(variant.deck, variant=variant).standing,
        seat=0,
        hand=tuple(sorted(cards(hand))),
    )


def heuristic_move(observation: Observation) -> Move:
    return make_agent("heuristic").decide(observation, rng=Random(0)).move


@pytest.mark.parametrize("tabletop_memory", [False, True], ids=["open", "tabletop"])
@pytest.mark.parametrize("stall_limit", [None, 0, ONLINE_STALL_LIMIT])
@pytest.mark.parametrize("name", VARIANTS)
def test_every_move_is_legal_wherever_chance_leads(
    agent: Agent, name: str, stall_limit: int | None, *, tabletop_memory: bool
) -> None:
    variant = replace(VARIANTS[name], stall_limit=stall_limit, tabletop_memory=tabletop_memory)
    num_rounds = 1 if variant.is_standard else 10
    step = 9 if searches(agent) else 1
    for seed in range(num_rounds):
        for position in random_round(variant, seed)[seed % step :: step]:
            assert choose(agent, position, seed) in position.legal_moves


@pytest.mark.parametrize("name", VARIANTS)
def test_whole_rounds_end_under_the_guard(agent: Agent, name: str) -> None:
    variant = replace(VARIANTS[name], stall_limit=ONLINE_STALL_LIMIT)
    for seed in range(1 if searches(agent) else 3):
        start = shuffled(variant, Random(seed))
        report = play_round(start, (agent, agent), lots=f"lots {seed}", limits=(FEW, FEW))
        assert report.num_turns == variant.deck_after_deal + report.num_takes


def test_the_same_seed_brings_the_same_move(agent: Agent) -> None:
    fresh = make_agent(agent.name)
    for position in random_round(GUARDED, 1)[::3]:
        assert choose(agent, position, 5) == choose(fresh, position, 5)


def test_a_decision_leaves_no_trace_in_the_agent(agent: Agent) -> None:
    positions = random_round(GUARDED, 2)[::7]
    forwards = [choose(agent, position) for position in positions]
    backwards = [choose(agent, position) for position in reversed(positions)]
    assert forwards == backwards[::-1]


@cache
def worlds(variant: Variant) -> list[tuple[Position, list[Position]]]:
    """Return 50 positions, each with 20 that the mover cannot tell from it."""
    rng = Random(3)
    some = rng.sample(random_round(variant, 3) + random_round(variant, 4), 50)
    return [(each, [reshuffle_unseen(each, each.mover, rng) for _ in range(20)]) for each in some]


@pytest.mark.parametrize(
    "variant", [GUARDED, LONG, replace(LONG, tabletop_memory=True)], ids=["five", "six", "tabletop"]
)
def test_hidden_cards_do_not_change_the_move(agent: Agent, variant: Variant) -> None:
    num_positions, num_twins = (10, 5) if searches(agent) else (50, 20)
    differing = 0
    for position, twins in worlds(variant)[:num_positions]:
        move = choose(agent, position)
        for twin in twins[:num_twins]:
            differing += twin != position
            assert choose(agent, twin) == move
    assert differing > num_positions * num_twins // 2


@pytest.mark.parametrize("opponent", ["random", "discarder", "staller"])
@pytest.mark.parametrize("variant", [CLASSIC, LONG], ids=["five", "six"])
def test_the_heuristic_beats_those_without_a_plan(variant: Variant, opponent: str) -> None:
    comparison = compare(
        (make_agent("heuristic"), make_agent(opponent)),
        variant=replace(variant, stall_limit=ONLINE_STALL_LIMIT),
        num_pairs=10,
        seed=1,
    )
    margin = comparison.margin
    assert margin.mean > 5 * margin.standard_error > 0
    assert comparison.scores[0].mean > 20


def test_the_heuristic_gains_against_itself_and_uses_wagers() -> None:
    heuristic = make_agent("heuristic")
    comparison = compare((heuristic, heuristic), variant=GUARDED, num_pairs=30, seed=2)
    assert comparison.scores[0].mean > 15
    # Never a wager is how a player gets stuck at half of the points within reach.
    assert comparison.wagers[0] > 1
    assert comparison.share_with_forced_draw < 0.05


def test_the_last_turn_plays_the_ten_of_an_opened_expedition() -> None:
    observation = seen_by_a(hand="YT Bx B9 W2 W3 G4 R5 R8", own="Y4 Y7", deck_size=1)
    assert heuristic_move(observation) == Play(*cards("YT"))


def test_the_last_turn_opens_nothing() -> None:
    observation = seen_by_a(hand="YT Bx B9 W2 W3 G4 R5 R8", deck_size=1)
    assert isinstance(heuristic_move(observation), Discard)


def test_two_turns_play_the_two_best_cards_in_rising_order() -> None:
    observation = seen_by_a(hand="Y2 Y9 YT W2 W3 Gx R2 R3", own="Yx", deck_size=3)
    assert heuristic_move(observation) == Play(*cards("Y9"))


def test_wagers_go_before_numbers() -> None:
    observation = seen_by_a(hand="Yx Y5 Y8 Y9 YT W2 G3 R2", deck_size=44)
    assert heuristic_move(observation) != Play(*cards("Y5"))
    assert heuristic_move(observation) != Discard(*cards("Yx"))


def test_no_wager_is_played_on_a_colour_without_promise() -> None:
    observation = seen_by_a(hand="Yx Y2 B3 B4 W2 W3 G2 R3", deck_size=20)
    assert heuristic_move(observation) != Play(*cards("Yx"))


def test_the_other_side_is_not_fed() -> None:
    observation = seen_by_a(
        hand="Y9 B3 B9 W2 G2 G4 R5 RT",
        own="R6 YT W9",
        other="Bx B5 B6 G7 G8",
        deck_size=16,
    )
    move = heuristic_move(observation)
    assert move not in (Discard(*cards("B9")), Discard(*cards("RT")))


def test_a_card_that_fits_a_rich_expedition_is_taken() -> None:
    observation = seen_by_a(
        hand="B2 B4 W2 W3 G2 R3 R4", own="Yx Yx Y6 Y7", piles="Y9 G5", deck_size=20, is_draw=True
    )
    assert heuristic_move(observation) == Draw(Color.YELLOW)


def test_a_card_of_no_use_to_anybody_is_left_lying() -> None:
    observation = seen_by_a(
        hand="B2 B4 W2 W3 G2 R3 R4", own="Y6 Y7", other="Y5", piles="Y3", deck_size=20, is_draw=True
    )
    assert heuristic_move(observation) == DECK


def test_every_agent_carries_the_name_that_makes_it_again(agent: Agent) -> None:
    assert type(make_agent(agent.name)) is type(agent)
    assert AGENTS[agent.name.partition(":")[0]].description


def test_the_default_agent_is_registered() -> None:
    assert DEFAULT_AGENT in AGENTS


def test_an_unknown_agent_is_refused_with_the_names_of_all() -> None:
    with pytest.raises(AgentSpecError, match=r"random, discarder.*got 'chess'"):
        make_agent("chess")
