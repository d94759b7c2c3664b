"""From the options of `lostcities play` to a match at the table, and to the next one."""

import sys
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Final

from lostcities.agents.registry import DEFAULT_AGENT, make_agent
from lostcities.play import Secret, Step, Table, check_name, new_match_id, open_table
from lostcities.play.recording import match_records
from lostcities.rules import CLASSIC, ONLINE_STALL_LIMIT, LostCitiesError, Seat, Variant
from lostcities.tui.board import wrap
from lostcities.tui.console import Console
from lostcities.tui.game import Game, Leave
from lostcities.tui.journal import Header, Journal, JournalError, home, unfinished
from lostcities.tui.local_match import LocalMatch
from lostcities.tui.record_file import RecordFile, RecordFileError
from lostcities.tui.sentences import YOU
from lostcities.tui.style import PLAIN, Style

HUMAN: Final[Seat] = 0
STARTERS: Final[dict[str, Seat | None]] = {"lot": None, "me": HUMAN, "computer": 1 - HUMAN}


class NothingToResumeError(LostCitiesError):
    """Nobody left a match that fits the wish."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What a person asked for; None leaves it to us.

    Attributes:
        against: The spec of an agent.
        num_colors: Expeditions in the game.
        num_rounds: Rounds in the match.
        starter: One of `STARTERS`.
        name: How the person is called.
        record: Where to keep the record.
        is_new: Whether an unfinished match is to be left alone.
        is_resume: Whether only an unfinished match will do.
        is_plain: Whether to add lines only.
    """

    against: str | None = None
    num_colors: int | None = None
    num_rounds: int | None = None
    starter: str | None = None
    name: str | None = None
    record: Path | None = None
    is_new: bool = False
    is_resume: bool = False
    is_plain: bool = False


def run(wish: Wish, console: Console) -> None:
    """Play matches until the person has had enough.

    Raises:
        LostCitiesError: If the wish cannot be granted.
    """
    match = _find_match(wish, console)
    style = PLAIN if wish.is_plain else Style.of(sys.stdout)
    while True:
        try:
            Game(match, console, style=style, is_plain=wish.is_plain).run()
        except (Leave, KeyboardInterrupt):
            match.journal.close()
            console.say("", "The match is saved; 'lostcities play --terminal' goes on with it.")
            return
        _finish(match, console)
        try:
            if not _wants_rematch(console):
                return
        except KeyboardInterrupt:
            return
        match = _rematch(match)


def _find_match(wish: Wish, console: Console) -> LocalMatch:
    if not wish.is_new:
        for path in unfinished(_folder()):
            match = _resume(path, wish, console)
            if match is not None:
                return match
    if wish.is_resume:
        raise NothingToResumeError("expected an unfinished match that fits the options, found none")
    return _start(wish, console)


def _folder() -> Path:
    return home() / "unfinished"


def _resume(path: Path, wish: Wish, console: Console) -> LocalMatch | None:
    """Return the match in the file, None if it is not wanted or cannot go on now."""
    try:
        journal, header, table = Journal.resume(path)
    except JournalError as error:
        _note(console, str(error))
        return None
    if not _fits(wish, header, table):
        journal.close()
        _note(console, f"an unfinished match with other options is kept in {path}")
        return None
    try:
        agent = make_agent(header.agent)
    except LostCitiesError as error:
        journal.close()
        _note(console, f"the match in {path} cannot go on now: {error}")
        return None
    opening = table.state.opening
    record_file = _reclaim(wish, header, journal, console, match_id=opening.match_id)
    match = LocalMatch(
        table, journal=journal, agent=agent, human=header.human, record_file=record_file
    )
    begun = f" of {opening.opened_on}" if opening.opened_on else ""
    console.say(f"Going on with your match{begun} against {header.agent} (--new starts another).")
    return match


def _reclaim(
    wish: Wish, header: Header, journal: Journal, console: Console, *, match_id: str
) -> RecordFile | None:
    """Return the file of the record; if it cannot be used, the match goes on without one."""
    path = wish.record or (Path(header.record) if header.record else None)
    try:
        record_file = _claim(path, match_id)
    except RecordFileError as error:
        if wish.record is not None:
            journal.close()
            raise
        _note(console, f"{error}; the match goes on without a record there")
        return None
    if record_file is not None and str(record_file.path) != header.record:
        journal.set_record(record_file.path)
    return record_file


