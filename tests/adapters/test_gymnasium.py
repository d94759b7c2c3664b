"""Gymnasium: its own check, one learner against an agent, many rounds at once."""

from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

gymnasium = pytest.importorskip(
    "gymnasium", reason="Gymnasium is missing: install lostcities[research]"
)

from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

from adapters.mirrors import NUMBERS, SMALL_NUMBERS, marked, num_games, numbers_of, others
from lostcities.adapters.gymnasium import ENV_ID, LostCitiesEnv, LostCitiesVectorEnv
from lostcities.adapters.matches import feature_bound, lowest_payoff
from lostcities.agents.base import NO_LIMIT, Decision, Limit
from lostcities.kernel.batch import Batch, game_seed
from lostcities.kernel.bridge import move_of, pack, unpack
from lostcities.kernel.features import features
from lostcities.kernel.playout import random_action
from lostcities.kernel.streams import advance, mix, to_word
from lostcities.rules import Move, Observation, Position

TINY = SMALL_NUMBERS["tiny"]


class Listener:
    """Plays at random, and makes the same moves on a mirror."""

    name = "listener"

    def __init__(self) -> None:
        self.moves: list[Move] = []

    def decide(self, observation: Observation, *, rng: Random, limit: Limit = NO_LIMIT) -> Decision:  # noqa: ARG002
        move = rng.choice(observation.legal_moves)
        self.moves.append(move)
        return Decision(move)


# --- one learner -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options",
    [{}, {"opponent": "heuristic", "num_colors": 6, "num_rounds": 3, "payoff": "win"}, TINY],
)
def test_the_official_check_passes(options: dict[str, Any]) -> None:
    check_env(gymnasium.make(ENV_ID, **options).unwrapped)


@pytest.mark.parametrize("name", NUMBERS)
def test_it_is_the_game_of_the_rules(name: str) -> None:
    env = LostCitiesEnv(**NUMBERS[name], on_illegal="raise")
    listener = Listener()
    env._opponent = listener
    rng = Random(name)
    for episode in range(num_games(name)):
        listener.moves.clear()
        observation, info = env.reset(seed=episode)
        mirror = first_position(env)
        is_over, paid = False, 0.0
        while not is_over:
            mirror = follow(mirror, listener)
            assert mirror.to_move == info["seat"]
            assert marked(observation["action_mask"]) == numbers_of(mirror)
            action = rng.choice(marked(observation["action_mask"]))
            mirror = mirror.after(move_of(action, env.variant))
            observation, reward, is_over, is_cut, info = env.step(action)
            paid += reward
            assert not is_cut
        mirror = follow(mirror, listener)
        assert mirror.is_over
        assert marked(observation["action_mask"]) == []
        assert info["totals"] == info["round_scores"] == mirror.scores
        own = info["seat"]
        assert paid == mirror.scores[own] - mirror.scores[1 - own]


def first_position(env: LostCitiesEnv) -> Position:
    """Return the deal of the running episode: what the match began with."""
    batch = Batch(env.variant, 1, seeds=[int(env._match._seed)])
    return unpack(batch.rows[0])


def follow(mirror: Position, listener: Listener) -> Position:
    for move in listener.moves:
        mirror = mirror.after(move)
    listener.moves.clear()
    return mirror


def test_seats_come_by_lot_or_as_chosen() -> None:
    env = LostCitiesEnv(**TINY)
    env.reset(seed=0)
    assert {env.reset()[1]["seat"] for _ in range(40)} == {0, 1}
    for seat in (0, 1):
        chosen = LostCitiesEnv(**TINY, seat=seat)
        assert {chosen.reset(seed=n)[1]["seat"] for n in range(10)} == {seat}


def test_a_match_pays_each_round() -> None:
    env = LostCitiesEnv(**TINY, num_rounds=3, payoff="score", opponent="discarder")
    observation, info = env.reset(seed=4)
    rng, paid, rounds, is_over = Random(4), 0.0, set(), False
    while not is_over:
        action = rng.choice(marked(observation["action_mask"]))
        observation, reward, is_over, _, info = env.step(action)
        paid += reward
        rounds.add(info["round_number"])
    assert rounds == {1, 2, 3}
    assert paid == info["totals"][info["seat"]]
    assert info["totals"][1 - info["seat"]] == 0


@pytest.mark.parametrize("payoff", ["margin", "score", "win"])
def test_an_illegal_action_ends_the_episode_as_lost(payoff: Any) -> None:
    env = LostCitiesEnv(payoff=payoff)
    env.reset(seed=1)
    before = env._match.row.copy()
    _, reward, is_over, is_cut, info = env.step(100)
    assert (is_over, is_cut) == (True, False)
    assert reward == lowest_payoff(env.variant, payoff) < 0
    assert info["illegal_action"] == "cannot draw yet: first play or discard one card"
    assert np.array_equal(before, env._match.row)
    with pytest.raises(ValueError, match="call reset"):
        env.step(0)
    assert LostCitiesEnv(illegal_reward=-7)._illegal_reward == -7.0


