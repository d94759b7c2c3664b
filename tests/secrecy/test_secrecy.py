"""The law of secrecy: what a seat cannot know does not show, in no view and in no text."""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lostcities.notation import format_observation
from lostcities.rules import (
    CLASSIC,
    LONG,
    MINI,
    SMALL,
    TINY,
    Discard,
    Draw,
    Play,
    Position,
    Variant,
)
from strategies import (
    all_cards,
    deal,
    play_on,
    positions,
    random_move,
    reshuffle_unseen,
    seats,
    seeds,
)

HIDING = tuple(replace(v, tabletop_memory=True) for v in (CLASSIC, LONG, TINY, SMALL, MINI))


@given(positions(), seats, seeds)
def test_hidden_cards_do_not_show(position: Position, seat: int, seed: int) -> None:
    twin = reshuffle_unseen(position, seat, Random(seed))
    assert all_cards(twin) == all_cards(position)
    assert twin.observe(seat) == position.observe(seat)
    assert format_observation(twin.observe(seat)) == format_observation(position.observe(seat))
    assert repr(twin.observe(seat)) == repr(position.observe(seat))


@given(positions(st.sampled_from(HIDING)), seats, seeds)
def test_covered_cards_do_not_show_with_tabletop_memory(
    position: Position, seat: int, seed: int
) -> None:
    twin = reshuffle_unseen(position, seat, Random(seed))
    assert twin.observe(seat) == position.observe(seat)
    assert format_observation(twin.observe(seat)) == format_observation(position.observe(seat))


@given(positions(), seeds)
def test_spectator_sees_no_hidden_card(position: Position, seed: int) -> None:
    """Both hands and the deck are reshuffled, as no seat alone could."""
    rng = Random(seed)
    twin = position
    for seat in (0, 1, 0):
        twin = reshuffle_unseen(twin, seat, rng)
    assert twin.observe_publicly() == position.observe_publicly()
    text = format_observation(position.observe_publicly())
    assert format_observation(twin.observe_publicly()) == text


def test_reshuffling_really_changes_hands_decks_and_covered_cards() -> None:
    """The property above would hold of a reshuffle that does nothing; it does something."""
    rng = Random(1)
    position = play_on(deal(HIDING[0], rng), rng, 120)
    twins = [reshuffle_unseen(position, 0, rng) for _ in range(20)]
    assert len({twin.hands[1] for twin in twins}) > 10
    assert len({twin.deck for twin in twins}) > 10
    assert len({twin.piles for twin in twins}) > 5
    assert all(twin.hands[0] == position.hands[0] for twin in twins)


@given(positions(may_be_over=False), seeds)
def test_moves_of_a_seat_depend_on_its_view_only(position: Position, seed: int) -> None:
    twin = reshuffle_unseen(position, position.mover, Random(seed))
    assert twin.legal_moves == position.legal_moves
    assert twin.legal_turns == position.legal_turns


@given(positions(may_be_over=False), seeds)
def test_the_same_move_leaves_the_same_view(position: Position, seed: int) -> None:
    """Only what comes from the deck or off a covered pile tells the mover something new."""
    seat = position.mover
    twin = reshuffle_unseen(position, seat, Random(seed))
    hides = position.variant.tabletop_memory
    for move in position.legal_moves:
        if isinstance(move, Draw) and (move.pile is None or hides):
            continue
        assert position.after(move).observe(seat) == twin.after(move).observe(seat)


@given(positions(), seats)
def test_line_of_a_view_names_no_hidden_card(position: Position, seat: int) -> None:
    """Take the cards out of the text that the viewer may know: nothing is left."""
    view = position.observe(seat)
    fields = format_observation(view).split()
    assert fields[5] == str(len(position.deck))
    other_hand = fields[3 + (1 - seat)]
    unknown, _, known = other_hand.partition(":")
    assert unknown == f"?{len(position.hands[1 - seat]) - len(position.known[1 - seat])}"
    marks = Counter(known.replace("/", "").replace("-", ""))
    assert marks.total() == len(position.known[1 - seat])


class Memory:
    """What an attentive player remembers: cards taken from piles and not put down since."""

    def __init__(self) -> None:
        self.taken: list[Counter[object]] = [Counter(), Counter()]

    def see(self, position: Position, move: Play | Discard | Draw) -> None:
        mine = self.taken[position.mover]
        if isinstance(move, Draw):
            if move.pile is not None:
                mine[position.piles[move.pile][-1]] += 1
        elif mine[move.card]:
            mine[move.card] -= 1


@settings(max_examples=30)
@given(seeds, st.sampled_from((CLASSIC, LONG, MINI, *HIDING[:1], Variant(wagers_per_color=4))))
def test_known_cards_are_those_an_attentive_player_remembers(seed: int, variant: Variant) -> None:
    rng = Random(seed)
    position, memory = deal(variant, rng), Memory()
    while not position.is_over:
        move = random_move(position, rng)
        memory.see(position, move)
        position = position.after(move)
        for seat in (0, 1):
            assert Counter(position.known[seat]) == +memory.taken[seat]
            assert position.known[seat] == tuple(sorted(position.known[seat]))


@pytest.mark.parametrize("variant", [CLASSIC, LONG])
def test_known_wagers_occur(variant: Variant) -> None:
    """Random rounds do bring up wagers that were taken, so the tests above meet them."""
    rng, num_seen = Random(9), 0
    for _ in range(10):
        position = deal(variant, rng)
        while not position.is_over:
            position = position.after(random_move(position, rng))
            num_seen += any(card.is_wager for known in position.known for card in known)
    assert num_seen > 50
