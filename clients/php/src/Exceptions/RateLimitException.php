<?php

declare(strict_types=1);

namespace Disburse\Exceptions;

/** Too many requests (429); `retryAfterMs` says when to retry. */
final class RateLimitException extends DisburseException
{
}