def test_an_action_is_an_integer() -> None:
    env = LostCitiesEnv()
    env.reset(seed=1)
    half: Any = 50.5
    with pytest.raises(TypeError):
        env.step(half)


@pytest.mark.parametrize("name", ["tiny", "classic"])
def test_or_every_other_action_raises_and_changes_nothing(name: str) -> None:
    env = LostCitiesEnv(**NUMBERS[name], on_illegal="raise")
    observation, _ = env.reset(seed=2)
    rng, is_over = Random(2), False
    while not is_over:
        legal = marked(observation["action_mask"])
        assert np.flatnonzero(env.action_masks()).tolist() == legal
        before = env._match.row.copy()
        for action in others(legal, env._match.num_actions)[:: 1 if name == "tiny" else 9]:
            with pytest.raises(ValueError):  # noqa: PT011 # every reason there is
                env.step(action)
        assert np.array_equal(before, env._match.row)
        observation, _, is_over, _, _ = env.step(rng.choice(legal))


def test_it_draws_a_picture_in_one_line() -> None:
    env = LostCitiesEnv(**TINY, seat=0, render_mode="ansi")
    env.reset(seed=1)
    assert str(env.render()).endswith(" A 1/1,A,0,0")
    assert LostCitiesEnv(**TINY).render() is None


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"opponent": "nobody"}, "expected an agent"),
        ({"opponent": "exec:true"}, "expected an opponent of this package"),
        ({"seat": 2}, "expected seat 0, 1 or None"),
        ({"on_illegal": "ignore"}, "expected on_illegal 'end' or 'raise', got 'ignore'"),
        ({"render_mode": "human"}, "expected render_mode None or 'ansi', got 'human'"),
        ({"payoff": "points"}, "expected a payoff"),
    ],
)
def test_words_that_mean_nothing_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        LostCitiesEnv(**options)


# --- many rounds at once -----------------------------------------------------------------------


def random_actions(masks: npt.NDArray[np.int8], rng: np.random.Generator) -> npt.NDArray[np.int64]:
    return np.argmax(rng.random(masks.shape) * masks, axis=1)


@pytest.mark.parametrize("opponent", [None, "random"])
def test_all_that_is_returned_lies_in_the_spaces(opponent: Any) -> None:
    envs = LostCitiesVectorEnv(5, opponent=opponent, num_colors=6)
    rng = np.random.default_rng(0)
    observation, _ = envs.reset(seed=0)
    for _ in range(600):
        assert envs.observation_space.contains(observation)
        actions = random_actions(observation["action_mask"], rng)
        assert envs.action_space.contains(actions)
        observation, rewards, done, cut, _ = envs.step(actions)
        assert rewards.dtype == np.float64
        assert done.dtype == np.bool_
        assert not cut.any()


def test_it_is_made_by_name() -> None:
    envs = gymnasium.make_vec(
        ENV_ID, num_envs=3, vectorization_mode="vector_entry_point", opponent=None
    )
    assert envs.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    assert envs.num_envs == 3
    assert envs.reset(seed=1)[0]["observation"].shape == (3, 552)
    envs.close()


def test_self_play_is_the_batch_of_the_kernel() -> None:
    envs = LostCitiesVectorEnv(7, opponent=None, threads=2)
    batch = Batch(envs.variant, 7, seed=11)
    observation, infos = envs.reset(seed=11)
    rng = np.random.default_rng(1)
    num_done = 0
    for _ in range(700):
        assert np.array_equal(observation["observation"], batch.features)
        assert np.array_equal(observation["action_mask"], batch.masks)
        assert np.array_equal(infos["mover"], batch.movers)
        actors = batch.movers.copy()
        actions = random_actions(observation["action_mask"], rng)
        batch.step(actions)
        observation, rewards, done, _, infos = envs.step(actions)
        assert np.array_equal(infos["actor"], actors)
        assert np.array_equal(infos["scores"], batch.scores)
        assert np.array_equal(done, batch.finished)
        margins = (batch.scores[:, 0] - batch.scores[:, 1]) * (1 - 2 * actors)
        assert np.array_equal(rewards, margins)
        num_done += int(done.sum())
    assert num_done >= 7


@pytest.mark.parametrize("name", NUMBERS)
def test_rounds_against_a_random_player_are_those_of_the_rules(name: str) -> None:
    num = num_games(name)
    envs = LostCitiesVectorEnv(num, **NUMBERS[name])
    observation, _ = envs.reset(seed=3)
    players = [Random(game) for game in range(num)]
    mirrors = [Reference(envs, game) for game in range(num)]
    waiting = set(range(num))
    while waiting:
        actions = np.zeros(num, np.int64)
        for game in range(num):
            legal = marked(observation["action_mask"][game])
            if game in waiting:
                assert legal == numbers_of(mirrors[game].position)
            actions[game] = players[game].choice(legal)
        observation, rewards, done, _, infos = envs.step(actions)
        for game in list(waiting):
            mirrors[game].step(int(actions[game]))
            assert done[game] == mirrors[game].position.is_over
            if done[game]:
                mirrors[game].compare(infos, float(rewards[game]), game)
                waiting.remove(game)


