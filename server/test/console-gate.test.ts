// The gate of /console/api: who is let in, from where, and to which subaccount.

import { afterAll, beforeAll, expect, test } from "vitest";
import { type ConsoleService, startConsole } from "./console.ts";

let service: ConsoleService;
beforeAll(async () => {
  service = await startConsole();
});
afterAll(() => service.close());

test("says who is logged in, what they may do, and which subaccounts they see", async () => {
  const { subaccountId } = await service.newCaller();
  const other = await service.newCaller();
  const operator = await service.enter("operator").get("/me");
  expect(operator.status).toBe(200);
  expect(operator.json.permissions).toContain("payouts.approve");
  const seen = operator.json.subaccounts.map(({ id }: { id: string }) => id);
  expect(seen).toEqual(expect.arrayContaining([subaccountId, other.subaccountId]));

  const developer = await service.enter("developer", { subaccountId }).get("/me");
  expect(developer.json.subaccounts.map(({ id }: { id: string }) => id)).toEqual([subaccountId]);
  expect(developer.json.permissions).not.toContain("payouts.approve");
});

test("an API key opens nothing", async () => {
  const { call } = await service.newCaller();
  const { status, json } = await call("GET", "/console/api/me");
  expect([status, json.error[0].code]).toEqual([401, "CONS101"]);
});
