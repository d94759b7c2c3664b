"""What may be played, discarded and drawn (H-02, H-03, H-04), and every reason against it."""

from dataclasses import replace

import pytest

from lostcities.notation import parse_card_move, parse_cards, parse_draw, parse_position, parse_turn
from lostcities.rules import (
    DECK,
    LONG,
    Cards,
    Color,
    Discard,
    Draw,
    IllegalMoveError,
    LostCitiesError,
    Move,
    Pass,
    Phase,
    Play,
    Position,
    RefusalCode,
    Standing,
    Variant,
)

RED = Color.RED


def with_hand(hand: str, *, red: str = "", red_pile: str = "", blue_pile: str = "") -> Position:
    """Return a position of A to put a card down; the rest of the deck lies anywhere."""
    variant = Variant()
    cards = list(variant.deck)

    def take(text: str) -> Cards:
        taken = parse_cards(text)
        for card in taken:
            cards.remove(card)
        return taken

    own, column, pile, blue = take(hand), take(red), take(red_pile), take(blue_pile)
    nothing = ((),) * 5
    return Position(
        variant=variant,
        hands=(own, tuple(cards[:8])),
        expeditions=((*nothing[:4], column), nothing),
        piles=((), blue, (), (), pile),
        deck=tuple(cards[8:]),
        to_move=0,
    ).checked()


def plays(position: Position, color: Color = RED) -> list[str]:
    moves = [move for move in position.legal_moves if isinstance(move, Play)]
    return [str(move.card) for move in moves if move.card.color == color]


def test_second_wager_and_numbers_on_a_wager() -> None:
    assert plays(with_hand("RxR2RTB5B6B7W2W3", red="Rx")) == ["Rx", "R2", "RT"]


def test_numbers_on_three_wagers() -> None:
    assert plays(with_hand("R2B4RTB5B6B7W2W3", red="RxRxRx")) == ["R2", "RT"]


def test_no_wager_on_a_number() -> None:
    assert plays(with_hand("RxR3RTB5B6B7W2W3", red="RxR2")) == ["R3", "RT"]


def test_nothing_on_a_ten() -> None:
    assert plays(with_hand("RxR2R9B5B6B7W2W3", red="RT")) == []


def test_equal_wagers_are_listed_once_and_one_of_them_leaves_the_hand() -> None:
    position = with_hand("RxRxRxG5B5W5Y5R5")
    assert plays(position) == ["Rx", "R5"]
    after = position.after(Play(parse_cards("Rx")[0]))
    assert sorted(map(str, after.hands[0])) == sorted(["Rx", "Rx", "G5", "B5", "W5", "Y5", "R5"])


def test_hand_without_a_playable_card_can_discard_each() -> None:
    position = with_hand("RxR2R3R4R5R6R7R8", red="R9")
    discards = [Discard(card) for card in position.hands[0]]
    assert list(position.legal_moves) == discards


def test_card_just_discarded_stays_but_the_pile_opens_again() -> None:
    position = with_hand("R7B5B6B8W2W3W4W5", red_pile="R3", blue_pile="B2")
    discarded = position.after(parse_card_move("-R7"))
    assert discarded.legal_moves == (DECK, Draw(Color.BLUE))
    played = position.after(parse_card_move("R7"))
    assert played.legal_moves == (DECK, Draw(Color.BLUE), Draw(RED))
    theirs = discarded.after(DECK)
    reply = theirs.after(Discard(theirs.mover_hand[0]))
    assert Draw(RED) in reply.legal_moves
    assert reply.after(Draw(RED)).known == ((), parse_cards("R7"))


def test_own_discard_may_be_taken_back_where_the_block_is_off() -> None:
    position = with_hand("R7B5B6B8W2W3W4W5")
    free = replace(position, variant=Variant(own_discard_block=False))
    after = free.after(parse_card_move("-R7"))
    assert after.legal_moves == (DECK, Draw(RED))
    assert after.after(Draw(RED)).hands == free.hands


