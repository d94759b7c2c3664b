"""Who sits opposite is told by its moves: by no card that the seat has not seen."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from math import isfinite, isnan
from random import Random
from statistics import fmean

import numpy as np
import numpy.typing as npt
import pytest

from lostcities.agents import opposite
from lostcities.agents.base import NO_LIMIT, Decision, Limit
from lostcities.agents.opposite import (
    IF_DEAF,
    MoveReader,
    Shares,
    moves_and_table,
    retrace,
    told_of,
)
from lostcities.agents.registry import make_agent
from lostcities.agents.weights import shipped_network
from lostcities.arena.rounds import play_round
from lostcities.kernel.bridge import action_of, move_of, pack, unpack
from lostcities.kernel.network import new_thinker
from lostcities.kernel.opposite import MOVES_ALONE, evidence_of_moves, usual_told
from lostcities.kernel.policy import new_work
from lostcities.notation import RoundRecord, replay
from lostcities.rules import (
    CLASSIC,
    LONG,
    MINI,
    ONLINE_STALL_LIMIT,
    Card,
    Color,
    Discard,
    Draw,
    Observation,
    Phase,
    Position,
    Standing,
    Turn,
    Variant,
    WrittenTurn,
)

GUARDED = replace(CLASSIC, stall_limit=ONLINE_STALL_LIMIT)
SIX = replace(LONG, stall_limit=ONLINE_STALL_LIMIT)
SMALLEST = replace(MINI, stall_limit=ONLINE_STALL_LIMIT)


class Watcher:
    """Plays as another agent does, and keeps what it was shown."""

    def __init__(self, spec: str) -> None:
        self.name = spec
        self._agent = make_agent(spec)
        self.views: list[Observation] = []

    def decide(self, observation: Observation, *, rng: Random, limit: Limit = NO_LIMIT) -> Decision:
        self.views.append(observation)
        return self._agent.decide(observation, rng=rng, limit=limit)


def dealt(variant: Variant, seed: int, standing: Standing | None = None) -> Position:
    deal = list(variant.deck)
    Random(seed).shuffle(deal)
    return Position.deal(deal, variant=variant, standing=standing)


def views_against(
    spec: str,
    variant: Variant,
    seed: int,
    *,
    own: str,
    seat: int = 1,
    standing: Standing | None = None,
) -> list[Observation]:
    """Return what a seat is shown in a round against an agent."""
    watcher, other = Watcher(own), make_agent(spec)
    agents = (watcher, other) if seat == 0 else (other, watcher)
    play_round(dealt(variant, seed, standing), agents, lots="watched")
    return watcher.views


def some_views(variant: Variant) -> Iterator[Observation]:
    """Yield views of players who discard, take and bet much, and of such who know what they do."""
    for seed, (spec, own) in enumerate([("random", "random"), ("heuristic", "net")] * 4):
        standing = Standing(
            round_number=1 + seed // 2 % variant.num_rounds,
            num_rounds=variant.num_rounds,
            starter=seed // 4,
            totals=(7, -30) if seed // 2 % variant.num_rounds else (0, 0),
        )
        yield from views_against(
            spec, variant, seed, own=own, seat=seed // 2 % 2, standing=standing
        )


# --- the past ----------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", [GUARDED, SIX, SMALLEST], ids=["five", "six", "mini"])
def test_a_retraced_round_leads_by_the_rules_to_what_the_seat_sees(variant: Variant) -> None:
    for view in some_views(variant):
        if not view.past:
            assert retrace(view) is None
            continue
        retraced = retrace(view)
        assert retraced is not None
        position = unpack(retraced.start)
        for action in retraced.actions.tolist():
            position = position.after(move_of(action, variant))
        if view.phase is Phase.DRAW:  # the own card is down, but the turn is not over
            position = _after_any_card(position, view)
        assert position.observe(view.seat) == view


def _after_any_card(position: Position, view: Observation) -> Position:
    reached = [position.after(move) for move in position.legal_moves]
    return next(after for after in reached if after.observe(view.seat) == view)


def test_a_seat_is_shown_no_card_that_the_other_one_drew() -> None:
    for view in some_views(GUARDED):
        for number, written in enumerate(view.past):
            is_own = (view.standing.starter + number) % 2 == view.seat
            is_public = written.turn.draw.pile is not None
            assert (written.drawn is not None) == (is_own or is_public)


def test_a_record_tells_what_the_seat_was_shown() -> None:
    watchers = Watcher("net"), Watcher("heuristic")
    start = dealt(GUARDED, 5)
    report = play_round(start, watchers, lots="x")
    deal = (*(card for pair in zip(*start.hands, strict=True) for card in pair), *start.deck)
    bare = tuple(WrittenTurn(written.turn) for written in report.turns)
    part = replay(
        RoundRecord(deal=deal, variant=GUARDED, standing=start.standing, turns=bare, is_over=True)
    )
    views = [view for watcher in watchers for view in watcher.views if view.phase is Phase.CARD]
    assert len(views) == len(bare)
    for view in views:
        again = part.view_before(len(view.past))
        assert again == view
        assert again.past == view.past


def spoilt(view: Observation) -> Iterator[Observation]:
    """Yield views whose past cannot be theirs."""
    past, nothing = view.past, Card(Color.RED, 2)
    yield view.with_past(past[1:])
    yield view.with_past(past[:-1])
    yield view.with_past(past[:-2])
    yield view.with_past([written.as_others_saw() for written in past])
    yield view.with_past([replace(written, drawn=nothing) for written in past])
    yield view.with_past(past * 2)
    yield view.with_past(
        (*past[:-1], WrittenTurn(Turn(past[-1].turn.card_move, Draw(Color.PURPLE))))
    )
    foreign = replace(past[-1].turn, card_move=Discard(Card(Color.PURPLE, 2)))
    yield view.with_past((*past[:-1], replace(past[-1], turn=foreign)))
    swap = WrittenTurn(Turn(Discard(nothing), Draw(Color.RED)), nothing)
    yield view.with_past((*past, *[swap, WrittenTurn(Turn(Discard(nothing)))] * 40))
    yield replace(view, variant=replace(view.variant, tabletop_memory=True))


def test_a_past_that_does_not_lead_here_tells_nothing() -> None:
    view = views_against("heuristic", GUARDED, 1, own="net")[20]
    reader = MoveReader(shipped_network().weights)
    assert reader.evidence(view) is not None
    for other in spoilt(view):
        assert reader.evidence(other) is None


def test_a_take_that_is_not_named_tells_nothing() -> None:
    views = [view for view in some_views(GUARDED) if view.past]
    takes = [view for view in views if view.past[-1].turn.draw.pile is not None]
    for view in takes[:5]:
        nameless = (*view.past[:-1], WrittenTurn(view.past[-1].turn))
        assert retrace(view.with_past(nameless)) is None
    assert takes


# --- what it tells -----------------------------------------------------------------------------


@pytest.mark.parametrize("variant", [GUARDED, SIX], ids=["five", "six"])
def test_the_moves_tell_rules_of_thumb_from_the_network(variant: Variant) -> None:
    reader = MoveReader(shipped_network().weights)

    def mean_against(spec: str) -> float:
        ends = [views_against(spec, variant, seed, own="net")[-2] for seed in range(8)]
        return fmean(reader.evidence(view) or 0.0 for view in ends)

    assert mean_against("net") < -1.0
    assert mean_against("heuristic") > 1.0


def test_evidence_is_the_same_before_card_and_draw_and_whoever_asks() -> None:
    views = views_against("heuristic", GUARDED, 2, own="net")
    weights = shipped_network().weights
    reader = MoveReader(weights)
    for card, draw in zip(views[4::8], views[5::8], strict=False):
        assert card.phase is Phase.CARD
        found = reader.evidence(card)
        assert reader.evidence(draw) == found
        assert MoveReader(weights).evidence(draw) == found


def test_rounds_before_count_as_well() -> None:
    first, second, now = (
        views_against("heuristic", GUARDED, seed, own="net", seat=0) for seed in (2, 3, 4)
    )
    reader = MoveReader(shipped_network().weights)
    one, other = reader.evidence(first[-2]), reader.evidence(second[-2])
    assert one is not None
    assert other is not None
    begin, later = now[0], now[20]
    assert not begin.past
    assert reader.evidence(begin.with_earlier([first[-2]])) == one
    together = reader.evidence(begin.with_earlier([first[-2], second[-2]]))
    assert together == pytest.approx(one + other)
    alone = reader.evidence(later)
    assert alone is not None
    found = reader.evidence(later.with_earlier([first[-2], second[-2]]))
    assert found == pytest.approx(one + other + alone)
    # Of a round whose past nobody kept there is nothing to say.
    assert reader.evidence(later.with_earlier([first[-2].with_past(())])) == alone
    assert reader.evidence(begin.with_earlier([first[-2].with_past(())])) is None


def test_a_network_is_usually_told_more_with_every_draw_and_every_round_before() -> None:
    position = dealt(GUARDED, 1)
    assert usual_told(pack(position)) == 0.0
    later = position.after_turn(position.legal_turns[0])
    one_draw = usual_told(pack(later))
    assert one_draw < 0.0
    for number in (2, 3):
        standing = Standing(number, 3, starter=0, totals=(5, 7))
        whole_rounds = (number - 1) * GUARDED.deck_after_deal
        again = dealt(GUARDED, 1, standing)
        assert usual_told(pack(again)) == pytest.approx(whole_rounds * one_draw)
        assert usual_told(pack(again.after_turn(again.legal_turns[0]))) == pytest.approx(
            (whole_rounds + 1) * one_draw
        )


def test_the_table_counts_for_all_where_nothing_is_remembered() -> None:
    view = views_against("heuristic", GUARDED, 2, own="net")[30]
    reader = MoveReader(shipped_network().weights)
    assert reader.evidence(view.with_past(())) is None
    assert moves_and_table(None, 2.0, IF_DEAF) == 2.0
    of_moves = reader.evidence(view)
    assert of_moves is not None
    for shares in (IF_DEAF, Shares(1.0, 0.25)):
        expected = shares.moves * of_moves + 2.0 * shares.table
        assert moves_and_table(of_moves, 2.0, shares) == pytest.approx(expected)


def test_a_network_is_told_nothing_where_nothing_is_remembered() -> None:
    assert told_of(None) == 0.0
    assert told_of(-5.0) == -5.0 * MOVES_ALONE


def test_what_is_remembered_changes_nothing() -> None:
    """Neither the turns read before nor other rounds in between, nor where hidden cards lie."""
    first, second = (views_against("net", GUARDED, seed, own="net") for seed in (3, 4))
    weights = shipped_network().weights
    reader = MoveReader(weights)
    for one, other in zip(first[::6], second[::6], strict=False):
        for view in (one, other):
            assert reader.evidence(view) == MoveReader(weights).evidence(view)
    for view in first[::-9]:  # back in time
        assert reader.evidence(view) == MoveReader(weights).evidence(view)


@pytest.mark.parametrize("hand_size", [8, 2])
def test_where_hidden_cards_lie_changes_nothing(
    hand_size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even whether the made-up hand had a choice."""
    variant, weights, rng = (
        replace(GUARDED, hand_size=hand_size),
        shipped_network().weights,
        Random(1),
    )
    views = views_against("random", variant, 3, own="random")[4::8]
    found = [MoveReader(weights).evidence(view) for view in views]
    in_order = Observation.unseen.fget  # type: ignore[attr-defined] # it is a property

    def in_any_order(view: Observation) -> tuple[Card, ...]:
        cards = list(in_order(view))
        rng.shuffle(cards)
        return tuple(cards)

    monkeypatch.setattr(Observation, "unseen", property(in_any_order))
    for _ in range(4):
        assert [MoveReader(weights).evidence(view) for view in views] == found


