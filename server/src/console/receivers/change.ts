// What a person does with a receiver: change its details, take it out of use, put it back. Each in one
// transaction with its entry in the audit, which names the fields and never what was in them.

import { recordAct } from "../../audit/record.ts";
import type { Tx } from "../../db/connect.ts";
import type { KycProviders } from "../../kyc-providers/providers.ts";
import {
  type Changing,
  changeReceiver,
  disableReceiver,
  lockOrRefuse,
} from "../../receivers/change.ts";
import { statesOf } from "../../receivers/move.ts";
import type { ReceiverKey } from "../../receivers/queries.ts";
import type { ReceiverChange } from "../../receivers/schema.ts";
import type { States } from "../../receivers/states.ts";
import type { Acting, ActParts } from "../acting.ts";

export type ReceiverActParts = ActParts & { providers: KycProviders };

export type ReceiverAct =
  | { kind: "change"; given: ReceiverChange }
  | { kind: "disable"; reason: string }
  | { kind: "enable" };

/** The states afterwards. */
export function actOnReceiver(
  { db, seal, clock, providers }: ReceiverActParts,
  key: ReceiverKey,
  act: ReceiverAct,
  { who, ip, requestId }: Acting,
): Promise<States> {
  return db.transaction(async (tx) => {
    const before = statesOf(await lockOrRefuse(tx, key));
    const after = await perform(tx, key, act, { who, providers, atMs: clock() });
    const fields = act.kind === "change" ? { fields: Object.keys(act.given).sort() } : {};
    await recordAct(
      { tx, seal },
      {
        ...{ who, ip, requestId, subaccountId: key.subaccountId },
        action: `receiver.${act.kind}`,
        object: { kind: "receiver", id: key.id },
        before,
        after: { ...after, ...fields },
      },
    );
    return after;
  });
}

async function perform(
  tx: Tx,
  key: ReceiverKey,
  act: ReceiverAct,
  changing: Changing,
): Promise<States> {
  if (act.kind === "disable") return disableReceiver(tx, key, changing, act.reason);
  const given = act.kind === "enable" ? { status: "active" } : act.given;
  return statesOf((await changeReceiver(tx, key, given, changing)) as States);
}
