// A bank connection as two users compare it before a change: field by field, with the account number masked. Pure.

import { withoutSecrets } from "../sftp-settings/index.ts";
import type { ConnectionRow, ConnectionToSave } from "./connection-queries.ts";
import { describeConnection } from "./describe-connection.ts";
import type { ConnectionFacts } from "./request-queries.ts";

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
