"""The built browser client, as files: found once, served compressed, cached as long as is right."""

import gzip
import hashlib
import mimetypes
from dataclasses import dataclass, field
from email.utils import formatdate
from pathlib import Path
from typing import Final

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

_INDEX: Final = "index.html"
_HASHED_FOLDER: Final = "assets/"
_WORTH_COMPRESSING: Final = 512
_FOR_EVER: Final = "public, max-age=31536000, immutable"
_ASK_AGAIN: Final = "no-cache"
_TYPES: Final = {
    ".js": "text/javascript",
    ".mjs": "text/javascript",
    ".css": "text/css",
    ".html": "text/html",
    ".svg": "image/svg+xml",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
    ".txt": "text/plain",
}
_TEXTS: Final = ("text/", "application/json", "application/manifest", "image/svg")
NOT_BUILT: Final = """<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>lostcities: the browser client is not built</title>
<h1>The browser client is not built</h1>
<p>The server runs, but the pages for the browser are missing. In a clone of the repository, run
<code>make web</code> and reload this page. An installed package brings them along.</p>
<p>Programs can play all the same: see <a href="/docs">the interface</a>. In a terminal, play with
<code>lostcities play --terminal</code>.</p>
</html>
"""


@dataclass(frozen=True, slots=True)
class _File:
    body: bytes = field(repr=False)
    media_type: str
    etag: str
    modified: str
    encoded: dict[str, bytes] = field(repr=False)


class StaticFiles:
    """The files of a folder, in memory; nothing outside the folder can be asked for."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._files: dict[str, _File] = {}

    @property
    def is_built(self) -> bool:
        """Whether there is a client."""
        return self._find(_INDEX) is not None

    def _find(self, name: str) -> _File | None:
        if _INDEX not in self._files:
            self._files = _read_folder(self._folder)
        return self._files.get(name)

    def answer(self, request: Request, name: str) -> Response:
        """Return the file, or the first page for an address inside the client."""
        found = self._find(name)
        if found is None and not name.startswith(_HASHED_FOLDER):
            name, found = _INDEX, self._find(_INDEX)
            if found is None:
                return HTMLResponse(
                    NOT_BUILT, status_code=503, headers={"Cache-Control": "no-store"}
                )
        if found is None:
            return Response("expected a file of this version, got another\n", status_code=404)
        return _respond(request, found, is_for_ever=name.startswith(_HASHED_FOLDER))


def _respond(request: Request, file: _File, *, is_for_ever: bool) -> Response:
    headers = {
        "Cache-Control": _FOR_EVER if is_for_ever else _ASK_AGAIN,
        "ETag": file.etag,
        "Last-Modified": file.modified,
        "Vary": "Accept-Encoding",
    }
    if file.etag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    body, accepted = file.body, request.headers.get("accept-encoding", "")
    for encoding in ("br", "gzip"):
        if encoding in file.encoded and encoding in accepted:
            body = file.encoded[encoding]
            headers["Content-Encoding"] = encoding
            break
    return Response(body, media_type=file.media_type, headers=headers)


def _read_folder(folder: Path) -> dict[str, _File]:
    if not folder.is_dir():
        return {}
    paths = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    return {
        path.relative_to(folder).as_posix(): _read_file(path)
        for path in paths
        if path.suffix not in (".br", ".gz")
    }


def _read_file(path: Path) -> _File:
    body = path.read_bytes()
    media_type = _TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0] or ""
    encoded = {
        encoding: beside.read_bytes()
        for encoding, suffix in (("br", ".br"), ("gzip", ".gz"))
        if (beside := path.with_name(path.name + suffix)).is_file()
    }
    is_text = media_type.startswith(_TEXTS)
    if "gzip" not in encoded and is_text and len(body) > _WORTH_COMPRESSING:
        encoded["gzip"] = gzip.compress(body, mtime=0)
    if is_text and media_type.startswith("text/"):
        media_type += "; charset=utf-8"
    return _File(
        body=body,
        media_type=media_type or "application/octet-stream",
        etag=f'"{hashlib.sha256(body).hexdigest()[:32]}"',
        modified=formatdate(path.stat().st_mtime, usegmt=True),
        encoded=encoded,
    )
