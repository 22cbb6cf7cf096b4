// The part of a hit's explanation that tells a date of birth is stored under the key of the receiver. Pure.

import type { PersonKey } from "../../platform/encryption/index.ts";
import type { Evidence, HitExplanation, Subject } from "./hit.ts";

function evidenceIdentity(subaccountId: string, receiverId: string): string {
  return `screening_hit.evidence:${subaccountId}:${receiverId}`;
}

type Sealed = { dob: string; evidence: Evidence };

/** As it is stored. A subject without a key stays in the clear, and so does an account: it has no date of birth. */
export function sealEvidence(
  {
    personKey,
    subaccountId,
    receiverId,
  }: Pick<Subject, "personKey" | "subaccountId" | "receiverId">,
  explanation: HitExplanation,
): HitExplanation {
  if (!personKey) return explanation;
  const { subject, dob } = explanation;
  const text = JSON.stringify({ dob: subject.dob, evidence: dob } satisfies Sealed);
  const sealed = personKey.encrypt(text, evidenceIdentity(subaccountId, receiverId));
  return {
    ...explanation,
    subject: { ...subject, dob: "" },
    dob: { says: "unknown", listed: [] },
    sealed: sealed.toString("base64"),
  };
}

/** As it was when the hit was opened. Without the key, the date of birth and its evidence stay unknown. */
export function openEvidence(
  personKey: PersonKey | undefined,
  hit: { subaccount_id: string; receiver_id: string; explanation: HitExplanation },
): HitExplanation {
  const { sealed, ...explanation } = hit.explanation;
  if (!sealed || !personKey) return explanation;
  const identity = evidenceIdentity(hit.subaccount_id, hit.receiver_id);
  const opened: Sealed = JSON.parse(personKey.decrypt(Buffer.from(sealed, "base64"), identity));
  return {
    ...explanation,
    subject: { ...explanation.subject, dob: opened.dob },
    dob: opened.evidence,
  };
}
