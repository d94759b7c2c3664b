"""The requests: tables, seats, commands, and what may be read. Commands go the same way as on the socket."""

import asyncio
import contextlib
import secrets
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Header, Query, Request, Response
from fastapi.responses import PlainTextResponse, StreamingResponse

from lostcities import __version__
from lostcities.notation import format_records, parse_turn
from lostcities.notation.errors import NotationError
from lostcities.play import (
    Action,
    Command,
    InvalidNameError,
    OfferRematch,
    Ready,
    Resign,
    Secret,
    TableRefusalCode,
    TakeTurn,
    Viewer,
    new_match_id,
    open_table,
)
from lostcities.play.codec import CorruptLogError
from lostcities.play.recording import match_records
from lostcities.rules import (
    CLASSIC,
    LONG,
    ONLINE_STALL_LIMIT,
    SEAT_NAMES,
    SEATS,
    MatchGoal,
    Seat,
    StarterPolicy,
    Variant,
)
from lostcities.server import proofs, replays, schema, views
from lostcities.server.entries import Created, Stepped, without_guest
from lostcities.server.errors import ApiError
from lostcities.server.gate import address_of
from lostcities.server.house import House
from lostcities.server.hub import Answer, NoSuchTableError, Room, SeatTakenError, new_id, today
from lostcities.server.limits import Limiter
from lostcities.server.live_table import LiveTable
from lostcities.server.logs import logger
from lostcities.server.names import clean_name
from lostcities.server.seats import (
    SeatKey,
    cookie_header,
    expired_cookie_header,
    hash_of_press,
    hash_of_token,
    new_code,
    new_token,
    read_code,
    read_cookies,
)
from lostcities.server.store import Batch, ConflictError, KeyRow, StoreUnavailableError
from lostcities.server.store_tables import COOKIE, PRESS, RECOVERY
from lostcities.server.streams import stream_of

HOST: Seat = 0
_MOST_LISTED = 60
_MOST_TRIES = 3
_MOST_COOKIES = 120
"""Browsers keep 180 of one server, and drop any."""
_MOST_FORGOTTEN = 10
"""Tables that are looked at for one request; the next one looks at others."""
_log = logger("requests")
_LOTS = secrets.SystemRandom()
router = APIRouter(
    prefix="/api",
    responses={
        "4XX": {"model": schema.Problem, "description": "Refused, and why."},
        "5XX": {"model": schema.Problem, "description": "Not possible just now, and why."},
    },
)

