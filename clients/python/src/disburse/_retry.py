"""Whether a failed attempt may be repeated, and after how long."""

from __future__ import annotations

import random
import time
from email.message import Message
from email.utils import parsedate_to_datetime
from typing import Optional

from .errors import ConnectionError, DisburseError, TimeoutError

_BACKOFF_MS_FIRST = 500
_BACKOFF_MS_MAX = 8_000
# A longer wait is for the caller to decide on: the error says how long the server asked for.
_RETRY_AFTER_MS_MAX = 60_000

_PASSING_STATUSES = (408, 429, 502, 503, 504)


def may_repeat(failure: DisburseError, *, is_read: bool) -> bool:
    """Repeating a write does nothing twice.

    Every POST has an idempotency key, and the same PATCH or DELETE leaves the same state.
    """
    if (failure.retry_after_ms or 0) > _RETRY_AFTER_MS_MAX:
        return False
    if isinstance(failure, (ConnectionError, TimeoutError)):
        return True
    # An earlier attempt with the same key is still running; once it is done, we get its response.
    if failure.code == "IDEM103":
        return True
    return failure.status in _PASSING_STATUSES or (failure.status == 500 and is_read)


def pause(failure: DisburseError, retries_so_far: int) -> None:
    """Any time up to a bound that doubles ("full jitter"), so that callers do not return in step."""
    bound_ms = min(_BACKOFF_MS_MAX, _BACKOFF_MS_FIRST * 2 ** min(retries_so_far, 10))
    time.sleep(((failure.retry_after_ms or 0) + random.random() * bound_ms) / 1000)


def retry_after_ms_of(headers: Message) -> Optional[float]:
    """Retry-After, which holds seconds or a date, in milliseconds from now."""
    value = (headers.get("retry-after") or "").strip()
    if value.isdecimal():
        return int(value) * 1000
    until_ms = _date_ms(value)
    if until_ms is None:
        return None
    # The server's date is compared with the server's clock, if the response has it.
    now_ms = server_time_ms_of(headers)
    return max(0, until_ms - (time.time() * 1000 if now_ms is None else now_ms))


def server_time_ms_of(headers: Message) -> Optional[float]:
    """The server's clock when it answered."""
    return _date_ms(headers.get("date") or "")


def _date_ms(text: str) -> Optional[float]:
    try:
        return parsedate_to_datetime(text).timestamp() * 1000
    except (TypeError, ValueError, IndexError):
        return None
