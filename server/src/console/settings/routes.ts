// /console/api/s/<id>/settings and /console/api/subaccounts: what a subaccount is, a new one, and the end of one

import type { AddressPolicy } from "../../addresses/address-guard.ts";
import { usualScopes } from "../../api-keys/api-key.ts";
import { recordAct } from "../../audit/record.ts";
import type { Mode } from "../../caller.ts";
import type { Clock } from "../../clock.ts";
import type { Db, Runner } from "../../db/connect.ts";
import type { Api } from "../../http/route.ts";
import { limits } from "../../limits.ts";
import { problem, Refusal } from "../../refusals/refusals.ts";
import type { Seal } from "../../seal.ts";
import { endSubaccount } from "../../subaccounts/close.ts";
import { addSubaccount } from "../../subaccounts/create.ts";
import { findSubaccount } from "../../subaccounts/queries.ts";
import { changeSubaccount } from "../../webhook-endpoints/change.ts";
import { actOf } from "../act.ts";
import { askForActivation } from "../keys/activation.ts";
import { requireOpenSubaccount } from "../open-subaccount.ts";
import { inSubaccount } from "../route.ts";
import {
  ClosedSubaccount,
  MadeSubaccount,
  NewSubaccountRequest,
  ProfileChange,
  Settings,
} from "./schema.ts";

export type SettingsParts = { db: Db; seal: Seal; clock: Clock; addresses: AddressPolicy };

const base = "/console/api/s/:subaccountId";

export function settingsRoutes(api: Api, { db, seal, clock, addresses }: SettingsParts): void {
  async function showSettings(runner: Runner, id: string): Promise<Settings> {
    const found = await findSubaccount(runner, id);
    if (!found) throw new Refusal("CONS105");
    return {
      profile: found.wire,
      mode: found.mode,
      closed_at: found.closedAt?.getTime() ?? null,
      kept: { event_days: limits.eventKeptDays, attempt_days: limits.attemptKeptDays },
    };
  }

  api.get(
    `${base}/settings`,
    { config: { may: "read" }, schema: { response: { 200: Settings } } },
    async (request) => showSettings(db, inSubaccount(request).subaccount.id),
  );

  api.patch(
    `${base}/settings`,
    {
      config: { may: "settings.write" },
      schema: { body: ProfileChange, response: { 200: Settings } },
    },
    async (request) => {
      const asker = requireOpenSubaccount(inSubaccount(request));
      const { id } = asker.subaccount;
      const changed = Object.keys(request.body).sort();
      if (changed.length === 0) throw new Refusal("SUBA213");
      return db.transaction(async (tx) => {
        await changeSubaccount({ tx, seal }, id, request.body, { addresses, nowMs: clock() });
        const object = { kind: "subaccount", id };
        const doing = { action: "subaccount.change", object, after: { fields: changed } };
        await recordAct({ tx, seal }, actOf(asker, doing));
        return showSettings(tx, id);
      });
    },
  );

  api.post(
    "/console/api/subaccounts",
    {
      config: { may: "subaccounts.create", stepUp: true },
      schema: { body: NewSubaccountRequest, response: { 200: MadeSubaccount } },
    },
    async ({ asker, body }) => {
      const { name } = body;
      const mode = body.mode as Mode;
      return db.transaction(async (tx) => {
        // Of a live subaccount, as every key with the scope payout that is made here.
        const awaitsApproval = mode === "live";
        const wish = { name, mode, seenBy: asker.who, awaitsApproval };
        const { subaccountId: id, key, secret } = await addSubaccount(tx, seal, wish);
        const fields = { name: "first", scopes: usualScopes };
        if (awaitsApproval) {
          await askForActivation(tx, { subaccountId: id, key, fields, madeBy: asker.who });
        }
        const doer = { ...asker, subaccount: { id } };
        const made = { kind: "subaccount", id };
        const doing = { action: "subaccount.create", object: made, after: { name, mode } };
        await recordAct({ tx, seal }, actOf(doer, doing));
        const first = { action: "key.create", object: { kind: "api_key", id: key } };
        await recordAct({ tx, seal }, actOf(doer, { ...first, after: fields }));
        return { id, name, mode, key, secret, awaits_approval: awaitsApproval };
      });
    },
  );

  api.post(
    `${base}/close`,
    {
      config: { may: "subaccounts.create", stepUp: true },
      schema: { body: ClosedSubaccount, response: { 200: Settings } },
    },
    async (request) => {
      const asker = requireOpenSubaccount(inSubaccount(request));
      const { id } = asker.subaccount;
      return db.transaction(async (tx) => {
        const name = (await findSubaccount(tx, id))?.wire.suba_name;
        if (request.body.name !== name?.trim()) throw new Refusal([problem("CONS708", "name")]);
        if (!(await endSubaccount(tx, id))) throw new Refusal("CONS701");
        const doing = { action: "subaccount.close", object: { kind: "subaccount", id } };
        await recordAct({ tx, seal }, actOf(asker, doing));
        return showSettings(tx, id);
      });
    },
  );
}
