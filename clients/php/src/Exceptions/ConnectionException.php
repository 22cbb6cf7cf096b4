<?php

declare(strict_types=1);

namespace Disburse\Exceptions;

/** There was no response. After a write, the outcome is unknown. */
final class ConnectionException extends DisburseException
{
}
