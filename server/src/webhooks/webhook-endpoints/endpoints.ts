// The webhook endpoints of a subaccount as objects: the one of postback_url, which has the id of the subaccount, and the
// further ones. Each function works on either.

import { type AddressPolicy, addressProblem } from "../../platform/addresses/index.ts";
import { isUuid, newId } from "../../platform/base/index.ts";
import type { Runner } from "../../platform/db/index.ts";
import { sentTypes } from "../../platform/event-catalogue/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { problem, Refusal } from "../../platform/refusals/index.ts";
import { toPostback } from "./endpoint.ts";
import type {
  ChangedEndpoint,
  EndpointChange,
  NewEndpoint,
  WebhookEndpoint,
} from "./endpoint-schema.ts";
import { type EndpointKey, endpointKey } from "./endpoint-tables.ts";
import {
  findEndpointDay,
  insertFurtherEndpoint,
  listFurtherIds,
  lockEndpoints,
  updateEndpointRemoved,
  updateFurtherEndpoint,
} from "./further-queries.ts";
import { sealOwnHeaders, toOwnHeaders } from "./own-headers.ts";
import {
  type EndpointRow,
  findEndpoint,
  listLiveSecrets,
  lockEndpoint,
  type SecretTimes,
  updateEndpointDetails,
  updateEndpointPaused,
  updateEndpointUrl,
} from "./queries.ts";
import { ensureSecret, rotateSecret, type Sealing } from "./secret.ts";
import { setEventTypes } from "./set-event-types.ts";
import { setPostback } from "./set-postback.ts";

const dayMs = 86_400_000;

export type EndpointParts = { addresses: AddressPolicy; nowMs: number };
/** The endpoint of this id. Refused where there is none. */
export type FoundEndpoint = { key: EndpointKey; row: EndpointRow };

export async function requireEndpoint(
  db: Runner,
  subaccountId: string,
  id: string,
): Promise<FoundEndpoint> {
  const key = isUuid(id) ? endpointKey(subaccountId, id.toLowerCase()) : undefined;
  const row = key && (await findEndpoint(db, key, limits.waitingCountedMax));
  if (!key || !row || row.url === "") throw new Refusal("ENDP101");
  return { key, row };
}

export async function showEndpoint(
  db: Runner,
  { key, row }: FoundEndpoint,
  nowMs: number,
): Promise<WebhookEndpoint> {
  const secrets = await listLiveSecrets(db, key, nowMs);
  const sinceMs = nowMs - dayMs;
  const attemptsMax = limits.attemptsScannedMax;
  const day = await findEndpointDay(db, key, { sinceMs, attemptsMax });
  return present({ key, row }, secrets, { day, nowMs });
}

type Present = { day: WebhookEndpoint["last_day"]; nowMs: number };

function present(
  { key, row }: FoundEndpoint,
  secrets: SecretTimes[],
  { day, nowMs }: Present,
): WebhookEndpoint {
  const { postback_url: url, status, event_types: _, ...state } = toPostback(row, secrets, nowMs);
  const isPostback = key.endpointId === undefined;
  const disabled = status === "disabled" ? (row.disabled_because ?? "gone") : null;
  return {
    id: key.endpointId ?? key.subaccountId,
    url,
    description: row.description,
    is_postback: isPostback,
    event_types: isPostback ? sentTypes(row.event_types) : row.event_types,
    format: row.format,
    header_names: row.header_names,
    disable_after_days: row.disable_after_days,
    created_at: row.created_at_ms,
    ...state,
    status: row.paused_by !== null ? "paused" : (status as WebhookEndpoint["status"]),
    disabled_because: row.paused_by !== null ? null : disabled,
    last_day: day,
  };
}

/** That of postback_url first, then the oldest. */
export async function listEndpoints(
  db: Runner,
  subaccountId: string,
  nowMs: number,
): Promise<WebhookEndpoint[]> {
  const ids = [subaccountId, ...(await listFurtherIds(db, subaccountId))];
  const endpoints: WebhookEndpoint[] = [];
  for (const id of ids) {
    const key = endpointKey(subaccountId, id);
    const row = await findEndpoint(db, key, limits.waitingCountedMax);
    if (row?.url) endpoints.push(await showEndpoint(db, { key, row }, nowMs));
  }
  return endpoints;
}

function requireAllowedUrl(url: string, addresses: AddressPolicy): void {
  const reason = addressProblem(url, addresses);
  if (reason) throw new Refusal([{ ...problem("ENDP201", "url"), message: `url ${reason}` }]);
}

