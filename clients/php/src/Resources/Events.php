<?php

declare(strict_types=1);

namespace Disburse\Resources;

use Disburse\Connection;
use Disburse\Feed;
use Disburse\HeardEvent;
use Disburse\PagedList;
use Disburse\Schemas;
use Disburse\Times;

/**
 * Written by npm run generate, from openapi.json.
 *
 * @phpstan-import-type EventsFilter from Schemas
 * @phpstan-import-type EventRecord from Schemas
 * @phpstan-import-type EventDetail from Schemas
 * @phpstan-import-type EventResend from Schemas
 * @phpstan-import-type EventRecovery from Schemas
 * @phpstan-import-type StartedRecovery from Schemas
 * @phpstan-import-type TestEvent from Schemas
 * @phpstan-import-type AnnouncedTestEvent from Schemas
 */
final class Events
{
    public function __construct(private readonly Connection $connection)
    {
    }

    /**
     * List events. Of the last 90 days, newest first. The link header names the next page. With a filter that matches
     * few events, a page can be short or empty and still have a next page.
     *
     * @param EventsFilter $filter
     * @return PagedList<EventRecord>
     */
    public function list(array $filter = [], ?int $timeoutMs = null, ?int $maxRetries = null): PagedList
    {
        return $this->connection->list('/api/event', Times::in($filter, 'from', 'to'), $timeoutMs, $maxRetries);
    }

    /**
     * Get event by id, with every delivery attempt.
     *
     * @return EventDetail
     */
    public function get(string $id, ?int $timeoutMs = null, ?int $maxRetries = null): array
    {
        return $this->connection->get('/api/event/' . Connection::segment($id), [], $timeoutMs, $maxRetries);
    }

    /**
     * Resend an event. With the same id and the same body, to all webhook endpoints that get its type, or to one. An
     * event that waits for a retry is sent at once.
     *
     * @param EventResend $eventResend
     * @return EventRecord
     */
    public function resend(
        string $id,
        array $eventResend = [],
        ?string $idempotencyKey = null,
        ?int $timeoutMs = null,
        ?int $maxRetries = null,
    ): array {
        return $this->connection->post(
            '/api/event/' . Connection::segment($id) . '/resend',
            $eventResend,
            $idempotencyKey,
            $timeoutMs,
            $maxRetries,
        );
    }

    /**
     * Resend the undelivered events of a time range. In order, about 1,000 a second, in the background, to all webhook
     * endpoints or to one. Events that wait for a retry are sent at once.
     *
     * @param EventRecovery $eventRecovery
     * @return StartedRecovery
     */
    public function recover(
        array $eventRecovery,
        ?string $idempotencyKey = null,
        ?int $timeoutMs = null,
        ?int $maxRetries = null,
    ): array {
        return $this->connection->post(
            '/api/event/recover',
            Times::in($eventRecovery, 'since', 'until'),
            $idempotencyKey,
            $timeoutMs,
            $maxRetries,
        );
    }

    /**
     * Send a test event. A sample event with invented ids, delivered like any other event. Its id begins with
     * `evt_test_`, also in the signed `webhook-id` header. For a live subaccount, the key also needs the scope
     * `payout`.
     *
     * @param TestEvent $testEvent
     * @return AnnouncedTestEvent
     */
    public function test(
        array $testEvent = [],
        ?string $idempotencyKey = null,
        ?int $timeoutMs = null,
        ?int $maxRetries = null,
    ): array {
        return $this->connection->post('/api/event/test', $testEvent, $idempotencyKey, $timeoutMs, $maxRetries);
    }

    /**
     * Stream events as they happen. Server-sent events: `id`, `event` (the type) and `data` (the body). Delivery is at
     * least once: after a reconnect with `last-event-id` the stream starts a little before that event, so some events
     * can arrive twice. A comment `: resent` precedes an event that was resent.
     *
     * @return \Generator<int, HeardEvent>
     */
    public function listen(?string $lastEventId = null): \Generator
    {
        return Feed::listen($this->connection, '/api/event/feed', $lastEventId);
    }
}
