// One admin requests a change of a bank connection, another approves it. Money leaves through it, so no single user
// decides where its file says that the money comes from, or how many users release it. Disabling it takes one.

import { createHash } from "node:crypto";
import Type from "typebox";
import { newId } from "../../platform/base/index.ts";
import type { Tx } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import { type Fields, idField, input, line, required } from "../../platform/fields/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import { act, type Doing } from "../../tenants/acts/index.ts";
import type { AuditNote } from "../../tenants/audit/index.ts";
import { requireOtherUser } from "../../tenants/four-eyes/index.ts";
import { type BankConnection, toConnection } from "./connection.ts";
import { givenFeeOf } from "./connection-fee.ts";
import { type ConnectionRow, listConnections, lockConnections } from "./connection-queries.ts";
import { factsOfConnection, factsOfSftp } from "./request-facts.ts";
import {
  type ConnectionRequest,
  fieldsIdentity,
  insertConnectionRequest,
  isRequestWaiting,
  lockConnectionRequest,
  type NewConnectionRequest,
  updateRequestDecided,
} from "./request-queries.ts";
import {
  checkConnection,
  enableConnection,
  putConnection,
  withPlainBsb,
} from "./save-connection.ts";

type Settings = Record<string, unknown>;

const sha256Of = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");

const deciding = {
  object: "bank_connection_request",
  may: "banks.write",
  stepUp: true,
  twoPeople: "Add, change or enable a bank connection",
  doors: ["console"],
} as const;
const asking = { ...deciding, output: Type.Object({ id: Type.String() }) };
const decided = Type.Object({ id: Type.String(), status: Type.String() });

const id = idField("BANK102");
/** `disburse banks formats` lists them. */
const fields = required(Type.Record(Type.String(), Type.Unknown()));

export const askNewBank = act({
  ...asking,
  name: "bank.ask_add",
  doors: ["console", "cli"],
  summary: "ask for a new bank connection",
  input: input({ fields }),
  async run(doing, { fields }) {
    const { before, after } = await checkConnection(doing, fields, doing);
    if (before) throw new Refusal("BANK202");
    const facts = {
      ...factsOfConnection(after, withPlainBsb(settingsIn(fields))),
      ...factsOfSftp(objectIn(fields.sftp)),
    };
    return ask(doing, fields, {
      kind: "add",
      name: after.name,
      before: {},
      after: facts,
      settings_sha256: "",
    });
  },
});

/** The fields of a change that leaves nothing of the connection: what is not given is taken away. */
export function fieldsToReplace({ row, settings, sftp }: BankConnection, given: Fields): Fields {
  const without = (before: object = {}) =>
    Object.fromEntries(Object.keys(before).map((name) => [name, null]));
  return {
    ...without(fieldsOf(row)),
    ...given,
    settings: { ...without(settings as Settings), ...settingsIn(given) },
    ...(given.travels === "sftp" && { sftp: { ...without(sftp), ...objectIn(given.sftp) } }),
  };
}

/** Fields that are not given stay as they are, also inside `settings` and `sftp`. Null takes one away. */
export const askChangedBank = act({
  ...asking,
  name: "bank.ask_change",
  doors: ["console", "cli"],
  summary: "ask for a change of a bank connection",
  input: input({ id, fields }),
  async run(doing, { id, fields: given }) {
    const row = await lockedRow(doing.tx, id);
    const { settings, sftp } = connectionOf(row, doing.seal);
    const now = settings as Settings;
    const fields = withoutNulls({
      ...fieldsOf(row),
      ...given,
      // The name finds the connection.
      name: row.name,
      settings: withoutNulls({ ...now, ...settingsIn(given) }),
      ...(given.travels === "sftp" && { sftp: mergedSftp(sftp, objectIn(given.sftp) ?? {}) }),
    });
    const { after } = await checkConnection(doing, fields, doing);
    return ask(doing, fields, {
      kind: "change",
      name: row.name,
      before: { ...factsOfConnection(row, now), ...factsOfSftp(sftp) },
      after: {
        ...factsOfConnection(after, withPlainBsb(settingsIn(fields)), now),
        // Kept where the change does not name it.
        ...(after.travels === "sftp" && factsOfSftp(objectIn(fields.sftp) ?? sftp, sftp)),
      },
      settings_sha256: sha256Of(row.settings_sealed),
    });
  },
});

export const askEnabledBank = act({
  ...asking,
  name: "bank.ask_enable",
  summary: "ask that a disabled bank connection takes payouts again",
  input: input({ id }),
  async run(doing, { id }) {
    const { name, settings_sealed } = await lockedRow(doing.tx, id);
    return ask(doing, undefined, {
      kind: "enable",
      name,
      before: { disabled: true },
      after: { disabled: false },
      settings_sha256: sha256Of(settings_sealed),
    });
  },
});

type Prepared = Pick<
  NewConnectionRequest,
  "kind" | "name" | "before" | "after" | "settings_sha256"
>;

async function ask({ tx, seal, who, atMs }: Doing, fields: Fields | undefined, prepared: Prepared) {
  const id = newId();
  const sealed = fields && seal.encrypt(JSON.stringify(fields), fieldsIdentity(id));
  const made = {
    ...prepared,
    id,
    fields_sealed: sealed ?? null,
    made_by: who,
    made_at_ms: atMs,
  };
  try {
    await insertConnectionRequest(tx, made);
  } catch (error) {
    throw isRequestWaiting(error) ? new Refusal("BANK502") : error;
  }
  return { result: { id }, entries: [requestEntry("ask", made)] };
}

