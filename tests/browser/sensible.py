"""A plain way to play, for tables that look as if people sat there; it never changes with the agents."""

from lostcities.rules import DECK, Card, Discard, Draw, Play, Position, Turn


def sensible_turn(position: Position) -> Turn:
    """Go on where little is skipped, open where much is in the hand, throw away the rest."""
    moves = position.legal_moves
    good = [move for move in moves if isinstance(move, Play) and _is_good(position, move.card)]
    if good:
        play = min(good, key=lambda move: (_skipped(position, move.card), move.card))
        return Turn(play, _draw(position, play))
    discards = [move for move in moves if isinstance(move, Discard)]
    useless = min(
        discards,
        key=lambda move: (_wish(position, move.card), _gift(position, move.card), move.card),
    )
    return Turn(useless, _draw(position, useless))


def _column(position: Position, card: Card) -> tuple[Card, ...]:
    return position.mover_expeditions[card.color]


def _skipped(position: Position, card: Card) -> int:
    column = _column(position, card)
    return card.rank - (column[-1].rank if column else 0)


def _wish(position: Position, card: Card) -> int:
    """How much the color is wanted: open, or worth opening."""
    if _column(position, card):
        return 2 if _skipped(position, card) > 0 or not card.rank else 0
    own = [other.rank for other in position.mover_hand if other.color == card.color]
    return (
        1 if len(own) >= 3 and sum(own) >= 13 and position.deck and len(position.deck) > 14 else 0
    )


def _is_good(position: Position, card: Card) -> bool:
    if not _wish(position, card):
        return False
    ranks = [
        other.rank
        for other in position.mover_hand
        if other.color == card.color and _skipped(position, other) >= 0
    ]
    is_late = len(position.deck) < 16
    return card.rank == min(ranks) and (is_late or _skipped(position, card) <= 4)


def _gift(position: Position, card: Card) -> bool:
    """Whether the other side could use the card at once."""
    column = position.expeditions[1 - position.mover][card.color]
    return bool(column) and card.rank > column[-1].rank


def _draw(position: Position, move: Play | Discard) -> Draw:
    after = position.after(move)
    for draw in after.legal_moves:
        if isinstance(draw, Draw) and draw.pile is not None:
            top, column = after.piles[draw.pile][-1], after.mover_expeditions[draw.pile]
            if column and 0 < top.rank - column[-1].rank <= 3:
                return draw
    return DECK
