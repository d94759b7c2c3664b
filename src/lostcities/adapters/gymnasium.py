"""Lost Cities as environments of Gymnasium: one learner against an agent, or many at once.

    import gymnasium, lostcities.adapters.gymnasium
    env = gymnasium.make("LostCities-v0", opponent="heuristic")
    envs = gymnasium.make_vec("LostCities-v0", num_envs=1024)  # kernel.batch, not processes

Observations are a dictionary of `observation` (`kernel.features`, float32) and
`action_mask` (int8). Actions are those of the kernel, see `kernel.layout`.
"""

from collections.abc import Sequence
from random import Random
from typing import Any, Final, Literal, TypeAlias

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from lostcities.adapters.duels import Duels
from lostcities.adapters.loops import BOTH
from lostcities.adapters.matches import (
    MatchRow,
    Observed,
    Payoff,
    check_payoff,
    feature_bound,
    lowest_payoff,
    make_variant,
)
from lostcities.agents.base import Agent, GameListener
from lostcities.agents.registry import make_agent
from lostcities.kernel.batch import game_seed
from lostcities.kernel.bridge import action_of, unpack
from lostcities.kernel.features import num_features
from lostcities.kernel.layout import num_actions
from lostcities.notation import format_position
from lostcities.rules import ONLINE_STALL_LIMIT, SEATS, Seat, Variant, other_seat

ENV_ID: Final = "LostCities-v0"
_SEEDS: Final = 1 << 63

Infos: TypeAlias = dict[str, Any]


def _observation_space(variant: Variant) -> Any:  # noqa: ANN401 # a space of Observed, which Dict cannot say
    bound = feature_bound(variant)
    return spaces.Dict(
        {
            "observation": spaces.Box(-bound, bound, (num_features(variant),), np.float32),
            "action_mask": spaces.Box(0, 1, (num_actions(variant),), np.int8),
        }
    )


def _check_seat(seat: Seat | None) -> None:
    if seat not in {None, *SEATS}:
        raise ValueError(f"expected seat 0, 1 or None (both in turn or by lot), got {seat!r}")


def _make_opponent(spec: str) -> Agent:
    agent = make_agent(spec)
    if isinstance(agent, GameListener):  # programs of other people have a life of their own
        raise ValueError(f"expected an opponent of this package, got {spec!r}")  # noqa: TRY004 # a spec is no type
    return agent


