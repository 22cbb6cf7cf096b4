// Changes an account. Bank details are never edited: other details are a new version.

import type { Tx } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import { FieldRefusal, type GivenFields } from "../../platform/fields/index.ts";
import { isSameMetadata, writeMetadata } from "../../platform/metadata/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import { type AccountFields, hasSameBankDetails, tailOf } from "../person/index.ts";
import { findPersonKey } from "../receivers/index.ts";
import { accountSubject, type Screener, screenAndWrite } from "../screening/index.ts";
import { changesBetween } from "./bank-change.ts";
import { accountFieldsOf, checkChangedAccount, isEmptyChange } from "./check.ts";
import { insertAccountUpdateEvent } from "./insert-update-event.ts";
import {
  type AccountKey,
  findAccount,
  insertBankDetails,
  type LockedAccount,
  lockAccount,
  updateAccount,
} from "./queries.ts";
import type { ReceiverAccount, ReceiverAccountChange } from "./schema.ts";

type AccountToChange = {
  locked: LockedAccount;
  before: ReceiverAccount;
  /** The same, by the field names that callers use. */
  current: AccountFields;
};

const screenedFields = ["business_name", "aka", "country"] as const;

/** The account after the change, and the bank details that changed. */
type ChangedAccount = { account: ReceiverAccount; changedFields: string[] };

export async function changeAccount(
  { tx, seal, screener }: { tx: Tx; seal: Seal; screener: Screener },
  { subaccountId, id, who, confirmedBy }: AccountKey & { who: string; confirmedBy?: string },
  given: GivenFields<ReceiverAccountChange>,
): Promise<ChangedAccount> {
  const key = { subaccountId, id };
  const { locked, before, current } = await lockToChange({ tx, seal }, key);
  // Stored details may be older than today's rules, so they are checked only where they change.
  if (isEmptyChange(given)) return { account: before, changedFields: [] };
  const { metadata, ...details } = accountFieldsOf(given);
  if (metadata && !isSameMetadata(metadata, before.metadata ?? null)) {
    await writeMetadata(tx, "account", [{ subaccountId, id: locked.id, metadata }]);
  }
  if (Object.keys(details).length === 0 && !(given instanceof FieldRefusal)) {
    return { account: await read(tx, seal, key), changedFields: [] };
  }

  const { fields, bankName, address } = checkChangedAccount(given, current);
  const receiver = { subaccountId, id: locked.receiver_id };
  const personKey = await findPersonKey({ db: tx, seal }, receiver);
  let { version } = locked;
  let changedFields: string[] = [];
  if (!hasSameBankDetails(fields, current)) {
    changedFields = changesBetween(current, fields).map(({ field }) => field);
    version += 1;
    const createdAtMs = Date.now();
    await insertBankDetails(
      { tx, seal },
      {
        subaccountId,
        personKey,
        accountId: locked.id,
        version,
        fields,
        bankName,
        createdAtMs,
        who,
        confirmedBy,
      },
    );
    const changed = { ...locked, version };
    const tail = tailOf(fields.account_number);
    await insertAccountUpdateEvent(tx, subaccountId, changed, { status: "updated", tail });
  }
  // By the id of the row: the caller may have written it in capital letters.
  const account = { subaccountId, id: locked.id, personKey, fields };
  await updateAccount(tx, { ...account, version, address });
  if (screenedFields.some((field) => fields[field] !== current[field])) {
    const { business_name, aka, country } = fields;
    const holder = { business_name, aka, country, receiver_id: locked.receiver_id };
    const subject = accountSubject({ ...holder, subaccount_id: subaccountId, id: locked.id });
    await screenAndWrite(tx, screener, subject, { atMs: Date.now(), isChanged: true });
  }
  return { account: await read(tx, seal, key), changedFields };
}

/** It is locked until the end of the transaction. */
export async function lockToChange(
  { tx, seal }: { tx: Tx; seal: Seal },
  key: AccountKey,
): Promise<AccountToChange> {
  const locked = await lockAccount(tx, key);
  if (!locked) throw new Refusal("REAC104");
  if (locked.status === "inactive") throw new Refusal("REAC302");
  const before = await read(tx, seal, key);
  return { locked, before, current: toFields(before) };
}

async function read(tx: Tx, seal: Seal, key: AccountKey): Promise<ReceiverAccount> {
  const account = await findAccount({ db: tx, seal }, key);
  if (!account) throw new Error("an account that is locked must be there");
  return account;
}

function toFields(account: ReceiverAccount): AccountFields {
  const { aka, occupation, reference, abn, acn, nzbn, address_data, bank_account_data } = account;
  return {
    ...address_data,
    ...bank_account_data,
    aka,
    occupation,
    reference,
    abn,
    acn,
    nzbn,
    account_type: account.individual_or_business,
    business_name: account.business_name ?? "",
    checking_or_savings: account.checking_or_savings ?? "",
    homedialcode: account.home_phone_international_dialcode,
    homephone: account.home_phone,
  };
}
