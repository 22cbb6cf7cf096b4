// Adds, changes and disables bank connections.

import { type Mode, newId } from "../../platform/base/index.ts";
import type { Tx } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import { checkOf, type Fields } from "../../platform/fields/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import { findSubaccounts } from "../../tenants/subaccounts/index.ts";
import { sftpKeyProblems } from "../sftp/index.ts";
import { SftpSettings } from "../sftp-settings/index.ts";
import { settingsIdentity, sftpIdentity } from "./connection.ts";
import { feeColumnsOf, feeProblems } from "./connection-fee.ts";
import {
  type ConnectionRow,
  type ConnectionToSave,
  isConnectionNameTaken,
  listConnections,
  lockConnections,
  saveConnection,
  setDisabled,
} from "./connection-queries.ts";
import { NewConnection } from "./connection-schema.ts";
import type { BankFormat } from "./formats/bank-format.ts";
import { bankFormats } from "./formats/formats.ts";
import { settingProblem, settingsProblems, withDefaults } from "./settings-check.ts";

type SaveParts = { tx: Tx; seal: Seal };
type Saving = { who: string; atMs: number };

const accountTailDigits = 3;

/** A connection as it was, where it was there, and as it will be. */
type ConnectionChange = { before: ConnectionRow | undefined; after: ConnectionToSave };

/** Adds one, or changes the one that has the name. */
export async function putConnection(
  parts: SaveParts,
  input: Fields,
  saving: Saving,
): Promise<ConnectionChange> {
  const change = await checkConnection(parts, input, saving);
  try {
    await saveConnection(parts.tx, change.after);
  } catch (error) {
    throw isConnectionNameTaken(error) ? new Refusal("BANK202") : error;
  }
  return change;
}

/** Everything that `putConnection` refuses, without saving it. */
export async function checkConnection(
  { tx, seal }: SaveParts,
  input: Fields,
  { who, atMs }: Saving,
): Promise<ConnectionChange> {
  const given = await checkedConnection(input);
  const known = bankFormats.get(given.format) as BankFormat;
  await lockConnections(tx);
  const all = await listConnections(tx);
  const before = all.find(({ name }) => name === given.name);
  if (before && before.format !== given.format) {
    throw refusal(
      "format",
      `${given.name} has the format ${before.format}: add another connection`,
    );
  }
  const mode = (given.mode ?? before?.mode ?? "live") as Mode;
  if (before && before.mode !== mode) {
    throw refusal(
      "mode",
      `${given.name} is for ${before.mode} subaccounts, and its files hold their payouts: add another connection`,
    );
  }
  const { usual } = known;
  const bankCutoff = given.bank_cutoff ?? usual.bankCutoff;
  const id = before?.id ?? newId();
  const settings = given.settings as { account_number: string };
  const after: ConnectionToSave = {
    id,
    name: given.name,
    mode,
    format: given.format,
    currency: given.currency ?? usual.currency,
    countries: given.countries ?? [...usual.countries],
    settings_sealed: seal.encrypt(JSON.stringify(settings), settingsIdentity(id)),
    account_tail: settings.account_number.slice(-accountTailDigits),
    ...transportOf({ seal, id, before }, given),
    calendar: given.calendar ?? usual.calendar,
    closed_days: given.closed_days ?? [],
    time_zone: given.time_zone ?? usual.timeZone,
    freeze_at: given.freeze_at ?? hourBefore(bankCutoff),
    bank_cutoff: bankCutoff,
    success_when: (given.success_when ?? "days") as ConnectionRow["success_when"],
    success_days: given.success_days ?? usual.successDays,
    releasers: given.releasers ?? 2,
    subaccount_ids: given.subaccount_ids ?? null,
    file_count_max: given.file_count_max ?? null,
    file_total_max: given.file_total_max === undefined ? null : String(given.file_total_max),
    ...feeColumnsOf(given),
    created_at_ms: atMs,
    created_by: who,
  };
  if (after.freeze_at > after.bank_cutoff) {
    throw refusal("freeze_at", "freeze_at has to be before bank_cutoff");
  }
  await requireSubaccountsOfMode(tx, after);
  requireNoRival(after, all);
  return { before, after };
}

/** Kept where the input does not name it: its secrets are never shown, so a form can't send them back. */
function transportOf(
  { seal, id, before }: Pick<SaveParts, "seal"> & { id: string; before: ConnectionRow | undefined },
  { travels, sftp }: { travels?: string; sftp: SftpSettings | undefined },
): Pick<ConnectionToSave, "travels" | "sftp_sealed"> {
  if (sftp) {
    const sealed = seal.encrypt(JSON.stringify(sftp), sftpIdentity(id));
    return { travels: "sftp", sftp_sealed: sealed };
  }
  if (travels === undefined && before) {
    return { travels: before.travels, sftp_sealed: before.sftp_sealed };
  }
  return { travels: "download", sftp_sealed: null };
}

async function checkedConnection(
  input: Fields,
): Promise<Omit<NewConnection, "sftp"> & { sftp: SftpSettings | undefined }> {
  const { fields, problems } = checkOf(NewConnection)(input);
  const known = bankFormats.get(fields.format as string);
  const settings =
    known && settingsProblems(known.settings, (input.settings ?? {}) as Fields, "settings");
  const sftp = await checkedSftp(input);
  const fee = feeProblems(fields as NewConnection);
  const [first, ...rest] = [...problems, ...fee, ...(settings ?? []), ...sftp.problems];
  if (first) throw new Refusal([first, ...rest]);
  return {
    ...(fields as NewConnection),
    settings: withPlainBsb(withDefaults((known as BankFormat).settings, input.settings as Fields)),
    sftp: sftp.settings,
  };
}

