<?php

declare(strict_types=1);

namespace Disburse;

use Disburse\Exceptions\DisburseException;
use Disburse\Exceptions\ServerException;

/** A response: its payload, or its error. */
final class Reply
{
    private const ENTRIES_IN_MESSAGE_MAX = 3;

    /** @param array<string, string> $headers by name in lower case */
    public function __construct(
        public readonly int $status,
        public readonly array $headers,
        private readonly string $body,
    ) {
    }

    /** Throws the error that the response is. @return array<mixed> */
    public function payload(): array
    {
        if ($this->status >= 300 && $this->status < 400) {
            throw $this->redirect();
        }
        $body = json_decode($this->body, true);
        $body = is_array($body) ? $body : [];
        if ($this->status < 200 || $this->status > 299) {
            throw $this->failure($body);
        }
        if (is_array($body['payload'] ?? null)) {
            return $body['payload'];
        }
        throw $this->unreadable('is not one of Disburse; is something else at this address?');
    }

    public function unreadable(string $what): DisburseException
    {
        $message = "the answer ($this->status) $what";
        return new DisburseException($message, 'UNREADABLE_RESPONSE', $this->status, $this->requestId());
    }

    /** The server's clock when it answered. */
    public function serverTimeMs(): ?int
    {
        return self::dateMs($this->headers['date'] ?? '');
    }

    /** Retry-After, which holds seconds or a date, in milliseconds from now. */
    private function retryAfterMs(): ?float
    {
        $value = $this->headers['retry-after'] ?? '';
        if (ctype_digit($value)) {
            return (float) $value * 1000;
        }
        $untilMs = self::dateMs($value);
        // The server's date is compared with the server's clock, if the response has it.
        $nowMs = $this->serverTimeMs() ?? Signature::nowMs();
        return $untilMs === null ? null : (float) max(0, $untilMs - $nowMs);
    }

    private static function dateMs(string $date): ?int
    {
        $seconds = $date === '' ? false : strtotime($date);
        return $seconds === false ? null : $seconds * 1000;
    }

    private function requestId(): ?string
    {
        return $this->headers['x-request-id'] ?? null;
    }

    /** @param array<mixed> $body */
    private function failure(array $body): DisburseException
    {
        $entries = self::entries($body['error'] ?? null);
        if ($entries !== []) {
            $code = $entries[0]['code'];
            $class = Tables::CLASS_BY_CODE[$code] ?? $this->classOfStatus(true);
            $message = self::message($body['message'] ?? null, $entries);
        } else {
            // Not the envelope, so a proxy's page. Its text stays out: it can be long, and holds anything.
            $code = "HTTP_$this->status";
            $class = $this->classOfStatus(false);
            $message = "the answer ($this->status) did not come from Disburse itself";
        }
        return new $class($message, $code, $this->status, $this->requestId(), $entries, $this->retryAfterMs());
    }

    /** @return class-string<DisburseException> */
    private function classOfStatus(bool $isEnvelope): string
    {
        if ($this->status >= 500) {
            return ServerException::class;
        }
        // A proxy can turn a caller away, but it knows nothing of fields or of conflicts.
        if (!$isEnvelope && !in_array($this->status, [401, 403, 429], true)) {
            return DisburseException::class;
        }
        return Tables::CLASS_BY_STATUS[$this->status] ?? DisburseException::class;
    }

    private function redirect(): DisburseException
    {
        $url = parse_url($this->headers['location'] ?? '');
        $port = isset($url['port']) ? ":{$url['port']}" : '';
        $target = isset($url['scheme'], $url['host']) ? " to {$url['scheme']}://{$url['host']}$port" : '';
        $message = "redirected$target: signed requests are not passed on; set baseUrl to the final address";
        return new DisburseException($message, 'REDIRECTED', $this->status, $this->requestId());
    }

    /**
     * "get receiver failed: Receiver ID not found (REVR101)"
     *
     * @param non-empty-list<array{code: string, message: string, field?: string}> $entries
     */
    private static function message(mixed $summary, array $entries): string
    {
        $shown = array_slice($entries, 0, self::ENTRIES_IN_MESSAGE_MAX);
        $texts = array_map(fn (array $entry) => "{$entry['message']} ({$entry['code']})", $shown);
        if (count($entries) > count($shown)) {
            $texts[] = 'and ' . (count($entries) - count($shown)) . ' more';
        }
        return (is_string($summary) ? $summary : 'the request failed') . ': ' . implode(', ', $texts);
    }

    /** @return list<array{code: string, message: string, field?: string}> */
    private static function entries(mixed $given): array
    {
        $isEntry = fn (mixed $entry) => is_string($entry['code'] ?? null) && is_string($entry['message'] ?? null);
        return array_values(array_filter(is_array($given) ? $given : [], $isEntry));
    }
}
