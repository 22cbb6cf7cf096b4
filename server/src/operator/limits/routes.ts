// GET and PUT /console/api/s/<id>/limits: what a subaccount may pay out, and how much waits for a second person

import { recordAct } from "../../audit/record.ts";
import type { Db } from "../../db/connect.ts";
import type { Api } from "../../http/api.ts";
import { inSubaccount } from "../../http/console-api.ts";
import {
  limitsOnWire,
  listPayoutLimits,
  type PayoutLimit,
  setPayoutLimit,
} from "../../payouts/limit-queries.ts";
import type { Seal } from "../../seal.ts";
import { actOf } from "../act.ts";
import { Limits, LimitsChange, LimitsLine } from "./schema.ts";

export function limitRoutes(api: Api, { db, seal }: { db: Db; seal: Seal }): void {
  api.get(
    "/console/api/s/:subaccountId/limits",
    { config: { may: "read" }, schema: { response: { 200: Limits } } },
    async (request) => {
      const { subaccount } = inSubaccount(request);
      const rows = await listPayoutLimits(db, subaccount.id);
      return {
        rows: rows.map(({ currency, ...limit }) => ({ currency, ...limitsOnWire(limit) })),
      };
    },
  );

  api.put(
    "/console/api/s/:subaccountId/limits",
    {
      config: { may: "limits.write", stepUp: true },
      schema: { body: LimitsChange, response: { 200: LimitsLine } },
    },
    async (request) => {
      const asker = inSubaccount(request);
      const { currency, ...wished } = request.body;
      const amount = (number: number | null) => (number === null ? undefined : BigInt(number));
      const limit: PayoutLimit = {
        perPayoutMax: amount(wished.per_payout_max),
        perDayMax: amount(wished.per_day_max),
        approvalAbove: amount(wished.approval_above),
      };
      await db.transaction(async (tx) => {
        const purse = { subaccountId: asker.subaccount.id, currency };
        const before = limitsOnWire(await setPayoutLimit(tx, purse, limit));
        const object = { kind: "limit", id: currency };
        const doing = { action: "limits.set", object, before, after: wished };
        await recordAct({ tx, seal }, actOf(asker, doing));
      });
      return request.body;
    },
  );
}
