"""Whole matches at the table: rounds, starters, ends, ties, resignations, restarts."""

from random import Random

import pytest

from lostcities.play import (
    Ready,
    Stage,
    StageCard,
    Table,
    TakeTurn,
    open_table,
)
from lostcities.play.events import (
    CardStaged,
    Event,
    MatchEnded,
    RoundEnded,
    RoundStarted,
    SecretRevealed,
    TableOpened,
    TurnTaken,
)
from lostcities.play.state import TableState
from lostcities.play.views import MatchEndedView
from lostcities.rules import (
    CLASSIC,
    LONG,
    MINI,
    TINY,
    Card,
    Color,
    Discard,
    MatchGoal,
    StarterPolicy,
    Turn,
    Variant,
)
from play.tables import (
    SECRET,
    VIEWERS,
    Session,
    dealt,
    events_in,
    finished,
    random_turn,
)

TINY_NUMBERS = {"num_colors": 2, "highest_rank": 3, "wagers_per_color": 1, "hand_size": 2}


def tiny(num_rounds: int, **more: object) -> Variant:
    return Variant(**TINY_NUMBERS, num_rounds=num_rounds, **more)  # type: ignore[arg-type]


def scores_of(session: Session) -> list[tuple[int, int]]:
    ended = events_in(session.steps, RoundEnded)
    return [event.scores for event in ended if isinstance(event, RoundEnded)]


def sums(scores: list[tuple[int, int]]) -> tuple[int, int]:
    return sum(a for a, _ in scores), sum(b for _, b in scores)


def leader_of(points: tuple[int, int]) -> int | None:
    return None if points[0] == points[1] else points.index(max(points))


@pytest.mark.parametrize("num_rounds", [1, 2, 3, 9])
@pytest.mark.parametrize("seed", range(4))
def test_a_match_has_its_rounds_and_ends_for_everybody_alike(num_rounds: int, seed: int) -> None:
    session = finished(tiny(num_rounds), seed=seed)
    scores = scores_of(session)
    totals = sums(scores)
    assert len(scores) == num_rounds
    for viewer in VIEWERS:
        view = session.table.view(viewer)
        assert view.stage is Stage.OVER
        assert view.ended == MatchEndedView(totals, leader_of(totals), None)
        assert [result.scores for result in view.match.rounds] == scores
        assert view.secret == SECRET.reveal()
    assert len(events_in(session.steps, MatchEnded)) == 1
    assert len(events_in(session.steps, SecretRevealed)) == 1


@pytest.mark.parametrize("variant", [CLASSIC, LONG, Variant(num_rounds=1), MINI])
def test_printed_games_end_after_the_last_card_of_the_last_round(variant: Variant) -> None:
    session = finished(variant, seed=11)
    num_cards = len(variant.deck) - 2 * variant.hand_size
    from_deck = [
        event
        for event in events_in(session.steps, TurnTaken)
        if isinstance(event, TurnTaken) and event.turn.draw.pile is None
    ]
    assert len(from_deck) == num_cards * variant.num_rounds
    assert session.position.deck == ()


def test_the_leader_starts_the_next_round_and_if_level_the_other_seat() -> None:
    for seed in range(12):
        session = finished(tiny(9), seed=seed)
        starts = [
            event.standing
            for event in events_in(session.steps, RoundStarted)
            if isinstance(event, RoundStarted)
        ]
        scores = scores_of(session)
        for index in range(1, 9):
            totals = sums(scores[:index])
            level = totals[0] == totals[1]
            wanted = 1 - starts[index - 1].starter if level else totals.index(max(totals))
            assert starts[index].starter == wanted
            assert starts[index].totals == totals
            assert starts[index].round_number == index + 1
            assert starts[index].num_rounds == 9


def test_who_starts_by_lot_is_drawn_anew_for_each_round() -> None:
    session = finished(tiny(9, starter_policy=StarterPolicy.RANDOM), seed=1)
    starters = [
        event.standing.starter
        for event in events_in(session.steps, RoundStarted)
        if isinstance(event, RoundStarted)
    ]
    assert len(set(starters)) == 2


def test_every_round_has_another_deal() -> None:
    session = finished(Variant(num_rounds=9), seed=2)
    deals = {
        event.deal
        for event in events_in(session.steps, RoundStarted)
        if isinstance(event, RoundStarted)
    }
    assert len(deals) == 9


def test_a_match_in_which_nobody_plays_a_card_is_drawn_and_over() -> None:
    session = Session()
    session.finish_match()
    view = session.table.view(None)
    assert view.stage is Stage.OVER
    assert view.ended == MatchEndedView((0, 0), None, None)


def test_a_match_can_be_drawn_with_points_on_the_table() -> None:
    drawn = [
        session
        for session in (finished(tiny(3), seed=seed) for seed in range(400))
        if sums(scores_of(session))[0] == sums(scores_of(session))[1] != 0
    ]
    assert drawn
    for session in drawn:
        ended = session.table.view(0).ended
        assert ended is not None
        assert ended.winner is None
        assert session.table.state.stage is Stage.OVER


