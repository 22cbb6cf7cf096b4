// Validates emails.

import validator from "validator";

export const emailCharsMax = 254;

// Matches nearly every email. The slow library checks the rest.
const plainEmail =
  /^(?=[^@]{1,64}@)[a-z0-9_+-]+(?:\.[a-z0-9_+-]+)*@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/i;

/** Invisible characters such as U+200B: two emails would look the same. */
const invisible = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Z}]/u;

/** Quoted local parts are valid but unused, and the library throws on half a surrogate pair. */
export function isEmail(text: string): boolean {
  if (plainEmail.test(text)) return true;
  if (!text.isWellFormed() || text.includes('"') || invisible.test(text)) return false;
  return validator.isEmail(text);
}
