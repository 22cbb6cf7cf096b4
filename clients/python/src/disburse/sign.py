"""The signature header: version 1 signs key and time, version 2 the whole request. The client sends version 2."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from typing import Optional, Union


def sign_v1(api_key: str, api_secret: str, *, ms: Optional[int] = None) -> str:
    """The value of the signature header, version 1."""
    at = now_ms() if ms is None else ms
    return f"{at}.{_hmac_hex(api_secret, f'{at}.{api_key}')}"


def sign_v2(
    api_key: str,
    api_secret: str,
    method: str,
    path: str,
    body: Union[str, bytes] = b"",
    *,
    ms: Optional[int] = None,
    nonce: Optional[str] = None,
) -> str:
    """The value of the signature header, version 2. `path` is with its query, as on the request line."""
    at = now_ms() if ms is None else ms
    own_nonce = new_nonce() if nonce is None else nonce
    text = string_to_sign_v2(api_key, method, path, body, ms=at, nonce=own_nonce)
    return f"v2.{at}.{own_nonce}.{_hmac_hex(api_secret, text)}"


def string_to_sign_v2(
    api_key: str, method: str, path: str, body: Union[str, bytes] = b"", *, ms: int, nonce: str
) -> str:
    """The seven lines that version 2 signs. Compare them when a signature does not match."""
    content = body.encode() if isinstance(body, str) else body
    body_hash = hashlib.sha256(content).hexdigest()
    return "\n".join(("v2", str(ms), nonce, api_key, method.upper(), path, body_hash))


def new_nonce() -> str:
    return secrets.token_hex(16)


def now_ms() -> int:
    return time.time_ns() // 1_000_000


def _hmac_hex(secret: str, text: str) -> str:
    return hmac.new(secret.encode(), text.encode(), hashlib.sha256).hexdigest()
