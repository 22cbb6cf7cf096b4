<?php

declare(strict_types=1);

namespace Disburse\Resources;

use Disburse\Connection;
use Disburse\Schemas;

/**
 * Written by npm run generate, from openapi.json.
 *
 * @phpstan-import-type Subaccount from Schemas
 * @phpstan-import-type SubaccountChange from Schemas
 * @phpstan-import-type ChangedSubaccount from Schemas
 * @phpstan-import-type Postback from Schemas
 * @phpstan-import-type SecretRotation from Schemas
 * @phpstan-import-type RotatedSecret from Schemas
 */
final class Subaccount
{
    public function __construct(private readonly Connection $connection)
    {
    }

    /**
     * Get current subaccount. The subaccount of the API key.
     *
     * @return Subaccount
     */
    public function get(?int $timeoutMs = null, ?int $maxRetries = null): array
    {
        return $this->connection->get('/api/subaccount', [], $timeoutMs, $maxRetries);
    }

    /**
     * Change the webhook endpoint, the event types and the contact. Only the fields that you send change. Setting the
     * first postback_url creates the secret that verifies events. The response shows it, this once, as postback_secret.
     *
     * @param SubaccountChange $subaccountChange
     * @return ChangedSubaccount
     */
    public function update(array $subaccountChange, ?int $timeoutMs = null, ?int $maxRetries = null): array
    {
        return $this->connection->patch('/api/subaccount', $subaccountChange, $timeoutMs, $maxRetries);
    }

    /**
     * Get the state of event delivery.
     *
     * @return Postback
     */
    public function getPostback(?int $timeoutMs = null, ?int $maxRetries = null): array
    {
        return $this->connection->get('/api/subaccount/postback', [], $timeoutMs, $maxRetries);
    }

    /**
     * Rotate the secret that signs events. The new secret is shown once. During the overlap, events are also signed
     * with the previous secrets. At most 3 secrets are live: one more ends the oldest at once.
     *
     * @param SecretRotation $secretRotation
     * @return RotatedSecret
     */
    public function rotatePostbackSecret(
        array $secretRotation = [],
        ?string $idempotencyKey = null,
        ?int $timeoutMs = null,
        ?int $maxRetries = null,
    ): array {
        return $this->connection->post(
            '/api/subaccount/postback-secret',
            $secretRotation,
            $idempotencyKey,
            $timeoutMs,
            $maxRetries,
        );
    }
}
