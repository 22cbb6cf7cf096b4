"""The core that every resource calls: signs a request, sends it, and repeats it where that is safe."""

from __future__ import annotations

import json
import re
import ssl
from http.client import HTTPMessage
from typing import Any, Dict, List, Mapping, Optional, Tuple
from urllib.parse import quote, urlencode

from ._exchange import Exchange, Reply
from ._paged_list import PagedList, next_cursor_of
from ._reply import payload_of, unreadable
from ._retry import may_repeat, pause, server_time_ms_of
from ._settings import Settings, check_max_retries, check_timeout_ms
from .errors import DisburseError
from .sign import new_nonce, now_ms, sign_v2

Query = Optional[Mapping[str, object]]
_PAGE_MAX = 1000


class Resource:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection


def segment(id: str) -> str:
    """The part of a path that names one thing."""
    # An empty id would read the list instead, and dots would climb out of the collection.
    if not isinstance(id, str) or id in ("", ".", ".."):
        raise ValueError("the id must be a string, and not empty")
    return quote(id, safe="")


class Connection:
    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._context = settings.ssl_context
        if self._context is None and settings.base_url.scheme == "https":
            self._context = ssl.create_default_context()
        # The difference between the server's clock and ours; 0 until a refusal reports it.
        self._clock_offset_ms = 0

    def get(
        self, path: str, query: Query, timeout_ms: Optional[float], max_retries: Optional[int]
    ) -> Any:
        return self._page(path, query, None, timeout_ms, max_retries)[0]

    def list(
        self, path: str, query: Query, timeout_ms: Optional[float], max_retries: Optional[int]
    ) -> PagedList[Any]:
        first = dict(query or {})
        start = first.pop("cursor", None)

        def fetch(cursor: Optional[str]) -> Tuple[List[Any], Optional[str]]:
            return self._page(path, first, cursor, timeout_ms, max_retries)

        return PagedList(None if start is None else str(start), fetch)

    def whole(
        self, path: str, query: Query, timeout_ms: Optional[float], max_retries: Optional[int]
    ) -> Any:
        """An object with the lines of all pages."""
        wanted: Dict[str, object] = {**(query or {}), "limit": _PAGE_MAX}
        whole, cursor = self._page(path, wanted, None, timeout_ms, max_retries)
        while cursor is not None:
            page, cursor = self._page(path, wanted, cursor, timeout_ms, max_retries)
            whole["lines"].extend(page["lines"])
        return whole

    def post(
        self,
        path: str,
        content: object,
        idempotency_key: Optional[str],
        timeout_ms: Optional[float],
        max_retries: Optional[int],
    ) -> Any:
        # Generated once for all attempts: the server executes requests with one key once.
        key = new_nonce() if idempotency_key is None else idempotency_key
        if not re.fullmatch(r"[!-~]{1,255}", key):
            raise ValueError("idempotency_key must be 1 to 255 visible ASCII characters")
        return self._send("POST", path, content, key, timeout_ms, max_retries)

    def ask(
        self, path: str, content: object, timeout_ms: Optional[float], max_retries: Optional[int]
    ) -> Any:
        """A POST that changes nothing, or keeps no response, so it has no key."""
        return self._send("POST", path, content, None, timeout_ms, max_retries)

    # These two need no key: repeating them changes nothing.
    def patch(
        self, path: str, content: object, timeout_ms: Optional[float], max_retries: Optional[int]
    ) -> Any:
        return self._send("PATCH", path, content, None, timeout_ms, max_retries)

    def delete(self, path: str, timeout_ms: Optional[float], max_retries: Optional[int]) -> Any:
        reply = self._request("DELETE", path, None, None, timeout_ms, max_retries)
        return payload_of(reply)

    def open(self, path: str, extra: Dict[str, str]) -> Exchange:
        """A stream of events. Raises the error if the request is refused."""
        headers = {"accept": "text/event-stream", **extra}
        is_corrected = False
        while True:
            exchange = self._try("GET", path, None, headers, self._settings.timeout_ms)
            content_type = exchange.headers.get("content-type") or ""
            if exchange.status == 200 and content_type.startswith("text/event-stream"):
                return exchange
            reply = exchange.read()
            try:
                payload_of(reply)
            except DisburseError as failure:
                if is_corrected or not self._correct_clock(failure, reply.headers):
                    raise
                is_corrected = True
                continue
            raise unreadable(reply, "is no stream of events; is something else at this address?")

    def _page(
        self,
        path: str,
        query: Query,
        cursor: Optional[str],
        timeout_ms: Optional[float],
        max_retries: Optional[int],
    ) -> Tuple[Any, Optional[str]]:
        words: Dict[str, object] = {**(query or {}), "cursor": cursor}
        given: Dict[str, str] = {}
        for name, value in words.items():
            if isinstance(value, dict):
                given.update({f"{name}[{key}]": str(inner) for key, inner in value.items()})
            elif value is not None:
                given[name] = str(value)
        target = f"{path}?{urlencode(given, quote_via=quote)}" if given else path
        reply = self._request("GET", target, None, None, timeout_ms, max_retries)
        return payload_of(reply), next_cursor_of(reply.headers)

    def _send(
        self,
        method: str,
        path: str,
        content: object,
        key: Optional[str],
        timeout_ms: Optional[float],
        max_retries: Optional[int],
    ) -> Any:
        text = json.dumps({} if content is None else content, ensure_ascii=False)
        reply = self._request(method, path, text.encode(), key, timeout_ms, max_retries)
        return payload_of(reply)

    def _request(
        self,
        method: str,
        target: str,
        body: Optional[bytes],
        key: Optional[str],
        timeout_ms: Optional[float],
        max_retries: Optional[int],
    ) -> Reply:
        """The response to a call that succeeded. Raises the error of the last attempt."""
        settings = self._settings
        limit_ms = settings.timeout_ms if timeout_ms is None else check_timeout_ms(timeout_ms)
        retries_max = settings.max_retries if max_retries is None else max_retries
        check_max_retries(retries_max)
        headers = {"accept": "application/json"}
        if body is not None:
            headers["content-type"] = "application/json"
        if key is not None:
            headers["idempotency-key"] = key
        is_read = method == "GET" or (method == "POST" and key is None)
        is_corrected = False
        retries = 0
        while True:
            reply = None
            try:
                reply = self._try(method, target, body, headers, limit_ms).read()
                payload_of(reply)
                return reply
            except DisburseError as failure:
                # A refused signature did nothing, so this is safe for writes and is not counted as a retry.
                if reply and not is_corrected and self._correct_clock(failure, reply.headers):
                    is_corrected = True
                    continue
                if retries >= retries_max or not may_repeat(failure, is_read=is_read):
                    raise
                pause(failure, retries)
                retries += 1

    # Each attempt is signed separately: the server accepts the nonce of a write once.
    def _try(
        self,
        method: str,
        path: str,
        body: Optional[bytes],
        headers: Dict[str, str],
        timeout_ms: float,
    ) -> Exchange:
        settings = self._settings
        target = settings.base_url.path + path
        ms = now_ms() + self._clock_offset_ms
        signature = sign_v2(
            settings.api_key, settings.api_secret, method, target, body or b"", ms=ms
        )
        signed = {
            **headers,
            "x-api-key": settings.api_key,
            "signature": signature,
            "user-agent": settings.user_agent,
            "connection": "close",
        }
        return Exchange(
            settings.base_url, method, target, signed, body, timeout_ms, self._context
        )

    def _correct_clock(self, failure: DisburseError, headers: HTTPMessage) -> bool:
        server_ms = server_time_ms_of(headers)
        if failure.code != "AUTH106" or server_ms is None:
            return False
        self._clock_offset_ms = int(server_ms) - now_ms()
        return True
