// The SQL of a payout's page: the payout with its joins, and the audit entries about it.

import type { BatchStatus } from "../../../banking/files/index.ts";
import type { PayoutKey } from "../../../money/payouts/index.ts";
import { type Runner, statement } from "../../../platform/db/index.ts";
import type { AuditEntryRow } from "../../../tenants/audit/index.ts";
import { joinReceiverAndBank, type ListedPayout, listedColumns } from "./queries.ts";

const findOne = statement<ListedPayout>(
  "console-payout",
  `select ${listedColumns} from payout p ${joinReceiverAndBank} where p.subaccount_id = $1 and p.id = $2`,
);

export async function findListed(
  db: Runner,
  { subaccountId, id }: PayoutKey,
): Promise<ListedPayout | undefined> {
  return (await db.run(findOne, [subaccountId, id]))[0];
}

export type PayoutFileRow = {
  batch_id: string;
  line: number;
  file_reference: string;
  file_name: string;
  status: BatchStatus;
  frozen_at_ms: string;
};

const filesOf = statement<PayoutFileRow>(
  "console-payout-bank-files",
  `select l.batch_id, l.line, l.file_reference, b.file_name, b.status, b.frozen_at_ms
   from bank_batch_line l join bank_batch b on b.id = l.batch_id
   where l.subaccount_id = $1 and l.payout_id = $2 order by l.batch_id desc limit $3`,
);

/** The bank files that hold it, newest first. All but the newest were discarded. */
export function listBankFiles(
  db: Runner,
  { subaccountId, id }: PayoutKey,
  limit: number,
): Promise<PayoutFileRow[]> {
  return db.run(filesOf, [subaccountId, id, limit]);
}

export type ActRow = Pick<
  AuditEntryRow,
  "number" | "at_ms" | "who" | "action" | "object_kind" | "object_id" | "before" | "after"
>;

const actsOn = statement<ActRow>(
  "console-payout-acts",
  `select number, at_ms, who, action, object_kind, object_id, before, after from audit_entry
   where subaccount_id = $1 and object_id = any($2::text[]) order by number desc limit $3`,
);

/** Audit entries about the payout and its events, newest first. */
export function listActs(
  db: Runner,
  { subaccountId, objectIds, limit }: { subaccountId: string; objectIds: string[]; limit: number },
): Promise<ActRow[]> {
  return db.run(actsOn, [subaccountId, objectIds, limit]);
}
