# Python 3: the value of the `signature` header. The body is signed as it is sent, in bytes.
import hashlib
import hmac
import secrets as random
import time
from typing import Optional


def sign_v1(api_key: str, secret: str, ms: Optional[str] = None) -> str:
    ms = ms or str(time.time_ns() // 1_000_000)
    code = hmac.new(secret.encode(), f"{ms}.{api_key}".encode(), hashlib.sha256)
    return f"{ms}.{code.hexdigest()}"


def sign_v2(api_key: str, secret: str, method: str, path: str, body: bytes = b"",
            ms: Optional[str] = None, nonce: Optional[str] = None) -> str:
    ms = ms or str(time.time_ns() // 1_000_000)
    nonce = nonce or random.token_urlsafe(24)
    digest = hashlib.sha256(body).hexdigest()
    text = "\n".join(["v2", ms, nonce, api_key, method, path, digest])
    code = hmac.new(secret.encode(), text.encode(), hashlib.sha256)
    return f"v2.{ms}.{nonce}.{code.hexdigest()}"
