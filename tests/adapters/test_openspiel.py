"""OpenSpiel: its own tests, the same game as the rules, bounds, resampling, algorithms."""

import pickle
from collections import Counter
from random import Random
from typing import Any

import numpy as np
import pytest

pyspiel = pytest.importorskip(
    "pyspiel", reason="OpenSpiel is missing: install lostcities[research]"
)

from open_spiel.python.algorithms import (
    cfr,
    exploitability,
    external_sampling_mccfr,
    ismcts,
    mcts,
    tabular_qlearner,
)
from open_spiel.python.observation import make_observation
from open_spiel.python.rl_environment import Environment

from adapters.mirrors import NUMBERS, SMALL_NUMBERS, num_games, numbers_of, others
from lostcities.adapters.openspiel import PARAMETERS, SHORT_NAME, LostCitiesGame
from lostcities.adapters.resampling import PutDown, Walk
from lostcities.kernel.bridge import card_of, move_of, pack
from lostcities.kernel.features import features
from lostcities.rules import Position, Variant
from lostcities.rules.bounds import max_turns

TINY = SMALL_NUMBERS["tiny"]
SMALLEST = {
    "num_colors": 2,
    "highest_rank": 3,
    "wagers_per_color": 0,
    "hand_size": 1,
    "expedition_cost": 2,
    "stall_limit": 1,
}
"""Four cards: 793 histories. Low costs, for with the printed ones it is best to play nothing."""
WITH_COPIES = {
    "num_colors": 2,
    "highest_rank": 2,
    "wagers_per_color": 2,
    "hand_size": 2,
    "stall_limit": 0,
}


def load(numbers: dict[str, Any]) -> Any:
    return pyspiel.load_game(SHORT_NAME, numbers)


def play(game: Any, rng: Random, num_plies: int = 10**9) -> Any:
    """Return a state that random play has reached, at most so many decisions on."""
    state = game.new_initial_state()
    while not state.is_terminal() and num_plies:
        state.apply_action(choose(state, rng))
        num_plies -= not state.is_chance_node()
    return state


def choose(state: Any, rng: Random) -> int:
    if not state.is_chance_node():
        return rng.choice(state.legal_actions())
    outcomes, shares = zip(*state.chance_outcomes(), strict=True)
    return rng.choices(outcomes, shares)[0]


@pytest.mark.parametrize("name", NUMBERS)
def test_the_official_simulation_passes(name: str) -> None:
    num_sims = 20 if name in SMALL_NUMBERS else 2
    pyspiel.random_sim_test(load(NUMBERS[name]), num_sims=num_sims, serialize=True, verbose=False)


@pytest.mark.parametrize("name", NUMBERS)
def test_it_is_the_game_of_the_rules(name: str) -> None:
    game = load(NUMBERS[name])
    rng = Random(name)
    for _ in range(num_games(name)):
        state = game.new_initial_state()
        offered: list[list[int]] = []
        taken: list[int] = []
        while not state.is_terminal():
            action = choose(state, rng)
            if not state.is_chance_node():
                offered.append(state.legal_actions())
                taken.append(action)
            state.apply_action(action)
        position = replay(game.variant, state)
        for legal, action in zip(offered, taken, strict=True):
            assert legal == numbers_of(position)
            assert legal == sorted(set(legal))
            assert 0 <= legal[0] <= legal[-1] < game.num_distinct_actions()
            position = position.after(move_of(action, game.variant))
        assert position.is_over
        assert state.legal_actions() == state.legal_actions(0) == []
        scores = position.scores
        assert state.returns() == [scores[0] - scores[1], scores[1] - scores[0]]
        assert all(game.min_utility() <= value <= game.max_utility() for value in state.returns())
        assert len(taken) <= game.max_game_length()
        assert len(state.history()) == len(taken) + len(game.variant.deck)
        assert len(state.history()) <= game.max_history_length()


def replay(variant: Variant, state: Any) -> Position:
    """Return the deal of a finished history: its chance outcomes, in order."""
    outcomes = [
        item.action for item in state.full_history() if item.player == pyspiel.PlayerId.CHANCE
    ]
    return Position.deal([card_of(outcome) for outcome in outcomes], variant=variant)


