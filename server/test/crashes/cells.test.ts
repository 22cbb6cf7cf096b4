// Two cells behind HAProxy, with the configuration of deploy/cells. The kills are a slice of
// `npm run prove -- --only cells`.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { Refusal } from "../../src/platform/refusals/refusals.ts";
import { newKeyText } from "../../src/tenants/api-keys/api-key.ts";
import { createSubaccount } from "../../src/tenants/subaccounts/create.ts";
import { killCells } from "../scenarios/cells-run.ts";
import { type Cell, type Cells, startCells } from "../support/cells.ts";
import { copyKey } from "../support/copied-key.ts";
import { call, outcomeOf } from "../support/service.ts";
import { missingCommands, testUnless } from "../support/skippable.ts";

const missing = missingCommands("haproxy");
const test = testUnless(missing);
const path = "/api/subaccount";

describe("the edge", () => {
  let cells: Cells;
  beforeAll(async () => {
    if (missing === undefined) cells = await startCells();
  }, 120_000);
  afterAll(() => cells?.close());

  const newKey = ({ db, seal }: Cell) =>
    createSubaccount({ db, seal }, { name: "A", mode: "test" });
  const callEdge = (keys: { key: string; secret: string }) =>
    call({ ...keys, baseUrl: cells.edge.baseUrl }, "GET", path);
  const misrouted = async (cell: Cell) =>
    Number(/^disburse_misrouted_requests_total (\d+)$/m.exec(await cell.metrics())?.[1]);

  test("sends a request to the cell that its key names, and to the default cell without one", async () => {
    const both = [cells.byDefault, cells.b];
    const before = await Promise.all(both.map(misrouted));
    for (const cell of both) {
      const issued = await newKey(cell);
      const { json } = await callEdge(issued);
      expect(json.payload).toMatchObject({
        id: issued.subaccountId,
        merchant_id: cells.merchantId,
      });
    }
    expect(await Promise.all(both.map(misrouted))).toEqual(before);
  });

  test("sends a key of the map to the cell of the map", async () => {
    const issued = await newKey(cells.byDefault);
    await copyKey(cells.byDefault.db, cells.b.db, issued.key);
    // From now on only cell b answers with this name.
    await cells.b.db.pool.query("update subaccount set business_name = 'Moved' where id = $1", [
      issued.subaccountId,
    ]);
    expect((await callEdge(issued)).json.payload.business_name).toBe("");
    expect(await cells.edge.addToMap(issued.key, "cell_b")).toBe("");
    expect((await callEdge(issued)).json.payload.business_name).toBe("Moved");
  });

  test("sends a key of a cell that it does not know to the default cell, which refuses and counts it", async () => {
    const before = await misrouted(cells.byDefault);
    const keys = { key: newKeyText("live", "nowhere"), secret: "sk_live_x" };
    expect(outcomeOf(await callEdge(keys))).toBe("401 AUTH104");
    expect(await misrouted(cells.byDefault)).toBe(before + 1);
  });

  test("sends reports of identity providers to the cell in their path", async () => {
    const post = async (path: string) => {
      const response = await fetch(cells.edge.baseUrl + path, { method: "POST" });
      return (await response.json()).error[0].code;
    };
    // Both check by hand, so each knows the path of its own reports and no provider.
    expect(await post("/webhooks/kyc/sumsub/b")).toBe("KYCW101");
    expect(await post("/webhooks/kyc/sumsub")).toBe("KYCW101");
    expect(await post("/webhooks/kyc/sumsub/c")).toBe("SYST101");
  });

  test("passes on the address of the caller, and none that the caller made up", async () => {
    const { key, secret, subaccountId } = await newKey(cells.b);
    await cells.b.db.pool.query(
      "update api_key set addresses = '{203.0.113.7}' where subaccount_id = $1",
      [subaccountId],
    );
    await cells.b.db.pool.query("update installation set keys_version = keys_version + 1");
    const headers = { "x-forwarded-for": "203.0.113.7" };
    const target = { key, secret, baseUrl: cells.edge.baseUrl };
    expect(outcomeOf(await call(target, "GET", path, { headers }))).toBe("403 AUTH109");
  });
});

test("the edge answers for a cell that is gone as the service does without its database", () => {
  const file = join(import.meta.dirname, "../../../deploy/cells/unavailable.http");
  const [head = "", body = ""] = readFileSync(file, "utf8").split("\r\n\r\n");
  const { status, problems } = new Refusal("SYST503");
  expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} .*\\r\\n`));
  expect(head).toMatch(/^retry-after: 1$/im);
  expect(head).toMatch(new RegExp(`^content-length: ${Buffer.byteLength(body)}$`, "im"));
  expect(JSON.parse(body)).toEqual({ message: problems[0].message, error: problems });
});

test("while the service or the database of one cell is killed, the other has no error", async () => {
  const seen = await killCells({ kills: 2, seed: 1 });
  console.info(
    `${seen.acknowledged} payouts through 2 kills, ${seen.besideOutageMs.length} of them beside a killed cell, ` +
      `${seen.unavailable} times 503 from the killed one; back after ${seen.backMs} ms`,
  );
  expect(seen.complaints).toEqual([]);
  expect(seen.kills).toEqual({ service: 1, database: 1 });
  expect(seen.besideOutageMs.length).toBeGreaterThan(0);
}, 300_000);
