// The reason why a payout needs approval, as text.

import type { PayoutPreview } from "@server/console/payouts/schema.ts";
import { moneyText } from "../state/money.ts";
import { payoutsTexts } from "../texts/payouts.ts";

type Reason = PayoutPreview["approval"][number];

/** `day` says which day is meant: "today" while the payout is being made. */
export function reasonText({ rule, above }: Reason, currency: string, day: string): string {
  const threshold = moneyText(above ?? 0, currency);
  return {
    payout: payoutsTexts.itIsAbove(threshold),
    batch: payoutsTexts.itsBatchIsAbove(threshold),
    receiver_day: payoutsTexts.thisReceiversPayoutsOfComeTo(day, threshold),
    account_day: payoutsTexts.thePayoutsToThisAccountOfComeTo(day, threshold),
    bank_details: payoutsTexts.theBankDetailsOfThisAccount,
    new_account: payoutsTexts.thisAccountIsNew,
  }[rule];
}