/** A BSB is kept as its digits. */
export function withPlainBsb(settings: Fields): Fields {
  const plain = ["bsb", "clearing_code"].flatMap((name) => {
    const text = settings[name];
    return typeof text === "string" ? [[name, text.replaceAll(/[ -]/g, "")]] : [];
  });
  return { ...settings, ...Object.fromEntries(plain) };
}

/** Undefined settings: its files are downloaded. */
async function checkedSftp({ travels, sftp }: Fields) {
  const isSftp = travels === "sftp";
  if (!isSftp && sftp !== undefined) {
    const what = "is only for a connection that travels by sftp";
    return { settings: undefined, problems: [settingProblem("sftp", what)] };
  }
  if (!isSftp) return { settings: undefined, problems: [] };
  const given = (typeof sftp === "object" ? (sftp ?? {}) : {}) as Fields;
  const problems = settingsProblems(SftpSettings, given, "sftp");
  if (problems.length > 0) return { settings: undefined, problems };
  const settings = withDefaults(SftpSettings, given) as SftpSettings;
  const found = [...(await sftpKeyProblems(settings)), ...folderProblems(settings)];
  return {
    settings,
    problems: found.map(({ field, what }) => settingProblem(`sftp.${field}`, what)),
  };
}

/** Without names, our own files would be read as the bank's. */
function folderProblems({ folder, inbound_folder, inbound_files }: SftpSettings) {
  const pathOf = (path: string) => path.replace(/\/+$/, "").replace(/^\.\//, "") || ".";
  if (inbound_files !== undefined && inbound_folder === undefined) {
    return [{ field: "inbound_folder", what: "is needed for inbound_files" }];
  }
  if (inbound_folder === undefined || inbound_files !== undefined) return [];
  if (pathOf(inbound_folder) !== pathOf(folder)) return [];
  return [{ field: "inbound_files", what: "is needed: the folder has our own files as well" }];
}

function refusal(field: string, message: string): Refusal {
  return new Refusal([{ code: "BANK201", field, message }]);
}

function hourBefore(time: string): string {
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  const before = Math.max(hours * 60 + minutes - 60, 0);
  const two = (number: number) => String(number).padStart(2, "0");
  return `${two(Math.floor(before / 60))}:${two(before % 60)}`;
}

/** Money of test subaccounts never goes into the file of a real bank, nor real money into one for the simulator. */
async function requireSubaccountsOfMode(
  tx: Tx,
  { mode, subaccount_ids }: Pick<ConnectionRow, "mode" | "subaccount_ids">,
): Promise<void> {
  if (subaccount_ids === null) {
    if (mode === "live") return;
    throw refusal("subaccount_ids", "A test connection has to list its subaccounts");
  }
  const found = new Map((await findSubaccounts(tx, subaccount_ids)).map((one) => [one.id, one]));
  for (const id of subaccount_ids) {
    const subaccount = found.get(id.toLowerCase());
    if (!subaccount) throw refusal("subaccount_ids", `There is no subaccount ${id}`);
    if (subaccount.mode === mode) continue;
    throw refusal(
      "subaccount_ids",
      `The subaccount ${subaccount.name} is in ${subaccount.mode} mode, the connection is for ${mode} mode`,
    );
  }
}

/** One that lists its subaccounts comes before one for all; two of a kind that pay the same are a mistake. */
function requireNoRival(
  connection: Pick<ConnectionRow, "id" | "mode" | "currency" | "countries" | "subaccount_ids">,
  all: readonly ConnectionRow[],
): void {
  const rival = all.find(
    (other) =>
      other.id !== connection.id &&
      other.disabled_at_ms === null &&
      other.mode === connection.mode &&
      other.currency === connection.currency &&
      other.countries.some((country) => connection.countries.includes(country)) &&
      shareSubaccounts(other.subaccount_ids, connection.subaccount_ids),
  );
  if (!rival) return;
  throw new Refusal("BANK203", {
    message: `The bank connection ${rival.name} pays the same currency, country and subaccounts`,
  });
}

function shareSubaccounts(one: string[] | null, other: string[] | null): boolean {
  if (one === null || other === null) return one === other;
  return one.some((id) => other.includes(id));
}

/** A disabled connection takes no new payouts. Its batches can still be released, and its payouts settle. */
export async function disableConnection(tx: Tx, id: string, atMs: number): Promise<ConnectionRow> {
  await lockConnections(tx);
  const found = (await listConnections(tx)).find((row) => row.id === id);
  if (!found) throw new Refusal("BANK102");
  await setDisabled(tx, id, atMs);
  return found;
}

/** It takes new payouts again. */
export async function enableConnection(tx: Tx, name: string): Promise<void> {
  await lockConnections(tx);
  const all = await listConnections(tx);
  const found = all.find((row) => row.name === name);
  if (!found) throw new Refusal("BANK102");
  requireNoRival(found, all);
  await setDisabled(tx, found.id, undefined);
}
