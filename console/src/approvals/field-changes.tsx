// The fields of a change of bank details. Account numbers are masked.

import { approvalsTexts } from "../texts/approvals.ts";
import styles from "./approvals.module.css";

type FieldChange = { field: string; before: string; after: string };

const words: Record<string, string> = {
  account_type: approvalsTexts.accountHolderType,
  account_number: approvalsTexts.accountNumber,
  bsb: approvalsTexts.bsb,
  bank_code: approvalsTexts.bankCode,
  abn: "ABN",
  acn: "ACN",
  nzbn: "NZBN",
  aka: approvalsTexts.alsoKnownAs,
  homedialcode: approvalsTexts.homeCountryCode,
  homephone: approvalsTexts.homePhone,
  address2: approvalsTexts.addressLine2,
};

/** A new account copies the receiver's address, so it is left out there. */
const ofAddress = ["address", "address2", "city", "state", "postcode", "country", "reference"];

export function FieldChanges({
  changes,
  isNew,
}: {
  changes: readonly FieldChange[];
  isNew: boolean;
}) {
  const shown = isNew ? changes.filter(({ field }) => !ofAddress.includes(field)) : changes;
  return (
    <dl className={styles.changes}>
      {shown.map(({ field, before, after }) => (
        <div key={field}>
          <dt>{words[field] ?? inWords(field)}</dt>
          <dd>
            {!isNew && (
              <>
                <del>{valueText(field, before)}</del> <span aria-hidden>→</span>{" "}
              </>
            )}
            <ins>{valueText(field, after)}</ins>
            {before === after && approvalsTexts.aDifferentNumberWithTheSame}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function valueText(field: string, value: string): string {
  if (field === "account_type")
    return value === "B" ? approvalsTexts.business : approvalsTexts.individual;
  return value === "" ? "(empty)" : value;
}

function inWords(field: string): string {
  return field.charAt(0).toUpperCase() + field.slice(1).replaceAll("_", " ");
}
