// Changes of a subaccount by its API keys, in the audit log.

import { expect, test } from "vitest";
import { service, useService } from "../../support/service-setup.ts";

const url = "https://example.com/events";

await useService();

test("changes by an API key are in the audit log, under its name, without credentials and contact data", async () => {
  const caller = await service.newCaller();
  await caller.call("PATCH", "/api/subaccount", {
    version: 2,
    body: { postback_url: "https://example.com/first?token=x" },
  });
  await caller.call("PATCH", "/api/subaccount", {
    version: 2,
    body: {
      postback_url: url,
      event_types: ["payoutReleased"],
      email: "a@b.example",
    },
  });
  await caller.call("POST", "/api/subaccount/postback-secret", {
    body: { overlap_s: 60 },
    version: 2,
  });
  const { rows: entries } = await service.db.pool.query(
    "select who, action, object_id, before, after from audit_entry where subaccount_id = $1 order by number",
    [caller.subaccountId],
  );
  const shared = { who: `key:${caller.key}`, object_id: caller.subaccountId };
  const first = "https://example.com/first";
  expect(entries).toEqual([
    {
      ...{ ...shared, action: "subaccount.change", before: { postback_url: "" } },
      after: { fields: ["postback_url"], postback_url: first },
    },
    {
      ...{ ...shared, action: "subaccount.change", before: { postback_url: first } },
      after: {
        fields: ["email", "event_types", "postback_url"],
        ...{ postback_url: url, event_types: "payoutReleased" },
      },
    },
    {
      ...{ ...shared, action: "subaccount.rotate_postback_secret", before: {} },
      after: { overlap_seconds: 60 },
    },
  ]);
});
