<?php

declare(strict_types=1);

namespace Disburse;

/** An event with what its headers say. */
final class WebhookDelivery
{
    /**
     * @param string $id the same for every attempt: act on it once
     * @param \DateTimeImmutable $timestamp the time of this attempt
     * @param array<string, mixed> $event its type is in the field `event`
     * @param bool $isTest a test event with invented ids: do not act on it
     */
    public function __construct(
        public readonly string $id,
        public readonly \DateTimeImmutable $timestamp,
        public readonly array $event,
        public readonly bool $isTest,
    ) {
    }
}
