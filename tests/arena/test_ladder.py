from collections.abc import Sequence
from pathlib import Path

import pytest

from lostcities.arena.contest import Contest, JobResult, play_contest
from lostcities.arena.engines import LocalEngine
from lostcities.arena.ladder import duel_of, duels_of
from lostcities.arena.ratings import Duel, rate
from lostcities.arena.results import LadderFile, ResultsError, ResultsFile

AGENTS = ["random", "discarder", "heuristic"]


def contests(num_pairs: int = 4, seed: int = 5, agents: Sequence[str] = AGENTS) -> list[Contest]:
    return list(duels_of(agents, num_pairs=num_pairs, num_colors=5, seed=seed))


def go_on(path: Path, ladder: Sequence[Contest], *, most: int = 1000) -> list[Duel]:
    """Play what the file does not have, at most so many matches, and return the duels so far."""
    file, results = LadderFile.open(path, ladder)
    left = most
    for contest in ladder:
        done = [result.job for result in results[contest]]
        for result in play_contest(contest, LocalEngine(), done=done):
            if left == 0:
                file.close()
                return []
            left -= 1
            file.add(contest, result)
            results[contest].append(result)
    file.close()
    return [duel_of(contest, results[contest]) for contest in ladder]


def test_each_agent_meets_the_next_two_above_it() -> None:
    assert [(c.a, c.b) for c in contests()] == [
        ("discarder", "random"),
        ("heuristic", "random"),
        ("heuristic", "discarder"),
    ]


@pytest.mark.parametrize("most", [1, 6, 11])
def test_a_ladder_goes_on_from_its_file_to_the_same_ratings(tmp_path: Path, most: int) -> None:
    whole = go_on(tmp_path / "whole", contests())
    path = tmp_path / "results"
    assert go_on(path, contests(), most=most) == []
    with path.open("ab") as cut:
        cut.write(b'{"a":"heuristic","b":"rand')
    assert go_on(path, contests()) == whole
    assert path.read_bytes().count(b"\n") == 1 + 12
    assert rate(whole, anchor="random")[0].agent == "heuristic"


def test_more_pairs_are_added_to_a_ladder(tmp_path: Path) -> None:
    go_on(tmp_path / "results", contests(2))
    assert go_on(tmp_path / "results", contests(4)) == go_on(tmp_path / "whole", contests(4))


def test_what_is_done_is_not_played_again() -> None:
    contest = contests()[0]
    played: list[JobResult] = list(play_contest(contest, LocalEngine(), done=[0, 2]))
    assert [result.job for result in played] == [1, 3]
    assert list(play_contest(contest, LocalEngine(), done=range(4))) == []


def test_the_file_of_another_ladder_or_of_a_match_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "results"
    LadderFile.open(path, contests())[0].close()
    with pytest.raises(ResultsError, match="expected results with seed 6"):
        LadderFile.open(path, contests(seed=6))
    with pytest.raises(ResultsError, match=r"expected results with ladder \['random', 'staller'\]"):
        LadderFile.open(path, contests(agents=["random", "staller"]))
    with pytest.raises(ResultsError, match="expected results of a contest"):
        ResultsFile.open(path, contests()[0])
    other = tmp_path / "match"
    ResultsFile.open(other, contests()[0])[0].close()
    with pytest.raises(ResultsError, match="expected results of a contest"):
        LadderFile.open(other, contests())
