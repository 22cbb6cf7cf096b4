// A month of a bank connection is closed in the console, and its documents are kept. Then a subaccount's month can be closed.

import { createHash } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { closeAfterTests, expectBalancedLedger } from "../../support/close-after-tests.ts";
import { outcomeOf } from "../../support/service.ts";
import {
  firstDay as day,
  lastDay,
  month,
  startStatementConsole,
} from "../../support/statement-console.ts";

const service = await closeAfterTests(startStatementConsole(), expectBalancedLedger);
beforeEach(() => service.moveTo(Date.now()));

test("a month is closed when the books meet the bank, its documents are kept, and then the subaccount's", async () => {
  const { id, payer, apply, deposit } = await service.newAccount("Closing");
  const idle = await service.newAccount("Idle");
  await apply([{ amount: 10_000, day, text: await deposit(), ref: "D" }], { opening: 5_000n });
  const early = service.enter("finance");
  const taken = await early.post(`/reconcile/banks/${id}/opening`);
  expect(taken.json).toEqual({ request_id: null });
  expect(outcomeOf(await early.post(`/reconcile/banks/${id}/opening`))).toBe("409 BANK488");
  await apply([{ amount: -150, day, text: "Account fee", ref: "F" }], { to: lastDay });
  const [line] = (await early.get(`/reconcile/banks/${id}/lines`)).json.rows;
  service.moveToNextMonth();

  const finance = service.enter("finance");
  const close = () => finance.post(`/reconcile/banks/${id}/close`, { month });
  const closeBooks = () =>
    finance.post(`/s/${payer.subaccountId}/reconcile/close`, { month, currency: "AUD" });
  const openMonths = async () =>
    (await finance.get("/reconcile/months")).json.rows.filter(
      (row: { connection_id: string }) => row.connection_id === id,
    );
  const whyNot = async () => (await finance.get(`/reconcile/banks/${id}`)).json.closing.why_not;
  expect(await whyNot()).toMatchObject({
    code: "BANK485",
    message: "Lines of the month are not explained",
    cure: expect.stringMatching(/^Match each open line/),
  });
  expect(outcomeOf(await close())).toBe("409 BANK485");
  expect(await openMonths()).toMatchObject([
    { month, connection_name: "Closing", stops: [{ code: "BANK485" }] },
  ]);
  // The charge is booked after the month: the statement has it, the books have not.
  const body = { line_ids: [line.id], reason: "fee" };
  expect((await finance.post("/reconcile/lines/company", body)).status).toBe(204);
  expect(await whyNot()).toBe(null);
  expect(await openMonths()).toMatchObject([{ month, stops: [] }]);
  const refused = await closeBooks();
  expect(outcomeOf(refused)).toBe("409 CONS807");
  expect(refused.json.error[0].message).toBe(`Closing is not closed for ${month}`);
  const closed = await close();
  expect(closed.json).toMatchObject({ month, books: 15_000, bank: 14_850, in_transit: 150 });
  expect(outcomeOf(await close())).toBe("409 BANK482");
  // Then the month that runs is the next one.
  expect(await openMonths()).toMatchObject([{ stops: [{ code: "BANK481" }] }]);
  expect((await closeBooks()).status).toBe(200);
  const ofIdle = { month, currency: "AUD" };
  // No bank connection moved its money in the month.
  expect((await finance.post(`/s/${idle.payer.subaccountId}/reconcile/close`, ofIdle)).status).toBe(
    200,
  );

  const auditor = service.enter("auditor");
  const list = (await auditor.get(`/reconcile/closings?connection_id=${id}`)).json;
  expect(list).toMatchObject({ rows: [{ month, closed_by: finance.who }], next: null });
  const path = `/console/api/reconcile/banks/${id}/closings/${month}`;
  for (const kind of ["pdf", "csv"] as const) {
    const response = await fetch(`${service.baseUrl}${path}/${kind}`, {
      headers: { cookie: auditor.cookie, "sec-fetch-site": "same-origin" },
    });
    expect(response.headers.get("content-disposition")).toContain(
      `closing-closing-${month}.${kind}`,
    );
    const bytes = Buffer.from(await response.arrayBuffer());
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    expect(sha256).toBe(list.rows[0][`${kind}_sha256`]);
  }
});

test("a month names all that stops it, not only the first", async () => {
  service.moveTo(Date.now());
  const { id, apply } = await service.newAccount("Stopped");
  await apply([{ amount: -150, day, text: "what is this", ref: "X" }], { opening: 5_000n });
  service.moveToNextMonth();
  const { rows } = (await service.enter("auditor").get("/reconcile/months")).json;
  const [open] = rows.filter((row: { connection_id: string }) => row.connection_id === id);
  expect(open.month).toBe(month);
  expect(open.stops.map(({ code }: { code: string }) => code)).toEqual([
    "BANK485",
    "BANK483",
    "BANK486",
  ]);
});

test("before the first closing, a month with a file and no statement is listed with what stops it", async () => {
  const { id, payer } = await service.newAccount("Unread");
  await payer.pay(700);
  await service.sendFile(id);
  service.moveToNextMonth();
  const { rows } = (await service.enter("finance").get("/reconcile/months")).json;
  const ofUnread = rows.filter((row: { connection_id: string }) => row.connection_id === id);
  expect(ofUnread).toMatchObject([{ connection_name: "Unread" }]);
  expect(ofUnread[0].stops.map(({ code }: { code: string }) => code)).toContain("BANK483");
});
