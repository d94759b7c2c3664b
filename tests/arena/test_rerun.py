"""Recorded moves are made again: same, different, or why neither can be said."""

import sys
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random

import pytest

from lostcities.agents import weights
from lostcities.agents.base import NO_LIMIT, Agent, Decision, Limit
from lostcities.agents.registry import make_agent
from lostcities.agents.simple import Staller
from lostcities.agents.turns import choose_turn
from lostcities.arena import contest
from lostcities.arena import rerun as rerun_module
from lostcities.arena.contest import Contest, play_job
from lostcities.arena.rerun import (
    MOST_PLAYOUTS,
    Rerun,
    Verdict,
    lots_of_record,
    rerun,
    rounds_before,
)
from lostcities.notation import Comment, RoundRecord, parse_records, replay
from lostcities.play import Ready, Stage, Table, TakeTurn, open_table
from lostcities.play.commands import Command
from lostcities.play.fairness import Secret
from lostcities.play.outcomes import Step
from lostcities.play.provenance import Author, Provenance, comment_of, hash_of, origins_in
from lostcities.play.recording import match_records
from lostcities.rules import MINI, SEATS, Observation, Seat, WrittenTurn

CONTEST = Contest(
    "search:playouts=16", "heuristic", num_pairs=1, num_rounds=1, seed=7, with_records=True
)


@cache
def record() -> RoundRecord:
    """Return a round between a search and the heuristic; the search sits in seat A."""
    (first, _) = parse_records("\n".join(play_job(CONTEST, 0).records))
    return first


def changed(index: int, origin: Author | Provenance | None) -> RoundRecord:
    """Return the round with another story about one of its turns."""
    comments = [c for c in record().comments if c.num_turns != index + 1]
    if origin is not None:
        comments.append(comment_of(index + 1, origin))
    return replace(record(), comments=tuple(comments))


def origin_of(index: int) -> Provenance:
    origin = origins_in(record())[index]
    assert isinstance(origin, Provenance)
    return origin


def only(told: RoundRecord, index: int) -> Rerun:
    (move,) = rerun(told, turn_number=index + 1)
    return move


def test_an_honest_record_is_the_same_in_every_move() -> None:
    moves = list(rerun(record()))
    assert len(moves) == len(record().turns)
    assert {move.verdict for move in moves} == {Verdict.SAME}
    assert [move.seat for move in moves[:2]] == [
        record().standing.starter,
        1 - record().standing.starter,
    ]
    assert not any(move.reason or move.is_of_other_version for move in moves)


@pytest.mark.parametrize("seat", SEATS)
def test_the_moves_of_one_seat(seat: Seat) -> None:
    moves = list(rerun(record(), seat=seat))
    assert {move.seat for move in moves} == {seat}
    assert 0 < len(moves) < len(record().turns)


def test_another_turn_than_the_agent_chose_is_found() -> None:
    """The record is otherwise in order: its hashes and its result are those of the new turns."""
    index = len(record().turns) - 1
    part = replay(record())
    position = part.positions[index]
    other = next(
        turn for turn in position.legal_turns
        if turn != record().turns[index].turn and turn.draw.pile is None
    )  # fmt: skip
    turns = (*record().turns[:-1], WrittenTurn(other))
    final = position.after_turn(other)
    tampered = replace(record(), turns=turns, result=final.scores)
    move = only(tampered, index)
    assert move.verdict is Verdict.DIFFERENT
    assert move.verdict.is_problem
    assert "chooses" in move.reason
    assert {m.verdict for m in rerun(tampered) if m.turn_number <= index} == {Verdict.SAME}


def test_a_turn_changed_in_the_middle_shows_in_the_hashes_behind_it() -> None:
    for index, written in enumerate(record().turns):
        position = replay(record()).positions[index]
        for turn in position.legal_turns:
            if turn == written.turn:
                continue
            turns = (*record().turns[:index], WrittenTurn(turn))
            cut = replace(record(), turns=turns, is_over=False, result=None)
            cut = replace(cut, comments=tuple(c for c in cut.comments if c.num_turns <= index + 1))
            assert only(cut, index).verdict is Verdict.DIFFERENT
            break
        if index == 3:
            return


