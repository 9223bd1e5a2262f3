"""A small model of owning and appending: two nodes, two requests, a store, and a network that delays and loses.

Every interleaving within the bounds is walked. A node may look and acquire at any moment (so heartbeats that run out,
early and rude takeovers are all in it), send each message twice, lose any answer, give up, and crash; requests may
arrive as late as they like. A `Flaw` changes the store's checks, or a node's use of an answer.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

Flaw = Literal[
    "none", "no_length", "no_token", "no_nonce", "no_tail", "no_tail_told", "no_checks", "not_atomic", "read_alone"
]


class Token(NamedTuple):
    """The owner of the table."""

    epoch: int
    nonce: int


class Entry(NamedTuple):
    """An appended entry: the request, the deciding node, and its log (the requests in it)."""

    ref: str
    nonce: int
    base: tuple[str, ...]


class Store(NamedTuple):
    """The token and the log."""

    token: Token | None
    log: tuple[Entry, ...]


class Acquire(NamedTuple):
    """Swap the token if it is still `seen`."""

    node: int
    seen: Token | None
    nonce: int


class Append(NamedTuple):
    """Push `entry` if I am the owner and the log has the length I expect. `checked`: a blind push after a check."""

    node: int
    token: Token
    expected: int
    entry: Entry
    checked: bool = False


Message = Acquire | Append


class Node(NamedTuple):
    """A process: its token and its copy of the log while it owns, what it waits for, and how often it sent that."""

    token: Token | None = None
    view: tuple[Entry, ...] = ()
    waits: Message | None = None
    sent: int = 0


class State(NamedTuple):
    """The whole state.

    `acked` and `told` are the clients' answers: done at this place; refused. `decided`: the number of decisions.
    """

    store: Store
    nodes: tuple[Node, ...]
    net: tuple[Message, ...]
    acked: frozenset[tuple[str, int]]
    told: frozenset[str]
    acquired: int
    crashes: int
    flushes: int
    decided: int = 0


@dataclass(frozen=True)
class Bounds:
    """The bounds of the walk."""

    requests: tuple[str, ...] = ("a", "b")
    acquisitions: int = 3
    sends: int = 2
    crashes: int = 1
    flushes: int = 0


class Explored(NamedTuple):
    """The number of states, and the shortest way to a broken promise, if any. `whole`: all of them were walked."""

    states: int
    broken: str | None
    way: tuple[str, ...]
    whole: bool = True


def start() -> State:
    """A table that nobody runs."""
    return State(Store(Token(0, -1), ()), (Node(), Node()), (), frozenset(), frozenset(), 0, 0, 0)


def explore(bounds: Bounds, flaw: Flaw = "none", limit: int = 2_000_000) -> Explored:
    """Walk all states, nearest first. Stops at the first broken promise.

    States that differ in names only are walked once: node 0 acts first, and the request decided first is the first one.
    """
    came: dict[State, tuple[State, str] | None] = {start(): None}
    todo = deque([start()])
    while todo and len(came) < limit:
        state = todo.popleft()
        for name, after, broken in _steps(state, bounds, flaw):
            if broken is not None:
                return Explored(len(came), broken, (*_way(came, state), name))
            if after not in came:
                came[after] = (state, name)
                todo.append(after)
    return Explored(len(came), None, (), not todo)


def _way(came: dict[State, tuple[State, str] | None], state: State) -> tuple[str, ...]:
    names: list[str] = []
    while (step := came[state]) is not None:
        state, name = step
        names.append(name)
    return tuple(reversed(names))


Step = tuple[str, State, str | None]


def _steps(s: State, bounds: Bounds, flaw: Flaw) -> Iterator[Step]:
    for index, node in enumerate(s.nodes[: 1 if s.acquired == 0 else 2]):
        yield from _node_steps(s, index, node, bounds, flaw)
    for at, message in enumerate(s.net):
        if message in s.net[:at]:
            continue
        rest = s.net[:at] + s.net[at + 1 :]
        if isinstance(message, Acquire):
            yield from _deliver_acquire(s._replace(net=rest), message)
        else:
            yield from _deliver_append(s._replace(net=rest), message, flaw)
    if s.flushes < bounds.flushes:
        flushed = s._replace(store=Store(None, ()), acked=frozenset(), flushes=s.flushes + 1)
        yield "flush", flushed, None


def _node_steps(s: State, index: int, node: Node, bounds: Bounds, flaw: Flaw) -> Iterator[Step]:
    def put(name: str, after: Node, message: Message | None = None, **more: object) -> Step:
        nodes = (after, s.nodes[1]) if index == 0 else (s.nodes[0], after)
        net = s.net if message is None else tuple(sorted((*s.net, message), key=hash))
        return f"{index}: {name}", s._replace(nodes=nodes, net=net, **more), None  # type: ignore[arg-type]

    def acquire(seen: Token | None, name: str) -> Step:
        message = Acquire(index, seen, s.acquired)
        return put(name, Node(waits=message, sent=1), message, acquired=s.acquired + 1)

    if node.token is None and node.waits is None and s.acquired < bounds.acquisitions:
        yield acquire(s.store.token, "looks and acquires")
    if node.waits is not None and node.sent < bounds.sends:
        yield put("sends again", node._replace(sent=node.sent + 1), node.waits)
    if isinstance(node.waits, Append) and s.acquired < bounds.acquisitions:
        if flaw == "read_alone":
            there = node.waits.entry.ref in [entry.ref for entry in s.store.log]
            if not there:
                freed = node._replace(view=s.store.log, waits=None, sent=0)
                yield put("gives up, reads, refuses", freed, told=s.told | {node.waits.entry.ref})
        else:
            yield acquire(node.token, "gives up and acquires anew")
    if node.token is not None and node.waits is None:
        seen = tuple(entry.ref for entry in node.view)
        for ref in bounds.requests[: s.decided + 1]:
            if ref not in seen and ref not in s.told:
                message = Append(index, node.token, len(seen), Entry(ref, node.token.nonce, seen))
                decided = max(s.decided, bounds.requests.index(ref) + 1)
                yield put(f"decides {ref}", node._replace(waits=message, sent=1), message, decided=decided)
    if s.crashes < bounds.crashes and node != Node():
        yield put("crashes", Node(), crashes=s.crashes + 1)


def _deliver_acquire(s: State, m: Acquire) -> Iterator[Step]:
    store, name = s.store, f"{m.node}: acquire {m.nonce} arrives"
    mine = store.token is not None and store.token.nonce == m.nonce
    if not mine and store.token != m.seen:
        yield f"{name}, too late", _answered(s, m, Node()), None
        yield f"{name}, too late, answer lost", s, None
        return
    token = store.token if mine else Token((store.token.epoch if store.token else 0) + 1, m.nonce)
    after = s._replace(store=Store(token, store.log))
    yield name, _answered(after, m, Node(token, store.log)), None
    yield f"{name}, answer lost", after, None


def _deliver_append(s: State, m: Append, flaw: Flaw) -> Iterator[Step]:
    name = f"{m.node}: append {m.entry.ref} arrives"
    verdict = "push" if m.checked else _judge(s.store, m, flaw)
    if verdict == "check_passed":  # the client checks, then pushes: two messages
        push = m._replace(checked=True)
        yield f"{name}, may push", s._replace(net=tuple(sorted((*s.net, push), key=hash))), None
        return
    if verdict in ("fenced", "conflict"):
        stopped = _answered(s, m, Node())
        waited = s.nodes[m.node].waits in (m, m._replace(checked=False))
        if verdict == "conflict" and flaw == "no_tail_told" and waited:
            stopped = stopped._replace(told=stopped.told | {m.entry.ref})
        yield f"{name}, {verdict}", stopped, _broken(stopped)
        yield f"{name}, {verdict}, answer lost", s, None
        return
    log = (*s.store.log, m.entry) if verdict == "push" else s.store.log
    after = s._replace(store=Store(s.store.token, log))
    broken = _broken(after)
    if verdict == "push" and (s.store.token is None or s.store.token.nonce != m.entry.nonce):
        broken = broken or f"{m.entry.ref} was appended by somebody who is not the owner"
    waiting = s.nodes[m.node]
    if waiting.waits in (m, m._replace(checked=False)):
        view = (*waiting.view, m.entry)
        told = _answered(after, m, Node(waiting.token, view))
        told = told._replace(acked=told.acked | {(m.entry.ref, len(view) - 1)})
        yield name, told, broken or _broken(told)
    yield f"{name}, answer lost", after, broken


def _judge(store: Store, m: Append, flaw: Flaw) -> str:
    if flaw == "no_checks":
        return "push"
    token, length = store.token, len(store.log)
    same = token is not None and (token.epoch == m.token.epoch if flaw == "no_nonce" else token == m.token)
    if not same and flaw != "no_token":
        return "fenced"
    if flaw == "no_length":
        return "push"
    if length == m.expected:
        return "check_passed" if flaw == "not_atomic" else "push"
    tail = flaw not in ("no_tail", "no_tail_told")
    if tail and length == m.expected + 1 and store.log[-1] == m.entry:
        return "there"
    return "conflict"


def _answered(s: State, m: Message, after: Node) -> State:
    """The answer reaches the node that still waits for it."""
    waits = s.nodes[m.node].waits
    if waits != (m._replace(checked=False) if isinstance(m, Append) else m):
        return s
    nodes = (after, s.nodes[1]) if m.node == 0 else (s.nodes[0], after)
    return s._replace(nodes=nodes)


def _broken(s: State) -> str | None:
    """The first promise that does not hold."""
    refs = tuple(entry.ref for entry in s.store.log)
    for place, entry in enumerate(s.store.log):
        if entry.base != refs[:place]:
            return f"{entry.ref} was decided on {entry.base}, but follows {refs[:place]}"
        if entry.ref in refs[:place]:
            return f"{entry.ref} was done twice"
    for ref, place in s.acked:
        if place >= len(refs) or refs[place] != ref:
            return f"{ref} was acknowledged and is not kept"
    for ref in s.told:
        if ref in refs:
            return f"{ref} was told refused and is done"
    return None
