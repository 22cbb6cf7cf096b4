// A user proposes a new account or a change of one. The proposal is checked at once, then waits for another user.

import { idTimeMs, newId } from "../../platform/base/index.ts";
import type { Tx } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import type { GivenFields } from "../../platform/fields/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import { type AccountFields, blankAccount, tailOf } from "../person/index.ts";
import { lockReceiver } from "../receivers/index.ts";
import { changesBetween, type FieldChange, isProposedAccount } from "./bank-change.ts";
import {
  type BankChangeToInsert,
  insertBankChange,
  isChangeWaiting,
  listWaitingAccounts,
} from "./bank-change-queries.ts";
import { lockToChange } from "./change.ts";
import { accountFieldsOf, checkChangedAccount } from "./check.ts";
import { checkCreation } from "./create.ts";
import type { AccountKey } from "./queries.ts";
import type { AccountWarning, NewReceiverAccount, ReceiverAccountChange } from "./schema.ts";

type Sealing = { tx: Tx; seal: Seal };

export type Proposed = {
  changeId: string;
  receiverId: string;
  /** Null for a new account. */
  accountId: string | null;
  changes: FieldChange[];
  /** The last digits of the new account number. */
  tail: string;
  warnings: AccountWarning[];
};

/** The same new account waits once. */
export async function proposeAccount(
  sealing: Sealing,
  { subaccountId, who }: { subaccountId: string; who: string },
  given: GivenFields<NewReceiverAccount>,
): Promise<Proposed> {
  const { receiver, account } = await checkCreation(
    { db: sealing.tx, seal: sealing.seal },
    subaccountId,
    given,
  );
  if (!receiver) throw new Error("a new account needs a receiver");
  const { fields, warnings } = account;
  const { tx, seal } = sealing;
  await lockReceiver(tx, { subaccountId, id: receiver.id });
  const ofReceiver = { subaccountId, receiverIds: [receiver.id] };
  const waiting = await listWaitingAccounts({ db: tx, seal }, ofReceiver);
  if (waiting.some((change) => isProposedAccount(change, fields))) throw new Refusal("CONS403");
  return propose(sealing, {
    subaccountId,
    who,
    fields,
    warnings,
    receiverId: receiver.id,
    accountId: null,
    accountVersion: null,
    current: blankAccount,
    given: accountFieldsOf(given) as NewReceiverAccount,
  });
}

export async function proposeChange(
  sealing: Sealing,
  { subaccountId, id, who, confirmedBy }: AccountKey & { who: string; confirmedBy?: string },
  given: GivenFields<ReceiverAccountChange>,
): Promise<Proposed> {
  const { locked, current } = await lockToChange(sealing, { subaccountId, id });
  const { fields, warnings } = checkChangedAccount(given, current);
  return propose(sealing, {
    subaccountId,
    who,
    confirmedBy,
    fields,
    warnings,
    receiverId: locked.receiver_id,
    accountId: locked.id,
    accountVersion: locked.version,
    current,
    given: accountFieldsOf(given),
  });
}

type ChangeRequest = Pick<
  BankChangeToInsert,
  "subaccountId" | "receiverId" | "accountId" | "accountVersion"
> & {
  given: NewReceiverAccount | ReceiverAccountChange;
  current: AccountFields;
  fields: AccountFields;
  warnings: AccountWarning[];
  who: string;
  confirmedBy?: string | undefined;
};

async function propose(sealing: Sealing, request: ChangeRequest): Promise<Proposed> {
  const { given, current, fields, warnings, who, confirmedBy = "", ...key } = request;
  const changes = changesBetween(current, fields);
  if (changes.length === 0) throw new Refusal("CONS405");
  const id = newId();
  const tail = tailOf(fields.account_number);
  try {
    await insertBankChange(sealing, {
      ...key,
      id,
      tail,
      country: fields.country,
      proposal: { given, changes },
      madeBy: who,
      confirmedBy,
      madeAtMs: idTimeMs(id),
    });
  } catch (error) {
    throw isChangeWaiting(error) ? new Refusal("CONS403") : error;
  }
  const { receiverId, accountId } = request;
  return { changeId: id, receiverId, accountId, changes, tail, warnings };
}
