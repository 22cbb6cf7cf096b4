<?php

declare(strict_types=1);

namespace Disburse;

use Disburse\Exceptions\ConnectionException;
use Disburse\Exceptions\DisburseException;
use Disburse\Exceptions\TimeoutException;

/** Listens to the feed of events: reads the stream, reconnects, and drops duplicates. */
final class Feed
{
    // The server sends something at least every 15 seconds. A connection that is silent for longer is dead.
    private const SILENCE_S_MAX = 45;
    private const REMEMBERED_MAX = 10_000;

    /** @return \Generator<int, HeardEvent> */
    public static function listen(Connection $connection, string $path, ?string $lastEventId): \Generator
    {
        $seen = [];
        for ($failures = 0; ; $failures += 1) {
            $failure = new ConnectionException('the feed ended', 'FEED_ENDED');
            try {
                foreach (self::blocks($connection, $path, $lastEventId) as $block) {
                    $failures = 0;
                    $lastEventId = $block['id'] ?? $lastEventId;
                    $event = self::eventOf($block);
                    $name = $block['resent'] ?? $event?->id;
                    if ($event === null || isset($seen[$name])) {
                        continue;
                    }
                    $seen[$name] = true;
                    if (count($seen) > self::REMEMBERED_MAX) {
                        unset($seen[array_key_first($seen)]);
                    }
                    yield $event;
                }
            } catch (DisburseException $error) {
                if (!Retry::mayRepeat($error, isRead: true)) {
                    throw $error;
                }
                $failure = $error;
            }
            Retry::pause($failure, $failures);
        }
    }

    /** @param array<string, string> $block */
    private static function eventOf(array $block): ?HeardEvent
    {
        if (!isset($block['id'], $block['event'], $block['data'])) {
            return null;
        }
        ['id' => $id, 'event' => $type, 'data' => $body] = $block;
        $data = json_decode($body, true, flags: JSON_THROW_ON_ERROR);
        return new HeardEvent($id, $type, $data, $body, isset($block['resent']), Webhooks::isTest($id));
    }

    /**
     * The fields between two empty lines, until the stream ends or is silent for too long.
     *
     * @return \Generator<int, array<string, string>>
     */
    private static function blocks(Connection $connection, string $path, ?string $lastId): \Generator
    {
        $exchange = $connection->open($path, $lastId === null ? [] : ['last-event-id' => $lastId]);
        try {
            $text = '';
            $exchange->extend(self::SILENCE_S_MAX);
            foreach ($exchange->pieces() as $piece) {
                $blocks = explode("\n\n", $text . $piece);
                $text = array_pop($blocks);
                foreach ($blocks as $block) {
                    yield self::readBlock($block);
                }
                $exchange->extend(self::SILENCE_S_MAX);
            }
        } catch (TimeoutException) {
            // Silence ends the stream, as its end does.
        } finally {
            $exchange->close();
        }
    }

    /** @return array<string, string> */
    private static function readBlock(string $text): array
    {
        $block = [];
        foreach (explode("\n", $text) as $line) {
            [$name, $value] = [...explode(':', $line, 2), ''];
            $value = str_starts_with($value, ' ') ? substr($value, 1) : $value;
            if ($name === '' && str_starts_with($value, 'resent ')) {
                $block['resent'] = substr($value, 7);
            } elseif ($name === 'data' && isset($block['data'])) {
                $block['data'] .= "\n$value";
            } elseif ($name !== '') {
                $block[$name] = $value;
            }
        }
        return $block;
    }
}
