// The SQL of deposit references. Each balance has one, made when it is first asked for.

import type { Mode } from "../../platform/base/index.ts";
import { isStillHere, type Runner, statement } from "../../platform/db/index.ts";
import { newDepositReference } from "./deposit-reference.ts";

type ReferenceRow = { currency: string; reference: string };

const findMany = statement<ReferenceRow>(
  "deposit-references",
  `select currency, reference from deposit_reference where subaccount_id = $1 and currency = any($2::text[])`,
);

const insertMany = statement<never>(
  "deposit-references-insert",
  // Another process may have made one meanwhile, or another balance may have this reference.
  `insert into deposit_reference (subaccount_id, currency, reference, created_at_ms)
   select $1, input.currency, input.reference, $4
   from unnest($2::text[], $3::text[]) as input(currency, reference) order by 2
   on conflict do nothing`,
);

/** The reference of each currency. It never changes. */
export async function depositReferencesOf(
  db: Runner,
  subaccountId: string,
  currencies: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const references = new Map<string, string>();
  const isMissing = (currency: string) => !references.has(currency);
  for (;;) {
    for (const row of await db.run(findMany, [subaccountId, currencies.filter(isMissing)])) {
      references.set(row.currency, row.reference);
    }
    const missing = currencies.filter(isMissing);
    if (missing.length === 0) return references;
    const made = missing.map(() => newDepositReference());
    await db.run(insertMany, [subaccountId, missing, made, Date.now()]);
  }
}

export type DepositReferenceOwner = {
  reference: string;
  subaccount_id: string;
  currency: string;
  mode: Mode;
  name: string;
  is_closed: boolean;
};

const findOwners = statement<DepositReferenceOwner>(
  "deposit-reference-owners",
  `select r.reference, r.subaccount_id, r.currency, s.mode, s.suba_name as name,
          s.closed_at is not null as is_closed
   from deposit_reference r join subaccount s on s.id = r.subaccount_id
   where r.reference = any($1::text[]) and ${isStillHere("r.subaccount_id")}`,
);

/** Whose references these are, for many lines of a statement at once. References that no balance has are left out. */
export function findByDepositReference(
  db: Runner,
  references: readonly string[],
): Promise<DepositReferenceOwner[]> {
  return db.run(findOwners, [references]);
}
