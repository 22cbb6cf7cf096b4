"""Verifies events that arrive at a webhook endpoint: the signature, the time and the body. Needs no API key.

The headers and the signature are those of Standard Webhooks.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
import uuid
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Dict, Iterable, List, Mapping, NoReturn, Optional, Tuple, Union, cast

from .errors import WebhookVerificationError
from .schemas import DisburseEvent
from .tables import EVENT_TYPES

Headers = Union[Mapping[str, str], Mapping[str, List[str]], Iterable[Tuple[str, str]]]
"""A mapping with names in any case, such as the headers of a framework's request, or pairs."""

Secrets = Union[str, Iterable[str]]
"""The secret of the webhook endpoint; during a rotation the old one and the new one."""


@dataclass(frozen=True)
class WebhookDelivery:
    """An event with what its headers say."""

    id: str
    """The same for every attempt: act on it once."""
    timestamp: datetime
    """The time of this attempt."""
    event: DisburseEvent
    is_test: bool
    """A test event with invented ids. Do not act on it."""


def unwrap(
    raw_body: Union[str, bytes],
    headers: Headers,
    secrets: Secrets,
    *,
    tolerance_s: float = 300,
    now: Optional[float] = None,
) -> DisburseEvent:
    """The event, if one of the secrets signed exactly these bytes; otherwise a WebhookVerificationError."""
    return verify(raw_body, headers, secrets, tolerance_s=tolerance_s, now=now).event


def verify(
    raw_body: Union[str, bytes],
    headers: Headers,
    secrets: Secrets,
    *,
    tolerance_s: float = 300,
    now: Optional[float] = None,
) -> WebhookDelivery:
    """Like `unwrap`, and gives id and time beside the event, and whether it is a test event.

    `tolerance_s` is how far the time of sending may be from `now`, in seconds since 1970, which is the clock's time.
    """
    if not tolerance_s >= 0:
        raise ValueError("tolerance_s must be a number, 0 or more")
    body = _read_body(raw_body)
    keys = _read_secrets(secrets)
    id, timestamp, codes = _read_headers(headers)
    timestamp_s = _read_seconds(timestamp)
    given = _read_codes(codes)
    # The time comes after the match, so that "too old" is said of genuine deliveries only.
    expected = _codes_of(keys, f"{id}.{timestamp}.", body)
    if not any([hmac.compare_digest(one, other) for one in given for other in expected]):
        _refuse("no_match", "No signature matches")
    age_s = int(time.time() if now is None else now) - timestamp_s
    if age_s > tolerance_s:
        _refuse("too_old", f"This was sent {age_s} s ago")
    if -age_s > tolerance_s:
        _refuse("in_future", f"This was sent {-age_s} s in the future")
    moment = datetime.fromtimestamp(timestamp_s, timezone.utc)
    return WebhookDelivery(id, moment, _read_event(body), is_test(id))


def sign(
    body: Union[str, bytes],
    secrets: Secrets,
    *,
    id: Optional[str] = None,
    timestamp: Optional[float] = None,
) -> Dict[str, str]:
    """The headers of a delivery, to test your own program with. `timestamp` is in seconds since 1970."""
    own_id = f"evt_{uuid.uuid4()}" if id is None else id
    sent = str(int(time.time() if timestamp is None else timestamp))
    codes = _codes_of(_read_secrets(secrets), f"{own_id}.{sent}.", _read_body(body))
    return {
        "webhook-id": own_id,
        "webhook-timestamp": sent,
        "webhook-signature": " ".join(f"v1,{code}" for code in codes),
    }


def is_test(id: str) -> bool:
    """Whether this webhook-id is that of a test event. The header is signed: trust it once it is verified."""
    return id.startswith("evt_test_")


def _refuse(reason: str, what: str) -> NoReturn:
    raise WebhookVerificationError(reason, what)


def _read_body(body: Union[str, bytes]) -> bytes:
    if isinstance(body, str):
        return body.encode()
    if isinstance(body, (bytes, bytearray, memoryview)):
        return bytes(body)
    raise TypeError("the body must be the text or the bytes that arrived, not what became of them")


def _read_secrets(secrets: Secrets) -> List[bytes]:
    given = [secrets] if isinstance(secrets, str) else list(secrets)
    if not given:
        _refuse("malformed_secret", "No secret is given")
    return [_read_secret(secret) for secret in given]


def _read_secret(secret: object) -> bytes:
    text = re.sub("^whsec_", "", secret) if isinstance(secret, str) else ""
    try:
        key = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        key = b""
    # The lengths that Standard Webhooks allows; ours are of 32 bytes.
    if 24 <= len(key) <= 64:
        return key
    _refuse("malformed_secret", "The secret is not one of an endpoint")


def _read_headers(headers: Headers) -> Tuple[str, str, str]:
    pairs = headers.items() if isinstance(headers, Mapping) else headers
    found: Dict[str, str] = {}
    for name, value in pairs:
        # Joined as HTTP joins them, so that two ids are never taken for one.
        values = [value] if isinstance(value, str) else list(value)
        lower_name = name.lower()
        if lower_name in found:
            values.insert(0, found[lower_name])
        found[lower_name] = ", ".join(values)

    def read(name: str) -> str:
        return found.get(name) or _refuse("missing_header", f"There is no {name} header")

    return read("webhook-id"), read("webhook-timestamp"), read("webhook-signature")


def _read_seconds(text: str) -> int:
    if re.fullmatch(r"[0-9]{1,12}", text):
        return int(text)
    is_ms = re.fullmatch(r"[0-9]{13}", text)
    what = "is in milliseconds" if is_ms else "is not a number of seconds"
    _refuse("malformed_timestamp", f"webhook-timestamp {what}")


def _read_codes(header: str) -> List[str]:
    """Signatures of other versions are ignored."""
    entries = re.split(r",?\s+", header)
    matches = [re.fullmatch(r"v1,([A-Za-z0-9+/]{43}=)", entry) for entry in entries]
    codes = [match.group(1) for match in matches if match]
    if codes:
        return codes
    _refuse("malformed_signature", "webhook-signature holds no signature")


def _codes_of(keys: List[bytes], head: str, body: bytes) -> List[str]:
    text = head.encode() + body
    digests = [hmac.new(key, text, hashlib.sha256).digest() for key in keys]
    return [base64.b64encode(digest).decode() for digest in digests]


def _read_event(body: bytes) -> DisburseEvent:
    try:
        event = json.loads(body.decode())
    except ValueError:
        event = _refuse("not_json", "The body is not JSON in UTF-8")
    name = event.get("event") if isinstance(event, dict) else None
    if isinstance(name, str) and name in EVENT_TYPES:
        return cast(DisburseEvent, event)
    _refuse("unknown_event", f"The event is {json.dumps(name)}")
