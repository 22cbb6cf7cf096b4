// Funds subaccounts by the credits that carry their deposit references, each line once.

import type { StatementLine } from "../../../../packages/bank-formats/src/index.ts";
import {
  type DepositReferenceOwner,
  depositReferencesIn,
  findByDepositReference,
  fundMany,
} from "../../money/ledger/index.ts";
import { newId } from "../../platform/base/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import type { InboundRun } from "../answers/index.ts";
import type { BankConnection } from "../connections/index.ts";
import { depositTextOf } from "./line-facts.ts";
import { insertMatches } from "./match-queries.ts";
import { newMatch } from "./new-match.ts";
import type { StatementLineRow } from "./queries.ts";

export type Deposit = { subaccountId: string; depositReference: string };
export type LineFunding = Deposit & { row: StatementLineRow };

/** The subaccounts that credits fund. A credit that names none, or several, or one in another currency, is left out. */
export async function findDeposits(
  { tx, connection }: InboundRun,
  credits: readonly StatementLine[],
): Promise<ReadonlyMap<StatementLine, Deposit>> {
  const given = new Map(credits.map((line) => [line, depositReferencesIn(depositTextOf(line))]));
  const references = [...new Set([...given.values()].flat())];
  if (references.length === 0) return new Map();
  const rows = await findByDepositReference(tx, references);
  const owners = new Map(rows.map((row) => [row.reference, row]));
  const deposits = new Map<StatementLine, Deposit>();
  for (const [line, texts] of given) {
    const [owner, ...others] = new Set(texts.flatMap((text) => owners.get(text) ?? []));
    if (!owner || others.length > 0) continue;
    if (owner.currency !== line.currency || !mayFund(connection, owner)) continue;
    deposits.set(line, { subaccountId: owner.subaccount_id, depositReference: owner.reference });
  }
  return deposits;
}

function mayFund({ row }: BankConnection, owner: DepositReferenceOwner): boolean {
  const { mode, subaccount_id, is_closed } = owner;
  return (
    mode === row.mode &&
    !is_closed &&
    (row.subaccount_ids === null || row.subaccount_ids.includes(subaccount_id))
  );
}

/** Last, because it locks balances, under which payouts are created. */
export async function fundByLines(run: InboundRun, lines: readonly LineFunding[]): Promise<void> {
  if (lines.length === 0) return;
  const { tx, connection, who, atMs, sums } = run;
  const fundings = lines.map(({ row, subaccountId, depositReference }) => ({
    subaccountId,
    currency: row.currency,
    amount: BigInt(row.amount),
    // Each line funds once; the deposit reference itself comes with every deposit.
    reference: `${depositReference} ${row.id}`,
    depositReference,
    who,
    atMs,
    rail: connection.rail,
    transferId: newId(),
  }));
  for (const funding of fundings) sums.add("funded", funding);
  const outcomes = await fundMany(tx, fundings);
  if (outcomes.some(({ outcome }) => outcome === "too-large")) throw new Refusal("BALA107");
  const matches = lines.map(({ row, subaccountId }, index) =>
    newMatch({
      lineId: row.id,
      kind: "fund",
      rule: "deposit_reference",
      reason: "the text carries the subaccount's deposit reference",
      amount: BigInt(row.amount),
      subaccountId,
      transferId: fundings[index]?.transferId,
    }),
  );
  await insertMatches(tx, matches, { connectionId: connection.id, who, atMs });
}
