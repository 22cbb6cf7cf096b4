// The SQL of fundings: the balances that they change, locked, and the references that were used before.

import { type Runner, statement, type Tx } from "../../platform/db/index.ts";
import type { EventType } from "../../platform/event-catalogue/index.ts";
import { isRequestedSql } from "../../webhooks/events/index.ts";
import { arraysOf, type BalanceKey } from "./queries.ts";

const event: EventType = "balanceFunded";

type FundableRow = {
  subaccount_id: string;
  currency: string;
  bank: string;
  available: string;
  /** The subaccount requested the event. */
  wants_event: boolean;
};

const lockMany = statement<FundableRow>(
  "ledger-balances-lock",
  `select b.subaccount_id, b.currency, b.bank, b.available,
          exists (select from webhook_endpoint n
                  where n.subaccount_id = b.subaccount_id and ${isRequestedSql(`'${event}'`, "n")}) as wants_event
   from unnest($1::uuid[], $2::text[]) as input(subaccount_id, currency)
   join ledger_balance b on b.subaccount_id = input.subaccount_id and b.currency = input.currency
   order by b.subaccount_id, b.currency for update of b`,
);

/** Locks balances in the order of their keys, until the end of the transaction. Each key is given once. */
export function lockFundable(tx: Tx, balances: readonly BalanceKey[]): Promise<FundableRow[]> {
  return tx.run(lockMany, arraysOf(balances));
}

type FundedRow = {
  subaccount_id: string;
  currency: string;
  reference: string;
  id: string;
  amount: string;
};

const findMany = statement<FundedRow>(
  "ledger-fundings-find",
  `select t.subaccount_id, t.currency, t.reference, t.id, t.amount
   from unnest($1::uuid[], $2::text[], $3::text[]) as input(subaccount_id, currency, reference)
   join ledger_transfer t on t.subaccount_id = input.subaccount_id and t.currency = input.currency
     and t.reference = input.reference and t.kind = 'fund'`,
);

/** The fundings that these references have made before. */
export function findFundings(
  db: Runner,
  fundings: readonly (BalanceKey & { reference: string })[],
): Promise<FundedRow[]> {
  const references = fundings.map(({ reference }) => reference);
  return db.run(findMany, [...arraysOf(fundings), references]);
}
