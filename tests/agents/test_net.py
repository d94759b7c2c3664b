"""The agents with a network: their files, what they tell, and that threads change nothing."""

import json
import pickle
import zipfile
from contextlib import suppress
from dataclasses import replace
from functools import cache
from math import log
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from kernel.test_network import by_parts, some_weights
from lostcities.agents.base import Decision, Limit
from lostcities.agents.expert import Expert, ExpertOptions, told_chance
from lostcities.agents.net import Net
from lostcities.agents.registry import make_agent
from lostcities.agents.spec import AgentSpecError
from lostcities.agents.version import agents_version
from lostcities.agents.weights import (
    NetworkFileError,
    SavedNetwork,
    digest_of,
    load_network,
    network_from,
    save_network,
    shipped_network,
)
from lostcities.kernel.bridge import pack_observation
from lostcities.kernel.features import GLOBAL_WIDTH, num_features
from lostcities.kernel.network import (
    COLOR_HEAD,
    COLOR_OUT,
    COLOR_UNITS,
    PARTS,
    POOL,
    TABLE_HEAD,
    TABLE_INPUTS,
    TABLE_OUT,
    TABLE_UNITS,
    THUMBS,
    blind_to_match,
    evaluate,
    listens,
    new_room,
    part_of,
    parts_with,
    read_thumbs,
)
from lostcities.rules import (
    CLASSIC,
    LONG,
    MINI,
    ONLINE_STALL_LIMIT,
    Observation,
    Position,
    Standing,
    Variant,
)

GUARDED = replace(CLASSIC, stall_limit=ONLINE_STALL_LIMIT)
SIX = replace(LONG, stall_limit=ONLINE_STALL_LIMIT)
EXPERT = "expert:playouts=40"
TREES = "ismcts:playouts=40"


@cache
def views(variant: Variant, seed: int) -> tuple[Observation, ...]:
    """Return what the movers see in a round of the network with itself."""
    rng = Random(seed)
    deal = list(variant.deck)
    rng.shuffle(deal)
    position, found, net = Position.deal(deal, variant=variant), [], make_agent("net")
    while not position.is_over:
        found.append(position.observe(position.mover))
        position = position.after(net.decide(found[-1], rng=rng).move)
    return tuple(found)


# --- what they tell ----------------------------------------------------------------------------


@pytest.mark.parametrize("spec", ["net", EXPERT])
@pytest.mark.parametrize("variant", [GUARDED, SIX, MINI], ids=["five", "six", "mini"])
def test_a_decision_carries_value_spread_and_policy(spec: str, variant: Variant) -> None:
    agent = make_agent(spec)
    for view in views(variant, 1)[::5]:
        decision = agent.decide(view, rng=Random(1))
        moves = [move for move, _ in decision.policy]
        assert decision.move == moves[0]
        assert len(set(moves)) == len(moves)
        assert set(moves) <= set(view.legal_moves)
        assert sum(share for _, share in decision.policy) == pytest.approx(1.0, abs=1e-5)
        assert decision.value is not None
        assert decision.spread is not None
        assert -300 < decision.value < 300
        assert 0 < decision.spread < 150


def test_the_net_tells_of_every_legal_move_the_likeliest_first() -> None:
    for view in views(GUARDED, 1)[::7]:
        policy = make_agent("net").decide(view, rng=Random(1)).policy
        assert {move for move, _ in policy} == set(view.legal_moves)
        shares = [share for _, share in policy]
        assert shares == sorted(shares, reverse=True)


def test_the_value_foretells_how_the_round_ends() -> None:
    first = [make_agent("net").decide(views(GUARDED, seed)[-2], rng=Random(1)) for seed in range(6)]
    early = [make_agent("net").decide(views(GUARDED, seed)[0], rng=Random(1)) for seed in range(6)]
    spreads = [decision.spread or 0.0 for decision in first]
    assert max(spreads) < min(decision.spread or 0.0 for decision in early)


# --- chance, limits and threads ----------------------------------------------------------------


@pytest.mark.parametrize("variant", [GUARDED, SIX, MINI], ids=["five", "six", "mini"])
def test_threads_do_not_change_the_decision(variant: Variant) -> None:
    one, two = make_agent(EXPERT), make_agent(f"{EXPERT},threads=2")
    for view in views(variant, 2)[::11]:
        assert one.decide(view, rng=Random(4)) == two.decide(view, rng=Random(4))


def test_the_seed_decides_the_trials() -> None:
    agent = make_agent(EXPERT)
    decisions = [[agent.decide(view, rng=Random(seed)) for view in views(GUARDED, 3)[:20]]
                 for seed in (1, 1, 2)]  # fmt: skip
    assert decisions[0] == decisions[1]
    assert decisions[0] != decisions[2]