@pytest.mark.parametrize("name", ["tiny", "classic"])
def test_every_other_action_raises_and_changes_nothing(name: str) -> None:
    game = load(NUMBERS[name])
    state, rng = game.new_initial_state(), Random(1)
    while not state.is_terminal():
        is_chance = state.is_chance_node()
        limit = game.max_chance_outcomes() if is_chance else game.num_distinct_actions()
        before = state.serialize()
        for action in others(state.legal_actions(), limit)[:: 1 if name == "tiny" else 17]:
            with pytest.raises((ValueError, pyspiel.SpielError)):
                state.apply_action(action)
        assert state.serialize() == before
        state.apply_action(choose(state, rng))


def test_swapped_seats_swap_the_returns() -> None:
    """Player 1 with the cards and moves of player 0 gets what player 0 got."""
    variant = load(TINY).variant
    for seed in range(50):
        state = play(load(TINY), Random(seed))
        position = replay(variant, state)
        mirrored = Position(
            variant=variant,
            hands=position.hands[::-1],
            expeditions=position.expeditions[::-1],
            piles=position.piles,
            deck=position.deck,
            to_move=1,
        )
        for item in state.full_history():
            if item.player != pyspiel.PlayerId.CHANCE:
                mirrored = mirrored.after(move_of(item.action, variant))
        assert [mirrored.scores[1] - mirrored.scores[0]] == state.returns()[:1]


def test_the_published_numbers() -> None:
    game = load({})
    assert game.num_distinct_actions() == 106
    assert game.max_chance_outcomes() == 50
    assert game.utility_sum() == 0
    turns = max_turns(game.variant)
    assert turns is not None
    assert game.max_game_length() == 2 * turns
    assert game.max_chance_nodes_in_history() == 60
    assert game.max_utility() == -game.min_utility()
    assert game.observation_tensor_size() == 552
    assert game.information_state_tensor_size() == 552 + 2 + 8 + 3 * turns
    assert game.get_parameters() == PARAMETERS


def test_numbers_that_make_no_game_are_refused() -> None:
    with pytest.raises(ValueError, match="expected num_colors from 2 to 6, got 9"):
        LostCitiesGame({"num_colors": 9})
    with pytest.raises(ValueError, match="expected a stall_limit, got None"):
        LostCitiesGame({"stall_limit": None})


def test_a_state_survives_copying_and_pickling() -> None:
    state = play(load({}), Random(0), 101)
    for twin in (state.clone(), pickle.loads(pickle.dumps(state))):  # noqa: S301 # our own bytes
        assert str(twin) == str(state)
        assert twin.history() == state.history()
        twin.apply_action(choose(twin, Random(1)))
        assert str(twin) != str(state)


# --- what a player may know --------------------------------------------------------------------


def test_an_observation_is_the_features_and_a_line() -> None:
    game = load({})
    for seed in range(20):
        state = play(game, Random(seed), 40 + seed)
        outcomes = [
            item.action for item in state.full_history() if item.player == pyspiel.PlayerId.CHANCE
        ]
        rest = Counter(game.variant.deck) - Counter(map(card_of, outcomes))
        deal = [*map(card_of, outcomes), *rest.elements()]
        position = Position.deal(deal, variant=game.variant)
        for item in state.full_history():
            if item.player != pyspiel.PlayerId.CHANCE:
                position = position.after(move_of(item.action, game.variant))
        for player in (0, 1):
            wanted = np.zeros(552, np.float32)
            features(pack(position), player, wanted)
            assert np.array_equal(state.observation_tensor(player), wanted)


def test_strings_tell_the_story() -> None:
    state = load(TINY).new_initial_state()
    for card_type in (0, 1, 2, 10, 11):
        if state.is_chance_node():
            state.apply_action(card_type)
    assert state.information_state_string(0) == "A YxY3:"
    assert state.information_state_string(1) == "B Y2Bx:"
    actions = {state.action_to_string(0, action): action for action in state.legal_actions()}
    state.apply_action(actions["-Yx"])
    state.apply_action(40)
    assert state.is_chance_node()
    assert state.action_to_string(pyspiel.PlayerId.CHANCE, 12) == "deal B3"
    assert state.observation_string(0).endswith(" drawing")
    state.apply_action(12)
    assert state.information_state_string(0) == "A YxY3: -Yx/D=B3"
    assert state.information_state_string(1) == "B Y2Bx: -Yx/D"
    state.apply_action(1)
    state.apply_action(41)
    assert state.information_state_string(0) == "A YxY3: -Yx/D=B3 Y2/Y"
    assert state.observation_string(1).endswith(" stall 0 known Yx")


