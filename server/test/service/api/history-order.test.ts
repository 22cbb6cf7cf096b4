// Histories are in the order of the changes, also when the clocks of processes differ.

import { expect, test } from "vitest";
import { findPayouts, listPayoutHistory } from "../../../src/money/payouts/list-queries.ts";
import { toPayoutMove } from "../../../src/money/payouts/move.ts";
import { movePayouts } from "../../../src/money/payouts/move-queries.ts";
import type { MoveName } from "../../../src/money/payouts/states.ts";
import { toReceiverMove } from "../../../src/people/receivers/move.ts";
import type { KycStatus, ReceiverStatus } from "../../../src/people/receivers/receiver.ts";
import { moveReceivers } from "../../../src/people/receivers/state-queries.ts";
import type { States } from "../../../src/people/receivers/states.ts";
import { firstIdOf } from "../../../src/platform/base/cursor.ts";
import { newId } from "../../../src/platform/base/ids.ts";
import { pastOf } from "../../support/past-payouts.ts";
import { type Answer, ada, type TestCaller } from "../../support/service.ts";
import { service, useService } from "../../support/service-setup.ts";

const hourMs = 3_600_000;
const who = "service";

await useService();

/** An id as made by a process whose clock is ahead of ours by `aheadMs`. */
function idOfAnotherClock(aheadMs: number): string {
  return firstIdOf(Date.now() + aheadMs).slice(0, 14) + newId().slice(14);
}

type ReceiverStep = [status: ReceiverStatus, kyc: KycStatus, aheadMs: number];

/** A receiver that one process creates, and that processes with other clocks change. */
async function changedReceiver(caller: TestCaller, steps: ReceiverStep[]): Promise<string> {
  const { subaccountId } = caller;
  const { receiver_id: id } = await caller.disburse.receivers.create(ada());
  const { rows } = await service.db.pool.query(
    "select status, kyc_status from receiver where id = $1",
    [id],
  );
  let from = rows[0];
  for (const [status, kyc_status, aheadMs] of steps) {
    const to = { status, kyc_status };
    const atMs = Date.now() + aheadMs;
    const move = toReceiverMove({
      subaccountId,
      id,
      from,
      to,
      who,
      reason: "",
      atMs,
      step: "as-before",
    });
    const historyId = idOfAnotherClock(aheadMs);
    expect(await moveReceivers(service.db, [{ ...move, historyId }])).toEqual([true]);
    from = to;
  }
  return id;
}

test("a receiver's history is in order although the clocks of its processes differ", async () => {
  const caller = await service.newCaller();
  const id = await changedReceiver(caller, [
    ["active", "completed", hourMs],
    ["inactive", "completed", -hourMs],
    ["active", "pending", 0],
  ]);
  const path = `/api/receiver/${id}/history`;
  const stateOf = ({ reason, to }: { reason: string; to: States }) =>
    reason === "created" ? reason : `${to.status} ${to.kyc_status}`;
  const inOrder = ["active pending", "inactive completed", "active completed", "created"];
  const whole = await caller.call("GET", path);
  expect(whole.json.payload.map(stateOf)).toEqual(inOrder);

  // Page by page as well: each continues after the last entry of the page before.
  const paged: string[] = [];
  for (let next: string | undefined = `${path}?limit=1`; next; ) {
    const page: Answer = await caller.call("GET", next);
    paged.push(...page.json.payload.map(stateOf));
    next = /<([^>]+)>/.exec(page.headers.get("link") ?? "")?.[1];
  }
  expect(paged).toEqual(inOrder);
});

test("a payout's history is in order although the clocks of its processes differ", async () => {
  const caller = await service.newCaller();
  const { subaccountId } = caller;
  const past = await pastOf(service, caller);
  await past.fund(Date.now(), 1_000);
  const id = await past.make(Date.now() + hourMs, 10);
  const moves: [MoveName, number][] = [
    ["submit", 0],
    ["settle", -hourMs],
    ["return", -2 * hourMs],
  ];
  for (const [move, aheadMs] of moves) {
    const [payout] = await findPayouts(service.db, [{ subaccountId, id }]);
    if (!payout) throw new Error("no such payout");
    const request = { move, who, reason: "", atMs: Date.now() + aheadMs };
    const made = toPayoutMove({ ...payout, subaccount_id: subaccountId }, request);
    const historyId = idOfAnotherClock(aheadMs);
    expect((await movePayouts(service.db, [{ ...made, historyId }])).has(id)).toBe(true);
  }
  const history = await listPayoutHistory(service.db, { subaccountId, id });
  expect(history.map(({ to_stage }) => to_stage)).toEqual([
    ...["returned", "settled", "submitted", "queued"],
  ]);
});

test("rows that the previous version writes are numbered too", async () => {
  const caller = await service.newCaller();
  const id = await changedReceiver(caller, [["active", "completed", hourMs]]);
  // The previous version's statement, without columns that don't matter here.
  await service.db.pool.query(
    `with moved as (
       update receiver set status = 'inactive' where subaccount_id = $1 and id = $2 returning *
     )
     insert into receiver_history (subaccount_id, receiver_id, id, at_ms, who, from_status, to_status,
                                   from_kyc_status, to_kyc_status, reason)
     select subaccount_id, id, $3, $4, 'service', 'active', 'inactive', 'completed', 'completed', '' from moved`,
    [caller.subaccountId, id, newId(), Date.now()],
  );
  const from = { status: "inactive", kyc_status: "completed" } as const;
  const to = { status: "active", kyc_status: "pending" } as const;
  const by = { who, reason: "", atMs: Date.now(), step: "as-before" } as const;
  const move = toReceiverMove({ subaccountId: caller.subaccountId, id, from, to, ...by });
  const historyId = idOfAnotherClock(-hourMs);
  expect(await moveReceivers(service.db, [{ ...move, historyId }])).toEqual([true]);
  const { rows } = await service.db.pool.query(
    "select number, to_status from receiver_history where receiver_id = $1 order by number",
    [id],
  );
  expect(rows.map(({ number, to_status }) => [number, to_status])).toEqual([
    [2, "active"],
    [3, "inactive"],
    [4, "active"],
  ]);
});
