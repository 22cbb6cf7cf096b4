"""Reads a response: its payload, or its error."""

from __future__ import annotations

import json
from typing import Any, Dict, List, Optional, Type, cast
from urllib.parse import urlsplit

from . import errors
from ._exchange import Reply
from ._retry import retry_after_ms_of
from .errors import DisburseError, ErrorEntry
from .tables import CLASS_BY_CODE, CLASS_BY_STATUS

_ENTRIES_IN_MESSAGE_MAX = 3


def payload_of(reply: Reply) -> Any:
    """Raises the error that the response is."""
    status = reply.status
    if 300 <= status < 400:
        raise _redirect(reply)
    body = _parse_object(reply.body)
    if not 200 <= status < 300:
        raise _failure(reply, body)
    if "payload" in body:
        return body["payload"]
    raise unreadable(reply, "is not one of Disburse; is something else at this address?")


def unreadable(reply: Reply, what: str) -> DisburseError:
    message = f"the answer ({reply.status}) {what}"
    return DisburseError(
        message, code="UNREADABLE_RESPONSE", status=reply.status, request_id=_request_id(reply)
    )


def _failure(reply: Reply, body: Dict[str, Any]) -> DisburseError:
    status = reply.status
    entries = _entries(body.get("error"))
    kind: Type[DisburseError]
    if entries:
        code = entries[0]["code"]
        name = CLASS_BY_CODE.get(code)
        kind = _class_named(name) if name else _class_of(status, True)
        message = _message(body.get("message"), entries)
    else:
        # Not the envelope, so a proxy's page. Its text stays out: it can be long, and holds anything.
        code = f"HTTP_{status}"
        kind = _class_of(status, False)
        message = f"the answer ({status}) did not come from Disburse itself"
    return kind(
        message,
        code=code,
        status=status,
        request_id=_request_id(reply),
        errors=entries,
        retry_after_ms=retry_after_ms_of(reply.headers),
    )


def _class_of(status: int, is_envelope: bool) -> Type[DisburseError]:
    if status >= 500:
        return errors.ServerError
    # A proxy can turn a caller away, but it knows nothing of fields or of conflicts.
    if not is_envelope and status not in (401, 403, 429):
        return DisburseError
    return _class_named(CLASS_BY_STATUS.get(status, "DisburseError"))


def _class_named(name: str) -> Type[DisburseError]:
    return cast(Type[DisburseError], getattr(errors, name))


def _redirect(reply: Reply) -> DisburseError:
    url = urlsplit(reply.headers.get("location") or "")
    target = f" to {url.scheme}://{url.netloc}" if url.netloc else ""
    message = f"redirected{target}: signed requests are not passed on; set base_url to the final address"
    return DisburseError(
        message, code="REDIRECTED", status=reply.status, request_id=_request_id(reply)
    )


def _request_id(reply: Reply) -> Optional[str]:
    return reply.headers.get("x-request-id")


def _message(summary: object, entries: List[ErrorEntry]) -> str:
    """get receiver failed: Receiver ID not found (REVR101)"""
    shown = entries[:_ENTRIES_IN_MESSAGE_MAX]
    texts = [f"{entry['message']} ({entry['code']})" for entry in shown]
    if len(entries) > len(shown):
        texts.append(f"and {len(entries) - len(shown)} more")
    start = summary if isinstance(summary, str) else "the request failed"
    return f"{start}: {', '.join(texts)}"


def _entries(given: object) -> List[ErrorEntry]:
    entries = given if isinstance(given, list) else []
    return [
        cast(ErrorEntry, entry)
        for entry in entries
        if isinstance(entry, dict)
        and isinstance(entry.get("code"), str)
        and isinstance(entry.get("message"), str)
    ]


def _parse_object(body: bytes) -> Dict[str, Any]:
    try:
        value = json.loads(body)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}
