"""Serves the browser client: one page, static files with ETags, compressed once, under a strict content policy.

No template, no session, no data of a table. Everything comes from one origin; nodes are reached by path.
"""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final
from urllib.parse import urlsplit

from fastapi import APIRouter, Request, Response
from fastapi import Path as PathPart

from app.web.previews import ReplayLine, link_card, link_picture, replay_tags, room_tags, with_tags

STATIC: Final = Path(__file__).parent / "static"
MEDIA: Final = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
    ".png": "image/png",
    ".ogg": "audio/ogg",
    ".mp3": "audio/mpeg",
    ".m4a": "audio/mp4",
    ".wav": "audio/wav",
    ".webm": "audio/webm",
}
PACKS: Final = "voices/packs.json"
"""The list of voice packs: made from their manifests, see `static/voices/README.md`."""
KEPT: Final = "public, max-age=31536000, immutable"
_HOST: Final = re.compile(r"(?:[A-Za-z0-9.-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::[0-9]{1,5})?")
ShareCode = Annotated[str, PathPart(pattern="^[a-z0-9]{12}$")]
RoomCode = Annotated[str, PathPart(pattern=r"^[0-9]{6}$")]
PictureKind = Annotated[str, PathPart(pattern="^(svg|png)$")]
_MANIFEST: Final = re.compile(r"voices/[a-z0-9-]+/manifest\.json")
_VERSIONED: Final = re.compile(r'"/static/(v-[0-9a-f]+)/')
CONTENT_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self' ws: wss:; "
    "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
EMBED_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors *"
)
"""A shared replay may be shown in any page; it opens no socket, and has no screen that acts for a player."""
SECURITY: Final = {
    "Content-Security-Policy": CONTENT_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}


@dataclass(frozen=True, slots=True)
class StaticFile:
    """One file as it is sent: its bytes, the same compressed, its type and its ETag."""

    body: bytes
    packed: bytes
    media: str
    etag: str


def load_static(root: Path) -> dict[str, StaticFile]:
    """Read every servable file below `root` once, by its path with slashes; some 400 KB in all.

    The page names its parts by a path with the version of all of them, so that those may be kept for good.
    """
    bodies = {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.suffix in MEDIA and path.is_file()
    }
    bodies[PACKS] = _packs(bodies)
    version = _version(bodies)
    for name in bodies:
        if name.endswith(".html"):
            bodies[name] = bodies[name].replace(b'"/static/', f'"/static/{version}/'.encode())
    return {name: static_file(name, body) for name, body in bodies.items()}


def _packs(bodies: Mapping[str, bytes]) -> bytes:
    """`[{"slug", "name"}, …]` of every `voices/<slug>/manifest.json`."""
    found = {name.split("/")[1]: body for name, body in bodies.items() if _MANIFEST.fullmatch(name)}
    named = [{"slug": slug, "name": str(json.loads(body)["name"])} for slug, body in sorted(found.items())]
    return json.dumps(named, ensure_ascii=False).encode()


def _version(bodies: Mapping[str, bytes]) -> str:
    """`v-` and a digest of all names and bodies."""
    digest = hashlib.sha256()
    for name, body in bodies.items():
        digest.update(f"{name} {len(body)} ".encode() + body)
    return f"v-{digest.hexdigest()[:12]}"


def static_file(name: str, body: bytes) -> StaticFile:
    """A file of this name, as it is sent."""
    etag = f'"{hashlib.sha256(body).hexdigest()[:20]}"'
    return StaticFile(body, gzip.compress(body, 9, mtime=0), MEDIA[Path(name).suffix], etag)


def asked_origin(request: Request) -> str | None:
    """The origin as the asking browser sees it; None for a host that is none.

    A page of that host says in its referrer whether it came over TLS, which a front may have ended. A referrer of any
    other host counts for nothing, and no header that only a front may set is believed. A client that forges the
    host gets the forged picture: it is never kept for others.
    """
    host = request.headers.get("host", "")
    if not _HOST.fullmatch(host):
        return None
    page = urlsplit(request.headers.get("referer", ""))
    return f"{page.scheme if page.netloc == host and page.scheme == 'https' else request.url.scheme}://{host}"


