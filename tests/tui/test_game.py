import re
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from lostcities.agents import registry
from lostcities.agents.registry import Entry
from lostcities.notation import parse_records, replay
from lostcities.play.verification import verify_deals
from lostcities.rules import CLASSIC, Color, Discard, Position, Turn
from lostcities.tui.sentences import draw_choices
from tui.driving import FailingAgent, discards_all, hand_in, play, scripted


def test_a_whole_match_is_played_recorded_and_verifiable(home: Path, tmp_path: Path) -> None:
    record = tmp_path / "match.lcr"
    text = play(discards_all, record=record, starter="me")
    records = parse_records(record.read_text())
    assert len(records) == 3
    totals = replay(records[-1]).final.standing.totals
    assert totals[0] == 0
    results = {
        1: f"heuristic wins the match, {totals[1]} points to 0.",
        0: "The match is drawn, 0 points each.",
        -1: f"You win the match, 0 points to {totals[1]}.",
    }
    assert results[(totals[1] > 0) - (totals[1] < 0)] in text
    assert all(check.problem is None for check in verify_deals(records))
    (kept,) = (home / "finished").iterdir()
    assert kept.read_text() == record.read_text()
    assert not list((home / "unfinished").iterdir())


def test_the_commitment_shown_first_is_that_of_the_record(tmp_path: Path) -> None:
    record = tmp_path / "match.lcr"
    text = play(discards_all, num_rounds=1, record=record)
    shown = re.findall(r"^[0-9a-f]{64}$", text, re.MULTILINE)[0]
    records = parse_records(record.read_text())
    checks = verify_deals(records, commitment=shown)
    assert all(check.problem is None for check in checks)


@pytest.mark.parametrize("num_colors", [5, 6])
def test_the_table_fits_80_columns_without_any_escape_code(num_colors: int) -> None:
    text = play(discards_all, num_colors=num_colors, num_rounds=1)
    lines = [line for line in text.splitlines() if not line.startswith(("Record:", "Note:"))]
    assert max(map(len, lines)) <= 80
    assert "\x1b" not in text


def test_every_color_has_its_letter_and_its_symbol_beside_it() -> None:
    """H-20: nothing is told by colour alone."""
    text = play(scripted("table"), num_colors=6, starter="me")
    for color, symbol in zip(Color, "●≈▲♣♦★", strict=True):
        assert f"{color.letter}{symbol} {color.word}" in text
    symbols = dict(zip("YBWGRP", "●≈▲♣♦★", strict=True))
    hand = next(line for line in text.splitlines() if line.startswith("hand  "))
    for word in hand.removeprefix("hand  ").split():
        assert word[2] == symbols[word[0]]


def test_an_interrupted_match_goes_on_with_the_card_still_put_down() -> None:
    text = play(
        lambda shown: f"-{hand_in(shown)[0]}" if "draw?" not in shown else None, starter="me"
    )
    card = hand_in(text.split("card?")[0])[0]
    again = play(scripted("undo", "quit"))
    assert "Going on with your match" in again
    assert f"Discarding {card}" in again
    assert "The card is back in your hand." in again
    assert "The match is saved" in again


def test_only_a_staged_card_can_be_taken_back() -> None:
    def answer(shown: str) -> str | None:
        if shown.count("card?") + shown.count("draw?") > 2:
            return None
        return "undo" if "You: " in shown else f"-{hand_in(shown)[0]}/D"

    text = play(answer, starter="me")
    assert "cannot take back: no card is put down" in text


def test_refused_input_costs_nothing_and_says_why() -> None:
    lines = ("R1", "pass", "D", "foo", "", "\x00\x01", "undo", "R7/D/D", "x" * 5000, "quit")
    text = play(scripted(*lines), starter="me")
    assert "no such card exists" in " ".join(text.split())
    assert "cannot pass" in text
    assert "cannot draw yet: first play or discard one card" in text
    assert "cannot take back" in text
    assert "Traceback" not in text
    assert text.count("card?") == len(lines)


def test_a_card_that_does_not_fit_can_still_be_discarded() -> None:
    """H-04: a reason is shown, the turn stays open, discarding is always possible."""

    def answer(shown: str) -> str | None:
        if shown.splitlines()[-1] == "draw?":
            return "D" if shown.count("draw?") < 12 else None
        if "cannot play" in shown.rsplit("card?", 2)[-2]:
            return f"-{hand_in(shown)[0]}"
        return hand_in(shown)[-1]

    text = play(answer, starter="me")
    refused = re.search(r"cannot play (\w\w): \w+ expedition", text)
    assert refused
    assert f"Discarding {hand_in(text.split(refused[0])[0])[0]}" in text


def test_words_answer_without_using_up_the_turn() -> None:
    words = ("help", "last", "scores", "left", "hand", "table", "save", "deal", "resume", "?")
    text = play(scripted(*words, "quit"), starter="me")
    assert text.count("card?") == len(words) + 1
    assert "Nobody has made a turn in this round." in text
    assert "deck 44 cards, turns left: You 22, heuristic 22" in text
    assert "A turn is one card down, then one card drawn." in text


