"""The agent-environment cycle: PettingZoo's own tests, the life cycle, the same game as the rules."""

import copy
import pickle
import warnings
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest

pytest.importorskip("pettingzoo", reason="PettingZoo is missing: install lostcities[research]")

from pettingzoo.test import api_test, seed_test

from adapters.mirrors import NUMBERS, SMALL_NUMBERS, Mirror, marked, num_games, others
from lostcities.adapters.pettingzoo import AGENTS, env, raw_env
from lostcities.kernel.batch import Batch
from lostcities.rules import IllegalMoveError
from lostcities.rules.bounds import max_round_score, max_turns, min_round_score

TINY = SMALL_NUMBERS["tiny"]


def play(
    game: Any, rng: Random, on_step: Callable[[str, int], None] | None = None
) -> dict[str, float]:
    """Play an episode at random and return what each agent was paid, as last() told it."""
    paid = dict.fromkeys(AGENTS, 0.0)
    for agent in game.agent_iter():
        observation, reward, termination, truncation, _ = game.last()
        paid[agent] += reward
        assert not truncation
        if termination:
            assert marked(observation["action_mask"]) == []
            game.step(None)
            continue
        action = rng.choice(marked(observation["action_mask"]))
        if on_step is not None:
            on_step(agent, action)
        game.step(action)
    return paid


@pytest.mark.parametrize(
    "options", [{}, {"num_colors": 6, "num_rounds": 3}, TINY | {"payoff": "win"}]
)
def test_the_official_tests_pass(options: dict[str, Any]) -> None:
    with warnings.catch_warnings():
        # PettingZoo has a list of environments with dictionaries and warns of all others; it
        # looks at the observation of finished agents, too, who have no legal action.
        warnings.filterwarnings("ignore", "Observation space for each agent probably", UserWarning)
        warnings.filterwarnings("ignore", "Observation is not a NumPy array", UserWarning)
        warnings.filterwarnings("ignore", "Action mask numpy array is all zeros", UserWarning)
        api_test(env(**options), num_cycles=600)
        api_test(raw_env(**options), num_cycles=600)
    seed_test(lambda: env(**options), num_cycles=300)


@pytest.mark.parametrize("payoff", ["margin", "score", "win"])
@pytest.mark.parametrize("num_rounds", [1, 3])
def test_two_hundred_episodes_on_one_object(payoff: str, num_rounds: int) -> None:
    game = env(**TINY, payoff=payoff, num_rounds=num_rounds)
    rng = Random(f"{payoff}{num_rounds}")
    for episode in range(200):
        game.reset(seed=5 if episode == 0 else None)
        assert game.agents == list(AGENTS)
        assert game.agent_selection == AGENTS[0]
        assert set(game.rewards.values()) == {0.0}
        assert not any(game.terminations.values())
        order: list[str] = []
        paid = dict.fromkeys(AGENTS, 0.0)
        totals = (0, 0)
        for agent in game.agent_iter():
            observation, reward, termination, _, info = game.last()
            paid[agent] += reward
            if termination:
                order.append(agent)
                totals = info["totals"]
                with pytest.raises(ValueError, match="expected None for player_"):
                    game.step(0)
                game.step(None)
                continue
            with pytest.raises(ValueError, match="got None: it is still playing"):
                game.unwrapped.step(None)
            game.step(rng.choice(marked(observation["action_mask"])))
        assert sorted(order) == list(AGENTS)
        assert game.agents == []
        with pytest.raises(ValueError, match="call reset"):
            game.unwrapped.step(None)
        assert paid == dict(zip(AGENTS, documented(payoff, totals), strict=True))


def documented(payoff: str, totals: tuple[int, int]) -> tuple[float, float]:
    lead = totals[0] - totals[1]
    if payoff == "score":
        return totals
    if payoff == "margin":
        return lead, -lead
    sign = (lead > 0) - (lead < 0)
    return sign, -sign


def test_a_reset_in_the_middle_of_an_ending_starts_afresh() -> None:
    game = raw_env(**TINY)
    game.reset(seed=1)
    rng = Random(0)
    while not game.terminations[game.agent_selection]:
        game.step(rng.choice(marked(game.observe(game.agent_selection)["action_mask"])))
    game.step(None)
    game.reset()
    assert game.agents == list(AGENTS)
    assert sum(play(game, rng).values()) == 0


@pytest.mark.parametrize("name", NUMBERS)
def test_it_is_the_game_of_the_rules(name: str) -> None:
    game = raw_env(**NUMBERS[name])
    rng = Random(name)
    low, high = min_round_score(game.variant), max_round_score(game.variant)
    longest = max_turns(game.variant)
    assert longest is not None
    for episode in range(num_games(name)):
        game.reset(seed=episode)
        mirror = Mirror(game._match.row)

        def step(agent: str, action: int, mirror: Mirror = mirror) -> None:
            assert marked(game.observe(agent)["action_mask"]) == mirror.actions
            assert marked(game.observe(AGENTS[agent == AGENTS[0]])["action_mask"]) == []
            assert mirror.mover == AGENTS.index(agent)
            mirror.step(action)

        paid = play(game, rng, step)
        scores = mirror.position.scores
        assert mirror.position.is_over
        assert mirror.num_plies <= 2 * longest
        assert all(low <= score <= high for score in scores)
        assert paid == {AGENTS[0]: scores[0] - scores[1], AGENTS[1]: scores[1] - scores[0]}


