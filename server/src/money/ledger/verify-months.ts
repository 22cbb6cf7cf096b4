// Compares closed months with the sums of their transfers now.

import type { Runner } from "../../platform/db/index.ts";
import { auditClosedMonths, type MonthAudit } from "./month-queries.ts";

const figures = [
  ...(["funded", "paid", "returned", "fees", "reversed"] as const),
  ...(["available", "held"] as const),
];

/** Describes each difference for the user who has to explain it. */
export type Difference = { subaccountId: string; currency: string; what: string };

export async function verifyMonths(db: Runner): Promise<Difference[]> {
  const months = await auditClosedMonths(db);
  return months.flatMap((month, index) =>
    faultsOf(month, months[index - 1]).map((what) => ({
      subaccountId: month.subaccount_id,
      currency: month.currency,
      what: `${month.month} is closed, but ${what}`,
    })),
  );
}

function faultsOf(month: MonthAudit, before: MonthAudit | undefined): string[] {
  const faults = figures
    .filter((figure) => month[figure] !== month[`${figure}_found`])
    .map((figure) => `${figure} was ${month[figure]} and is now ${month[`${figure}_found`]}`);
  const transfers = BigInt(month.last_number) - BigInt(month.after_number);
  if (transfers !== BigInt(month.transfers_found)) {
    faults.push(`of its ${transfers} transfers ${month.transfers_found} are there`);
  }
  if (month.misplaced) faults.push("the books have a transfer of it elsewhere");
  if (before && follows(month, before) && isEarly(month)) {
    faults.push(`a transfer of it is dated in ${before.month} or before`);
  }
  if (before && follows(month, before) && !isContinued(month, before)) {
    faults.push(`it does not open with what ${before.month} closed with`);
  }
  return faults;
}

function follows(month: MonthAudit, before: MonthAudit): boolean {
  const next = new Date(`${before.month}-01T00:00:00Z`);
  next.setUTCMonth(next.getUTCMonth() + 1);
  return (
    month.subaccount_id === before.subaccount_id &&
    month.currency === before.currency &&
    month.month === next.toISOString().slice(0, 7)
  );
}

/** The month before was closed when this was written. */
function isEarly({ month, earliest_ms }: MonthAudit): boolean {
  return earliest_ms !== null && Number(earliest_ms) < Date.parse(`${month}-01T00:00:00Z`);
}

function isContinued(month: MonthAudit, before: MonthAudit): boolean {
  return month.opening === before.closing && month.after_number === before.last_number;
}
