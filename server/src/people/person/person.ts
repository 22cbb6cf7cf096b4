// What is known of a person beside names and email. It is encrypted under a key of the receiver, which erasure destroys.

import {
  isUnderPersonKey,
  type PersonKey,
  type Seal,
  UnknownDataKey,
} from "../../platform/encryption/index.ts";

const fields = [
  ...["dob", "dialcode", "phone"],
  ...["address", "address2", "city", "state", "postcode"],
] as const satisfies string[];

export type PersonFields = Record<
  "dob" | "dialcode" | "phone" | "address" | "address2" | "city" | "state" | "postcode",
  string
>;

/** As it is stored. Both are null in an erased row. */
export type StoredPerson = {
  id: string;
  person_key: Buffer | null;
  person_sealed: Buffer | null;
};

/** What else a stored row has can be read, but not these fields: they may be encrypted. */
export type Unopened<Row> = Omit<Row, keyof PersonFields> & StoredPerson;

export function personKeyIdentity(subaccountId: string, receiverId: string): string {
  return `receiver.person_key:${subaccountId}:${receiverId}`;
}

export function personIdentity(subaccountId: string, receiverId: string): string {
  return `receiver.person:${subaccountId}:${receiverId}`;
}

/** Undefined: the receiver is erased. */
export function personKeyOf(
  seal: Seal,
  subaccountId: string,
  { id, person_key }: Pick<StoredPerson, "id" | "person_key">,
): PersonKey | undefined {
  return person_key === null
    ? undefined
    : seal.openPersonKey(person_key, personKeyIdentity(subaccountId, id));
}

/** The row with the fields of the person. An erased one has them empty. */
export function openPerson<Row extends StoredPerson>(
  seal: Seal,
  subaccountId: string,
  row: Row,
): Row & PersonFields {
  return openPersonWith(personKeyOf(seal, subaccountId, row), subaccountId, row);
}

/** The same with a key that is open already. */
export function openPersonWith<Row extends Omit<StoredPerson, "person_key">>(
  key: PersonKey | undefined,
  subaccountId: string,
  row: Row,
): Row & PersonFields {
  const { person_sealed, id } = row;
  if (!key || !person_sealed) return row as Row & PersonFields;
  const texts = JSON.parse(key.decrypt(person_sealed, personIdentity(subaccountId, id)));
  const [dob, dialcode, phone, address, address2, city, state, postcode] = texts as string[];
  const opened = { dob, dialcode, phone, address, address2, city, state, postcode };
  return Object.assign(row, opened as PersonFields);
}

const noFields = Object.fromEntries(fields.map((field) => [field, ""])) as PersonFields;

/** For lists: empty texts where they can't be decrypted, so that the others are still shown. */
export function openPersonIfReadable<Row extends StoredPerson>(
  seal: Seal,
  subaccountId: string,
  row: Row,
): Row & PersonFields {
  return ifReadable(() => openPerson(seal, subaccountId, row)) ?? { ...row, ...noFields };
}

/** Undefined where it can't be decrypted. A key that is being loaded is no reason to say so. */
export function ifReadable<T>(open: () => T): T | undefined {
  try {
    return open();
  } catch (error) {
    if (error instanceof UnknownDataKey && error.isLoading) throw error;
    return undefined;
  }
}

/** A value under the key of a person. What an erasure has put in its place is under a data key. */
export function openValue(
  seal: Seal,
  key: PersonKey | undefined,
  sealed: Buffer,
  identity: string,
): string {
  return key && isUnderPersonKey(sealed)
    ? key.decrypt(sealed, identity)
    : seal.decrypt(sealed, identity);
}

export type PersonColumns = PersonFields & { person_sealed: Buffer };

/** The columns of an encrypted row. */
export function sealPerson(
  seal: Seal,
  key: PersonKey,
  person: PersonFields & { subaccount_id: string; id: string },
): PersonColumns {
  const { subaccount_id, id } = person;
  const { dob, dialcode, phone, address, address2, city, state, postcode } = person;
  const text = JSON.stringify([dob, dialcode, phone, address, address2, city, state, postcode]);
  return {
    dob: birthMark(seal, subaccount_id, dob),
    phone: phoneMark(seal, subaccount_id, { dialcode, phone }),
    dialcode: "",
    address: "",
    address2: "",
    city: "",
    state: "",
    postcode: "",
    person_sealed: key.encrypt(text, personIdentity(subaccount_id, id)),
  };
}

/** By it, rows with the same date of birth are found, and as many others: 1 of 64 has the same. So it tells no date. */
export function birthMark(seal: Seal, subaccountId: string, dob: string): string {
  return dob === "" ? "" : shortMark(seal, `birth ${subaccountId} ${dob}`, 1);
}

/** 1 of 262,144 numbers has the same. */
export function phoneMark(
  seal: Seal,
  subaccountId: string,
  { dialcode, phone }: Pick<PersonFields, "dialcode" | "phone">,
): string {
  return phone === "" ? "" : shortMark(seal, `phone ${subaccountId} ${dialcode} ${phone}`, 3);
}

/** The sign keeps it apart from dates and numbers in the clear. */
function shortMark(seal: Seal, text: string, chars: number): string {
  return `~${seal.fingerprint(Buffer.from(text)).slice(0, chars)}`;
}
