<?php

declare(strict_types=1);

namespace Disburse\Exceptions;

use Disburse\Tables;

/** An event that you must not act on; `reason` says why. Respond with 400. */
final class WebhookVerificationException extends DisburseException
{
    public readonly string $reason;

    public static function because(string $reason, string $what): self
    {
        $exception = new self("$what ($reason). " . Tables::WEBHOOK_CURES[$reason], 'WEBHOOK_REFUSED');
        $exception->reason = $reason;
        return $exception;
    }
}
