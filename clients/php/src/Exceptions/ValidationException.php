<?php

declare(strict_types=1);

namespace Disburse\Exceptions;

/** The request is not valid; `errors` names the fields. */
final class ValidationException extends DisburseException
{
}