class LostCitiesEnv(gymnasium.Env[Observed, np.int64]):
    """A match of one learner against an agent of this package.

    A step is one decision of the learner, a card or a draw, and all that the
    opponent does until the learner is asked again. Rewards are
    `lostcities.adapters.matches.Payoff` of the learner. Infos hold `seat`,
    `round_number`, `totals` (in the order of the seats) and, after a round,
    `round_scores`. Every array that is returned is new and may be kept.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012 # Gymnasium looks here

    def __init__(
        self,
        *,
        opponent: str = "random",
        seat: Seat | None = None,
        num_colors: int = 5,
        num_rounds: int = 1,
        stall_limit: int = ONLINE_STALL_LIMIT,
        payoff: Payoff = "margin",
        on_illegal: Literal["end", "raise"] = "end",
        illegal_reward: float | None = None,
        render_mode: str | None = None,
        **numbers: Any,  # noqa: ANN401 # see Variant
    ) -> None:
        """Prepare the environment; `reset` deals.

        Args:
            opponent: The spec of an agent of this package, see `agents.registry`. It is
                shown the position alone, not the turns before it.
            seat: Where the learner sits: 0, 1, or None for by lot each time. Seat 0
                starts the first round.
            num_colors: 2 to 6.
            num_rounds: Rounds in a match, which is one episode.
            stall_limit: See `Variant`; an episode has to end.
            payoff: What the learner is paid.
            on_illegal: Whether an illegal action ends the episode as lost (`end`), with
                the reason in `info["illegal_action"]`, or raises and changes nothing.
            illegal_reward: What the learner is paid for an illegal action that ends the
                episode; None stands for a lower bound of what an episode pays.
            render_mode: None or 'ansi'.
            numbers: Any other field of `Variant`, by name.

        Raises:
            TypeError: If there is no such field.
            AgentSpecError: If there is no such opponent.
            ValueError: If a number or a word is out of its range.
        """
        _check_seat(seat)
        if on_illegal not in {"end", "raise"}:
            raise ValueError(f"expected on_illegal 'end' or 'raise', got {on_illegal!r}")
        if render_mode not in {None, "ansi"}:
            raise ValueError(f"expected render_mode None or 'ansi', got {render_mode!r}")
        self.render_mode = render_mode
        self.variant = make_variant(
            num_colors=num_colors, num_rounds=num_rounds, stall_limit=stall_limit, **numbers
        )
        self.seat: Seat = seat or 0
        self._chosen_seat = seat
        self._on_illegal = on_illegal
        self._match = MatchRow(self.variant, payoff=payoff, first_starter=0)
        lowest = lowest_payoff(self.variant, payoff)
        self._illegal_reward = lowest if illegal_reward is None else float(illegal_reward)
        self._opponent = _make_opponent(opponent)
        self._opponent_rng = Random(0)  # noqa: S311 # a player's lots, seeded at reset
        self._is_running = False
        self.observation_space = _observation_space(self.variant)
        self.action_space = spaces.Discrete(num_actions(self.variant))

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observed, Infos]:
        """Start the next match.

        Args:
            seed: Chooses deals, seats and the opponent's lots, of this match and of
                those to come; without one they go on.
            options: None are known; what is here is left alone.
        """
        super().reset(seed=seed, options=options)
        self._match.reseed(self._draw_seed())
        self._opponent_rng = Random(self._draw_seed())  # noqa: S311
        lot = int(self.np_random.integers(len(SEATS)))
        self.seat = lot if self._chosen_seat is None else self._chosen_seat
        self._match.begin()
        self._answer()
        self._is_running = True
        return self._match.observe(self.seat), self._info()

    def step(self, action: np.int64 | int) -> tuple[Observed, float, bool, bool, Infos]:
        """Make a decision of the learner, and let the opponent answer.

        Raises:
            TypeError: If the action is no integer.
            ValueError: If no episode is running; with `on_illegal="raise"` also if there
                is no such action or the rules refuse it (`IllegalMoveError`).
        """
        if not self._is_running:
            raise ValueError("cannot step: no episode is running; call reset() first")
        try:
            payoffs = self._match.step(action)
        except ValueError as refusal:
            if self._on_illegal == "raise":
                raise
            return self._lose(refusal)
        reward = 0.0 if payoffs is None else payoffs[self.seat]
        reward += self._answer()
        self._is_running = self._match.mover is not None
        observed = self._match.observe(self.seat)
        return observed, reward, not self._is_running, False, self._info()

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return which actions are legal now, `bool[A]`, as maskable learners ask for it."""
        return self._match.observe(self.seat)["action_mask"].astype(np.bool_)

    def render(self) -> str | None:
        """Return the whole truth in one line of notation, in mode 'ansi'; else None."""
        if self.render_mode is None:
            return None
        return format_position(unpack(self._match.row))

    def _draw_seed(self) -> int:
        return int(self.np_random.integers(_SEEDS))

    def _answer(self) -> float:
        """Let the opponent play until the learner is asked; return what the learner is paid."""
        reward = 0.0
        while self._match.mover == other_seat(self.seat):
            observation = unpack(self._match.row).observe(other_seat(self.seat))
            decision = self._opponent.decide(observation, rng=self._opponent_rng)
            payoffs = self._match.step(action_of(decision.move, self.variant))
            reward += 0.0 if payoffs is None else payoffs[self.seat]
        return reward

    def _lose(self, refusal: ValueError) -> tuple[Observed, float, bool, bool, Infos]:
        self._is_running = False
        info = self._info() | {"illegal_action": str(refusal)}
        return self._match.observe(self.seat), self._illegal_reward, True, False, info

    def _info(self) -> Infos:
        match = self._match.match
        info: Infos = {
            "seat": self.seat,
            "round_number": self._match.standing.round_number,
            "totals": match.totals,
        }
        if match.rounds:
            info["round_scores"] = match.rounds[-1].scores
        return info


