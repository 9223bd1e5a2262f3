"""The scripts do what the model says that the store does: any state and message, the same verdict and state after."""

import random

from redis.asyncio import Redis

from app.storage.live.wire import keys, scripts
from app.storage.live.wire.link import Link
from tests.storage.live.model import Acquire, Append, Entry, Store, Token, _deliver_acquire, _judge, start

PLACES = [keys.lease("T"), keys.log("T", 1)]


def text(token: Token) -> bytes:
    return b"%d:n%d.x.%d" % (token.epoch, token.nonce, token.nonce)


def nonce(number: int) -> bytes:
    return b"n%d.x.%d" % (number, number)


async def put(valkey: Redis, store: Store) -> None:
    """The store in this state; the page's first entry, which the model leaves out, before the log."""
    await valkey.delete(*PLACES)
    if store.token is not None:
        await valkey.set(keys.lease("T"), text(store.token))
    await valkey.set(keys.page("T"), 1)
    await valkey.rpush(keys.log("T", 1), b"match", *[repr(entry) for entry in store.log])


def some_store(rng: random.Random) -> Store:
    token = None if rng.random() < 0.1 else Token(rng.randrange(1, 3), rng.randrange(3))
    refs = rng.sample("abc", rng.randrange(3))
    return Store(token, tuple([Entry(ref, rng.randrange(2), tuple(refs[:at])) for at, ref in enumerate(refs)]))


async def test_append_judges_as_the_model_does(link: Link, valkey: Redis) -> None:
    rng, seen = random.Random(3), set()
    for _ in range(120):
        store = some_store(rng)
        token = store.token if store.token is not None and rng.random() < 0.8 else Token(1, 1)
        entry = store.log[-1] if store.log and rng.random() < 0.4 else Entry("d", token.nonce, ())
        message = Append(0, token, rng.randrange(4), entry)
        await put(valkey, store)
        args: list[str | bytes | int] = [text(token), message.expected + 1, repr(entry)]
        answer = await link.run(scripts.APPEND, PLACES, args)
        verdict = _judge(store, message, "none")
        length = len(store.log) + 1
        assert answer == {"push": length + 1, "there": length, "fenced": 0, "conflict": -1 - length}[verdict]
        after = [*store.log, entry] if verdict == "push" else [*store.log]
        assert await valkey.lrange(keys.log("T", 1), 1, -1) == [repr(entry).encode() for entry in after]
        seen.add(verdict)
    assert seen == {"push", "there", "fenced", "conflict"}


async def test_acquire_swaps_as_the_model_does(link: Link, valkey: Redis) -> None:
    rng, seen = random.Random(4), set()
    for _ in range(120):
        store = some_store(rng)
        asked = rng.choice([store.token, Token(1, 0), Token(2, 1)])
        mine = store.token is not None and rng.random() < 0.2
        number = store.token.nonce if mine and store.token is not None else 9
        if store.token is None or (mine and asked == store.token):
            continue  # a table that is gone is never taken; nonces are fresh
        await put(valkey, store)
        found = await link.run(
            scripts.ACQUIRE, [keys.lease("T"), keys.page("T")],
            [text(asked or Token(0, 0)), nonce(number), keys.log_prefix("T")],
        )  # fmt: skip
        _, after, _ = next(_deliver_acquire(start()._replace(store=store), Acquire(0, asked, number)))
        assert after.store.token is not None
        taken = after.store.token.nonce == number
        assert bool(found) == taken
        assert await valkey.get(keys.lease("T")) == text(after.store.token)
        if taken:
            assert found[0] == text(after.store.token)
            assert found[2][1:] == [repr(entry).encode() for entry in store.log]
        seen.add((taken, mine))
    assert seen == {(True, False), (False, False), (True, True)}
