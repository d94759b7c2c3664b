"""The numbers of a game: ranges, messages, names, differences."""

from dataclasses import replace

import pytest

from lostcities.rules import (
    CLASSIC,
    LONG,
    MINI,
    ONLINE_STALL_LIMIT,
    SMALL,
    TINY,
    MatchGoal,
    StarterPolicy,
    Variant,
)

RANGES = {
    "num_colors": (2, 6),
    "lowest_rank": (2, 10),
    "highest_rank": (2, 10),
    "wagers_per_color": (0, 4),
    "hand_size": (1, 40),
    "expedition_cost": (0, 1000),
    "bonus": (0, 1000),
    "bonus_threshold": (1, 100),
    "num_rounds": (1, 9),
}
WIDE = Variant(num_colors=6, wagers_per_color=4)  # has cards for every hand size but the largest


@pytest.mark.parametrize("name", list(RANGES))
def test_range(name: str) -> None:
    low, high = RANGES[name]
    for value in (low - 1, high + 1, -5):
        with pytest.raises(
            ValueError, match=rf"^expected {name} from {low} to {high}, got {value}$"
        ):
            Variant(**{name: value})  # type: ignore[arg-type]
    for value in (low, high):
        others: dict[str, int] = {"hand_size": 1} if name == "highest_rank" else {}
        if (name, value) != ("hand_size", 40):
            made = replace(WIDE, **{name: value, **others})  # type: ignore[arg-type]
            assert getattr(made, name) == value


def test_ranks_in_the_wrong_order() -> None:
    message = "^expected lowest_rank to be at most highest_rank 4, got 5$"
    with pytest.raises(ValueError, match=message):
        Variant(lowest_rank=5, highest_rank=4)
    assert Variant(lowest_rank=5, highest_rank=5, hand_size=2).ranks == (5,)


def test_stall_limit() -> None:
    with pytest.raises(ValueError, match=r"^expected stall_limit from 0 to 9999, got -1$"):
        Variant(stall_limit=-1)
    assert Variant(stall_limit=0).stall_limit == 0
    assert ONLINE_STALL_LIMIT == 12


def test_deck_must_outlast_the_deal() -> None:
    message = "^expected more than 60 cards for two hands of 30, got a deck of 60$"
    with pytest.raises(ValueError, match=message):
        Variant(hand_size=30)
    assert Variant(hand_size=29).deck_after_deal == 2
    assert replace(TINY, num_colors=3, hand_size=4).deck_after_deal == 1


def test_names() -> None:
    assert (CLASSIC.name, LONG.name, TINY.name) == ("classic", "long", "non-standard")
    for variant in (CLASSIC, LONG):
        for agreed in ({"num_rounds": 1}, {"stall_limit": 12}, {"tabletop_memory": True}):
            same_game = replace(variant, **agreed)
            assert same_game.is_standard
            assert same_game.name == variant.name


@pytest.mark.parametrize(
    "house_rule",
    [
        {"num_colors": 4},
        {"lowest_rank": 3},
        {"highest_rank": 9},
        {"wagers_per_color": 4},
        {"hand_size": 7},
        {"expedition_cost": 15},
        {"bonus": 10},
        {"bonus_threshold": 9},
        {"own_discard_block": False},
        {"match_goal": MatchGoal.ROUNDS},
        {"starter_policy": StarterPolicy.TRAILER},
    ],
)
def test_house_rules_are_not_standard(house_rule: dict[str, object]) -> None:
    variant = Variant(**house_rule)  # type: ignore[arg-type]
    assert not variant.is_standard
    assert variant.name == "non-standard"
    assert variant.differences() == house_rule


def test_defaults() -> None:
    assert CLASSIC.differences() == {}
    assert LONG.differences() == {"num_colors": 6}
    values = (CLASSIC.expedition_cost, CLASSIC.bonus, CLASSIC.bonus_threshold, CLASSIC.hand_size)
    assert values == (20, 20, 8, 8)
    assert (CLASSIC.num_rounds, CLASSIC.stall_limit, CLASSIC.own_discard_block) == (3, None, True)
    assert (CLASSIC.starter_policy, CLASSIC.match_goal) == ("leader", "points")
    assert not CLASSIC.tabletop_memory


def test_small_variants() -> None:
    assert [len(variant.deck) for variant in (TINY, SMALL, MINI)] == [6, 8, 12]
    assert [variant.hand_size for variant in (TINY, SMALL, MINI)] == [2, 2, 3]
    assert [variant.num_colors for variant in (TINY, SMALL, MINI)] == [2, 2, 3]


def test_equal_variants_are_equal_and_hash_alike() -> None:
    same = Variant(num_colors=6)
    assert same == LONG
    assert hash(same) == hash(LONG)
    assert len({same, LONG, CLASSIC}) == 2