def test_what_is_remembered_of_a_round_is_not_taken_for_another_one_with_the_same_turns() -> None:
    """Whoever drew another card, and has not put it down, knows of other cards unseen."""
    deal = list(GUARDED.deck)
    Random(6).shuffle(deal)
    first = Position.deal(deal, variant=GUARDED)
    views = []
    for swapped in range(17, 44, 2):
        deal[16], deal[swapped] = deal[swapped], deal[16]
        position, past = Position.deal(deal, variant=GUARDED), list[WrittenTurn]()
        for number in range(8):
            move = Discard(first.hands[number % 2][number // 2])
            drawn = position.deck[0]
            past.append(WrittenTurn(Turn(move), drawn if number % 2 == 0 else None))
            position = position.after_turn(Turn(move))
        views.append(position.observe(0).with_past(past))
    weights = shipped_network().weights
    alone = [MoveReader(weights).evidence(view) for view in views]
    reader = MoveReader(weights)
    assert [reader.evidence(view) for view in views] == alone
    assert len(set(alone)) > 1


def test_threads_may_share_a_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opposite, "_MOST_ROUNDS", 2)
    weights = shipped_network().weights
    views = [views_against("random", GUARDED, seed, own="random")[9] for seed in range(6)] * 8
    alone = [MoveReader(weights).evidence(view) for view in views]
    reader = MoveReader(weights)
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(reader.evidence, views)) == alone


