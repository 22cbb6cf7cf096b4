<?php

declare(strict_types=1);

namespace Disburse\Exceptions;

/** There was no response in time. After a write, the outcome is unknown. */
final class TimeoutException extends DisburseException
{
}
