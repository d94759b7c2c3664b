"""Where the computer's moves come from tells nobody what it holds before the deals are shown.

With the hash of what it saw, an opponent could try hands until one fits; with
the seed, it could ask the same agent how it would have moved with each of them.
"""

from random import Random

import pytest

from lostcities.notation import format_records
from lostcities.play import Resign, Stage, Step, Table, Viewer
from lostcities.play.codec import step_to_json
from lostcities.play.provenance import Provenance, hash_of
from lostcities.play.recording import match_records
from lostcities.rules import CLASSIC, MINI, Variant
from play.tables import VIEWERS, Session, random_turn
from strategies import reshuffle_unseen


def everything_for(table: Table, viewer: Viewer) -> str:
    """Return, as text, all that the viewer can get out of the table."""
    parts = [repr(table.view(viewer)), *map(repr, table.events_for(viewer))]
    return "\n".join([*parts, format_records(match_records(table, viewer))])


def secrets_of(origin: Provenance) -> list[str]:
    seed = origin.seed
    return [origin.observation_hash[:12], f"{seed:016x}", f"{seed:x}", str(seed)]


@pytest.mark.parametrize("variant", [CLASSIC, MINI])
@pytest.mark.parametrize("viewer", VIEWERS)
def test_neither_seed_nor_hash_is_anywhere_until_the_match_is_over(
    viewer: Viewer, variant: Variant
) -> None:
    session, rng, origins = Session(variant), Random(8), list[Provenance]()
    while session.table.state.stage is not Stage.OVER:
        session.start_round()
        while session.table.state.stage is Stage.PLAYING:
            origins.append(session.origin())
            step = session.turn_by_computer(random_turn(session.position, rng))
            told = everything_for(session.table, viewer) + repr(step)
            is_over = session.table.view(None).secret is not None
            for secret in secrets_of(origins[-1]) + secrets_of(origins[0]):
                assert is_over or secret not in told
    record = format_records(match_records(session.table, viewer))
    assert all(origin.observation_hash in record for origin in origins)
    assert all(f"seed={origin.seed:016x}" in record for origin in origins)


def test_the_store_has_what_viewers_do_not() -> None:
    session = Session(MINI)
    session.start_round()
    origin = session.origin()
    step = session.turn_by_computer(random_turn(session.position, Random(1)))
    assert origin.observation_hash in step_to_json(step)


def test_a_round_that_is_over_tells_nothing_while_the_match_goes_on() -> None:
    session = Session(MINI)
    session.start_round()
    origin = session.origin()
    while session.table.state.stage is Stage.PLAYING:
        session.turn_by_computer(random_turn(session.position, Random(2)))
    assert len(session.table.view(0).match.rounds) == 1
    assert not any(s in everything_for(session.table, 0) for s in secrets_of(origin))
    assert isinstance(session.do(0, Resign()), Step)
    assert origin.observation_hash in everything_for(session.table, 0)


def test_the_hash_would_confirm_a_guess() -> None:
    """Why it is kept back: worlds that are one to the opponent have other hashes."""
    session = Session(CLASSIC, first_starter=1)
    session.start_round()
    position, rng = session.position, Random(4)
    hands = {reshuffle_unseen(position, 0, rng).hands[1] for _ in range(50)}
    hashes = {hash_of(reshuffle_unseen(position, 0, rng).observe(1)) for _ in range(50)}
    assert len(hands) > 40
    assert len(hashes) > 40
    assert hash_of(position.observe(1)) not in hashes
