// Every SQL statement about receiver accounts and their bank details.

import { isUuid, newId } from "../../platform/base/index.ts";
import { type Runner, statement, type Tx } from "../../platform/db/index.ts";
import type { PersonKey, Seal } from "../../platform/encryption/index.ts";
import type { Metadata } from "../../platform/metadata/index.ts";
import { insertEventsSql, isRequestedSql, type OutboxEvent } from "../../webhooks/events/index.ts";
import { hasSavingsAccounts } from "../account-rules/index.ts";
import type { PayeeNameOutcome } from "../payee-checks/index.ts";
import {
  type AccountFields,
  type AccountStatus,
  type AddressOutcome,
  accountNumberIdentity,
  ifReadable,
  isAddressAccepted,
  openContact,
  openNumberWith,
  openPersonWith,
  personKeyOf,
  sealContact,
  tailOf,
} from "../person/index.ts";
import { accountMark, markVersion } from "./mark.ts";
import type { ReceiverAccount } from "./schema.ts";

/** As it is stored, with what it needs of its receiver. */
type AccountRow = {
  subaccount_id: string;
  id: string;
  receiver_id: string;
  person_key: Buffer | null;
  person_sealed: Buffer | null;
  contact_sealed: Buffer | null;
  version: number;
  status: AccountStatus;
  first_name: string;
  last_name: string;
  email: string;
  dob: string;
  gender: string;
  dialcode: string;
  phone: string;
  kyc_status: string;
  aka: string;
  occupation: string;
  reference: string;
  home_dialcode: string;
  home_phone: string;
  individual_or_business: string;
  abn: string;
  nzbn: string;
  acn: string;
  business_name: string;
  checking_or_savings: string;
  address: string;
  address2: string;
  city: string;
  state: string;
  country: string;
  postcode: string;
  account_number_sealed: Buffer;
  bank_code: string;
  bsb: string;
  receiver_accepted: boolean;
  receiver_address_accepted: boolean;
  receiver_address_outcome: string | null;
  payee_name_check: PayeeNameOutcome | null;
  metadata: Metadata | null;
};

// Personal details belong to the receiver; the account holds only the fields that differ between accounts.
const selectAccount = `
  select a.subaccount_id, a.id, a.receiver_id, a.contact_sealed, a.version, a.status, a.aka, a.occupation, a.reference,
         a.home_dialcode, a.home_phone, a.address, a.address2, a.city, a.state, a.country, a.postcode,
         a.receiver_accepted, a.receiver_address_accepted, a.receiver_address_outcome, a.metadata,
         b.individual_or_business, b.abn, b.nzbn, b.acn, b.business_name, b.checking_or_savings,
         b.account_number_sealed, b.bank_code, b.bsb, n.outcome as payee_name_check,
         r.first_name, r.last_name, r.email, r.dob, r.gender, r.dialcode, r.phone, r.kyc_status,
         r.person_key, r.person_sealed
  from receiver_account a
  join bank_details b
    on b.subaccount_id = a.subaccount_id and b.account_id = a.id and b.version = a.version
  join receiver r on r.subaccount_id = a.subaccount_id and r.id = a.receiver_id
  left join payee_name_check n
    on n.subaccount_id = a.subaccount_id and n.account_id = a.id and n.version = a.version`;

function presentAccount(row: AccountRow, accountNumber: string): ReceiverAccount {
  return {
    id: row.id,
    first_name: row.first_name,
    last_name: row.last_name,
    email: row.email,
    dob: row.dob,
    gender: row.gender,
    aka: row.aka,
    occupation: row.occupation,
    reference: row.reference,
    mobile_international_dialcode: row.dialcode,
    mobile: row.phone,
    home_phone_international_dialcode: row.home_dialcode,
    home_phone: row.home_phone,
    individual_or_business: row.individual_or_business,
    abn: row.abn,
    nzbn: row.nzbn,
    acn: row.acn,
    ...fieldsOfSome(row),
    kyc_status: row.kyc_status,
    address_data: {
      address: row.address,
      address2: row.address2,
      city: row.city,
      state: row.state,
      country: row.country,
      postcode: row.postcode,
    },
    bank_account_data: {
      account_number: accountNumber,
      bank_code: row.bank_code,
      bsb: row.bsb,
    },
    account_data: {
      receiver_accepted: row.receiver_accepted && row.status === "active",
      receiver_address_accepted: row.receiver_address_accepted,
      receiver_address_outcome: row.receiver_address_outcome,
    },
    ...(row.metadata && { metadata: row.metadata }),
  };
}

