// A service on data in quarantine: reads work, writes get 503.

import { expect, test } from "vitest";
import { ada, outcomeOf } from "../../support/service.ts";
import { service, useService } from "../../support/service-setup.ts";

await useService({ isQuarantined: true });

test("in quarantine, reads are answered and writes get 503 SYST111 with Retry-After", async () => {
  const caller = await service.newCaller();
  expect((await caller.call("GET", "/api/receiver?limit=1")).status).toBe(200);
  const refused = await caller.call("POST", "/api/receiver", { body: ada() });
  expect(outcomeOf(refused)).toBe("503 SYST111");
  expect(refused.headers.get("retry-after")).toBe("60");
  const report = await fetch(`${service.baseUrl}/webhooks/kyc/sumsub`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: "{}",
  });
  expect(report.status).toBe(503);
});

test("in quarantine, a check of a payout batch is answered, and users can sign in", async () => {
  const caller = await service.newCaller();
  const checked = await caller.call("POST", "/api/payout/validate", { body: {} });
  expect(outcomeOf(checked)).not.toContain("SYST111");
  const signIn = await fetch(`${service.baseUrl}/console/api/auth/sign-in/email`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: "{}",
  });
  expect(await signIn.text()).not.toContain("SYST111");
  const password = await fetch(`${service.baseUrl}/console/api/password`, { method: "POST" });
  expect(await password.text()).toContain("SYST111");
});

test("in quarantine, /readyz is 503 and gives the reason", async () => {
  const answer = await fetch(`${service.baseUrl}/readyz`);
  expect(answer.status).toBe(503);
  expect(await answer.text()).toContain("in quarantine");
});
