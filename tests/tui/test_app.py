import os
from pathlib import Path

import pytest

from lostcities.agents.spec import AgentSpecError
from lostcities.play import InvalidNameError
from lostcities.tui.app import NothingToResumeError
from lostcities.tui.journal import Header, Journal, JournalError, home, unfinished
from lostcities.tui.record_file import RecordFileError
from tui.driving import discards_all, play, scripted


def only_journal(folder: Path) -> Path:
    (path,) = unfinished(folder / "unfinished")
    return path


def test_other_options_start_another_match_and_keep_the_first(home: Path) -> None:
    play(scripted("quit"), num_colors=5)
    first = only_journal(home)
    text = play(scripted("quit"), num_colors=6)
    assert "Note: an unfinished match with other options is kept in" in text
    assert first.exists()
    assert len(list(unfinished(home / "unfinished"))) == 2
    assert "Going on with your match" in play(scripted("quit"), num_colors=5)


def test_new_leaves_the_unfinished_match_alone(home: Path) -> None:
    play(scripted("quit"))
    text = play(scripted("quit"), is_new=True)
    assert "Going on" not in text
    assert len(list(unfinished(home / "unfinished"))) == 2


def test_resume_without_an_unfinished_match_says_so() -> None:
    with pytest.raises(NothingToResumeError, match="expected an unfinished match"):
        play(scripted(), is_resume=True)


def test_a_line_cut_by_a_kill_costs_that_line_only(home: Path) -> None:
    play(scripted("quit"), starter="me")
    path = only_journal(home)
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"command":{"id":"00","seat":0,"se')
    text = play(scripted("quit"))
    assert "Going on with your match" in text
    assert path.read_bytes() == whole


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\n",
        b"rubbish\n",
        b"\xff\xfe\n",
        b'{"agent":"heuristic","human":0}\n',
        b"[]\n",
        b'{"agent":"heuristic","human":0,"format":99}\n{"command":null,"events":[]}\n',
        b'{"agent":"heuristic","human":0,"format":1}\n{"command":null,"events":[]}\n',
    ],
)
def test_a_file_that_is_no_match_is_named_and_left_alone(home: Path, content: bytes) -> None:
    folder = home / "unfinished"
    folder.mkdir(parents=True)
    path = folder / "broken.match"
    path.write_bytes(content)
    text = play(scripted("quit"))
    assert "Note: " in text
    assert "broken.match" in text.replace("\n", "")
    assert path.read_bytes() == content


def test_a_match_that_another_terminal_plays_is_not_touched(home: Path) -> None:
    pytest.importorskip("fcntl")
    play(scripted("quit"))
    journal, _, _ = Journal.resume(only_journal(home))
    text = play(scripted("quit"))
    assert "is being played in another terminal" in text.replace("\n", " ")
    journal.close()


@pytest.mark.parametrize("name", ["", "   ", "x" * 200, "a\nb", "a\x1b[31mb"])
def test_a_name_nobody_can_read_is_refused(name: str, home: Path) -> None:
    """H-09: blank and endless names."""
    with pytest.raises(InvalidNameError, match="expected a name of 1 to 24 printable"):
        play(scripted(), name=name)
    assert not home.exists()


@pytest.mark.parametrize("name", ["Ω", "李小龙", "שלום", "a" * 24, ' "quoted" [x] \\ '])
def test_names_in_any_script_survive_record_and_resume(name: str, tmp_path: Path) -> None:
    record = tmp_path / "match.lcr"
    play(scripted("resign", "resign", "quit"), name=name, record=record, starter="me")
    assert record.exists()


def test_an_unknown_agent_is_refused_before_anything_is_written(home: Path) -> None:
    with pytest.raises(AgentSpecError, match=r"expected an agent .*, got 'stockfish'"):
        play(scripted(), against="stockfish")
    assert not home.exists()


def test_a_record_never_goes_over_another_file(tmp_path: Path) -> None:
    other = tmp_path / "letter.txt"
    other.write_text("dear reader")
    with pytest.raises(RecordFileError, match="exists and is not written over"):
        play(scripted(), record=other)
    with pytest.raises(RecordFileError, match="exists and is not written over"):
        play(scripted(), record=tmp_path)
    with pytest.raises(RecordFileError, match="cannot write a record in"):
        play(scripted(), record=tmp_path / "missing" / "x.lcr")
    assert other.read_text() == "dear reader"


def test_a_resumed_match_goes_on_with_its_record(tmp_path: Path) -> None:
    record = tmp_path / "match.lcr"

    def answer(shown: str) -> str | None:
        return None if shown.count("card?") > 4 else discards_all(shown)

    play(answer, record=record, num_rounds=1)
    before = record.read_text()
    play(discards_all)
    after = record.read_text()
    assert "[Secret " in after
    assert before.split("[Match ")[1][:40] == after.split("[Match ")[1][:40]


def test_a_record_that_cannot_be_written_does_not_stop_the_match(tmp_path: Path) -> None:
    folder = tmp_path / "records"
    folder.mkdir()

    def answer(shown: str) -> str | None:
        if shown.count("card?") == 2 and folder.exists():
            for path in folder.iterdir():
                path.unlink()
            folder.rmdir()
        return None if shown.count("card?") > 3 else discards_all(shown)

    text = play(answer, record=folder / "match.lcr")
    assert "the match itself is saved" in text.replace("\n", " ")


def test_the_files_of_a_match_are_for_its_owner_only(home: Path) -> None:
    play(scripted("quit"))
    assert only_journal(home).stat().st_mode & 0o077 == 0


def test_the_folder_of_matches_follows_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LOSTCITIES_HOME")
    monkeypatch.setenv("XDG_DATA_HOME", "/data")
    assert home() == Path("/data/lostcities")
    monkeypatch.delenv("XDG_DATA_HOME")
    assert home() == Path.home() / ".local" / "share" / "lostcities"


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    with pytest.raises(JournalError, match="cannot save the match in"):
        Journal.create(blocked / "x", "name", Header("heuristic", 0))


def test_a_full_disk_keeps_what_was_saved(home: Path) -> None:
    play(scripted("quit"))
    path = only_journal(home)
    before = path.read_bytes()
    journal, _, table = Journal.resume(path)
    read_only = os.open(path, os.O_RDONLY)
    os.dup2(read_only, journal._file.fileno())  # writing now fails, as on a full disk
    os.close(read_only)
    step = table.rematch(match_id="next", secret=table.state.opening.secret)
    with pytest.raises(JournalError, match="cannot save the match"):
        journal.append(step)
    journal.close()
    assert path.read_bytes() == before
