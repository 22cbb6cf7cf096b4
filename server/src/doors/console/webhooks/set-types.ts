// A user chooses which types of events are sent.

import { sentTypes } from "../../../platform/event-catalogue/index.ts";
import { audited } from "../../../tenants/audit/index.ts";
import {
  findEndpoint,
  lockEndpoint,
  setEventTypes,
} from "../../../webhooks/webhook-endpoints/index.ts";
import type { SubaccountAccess } from "../route.ts";
import type { WriteParts } from "../write-parts.ts";

type ChangedTypes = { before: readonly string[]; after: readonly string[] };

export async function setWebhookTypes(
  { db, seal }: WriteParts,
  { actor, subaccount: { id } }: SubaccountAccess,
  types: Parameters<typeof setEventTypes>[2],
): Promise<void> {
  await audited({ db, seal }, actor).transaction<ChangedTypes>(
    ({ before, after }) => ({
      action: "subaccount.set_event_types",
      object: { kind: "subaccount", id },
      before: { event_types: before.join(" ") },
      after: { event_types: after.join(" ") },
    }),
    async (tx) => {
      await lockEndpoint(tx, id);
      const before = sentTypes((await findEndpoint(tx, id, 0))?.event_types ?? []);
      return { before, after: await setEventTypes(tx, id, types) };
    },
  );
}
