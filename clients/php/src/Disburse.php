<?php

declare(strict_types=1);

namespace Disburse;

/** The client: one connection, and an object for each kind of resource. */
final class Disburse
{
    public readonly Resources\Receivers $receivers;
    public readonly Resources\ReceiverAccounts $receiverAccounts;
    public readonly Resources\Payouts $payouts;
    public readonly Resources\Balance $balance;
    public readonly Resources\Events $events;
    public readonly Resources\Subaccount $subaccount;
    public readonly Resources\WebhookEndpoints $webhookEndpoints;
    public readonly Resources\TestHelpers $testHelpers;

    /**
     * Options that are left out are read from DISBURSE_API_KEY, DISBURSE_API_SECRET and DISBURSE_BASE_URL.
     *
     * @param int $timeoutMs how long one attempt may take
     * @param int $maxRetries how often a call is repeated, where that is safe
     * @param array<string, mixed> $tls options of PHP's ssl context, as `cafile` for an authority of your own
     */
    public function __construct(
        ?string $apiKey = null,
        #[\SensitiveParameter]
        ?string $apiSecret = null,
        ?string $baseUrl = null,
        int $timeoutMs = 30_000,
        int $maxRetries = 2,
        ?string $userAgent = null,
        array $tls = [],
    ) {
        $settings = new Settings($apiKey, $apiSecret, $baseUrl, $timeoutMs, $maxRetries, $userAgent, $tls);
        $connection = new Connection($settings);
        $this->receivers = new Resources\Receivers($connection);
        $this->receiverAccounts = new Resources\ReceiverAccounts($connection);
        $this->payouts = new Resources\Payouts($connection);
        $this->balance = new Resources\Balance($connection);
        $this->events = new Resources\Events($connection);
        $this->subaccount = new Resources\Subaccount($connection);
        $this->webhookEndpoints = new Resources\WebhookEndpoints($connection);
        $this->testHelpers = new Resources\TestHelpers($connection);
    }
}