class LostCitiesVectorEnv(VectorEnv[Observed, npt.NDArray[np.int64], npt.NDArray[Any]]):
    """Many rounds at once over `kernel.batch`; an episode is one round.

    **Against a random player** (`opponent="random"`): a step is one decision of each
    learner and all that its opponent does until the learner is asked again.
    Rewards are the learner's.

    **Self-play** (`opponent=None`): a step is one ply of each game, by the side to
    move; the observation is that of the side to move *now*, `infos["mover"]` says
    which. The reward belongs to the side that has just moved, `infos["actor"]`;
    with `margin` and `win` the other side's is its negative, and `infos["scores"]`
    has the points of both.

    **Autoreset** is `AutoresetMode.SAME_STEP`: a game whose round ends is dealt its
    next round in the same step. `terminations` is true, the reward and
    `infos["scores"]` tell of the round that ended, the observation is already of
    the new one, and the last one of the old round is in `infos["final_obs"]`, an
    object array with None for all other games. Nothing is ever truncated.

    An illegal action raises, and no game has changed then.
    """

    metadata = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}  # noqa: RUF012

    def __init__(
        self,
        num_envs: int = 1,
        *,
        opponent: Literal["random"] | None = "random",
        seat: Seat | None = None,
        num_colors: int = 5,
        stall_limit: int = ONLINE_STALL_LIMIT,
        payoff: Payoff = "margin",
        threads: int = 1,
        copy: bool = True,
        **numbers: Any,  # noqa: ANN401 # see Variant
    ) -> None:
        """Prepare the games; `reset` deals.

        Args:
            num_envs: How many games. Positive.
            opponent: 'random', or None for self-play.
            seat: Where the learner sits: 0, 1, or None for 0 in games with an even
                number and 1 in the others. Seat 0 starts. Not used in self-play.
            num_colors: 2 to 6.
            stall_limit: See `Variant`; a round has to end.
            payoff: What the learner is paid.
            threads: How many threads share the work; the games are the same.
            copy: Whether observations are new arrays that may be kept; otherwise they
                are the batch's own, written anew by the next step, which is faster.
            numbers: Any other field of `Variant` but `num_rounds`, by name.

        Raises:
            TypeError: If there is no such field.
            ValueError: If a number or a word is out of its range.
        """
        check_payoff(payoff)
        _check_seat(seat)
        if opponent not in {None, "random"}:
            raise ValueError(f"expected opponent 'random' or None (self-play), got {opponent!r}")
        self.num_envs = num_envs
        self.variant = make_variant(num_colors=num_colors, stall_limit=stall_limit, **numbers)
        if self.variant.num_rounds != 1:
            raise ValueError(f"expected one round an episode, got {self.variant.num_rounds}")
        self._payoff = payoff
        self._copy = copy
        self._is_self_play = opponent is None
        self._is_seeded = False
        chosen = np.arange(num_envs) % len(SEATS) if seat is None else np.full(num_envs, seat)
        seats = np.full(num_envs, BOTH) if self._is_self_play else chosen
        self._duels = Duels(
            self.variant, seats.astype(np.int64), seeds=range(num_envs), threads=threads
        )
        self.single_observation_space = _observation_space(self.variant)
        self.single_action_space = spaces.Discrete(num_actions(self.variant))
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self,
        *,
        seed: int | Sequence[int] | None = None,
        options: dict[str, Any] | None = None,  # noqa: ARG002 # the API has it
    ) -> tuple[Observed, Infos]:
        """Deal every game its next round.

        Args:
            seed: Chooses the deals and the random moves, of these rounds and of those
                to come; without one they go on. A list gives each game its own.
            options: None are known; what is here is left alone.

        Raises:
            ValueError: If a list has not one seed for each game.
        """
        if seed is not None or not self._is_seeded:
            self._duels.reseed(self._seeds_from(seed))
            self._is_seeded = True
        self._duels.next_rounds()
        return self._observed(), self._infos()

    def _seeds_from(self, seed: int | Sequence[int] | None) -> list[int]:
        """Return the games' own seeds: those of `Batch` for a number."""
        if seed is not None and not isinstance(seed, int | np.integer):
            return [int(game_seed(number, 0)) for number in seed]
        if seed is not None:
            super().reset(seed=int(seed))
        base = int(self.np_random.integers(_SEEDS)) if seed is None else int(seed)
        return [int(game_seed(base, game)) for game in range(self.num_envs)]

    def step(
        self, actions: npt.NDArray[np.int64]
    ) -> tuple[Observed, npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any], Infos]:
        """Make a decision in every game.

        Args:
            actions: One for each game, `int64[N]`; other integers are converted.

        Returns:
            Observation, rewards `float64[N]`, terminations `bool[N]`, truncations
            `bool[N]` (all false), infos.

        Raises:
            ValueError: If there is not a legal action for each game; nothing has
                changed then.
        """
        duels = self._duels
        actors = duels.movers.copy()
        duels.step(np.asarray(actions).astype(np.int64, casting="same_kind"))
        finished = duels.finished.copy()
        truncations = np.zeros(self.num_envs, np.bool_)
        infos = self._infos() | {"actor": actors}
        if finished.any():
            infos |= self._final(finished)
        return self._observed(), self._rewards(actors), finished, truncations, infos

    def _observed(self) -> Observed:
        duels = self._duels
        masks = duels.masks.view(np.int8)
        if not self._copy:
            return {"observation": duels.features, "action_mask": masks}
        return {"observation": duels.features.copy(), "action_mask": masks.copy()}

    def _rewards(self, actors: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
        """Return what the side that has just moved is paid, `float64[N]`; 0 where no round ended."""
        games = np.arange(self.num_envs)
        own = self._duels.scores[games, actors]
        margins = own - self._duels.scores[games, 1 - actors]
        paid = {"margin": margins, "score": own, "win": np.sign(margins)}[self._payoff]
        return paid.astype(np.float64)

    def _infos(self) -> Infos:
        return {"mover": self._duels.movers.copy(), "scores": self._duels.scores.copy()}

    def _final(self, finished: npt.NDArray[np.bool_]) -> Infos:
        final_obs = np.full(self.num_envs, None, dtype=object)
        for game in np.flatnonzero(finished):
            final_obs[game] = {
                "observation": self._duels.final[game].copy(),
                "action_mask": np.zeros(self._duels.masks.shape[1], np.int8),
            }
        return {"final_obs": final_obs, "_final_obs": finished.copy()}


gymnasium.register(
    id=ENV_ID,
    entry_point="lostcities.adapters.gymnasium:LostCitiesEnv",
    vector_entry_point="lostcities.adapters.gymnasium:LostCitiesVectorEnv",
)