def pages_router(root: Path = STATIC, public_url: str = "", replay_line: ReplayLine | None = None) -> APIRouter:
    """`GET /` the page, `/static/…` its parts, `/join/<code>` and `/replay/<code>` the page with a preview of the link,
    `/embed/<code>` a replay for an `<iframe>`, `/join/<code>.svg` and `.png` and `/replay/<code>.png` the link as a
    picture to scan, `/sw.js`, `/manifest.webmanifest` for installing.

    The page is revalidated by ETag, so a deploy shows at the next load; its parts are kept. `public_url`: the origin in
    pictures and previews; without it, that of the page which shows them. `replay_line` gives a preview the played
    round.
    """
    files = load_static(root)
    version = _VERSIONED.search(files["index.html"].body.decode()) if "index.html" in files else None
    embed = _embedded(files["index.html"].body) if "index.html" in files else b""
    router = APIRouter(include_in_schema=False)

    def origin_of(request: Request) -> str | None:
        return public_url.rstrip("/") or asked_origin(request)

    _links(router, files, origin_of, replay_line)

    @router.get("/")
    async def page(request: Request) -> Response:
        return send(files, "index.html", request)

    @router.get("/sw.js")
    async def worker(request: Request) -> Response:
        """A worker rules no more than the folder it lies in."""
        return send(files, "sw.js", request)

    @router.get("/manifest.webmanifest")
    async def manifest(request: Request) -> Response:
        return send(files, "manifest.webmanifest", request)

    @router.get("/embed/{code}")
    async def embedded(code: ShareCode, request: Request) -> Response:
        headers = {**SECURITY, "Content-Security-Policy": EMBED_POLICY, "Referrer-Policy": "no-referrer"}
        return Response(embed, media_type=MEDIA[".html"], headers={**headers, "Cache-Control": "no-cache"})

    @router.get("/static/{name:path}")
    async def part(name: str, request: Request) -> Response:
        asked, _, rest = name.partition("/")
        if not asked.startswith("v-"):
            return send(files, name, request)
        current = version is not None and asked == version[1]
        return send(files, rest, request, KEPT if current else "no-cache")

    return router


def _links(
    router: APIRouter, files: Mapping[str, StaticFile], origin_of: Callable[[Request], str | None],
    replay_line: ReplayLine | None,
) -> None:  # fmt: skip
    """Links to give to others: the page with a preview, and the link as a picture."""

    async def drawn(request: Request, path: str, draw: Callable[[str], bytes], media: str) -> Response:
        """A link of this server as a picture to scan."""
        origin = origin_of(request)
        if origin is None:
            return _refused(400, "no such host")
        body = await asyncio.to_thread(draw, f"{origin}{path}")  # some milliseconds, unless it is kept
        return Response(body, media_type=media, headers={**SECURITY, "Cache-Control": "no-store"})

    @router.get("/join/{code}.{kind}")
    async def picture(code: RoomCode, kind: PictureKind, request: Request) -> Response:
        draw = link_picture if kind == "svg" else link_card
        return await drawn(request, f"/#/join/{code}", draw, MEDIA[f".{kind}"])

    @router.get("/join/{code}")
    async def invitation(code: RoomCode, request: Request) -> Response:
        return _preview(files, room_tags(origin_of(request) or "", code))

    @router.get("/replay/{code}.png")
    async def replay_picture(code: ShareCode, request: Request) -> Response:
        return await drawn(request, f"/#/replay/{code}", link_card, MEDIA[".png"])

    @router.get("/replay/{code}")
    async def replay(code: ShareCode, request: Request) -> Response:
        line = await replay_line(code) if replay_line else None
        return _preview(files, replay_tags(origin_of(request) or "", code, line))


def _embedded(page: bytes) -> bytes:
    """The page that shows one replay only: the same looks, another script, nothing loaded ahead or installed."""
    plain = re.sub(rb'\s*<link rel="(?:modulepreload|manifest|apple-touch-icon)"[^>]*>', b"", page)
    return plain.replace(b"/main.js", b"/embed.js")


def _refused(status: int, text: str) -> Response:
    return Response(text, status_code=status, media_type="text/plain", headers=dict(SECURITY))


def _preview(files: Mapping[str, StaticFile], tags: str) -> Response:
    body = with_tags(files["index.html"].body, tags)
    return Response(body, media_type=MEDIA[".html"], headers={**SECURITY, "Cache-Control": "no-store"})


def send(files: Mapping[str, StaticFile], name: str, request: Request, keep: str = "no-cache") -> Response:
    """The file of this name, under the page's policy; 304 for who has it, 404 when there is none."""
    file = files.get(name)
    if file is None:
        return _refused(404, "not found")
    headers = {**SECURITY, "ETag": file.etag, "Cache-Control": keep, "Vary": "Accept-Encoding"}
    if request.headers.get("if-none-match") == file.etag:
        return Response(status_code=304, headers=headers)
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(file.packed, media_type=file.media, headers={**headers, "Content-Encoding": "gzip"})
    return Response(file.body, media_type=file.media, headers=headers)
