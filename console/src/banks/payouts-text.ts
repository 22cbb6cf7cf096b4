// A number of payouts as text.

import { countText } from "../state/locale.ts";

export function payoutsText(count: number): string {
  return count === 1 ? "1 payout" : `${countText(count)} payouts`;
}