def test_another_deal_is_found() -> None:
    deal = list(record().deal or ())
    deal[-1], deal[-2] = deal[-2], deal[-1]
    swapped = replace(
        record(), deal=tuple(deal), result=None, is_over=False,
        turns=tuple(WrittenTurn(w.turn) for w in record().turns[:4]),
        comments=tuple(c for c in record().comments if c.num_turns <= 4),
    )  # fmt: skip
    # Nobody has seen the last cards of the deck: for the agents it is the same round.
    assert {move.verdict for move in rerun(swapped)} == {Verdict.SAME}
    deal = list(record().deal or ())
    starter = record().standing.starter
    first_hand = [card for place, card in enumerate(deal[:16]) if place % 2 == 0]
    played = record().turns[0].turn.card_move.card
    place = next(2 * n for n, card in enumerate(first_hand) if card != played)
    deal[place], deal[-1] = deal[-1], deal[place]
    other_hand = replace(
        swapped, deal=tuple(deal), turns=swapped.turns[:1], comments=swapped.comments[:1]
    )
    move = only(other_hand, 0)
    assert move.seat == starter
    assert move.verdict is Verdict.OTHER_OBSERVATION
    assert origin_of(0).observation_hash in move.reason


def test_another_seed_than_the_lots_give_is_found() -> None:
    """Who runs the computer cannot try seeds until one suits it."""
    move = only(changed(0, replace(origin_of(0), seed=1)), 0)
    assert move.verdict is Verdict.OTHER_SEED
    assert "got 0000000000000001" in move.reason


def test_without_lots_any_seed_is_taken_at_its_word() -> None:
    tags = tuple(tag for tag in record().tags if tag[0] != "Lots")
    told = replace(record(), tags=tags)
    assert lots_of_record(told) is None
    assert only(told, 0).verdict is Verdict.SAME


def test_another_agent_or_limit_than_the_one_that_chose_is_found() -> None:
    index = next(i for i in origins_in(record()) if "search" in origin_of(i).author.agent)
    lie = replace(origin_of(index).author, playouts=800)
    move = only(changed(index, replace(origin_of(index), author=lie)), index)
    assert move.verdict is Verdict.DIFFERENT
    assert move.reason == (
        "expected the limit that search:playouts=16 keeps to, 16 playouts, got 800 playouts"
    )
    lie = replace(origin_of(index).author, playouts=None)
    move = only(changed(index, replace(origin_of(index), author=lie)), index)
    assert move.reason.endswith("16 playouts, got none")
    lie = Author("search:seconds=5", origin_of(index).author.version)
    move = only(changed(index, replace(origin_of(index), author=lie)), index)
    assert move.verdict is Verdict.DIFFERENT
    assert move.reason.endswith("keeps to, 5 seconds, got none")
    lie = Author("staller", origin_of(index).author.version)
    verdicts = [only(changed(i, replace(origin_of(i), author=lie)), i).verdict for i in range(6)]
    assert Verdict.DIFFERENT in verdicts


def test_a_move_without_its_story_is_named() -> None:
    move = only(changed(2, None), 2)
    assert move.verdict is Verdict.NOT_STATED
    assert move.verdict.is_problem
    assert move.author is None


@pytest.mark.parametrize(
    ("author", "reason"),
    [
        (Author("search:seconds=0.1", seconds=0.1), "it was limited by time"),
        (Author("search:playouts=9", playouts=9, seconds=0.1), "it was limited by time"),
        (Author("search", playouts=MOST_PLAYOUTS + 1), "expected at most 1000000 playouts, got 1000001"),
        (Author("oracle:depth=9"), "there is no such agent here: expected an agent ("),
        (Author("level:9"), "there is no such agent here: expected a whole number from 1 to 6"),
        (Author("no spec at all:x"), "there is no such agent here"),
    ],
)  # fmt: skip
def test_what_cannot_be_made_again_is_no_problem_but_said(author: Author, reason: str) -> None:
    move = only(changed(0, replace(origin_of(0), author=author)), 0)
    assert move.verdict is Verdict.NOT_RERUNNABLE
    assert not move.verdict.is_problem
    assert move.reason.startswith(reason)


