// The charts of webhook deliveries: attempts by day and hour in the time zone of the page, and response times.

import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { firstIdOf } from "../../../src/platform/base/cursor.ts";
import { startConsole } from "../../support/console.ts";
import { useBrowser } from "../../support/console-browser.ts";
import { isWiderThanScreen, openWindow, seriousFindings } from "../../support/console-window.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const today = Date.now() - (Date.now() % dayMs);

const { service, browser, inBrowser } = await useBrowser(startConsole);

type Attempt = { atMs: number; number?: number; failure?: string; tookMs: number };

async function addAttempts(subaccountId: string, attempts: readonly Attempt[]): Promise<void> {
  for (const { atMs, number = 1, failure = null, tookMs } of attempts) {
    const id = firstIdOf(atMs).slice(0, 14) + randomUUID().replace(/^.{14}./, "7");
    await service.db.pool.query(
      `insert into delivery_attempt (subaccount_id, event_id, id, number, status, failure, detail, took_ms, answer)
       values ($1, $2, $3, $4, $5, $6, '', $7, '')`,
      [subaccountId, randomUUID(), id, number, failure ? 500 : 200, failure, tookMs],
    );
  }
}

/** Three days ago at 05:00 UTC: five attempts. Two days ago at 14:45 UTC: one. */
async function newSubaccount() {
  const { subaccountId } = await service.newCaller();
  const atMs = today - 3 * dayMs + 5 * hourMs;
  await addAttempts(subaccountId, [
    { atMs, tookMs: 3 },
    { atMs: atMs + 1, tookMs: 7 },
    { atMs: atMs + 2, tookMs: 450, number: 2 },
    { atMs: atMs + 3, tookMs: 15_001, failure: "timeout" },
    { atMs: atMs + hourMs - 1, tookMs: 9_999, failure: "refused_5xx" },
    { atMs: today - 2 * dayMs + 14 * hourMs + 2_700_000, tookMs: 99 },
  ]);
  return { subaccountId, atMs };
}

test("attempts are counted by hour, in the hours of the time zone, and by response time", async () => {
  const { subaccountId, atMs } = await newSubaccount();
  const auditor = service.enter("auditor");
  const read = async (query: string) => {
    const { status, json } = await auditor.get(`/s/${subaccountId}/webhook/deliveries?${query}`);
    expect(status).toBe(200);
    return json;
  };
  const utc = await read("days=7");
  expect(utc.days).toHaveLength(7);
  expect(utc.days.at(-1)).toEqual({ from: today, to: today + dayMs });
  expect(utc.hours).toEqual([
    { from: atMs, ok: 2, retried: 1, failed: 2 },
    { from: today - 2 * dayMs + 14 * hourMs, ok: 1, retried: 0, failed: 0 },
  ]);
  const counts = Object.fromEntries(
    utc.latency.bars.map(({ from_ms, count }: { from_ms: number; count: number }) => [
      from_ms,
      count,
    ]),
  );
  expect(counts).toMatchObject({ 0: 1, 5: 1, 50: 1, 300: 1, 5000: 1, 15000: 1 });
  expect(utc.latency.bars.at(-1)).toMatchObject({ from_ms: 15_000, to_ms: null });
  expect(utc.latency.p99_ms).toBe(15_000);

  // 14:45 UTC is in the hour from 14:15 UTC of Kathmandu, which is 20:00 there.
  const kathmandu = await read("time_zone=Asia/Kathmandu");
  expect(kathmandu.days).toHaveLength(14);
  const starts = kathmandu.hours.map(({ from }: { from: number }) => from % dayMs);
  expect(starts).toContain(14 * hourMs + hourMs / 4);
  const sum = (hours: { ok: number; retried: number; failed: number }[]) =>
    hours.reduce((total, { ok, retried, failed }) => total + ok + retried + failed, 0);
  expect([sum(kathmandu.hours), sum((await read("days=30")).hours)]).toEqual([6, 6]);
  // Every day of a year with daylight saving is whole hours.
  const { days } = await read("days=30&time_zone=Europe/Berlin");
  for (const { from, to } of days) expect((to - from) % hourMs).toBe(0);
  for (const bad of ["days=8", "time_zone=Mars", "x=1"]) {
    const { status } = await auditor.get(`/s/${subaccountId}/webhook/deliveries?${bad}`);
    expect(status).toBe(400);
  }
  const { subaccountId: another } = await service.newCaller();
  const stranger = service.enter("developer", { subaccountId: another });
  expect((await stranger.get(`/s/${subaccountId}/webhook/deliveries`)).status).toBe(404);
  const none = (await auditor.get(`/s/${another}/webhook/deliveries`)).json;
  expect([none.hours, none.latency.p50_ms]).toEqual([[], null]);
});

inBrowser("the charts tab shows both charts, as pictures and as tables", async () => {
  const { subaccountId } = await newSubaccount();
  const where = { browser, baseUrl: service.baseUrl };
  const developer = service.enter("developer", { subaccountId });
  const path = `/console/s/${subaccountId}/webhooks`;
  const { page, context, faults } = await openWindow(where, path, developer);
  await page.getByRole("tab", { name: "Charts" }).click();
  const heatmap = page.getByRole("region", { name: "Deliveries by day and hour" });
  await heatmap
    .getByRole("figure", { name: /6 attempts, 50% delivered at the first try/ })
    .waitFor();
  await page.getByText("Median").waitFor();
  await page.getByRole("figure", { name: /^Response times/ }).waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  await heatmap.getByText("Failed", { exact: true }).click();
  await page.waitForURL(/share=failed/);
  await page.getByText("Last 30 days").click();
  await page.waitForURL(/days=30/);
  await page.emulateMedia({ colorScheme: "dark" });
  expect(await seriousFindings(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(() => isWiderThanScreen(page)).toBe(false);
  await heatmap.getByRole("button", { name: /view as table/ }).click();
  const latency = page.getByRole("region", { name: "Response times" });
  await latency.getByRole("button", { name: /view as table/ }).click();
  await latency.getByRole("row", { name: /^15 s or more 1 / }).waitFor();
  const row = heatmap.getByRole("row", { name: /5 40% 20% 40%/ });
  await row.getByRole("link").click();
  await page.waitForURL(/tab=attempts/);
  await page.getByRole("table", { name: /attempts/i }).waitFor();
  expect(faults).toEqual([]);
  await context.close();
});

inBrowser("the tabs don't move under a click while the endpoint is loading", async () => {
  const { subaccountId } = await newSubaccount();
  const developer = service.enter("developer", { subaccountId });
  const where = { browser, baseUrl: service.baseUrl };
  const { page, context, faults } = await openWindow(where, "/console", developer);
  const isAsked = Promise.withResolvers<void>();
  const isReleased = Promise.withResolvers<void>();
  await page.route("**/webhook", async (route) => {
    isAsked.resolve();
    await isReleased.promise;
    await route.continue();
  });
  await page.goto(`${service.baseUrl}/console/s/${subaccountId}/webhooks`);
  await isAsked.promise;
  await page.getByRole("heading", { name: "Webhooks" }).waitFor();
  const charts = page.getByRole("tab", { name: "Charts" });
  const heights = async () => (await charts.all()).map((tab) => tab.boundingBox());
  const early = await Promise.all(await heights());
  isReleased.resolve();
  await page.getByRole("heading", { name: "Endpoint" }).waitFor();
  await charts.waitFor();
  const late = await Promise.all(await heights());
  for (const [place, box] of early.entries()) expect(box?.y).toBe(late[place]?.y);
  expect(faults).toEqual([]);
  await context.close();
});
