// Cells: keys carry the cell, a key of another cell is refused and counted, and each cell has its path for reports.

import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { sandboxProvider } from "../../../src/people/kyc-providers/sandbox.ts";
import { sumsubProvider } from "../../../src/people/kyc-providers/sumsub.ts";
import { type Mode, modes } from "../../../src/platform/base/caller.ts";
import { sealWith } from "../../../src/platform/encryption/seal.ts";
import { createMetrics } from "../../../src/platform/metrics/metrics.ts";
import { cellOfKey, newKeyText } from "../../../src/tenants/api-keys/api-key.ts";
import {
  ensureInstallation,
  InstallationError,
} from "../../../src/tenants/installation/installation.ts";
import { createSubaccount } from "../../../src/tenants/subaccounts/create.ts";
import { copyKey } from "../../support/copied-key.ts";
import { readFamilies } from "../../support/prometheus-text.ts";
import {
  ada,
  call,
  masterKey,
  newDatabase,
  outcomeOf,
  startServiceForTest,
} from "../../support/service.ts";
import { startSumsub } from "../../support/sumsub-server.ts";

const path = "/api/subaccount";

describe("the text of a key", () => {
  const cellNames = fc.stringMatching(/^[a-z0-9]{1,8}$/);
  const mode = fc.constantFrom<Mode>(...modes);

  test("names its cell, and no cell where it has none", () => {
    fc.assert(
      fc.property(mode, cellNames, (mode, cell) => {
        expect(newKeyText(mode, cell)).toMatch(new RegExp(`^ak_${mode}_${cell}_[\\w-]{24}$`));
        expect(cellOfKey(newKeyText(mode, cell))).toBe(cell);
        expect(newKeyText(mode, "")).toMatch(new RegExp(`^ak_${mode}_[\\w-]{24}$`));
        expect(cellOfKey(newKeyText(mode, ""))).toBe("");
      }),
    );
  });

  test("is read in one way, whatever its random part is", () => {
    fc.assert(
      fc.property(mode, cellNames, fc.stringMatching(/^[\w-]{24}$/), (mode, cell, random) => {
        expect(cellOfKey(`ak_${mode}_${random}`)).toBe("");
        expect(cellOfKey(`ak_${mode}_${cell}_${random}`)).toBe(cell);
      }),
      // Underscores where a cell's name would end.
      {
        examples: [
          ["live", "b", "b_cdefghijklmnopqrstuvwx"],
          ["test", "a1", "_".repeat(24)],
        ],
      },
    );
  });

  test.each([
    "",
    "ak_live_",
    "ak_test_nobody",
    "sk_live_b_abcdefghijklmnopqrstuvwx",
    "ak_live_B_abcdefghijklmnopqrstuvwx",
  ])("%j is no key of ours", (text) => {
    expect(cellOfKey(text)).toBeUndefined();
  });
});

describe("a key", () => {
  test("of a new subaccount carries the cell of its database", async () => {
    for (const cell of ["", "b", "europe01"]) {
      const { db, seal } = await newDatabase(undefined, cell);
      const issued = await createSubaccount({ db, seal }, { name: "A", mode: "live" });
      await db.close();
      expect([cellOfKey(issued.key), issued.secret]).toEqual([
        cell,
        expect.stringMatching(/^sk_live_[\w-]{43}$/),
      ]);
    }
  });

  test("of either form works, also one of another cell that moved here with its subaccount", async () => {
    const old = await startServiceForTest();
    const service = await startServiceForTest({ cell: "b" });
    const own = await service.newCaller();
    expect((await own.call("GET", path)).status).toBe(200);
    const { key, secret, subaccountId } = await old.newCaller();
    await copyKey(old.db, service.db, key);
    const moved = await call({ baseUrl: service.baseUrl, key, secret }, "GET", path);
    expect([moved.status, moved.json.payload.id]).toEqual([200, subaccountId]);
  });

  test.each([
    ["of cell b", "", "b"],
    ["of the default cell", "b", ""],
    ["of cell b", "c", "b"],
  ])("%s is refused as unknown at cell %j, and counted as misrouted", async (_, cell, keyCell) => {
    const metrics = createMetrics();
    const service = await startServiceForTest({ cell, metrics });
    const misrouted = async () => {
      const family = readFamilies(await metrics.text()).get("disburse_misrouted_requests_total");
      return family?.samples[0]?.value;
    };
    const { secret } = await service.newCaller();
    const callWith = (key: string, method = "GET") =>
      call(
        { baseUrl: service.baseUrl, key, secret },
        method,
        method === "GET" ? path : "/api/receiver",
        {
          ...(method === "POST" && { body: {} }),
        },
      );
    expect(await misrouted()).toBe(0);
    for (const key of [newKeyText("test", cell), "ak_test_nobody"]) {
      expect(outcomeOf(await callWith(key))).toBe("401 AUTH104");
    }
    expect(await misrouted()).toBe(0);

    const key = newKeyText("test", keyCell);
    const unknown = await callWith(newKeyText("test", cell));
    const refused = await callWith(key);
    expect([refused.status, refused.text]).toEqual([unknown.status, unknown.text]);
    expect(outcomeOf(await callWith(key, "POST"))).toBe("401 AUTH104");
    expect(await misrouted()).toBe(2);
    const lines = service.logged.filter((line) => line.includes("an API key of another cell"));
    expect(lines.map((line) => JSON.parse(line))).toMatchObject(
      Array(2).fill({ cell, key_cell: keyCell, request_id: expect.any(String) }),
    );
    expect(lines.join()).not.toContain(key);
  });
});

