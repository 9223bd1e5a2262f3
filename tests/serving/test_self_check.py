"""Before a node says that it is ready it opens one WebSocket to itself."""

import asyncio
import socket

import pytest

from app.serving.self_check import SocketBroken, check_socket
from app.serving.serve import NodeServer, configuration
from app.settings import Settings
from tests.api.gateway.world import world
from tests.serving.tiny_app import TinyApp


async def test_a_gateway_that_refuses_a_stranger_is_fit() -> None:
    async with world() as gate:
        await check_socket(("127.0.0.1", gate.port))
        await gate.desk.until(lambda: len(gate.gateway) == 0)


async def test_a_node_whose_socket_answers_otherwise_is_never_ready() -> None:
    said: list[str] = []
    with socket.create_server(("127.0.0.1", 0)) as listen:
        server = NodeServer(configuration(TinyApp("n1"), Settings()), check=check_socket)
        server.on_ready = lambda: said.append("ready")
        await asyncio.wait_for(server.serve([listen]), 20)
    assert said == [] and not server.fit


async def test_where_nothing_listens_the_check_fails() -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        with pytest.raises(SocketBroken):
            await check_socket(closed.getsockname())
