<?php

declare(strict_types=1);

namespace Disburse;

use Disburse\Exceptions\WebhookVerificationException;

/**
 * Verifies events that arrive at a webhook endpoint: the signature, the time and the body. Needs no API key. The headers
 * and the signature are those of Standard Webhooks.
 *
 * @phpstan-import-type DisburseEvent from Schemas
 */
final class Webhooks
{
    /**
     * The event, if one of the secrets signed exactly these bytes; otherwise a WebhookVerificationException. During a
     * rotation, pass the old secret and the new one.
     *
     * @param iterable<string, string|list<string>> $headers with names in any case, such as getallheaders()
     * @param string|list<string> $secrets
     * @return DisburseEvent
     */
    public static function unwrap(
        string $rawBody,
        iterable $headers,
        #[\SensitiveParameter]
        string|array $secrets,
        float $toleranceS = 300,
        ?int $now = null,
    ): array {
        return self::verify($rawBody, $headers, $secrets, $toleranceS, $now)->event;
    }

    /**
     * Like `unwrap`, and gives id and time beside the event, and whether it is a test event.
     *
     * @param iterable<string, string|list<string>> $headers
     * @param string|list<string> $secrets
     * @param float $toleranceS how far the time of sending may be from now, either way
     * @param ?int $now seconds since 1970, instead of the clock
     */
    public static function verify(
        string $rawBody,
        iterable $headers,
        #[\SensitiveParameter]
        string|array $secrets,
        float $toleranceS = 300,
        ?int $now = null,
    ): WebhookDelivery {
        if (!($toleranceS >= 0)) {
            throw new \InvalidArgumentException('toleranceS must be a number, 0 or more');
        }
        $keys = self::readSecrets($secrets);
        [$id, $timestamp, $signature] = self::readHeaders($headers);
        $sent = self::readSeconds($timestamp);
        $codes = self::readCodes($signature);
        // The time comes after the match, so that "too old" is said of genuine deliveries only.
        $matches = 0;
        foreach (self::codesOf($keys, "$id.$timestamp.$rawBody") as $expected) {
            foreach ($codes as $code) {
                $matches += (int) hash_equals($expected, $code);
            }
        }
        if ($matches === 0) {
            throw WebhookVerificationException::because('no_match', 'No signature matches');
        }
        $ageS = ($now ?? time()) - $sent;
        if ($ageS > $toleranceS) {
            throw WebhookVerificationException::because('too_old', "This was sent $ageS s ago");
        }
        if (-$ageS > $toleranceS) {
            throw WebhookVerificationException::because('in_future', 'This was sent ' . -$ageS . ' s in the future');
        }
        $time = new \DateTimeImmutable("@$sent");
        return new WebhookDelivery($id, $time, self::readEvent($rawBody), self::isTest($id));
    }

    /**
     * The headers of a delivery, to test your own program with.
     *
     * @param string|list<string> $secrets
     * @param ?int $timestamp seconds since 1970
     * @return array{webhook-id: string, webhook-timestamp: string, webhook-signature: string}
     */
    public static function sign(
        string $body,
        #[\SensitiveParameter]
        string|array $secrets,
        ?string $id = null,
        ?int $timestamp = null,
    ): array {
        $id ??= 'evt_' . Signature::newNonce();
        $timestamp ??= time();
        $codes = self::codesOf(self::readSecrets($secrets), "$id.$timestamp.$body");
        return [
            'webhook-id' => $id,
            'webhook-timestamp' => (string) $timestamp,
            'webhook-signature' => implode(' ', array_map(fn (string $code) => "v1,$code", $codes)),
        ];
    }

    /** Whether this webhook-id is that of a test event. The header is signed: trust it once it is verified. */
    public static function isTest(string $id): bool
    {
        return str_starts_with($id, 'evt_test_');
    }

    /** @param string|list<string> $secrets @return non-empty-list<string> */
    private static function readSecrets(#[\SensitiveParameter] string|array $secrets): array
    {
        if ($secrets === []) {
            throw WebhookVerificationException::because('malformed_secret', 'No secret is given');
        }
        return array_map(self::readSecret(...), array_values((array) $secrets));
    }

    private static function readSecret(#[\SensitiveParameter] string $secret): string
    {
        $text = preg_replace('/^whsec_/', '', $secret);
        $isBase64 = preg_match('#^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$#D', $text) === 1;
        $key = $isBase64 ? (string) base64_decode($text, true) : '';
        // The lengths that Standard Webhooks allows; ours are of 32 bytes.
        if (strlen($key) < 24 || strlen($key) > 64) {
            throw WebhookVerificationException::because('malformed_secret', 'The secret is not one of an endpoint');
        }
        return $key;
    }

    /**
     * @param iterable<string, string|list<string>> $headers
     * @return list<string> id, time and signatures
     */
    private static function readHeaders(iterable $headers): array
    {
        $found = [];
        foreach ($headers as $name => $value) {
            // Joined as HTTP joins them, so that two ids are never taken for one.
            $found[strtolower((string) $name)][] = implode(', ', (array) $value);
        }
        $read = function (string $name) use ($found): string {
            $value = implode(', ', $found[$name] ?? []);
            return $value === ''
                ? throw WebhookVerificationException::because('missing_header', "There is no $name header")
                : $value;
        };
        return array_map($read, ['webhook-id', 'webhook-timestamp', 'webhook-signature']);
    }

    private static function readSeconds(string $text): int
    {
        if (preg_match('/^\d{1,12}$/D', $text) === 1) {
            return (int) $text;
        }
        $what = preg_match('/^\d{13}$/D', $text) === 1 ? 'is in milliseconds' : 'is not a number of seconds';
        throw WebhookVerificationException::because('malformed_timestamp', "webhook-timestamp $what");
    }

    /** Signatures of other versions are ignored. @return non-empty-list<string> */
    private static function readCodes(string $header): array
    {
        preg_match_all('#(?<=^|\s)v1,([A-Za-z0-9+/]{43}=)(?=,?\s|$)#D', $header, $found);
        if ($found[1] === []) {
            throw WebhookVerificationException::because(
                'malformed_signature',
                'webhook-signature holds no signature',
            );
        }
        return $found[1];
    }

    /** @param list<string> $keys @return list<string> */
    private static function codesOf(array $keys, string $text): array
    {
        return array_map(fn (string $key) => base64_encode(hash_hmac('sha256', $text, $key, true)), $keys);
    }

    /** @return DisburseEvent */
    private static function readEvent(string $body): array
    {
        try {
            $event = json_decode($body, true, flags: JSON_THROW_ON_ERROR);
        } catch (\JsonException) {
            throw WebhookVerificationException::because('not_json', 'The body is not JSON in UTF-8');
        }
        $name = is_array($event) ? $event['event'] ?? null : null;
        if (!in_array($name, Tables::EVENT_TYPES, true)) {
            throw WebhookVerificationException::because('unknown_event', 'The event is ' . json_encode($name));
        }
        return $event;
    }
}
