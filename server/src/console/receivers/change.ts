// A user changes a receiver's details, disables it, enables it or restarts its identity check. The audit's entry names the fields, never their values.

import type { Actor } from "../../audit/actor.ts";
import { audited } from "../../audit/audited.ts";
import type { Tx } from "../../db/connect.ts";
import type { KycProviders } from "../../kyc-providers/providers.ts";
import {
  type Changing,
  changeReceiver,
  disableReceiver,
  lockOrRefuse,
  restartKyc,
} from "../../receivers/change.ts";
import { statesOf } from "../../receivers/move.ts";
import type { ReceiverKey } from "../../receivers/queries.ts";
import type { ReceiverChange } from "../../receivers/schema.ts";
import type { States } from "../../receivers/states.ts";
import type { Screener } from "../../screening/screener.ts";
import type { Seal } from "../../seal.ts";
import type { WriteParts } from "../write-parts.ts";

export type ReceiverActParts = WriteParts & { providers: KycProviders; screener: Screener };

export type ReceiverAct =
  | { kind: "change"; given: ReceiverChange }
  | { kind: "disable"; reason: string }
  | { kind: "enable" }
  | { kind: "restart_kyc" };

/** The states afterwards. */
export async function actOnReceiver(
  { db, seal, clock, providers, screener }: ReceiverActParts,
  key: ReceiverKey,
  act: ReceiverAct,
  actor: Actor,
): Promise<States> {
  const fields = act.kind === "change" ? { fields: Object.keys(act.given).sort() } : {};
  const { after } = await audited({ db, seal }, actor).transaction<{
    before: States;
    after: States;
  }>(
    ({ before, after }) => ({
      action: `receiver.${act.kind}`,
      object: { kind: "receiver", id: key.id },
      before,
      after: { ...after, ...fields },
    }),
    async (tx) => {
      const before = statesOf(await lockOrRefuse(tx, key));
      const changing = { who: actor.who, providers, screener, seal, atMs: clock() };
      return { before, after: await perform(tx, key, act, changing) };
    },
  );
  return after;
}

async function perform(
  tx: Tx,
  key: ReceiverKey,
  act: ReceiverAct,
  changing: Changing & { screener: Screener; seal: Seal },
): Promise<States> {
  if (act.kind === "disable") return disableReceiver(tx, key, changing, act.reason);
  if (act.kind === "restart_kyc") {
    await restartKyc(tx, key, changing);
    return statesOf(await lockOrRefuse(tx, key));
  }
  const given = act.kind === "enable" ? { status: "active" } : act.given;
  return statesOf((await changeReceiver(tx, key, given, changing)) as States);
}
