"""What stands where in the features, on a position that was laid by hand."""

from dataclasses import replace

import numpy as np
import pytest

from lostcities.kernel.bridge import pack
from lostcities.kernel.features import (
    COLOR_WIDTH,
    FEATURES_VERSION,
    GLOBAL_WIDTH,
    feature_names,
    features,
    num_features,
)
from lostcities.notation import parse_card
from lostcities.rules import (
    CLASSIC,
    LONG,
    Cards,
    Color,
    Phase,
    Position,
    Standing,
    Variant,
)


def _cards(text: str) -> Cards:
    return tuple(parse_card(text[index : index + 2]) for index in range(0, len(text), 2))


def _position(variant: Variant) -> Position:
    hands = _cards("YxYxY7Y9B2GTR3"), _cards("YxB3B4W2W3W4G2G3")
    expeditions: tuple[tuple[Cards, ...], tuple[Cards, ...]]
    piles: tuple[Cards, ...]
    expeditions = (_cards("Y2Y5"), (), _cards("WxWx"), (), ()), ((), _cards("BxB8"), (), (), ())
    piles = (_cards("Y4Y3"), (), _cards("WxW8"), (), _cards("RxR4"))
    missing = ((),) * (variant.num_colors - len(piles))
    piles += missing
    expeditions = (expeditions[0] + missing, expeditions[1] + missing)
    laid = [*hands[0], *hands[1]]
    laid += [card for columns in (*expeditions, piles) for cards in columns for card in cards]
    rest = list(variant.deck)
    for card in laid:
        rest.remove(card)
    return Position(
        variant=variant,
        hands=hands,
        expeditions=expeditions,
        piles=piles,
        deck=tuple(rest),
        to_move=0,
        phase=Phase.DRAW,
        just_discarded=Color.WHITE,
        num_stalling_turns=3,
        known=(_cards("R3"), _cards("YxW3")),
        standing=Standing(round_number=2, totals=(10, 60)),
    ).checked()


def _named(position: Position, seat: int) -> dict[str, float]:
    out = np.full(num_features(position.variant), np.nan, np.float32)
    features(pack(position), seat, out)
    return dict(zip(feature_names(position.variant), out.tolist(), strict=True))


def test_the_width_is_part_of_the_version() -> None:
    assert (FEATURES_VERSION, COLOR_WIDTH, GLOBAL_WIDTH) == (1, 104, 32)
    assert (num_features(CLASSIC), num_features(LONG)) == (552, 656)
    assert len(set(feature_names(LONG))) == 656


_EXPECTED = {
    "yellow.own_hand.wagers>=1": 1,
    "yellow.own_hand.wagers>=2": 1,
    "yellow.own_hand.wagers-2": 0,
    "yellow.own_hand.7": 1,
    "yellow.own_hand.8": 0,
    "yellow.own_expedition.5": 1,
    "blue.other_expedition.wagers>=1": 1,
    "blue.other_expedition.8": 1,
    "yellow.pile.3": 1,
    "yellow.pile.4": 1,
    "white.pile.wagers>=1": 1,
    "white.pile.wagers>=2": 0,
    "yellow.other_known.wagers>=1": 1,
    "white.other_known.3": 1,
    "red.own_known.3": 1,
    "yellow.pile_top.3": 1,
    "yellow.pile_top.4": 0,
    "blue.pile_state.has_cards": 0,
    "yellow.pile_state.size/6": 2 / 6,
    "yellow.pile_state.fits_own": 0,
    "yellow.pile_state.fits_other": 1,
    "white.pile_state.just_discarded": 1,
    "red.pile_state.just_discarded": 0,
    "yellow.own_sheet.started": 1,
    "yellow.own_sheet.top/9": 4 / 9,
    "yellow.own_sheet.sum/30": 7 / 30,
    "yellow.own_sheet.cards/6": 2 / 6,
    "yellow.own_sheet.score/50": -13 / 50,
    "white.own_sheet.score/50": -60 / 50,
    "white.own_sheet.top/9": 0,
    "blue.other_sheet.score/50": -24 / 50,
    "yellow.own_playable.sum/20": 16 / 20,
    "yellow.own_playable.cards/4": 2 / 4,
    "yellow.own_playable.score_if_all_played/50": 3 / 50,
    "green.own_playable.score_if_all_played/50": -10 / 50,
    "yellow.own_hopes.sum/30": 24 / 30,
    "yellow.own_hopes.numbers/6": 3 / 6,
    "blue.other_hopes.sum/30": 19 / 30,
    "blue.own_hopes.numbers/6": 7 / 6,
    "phase.is_own_turn": 1,
    "phase.is_draw_phase": 1,
    "scores.own/50": -73 / 50,
    "scores.other/50": -24 / 50,
    "scores.lead/50": -49 / 50,
    "stalling.turns/10": 0.3,
    "stalling.turns_until_guard/10": 1,
    "expeditions.own_started/3": 2 / 3,
    "expeditions.other_started/3": 1 / 3,
    "tempo.playable/8": 5 / 8,
    "tempo.own_turns_left/10": 1.7,
    "tempo.other_turns_left/10": 1.6,
    "tempo.surplus/8": -12 / 8,
    "knowledge.other_known/4": 2 / 4,
    "match.total_lead/100": -0.5,
    "match.rounds_left/3": 1 / 3,
    "deck.size/30": 33 / 30,
    "deck.is_odd": 1,
    "deck.size<=32": 0,
}


