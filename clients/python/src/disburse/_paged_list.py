"""Lists in pages. A link header names the next page, and a list follows it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from email.message import Message
from typing import Callable, Generic, Iterator, List, Optional, Tuple, TypeVar
from urllib.parse import parse_qs, urlsplit

from .errors import DisburseError

Item = TypeVar("Item")


@dataclass(frozen=True)
class Page(Generic[Item]):
    items: List[Item]
    next_cursor: Optional[str]
    """Names the next page, for a later process too; None on the last."""
    _fetch_next: Callable[[str], Page[Item]] = field(repr=False, compare=False)

    def next(self) -> Optional[Page[Item]]:
        """Fetches the next page; None on the last."""
        return None if self.next_cursor is None else self._fetch_next(self.next_cursor)


class PagedList(Generic[Item]):
    """Iterates over every item of every page. A page is fetched when it is needed."""

    def __init__(
        self,
        cursor: Optional[str],
        fetch_page: Callable[[Optional[str]], Tuple[List[Item], Optional[str]]],
    ) -> None:
        self._cursor = cursor
        self._fetch_page = fetch_page

    def page(self) -> Page[Item]:
        """The first page only."""
        return self._page_at(self._cursor)

    def __iter__(self) -> Iterator[Item]:
        page: Optional[Page[Item]] = self.page()
        while page is not None:
            yield from page.items
            page = page.next()

    def to_list(self, *, max: Optional[int] = None) -> List[Item]:
        """The items, at most `max` of them."""
        items: List[Item] = []
        if max is not None and max <= 0:
            return items
        for item in self:
            items.append(item)
            if max is not None and len(items) >= max:
                break
        return items

    def _page_at(self, cursor: Optional[str]) -> Page[Item]:
        items, next_cursor = self._fetch_page(cursor)
        if next_cursor is not None and next_cursor == cursor:
            # Otherwise such a server would keep a loop running without end.
            message = "the list does not end: a page names itself as the next one"
            raise DisburseError(message, code="UNREADABLE_RESPONSE", status=200)
        return Page(items, next_cursor, self._page_at)


def next_cursor_of(headers: Message) -> Optional[str]:
    """The cursor in `link: <…?cursor=…>; rel="next"`, or None when no page follows."""
    for target, parameters in re.findall(r"<([^>]*)>([^<]*)", headers.get("link") or ""):
        rel = re.search(r';\s*rel="?([^";,]*)', parameters, re.IGNORECASE)
        if rel and "next" in rel.group(1).lower().split():
            # Only the cursor is taken: a signed request must never go where a header says.
            cursors = parse_qs(urlsplit(target).query).get("cursor")
            return cursors[0] if cursors else None
    return None
