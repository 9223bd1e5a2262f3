"""A pipeline to a cluster: each shard gets its part on one connection, and its own WAIT behind it.

WAIT speaks of what its connection wrote before, so it must go where the writes go, and the cluster may not pass a
command on to another shard behind our back. The link handles the answers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from redis.asyncio.cluster import ClusterNode, RedisCluster
from redis.exceptions import AskError, ConnectionError, InvalidResponse, RedisClusterException, TimeoutError

Word = str | bytes | int


class TooFewCopies(ConnectionError):
    """Written, but not by enough replicas: a failover may take it back, so it does not count."""


async def converse(
    client: RedisCluster, commands: Sequence[Sequence[Word]], replicas: int, wait_ms: int
) -> list[Any]:  # fmt: skip
    """All answers, refusals among them, in order. With `replicas` those of a shard that has too few are TooFewCopies.

    Raises what redis-py raises when a shard cannot be reached; the next call asks anew which server has which slots.
    """
    try:
        await client.initialize()
        pipe = client.pipeline(transaction=False)
        if not replicas:
            for words in commands:
                pipe.execute_command(*words)
            answers = list(await pipe.execute(raise_on_error=False))
            if any(isinstance(answer, InvalidResponse) for answer in answers):
                await client.aclose()  # what comes next on that line would be understood no better
            return answers
        where = [client.nodes_manager.get_node_from_slot(client.keyslot(_key(words))) for words in commands]
        parts: dict[ClusterNode, list[int]] = defaultdict(list)
        for place, (words, node) in enumerate(zip(commands, where, strict=True)):
            pipe.execute_command(*words, target_nodes=node)
            parts[node].append(place)
        for node in parts:
            pipe.execute_command("WAIT", replicas, wait_ms, target_nodes=node)
        answers = list(await pipe.execute(raise_on_error=False, allow_redirections=False))
    except (ConnectionError, TimeoutError, RedisClusterException, OSError):
        await client.aclose()
        raise
    copies = dict(zip(parts, answers[len(commands) :], strict=True))
    if any(isinstance(answer, AskError | InvalidResponse) for answer in answers):  # MOVED too: the slots lie elsewhere
        await client.aclose()
    return [
        answer if _enough(copies[node], replicas) else TooFewCopies(f"{copies[node]} of {replicas} replicas have it")
        for answer, node in zip(answers, where, strict=False)
    ]


def _key(words: Sequence[Word]) -> str:
    """The first key of a command: of a script the first after their number, else the first argument."""
    return str(words[3] if words[0] == "EVALSHA" else words[1])


def _enough(answer: object, wanted: int) -> bool:
    return isinstance(answer, int) and answer >= wanted
