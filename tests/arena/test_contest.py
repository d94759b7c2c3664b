import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from lostcities.agents.version import agents_version
from lostcities.arena.contest import Contest, Standings, play_job, summary_to_data
from lostcities.arena.engines import LocalEngine
from lostcities.arena.results import ResultsError, ResultsFile, result_from_data, result_to_data
from lostcities.notation import parse_records
from lostcities.play.provenance import Provenance, origins_in

CONTEST = Contest("heuristic", "random", num_pairs=7, seed=3)


def test_jobs_cover_every_deal_once() -> None:
    deals = [index for job in CONTEST.jobs for index in CONTEST.deals_of(job)]
    assert deals == list(range(7))


def test_a_job_gives_the_same_result_whenever_it_is_played() -> None:
    first, again = play_job(CONTEST, 1), play_job(CONTEST, 1)
    assert [pair.margin for pair in first.pairs] == [pair.margin for pair in again.pairs]
    assert [r.num_turns for p in first.pairs for r in p.rounds] == [
        r.num_turns for p in again.pairs for r in p.rounds
    ]


def test_an_agent_against_itself_is_exactly_level() -> None:
    contest = Contest("heuristic", "heuristic", num_pairs=6)
    standings = Standings(contest, tuple(play_job(contest, job) for job in contest.jobs))
    data = summary_to_data(standings)
    assert data["mean_margin"] == 0.0
    assert data["win_rate"] == 0.5
    assert data["match_win_rate"] == 0.5


def test_swapping_the_agents_swaps_the_figures() -> None:
    one = Contest("heuristic", "discarder", num_pairs=6)
    two = Contest("discarder", "heuristic", num_pairs=6)
    first = summary_to_data(Standings(one, tuple(play_job(one, job) for job in one.jobs)))
    second = summary_to_data(Standings(two, tuple(play_job(two, job) for job in two.jobs)))
    assert first["mean_margin"] == -second["mean_margin"]
    assert first["win_rate"] == 1 - second["win_rate"]
    assert first["match_win_rate"] == 1 - second["match_win_rate"]
    assert first["a"]["mean_score"] == second["b"]["mean_score"]


def test_results_survive_being_written_and_read() -> None:
    result = play_job(CONTEST, 0)
    again = result_from_data(json.loads(json.dumps(result_to_data(result))))
    assert [p.margin for p in again.pairs] == [p.margin for p in result.pairs]
    assert again.job == result.job


def test_processes_give_the_results_of_one_process() -> None:
    from functools import partial  # noqa: PLC0415 # only here

    task = partial(play_job, CONTEST)
    one = {r.job: r for r in LocalEngine(1).run(task, CONTEST.jobs)}
    two = {r.job: r for r in LocalEngine(2).run(task, CONTEST.jobs)}
    assert one.keys() == two.keys()
    for job, result in one.items():
        assert [p.margin for p in result.pairs] == [p.margin for p in two[job].pairs]


def test_a_contest_goes_on_from_its_file(tmp_path: Path) -> None:
    path = tmp_path / "results"
    file, done = ResultsFile.open(path, CONTEST)
    assert done == []
    file.add(play_job(CONTEST, 0))
    file.close()
    with path.open("ab") as cut:
        cut.write(b'{"job": 1, "pai')
    file, done = ResultsFile.open(path, CONTEST)
    assert [result.job for result in done] == [0]
    file.add(play_job(CONTEST, 1))
    file.close()
    file, done = ResultsFile.open(path, CONTEST)
    file.close()
    assert [result.job for result in done] == [0, 1]


def test_the_last_short_match_is_played_again_in_a_longer_contest(tmp_path: Path) -> None:
    path = tmp_path / "results"
    file, _ = ResultsFile.open(path, CONTEST)
    for job in CONTEST.jobs:
        file.add(play_job(CONTEST, job))
    file.close()
    longer = Contest("heuristic", "random", num_pairs=12, seed=3)
    file, done = ResultsFile.open(path, longer)
    file.close()
    assert [result.job for result in done] == [0, 1]


