// The SQL of bank connections.

import type { FeeBearer } from "../../money/rails/index.ts";
import type { Mode } from "../../platform/base/index.ts";
import { isUniqueViolation, type Runner, statement, type Tx } from "../../platform/db/index.ts";

export type ConnectionRow = {
  id: string;
  name: string;
  /** Of the subaccounts that use it. It never changes: payouts of one mode are in its files. */
  mode: Mode;
  format: string;
  currency: string;
  countries: string[];
  settings_sealed: Buffer;
  account_tail: string;
  travels: "download" | "sftp";
  /** Null unless its files travel by SFTP. */
  sftp_sealed: Buffer | null;
  calendar: string;
  closed_days: string[];
  time_zone: string;
  freeze_at: string;
  bank_cutoff: string;
  success_when: "days" | "confirmed" | "sent";
  success_days: number;
  releasers: number;
  subaccount_ids: string[] | null;
  file_count_max: number | null;
  file_total_max: string | null;
  /** Minor units. Null: none. */
  fee_fixed: string | null;
  /** A decimal with at most 4 places. */
  fee_percent: string | null;
  fee_min: string | null;
  fee_max: string | null;
  /** Null: payouts cost nothing. */
  fee_bearer: FeeBearer | null;
  files: string;
  created_at_ms: string;
  created_by: string;
  disabled_at_ms: string | null;
};

const columns = `id, name, mode, format, currency, countries, settings_sealed, account_tail, travels, sftp_sealed,
  calendar, closed_days, time_zone, freeze_at, bank_cutoff, success_when, success_days, releasers, subaccount_ids, file_count_max, file_total_max,
  fee_fixed, fee_percent, fee_min, fee_max, fee_bearer, files, created_at_ms, created_by, disabled_at_ms`;

const listAll = statement<ConnectionRow>(
  "bank-connections",
  `select ${columns} from bank_connection order by name`,
);

/** An installation has few: each is an account at a bank. */
export function listConnections(db: Runner): Promise<ConnectionRow[]> {
  return db.run(listAll);
}

const lockOne = statement<ConnectionRow>(
  "bank-connection-lock",
  `select ${columns} from bank_connection where id = $1 for update`,
);

export async function lockConnection(tx: Tx, id: string): Promise<ConnectionRow | undefined> {
  return (await tx.run(lockOne, [id]))[0];
}

const lockAll = statement<never>(
  "bank-connections-lock",
  "lock table bank_connection in share row exclusive mode",
);

/** Two connections that pay the same can't be added at the same time. */
export async function lockConnections(tx: Tx): Promise<void> {
  await tx.run(lockAll);
}

export type ConnectionToSave = Omit<ConnectionRow, "files" | "created_at_ms" | "disabled_at_ms"> & {
  created_at_ms: number;
};

const saveOne = statement<never>(
  "bank-connection-save",
  `insert into bank_connection (id, name, format, currency, countries, settings_sealed, account_tail, calendar,
     closed_days, time_zone, freeze_at, bank_cutoff, success_when, success_days, releasers, subaccount_ids,
     file_count_max, file_total_max, created_at_ms, created_by, travels, sftp_sealed, mode,
     fee_fixed, fee_percent, fee_min, fee_max, fee_bearer)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24,
     $25, $26, $27, $28)
   on conflict (id) do update set (name, countries, settings_sealed, account_tail, calendar, closed_days, time_zone,
     freeze_at, bank_cutoff, success_when, success_days, releasers, subaccount_ids, file_count_max, file_total_max,
     travels, sftp_sealed, fee_fixed, fee_percent, fee_min, fee_max, fee_bearer) =
     ($2, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $21, $22, $24, $25, $26, $27, $28)`,
);

/** Inserts it, or changes one that exists. Mode, format and currency stay: files were written by them. */
export async function saveConnection(tx: Tx, row: ConnectionToSave): Promise<void> {
  await tx.run(saveOne, [
    row.id,
    row.name,
    row.format,
    row.currency,
    row.countries,
    row.settings_sealed,
    row.account_tail,
    row.calendar,
    row.closed_days,
    row.time_zone,
    row.freeze_at,
    row.bank_cutoff,
    row.success_when,
    row.success_days,
    row.releasers,
    row.subaccount_ids,
    row.file_count_max,
    row.file_total_max,
    row.created_at_ms,
    row.created_by,
    row.travels,
    row.sftp_sealed,
    row.mode,
    row.fee_fixed,
    row.fee_percent,
    row.fee_min,
    row.fee_max,
    row.fee_bearer,
  ]);
}

export function isConnectionNameTaken(error: unknown): boolean {
  return isUniqueViolation(error, "bank_connection_name_taken");
}

const disableOne = statement<never>(
  "bank-connection-disable",
  "update bank_connection set disabled_at_ms = $2 where id = $1",
);

/** Undefined enables it again. */
export async function setDisabled(tx: Tx, id: string, atMs: number | undefined): Promise<void> {
  await tx.run(disableOne, [id, atMs ?? null]);
}

const countOne = statement<never>(
  "bank-connection-count-file",
  "update bank_connection set files = files + 1 where id = $1",
);

/** Counts a new file, under the lock of the connection. */
export async function countFile(tx: Tx, id: string): Promise<void> {
  await tx.run(countOne, [id]);
}
