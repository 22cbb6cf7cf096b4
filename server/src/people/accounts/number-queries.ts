// The SQL of a whole account number.

import { type Runner, statement } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import { openNumber, type StoredNumber } from "../person/index.ts";
import type { AccountKey } from "./queries.ts";

const findSealed = statement<StoredNumber>(
  "account-number",
  `select a.subaccount_id, b.account_id, b.version, b.account_number_sealed, r.id as receiver_id, r.person_key
   from receiver_account a join bank_details b
     on b.subaccount_id = a.subaccount_id and b.account_id = a.id and b.version = coalesce($3, a.version)
   join receiver r on r.subaccount_id = a.subaccount_id and r.id = a.receiver_id
   where a.subaccount_id = $1 and a.id = $2`,
);

type OpenNumber = { version: number; accountNumber: string };

/** The whole number. The caller records that it is shown. */
export async function findNumber(
  { tx, seal }: { tx: Runner; seal: Seal },
  { subaccountId, id }: AccountKey,
  version: number | undefined,
): Promise<OpenNumber | undefined> {
  const [row] = await tx.run(findSealed, [subaccountId, id, version ?? null]);
  return row && { version: row.version, accountNumber: openNumber(seal, row) };
}
