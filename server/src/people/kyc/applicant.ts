// A receiver as a provider of identity checks gets it. Pure.

import type { Applicant } from "../kyc-providers/index.ts";
import type { ReceiverRow } from "../receivers/index.ts";

export function toApplicant(row: Omit<ReceiverRow, "created_at_ms">): Applicant {
  const { id: receiverId, first_name, middle_name, last_name, ...rest } = row;
  const { email, dob, gender, dialcode, phone } = rest;
  const { address, address2, city, state, postcode, country } = rest;
  const names = { firstName: first_name, middleName: middle_name, lastName: last_name };
  const person = { email, dob, gender, dialcode, phone };
  return { receiverId, ...names, ...person, address, address2, city, state, postcode, country };
}
