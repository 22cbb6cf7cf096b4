// The subjects of screening: which names, date of birth and country of a receiver or an account are compared. Pure.

import { hash } from "node:crypto";
import type { PersonKey } from "../../platform/encryption/index.ts";
import type { Subject, SubjectName } from "./hit.ts";

export type ScreenedReceiver = {
  subaccount_id: string;
  id: string;
  first_name: string;
  middle_name: string;
  last_name: string;
  dob: string;
  country: string;
};

export function receiverSubject(receiver: ScreenedReceiver, personKey?: PersonKey): Subject {
  const { subaccount_id, id, first_name, middle_name, last_name, dob, country } = receiver;
  const text = middle_name
    ? `${first_name} ${middle_name} ${last_name}`
    : `${first_name} ${last_name}`;
  return {
    kind: "receiver",
    subaccountId: subaccount_id,
    id,
    receiverId: id,
    names: [{ text, kind: "person" }],
    dob,
    country,
    personKey,
  };
}

export type ScreenedAccount = {
  subaccount_id: string;
  id: string;
  receiver_id: string;
  business_name: string;
  aka: string;
  country: string;
};

/** A business may be a company, or a person under a trade name. */
export function accountSubject(account: ScreenedAccount): Subject {
  const { subaccount_id, id, receiver_id, business_name, aka, country } = account;
  const names: SubjectName[] = [];
  if (business_name) {
    names.push({ text: business_name, kind: "organisation" });
    names.push({ text: business_name, kind: "person" });
  }
  if (aka) names.push({ text: aka, kind: "person" });
  return {
    kind: "account",
    subaccountId: subaccount_id,
    id,
    receiverId: receiver_id,
    names,
    dob: "",
    country,
    personKey: undefined,
  };
}

/** Changes when anything changes that a user decided on. */
export function hashOfSubject({ kind, names, dob, country, personKey }: Subject): string {
  const text = JSON.stringify([kind, names.map(({ text }) => text), dob, country]);
  // Names are in the clear: without a key, the date of birth could be guessed from the hash.
  return personKey ? personKey.hash(text) : hash("sha256", text);
}
