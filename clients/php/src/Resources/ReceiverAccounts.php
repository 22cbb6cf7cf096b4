<?php

declare(strict_types=1);

namespace Disburse\Resources;

use Disburse\Connection;
use Disburse\Schemas;

/**
 * Written by npm run generate, from openapi.json.
 *
 * @phpstan-import-type NewReceiverAccount from Schemas
 * @phpstan-import-type CreatedReceiverAccount from Schemas
 * @phpstan-import-type ReceiverAccount from Schemas
 * @phpstan-import-type ReceiverAccountChange from Schemas
 * @phpstan-import-type DeletedReceiverAccount from Schemas
 * @phpstan-import-type ReceiverAccountToValidate from Schemas
 * @phpstan-import-type ValidatedReceiverAccount from Schemas
 * @phpstan-import-type AccountSchema from Schemas
 */
final class ReceiverAccounts
{
    public function __construct(private readonly Connection $connection)
    {
    }

    /**
     * Create receiver account. getReceiverAccountSchema describes the fields that a country needs.
     *
     * @param NewReceiverAccount $newReceiverAccount
     * @return CreatedReceiverAccount
     */
    public function create(
        array $newReceiverAccount,
        ?string $idempotencyKey = null,
        ?int $timeoutMs = null,
        ?int $maxRetries = null,
    ): array {
        return $this->connection->post(
            '/api/receiveraccount',
            $newReceiverAccount,
            $idempotencyKey,
            $timeoutMs,
            $maxRetries,
        );
    }

    /**
     * Get receiver account by id.
     *
     * @return ReceiverAccount
     */
    public function get(string $id, ?int $timeoutMs = null, ?int $maxRetries = null): array
    {
        return $this->connection->get('/api/receiveraccount/' . Connection::segment($id), [], $timeoutMs, $maxRetries);
    }

    /**
     * List receiver accounts of a receiver. Newest first, without closed accounts. The list is empty if the receiver
     * has no accounts.
     *
     * @return list<ReceiverAccount>
     */
    public function list(string $id, ?int $timeoutMs = null, ?int $maxRetries = null): array
    {
        return $this->connection->get(
            '/api/receiveraccount/receiver/' . Connection::segment($id),
            [],
            $timeoutMs,
            $maxRetries,
        );
    }

    /**
     * Update receiver account.
     *
     * @param ReceiverAccountChange $receiverAccountChange
     * @return ReceiverAccount
     */
    public function update(
        string $id,
        array $receiverAccountChange,
        ?int $timeoutMs = null,
        ?int $maxRetries = null,
    ): array {
        return $this->connection->patch(
            '/api/receiveraccount/' . Connection::segment($id),
            $receiverAccountChange,
            $timeoutMs,
            $maxRetries,
        );
    }

    /**
     * Delete receiver account. The account is no longer listed and can no longer be paid. You can still read it by its
     * id.
     *
     * @return DeletedReceiverAccount
     */
    public function delete(string $id, ?int $timeoutMs = null, ?int $maxRetries = null): array
    {
        return $this->connection->delete('/api/receiveraccount/' . Connection::segment($id), $timeoutMs, $maxRetries);
    }

    /**
     * Validate a receiver account. Runs the checks of creating an account, and creates nothing.
     *
     * @param ReceiverAccountToValidate $receiverAccountToValidate
     * @return ValidatedReceiverAccount
     */
    public function validate(
        array $receiverAccountToValidate,
        ?string $idempotencyKey = null,
        ?int $timeoutMs = null,
        ?int $maxRetries = null,
    ): array {
        return $this->connection->post(
            '/api/receiveraccount/validate',
            $receiverAccountToValidate,
            $idempotencyKey,
            $timeoutMs,
            $maxRetries,
        );
    }

    /**
     * Get the fields of an account in a country. As JSON Schema. Use it to build or check a form.
     *
     * @return AccountSchema
     */
    public function schema(string $country, ?int $timeoutMs = null, ?int $maxRetries = null): array
    {
        return $this->connection->get('/api/receiveraccount/schema', ['country' => $country], $timeoutMs, $maxRetries);
    }
}
