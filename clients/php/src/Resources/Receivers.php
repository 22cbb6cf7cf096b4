<?php

declare(strict_types=1);

namespace Disburse\Resources;

use Disburse\Connection;
use Disburse\PagedList;
use Disburse\Schemas;

/**
 * Written by npm run generate, from openapi.json.
 *
 * @phpstan-import-type NewReceiver from Schemas
 * @phpstan-import-type CreatedReceiver from Schemas
 * @phpstan-import-type Receiver from Schemas
 * @phpstan-import-type ReceiversFilter from Schemas
 * @phpstan-import-type ReceiverChange from Schemas
 * @phpstan-import-type DeletedReceiver from Schemas
 * @phpstan-import-type ErasedReceiver from Schemas
 * @phpstan-import-type KycLink from Schemas
 * @phpstan-import-type ReceiverHistoryFilter from Schemas
 * @phpstan-import-type HistoryEntry from Schemas
 */
final class Receivers
{
    public function __construct(private readonly Connection $connection)
    {
    }

    /**
     * Create receiver.
     *
     * @param NewReceiver $newReceiver
     * @return CreatedReceiver
     */
    public function create(
        array $newReceiver,
        ?string $idempotencyKey = null,
        ?int $timeoutMs = null,
        ?int $maxRetries = null,
    ): array {
        return $this->connection->post('/api/receiver', $newReceiver, $idempotencyKey, $timeoutMs, $maxRetries);
    }

    /**
     * Get receiver by id.
     *
     * @return Receiver
     */
    public function get(string $id, ?int $timeoutMs = null, ?int $maxRetries = null): array
    {
        return $this->connection->get('/api/receiver/' . Connection::segment($id), [], $timeoutMs, $maxRetries);
    }

    /**
     * List receivers. Newest first. If there is a next page, the link header names it.
     *
     * @param ReceiversFilter $filter
     * @return PagedList<Receiver>
     */
    public function list(array $filter = [], ?int $timeoutMs = null, ?int $maxRetries = null): PagedList
    {
        return $this->connection->list('/api/receiver', $filter, $timeoutMs, $maxRetries);
    }

    /**
     * Change a receiver. Only the fields that you send change. A new name or date of birth resets the identity check to
     * pending. `status` deactivates or reactivates a receiver.
     *
     * @param ReceiverChange $receiverChange
     * @return Receiver
     */
    public function update(string $id, array $receiverChange, ?int $timeoutMs = null, ?int $maxRetries = null): array
    {
        return $this->connection->patch(
            '/api/receiver/' . Connection::segment($id),
            $receiverChange,
            $timeoutMs,
            $maxRetries,
        );
    }

    /**
     * Deactivate a receiver. The receiver becomes inactive and can no longer be paid. Its email stays taken. Repeating
     * the request changes nothing.
     *
     * @return DeletedReceiver
     */
    public function delete(string $id, ?int $timeoutMs = null, ?int $maxRetries = null): array
    {
        return $this->connection->delete('/api/receiver/' . Connection::segment($id), $timeoutMs, $maxRetries);
    }

    /**
     * Erase a receiver. Overwrites every word about the person for good: names, email, date of birth, telephone,
     * address and bank details. The receiver stays, inactive and with empty texts. It is refused while a payout is in
     * progress, a review is open, or payouts must still be kept by law. Repeating the request changes nothing.
     *
     * @return ErasedReceiver
     */
    public function erase(
        string $id,
        ?string $idempotencyKey = null,
        ?int $timeoutMs = null,
        ?int $maxRetries = null,
    ): array {
        return $this->connection->post(
            '/api/receiver/' . Connection::segment($id) . '/erase',
            [],
            $idempotencyKey,
            $timeoutMs,
            $maxRetries,
        );
    }

    /**
     * Restart a failed identity check.
     *
     * @return CreatedReceiver
     */
    public function restartKyc(
        string $id,
        ?string $idempotencyKey = null,
        ?int $timeoutMs = null,
        ?int $maxRetries = null,
    ): array {
        return $this->connection->post(
            '/api/receiver/' . Connection::segment($id) . '/kyc',
            [],
            $idempotencyKey,
            $timeoutMs,
            $maxRetries,
        );
    }

    /**
     * Create a link for the person. The person opens it and gives the documents that the identity check needs. It is a
     * secret of the person. Every request creates a link; none is stored.
     *
     * @return KycLink
     */
    public function kycLink(string $id, ?int $timeoutMs = null, ?int $maxRetries = null): array
    {
        return $this->connection->ask(
            '/api/receiver/' . Connection::segment($id) . '/kyc-link',
            [],
            $timeoutMs,
            $maxRetries,
        );
    }

    /**
     * List the changes of a receiver. Newest first, the creation last. The link header names the next page.
     *
     * @param ReceiverHistoryFilter $filter
     * @return PagedList<HistoryEntry>
     */
    public function history(string $id, array $filter = [], ?int $timeoutMs = null, ?int $maxRetries = null): PagedList
    {
        return $this->connection->list(
            '/api/receiver/' . Connection::segment($id) . '/history',
            $filter,
            $timeoutMs,
            $maxRetries,
        );
    }
}
