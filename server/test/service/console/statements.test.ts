// Reconcile in the console: where the money is, statement lines and what users decide, exceptions.

import { expect, test } from "vitest";
import { railIdOf } from "../../../src/banking/connections/connection.ts";
import { fund } from "../../../src/money/ledger/fund.ts";
import { newId } from "../../../src/platform/base/ids.ts";
import { closeAfterTests, expectBalancedLedger } from "../../support/close-after-tests.ts";
import type { TestPerson } from "../../support/console.ts";
import { outcomeOf } from "../../support/service.ts";
import { firstDay, month, startStatementConsole } from "../../support/statement-console.ts";

const service = await closeAfterTests(startStatementConsole(), expectBalancedLedger);

const day = firstDay;
const charge = { amount: -150, day, text: "Account fee", ref: "F", code: "ACMT/MDOP/CHRG" };

const openLines = async (person: TestPerson, id: string) =>
  (await person.get(`/reconcile/banks/${id}/lines`)).json.rows;

test("a bank charge is confirmed as the company's own money, and the match can be undone", async () => {
  const { id, apply } = await service.newAccount("Charges");
  await apply([charge, { ...charge, amount: -50, ref: "G" }]);
  const finance = service.enter("finance");
  const lines = await openLines(finance, id);
  expect(lines).toMatchObject([
    { amount: -150, status: "open", suggestions: [{ rule: "bank_charge", kind: "company" }] },
    { amount: -50, suggestions: [{ kind: "company" }] },
  ]);
  const body = { line_ids: lines.map((line: { id: string }) => line.id), reason: "fees" };
  const auditor = service.enter("auditor");
  const noReason = { line_ids: body.line_ids };
  expect(outcomeOf(await finance.post("/reconcile/lines/company", noReason))).toBe("400 CONS107");
  expect((await finance.post("/reconcile/lines/company", body)).status).toBe(204);
  expect(outcomeOf(await finance.post("/reconcile/lines/company", body))).toBe("409 BANK472");
  expect(await openLines(finance, id)).toEqual([]);

  const path = `/reconcile/lines/${lines[0].id}`;
  expect((await auditor.get(path)).json).toMatchObject({
    status: "matched",
    connection_name: "Charges",
    matches: [{ kind: "company", reason: "fees", amount: -150, made_by: finance.who }],
  });
  const company = await auditor.get("/reconcile/company?mode=live&currency=AUD");
  expect(company.json.rows.slice(0, 2)).toMatchObject([
    { amount: -50, line_id: lines[1].id, by: finance.who },
    { amount: -150, line_id: lines[0].id },
  ]);
  expect((await finance.post(`${path}/undo`, { reason: "not fees" })).status).toBe(204);
  expect(await openLines(finance, id)).toHaveLength(2);
  expect(outcomeOf(await finance.post(`${path}/undo`, { reason: "again" }))).toBe("409 BANK476");
  const { rows } = await service.db.pool.query(
    "select action from audit_entry where object_id = $1 order by number",
    [lines[0].id],
  );
  expect(rows.map(({ action }) => action)).toEqual([
    "statement-line.company",
    "statement-line.undo",
  ]);
});

