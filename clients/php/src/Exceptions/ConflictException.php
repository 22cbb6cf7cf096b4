<?php

declare(strict_types=1);

namespace Disburse\Exceptions;

/** The request conflicts with the stored data, such as an email that is taken. */
final class ConflictException extends DisburseException
{
}
