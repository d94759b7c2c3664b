"""What a training run is told: one TOML file, every number with its meaning."""

import tomllib
from dataclasses import asdict, dataclass, field, fields
from math import inf
from pathlib import Path
from typing import Any, Final, TypeVar

from lostcities.agents.objective import OBJECTIVES, ROUND
from lostcities.rules import LostCitiesError

_T = TypeVar("_T")


class ConfigError(LostCitiesError, ValueError):
    """A configuration that cannot be used."""


@dataclass(frozen=True, slots=True)
class Imitation:
    """The first stage: do as the rules of thumb do, who know wagers.

    Attributes:
        windows: Windows of games of the teacher; one in three has six colors.
        games: Games side by side.
        plies: Plies of each game in a window.
        passes: How often each window is learned from.
        minibatch: Plies a step.
        rate: Learning rate at the begin; it falls tenfold.
        smoothing: Share of the target that is spread over all legal actions.
    """

    windows: int = 24
    games: int = 256
    plies: int = 64
    passes: int = 2
    minibatch: int = 1024
    rate: float = 2e-3
    smoothing: float = 0.03


@dataclass(frozen=True, slots=True)
class Distillation:
    """The stage before self-play, where a run has labels: do what trials would rather have done.

    Attributes:
        windows: Windows of games of the teacher, `start`, that stand beside the labels.
        games: Games side by side.
        plies: Plies of each game in a window.
        minibatch: Plies a step, and as many labels.
        rate: Learning rate at the begin; it falls to a twentieth.
        temperature: Points for which labels multiply the chances of a move by e.
        labels: Weight of the loss on labels; that of doing as the teacher does is 1.
        rules_of_thumb: Share of the teacher's games against the heuristic's policy.
        tastes: How much the tastes of the rules of thumb vary from window to window.
        fresh: Whether the student begins from nothing instead of from `start`.
    """

    windows: int = 40
    games: int = 512
    plies: int = 64
    minibatch: int = 2048
    rate: float = 3e-4
    temperature: float = 0.5
    labels: float = 1.0
    rules_of_thumb: float = 0.5
    tastes: float = 0.2
    fresh: bool = False


@dataclass(frozen=True, slots=True)
class Critic:
    """A judge of the games of self-play that sees all cards.

    Attributes:
        units: Units of a layer for each color, twice as many for the table; 0 for no judge: then
            the network judges by what it knows.
        windows: Windows of self-play at its begin that only the judge learns from.
        rate: Learning rate at the begin; it falls as that of self-play does.
    """

    units: int = 0
    windows: int = 60
    rate: float = 1e-3


@dataclass(frozen=True, slots=True)
class SelfPlay:
    """Self-play: play, and do more of what turned out well.

    Attributes:
        decisions: Plies to play in all.
        games: Games side by side.
        plies: Plies of each game in a window.
        passes: How often a window is learned from.
        minibatch: Plies a step.
        rate_first: Learning rate at the begin.
        rate_last: Learning rate at the end; between them it falls evenly in its logarithm.
        entropy_first: Weight of the entropy at the begin.
        entropy_last: Weight of the entropy at the end.
        anchor: Weight of the divergence from the anchor; 0 does without.
        anchor_memory: Iterations over which the anchor forgets (mean age of what it holds).
        decay: Lambda of the returns.
        clip: How far a chance may move in one iteration.
        value: Weight of the value loss.
        belief: Weight of the belief loss.
        thumbs: Weight of the loss on whether the other side plays by rules of thumb.
        gradient: The largest norm of a gradient.
        sharp: Chance of the likeliest action above which few plies are kept.
        keep_sharp: Which share of them is kept.
        six_every: One window in so many has six colors; 0 for none.
        objective: What is played for, "round" or "match"; see `stakes`.
        past: Share of games against past selves.
        rivals: Share of games against the rivals of the configuration. In one window all
            other networks are the same one: a past self or a rival, by these shares.
        rules_of_thumb: Share of games against the heuristic's policy.
        tastes: How much the tastes of the rules of thumb vary from window to window: standard
            deviation of the logarithm of each of their numbers.
        staller: Share of games against the staller.
        remember_every: Iterations between two past selves that are kept.
        remember: How many are kept.
        told: How often a seat is told what moves say of the other side; see `told`.
        told_rounds: Rounds that are read against each kind of player, to be told of.
        told_every: Iterations behind which they are read anew.
    """

    decisions: int = 6_000_000
    games: int = 512
    plies: int = 64
    passes: int = 2
    minibatch: int = 2048
    rate_first: float = 6e-4
    rate_last: float = 5e-5
    entropy_first: float = 0.04
    entropy_last: float = 0.004
    anchor: float = 0.0
    anchor_memory: float = 25.0
    decay: float = 0.95
    clip: float = 0.2
    value: float = 0.5
    belief: float = 0.2
    thumbs: float = 0.1
    gradient: float = 0.5
    sharp: float = 0.97
    keep_sharp: float = 0.3
    six_every: int = 4
    objective: str = ROUND
    past: float = 0.0
    rivals: float = 0.0
    rules_of_thumb: float = 0.0
    tastes: float = 0.0
    staller: float = 0.0
    remember_every: int = 50
    remember: int = 20
    told: float = 0.0
    told_rounds: int = 192
    told_every: int = 500


@dataclass(frozen=True, slots=True)
class Panel:
    """How progress is measured.

    Attributes:
        every: Iterations between two measurements.
        pairs: Paired deals against each member of the panel.
    """

    every: int = 40
    pairs: int = 250


