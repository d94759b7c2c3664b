"""What a run is told: read whole, or refused in a sentence that says what is wrong."""

from pathlib import Path

import pytest

from lostcities.training.config import ConfigError, RunConfig, config_from, read_config


def read(text: str, folder: Path) -> RunConfig:
    path = folder / "my.toml"
    path.write_text(text, encoding="utf-8")
    return read_config(path)


def test_what_is_not_said_keeps_its_default(tmp_path: Path) -> None:
    config = read("seed = 7\n[self_play]\nrate_first = 1\npast = 0.5\n", tmp_path)
    assert config.seed == 7
    assert config.self_play.rate_first == 1.0
    assert config.self_play.past == 0.5
    assert config.self_play.games == RunConfig().self_play.games
    assert config.imitation == RunConfig().imitation


def test_an_empty_file_is_the_defaults(tmp_path: Path) -> None:
    assert read("", tmp_path) == RunConfig()


def test_plain_values_make_the_same_configuration_again() -> None:
    config = config_from({"rivals": ["a.npz"], "panel": {"every": 9}}, where="here")
    assert config.rivals == ("a.npz",)
    assert config_from(config.to_dict(), where="here") == config


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("sead = 1", "expected one of seed, start, rivals, labels, checkpoint_seconds, imitation, distillation, critic, self_play, panel in {path}, got 'sead'"),
        ("[panel]\npears = 1", "expected one of every, pairs in [panel] of {path}, got 'pears'"),
        ("seed = 'one'", "expected a whole number for seed in {path}, got 'one'"),
        ("seed = 1.5", "expected a whole number for seed in {path}, got 1.5"),
        ("seed = true", "expected a whole number for seed in {path}, got True"),
        ("start = 1", "expected text for start in {path}, got 1"),
        ("[self_play]\nclip = 'a'", "expected a number for clip in [self_play] of {path}, got 'a'"),
        ("[self_play]\nclip = true", "expected a number for clip in [self_play] of {path}, got True"),
        ("[self_play]\ngames = 0", "expected games of 1 or more in [self_play] of {path}, got 0"),
        ("[self_play]\nclip = nan", "expected clip of 0 or more in [self_play] of {path}, got nan"),
        ("[self_play]\nclip = inf", "expected clip of 0 or more in [self_play] of {path}, got inf"),
        ("[self_play]\npast = 1.5", "expected past from 0 to 1 in [self_play] of {path}, got 1.5"),
        ("[self_play]\nentropy_last = 0",
         "expected entropy_last above 0 in [self_play] of {path}, got 0.0"),
        ("[self_play]\npast = 0.6\nstaller = 0.5",
         "expected past, rivals, rules_of_thumb and staller to be 1 at most together in [self_play] of {path}, got 0.6, 0.0, 0.0, 0.5"),
        ("[self_play]\nrivals = 0.5", "expected files for rivals in {path} to play against, got none"),
        ("[panel]\npairs = 1", "expected pairs of 2 or more in [panel] of {path}, got 1"),
        ("seed = -1", "expected seed of 0 or more in {path}, got -1"),
        ("panel = 3", "expected a table for [panel] of {path}, got 3"),
        ("rivals = 'a.npz'", "expected a list of paths for rivals in {path}, got 'a.npz'"),
        ("rivals = [1]", "expected a list of paths for rivals in {path}, got [1]"),
        ("labels = ['a']", "expected a file for start in {path}, since its labels are about it"),
        ("[distillation]\nfresh = 1",
         "expected true or false for fresh in [distillation] of {path}, got 1"),
        ("[self_play]\nobjective = 'game'",
         "expected round or match for objective in [self_play] of {path}, got 'game'"),
    ],
)  # fmt: skip
def test_a_mistake_is_named_with_its_place(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        read(text, tmp_path)
    assert str(caught.value) == message.format(path=tmp_path / "my.toml")


def test_what_is_no_toml_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"expected a configuration in .*my\.toml, got: "):
        read("seed: 1", tmp_path)
    (tmp_path / "my.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigError, match="expected a configuration in "):
        read_config(tmp_path / "my.toml")
    with pytest.raises(ConfigError, match=r"none\.toml, got: .*No such file"):
        read_config(tmp_path / "none.toml")
