// Gives a key a new secret. The previous one stays valid for a grace period.

import type { Tx } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import {
  deleteWaitingSecret,
  updateKeysVersion,
  updateSecretApproved,
  updateSecretsEnding,
} from "./queries.ts";
import { addSecret } from "./secret.ts";

/** `seenBy` is the user who sees the new secret. */
type KeyRotation = { key: string; graceMs: number; seenBy?: string | undefined };

/** Returns the new secret. The key must be locked and not revoked. One that waited for approval is gone. */
export async function replaceSecret(
  tx: Tx,
  seal: Seal,
  { key, graceMs, seenBy }: KeyRotation,
): Promise<string> {
  await deleteWaitingSecret(tx, key);
  await updateSecretsEnding(tx, key, graceMs);
  const secret = await addSecret(tx, seal, { key, seenBy });
  await updateKeysVersion(tx);
  return secret;
}

/** Returns a secret that works once a second user has approved it. The key must be locked and not revoked. */
export async function addWaitingSecret(
  tx: Tx,
  seal: Seal,
  { key, seenBy }: { key: string; seenBy: string },
): Promise<string> {
  await deleteWaitingSecret(tx, key);
  return addSecret(tx, seal, { key, seenBy, awaitsApproval: true });
}

/** False if no secret waits. The key must be locked. */
export async function approveWaitingSecret(
  tx: Tx,
  { key, graceMs }: { key: string; graceMs: number },
): Promise<boolean> {
  await updateSecretsEnding(tx, key, graceMs);
  if (!(await updateSecretApproved(tx, key))) return false;
  await updateKeysVersion(tx);
  return true;
}
