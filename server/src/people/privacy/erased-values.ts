// What erasure puts in the place of words. Pure.

export type PersonPlace = {
  /** Which rows are the person's, as a condition. `{accounts}` stands for the ids of PersonIds. */
  rows?: string;
  /** The columns that erasure overwrites, each with an expression of SQL. */
  overwrites?: Record<string, string>;
  /** Erasure deletes the rows: of these columns nothing stays. */
  deletes?: string;
  /** The columns that another file of this folder overwrites. */
  apart?: string;
  /** The columns without words of the person. */
  keeps?: string;
};

/** Empty texts for these columns. */
export function empty(columns: string): Record<string, string> {
  return Object.fromEntries(columns.split(" ").map((column) => [column, "''"]));
}

/** Empty texts for fields of a JSON text. Everything else stays as it is, byte by byte. */
export function withoutFields(expression: string, fields: string): string {
  const pattern = `"(${fields.replaceAll(" ", "|")})":"(?:[^"\\\\]|\\\\.)*"`;
  return `regexp_replace(${expression}, '${pattern}', '"\\1":""', 'g')`;
}

/** The metadata in a JSON text. */
export function withoutMetadata(expression: string): string {
  const text = `"(?:[^"\\\\]|\\\\.)*"`;
  return `regexp_replace(${expression}, '"metadata":\\{(?:${text}:${text},?)*\\}', '"metadata":{}', 'g')`;
}

/** Reasons of histories are free texts. States, times and actors stay. */
export const reasonErased = { reason: "'erased'" };

export const noEvidence = JSON.stringify({
  subject: { name: "", dob: "", country: "" },
  listed_name: "",
  is_weak: false,
  words: [],
  dob: { says: "unknown", listed: [] },
  country: { says: "unknown", listed: [] },
});

export const address = "address address2 city state country postcode";
export const personFields =
  `first_name last_name middle_name email gender dob dialcode phone applicant_id reference aka occupation ${address} ` +
  "mobile_international_dialcode mobile home_phone_international_dialcode home_phone abn nzbn acn business_name " +
  "account_number bank_code bsb bank_name note statement_reference";