def test_a_match_by_rounds_goes_to_who_won_more_of_them_whatever_the_points() -> None:
    differs = 0
    for seed in range(60):
        session = finished(tiny(3, match_goal=MatchGoal.ROUNDS), seed=seed)
        scores = scores_of(session)
        won = sum(a > b for a, b in scores), sum(b > a for a, b in scores)
        ended = session.table.view(None).ended
        assert ended is not None
        assert ended.winner == leader_of(won)
        assert ended.totals == sums(scores)
        differs += ended.winner != leader_of(ended.totals)
    assert differs


def after_a_round() -> Session:
    session = dealt(TINY)
    session.finish_round(Random(6))
    return session


def test_both_seats_have_to_be_ready_before_cards_are_dealt() -> None:
    session = after_a_round()
    last_round = session.position
    session.do(1, Ready())
    assert session.table.view(None).ready == {1}
    assert session.table.view(None).stage is Stage.BETWEEN_ROUNDS
    assert session.position == last_round
    session.do(0, Ready())
    assert session.table.view(None).ready == frozenset()
    assert session.table.view(None).stage is Stage.PLAYING
    assert session.position.standing.round_number == 2
    assert session.table.view(None).last_turn is None


@pytest.mark.parametrize("variant", [tiny(3), MINI, Variant(num_rounds=1)])
def test_a_table_is_the_same_again_after_a_restart_at_any_moment(variant: Variant) -> None:
    rng = Random(17)
    session = Session(variant)
    states, views = [session.table.state], [[session.table.view(v) for v in VIEWERS]]

    def keep() -> None:
        states.append(session.table.state)
        views.append([session.table.view(viewer) for viewer in VIEWERS])

    while session.table.state.stage is not Stage.OVER:
        if session.table.state.stage is Stage.BETWEEN_ROUNDS:
            for seat in (1, 0):
                session.do(seat, Ready())
                keep()
        turn = random_turn(session.position, rng)
        if rng.random() < 0.3:
            session.do(session.mover, StageCard(turn.card_move))
            keep()
        session.do(session.mover, TakeTurn(turn))
        keep()
    assert len(states) == len(session.steps)
    for num_steps in range(1, len(session.steps) + 1):
        table = Table.from_steps(session.steps[:num_steps])
        assert table.state == states[num_steps - 1]
        assert [table.view(viewer) for viewer in VIEWERS] == views[num_steps - 1]
    assert Table.from_steps(session.steps).__dict__ == session.table.__dict__


def test_a_state_can_be_built_from_the_opening_event_alone() -> None:
    session = Session()
    (opening,) = session.steps[0].events
    assert isinstance(opening, TableOpened)
    assert TableState.opened(opening) == session.table.state
    with pytest.raises(ValueError, match="opened twice"):
        dealt().table.state.after(opening)


@pytest.mark.parametrize("viewer", [2, -1])
def test_there_are_no_other_viewers(viewer: int) -> None:
    with pytest.raises(ValueError, match="expected seat 0 or 1, or None for a spectator"):
        Session().table.view(viewer)


def test_a_table_opens_with_a_seat_as_starter_and_a_date() -> None:
    facts = {"variant": CLASSIC, "names": ("North", "South"), "match_id": "m", "secret": SECRET}
    with pytest.raises(ValueError, match="expected seat 0 or 1 to start"):
        open_table(**facts, first_starter=7)  # type: ignore[arg-type] # one dict for both
    with pytest.raises(ValueError, match="isoformat"):
        open_table(**facts, opened_on="yesterday")  # type: ignore[arg-type] # one dict for both


@pytest.mark.parametrize(
    "wrong",
    [
        TurnTaken(1, Turn(Discard(Card(Color.YELLOW, 0))), Card(Color.YELLOW, 0)),
        RoundEnded(1, (0, 0)),
        MatchEnded((0, 0), None),
    ],
)
def test_an_event_that_cannot_follow_is_refused(wrong: Event) -> None:
    state = dealt().table.state
    with pytest.raises(ValueError, match=r"out of turn|not ended"):
        state.after(wrong)


def test_a_stored_draw_must_be_the_card_that_was_drawn() -> None:
    session = dealt()
    position = session.table.state.position
    assert position is not None
    turn = position.legal_turns[0]
    wrong = TurnTaken(position.mover, turn, position.deck[1])
    with pytest.raises(ValueError, match="another card than the one drawn"):
        session.table.state.after(wrong)


def test_the_end_of_another_round_is_refused() -> None:
    session = finished(TINY, first_starter=0)
    state = session.table.state
    assert state.position is not None
    with pytest.raises(ValueError, match="the end of another round"):
        state.after(RoundEnded(1, state.position.scores))


def test_a_secret_is_not_revealed_before_the_end() -> None:
    with pytest.raises(ValueError, match="before its end"):
        dealt().table.state.after(SecretRevealed(SECRET))


def test_a_card_that_is_not_there_is_not_staged() -> None:
    session = dealt()
    position = session.table.state.position
    assert position is not None
    foreign = next(card for card in CLASSIC.deck if card not in position.mover_hand)
    with pytest.raises(ValueError, match="a staged card that cannot be put down"):
        session.table.state.after(CardStaged(position.mover, Discard(foreign)))
