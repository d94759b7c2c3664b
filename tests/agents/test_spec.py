import pytest

from lostcities.agents.registry import AGENTS, make_agent
from lostcities.agents.spec import AgentSpecError, Options, parse_spec


@pytest.mark.parametrize(
    "text",
    [
        "heuristic",
        "search:seconds=0.1",
        "ismcts:playouts=800,threads=2",
        "exec:python3 a.py --x=1,2",
    ],
)
def test_a_spec_is_written_as_it_was_read(text: str) -> None:
    assert str(parse_spec(text)) == text


def test_the_command_of_an_external_agent_keeps_its_commas_and_colons() -> None:
    assert parse_spec("exec:bot --level=3,4 a:b").command == "bot --level=3,4 a:b"


@pytest.mark.parametrize(
    "text", ["exec:", "exec:  ", "search:seconds", "search:=1", "search:a=1,a=2", "search:seconds="]
)
def test_a_spec_that_is_not_well_formed_is_refused(text: str) -> None:
    with pytest.raises(AgentSpecError, match=r"^expected "):
        parse_spec(text)


@pytest.mark.parametrize("text", ["nobody", "", "heuristic:depth=3", "random:seed=1"])
def test_an_unknown_name_or_option_is_refused(text: str) -> None:
    with pytest.raises(AgentSpecError, match=r"^expected "):
        make_agent(text)


@pytest.mark.parametrize("text", ["0", "-1", "1.5", "x", "٣", "9999999999"])
def test_counts_are_positive_whole_numbers(text: str) -> None:
    with pytest.raises(AgentSpecError, match="expected a whole number from 1"):
        Options(parse_spec(f"search:playouts={text}")).take_int("playouts", None)


@pytest.mark.parametrize("text", ["0", "-1", "x", "nan", "inf", "1e9"])
def test_seconds_are_positive_and_finite(text: str) -> None:
    with pytest.raises(AgentSpecError, match="expected seconds above 0"):
        Options(parse_spec(f"search:seconds={text}")).take_seconds("seconds", None)


def test_options_are_taken_with_defaults() -> None:
    options = Options(parse_spec("search:playouts=7,seconds=0.5"))
    assert options.take_int("playouts", 1) == 7
    assert options.take_seconds("seconds", None) == 0.5
    assert options.take_int("threads", 1) == 1
    assert options.take_seconds("other", None) is None
    options.finish()


def test_every_agent_is_described() -> None:
    assert all(entry.description for entry in AGENTS.values())
