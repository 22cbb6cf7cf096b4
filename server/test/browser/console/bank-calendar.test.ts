// The calendar of a bank connection: banking days and holidays, the dates of a payout that is released now, and files.

import { expect, test } from "vitest";
import { readBankCalendar } from "../../../src/doors/console/bank-calendar/calendar.ts";
import { startBankConsole } from "../../support/bank-console.ts";
import { useBrowser } from "../../support/console-browser.ts";
import { isWiderThanScreen, openWindow, seriousFindings } from "../../support/console-window.ts";

const { service, browser, inBrowser } = await useBrowser(startBankConsole);

test("holidays, weekends and closed days; a payout after the freeze goes with the next banking day", async () => {
  const { subaccountId } = await service.newCaller({ mode: "live" });
  const id = await service.connect("Christmas", [subaccountId], {
    closed_days: ["2026-12-30"],
    time_zone: "Australia/Sydney",
    freeze_at: "15:00",
    bank_cutoff: "17:30",
  });
  const connection = await service.connectionOf(id);
  const read = (month: string | undefined, now: string) =>
    readBankCalendar(service.db, connection, { month, nowMs: Date.parse(now) });
  const december = await read("2026-12", "2026-12-24T14:59:59+11:00");
  expect(december.days).toHaveLength(31);
  const of = (date: string) => december.days.find((day) => day.date === date);
  expect(of("2026-12-24")).toMatchObject({
    kind: "banking",
    is_clearing: true,
    arrives: "2026-12-24",
  });
  expect(of("2026-12-25")).toMatchObject({ kind: "holiday", is_clearing: false, arrives: null });
  expect(of("2026-12-26")).toMatchObject({ kind: "weekend", is_clearing: false });
  expect(of("2026-12-28")).toMatchObject({ kind: "holiday", is_clearing: false });
  expect(of("2026-12-30")).toMatchObject({ kind: "closed", is_clearing: false });
  expect(december).toMatchObject({ today: "2026-12-24", freeze_at: "15:00", bank_cutoff: "17:30" });
  expect(december.now).toEqual({
    process_date: "2026-12-24",
    freezes_at: Date.parse("2026-12-24T15:00:00+11:00"),
    cutoff: Date.parse("2026-12-24T17:30:00+11:00"),
    expected_arrival: "2026-12-24",
  });
  // At the very instant of the freeze it is too late, and the next days are closed.
  const late = await read(undefined, "2026-12-24T15:00:00+11:00");
  expect(late.now).toMatchObject({ process_date: "2026-12-29", expected_arrival: "2026-12-29" });
  // In Sydney it is 2027 already.
  expect((await read(undefined, "2026-12-31T14:00:00Z")).month).toBe("2027-01");
});

test("files are shown on their process date and on the day of arrival, and not once they are discarded", async () => {
  const payer = await service.newPayer();
  const id = await service.connect(`Files of ${payer.subaccountId}`, [payer.subaccountId]);
  await payer.pay(1_000);
  await payer.pay(2_050);
  const { processDate } = await service.sendFile(id);
  const finance = service.enter("finance");
  const path = `/banks/connections/${id}/calendar`;
  const read = async () => {
    const { status, json } = await finance.get(`${path}?month=${processDate.slice(0, 7)}`);
    expect(status).toBe(200);
    return json.days.filter((day: { sent: { files: number } }) => day.sent.files > 0);
  };
  const files = { files: 1, payouts: 2, total: 3_050 };
  expect(await read()).toMatchObject([{ date: processDate, sent: files, arriving: files }]);
  await service.db.pool.query(
    "update bank_batch set status = 'discarded' where connection_id = $1",
    [id],
  );
  expect(await read()).toEqual([]);

  expect((await finance.get(`${path}?month=2026-13`)).status).toBe(400);
  for (const unknown of ["x", crypto.randomUUID()]) {
    const { json } = await finance.get(`/banks/connections/${unknown}/calendar`);
    expect(json.error[0].code).toBe("BANK102");
  }
});

inBrowser("the calendar of a connection, as a picture, a table and on a phone", async () => {
  const payer = await service.newPayer();
  const name = `Calendar of ${payer.subaccountId}`;
  await service.connect(name, [payer.subaccountId]);
  const where = { browser, baseUrl: service.baseUrl };
  const { page, context, faults } = await openWindow(
    where,
    "/console/banks",
    service.enter("finance"),
  );
  await page.getByRole("link", { name: "Calendar", exact: true }).click();
  await page.getByRole("combobox", { name: "Bank connection" }).click();
  await page.getByRole("option", { name }).click();
  await page.getByText("A payout that is released now").waitFor();
  await page.getByText("Expected arrival").waitFor();
  await page.getByText("Today", { exact: true }).waitFor();
  const month = page.getByRole("region", { name: /^Banking days, / });
  await month.getByRole("figure", { name: /^Calendar of .* days on which the bank/ }).waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  await page
    .getByRole("textbox", { name: "Month" })
    .or(page.getByLabel("Month", { exact: true }))
    .first()
    .fill("2026-12");
  await month.getByText("Bank holiday").first().waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(() => isWiderThanScreen(page)).toBe(false);
  await page.emulateMedia({ colorScheme: "dark" });
  expect(await seriousFindings(page)).toEqual([]);
  await month.getByRole("button", { name: /view as table/ }).click();
  await month.getByRole("row", { name: /25 Dec 2026 Bank holiday/ }).waitFor();
  await expect.poll(() => isWiderThanScreen(page)).toBe(false);
  expect(faults).toEqual([]);
  await context.close();
});
