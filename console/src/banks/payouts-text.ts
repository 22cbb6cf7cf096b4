// A number of payouts as text.

import { banksTexts } from "../texts/banks.ts";

export function payoutsText(count: number): string {
  return count === 1 ? banksTexts.onePayout : banksTexts.manyPayouts(count.toLocaleString("en"));
}
