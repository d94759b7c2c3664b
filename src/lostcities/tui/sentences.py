"""What happened, in sentences: the same words on the screen, in lines and for the ear."""

from collections.abc import Callable, Sequence

from lostcities.notation.receipts import format_receipt
from lostcities.play import Stage, TableView
from lostcities.play.views import TurnTakenView
from lostcities.rules import (
    Card,
    CardMove,
    Cards,
    Discard,
    Draw,
    Observation,
    Play,
    PublicObservation,
    Seat,
    Variant,
    score_expedition,
)

CardText = Callable[[Card], str]


YOU = "You"
_FEW_CARDS = 6


def does(name: str, verb: str) -> str:
    """Return a name with its verb: 'You win', 'heuristic wins'."""
    return f"{name} {verb.removesuffix('s') if name == YOU else verb}"


def turn_sentence(shown: TurnTakenView, names: tuple[str, str], card: CardText) -> str:
    """Return what a seat did: 'You: played R4, took Y5 from the yellow pile'."""
    move = shown.turn.card_move
    verb = "played" if isinstance(move, Play) else "discarded"
    pile = shown.turn.draw.pile
    if pile is not None and shown.drawn is not None:
        drew = f"took {card(shown.drawn)} from the {pile.word} pile"
    elif shown.drawn is not None:
        drew = f"drew {card(shown.drawn)} from the deck"
    else:
        drew = "drew from the deck"
    return f"{names[shown.seat]}: {verb} {card(move.card)}, {drew}"


def staged_sentence(move: CardMove, view: PublicObservation, seat: Seat, card: CardText) -> str:
    """Return what a staged card would do to the score."""
    color = move.card.color
    if isinstance(move, Discard):
        closed = view.variant.own_discard_block
        end = f"; the {color.word} pile is closed for this draw." if closed else "."
        return f"Discarding {card(move.card)}{end}"
    score = view.expedition_scores[seat][color].score
    return f"Playing {card(move.card)}; {color.word} would then count {score}."


def draw_choices(view: Observation, card: CardText) -> str:
    """Return where a card can be drawn from now."""
    tops = [
        view.pile_tops[move.pile]
        for move in view.legal_moves
        if isinstance(move, Draw) and move.pile is not None
    ]
    piles = "".join(f", {top.color.letter} for {card(top)}" for top in tops if top is not None)
    return f"Draw: D for the deck{piles}"


def words_of(cards: Cards) -> str:
    """Return cards in words, equal ones counted: 'red wager twice, red 4'."""
    parts = []
    for card in dict.fromkeys(cards):
        times = {1: "", 2: " twice", 3: " three times"}.get(
            cards.count(card), f" {cards.count(card)} times"
        )
        parts.append(card.words + times)
    return ", ".join(parts) or "none"


def end_of_deck_warning(view: PublicObservation) -> str | None:
    """Return a calm word about the end of the round when it is near."""
    if view.deck_size == 1:
        return "One card is left in the deck: whoever draws it ends the round."
    if view.deck_size <= _FEW_CARDS:
        return f"{view.deck_size} cards are left in the deck."
    return None


def round_result(scores: tuple[int, int], round_number: int, names: tuple[str, str]) -> str:
    """Return the result of a round in one sentence."""
    a, b = scores
    if a == b:
        return f"Round {round_number} is drawn, {a} points each."
    winner = int(b > a)
    return (
        f"{does(names[winner], 'wins')} round {round_number}, "
        f"{scores[winner]} points to {scores[1 - winner]}."
    )


def match_result(view: TableView) -> str:
    """Return how the match ended, in one sentence."""
    ended, names = view.ended, view.names
    if ended is None or view.stage is not Stage.OVER:
        return "The match is not over."
    if ended.resigned is not None and ended.winner is not None:
        return f"{names[ended.resigned]} gave up; {does(names[ended.winner], 'wins')} the match."
    if ended.winner is None:
        return f"The match is drawn, {ended.totals[0]} points each."
    loser = 1 - ended.winner
    return (
        f"{does(names[ended.winner], 'wins')} the match, "
        f"{ended.totals[ended.winner]} points to {ended.totals[loser]}."
    )


def receipts_in_words(expeditions: Sequence[Cards], variant: Variant) -> list[str]:
    """Return a line for each opened expedition of one side, and one for the sum."""
    scores = [score_expedition(cards, variant) for cards in expeditions]
    lines = [
        f"  {color.word}: {ranks_in_words(cards)}: {format_receipt(score)}"
        for color, cards, score in zip(variant.colors, expeditions, scores, strict=True)
        if cards
    ]
    return [*lines, f"  total {sum(score.score for score in scores)}"]


def ranks_in_words(cards: Cards) -> str:
    """Return the cards of an expedition without their color: '2 wagers, 3, 5'."""
    numbers = [str(card.rank) for card in cards if not card.is_wager]
    num_wagers = len(cards) - len(numbers)
    wagers: list[str] = {0: [], 1: ["1 wager"]}.get(num_wagers, [f"{num_wagers} wagers"])
    return ", ".join([*wagers, *numbers])


def standing_sentence(view: TableView) -> str:
    """Return the totals of the finished rounds: 'Match so far: You 12, heuristic -3'."""
    points = ", ".join(
        f"{name} {total}" for name, total in zip(view.names, view.match.totals, strict=True)
    )
    return f"Match so far: {points}"
