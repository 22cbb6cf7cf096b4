// What waits at a bank for a second user, as the approval queue shows it.

import { type BankRequestRow, readRequestInput } from "../../../banking/requests/index.ts";
import { toSum } from "../../../platform/base/index.ts";
import type { Seal } from "../../../platform/encryption/index.ts";
import type { WaitingAtBank } from "./schema.ts";

/** The ids of the subaccounts that are named in it. */
export function subaccountsIn({ summary }: BankRequestRow): string[] {
  return summary.sums.map(({ subaccount_id }) => subaccount_id).filter((id) => id !== "");
}

export function presentBankRequest(
  row: BankRequestRow,
  { seal, nameOf }: { seal: Seal; nameOf: (subaccountId: string) => string },
): WaitingAtBank {
  const { name, act, counts, sums, changes } = row.summary;
  const stored = readRequestInput(row, seal) as { input?: { reason?: string } } | undefined;
  return {
    what: row.kind,
    object_id: row.object_id,
    name,
    act,
    reason: stored?.input?.reason ?? "",
    counts,
    sums: sums.map(({ amount, ...sum }) => ({
      ...sum,
      subaccount_name: nameOf(sum.subaccount_id),
      amount: toSum(BigInt(amount)),
    })),
    changes,
    sha256: row.summary_sha256,
    is_unreadable: stored === undefined,
  };
}
