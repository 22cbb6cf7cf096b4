// A number of payouts as text.

import { countText } from "../state/locale.ts";
import { banksTexts } from "../texts/banks.ts";

export function payoutsText(count: number): string {
  return count === 1 ? banksTexts.onePayout : banksTexts.manyPayouts(countText(count));
}
