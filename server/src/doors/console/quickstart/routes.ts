// GET /console/api/s/<id>/quickstart: what this user has done of the first steps, and the next ones

import type { Db } from "../../../platform/db/index.ts";
import type { Api } from "../../../platform/http/index.ts";
import { isOneUserEnough } from "../../../tenants/four-eyes/index.ts";
import type { Role } from "../../../tenants/roles/index.ts";
import { listEvents, toEventPage } from "../../../webhooks/events/index.ts";
import { addSampleData, findSampleState, removeSampleData } from "../../test-helpers/index.ts";
import { actRoute } from "../act-route.ts";
import { inSubaccount } from "../route.ts";
import { callWays, keyWays, payoutWays, receiverWays, webhookWays } from "./lines.ts";
import {
  findFunds,
  findKeysSeen,
  findOwnActs,
  findPayoutSince,
  findReceiverBy,
} from "./queries.ts";
import { actionsOfStep, inSubaccountOnly, stepsOfRole } from "./role-steps.ts";
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
      const { subaccount, actor, user } = inSubaccount(request);
      const { id, mode } = subaccount;
      const { who } = actor;
      const keys = await findKeysSeen(db, { subaccountId: id, who });
      // Without a key of their own, a developer has done nothing yet, whatever others have done.
      const sinceMs = keys.seen_at_ms ?? Number.POSITIVE_INFINITY;
      const hasKey = keys.seen_at_ms !== null;
      const { makers } = keys;
      const receiverAtMs = await findReceiverBy(db, { subaccountId: id, makers });
      const payoutAtMs = hasKey
        ? await findPayoutSince(db, { subaccountId: id, sinceMs })
        : undefined;
      const [event] = await listEvents(db, toEventPage(id, { status: "delivered", limit: "1" }));
      const eventAtMs = Number(event?.created_at_ms ?? Number.NaN);
      const deliveredAtMs = eventAtMs >= sinceMs ? eventAtMs : undefined;

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
        own_steps: (await ownSteps(db, { who, role: user.role, subaccountId: id })).map(
          ({ name, atMs }) => step(name, atMs),
        ),
      };
    },
  );
}

async function samplesOf(db: Db, subaccountId: string): Promise<Quickstart["samples"]> {
  const { isEmpty, isPresent } = await findSampleState(db, subaccountId);
  if (isPresent) return "present";
  return isEmpty && (await isOneUserEnough(db, subaccountId)) ? "possible" : null;
}

type Whose = { who: string; role: Role; subaccountId: string };

/** What this user has done of the steps of their role, and when. */
async function ownSteps(db: Db, { who, role, subaccountId }: Whose) {
  const names = stepsOfRole[role];
  if (names.length === 0) return [];
  const actions = names.flatMap((name) => actionsOfStep[name]);
  const found = await findOwnActs(db, { who, actions, subaccountId, inSubaccountOnly });
  const fundedAtMs = names.includes("fund") ? await findFunds(db, subaccountId) : null;
  return names.map((name) => {
    const times = actionsOfStep[name].flatMap((action) => found.get(action) ?? []);
    const ownMs = times.length > 0 ? Math.min(...times) : null;
    return { name, atMs: name === "fund" ? fundedAtMs : ownMs };
  });
}