START = with_hand("RxR2R5B5B6B8W2W3", red="R4", red_pile="R3", blue_pile="B2")
DRAWING = START.after(parse_card_move("-B8"))
OVER = parse_position(
    "x379T/-/x3589T/468/x23679 -/678T/-/79T/- xx4/x2x4/2x/x523x/xx4 256/x35/x4/-/- "
    "8/9/67/x/58T 0 # 1/3,A,60,17"
)
STALLED = replace(
    START,
    variant=Variant(stall_limit=2),
    num_stalling_turns=2,
)
REFUSALS: list[tuple[Position, Move | Pass, int | None, str, str]] = [
    (OVER, DECK, 0, "round_over", "cannot move: the round is over"),
    (OVER, Pass(), None, "round_over", "cannot move: the round is over"),
    (START, Pass(), 1, "not_your_turn", "cannot move for B: it is the turn of A"),
    (START, DECK, 1, "not_your_turn", "cannot move for B: it is the turn of A"),
    (START, Pass(), 0, "no_pass", "cannot pass: a turn is one card down, then one card drawn"),
    (DRAWING, Pass(), None, "no_pass", "cannot pass: a turn is one card down, then one card drawn"),
    (START, DECK, 0, "wrong_phase", "cannot draw yet: first play or discard one card"),
    (
        START,
        Draw(Color.PURPLE),
        0,
        "wrong_phase",
        "cannot draw yet: first play or discard one card",
    ),
    (
        DRAWING,
        parse_card_move("R5"),
        0,
        "wrong_phase",
        "cannot play R5: a card was put down this turn, now draw one",
    ),
    (
        DRAWING,
        parse_card_move("-Y9"),
        0,
        "wrong_phase",
        "cannot discard Y9: a card was put down this turn, now draw one",
    ),
    (START, parse_card_move("Y9"), 0, "card_not_in_hand", "cannot play Y9: it is not in the hand"),
    (
        START,
        parse_card_move("-PT"),
        0,
        "card_not_in_hand",
        "cannot discard PT: it is not in the hand",
    ),
    (
        START,
        parse_card_move("R2"),
        0,
        "not_ascending",
        "cannot play R2: red expedition is already at R4",
    ),
    (
        START,
        parse_card_move("Rx"),
        0,
        "wager_after_number",
        "cannot play Rx: red expedition already holds the number R4, and wagers go before numbers",
    ),
    (
        DRAWING,
        Draw(Color.PURPLE),
        0,
        "no_such_color",
        "cannot draw from the purple pile: this game has no purple",
    ),
    (
        DRAWING,
        Draw(Color.BLUE),
        0,
        "just_discarded",
        "cannot draw from the blue pile: B8 was discarded there this turn",
    ),
    (DRAWING, Draw(Color.GREEN), 0, "pile_empty", "cannot draw from the green pile: it is empty"),
    (
        STALLED.after(parse_card_move("-B8")),
        Draw(RED),
        0,
        "must_draw_deck",
        "cannot draw from the red pile: after 2 turns in a row that discarded and took a discard, a turn that discards draws from the deck",
    ),
]


@pytest.mark.parametrize(("position", "move", "seat", "code", "sentence"), REFUSALS)
def test_refusal(
    position: Position, move: Move | Pass, seat: int | None, code: str, sentence: str
) -> None:
    refusal = position.reason_against(move, seat=seat)
    assert refusal is not None
    assert (refusal.code, refusal.sentence) == (RefusalCode(code), sentence)
    if not isinstance(move, Pass) and seat in (None, position.to_move):
        assert not position.is_legal(move)
        with pytest.raises(IllegalMoveError, match=r"^cannot") as caught:
            position.after(move)
        assert caught.value.refusal == refusal
        assert str(caught.value) == sentence


def test_refusal_names_the_top_of_a_longer_expedition() -> None:
    position = with_hand("RxR3R6B5B6B7W2W3", red="R2R4")
    for card, sentence in (
        ("R3", "cannot play R3: red expedition is already at R4"),
        ("Rx", "red expedition already holds the number R4"),
    ):
        refusal = position.reason_against(parse_card_move(card))
        assert refusal is not None
        assert sentence in refusal.sentence


def test_every_code_is_refused_somewhere() -> None:
    codes = {code for *_, code, _ in REFUSALS}
    assert codes == {*RefusalCode} - {RefusalCode.MATCH_OVER}  # tested with the match


