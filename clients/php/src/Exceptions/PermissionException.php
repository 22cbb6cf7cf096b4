<?php

declare(strict_types=1);

namespace Disburse\Exceptions;

/** The key is good, but may not do this (403). */
final class PermissionException extends DisburseException
{
}