def test_a_program_named_in_a_record_is_never_started(tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    command = f"exec:{sys.executable} -c \"open('{trace}', 'w')\""
    move = only(changed(0, replace(origin_of(0), author=Author(command, seconds=1.0))), 0)
    assert move.verdict is Verdict.NOT_RERUNNABLE
    assert move.reason.startswith("it was made by a program of somebody else")
    assert not trace.exists()


@pytest.mark.parametrize("kind", ["net", "expert"])
def test_a_file_named_in_a_record_is_never_opened(kind: str, tmp_path: Path) -> None:
    shipped = Path(weights.__file__).parent / "networks" / weights.SHIPPED
    (tmp_path / "no-network").write_text("opened, this would be refused in other words")
    for path in (shipped, tmp_path / "no-network", tmp_path / "none"):
        author = Author(f"{kind}:weights={path}", playouts=None)
        move = only(changed(0, replace(origin_of(0), author=author)), 0)
        assert move.verdict is Verdict.NOT_RERUNNABLE
        assert move.reason == (
            "it was made by a network of somebody else, whose file is not opened"
        )


def test_moves_of_the_shipped_network_are_made_again() -> None:
    contest = replace(CONTEST, a="net", b="expert:playouts=16", seed=8)
    (first, _) = parse_records("\n".join(play_job(contest, 0).records))
    assert {move.verdict for move in rerun(first, turn_number=9)} == {Verdict.SAME}
    assert {move.verdict for move in rerun(first, turn_number=10)} == {Verdict.SAME}


def test_even_of_a_program_the_hash_of_what_it_saw_is_checked() -> None:
    lie = replace(origin_of(0), author=Author("exec:bot"), observation_hash="0" * 64)
    assert only(changed(0, lie), 0).verdict is Verdict.OTHER_OBSERVATION


def test_a_move_of_another_version_is_made_again_and_marked() -> None:
    author = replace(origin_of(0).author, version="0.0.1+000000000000")
    move = only(changed(0, replace(origin_of(0), author=author)), 0)
    assert move.verdict is Verdict.SAME
    assert move.is_of_other_version


def test_a_record_without_a_deal_says_too_little() -> None:
    move = only(replace(record(), deal=None), 0)
    assert move.verdict is Verdict.NOT_RERUNNABLE
    assert "no deal" in move.reason


def test_a_round_of_two_persons_has_nothing_to_make_again() -> None:
    assert list(rerun(replace(record(), comments=(Comment(1, "well played"),)))) == []


# --- matches at a table ---------------------------------------------------------------------------


def played(*, is_broken_off: bool = False) -> tuple[RoundRecord, ...]:
    """Return a match at a table: a person who discards against the computer in seat B."""
    secret = Secret(bytes(range(32)))
    table = Table(open_table(variant=MINI, names=("P", "C"), match_id="m", secret=secret))
    agent = make_agent("level:2")
    number = 0

    def do(seat: Seat, action: Ready | TakeTurn) -> None:
        nonlocal number
        number += 1
        step = table.decide(Command(f"c{number}", seat, table.version(seat), action))
        assert isinstance(step, Step)
        table.apply(step)

    while table.view(None).stage is not Stage.OVER:
        if table.view(None).stage is Stage.BETWEEN_ROUNDS:
            do(0, Ready(b"salt" if number == 0 else b""))
            do(1, Ready())
            continue
        position = table.state.position
        assert position is not None
        if position.mover == 0:
            do(0, TakeTurn(position.legal_turns[-1]))
            continue
        seed, view = table.decision_seed(1), table.view_to_decide(1)
        assert hash_of(view) == hash_of(position.observe(1))
        chosen = choose_turn(agent, view, seed=seed)
        do(1, TakeTurn(chosen.turn, chosen.provenance))
        if is_broken_off:
            break
    return match_records(table, 0)


def test_a_match_at_a_table_is_made_again_with_the_lots_of_its_secret() -> None:
    records = played()
    assert len(records) == MINI.num_rounds
    moves = [move for told in records for move in rerun(told, earlier=rounds_before(told, records))]
    assert {move.verdict for move in moves} == {Verdict.SAME}
    assert {move.seat for move in moves} == {1}
    other = records[0].tags
    swapped = tuple((n, "00" * 32 if n == "Secret" else v) for n, v in other)
    verdicts = {move.verdict for move in rerun(replace(records[0], tags=swapped))}
    assert verdicts == {Verdict.OTHER_SEED}


class Historian:
    """Chooses by what it remembers of the rounds before, and by nothing else."""

    name = "heuristic"  # so that the record names an agent that there is
    goes_by_past = True

    def decide(self, observation: Observation, *, rng: Random, limit: Limit = NO_LIMIT) -> Decision:
        del rng, limit
        moves = observation.legal_moves
        seen = sum(len(view.past) + sum(view.scores) for view in observation.earlier)
        return Decision(moves[seen % len(moves)])


_AGENTS: dict[str, type[Agent]] = {"heuristic": Historian, "staller": Staller}


def with_memory(monkeypatch: pytest.MonkeyPatch) -> tuple[RoundRecord, ...]:
    """Return the rounds of a match of somebody who remembers, against rules of thumb."""
    monkeypatch.setattr(contest, "_agents", lambda _: (Historian(), Staller()))
    monkeypatch.setattr(rerun_module, "_agent", lambda spec: _AGENTS[spec]())
    told = Contest("heuristic", "staller", num_pairs=3, num_rounds=3, seed=7, with_records=True)
    records = parse_records("\n".join(play_job(told, 0).records))
    return records[:3]


def test_what_was_remembered_of_rounds_before_is_remembered_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    records = with_memory(monkeypatch)
    assert [each.standing.round_number for each in records] == [1, 2, 3]
    for each in records:
        earlier = rounds_before(each, records)
        assert [before.standing.round_number for before in earlier] == list(
            range(1, each.standing.round_number)
        )
        verdicts = {move.verdict for move in rerun(each, earlier=earlier)}
        assert verdicts == {Verdict.SAME}


def test_without_the_rounds_before_it_cannot_be_said_what_was_remembered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    records = with_memory(monkeypatch)
    last = records[2]
    assert rounds_before(last, records[1:]) == []
    found = [move for move in rerun(last) if move.verdict is not Verdict.SAME]
    assert found
    for move in found:
        assert move.verdict is Verdict.NOT_RERUNNABLE
        assert move.reason.endswith("of the rounds before is not in the record")
    nameless = replace(records[1], tags=())
    assert rounds_before(nameless, records) == []
    assert rounds_before(records[1], records) == [records[0]]
    before = records[0]
    for other in (
        replace(before, tags=(("Match", "other"),)),
        replace(before, deal=None),
        replace(before, turns=before.turns[:-1], is_over=False, result=None),
        replace(before, names=before.names[::-1]),
    ):
        assert rounds_before(records[1], [other]) == []
    assert rounds_before(records[1], [replace(before, deal=None), before]) == [before]


def test_who_goes_by_the_position_alone_is_not_excused_by_rounds_that_are_missing() -> None:
    told = Contest("heuristic", "discarder", num_pairs=2, num_rounds=2, seed=7, with_records=True)
    last = parse_records("\n".join(play_job(told, 0).records))[1]
    assert last.standing.round_number == 2
    assert {move.verdict for move in rerun(last, seat=0)} == {Verdict.SAME}
    index = len(last.turns) - 1
    if last.standing.starter != index % 2:
        index -= 1
    options = replay(last).positions[index].legal_turns
    swapped = next(turn for turn in options if turn != last.turns[index].turn)
    # The rest of the round may no longer follow: what is before it does.
    turns = (*last.turns[:index], WrittenTurn(swapped))
    forged = replace(last, turns=turns, is_over=False, result=None)
    (move,) = rerun(forged, seat=0, turn_number=index + 1)
    assert move.verdict is Verdict.DIFFERENT


def test_a_match_that_goes_on_keeps_its_seeds_to_itself() -> None:
    (told,) = played(is_broken_off=True)
    (move,) = rerun(told)
    assert move.verdict is Verdict.NOT_RERUNNABLE
    assert move.reason.startswith("the record was written while the match went on")
    assert move.author == Author("level:2", move.author.version if move.author else "")
