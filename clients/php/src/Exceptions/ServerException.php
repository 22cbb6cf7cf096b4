<?php

declare(strict_types=1);

namespace Disburse\Exceptions;

/** The server, or something in front of it, failed (5xx). After a write, the outcome is unknown. */
final class ServerException extends DisburseException
{
}
