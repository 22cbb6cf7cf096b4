<?php

declare(strict_types=1);

namespace Disburse;

/** The options of a client, checked once when it is created. */
final class Settings
{
    public readonly string $apiKey;
    public readonly string $apiSecret;
    /** https or http. */
    public readonly string $scheme;
    public readonly string $host;
    public readonly int $port;
    /** What the base URL has before the paths of the API, without a slash at its end. */
    public readonly string $prefix;
    public readonly string $userAgent;

    /** @param array<string, mixed> $tls */
    public function __construct(
        ?string $apiKey,
        #[\SensitiveParameter]
        ?string $apiSecret,
        ?string $baseUrl,
        public readonly int $timeoutMs,
        public readonly int $maxRetries,
        ?string $userAgent,
        public readonly array $tls,
    ) {
        $this->apiKey = self::readApiKey(self::given($apiKey, 'apiKey', 'DISBURSE_API_KEY'));
        $this->apiSecret = self::given($apiSecret, 'apiSecret', 'DISBURSE_API_SECRET');
        self::checkTimeoutMs($timeoutMs);
        self::checkMaxRetries($maxRetries);
        $this->userAgent = $userAgent ?? 'disburse-client-php/' . Tables::VERSION;
        $url = parse_url(self::given($baseUrl, 'baseUrl', 'DISBURSE_BASE_URL'));
        $scheme = strtolower($url['scheme'] ?? '');
        if (!in_array($scheme, ['https', 'http'], true) || ($url['host'] ?? '') === '') {
            throw new \InvalidArgumentException('baseUrl must be an address that starts with https:// or http://');
        }
        if (array_intersect_key($url, ['user' => 0, 'pass' => 0, 'query' => 0, 'fragment' => 0])) {
            throw new \InvalidArgumentException('baseUrl must have no user, password, query or fragment');
        }
        $this->scheme = $scheme;
        $this->host = $url['host'];
        $this->port = $url['port'] ?? ($scheme === 'https' ? 443 : 80);
        $this->prefix = rtrim($url['path'] ?? '', '/');
    }

    public function origin(): string
    {
        return "$this->scheme://$this->host:$this->port";
    }

    public static function checkTimeoutMs(int $timeoutMs): int
    {
        return $timeoutMs > 0 ? $timeoutMs : throw new \InvalidArgumentException('timeoutMs must be above 0');
    }

    public static function checkMaxRetries(int $maxRetries): int
    {
        return $maxRetries >= 0 ? $maxRetries : throw new \InvalidArgumentException('maxRetries must be 0 or more');
    }

    private static function given(#[\SensitiveParameter] ?string $value, string $option, string $variable): string
    {
        $found = $value ?? getenv($variable);
        if ($found === false || $found === '') {
            throw new \InvalidArgumentException("$option is missing: pass it, or set $variable");
        }
        return $found;
    }

    private static function readApiKey(#[\SensitiveParameter] string $apiKey): string
    {
        // Neither text repeats the value: it may be the secret, pasted into the wrong place.
        if (str_starts_with($apiKey, 'sk_')) {
            throw new \InvalidArgumentException(
                'apiKey holds a secret (sk_…): apiKey and apiSecret seem to be swapped',
            );
        }
        if (preg_match('/^[!-~]+$/D', $apiKey) !== 1) {
            throw new \InvalidArgumentException(
                'apiKey holds a space, a line break or another character no key has',
            );
        }
        return $apiKey;
    }

    /** Without the secret, where the object is printed. @return array<string, mixed> */
    public function __debugInfo(): array
    {
        return ['apiKey' => $this->apiKey, 'baseUrl' => $this->origin() . $this->prefix];
    }

    /** @return never */
    public function __serialize(): array
    {
        throw new \LogicException('a client holds a secret, so it is not serialized');
    }
}
