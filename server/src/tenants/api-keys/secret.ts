// Creates a secret of a key. It is shown once and stored encrypted.

import { randomBytes } from "node:crypto";
import { newId } from "../../platform/base/index.ts";
import type { Tx } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import { insertSecretSeen } from "../four-eyes/index.ts";
import { secretIdentity } from "./api-key.ts";
import { insertSecret } from "./queries.ts";

export async function addSecret(
  tx: Tx,
  seal: Seal,
  {
    key,
    seenBy,
    awaitsApproval = false,
  }: { key: string; seenBy: string | undefined; awaitsApproval?: boolean },
): Promise<string> {
  const id = newId();
  const mode = key.split("_")[1];
  const secret = `sk_${mode}_${randomBytes(32).toString("base64url")}`;
  const sealed = seal.encrypt(secret, secretIdentity(key, id));
  await insertSecret(tx, { key, id, sealed, awaitsApproval });
  if (seenBy !== undefined) await insertSecretSeen(tx, { key, who: seenBy });
  return secret;
}
