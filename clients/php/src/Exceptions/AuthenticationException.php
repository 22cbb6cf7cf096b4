<?php

declare(strict_types=1);

namespace Disburse\Exceptions;

/** The key or the signature was refused (401). */
final class AuthenticationException extends DisburseException
{
}
