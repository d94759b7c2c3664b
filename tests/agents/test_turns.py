"""A recorded turn can be made again alone: from spec, observation, limit and seed."""

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given

from lostcities.agents.base import NO_LIMIT, Agent, AgentFault, Decision, Limit
from lostcities.agents.registry import AGENTS, built_in_agents, make_agent
from lostcities.agents.simple import Discarder
from lostcities.agents.turns import after_card_move, author_of, choose_turn
from lostcities.agents.version import agents_version, digest_of_sources
from lostcities.arena.rounds import play_round
from lostcities.notation import parse_observation
from lostcities.notation.positions import format_observation
from lostcities.play.provenance import decision_seed, hash_of
from lostcities.rules import (
    CLASSIC,
    DECK,
    LONG,
    ONLINE_STALL_LIMIT,
    Discard,
    IllegalMoveError,
    Observation,
    Phase,
    Play,
    Position,
    Variant,
    WrittenTurn,
)
from strategies import positions

GUARDED = replace(CLASSIC, stall_limit=ONLINE_STALL_LIMIT)
LONG_GUARDED = replace(LONG, stall_limit=ONLINE_STALL_LIMIT)
SPECS = {
    "search": ["search:playouts=24", "search:playouts=24,threads=2"],
    "ismcts": ["ismcts:playouts=16", "ismcts:playouts=16,leaf=random,prior=none,threads=2"],
    "level": [f"level:{number}" for number in range(1, 7)],
    "expert": ["expert:playouts=24", "expert:playouts=24,threads=2"],
}
"""Some of each; what is not named here is made without options."""
ALL_SPECS = [spec for name in built_in_agents() for spec in SPECS.get(name, [name])]


def start(variant: Variant, seed: int) -> Position:
    deal = list(variant.deck)
    Random(seed).shuffle(deal)
    return Position.deal(deal, variant=variant)


@pytest.mark.parametrize("variant", [GUARDED, LONG_GUARDED], ids=["five", "six"])
@pytest.mark.parametrize("spec", ALL_SPECS)
def test_any_turn_of_a_round_can_be_made_again_alone(spec: str, variant: Variant) -> None:
    """In any order, by an agent that has made no other decision."""
    agents = make_agent(spec), make_agent("random")
    report = play_round(start(variant, 1), agents, lots="again")
    position, asked, seen = start(variant, 1), [], list[WrittenTurn]()
    for written, origin in zip(report.turns, report.origins, strict=True):
        if position.mover == 0:
            asked.append((position.observe(0).with_past(seen), written.turn, origin))
        seen.append(written if position.mover == 0 else written.as_others_saw())
        position = position.after_turn(written.turn)
    some = Random(2).sample(asked, k=min(12, len(asked)))
    for observation, turn, origin in some:
        assert origin.author.agent == make_agent(spec).name
        assert origin.observation_hash == hash_of(observation)
        # As another program would be told of it: in one line, and turn by turn.
        line = format_observation(observation, with_memory=True)
        told = parse_observation(line, variant)
        assert isinstance(told, Observation)
        limit = Limit(playouts=origin.author.playouts)
        fresh = make_agent(origin.author.agent)
        again = choose_turn(fresh, told.with_past(observation.past), seed=origin.seed, limit=limit)
        assert again.turn == turn
        assert again.provenance == origin


def test_the_seed_of_a_turn_does_not_depend_on_the_turns_before() -> None:
    report = play_round(start(GUARDED, 3), (make_agent("random"), make_agent("random")), lots="x")
    seeds = [
        decision_seed("x", round_number=1, turn_number=index + 1, seat=index % 2)
        for index in range(report.num_turns)
    ]
    assert [origin.seed for origin in report.origins] == seeds


@given(positions(may_be_over=False))
def test_the_own_card_leads_to_the_same_view_whatever_is_hidden(position: Position) -> None:
    seat = position.mover
    for move in position.legal_moves if position.phase is Phase.CARD else ():
        assert isinstance(move, Play | Discard)
        expected = position.after(move).observe(seat)
        assert after_card_move(position.observe(seat), move) == expected


class Scripted:
    """Gives prepared moves."""

    name = "scripted"

    def __init__(self, *moves: object) -> None:
        self._moves = list(moves)

    def decide(self, observation: Observation, *, rng: Random, limit: Limit = NO_LIMIT) -> Decision:
        del observation, rng, limit
        return Decision(self._moves.pop(0))  # type: ignore[arg-type] # that is the point


