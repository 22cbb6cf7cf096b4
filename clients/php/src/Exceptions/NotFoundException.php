<?php

declare(strict_types=1);

namespace Disburse\Exceptions;

/** The object does not exist in this subaccount. */
final class NotFoundException extends DisburseException
{
}
