// The SQL that finds the subaccount of an object by its id.

import { type Runner, statement } from "../../platform/db/index.ts";

const tables = {
  receiver: "receiver",
  account: "receiver_account",
  payout: "payout",
  event: "event",
  transfer: "ledger_transfer",
} as const;

export type CommandObject = { kind: keyof typeof tables | "key"; id: string };

/** Looks in one subaccount after the other: keys start with the subaccount, and only commands ask without it. */
const holderOf = (table: string) =>
  statement<{ id: string }>(
    `cli-subaccount-of-${table}`,
    `select s.id from subaccount s
     where exists (select from ${table} o where o.subaccount_id = s.id and o.id = $1) limit 1`,
  );
const holders = {
  receiver: holderOf(tables.receiver),
  account: holderOf(tables.account),
  payout: holderOf(tables.payout),
  event: holderOf(tables.event),
  transfer: holderOf(tables.transfer),
  key: statement<{ id: string }>(
    "cli-subaccount-of-key",
    "select subaccount_id as id from api_key where key = $1",
  ),
};

export async function findSubaccountOf(
  db: Runner,
  { kind, id }: CommandObject,
): Promise<string | undefined> {
  return (await db.run(holders[kind], [kind === "key" ? id : id.toLowerCase()]))[0]?.id;
}