@pytest.mark.parametrize("name", ["tiny", "tabletop", "classic"])
def test_equal_strings_and_equal_tensors_go_together(name: str) -> None:
    """Information states that differ in the string differ in the tensor, and the reverse."""
    game = load(NUMBERS[name])
    seen: dict[str, bytes] = {}
    for seed in range(60):
        state, rng = game.new_initial_state(), Random(seed % 20)
        while not state.is_terminal():
            if not state.is_chance_node():
                for player in (0, 1):
                    tensor = np.array(state.information_state_tensor(player), np.float32).tobytes()
                    assert seen.setdefault(state.information_state_string(player), tensor) == tensor
            state.apply_action(choose(state, rng))
    assert len(set(seen.values())) == len(seen)


def test_other_kinds_of_observation_are_refused() -> None:
    game = load(TINY)
    public = pyspiel.IIGObservationType(
        perfect_recall=False, private_info=pyspiel.PrivateInfoType.NONE
    )
    with pytest.raises(ValueError, match="expected observations with public and one player's"):
        make_observation(game, public)
    with pytest.raises(ValueError, match="expected no parameters"):
        game.make_py_observer(None, {"one_hot": True})
    observation = make_observation(game, pyspiel.IIGObservationType(perfect_recall=True))
    assert list(observation.dict) == ["observation", "player", "deal", "turns"]
    assert observation.dict["turns"].shape == (max_turns(game.variant), 3)


# --- resampling --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NUMBERS)
def test_a_resampled_state_cannot_be_told_apart(name: str) -> None:
    game = load(NUMBERS[name])
    rng = Random(name)
    for _ in range(30):
        state = play(game, rng, rng.randrange(120))
        for player in (0, 1):
            twin = state.resample_from_infostate(player, rng.random)
            assert twin.information_state_string(player) == state.information_state_string(player)
            assert twin.observation_tensor(player) == state.observation_tensor(player)
            assert twin.current_player() == state.current_player()
            assert len(twin.history()) == len(state.history())
            if state.current_player() == player:
                assert twin.legal_actions() == state.legal_actions()


def test_resampling_does_not_depend_on_the_truth() -> None:
    game = load({})
    for seed in range(10):
        state = play(game, Random(seed), 60)
        twin = state.resample_from_infostate(0, Random(1).random)
        again = [
            start.resample_from_infostate(0, Random(2).random).history() for start in (state, twin)
        ]
        assert again[0] == again[1]


@pytest.mark.parametrize("numbers", [TINY | {"stall_limit": 0}, WITH_COPIES])
def test_all_orders_of_the_deck_that_fit_are_equally_likely(numbers: dict[str, Any]) -> None:
    """Count against the whole tree: every history with the same information state, by chance alone."""
    game = load(numbers)
    histories: dict[str, dict[tuple[int, ...], float]] = {}

    def walk(state: Any, share: float) -> None:
        if not state.is_chance_node():
            key = state.information_state_string(0)
            orders = histories.setdefault(key, {})
            orders[without_order(state)] = orders.get(without_order(state), 0.0) + share
        if state.is_terminal() or len(state.history()) > 9:
            return
        if state.is_chance_node():
            for outcome, part in state.chance_outcomes():
                walk(state.child(outcome), share * part)
        else:
            for action in state.legal_actions():
                walk(state.child(action), share)

    walk(game.new_initial_state(), 1.0)
    rng = Random(4)
    richest = sorted(histories, key=lambda key: (-len(histories[key]), key))
    unsure = [
        key
        for key in richest
        if len({had_choice(history, game) for history in histories[key]}) == 2
    ]
    num_samples = 3000
    for key in [*richest[:2], *unsure[:2], *rng.sample(richest, 2)]:
        shares = histories[key]
        state = game.new_initial_state()
        for action in rng.choice(sorted(shares)):
            state.apply_action(action)
        counts = Counter(
            without_order(state.resample_from_infostate(0, rng.random)) for _ in range(num_samples)
        )
        assert set(counts) <= set(shares)
        total = sum(shares.values())
        wanted = {history: num_samples * share / total for history, share in shares.items()}
        chi_square = sum((counts[h] - mean) ** 2 / mean for h, mean in wanted.items())
        freedom = len(wanted) - 1
        assert chi_square <= freedom + 5 * (2 * freedom) ** 0.5


