"""The record of a match as one viewer may have it.

While the match goes on it is made of what the viewer was shown, so a record
saved in the middle holds no card that its owner may not know. Once the secret
is revealed it holds every deal, and whatever is needed to verify them.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from lostcities.notation.records import Comment, RoundRecord
from lostcities.play.outcomes import TableView
from lostcities.play.provenance import Author, Provenance, comment_of
from lostcities.play.table import Table
from lostcities.play.views import RoundEndedView, RoundStartedView, TurnTakenView, Viewer
from lostcities.rules import SEAT_NAMES, SEATS, Points, Standing, WrittenTurn, seat_name


def match_records(table: Table, viewer: Viewer) -> tuple[RoundRecord, ...]:
    """Return the rounds of the match so far, as the viewer may have them."""
    shown = table.view(viewer)
    rounds = _collect(table, viewer)
    records = [_record(shown, part) for part in rounds]
    if shown.secret is not None:
        # Now that the deals can be computed by anybody, they need not be left out.
        records = [
            replace(
                record,
                deal=event.deal,
                turns=_without_draws(record.turns),
                comments=_comments(origins),
            )
            for record, event, origins in zip(records, table.deals, table.origins, strict=True)
        ]
    if records and (ending := _termination(shown)):
        records[-1] = records[-1].with_tags(Termination=ending)
    return tuple(records)


@dataclass(slots=True)
class _Round:
    """What a viewer was shown of a round."""

    standing: Standing
    turns: list[WrittenTurn] = field(default_factory=list)
    authors: list[Author | None] = field(default_factory=list)
    scores: Points | None = None


def _collect(table: Table, viewer: Viewer) -> list[_Round]:
    rounds: list[_Round] = []
    for event in table.events_for(viewer):
        match event:
            case RoundStartedView():
                rounds.append(_Round(event.standing))
            case TurnTakenView():
                rounds[-1].turns.append(WrittenTurn(event.turn, event.drawn))
                rounds[-1].authors.append(event.author)
            case RoundEndedView():
                rounds[-1].scores = event.scores
            case _:
                pass  # the other events concern the match, not a round
    return rounds


def _record(shown: TableView, part: _Round) -> RoundRecord:
    return RoundRecord(
        variant=shown.variant,
        standing=part.standing,
        names=shown.names,
        turns=_without_obvious(part.turns),
        is_over=part.scores is not None,
        result=part.scores,
        comments=_comments(part.authors),
        tags=tuple(_tags(shown)),
    )


def _comments(origins: Sequence[Author | Provenance | None]) -> tuple[Comment, ...]:
    return tuple(
        comment_of(number, origin)
        for number, origin in enumerate(origins, start=1)
        if origin is not None
    )


def _without_draws(turns: Iterable[WrittenTurn]) -> tuple[WrittenTurn, ...]:
    """Leave out what was drawn: the deal tells."""
    return tuple(WrittenTurn(written.turn) for written in turns)


def _termination(shown: TableView) -> str | None:
    if shown.ended is None or shown.ended.resigned is None:
        return None
    return f"{seat_name(shown.ended.resigned)} resigned"


def _without_obvious(turns: Iterable[WrittenTurn]) -> tuple[WrittenTurn, ...]:
    """Leave out what came from a pile: everybody can see which card that was."""
    return tuple(
        written if written.turn.draw.pile is None else WrittenTurn(written.turn)
        for written in turns
    )


def _tags(shown: TableView) -> Iterator[tuple[str, str]]:
    if shown.opened_on:
        yield "Date", shown.opened_on
    yield "Match", shown.match_id
    yield "Commitment", shown.commitment
    if shown.first_starter is not None:
        yield "FirstStarter", f"{seat_name(shown.first_starter)} agreed"
    for seat in SEATS:
        if shown.entropy[seat]:
            yield f"Entropy{SEAT_NAMES[seat]}", shown.entropy[seat].hex()
    if shown.secret is not None:
        yield "Secret", shown.secret
