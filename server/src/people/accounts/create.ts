// Creates an account, or validates one without creating it. Both use the same check.

import { idTimeMs, newId } from "../../platform/base/index.ts";
import type { Runner, Tx } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import type { GivenFields } from "../../platform/fields/index.ts";
import { someMetadata, writeMetadata } from "../../platform/metadata/index.ts";
import { receiverAccountCreated } from "../../webhooks/events/index.ts";
import { isAddressAccepted, tailOf } from "../person/index.ts";
import { accountSubject, type Screener, screenAndWrite } from "../screening/index.ts";
import { accountFieldsOf, checkNewAccount, type ValidAccount } from "./check.ts";
import { type AccountReceiver, findAccountReceiver } from "./holder-queries.ts";
import { insertAccount, insertBankDetails } from "./queries.ts";
import type {
  CreatedReceiverAccount,
  NewReceiverAccount,
  ReceiverAccountToValidate,
  ValidatedReceiverAccount,
} from "./schema.ts";

export async function createAccount(
  { tx, seal, screener }: { tx: Tx; seal: Seal; screener: Screener },
  { subaccountId, who }: { subaccountId: string; who: string },
  given: GivenFields<NewReceiverAccount>,
): Promise<CreatedReceiverAccount> {
  const { receiver, account } = await checkCreation({ db: tx, seal }, subaccountId, given);
  if (!receiver) throw new Error("a new account needs a receiver");

  const { fields, address, bankName, warnings } = account;
  const id = newId();
  const { personKey } = receiver;
  const first = { subaccountId, personKey, fields, version: 1, createdAtMs: idTimeMs(id) };
  await insertAccount(tx, { ...first, id, receiverId: receiver.id, address });
  const metadata = someMetadata(accountFieldsOf(given).metadata);
  // Before the event, which may carry it.
  if (metadata) await writeMetadata(tx, "account", [{ subaccountId, id, metadata }]);
  const event = receiverAccountCreated({
    ...{ subaccountId, accountId: id, receiverId: receiver.id },
    ...{ tail: tailOf(fields.account_number), atMs: first.createdAtMs },
  });
  await insertBankDetails({ tx, seal }, { ...first, accountId: id, bankName, who, event });
  const { business_name, aka, country } = fields;
  const holder = { business_name, aka, country, receiver_id: receiver.id };
  const subject = accountSubject({ ...holder, subaccount_id: subaccountId, id });
  await screenAndWrite(tx, screener, subject, { atMs: first.createdAtMs, isChanged: false });
  return {
    account_id: id,
    receiver_account_id: id,
    receiver_id: receiver.id,
    status: "active",
    warnings,
  };
}

/** Refuses the same requests as a creation, and writes nothing. */
export async function validateAccount(
  reading: { db: Runner; seal: Seal },
  subaccountId: string,
  given: GivenFields<ReceiverAccountToValidate>,
): Promise<ValidatedReceiverAccount> {
  const { account } = await checkCreation(reading, subaccountId, given);
  const { fields, address, bankName, warnings } = account;
  const { account_number, bank_code, bsb, checking_or_savings } = fields;
  return {
    bank_name: bankName,
    bank_account_data: { account_number, bank_code, bsb },
    ...(checking_or_savings && { checking_or_savings }),
    account_data: {
      receiver_accepted: true,
      receiver_address_accepted: isAddressAccepted(address),
      receiver_address_outcome: address,
    },
    warnings,
  };
}

export async function checkCreation(
  reading: { db: Runner; seal: Seal },
  subaccountId: string,
  given: GivenFields<ReceiverAccountToValidate>,
): Promise<{ receiver: AccountReceiver | undefined; account: ValidAccount }> {
  const { receiver_id: id } = accountFieldsOf(given);
  const receiver =
    id === undefined ? undefined : await findAccountReceiver(reading, { subaccountId, id });
  return { receiver, account: checkNewAccount(given, receiver?.defaults) };
}
