"""How a refusal becomes an answer: a code for programs and a sentence for people, always."""

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import ValidationError
from starlette.exceptions import HTTPException

from lostcities.server import schema
from lostcities.server.hub import NoSuchTableError
from lostcities.server.logs import logger
from lostcities.server.store import StoreUnavailableError

_log = logger("http")
_STORE_SECONDS = 5


class ApiError(Exception):
    """A refusal that is an answer."""

    def __init__(
        self,
        status: int,
        code: str,
        sentence: str,
        *,
        version: int | None = None,
        snapshot: schema.Snapshot | None = None,
        retry_after: int = 0,
    ) -> None:
        super().__init__(code)
        self.status = status
        self.problem = schema.Problem(
            code=code, sentence=sentence, version=version, snapshot=snapshot
        )
        self.retry_after = retry_after


def first_problem(error: ValidationError | RequestValidationError) -> str:
    """Return the first thing that is wrong with a message, without repeating the message."""
    first = error.errors()[0]
    place = ".".join(str(part)[:40] for part in first["loc"][:6])
    reason = str(first["msg"])[:120]
    if reason[1:2].islower():
        reason = reason[0].lower() + reason[1:]
    return f"expected other fields: {place or 'message'}: {reason}"


def _answer(error: ApiError) -> JSONResponse:
    headers = {"Retry-After": str(error.retry_after)} if error.retry_after else None
    content = error.problem.model_dump(exclude_none=True)
    return JSONResponse(content, status_code=error.status, headers=headers)


def _of_http(error: HTTPException) -> tuple[str, str]:
    match error.status_code:
        case 400:
            return "bad_request", "expected a message in JSON, got none that can be read"
        case 408:
            return "too_slow", error.detail
        case 413:
            return "too_long", error.detail
        case _:
            return (
                "no_such_request",
                f"expected a request that there is here, got none: {error.detail}",
            )


def add_error_handlers(app: FastAPI) -> None:
    """Have everything that goes wrong end in a code and a sentence."""

    async def refused(_request: Request, error: Exception) -> JSONResponse:
        match error:
            case ApiError():
                return _answer(error)
            case NoSuchTableError():
                return _answer(ApiError(404, "no_such_table", str(error)))
            case StoreUnavailableError():
                return _answer(ApiError(503, "storage", str(error), retry_after=_STORE_SECONDS))
            case RequestValidationError():
                return _answer(ApiError(422, "bad_request", first_problem(error)))
            case HTTPException():
                code, sentence = _of_http(error)
                return _answer(ApiError(error.status_code, code, sentence))
            case _:
                # Neither the text of the error nor a traceback with values: both may name cards.
                _log.error("a request failed", kind=type(error).__name__, where=where(error))
                return _answer(ApiError(500, "internal", "something is wrong with this server"))

    for kind in (
        ApiError,
        NoSuchTableError,
        StoreUnavailableError,
        RequestValidationError,
        HTTPException,
        Exception,
    ):
        app.add_exception_handler(kind, refused)


def where(error: BaseException) -> str:
    """Return where an error came from, without any value."""
    trace = error.__traceback__
    places = []
    while trace is not None:
        code = trace.tb_frame.f_code
        places.append(f"{code.co_name}:{trace.tb_lineno}")
        trace = trace.tb_next
    return " > ".join(places[-6:])