def test_every_move_of_a_kept_record_says_where_it_comes_from() -> None:
    contest = Contest("heuristic", "exec:/no/such/bot", num_pairs=3, seed=3, with_records=True)
    result = play_job(contest, 0)
    assert len(result.records) == 2 * contest.num_rounds
    for record in parse_records("\n".join(result.records)):
        origins = origins_in(record)
        assert len(origins) == len(record.turns)
        authors = {o.author if isinstance(o, Provenance) else o for o in origins.values()}
        assert {(author.agent, author.stands_in_for) for author in authors} == {
            ("heuristic", ""),
            ("discarder", "exec:/no/such/bot"),
        }


def test_records_follow_each_other_within_a_match_only() -> None:
    contest = Contest("random", "discarder", num_pairs=6, seed=3, with_records=True)
    first, second = (play_job(contest, job).records for job in (0, 1))
    whole = parse_records("\n".join((*first, *second)))
    assert any(record.standing.totals != (0, 0) for record in whole)
    # Round 2 of another match behind round 1, with totals of its own, as when only some are kept.
    mixed = parse_records("\n".join((first[0], second[1])))
    assert mixed == (whole[0], whole[7])


def test_without_being_asked_for_only_records_of_faults_are_kept() -> None:
    assert play_job(CONTEST, 0).records == ()


def test_the_summary_says_in_which_version_and_within_which_limit_each_side_played() -> None:
    contest = Contest("search:playouts=8", "discarder", num_pairs=1, num_rounds=1)
    data = summary_to_data(Standings(contest, (play_job(contest, 0),)))
    assert data["a"]["playouts"] == 8
    assert data["b"]["playouts"] is data["a"]["seconds"] is None
    assert data["a"]["version"] == data["b"]["version"] == agents_version()


def test_time_for_programs_leaves_other_agents_as_they_are() -> None:
    bot = Path(__file__).parents[2] / "docs/examples/simple_bot.py"
    spec, other = f"exec:{sys.executable} {bot}", "search:playouts=8"
    contest = Contest(spec, other, num_pairs=1, num_rounds=1, seconds=7.5, with_records=True)
    result = play_job(contest, 0)
    data = summary_to_data(Standings(contest, (result,)))
    assert (data["a"]["seconds"], data["a"]["playouts"]) == (7.5, None)
    assert (data["b"]["seconds"], data["b"]["playouts"]) == (None, 8)
    limits = set()
    for record in parse_records("\n".join(result.records)):
        for origin in origins_in(record).values():
            author = origin.author if isinstance(origin, Provenance) else origin
            limits.add((author.agent, author.seconds, author.playouts))
    assert limits == {(spec, 7.5, None), (other, None, 8)}
    # Without it they play the same moves.
    free = play_job(replace(contest, seconds=None), 0)
    assert [pair.margin for pair in free.pairs] == [pair.margin for pair in result.pairs]


def test_results_of_another_version_are_not_added_to(tmp_path: Path) -> None:
    path = tmp_path / "results"
    file, _ = ResultsFile.open(path, CONTEST)
    file.close()
    text = path.read_text()
    path.write_text(text.replace(agents_version(), "0.0.9+000000000000"))
    with pytest.raises(ResultsError, match="expected results with version") as caught:
        ResultsFile.open(path, CONTEST)
    assert "got '0.0.9+000000000000'" in str(caught.value)
    path.write_text(text.replace('"format":2', '"format":1'))
    with pytest.raises(ResultsError, match="expected results with format 2"):
        ResultsFile.open(path, CONTEST)


def test_a_file_of_another_contest_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "results"
    file, _ = ResultsFile.open(path, CONTEST)
    file.close()
    with pytest.raises(ResultsError, match="expected results with seed 4"):
        ResultsFile.open(path, Contest("heuristic", "random", num_pairs=7, seed=4))
    path.write_text("hello\n")
    with pytest.raises(ResultsError, match="got something else"):
        ResultsFile.open(path, CONTEST)
    with pytest.raises(ResultsError, match="cannot write results"):
        ResultsFile.open(tmp_path, CONTEST)
    assert path.read_text() == "hello\n"