class Reference:
    """A round against a random player, played by the rules, ply by ply."""

    def __init__(self, envs: LostCitiesVectorEnv, game: int) -> None:
        seed = int(game_seed(3, game))
        self.seat = game % 2
        self.stream = to_word(mix(to_word(seed ^ 0x3C79AC492BA7B653)))
        self.position = unpack(Batch(envs.variant, 1, seeds=[seed]).rows[0])
        self.answer()

    def step(self, action: int) -> None:
        self.position = self.position.after(move_of(action, self.position.variant))
        self.answer()

    def answer(self) -> None:
        while self.position.to_move == 1 - self.seat:
            self.stream = to_word(advance(self.stream))
            half = to_word(int(mix(self.stream)) >> 32)
            action = int(random_action(pack(self.position), half))
            self.position = self.position.after(move_of(action, self.position.variant))

    def compare(self, infos: dict[str, Any], reward: float, game: int) -> None:
        scores = self.position.scores
        assert tuple(infos["scores"][game]) == scores
        assert reward == scores[self.seat] - scores[1 - self.seat]
        last = infos["final_obs"][game]
        wanted = np.zeros_like(last["observation"])
        features(pack(self.position), self.seat, wanted)
        assert np.array_equal(last["observation"], wanted)
        assert not last["action_mask"].any()


def test_final_observations_stand_only_where_a_round_ended() -> None:
    envs = LostCitiesVectorEnv(8, **TINY)
    observation, _ = envs.reset(seed=0)
    rng = np.random.default_rng(0)
    for _ in range(50):
        observation, _, done, _, infos = envs.step(random_actions(observation["action_mask"], rng))
        if done.any():
            assert np.array_equal(infos["_final_obs"], done)
            assert [last is not None for last in infos["final_obs"]] == done.tolist()
        else:
            assert "final_obs" not in infos


@pytest.mark.parametrize("payoff", ["margin", "score", "win"])
def test_payoffs_of_many(payoff: Any) -> None:
    envs = LostCitiesVectorEnv(16, **TINY, payoff=payoff, seat=1)
    observation, _ = envs.reset(seed=0)
    rng = np.random.default_rng(0)
    for _ in range(60):
        observation, rewards, done, _, infos = envs.step(
            random_actions(observation["action_mask"], rng)
        )
        own, other = infos["scores"][:, 1], infos["scores"][:, 0]
        wanted = {"margin": own - other, "score": own, "win": np.sign(own - other)}[payoff]
        assert np.array_equal(rewards, wanted)
        assert not rewards[~done].any()


def test_copies_may_be_kept_and_the_rest_is_written_anew() -> None:
    for copy in (True, False):
        envs = LostCitiesVectorEnv(4, copy=copy)
        first, _ = envs.reset(seed=0)
        kept = first["observation"].copy()
        envs.step(random_actions(first["action_mask"], np.random.default_rng(0)))
        assert np.array_equal(first["observation"], kept) == copy


def test_an_illegal_action_of_one_game_raises_and_changes_none() -> None:
    envs = LostCitiesVectorEnv(3)
    observation, _ = envs.reset(seed=0)
    before = envs._duels.rows.copy()
    actions = random_actions(observation["action_mask"], np.random.default_rng(0))
    for wrong in (-1, 105, 106, 2**40):
        actions[1] = wrong
        with pytest.raises(ValueError, match=f"expected legal actions, got {wrong} in game 1"):
            envs.step(actions)
    with pytest.raises(ValueError, match=r"expected actions int64\[3\]"):
        envs.step(actions[:2])
    halves: Any = actions / 2
    with pytest.raises(TypeError):
        envs.step(halves)
    assert np.array_equal(before, envs._duels.rows)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"opponent": "heuristic"}, "expected opponent 'random' or None"),
        ({"num_rounds": 3}, "expected one round an episode, got 3"),
        ({"seat": 5}, "expected seat 0, 1 or None"),
        ({"payoff": ""}, "expected a payoff"),
        ({"num_envs": 0}, "expected games and threads >= 1"),
    ],
)
def test_options_that_make_no_environment_are_refused(
    options: dict[str, Any], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        LostCitiesVectorEnv(**options)


@pytest.mark.parametrize("name", NUMBERS)
def test_no_feature_exceeds_the_bound_of_the_space(name: str) -> None:
    envs = LostCitiesVectorEnv(64, opponent=None, copy=False, **NUMBERS[name])
    bound = feature_bound(envs.variant)
    rng = np.random.default_rng(0)
    observation, _ = envs.reset(seed=5)
    for _ in range(400):
        assert np.abs(observation["observation"]).max() <= bound
        observation, *_ = envs.step(random_actions(observation["action_mask"], rng))
