// The fields of a receiver's form: their labels, what the server's schema says about them, and how typed text is cleaned.

import type { ReceiverForm } from "@server/doors/review-list/receivers/schema.ts";
import { useQuery } from "@tanstack/react-query";
import { get } from "../api/call.ts";
import { useApiOf } from "../api/me.ts";
import { receiversTexts } from "../texts/receivers.ts";

export const receiverLabels = {
  first_name: receiversTexts.firstName,
  middle_name: receiversTexts.middleName,
  last_name: receiversTexts.lastName,
  dob: receiversTexts.dateOfBirth,
  gender: receiversTexts.gender,
  email: receiversTexts.email,
  dialcode: "Dial code",
  phone: receiversTexts.phone,
  address: receiversTexts.address,
  address2: receiversTexts.addressLine2,
  city: receiversTexts.city,
  state: receiversTexts.state,
  postcode: receiversTexts.postcode,
  country: receiversTexts.country,
  reference: receiversTexts.reference,
} as const;
export type ReceiverField = keyof typeof receiverLabels;
export type ReceiverFields = Record<ReceiverField, string>;
export const receiverFieldNames = Object.keys(receiverLabels) as ReceiverField[];

/** Drafts never have them. The restored form says so. */
export const unkeptFields: readonly ReceiverField[] = ["dob", "gender", "phone"];

export const genders = [
  { value: "F", label: "Female" },
  { value: "M", label: "Male" },
  { value: "X", label: "X, not stated or other" },
];

export function genderText(gender: string): string {
  return genders.find(({ value }) => value === gender)?.label ?? gender;
}

export function useReceiverForm(): ReceiverForm | undefined {
  const apiOf = useApiOf();
  const { data } = useQuery({
    queryKey: ["receiver-form"],
    queryFn: ({ signal }) => get<ReceiverForm>(apiOf("/receiver-form"), {}, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data;
}

/** Spaces of any kind become single ones. A phone number is its digits, as it is often pasted with signs. */
export function cleaned(name: ReceiverField, text: string): string {
  const plain = text.replaceAll(/\s+/g, " ").trim();
  if (name === "dialcode" || name === "phone") return plain.replaceAll(/[+\s().\-–/]/g, "");
  return plain;
}