describe("an installation", () => {
  const seal = sealWith(masterKey);
  const merchantId = randomUUID();

  async function newInstallation(cell: string) {
    const { db } = await newDatabase(undefined, cell);
    onTestFinished(() => db.close());
    return db;
  }

  test("takes cell and merchant id from its first start", async () => {
    const db = await newInstallation("");
    await db.pool.query("delete from installation");
    const first = await ensureInstallation(db, seal, { cell: "b", merchantId });
    expect(first).toEqual({ cell: "b", merchantId });
    // Without the settings, the database says it.
    expect(await ensureInstallation(db, seal)).toEqual(first);
    expect(await ensureInstallation(db, seal, first)).toEqual(first);
  });

  test.each([
    ["another cell", "b", { cell: "c", merchantId: "" }, "belongs to cell b, and CELL is c"],
    ["a cell", "", { cell: "c", merchantId: "" }, "belongs to the default cell, and CELL is c"],
    ["another merchant id", "b", { cell: "b", merchantId }, `and MERCHANT_ID is ${merchantId}`],
  ])("refuses a start with %s", async (_, cell, wanted, why) => {
    const db = await newInstallation(cell);
    const start = ensureInstallation(db, seal, wanted);
    await expect(start).rejects.toThrow(InstallationError);
    await expect(start).rejects.toThrow(why);
  });
});

test("reports of an identity provider arrive at the path of the cell, and at the one without a cell", async () => {
  const sumsub = await startSumsub();
  onTestFinished(() => sumsub.close());
  const live = sumsubProvider({ ...sumsub, pollAfterMs: 86_400_000 });
  const kyc = { test: sandboxProvider({ delayMs: 0 }), live };
  const b = await startServiceForTest({ cell: "b", kyc });
  const byDefault = await startServiceForTest({ kyc });
  const { disburse } = await b.newCaller({ mode: "live" });
  const { receiver_id } = await disburse.receivers.create(ada());
  const applicantId = await vi.waitUntil(
    async () => {
      const found = "select applicant_id from receiver where id = $1";
      return (await b.db.pool.query(found, [receiver_id])).rows[0].applicant_id as string | null;
    },
    { timeout: 60_000, interval: 20 },
  );
  const post = async ({ baseUrl }: { baseUrl: string }, path: string) => {
    const { body, headers } = sumsub.webhook(applicantId, "applicantReviewed", {
      reviewResult: { reviewAnswer: "GREEN" },
    });
    const url = `${baseUrl}/webhooks/kyc/sumsub${path}`;
    const response = await fetch(url, { method: "POST", body: body as never, headers });
    const { error } = await response.json();
    return error?.[0].code ?? response.status;
  };
  expect(await post(byDefault, "/b")).toBe("SYST101");
  expect(await post(byDefault, "")).toBe("KYCW104");
  expect(await post(b, "/c")).toBe("SYST101");
  expect(await post(b, "/b")).toBe(200);
  expect((await disburse.receivers.get(receiver_id)).kyc_status).toBe("completed");
  expect(await post(b, "")).toBe(200);
});
