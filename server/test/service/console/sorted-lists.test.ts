// Requests, events, audit entries and approvals are sorted at the console.

import { expect, test } from "vitest";
import { closeAfterTests } from "../../support/close-after-tests.ts";
import { startConsole } from "../../support/console.ts";
import { newPayee } from "../../support/payers.ts";

const service = await closeAfterTests(startConsole({ bankDelayMs: 0 }));

const read = async <Answer>(path: string): Promise<Answer> => {
  const { status, json } = await service.enter("operator").get(path);
  expect([path, status]).toEqual([path, 200]);
  return json as Answer;
};

/** The rows of all pages of a list. */
async function pagesOf<Row>(path: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const at = `${path}&limit=3${cursor && `&cursor=${cursor}`}`;
    const page: { rows: Row[]; next: string | null } = await read(at);
    rows.push(...page.rows);
    cursor = page.next;
  }
  return rows;
}

test("requests, events, audit entries and approvals are sorted, page by page without a gap", async () => {
  const { subaccountId, disburse } = await service.newCaller();
  const { receiver_id, account_id } = await newPayee(disburse, "12345999", {});
  await disburse.testHelpers.fund({ amount: 1, currency: "AUD", reference: "x" });
  await service.db.pool.query(
    `insert into request_log (subaccount_id, id, took_us, status, key, method, route)
     select $1, uuidv7(make_interval(secs => n - 10)), n * 7 % 4 * 1000, 200 + n % 3 * 100, 'ak', 'GET', '/api'
     from generate_series(1, 8) n`,
    [subaccountId],
  );
  type Request = { id: string; ms: number; status: number };
  const requests = (sort: string) => pagesOf<Request>(`/s/${subaccountId}/requests?sort=${sort}`);
  const newest = (await requests("-received")).map(({ id }) => id);
  expect(newest).toEqual(newest.toSorted().reverse());
  expect((await requests("received")).map(({ id }) => id)).toEqual(newest.toReversed());
  const slowest = (await requests("-took")).filter(({ id }) => newest.includes(id));
  expect(slowest.map(({ ms }) => ms)).toEqual(slowest.map(({ ms }) => ms).sort((a, b) => b - a));
  expect(new Set(slowest.map(({ id }) => id)).size).toBe(newest.length);
  const byStatus = (await requests("status")).map(({ status }) => status);
  expect(byStatus).toEqual(byStatus.toSorted());

  const eventsPath = `/s/${subaccountId}/events`;
  const events = (sort: string) => pagesOf<{ id: string }>(`${eventsPath}?sort=${sort}`);
  const eventIds = (await events("-created")).map(({ id }) => id);
  expect((await events("created")).map(({ id }) => id)).toEqual(eventIds.toReversed());

  type Entry = { number: number; action: string };
  await service.db.pool.query(
    `insert into audit_entry (number, at_ms, who, action, object_kind, object_id, subaccount_id, before, after, ip,
       request_id, previous_hash, hash)
     select 1000000 + n, n, 'operator:x', 'act.' || n % 3, 'x', '', $1, '{}', '{}', '', '', '', ''
     from generate_series(1, 7) n`,
    [subaccountId],
  );
  const entries = (sort: string) =>
    pagesOf<Entry>(`/audit?subaccount_id=${subaccountId}&sort=${sort}`);
  const numbers = (await entries("-at")).map(({ number }) => number);
  expect(numbers).toEqual(numbers.toSorted((a, b) => b - a));
  expect((await entries("at")).map(({ number }) => number)).toEqual(numbers.toReversed());
  const actions = await entries("-action");
  expect(actions.map(({ action }) => action)).toEqual(
    actions.map(({ action }) => action).sort((a, b) => (a < b ? 1 : -1)),
  );
  expect(new Set(actions.map(({ number }) => number)).size).toBe(numbers.length);
  await service.db.pool.query("delete from audit_entry where number > 1000000");

  await service.db.pool.query(
    `insert into payout (subaccount_id, id, receiver_id, account_id, account_version, amount, currency,
       reference, note, status, stage, cause, cause_code, rail, provider_reference, created_at_ms, updated_at_ms,
       created_by)
     select $1, uuidv7(make_interval(secs => n - 10)), $2, $3, 1, 1 + n * 5 % 4, 'AUD', '', '', 'pending',
       'awaiting_approval', '', '', 'sandbox', '', 0, 0, 'key:x' from generate_series(1, 7) n`,
    [subaccountId, receiver_id, account_id],
  );
  type Waiting = { id: string; payout: { amount: number } };
  for (const of of [`subaccount_id=${subaccountId}`, "kind=payout"]) {
    const approvals = (sort: string) => pagesOf<Waiting>(`/approvals?${of}&sort=${sort}`);
    const oldest = (await approvals("created")).map(({ id }) => id);
    expect(oldest).toEqual(oldest.toSorted());
    expect(oldest.length).toBeGreaterThan(6);
    expect((await approvals("-created")).map(({ id }) => id)).toEqual(oldest.toReversed());
    for (const [sort, order] of [
      ["amount", 1],
      ["-amount", -1],
    ] as const) {
      const sorted = await approvals(sort);
      const amounts = sorted.map(({ payout }) => payout.amount);
      expect(amounts).toEqual(amounts.toSorted((a, b) => order * (a - b)));
      expect(sorted.map(({ id }) => id).toSorted()).toEqual(oldest);
    }
  }

  const person = service.enter("operator");
  for (const path of [`/s/${subaccountId}/requests`, eventsPath, "/audit", "/approvals"]) {
    const { status, json } = await person.get(`${path}?sort=cause`);
    expect([path, status, json.error[0].code]).toEqual([path, 400, "CONS108"]);
  }
});
