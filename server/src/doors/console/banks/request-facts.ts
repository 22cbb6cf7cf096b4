// A requested change of a bank connection as two users compare it: field by field, with the account number masked. Pure.

import {
  type ConnectionFacts,
  type ConnectionRequest,
  type ConnectionRow,
  type ConnectionToSave,
  describeConnection,
} from "../../../banking/connections/index.ts";
import { withoutSecrets } from "../../../banking/sftp-settings/index.ts";
import type { ConnectionRequestLine } from "./schema.ts";

type Settings = Record<string, unknown>;

/** The facts of a connection. `other` are its settings before, to tell two account numbers that end alike. */
export function factsOfConnection(
  row: ConnectionRow | ConnectionToSave,
  settings: Settings,
  other?: Settings,
): ConnectionFacts {
  const { id: _id, disabled: _disabled, account: _account, ...facts } = describeConnection(row);
  const { account_number, ...shown } = settings;
  const isOther = other !== undefined && other.account_number !== account_number;
  const tail = `…${String(account_number).slice(-3)}`;
  return {
    ...facts,
    closed_days: row.closed_days,
    file_count_max: row.file_count_max,
    file_total_max: row.file_total_max === null ? null : Number(row.file_total_max),
    account_number: isOther ? `${tail} (another number)` : tail,
    ...shown,
  };
}

/** How files travel, without the secrets: of those it says only whether they are set, or others than before. */
export function factsOfSftp(
  sftp: Settings | undefined,
  other: Settings | undefined = sftp,
): ConnectionFacts {
  const { shown, secrets } = withoutSecrets(sftp ?? {});
  const isOther = (name: string) => other?.[name] !== undefined && other[name] !== sftp?.[name];
  return Object.fromEntries([
    ...Object.entries(shown).map(([name, value]) => [`sftp_${name}`, value]),
    ...secrets.map((name) => [`sftp_${name}`, isOther(name) ? "set (another)" : "set"]),
  ]);
}

/** The fields that differ. */
export function changesOfRequest({
  before,
  after,
}: Pick<ConnectionRequest, "before" | "after">): ConnectionRequestLine["changes"] {
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return fields
    .map((field) => ({ field, before: inWords(before[field]), after: inWords(after[field]) }))
    .filter((change) => change.before !== change.after);
}

function inWords(value: unknown): string {
  if (value === undefined || value === null || value === "") return "–";
  if (Array.isArray(value)) return value.join(", ") || "–";
  if (typeof value === "boolean") return value ? "yes" : "no";
  return String(value);
}