@dataclass(frozen=True, slots=True)
class RunConfig:
    """A whole run.

    Attributes:
        seed: Decides everything.
        start: A file of weights to begin with instead of imitation, "shipped" for the network
            that comes with the package, "" for none; the files below are named alike.
        rivals: Files of weights on the panel.
        labels: Folders of labels to learn from before self-play.
        checkpoint_seconds: Seconds between two checkpoints.
    """

    seed: int = 1
    start: str = ""
    rivals: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    checkpoint_seconds: float = 120.0
    imitation: Imitation = field(default_factory=Imitation)
    distillation: Distillation = field(default_factory=Distillation)
    critic: Critic = field(default_factory=Critic)
    self_play: SelfPlay = field(default_factory=SelfPlay)
    panel: Panel = field(default_factory=Panel)

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as plain values."""
        return asdict(self)


_STAGES: Final[dict[str, type[Any]]] = {
    "imitation": Imitation,
    "distillation": Distillation,
    "critic": Critic,
    "self_play": SelfPlay,
    "panel": Panel,
}
_LEAST: Final = (
    dict.fromkeys(("games", "plies", "passes", "minibatch", "every"), 1)
    | dict.fromkeys(("remember_every", "remember", "told_rounds", "told_every"), 1)
    | {"pairs": 2}
)
"""The least of each number; of others it is 0."""
_ABOVE_0: Final = (
    "rate",
    "rate_first",
    "rate_last",
    "temperature",
    "entropy_first",
    "entropy_last",
    "gradient",
)
"""Numbers that are divided by, or whose logarithm is taken."""
_SHARES: Final = (
    "smoothing", "decay", "sharp", "keep_sharp", "past", "rivals", "rules_of_thumb", "staller",
    "told",
)  # fmt: skip
"""Numbers from 0 to 1."""


def read_config(path: Path) -> RunConfig:
    """Read a configuration.

    Raises:
        ConfigError: If it is not well formed.
    """
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigError(f"expected a configuration in {path}, got: {error}") from None
    return config_from(values, where=str(path))


def config_from(values: dict[str, Any], *, where: str) -> RunConfig:
    """Return a configuration from plain values.

    Args:
        values: By name; a stage is a dictionary of its own.
        where: What they were read from, for whoever has to mend it.

    Raises:
        ConfigError: If one of them is not known, of another type, or out of its range.
    """
    made = dict(values)
    for name, kind in _STAGES.items():
        if name in made:
            made[name] = _make(kind, made[name], where=f"[{name}] of {where}")
    for name in ("rivals", "labels"):
        if name in made:
            made[name] = _paths(name, made[name], where=where)
    config = _make(RunConfig, made, where=where)
    stage = config.self_play
    shares = (stage.past, stage.rivals, stage.rules_of_thumb, stage.staller)
    if sum(shares) > 1.0:
        raise ConfigError(
            "expected past, rivals, rules_of_thumb and staller to be 1 at most together in "
            f"[self_play] of {where}, got {', '.join(map(str, shares))}"
        )
    if stage.objective not in OBJECTIVES:
        raise ConfigError(
            f"expected {' or '.join(OBJECTIVES)} for objective in [self_play] of {where}, "
            f"got {stage.objective!r}"
        )
    if config.labels and not config.start:
        raise ConfigError(f"expected a file for start in {where}, since its labels are about it")
    if stage.rivals > 0 and not config.rivals:
        raise ConfigError(f"expected files for rivals in {where} to play against, got none")
    return config


def _paths(name: str, value: object, *, where: str) -> tuple[str, ...]:
    if isinstance(value, list | tuple) and all(isinstance(item, str) for item in value):
        return tuple(value)
    raise ConfigError(f"expected a list of paths for {name} in {where}, got {value!r}")


def _make(kind: type[_T], values: object, *, where: str) -> _T:
    """Return a dataclass from plain values, each checked."""
    if not isinstance(values, dict):
        raise ConfigError(f"expected a table for {where}, got {values!r}")
    defaults = kind()
    known = [item.name for item in fields(kind)]  # type: ignore[arg-type] # all are dataclasses
    made = {}
    for name, value in values.items():
        if name not in known:
            raise ConfigError(f"expected one of {', '.join(known)} in {where}, got {name!r}")
        made[name] = _checked(name, value, getattr(defaults, name), where=where)
    return kind(**made)


def _checked(name: str, value: object, default: object, *, where: str) -> object:
    """Return a value of the type of its default and within its range."""
    if isinstance(default, float) and type(value) is int:
        value = float(value)
    if type(value) is not type(default):
        raise ConfigError(f"expected {_word(default)} for {name} in {where}, got {value!r}")
    if isinstance(value, int | float):
        _check_range(name, value, where=where)
    return value


def _check_range(name: str, value: float, *, where: str) -> None:
    least, most = _LEAST.get(name, 0), 1 if name in _SHARES else inf
    if name in _ABOVE_0 and not 0 < value < inf:
        raise ConfigError(f"expected {name} above 0 in {where}, got {value}")
    if not least <= value <= most or value == inf:
        bounds = f"from {least} to {most}" if most < inf else f"of {least} or more"
        raise ConfigError(f"expected {name} {bounds} in {where}, got {value}")


def _word(default: object) -> str:
    words = {bool: "true or false", int: "a whole number", float: "a number", str: "text"}
    return words.get(type(default), "a table")
