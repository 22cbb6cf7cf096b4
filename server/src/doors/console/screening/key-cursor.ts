// The cursor of the entries that a version changes: the key of the last one. Pure.

import { tidyText } from "../../../people/list-files/index.ts";

export function writeKeyCursor(key: string): string {
  return Buffer.from(key).toString("base64url");
}

export function readKeyCursor(cursor: string): string | undefined {
  const key = Buffer.from(cursor, "base64url").toString();
  return cursor.length <= 1_000 && key !== "" && tidyText(key) === key ? key : undefined;
}