def test_resigning_takes_two_words_and_ends_the_match(tmp_path: Path) -> None:
    record = tmp_path / "match.lcr"
    text = play(scripted("resign", "resign", "quit"), starter="me", record=record)
    assert "You gave up; heuristic wins the match." in text
    (only,) = parse_records(record.read_text())
    assert only.tag("Termination") == "A resigned"
    assert only.deal is not None


def test_anything_said_in_between_takes_the_resignation_back() -> None:
    text = play(scripted("resign", "hand", "resign", "foo", "resign", "quit"), starter="me")
    assert "gave up" not in text
    assert text.count("Type resign once more") == 3


def test_help_tells_the_rules_of_this_game() -> None:
    text = play(scripted("help"), starter="me")
    for fact in (
        "only rise",
        "wagers go before numbers",
        "cannot be taken at once",
        "(sum - 20) x (1 + wagers), and 20 more",
        "After 12 turns in a row",
    ):
        assert fact in " ".join(text.split())


def test_the_player_adds_entropy_and_the_computer_none(tmp_path: Path) -> None:
    record = tmp_path / "match.lcr"
    play(scripted("resign", "resign", "quit"), record=record, starter="me")
    (only,) = parse_records(record.read_text())
    assert len(only.tag("EntropyA") or "") == 32
    assert only.tag("EntropyB") is None


def test_only_draws_that_the_rules_allow_are_offered() -> None:
    """At the stall limit a discard leaves the deck alone."""
    deal = Random(3).sample(CLASSIC.deck, k=60)
    guarded = replace(CLASSIC, stall_limit=0)
    position = Position.deal(deal, variant=guarded)
    position = position.after_turn(Turn(Discard(position.mover_hand[0])))
    observation = position.after(Discard(position.mover_hand[-1])).observe(position.mover)
    assert any(observation.pile_tops)
    assert draw_choices(observation, str) == "Draw: D for the deck"


def test_between_rounds_scores_save_and_quit_are_answered() -> None:
    answers = iter(["scores", "save", "table", "deal", "help", "what", "quit"])

    def answer(shown: str) -> str | None:
        if shown.splitlines()[-1] == "Enter: next round":
            return next(answers)
        return discards_all(shown)

    text = play(answer, starter="me")
    assert "expected Enter for the next round" in text
    assert "Every turn is saved, in " in text
    assert "Round 2 of 3" not in text
    again = play(scripted("", "quit"))
    assert "Round 2 of 3" in again


def test_a_rematch_swaps_the_starter() -> None:
    answers = iter(["maybe", "rematch", "quit"])

    def answer(shown: str) -> str | None:
        if shown.splitlines()[-1] == "rematch or quit?":
            return next(answers)
        return discards_all(shown)

    text = play(answer, starter="me", num_rounds=1)
    assert "expected 'rematch' or 'quit', got 'maybe'" in text
    assert text.index("You start.") < text.index("heuristic starts.")


@pytest.mark.parametrize(
    "way", ["raises", "tells its hand", "nothing", "draws first", "foreign card", "discards twice"]
)
def test_an_agent_that_fails_is_replaced_and_named(
    way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """H-12: the human is told, and the match goes on."""
    entry = Entry(lambda _: FailingAgent(way), "fails")
    monkeypatch.setitem(registry.AGENTS, "failing", entry)
    text = play(discards_all, against="failing", num_rounds=1, starter="computer")
    assert "Note: the agent failing failed (" in text
    assert not re.search(r"failed \(.*[YBWGRP][x2-9T]", text)
    assert "The match is drawn, 0 points each." in text


def test_plain_mode_only_adds_lines_of_words() -> None:
    def answer(shown: str) -> str | None:
        prompt = shown.splitlines()[-1]
        if prompt == "rematch or quit?":
            return None
        if prompt == "draw?":
            return "deck"
        hand = [line for line in shown.splitlines() if line.startswith("Hand: ")][-1]
        card = hand.removeprefix("Hand: ").rstrip(".").split(", ")[0]
        return "discard " + re.sub(" (twice|three times)$", "", card)

    text = play(answer, is_plain=True, num_rounds=2)
    assert "\x1b" not in text
    assert not re.search("[●≈▲♣♦★]", text)
    assert "Round 2 of 2." in text
    assert re.search("(You win|heuristic wins) the match|The match is drawn", text)


def test_plain_words_describe_the_whole_table() -> None:
    text = play(scripted("table", "hand", "scores", "quit"), is_plain=True, starter="computer")
    assert re.search(r"Hand: (yellow|blue|white|green|red) ", text)
    assert "heuristic:" in text
    assert "  total 0" in text


def test_the_last_cards_of_the_deck_are_announced() -> None:
    text = play(discards_all, num_rounds=1)
    assert re.search("[65] cards are left in the deck.", text)
    assert "The last card of the deck was drawn: the round is over." in text


def test_the_record_of_a_running_match_holds_nothing_hidden(tmp_path: Path) -> None:
    """H-17: an export in the middle shows what the player saw."""
    record = tmp_path / "match.lcr"

    def answer(shown: str) -> str | None:
        return None if shown.count("card?") > 5 else discards_all(shown)

    play(answer, record=record, starter="me")
    text = record.read_text()
    assert "[Deal " not in text
    assert "[Secret " not in text
    (only,) = parse_records(text)
    for index, written in enumerate(only.turns):
        assert (written.drawn is not None) == (index % 2 == 0 and written.turn.draw.pile is None)