def test_actions_that_the_rules_refuse_tell_nothing() -> None:
    view = views_against("heuristic", GUARDED, 2, own="net")[30]
    retraced = retrace(view)
    assert retraced is not None

    def evidence(actions: npt.NDArray[np.int64]) -> float:
        player = new_thinker(shipped_network().weights)
        return evidence_of_moves(retraced.start, actions, 0, 0.0, view.seat, player, new_work())

    assert isfinite(evidence(retraced.actions))
    start = unpack(retraced.start)
    foreign = next(card for card in GUARDED.deck if card not in start.mover_hand)
    impossible = retraced.actions.copy()
    impossible[0] = action_of(Discard(foreign), GUARDED)
    assert isnan(evidence(impossible))
    assert isnan(evidence(np.concatenate([retraced.actions] * 3)))


def test_a_past_against_the_rules_tells_nothing() -> None:
    """The cards add up, but the other side is said to draw what it has just put down."""
    view = views_against("net", GUARDED, 2, own="net")[8]
    turns = list(view.past)
    number = 1 - view.seat
    card = turns[number].turn.card_move.card
    turns[number] = WrittenTurn(Turn(Discard(card), Draw(card.color)), card)
    assert MoveReader(shipped_network().weights).evidence(view.with_past(turns)) is None
