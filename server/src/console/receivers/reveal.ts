// Shows a user the whole number of a bank account. The audit entry is committed before it is shown.

import type { Actor } from "../../audit/actor.ts";
import { recordAct } from "../../audit/record.ts";
import { isUuid } from "../../ids.ts";
import type { ReceiverKey } from "../../receivers/queries.ts";
import { Refusal } from "../../refusals/refusals.ts";
import type { WriteParts } from "../write-parts.ts";
import { findNumber } from "./account-queries.ts";

export async function revealNumber(
  { db, seal }: WriteParts,
  key: ReceiverKey,
  version: number | undefined,
  actor: Actor,
): Promise<string> {
  if (!isUuid(key.id)) throw new Refusal("CONS110");
  return db.transaction(async (tx) => {
    const found = await findNumber({ tx, seal }, key, version);
    if (!found) throw new Refusal("CONS110");
    await recordAct({ tx, seal }, actor, {
      action: "account.reveal",
      object: { kind: "account", id: key.id },
      after: { version: found.version },
    });
    return found.accountNumber;
  });
}
