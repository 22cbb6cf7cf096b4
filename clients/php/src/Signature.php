<?php

declare(strict_types=1);

namespace Disburse;

/** The signature header: version 1 signs key and time, version 2 the whole request. The client sends version 2. */
final class Signature
{
    /** The value of the signature header, version 1. */
    public static function v1(string $apiKey, #[\SensitiveParameter] string $apiSecret, ?int $ms = null): string
    {
        $ms ??= self::nowMs();
        return "$ms." . hash_hmac('sha256', "$ms.$apiKey", $apiSecret);
    }

    /** The value of the signature header, version 2. `$path` is with its query, as on the request line. */
    public static function v2(
        string $apiKey,
        #[\SensitiveParameter]
        string $apiSecret,
        string $method,
        string $path,
        string $body = '',
        ?int $ms = null,
        ?string $nonce = null,
    ): string {
        $ms ??= self::nowMs();
        $nonce ??= self::newNonce();
        $text = self::stringToSignV2($apiKey, $method, $path, $body, $ms, $nonce);
        return "v2.$ms.$nonce." . hash_hmac('sha256', $text, $apiSecret);
    }

    /** The seven lines that version 2 signs. Compare them when a signature does not match. */
    public static function stringToSignV2(
        string $apiKey,
        string $method,
        string $path,
        string $body,
        int $ms,
        string $nonce,
    ): string {
        return implode("\n", ['v2', $ms, $nonce, $apiKey, strtoupper($method), $path, hash('sha256', $body)]);
    }

    public static function newNonce(): string
    {
        return bin2hex(random_bytes(16));
    }

    public static function nowMs(): int
    {
        return (int) floor(microtime(true) * 1000);
    }
}