def _note(console: Console, text: str) -> None:
    console.say_all(wrap(f"Note: {text}."))


def _claim(path: Path | None, match_id: str) -> RecordFile | None:
    return None if path is None else RecordFile.claim(path, match_id=match_id)


def _fits(wish: Wish, header: Header, table: Table) -> bool:
    opening = table.state.opening
    pairs = (
        (wish.against, header.agent),
        (wish.num_colors, opening.variant.num_colors),
        (wish.num_rounds, opening.variant.num_rounds),
        (wish.name, opening.names[header.human]),
    )
    starts_alike = wish.starter is None or STARTERS[wish.starter] == opening.first_starter
    return starts_alike and all(wanted is None or wanted == given for wanted, given in pairs)


def _start(wish: Wish, console: Console) -> LocalMatch:
    agent = make_agent(wish.against or DEFAULT_AGENT)
    opening = open_table(
        variant=_variant(wish),
        names=(check_name(YOU if wish.name is None else wish.name), agent.name),
        match_id=new_match_id(),
        secret=Secret.generate(),
        first_starter=STARTERS[wish.starter or "lot"],
        opened_on=_today(),
    )
    match = _open(opening, agent_spec=wish.against or DEFAULT_AGENT, record=wish.record)
    view = match.view()
    rounds = "1 round" if view.variant.num_rounds == 1 else f"{view.variant.num_rounds} rounds"
    console.say(
        f"Lost Cities (unofficial): {view.names[0]} against {view.names[1]}, "
        f"{view.variant.num_colors} colors, {rounds}.",
        "Type help at any time.",
    )
    return match


def _variant(wish: Wish) -> Variant:
    return replace(
        CLASSIC,
        num_colors=wish.num_colors or CLASSIC.num_colors,
        num_rounds=wish.num_rounds or CLASSIC.num_rounds,
        stall_limit=ONLINE_STALL_LIMIT,
    )


def _today() -> str:
    return datetime.now().astimezone().date().isoformat()


def _open(opening: Step, *, agent_spec: str, record: Path | None) -> LocalMatch:
    table = Table(opening)
    match_id = table.state.opening.match_id
    record_file = _claim(record, match_id)
    header = Header(
        agent=agent_spec, human=HUMAN, record=str(record_file.path) if record_file else None
    )
    journal = Journal.create(_folder(), match_id, header, opening)
    return LocalMatch(
        table,
        journal=journal,
        agent=make_agent(agent_spec),
        human=HUMAN,
        record_file=record_file,
    )


def _finish(match: LocalMatch, console: Console) -> None:
    """Keep the record of a finished match, then forget the running one."""
    opening = match.table.state.opening
    folder = home() / "finished"
    name = f"{opening.opened_on or 'undated'}-{opening.match_id[:8]}.lcr"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        record_file = RecordFile.claim(folder / name, match_id=opening.match_id)
        record_file.write(match_records(match.table, match.human))
    except (RecordFileError, OSError) as error:
        match.journal.close()
        _note(console, f"{error}; the match stays in {match.journal.path}")
        return
    match.journal.remove()
    console.say(
        f"Record: {record_file.path}",
        "The secret of the deals is in it now; verify them with 'lostcities deal verify'.",
    )


def _wants_rematch(console: Console) -> bool:
    while True:
        line = console.ask("rematch or quit?")
        match (line or "quit").strip().lower():
            case "rematch" | "r" | "yes" | "y":
                return True
            case "quit" | "q" | "exit" | "no" | "n" | "":
                return False
            case other:
                console.say(f"expected 'rematch' or 'quit', got {other[:40]!r}")


def _rematch(match: LocalMatch) -> LocalMatch:
    """Open the next match: same players, and the other side starts."""
    opening = match.table.rematch(
        match_id=new_match_id(), secret=Secret.generate(), opened_on=_today()
    )
    return _open(opening, agent_spec=match.agent.name, record=None)
