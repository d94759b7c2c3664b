"""What a snapshot says may be done is what the rules allow."""

from random import Random

import pytest

from lostcities.notation import format_turn
from lostcities.play import Stage, TakeTurn
from lostcities.rules import CLASSIC, LONG, Discard, Draw, Observation, Play, Turn, Variant
from lostcities.server import schema
from lostcities.server.views import Surroundings, snapshot_of
from play.tables import Session, random_turn

AROUND = Surroundings("table", schema.OpponentInfo(kind="local"), host=0, seats=(0,))


@pytest.mark.parametrize(
    "variant",
    [
        CLASSIC,
        LONG,
        Variant(stall_limit=1),
        Variant(own_discard_block=False),
        Variant(tabletop_memory=True),
    ],
)
def test_each_card_says_what_may_be_done_with_it(variant: Variant) -> None:
    session, rng = Session(variant), Random(4)
    session.start_round()
    while session.table.state.stage is Stage.PLAYING:
        mover = session.mover
        view = session.table.view(mover)
        observation, snapshot = view.observation, snapshot_of(view, AROUND)
        assert isinstance(observation, Observation)
        assert snapshot.legal == [format_turn(turn) for turn in observation.legal_turns]
        assert snapshot.cards is not None
        assert snapshot.hand == [card.card for card in snapshot.cards]
        for card, shown in zip(observation.hand, snapshot.cards, strict=True):
            refusal = observation.reason_against(Play(card))
            assert shown.play.ok == (refusal is None)
            assert shown.play.code == (refusal.code.value if refusal else None)
            assert shown.play.sentence == (refusal.sentence if refusal else None)
            assert shown.discard.ok
            for move in (Play(card), Discard(card)):
                half = format_turn(Turn(move))[:-2]
                for color in variant.colors:
                    turn = Turn(move, Draw(color))
                    reason = session.position.reason_against_turn(turn)
                    if half in shown.draws:
                        assert (color.letter in shown.draws[half]) == (reason is None)
                        codes = {str(letter): code for letter, code in shown.closed[half].items()}
                        assert codes.get(color.letter) == (reason.code.value if reason else None)
                    else:
                        assert reason is not None
            if shown.play.ok:
                played = session.position.after(Play(card)).observe(mover)
                terms = played.expedition_scores[mover][card.color]
                assert shown.play.score_after == terms.score
        other = snapshot_of(session.table.view(1 - mover), AROUND)
        assert (other.legal, other.cards) == (None, None)
        assert snapshot.unseen == len(observation.unseen)
        assert other.unseen == len(session.position.observe(1 - mover).unseen)
        session.do(mover, TakeTurn(random_turn(session.position, rng)))
