// One admin requests a change of a bank connection, another approves it. Money leaves through it, so no single user
// decides where its file says that the money comes from, or how many users release it. Disabling it takes one.

import { createHash } from "node:crypto";
import {
  type BankConnection,
  type ConnectionRequest,
  type ConnectionRow,
  checkConnection,
  disableConnection,
  enableConnection,
  fieldsIdentity,
  givenFeeOf,
  insertConnectionRequest,
  isRequestWaiting,
  listConnections,
  lockConnectionRequest,
  lockConnections,
  type NewConnectionRequest,
  putConnection,
  toConnection,
  updateRequestDecided,
} from "../../../banking/connections/index.ts";
import { newId } from "../../../platform/base/index.ts";
import type { Tx } from "../../../platform/db/index.ts";
import type { Seal } from "../../../platform/encryption/index.ts";
import type { Fields } from "../../../platform/fields/index.ts";
import { Refusal } from "../../../platform/refusals/index.ts";
import { type Actor, type Audited, type AuditNote, audited } from "../../../tenants/audit/index.ts";
import { requireOtherUser } from "../../../tenants/four-eyes/index.ts";
import type { WriteParts } from "../write-parts.ts";
import { factsOfConnection, factsOfSftp } from "./request-facts.ts";

type Settings = Record<string, unknown>;

const objectOf = (id: string) => ({ kind: "bank_connection", id });
const sha256Of = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");

/** Returns the id of the request. */
export function requestNewConnection(
  parts: WriteParts,
  actor: Actor,
  fields: Fields,
): Promise<string> {
  return request(parts, actor, async (tx, saving) => {
    const { before, after } = await checkConnection({ tx, seal: parts.seal }, fields, saving);
    if (before) throw new Refusal("BANK202");
    const facts = {
      ...factsOfConnection(after, settingsIn(fields)),
      ...factsOfSftp(objectIn(fields.sftp)),
    };
    return {
      kind: "add",
      name: after.name,
      fields,
      before: {},
      after: facts,
      settings_sha256: "",
    };
  });
}

export function requestConnectionChange(
  parts: WriteParts,
  actor: Actor,
  { id, fields: given }: { id: string; fields: Fields },
): Promise<string> {
  return request(parts, actor, async (tx, saving) => {
    const row = await rowOf(tx, id);
    const { settings, sftp } = connectionOf(row, parts.seal);
    const now = settings as Settings;
    const fields = withoutNulls({
      ...fieldsOf(row),
      ...given,
      // The name finds the connection.
      name: row.name,
      settings: { ...now, ...settingsIn(given) },
      ...(given.travels === "sftp" && { sftp: mergedSftp(sftp, objectIn(given.sftp) ?? {}) }),
    });
    const { after } = await checkConnection({ tx, seal: parts.seal }, fields, saving);
    return {
      kind: "change",
      name: row.name,
      fields,
      before: { ...factsOfConnection(row, now), ...factsOfSftp(sftp) },
      after: {
        ...factsOfConnection(after, settingsIn(fields), now),
        // Kept where the change does not name it.
        ...(after.travels === "sftp" && factsOfSftp(objectIn(fields.sftp) ?? sftp, sftp)),
      },
      settings_sha256: sha256Of(row.settings_sealed),
    };
  });
}

export function requestEnabledConnection(
  parts: WriteParts,
  actor: Actor,
  id: string,
): Promise<string> {
  return request(parts, actor, async (tx) => {
    const { name, settings_sealed } = await rowOf(tx, id);
    return {
      kind: "enable",
      name,
      fields: undefined,
      before: { disabled: true },
      after: { disabled: false },
      settings_sha256: sha256Of(settings_sealed),
    };
  });
}

type Prepared = Pick<
  NewConnectionRequest,
  "kind" | "name" | "before" | "after" | "settings_sha256"
> & { fields: Fields | undefined };

