// Phone and address of an account, and its number, under the key of the receiver.

import type { PersonKey, Seal } from "../../platform/encryption/index.ts";
import { accountNumberIdentity } from "./account.ts";
import { ifReadable, openValue, personKeyOf } from "./person.ts";

export type ContactFields = Record<
  "home_dialcode" | "home_phone" | "address" | "address2" | "city" | "state" | "postcode",
  string
>;

export function contactIdentity(subaccountId: string, accountId: string): string {
  return `receiver_account.contact:${subaccountId}:${accountId}`;
}

export const noContact: ContactFields = {
  home_dialcode: "",
  home_phone: "",
  address: "",
  address2: "",
  city: "",
  state: "",
  postcode: "",
};

/** The columns of an account: without a key, as they are. */
export function sealContact(
  key: PersonKey | undefined,
  { subaccountId, id }: { subaccountId: string; id: string },
  contact: ContactFields,
): ContactFields & { contact_sealed: Buffer | null } {
  if (!key) return { ...contact, contact_sealed: null };
  const { home_dialcode, home_phone, address, address2, city, state, postcode } = contact;
  const text = JSON.stringify([
    ...[home_dialcode, home_phone],
    ...[address, address2, city, state, postcode],
  ]);
  return { ...noContact, contact_sealed: key.encrypt(text, contactIdentity(subaccountId, id)) };
}

type StoredContact = ContactFields & { contact_sealed: Buffer | null };

export function openContact(
  key: PersonKey | undefined,
  { subaccountId, id }: { subaccountId: string; id: string },
  row: StoredContact,
): ContactFields {
  if (!key || !row.contact_sealed) {
    const { home_dialcode, home_phone, address, address2, city, state, postcode } = row;
    return { home_dialcode, home_phone, address, address2, city, state, postcode };
  }
  const texts = JSON.parse(key.decrypt(row.contact_sealed, contactIdentity(subaccountId, id)));
  const [home_dialcode, home_phone, address, address2, city, state, postcode] = texts as string[];
  const opened = { home_dialcode, home_phone, address, address2, city, state, postcode };
  return opened as ContactFields;
}

/** An account number with the key of its receiver. */
export type StoredNumber = {
  subaccount_id: string;
  receiver_id: string;
  person_key: Buffer | null;
  account_id: string;
  version: number;
  account_number_sealed: Buffer;
};

export function openNumber(seal: Seal, stored: StoredNumber): string {
  const { subaccount_id, receiver_id: id, person_key } = stored;
  return openNumberWith(seal, personKeyOf(seal, subaccount_id, { id, person_key }), stored);
}

/** The same with a key that is open already. */
export function openNumberWith(
  seal: Seal,
  key: PersonKey | undefined,
  stored: Pick<StoredNumber, "subaccount_id" | "account_id" | "version" | "account_number_sealed">,
): string {
  const { subaccount_id, account_id, version, account_number_sealed } = stored;
  const identity = accountNumberIdentity(subaccount_id, account_id, version);
  return openValue(seal, key, account_number_sealed, identity);
}

/** Undefined where it can't be decrypted. */
export function openNumberIfReadable(seal: Seal, stored: StoredNumber): string | undefined {
  return ifReadable(() => openNumber(seal, stored));
}
