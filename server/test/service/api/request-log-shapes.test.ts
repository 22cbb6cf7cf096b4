// Shapes of the request log: the field names of repeated bodies are stored once, and can still be read.

import { expect, test } from "vitest";
import { limits } from "../../../src/platform/limits/limits.ts";
import { findRequest } from "../../../src/tenants/request-log/queries.ts";
import { newPayout } from "../../support/post-requests.ts";
import { service, useService } from "../../support/service-setup.ts";

await useService({ logsRequests: true });

/** The requests to a route, oldest first: each as it is stored and as it is read. */
async function logOf(subaccountId: string, route: string) {
  await service.flushRequests();
  const { rows } = await service.db.pool.query(
    "select id, detail from request_log where subaccount_id = $1 and route = $2 order by id",
    [subaccountId, route],
  );
  return Promise.all(
    rows.map(async ({ id, detail: written }) => {
      const found = await findRequest(service.db, { subaccountId, id });
      return { written, read: JSON.parse(found?.detail ?? "null") };
    }),
  );
}

test("field names of repeated bodies are stored once, and nothing is lost", async () => {
  const payer = await service.newCaller();
  const request = { ...(await newPayout(payer)), allow_duplicate: true, note: "for Ada" };
  const route = "/api/payout/single";
  const amounts = Array.from({ length: limits.requestShapeUses + 5 }, (_, at) => `${at + 1}`);
  for (const amount of amounts) await payer.call("POST", route, { body: { ...request, amount } });
  const headers = { "idempotency-key": "x".repeat(20) };
  await payer.call("POST", route, { body: { ...request, amount: "no" }, headers });

  const rows = await logOf(payer.subaccountId, route);
  const [first, last, refused] = [rows.at(0), rows.at(-2), rows.at(-1)];
  expect(rows.map(({ read }) => read.body)).toEqual(
    [...amounts, "*"].map((amount) => ({ ...request, amount, note: "*" })),
  );
  const names = Object.keys(first?.read.body);
  expect(Object.keys(last?.read.body)).toEqual(names);
  const problems = [[expect.any(String), "amount"]];
  expect(refused?.read).toMatchObject({ idempotency: "sent", problems });

  expect(first?.written).toContain('"note"');
  expect(last?.written).toMatch(/^\{"shape":\d+,"kept":\[[^\]]*\]\}$/);
  const { rows: shapes } = await service.db.pool.query("select fields from request_shape");
  const fields = names.map((name) => (name === "note" ? name : `${name}=`)).join();
  expect(shapes).toContainEqual({ fields });
});

test("a repeated body without fields stays without fields", async () => {
  const sender = await service.newCaller();
  const times = limits.requestShapeUses + 2;
  for (let count = 0; count < times; count += 1)
    await sender.call("POST", "/api/receiver", { body: {} });
  const rows = await logOf(sender.subaccountId, "/api/receiver");
  expect(rows.map(({ read }) => read.body)).toEqual(Array.from({ length: times }, () => ({})));
});
