// Forms, tables and links of the console: in a real browser where a page is needed, otherwise the functions alone.

import { expect, test } from "vitest";
import { ApiProblem } from "../../../../console/src/api/problem.ts";
import { objectPage } from "../../../../console/src/audit/object-page.ts";
import { fileProblem, rowsProblem } from "../../../../console/src/imports/import-file.ts";
import { newId } from "../../../src/platform/base/ids.ts";
import { formatGrouped } from "../../../src/platform/base/money.ts";
import { type ConsoleService, startConsole, type TestPerson } from "../../support/console.ts";
import { useBrowser } from "../../support/console-browser.ts";
import { openOrganisationMenu } from "../../support/console-visitor.ts";
import { openWindow, seriousFindings } from "../../support/console-window.ts";
import { pastOf } from "../../support/past-payouts.ts";
import { newPayee } from "../../support/payers.ts";
import type { TestCaller } from "../../support/service.ts";

let service: ConsoleService;
let caller: TestCaller;
let admin: TestPerson;
let receiverId: string;
let payoutId: string;

const { browser, inBrowser } = await useBrowser(async () => {
  service = await startConsole();
  admin = service.enter("admin");
  caller = await service.newCaller();
  const { disburse } = caller;
  const { receiver_id, account_id } = await newPayee(disburse);
  await disburse.testHelpers.fund({
    amount: 5_000_050_032_562,
    currency: "AUD",
    reference: newId(),
  });
  const { payout_id } = await disburse.payouts.create({
    receiver_id,
    account_id,
    amount: 123_456_789,
    currency: "AUD",
    reference: "INV-9",
  });
  await admin.post(`/s/${caller.subaccountId}/payouts/${payout_id}/cancel`);
  [receiverId, payoutId] = [receiver_id, payout_id];
  return service;
});

const open = (path: string) =>
  openWindow({ browser, baseUrl: service.baseUrl }, `/console${path}`, admin);

inBrowser(
  "a form shows each error once, with its cure, and asks before discarding changes",
  async () => {
    const { page, context, faults } = await open(
      `/s/${caller.subaccountId}/receivers/${receiverId}`,
    );
    await page.getByRole("button", { name: "Edit" }).first().click();
    const dialog = page.getByRole("dialog", { name: "Edit receiver" });
    await dialog.getByLabel("Last name").fill("<script>");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByText(/Last name is not valid\. \w+/).waitFor();
    expect(await dialog.getByText(/not valid/).count()).toBe(1);
    expect(await dialog.getByText(/last_name|REVR/).count()).toBe(0);

    await page.keyboard.press("Escape");
    const asking = page.getByRole("dialog", { name: "Discard changes?" });
    await asking.getByRole("button", { name: "Keep editing" }).click();
    await asking.waitFor({ state: "hidden" });
    expect(await dialog.getByLabel("Last name").inputValue()).toBe("<script>");
    await page.keyboard.press("Escape");
    await asking.getByRole("button", { name: "Discard" }).click();
    await dialog.waitFor({ state: "hidden" });

    // An unedited form closes at once.
    await page.getByRole("button", { name: "Edit" }).first().click();
    await dialog.getByLabel("Last name").waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });

    await page.getByRole("tab", { name: "Payouts" }).click();
    await page.getByRole("cell", { name: "•••• 5999", exact: true }).waitFor();
    expect(faults).toEqual([]);
    await context.close();
  },
);

inBrowser(
  "rows and badges have descriptive names, and an audit entry links to its object",
  async () => {
    const { page, context } = await open(`/s/${caller.subaccountId}/payouts`);
    const link = page.getByRole("link", { name: /payout of 1,234,567\.89 AUD to Ada/ });
    await link.click();
    await page.getByText("1,234,567.89 AUD held for this payout").waitFor();
    await page.getByRole("link", { name: "Receivers" }).click();
    const row = page.getByRole("row").filter({ hasText: "Ada" });
    await row.getByRole("cell", { name: "Completed", exact: true }).waitFor();
    expect(await row.getByText("API:").count()).toBe(0);
    await openOrganisationMenu(page);
    await page.getByRole("menuitem", { name: "Audit log" }).click();
    await page.getByRole("row").filter({ hasText: "Payout: cancel" }).getByRole("link").click();
    await page.waitForURL(`**/s/${caller.subaccountId}/payouts/${payoutId}`);
    expect(await seriousFindings(page)).toEqual([]);
    await context.close();
  },
);

