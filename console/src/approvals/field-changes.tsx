// The fields of a change of bank details. Account numbers are masked.

import styles from "./approvals.module.css";

type FieldChange = { field: string; before: string; after: string };

const words: Record<string, string> = {
  account_type: "Account holder type",
  account_number: "Account number",
  bsb: "BSB",
  bank_code: "Bank code",
  abn: "ABN",
  acn: "ACN",
  nzbn: "NZBN",
  aka: "Also known as",
  homedialcode: "Home dial code",
  homephone: "Home phone",
  address2: "Address line 2",
  addresses: "Allowed IP addresses",
  expires_at: "Expires",
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
                <del>{valueText(field, before)}</del> to{" "}
              </>
            )}
            <ins>{valueText(field, after)}</ins>
            {before === after && " (a different number with the same last digits)"}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function valueText(field: string, value: string): string {
  if (field === "account_type") return value === "B" ? "Business" : "Individual";
  return value === "" ? "(empty)" : value;
}

function inWords(field: string): string {
  return field.charAt(0).toUpperCase() + field.slice(1).replaceAll("_", " ");
}
