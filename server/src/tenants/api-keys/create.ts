// Creates a key with its first secret.

import type { Mode, Scope } from "../../platform/base/index.ts";
import type { Tx } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import { newKeyText } from "./api-key.ts";
import { countLiveKeys, findCell, insertKey, lockSubaccount } from "./queries.ts";
import { addSecret } from "./secret.ts";

export type IssuedKey = { subaccountId: string; mode: Mode; key: string; secret: string };

export type KeyRequest = {
  subaccountId: string;
  name: string;
  scopes: readonly Scope[];
  addresses?: readonly string[];
  version2Only?: boolean;
  expiresAt?: Date | undefined;
  /** The user who sees the secret, by the name in the audit log. Undefined: only a program sees it. */
  seenBy?: string | undefined;
  /** The key works only after another user has approved it. */
  awaitsApproval?: boolean;
};

export async function addKey(
  tx: Tx,
  seal: Seal,
  request: KeyRequest & { mode: Mode },
): Promise<IssuedKey> {
  const { subaccountId, mode, name, scopes, addresses = [], version2Only = false } = request;
  await lockSubaccount(tx, subaccountId);
  if ((await countLiveKeys(tx, subaccountId)) >= limits.liveKeysMax) throw new Refusal("CONS710");
  const key = newKeyText(mode, await findCell(tx));
  await insertKey(tx, {
    key,
    subaccountId,
    name,
    scopes,
    addresses,
    version2Only,
    expiresAt: request.expiresAt,
    awaitsApproval: request.awaitsApproval ?? false,
  });
  return {
    subaccountId,
    mode,
    key,
    secret: await addSecret(tx, seal, { key, seenBy: request.seenBy }),
  };
}
