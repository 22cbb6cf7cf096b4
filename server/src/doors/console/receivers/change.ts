// A user changes a receiver's details, disables it, enables it or restarts its identity check. The audit's entry names the fields, never their values.

import type { KycProviders } from "../../../people/kyc-providers/index.ts";
import {
  type Changing,
  changeReceiver,
  disableReceiver,
  lockOrRefuse,
  type ReceiverChange,
  type ReceiverKey,
  restartKyc,
  type States,
  statesOf,
} from "../../../people/receivers/index.ts";
import type { Screener } from "../../../people/screening/index.ts";
import type { Tx } from "../../../platform/db/index.ts";
import type { Seal } from "../../../platform/encryption/index.ts";
import { type Actor, audited } from "../../../tenants/audit/index.ts";
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
