// The SQL of exports: the rows of all subaccounts in a range of ids, which is a range of time.

import type { EntryRow } from "../../money/ledger/index.ts";
import { type PayoutRow, payoutColumns } from "../../money/payouts/index.ts";
import { receiverColumns, type StoredReceiver } from "../../people/receivers/index.ts";
import { type Runner, statement } from "../../platform/db/index.ts";
import type { Metadata } from "../../platform/metadata/index.ts";

type Owned = { subaccount_id: string };

export type ExportedAccountRow = {
  id: string;
  receiver_id: string;
  status: string;
  version: number;
  aka: string;
  reference: string;
  country: string;
  individual_or_business: string;
  business_name: string;
  checking_or_savings: string;
  bank_name: string;
  bank_code: string;
  bsb: string;
  account_number_tail: string;
  metadata: Metadata | null;
  created_at_ms: string;
};
export type ExportedEventRow = {
  id: string;
  type: string;
  body: string;
  created_at_ms: string;
};

export type ExportWindow = {
  /** Undefined: of all subaccounts. */
  subaccountId: string | undefined;
  /** Ids above the first and up to the second. */
  afterId: string;
  upToId: string;
  limit: number;
};

/** An index scan for each subaccount, merged. A window holds few rows more than the limit, so few are read. */
const inWindow = (table: string, alias: string) => `
  from subaccount s cross join lateral (
    select * from ${table} ${alias}
    where ${alias}.subaccount_id = s.id and ${alias}.id > $2 and ${alias}.id <= $3
    order by ${alias}.id limit $4
  ) ${alias}`;
const ordered = (alias: string) =>
  `where $1::uuid is null or s.id = $1 order by ${alias}.id limit $4`;

const receivers = statement<StoredReceiver & Owned>(
  "export-receivers",
  `select r.subaccount_id, ${receiverColumns} ${inWindow("receiver", "r")} ${ordered("r")}`,
);

const accounts = statement<ExportedAccountRow & Owned>(
  "export-accounts",
  `select a.subaccount_id, a.id, a.receiver_id, a.status, a.version, a.aka, a.reference, a.metadata, a.created_at_ms, b.country,
          b.individual_or_business, b.business_name, b.checking_or_savings, b.bank_name, b.bank_code, b.bsb,
          b.account_number_tail
   ${inWindow("receiver_account", "a")}
   join bank_details b on b.subaccount_id = a.subaccount_id and b.account_id = a.id and b.version = a.version
   ${ordered("a")}`,
);

const payouts = statement<PayoutRow & Owned>(
  "export-payouts",
  `select p.subaccount_id, ${payoutColumns} ${inWindow("payout", "p")} ${ordered("p")}`,
);

const transfers = statement<EntryRow & Owned>(
  "export-transfers",
  `select t.subaccount_id, t.id, t.number, t.currency, t.kind, t.debit, t.credit, t.amount, t.payout_id,
          t.reference, t.available_after, t.held_after, t.created_at_ms
   ${inWindow("ledger_transfer", "t")} ${ordered("t")}`,
);

const events = statement<ExportedEventRow & Owned>(
  "export-events",
  `select e.subaccount_id, e.id, e.type, e.body, e.created_at_ms
   ${inWindow("event", "e")} ${ordered("e")}`,
);

const statements = { receivers, accounts, payouts, transfers, events };

export type ExportKind = keyof typeof statements;
export const exportKinds = Object.keys(statements) as ExportKind[];
export type ExportedRow<Kind extends ExportKind> = NonNullable<(typeof statements)[Kind]["row"]>;

/** In the order of ids. */
export function listForExport<Kind extends ExportKind>(
  db: Runner,
  kind: Kind,
  { subaccountId, afterId, upToId, limit }: ExportWindow,
): Promise<ExportedRow<Kind>[]> {
  const values = [subaccountId ?? null, afterId, upToId, limit];
  return db.run<ExportedRow<Kind>>(statements[kind] as never, values);
}