function request(
  { db, seal, clock }: WriteParts,
  actor: Actor,
  prepare: (tx: Tx, saving: { who: string; atMs: number }) => Promise<Prepared>,
): Promise<string> {
  const id = newId();
  const saving = { who: actor.who, atMs: clock() };
  return noted(audited({ db, seal }, actor), "ask", async (tx) => {
    // A rotation of keys may be encrypting the settings again: the request has the hash of the bytes that stay.
    await lockConnections(tx);
    const { fields, ...prepared } = await prepare(tx, saving);
    const sealed = fields && seal.encrypt(JSON.stringify(fields), fieldsIdentity(id));
    const made = {
      ...prepared,
      id,
      fields_sealed: sealed ?? null,
      made_by: saving.who,
      made_at_ms: saving.atMs,
    };
    try {
      await insertConnectionRequest(tx, made);
    } catch (error) {
      throw isRequestWaiting(error) ? new Refusal("BANK502") : error;
    }
    return { request: made, result: id };
  });
}

type RequestVerb = "ask" | "approve" | "decline" | "expire";

type Noted<Result> = {
  request: Pick<ConnectionRequest, "id" | "kind" | "name" | "before" | "after">;
  result: Result;
  reason?: string | undefined;
};

/** The audit entry of a request names it by its own id: a connection that is to be added has none yet. */
async function noted<Result>(
  audit: Audited,
  verb: RequestVerb,
  work: (tx: Tx) => Promise<Noted<Result>>,
): Promise<Result> {
  const { result } = await audit.transaction<Noted<Result>>(
    (decided) => requestEntry(verb, decided),
    work,
  );
  return result;
}

function requestEntry(
  verb: RequestVerb,
  { request: { id, kind, name, before, after }, reason }: Omit<Noted<unknown>, "result">,
): AuditNote {
  return {
    action: `bank.${verb}_${kind}`,
    object: { kind: "bank_connection_request", id },
    before,
    after: { ...after, name, reason },
  };
}

/** Saves what was requested, unless the connection has changed since. */
export function approveConnectionRequest(
  { db, seal, clock }: WriteParts,
  actor: Actor,
  id: string,
): Promise<ConnectionRequest["status"]> {
  const by = { who: actor.who, atMs: clock() };
  return noted(audited({ db, seal }, actor), "approve", async (tx) => {
    // Before the request, as a rotation locks them.
    await lockConnections(tx);
    const request = await lockWaiting(tx, id);
    await requireOtherUser(tx, [request.made_by], by);
    await requireUnchanged(tx, request);
    if (request.kind === "enable") {
      await enableConnection({ tx }, request.name);
    } else {
      await putConnection({ tx, seal }, fieldsIn(request, seal), { ...by, who: request.made_by });
    }
    await updateRequestDecided(tx, id, { status: "applied", ...by });
    return { request, result: "applied" };
  });
}

/** Its maker may withdraw it. */
export function declineConnectionRequest(
  { db, seal, clock }: WriteParts,
  actor: Actor,
  { id, reason }: { id: string; reason: string },
): Promise<ConnectionRequest["status"]> {
  return noted(audited({ db, seal }, actor), "decline", async (tx) => {
    const request = await lockWaiting(tx, id);
    const status = request.made_by === actor.who ? "withdrawn" : "declined";
    await updateRequestDecided(tx, id, { status, who: actor.who, atMs: clock() });
    return { request, result: status, reason };
  });
}

/** No second admin has decided in time. Returns the audit entry. */
export async function expireConnectionRequest(
  tx: Tx,
  id: string,
  { who, atMs }: { who: string; atMs: number },
): Promise<AuditNote> {
  const request = await lockWaiting(tx, id);
  await updateRequestDecided(tx, id, { status: "expired", who, atMs });
  return requestEntry("expire", { request });
}

/** At once: it only stops new payouts. */
export async function disableByUser(
  { db, seal, clock }: WriteParts,
  actor: Actor,
  id: string,
): Promise<void> {
  await audited({ db, seal }, actor).transaction(
    { action: "bank.disable", object: objectOf(id) },
    async (tx) => {
      const { name } = await rowOf(tx, id);
      await disableConnection({ tx }, name, { who: actor.who, atMs: clock() });
    },
  );
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

async function rowOf(tx: Tx, id: string): Promise<ConnectionRow> {
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

/** Null takes a limit away. */
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
    ...(row.file_count_max !== null && { file_count_max: row.file_count_max }),
    ...(row.file_total_max !== null && { file_total_max: Number(row.file_total_max) }),
    ...givenFeeOf(row),
  };
}