inBrowser(
  "large amounts fit their tile, and all days of a month fit without scrolling",
  async () => {
    const own = await service.newCaller();
    const past = await pastOf(service, own);
    const nowMs = Date.now();
    const today = new Date(nowMs);
    const lastMonth = (day: number) =>
      Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - 1, day);
    for (let day = 1; day <= 28; day += 1) await past.fund(lastMonth(day), 1_000_000_000_000);
    const id = await past.make(nowMs - 1_000, 5_000_050_032_562);
    await past.move(id, "submit", nowMs - 1_000);
    await past.move(id, "settle", nowMs);
    const { page, context } = await open(`/s/${own.subaccountId}/overview`);
    const tile = page.getByRole("region", { name: "Paid today" });
    await tile.getByText("50,000,500,325.62").waitFor();
    const [inner, outer] = await Promise.all([
      tile.getByText("50,000,500,325.62").boundingBox(),
      tile.boundingBox(),
    ]);
    const right = (box: typeof inner) => (box?.x ?? 0) + (box?.width ?? 0);
    expect(right(inner)).toBeLessThanOrEqual(right(outer));

    const month = new Date(lastMonth(1)).toISOString().slice(0, 7);
    await page.goto(`${service.baseUrl}/console/s/${own.subaccountId}/reconcile?month=${month}`);
    const days = page.getByRole("region", { name: "Days, in AUD" });
    await days.getByRole("rowheader").nth(27).waitFor();
    expect(
      await days.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight),
    ).toBe(0);
    await context.close();
  },
);

inBrowser("an import says that a file is empty, or that it has only a header", async () => {
  const { page, context } = await open(`/s/${caller.subaccountId}/payouts/import`);
  const input = page.locator("input[type=file]");
  const choose = (text: string) =>
    input.setInputFiles({ name: "p.csv", mimeType: "text/csv", buffer: Buffer.from(text) });
  await choose("");
  await page.getByText("The file is empty.").waitFor();
  await choose("receiver_id,account_id,amount,currency\n");
  await page.getByText("The file has only a header.").waitFor();
  expect(await page.getByText(/CONS107|csv:/).count()).toBe(0);
  await context.close();
});

test("a file is refused before upload only if it is empty or too large", () => {
  expect(fileProblem(0)).toMatch("empty");
  expect(fileProblem(10 * 1024 * 1024)).toBeUndefined();
  expect(fileProblem(10 * 1024 * 1024 + 1)).toMatch("max 10 MB");
  expect([rowsProblem(0), rowsProblem(1)]).toEqual([
    expect.stringMatching("only a header"),
    undefined,
  ]);
});

test("a problem shown at a field is not repeated above the form", () => {
  const last = {
    code: "REVR207",
    message: "Last name is not valid",
    field: "last_name",
    cure: "At most 50.",
  };
  const other = { code: "CONS105", message: "Too late" };
  const problem = new ApiProblem(400, "not valid", [last, other]);
  expect(problem.byField()).toEqual({ last_name: "Last name is not valid. At most 50." });
  expect(problem.without(["last_name"])?.problems).toEqual([other]);
  expect(problem.without([])).toBe(problem);
  expect(new ApiProblem(400, "", [last]).without(["last_name"])).toBeUndefined();
});

test("an object in the audit log links to its page, if it has one", () => {
  const of = (object_kind: string, rest = {}) =>
    objectPage({ object_kind, object_id: "x", subaccount_id: "s", ...rest });
  expect(of("payout")).toBe("/s/s/payouts/x");
  expect(of("account", { after: { receiver_id: "r" } })).toBe("/s/s/receivers/r");
  expect(of("account")).toBeUndefined();
  expect(of("subaccount", { subaccount_id: null, object_id: "s" })).toBe("/s/s/settings");
  expect(of("person", { subaccount_id: null })).toBe("/users");
  expect([of("file"), of("constructor"), of("payout", { subaccount_id: null })]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test("responses of the console have cures, and those of the API do not", async () => {
  const { json } = await admin.patch(`/s/${caller.subaccountId}/receivers/${receiverId}`, {
    last_name: "<",
  });
  expect(json.error[0]).toMatchObject({ field: "last_name", cure: expect.any(String) });
  const answer = await caller.call("POST", "/api/receiver", { body: {} });
  expect(answer.text).not.toContain("cure");
});

test.each([
  [5_000_050_032_562n, "AUD", "50,000,500,325.62 AUD"],
  [1_234_567n, "JPY", "1,234,567 JPY"],
  [-123_456n, "AUD", "-1,234.56 AUD"],
  [5n, "KWD", "0.005 KWD"],
])("%s of %s is shown with separators", (amount, currency, text) => {
  expect(formatGrouped(amount, currency)).toBe(text);
});