def without_order(state: Any) -> tuple[int, ...]:
    """Return a history with the cards dealt to player 0 sorted: their order tells nothing."""
    history = state.history()
    num_dealt = 2 * state.get_game().variant.hand_size
    history[0:num_dealt:2] = sorted(history[0:num_dealt:2])
    return tuple(history)


def had_choice(history: tuple[int, ...], game: Any) -> bool:
    """Return whether player 1 put one of two equal wagers down."""
    walk = Walk.along(history, 1, game.variant)
    cards = [history[slot] for slot in walk.slots]
    return any(cards.count(card.card_type) > 1 for card in walk.put_down)


def test_a_walk_tells_known_cards_from_hidden_ones() -> None:
    """Yx: dealt to player 0, discarded, taken by player 1, played by player 1: never hidden."""
    game = load(TINY | {"hand_size": 1})
    history = (0, 11, 20, 40, 2, 11, 41, 2, 40, 10, 0)
    state = game.new_initial_state()
    for action in history:
        state.apply_action(action)
    walk = Walk.along(state.history(), 1, game.variant)
    assert walk.history == history
    assert walk.slots == (1,)
    assert walk.put_down == (PutDown(11, 1),)  # B2 came down out of the dealt hand


# --- algorithms --------------------------------------------------------------------------------


def test_regret_minimization_approaches_an_equilibrium() -> None:
    game = load(SMALLEST)
    solver = cfr.CFRPlusSolver(game)
    distances = []
    for _ in range(3):
        for _ in range(4):
            solver.evaluate_and_update_policy()
        distances.append(exploitability.nash_conv(game, solver.average_policy()))
    assert distances[0] > distances[1] > distances[2]
    assert distances[2] < 0.02


def test_sampled_regret_minimization_runs_on_a_tiny_game() -> None:
    np.random.seed(0)  # the solver draws from the global state
    solver = external_sampling_mccfr.ExternalSamplingSolver(
        load(TINY | {"stall_limit": 0, "expedition_cost": 3})
    )
    for _ in range(20):
        solver.iteration()
    state = play(load(TINY | {"stall_limit": 0, "expedition_cost": 3}), Random(0), 0)
    while state.is_chance_node():
        state.apply_action(choose(state, Random(0)))
    policy = solver.average_policy().action_probabilities(state)
    assert sum(policy.values()) == pytest.approx(1)


def test_a_learner_takes_some_steps() -> None:
    env = Environment(load(SMALLEST), chance_event_sampler=None)
    learners = [
        tabular_qlearner.QLearner(player, env.action_spec()["num_actions"]) for player in (0, 1)
    ]
    for _ in range(50):
        step = env.reset()
        while not step.last():
            player = step.observations["current_player"]
            step = env.step([learners[player].step(step).action])
        for learner in learners:
            learner.step(step)
    assert any(learners[0]._q_values.values())


@pytest.mark.parametrize("name", ["mini", "classic"])
def test_information_set_search_plays(name: str) -> None:
    game = load(NUMBERS[name])
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    bot = ismcts.ISMCTSBot(game, evaluator, 20.0, 12, random_state=np.random.RandomState(2))
    rng = Random(0)
    state = play(game, rng, 30 if name == "classic" else 2)
    for _ in range(4):
        while state.is_chance_node():
            state.apply_action(choose(state, rng))
        if not state.is_terminal():
            action = bot.step(state)
            assert action in state.legal_actions()
            state.apply_action(action)
