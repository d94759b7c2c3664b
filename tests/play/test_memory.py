"""What a seat remembers of a match: the rounds before, as a record of it tells them."""

from random import Random

from lostcities.notation import replay
from lostcities.play import Table
from lostcities.play.recording import match_records
from lostcities.rules import MINI, NO_MEMORY, SEATS, Memory
from play.tables import Session


def shown(table: Table) -> Memory:
    """Return what an agent of each seat is shown of the rounds before."""
    a, b = (table.view_to_decide(seat).earlier for seat in SEATS)
    return a, b


def test_an_agent_is_shown_the_rounds_before_as_the_record_tells_them() -> None:
    session, found = Session(MINI), []
    for number in range(MINI.num_rounds):
        session.start_round()
        found.append(shown(session.table))
        assert shown(Table.from_steps(session.steps)) == found[-1]
        session.finish_round(Random(number))
    memory = NO_MEMORY
    for before, record in zip(found, match_records(session.table, None), strict=True):
        assert before == memory
        for seat in SEATS:
            assert [view.past for view in before[seat]] == [view.past for view in memory[seat]]
        memory = replay(record).remembered(memory)
    assert [len(views) for views in found[-1]] == [2, 2]
