// A CSV file of receivers: its columns, and emails that come twice.

import { hash } from "node:crypto";
import { emailKey, NewReceiver } from "../../people/receivers/index.ts";
import { checkOf, fieldsOf, type SchemaExtras } from "../../platform/fields/index.ts";
import { refusals } from "../../platform/refusals/index.ts";
import type { CheckAmong, RowFormat } from "./csv-rows.ts";

export const receiverFormat: RowFormat = {
  columns: fieldsOf(NewReceiver),
  aliases: (NewReceiver as SchemaExtras).aliases ?? {},
  check: checkOf(NewReceiver),
};

/**
 * For one pass: no two rows may have the same email. It keeps hashes: a million of them fit into memory, and they are
 * not personal data.
 */
export function emailCheck(): CheckAmong {
  const firstRows = new Map<string, number>();
  return ({ number, fields: { email } }) => {
    if (typeof email !== "string") return [];
    const key = hash("sha256", emailKey(email), "binary");
    const first = firstRows.get(key);
    if (first === undefined) {
      firstRows.set(key, number);
      return [];
    }
    const message = `${refusals.REVR201[1]}: it is that of row ${first} too`;
    return [{ row: number, column: "email", code: "REVR201", message }];
  };
}
