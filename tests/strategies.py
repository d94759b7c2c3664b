"""Random values of the game for property tests, and what is done with them in several tests."""

from collections import Counter
from dataclasses import replace
from random import Random
from typing import Final

from hypothesis import strategies as st

from lostcities.notation import Comment, RoundRecord
from lostcities.rules import (
    CLASSIC,
    DECK,
    LONG,
    MINI,
    SMALL,
    TINY,
    Card,
    CardMove,
    Cards,
    Color,
    Discard,
    Draw,
    Move,
    Play,
    Position,
    Seat,
    Standing,
    Turn,
    Variant,
    WrittenTurn,
    other_seat,
)

PRINTED: Final = (CLASSIC, LONG)
SMALL_ONES: Final = (TINY, SMALL, MINI)
ODD_ONES: Final = (
    Variant(tabletop_memory=True, num_rounds=5),
    Variant(num_colors=6, stall_limit=2, num_rounds=1),
    Variant(num_colors=3, wagers_per_color=0, hand_size=5, own_discard_block=False),
    Variant(num_colors=2, lowest_rank=4, highest_rank=7, wagers_per_color=4, hand_size=3),
    Variant(num_colors=4, expedition_cost=15, bonus=0, stall_limit=0, tabletop_memory=True),
)
VARIANTS: Final = PRINTED + SMALL_ONES + ODD_ONES
ALL_CARDS: Final = tuple(Card(color, rank) for color in Color for rank in (0, *range(2, 11)))
ALL_CARD_MOVES: Final[tuple[CardMove, ...]] = (
    *map(Play, ALL_CARDS),
    *map(Discard, ALL_CARDS),
)
ALL_DRAWS: Final = (DECK, *map(Draw, Color))
ALL_MOVES: Final[tuple[Move, ...]] = (*ALL_CARD_MOVES, *ALL_DRAWS)

seeds = st.integers(0, 2**32 - 1)
seats = st.sampled_from((0, 1))
cards = st.sampled_from(ALL_CARDS)
variants = st.sampled_from(VARIANTS)
totals = st.tuples(st.integers(-2000, 2000), st.integers(-2000, 2000))
one_line_texts = st.text(
    st.characters(categories=("L", "M", "N", "P", "S"), include_characters=' "\\[]{}#'),
    max_size=40,
).filter(str.isprintable)


def shuffled(variant: Variant, rng: Random) -> Cards:
    deck = list(variant.deck)
    rng.shuffle(deck)
    return tuple(deck)


def deal(variant: Variant, rng: Random, *, starter: Seat = 0) -> Position:
    standing = Standing(num_rounds=variant.num_rounds, starter=starter)
    return Position.deal(shuffled(variant, rng), variant=variant, standing=standing)


def random_move(position: Position, rng: Random) -> Move:
    """Choose a legal move; more than half of the draws are from the deck, so that rounds end."""
    moves = position.legal_moves
    return DECK if moves[0] == DECK and rng.random() < 0.55 else rng.choice(moves)


def course(position: Position, rng: Random) -> list[Position]:
    """Play to the end and return every position on the way."""
    passed = [position]
    while not passed[-1].is_over:
        passed.append(passed[-1].after(random_move(passed[-1], rng)))
    return passed


def play_on(position: Position, rng: Random, num_plies: int) -> Position:
    for _ in range(num_plies):
        if position.is_over:
            break
        position = position.after(random_move(position, rng))
    return position


@st.composite
def standings(draw: st.DrawFn, variant: Variant) -> Standing:
    round_number = draw(st.integers(1, variant.num_rounds))
    return Standing(
        round_number=round_number,
        num_rounds=variant.num_rounds,
        starter=draw(seats),
        totals=draw(totals) if round_number > 1 else (0, 0),
    )


