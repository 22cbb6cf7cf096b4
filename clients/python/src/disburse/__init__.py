"""The client of Disburse, a payout service."""

from __future__ import annotations

from . import webhooks
from ._feed import HeardEvent
from ._paged_list import Page, PagedList
from .client import Disburse
from .errors import (
    AuthenticationError,
    ConflictError,
    ConnectionError,
    DisburseError,
    ErrorEntry,
    NotFoundError,
    PermissionError,
    RateLimitError,
    ServerError,
    TimeoutError,
    ValidationError,
    WebhookVerificationError,
)
from .sign import sign_v1, sign_v2, string_to_sign_v2
from .tables import VERSION as __version__

__all__ = [
    "AuthenticationError",
    "ConflictError",
    "ConnectionError",
    "Disburse",
    "DisburseError",
    "ErrorEntry",
    "HeardEvent",
    "NotFoundError",
    "Page",
    "PagedList",
    "PermissionError",
    "RateLimitError",
    "ServerError",
    "TimeoutError",
    "ValidationError",
    "WebhookVerificationError",
    "__version__",
    "sign_v1",
    "sign_v2",
    "string_to_sign_v2",
    "webhooks",
]
