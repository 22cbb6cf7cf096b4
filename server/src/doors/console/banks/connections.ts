// The bank connections as the Banks screen shows them, with their files of the day, and what a change of one changes.

import { calendarNames } from "../../../../../packages/bank-formats/src/calendars/index.ts";
import {
  type BankConnection,
  bankFormats,
  type ConnectionRequest,
  type ConnectionRow,
  closedWindow,
  feeInWords,
  givenFeeOf,
  listConnectionRequests,
  listConnections,
  openWindow,
  storedFieldsOf,
  toConnection,
} from "../../../banking/connections/index.ts";
import { listBatches, openStatuses } from "../../../banking/files/index.ts";
import { type SftpSettings, withoutSecrets } from "../../../banking/sftp-settings/index.ts";
import { newestId, toSum } from "../../../platform/base/index.ts";
import type { Runner } from "../../../platform/db/index.ts";
import type { Seal } from "../../../platform/encryption/index.ts";
import { limits } from "../../../platform/limits/index.ts";
import { countQueuedFor } from "./queries.ts";
import type {
  BankList,
  ConnectionFields,
  ConnectionLine,
  FormatList,
  SettingField,
} from "./schema.ts";

type ReadParts = { db: Runner; seal: Seal };

export async function listBanks({ db, seal }: ReadParts, nowMs: number): Promise<BankList> {
  const found = await listConnections(db);
  const open = await listBatches(db, {
    statuses: openStatuses,
    beforeId: newestId,
    limit: limits.bankBatchesListedMax,
  });
  const unsent = new Set(open.map((batch) => `${batch.connection_id} ${batch.process_date}`));
  const rows = [];
  for (const row of found) rows.push(await connectionLine({ db, seal }, row, unsent, nowMs));
  return { rows, requested: (await listConnectionRequests(db)).length };
}

async function connectionLine(
  { db, seal }: ReadParts,
  row: ConnectionRow,
  unsent: ReadonlySet<string>,
  nowMs: number,
): Promise<ConnectionLine> {
  const connection = toConnection(row, seal);
  const next = connection && openWindow(connection, nowMs);
  const closed = connection && closedWindow(connection, nowMs);
  const closing = closed && unsent.has(`${row.id} ${closed.processDate}`) ? closed : undefined;
  const most = limits.bankQueuedCountedMax;
  const waiting =
    connection && next
      ? await countQueuedFor(db, {
          rail: connection.rail,
          untilMs: next.freezesAtMs,
          most: most + 1,
        })
      : 0;
  return {
    id: row.id,
    name: row.name,
    mode: row.mode,
    format: row.format,
    currency: row.currency,
    countries: row.countries,
    account: `…${row.account_tail}`,
    time_zone: row.time_zone,
    freeze_at: row.freeze_at,
    bank_cutoff: row.bank_cutoff,
    releasers: row.releasers,
    fee: feeInWords(row),
    subaccounts: row.subaccount_ids?.length ?? null,
    disabled_at: row.disabled_at_ms === null ? null : Number(row.disabled_at_ms),
    next: next ? presentWindow(next) : null,
    closing: closing ? presentWindow(closing) : null,
    waiting: Math.min(waiting, most),
    has_more_waiting: waiting > most,
  };
}

function presentWindow({ processDate, freezesAtMs, cutoffMs }: ReturnType<typeof openWindow>) {
  return { process_date: processDate, freezes_at: freezesAtMs, cutoff: cutoffMs };
}

type FieldChange = { field: string; before: string; after: string };

/** The fields that differ. */
export function changesOfRequest({
  before,
  after,
}: Pick<ConnectionRequest, "before" | "after">): FieldChange[] {
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

/** For the form. The account number and secrets are left out: a form that leaves them empty keeps them. */
export function presentConnectionFields({
  row,
  settings,
  sftp = {} as SftpSettings,
}: BankConnection): ConnectionFields {
  const { account_number: _number, ...shown } = settings as Record<string, unknown>;
  const { shown: sftpShown, secrets } = withoutSecrets(sftp);
  return {
    name: row.name,
    ...storedFieldsOf(row),
    file_count_max: row.file_count_max,
    file_total_max: row.file_total_max === null ? null : toSum(BigInt(row.file_total_max)),
    ...givenFeeOf(row),
    account: `…${row.account_tail}`,
    settings: shown,
    travels: row.travels,
    sftp: sftpShown,
    sftp_secrets: secrets,
  };
}

export function listFormats(): FormatList {
  return {
    rows: [...bankFormats].map(([format, { settings, usual }]) => ({
      format,
      settings: Object.entries(settings.properties).map(([name, schema]) =>
        settingField(name, schema, settings.required ?? []),
      ),
      usual: {
        currency: usual.currency,
        countries: [...usual.countries],
        calendar: usual.calendar,
        time_zone: usual.timeZone,
        bank_cutoff: usual.bankCutoff,
        success_days: usual.successDays,
      },
    })),
    calendars: [...calendarNames],
  };
}

function settingField(name: string, schema: object, required: readonly string[]): SettingField {
  const {
    type,
    enum: choices,
    description = name,
    default: usual,
  } = schema as { type?: string; enum?: string[]; description?: string; default?: unknown };
  return {
    name,
    description,
    kind: choices
      ? "choice"
      : type === "boolean"
        ? "yes_no"
        : type === "integer" || type === "number"
          ? "number"
          : "text",
    choices: choices ?? [],
    is_required: required.includes(name) && usual === undefined,
    default: usual === undefined ? "" : String(usual),
  };
}
