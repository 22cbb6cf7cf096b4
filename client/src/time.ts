// Converts times to the milliseconds of the wire format.

import type { Time } from "./payout-wire.ts";

// A date alone is in UTC. A time must say its zone, or its meaning would change with the machine's.
const ISO_8601 = /^\d{4}-\d{2}-\d{2}(T.+(Z|[+-]\d{2}:\d{2}))?$/;

/** An invalid time is passed on unchanged: the server refuses it. */
export function millisecondsOf(time: Time | undefined): string | undefined {
  const value = time?.valueOf();
  if (typeof value === "string" && ISO_8601.test(value)) return Date.parse(value).toString();
  return value?.toString();
}
