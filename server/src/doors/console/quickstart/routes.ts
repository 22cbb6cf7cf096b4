// GET /console/api/s/<id>/quickstart: the progress of developers and of operators, and their next steps

import type { Db } from "../../../platform/db/index.ts";
import type { Api } from "../../../platform/http/index.ts";
import { isOneUserEnough } from "../../../tenants/four-eyes/index.ts";
import { listEvents, toEventPage } from "../../../webhooks/events/index.ts";
import { addSampleData, findSampleState, removeSampleData } from "../../test-helpers/index.ts";
import { actRoute } from "../act-route.ts";
import { inSubaccount } from "../route.ts";
import { callWays, keyWays, payoutWays, receiverWays, webhookWays } from "./lines.ts";
import { findFirstActs, findKeysSeen, findPayoutByKey, findReceiverByKey } from "./queries.ts";
import { Quickstart } from "./schema.ts";

type QuickstartParts = { db: Db } & Parameters<typeof addSampleData.perform>[0];

const samples = "/console/api/s/:subaccountId/samples";

export function quickstartRoutes(api: Api, parts: QuickstartParts): void {
  const { db } = parts;
  actRoute(api, parts, `POST ${samples}`, addSampleData);
  actRoute(api, parts, `DELETE ${samples}`, removeSampleData);

  api.get(
    "/console/api/s/:subaccountId/quickstart",
    { config: { may: "read" }, schema: { response: { 200: Quickstart } } },
    async (request) => {
      const { id, mode } = inSubaccount(request).subaccount;
      const keys = await findKeysSeen(db, id);
      const receiverAtMs = await findReceiverByKey(db, id);
      const payoutAtMs = await findPayoutByKey(db, id);
      const first = await findFirstActs(db, id);
      const [event] = await listEvents(db, toEventPage(id, { status: "delivered", limit: "1" }));
      const deliveredAtMs = event && Number(event.created_at_ms);

      const baseUrl = `${request.protocol}://${request.host}`;
      const filling = { baseUrl, key: keys.key ?? `ak_${mode}_…` };
      const step = (name: string, atMs: number | null | undefined) => ({
        id: name,
        is_done: typeof atMs === "number",
        at: typeof atMs === "number" ? Math.round(atMs) : null,
      });
      return {
        base_url: baseUrl,
        mode,
        key: keys.key,
        samples: mode === "test" ? await samplesOf(db, id) : null,
        steps: [
          { ...step("key", keys.seen_at_ms), ways: keyWays(filling) },
          { ...step("call", keys.used_at_ms), ways: callWays(filling) },
          { ...step("receiver", receiverAtMs), ways: receiverWays(filling) },
          { ...step("payout", payoutAtMs), ways: payoutWays(filling, mode) },
          { ...step("webhook", deliveredAtMs), ways: webhookWays(filling) },
        ],
        operator_steps: [
          step("fund", first.fund),
          step("receiver", first.receiver),
          step("payout", first.payout),
          step("approve", first.approve),
        ],
      };
    },
  );
}

async function samplesOf(db: Db, subaccountId: string): Promise<Quickstart["samples"]> {
  const { isEmpty, isPresent } = await findSampleState(db, subaccountId);
  if (isPresent) return "present";
  return isEmpty && (await isOneUserEnough(db, subaccountId)) ? "possible" : null;
}
