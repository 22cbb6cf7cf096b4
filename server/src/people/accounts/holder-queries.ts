// The SQL about the receiver who holds an account: what an account takes from it, and its key.

import { isUuid } from "../../platform/base/index.ts";
import { type Runner, statement } from "../../platform/db/index.ts";
import type { PersonKey, Seal } from "../../platform/encryption/index.ts";
import { openPersonWith, personKeyOf } from "../person/index.ts";
import type { ReceiverDefaults } from "./check.ts";
import type { AccountKey } from "./queries.ts";

export type AccountReceiver = {
  id: string;
  defaults: ReceiverDefaults;
  personKey: PersonKey | undefined;
};

type ReceiverOfAccount = Pick<ReceiverDefaults, "country" | "reference"> & {
  id: string;
  person_key: Buffer | null;
  person_sealed: Buffer | null;
};

const findReceiverById = statement<ReceiverOfAccount>(
  "account-receiver",
  `select id, address, address2, city, state, country, postcode, reference, person_key, person_sealed
   from receiver where subaccount_id = $1 and id = $2 and erased_at_ms is null`,
);

/** The receiver of a new account. An erased one gets no account. */
export async function findAccountReceiver(
  { db, seal }: { db: Runner; seal: Seal },
  { subaccountId, id }: AccountKey,
): Promise<AccountReceiver | undefined> {
  if (!isUuid(id)) return undefined;
  const [row] = await db.run(findReceiverById, [subaccountId, id]);
  if (!row) return undefined;
  const personKey = personKeyOf(seal, subaccountId, row);
  const { address, address2, city, state, country, postcode, reference } = openPersonWith(
    personKey,
    subaccountId,
    row,
  );
  const defaults = { address, address2, city, state, country, postcode, reference };
  return { id: row.id, defaults, personKey };
}

const findKeyOfAccount = statement<{ id: string; person_key: Buffer | null }>(
  "account-person-key",
  `select r.id, r.person_key from receiver_account a
   join receiver r on r.subaccount_id = a.subaccount_id and r.id = a.receiver_id
   where a.subaccount_id = $1 and a.id = $2`,
);

/** The key of the account's receiver. Undefined: it is erased. */
export async function findKeyOfAccountHolder(
  { db, seal }: { db: Runner; seal: Seal },
  { subaccountId, id }: AccountKey,
): Promise<PersonKey | undefined> {
  const [row] = await db.run(findKeyOfAccount, [subaccountId, id]);
  return row && personKeyOf(seal, subaccountId, row);
}
