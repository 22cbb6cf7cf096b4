<?php

declare(strict_types=1);

namespace Disburse;

/**
 * One page of a list.
 *
 * @template Item of array
 */
final class Page
{
    /**
     * @param list<Item> $items
     * @param ?string $nextCursor names the next page, for a later process too; null on the last
     * @param \Closure(string): Page<Item> $fetchNext
     */
    public function __construct(
        public readonly array $items,
        public readonly ?string $nextCursor,
        private readonly \Closure $fetchNext,
    ) {
    }

    /** Fetches the next page; null on the last. @return ?Page<Item> */
    public function next(): ?Page
    {
        return $this->nextCursor === null ? null : ($this->fetchNext)($this->nextCursor);
    }
}
