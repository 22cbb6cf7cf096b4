<?php

declare(strict_types=1);

namespace Disburse\Resources;

use Disburse\Connection;
use Disburse\Schemas;
use Disburse\Times;

/**
 * Written by npm run generate, from openapi.json.
 *
 * @phpstan-import-type WebhookEndpoint from Schemas
 * @phpstan-import-type NewWebhookEndpoint from Schemas
 * @phpstan-import-type ChangedWebhookEndpoint from Schemas
 * @phpstan-import-type WebhookEndpointChange from Schemas
 * @phpstan-import-type DeletedWebhookEndpoint from Schemas
 * @phpstan-import-type WebhookEndpointRotation from Schemas
 * @phpstan-import-type WebhookEndpointFill from Schemas
 * @phpstan-import-type StartedRecovery from Schemas
 * @phpstan-import-type SourceAddresses from Schemas
 */
final class WebhookEndpoints
{
    public function __construct(private readonly Connection $connection)
    {
    }

    /**
     * List webhook endpoints. That of postback_url first, then the oldest.
     *
     * @return list<WebhookEndpoint>
     */
    public function list(?int $timeoutMs = null, ?int $maxRetries = null): array
    {
        return $this->connection->get('/api/webhook-endpoint', [], $timeoutMs, $maxRetries);
    }

    /**
     * Get webhook endpoint by id, with the attempts of the last day.
     *
     * @return WebhookEndpoint
     */
    public function get(string $id, ?int $timeoutMs = null, ?int $maxRetries = null): array
    {
        return $this->connection->get('/api/webhook-endpoint/' . Connection::segment($id), [], $timeoutMs, $maxRetries);
    }

    /**
     * Create a webhook endpoint. At most 10 of a subaccount, with that of postback_url. The response has the secret
     * that verifies its events, this once. It gets the events that happen from now on.
     *
     * @param NewWebhookEndpoint $newWebhookEndpoint
     * @return ChangedWebhookEndpoint
     */
    public function create(
        array $newWebhookEndpoint,
        ?string $idempotencyKey = null,
        ?int $timeoutMs = null,
        ?int $maxRetries = null,
    ): array {
        return $this->connection->post(
            '/api/webhook-endpoint',
            $newWebhookEndpoint,
            $idempotencyKey,
            $timeoutMs,
            $maxRetries,
        );
    }

    /**
     * Change a webhook endpoint. Only the fields that you send change. The url of that of postback_url is postback_url.
     *
     * @param WebhookEndpointChange $webhookEndpointChange
     * @return WebhookEndpoint
     */
    public function update(
        string $id,
        array $webhookEndpointChange,
        ?int $timeoutMs = null,
        ?int $maxRetries = null,
    ): array {
        return $this->connection->patch(
            '/api/webhook-endpoint/' . Connection::segment($id),
            $webhookEndpointChange,
            $timeoutMs,
            $maxRetries,
        );
    }

    /**
     * Delete a webhook endpoint. Events that wait for it are not sent. That of postback_url goes as with an empty
     * postback_url.
     *
     * @return DeletedWebhookEndpoint
     */
    public function delete(string $id, ?int $timeoutMs = null, ?int $maxRetries = null): array
    {
        return $this->connection->delete('/api/webhook-endpoint/' . Connection::segment($id), $timeoutMs, $maxRetries);
    }

    /**
     * Rotate the secret of a webhook endpoint. The new secret is shown once. During the overlap, its events are also
     * signed with the previous secrets. At most 3 secrets are live: one more ends the oldest at once.
     *
     * @param WebhookEndpointRotation $webhookEndpointRotation
     * @return ChangedWebhookEndpoint
     */
    public function rotate(
        string $id,
        array $webhookEndpointRotation = [],
        ?string $idempotencyKey = null,
        ?int $timeoutMs = null,
        ?int $maxRetries = null,
    ): array {
        return $this->connection->post(
            '/api/webhook-endpoint/' . Connection::segment($id) . '/rotate',
            $webhookEndpointRotation,
            $idempotencyKey,
            $timeoutMs,
            $maxRetries,
        );
    }

    /**
     * Pause a webhook endpoint: its events wait.
     *
     * @return WebhookEndpoint
     */
    public function pause(
        string $id,
        ?string $idempotencyKey = null,
        ?int $timeoutMs = null,
        ?int $maxRetries = null,
    ): array {
        return $this->connection->post(
            '/api/webhook-endpoint/' . Connection::segment($id) . '/pause',
            [],
            $idempotencyKey,
            $timeoutMs,
            $maxRetries,
        );
    }

    /**
     * Enable a webhook endpoint that is paused or disabled, and send its waiting events.
     *
     * @return WebhookEndpoint
     */
    public function enable(
        string $id,
        ?string $idempotencyKey = null,
        ?int $timeoutMs = null,
        ?int $maxRetries = null,
    ): array {
        return $this->connection->post(
            '/api/webhook-endpoint/' . Connection::segment($id) . '/enable',
            [],
            $idempotencyKey,
            $timeoutMs,
            $maxRetries,
        );
    }

    /**
     * Send a webhook endpoint the events from before it. Of its types and at most the last 30 days, in order, about
     * 1,000 a second, in the background.
     *
     * @param WebhookEndpointFill $webhookEndpointFill
     * @return StartedRecovery
     */
    public function fill(
        string $id,
        array $webhookEndpointFill = [],
        ?string $idempotencyKey = null,
        ?int $timeoutMs = null,
        ?int $maxRetries = null,
    ): array {
        return $this->connection->post(
            '/api/webhook-endpoint/' . Connection::segment($id) . '/fill',
            Times::in($webhookEndpointFill, 'since'),
            $idempotencyKey,
            $timeoutMs,
            $maxRetries,
        );
    }

    /**
     * Get the IP addresses that events are sent from. Empty: the operator has not set them.
     *
     * @return SourceAddresses
     */
    public function sourceAddresses(?int $timeoutMs = null, ?int $maxRetries = null): array
    {
        return $this->connection->get('/api/webhook-endpoint/source-addresses', [], $timeoutMs, $maxRetries);
    }
}
