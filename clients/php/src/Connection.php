<?php

declare(strict_types=1);

namespace Disburse;

use Disburse\Exceptions\DisburseException;

/** The core that every resource calls: signs a request, sends it, and repeats it where that is safe. */
final class Connection
{
    private const PAGE_MAX = 1000;
    /** The difference between the server's clock and ours; 0 until a refusal reports it. */
    private int $clockOffsetMs = 0;

    public function __construct(private readonly Settings $settings)
    {
    }

    /** The part of a path that names one thing. */
    public static function segment(string $id): string
    {
        // An empty id would read the list instead, and dots would climb out of the collection.
        if (in_array($id, ['', '.', '..'], true)) {
            throw new \InvalidArgumentException('the id must not be empty');
        }
        return rawurlencode($id);
    }

    /** @param array<string, mixed> $query @return array<mixed> */
    public function get(string $path, array $query, ?int $timeoutMs, ?int $maxRetries): array
    {
        return $this->page($path, $query, $timeoutMs, $maxRetries)[0];
    }

    /** @param array<string, mixed> $query @return PagedList<array<string, mixed>> */
    public function list(string $path, array $query, ?int $timeoutMs, ?int $maxRetries): PagedList
    {
        $fetchPage = fn (?string $cursor): array =>
            $this->page($path, [...$query, 'cursor' => $cursor], $timeoutMs, $maxRetries);
        return new PagedList($query['cursor'] ?? null, $fetchPage);
    }

    /** An object with the lines of all pages. @param array<string, mixed> $query @return array<string, mixed> */
    public function whole(string $path, array $query, ?int $timeoutMs, ?int $maxRetries): array
    {
        $query['limit'] = self::PAGE_MAX;
        [$whole, $cursor] = $this->page($path, $query, $timeoutMs, $maxRetries);
        while ($cursor !== null) {
            [$page, $cursor] = $this->page($path, [...$query, 'cursor' => $cursor], $timeoutMs, $maxRetries);
            array_push($whole['lines'], ...$page['lines']);
        }
        return $whole;
    }

    /** @param array<string, mixed> $content @return array<mixed> */
    public function post(
        string $path,
        array $content,
        ?string $idempotencyKey,
        ?int $timeoutMs,
        ?int $maxRetries,
    ): array {
        // Generated once for all attempts: the server executes requests with one key once.
        $key = $idempotencyKey ?? Signature::newNonce();
        if (preg_match('/^[!-~]{1,255}$/D', $key) !== 1) {
            throw new \InvalidArgumentException('idempotencyKey must be 1 to 255 visible ASCII characters');
        }
        return $this->request('POST', $path, $content, $key, $timeoutMs, $maxRetries)->payload();
    }

    /**
     * A POST that changes nothing, or keeps no response, so it has no key.
     *
     * @param array<string, mixed> $content
     * @return array<mixed>
     */
    public function ask(string $path, array $content, ?int $timeoutMs, ?int $maxRetries): array
    {
        return $this->request('POST', $path, $content, null, $timeoutMs, $maxRetries)->payload();
    }

    // These two need no key: repeating them changes nothing.

    /** @param array<string, mixed> $content @return array<mixed> */
    public function patch(string $path, array $content, ?int $timeoutMs, ?int $maxRetries): array
    {
        return $this->request('PATCH', $path, $content, null, $timeoutMs, $maxRetries)->payload();
    }

    /** @return array<mixed> */
    public function delete(string $path, ?int $timeoutMs, ?int $maxRetries): array
    {
        return $this->request('DELETE', $path, null, null, $timeoutMs, $maxRetries)->payload();
    }

    /**
     * A stream of events. Throws if the request is refused.
     *
     * @param array<string, string> $extra
     */
    public function open(string $path, array $extra): Exchange
    {
        for ($isCorrected = false; ; $isCorrected = true) {
            $headers = ['accept' => 'text/event-stream', ...$extra];
            $exchange = $this->attempt('GET', $path, null, $headers, $this->settings->timeoutMs);
            $type = $exchange->headers['content-type'] ?? '';
            if ($exchange->status === 200 && str_starts_with($type, 'text/event-stream')) {
                return $exchange;
            }
            $reply = $exchange->read();
            try {
                $reply->payload();
            } catch (DisburseException $failure) {
                if ($isCorrected || !$this->correctClock($failure, $reply)) {
                    throw $failure;
                }
                continue;
            }
            throw $reply->unreadable('is no stream of events; is something else at this address?');
        }
    }

    /** @param array<string, mixed> $query @return array{array<mixed>, ?string} */
    private function page(string $path, array $query, ?int $timeoutMs, ?int $maxRetries): array
    {
        // Null is left out.
        $words = http_build_query($query, '', '&', PHP_QUERY_RFC3986);
        $target = $words === '' ? $path : "$path?$words";
        $reply = $this->request('GET', $target, null, null, $timeoutMs, $maxRetries);
        return [$reply->payload(), PagedList::nextCursorOf($reply->headers['link'] ?? '')];
    }

    /**
     * The response to a call that succeeded. Throws the error of the last attempt.
     *
     * @param ?array<string, mixed> $content
     */
    private function request(
        string $method,
        string $target,
        ?array $content,
        ?string $key,
        ?int $timeoutMs,
        ?int $maxRetries,
    ): Reply {
        $limitMs = Settings::checkTimeoutMs($timeoutMs ?? $this->settings->timeoutMs);
        $retriesMax = Settings::checkMaxRetries($maxRetries ?? $this->settings->maxRetries);
        $flags = JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE;
        $body = $content === null ? null : json_encode($content ?: new \stdClass(), $flags);
        $headers = array_filter([
            'accept' => 'application/json',
            'content-type' => $body === null ? null : 'application/json',
            'idempotency-key' => $key,
        ]);
        $isRead = $method === 'GET' || ($method === 'POST' && $key === null);
        $isCorrected = false;
        for ($retries = 0; ;) {
            $reply = null;
            try {
                $reply = $this->attempt($method, $target, $body, $headers, $limitMs)->read();
                $reply->payload();
                return $reply;
            } catch (DisburseException $failure) {
                // A refused signature did nothing, so this is safe for writes and is not counted as a retry.
                if ($reply !== null && !$isCorrected && $this->correctClock($failure, $reply)) {
                    $isCorrected = true;
                    continue;
                }
                if ($retries >= $retriesMax || !Retry::mayRepeat($failure, $isRead)) {
                    throw $failure;
                }
            }
            Retry::pause($failure, $retries);
            $retries += 1;
        }
    }

    /**
     * Each attempt is signed separately: the server accepts the nonce of a write once.
     *
     * @param array<string, string> $headers
     */
    private function attempt(string $method, string $path, ?string $body, array $headers, int $timeoutMs): Exchange
    {
        ['apiKey' => $key, 'apiSecret' => $secret, 'prefix' => $prefix] = get_object_vars($this->settings);
        $ms = Signature::nowMs() + $this->clockOffsetMs;
        $signed = [
            ...$headers,
            'x-api-key' => $key,
            'signature' => Signature::v2($key, $secret, $method, $prefix . $path, $body ?? '', $ms),
            'user-agent' => $this->settings->userAgent,
        ];
        return new Exchange($this->settings, $timeoutMs, $method, $prefix . $path, $signed, $body);
    }

    private function correctClock(DisburseException $failure, Reply $reply): bool
    {
        $serverMs = $reply->serverTimeMs();
        if ($failure->errorCode !== 'AUTH106' || $serverMs === null) {
            return false;
        }
        $this->clockOffsetMs = $serverMs - Signature::nowMs();
        return true;
    }
}
