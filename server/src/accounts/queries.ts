// Every SQL statement about receiver accounts.

import { type Db, statement, type Tx } from "../db/connect.ts";
import type { Seal } from "../seal.ts";
import { accountNumberIdentity } from "./account.ts";
import type { ReceiverAccount } from "./schema.ts";

type AccountRow = {
  subaccount_id: string;
  id: string;
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
};

// The person is the receiver's; only what differs from account to account is the account's own.
const selectAccount = `
  select a.*, r.first_name, r.last_name, r.email, r.dob, r.gender, r.dialcode, r.phone, r.kyc_status
  from receiver_account a
  join receiver r on r.subaccount_id = a.subaccount_id and r.id = a.receiver_id`;

function toWire(row: AccountRow, seal: Seal): ReceiverAccount {
  const { subaccount_id, id, account_number_sealed } = row;
  return {
    id,
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
      account_number: seal.open(account_number_sealed, accountNumberIdentity(subaccount_id, id)),
      bank_code: row.bank_code,
      bsb: row.bsb,
    },
    account_data: {
      receiver_accepted: row.receiver_accepted,
      receiver_address_accepted: row.receiver_address_accepted,
      receiver_address_outcome: row.receiver_address_outcome,
    },
  };
}

type Scoped = { subaccountId: string; id: string };

const findById = statement<AccountRow>(
  "account-by-id",
  `${selectAccount} where a.subaccount_id = $1 and a.id = $2`,
);

export async function findAccount(
  { db, seal }: { db: Db; seal: Seal },
  { subaccountId, id }: Scoped,
): Promise<ReceiverAccount | undefined> {
  const [row] = await db.run(findById, [subaccountId, id]);
  return row && toWire(row, seal);
}

const listByReceiver = statement<AccountRow>(
  "accounts-of-receiver",
  `${selectAccount} where a.subaccount_id = $1 and a.receiver_id = $2 order by a.id desc`,
);

/** Newest first. */
export async function listAccounts(
  { db, seal }: { db: Db; seal: Seal },
  receiver: Scoped,
): Promise<ReceiverAccount[]> {
  const rows = await db.run(listByReceiver, [receiver.subaccountId, receiver.id]);
  return rows.map((row) => toWire(row, seal));
}

export type AccountToInsert = {
  subaccountId: string;
  id: string;
  receiverId: string;
  createdAtMs: number;
  individualOrBusiness: "I" | "B";
  accountNumberSealed: Buffer;
  bsb: string;
  bankCode: string;
  aka: string;
  occupation: string;
  abn: string;
};

const insertOne = statement<never>(
  "account-insert",
  `insert into receiver_account (
     subaccount_id, id, receiver_id, created_at_ms, individual_or_business, account_number_sealed,
     bsb, bank_code, aka, occupation, abn, reference, address, address2, city, state, country,
     postcode, receiver_accepted, receiver_address_accepted)
   select r.subaccount_id, $2, r.id, $4, $5, $6, $7, $8, $9, $10, $11, r.reference, r.address,
          r.address2, r.city, r.state, r.country, r.postcode, true, true
   from receiver r where r.subaccount_id = $1 and r.id = $3`,
);

export async function insertAccount(tx: Tx, account: AccountToInsert): Promise<void> {
  await tx.run(insertOne, [
    account.subaccountId,
    account.id,
    account.receiverId,
    account.createdAtMs,
    account.individualOrBusiness,
    account.accountNumberSealed,
    account.bsb,
    account.bankCode,
    account.aka,
    account.occupation,
    account.abn,
  ]);
}
