"""Whole rounds, with every law of the rules checked after every ply."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from lostcities.rules import (
    CLASSIC,
    DECK,
    LONG,
    Discard,
    IllegalMoveError,
    Move,
    Pass,
    Phase,
    Play,
    Position,
    RefusalCode,
    Turn,
    Variant,
    other_seat,
    score_round,
)
from strategies import (
    ALL_DRAWS,
    ALL_MOVES,
    ODD_ONES,
    SMALL_ONES,
    all_cards,
    deal,
    random_move,
    seats,
    seeds,
    shuffled,
)


def check_position(position: Position) -> None:
    """Check everything that holds for any position that was really played."""
    assert position.checked() == position
    assert all_cards(position) == Counter(position.variant.deck)
    assert position.is_over == (not position.deck) == (position.phase is Phase.OVER)
    for seat in (0, 1):
        is_drawing = position.phase is Phase.DRAW and seat == position.to_move
        assert len(position.hands[seat]) == position.variant.hand_size - is_drawing
        assert Counter(position.known[seat]) <= Counter(position.hands[seat])
        for column in position.expeditions[seat]:
            ranks = [card.rank for card in column if not card.is_wager]
            assert ranks == sorted(set(ranks))
            assert not any(card.is_wager for card in column[len(column) - len(ranks) :])
    check_moves(position)
    check_views(position)


def check_moves(position: Position) -> None:
    """The list of moves, the reasons and the codes tell the same story, for seats as well."""
    legal = position.legal_moves
    assert len(set(legal)) == len(legal)
    assert (len(legal) == 0) == position.is_over
    allowed = {move for move in ALL_MOVES if position.reason_against(move) is None}
    assert allowed == set(legal)
    for move in (*ALL_MOVES, Pass()):
        refusal = position.reason_against(move)
        if refusal:
            assert refusal.code in RefusalCode
            assert refusal.sentence.startswith("cannot ")
            assert "\n" not in refusal.sentence
    if not position.is_over:
        outsider = position.reason_against(legal[0], seat=other_seat(position.mover))
        assert outsider is not None
        assert outsider.code == RefusalCode.NOT_YOUR_TURN
        assert position.reason_against(legal[0], seat=position.mover) is None


def check_views(position: Position) -> None:
    """The side to move finds its moves in its view, the other side finds none."""
    for seat in (0, 1):
        view = position.observe(seat)
        is_mover = seat == position.to_move
        assert view.legal_moves == (position.legal_moves if is_mover else ())
        assert view.legal_turns == (position.legal_turns if is_mover else ())
        for move in (*position.legal_moves[:3], Pass()):
            assert view.reason_against(move) == position.reason_against(move, seat=seat)
        hidden = Counter(position.deck) + Counter(position.hands[1 - seat])
        hidden -= Counter(position.known[1 - seat])
        if position.variant.tabletop_memory:
            for pile in position.piles:
                hidden.update(pile[:-1])
        assert view.unseen == tuple(sorted(hidden.elements()))


def check_turns(position: Position) -> None:
    """Whole turns are exactly the pairs of two legal plies."""
    pairs = [
        Turn(card_move, draw)
        for card_move in position.legal_moves
        if isinstance(card_move, Play | Discard)
        for draw in ALL_DRAWS
        if position.after(card_move).is_legal(draw)
    ]
    assert Counter(position.legal_turns) == Counter(pairs)
    assert len(set(pairs)) == len(pairs)
    for turn in position.legal_turns[::7]:
        assert position.reason_against_turn(turn) is None


def check_step(before: Position, move: Move, after: Position) -> None:
    """One ply changes what it must and nothing else."""
    seat = before.mover
    assert after.variant == before.variant
    assert after.hands[1 - seat] == before.hands[1 - seat]
    assert after.expeditions[1 - seat] == before.expeditions[1 - seat]
    assert after.known[1 - seat] == before.known[1 - seat]
    if before.phase is Phase.CARD:
        assert (after.to_move, after.phase, after.deck) == (seat, Phase.DRAW, before.deck)
        assert (after.just_discarded is None) == isinstance(move, Play)
        assert after.num_stalling_turns == before.num_stalling_turns
    else:
        assert after.just_discarded is None
        assert after.expeditions == before.expeditions
        assert after.to_move == (None if after.is_over else other_seat(seat))
        assert len(before.deck) - len(after.deck) == (move == DECK)
        stalls = move != DECK and before.just_discarded is not None
        assert after.num_stalling_turns == (before.num_stalling_turns + 1 if stalls else 0)


def check_refusals_change_nothing(position: Position, moves: list[Move]) -> None:
    copy = Position(**{name: getattr(position, name) for name in Position.__slots__})
    for move in moves:
        if position.reason_against(move):
            with pytest.raises(IllegalMoveError):
                position.after(move)
    assert position == copy


def play_checked(position: Position, rng: Random) -> tuple[Position, int]:
    """Play to the end, checking everything; return the end and the number of turns."""
    num_plies = 0
    check_position(position)
    while not position.is_over:
        if position.phase is Phase.CARD:
            check_turns(position)
        else:
            assert position.legal_turns == ()
        check_refusals_change_nothing(position, rng.sample(ALL_MOVES, 5))
        move = random_move(position, rng)
        after = position.after(move)
        check_step(position, move, after)
        check_position(after)
        position, num_plies = after, num_plies + 1
    return position, num_plies // 2


def check_end(start: Position, end: Position) -> None:
    variant = start.variant
    assert end.scores == tuple(score_round(end.expeditions[seat], variant) for seat in (0, 1))
    before, points = start.standing.totals, end.scores
    assert end.standing.totals == (before[0] + points[0], before[1] + points[1])
    held = Counter(end.hands[0] + end.hands[1])
    assert (all_cards(end) - held).total() == variant.deck_after_deal


@settings(max_examples=8)
@given(seeds, seats, st.sampled_from((CLASSIC, LONG)))
def test_whole_round_of_the_printed_game(seed: int, starter: int, variant: Variant) -> None:
    rng = Random(seed)
    start = deal(variant, rng, starter=starter)
    end, num_turns = play_checked(start, rng)
    check_end(start, end)
    assert num_turns >= variant.deck_after_deal


@settings(max_examples=30)
@given(seeds, seats, st.sampled_from(SMALL_ONES + ODD_ONES))
def test_whole_round_of_other_variants(seed: int, starter: int, variant: Variant) -> None:
    rng = Random(seed)
    start = deal(variant, rng, starter=starter)
    end, _ = play_checked(start, rng)
    check_end(start, end)


class TinyRounds(RuleBasedStateMachine):
    """Rounds of small variants, in which Hypothesis chooses each move and looks for trouble."""

    @initialize(seed=seeds, starter=seats, variant=st.sampled_from(SMALL_ONES))
    def start(self, seed: int, starter: int, variant: Variant) -> None:
        self.position = deal(variant, Random(seed), starter=starter)
        self.seats = [starter]

    @precondition(lambda self: not self.position.is_over)
    @rule(choice=st.integers(0, 40))
    def move(self, choice: int) -> None:
        legal = self.position.legal_moves
        move = legal[choice % len(legal)]
        after = self.position.after(move)
        check_step(self.position, move, after)
        self.position = after
        if after.to_move is not None and after.phase is Phase.CARD:
            self.seats.append(after.to_move)

    @rule(move=st.sampled_from(ALL_MOVES))
    def ask_for_anything(self, move: Move) -> None:
        check_refusals_change_nothing(self.position, [move])

    @invariant()
    def everything_holds(self) -> None:
        check_position(self.position)
        if self.position.phase is Phase.CARD:
            check_turns(self.position)

    @invariant()
    def turns_alternate(self) -> None:
        assert all(a != b for a, b in zip(self.seats, self.seats[1:], strict=False))


TestTinyRounds = TinyRounds.TestCase
TestTinyRounds.settings = settings(max_examples=25, stateful_step_count=30)


def test_deck_only_round_has_as_many_turns_as_the_deck_had_cards() -> None:
    for variant in (CLASSIC, LONG):
        for starter in (0, 1):
            position = deal(variant, Random(3), starter=starter)
            drawers: list[int] = []
            while not position.is_over:
                if position.phase is Phase.DRAW:
                    drawers.append(position.mover)
                    position = position.after(DECK)
                else:
                    position = position.after(Discard(position.mover_hand[0]))
            assert len(drawers) == variant.deck_after_deal
            assert drawers[-1] == 1 - starter
            assert position.scores == (0, 0)
            assert position.known == ((), ())


def test_same_deal_and_moves_give_the_same_round() -> None:
    ends = []
    for _ in range(2):
        rng = Random(11)
        position = Position.deal(shuffled(CLASSIC, rng))
        while not position.is_over:
            position = position.after(random_move(position, rng))
        ends.append(position)
    assert ends[0] == ends[1]
