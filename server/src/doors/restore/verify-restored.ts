// Verifies a restored copy: the ledger, the audit log, and the newest payout, event and audit entry in it.

import { verifyLedger } from "../../money/ledger/index.ts";
import { idTimeMs } from "../../platform/base/index.ts";
import { anchorText, faultText, findEnd, verifyAudit } from "../../tenants/audit/index.ts";
import type { Opened } from "../database/index.ts";
import { countUnfinished, findNewest } from "./restored-queries.ts";

type Newest = { id: string; subaccount_id: string; at: string } | null;

export type VerifiedCopy = {
  transfers: string;
  ledger_differences: string[];
  audit_entries: number;
  audit_fault: string | null;
  /** By stage. The bank may know more about them than the copy. */
  unfinished_payouts: Record<string, number>;
  last_payout: Newest;
  last_event: Newest;
  last_audit_entry: { head: string; at: string };
};

export async function verifyCopy({ db, seal }: Pick<Opened, "db" | "seal">): Promise<VerifiedCopy> {
  const ledger = await verifyLedger(db);
  const audit = await verifyAudit({ db, seal });
  // They may read all payouts.
  const { newest, unfinished } = await db.transaction(
    async (tx) => ({ newest: await findNewest(tx), unfinished: await countUnfinished(tx) }),
    { isUnhurried: true },
  );
  const { head } = await findEnd(db);
  return {
    transfers: ledger.transfers.toString(),
    ledger_differences: ledger.differences.map(
      ({ subaccountId, currency, what }) => `${subaccountId} ${currency}: ${what}`,
    ),
    audit_entries: audit.entries,
    audit_fault: audit.fault ? faultText(audit.fault) : null,
    unfinished_payouts: unfinished,
    last_payout: withTime(newest.payout),
    last_event: withTime(newest.event),
    last_audit_entry: { head: anchorText(head), at: new Date(head.atMs).toISOString() },
  };
}

function withTime(row: { id: string; subaccount_id: string } | undefined): Newest {
  return row ? { ...row, at: new Date(idTimeMs(row.id)).toISOString() } : null;
}
