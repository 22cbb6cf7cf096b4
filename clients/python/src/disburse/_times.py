"""Converts times to the milliseconds of the wire format."""

from __future__ import annotations

import re
from datetime import date, datetime, timezone
from typing import Any, Dict, Mapping, Optional

# A date alone is in UTC. A time must say its zone, or its meaning would change with the machine's.
_ISO_8601 = re.compile(r"\d{4}-\d{2}-\d{2}(T.+(Z|[+-]\d{2}:\d{2}))?")


def with_times(given: Optional[Mapping[str, Any]], *names: str) -> Dict[str, Any]:
    """A copy, whose fields of these names are milliseconds. An invalid time is passed on: the server refuses it."""
    fields = dict(given or {})
    for name in names:
        if name in fields:
            fields[name] = _milliseconds(fields[name])
    return fields


def _milliseconds(value: object) -> object:
    if isinstance(value, datetime):
        return _of_datetime(value)
    if isinstance(value, date):
        return _of_datetime(datetime(value.year, value.month, value.day, tzinfo=timezone.utc))
    if not isinstance(value, str) or not _ISO_8601.fullmatch(value):
        return value
    try:
        # Before Python 3.11, fromisoformat knows no Z.
        moment = datetime.fromisoformat(re.sub("Z$", "+00:00", value))
    except ValueError:
        return value
    return _of_datetime(moment if moment.tzinfo else moment.replace(tzinfo=timezone.utc))


def _of_datetime(moment: datetime) -> int:
    if moment.tzinfo is None:
        raise ValueError("a datetime needs its zone, such as timezone.utc")
    return round(moment.timestamp() * 1000)