def test_what_is_no_turn_is_refused() -> None:
    view = start(GUARDED, 1).observe(0)
    card = Discard(view.hand[0])
    foreign = next(card for card in view.variant.deck if card not in view.hand)
    with pytest.raises(AgentFault, match="expected a card to put down"):
        choose_turn(Scripted(DECK), view, seed=1)
    with pytest.raises(AgentFault, match="expected a draw"):
        choose_turn(Scripted(card, card), view, seed=1)
    with pytest.raises(IllegalMoveError):
        choose_turn(Scripted(Discard(foreign)), view, seed=1)
    with pytest.raises(IllegalMoveError, match="cannot draw from the"):
        choose_turn(Scripted(card, replace(DECK, pile=view.hand[0].color)), view, seed=1)


# --- who chose, within which limit ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("spec", "given_limit", "kept"),
    [
        ("heuristic", Limit(seconds=10, playouts=5), Limit()),
        ("level:1", Limit(), Limit()),
        ("level:5", Limit(), Limit()),
        ("level:6", Limit(), Limit(playouts=400)),
        ("level:6", Limit(playouts=50), Limit(playouts=50)),
        ("expert", Limit(playouts=5000), Limit(playouts=5000)),
        ("expert:playouts=100", Limit(playouts=5000), Limit(playouts=100)),
        ("search", Limit(), Limit(playouts=2000)),
        ("search:playouts=9", Limit(seconds=1.5), Limit(seconds=1.5, playouts=9)),
        ("ismcts:seconds=0.1", Limit(), Limit(seconds=0.1)),
        ("ismcts", Limit(seconds=0.2), Limit(seconds=0.2)),
        ("exec:cat", Limit(), Limit(seconds=10.0)),
        ("exec:cat", Limit(seconds=2.0, playouts=7), Limit(seconds=2.0)),
    ],
)
def test_the_limit_that_is_kept_is_the_one_that_is_stated(
    spec: str, given_limit: Limit, kept: Limit
) -> None:
    author = author_of(make_agent(spec), given_limit)
    assert (author.playouts, author.seconds) == (kept.playouts, kept.seconds)
    assert author.agent == spec
    assert author.version == ("" if spec.startswith("exec:") else agents_version())


def test_a_stand_in_is_named_with_the_agent_that_failed() -> None:
    author = author_of(Discarder(), stands_in_for="exec:cat")
    assert (author.agent, author.stands_in_for) == ("discarder", "exec:cat")


@pytest.mark.parametrize("name", AGENTS)
def test_an_agent_that_spends_time_says_so(name: str) -> None:
    """A move under a limit of time must not be taken for one that can be made again."""
    spec = "exec:cat" if name == "exec" else name
    agent: Agent = make_agent(spec)
    is_patient = name in ("heuristic", "net", "random", "discarder", "staller")
    author = author_of(agent, Limit(seconds=0.5))
    assert (author.seconds is None) == is_patient


# --- the version ----------------------------------------------------------------------------------


def test_the_version_changes_with_any_source_that_decides(tmp_path: Path) -> None:
    names = ("agents/a.py", "kernel/b.py")
    paths = [tmp_path / name for name in names]
    for path in paths:
        path.parent.mkdir()
        path.write_bytes(b"x = 1\ny = 2\n")
    digest = digest_of_sources(paths, tmp_path)
    assert digest_of_sources(reversed(paths), tmp_path) == digest
    paths[0].write_bytes(b"x = 1\r\ny = 2\r\n")
    assert digest_of_sources(paths, tmp_path) == digest
    paths[0].write_bytes(b"x = 1\ny = 3\n")
    assert digest_of_sources(paths, tmp_path) != digest
    paths[0].write_bytes(b"x = 1\ny = 2\n")
    moved = paths[0].rename(tmp_path / "agents" / "c.py")
    assert digest_of_sources([moved, paths[1]], tmp_path) != digest


def test_the_version_names_the_package_and_the_same_sources_each_time() -> None:
    package, _, digest = agents_version().partition("+")
    assert package.count(".") == 2
    assert len(digest) == 12
    assert agents_version() == agents_version()
