// The reason why a payout needs approval, as text.

import type { PayoutPreview } from "@server/doors/console/payouts/schema.ts";
import { moneyText } from "../state/money.ts";

type Reason = PayoutPreview["approval"][number];

/** `day` says which day is meant: "today" while the payout is being made. */
export function reasonText({ rule, above }: Reason, currency: string, day: string): string {
  const threshold = moneyText(above ?? 0, currency);
  return {
    payout: `it is above ${threshold}`,
    batch: `its batch is above ${threshold}`,
    receiver_day: `this receiver's payouts of ${day} come to more than ${threshold}`,
    account_day: `the payouts of ${day} to this bank account, over all receivers, come to more than ${threshold}`,
    bank_details: "the bank details of this account changed and nothing has been paid to them yet",
    new_account: "this bank account is new and nothing has been paid to it yet",
  }[rule];
}
