"""A match from the first deal to the last word, as a conversation in lines.

The same conversation in two faces: usually each turn begins with a picture of
the whole table; in plain mode there are no pictures, only sentences. Neither
ever takes back a line that was shown, so everything can be scrolled to.
"""

from typing import assert_never

from lostcities.notation import NotationError
from lostcities.play import (
    Refused,
    Resign,
    Stage,
    StageCard,
    TakeBack,
    TakeTurn,
)
from lostcities.play.views import (
    EventView,
    RoundEndedView,
    RoundStartedView,
    TurnTakenView,
)
from lostcities.rules import (
    Card,
    Discard,
    Draw,
    Pass,
    Phase,
    Play,
    Turn,
    other_seat,
)
from lostcities.tui import sentences
from lostcities.tui.board import Board, deck_and_turns, format_hand, receipts, wrap
from lostcities.tui.console import Console
from lostcities.tui.help import help_lines
from lostcities.tui.local_match import LocalMatch
from lostcities.tui.requests import Request, Word, read_request
from lostcities.tui.style import Style


class Leave(Exception):  # noqa: N818 # not an error: the person leaves the table
    """The person leaves; the match stays as it is."""


class Game:
    """One person, one match, one console."""

    def __init__(
        self, match: LocalMatch, console: Console, *, style: Style, is_plain: bool
    ) -> None:
        self._match = match
        self._console = console
        self._style = style
        self._is_plain = is_plain
        self._shown = match.version()
        self._has_asked_to_resign = False

    def run(self) -> None:
        """Play until the match is over.

        Raises:
            Leave: If the person leaves before.
        """
        self._greet()
        while (stage := self._match.view().stage) is not Stage.OVER:
            if stage is Stage.BETWEEN_ROUNDS:
                self._start_round()
            elif self._match.is_computers_turn:
                self._let_computer_play()
            else:
                self._take_turn()
        self._say_end()

    # --- between turns ----------------------------------------------------------------

    def _greet(self) -> None:
        view = self._match.view()
        if view.observation is None:
            self._say_commitment()
            if view.variant.stall_limit is not None:
                self._say_wrapped(
                    f"House rule: after {view.variant.stall_limit} turns in a row that discarded "
                    "and took a discard, a turn that discards draws from the deck."
                )
            return
        self._console.say(sentences.standing_sentence(view) + ".")
        if view.last_turn is not None:
            self._console.say("Last: " + self._turn_sentence(view.last_turn))

    def _start_round(self) -> None:
        if self._match.view().match.rounds and not self._is_plain:
            self._ask_for_next_round()
        self._match.start_round()
        self._tell_news()

    def _ask_for_next_round(self) -> None:
        while True:
            line = self._ask("Enter: next round")
            match line.strip().lower():
                case "" | "next" | "ready" | "continue":
                    return
                case "quit" | "q" | "exit":
                    raise Leave
                case "scores" | "s":
                    self._say_receipts()
                case "save":
                    self._say_where_saved()
                case "help" | "?":
                    self._say_help()
                case "table" | "board":
                    self._say_board()
                case "deal":
                    self._say_commitment()
                case _:
                    self._console.say(
                        "expected Enter for the next round, or: scores, table, deal, save, help, quit; "
                        f"got {line.strip()[:40]!r}"
                    )

    def _let_computer_play(self) -> None:
        self._match.let_computer_play()
        self._tell_news()

    def _tell_news(self) -> None:
        for event in self._match.news(self._shown):
            self._tell(event)
        self._shown = self._match.version()
        for trouble in self._match.troubles():
            self._say_wrapped(f"Note: {trouble}.")

    def _tell(self, event: EventView) -> None:
        match event:
            case RoundStartedView():
                starter = sentences.does(self._name(event.standing.starter), "starts")
                number, num_rounds = event.standing.round_number, event.standing.num_rounds
                self._console.say("", f"Round {number} of {num_rounds}. {starter}.")
            case TurnTakenView():
                self._console.say(self._turn_sentence(event))
            case RoundEndedView():
                self._say_round_end(event)
            case _:
                pass  # said where it was asked for

    def _say_round_end(self, event: RoundEndedView) -> None:
        view = self._match.view()
        self._console.say("", "The last card of the deck was drawn: the round is over.")
        self._say_receipts()
        self._console.say(
            sentences.round_result(event.scores, event.round_number, view.names),
            sentences.standing_sentence(view) + ".",
        )

    def _say_end(self) -> None:
        view = self._match.view()
        self._console.say("", sentences.match_result(view))
        for number, result in enumerate(view.match.rounds, start=1):
            self._console.say(
                f"  round {number}: {view.names[0]} {result.scores[0]}, "
                f"{view.names[1]} {result.scores[1]}"
            )

    # --- a turn of the person ---------------------------------------------------------

    def _take_turn(self) -> None:
        self._has_asked_to_resign = False
        self._show_table()
        while self._is_own_turn:
            self._answer(self._ask_for_move())
            self._tell_news()

    @property
    def _is_own_turn(self) -> bool:
        return self._match.view().stage is Stage.PLAYING and not self._match.is_computers_turn

    def _show_table(self) -> None:
        view, observation = self._match.view(), self._match.observation()
        if self._is_plain:
            self._console.say(
                f"Your turn, {deck_and_turns(observation, view.names)}.",
                f"Hand: {sentences.words_of(observation.hand)}.",
            )
        else:
            self._console.say("")
            self._say_board()
        if warning := sentences.end_of_deck_warning(observation):
            self._console.say(warning)
        if view.staged is not None:
            self._say_staged()

    def _ask_for_move(self) -> Request | None:
        observation = self._match.observation()
        prompt = "draw?" if observation.phase is Phase.DRAW else "card?"
        line = self._ask(prompt)
        try:
            return read_request(line, observation)
        except NotationError as error:
            self._say_wrapped(str(error))
            return None

    def _answer(self, request: Request | None) -> None:
        if request is not Word.RESIGN:
            self._has_asked_to_resign = False
        match request:
            case None:
                pass
            case Word():
                self._answer_word(request)
            case Play() | Discard():
                if self._submit(StageCard(request)):
                    self._say_staged()
            case Draw():
                self._draw(request)
            case Turn():
                self._submit(TakeTurn(request))
            case Pass():
                self._say_refusal(request)
            case _:
                assert_never(request)

    def _draw(self, draw: Draw) -> None:
        staged = self._match.view().staged
        if staged is None:
            self._say_refusal(draw)
        else:
            self._submit(TakeTurn(Turn(staged, draw)))

    def _say_refusal(self, request: Draw | Pass) -> None:
        if refusal := self._match.observation().reason_against(request):
            self._say_wrapped(refusal.sentence)

    def _submit(self, action: StageCard | TakeTurn | TakeBack | Resign) -> bool:
        outcome = self._match.submit(action)
        if isinstance(outcome, Refused):
            self._say_wrapped(outcome.refusal.sentence)
            return False
        return True

    def _say_staged(self) -> None:
        view, observation = self._match.view(), self._match.observation()
        if view.staged is None:
            return
        self._console.say(
            sentences.staged_sentence(view.staged, observation, self._match.human, self._card)
        )
        self._say_wrapped(sentences.draw_choices(observation, self._card) + "; undo")

    # --- words ------------------------------------------------------------------------

    def _answer_word(self, word: Word) -> None:
        say = {
            Word.HELP: self._say_help,
            Word.LAST: self._say_last,
            Word.SCORES: self._say_receipts,
            Word.LEFT: self._say_left,
            Word.HAND: self._say_hand,
            Word.TABLE: self._say_board,
            Word.SAVE: self._say_where_saved,
            Word.DEAL: self._say_commitment,
        }
        if word in say:
            say[word]()
        elif word is Word.UNDO:
            if self._submit(TakeBack()):
                self._console.say("The card is back in your hand.")
        elif word is Word.RESIGN:
            self._resign()
        else:
            raise Leave

    def _say_help(self) -> None:
        self._console.say_all(help_lines(self._match.view().variant))

    def _say_left(self) -> None:
        view = self._match.view()
        self._console.say(deck_and_turns(self._match.observation(), view.names))

    def _resign(self) -> None:
        if self._has_asked_to_resign:
            self._submit(Resign())
            return
        self._has_asked_to_resign = True
        self._console.say("Type resign once more to give up the whole match.")

    def _say_last(self) -> None:
        turns = [event for event in self._match.news(0) if isinstance(event, TurnTakenView)][-2:]
        if self._match.view().last_turn is None:
            self._console.say("Nobody has made a turn in this round.")
            return
        self._console.say_all(self._turn_sentence(event) for event in turns)

    def _say_hand(self) -> None:
        hand = self._match.observation().hand
        text = sentences.words_of(hand) if self._is_plain else format_hand(hand, self._style)
        self._console.say(f"Hand: {text}")

    def _say_board(self) -> None:
        view, observation = self._match.view(), self._match.observation()
        seat = self._match.human
        if self._is_plain:
            self._say_hand()
            self._say_piles()
            self._say_receipts()
            return
        board = Board(observation, view.names, bottom=seat, hands={seat: observation.hand})
        self._console.say_all(board.lines(self._style))

    def _say_piles(self) -> None:
        observation = self._match.observation()
        for color, top, size in zip(
            observation.variant.colors, observation.pile_tops, observation.pile_sizes, strict=True
        ):
            if top is not None:
                cards = "1 card" if size == 1 else f"{size} cards"
                self._console.say(f"Discard pile {color.word}: top {top.words}, {cards}")

    def _say_receipts(self) -> None:
        view, observation = self._match.view(), self._match.observation()
        for seat in (other_seat(self._match.human), self._match.human):
            expeditions, variant = observation.expeditions[seat], observation.variant
            self._console.say(f"{view.names[seat]}:")
            self._console.say_all(
                sentences.receipts_in_words(expeditions, variant)
                if self._is_plain
                else receipts(expeditions, variant, style=self._style)
            )

    def _say_commitment(self) -> None:
        self._console.say(
            "Commitment to the deals of this match (SHA-256), to verify them afterwards:",
            self._match.view().commitment,
        )

    def _say_where_saved(self) -> None:
        self._console.say(
            f"Every turn is saved, in {self._match.journal.path}.",
            "Leave at any time; 'lostcities play --terminal' goes on from here.",
        )

    # --- saying -----------------------------------------------------------------------

    def _ask(self, prompt: str) -> str:
        line = self._console.ask(prompt)
        if line is None:
            raise Leave
        return line

    def _card(self, card: Card) -> str:
        return card.words if self._is_plain else self._style.card(card)

    def _name(self, seat: int) -> str:
        return self._match.view().names[seat]

    def _turn_sentence(self, event: TurnTakenView) -> str:
        return sentences.turn_sentence(event, self._match.view().names, self._card)

    def _say_wrapped(self, text: str) -> None:
        self._console.say_all(wrap(text))
