<?php

declare(strict_types=1);

namespace Disburse;

/** An event of the feed. */
final class HeardEvent
{
    /**
     * @param array<string, mixed> $data
     * @param string $body the exact text that webhook endpoints get
     * @param bool $isTest a sample event; its ids are invented
     */
    public function __construct(
        public readonly string $id,
        public readonly string $type,
        public readonly array $data,
        public readonly string $body,
        public readonly bool $resent,
        public readonly bool $isTest,
    ) {
    }
}
