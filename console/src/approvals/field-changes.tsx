// What a change of bank details would change, field by field. Of an account number only the end is shown.

import styles from "./approvals.module.css";

type FieldChange = { field: string; before: string; after: string };

const words: Record<string, string> = {
  account_type: "Held by",
  account_number: "Account number",
  bsb: "BSB",
  bank_code: "Bank code",
  abn: "ABN",
  acn: "ACN",
  nzbn: "NZBN",
  aka: "Also known as",
  homedialcode: "Home dialcode",
  homephone: "Home phone",
  address2: "Address, line 2",
};

/** The address is the receiver's own, and says nothing new of an account that is added. */
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
            {before === after && " (another number with the same end)"}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function valueText(field: string, value: string): string {
  if (field === "account_type") return value === "B" ? "a business" : "an individual";
  return value === "" ? "nothing" : value;
}

function inWords(field: string): string {
  return field.charAt(0).toUpperCase() + field.slice(1).replaceAll("_", " ");
}