test("lines are matched with files and payouts, many to one and one to many", async () => {
  const { id, payer, apply } = await service.newAccount("Matches");
  const payouts = [];
  for (const amount of [500, 700]) payouts.push((await payer.pay(amount)).payout_id);
  const { path } = await service.sendFile(id);
  const batchId = path.split("/").at(-1);
  await apply([
    { amount: -400, day, text: "part one", ref: "A" },
    { amount: -800, day, text: "part two", ref: "B" },
  ]);
  const finance = service.enter("finance");
  const lines = await openLines(finance, id);
  const ids = lines.map((line: { id: string }) => line.id);
  // A user finds them by amount, name or reference instead of typing ids.
  const optionsOf = async (query: string) =>
    (await finance.get(`/reconcile/lines/${ids[0]}/options${query}`)).json.rows;
  const option = { kind: "payout", id: payouts[0], amount: 500, reasons: expect.any(Array) };
  const byAmount = await optionsOf("?text=5.00&amount=500");
  expect(byAmount).toMatchObject([option]);
  const [{ name, reference }] = byAmount;
  for (const text of [name.split(" ").at(-1).toUpperCase(), reference.slice(1)]) {
    const found = await optionsOf(`?text=${encodeURIComponent(text)}`);
    expect(found).toContainEqual(expect.objectContaining({ id: payouts[0], name }));
  }
  expect(await optionsOf("?text=nothing+like+it")).toEqual([]);
  expect(await optionsOf("")).toEqual([
    expect.objectContaining({ kind: "batch", id: batchId, amount: 1_200 }),
    expect.objectContaining({ kind: "line", id: ids[1], amount: 800, reference: "part two" }),
  ]);
  const match = (body: object) =>
    finance.post("/reconcile/lines/match", { reason: "the bank's letter", ...body });
  expect(outcomeOf(await match({ line_ids: [ids[0]], batch_ids: [batchId] }))).toBe("409 BANK474");
  expect(outcomeOf(await match({ line_ids: ids, batch_ids: [newId()] }))).toBe("404 BANK473");
  expect((await match({ line_ids: ids, batch_ids: [batchId] })).status).toBe(204);
  const detail = (await finance.get(`/reconcile/lines/${ids[0]}`)).json;
  expect(detail.matches).toMatchObject([{ kind: "batch", batch_id: batchId, amount: -400 }]);
  expect(detail.matches[0].batch_name).toMatch(/^matches-/);
  // What a line has paid is no option.
  expect(await optionsOf("?text=5.00&amount=500")).toEqual([]);
  expect((await finance.post(`/reconcile/lines/${ids[0]}/undo`, { reason: "no" })).status).toBe(
    204,
  );
  expect(await openLines(finance, id)).toHaveLength(2);
  // Each payout has one line that paid it.
  expect(outcomeOf(await match({ line_ids: ids, payout_ids: payouts }))).toBe("409 BANK474");
  // The same sum again could be the same money in one line: a user says that it is not.
  await apply([{ amount: -1_200, day, text: "both", ref: "C" }]);
  const { rows: found } = (await finance.get(`/reconcile/exceptions?connection_id=${id}`)).json;
  const doubt = found.find(({ kind }: { kind: string }) => kind === "repetition");
  const decision = {
    line_ids: [doubt.item.slice(5)],
    is_repeated: false,
    reason: "asked the bank",
  };
  expect((await finance.post("/reconcile/lines/repetition", decision)).status).toBe(204);
  const both = (await openLines(finance, id)).find(
    (line: { amount: number }) => line.amount === -1_200,
  );
  expect((await match({ line_ids: [both.id], payout_ids: payouts })).status).toBe(204);
  expect(outcomeOf(await match({ line_ids: ids, batch_ids: [batchId] }))).toBe("409 BANK475");
});