def test_errors_are_of_two_families() -> None:
    with pytest.raises(ValueError, match="cannot draw yet"):
        START.after(DECK)
    with pytest.raises(LostCitiesError, match="cannot draw yet"):
        START.after(DECK)


def test_stall_guard_lets_a_turn_that_plays_take() -> None:
    assert STALLED.after(parse_card_move("-B8")).legal_moves == (DECK,)
    assert STALLED.after(parse_card_move("R5")).legal_moves == (DECK, Draw(Color.BLUE), Draw(RED))
    below = replace(STALLED, num_stalling_turns=1).after(parse_card_move("-B8"))
    assert below.legal_moves == (DECK, Draw(RED))
    stalled = below.after(Draw(RED))
    assert stalled.num_stalling_turns == 2
    assert below.after(DECK).num_stalling_turns == 0
    played = STALLED.after(parse_card_move("R5"))
    assert played.num_stalling_turns == 2
    assert played.after(Draw(RED)).num_stalling_turns == 0


def test_whole_turns() -> None:
    assert START.reason_against_turn(parse_turn("-B8/R").turn) is None
    first = START.reason_against_turn(parse_turn("R2/R").turn)
    second = START.reason_against_turn(parse_turn("-B8/B").turn)
    other = START.reason_against_turn(parse_turn("-B8/R").turn, seat=1)
    assert first is not None
    assert second is not None
    assert other is not None
    codes = [first.code, second.code, other.code]
    assert codes == ["not_ascending", "just_discarded", "not_your_turn"]
    assert START.after_turn(parse_turn("-B8/R").turn) == DRAWING.after(parse_draw("R"))
    with pytest.raises(IllegalMoveError, match="B8 was discarded there"):
        START.after_turn(parse_turn("-B8/B").turn)


def test_end_is_the_draw_of_the_last_card() -> None:
    last = with_hand("RxR2R5B5B6B8W2W3", red="R4")
    rest = Discard(last.hands[0][0])
    one_left = replace(last, deck=last.deck[:1], piles=_all_on_piles(last))
    staged = one_left.after(rest)
    assert not staged.is_over
    over = staged.after(DECK)
    assert over.is_over
    assert (over.to_move, over.phase, over.legal_moves, over.legal_turns) == (
        None,
        Phase.OVER,
        (),
        (),
    )
    assert over.standing.totals == over.scores == (-16, 0)
    taken = staged.after(next(move for move in staged.legal_moves if move != DECK))
    assert (taken.is_over, taken.to_move, taken.standing.totals) == (False, 1, (0, 0))
    with pytest.raises(ValueError, match="nobody is to move: the round is over"):
        _ = over.mover


def _all_on_piles(position: Position) -> tuple[Cards, ...]:
    rest = position.deck[1:]
    return tuple(
        tuple(card for card in rest if card.color == color) for color in Color if color < 5
    )


def test_totals_grow_at_the_end_only() -> None:
    standing = Standing(round_number=2, totals=(10, -20))
    start = replace(START, standing=standing, deck=START.deck[:1])
    assert start.after(parse_card_move("R5")).standing == standing
    over = start.after_turn(parse_turn("R5/D").turn)
    assert over.standing == replace(standing, totals=(10 - 11, -20))


def test_most_choices() -> None:
    """Eight playable cards and every pile open: 88 turns, with six colours 104."""
    for variant, num in ((Variant(), 88), (LONG, 104)):
        deck = list(variant.deck)
        hand = tuple(card for card in deck if card.rank in (2, 3))[:8]
        tops = tuple(
            next(c for c in deck if c.color == color and c.rank == 10) for color in variant.colors
        )
        nothing = ((),) * variant.num_colors
        rest = [card for card in deck if card not in hand and card not in tops]
        position = Position(
            variant=variant,
            hands=(hand, tuple(rest[:8])),
            expeditions=(nothing, nothing),
            piles=tuple((top,) for top in tops),
            deck=tuple(rest[8:]),
            to_move=0,
        ).checked()
        assert len(position.legal_turns) == num