/** The fields that only some accounts have. The others read as they did before there were these fields. */
function fieldsOfSome(row: AccountRow): Pick<ReceiverAccount, FieldOfSome> {
  const fields: Pick<ReceiverAccount, FieldOfSome> = {};
  const { individual_or_business, business_name } = row;
  if (individual_or_business === "B" || business_name !== "") fields.business_name = business_name;
  if (hasSavingsAccounts(row.country)) {
    fields.checking_or_savings = row.checking_or_savings || "checking";
  }
  if (row.payee_name_check) fields.payee_name_check = row.payee_name_check;
  return fields;
}

type FieldOfSome = "business_name" | "checking_or_savings" | "payee_name_check";

/** With the key of the receiver, or the data keys, as it is stored. */
function openAccount(seal: Seal, row: AccountRow): ReceiverAccount {
  const { subaccount_id: subaccountId, id, receiver_id, person_key, person_sealed } = row;
  const key = personKeyOf(seal, subaccountId, { id: receiver_id, person_key });
  const { dob, dialcode, phone } = row;
  const stored = { id: receiver_id, person_sealed, dob, dialcode, phone };
  const person = openPersonWith(key, subaccountId, stored);
  const opened = {
    ...row,
    ...openContact(key, { subaccountId, id }, row),
    dob: person.dob,
    dialcode: person.dialcode,
    phone: person.phone,
  };
  return presentAccount(opened, openNumberWith(seal, key, { ...row, account_id: id }));
}

export type AccountKey = { subaccountId: string; id: string };

const findById = statement<AccountRow>(
  "account-by-id",
  `${selectAccount} where a.subaccount_id = $1 and a.id = $2`,
);

/** Includes closed accounts: earlier payouts refer to them. */
export async function findAccount(
  { db, seal }: { db: Runner; seal: Seal },
  { subaccountId, id }: AccountKey,
): Promise<ReceiverAccount | undefined> {
  if (!isUuid(id)) return undefined;
  const [row] = await db.run(findById, [subaccountId, id]);
  return row && openAccount(seal, row);
}

const listByReceiver = statement<AccountRow>(
  "accounts-of-receiver",
  `${selectAccount} where a.subaccount_id = $1 and a.receiver_id = $2 and a.status = 'active'
     and ($3::text is null or a.metadata ->> $3 = $4)
   order by a.id desc`,
);

/**
 * Newest first, without closed ones. An account whose number can't be decrypted has an empty one and is not accepted, so
 * that the others can be read.
 */
export async function listAccounts(
  { db, seal }: { db: Runner; seal: Seal },
  receiver: AccountKey,
  wanted: Metadata = {},
): Promise<ReceiverAccount[]> {
  const [key = null, value = null] = Object.entries(wanted)[0] ?? [];
  const rows = await db.run(listByReceiver, [receiver.subaccountId, receiver.id, key, value]);
  return rows.map(
    (row) =>
      ifReadable(() => openAccount(seal, row)) ??
      presentAccount({ ...row, receiver_accepted: false }, ""),
  );
}

export type LockedAccount = {
  id: string;
  receiver_id: string;
  status: AccountStatus;
  version: number;
};

const lockById = statement<LockedAccount>(
  "account-lock",
  // Locks the row alone, without a join: a join would pair a row that it waited for with bank details from before.
  `select id, receiver_id, status, version from receiver_account
   where subaccount_id = $1 and id = $2 for update`,
);

/** Serialises the changes of one account. */
export async function lockAccount(
  tx: Tx,
  { subaccountId, id }: AccountKey,
): Promise<LockedAccount | undefined> {
  if (!isUuid(id)) return undefined;
  const [row] = await tx.run(lockById, [subaccountId, id]);
  return row;
}

type AccountToSave = AccountKey & {
  personKey: PersonKey | undefined;
  fields: AccountFields;
  version: number;
  address: AddressOutcome;
};

const insertOne = statement<never>(
  "account-insert",
  `insert into receiver_account (
     subaccount_id, id, version, aka, occupation, reference, home_dialcode, home_phone, address,
     address2, city, state, country, postcode, receiver_accepted, receiver_address_accepted,
     receiver_address_outcome, contact_sealed, receiver_id, created_at_ms)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, true, $15, $16, $17, $18, $19)`,
);

export async function insertAccount(
  tx: Tx,
  account: AccountToSave & { receiverId: string; createdAtMs: number },
): Promise<void> {
  await tx.run(insertOne, [...ownValues(account), account.receiverId, account.createdAtMs]);
}