/** With its first secret, which is shown once. */
export async function createEndpoint(
  sealing: Sealing,
  subaccountId: string,
  request: NewEndpoint,
  { addresses, nowMs }: EndpointParts,
): Promise<ChangedEndpoint> {
  const { tx, seal } = sealing;
  const { url, description = "", event_types, format = "full", headers = {} } = request;
  requireAllowedUrl(url, addresses);
  const count = await lockEndpoints(tx, subaccountId);
  if (count >= limits.endpointsMax) throw new Refusal("ENDP301");
  const endpointId = newId();
  const key = { subaccountId, endpointId };
  await insertFurtherEndpoint(tx, {
    ...{ ...key, url, description, format },
    eventTypes: [...new Set(event_types)],
    headers: sealOwnHeaders(seal, key, toOwnHeaders(headers)),
    createdAtMs: nowMs,
    disableAfterDays: request.disable_after_days ?? limits.disableAfterDays,
  });
  const secret = await ensureSecret(sealing, key, nowMs);
  const endpoint = await showEndpoint(
    tx,
    await requireEndpoint(tx, subaccountId, endpointId),
    nowMs,
  );
  return { ...endpoint, ...(secret && { secret }) };
}

/** Only the given fields change. A URL, also the same one, enables the endpoint and sends waiting events at once. */
export async function changeEndpoint(
  sealing: Sealing,
  { key, row }: FoundEndpoint,
  change: EndpointChange,
  { addresses, nowMs }: EndpointParts,
): Promise<WebhookEndpoint> {
  const { tx, seal } = sealing;
  const { subaccountId, endpointId } = key;
  const { url, description, event_types: types, format, headers } = change;
  if (url !== undefined) requireAllowedUrl(url, addresses);
  await lockEndpoints(tx, subaccountId);
  const days = change.disable_after_days;
  if (endpointId) {
    if (days === null) throw new Refusal([problem("ENDP206", "disable_after_days")]);
    const eventTypes = types && [...new Set(types)];
    await updateFurtherEndpoint(tx, { subaccountId, endpointId }, { eventTypes, format });
    if (url !== undefined) await updateEndpointUrl(tx, key, url);
  } else {
    if (format === "thin") throw new Refusal([problem("ENDP302", "format")]);
    if (types) await setEventTypes(tx, subaccountId, types);
    if (url !== undefined) await setPostback(sealing, subaccountId, url, { addresses, nowMs });
  }
  await updateEndpointDetails(tx, key, {
    description,
    disableAfterDays: days === undefined ? row.disable_after_days : days,
    headers: headers && sealOwnHeaders(seal, key, toOwnHeaders(headers)),
  });
  return shown(tx, key, nowMs);
}

async function shown(db: Runner, key: EndpointKey, nowMs: number): Promise<WebhookEndpoint> {
  const { subaccountId, endpointId = subaccountId } = key;
  return showEndpoint(db, await requireEndpoint(db, subaccountId, endpointId), nowMs);
}

/** Events that wait for it are no longer sent. That of postback_url goes as with an empty postback_url. */
export async function deleteEndpoint({ tx }: Sealing, { key }: FoundEndpoint): Promise<void> {
  const { subaccountId, endpointId } = key;
  await lockEndpoints(tx, subaccountId);
  if (endpointId) await updateEndpointRemoved(tx, subaccountId, endpointId);
  else await updateEndpointUrl(tx, key, "");
}

export async function rotateEndpointSecret(
  sealing: Sealing,
  { key }: FoundEndpoint,
  rotation: { overlapMs: number; nowMs: number },
): Promise<ChangedEndpoint> {
  const { secret } = await rotateSecret(sealing, key, rotation);
  return { ...(await shown(sealing.tx, key, rotation.nowMs)), secret };
}

export async function pauseEndpoint(
  { tx }: Sealing,
  { key }: FoundEndpoint,
  { who, nowMs }: { who: string; nowMs: number },
): Promise<WebhookEndpoint> {
  if (!(await updateEndpointPaused(tx, key, { who, nowMs }))) throw new Refusal("ENDP303");
  return shown(tx, key, nowMs);
}

/** Whatever stopped it. The events that wait are sent. */
export async function enableEndpoint(
  sealing: Sealing,
  { key, row }: FoundEndpoint,
  { addresses, nowMs }: EndpointParts,
): Promise<WebhookEndpoint> {
  requireAllowedUrl(row.url, addresses);
  await lockEndpoint(sealing.tx, key);
  await updateEndpointUrl(sealing.tx, key, row.url);
  return shown(sealing.tx, key, nowMs);
}
