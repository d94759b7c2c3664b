"""The interface for programs as one page: made from the schema, without anything from elsewhere."""

from html import escape
from typing import Any

_HEAD = """<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>lostcities: the interface for programs</title>
<link rel="stylesheet" href="/docs/style.css">
<h1>The interface for programs</h1>
<p>Everything that the browser client does, a program may do as well. Answers are JSON; what is refused
comes with a <code>code</code> for programs and a <code>sentence</code> for people. Requests that change
something need the header <code>X-Requested-With: lostcities</code>. The whole schema is
<a href="/openapi.json">/openapi.json</a>.</p>
"""
_SOCKET = """<h2 id="socket">The socket</h2>
<p><code>/api/tables/{table_id}/socket?seat=A</code>: the cookie decides which seats may look on;
<code>seat=none</code> shows what everybody may know. The client's first message is <code>{"type": "hello", "last": N}</code> with the version it has, or null. Numbered events
follow, or a snapshot; the last event of a step brings the view after it. A command has an <code>id</code> made
by the client: sent again, it gets its first answer. Before the server closes the socket it says
<code>bye</code> and why: 1012 is a restart, 1013 a reader that was too slow, 1008 a limit.
<code>ping</code> is to be answered with <code>pong</code>.</p>
"""
STYLE = """:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 60rem; margin: 0 auto; padding: 1rem }
code, pre { font-family: ui-monospace, monospace; font-size: .9em }
section { border-top: 1px solid #8886; padding: .5rem 0 }
h3 { margin: .5rem 0 } dt { font-weight: 600 } dd { margin: 0 0 .4rem 1.2rem }
"""


def docs_page(openapi: dict[str, Any], messages: dict[str, Any]) -> str:
    """Return the page.

    Args:
        openapi: The schema of the requests.
        messages: The schema of all types on the wire.
    """
    parts = [_HEAD, "<h2>Requests</h2>"]
    for path, methods in openapi["paths"].items():
        parts += [_request(method, path, what) for method, what in methods.items()]
    parts += [_SOCKET, "<h2>Types</h2>"]
    definitions = {**openapi["components"]["schemas"], **messages["$defs"]}
    parts += [_type(name, body) for name, body in sorted(definitions.items())]
    return "\n".join([*parts, "</html>\n"])


def _request(method: str, path: str, what: dict[str, Any]) -> str:
    parameters = "".join(
        f"<dt>{escape(each['name'])} ({escape(each['in'])})</dt>"
        f"<dd>{_kind(each['schema'])} {escape(each.get('description', ''))}</dd>"
        for each in what.get("parameters", ())
    )
    body = what.get("requestBody", {}).get("content", {}).get("application/json", {})
    sent = f"<dt>body</dt><dd>{_kind(body['schema'])}</dd>" if body else ""
    answers = "".join(
        f"<dt>{escape(status)}</dt><dd>{_content(answer)}</dd>"
        for status, answer in what["responses"].items()
    )
    return (
        f"<section><h3><code>{method.upper()} {escape(path)}</code></h3>"
        f"<p>{escape(what.get('description', ''))}</p><dl>{parameters}{sent}{answers}</dl></section>"
    )


def _content(answer: dict[str, Any]) -> str:
    kinds = [
        _kind(each["schema"]) for each in answer.get("content", {}).values() if "schema" in each
    ]
    return ", ".join(kinds) or escape(answer.get("description", ""))


def _type(name: str, body: dict[str, Any]) -> str:
    fields = "".join(
        f"<dt>{escape(field)}</dt><dd>{_kind(kind)} {escape(kind.get('description', ''))}</dd>"
        for field, kind in body.get("properties", {}).items()
    )
    choices = "" if fields else f"<p>{_kind(body)}</p>"
    text = escape(body.get("description", ""))
    return f'<section id="{escape(name)}"><h3>{escape(name)}</h3><p>{text}</p>{choices}<dl>{fields}</dl></section>'


def _kind(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        name = escape(schema["$ref"].rpartition("/")[2])
        return f'<a href="#{name}">{name}</a>'
    for key in ("anyOf", "oneOf", "allOf"):
        if key in schema:
            return " or ".join(_kind(each) for each in schema[key])
    if "const" in schema:
        return f"<code>{escape(repr(schema['const']))}</code>"
    if "enum" in schema:
        return " or ".join(f"<code>{escape(repr(each))}</code>" for each in schema["enum"])
    if schema.get("type") == "array":
        return f"list of {_kind(schema.get('items', {}))}"
    if schema.get("type") == "object" and isinstance(schema.get("additionalProperties"), dict):
        return f"object of {_kind(schema['additionalProperties'])}"
    return escape(str(schema.get("type", "anything")))
