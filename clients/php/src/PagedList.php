<?php

declare(strict_types=1);

namespace Disburse;

use Disburse\Exceptions\DisburseException;

/**
 * Iterates over every item of every page. A page is fetched when it is needed.
 *
 * @template Item of array
 * @implements \IteratorAggregate<int, Item>
 */
final class PagedList implements \IteratorAggregate
{
    /** @param \Closure(?string): array{list<Item>, ?string} $fetchPage */
    public function __construct(private readonly ?string $cursor, private readonly \Closure $fetchPage)
    {
    }

    /** The first page only. @return Page<Item> */
    public function page(): Page
    {
        return $this->pageAt($this->cursor);
    }

    /** @return \Generator<int, Item> */
    public function getIterator(): \Generator
    {
        for ($page = $this->page(); $page !== null; $page = $page->next()) {
            // Not `yield from`, which would count each page from 0 again.
            foreach ($page->items as $item) {
                yield $item;
            }
        }
    }

    /** The items, at most `$max` of them. @return list<Item> */
    public function toArray(int $max = PHP_INT_MAX): array
    {
        $items = [];
        if ($max <= 0) {
            return $items;
        }
        foreach ($this as $item) {
            $items[] = $item;
            if (count($items) >= $max) {
                break;
            }
        }
        return $items;
    }

    /** @return Page<Item> */
    private function pageAt(?string $cursor): Page
    {
        [$items, $nextCursor] = ($this->fetchPage)($cursor);
        if ($nextCursor !== null && $nextCursor === $cursor) {
            // Otherwise such a server would keep a loop running without end.
            $message = 'the list does not end: a page names itself as the next one';
            throw new DisburseException($message, 'UNREADABLE_RESPONSE', 200);
        }
        return new Page($items, $nextCursor, $this->pageAt(...));
    }

    /** The cursor in `link: <…?cursor=…>; rel="next"`, or null when no page follows. */
    public static function nextCursorOf(string $link): ?string
    {
        preg_match_all('/<([^>]*)>([^<]*)/', $link, $links, PREG_SET_ORDER);
        foreach ($links as [, $target, $parameters]) {
            if (
                preg_match('/;\s*rel="?([^";,]*)/i', $parameters, $rel) === 1
                && in_array('next', preg_split('/\s+/', strtolower($rel[1])), true)
            ) {
                // Only the cursor is taken: a signed request must never go where a header says.
                parse_str((string) parse_url($target, PHP_URL_QUERY), $query);
                return $query['cursor'] ?? null;
            }
        }
        return null;
    }
}