@st.composite
def positions(
    draw: st.DrawFn, variants: st.SearchStrategy[Variant] = variants, *, may_be_over: bool = True
) -> Position:
    """Positions that were really played: starts, middles, draw phases and ends."""
    variant = draw(variants)
    rng = Random(draw(seeds))
    standing = draw(standings(variant))
    start = Position.deal(shuffled(variant, rng), variant=variant, standing=standing)
    passed = course(start, rng)
    share = draw(st.integers(0, 100))
    return passed[share * (len(passed) - 1 - (not may_be_over)) // 100]


@st.composite
def records(
    draw: st.DrawFn,
    variants: st.SearchStrategy[Variant] = variants,
    *,
    knows_deal: st.SearchStrategy[bool] = st.booleans(),  # noqa: B008 # a strategy is a value
) -> RoundRecord:
    """Records of rounds that were really played, whole or broken off, with and without a deal."""
    variant = draw(variants)
    rng = Random(draw(seeds))
    standing = draw(standings(variant))
    cards = shuffled(variant, rng)
    position = Position.deal(cards, variant=variant, standing=standing)
    turns, position = random_turns(position, rng, draw(st.integers(0, 200)))
    has_result = position.is_over and draw(st.booleans())
    places = st.integers(0, len(turns))
    comments = draw(st.lists(st.builds(Comment, places, remarks), max_size=4))
    return RoundRecord(
        variant=variant,
        standing=standing,
        names=(draw(one_line_texts), draw(one_line_texts)),
        turns=turns,
        is_over=position.is_over,
        deal=cards if draw(knows_deal) else None,
        result=position.scores if has_result else None,
        comments=tuple(sorted(comments, key=lambda comment: comment.num_turns)),
        tags=tuple(draw(st.dictionaries(tag_names, one_line_texts, max_size=3)).items()),
    )


_OWN_TAGS = {"Game", "Colors", "Rules", "Round", "Totals", "A", "B", "Starter", "Deal", "Result"}
tag_names = st.from_regex(r"[A-Za-z][A-Za-z0-9_]{0,8}", fullmatch=True).filter(
    lambda name: name not in _OWN_TAGS
)
remarks = one_line_texts.map(lambda text: " ".join(text.replace("}", ")").split()))


def random_turns(
    position: Position, rng: Random, num_turns: int
) -> tuple[tuple[WrittenTurn, ...], Position]:
    """Play turns; about half of the deck draws are written down."""
    turns: list[WrittenTurn] = []
    while len(turns) < num_turns and not position.is_over:
        card_move = random_move(position, rng)
        staged = position.after(card_move)
        draw = random_move(staged, rng)
        assert isinstance(card_move, Play | Discard)
        assert isinstance(draw, Draw)
        drawn = staged.deck[0] if draw.pile is None else staged.piles[draw.pile][-1]
        turns.append(WrittenTurn(Turn(card_move, draw), drawn if rng.random() < 0.5 else None))
        position = staged.after(draw)
    return tuple(turns), position


def all_cards(position: Position) -> Counter[Card]:
    """Count the cards in every place."""
    columns = (*position.hands, *position.expeditions[0], *position.expeditions[1])
    there = Counter(position.deck)
    for column in (*columns, *position.piles):
        there.update(column)
    return there


def reshuffle_unseen(position: Position, seat: Seat, rng: Random) -> Position:
    """Return another truth that the seat cannot tell from this one, drawn at random.

    The unknown part of the other hand and the deck are exchanged; with
    tabletop memory so are covered cards of a pile, with unseen cards of their colour.
    """
    other = other_seat(seat)
    unknown = Counter(position.hands[other]) - Counter(position.known[other])
    pool = [*unknown.elements(), *position.deck]
    piles = list(position.piles)
    if position.variant.tabletop_memory:
        for color, pile in enumerate(piles):
            below = [*pile[:-1], *(card for card in pool if card.color == color)]
            rng.shuffle(below)
            num_covered = max(len(pile) - 1, 0)
            piles[color] = (*below[:num_covered], *pile[-1:])
            pool = [*(card for card in pool if card.color != color), *below[num_covered:]]
    rng.shuffle(pool)
    num_unknown = unknown.total()
    hands = list(position.hands)
    hands[other] = tuple(sorted([*position.known[other], *pool[:num_unknown]]))
    return replace(
        position,
        hands=(hands[0], hands[1]),
        piles=tuple(piles),
        deck=tuple(pool[num_unknown:]),
    ).checked()
