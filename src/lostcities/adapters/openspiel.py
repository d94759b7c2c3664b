"""Lost Cities as a game of OpenSpiel: `pyspiel.load_game("python_lost_cities")`.

One round. Chance nodes deal both hands, one card at a time, the starter (player 0)
first, and bring each card that is drawn from the deck. A turn is two decisions.
Actions are those of the kernel, see `kernel.layout`; the outcome of a chance node is
a card type.

**Returns** are the margin: own points less the other side's, so they sum to zero.
`min_utility` and `max_utility` are *formula bounds* from `rules.bounds`, the highest
round score of one side less the lowest of the other; no play reaches them.

**Lengths**: `max_game_length` counts decisions, as OpenSpiel does, and is twice
`rules.bounds.max_turns`; every card is one chance node, so `max_history_length` is
that plus the number of cards. The bound holds for every play; a random round of the
printed game is eight times shorter.

**Tensors**: an observation is `kernel.features`, the only encoder. An information
state adds the player, the own dealt cards and, for each turn, three numbers (card
action, source of the draw, own card drawn; 0 is nothing), all counted from 1: a
perfect memory in `3 * max_turns` numbers. A one-hot form would be a hundred times
as long.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyspiel

from lostcities.adapters.matches import make_variant, refusal_of
from lostcities.adapters.resampling import Walk, sample_outcomes
from lostcities.kernel.bridge import card_of, move_of, unpack
from lostcities.kernel.features import features, num_features
from lostcities.kernel.layout import (
    CARDS,
    DECK,
    MAX_LEGAL,
    NUM_KINDS,
    Row,
    card_types,
    new_row,
    num_actions,
)
from lostcities.kernel.step import deal, is_over, legal_list, margin, mover, step
from lostcities.notation import (
    format_card_move,
    format_cards,
    format_draw,
    format_observation,
    format_position,
)
from lostcities.rules import ONLINE_STALL_LIMIT, SEATS, Draw, Seat, Variant, other_seat, seat_name
from lostcities.rules.bounds import max_round_score, max_turns, min_round_score

SHORT_NAME: Final = "python_lost_cities"
_CLASSIC: Final = Variant()
PARAMETERS: Final = {
    **{
        name: getattr(_CLASSIC, name)
        for name in (
            "num_colors",
            "lowest_rank",
            "highest_rank",
            "wagers_per_color",
            "hand_size",
            "expedition_cost",
            "bonus",
            "bonus_threshold",
            "tabletop_memory",
            "own_discard_block",
        )
    },
    "stall_limit": ONLINE_STALL_LIMIT,
}
"""The parameters of the game with their defaults: numbers of `Variant`, by name."""

_GAME_TYPE: Final = pyspiel.GameType(
    short_name=SHORT_NAME,
    long_name="Lost Cities",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=len(SEATS),
    min_num_players=len(SEATS),
    provides_information_state_string=True,
    provides_information_state_tensor=True,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification=PARAMETERS,
)


@dataclass(frozen=True)
class Setup:
    """What all states of a game share."""

    variant: Variant

    @cached_property
    def start(self) -> Row:
        """A row without cards."""
        return new_row(self.variant)

    @cached_property
    def types(self) -> bytes:
        """The deck as card types, sorted."""
        return bytes(sorted(card_types(self.variant).tolist()))

    @cached_property
    def num_dealt(self) -> int:
        """Cards in both hands after the deal."""
        return len(SEATS) * self.variant.hand_size

    @cached_property
    def from_deck(self) -> int:
        """The action that draws from the deck."""
        return len(SEATS) * NUM_KINDS * self.variant.num_colors

    @cached_property
    def max_turns(self) -> int:
        """An upper bound for the turns of a round."""
        turns = max_turns(self.variant)
        if turns is None:
            raise AssertionError("a variant without a stall limit came through make_variant")
        return turns

    @cached_property
    def words(self) -> dict[int, str]:
        """Each action of the game in notation: R7, -R7, /D, /R."""
        words = {}
        for action in range(num_actions(self.variant)):
            try:
                move = move_of(action, self.variant)
            except ValueError:  # no such card in this variant
                continue
            if isinstance(move, Draw):
                words[action] = f"/{format_draw(move)}"
            else:
                words[action] = format_card_move(move)
        return words


class _Table:
    """A round in the middle of being dealt or played. Everything a state has to remember.

    Attributes:
        row: The position; of no meaning while hands are dealt. Its deck is kept sorted:
            which card comes next is not decided before a chance node does.
        rest: The cards not yet dealt or drawn, sorted types.
        dealt: The types that the chance nodes have dealt so far.
        is_drawing: Whether a card of the deck is being drawn.
        turns: Three bytes a turn: card action + 1, source of the draw + 1, type drawn
            from the deck + 1.
        seen: For each seat, what it has seen since the deal, in notation.
    """

    __slots__ = ("dealt", "is_drawing", "rest", "row", "seen", "setup", "turns")

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.row = setup.start
        self.rest = setup.types
        self.dealt = b""
        self.is_drawing = False
        self.turns = b""
        self.seen = ("", "")

    def __deepcopy__(self, _memo: object) -> "_Table":
        """Copy what changes in place: all but the row is replaced, never changed."""
        copy = _Table(self.setup)
        copy.row = self.row.copy()
        copy.rest, copy.dealt, copy.is_drawing = self.rest, self.dealt, self.is_drawing
        copy.turns, copy.seen = self.turns, self.seen
        return copy

    @property
    def is_dealing(self) -> bool:
        return len(self.dealt) < self.setup.num_dealt

    @property
    def is_over(self) -> bool:
        return not self.is_dealing and bool(is_over(self.row))

    @property
    def mover(self) -> Seat:
        return int(mover(self.row))

    def dealt_to(self, seat: Seat) -> bytes:
        """Return the types dealt to a seat so far, sorted: their order is of no use to anybody."""
        return bytes(sorted(self.dealt[seat :: len(SEATS)]))

    def draw(self, card_type: int) -> None:
        """Let chance bring a card: to a hand that is dealt, or to the side that draws."""
        place = self.rest.find(card_type) if 0 <= card_type <= max(self.rest) else -1
        if place < 0:
            raise ValueError(f"expected a card type that is left, got {card_type}")
        self.rest = self.rest[:place] + self.rest[place + 1 :]
        if self.is_dealing:
            self._deal(card_type)
        else:
            self._draw_from_deck(card_type)

    def _deal(self, card_type: int) -> None:
        self.dealt += bytes((card_type,))
        if not self.is_dealing:
            self.row = self.setup.start.copy()
            deal(self.row, np.frombuffer(bytearray(self.dealt + self.rest), np.uint8))

    def _draw_from_deck(self, card_type: int) -> None:
        seat = self.mover
        word = int(self.row[DECK])
        deck = self.row[CARDS:].view(np.uint8)[word & 0xFF : word >> 8]
        deck[:] = np.frombuffer(bytes((card_type,)) + self.rest, np.uint8)
        step(self.row, self.setup.from_deck)
        self.is_drawing = False
        self.turns = self.turns[:-1] + bytes((card_type + 1,))
        own = self.seen[seat] + f"={card_of(card_type)}"
        self.seen = (own, self.seen[1]) if seat == 0 else (self.seen[0], own)

    def move(self, action: int) -> None:
        """Make a decision of the side to move; a draw from the deck waits for chance."""
        if action not in self.legal_actions():
            raise refusal_of(self.row, action, self.setup.variant)
        source = action - self.setup.from_deck
        if source < 0:
            self.turns += bytes((action + 1, 0, 0))
            word = " " + self.setup.words[action]
        else:
            self.turns = self.turns[:-2] + bytes((source + 1, 0))
            word = self.setup.words[action]
        self.seen = (self.seen[0] + word, self.seen[1] + word)
        if source == 0:
            self.is_drawing = True
        else:
            step(self.row, action)

    def legal_actions(self) -> list[int]:
        """Return the legal actions of the side to move, ascending."""
        buffer = np.empty(MAX_LEGAL, np.int64)
        actions: list[int] = buffer[: legal_list(self.row, buffer)].tolist()
        return actions


class LostCitiesGame(pyspiel.Game):
    """One round, as OpenSpiel knows games."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        """Make the game.

        Args:
            params: Some of `PARAMETERS`.

        Raises:
            ValueError: If the numbers make no game.
        """
        chosen = PARAMETERS | (params or {})
        variant = make_variant(**chosen)
        self.setup = Setup(variant)
        highest = float(max_round_score(variant) - min_round_score(variant))
        info = pyspiel.GameInfo(
            num_distinct_actions=num_actions(variant),
            max_chance_outcomes=NUM_KINDS * variant.num_colors,
            num_players=len(SEATS),
            min_utility=-highest,
            max_utility=highest,
            utility_sum=0.0,
            max_game_length=2 * self.setup.max_turns,
        )
        super().__init__(_GAME_TYPE, info, chosen)

    @property
    def variant(self) -> Variant:
        """The numbers of the game."""
        return self.setup.variant

    def new_initial_state(self, *_text: str) -> "LostCitiesState":
        """Return the state before the deal."""
        return LostCitiesState(self)

    def max_chance_nodes_in_history(self) -> int:
        """Return the number of cards: each is dealt or drawn once."""
        return len(self.setup.types)

    def make_py_observer(
        self,
        iig_obs_type: pyspiel.IIGObservationType | None = None,
        params: dict[str, Any] | None = None,
    ) -> "Observer":
        """Return what writes observations, or with perfect recall information states.

        Raises:
            ValueError: If the observation should be public or private only, or has
                parameters.
        """
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        return Observer(self.setup, kind, params)


class LostCitiesState(pyspiel.State):
    """A round at one moment, with its history."""

    def __init__(self, game: LostCitiesGame) -> None:
        """Begin before the deal. Called by `LostCitiesGame.new_initial_state`."""
        super().__init__(game)
        self.table = _Table(game.setup)

    def current_player(self) -> int:
        """Return who decides: a player, chance, or nobody at the end."""
        table = self.table
        if table.is_dealing or table.is_drawing:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if table.is_over else table.mover

    def is_terminal(self) -> bool:
        """Return whether the round has ended."""
        return self.table.is_over

    def _legal_actions(self, _player: int) -> list[int]:
        """Return the legal actions of the current player, ascending."""
        return self.table.legal_actions()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the types of the cards that are left, each with its share."""
        rest = self.table.rest
        return [(card_type, num / len(rest)) for card_type, num in Counter(rest).items()]

    def _apply_action(self, action: int) -> None:
        """Make a decision, of a player or of chance.

        Raises:
            IllegalMoveError: If the rules refuse it.
            ValueError: If there is no such action or outcome. Nothing has changed then.
        """
        if self.table.is_dealing or self.table.is_drawing:
            self.table.draw(action)
        else:
            self.table.move(action)

    def _action_to_string(self, player: int, action: int) -> str:
        """Return an action in notation, an outcome as 'deal R7'."""
        if player == pyspiel.PlayerId.CHANCE:
            return f"deal {card_of(action)}"
        return self.table.setup.words[action]

    def returns(self) -> list[float]:
        """Return the margins of both players; zeros until the end."""
        if not self.table.is_over:
            return [0.0, 0.0]
        points = float(margin(self.table.row, 0))
        return [points, -points]

    def resample_from_infostate(
        self, player_id: int, probability_sampler: Callable[[], float]
    ) -> "LostCitiesState":
        """Return a state that the player cannot tell from this one, with all its history.

        All orders of the deck in which the history could have happened are
        equally likely; what the other side's choices tell is not taken into account.

        Args:
            player_id: Whose knowledge is kept.
            probability_sampler: Returns numbers from 0 to below 1; the only chance.
        """
        table = self.table
        walk = Walk.along(self.history(), other_seat(player_id), table.setup.variant)
        history = sample_outcomes(walk, table.rest, probability_sampler)
        state = self.get_game().new_initial_state()
        for action in history:
            state.apply_action(action)
        sampled: LostCitiesState = state
        return sampled

    def __str__(self) -> str:
        """Return the whole truth in one line."""
        table = self.table
        if table.is_dealing:
            return f"dealing: {_format_types(table.dealt)}"
        line = format_position(unpack(table.row))
        return f"{line} drawing" if table.is_drawing else line


