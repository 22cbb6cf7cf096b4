// Why a payout needs approval, in words.

import type { PayoutPreview } from "@server/console/payouts/schema.ts";
import { moneyText } from "../state/money.ts";

type Reason = PayoutPreview["approval"][number];

/** `day` says which day is meant: "today" while the payout is being made. */
export function reasonText({ rule, above }: Reason, currency: string, day: string): string {
  const threshold = moneyText(above ?? 0, currency);
  return {
    payout: `it is above ${threshold}`,
    batch: `its batch is above ${threshold}`,
    receiver_day: `this receiver's payouts of ${day} come to more than ${threshold}`,
    bank_details: "nothing has been paid to the changed bank details of this account yet",
  }[rule];
}
