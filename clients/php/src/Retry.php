<?php

declare(strict_types=1);

namespace Disburse;

use Disburse\Exceptions\ConnectionException;
use Disburse\Exceptions\DisburseException;
use Disburse\Exceptions\TimeoutException;

/** Whether a failed attempt may be repeated, and after how long. */
final class Retry
{
    private const BACKOFF_MS_FIRST = 500;
    private const BACKOFF_MS_MAX = 8_000;
    // A longer wait is for the caller to decide on: the error says how long the server asked for.
    private const RETRY_AFTER_MS_MAX = 60_000;
    private const PASSING_STATUSES = [408, 429, 502, 503, 504];

    /**
     * Repeating a write does nothing twice: every POST has an idempotency key, and the same PATCH or DELETE leaves the
     * same state.
     */
    public static function mayRepeat(DisburseException $failure, bool $isRead): bool
    {
        if ($failure->retryAfterMs > self::RETRY_AFTER_MS_MAX) {
            return false;
        }
        if ($failure instanceof ConnectionException || $failure instanceof TimeoutException) {
            return true;
        }
        // An earlier attempt with the same key is still running; once it is done, we get its response.
        return $failure->errorCode === 'IDEM103'
            || in_array($failure->status, self::PASSING_STATUSES, true)
            || ($failure->status === 500 && $isRead);
    }

    /** Any time up to a bound that doubles ("full jitter"), so that callers do not return in step. */
    public static function pause(DisburseException $failure, int $retriesSoFar): void
    {
        $boundMs = min(self::BACKOFF_MS_MAX, self::BACKOFF_MS_FIRST * 2 ** min($retriesSoFar, 10));
        usleep((int) (($failure->retryAfterMs + random_int(0, (int) $boundMs)) * 1000));
    }
}
