"""The errors of a call. Every one has a code, so that callers need not match texts."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, TypedDict, cast

from .tables import WEBHOOK_CURES


class _ErrorEntry(TypedDict):
    code: str
    message: str


class ErrorEntry(_ErrorEntry, total=False):
    """One entry of the server's list of problems."""

    field: str


class DisburseError(Exception):
    """The base class of all errors. Used directly if no narrower class fits.

    `code` is the server's, such as REVR101; the README lists the others. `status` is None if there was no response,
    `errors` has every problem that the server found, and `retry_after_ms` is the server's Retry-After.
    """

    def __init__(
        self,
        message: str,
        *,
        code: str,
        status: Optional[int] = None,
        request_id: Optional[str] = None,
        errors: Optional[List[ErrorEntry]] = None,
        retry_after_ms: Optional[float] = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.status = status
        self.request_id = request_id
        self.errors: List[ErrorEntry] = errors or []
        self.retry_after_ms = retry_after_ms

    # Exceptions are copied between processes by their arguments, and these are all keywords.
    def __reduce__(self) -> Any:
        return _copy, (type(self), dict(self.__dict__))


def _copy(kind: type, state: Dict[str, Any]) -> Exception:
    error = cast(Exception, kind.__new__(kind, state["message"]))
    error.__dict__.update(state)
    return error


class AuthenticationError(DisburseError):
    """The key or the signature was refused (401)."""


class PermissionError(DisburseError):
    """The key is good, but may not do this (403)."""


class ValidationError(DisburseError):
    """The request is not valid; `errors` names the fields."""


class NotFoundError(DisburseError):
    """The object does not exist in this subaccount."""


class ConflictError(DisburseError):
    """The request conflicts with the stored data, such as an email that is taken."""


class RateLimitError(DisburseError):
    """Too many requests (429); `retry_after_ms` says when to retry."""


class ServerError(DisburseError):
    """The server, or something in front of it, failed (5xx). After a write, the outcome is unknown."""


class ConnectionError(DisburseError):
    """There was no response. After a write, the outcome is unknown."""


class TimeoutError(DisburseError):
    """There was no response in time. After a write, the outcome is unknown."""


class WebhookVerificationError(DisburseError):
    """An event that you must not act on; `reason` says why. Respond with 400."""

    def __init__(self, reason: str, what: str) -> None:
        super().__init__(f"{what} ({reason}). {WEBHOOK_CURES[reason]}", code="WEBHOOK_REFUSED")
        self.reason = reason