def test_the_tighter_limit_counts() -> None:
    view = views(GUARDED, 3)[0]
    few = make_agent(EXPERT).decide(view, rng=Random(1))
    agent = make_agent("expert:playouts=100000")
    assert agent.decide(view, rng=Random(1), limit=Limit(playouts=40)) == few


def test_a_warm_net_draws_lots_and_a_cold_one_does_not() -> None:
    warm = Net(shipped_network(), warmth=2.0)
    view = views(GUARDED, 4)[0]
    drawn = {warm.decide(view, rng=Random(seed)).move for seed in range(40)}
    assert len(drawn) > 1
    assert drawn <= set(view.legal_moves)
    best = make_agent("net").decide(view, rng=Random(1)).move
    assert {make_agent("net").decide(view, rng=Random(seed)).move for seed in range(5)} == {best}
    lots = [warm.decide(view, rng=Random(3)) for _ in range(2)]
    assert lots[0] == lots[1]
    assert lots[0].move == lots[0].policy[0][0]


@pytest.mark.parametrize("spec", ["net:objective={}", "expert:playouts=60,objective={}"])
def test_who_plays_for_points_does_not_look_at_the_match(spec: str) -> None:
    def decisions(objective: str, standing: Standing) -> list[Decision]:
        agent = make_agent(spec.format(objective))
        return [
            agent.decide(replace(view, standing=standing), rng=Random(1))
            for view in views(GUARDED, 6)[::9]
        ]

    first = Standing(round_number=1, num_rounds=3)
    behind, ahead = (
        Standing(round_number=3, num_rounds=3, totals=totals) for totals in ((0, 90), (90, 0))
    )
    assert decisions("round", behind) == decisions("round", ahead) == decisions("round", first)
    assert decisions("match", behind) != decisions("match", ahead)
    points, match = shipped_network().weights_for("round"), shipped_network().weights_for("match")
    assert match is shipped_network().weights
    assert (points == blind_to_match(match)).all()


@pytest.mark.parametrize(
    "spec",
    ["net:playouts=3", "net:warmth=1", "net:objective=x", "expert:threads=999", "expert:depth=61", "expert:trust=0",
     "expert:objective=x", "expert:playouts=0", "expert:thumbs=2"],
)  # fmt: skip
def test_options_that_make_no_sense_are_refused(spec: str) -> None:
    with pytest.raises(AgentSpecError):
        make_agent(spec)


def test_evidence_multiplies_odds() -> None:
    assert told_chance(0.5, log(3)) == pytest.approx(0.75)
    assert told_chance(0.2, log(2)) == pytest.approx(1 / 3)
    assert told_chance(0.75, 0.0) == pytest.approx(0.75)
    assert told_chance(0.0, 9.0) == 0.0
    assert told_chance(1.0, -9.0) == 1.0
    assert told_chance(0.5, -9e9) < 1e-9 < 1 - 1e-9 < told_chance(0.5, 9e9)


def test_what_the_table_tells_of_the_other_side_decides_who_is_expected() -> None:
    """A table that is sure of rules of thumb is as good as being told so before, and the reverse."""
    weights = shipped_network().weights.copy()
    for sign, same in ((1, "thumbs=1"), (-1, "thumbs=0")):
        part_of(weights, "color_head_bias")[THUMBS] = 80.0 * sign
        agent = Expert(SavedNetwork(weights, "", {}), ExpertOptions(limit=Limit(playouts=60)))
        sure = make_agent(f"expert:playouts=60,{same}")
        for view in views(GUARDED, 3)[::8]:
            assert agent.decide(view, rng=Random(2)) == sure.decide(view, rng=Random(2))