/** The audit entry of a request names it by its own id: a connection that is to be added has none yet. */
function requestEntry(
  verb: "ask" | "approve" | "decline" | "expire",
  request: Pick<ConnectionRequest, "id" | "kind" | "name" | "before" | "after">,
  reason?: string,
): AuditNote {
  const { id, kind, name, before, after } = request;
  return {
    action: `bank.${verb}_${kind}`,
    object: { kind: deciding.object, id },
    before,
    after: { ...after, name, reason },
  };
}

/** Saves what was requested, unless the connection has changed since. */
export const approveConnectionRequest = act({
  ...deciding,
  name: "bank.approve_request",
  tokens: "logins",
  summary: "approve a new, changed or enabled bank connection",
  input: input({ id: idField("CONS110") }),
  output: decided,
  async run({ tx, seal, who, atMs }, { id }) {
    // Before the request, as a rotation locks them.
    await lockConnections(tx);
    const request = await lockWaiting(tx, id);
    const { kind, name, made_by } = request;
    await requireOtherUser(tx, [made_by], { who });
    await requireUnchanged(tx, request);
    if (kind === "enable") await enableConnection(tx, name);
    else await putConnection({ tx, seal }, fieldsIn(request, seal), { who: made_by, atMs });
    const status = "applied";
    await updateRequestDecided(tx, id, { status, who, atMs });
    return { result: { id, status }, entries: [requestEntry("approve", request)] };
  },
});

/** Its maker may withdraw it. */
export const declineConnectionRequest = act({
  ...deciding,
  name: "bank.decline_request",
  summary: "decline or withdraw what was asked for a bank connection",
  stepUp: false,
  input: input({
    id: idField("CONS110"),
    reason: required(Type.String({ minLength: 1, maxLength: 300, pattern: line })),
  }),
  output: decided,
  async run({ tx, who, atMs }, { id, reason }) {
    const request = await lockWaiting(tx, id);
    const status = request.made_by === who ? "withdrawn" : "declined";
    await updateRequestDecided(tx, id, { status, who, atMs });
    return { result: { id, status }, entries: [requestEntry("decline", request, reason)] };
  },
});

/** No second admin has decided in time. Returns the audit entry. */
export async function expireConnectionRequest(
  tx: Tx,
  id: string,
  { who, atMs }: { who: string; atMs: number },
): Promise<AuditNote> {
  const request = await lockWaiting(tx, id);
  await updateRequestDecided(tx, id, { status: "expired", who, atMs });
  return requestEntry("expire", request);
}

async function lockWaiting(tx: Tx, id: string): Promise<ConnectionRequest> {
  const request = await lockConnectionRequest(tx, id);
  if (!request) throw new Refusal("CONS110");
  if (request.status !== "waiting") throw new Refusal("CONS401");
  return request;
}

async function requireUnchanged(tx: Tx, request: ConnectionRequest): Promise<void> {
  const row = (await listConnections(tx)).find(({ name }) => name === request.name);
  const sealed = row ? sha256Of(row.settings_sealed) : "";
  if (sealed !== request.settings_sha256) throw new Refusal("BANK501");
}

/** A rotation of keys may be encrypting the settings again: the request has the hash of the bytes that stay. */
async function lockedRow(tx: Tx, id: string): Promise<ConnectionRow> {
  await lockConnections(tx);
  const row = (await listConnections(tx)).find((one) => one.id === id);
  if (!row) throw new Refusal("BANK102");
  return row;
}

function connectionOf(row: ConnectionRow, seal: Seal): BankConnection {
  const connection = toConnection(row, seal);
  if (!connection) throw new Refusal("BANK503");
  return connection;
}

/** Saving a connection encrypts its settings again, so their bytes tell whether it was saved since. */
function fieldsIn(request: ConnectionRequest, seal: Seal): Fields {
  const text =
    request.fields_sealed &&
    seal.decryptIfReadable(request.fields_sealed, fieldsIdentity(request.id));
  if (!text) throw new Refusal("BANK503");
  return JSON.parse(text) as Fields;
}

/**
 * Secrets that are not given stay. A password does not go to another server or user by itself: it would be readable
 * there.
 */
function mergedSftp(now: Settings = {}, given: Settings): Settings {
  const isElsewhere = ["host", "port", "user"].some(
    (name) => name in given && given[name] !== now[name],
  );
  const { password, ...kept } = now;
  const all = { ...kept, ...(!isElsewhere && { password }), ...given };
  const isSet = ([, value]: [string, unknown]) =>
    value !== null && value !== undefined && value !== "";
  return Object.fromEntries(Object.entries(all).filter(isSet));
}

/** Null takes a field away. */
function withoutNulls(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

function settingsIn({ settings }: Fields): Settings {
  return objectIn(settings) ?? {};
}

function objectIn(value: unknown): Settings | undefined {
  return typeof value === "object" && value !== null ? (value as Settings) : undefined;
}

/** The connection as fields that save it unchanged. */
function fieldsOf(row: ConnectionRow): Fields {
  return {
    ...storedFieldsOf(row),
    ...(row.file_count_max !== null && { file_count_max: row.file_count_max }),
    ...(row.file_total_max !== null && { file_total_max: Number(row.file_total_max) }),
    ...givenFeeOf(row),
  };
}

/** The fields that are stored as they are given. */
export function storedFieldsOf(row: ConnectionRow) {
  return {
    mode: row.mode,
    format: row.format,
    currency: row.currency,
    countries: row.countries,
    calendar: row.calendar,
    closed_days: row.closed_days,
    time_zone: row.time_zone,
    bank_cutoff: row.bank_cutoff,
    freeze_at: row.freeze_at,
    success_when: row.success_when,
    success_days: row.success_days,
    releasers: row.releasers,
    subaccount_ids: row.subaccount_ids,
  };
}
