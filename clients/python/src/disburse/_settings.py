"""The options of a client, checked once when it is created."""

from __future__ import annotations

import math
import os
import re
import ssl
from dataclasses import dataclass, field
from typing import Optional
from urllib.parse import SplitResult, urlsplit

from .tables import VERSION


@dataclass(frozen=True)
class Settings:
    api_key: str
    # Not shown where the object is printed, as in a log.
    api_secret: str = field(repr=False)
    base_url: SplitResult
    timeout_ms: float
    max_retries: int
    user_agent: str
    ssl_context: Optional[ssl.SSLContext]


def read_settings(
    api_key: Optional[str],
    api_secret: Optional[str],
    base_url: Optional[str],
    timeout_ms: float,
    max_retries: int,
    user_agent: Optional[str],
    ssl_context: Optional[ssl.SSLContext],
) -> Settings:
    return Settings(
        _read_api_key(api_key or os.environ.get("DISBURSE_API_KEY")),
        _read_api_secret(api_secret or os.environ.get("DISBURSE_API_SECRET")),
        _read_base_url(base_url or os.environ.get("DISBURSE_BASE_URL")),
        check_timeout_ms(timeout_ms),
        check_max_retries(max_retries),
        user_agent or f"disburse-client-python/{VERSION}",
        ssl_context,
    )


def check_timeout_ms(timeout_ms: float) -> float:
    if timeout_ms > 0 and math.isfinite(timeout_ms):
        return timeout_ms
    raise ValueError("timeout_ms must be a number above 0")


def check_max_retries(max_retries: int) -> int:
    if isinstance(max_retries, int) and max_retries >= 0:
        return max_retries
    raise ValueError("max_retries must be a whole number, 0 or more")


def _read_api_key(api_key: Optional[str]) -> str:
    if not api_key:
        raise ValueError("api_key is missing: pass it, or set DISBURSE_API_KEY")
    # Neither text repeats the value: it may be the secret, pasted into the wrong place.
    if api_key.startswith("sk_"):
        raise ValueError(
            "api_key holds a secret (sk_…): api_key and api_secret seem to be swapped"
        )
    if not re.fullmatch(r"[!-~]+", api_key):
        raise ValueError("api_key holds a space, a line break or another character no key has")
    return api_key


def _read_api_secret(api_secret: Optional[str]) -> str:
    if api_secret:
        return api_secret
    raise ValueError("api_secret is missing: pass it, or set DISBURSE_API_SECRET")


def _read_base_url(base_url: Optional[str]) -> SplitResult:
    if not base_url:
        raise ValueError("base_url is missing: pass it, or set DISBURSE_BASE_URL")
    url = urlsplit(base_url)
    if url.scheme not in ("https", "http") or not url.hostname:
        raise ValueError("base_url must be an address that starts with https:// or http://")
    if url.username or url.password or url.query or url.fragment:
        raise ValueError("base_url must have no user, password, query or fragment")
    if url.port == 0:
        raise ValueError("base_url has no valid port")
    # Without a slash at its end, so that paths can be appended.
    return url._replace(path=url.path.rstrip("/"))