@pytest.mark.parametrize("name", ["tiny", "classic"])
def test_every_other_action_raises_and_changes_nothing(name: str) -> None:
    game = raw_env(**NUMBERS[name])
    game.reset(seed=3)
    rng = Random(3)
    while game._match.mover is not None:
        agent = game.agent_selection
        legal = marked(game.observe(agent)["action_mask"])
        before = game._match.row.copy()
        for action in others(legal, game._match.num_actions):
            with pytest.raises(ValueError):  # noqa: PT011 # every reason there is
                game.step(action)
        assert np.array_equal(before, game._match.row)
        assert game.agent_selection == agent
        game.step(rng.choice(legal))


def test_a_refusal_has_the_sentence_of_the_rules() -> None:
    game = raw_env()
    game.reset(seed=0)
    with pytest.raises(IllegalMoveError, match="cannot draw yet: first play or discard one card"):
        game.step(100)
    with pytest.raises(ValueError, match="expected an action from 0 to 105, got 106"):
        game.step(106)
    with pytest.raises(TypeError):
        game.step(1.5)  # type: ignore[arg-type] # what people try


def test_what_is_returned_may_be_kept_and_changed() -> None:
    game = raw_env()
    game.reset(seed=2)
    kept = game.observe(AGENTS[0])
    copy = {name: array.copy() for name, array in kept.items()}
    for _ in range(4):
        game.step(marked(game.observe(game.agent_selection)["action_mask"])[0])
    assert all(np.array_equal(kept[name], copy[name]) for name in kept)
    legal = marked(game.observe(game.agent_selection)["action_mask"])
    game.observe(game.agent_selection)["action_mask"][:] = 1
    assert marked(game.observe(game.agent_selection)["action_mask"]) == legal


def through_pickle(game: Any) -> Any:
    return pickle.loads(pickle.dumps(game))  # noqa: S301 # our own bytes


@pytest.mark.parametrize("twin_of", [copy.deepcopy, through_pickle])
def test_a_copy_goes_its_own_way(twin_of: Callable[[Any], Any]) -> None:
    game = raw_env(num_rounds=2)
    game.reset(seed=6)
    game.step(marked(game.observe(game.agent_selection)["action_mask"])[0])
    kept = game._match.row.copy()
    paid = [play(twin_of(game), Random(1)) for _ in range(2)]
    assert np.array_equal(kept, game._match.row)
    assert paid == [play(game, Random(1))] * 2


def test_a_match_has_new_deals_and_the_starter_of_the_rules() -> None:
    game = raw_env(num_rounds=3)
    game.reset(seed=8)
    rng = Random(8)
    starts: dict[int, bytes] = {}
    previous = (0, 0)
    for agent in game.agent_iter():
        observation, _, termination, _, info = game.last()
        if info["round_number"] not in starts:
            starts[info["round_number"]] = game._match.row[22:].tobytes()
            assert info["totals"] == previous or info["round_number"] > 1
            if info["totals"][0] != info["totals"][1]:
                assert agent == AGENTS[info["totals"][1] > info["totals"][0]]  # the leader starts
        game.step(None if termination else rng.choice(marked(observation["action_mask"])))
    assert len(set(starts.values())) == len(starts) == 3


def test_deals_are_those_of_a_batch_with_the_same_seed() -> None:
    game = raw_env()
    batch = Batch(game.variant, 1, seed=7)
    game.reset(seed=7)
    assert np.array_equal(game._match.row, batch.rows[0])
    assert np.array_equal(game.observe(AGENTS[0])["observation"], batch.features[0])


def test_who_starts_by_lot_is_decided_by_the_seed() -> None:
    game = raw_env(first_starter=None)
    game.reset(seed=1)
    first = []
    for _ in range(40):
        first.append(game.agent_selection)
        game.reset()
    assert set(first) == set(AGENTS)
    game.reset(seed=1)
    assert game.agent_selection == first[0]
    assert raw_env(first_starter=1)._match.first_starter == 1


def test_it_draws_a_picture_in_one_line() -> None:
    game = raw_env(**TINY, render_mode="ansi")
    game.reset(seed=1)
    assert str(game.render()).endswith(" A 1/1,A,0,0")
    silent = raw_env(**TINY)
    silent.reset(seed=1)
    assert silent.render() is None


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"stall_limit": None}, "expected a stall_limit, got None"),
        ({"num_colors": 7}, "expected num_colors from 2 to 6, got 7"),
        ({"payoff": "points"}, "expected a payoff 'margin', 'score' or 'win', got 'points'"),
        ({"first_starter": 2}, "expected first_starter 0, 1 or None"),
        ({"render_mode": "human"}, "expected render_mode None or 'ansi', got 'human'"),
        ({"hand_size": 30}, "expected more than 60 cards"),
        ({"num_colors": 3, "highest_rank": 2, "wagers_per_color": 0, "hand_size": 1}, "at least 2 cards in the deck"),
    ],
)  # fmt: skip
def test_numbers_that_make_no_game_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        raw_env(**options)


def test_a_number_that_no_variant_has_is_refused() -> None:
    with pytest.raises(TypeError, match="num_cards"):
        raw_env(num_cards=60)
