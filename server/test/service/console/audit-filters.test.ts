// The audit log's filters: the actions to choose from, and entries without sign-ins.

import { expect, test } from "vitest";
import { closeAfterTests } from "../../support/close-after-tests.ts";
import { startConsole } from "../../support/console.ts";

const service = await closeAfterTests(startConsole());

test("sign-ins can be left out of the audit log, and its actions are listed once each", async () => {
  const { subaccountId } = await service.newCaller();
  const admin = service.enter("admin");
  for (const approval_above of [100, 200])
    await admin.put(`/s/${subaccountId}/limits`, {
      currency: "AUD",
      per_payout_max: null,
      per_day_max: null,
      approval_above,
    });
  await service.enter("operator").post("/auth/sign-out", {});
  const auditor = service.enter("auditor");
  const actionsOf = async (query: string) => {
    const { json } = await auditor.get(`/audit${query}`);
    return (json.rows as { action: string }[]).map(({ action }) => action);
  };
  const all = await actionsOf("?limit=100");
  const isOfSession = (action: string) => action.startsWith("session.");
  expect(all.filter(isOfSession).length).toBeGreaterThan(0);
  const others = all.filter((action) => !isOfSession(action));
  expect(others.length).toBeGreaterThan(1);
  expect(await actionsOf("?limit=100&sign_ins=hidden")).toEqual(others);
  expect(await actionsOf("?limit=100&sign_ins=hidden&sort=action")).toEqual(others.toSorted());
  const { json } = await auditor.get("/audit/actions");
  expect(json.actions.toSorted()).toEqual([...new Set(all)].sort());
  expect((await auditor.get("/audit?sign_ins=shown")).status).toBe(400);
});
