<?php

declare(strict_types=1);

namespace Disburse\Resources;

use Disburse\Connection;
use Disburse\PagedList;
use Disburse\Schemas;
use Disburse\Times;

/**
 * Written by npm run generate, from openapi.json.
 *
 * @phpstan-import-type NewPayout from Schemas
 * @phpstan-import-type CreatedPayout from Schemas
 * @phpstan-import-type ValidatedPayout from Schemas
 * @phpstan-import-type CreatedPayoutBatch from Schemas
 * @phpstan-import-type Payout from Schemas
 * @phpstan-import-type PayoutsFilter from Schemas
 * @phpstan-import-type PayoutBatch from Schemas
 * @phpstan-import-type PayoutHistoryEntry from Schemas
 */
final class Payouts
{
    public function __construct(private readonly Connection $connection)
    {
    }

    /**
     * Create a payout. Holds the amount at once. The order of checks is: receiver, account, bank, currency, fee,
     * limits, duplicate, funds.
     *
     * @param NewPayout $newPayout
     * @return CreatedPayout
     */
    public function create(
        array $newPayout,
        ?string $idempotencyKey = null,
        ?int $timeoutMs = null,
        ?int $maxRetries = null,
    ): array {
        return $this->connection->post('/api/payout/single', $newPayout, $idempotencyKey, $timeoutMs, $maxRetries);
    }

    /**
     * Validate a payout. A dry run: decides as `POST /api/payout/single` would now, and writes nothing. The response
     * lists every reason for which the payout would be refused, with the codes of the creation, and shows its fee.
     *
     * @param NewPayout $newPayout
     * @return ValidatedPayout
     */
    public function validate(array $newPayout, ?int $timeoutMs = null, ?int $maxRetries = null): array
    {
        return $this->connection->ask('/api/payout/validate', $newPayout, $timeoutMs, $maxRetries);
    }

    /**
     * Create a payout batch, all or none. Checks every row before it creates any payout. An error names its row:
     * `payouts[3].amount`.
     *
     * @param list<NewPayout> $payouts
     * @return CreatedPayoutBatch
     */
    public function createBatch(
        array $payouts,
        ?string $idempotencyKey = null,
        ?int $timeoutMs = null,
        ?int $maxRetries = null,
    ): array {
        return $this->connection->post(
            '/api/payout/batch',
            ['payouts' => $payouts],
            $idempotencyKey,
            $timeoutMs,
            $maxRetries,
        );
    }

    /**
     * Get payout by id.
     *
     * @return Payout
     */
    public function get(string $id, ?int $timeoutMs = null, ?int $maxRetries = null): array
    {
        return $this->connection->get('/api/payout/' . Connection::segment($id), [], $timeoutMs, $maxRetries);
    }

    /**
     * List payouts. Newest first. The link header names the next page. With `accept: text/csv` the response is CSV.
     *
     * @param PayoutsFilter $filter
     * @return PagedList<Payout>
     */
    public function list(array $filter = [], ?int $timeoutMs = null, ?int $maxRetries = null): PagedList
    {
        return $this->connection->list('/api/payout', Times::in($filter, 'from', 'to'), $timeoutMs, $maxRetries);
    }

    /**
     * Get the state of a payout batch. `GET /api/payout?batch_id=` lists its payouts.
     *
     * @return PayoutBatch
     */
    public function batch(string $id, ?int $timeoutMs = null, ?int $maxRetries = null): array
    {
        return $this->connection->get('/api/payout/batch/' . Connection::segment($id), [], $timeoutMs, $maxRetries);
    }

    /**
     * Cancel a payout that has not been sent.
     *
     * @return Payout
     */
    public function cancel(
        string $id,
        ?string $idempotencyKey = null,
        ?int $timeoutMs = null,
        ?int $maxRetries = null,
    ): array {
        return $this->connection->post(
            '/api/payout/' . Connection::segment($id) . '/cancel',
            [],
            $idempotencyKey,
            $timeoutMs,
            $maxRetries,
        );
    }

    /**
     * List the changes of a payout. Newest first, the creation last.
     *
     * @return list<PayoutHistoryEntry>
     */
    public function history(string $id, ?int $timeoutMs = null, ?int $maxRetries = null): array
    {
        return $this->connection->get(
            '/api/payout/' . Connection::segment($id) . '/history',
            [],
            $timeoutMs,
            $maxRetries,
        );
    }
}