_PROBLEM = {"application/json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
_REFUSED_IN_JSON: dict[int | str, dict[str, Any]] = {
    "4XX": {"description": "Refused, and why.", "content": _PROBLEM},
    "5XX": {"description": "Not possible just now, and why.", "content": _PROBLEM},
}
"""For answers that are no JSON themselves."""


class _EventStream(StreamingResponse):
    media_type = "text/event-stream"


SeatQuery = Annotated[
    schema.ViewerName | None,
    Query(
        description="Which of the held seats looks on; needed where a browser holds both. "
        "'none' asks for what everybody may know."
    ),
]


async def house_of(request: Request) -> House:  # else each request would wait for a thread
    """Return the parts of this server."""
    house: House = request.app.state.house
    return house


HouseHere = Annotated[House, Depends(house_of)]


# --- who asks -------------------------------------------------------------------------------------


async def viewer_of(
    house: House, live: LiveTable, cookies: str, seat: schema.ViewerName | None
) -> Viewer:
    """Return as whom somebody looks on; without a wish as the first seat that is held.

    Raises:
        ApiError: If a seat is asked for that this browser does not hold.
    """
    if seat == "none":
        return None
    held = await house.access.seats_in(live.created.series, read_cookies(cookies))
    if seat is not None:
        if SEAT_NAMES.index(seat) not in held:
            raise ApiError(403, "not_your_seat", f"expected a seat of yours, got {seat}")
        return SEAT_NAMES.index(seat)
    return held[0] if held else None


async def _seat_of(
    request: Request, house: House, live: LiveTable, seat: schema.SeatName | None
) -> Seat:
    viewer = await viewer_of(house, live, request.headers.get("cookie", ""), seat)
    if viewer is None:
        raise ApiError(
            403, "no_seat", "expected somebody with a seat at this table, got a spectator"
        )
    return viewer


def _limit(limiter: Limiter, request: Request) -> None:
    if wait := limiter.take(address_of(request.scope)):
        raise ApiError(
            429, "too_many_requests", f"too many of these: try again in {wait} s", retry_after=wait
        )


def _base_url(request: Request, house: House) -> str:
    return house.settings.base_url or str(request.base_url).rstrip("/")


def _name(text: str) -> str:
    try:
        return clean_name(text)
    except InvalidNameError as error:
        raise ApiError(422, "bad_name", str(error)) from None


# --- opening and joining --------------------------------------------------------------------------


@router.post("/tables", status_code=201)
async def open_new_table(
    wish: schema.NewTable, request: Request, response: Response, house: HouseHere
) -> schema.OpenedTable:
    """Open a table. The cookies of its seats come with the answer; a repeated id opens no second."""
    _limit(house.openings, request)
    press = "" if wish.id is None else hash_of_press("open", wish.id)
    if live := await _opened_before(house, press):
        return await _seat_host(request, response, house, live)
    created = _created(wish, house)
    live = LiveTable(created.series, created)
    entries = [] if created.kind == "friend" else [Stepped(created.draft)]
    seats = _new_seats(request, house, created.series, _seats_of_host(created))
    marks = [KeyRow(press, created.series, HOST, PRESS)] if press else []
    await _forget_old_seats(request, response, house)
    try:
        await house.hub.open_table(live, entries, [*seats.keys, *marks])
    except ConflictError:
        before = await _opened_before(house, press)
        if before is None:
            raise
        return await _seat_host(request, response, house, before)
    return _opened(request, response, house, live, seats)


async def _opened_before(house: House, press: str) -> LiveTable | None:
    """Return the table that a press has opened, None if it has opened none."""
    found = await house.store.find_key(press) if press else None
    if found is None:
        return None
    async with house.hub.at(found.series) as room:
        return await room.live()


async def _seat_host(
    request: Request, response: Response, house: House, live: LiveTable
) -> schema.OpenedTable:
    """Answer again: the first answer may never have come."""
    seats = _new_seats(request, house, live.created.series, _seats_of_host(live.created))
    await _store_keys(house, seats.keys)
    return _opened(request, response, house, live, seats)


def _seats_of_host(created: Created) -> tuple[Seat, ...]:
    return SEATS if created.kind == "local" else (HOST,)


def _opened(
    request: Request, response: Response, house: House, live: LiveTable, seats: "_NewSeats"
) -> schema.OpenedTable:
    _hand_over(response, house, seats)
    return schema.OpenedTable(
        table_id=live.table_id,
        seats=[link.seat for link in seats.links],
        invite=_with_base(house.hub.invite(live), request, house),
        recovery=seats.links,
    )


async def _forget_old_seats(request: Request, response: Response, house: House) -> None:
    """Take cookies of finished matches back before the browser drops some of its own choice."""
    tokens = read_cookies(request.headers.get("cookie", ""))
    if len(tokens) < _MOST_COOKIES:
        return
    held = await house.access.held_by(tokens)
    tables = await house.store.last_used(list({key.series for key in held}))
    old = [table.table_id for table in tables[_MOST_LISTED:]]
    for table_id in _LOTS.sample(old, min(_MOST_FORGOTTEN, len(old))):
        found = await _look(house, table_id)
        if found is not None and found[1].is_over and not found[1].next_table:
            for key in held:
                if key.series == found[1].created.series:
                    response.headers.append("set-cookie", expired_cookie_header(key))


async def _look(house: House, table_id: str) -> tuple[Room, LiveTable] | None:
    """Return a table of several; None if its log cannot be read, for that must not hide the others."""
    async with house.hub.at(table_id) as room:
        try:
            return room, await room.live()
        except CorruptLogError:
            _log.error(
                "the log of a table cannot be read", table=table_id
            )  # its text may name cards
            return None


def _with_base(
    invite: schema.Invite | None, request: Request, house: House
) -> schema.Invite | None:
    if invite is None:
        return None
    return schema.Invite(code=invite.code, url=f"{_base_url(request, house)}/join/{invite.code}")


def _created(wish: schema.NewTable, house: House) -> Created:
    agent, agent_name = "", ""
    name, other = _name(wish.name), ""
    match wish.opponent:
        case schema.ComputerOpponent(agent=spec):
            if spec not in house.agents:
                raise ApiError(
                    422, "no_such_agent", "expected an agent of /api/agents, got another"
                )
            agent, agent_name = spec, house.agents[spec].name
            other = agent_name
        case schema.LocalOpponent(name=text):
            other = _name(text)
        case schema.FriendOpponent():
            pass
    is_friend = wish.opponent.kind == "friend"
    opening = open_table(
        variant=_variant(wish),
        names=(name, other or name),
        match_id=new_match_id(),
        secret=Secret.generate(),
        first_starter={"you": HOST, "other": 1 - HOST, "random": None}[wish.starter],
        opened_on=today(),
    )
    if is_friend:
        opening = without_guest(opening)
    return Created(
        series=new_id(),
        kind=wish.opponent.kind,
        host=HOST,
        agent=agent,
        agent_name=agent_name,
        invite=new_code() if is_friend else "",
        previous="",
        draft=opening,
    )


def _variant(wish: schema.NewTable) -> Variant:
    rules = wish.house_rules
    preset = LONG if wish.preset == "long" else CLASSIC
    rounds = 1 if wish.preset == "quick" else preset.num_rounds
    return replace(
        preset,
        num_colors=wish.colors or preset.num_colors,
        num_rounds=wish.rounds or rounds,
        starter_policy=StarterPolicy(rules.starter_policy),
        match_goal=MatchGoal(rules.match_goal),
        tabletop_memory=rules.tabletop_memory,
        own_discard_block=rules.own_discard_block,
        stall_limit=ONLINE_STALL_LIMIT,
    )


@dataclass(frozen=True, slots=True)
class _NewSeats:
    """What a browser is given with seats, once it is stored.

    Attributes:
        keys: What is to be stored.
        cookies: The headers that give the browser its tokens.
        links: The ways back.
    """

    keys: list[KeyRow] = field(default_factory=list)
    cookies: list[str] = field(default_factory=list, repr=False)
    links: list[schema.RecoveryLink] = field(default_factory=list, repr=False)


def _new_seats(request: Request, house: House, series: str, seats: tuple[Seat, ...]) -> _NewSeats:
    """Return new tokens of seats."""
    new = _NewSeats()
    for seat in seats:
        cookie_key, cookie = _new_cookie(request, house, SeatKey(series, seat))
        key, link = _new_recovery(request, house, SeatKey(series, seat))
        new.keys.extend((cookie_key, key))
        new.cookies.append(cookie)
        new.links.append(link)
    return new


def _hand_over(response: Response, house: House, seats: _NewSeats) -> None:
    """Give a browser the tokens of seats, which are stored."""
    for cookie in seats.cookies:
        response.headers.append("set-cookie", cookie)
    for key in seats.keys:
        house.access.remember(key)


async def _store_keys(house: House, keys: list[KeyRow]) -> None:
    """Store keys of seats that are taken.

    Raises:
        StoreUnavailableError: If they could not be stored.
    """
    for _ in range(_MOST_TRIES):
        with contextlib.suppress(ConflictError):  # another process made a link at the same time
            await house.store.append(Batch(keys=keys))
            return
    raise StoreUnavailableError("cannot save that just now: others are faster; try again")


def _new_cookie(request: Request, house: House, key: SeatKey) -> tuple[KeyRow, str]:
    token = new_token()
    is_secure = _base_url(request, house).startswith("https:")
    row = KeyRow(hash_of_token(token), key.series, key.seat, COOKIE)
    return row, cookie_header(key, token, is_secure=is_secure)


def _new_recovery(
    request: Request, house: House, key: SeatKey
) -> tuple[KeyRow, schema.RecoveryLink]:
    token = new_token()
    # Behind the '#' it is sent to no server and stands in no log.
    url = f"{_base_url(request, house)}/recover#{token}"
    row = KeyRow(hash_of_token(token), key.series, key.seat, RECOVERY)
    return row, schema.RecoveryLink(seat=views.name_of(key.seat), url=url)


@router.get("/invites/{code}")
async def look_at_invite(code: str, request: Request, house: HouseHere) -> schema.InviteInfo:
    """Say what an invite is for. This takes no seat; joining does."""
    _limit(house.guesses, request)
    table_id = await house.store.find_invited(read_code(code))
    if table_id is None:
        raise ApiError(404, "no_such_invite", "expected the code of an invite, got another")
    async with house.hub.at(table_id) as room:
        live = await room.live()
        opening = live.opening
        return schema.InviteInfo(
            table_id=table_id,
            host=opening.names[live.created.host],
            variant=views.variant_info(opening.variant),
            free=live.has_free_seat,
            first_starter=None
            if opening.first_starter is None
            else views.name_of(opening.first_starter),
        )


@router.post("/tables/{table_id}/join")
async def join(
    table_id: str,
    wish: schema.JoinRequest,
    request: Request,
    response: Response,
    house: HouseHere,
) -> schema.JoinedTable:
    """Take the free seat. Of several at once exactly one gets it, and by a repeated id again."""
    _limit(house.guesses, request)
    name = _name(wish.name)
    async with house.hub.at(table_id) as room:
        live = await room.live()
        series = live.created.series
        _check_code(wish.code, live.created.invite)
        press = "" if wish.id is None else hash_of_press(table_id, wish.id)
        seats = _new_seats(request, house, series, (live.guest,))
        if await _is_known(house, press):
            await _store_keys(house, seats.keys)
        else:
            tokens = read_cookies(request.headers.get("cookie", ""))
            if await house.access.seats_in(series, tokens):
                raise ApiError(
                    409, "own_table", "cannot join: this browser has a seat here already"
                )
            await _take_seat(house, room, name, seats, press)
    _hand_over(response, house, seats)
    return schema.JoinedTable(table_id=table_id, seat=seats.links[0].seat, recovery=seats.links[0])


def _check_code(given: str, invite: str) -> None:
    if not invite or not secrets.compare_digest(read_code(given).encode(), invite.encode()):
        raise ApiError(403, "wrong_code", "expected the code of this table's invite, got another")


async def _is_known(house: House, press: str) -> bool:
    """Return whether a seat was taken by this press: its answer may never have come."""
    return bool(press) and await house.store.find_key(press) is not None


async def _take_seat(house: House, room: Room, name: str, seats: _NewSeats, press: str) -> None:
    """Take the free seat, unless the same press has taken it meanwhile."""
    cookie = seats.keys[0]
    marks = [KeyRow(press, cookie.series, cookie.seat, PRESS)] if press else []
    try:
        await room.join(name, [*seats.keys, *marks])
    except SeatTakenError as error:
        if not await _is_known(house, press):
            raise ApiError(409, "seat_taken", str(error)) from None
        await _store_keys(house, seats.keys)


@router.post("/recover")
async def recover(
    wish: schema.RecoverRequest, request: Request, response: Response, house: HouseHere
) -> schema.RecoveredSeat:
    """Give back the cookie of a seat to whoever has its recovery link."""
    _limit(house.guesses, request)
    found = await house.access.find(wish.token)
    if found is None or found.kind != RECOVERY:
        raise ApiError(404, "no_such_link", "expected the token of a recovery link, got another")
    tables = await house.store.tables_of([found.series], most=1)
    key, cookie = _new_cookie(request, house, SeatKey(found.series, found.seat))
    await house.store.append(Batch(keys=[key]))
    response.headers.append("set-cookie", cookie)
    return schema.RecoveredSeat(table_id=tables[0], seat=views.name_of(found.seat))


@router.post("/tables/{table_id}/recovery")
async def make_recovery_link(
    table_id: str, wish: schema.SeatRequest, request: Request, house: HouseHere
) -> schema.RecoveryLink:
    """Make a new recovery link for a seat that this browser holds; the earlier one ends."""
    _limit(house.guesses, request)
    async with house.hub.at(table_id) as room:
        live = await room.live()
        seat = await _seat_of(request, house, live, wish.seat)
        key, link = _new_recovery(request, house, SeatKey(live.created.series, seat))
        await _store_keys(house, [key])
        return link


# --- reading --------------------------------------------------------------------------------------


@router.get("/tables")
async def list_tables(request: Request, house: HouseHere) -> list[schema.TableSummary]:
    """List the tables in which this browser has a seat: running games first, then finished ones.

    Of both the last used come first, and of both there is a most.
    """
    tokens = read_cookies(request.headers.get("cookie", ""))
    series = list({key.series for key in await house.access.held_by(tokens)})
    running: list[schema.TableSummary] = []
    over: list[schema.TableSummary] = []
    for table in await house.store.last_used(series):
        if min(len(running), len(over)) >= _MOST_LISTED:
            break
        if table.is_followed and len(over) >= _MOST_LISTED:
            continue
        found = await _look(house, table.table_id)
        if found is None:
            continue
        room, live = found
        kind = over if live.is_over else running
        held = await house.access.seats_in(live.created.series, tokens)
        if held and len(kind) < _MOST_LISTED:
            kind.append(_summary(room, live, held))
    return running + over


def _summary(room: Room, live: LiveTable, held: tuple[Seat, ...]) -> schema.TableSummary:
    snapshot = live.snapshot(held[0])
    seats = [views.name_of(seat) for seat in held]
    updated = datetime.fromtimestamp(room.updated_ms / 1000, UTC)
    return schema.TableSummary(
        table_id=live.table_id,
        seats=seats,
        names=snapshot.names,
        status=snapshot.status,
        your_turn=snapshot.to_move in seats,
        round=snapshot.round,
        rounds=snapshot.rounds,
        colors=len(snapshot.variant.colors),
        totals=snapshot.totals,
        opponent=snapshot.opponent,
        result=snapshot.result,
        updated=updated.isoformat(timespec="milliseconds"),
    )


@router.get("/tables/{table_id}")
async def look_at_table(
    table_id: str, request: Request, house: HouseHere, seat: SeatQuery = None
) -> schema.Snapshot:
    """Show how a table stands, for a seat by its cookie, else for a spectator."""
    async with house.hub.at(table_id) as room:
        live = await room.live()
        viewer = await viewer_of(house, live, request.headers.get("cookie", ""), seat)
        snapshot = room.snapshot(live, viewer)
        return snapshot.model_copy(update={"invite": _with_base(snapshot.invite, request, house)})


@router.get("/tables/{table_id}/events")
async def list_events(
    table_id: str,
    request: Request,
    house: HouseHere,
    after: Annotated[int, Query(ge=0, le=schema.LAST_VERSION)] = 0,
    seat: SeatQuery = None,
) -> schema.EventList:
    """List what this viewer has been shown after a version."""
    async with house.hub.at(table_id) as room:
        live = await room.live()
        viewer = await viewer_of(house, live, request.headers.get("cookie", ""), seat)
        version = live.version(viewer)
        if after > version:
            raise ApiError(
                422, "no_such_version", f"expected a version from 0 to {version}, got {after}"
            )
        return schema.EventList(version=version, events=live.events(viewer, after=after))


@router.get("/tables/{table_id}/stream", response_class=_EventStream, responses=_REFUSED_IN_JSON)
async def stream(
    table_id: str,
    request: Request,
    house: HouseHere,
    seat: SeatQuery = None,
    last_event_id: Annotated[str | None, Header()] = None,
) -> _EventStream:
    """Send what happens as server-sent events; the id of each is the version after it."""
    is_number = last_event_id is not None and last_event_id.isascii() and last_event_id.isdigit()
    last = int(last_event_id[:9]) if is_number and last_event_id is not None else None
    async with house.hub.at(table_id) as room:
        live = await room.live()
        viewer = await viewer_of(house, live, request.headers.get("cookie", ""), seat)
    address = address_of(request.scope)
    if house.has_too_many_listeners(address):
        raise ApiError(
            429,
            "too_many_sockets",
            f"expected at most {house.settings.limits.sockets_per_address} streams and sockets "
            "from one address, got more",
            retry_after=60,
        )
    return _EventStream(stream_of(house, table_id, viewer, last, address=address))


@router.get(
    "/tables/{table_id}/record", response_class=PlainTextResponse, responses=_REFUSED_IN_JSON
)
async def download_record(
    table_id: str, request: Request, house: HouseHere, seat: SeatQuery = None
) -> PlainTextResponse:
    """Give the record of the match: before its end, what this viewer knows of it."""
    async with house.hub.at(table_id) as room:
        live = await room.live()
        viewer = await viewer_of(house, live, request.headers.get("cookie", ""), seat)
        records = () if live.has_free_seat else match_records(live.table, viewer)
        if not records:
            raise ApiError(409, "not_started", "cannot give a record: no card has been dealt yet")
        name = f"lostcities-{live.opening.match_id[:8]}.lcr"
    return PlainTextResponse(
        format_records(records), headers={"Content-Disposition": f'attachment; filename="{name}"'}
    )


@router.get("/tables/{table_id}/verify")
async def verify(table_id: str, house: HouseHere) -> schema.Proof:
    """Give all that it takes to verify the deals of a finished match."""
    async with house.hub.at(table_id) as room:
        live = await room.live()
        proof = None if live.has_free_seat else proofs.proof_of(live.table)
        if proof is None:
            raise ApiError(
                409, "not_finished", "cannot show the secret of the deals: the match is not over"
            )
        return proof


@router.get("/tables/{table_id}/replay", response_model=schema.Replay)
async def replay(
    table_id: str, request: Request, house: HouseHere, seat: SeatQuery = None
) -> Response:
    """Show the match step by step, as far as this viewer may see it."""
    _limit(house.guesses, request)
    async with house.hub.at(table_id) as room:
        live = await room.live()
        viewer = await viewer_of(house, live, request.headers.get("cookie", ""), seat)
        stored = await house.store.read_log(table_id)
    if stored is None:
        raise NoSuchTableError("expected the address of a table, got one that there is not")

    def made() -> str:
        return replays.replay_of(table_id, stored.rows, viewer).model_dump_json()

    # In a thread: hundreds of views take their time, and those who play must not wait for it.
    return Response(await asyncio.to_thread(made), media_type="application/json")


@router.get("/agents")
async def list_agents(house: HouseHere) -> list[schema.AgentInfo]:
    """List the opponents that can be chosen."""
    return list(house.agents.values())


# --- commands -------------------------------------------------------------------------------------


def action_of_turn(text: str) -> TakeTurn:
    """Read a turn from a client.

    Raises:
        ApiError: If it is none.
    """
    try:
        written = parse_turn(text)
    except NotationError as error:
        raise ApiError(422, "bad_turn", str(error)) from None
    if written.drawn is not None:
        raise ApiError(
            422, "bad_turn", "expected a turn without the drawn card: only the dealer knows it"
        )
    return TakeTurn(written.turn)


async def _command(
    request: Request,
    house: House,
    table_id: str,
    seat_name: schema.SeatName | None,
    command_id: str | None,
    action: Action,
    seen: int | None = None,
) -> schema.Done:
    async with house.hub.at(table_id) as room:
        live = await room.live()
        seat = await _seat_of(request, house, live, seat_name)
        version = live.version(seat) if seen is None else seen
        answer = await room.act(Command(command_id or secrets.token_hex(8), seat, version, action))
    return _done(answer)


def _done(answer: Answer) -> schema.Done:
    if answer.refusal is None:
        status: schema.DoneStatus = "repeat" if answer.status == "repeat" else "done"
        return schema.Done(status=status, version=answer.version)
    code = answer.refusal.code
    is_conflict = code in (TableRefusalCode.STALE, TableRefusalCode.ID_REUSED)
    raise ApiError(
        409 if is_conflict else 422,
        code.value,
        answer.refusal.sentence,
        version=answer.version,
        snapshot=answer.snapshot if code is TableRefusalCode.STALE else None,
    )


@router.post("/tables/{table_id}/moves")
async def make_turn(
    table_id: str, wish: schema.MoveRequest, request: Request, house: HouseHere
) -> schema.Done:
    """Make a turn. A repeated id gets the first answer, a stale version the current view."""
    action = action_of_turn(wish.turn)
    return await _command(request, house, table_id, wish.seat, wish.id, action, wish.version)


@router.post("/tables/{table_id}/ready")
async def be_ready(
    table_id: str, wish: schema.ReadyRequest, request: Request, house: HouseHere
) -> schema.Done:
    """Be ready for the next round; before the first one, add entropy to the deals."""
    action = Ready(bytes.fromhex(wish.entropy))
    return await _command(request, house, table_id, wish.seat, wish.id, action)


@router.post("/tables/{table_id}/resign")
async def resign(
    table_id: str, wish: schema.SeatRequest, request: Request, house: HouseHere
) -> schema.Done:
    """Give up the match."""
    return await _command(request, house, table_id, wish.seat, wish.id, Resign())


@router.post("/tables/{table_id}/rematch")
@router.post("/tables/{table_id}/rematch/accept")
async def offer_rematch(
    table_id: str, wish: schema.SeatRequest, request: Request, house: HouseHere
) -> schema.Done:
    """Offer another match, or agree to one."""
    return await _command(request, house, table_id, wish.seat, wish.id, OfferRematch())


# --- the server itself ----------------------------------------------------------------------------

about = APIRouter()


@about.get("/healthz")
async def is_alive() -> schema.Health:
    """Say that the process answers."""
    return schema.Health(status="ok", version=__version__)


@about.get("/readyz", responses={503: {"model": schema.Health}})
async def is_ready(house: HouseHere, response: Response) -> schema.Health:
    """Say whether tables can be read and turns be stored."""
    sentence = None if house.is_ready else "the server is starting or leaving"
    if sentence is None and house.store.trouble:
        sentence = f"the last write failed: {house.store.trouble}"
    if sentence is None:
        await house.store.check()
        return schema.Health(status="ok", version=__version__)
    response.status_code = 503
    return schema.Health(status="unavailable", version=__version__, sentence=sentence)


@about.get("/metrics", include_in_schema=False)
async def metrics(house: HouseHere) -> Response:
    """Count, for Prometheus."""
    return Response(house.metrics.text(), media_type="text/plain; version=0.0.4; charset=utf-8")
