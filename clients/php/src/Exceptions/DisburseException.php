<?php

declare(strict_types=1);

namespace Disburse\Exceptions;

/** The base class of all errors of a call. Used directly if no narrower class fits. */
class DisburseException extends \RuntimeException
{
    /**
     * @param string $errorCode the server's code, such as REVR101; the README lists the others
     * @param ?int $status the HTTP status, or null if there was no response
     * @param ?string $requestId quote it when you ask the operator of the service what happened
     * @param list<array{code: string, message: string, field?: string}> $errors every problem that the server found
     * @param ?float $retryAfterMs the server's Retry-After, if it sent one
     */
    final public function __construct(
        string $message,
        public readonly string $errorCode,
        public readonly ?int $status = null,
        public readonly ?string $requestId = null,
        public readonly array $errors = [],
        public readonly ?float $retryAfterMs = null,
    ) {
        parent::__construct($message);
    }
}