class Observer:
    """Writes what a player may know, as numbers and as text.

    Attributes:
        tensor: All numbers, `float32[N]`.
        dict: The pieces of the tensor by name, as views.
    """

    def __init__(
        self, setup: Setup, kind: pyspiel.IIGObservationType, params: dict[str, Any] | None
    ) -> None:
        """Prepare.

        Raises:
            ValueError: If the kind is not supported or there are parameters.
        """
        if params:
            raise ValueError(f"expected no parameters of an observation, got {params}")
        if not kind.public_info or kind.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            raise ValueError("expected observations with public and one player's private knowledge")
        self._setup = setup
        self._has_recall = kind.perfect_recall
        shapes: dict[str, tuple[int, ...]] = {"observation": (num_features(setup.variant),)}
        if kind.perfect_recall:
            shapes |= {
                "player": (len(SEATS),),
                "deal": (setup.variant.hand_size,),
                "turns": (setup.max_turns, 3),
            }
        self.tensor = np.zeros(sum(int(np.prod(shape)) for shape in shapes.values()), np.float32)
        self.dict = _split(self.tensor, shapes)

    def set_from(self, state: LostCitiesState, player: int) -> None:
        """Write the numbers of a player; those of a round not yet dealt are zeros."""
        table = state.table
        if table.is_dealing:
            self.dict["observation"].fill(0)
        else:
            features(table.row, player, self.dict["observation"])
        if self._has_recall:
            self._recall(table, player)

    def _recall(self, table: _Table, player: int) -> None:
        self.dict["player"][:] = np.arange(len(SEATS)) == player
        own = np.frombuffer(table.dealt_to(player), np.uint8)
        self.dict["deal"].fill(0)
        self.dict["deal"][: own.size] = own + 1
        turns = np.frombuffer(table.turns, np.uint8).reshape(-1, 3)
        self.dict["turns"].fill(0)
        self.dict["turns"][: len(turns)] = turns
        self.dict["turns"][other_seat(player) :: len(SEATS), 2] = 0  # not for these eyes

    def string_from(self, state: LostCitiesState, player: int) -> str:
        """Return what the player may know now, or with perfect recall what it has seen."""
        table = state.table
        if self._has_recall:
            own = _format_types(table.dealt_to(player))
            return f"{seat_name(player)} {own}:{table.seen[player]}"
        if table.is_dealing:
            return f"{seat_name(player)} dealing: {_format_types(table.dealt_to(player))}"
        view = unpack(table.row).observe(player)
        known = format_cards(view.own_known)
        drawing = " drawing" if table.is_drawing else ""
        return (
            f"{seat_name(player)} {format_observation(view)} "
            f"stall {view.num_stalling_turns} known {known or '-'}{drawing}"
        )


def _split(
    tensor: npt.NDArray[np.float32], shapes: dict[str, tuple[int, ...]]
) -> dict[str, npt.NDArray[np.float32]]:
    pieces, begin = {}, 0
    for name, shape in shapes.items():
        end = begin + int(np.prod(shape))
        pieces[name] = tensor[begin:end].reshape(shape)
        begin = end
    return pieces


def _format_types(types: bytes) -> str:
    return format_cards([card_of(card_type) for card_type in types])


pyspiel.register_game(_GAME_TYPE, LostCitiesGame)
