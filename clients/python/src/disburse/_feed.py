"""Listens to the feed of events: reads the stream, reconnects, and drops duplicates."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Dict, Iterator, Optional

from ._connection import Connection
from ._retry import may_repeat, pause
from .errors import ConnectionError, DisburseError
from .schemas import DisburseEvent
from .webhooks import is_test

# The server sends something at least every 15 seconds. A connection that is silent for longer is dead.
_SILENCE_S_MAX = 45
_REMEMBERED_MAX = 10_000


@dataclass(frozen=True)
class HeardEvent:
    id: str
    type: str
    data: DisburseEvent
    body: str
    """The exact text that webhook endpoints get."""
    resent: bool
    is_test: bool
    """A sample event; its ids are invented."""


def listen(
    connection: Connection, path: str, last_event_id: Optional[str]
) -> Iterator[HeardEvent]:
    seen: Dict[str, None] = {}
    last_id = last_event_id
    failures = 0
    while True:
        failure: DisburseError = ConnectionError("the feed ended", code="FEED_ENDED")
        try:
            for block in _blocks(connection, path, last_id):
                failures = 0
                last_id = block.get("id", last_id)
                event = _event_of(block)
                if event and not _is_repeated(seen, block.get("resent") or event.id):
                    yield event
        except DisburseError as error:
            if not may_repeat(error, is_read=True):
                raise
            failure = error
        pause(failure, failures)
        failures += 1


def _is_repeated(seen: Dict[str, None], name: str) -> bool:
    if name in seen:
        return True
    seen[name] = None
    if len(seen) > _REMEMBERED_MAX:
        del seen[next(iter(seen))]
    return False


def _event_of(block: Dict[str, str]) -> Optional[HeardEvent]:
    if not {"id", "event", "data"} <= block.keys():
        return None
    id, body = block["id"], block["data"]
    return HeardEvent(id, block["event"], json.loads(body), body, "resent" in block, is_test(id))


def _blocks(connection: Connection, path: str, last_id: Optional[str]) -> Iterator[Dict[str, str]]:
    """The fields between two empty lines, until the stream ends or is silent for too long."""
    exchange = connection.open(path, {} if last_id is None else {"last-event-id": last_id})
    try:
        block: Dict[str, str] = {}
        while True:
            line = exchange.read_line(_SILENCE_S_MAX)
            if not line.endswith(b"\n"):
                return
            text = line.decode().rstrip("\n")
            if text == "":
                yield block
                block = {}
                continue
            name, _, value = text.partition(":")
            value = value[1:] if value.startswith(" ") else value
            if name == "" and value.startswith("resent "):
                block["resent"] = value[7:]
            elif name == "data" and "data" in block:
                block["data"] += f"\n{value}"
            elif name:
                block[name] = value
    finally:
        exchange.close()
