"""The composition root: `create_app(settings)` wires everything. Only the command line and the tests import it.

No logic of its own besides the order in which parts start and stop.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from fastapi import FastAPI
from starlette.middleware.cors import CORSMiddleware

from app.admin import routes as operators
from app.admin.services import AdminServices
from app.api import routes
from app.api.fast_path import ReturnFastPath
from app.api.gateway.gateway import Gateway
from app.api.gateway.lobby import LobbyFeed
from app.api.gateway.outgoing import Outgoing
from app.api.gateway.socket import GameSocket
from app.api.health import health_router
from app.api.services import Services
from app.bots import choose
from app.protocol.v1 import schema
from app.refusal import MESSAGES
from app.rest import answers as rest
from app.rest.answers import Answers
from app.rest.errors import STATUS
from app.service.cluster import Cluster
from app.service.metrics import NodeMetrics
from app.service.node import Departure, NodeCore
from app.service.previews import replay_line
from app.service.sending.webhooks import WebhookSender
from app.service.words.book import WordBook
from app.settings import Settings
from app.storage.live.store import keep_running
from app.variants import VARIANTS
from app.web.developers import developers_router
from app.web.pages import pages_router

VERSION: Final = version("quezhuo")
WEBSOCKET_PROTOCOL: Final = GameSocket
"""The class with which uvicorn must serve WebSockets."""


class NodeProcess:
    """Everything one process runs, wired but not started."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        outgoing = Outgoing()
        self.core = core = NodeCore(settings, VARIANTS, choose, outgoing.flush)
        self.archive, self.live, self.registry, self.rooms = core.archive, core.live, core.registry, core.rooms
        self.lobby = LobbyFeed(core.live.board, core.is_circle_member)
        core.rpc.handle("circle_changed", self.lobby.circle_changed)
        self.gateway = Gateway(
            core.live.tickets, core.locator, self.lobby, core.may_stay, settings.allowed_origins, settings.public_url,
            outgoing, settings.lines_per_address,
        )  # fmt: skip
        core.rpc.handle("rights_changed", self._rights_changed)
        self.webhooks = WebhookSender(
            core.archive, _now, self._webhook_disabled, allow_private=settings.webhooks_private
        )
        self.departure = Departure(core, self.gateway)
        self.cluster = Cluster(core.live, core.registry, core.rooms, self.gateway, core.rpc, self.departure.begin)
        self.calculators = ThreadPoolExecutor(1, "score")

    @contextlib.asynccontextmanager
    async def running(self, _app: FastAPI) -> AsyncIterator[None]:
        """Start; stop in the other order."""
        await self.live.start()
        core = self.core
        runs = (
            self.gateway.run, self.lobby.run, core.feed.run, core.rpc.run, core.reconcile, core.alerting.run,
            core.scrub.run, self.webhooks.run,
        )  # fmt: skip
        tasks = [asyncio.create_task(keep_running(run)) for run in runs]
        try:
            yield
        finally:
            await self.departure.finished()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await self.live.stop()
            await self.archive.close()
            self.calculators.shutdown(wait=False)

    async def _rights_changed(self, user: str) -> None:
        await asyncio.gather(self.gateway.recheck(user), self.core.feed.recheck(user))

    async def _webhook_disabled(self, user: str, circle: str, webhook: str) -> None:
        await self.core.feed.note(user, "webhook_disabled", circle=circle, webhook=webhook)

    async def leave(self) -> None:
        """Before sockets are closed: end the streams of events, and hand the tables over."""
        self.core.feed.send_away()
        await self.departure.finished()

    def health(self) -> dict[str, Any]:
        """What `/readyz` shows of this process."""
        return {
            "draining": self.registry.draining, "store_away_s": round(self.live.failing_s, 1),
            "archive_behind": self.live.archiver.behind, "tables": len(self.registry.tables()),
            "store_problems": len(self.live.durability.problems),
        }  # fmt: skip


def create_app(settings: Settings) -> FastAPI:
    """The whole server for these settings, not yet started. `app.state.drain` is awaited before sockets are closed."""
    node = NodeProcess(settings)
    app = FastAPI(
        title="雀桌 Quezhuo", version=VERSION, lifespan=node.running,
        docs_url=None, redoc_url=None,  # both run scripts of a third party on the origin that holds the tokens
    )  # fmt: skip
    app.state.node = node
    app.state.drain = node.leave
    app.state.socket_works = None  # the server says: False until it has opened a WebSocket to itself
    app.state.lines = None  # the server's book of connections
    services = Services(
        settings,
        node.archive,
        node.rooms,
        VARIANTS,
        _now,
        node.calculators,
        WordBook(node.archive),
        node.core.feed,
        node.live.limiter,
        node.live.repeats,
    )
    routes.include(app, services)
    watched = AdminServices(
        settings, node.archive, node.rooms, node.cluster, _now,
        frozenset([slug for slug, variant in VARIANTS.items() if variant.meta.ladder]), node.live.limiter,
        node.core.alerting,
    )  # fmt: skip
    operators.include(app, watched)
    answers: Counter[int] = Counter()
    app.include_router(
        health_router(
            settings.node, VERSION, partial(_facts, app, node),
            NodeMetrics(node.core, node.gateway, VERSION, answers).text, settings.watchers,
        )
    )  # fmt: skip
    pages = pages_router(public_url=settings.public_url, replay_line=partial(replay_line, node.archive))
    app.include_router(pages)
    codes = [(str(code), status, MESSAGES[code]) for code, status in STATUS.items()]
    app.include_router(developers_router(schema.HERE, Path(rest.__file__).parent / "README.md", app.openapi, codes))
    app.add_middleware(ReturnFastPath, sockets=node.gateway.endpoint)  # after all others: it is asked first
    if settings.allowed_origins:
        app.add_middleware(
            CORSMiddleware, allow_origins=[origin.rstrip("/") for origin in settings.allowed_origins],
            allow_methods=["GET", "POST", "PUT", "PATCH", "DELETE"], allow_headers=list(routes.ASKED),
            expose_headers=list(routes.EXPOSED), max_age=600,
        )  # fmt: skip
    app.add_middleware(Answers, counts=answers)
    return app


def _now() -> datetime:
    return datetime.now(UTC)


async def _facts(app: FastAPI, node: NodeProcess) -> dict[str, Any]:
    """For `/readyz`: those of the process, and the server's about its socket and its connections.

    The latter are None where a test serves the app by itself.
    """
    lines = app.state.lines
    report = None if lines is None else lines.report(node.settings.max_tables)
    archive = "up" if await node.archive.answers() else "away"
    return {**node.health(), "archive": archive, "socket_works": app.state.socket_works, "lines": report}