const updateOne = statement<never>(
  "account-update",
  `update receiver_account
   set version = $3, aka = $4, occupation = $5, reference = $6, home_dialcode = $7, home_phone = $8,
       address = $9, address2 = $10, city = $11, state = $12, country = $13, postcode = $14,
       receiver_accepted = true, receiver_address_accepted = $15, receiver_address_outcome = $16, contact_sealed = $17
   where subaccount_id = $1 and id = $2`,
);

export async function updateAccount(tx: Tx, account: AccountToSave): Promise<void> {
  await tx.run(updateOne, ownValues(account));
}

/** The values of the account's own row, in the column order of the two statements above. */
function ownValues(account: AccountToSave): unknown[] {
  const { subaccountId, id, personKey, version, fields, address } = account;
  const { homedialcode: home_dialcode, homephone: home_phone } = fields;
  const contact = sealContact(personKey, account, { ...fields, home_dialcode, home_phone });
  return [
    subaccountId,
    id,
    version,
    fields.aka,
    fields.occupation,
    fields.reference,
    contact.home_dialcode,
    contact.home_phone,
    contact.address,
    contact.address2,
    contact.city,
    contact.state,
    fields.country,
    contact.postcode,
    isAddressAccepted(address),
    address,
    contact.contact_sealed,
  ];
}

type BankDetailsToInsert = {
  personKey: PersonKey | undefined;
  subaccountId: string;
  accountId: string;
  version: number;
  fields: AccountFields;
  bankName: string;
  createdAtMs: number;
  /** key:<api key>, operator:<name>, or service. */
  who: string;
  /** The second user of the file from a bank that proposed them. */
  confirmedBy?: string | undefined;
  /** On request. */
  event?: OutboxEvent;
};

const insertDetails = statement<never>(
  "bank-details-insert",
  // The payee's name is checked later, for each version.
  `with details as (
     insert into bank_details (
       subaccount_id, account_id, version, country, individual_or_business, account_number_sealed,
       account_number_tail, bsb, bank_code, bank_name, abn, acn, nzbn, business_name, checking_or_savings,
       created_at_ms, created_by, account_number_mark, confirmed_by, mark_version)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $19, $20, $21)
   ), new_events as (
     select 0 as call, n.subaccount_id, $22::uuid as event_id, $2::uuid as order_key, $23::text as event_type,
            $24::text as event_body, $16::bigint as at_ms
     from webhook_endpoint n where n.subaccount_id = $1 and ${isRequestedSql("$23", "n")}
   ), ${insertEventsSql}
   insert into payee_name_check (subaccount_id, id, account_id, version, mode, due_at_ms)
   select s.id, $18, $2, $3, s.mode, $16 from subaccount s where s.id = $1`,
);

/**
 * The only place where an account number is written to the database: sealed, with its last digits and a keyed hash beside
 * it, by which the same account at two receivers is found.
 */
export async function insertBankDetails(
  { tx, seal }: { tx: Tx; seal: Seal },
  {
    personKey,
    accountId,
    version,
    fields,
    bankName,
    createdAtMs,
    who,
    confirmedBy = "",
    event,
    ...of
  }: BankDetailsToInsert,
): Promise<void> {
  const { subaccountId } = of;
  const identity = accountNumberIdentity(subaccountId, accountId, version);
  await tx.run(insertDetails, [
    subaccountId,
    accountId,
    version,
    fields.country,
    fields.account_type,
    (personKey ?? seal).encrypt(fields.account_number, identity),
    tailOf(fields.account_number),
    fields.bsb,
    fields.bank_code,
    bankName,
    fields.abn,
    fields.acn,
    fields.nzbn,
    fields.business_name,
    fields.checking_or_savings,
    createdAtMs,
    who,
    newId(),
    accountMark(seal, {
      subaccountId,
      country: fields.country,
      accountNumber: fields.account_number,
    }),
    confirmedBy,
    markVersion,
    ...[event?.id ?? null, event?.type ?? null, event?.body ?? null],
  ]);
  if (event) tx.afterCommit(({ onEventCommitted }) => onEventCommitted(subaccountId));
}

const makers = statement<{ who: string }>(
  "account-makers",
  "select distinct created_by as who from bank_details where subaccount_id = $1 and account_id = $2",
);

/** The actors who created the account or changed its bank details. */
export async function listAccountMakers(
  db: Runner,
  { subaccountId, id }: AccountKey,
): Promise<string[]> {
  return (await db.run(makers, [subaccountId, id])).map(({ who }) => who);
}