@pytest.mark.parametrize("name", _EXPECTED)
def test_the_number_is_what_its_name_says(name: str) -> None:
    position = _position(CLASSIC)
    assert len(position.deck) == 33
    assert _named(position, 0)[name] == pytest.approx(_EXPECTED[name])


def test_the_other_seat_sees_itself_first() -> None:
    seen = _named(_position(LONG), 1)
    assert seen["blue.own_expedition.8"] == 1
    assert seen["blue.own_hand.3"] == 1
    assert seen["yellow.own_known.wagers>=1"] == 1
    assert seen["red.other_known.3"] == 1
    assert seen["phase.is_own_turn"] == 0
    assert seen["match.total_lead/100"] == pytest.approx(0.5)
    assert seen["purple.own_hopes.sum/30"] == pytest.approx(54 / 30)


def test_tabletop_memory_shows_the_top_only() -> None:
    seen = _named(_position(replace(CLASSIC, tabletop_memory=True)), 0)
    assert seen["yellow.pile.3"] == 1
    assert seen["yellow.pile.4"] == 0
    assert seen["white.pile.wagers>=1"] == 0
    assert seen["yellow.pile_state.size/6"] == pytest.approx(2 / 6)


@pytest.mark.parametrize(("limit", "expected"), [(3, 0), (2, 0), (7, 0.4), (40, 1)])
def test_the_guard_comes_closer(limit: int, expected: float) -> None:
    seen = _named(_position(replace(CLASSIC, stall_limit=limit)), 0)
    assert seen["stalling.turns_until_guard/10"] == pytest.approx(expected)


def test_the_colors_are_treated_alike() -> None:
    """Swap two colours of a position: their blocks swap, and nothing else changes."""
    position = _position(CLASSIC)
    swapped = pack(position)
    text = _named(position, 0)
    blocks = np.array(list(text.values()), np.float32)
    out = np.zeros_like(blocks)
    features(pack(_swap_green_and_red(position)), 0, out)
    green, red = (slice(COLOR_WIDTH * color, COLOR_WIDTH * (color + 1)) for color in (3, 4))
    assert out[green].tolist() == blocks[red].tolist()
    assert out[red].tolist() == blocks[green].tolist()
    assert (
        np.delete(out, np.r_[green, red]).tolist() == np.delete(blocks, np.r_[green, red]).tolist()
    )
    assert swapped.size == 32


def _swap_green_and_red(position: Position) -> Position:
    def swap(cards: Cards) -> Cards:
        new = {Color.GREEN: Color.RED, Color.RED: Color.GREEN}
        return tuple(card._replace(color=new.get(card.color, card.color)) for card in cards)

    def swap_columns(columns: tuple[Cards, ...]) -> tuple[Cards, ...]:
        return (*columns[:3], swap(columns[4]), swap(columns[3]), *columns[5:])

    a, b = position.expeditions
    return replace(
        position,
        hands=(swap(position.hands[0]), swap(position.hands[1])),
        known=(swap(position.known[0]), swap(position.known[1])),
        expeditions=(swap_columns(a), swap_columns(b)),
        piles=swap_columns(position.piles),
        deck=swap(position.deck),
    ).checked()
