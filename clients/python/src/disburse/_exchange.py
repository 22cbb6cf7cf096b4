"""One attempt: a request and its response."""

from __future__ import annotations

import io
import socket
import ssl
import time
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPMessage, HTTPResponse, HTTPSConnection
from typing import Any, Dict, Optional
from urllib.parse import SplitResult

from .errors import ConnectionError, TimeoutError


@dataclass(frozen=True)
class Reply:
    status: int
    headers: HTTPMessage
    body: bytes


class Exchange:
    """Sends a request when it is created. `close` ends the connection: each request has its own."""

    def __init__(
        self,
        url: SplitResult,
        method: str,
        target: str,
        headers: Dict[str, str],
        body: Optional[bytes],
        timeout_ms: float,
        context: Optional[ssl.SSLContext],
    ) -> None:
        self._origin = f"{url.scheme}://{url.netloc}"
        self._timeout_ms = timeout_ms
        self._limit = _Limit(timeout_ms / 1000)
        host = url.hostname or ""
        self._http = (
            HTTPSConnection(host, url.port, timeout=timeout_ms / 1000, context=context)
            if url.scheme == "https"
            else HTTPConnection(host, url.port, timeout=timeout_ms / 1000)
        )
        try:
            self._http.connect()
            # Its timeout would be for each packet. Ours is for the whole response.
            limited = _LimitedSocket(self._http.sock, self._limit)
            self._http.sock = limited
            self._http.request(method, target, body=body, headers=headers)
            self._response: HTTPResponse = self._http.getresponse()
            # http.client takes headers that break off for all headers.
            if limited.stream.has_ended:
                raise HTTPException("the headers broke off")
        except (OSError, HTTPException) as cause:
            self._http.close()
            raise self._failure(cause) from cause

    @property
    def status(self) -> int:
        return self._response.status

    @property
    def headers(self) -> HTTPMessage:
        return self._response.headers

    def read(self) -> Reply:
        try:
            return Reply(self.status, self.headers, self._response.read())
        except (OSError, HTTPException) as cause:
            raise self._failure(cause) from cause
        finally:
            self.close()

    def read_line(self, silence_s: float) -> bytes:
        """A line of a stream, which may take this long. Empty at its end."""
        self._limit.extend(silence_s)
        try:
            return self._response.readline()
        except (OSError, HTTPException, ValueError) as cause:
            raise ConnectionError("the feed broke off", code="CONNECTION_FAILED") from cause

    def close(self) -> None:
        self._response.close()
        self._http.close()

    def _failure(self, cause: Exception) -> Exception:
        if isinstance(cause, socket.timeout):
            message = f"no answer from {self._origin} within {self._timeout_ms:g} ms"
            return TimeoutError(message, code="TIMED_OUT")
        reason = f"no answer from {self._origin} ({type(cause).__name__})"
        return ConnectionError(reason, code="CONNECTION_FAILED")


class _Limit:
    """The moment by which everything must have arrived."""

    def __init__(self, seconds: float) -> None:
        self.extend(seconds)

    def extend(self, seconds: float) -> None:
        self._end_s = time.monotonic() + seconds

    def left_s(self) -> float:
        left_s = self._end_s - time.monotonic()
        if left_s <= 0:
            raise socket.timeout("timed out")
        return left_s


class _LimitedSocket:
    """What http.client needs of a socket. Every wait ends when the limit does."""

    def __init__(self, sock: socket.socket, limit: _Limit) -> None:
        self._sock = sock
        self._limit = limit

    def sendall(self, data: bytes) -> None:
        self._sock.settimeout(self._limit.left_s())
        self._sock.sendall(data)

    def makefile(self, _mode: str) -> io.BufferedReader:
        self.stream = _LimitedStream(self._sock, self._limit)
        return io.BufferedReader(self.stream)

    def close(self) -> None:
        self._sock.close()


class _LimitedStream(io.RawIOBase):
    def __init__(self, sock: socket.socket, limit: _Limit) -> None:
        self._sock = sock
        self._limit = limit
        # The connection closes the socket early, and reading goes on through this.
        self._stream = sock.makefile("rb", buffering=0)
        self.has_ended = False

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> Optional[int]:
        self._sock.settimeout(self._limit.left_s())
        count = self._stream.readinto(buffer)
        self.has_ended = count == 0
        return count

    def close(self) -> None:
        self._stream.close()
        super().close()
