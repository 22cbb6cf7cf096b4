<?php

declare(strict_types=1);

namespace Disburse;

/** Converts times to the milliseconds of the wire format. */
final class Times
{
    // A date alone is in UTC. A time must say its zone, or its meaning would change with the machine's.
    private const ISO_8601 = '/^\d{4}-\d{2}-\d{2}(T.+(Z|[+-]\d{2}:\d{2}))?$/D';

    /**
     * A copy, whose fields of these names are milliseconds. An invalid time is passed on: the server refuses it.
     *
     * @param array<string, mixed> $fields
     * @return array<string, mixed>
     */
    public static function in(array $fields, string ...$names): array
    {
        foreach ($names as $name) {
            if (isset($fields[$name])) {
                $fields[$name] = self::milliseconds($fields[$name]);
            }
        }
        return $fields;
    }

    private static function milliseconds(mixed $value): mixed
    {
        if (is_string($value) && preg_match(self::ISO_8601, $value) === 1) {
            $value = date_create_immutable($value, new \DateTimeZone('UTC')) ?: $value;
        }
        return $value instanceof \DateTimeInterface ? (int) $value->format('Uv') : $value;
    }
}
