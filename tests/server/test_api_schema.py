"""Every request of the published schema, filled with what the schema allows and with what it does not.

Each is sent at tables in every phase, by both seats and by a stranger. Nothing may
end in an error of the server, and each answer has to be one that the schema promises.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast
from uuid import uuid4

import pytest
import schemathesis
from fastapi import FastAPI
from fastapi.routing import APIRoute
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis.python import asgi
from schemathesis.schemas import BaseSchema

from lostcities.server import routes
from lostcities.server.app import create_app
from server.serving import OWN, Json, first_turn, settings_for

PHASES = ("waiting", "playing", "over", "nowhere", "as generated")
WHO = ("A", "B", "stranger")
MOST_EXAMPLES = 24
CHECKS = [
    schemathesis.checks.not_a_server_error,
    schemathesis.checks.status_code_conformance,
    schemathesis.checks.content_type_conformance,
    schemathesis.checks.response_schema_conformance,
]
ROUTES = [
    route
    for route in (*routes.router.routes, *routes.about.routes)
    if isinstance(route, APIRoute) and route.include_in_schema
    if not route.path.endswith("/stream")  # it does not end; see the tests of the socket
]
OPERATIONS = [
    (method, route.path, mode)
    for route in ROUTES
    for method in route.methods or ()
    for mode in schemathesis.GenerationMode
    # What may be any text cannot be wrong.
    if mode.is_positive or route.body_field or route.dependant.query_params
]


@dataclass(frozen=True)
class World:
    """Tables in every phase, and the cookies of those who sit there."""

    tables: dict[str, str]
    cookies: dict[tuple[str, str], str]
    codes: dict[str, str]

    def cookie(self, phase: str, who: str) -> str:
        return self.cookies.get((phase, who), "")


class Opening:
    """Opens tables on an application without a network."""

    def __init__(self, app: FastAPI) -> None:
        self._app = app

    def post(self, path: str, body: Json, cookie: str = "") -> tuple[Json, str]:
        """Return the answer and the cookie that came with it."""
        with asgi.get_client(cast("Any", self._app)) as client:
            answer = client.post(path, json=body, headers=OWN | {"Cookie": cookie})
        assert answer.status_code < 300, answer.text
        return answer.json(), answer.headers.get("set-cookie", "").partition(";")[0]

    def get(self, path: str, cookie: str) -> Json:
        with asgi.get_client(cast("Any", self._app)) as client:
            shown: Json = client.get(path, headers=OWN | {"Cookie": cookie}).json()
        return shown

    def world(self) -> World:
        tables, cookies, codes = {"nowhere": "0" * 32}, {}, {"nowhere": "NOSUCHCODE"}
        for phase in PHASES[:3]:
            body = {"opponent": {"kind": "friend"}, "name": "Ann", "starter": "you"}
            table, cookies[phase, "A"] = self.post("/api/tables", body)
            path = f"/api/tables/{table['table_id']}"
            tables[phase], codes[phase] = table["table_id"], table["invite"]["code"]
            if phase == "waiting":
                continue
            body = {"code": codes[phase], "name": "Ben"}
            _, cookies[phase, "B"] = self.post(f"{path}/join", body)
            for who in "AB":
                self.post(f"{path}/ready", {}, cookies[phase, who])
            if phase == "over":
                self.post(f"{path}/resign", {}, cookies[phase, "B"])
        return World(tables, cookies, codes)


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FastAPI]:
    yield create_app(settings_for(Path(tmp_path_factory.mktemp("schema"))))
    asgi.shutdown_lifespans()


@pytest.fixture(scope="module")
def api(app: FastAPI) -> BaseSchema:
    return schemathesis.openapi.from_asgi("/openapi.json", app)


@pytest.mark.parametrize(("method", "path", "mode"), OPERATIONS)
def test_every_answer_is_one_that_the_schema_promises(
    api: BaseSchema, app: FastAPI, method: str, path: str, mode: schemathesis.GenerationMode
) -> None:
    world, operation = Opening(app).world(), api[path][method]
    cases = operation.as_strategy(generation_mode=mode)

    @settings(max_examples=MOST_EXAMPLES, suppress_health_check=list(HealthCheck))
    @given(case=cases, phase=st.sampled_from(PHASES), who=st.sampled_from(WHO))
    def check(case: schemathesis.Case[Any], phase: str, who: str) -> None:
        for name, values in (("table_id", world.tables), ("code", world.codes)):
            if name in case.path_parameters and phase in values:
                case.path_parameters[name] = values[phase]
        answer = case.call(headers=OWN | {"Cookie": world.cookie(phase, who)})
        case.validate_response(answer, checks=CHECKS)

    check()


def test_the_tables_of_these_tests_are_what_they_are_called(app: FastAPI) -> None:
    opening = Opening(app)
    world = opening.world()
    shown = {
        phase: opening.get(f"/api/tables/{world.tables[phase]}", world.cookie(phase, "A"))
        for phase in PHASES[:3]
    }
    assert [shown[phase]["status"] for phase in PHASES[:3]] == ["waiting", "playing", "match_over"]
    body = {"version": shown["playing"]["version"], "id": uuid4().hex}
    body["turn"] = first_turn(shown["playing"])
    path = f"/api/tables/{world.tables['playing']}/moves"
    done, _ = opening.post(path, body, world.cookie("playing", "A"))
    assert done["status"] == "done"