# --- networks as files -------------------------------------------------------------------------


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return a file with a network."""
    save_network(tmp_path / "a.npz", some_weights(), {"name": "a test"})
    return tmp_path / "a.npz"


def contents(path: Path) -> dict[str, Any]:
    with np.load(path) as parts:
        return dict(parts)


def refusal(path: Path) -> str:
    with pytest.raises(NetworkFileError) as caught:
        load_network(path)
    message = str(caught.value)
    assert "\n" not in message
    assert str(path) in message
    return message


def test_a_network_comes_out_as_it_went_in(path: Path) -> None:
    network = load_network(path)
    assert (network.weights == some_weights()).all()
    assert network.digest == digest_of(some_weights()) == network.card["digest"]
    assert network.card["name"] == "a test"
    assert contents(path).keys() == {*PARTS, "card"}
    assert (contents(path)["color_1"] == part_of(some_weights(), "color_1")).all()


def test_a_file_keeps_the_name_it_was_given(tmp_path: Path) -> None:
    save_network(tmp_path / "network", some_weights(), {})
    assert [path.name for path in tmp_path.iterdir()] == ["network"]
    assert load_network(tmp_path / "network").digest == digest_of(some_weights())


def test_an_agent_plays_with_the_network_of_a_file(path: Path) -> None:
    view = views(GUARDED, 5)[0]
    for spec in (f"net:weights={path}", f"{EXPERT},weights={path}", f"{TREES},weights={path}"):
        agent = make_agent(spec)
        assert agent.name == spec
        decision = agent.decide(view, rng=Random(1))
        assert isinstance(decision, Decision)
        assert decision != make_agent(spec.partition(",")[0].partition(":weights")[0]).decide(
            view, rng=Random(1)
        )


@pytest.mark.parametrize("parts", ["leaf=network,prior=none", "leaf=policy,prior=network"])
def test_a_tree_asks_the_network_of_its_file_as_leaf_and_as_prior(path: Path, parts: str) -> None:
    view = views(GUARDED, 5)[0]
    own, shipped = make_agent(f"{TREES},{parts},weights={path}"), make_agent(f"{TREES},{parts}")
    assert own.decide(view, rng=Random(1)) != shipped.decide(view, rng=Random(1))
    neither = f"{TREES},leaf=policy,prior=policy"
    unasked = make_agent(f"{neither},weights={path}")
    assert unasked.decide(view, rng=Random(1)) == make_agent(neither).decide(view, rng=Random(1))


def test_what_is_not_there_is_missed(tmp_path: Path) -> None:
    message = refusal(tmp_path / "none.npz")
    assert message.startswith(f"expected a network in {tmp_path / 'none.npz'}, got: ")
    for name in ("net", "expert", "ismcts", "ismcts:leaf=random,prior=none"):
        spec = f"{name}{',' if ':' in name else ':'}weights={tmp_path / 'none.npz'}"
        with pytest.raises(NetworkFileError, match="expected a network in "):
            make_agent(spec)
    assert "Is a directory" in refusal(tmp_path)


@pytest.mark.parametrize("share", [0.0, 0.01, 0.5, 0.999])
def test_a_truncated_file_is_refused(path: Path, share: float) -> None:
    whole = path.read_bytes()
    path.write_bytes(whole[: int(len(whole) * share)])
    assert refusal(path).startswith("expected a network in ")


def test_a_damaged_file_is_refused_wherever_the_damage_is(path: Path) -> None:
    whole, rng = path.read_bytes(), Random(1)
    for _ in range(60):
        damaged = bytearray(whole)
        damaged[rng.randrange(len(whole))] ^= 1 << rng.randrange(8)
        path.write_bytes(damaged)
        with suppress(NetworkFileError):  # no other error; a date in the archive is none at all
            assert load_network(path).digest == digest_of(some_weights())


def test_weights_that_were_changed_are_refused(path: Path) -> None:
    parts = contents(path)
    parts["table_head"][3, 4] += 0.5
    np.savez(path, **parts)
    message = refusal(path)
    assert message.startswith(f"expected weights with the digest {digest_of(some_weights())} in ")
    assert message.partition(", got ")[2] != digest_of(some_weights())


@pytest.mark.parametrize("name", ["features_version", "network_version"])
@pytest.mark.parametrize("version", [99, "99", [99], 99.5])
def test_another_version_is_refused(path: Path, name: str, version: object) -> None:
    parts = contents(path)
    card = {**json.loads(parts["card"].tobytes()), name: version}
    parts["card"] = np.frombuffer(json.dumps(card).encode(), np.uint8)
    np.savez(path, **parts)
    assert "99" in refusal(path).partition(", got: ")[2]


@pytest.mark.parametrize(
    ("version", "units"), [(1, (64, 128)), (1, (16, 8)), (2, (48, 96)), (3, (48, 96))]
)
def test_a_network_of_before_says_what_it_said(
    path: Path, version: int, units: tuple[int, int]
) -> None:
    """Narrower ones are read as networks of today with silent units, under their own name."""
    rng, inputs = np.random.default_rng(3), TABLE_INPUTS if version == 3 else GLOBAL_WIDTH
    parts: dict[str, Any] = {
        name: (rng.normal(size=shape) / np.sqrt(shape[0])).astype(np.float32)
        for name, shape in parts_with(*units, inputs).items()
    }
    digest = digest_of(np.concatenate([part.reshape(-1) for part in parts.values()]))
    card = {"features_version": 1, "network_version": version, "digest": digest}
    np.savez(path, card=np.frombuffer(json.dumps(card).encode(), np.uint8), **parts)
    network, room = load_network(path), new_room()
    assert network.digest == digest
    for view in views(GUARDED, 1)[::9]:
        row = pack_observation(view)
        evaluate(row, view.seat, room, network.weights)
        heads, whole = by_parts(parts, room[: num_features(GUARDED) + inputs - GLOBAL_WIDTH])
        written = room[COLOR_OUT : COLOR_OUT + 5 * COLOR_HEAD].reshape(5, COLOR_HEAD)
        assert np.allclose(written[:, :THUMBS], heads[:, :THUMBS], atol=2e-5)
        assert np.allclose(room[TABLE_OUT : TABLE_OUT + TABLE_HEAD], whole, atol=2e-5)
        assert listens(network.weights) == (version == 3)
        told = 0.0 if version == 1 else heads[:, THUMBS].sum() * POOL
        assert heads[:, THUMBS].any()
        assert read_thumbs(room, 5) == pytest.approx(told, abs=2e-5)


def test_parts_that_are_missing_or_of_another_shape_are_refused(path: Path) -> None:
    parts = contents(path)
    np.savez(path, **{name: part for name, part in parts.items() if name != "table_1"})
    assert "table_1" in refusal(path)
    np.savez(path, **{**parts, "table_1": parts["table_1"].T[:3]})
    size = TABLE_UNITS
    assert f"part table_1 is float32[3, {size}], not float32[{size}, {size}]" in refusal(path)
    np.savez(path, **{**parts, "table_1": parts["table_1"].astype(np.float64)})
    assert f"part table_1 is float64[{size}, {size}], not float32" in refusal(path)
    np.savez(path, **{name: part for name, part in parts.items() if name != "card"})
    assert "card" in refusal(path)
    np.savez(path, **{**parts, "card": np.frombuffer(b"[1]", np.uint8)})
    assert "a card that is no dictionary" in refusal(path)
    np.savez(path, **{**parts, "card": np.frombuffer(b"{", np.uint8)})
    assert refusal(path).startswith("expected a network in ")


def test_a_network_wider_than_one_of_today_is_refused(path: Path) -> None:
    parts = contents(path)
    np.savez(path, **{**parts, "table_bias_0": np.zeros(TABLE_UNITS + 1, np.float32)})
    assert f"{TABLE_UNITS + 1} units a layer, more than {COLOR_UNITS}" in refusal(path)


def test_weights_that_are_no_numbers_are_refused(tmp_path: Path) -> None:
    weights = some_weights()
    part_of(weights, "table_1")[3, 4] = np.nan
    save_network(tmp_path / "nan.npz", weights, {})
    assert "part table_1 holds what is no number" in refusal(tmp_path / "nan.npz")


def test_a_card_too_deep_to_read_is_refused(path: Path) -> None:
    deep = np.frombuffer(b"[" * 200_000 + b"]" * 200_000, np.uint8)
    np.savez(path, **{**contents(path), "card": deep})
    assert "recursion" in refusal(path)


def test_an_archive_with_a_secret_is_refused(path: Path) -> None:
    whole = bytearray(path.read_bytes())
    for mark, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        begin = whole.find(mark)
        while begin >= 0:
            whole[begin + flags] |= 1
            begin = whole.find(mark, begin + 4)
    path.write_bytes(whole)
    assert "encrypted" in refusal(path)


class Trap:
    """Leaves a trace when it is unpickled."""

    def __init__(self, trace: Path) -> None:
        self.trace = trace

    def __reduce__(self) -> tuple[object, ...]:
        return Path.touch, (self.trace,)


def test_a_pickle_inside_is_never_opened(path: Path, tmp_path: Path) -> None:
    trap = Trap(tmp_path / "trace")
    np.savez(path, **{**contents(path), "table_1": np.array([trap], object)})
    assert "pickle" in refusal(path)
    path.write_bytes(pickle.dumps(trap))
    assert refusal(path).startswith("expected a network in ")
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("card", pickle.dumps(trap))
    assert refusal(path).startswith("expected a network in ")
    assert not trap.trace.exists()


def test_one_array_alone_is_no_network(path: Path) -> None:
    with path.open("wb") as file:
        np.save(file, some_weights())
    assert "one array without a name" in refusal(path)


# --- the shipped one ---------------------------------------------------------------------------


def test_the_shipped_network_is_read_once_and_has_a_card() -> None:
    assert shipped_network() is network_from("")
    assert shipped_network().card["digest"] == shipped_network().digest


def test_a_shipped_network_counts_into_the_version(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Moves by another network are moves of another version."""
    before = agents_version.__wrapped__()
    assert before == agents_version()
    real = Path.read_bytes
    monkeypatch.setattr(
        Path, "read_bytes", lambda self: real(path if self.suffix == ".npz" else self)
    )
    assert agents_version.__wrapped__() != before