test("the position says what is between the books and the bank, and exceptions have an owner and a note", async () => {
  const { id, apply, deposit } = await service.newAccount("Position");
  const finance = service.enter("finance");
  const before = (await finance.get(`/reconcile/banks/${id}`)).json;
  expect(before).toMatchObject({ name: "Position", bank: null, closing: null, items: 0 });
  await apply(
    [
      { amount: 9_000, day, text: await deposit(), ref: "D" },
      { amount: -70, day, text: "what is this", ref: "X" },
    ],
    { opening: 1_000n },
  );
  const position = (await finance.get(`/reconcile/banks/${id}`)).json;
  expect(position).toMatchObject({
    books: 9_000,
    bank: 9_930,
    in_transit: 70,
    items: 1,
    // Nothing explains the opening balance until a user takes it.
    unexplained: -1_000,
    state: "unexplained",
    opening: 1_000,
    open_lines: 1,
    closing: { month, why_not: { code: "BANK481" } },
  });
  expect(position.account).toMatch(/^…\d{3}$/);
  const path = `/reconcile/banks/${id}/in-transit`;
  const first = (await finance.get(`${path}?limit=1`)).json;
  expect(first).toMatchObject({ rows: [{ amount: 70 }], next: null });
  // The picture has the same balance as the card.
  const { rows: pictures } = (await finance.get("/reconcile/money")).json;
  const banks = pictures.flatMap((picture: { banks: { id: string }[] }) => picture.banks);
  const shown = banks.find((one: { id: string }) => one.id === id);
  expect(shown).toMatchObject({ balance: position.bank, to_day: position.to_day });

  const list = async () => {
    const { rows } = (await finance.get(`/reconcile/exceptions?connection_id=${id}`)).json;
    return rows.filter(({ kind }: { kind: string }) => kind === "line");
  };
  const [exception] = await list();
  expect(exception).toMatchObject({ kind: "line", amount: -70, owner: "", note: "" });
  expect(exception.text).toContain("what is this");
  const note = (item: string) =>
    finance.post("/reconcile/exceptions", { item, owner: "Rosa", note: "asked" });
  expect(outcomeOf(await note(`line:${newId()}`))).toBe("404 CONS110");
  expect((await note(exception.item)).status).toBe(204);
  expect(await list()).toMatchObject([{ owner: "Rosa", note: "asked" }]);
  const all = (await finance.get("/reconcile/exceptions?limit=500")).json.rows;
  expect(all).toContainEqual(expect.objectContaining({ item: exception.item }));

  const statements = await finance.get(`/reconcile/statements?connection_id=${id}`);
  const [statement] = statements.json.rows;
  expect(statement).toMatchObject({ opening: 1_000, closing: 9_930, lines: 2, kind: "statement" });
  const ofStatement = await finance.get(`/reconcile/statements/${statement.id}/lines?limit=1`);
  expect(ofStatement.json).toMatchObject({ rows: [{ amount: 9_000, status: "matched" }] });
  expect(ofStatement.json.next).not.toBe(null);
});

test("the books are balanced only while nothing between them and the bank is overdue", async () => {
  const { id, payer, apply } = await service.newAccount("Overdue");
  await service.db.transaction((tx) =>
    fund(tx, {
      subaccountId: payer.subaccountId,
      currency: "AUD",
      amount: 6_000_000n,
      reference: "by hand",
      who: "operator:f",
      atMs: Date.now(),
      rail: railIdOf(id),
    }),
  );
  const finance = service.enter("finance");
  const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  const today = dayOf(Date.now());
  await apply([], { to: today });
  // Today it is only expected.
  const expected = (await finance.get(`/reconcile/banks/${id}`)).json;
  expect(expected).toMatchObject({ items: 1, unexplained: 0, state: "balanced", overdue: [] });

  const later = dayOf(Date.now() + 40 * 86_400_000);
  await apply([], { from: dayOf(Date.now() + 86_400_000), to: later });
  const late = (await finance.get(`/reconcile/banks/${id}?month=${later.slice(0, 7)}`)).json;
  expect(late).toMatchObject({
    bank: 0,
    unexplained: 0,
    state: "exceptions",
    overdue: [{ amount: 6_000_000, currency: "AUD", day: today, text: "transfer by hand" }],
  });
});

