<?php
// PHP 8: the value of the `signature` header. The body is signed as it is sent.

function sign_v1(string $apiKey, string $secret, ?string $ms = null): string
{
    $ms ??= (string) (int) (microtime(true) * 1000);
    return "$ms." . hash_hmac('sha256', "$ms.$apiKey", $secret);
}

function sign_v2(
    string $apiKey,
    string $secret,
    string $method,
    string $path,
    string $body = '',
    ?string $ms = null,
    ?string $nonce = null
): string {
    $ms ??= (string) (int) (microtime(true) * 1000);
    $nonce ??= bin2hex(random_bytes(16));
    $text = implode("\n", ['v2', $ms, $nonce, $apiKey, $method, $path, hash('sha256', $body)]);
    return "v2.$ms.$nonce." . hash_hmac('sha256', $text, $secret);
}
