// GET /api/payout with `accept: text/csv`: the same payouts, filters and pages as JSON.

import { parse } from "csv-parse/sync";
import { expect, test } from "vitest";
import { Payout } from "../../../src/money/payouts/schema.ts";
import { pastOf } from "../../support/past-payouts.ts";
import { service, useService } from "../../support/service-setup.ts";

await useService();

const csv = { headers: { accept: "text/csv" } };

async function newPayouts(count: number) {
  const caller = await service.newCaller();
  const past = await pastOf(service, caller);
  await past.fund(Date.now() - 10_000, 100_000);
  const ids: string[] = [];
  for (let number = 0; number < count; number++) {
    ids.push(await past.make(Date.now() - 5_000 + number * 10, 100 + number));
  }
  return { caller, past, ids };
}

/** Metadata has keys of its own, which are no columns. */
const names = Object.keys(Payout.properties).filter((name) => name !== "metadata");
const columns = names.join(",");

/** A cell is empty for an empty text, for null, and for a field that is left out. */
const asText = (payout: Record<string, unknown>) =>
  Object.fromEntries(names.map((name) => [name, String(payout[name] ?? "")]));

test("has the columns of the schema and the rows of the JSON, in the same order", async () => {
  const { caller, past } = await newPayouts(3);
  await past.make(Date.now(), 200, "AUD", 25);
  const json = await caller.call("GET", "/api/payout");
  const { status, headers, text } = await caller.call("GET", "/api/payout", csv);
  expect([status, headers.get("content-type")]).toEqual([200, "text/csv; charset=utf-8"]);
  expect(text.split("\n")[0]).toBe(columns);
  expect(parse(text, { columns: true })).toEqual(json.json.payload.map(asText));
});

test("continues page by page with the link header, with the same filters", async () => {
  const { caller, past, ids } = await newPayouts(5);
  await past.move(ids[0] as string, "cancel", Date.now());
  const rows: Record<string, string>[] = [];
  let next: string | undefined = "/api/payout?status=pending&limit=2";
  let pages = 0;
  while (next) {
    const { text, headers } = await caller.call("GET", next, csv);
    rows.push(...parse<Record<string, string>>(text, { columns: true }));
    next = /<(.*)>; rel="next"/.exec(headers.get("link") ?? "")?.[1];
    pages += 1;
  }
  expect(pages).toBe(2);
  expect(rows.map(({ id }) => id)).toEqual(ids.slice(1).reverse());
});

test("guards cells that begin like a formula", async () => {
  const { caller, ids } = await newPayouts(1);
  await service.db.pool.query(
    "update payout set reference = '=HYPERLINK(1)', note = '+cmd' where subaccount_id = $1 and id = $2",
    [caller.subaccountId, ids[0]],
  );
  const { text } = await caller.call("GET", "/api/payout", csv);
  expect(parse(text, { columns: true })).toMatchObject([
    { reference: "'=HYPERLINK(1)", note: "'+cmd" },
  ]);
  const { json } = await caller.call("GET", "/api/payout");
  expect(json.payload).toMatchObject([{ reference: "=HYPERLINK(1)", note: "+cmd" }]);
});

test("an empty list has its header; a refusal stays JSON; a caller that accepts both gets JSON", async () => {
  const caller = await service.newCaller();
  const { text } = await caller.call("GET", "/api/payout", csv);
  expect(text.trim()).toBe(columns);
  const refused = await caller.call("GET", "/api/payout?limit=0", csv);
  expect([refused.status, refused.json.error[0].code]).toEqual([400, "PAYO111"]);
  const both = await caller.call("GET", "/api/payout", {
    headers: { accept: "text/csv, application/json" },
  });
  expect(both.json.payload).toEqual([]);
});
