"""Lost Cities as an agent-environment cycle of PettingZoo.

    env = lostcities.adapters.pettingzoo.env(num_colors=6, num_rounds=3)
    env.reset(seed=7)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        ...

Agents are `player_0` (seat A) and `player_1` (seat B). Each agent makes two
decisions a turn: a card, then a draw. Actions are those of the kernel, see
`kernel.layout`. Every array that is returned is new and may be kept.
"""

from secrets import randbits
from typing import Any, Final

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from lostcities.adapters.matches import MatchRow, Observed, Payoff, feature_bound, make_variant
from lostcities.kernel.bridge import unpack
from lostcities.notation import format_position
from lostcities.rules import ONLINE_STALL_LIMIT, SEATS, Seat

AGENTS: Final = tuple(f"player_{seat}" for seat in SEATS)
_SEAT_OF: Final = {agent: seat for seat, agent in enumerate(AGENTS)}


def env(**options: Any) -> OrderEnforcingWrapper:  # noqa: ANN401 # see raw_env
    """Return the environment in PettingZoo's own guard against calls in a wrong order.

    Args:
        options: Those of `raw_env`.
    """
    return OrderEnforcingWrapper(raw_env(**options))


class raw_env(AECEnv):  # noqa: N801 # the name that PettingZoo asks for
    """A match between two agents.

    Rewards are `lostcities.adapters.matches.Payoff`; they come when a round ends
    (`win`: when the match does), once to each agent, through `last()`. Infos hold
    `round_number`, `totals` and, after a round, `round_scores`, each pair in the
    order of the seats.
    """

    metadata = {  # noqa: RUF012 # PettingZoo looks here
        "name": "lost_cities_v0",
        "render_modes": ["ansi"],
        "is_parallelizable": False,
    }

    def __init__(
        self,
        *,
        num_colors: int = 5,
        num_rounds: int = 1,
        stall_limit: int = ONLINE_STALL_LIMIT,
        payoff: Payoff = "margin",
        first_starter: Seat | None = 0,
        render_mode: str | None = None,
        **numbers: Any,  # noqa: ANN401 # see Variant
    ) -> None:
        """Prepare the environment; `reset` deals.

        Args:
            num_colors: 2 to 6.
            num_rounds: Rounds in a match, which is one episode.
            stall_limit: See `Variant`; an episode has to end.
            payoff: What agents are paid.
            first_starter: Who starts a match: 0, 1, or None for by lot.
            render_mode: None or 'ansi'.
            numbers: Any other field of `Variant`, by name.

        Raises:
            TypeError: If there is no such field.
            ValueError: If a number or a word is out of its range.
        """
        super().__init__()
        if render_mode not in {None, "ansi"}:
            raise ValueError(f"expected render_mode None or 'ansi', got {render_mode!r}")
        self.render_mode = render_mode
        variant = make_variant(
            num_colors=num_colors, num_rounds=num_rounds, stall_limit=stall_limit, **numbers
        )
        self.variant = variant
        self._match = MatchRow(variant, payoff=payoff, first_starter=first_starter)
        self._is_seeded = False
        self._was_paid = False
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []
        self.agent_selection = AGENTS[0]
        bound = feature_bound(variant)
        self.observation_spaces = {agent: self._observation_space(bound) for agent in AGENTS}
        self.action_spaces = {agent: spaces.Discrete(self._match.num_actions) for agent in AGENTS}

    def _observation_space(self, bound: float) -> spaces.Dict:
        match = self._match
        return spaces.Dict(
            {
                "observation": spaces.Box(-bound, bound, (match.num_features,), np.float32),
                "action_mask": spaces.Box(0, 1, (match.num_actions,), np.int8),
            }
        )

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the space of `observation` float32[F] and `action_mask` int8[A]."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the space of the A action numbers."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002 # the API has them
        """Start the next match.

        Args:
            seed: Chooses the deals of this match and of those to come; without
                one they go on. The first reset without one takes chance from the
                operating system.
            options: None are known; what is here is left alone.
        """
        if seed is not None or not self._is_seeded:
            self._match.reseed(randbits(63) if seed is None else seed)
            self._is_seeded = True
        self._match.begin()
        self._was_paid = False
        self._skip_agent_selection = None
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos = {agent: self._info() for agent in AGENTS}
        self._select()

    def observe(self, agent: str) -> Observed:
        """Return what the agent may know, and what it may do if it is selected."""
        return self._match.observe(_SEAT_OF[agent])

    def step(self, action: int | None) -> None:
        """Make a move for the selected agent; None once it is finished.

        Raises:
            IllegalMoveError: If the rules refuse the action; nothing has changed then.
            ValueError: If there is no such action, if a finished agent is given
                one, if a live one is given None, or if nobody is left.
        """
        if not self.agents:
            raise ValueError("cannot step: no episode is running; call reset() first")
        agent = self.agent_selection
        if self.terminations[agent]:
            self._retire(agent, action)
            return
        if action is None:
            raise ValueError(f"expected an action of {agent}, got None: it is still playing")
        payoffs = self._match.step(action)
        self._cumulative_rewards[agent] = 0.0
        if self._was_paid:
            self._clear_rewards()
            self._was_paid = False
        if payoffs is not None:
            self._pay(payoffs)
        self._select()

    def _retire(self, agent: str, action: int | None) -> None:
        if action is not None:
            raise ValueError(
                f"expected None for {agent}, got action {action}: its episode has ended"
            )
        self._was_dead_step(None)

    def _pay(self, payoffs: tuple[float, float]) -> None:
        self.rewards = dict(zip(AGENTS, payoffs, strict=True))
        self._accumulate_rewards()
        self._was_paid = True
        is_over = self._match.mover is None
        self.terminations = dict.fromkeys(AGENTS, is_over)
        self.infos = {agent: self._info() for agent in AGENTS}

    def _select(self) -> None:
        """Select who is to move; at the end, who did not make the last move goes first."""
        mover = self._match.mover
        if mover is None:
            mover = 1 - _SEAT_OF[self.agent_selection]
        self.agent_selection = AGENTS[mover]

    def _info(self) -> dict[str, Any]:
        match = self._match.match
        info: dict[str, Any] = {
            "round_number": self._match.standing.round_number,
            "totals": match.totals,
        }
        if match.rounds:
            info["round_scores"] = match.rounds[-1].scores
        return info

    def render(self) -> str | None:
        """Return the whole truth in one line of notation, in mode 'ansi'; else None."""
        if self.render_mode is None:
            return None
        return format_position(unpack(self._match.row))

    def close(self) -> None:
        """Release nothing: there is nothing to release."""
