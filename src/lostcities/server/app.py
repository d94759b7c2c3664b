"""The application: the requests, the socket, the pages, and what all of them go through."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache

from fastapi import FastAPI, Request, Response
from fastapi.responses import HTMLResponse
from starlette.middleware.gzip import GZipMiddleware
from starlette.routing import Router, WebSocketRoute
from starlette.websockets import WebSocket

from lostcities import __version__
from lostcities.rules import LostCitiesError
from lostcities.server import routes
from lostcities.server.docs_page import STYLE, docs_page
from lostcities.server.errors import ApiError, add_error_handlers
from lostcities.server.gate import Gate
from lostcities.server.house import House
from lostcities.server.settings import Settings
from lostcities.server.sockets import serve_socket
from lostcities.server.wire_types import wire_schema

_WORTH_COMPRESSING = 1024


def create_app(settings: Settings) -> FastAPI:
    """Return a server that is opened when it is first asked.

    Raises:
        SettingsError: If a setting makes no sense.
    """
    house = House(settings)

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        try:
            await house.open()
        except LostCitiesError as error:
            house.failure = str(error)
            raise
        try:
            yield
        finally:
            await house.close()

    app = FastAPI(
        title="lostcities",
        summary="Lost Cities for two, in the browser and for programs (unofficial).",
        version=__version__,
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
    )
    app.state.house = house
    add_error_handlers(app)
    app.include_router(routes.router)
    app.include_router(routes.about)
    _add_pages(app, house)
    app.add_middleware(GZipMiddleware, minimum_size=_WORTH_COMPRESSING, compresslevel=5)
    app.add_middleware(Gate, house=house, sockets=_sockets(house))
    return app


def _sockets(house: House) -> Router:
    """Return the way to the sockets: a short one, for each keeps all of it for hours."""

    async def talk(socket: WebSocket) -> None:
        table_id, seat = socket.path_params["table_id"], socket.query_params.get("seat")
        await serve_socket(socket, house, table_id, seat)

    return Router([WebSocketRoute("/api/tables/{table_id}/socket", talk)])


def _add_pages(app: FastAPI, house: House) -> None:
    @cache
    def made_page() -> str:
        return docs_page(app.openapi(), wire_schema())

    @app.get("/docs", include_in_schema=False)
    async def docs() -> HTMLResponse:
        return HTMLResponse(made_page())

    @app.get("/docs/style.css", include_in_schema=False)
    async def docs_style() -> Response:
        return Response(STYLE, media_type="text/css")

    @app.api_route("/{path:path}", methods=["GET", "HEAD"], include_in_schema=False)
    async def page(path: str, request: Request) -> Response:
        if path == "api" or path.startswith("api/"):
            raise ApiError(404, "no_such_request", "expected a request that there is, got another")
        return house.static.answer(request, path or "index.html")
