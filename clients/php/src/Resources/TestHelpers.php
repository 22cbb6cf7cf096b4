<?php

declare(strict_types=1);

namespace Disburse\Resources;

use Disburse\Connection;
use Disburse\Schemas;

/**
 * Written by npm run generate, from openapi.json.
 *
 * @phpstan-import-type TestStatus from Schemas
 * @phpstan-import-type TestStatusSet from Schemas
 * @phpstan-import-type TestFunding from Schemas
 * @phpstan-import-type TestFunded from Schemas
 */
final class TestHelpers
{
    public function __construct(private readonly Connection $connection)
    {
    }

    /**
     * Set the outcome of an identity check or a payout. Only transitions that the state allows, and only with a key of
     * a test subaccount. Payouts of a test bank connection get their outcome from the bank simulator.
     *
     * @param TestStatus $testStatus
     * @return TestStatusSet
     */
    public function setStatus(
        array $testStatus,
        ?string $idempotencyKey = null,
        ?int $timeoutMs = null,
        ?int $maxRetries = null,
    ): array {
        return $this->connection->post(
            '/api/test-helpers/status',
            $testStatus,
            $idempotencyKey,
            $timeoutMs,
            $maxRetries,
        );
    }

    /**
     * Fund a test subaccount. As if a deposit had arrived at the bank. Only with a key of a test subaccount.
     *
     * @param TestFunding $testFunding
     * @return TestFunded
     */
    public function fund(
        array $testFunding,
        ?string $idempotencyKey = null,
        ?int $timeoutMs = null,
        ?int $maxRetries = null,
    ): array {
        return $this->connection->post(
            '/api/test-helpers/fund',
            $testFunding,
            $idempotencyKey,
            $timeoutMs,
            $maxRetries,
        );
    }
}
