// The secrets that sign deliveries. Each is shown once and stored encrypted. After a rotation, the previous ones stay
// valid for a while, so that a subaccount can switch without losing an event.

import { randomBytes } from "node:crypto";
import { idTimeMs, newId } from "../../platform/base/index.ts";
import type { Tx } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { endpointOfLane } from "./endpoint-tables.ts";
import {
  deleteEndedSecrets,
  type EndpointRef,
  insertEndpointSecret,
  listLiveSecrets,
  lockEndpoint,
  type SecretTimes,
  updateWebhookSecretsEnding,
} from "./queries.ts";

/** In the format of Standard Webhooks. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString("base64")}`;
}

/** The identity of the row, which is encrypted together with the secret. */
export function endpointSecretIdentity(of: EndpointRef, id: string): string {
  const { subaccountId, endpointId } = typeof of === "string" ? endpointOfLane(of) : of;
  return endpointId
    ? `further_endpoint_secret:${subaccountId}:${endpointId}:${id}`
    : `webhook_endpoint_secret:${subaccountId}:${id}`;
}

export type Sealing = { tx: Tx; seal: Seal };
type Rotation = { secret: string; secrets: SecretTimes[] };

/** Creates a secret. Previous ones stay valid for the overlap at most. */
export async function rotateSecret(
  { tx, seal }: Sealing,
  of: EndpointRef,
  { overlapMs, nowMs }: { overlapMs: number; nowMs: number },
): Promise<Rotation> {
  // Rotations run one after the other, so that each counts the secrets of the one before.
  await lockEndpoint(tx, of);
  await updateWebhookSecretsEnding(tx, of, {
    nowMs,
    untilMs: nowMs + overlapMs,
    keptMax: limits.endpointSecretsMax - 1,
  });
  await deleteEndedSecrets(tx, of, nowMs);
  const secret = await addSecret({ tx, seal }, of);
  return { secret, secrets: await listLiveSecrets(tx, of, nowMs) };
}

/** Creates the first secret. Returns undefined if there is one already. */
export async function ensureSecret(
  { tx, seal }: Sealing,
  of: EndpointRef,
  nowMs: number,
): Promise<string | undefined> {
  const live = await listLiveSecrets(tx, of, nowMs);
  return live.length > 0 ? undefined : addSecret({ tx, seal }, of);
}

async function addSecret({ tx, seal }: Sealing, of: EndpointRef): Promise<string> {
  const id = newId();
  const secret = newWebhookSecret();
  const sealed = seal.encrypt(secret, endpointSecretIdentity(of, id));
  await insertEndpointSecret(tx, of, { id, sealed, createdAtMs: idTimeMs(id) });
  return secret;
}