test("an unknown credit is given to a subaccount or to the company, and both can be undone", async () => {
  const { id, payer, apply, deposit } = await service.newAccount("Credits");
  // A character of the deposit reference is missing.
  const text = (await deposit()).slice(0, 9);
  const file = await apply([{ amount: 2_500, day, text, party: "J SMITH", ref: "C" }]);
  const finance = service.enter("finance");
  const suspense = (await finance.get("/banks/suspense?limit=500")).json.rows;
  const item = suspense.find((row: { file_id: string }) => row.file_id === file.id);
  const path = `/banks/suspense/${item.id}`;
  // Both lists say who paid, as the statement does.
  const days = Math.floor((Date.now() - Date.parse(day)) / 86_400_000);
  expect(item).toMatchObject({ party: "J SMITH", kind: "credit", age_days: days });
  expect((await finance.get(path)).json.party).toBe("J SMITH");
  const { rows: found } = (await finance.get(`/reconcile/exceptions?connection_id=${id}`)).json;
  expect(found).toContainEqual(
    expect.objectContaining({
      kind: "suspense",
      report: "credit",
      party: "J SMITH",
      amount: 2_500,
      age_days: days,
    }),
  );
  // What the file's page says became of the line is in words, too.
  const reports = (await finance.get(`/banks/inbound/${file.id}/reports`)).json.rows;
  expect(reports).toMatchObject([{ detail: "nothing says whose money it is" }]);
  const available = async () =>
    (await payer.disburse.balance.get()).find(({ currency }) => currency === "AUD")?.available;
  const before = (await available()) as number;
  expect((await finance.get(path)).json.subaccounts).toMatchObject([
    { id: payer.subaccountId, reasons: ["its deposit reference differs in one place"] },
  ]);
  const other = await service.newCaller();
  const fund = (subaccountId: string) =>
    finance.post(`${path}/fund`, { subaccount_id: subaccountId, reason: "their email" });
  expect(outcomeOf(await fund(other.subaccountId))).toBe("409 BANK421");
  expect((await fund(payer.subaccountId)).json).toMatchObject({
    status: "funded",
    request_id: null,
  });
  expect(await available()).toBe(before + 2_500);
  expect((await finance.post(`${path}/undo`, { reason: "wrong one" })).json).toMatchObject({
    status: "open",
    request_id: null,
  });
  expect(await available()).toBe(before);
  const given = await finance.post(`${path}/company`, { reason: "our own transfer" });
  expect(given.json).toMatchObject({ status: "company", request_id: null });
  const { rows } = (await finance.get("/reconcile/company?mode=live&currency=AUD")).json;
  expect(rows[0]).toMatchObject({ amount: 2_500, suspense_id: item.id });
  expect((await finance.get(`/reconcile/banks/${id}`)).json).toMatchObject({ unexplained: 0 });
});

test("the picture of the money adds up to the books, and each figure leads to subaccounts", async () => {
  const { payer, apply, id } = await service.newAccount("Picture");
  await payer.pay(4_000);
  await apply([{ amount: 100, day, text: "who", ref: "P" }]);
  const auditor = service.enter("auditor");
  const { rows } = (await auditor.get("/reconcile/money")).json;
  const live = rows.find((row: { mode: string; currency: string }) => row.mode === "live");
  const { available, held, in_transit, suspense, fees, company, books, banks } = live;
  expect(available + held + in_transit + suspense + fees + company).toBe(books);
  expect(banks).toContainEqual({ id, name: "Picture", balance: 100, to_day: firstDay });
  const atBanks = banks.reduce(
    (sum: number, { balance }: { balance: number | null }) => sum + (balance ?? 0),
    0,
  );
  expect(live.not_on_statements).toBe(books - atBanks);

  const holders = async (query: string) =>
    (await auditor.get(`/reconcile/balances?mode=live&currency=AUD&${query}`)).json;
  const first = await holders("of=held&limit=1");
  const mine = { subaccount_id: payer.subaccountId, held: 4_000, available: 996_000 };
  const all = await holders("of=held&limit=500");
  expect(all.rows).toContainEqual(expect.objectContaining(mine));
  const amounts = all.rows.map((row: { held: number }) => row.held);
  expect(amounts).toEqual(amounts.toSorted((one: number, other: number) => other - one));
  expect(amounts.reduce((sum: number, amount: number) => sum + amount, 0)).toBe(held);
  if (all.rows.length > 1) {
    const second = await holders(`of=held&limit=1&cursor=${first.next}`);
    expect([first.rows[0], second.rows[0]]).toEqual(all.rows.slice(0, 2));
  }
  expect(outcomeOf(await auditor.get("/reconcile/balances?mode=live&currency=AUD&of=bank"))).toBe(
    "400 CONS108",
  );
});

test("an auditor reads every list, and unknown ids are refused", async () => {
  const auditor = service.enter("auditor");
  for (const path of ["money", "banks", "statements", "exceptions", "closings"]) {
    expect((await auditor.get(`/reconcile/${path}`)).status).toBe(200);
  }
  for (const id of [newId(), "x"]) {
    for (const [path, code] of [
      [`lines/${id}`, "404 BANK471"],
      [`banks/${id}`, "404 BANK102"],
      [`statements/${id}`, "404 CONS110"],
      [`banks/${id}/closings/${month}/pdf`, id === "x" ? "404 BANK102" : "404 BANK489"],
    ]) {
      expect(outcomeOf(await auditor.get(`/reconcile/${path}`))).toBe(code);
    }
  }
});
