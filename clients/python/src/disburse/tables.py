"""What all clients share: the version, and tables of errors and events. Written by npm run generate."""

from __future__ import annotations

from typing import Dict

VERSION = "0.1.0"

EVENT_TYPES = (
    "payoutCreated",
    "payoutUpdate",
    "payoutFailure",
    "receiverKycUpdate",
    "receiverAccountUpdate",
    "balanceFunded",
    "payoutOnHold",
    "payoutReleased",
    "webhookEndpointUpdate",
    "webhookEndpointDisabled",
    "payoutReturned",
    "payoutCancelled",
    "payoutBatchFinished",
    "receiverCreated",
    "receiverUpdate",
    "receiverDeactivated",
    "receiverAccountCreated",
    "balanceLow",
    "monthClosed",
)

CLASS_BY_CODE: Dict[str, str] = {
    "REVR101": "NotFoundError",
    "REAC101": "NotFoundError",
    "REAC104": "NotFoundError",
    "REAC211": "NotFoundError",
    "SUBA101": "NotFoundError",
    "ENDP101": "NotFoundError",
    "EVNT101": "NotFoundError",
    "PAYO101": "NotFoundError",
    "PAYO102": "NotFoundError",
    "PAYO205": "NotFoundError",
    "PAYO206": "NotFoundError",
    "REVR201": "ConflictError",
}

CLASS_BY_STATUS: Dict[int, str] = {
    400: "ValidationError",
    401: "AuthenticationError",
    403: "PermissionError",
    409: "ConflictError",
    413: "ValidationError",
    422: "ConflictError",
    429: "RateLimitError",
}

WEBHOOK_CURES: Dict[str, str] = {
    "missing_header": "Pass all headers of the request, and look whether a proxy drops or renames those that begin with webhook-.",  # noqa: E501
    "malformed_timestamp": "The webhook-timestamp header is whole seconds since 1970, as it was sent.",
    "malformed_signature": "The webhook-signature header holds v1,<base64>, one or more of them, parted by spaces, as it was sent.",  # noqa: E501
    "malformed_secret": "A secret is whsec_ and base64, with nothing around it: neither quotes nor white space. An API secret (sk_…) is something else.",  # noqa: E501
    "no_match": "Either the secret is another endpoint's or an old one, or the body has changed: pass its raw bytes, never JSON that was parsed and serialised again. `disburse verify` finds out which.",  # noqa: E501
    "too_old": "The signature is right. Set your clock; verify on arrival, not after a queue; or raise tolerance_s.",
    "in_future": "The signature is right. Set your clock.",
    "not_json": "The signature is right, so the service sent these bytes. Inform its operator.",
    "unknown_event": "The signature is right. Respond with 2xx, and update this package to support the event.",
}
